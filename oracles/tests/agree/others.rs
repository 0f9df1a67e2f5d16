//! The other parsers, each reduced to the commands that it sees. `None`: it refuses the script, or the script is more than literal commands.

use std::panic::catch_unwind;

use super::Commands;
use super::words::literal;

struct Found {
    commands: Commands,
    plain: bool,
}

impl Found {
    fn new() -> Self {
        Self { commands: Commands::new(), plain: true }
    }

    fn command<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        match words.map(literal).collect::<Option<Vec<_>>>() {
            Some(words) if words.is_empty() => {}
            Some(words) => drop(self.commands.insert(words)),
            None => self.plain = false,
        }
    }

    fn finish(self) -> Option<Commands> {
        self.plain.then_some(self.commands)
    }
}

pub fn shuck(text: &str) -> Option<Commands> {
    let parsed = catch_unwind(|| shuck_parser::parser::Parser::new(text).parse()).ok()?;
    if parsed.is_err() {
        return None;
    }
    let mut found = Found::new();
    shuck::list(&mut found, &parsed.file.body, text);
    found.finish()
}

mod shuck {
    use shuck_ast::{
        AssignmentValue, BuiltinCommand, Command, CompoundCommand, RedirectTarget, Span, Stmt, StmtSeq, Word,
    };

    use super::Found;
    use crate::words::literal;

    fn source(span: Span, text: &str) -> &str {
        text.get(span.start.offset()..span.end.offset()).unwrap_or("$")
    }

    pub(super) fn list(found: &mut Found, list: &StmtSeq, text: &str) {
        for stmt in &list.stmts {
            one(found, stmt, text);
        }
    }

    fn one(found: &mut Found, stmt: &Stmt, text: &str) {
        for redirect in &stmt.redirects {
            match &redirect.target {
                RedirectTarget::Word(word) => found.plain &= literal(source(word.span, text)).is_some(),
                RedirectTarget::Heredoc(doc) => found.plain &= doc.delimiter.quoted,
            }
        }
        match &stmt.command {
            Command::Simple(simple) => {
                for assignment in &simple.assignments {
                    found.plain &= matches!(&assignment.value, AssignmentValue::Scalar(word) if literal(source(word.span, text)).is_some());
                }
                // An assignment alone has an empty name.
                let words = std::iter::once(&simple.name).chain(&simple.args);
                let words: Vec<&str> = words.map(|word| source(word.span, text)).collect();
                if words != [""] {
                    found.command(words.into_iter());
                }
            }
            Command::Builtin(builtin) => {
                let (name, first, more) = match builtin {
                    BuiltinCommand::Break(b) => ("break", &b.depth, &b.extra_args),
                    BuiltinCommand::Continue(b) => ("continue", &b.depth, &b.extra_args),
                    BuiltinCommand::Return(b) => ("return", &b.code, &b.extra_args),
                    BuiltinCommand::Exit(b) => ("exit", &b.code, &b.extra_args),
                };
                let words = first.iter().chain(more).map(|word: &Word| source(word.span, text));
                found.command(std::iter::once(name).chain(words));
            }
            Command::Binary(binary) => {
                one(found, &binary.left, text);
                one(found, &binary.right, text);
            }
            Command::Compound(compound) => self::compound(found, compound, text),
            Command::Decl(_) | Command::Function(_) | Command::AnonymousFunction(_) => found.plain = false,
        }
    }

    fn words(found: &mut Found, words: &[Word], text: &str) {
        found.plain &= words.iter().all(|word| literal(source(word.span, text)).is_some());
    }

    fn compound(found: &mut Found, compound: &CompoundCommand, text: &str) {
        match compound {
            CompoundCommand::If(c) => {
                list(found, &c.condition, text);
                list(found, &c.then_branch, text);
                for (condition, branch) in &c.elif_branches {
                    list(found, condition, text);
                    list(found, branch, text);
                }
                if let Some(branch) = &c.else_branch {
                    list(found, branch, text);
                }
            }
            CompoundCommand::For(c) => {
                words(found, c.words.as_deref().unwrap_or_default(), text);
                list(found, &c.body, text);
            }
            CompoundCommand::While(c) => {
                list(found, &c.condition, text);
                list(found, &c.body, text);
            }
            CompoundCommand::Until(c) => {
                list(found, &c.condition, text);
                list(found, &c.body, text);
            }
            CompoundCommand::Case(c) => {
                words(found, std::slice::from_ref(&c.word), text);
                for case in &c.cases {
                    list(found, &case.body, text);
                }
            }
            CompoundCommand::Subshell(body) | CompoundCommand::BraceGroup(body) => list(found, body, text),
            CompoundCommand::Time(c) => {
                if let Some(command) = &c.command {
                    one(found, command, text);
                }
            }
            _ => found.plain = false,
        }
    }
}

pub fn rable(text: &str) -> Option<Commands> {
    let nodes = catch_unwind(|| ::rable::parse(text, false)).ok()?.ok()?;
    let mut found = Found::new();
    for node in &nodes {
        self::rable::node(&mut found, node);
    }
    found.finish()
}

mod rable {
    use ::rable::{Node, NodeKind};

    use super::Found;
    use crate::words::literal;

    pub(super) fn node(found: &mut Found, node: &Node) {
        match &node.kind {
            NodeKind::Command { assignments, words, redirects } => {
                for assignment in assignments {
                    found.plain &=
                        value(assignment).split_once('=').is_some_and(|(_, value)| literal(value).is_some());
                }
                self::redirects(found, redirects);
                found.command(words.iter().map(value));
            }
            NodeKind::Pipeline { commands, .. } => all(found, commands),
            NodeKind::List { items } => items.iter().for_each(|item| self::node(found, &item.command)),
            NodeKind::If { condition, then_body, else_body, redirects } => {
                self::node(found, condition);
                self::node(found, then_body);
                if let Some(body) = else_body {
                    self::node(found, body);
                }
                self::redirects(found, redirects);
            }
            NodeKind::While { condition, body, redirects }
            | NodeKind::Until { condition, body, redirects } => {
                self::node(found, condition);
                self::node(found, body);
                self::redirects(found, redirects);
            }
            NodeKind::For { words, body, redirects, .. } => {
                found.plain &= words.iter().flatten().all(|word| literal(value(word)).is_some());
                self::node(found, body);
                self::redirects(found, redirects);
            }
            NodeKind::Case { word, patterns, redirects } => {
                found.plain &= literal(value(word)).is_some();
                patterns.iter().filter_map(|p| p.body.as_ref()).for_each(|body| self::node(found, body));
                self::redirects(found, redirects);
            }
            NodeKind::Subshell { body, redirects } | NodeKind::BraceGroup { body, redirects } => {
                self::node(found, body);
                self::redirects(found, redirects);
            }
            NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => self::node(found, pipeline),
            NodeKind::Empty | NodeKind::Comment { .. } => {}
            _ => found.plain = false,
        }
    }

    fn all(found: &mut Found, nodes: &[Node]) {
        nodes.iter().for_each(|node| self::node(found, node));
    }

    /// A word as it is written; what is none is not literal.
    fn value(node: &Node) -> &str {
        match &node.kind {
            NodeKind::Word { value, .. } => value,
            _ => "$",
        }
    }

    fn redirects(found: &mut Found, redirects: &[Node]) {
        for redirect in redirects {
            found.plain &= match &redirect.kind {
                NodeKind::Redirect { target, .. } => literal(value(target)).is_some(),
                NodeKind::HereDoc { quoted, .. } => *quoted,
                _ => false,
            };
        }
    }
}

pub fn tree_sitter(text: &str) -> Option<Commands> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut found = Found::new();
    branch(&mut found, tree.root_node(), text);
    found.finish()
}

fn branch(found: &mut Found, node: tree_sitter::Node<'_>, text: &str) {
    let source = |node: tree_sitter::Node<'_>| &text[node.byte_range()];
    let mut cursor = node.walk();
    match node.kind() {
        "command" => {
            let mut words = Vec::new();
            for (i, child) in node.children(&mut cursor).enumerate() {
                let field = node.field_name_for_child(u32::try_from(i).unwrap());
                match (field, child.kind()) {
                    (Some("name" | "argument"), _) => words.push(source(child)),
                    (_, "variable_assignment") => {
                        found.plain &=
                            source(child).split_once('=').is_some_and(|(_, v)| literal(v).is_some())
                    }
                    (_, "herestring_redirect" | "file_redirect") => {
                        found.plain &= !source(child).contains(['$', '`', '(', '*', '?', '[', '{', '~'])
                    }
                    _ => found.plain = false,
                }
            }
            found.command(words.into_iter());
        }
        "program"
        | "list"
        | "pipeline"
        | "negated_command"
        | "redirected_statement"
        | "if_statement"
        | "elif_clause"
        | "else_clause"
        | "while_statement"
        | "compound_statement"
        | "subshell"
        | "do_group"
        | "for_statement"
        | "case_statement"
        | "case_item" => {
            for child in node.named_children(&mut cursor) {
                branch(found, child, text);
            }
        }
        "heredoc_redirect" => {
            let start = node.named_children(&mut cursor).find(|n| n.kind() == "heredoc_start").map(source);
            found.plain &= start.is_some_and(|s| s.starts_with(['\'', '"', '\\']));
            // What follows the mark on its line is a child of it.
            let mut cursor = node.walk();
            let more: Vec<_> = node
                .named_children(&mut cursor)
                .filter(|n| !matches!(n.kind(), "heredoc_start" | "heredoc_body" | "heredoc_end"))
                .collect();
            found.plain &= more.is_empty();
        }
        "variable_assignment" => {
            found.plain &= source(node).split_once('=').is_some_and(|(_, v)| literal(v).is_some())
        }
        "variable_assignments" => {
            for child in node.named_children(&mut cursor) {
                branch(found, child, text);
            }
        }
        "comment" => {}
        // Words of `for` and `case`, targets of redirections.
        "word" | "string" | "raw_string" | "number" | "concatenation" | "variable_name"
        | "file_descriptor" | "extglob_pattern" | "regex" => {
            found.plain &=
                node.parent().is_some_and(|p| p.kind() == "case_item") || literal(source(node)).is_some()
        }
        "file_redirect" | "herestring_redirect" => {
            found.plain &= !source(node).contains(['$', '`', '(', '*', '?', '[', '{', '~'])
        }
        _ => found.plain = false,
    }
}

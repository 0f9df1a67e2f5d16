//! Lists, pipelines and simple commands, read by recursive descent.

use super::ast::{
    Assign, AssignValue, Command, Fd, Item, Joint, Kind, List, Part, Pipeline, Redirect, Span, Word,
};
use super::cursor::{Parsed, Parser, Token, Unparsed, continues_name, is_meta, is_name, starts_name};
use super::parse_word::Mode;
use std::rc::Rc;

/// A script as far as it could be read, in the lines that bash takes one at a time.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) lines: Vec<List>,
    /// The bytes from the first line that could not be read, and why.
    pub(super) error: Option<(Span, usize, &'static str)>,
}

impl Program {
    /// All lines, or the reason why there are not all.
    pub(super) fn whole(self) -> Result<List, Unparsed> {
        match self.error {
            Some((_, at, why)) => Err(Unparsed { at, why }),
            None => Ok(List { items: self.lines.into_iter().flat_map(|line| line.items).collect() }),
        }
    }
}

/// Words that open, join or close a compound command.
const RESERVED: [&str; 19] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "select", "then", "until", "while", "{", "}",
];

/// Those of them that end a list.
const CLOSING: [&str; 8] = ["do", "done", "elif", "else", "esac", "fi", "then", "}"];

/// Builtins whose arguments may be assignments.
pub(super) const DECLARING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

impl Parser<'_> {
    /// Reads the whole text.
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        loop {
            let mut from = self.pos;
            let line = self.newlines().and_then(|()| {
                from = self.pos;
                if self.peek().is_none() { Ok(None) } else { self.line().map(Some) }
            });
            match line {
                Ok(Some(list)) => program.lines.push(list),
                Ok(None) => return program,
                Err(error) => {
                    program.error = Some((self.span(from, self.text.len()), error.at, error.why));
                    return program;
                }
            }
        }
    }

    fn line(&mut self) -> Parsed<List> {
        let from = self.pos;
        let mut list = List::default();
        loop {
            let mut item = self.item()?;
            let separated = self.separator(&mut item)?;
            list.items.push(item);
            self.blanks_and_comment();
            match self.peek() {
                None => break,
                Some(b'\n') => {
                    self.newline()?;
                    break;
                }
                Some(_) if separated => {}
                Some(_) => return self.fail("something that cannot stand here"),
            }
        }
        if !self.pending.is_empty() {
            return self.fail("a heredoc without its text");
        }
        if self.between(from, self.pos).contains("extglob") {
            self.extglob = true;
        }
        Ok(list)
    }

    /// A list inside of a compound command, up to the word or parenthesis that ends it.
    pub(super) fn list(&mut self) -> Parsed<List> {
        let mut list = List::default();
        self.newlines()?;
        while !self.at_list_end() {
            let mut item = self.item()?;
            let separated = self.separator(&mut item)?;
            list.items.push(item);
            self.blanks_and_comment();
            let newline = self.peek() == Some(b'\n');
            self.newlines()?;
            if !separated && !newline {
                break;
            }
        }
        Ok(list)
    }

    /// As [`Self::list`], where bash wants at least one command.
    pub(super) fn full_list(&mut self) -> Parsed<List> {
        let list = self.list()?;
        if list.items.is_empty() { self.fail("a command is missing") } else { Ok(list) }
    }

    fn at_list_end(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.peek_at(1), Some(b';' | b'&')),
            Some(_) => self.plain_word().is_some_and(|word| CLOSING.contains(&word)),
        }
    }

    /// `;` or `&` behind an item; whether there was one.
    fn separator(&mut self, item: &mut Item) -> Parsed<bool> {
        self.blanks();
        match (self.peek(), self.peek_at(1)) {
            (Some(b';'), Some(b';' | b'&')) => Ok(false),
            (Some(b';'), _) if self.behind_heredoc || self.in_substitution && !self.pending.is_empty() => {
                self.fail("a list behind a heredoc in a substitution")
            }
            (Some(b';'), _) => self.operator(";").map(|()| true),
            (Some(b'&'), _) => {
                item.background = true;
                self.operator("&").map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Newlines, blank and comment lines; heredocs that wait are read.
    pub(super) fn newlines(&mut self) -> Parsed<()> {
        loop {
            self.blanks_and_comment();
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    fn newline(&mut self) -> Parsed<()> {
        self.advance(1, Token::Newline);
        if self.outer_pending {
            return self.fail("a new line between a heredoc and its text");
        }
        self.heredocs()
    }

    fn item(&mut self) -> Parsed<Item> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let joint = if self.looking_at("&&") {
                self.operator("&&")?;
                Joint::And
            } else if self.looking_at("||") {
                self.operator("||")?;
                Joint::Or
            } else {
                return Ok(Item { first, rest, background: false });
            };
            self.newlines()?;
            rest.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let mut negated = false;
        let mut prefixed = false;
        loop {
            self.blanks();
            match self.plain_word() {
                Some("!") => {
                    self.advance(1, Token::Text);
                    if self.extglob && self.peek() == Some(b'(') {
                        return self.fail("a negation or an extended glob");
                    }
                    negated = !negated;
                }
                Some("time") => {
                    self.advance(4, Token::Text);
                    self.blanks();
                    if self.plain_word() == Some("-p") {
                        self.advance(2, Token::Text);
                        self.blanks();
                    }
                    if self.plain_word() == Some("--") {
                        return self.fail("`time --`");
                    }
                }
                _ => break,
            }
            prefixed = true;
        }
        let mut commands = Vec::new();
        if prefixed && matches!(self.peek(), None | Some(b'\n' | b';')) {
            return Ok(Pipeline { negated, commands });
        }
        commands.push(self.command()?);
        loop {
            self.blanks();
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                return Ok(Pipeline { negated, commands });
            }
            self.operator(if self.peek_at(1) == Some(b'&') { "|&" } else { "|" })?;
            self.newlines()?;
            if self.plain_word() == Some("!") {
                return self.fail("a negation within a pipeline");
            }
            commands.push(self.command()?);
        }
    }

    pub(super) fn command(&mut self) -> Parsed<Command> {
        self.enter()?;
        self.blanks();
        let from = self.pos;
        let behind_heredoc = self.behind_heredoc;
        let kind = match self.peek() {
            Some(b'(') => Some(self.parenthesis()?),
            _ => self.compound()?,
        };
        let command = match kind {
            Some(_) if behind_heredoc => return self.fail("a list behind a heredoc in a substitution"),
            Some(kind) => {
                let mut redirects = Vec::new();
                let plain = matches!(kind, Kind::Function { .. } | Kind::Coproc { .. });
                let mut to = self.pos;
                if !plain {
                    self.blanks();
                    while let Some(redirect) = self.redirect()? {
                        redirects.push(redirect);
                        to = self.pos;
                        self.blanks();
                    }
                }
                Command { kind, redirects, span: self.span(from, to) }
            }
            None => self.simple()?,
        };
        self.leave();
        Ok(command)
    }

    /// A compound command without redirections, as the body of a function.
    fn body(&mut self) -> Parsed<Rc<Command>> {
        self.newlines()?;
        let compound = self.peek() == Some(b'(')
            || self.plain_word().is_some_and(|w| {
                matches!(w, "{" | "if" | "while" | "until" | "for" | "case" | "select" | "[[")
            });
        if !compound {
            return self.fail("a function whose body is no compound command");
        }
        self.command().map(Rc::new)
    }

    /// `name ()` was seen up to the parenthesis.
    fn function(&mut self, name: &Word) -> Parsed<Kind> {
        let Some(name) = name.plain().map(str::to_owned) else {
            return self.fail("a function's name with quotes");
        };
        self.operator("(")?;
        self.blanks();
        if self.peek() != Some(b')') {
            return self.fail("a parenthesis that cannot stand here");
        }
        self.operator(")")?;
        Ok(Kind::Function { name, body: self.body()? })
    }

    /// `function name [()] body`, from the word `function`.
    pub(super) fn function_word(&mut self) -> Parsed<Kind> {
        self.advance("function".len(), Token::Text);
        self.blanks();
        let Some(name) = self.plain_word().map(str::to_owned) else { return self.fail("a function's name") };
        self.advance(name.len(), Token::Text);
        self.blanks();
        if self.peek() == Some(b'(') {
            let at = self.pos;
            self.operator("(")?;
            self.blanks();
            if self.peek() == Some(b')') {
                self.operator(")")?;
            } else {
                self.rewind(at);
            }
        }
        Ok(Kind::Function { name, body: self.body()? })
    }

    fn simple(&mut self) -> Parsed<Command> {
        let from = self.pos;
        let mut assigns = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        let mut redirects: Vec<Redirect> = Vec::new();
        let mut to = from;
        let mut declares = false;
        loop {
            self.blanks();
            match (self.peek(), self.peek_at(1)) {
                (None | Some(b'\n' | b';' | b'|' | b')' | b'#'), _) => break,
                (Some(b'&'), next) if next != Some(b'>') => break,
                (Some(b'('), _) => {
                    return match words.as_slice() {
                        [name] if assigns.is_empty() && redirects.is_empty() => {
                            let kind = self.function(name)?;
                            Ok(Command { kind, redirects, span: self.span(from, self.pos) })
                        }
                        _ => self.fail("a parenthesis that cannot stand here"),
                    };
                }
                _ => {}
            }
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
            } else if words.is_empty() {
                if let Some(assign) = self.assignment()? {
                    assigns.push(assign);
                } else {
                    let known = self.plain_word();
                    let word = self.word(Mode::Command)?;
                    if known.is_none() {
                        self.not_disguised(&word, assigns.is_empty() && redirects.is_empty())?;
                    }
                    declares = known.is_some_and(|w| DECLARING.contains(&w));
                    words.push(word);
                }
            } else if declares {
                words.push(self.declared()?);
            } else {
                words.push(self.word(Mode::Command)?);
            }
            to = self.pos;
        }
        if assigns.is_empty() && words.is_empty() && redirects.is_empty() {
            return self.fail("a command is missing");
        }
        Ok(Command { kind: Kind::Simple { assigns, words }, redirects, span: self.span(from, to) })
    }

    /// A word whose continued lines hide a reserved word or an assignment is not read.
    fn not_disguised(&self, word: &Word, first: bool) -> Parsed<()> {
        let Some(Part::Plain(start)) = word.parts.first() else { return Ok(()) };
        let assignment = start.split_once('=').is_some_and(|(name, _)| {
            let name = name.strip_suffix('+').unwrap_or(name);
            is_name(name.split_once('[').map_or(name, |(name, _)| name))
        });
        if assignment || first && word.plain().is_some_and(|w| RESERVED.contains(&w) || w == "time") {
            return self.fail("a word that is broken across lines");
        }
        Ok(())
    }

    /// An argument of `declare` and its like.
    fn declared(&mut self) -> Parsed<Word> {
        let from = self.pos;
        let mut word = self.word(Mode::Command)?;
        if self.peek() == Some(b'(') {
            let names_array = word.plain().is_some_and(|w| {
                w.strip_suffix('=').is_some_and(|name| is_name(name.strip_suffix('+').unwrap_or(name)))
            });
            if !names_array {
                return self.fail("a parenthesis that cannot stand here");
            }
            let items = self.array()?;
            word.parts.push(Part::Array(items));
            word.span = self.span_from(from);
        }
        Ok(word)
    }

    /// An assignment in front of a command, where one starts here.
    fn assignment(&mut self) -> Parsed<Option<Assign>> {
        let from = self.pos;
        let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
        if !bytes.first().is_some_and(|b| starts_name(*b)) {
            return Ok(None);
        }
        let length = bytes.iter().position(|b| !continues_name(*b)).unwrap_or(bytes.len());
        let name = self.between(from, from + length);
        let mut subscript = None;
        match (bytes.get(length), bytes.get(length + 1)) {
            (Some(b'='), _) | (Some(b'+'), Some(b'=')) => self.advance(length, Token::Text),
            (Some(b'['), _) => {
                self.advance(length, Token::Text);
                subscript = Some(self.subscript()?);
                if !(self.peek() == Some(b'=') || self.looking_at("+=")) {
                    let plain = self
                        .between(from, self.pos)
                        .bytes()
                        .all(|b| !is_meta(b) && !matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$'));
                    if !plain {
                        return self.fail("brackets that are no subscript");
                    }
                    self.rewind(from);
                    return Ok(None);
                }
            }
            _ => return Ok(None),
        }
        let append = self.peek() == Some(b'+');
        self.advance(if append { 2 } else { 1 }, Token::Operator);
        let value = match self.peek() {
            Some(b'(') if subscript.is_some() => return self.fail("an array in an array"),
            Some(b'(') => AssignValue::Array(self.array()?),
            _ => AssignValue::Word(self.word(Mode::Command)?),
        };
        Ok(Some(Assign { name: name.to_owned(), subscript, append, value, span: self.span_from(from) }))
    }

    /// A redirection, where one starts here.
    pub(super) fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        let from = self.pos;
        let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
        let (fd, prefix) = match bytes.first() {
            Some(b'0'..=b'9') => {
                let length = bytes.iter().position(|b| !b.is_ascii_digit()).unwrap_or(bytes.len());
                if matches!(bytes.get(length..), Some([b'\\', b'\n', b'<' | b'>', ..])) {
                    return self.fail("a redirection that is broken across lines");
                }
                if !matches!(bytes.get(length), Some(b'<' | b'>')) || bytes.get(length + 1) == Some(&b'(') {
                    return Ok(None);
                }
                match self.between(from, from + length).parse() {
                    Ok(number) if length < 6 => (Fd::Number(number), length),
                    _ => return self.fail("a descriptor that is too large"),
                }
            }
            Some(b'{') => {
                let Some(end) = bytes.iter().take(256).position(|b| *b == b'}') else { return Ok(None) };
                let name = self.between(from + 1, from + end);
                if !matches!(bytes.get(end + 1), Some(b'<' | b'>')) || bytes.get(end + 2) == Some(&b'(') {
                    return Ok(None);
                }
                if !is_name(name) {
                    return self.fail("braces in front of a redirection");
                }
                (Fd::Named(name.to_owned()), end + 1)
            }
            Some(b'<' | b'>') if bytes.get(1) != Some(&b'(') => (Fd::Default, 0),
            Some(b'&') => (Fd::Default, 0),
            _ => return Ok(None),
        };
        let rest = bytes.get(prefix..).unwrap_or_default();
        let operators = ["&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">"];
        let Some(op) = operators.into_iter().find(|op| rest.starts_with(op.as_bytes())) else {
            return Ok(None);
        };
        if prefix > 0 {
            self.advance(prefix, Token::Operator);
        }
        self.operator(op)?;
        self.blanks();
        if self.peek() == Some(b'#') {
            return self.fail("a redirection without a target");
        }
        let start = self.pos;
        let target = if matches!(op, "<&" | ">&") && self.peek() == Some(b'-') {
            self.advance(1, Token::Text);
            Word { parts: vec![Part::Plain("-".into())], span: self.span_from(start) }
        } else {
            self.word(Mode::Command)?
        };
        if self.pos == start {
            return self.fail("a redirection without a target");
        }
        let heredoc =
            if matches!(op, "<<" | "<<-") { Some(self.await_heredoc(&target, op == "<<-")?) } else { None };
        Ok(Some(Redirect { fd, op, target, heredoc, span: self.span_from(from) }))
    }
}

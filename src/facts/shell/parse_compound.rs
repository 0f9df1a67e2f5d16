//! Compound commands: `if`, loops, `case`, `[[ ]]`, groups, subshells, `(( ))`.

use super::ast::{Arm, Kind, List, Part, TestItem, Word};
use super::cursor::{Parsed, Parser, Token, is_meta, is_name};
use super::parse_expansion::Dollar;
use super::parse_word::Mode;

const BINARY: [&str; 13] =
    ["=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

impl Parser<'_> {
    /// Takes a reserved word.
    fn expect(&mut self, word: &str) -> Parsed<()> {
        self.blanks();
        if self.plain_word() != Some(word) {
            return self.fail("a reserved word is missing");
        }
        self.advance(word.len(), Token::Text);
        Ok(())
    }

    fn at(&self, word: &str) -> bool {
        self.plain_word() == Some(word)
    }

    /// A compound command that starts with a reserved word, where one does.
    pub(super) fn compound(&mut self) -> Parsed<Option<Kind>> {
        let Some(word) = self.plain_word() else { return Ok(None) };
        let kind = match word {
            "{" => {
                self.expect("{")?;
                let list = self.full_list()?;
                self.expect("}")?;
                Kind::Group(list)
            }
            "if" => self.condition()?,
            "while" | "until" => {
                self.expect(word)?;
                let condition = self.full_list()?;
                Kind::While { until: word == "until", condition, body: self.do_done()? }
            }
            "for" | "select" => self.for_loop(word == "select")?,
            "case" => self.case()?,
            "[[" => {
                self.expect("[[")?;
                let mut items = Vec::new();
                self.test_or(&mut items)?;
                self.newlines()?;
                self.expect("]]")?;
                Kind::Test(items)
            }
            "function" => self.function_word()?,
            "coproc" => self.coproc()?,
            "then" | "do" | "done" | "fi" | "else" | "elif" | "esac" | "}" => {
                return self.fail("a reserved word that cannot stand here");
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    fn do_done(&mut self) -> Parsed<List> {
        self.expect("do")?;
        let body = self.full_list()?;
        self.expect("done")?;
        Ok(body)
    }

    fn condition(&mut self) -> Parsed<Kind> {
        self.expect("if")?;
        let mut arms = Vec::new();
        loop {
            let condition = self.full_list()?;
            self.expect("then")?;
            arms.push((condition, self.full_list()?));
            if self.at("elif") {
                self.expect("elif")?;
                continue;
            }
            let mut otherwise = None;
            if self.at("else") {
                self.expect("else")?;
                otherwise = Some(self.full_list()?);
            }
            self.expect("fi")?;
            return Ok(Kind::If { arms, otherwise });
        }
    }

    fn for_loop(&mut self, select: bool) -> Parsed<Kind> {
        self.expect(if select { "select" } else { "for" })?;
        self.blanks();
        if !select && self.looking_at("((") {
            return self.for_arithmetic();
        }
        let Some(name) = self.plain_word().filter(|name| is_name(name)).map(str::to_owned) else {
            return self.fail("a loop's variable");
        };
        self.advance(name.len(), Token::Text);
        self.blanks();
        let mut words = None;
        if self.peek() == Some(b';') {
            self.operator(";")?;
        } else {
            self.newlines()?;
            if self.at("in") {
                self.expect("in")?;
                let mut list = Vec::new();
                loop {
                    self.blanks_and_comment();
                    match self.peek() {
                        Some(b';') => {
                            self.operator(";")?;
                            break;
                        }
                        Some(b'\n') => break,
                        _ => list.push(self.needed_word(Mode::Command)?),
                    }
                }
                words = Some(list);
            }
        }
        self.newlines()?;
        Ok(Kind::For { name, words, select, body: self.loop_body()? })
    }

    /// `do … done`, or braces.
    fn loop_body(&mut self) -> Parsed<List> {
        if self.at("{") {
            self.expect("{")?;
            let list = self.full_list()?;
            self.expect("}")?;
            return Ok(list);
        }
        self.do_done()
    }

    fn for_arithmetic(&mut self) -> Parsed<Kind> {
        self.operator("(")?;
        self.operator("(")?;
        let start = self.arithmetic_until(b';')?;
        let condition = self.arithmetic_until(b';')?;
        let step = self.arithmetic_until(b')')?;
        if self.peek() != Some(b')') {
            return self.fail("a parenthesis is missing");
        }
        self.operator(")")?;
        self.blanks();
        if self.peek() == Some(b';') {
            self.operator(";")?;
        }
        self.newlines()?;
        Ok(Kind::ForArithmetic { start, condition, step, body: self.loop_body()? })
    }

    fn case(&mut self) -> Parsed<Kind> {
        self.expect("case")?;
        self.blanks();
        let word = self.needed_word(Mode::Command)?;
        self.newlines()?;
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.newlines()?;
            if self.at("esac") {
                self.expect("esac")?;
                return Ok(Kind::Case { word, arms });
            }
            if self.peek() == Some(b'(') {
                self.operator("(")?;
                self.blanks();
            }
            let mut patterns = vec![self.needed_word(Mode::Command)?];
            self.blanks();
            while self.peek() == Some(b'|') {
                self.operator("|")?;
                self.blanks();
                patterns.push(self.needed_word(Mode::Command)?);
                self.blanks();
            }
            if self.peek() != Some(b')') {
                return self.fail("a case's pattern without its end");
            }
            self.operator(")")?;
            let body = self.list()?;
            let mut falls = false;
            if self.peek() == Some(b';') {
                let op = [";;&", ";;", ";&"].into_iter().find(|op| self.looking_at(op));
                let Some(op) = op else { return self.fail("a semicolon that cannot stand here") };
                falls = op != ";;";
                self.operator(op)?;
                arms.push(Arm { patterns, body, falls });
            } else {
                arms.push(Arm { patterns, body, falls });
                self.expect("esac")?;
                return Ok(Kind::Case { word, arms });
            }
        }
    }

    fn coproc(&mut self) -> Parsed<Kind> {
        self.expect("coproc")?;
        self.blanks();
        let opens = |parser: &Self| {
            parser.peek() == Some(b'(')
                || parser.plain_word().is_some_and(|w| {
                    matches!(w, "{" | "if" | "while" | "until" | "for" | "case" | "select" | "[[")
                })
        };
        let mut name = None;
        if !opens(self)
            && let Some(first) = self.plain_word().filter(|w| is_name(w))
        {
            let at = self.pos;
            self.advance(first.len(), Token::Text);
            self.blanks();
            if opens(self) {
                name = Some(first.to_owned());
            } else {
                self.rewind(at);
            }
        }
        let body = Box::new(self.command()?);
        Ok(Kind::Coproc { name, body })
    }

    /// `( … )` or `(( … ))`.
    pub(super) fn parenthesis(&mut self) -> Parsed<Kind> {
        let at = self.pos;
        if self.looking_at("((") {
            self.operator("(")?;
            self.operator("(")?;
            if let Dollar::Arithmetic(parts) = self.arithmetic_or_not()? {
                return Ok(Kind::Arithmetic(parts));
            }
            self.rewind(at);
        }
        self.operator("(")?;
        let list = self.full_list()?;
        if self.peek() != Some(b')') {
            return self.fail("a parenthesis is missing");
        }
        self.operator(")")?;
        Ok(Kind::Subshell(list))
    }

    fn test_or(&mut self, items: &mut Vec<TestItem>) -> Parsed<()> {
        self.enter()?;
        loop {
            self.test_term(items)?;
            self.newlines()?;
            if self.looking_at("&&") {
                self.operator("&&")?;
            } else if self.looking_at("||") {
                self.operator("||")?;
            } else {
                self.leave();
                return Ok(());
            }
        }
    }

    fn test_term(&mut self, items: &mut Vec<TestItem>) -> Parsed<()> {
        self.newlines()?;
        while self.at("!") {
            self.expect("!")?;
            self.newlines()?;
        }
        if self.peek() == Some(b'(') {
            self.operator("(")?;
            self.test_or(items)?;
            if self.peek() != Some(b')') {
                return self.fail("a parenthesis is missing");
            }
            return self.operator(")");
        }
        if self.at("]]") {
            return self.fail("a condition is missing");
        }
        let unary = self.plain_word().filter(|w| {
            w.len() == 2 && w.starts_with('-') && w.bytes().all(|b| b == b'-' || b.is_ascii_alphabetic())
        });
        let left = self.needed_word(Mode::Pattern)?;
        self.blanks();
        if let Some(op) = unary {
            if self.test_ends() {
                items.push(TestItem::Alone(left));
                return Ok(());
            }
            if !self.plain_word().is_some_and(|w| BINARY.contains(&w)) {
                items.push(TestItem::Unary(op.to_owned(), self.needed_word(Mode::Pattern)?));
                return Ok(());
            }
            return self.fail("an operator as an operand");
        }
        if self.test_ends() {
            items.push(TestItem::Alone(left));
            return Ok(());
        }
        let op = match self.peek() {
            Some(b'<') => "<",
            Some(b'>') => ">",
            _ => match self.plain_word() {
                Some(word) if BINARY.contains(&word) => word,
                _ => return self.fail("an operator that is not known"),
            },
        };
        if matches!(op, "<" | ">") {
            if self.peek_at(1).is_some_and(|b| matches!(b, b'(' | b'<' | b'>' | b'&')) {
                return self.fail("an operator that is not known");
            }
            self.operator(if op == "<" { "<" } else { ">" })?;
        } else {
            self.advance(op.len(), Token::Text);
        }
        self.blanks();
        let right: Word = self.needed_word(if op == "=~" { Mode::Regex } else { Mode::Pattern })?;
        items.push(TestItem::Binary(left, op.to_owned(), right));
        Ok(())
    }

    fn test_ends(&self) -> bool {
        self.at("]]") || matches!(self.peek(), Some(b')' | b'\n' | b'&' | b'|'))
    }

    /// A word that must be there.
    pub(super) fn needed_word(&mut self, mode: Mode) -> Parsed<Word> {
        let start = self.pos;
        let word = self.word(mode)?;
        if self.pos == start { self.fail("a word is missing") } else { Ok(word) }
    }

    /// `[…]` of an assignment, from the bracket.
    pub(super) fn subscript(&mut self) -> Parsed<Vec<Part>> {
        self.advance(1, Token::Operator);
        let parts = self.arithmetic_until(b']')?;
        if parts.is_empty() { self.fail("an empty subscript") } else { Ok(parts) }
    }

    /// `(…)` of an assignment, from the parenthesis.
    pub(super) fn array(&mut self) -> Parsed<Vec<super::ast::ArrayItem>> {
        self.enter()?;
        self.operator("(")?;
        let mut items = Vec::new();
        loop {
            self.newlines()?;
            match self.peek() {
                Some(b')') => {
                    self.operator(")")?;
                    self.leave();
                    return Ok(items);
                }
                Some(b'[') => {
                    let at = self.pos;
                    let subscript = self.subscript()?;
                    if self.peek() == Some(b'=') {
                        self.advance(1, Token::Operator);
                        let word = self.word(Mode::Command)?;
                        items.push(super::ast::ArrayItem { subscript: Some(subscript), word });
                        continue;
                    }
                    let plain = self
                        .between(at, self.pos)
                        .bytes()
                        .all(|b| !is_meta(b) && !matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$'));
                    if !plain || self.looking_at("+=") {
                        return self.fail("brackets that are no subscript");
                    }
                    self.rewind(at);
                    let word = self.needed_word(Mode::Command)?;
                    items.push(super::ast::ArrayItem { subscript: None, word });
                }
                _ => {
                    let word = self.needed_word(Mode::Command)?;
                    items.push(super::ast::ArrayItem { subscript: None, word });
                }
            }
        }
    }
}

//! Simple commands, and what builtins change in the shell.

use super::assign::{Declared, said};
use super::ast::{self, Assign, Command, Part, Span};
use super::cursor::Place;
use super::parse::DECLARING;
use super::state::{Flow, State, Value};
use super::walk::Walker;
use super::{Assignment, Redirection};
use crate::facts::word::Word;
use std::rc::Rc;

impl Walker<'_> {
    pub(super) fn simple(
        &mut self,
        mut state: State,
        command: &Command,
        assigns: &[Assign],
        words: &[ast::Word],
    ) -> Flow {
        let declares = words.first().and_then(ast::Word::plain).is_some_and(|word| DECLARING.contains(&word));
        let mut fields: Vec<Word> = Vec::with_capacity(words.len());
        let mut said_of = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if declares && index > 0 {
                said_of.extend(self.declared(&mut state, word, &mut fields));
            } else {
                fields.extend(self.fields(&mut state, word));
            }
        }
        let (redirections, stdin) = self.redirections(&mut state, &command.redirects);
        // Words that may all vanish leave the assignments to the shell.
        let keeps = fields.iter().all(Word::splits);
        let mut assignments = Vec::with_capacity(assigns.len());
        for assign in assigns {
            let mut other = state.clone();
            assignments.push(self.assign(&mut other, assign, keeps));
            state = if fields.is_empty() || !keeps { other } else { state.merge(&other) };
        }
        let stdin = stdin.unwrap_or_else(|| self.stdin.clone());
        let plain = assignments.is_empty() && redirections.is_empty();
        let lent = if fields.is_empty() { Vec::new() } else { assignments.clone() };
        let name = fields.first().map(Word::literal).map(|name| name.map(String::from));
        let kept_stdin = stdin.clone();
        let args: Vec<Word> = match &name {
            Some(Some(name)) if Self::minds(&state, name) => fields.iter().skip(1).cloned().collect(),
            _ => Vec::new(),
        };
        let path = fields.first().is_some_and(is_path);
        let redirected =
            redirections.iter().any(|r: &Redirection| r.fd != super::Descriptor::Default || !r.free);
        let index = self.emit(&state, fields, assignments, redirections, stdin, command.span);
        let name = match name {
            None => return Flow::Same(state),
            Some(Some(name)) => name,
            Some(None) => {
                if !path {
                    state.forget();
                }
                return Flow::Same(state);
            }
        };
        if !Self::minds(&state, &name) {
            return Flow::Same(state);
        }
        if state.all_rebound || state.rebound.contains(&*name) {
            if let Some(command) = self.commands.get_mut(index) {
                command.program_rebound = true;
            }
            state.forget();
            return Flow::Same(state);
        }
        if let Some((name, function)) =
            state.functions.get_key_value(&*name).map(|(n, f)| (Rc::clone(n), f.clone()))
        {
            if let Some(command) = self.commands.get_mut(index) {
                command.program_rebound = !function.sure;
                command.function_call = function.sure;
            }
            let before = state.clone();
            self.lend(&mut state, &lent, command.span);
            let outer = std::mem::replace(&mut self.stdin, kept_stdin);
            let flow = self.call(state, &name, &function.body, args, command.span);
            self.stdin = outer;
            let flow = take_back(flow, &before, &lent);
            if function.sure {
                return flow;
            }
            let mut merged = before.merge(&flow.joined().0);
            merged.forget();
            return Flow::Same(merged);
        }
        if name == "exec" && args.is_empty() {
            if kept_stdin != self.stdin {
                self.stdin = super::Stdin::File(Word::unknown(false));
            }
            return Flow::Same(state);
        }
        let call = Call { span: command.span, plain, words, lent: &lent, odd: redirected };
        if declares {
            self.declare(&mut state, &name, said_of, command.span);
            for assignment in &lent {
                state.set(&assignment.name, Value::Unknown);
            }
            return Flow::Same(state);
        }
        let outer = std::mem::replace(&mut self.stdin, kept_stdin);
        let flow = self.builtin(state, &name, &args, &call);
        self.stdin = outer;
        flow
    }

    /// Whether a program of that name may matter to the shell.
    fn minds(state: &State, name: &str) -> bool {
        state.all_rebound
            || is_builtin(name)
            || state.rebound.contains(name)
            || state.functions.contains_key(name)
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each builtin")]
    fn builtin(&mut self, mut state: State, name: &str, args: &[Word], call: &Call<'_>) -> Flow {
        let literal = |index: usize| args.get(index).and_then(Word::literal);
        match name {
            "command" | "builtin" => {
                let mut rest = args;
                while let [first, more @ ..] = rest {
                    match first.literal().as_deref() {
                        Some("-p" | "--") if name == "command" => rest = more,
                        Some("--") => rest = more,
                        _ => break,
                    }
                }
                let [inner, rest @ ..] = rest else { return Flow::Same(state) };
                match inner.literal() {
                    Some(option) if option.starts_with('-') => {}
                    Some(inner) if is_builtin(&inner) => return self.builtin(state, &inner, rest, call),
                    Some(_) => {}
                    None if is_path(inner) => {}
                    None => state.forget(),
                }
                Flow::Same(state)
            }
            "cd" | "pushd"
                if call.lent.iter().any(|a| matches!(&*a.name, "HOME" | "CDPATH" | "OLDPWD" | "PWD")) =>
            {
                let moved = state.moved_to(None);
                Flow::Split(Some(moved), Some(state))
            }
            "cd" => self.change_directory(state, args),
            "pushd" => self.push_directory(state, args),
            "popd" => Self::pop_directory(&state, args),
            "dirs" => {
                state.stack = Rc::default();
                Flow::Same(state)
            }
            "declare" | "export" | "local" | "readonly" | "typeset" => {
                let declared: Vec<Declared> = args.iter().map(said).collect();
                self.declare(&mut state, name, declared, call.span);
                Flow::Same(state)
            }
            "eval" => self.eval(state, args, call),
            "source" | "." => {
                state.forget();
                Flow::Same(state)
            }
            "exit" | "logout" => {
                if call.leaves(args) {
                    Flow::Gone(state)
                } else {
                    Flow::Same(state)
                }
            }
            "break" | "continue" => {
                self.escape(&state);
                if call.leaves(args) && self.loops > 0 { Flow::Gone(state) } else { Flow::Same(state) }
            }
            "return" => {
                self.escape(&state);
                if call.leaves(args) && !self.running.is_empty() {
                    Flow::Gone(state)
                } else {
                    Flow::Same(state)
                }
            }
            "shift" => {
                let count =
                    if args.is_empty() { Some(1) } else { literal(0).and_then(|n| n.parse::<usize>().ok()) };
                state.positional = match (&state.positional, count) {
                    (Some(words), Some(count)) if count <= words.len() => {
                        Some(Rc::new(words.iter().skip(count).cloned().collect()))
                    }
                    _ => None,
                };
                Flow::Same(state)
            }
            "set" => self.set_options(state, args, call.span),
            "shopt" => self.shopt(state, args, call.span),
            "trap" => self.trap(state, args, call.span),
            "alias" => {
                for word in args {
                    match word.literal() {
                        Some(text) => match text.split_once('=') {
                            Some((name, value)) if is_plain_alias(value) => state.rebind(name),
                            Some(_) => state.all_rebound = true,
                            None => {}
                        },
                        None => state.all_rebound = true,
                    }
                }
                Flow::Same(state)
            }
            "hash" => {
                if args.iter().any(|w| w.literal().is_none_or(|w| w.starts_with('-') && w.contains('p'))) {
                    for word in args {
                        match word.literal() {
                            Some(name) => state.rebind(&name),
                            None => state.all_rebound = true,
                        }
                    }
                }
                Flow::Same(state)
            }
            "enable" if !args.is_empty() => {
                for word in args {
                    match word.literal() {
                        Some(name)
                            if !name.starts_with('-') || matches!(&*name, "-n" | "-a" | "-p" | "-s") =>
                        {
                            state.rebind(&name);
                        }
                        _ => {
                            self.unknown_run(call.span, "a builtin that is loaded");
                            state.forget();
                            state.all_rebound = true;
                        }
                    }
                }
                Flow::Same(state)
            }
            "let" => {
                for word in args {
                    self.arithmetic_text(&mut state, word.literal().as_deref(), call.span);
                }
                Flow::Same(state)
            }
            "read" | "mapfile" | "readarray" | "getopts" | "printf" | "unset" | "wait" => {
                self.sets_variables(&mut state, name, args, call.span);
                Flow::Same(state)
            }
            "test" | "[" => {
                self.check_test(&mut state, args, call.span);
                Flow::Same(state)
            }
            "compgen" | "complete" | "compopt" | "fc" | "bind" => {
                self.unknown_run(call.span, "a builtin that may run something");
                state.forget();
                Flow::Same(state)
            }
            "jobs" if !args.is_empty() => {
                self.unknown_run(call.span, "a builtin that may run something");
                Flow::Same(state)
            }
            _ => Flow::Same(state),
        }
    }

    fn eval(&mut self, mut state: State, args: &[Word], call: &Call<'_>) -> Flow {
        let args = match args {
            [first, rest @ ..] if first.literal().as_deref() == Some("--") => rest,
            args => args,
        };
        let words: Option<Vec<_>> = args.iter().map(Word::literal).collect();
        let Some(words) = words else {
            self.unknown_run(call.span, "`eval` of a text that is not known");
            state.forget();
            return Flow::Same(state);
        };
        let text = words.join(" ");
        if text.len() > super::cursor::MAX_TEXT {
            self.unknown_run(call.span, "`eval` of a text that is too long");
            state.forget();
            return Flow::Same(state);
        }
        let before = state.clone();
        self.lend(&mut state, call.lent, call.span);
        let via = std::mem::replace(&mut self.via_eval, true);
        let flow = self.text(&text, Place::Within(call.span), state);
        self.via_eval = via;
        take_back(flow, &before, call.lent)
    }

    fn change_directory(&self, state: State, args: &[Word]) -> Flow {
        let mut rest = args;
        while let [first, more @ ..] = rest {
            match first.literal().as_deref() {
                Some("-P" | "-L") => rest = more,
                Some("--") => {
                    rest = more;
                    break;
                }
                _ => break,
            }
        }
        let target = match rest {
            [] => self.lookup(&state, "HOME").literal().filter(|home| home.starts_with('/')).map(Word::text),
            [target] => target.literal().and_then(|text| {
                let certain = !text.is_empty()
                    && !text.starts_with('-')
                    && (!state.odd_cd || text.starts_with('/'))
                    && !text.starts_with('~');
                certain.then(|| Word { span: target.span, ..Word::text(text) })
            }),
            _ => None,
        };
        let moved = state.moved_to(target);
        Flow::Split(Some(moved), Some(state))
    }

    fn push_directory(&self, state: State, args: &[Word]) -> Flow {
        let known = matches!(args, [dir] if dir.literal().is_some_and(|d| !d.starts_with(['+', '-'])));
        let (moved, state) = match self.change_directory(state, if known { args } else { &[] }) {
            Flow::Split(Some(moved), Some(state)) => (moved, state),
            flow => return flow,
        };
        let mut moved = moved;
        if known {
            Rc::make_mut(&mut moved.stack).push(state.places.clone());
        } else {
            moved.places = None;
            moved.stack = Rc::default();
        }
        Flow::Split(Some(moved), Some(state))
    }

    fn pop_directory(state: &State, args: &[Word]) -> Flow {
        let mut moved = state.moved_to(None);
        if args.is_empty()
            && !state.volatile
            && let Some(places) = Rc::make_mut(&mut moved.stack).pop()
        {
            moved.places = places;
        } else {
            moved.stack = Rc::default();
        }
        Flow::Split(Some(moved), Some(state.clone()))
    }
}

/// A call of a builtin, as far as the words do not say it.
struct Call<'a> {
    span: Span,
    /// It has neither assignments nor redirections.
    plain: bool,
    words: &'a [ast::Word],
    lent: &'a [Assignment],
    odd: bool,
}

impl Call<'_> {
    /// Whether `exit` and the like surely do what they say.
    fn leaves(&self, args: &[Word]) -> bool {
        let status = |part: &Part| matches!(part, Part::Parameter(p) if p.name == "?");
        (self.plain || !self.odd && self.lent.is_empty())
            && match args {
                [] => true,
                [only] => {
                    only.literal().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
                        || matches!(self.words.last().map(|w| w.parts.as_slice()), Some([part]) if status(part))
                }
                _ => false,
            }
    }
}

/// Variables that were lent are not known afterwards.
fn take_back(flow: Flow, before: &State, lent: &[Assignment]) -> Flow {
    if lent.is_empty() {
        return flow;
    }
    let back = |mut state: State| {
        for assignment in lent {
            if before.vars.get(&*assignment.name) != state.vars.get(&*assignment.name) {
                state.set(&assignment.name, Value::Unknown);
            }
        }
        state
    };
    match flow {
        Flow::Same(state) => Flow::Same(back(state)),
        Flow::Split(ok, failed) => Flow::Split(ok.map(back), failed.map(back)),
        Flow::Gone(state) => Flow::Gone(back(state)),
    }
}

/// Whether a word is surely one with a slash in it, so that it names no builtin and no function.
fn is_path(word: &Word) -> bool {
    !word.pieces.iter().any(|piece| matches!(piece, crate::facts::word::Piece::Unknown { splits: true }))
        && word
            .pieces
            .iter()
            .any(|piece| matches!(piece, crate::facts::word::Piece::Text(text) if text.contains('/')))
}

fn is_plain_alias(value: &str) -> bool {
    !value.ends_with([' ', '\t'])
        && value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | '=' | ':' | ','))
}

/// Builtins that this module minds.
fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "command"
            | "builtin"
            | "cd"
            | "pushd"
            | "popd"
            | "dirs"
            | "declare"
            | "export"
            | "local"
            | "readonly"
            | "typeset"
            | "eval"
            | "source"
            | "."
            | "exit"
            | "logout"
            | "break"
            | "continue"
            | "return"
            | "shift"
            | "set"
            | "shopt"
            | "trap"
            | "alias"
            | "hash"
            | "enable"
            | "let"
            | "read"
            | "mapfile"
            | "readarray"
            | "getopts"
            | "printf"
            | "unset"
            | "wait"
            | "test"
            | "["
            | "compgen"
            | "complete"
            | "compopt"
            | "fc"
            | "bind"
            | "jobs"
            | "exec"
    )
}

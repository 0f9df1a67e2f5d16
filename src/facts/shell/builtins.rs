//! Simple commands, and what builtins change in the shell.

use super::assign::{Declared, said};
use super::ast::{self, Assign, Command, Part, Span};
use super::cursor::{Place, is_name};
use super::expand::positional;
use super::parse::DECLARING;
use super::state::{Flow, State, Value};
use super::walk::Walker;
use super::{Assignment, Redirection};
use crate::facts::word::Word;
use std::rc::Rc;

/// What `shopt` may change without changing what is understood here.
const HARMLESS_SHOPT: [&str; 19] = [
    "checkhash", "checkjobs", "checkwinsize", "cmdhist", "dirspell", "dotglob", "execfail", "failglob", "globasciiranges",
    "globskipdots", "globstar", "histappend", "huponexit", "inherit_errexit", "interactive_comments", "nocaseglob",
    "nocasematch", "nullglob", "lithist",
];

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
        let mut declared = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if declares && index > 0 {
                declared.extend(self.declared(&mut state, word, &mut fields));
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
            Some(Some(name)) if self.minds(&state, name) => fields.iter().skip(1).cloned().collect(),
            _ => Vec::new(),
        };
        let path = fields.first().is_some_and(is_path);
        let rebound = redirections.iter().any(|r: &Redirection| r.fd != super::Descriptor::Default || !r.free);
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
        if !self.minds(&state, &name) {
            return Flow::Same(state);
        }
        if state.all_rebound || state.rebound.contains(&*name) {
            if let Some(command) = self.commands.get_mut(index) {
                command.program_rebound = true;
            }
            state.forget();
            return Flow::Same(state);
        }
        if let Some((name, function)) = state.functions.get_key_value(&*name).map(|(n, f)| (Rc::clone(n), f.clone())) {
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
        let call = Call { span: command.span, plain, words, lent: &lent, odd: rebound };
        if declares {
            self.declare(&mut state, &name, declared, command.span);
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
    fn minds(&self, state: &State, name: &str) -> bool {
        state.all_rebound || is_builtin(name) || state.rebound.contains(name) || state.functions.contains_key(name)
    }

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
            "cd" => self.change_directory(state, args),
            "pushd" => self.push_directory(state, args),
            "popd" => self.pop_directory(state, args),
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
                if call.leaves(args) { Flow::Gone(state) } else { Flow::Same(state) }
            }
            "break" | "continue" => {
                self.escape(&state);
                if call.leaves(args) && self.loops > 0 { Flow::Gone(state) } else { Flow::Same(state) }
            }
            "return" => {
                self.escape(&state);
                if call.leaves(args) && !self.running.is_empty() { Flow::Gone(state) } else { Flow::Same(state) }
            }
            "shift" => {
                let count = if args.is_empty() { Some(1) } else { literal(0).and_then(|n| n.parse::<usize>().ok()) };
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
                        Some(name) if !name.starts_with('-') || matches!(&*name, "-n" | "-a" | "-p" | "-s") => {
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

    fn change_directory(&mut self, state: State, args: &[Word]) -> Flow {
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
            [] if state.vars.contains_key("HOME") || state.forgotten => {
                self.lookup(&state, "HOME").literal().filter(|home| !home.is_empty()).map(Word::text)
            }
            [] => Some(Word::text("~")),
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

    fn push_directory(&mut self, state: State, args: &[Word]) -> Flow {
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

    fn pop_directory(&mut self, state: State, args: &[Word]) -> Flow {
        let mut moved = state.moved_to(None);
        if args.is_empty()
            && !state.volatile
            && let Some(places) = Rc::make_mut(&mut moved.stack).pop()
        {
            moved.places = places;
        } else {
            moved.stack = Rc::default();
        }
        Flow::Split(Some(moved), Some(state))
    }

    fn set_options(&mut self, mut state: State, args: &[Word], span: Span) -> Flow {
        let mut rest = args;
        while let [first, more @ ..] = rest {
            let Some(option) = first.literal() else {
                if first.may_be_option() {
                    self.strange(&mut state, span);
                    return Flow::Same(state);
                }
                break;
            };
            match &*option {
                "--" | "-" => {
                    if !more.is_empty() || option == "--" {
                        state.positional = positional(more);
                    }
                    return Flow::Same(state);
                }
                "-o" | "+o" => {
                    let [name, after @ ..] = more else { return Flow::Same(state) };
                    let harmless = name.literal().is_some_and(|name| {
                        matches!(
                            &*name,
                            "allexport" | "errexit" | "errtrace" | "functrace" | "hashall" | "monitor" | "noclobber"
                                | "noglob" | "nolog" | "notify" | "nounset" | "pipefail" | "verbose" | "xtrace"
                                | "ignoreeof" | "emacs" | "vi"
                        )
                    });
                    if !harmless {
                        self.strange(&mut state, span);
                    }
                    rest = after;
                }
                letters if letters.starts_with(['-', '+']) => {
                    if letters.ends_with('o') {
                        // `-eo pipefail`: the name follows.
                        let harmless = more.first().and_then(Word::literal).is_some_and(|name| {
                            matches!(&*name, "pipefail" | "errexit" | "nounset" | "noglob" | "errtrace" | "allexport")
                        });
                        if !harmless {
                            self.strange(&mut state, span);
                        }
                        rest = more.get(1..).unwrap_or_default();
                    } else {
                        rest = more;
                    }
                    let letters = letters.get(1..).unwrap_or_default();
                    if !letters.bytes().all(|b| b"abefhmuvxCETo".contains(&b)) {
                        self.strange(&mut state, span);
                    }
                }
                _ => break,
            }
        }
        if !rest.is_empty() {
            state.positional = positional(rest);
        }
        Flow::Same(state)
    }

    fn shopt(&mut self, mut state: State, args: &[Word], span: Span) -> Flow {
        for word in args {
            match word.literal().as_deref() {
                Some("-s" | "-u" | "-q" | "-p" | "-o") => {}
                Some(name) if HARMLESS_SHOPT.contains(&name) => {}
                Some("lastpipe") => state.lastpipe = true,
                Some("cdable_vars") => state.odd_cd = true,
                Some("expand_aliases") => {}
                Some("extglob") if self.extglob_read => {}
                Some("pipefail" | "errexit" | "nounset" | "noglob" | "xtrace") => {}
                _ => self.strange(&mut state, span),
            }
        }
        Flow::Same(state)
    }

    fn trap(&mut self, mut state: State, args: &[Word], span: Span) -> Flow {
        let args = match args {
            [first, rest @ ..] if first.literal().as_deref() == Some("--") => rest,
            args => args,
        };
        let [code, signals @ ..] = args else { return Flow::Same(state) };
        let known = signals.iter().all(|s| !s.splits());
        match code.literal() {
            Some(code) if signals.is_empty() && (code.starts_with('-') || is_signal(&code)) => {}
            Some(code) if code.is_empty() || code == "-" => {}
            Some(code) if known && !signals.is_empty() => {
                let at_end = signals.iter().all(|s| matches!(s.literal().as_deref(), Some("EXIT" | "0")));
                let from_outside = signals.iter().all(|s| {
                    s.literal().is_some_and(|s| {
                        let s = s.strip_prefix("SIG").unwrap_or(&s);
                        matches!(s, "EXIT" | "0" | "INT" | "TERM" | "HUP" | "QUIT" | "PIPE" | "1" | "2" | "3" | "13" | "15")
                    })
                });
                if !at_end && !from_outside {
                    state.forget();
                    state.volatile = true;
                } else if !at_end && !leaves_state(&code) {
                    state.forget();
                    state.volatile = true;
                }
                if self.traps.len() < 64 {
                    self.traps.push((code.into_owned(), span));
                } else {
                    self.unknown_run(span, "too many traps");
                }
            }
            _ => {
                self.unknown_run(span, "a trap that is not known");
                state.forget();
                state.volatile = true;
            }
        }
        Flow::Same(state)
    }

    /// Builtins that set the variables they are given the names of.
    fn sets_variables(&mut self, state: &mut State, name: &str, args: &[Word], span: Span) {
        let with_value = match name {
            "read" => "adinNptu",
            "mapfile" | "readarray" => "dnOsucC",
            "printf" => "v",
            "wait" => "p",
            _ => "",
        };
        let mut names: Vec<Option<String>> = Vec::new();
        let mut functions = false;
        let mut rest = args;
        while let [first, more @ ..] = rest {
            let Some(option) = first.literal() else {
                if first.may_be_option() && name != "printf" || name == "printf" && may_be_v(first) {
                    names.push(None);
                }
                break;
            };
            if !option.starts_with('-') || option == "-" || name == "getopts" {
                break;
            }
            rest = more;
            if option == "--" {
                break;
            }
            functions |= name == "unset" && option.contains('f');
            let Some(at) = option.find(|c| with_value.contains(c)) else { continue };
            let attached = option.get(at + 1..).unwrap_or_default();
            let value = if attached.is_empty() {
                let Some((value, after)) = rest.split_first() else { break };
                rest = after;
                value.literal().map(String::from)
            } else {
                Some(attached.to_owned())
            };
            match (name, option.as_bytes().get(at)) {
                ("read", Some(b'a')) | ("printf", Some(b'v')) | ("wait", Some(b'p')) => names.push(value),
                ("mapfile" | "readarray", Some(b'C')) => {
                    self.unknown_run(span, "a callback");
                    state.forget();
                }
                _ => {}
            }
        }
        match name {
            "printf" | "wait" => {}
            "getopts" => {
                names.push(args.get(1).and_then(Word::literal).map(String::from));
                state.set("OPTARG", Value::Unknown);
                state.set("OPTIND", Value::Number);
            }
            _ => {
                if rest.is_empty() && name == "read" {
                    state.set("REPLY", Value::Unknown);
                }
                if rest.is_empty() && matches!(name, "mapfile" | "readarray") {
                    state.set("MAPFILE", Value::Unknown);
                }
                names.extend(rest.iter().map(|word| word.literal().map(String::from)));
            }
        }
        for variable in names {
            let Some(variable) = variable else {
                self.unknown_run(span, "a variable's name that may hold code");
                state.forget();
                continue;
            };
            if functions {
                Rc::make_mut(&mut state.functions).remove(&*variable);
                continue;
            }
            self.variable_name(state, Some(&variable), span);
            let base = variable.split('[').next().unwrap_or_default();
            if !is_name(base) {
                continue;
            }
            let gone = name == "unset" && base == variable && self.running.is_empty();
            if name == "unset" && state.functions.contains_key(base) {
                state.rebind(base);
            }
            state.set(base, if gone { Value::Unset } else { Value::Unknown });
        }
    }

    /// `test` evaluates a variable's name behind `-v`.
    fn check_test(&mut self, state: &mut State, args: &[Word], span: Span) {
        let operator = |word: Option<&Word>| {
            word.and_then(Word::literal).is_some_and(|w| {
                matches!(
                    &*w,
                    "=" | "==" | "!=" | "<" | ">" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef"
                )
            })
        };
        let args = match args {
            [all @ .., last] if last.literal().as_deref() == Some("]") => all,
            args => args,
        };
        let split = args.iter().any(Word::splits);
        // One word alone is only looked at.
        if args.len() <= 1 && !split {
            return;
        }
        for (index, word) in args.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|i| args.get(i));
            match word.literal() {
                Some(text) if matches!(&*text, "-v" | "-R") && !operator(args.get(index + 1)) => {
                    let name = args.get(index + 1).and_then(Word::literal).map(String::from);
                    self.variable_name(state, name.as_deref(), span);
                }
                Some(_) => {}
                None => {
                    let pure_glob = !word.pieces.iter().any(|p| matches!(p, crate::facts::word::Piece::Unknown { .. }));
                    let operand = operator(args.get(index + 1))
                        || operator(before)
                        || before.and_then(Word::literal).is_some_and(|b| b.len() == 2 && b.starts_with('-') && b != "-v")
                        || before.and_then(Word::literal).as_deref() == Some("!") && index + 1 == args.len();
                    let harmless = if word.splits() { pure_glob && !word.may_be_option() } else { operand };
                    if !harmless && (word.may_be_option() || word.splits()) {
                        self.unknown_run(span, "a test whose operator is not known");
                        state.forget();
                        return;
                    }
                }
            }
        }
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
        && word.pieces.iter().any(|piece| matches!(piece, crate::facts::word::Piece::Text(text) if text.contains('/')))
}

fn may_be_v(word: &Word) -> bool {
    let start = word.known_start();
    word.splits() || "-v".starts_with(&*start) || start.starts_with("-v")
}

fn is_plain_alias(value: &str) -> bool {
    !value.ends_with([' ', '\t'])
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | '=' | ':' | ','))
}

fn is_signal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

/// Whether code for a trap leaves the shell as it is: commands that are no builtins that set something.
fn leaves_state(code: &str) -> bool {
    code.split([';', '\n', '&', '|']).all(|command| {
        matches!(
            command.split_whitespace().next(),
            None | Some("rm" | "echo" | "printf" | "exit" | "kill" | "true" | ":")
        )
    }) && !code.contains(['$', '`', '='])
}

/// Builtins that this module minds.
fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "command" | "builtin" | "cd" | "pushd" | "popd" | "dirs" | "declare" | "export" | "local" | "readonly"
            | "typeset" | "eval" | "source" | "." | "exit" | "logout" | "break" | "continue" | "return" | "shift"
            | "set" | "shopt" | "trap" | "alias" | "hash" | "enable" | "let" | "read" | "mapfile" | "readarray"
            | "getopts" | "printf" | "unset" | "wait" | "test" | "[" | "compgen" | "complete" | "compopt" | "fc"
            | "bind" | "jobs" | "exec"
    )
}

//! Builtins that take the names of variables: `read`, `printf -v`, `unset`, `test -v` and the like.

use super::ast::Span;
use super::cursor::is_name;
use super::state::{State, Value};
use super::walk::Walker;
use crate::facts::word::Word;
use std::rc::Rc;

impl Walker<'_> {
    /// Builtins that set the variables they are given the names of.
    pub(super) fn sets_variables(&mut self, state: &mut State, name: &str, args: &[Word], span: Span) {
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
    pub(super) fn check_test(&mut self, state: &mut State, args: &[Word], span: Span) {
        let operator = |word: Option<&Word>| {
            word.and_then(Word::literal).is_some_and(|w| {
                matches!(
                    &*w,
                    "=" | "=="
                        | "!="
                        | "<"
                        | ">"
                        | "-eq"
                        | "-ne"
                        | "-lt"
                        | "-le"
                        | "-gt"
                        | "-ge"
                        | "-nt"
                        | "-ot"
                        | "-ef"
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
                    let pure_glob =
                        !word.pieces.iter().any(|p| matches!(p, crate::facts::word::Piece::Unknown { .. }));
                    let operand = operator(args.get(index + 1))
                        || operator(before)
                        || before
                            .and_then(Word::literal)
                            .is_some_and(|b| b.len() == 2 && b.starts_with('-') && b != "-v")
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

fn may_be_v(word: &Word) -> bool {
    let start = word.known_start();
    word.splits() || "-v".starts_with(&*start) || start.starts_with("-v")
}

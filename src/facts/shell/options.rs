//! `set`, `shopt` and `trap`: builtins that change how a shell goes on.

use super::ast::Span;
use super::expand::positional;
use super::state::{Flow, State};
use super::walk::Walker;
use crate::facts::word::Word;

/// What `shopt` may change without changing what is understood here.
const HARMLESS_SHOPT: [&str; 30] = [
    "-o",
    "-p",
    "-q",
    "-s",
    "-u",
    "errexit",
    "expand_aliases",
    "noglob",
    "nounset",
    "pipefail",
    "xtrace",
    "checkhash",
    "checkjobs",
    "checkwinsize",
    "cmdhist",
    "dirspell",
    "dotglob",
    "execfail",
    "failglob",
    "globasciiranges",
    "globskipdots",
    "globstar",
    "histappend",
    "huponexit",
    "inherit_errexit",
    "interactive_comments",
    "nocaseglob",
    "nocasematch",
    "nullglob",
    "lithist",
];

impl Walker<'_> {
    pub(super) fn set_options(&mut self, mut state: State, args: &[Word], span: Span) -> Flow {
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
                            "allexport"
                                | "errexit"
                                | "errtrace"
                                | "functrace"
                                | "hashall"
                                | "monitor"
                                | "noclobber"
                                | "noglob"
                                | "nolog"
                                | "notify"
                                | "nounset"
                                | "pipefail"
                                | "verbose"
                                | "xtrace"
                                | "ignoreeof"
                                | "emacs"
                                | "vi"
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
                            matches!(
                                &*name,
                                "pipefail" | "errexit" | "nounset" | "noglob" | "errtrace" | "allexport"
                            )
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

    pub(super) fn shopt(&mut self, mut state: State, args: &[Word], span: Span) -> Flow {
        for word in args {
            match word.literal().as_deref() {
                Some("lastpipe") => state.lastpipe = true,
                Some("cdable_vars") => state.odd_cd = true,
                Some(name) if HARMLESS_SHOPT.contains(&name) || name == "extglob" && self.extglob_read => {}
                _ => self.strange(&mut state, span),
            }
        }
        Flow::Same(state)
    }

    pub(super) fn trap(&mut self, mut state: State, args: &[Word], span: Span) -> Flow {
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
                        matches!(
                            s,
                            "EXIT"
                                | "0"
                                | "INT"
                                | "TERM"
                                | "HUP"
                                | "QUIT"
                                | "PIPE"
                                | "1"
                                | "2"
                                | "3"
                                | "13"
                                | "15"
                        )
                    })
                });
                if !at_end && (!from_outside || !leaves_state(&code)) {
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

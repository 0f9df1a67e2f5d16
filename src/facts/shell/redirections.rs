//! Redirections, as they would be made.

use super::ast::{Fd, Part, Redirect};
use super::state::{State, Value};
use super::walk::Walker;
use super::{Descriptor, Redirection, RedirectionKind, Stdin};
use crate::facts::word::Word;
use std::sync::Arc;

impl Walker<'_> {
    /// The redirections, and the standard input where they change it.
    pub(super) fn redirections(
        &mut self,
        state: &mut State,
        redirects: &[Redirect],
    ) -> (Vec<Redirection>, Option<Stdin>) {
        let mut stdin = None;
        let mut out = Vec::with_capacity(redirects.len());
        for redirect in redirects {
            let redirection = self.redirection(state, redirect);
            let reads = match &redirection.fd {
                Descriptor::Default => !matches!(redirect.op, ">" | ">>" | ">|" | ">&" | "&>" | "&>>"),
                Descriptor::Number(number) => *number == 0,
                Descriptor::Both | Descriptor::Named(_) => false,
            };
            if reads {
                stdin = Some(match redirection.kind {
                    RedirectionKind::Heredoc | RedirectionKind::HereString => {
                        Stdin::Text(Arc::new(redirection.target.clone()))
                    }
                    RedirectionKind::Read
                    | RedirectionKind::ReadWrite
                    | RedirectionKind::Write
                    | RedirectionKind::Append => Stdin::File(redirection.target.clone()),
                    RedirectionKind::Duplicate | RedirectionKind::Close => Stdin::File(Word::unknown(false)),
                });
            }
            out.push(redirection);
        }
        (out, stdin)
    }

    fn redirection(&mut self, state: &mut State, redirect: &Redirect) -> Redirection {
        let target = match redirect.op {
            "<<" | "<<-" => match redirect.heredoc.as_ref().and_then(|body| body.get()) {
                Some(body) => self.quoted(state, body),
                None => Word::unknown(false),
            },
            "<<<" => self.single(state, &redirect.target),
            _ => {
                let mut words = self.fields(state, &redirect.target);
                match (words.pop(), words.is_empty()) {
                    (Some(word), true) => word,
                    _ => Word { span: redirect.target.span, ..Word::unknown(true) },
                }
            }
        };
        let text = target.literal();
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        let kind = match redirect.op {
            "<" => RedirectionKind::Read,
            "<>" => RedirectionKind::ReadWrite,
            ">>" | "&>>" => RedirectionKind::Append,
            "<<" | "<<-" => RedirectionKind::Heredoc,
            "<<<" => RedirectionKind::HereString,
            ">&" | "<&" => match text.as_deref() {
                Some("-") => RedirectionKind::Close,
                Some(t) if digits(t.strip_suffix('-').unwrap_or(t)) => RedirectionKind::Duplicate,
                _ if redirect.op == "<&" => RedirectionKind::Duplicate,
                _ => RedirectionKind::Write,
            },
            _ => RedirectionKind::Write,
        };
        let fd = match &redirect.fd {
            Fd::Number(number) => Descriptor::Number(*number),
            Fd::Named(name) => {
                state.set(name, Value::Number);
                Descriptor::Named(name.clone())
            }
            Fd::Default if matches!(redirect.op, "&>" | "&>>") => Descriptor::Both,
            Fd::Default if redirect.op == ">&" && kind == RedirectionKind::Write => Descriptor::Both,
            Fd::Default => Descriptor::Default,
        };
        let free = match kind {
            RedirectionKind::Read
            | RedirectionKind::Write
            | RedirectionKind::Append
            | RedirectionKind::ReadWrite => {
                text.as_deref().is_some_and(is_free)
                    || matches!(redirect.target.parts.as_slice(), [Part::Process { .. }])
            }
            RedirectionKind::Heredoc
            | RedirectionKind::HereString
            | RedirectionKind::Duplicate
            | RedirectionKind::Close => true,
        };
        Redirection { fd, kind, target, span: redirect.span, free }
    }
}

/// Files that are none.
fn is_free(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
        || path
            .strip_prefix("/dev/fd/")
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

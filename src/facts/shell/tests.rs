//! What scripts are understood as.

mod bash;
mod parsing;
mod scripts;
mod table;

use super::{Cwd, Redirection, RedirectionKind, Script, SimpleCommand, Start, read};
use crate::facts::word::{Piece, Word};

fn start() -> Start {
    Start {
        variables: vec![("HOME".into(), "/home/me".into()), ("PWD".into(), "/w".into())],
        ..Start::default()
    }
}

fn shown_word(word: &Word) -> String {
    let mut out = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Glob(text) => out.extend(["«", text, "»"]),
            Piece::Unknown { splits: true } => out.push_str("…+"),
            Piece::Unknown { splits: false } => out.push('…'),
        }
    }
    if out.is_empty() || out.contains([' ', '\n', '\t']) {
        format!("'{out}'").replace('\n', "\\n")
    } else {
        out
    }
}

fn shown_redirection(redirection: &Redirection) -> String {
    let op = match redirection.kind {
        RedirectionKind::Read => "<",
        RedirectionKind::Write => ">",
        RedirectionKind::Append => ">>",
        RedirectionKind::ReadWrite => "<>",
        RedirectionKind::Heredoc => "<<",
        RedirectionKind::HereString => "<<<",
        RedirectionKind::Duplicate => "&",
        RedirectionKind::Close => "-",
    };
    format!("{op}{}", shown_word(&redirection.target))
}

fn shown_command(command: &SimpleCommand) -> String {
    let mut parts: Vec<String> = Vec::new();
    for assignment in &command.assignments {
        let value = if assignment.array { "(…)".into() } else { shown_word(&assignment.value) };
        parts.push(format!("{}{}={value}", assignment.name, if assignment.append { "+" } else { "" }));
    }
    parts.extend(command.words.iter().map(shown_word));
    // Those that only duplicate say nothing of files.
    let files = command.redirections.iter().filter(|r| r.kind != RedirectionKind::Duplicate);
    parts.extend(files.map(shown_redirection));
    let mut out = parts.join(" ");
    match &command.cwd {
        Cwd::Unknown => out.push_str(" @?"),
        Cwd::Known(chains) if chains.iter().all(Vec::is_empty) => {}
        Cwd::Known(chains) => {
            let all: Vec<String> = chains
                .iter()
                .map(|chain| {
                    if chain.is_empty() {
                        ".".into()
                    } else {
                        chain.iter().map(shown_word).collect::<Vec<_>>().join("/")
                    }
                })
                .collect();
            out.extend([" @", &all.join("|")]);
        }
    }
    if command.program_rebound {
        out.push_str(" !");
    }
    out
}

/// Every command in one line, `?` at the end for each unknown run.
fn shown(script: &Script) -> String {
    let mut parts: Vec<String> =
        script.commands.iter().filter(|command| !command.function_call).map(shown_command).collect();
    parts.extend(script.unknown.iter().map(|_| "?".to_owned()));
    parts.join(" ; ")
}

#[track_caller]
fn runs(text: &str, expected: &str) {
    let script = read(text, &start());
    assert_eq!(shown(&script), expected, "{text:?}: {:?}", script.unknown);
}

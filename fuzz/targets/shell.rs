//! Bytes as a script: spans stand on characters, and a command that is added is seen, or something is unknown.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tool_policy::facts::shell::{Script, Start, read};

fn spans_fit(script: &Script, text: &str) {
    let fits = |span: (usize, usize)| assert!(text.get(span.0..span.1).is_some(), "{span:?} in {text:?}");
    for command in &script.commands {
        fits(command.span);
        for redirection in &command.redirections {
            fits(redirection.span);
        }
    }
    for unknown in &script.unknown {
        fits(unknown.span);
    }
}

fn sees_rm(script: &Script) -> bool {
    let rm = |words: &[tool_policy::facts::word::Word]| match words {
        [first, flags, root] => {
            first.literal().as_deref() == Some("rm")
                && flags.literal().as_deref() == Some("-rf")
                && root.literal().as_deref() == Some("/")
        }
        _ => false,
    };
    !script.unknown.is_empty() || script.commands.iter().any(|c| rm(&c.words))
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let start = Start {
        variables: vec![("HOME".into(), "/home/me".into()), ("PWD".into(), "/w".into())],
        ..Start::default()
    };
    let script = read(text, &start);
    spans_fit(&script, text);
    assert_eq!(script, read(text, &start));
    // In front: whatever comes behind, it has run. (Behind, a heredoc, a comment or an `exit` may swallow it.)
    let before = format!("rm -rf /\n{text}");
    let script = read(&before, &start);
    spans_fit(&script, &before);
    assert!(sees_rm(&script), "{before:?}: {script:?}");
    if !text.contains(['#', '<', '\\', '\'', '"', '`', '(', '{', '['])
        && !text.contains("exit")
        && !text.contains("return")
        && !text.contains("exec")
        && !text.contains("break")
        && !text.contains("continue")
        && !text.contains("logout")
    {
        let behind = format!("{text}; rm -rf /");
        let script = read(&behind, &start);
        spans_fit(&script, &behind);
        // In a loop or a `case` it may be words of another command.
        let alone = !["for", "case", "select", "function", "coproc", "while", "until", "if", "time"]
            .iter()
            .any(|word| text.contains(word));
        assert!(!alone || sees_rm(&script), "{behind:?}: {script:?}");
    }
});

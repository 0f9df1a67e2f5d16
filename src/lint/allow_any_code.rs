//! Allowed commands that run any code.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::CommandFile;

lint! {
    /// ## What it does
    ///
    /// Finds command patterns of an allow rule that let any program or script through: `*` alone, or a shell, an
    /// interpreter or a launcher followed by `*`.
    ///
    /// ## Why this is bad
    ///
    /// `python *` allows `python -c "…"` with any code, so every other rule about commands can be walked around.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// undecided = { reason = "Only tests may run." }
    /// [[rules]]
    /// allow_by_name = ["Bash"]
    /// when.runs = ["python3 *", "pytest *"]  # here
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// undecided = { reason = "Only tests may run." }
    /// [[rules]]
    /// allow_by_name = ["Bash"]
    /// when.runs = ["python3 -m pytest *", "python3 manage.py test *"]
    /// ```
    ALLOW_ANY_CODE = Warn "allow-any-code": "an allowed command pattern that lets any code run"
}

/// Programs that run what their words say.
const RUNNERS: &[&str] = &[
    "ash",
    "awk",
    "bash",
    "bun",
    "bunx",
    "busybox",
    "cmd",
    "cmd.exe",
    "command",
    "csh",
    "dash",
    "deno",
    "doas",
    "env",
    "eval",
    "exec",
    "expect",
    "fish",
    "gawk",
    "ksh",
    "lua",
    "mawk",
    "nice",
    "node",
    "nodejs",
    "nohup",
    "npx",
    "osascript",
    "parallel",
    "perl",
    "php",
    "pnpx",
    "powershell",
    "powershell.exe",
    "pwsh",
    "python",
    "python2",
    "python3",
    "ruby",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "tclsh",
    "tcsh",
    "time",
    "timeout",
    "uvx",
    "watch",
    "xargs",
    "zsh",
];

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in lintable.rules.iter().filter(|rule| rule.allows()) {
        // An exception about commands may take the danger away; nobody can tell here.
        if rule.written.unless.as_ref().is_some_and(|unless| unless.runs.is_some()) {
            continue;
        }
        let Some(runs) = rule.written.when.as_ref().and_then(|when| when.runs.as_ref()) else { continue };
        for item in runs.iter() {
            let CommandFile::Pattern(pattern) = item else { continue };
            let Some(what) = any_code(&pattern.value) else { continue };
            sink.push(
                ALLOW_ANY_CODE
                    .finding(format!("`{}` allows {what}", pattern.value))
                    .at(pattern.span, "lets any code run")
                    .help("name the program and the words that are needed, such as `python3 -m pytest *`"),
            );
        }
    }
}

/// What a pattern lets through, where that is any code.
fn any_code(pattern: &str) -> Option<String> {
    let mut words = pattern.split_whitespace();
    let first = words.next()?;
    if first == "*" {
        return Some("every command".to_owned());
    }
    let program = first.rsplit('/').next().unwrap_or(first);
    let rest: Vec<&str> = words.collect();
    let star = rest.iter().position(|word| *word == "*")?;
    // A word before the star that is no option names what is run.
    let open = rest.iter().take(star).all(|word| word.starts_with('-'));
    (RUNNERS.contains(&program) && open).then(|| format!("any code that `{program}` runs"))
}

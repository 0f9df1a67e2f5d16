//! The command line that is registered: written, and read back.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the program is named in a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(pub String);

impl Program {
    /// `policy` where that name leads to the running program, so that the entry stays the same when it is replaced by a newer one; else
    /// the path of the running program.
    pub fn of_process(running: &Path, on_path: Option<PathBuf>) -> Self {
        let same =
            |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
        match on_path {
            Some(found) if same(&found, running) => Self(NAME.to_owned()),
            Some(_) | None => Self(running.display().to_string()),
        }
    }
}

/// The name of the program.
pub(super) const NAME: &str = "policy";

/// What follows a command whose host runs the tool when a hook fails: any failure, that of a program that is not there included, becomes
/// the exit code that refuses.
const OR_REFUSE: &str = " || exit 2";

/// The same for a host that passes over an exit code which nothing is said to. One word of every shell that such a host may start; where
/// there is no `sh`, the exit code alone.
const OR_REFUSE_ALOUD: &str = " || sh -c 'echo policy: refused >&2; exit 2' || exit 2";

/// A command line that asks for a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The program.
    pub program: String,
    /// The host whose form of payload and answer it is.
    pub host: String,
    /// What follows.
    pub options: Vec<String>,
}

impl Line {
    /// The words of it.
    pub fn words(&self) -> Vec<&str> {
        let mut words = vec![self.program.as_str(), "hook", self.host.as_str()];
        words.extend(self.options.iter().map(String::as_str));
        words
    }

    /// As a shell reads it.
    pub fn shell(&self) -> String {
        let words: Vec<_> = self.words().into_iter().map(quoted).collect();
        words.join(" ")
    }

    /// As a shell reads it, with every failure a refusal.
    pub fn shell_or_refuse(&self) -> String {
        format!("{}{OR_REFUSE}", self.shell())
    }

    /// As a shell reads it, with every failure a refusal that something is said to.
    pub(super) fn shell_or_refuse_aloud(&self) -> String {
        format!("{}{OR_REFUSE_ALOUD}", self.shell())
    }

    /// For PowerShell.
    pub(super) fn powershell(&self) -> String {
        let words: Vec<_> = self.words().into_iter().map(powershell_quoted).collect();
        let call = if words.first().is_some_and(|word| word.starts_with('\'')) { "& " } else { "" };
        format!("{call}{}", words.join(" "))
    }

    /// Reads a shell command, where it is one of ours: what follows the words, such as a redirection, is not looked at.
    pub fn parse(command: &str) -> Option<Self> {
        Self::of_words(leading_words(command))
    }

    /// The words of a command that is started without a shell.
    pub(super) fn of_words(words: Vec<String>) -> Option<Self> {
        let mut words = words.into_iter();
        let (program, hook, host) = (words.next()?, words.next()?, words.next()?);
        let stem = Path::new(&program).file_stem()?.to_str()?;
        let ours = stem.eq_ignore_ascii_case(NAME) && hook == "hook" && !host.starts_with('-');
        ours.then(|| Self { program, host, options: words.collect() })
    }

    /// How long it takes at most before it refuses.
    pub(super) fn deadline(&self) -> Option<Duration> {
        let mut options = self.options.iter();
        let value = loop {
            let option = options.next()?;
            match option.strip_prefix("--deadline") {
                Some("") => break options.next()?.as_str(),
                Some(rest) => break rest.strip_prefix('=')?,
                None => {}
            }
        };
        Duration::try_from_secs_f64(value.parse().ok()?).ok()
    }

    /// The policy files that it names.
    pub fn policies(&self) -> Vec<&str> {
        let mut found = Vec::new();
        let mut options = self.options.iter();
        while let Some(option) = options.next() {
            match option.as_str() {
                "--policy" | "-p" => found.extend(options.next().map(String::as_str)),
                "--layer" => found.extend(options.next().and_then(|named| Some(named.split_once('=')?.1))),
                other => found.extend(other.strip_prefix("--policy=")),
            }
        }
        found
    }
}

/// The word, so that a POSIX shell takes it for one, and as it is.
fn quoted(word: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '=' | ':' | ',' | '+' | '@' | '%')
    };
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn powershell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '=' | ':' | '\\');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "''"))
}

/// The words of a simple command up to the first thing that is no plain word.
fn leading_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                for c in chars.by_ref() {
                    if c == '\'' {
                        break;
                    }
                    word.push(c);
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => word.extend(chars.next()),
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            ';' | '|' | '&' | '<' | '>' | '(' | ')' | '\n' | '`' => break,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(program: &str, options: &[&str]) -> Line {
        Line {
            program: program.to_owned(),
            host: "codex".to_owned(),
            options: options.iter().map(|&o| o.to_owned()).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for (line, text) in [
            (line("policy", &[]), "policy hook codex"),
            (line("/opt/a b/policy", &[]), "'/opt/a b/policy' hook codex"),
            (line("/it's/policy", &["--allow", "grant"]), r"'/it'\''s/policy' hook codex --allow grant"),
            (line("policy", &["--policy", "$x"]), "policy hook codex --policy '$x'"),
        ] {
            assert_eq!(line.shell(), text);
            assert_eq!(Line::parse(text), Some(line.clone()), "{text}");
            assert_eq!(Line::parse(&line.shell_or_refuse()), Some(line.clone()), "{text}");
            assert_eq!(Line::parse(&line.shell_or_refuse_aloud()), Some(line), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_failure_that_says_nothing_is_a_refusal_that_does() {
        let command = |program: &str| format!("{program}{OR_REFUSE_ALOUD}");
        for (program, code, told) in
            [("true", 0, ""), ("false", 2, "policy: refused\n"), ("kill -9 $$", 2, "policy: refused\n")]
        {
            // In a shell of its own, which may be killed.
            let command = command(&format!("sh -c '{program}' 2>/dev/null"));
            let done = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
            assert_eq!(done.status.code(), Some(code), "{command}");
            assert!(String::from_utf8_lossy(&done.stderr).ends_with(told), "{command}: {done:?}");
        }
    }

    #[test]
    fn other_programs_are_not_ours() {
        for text in [
            "",
            "policy",
            "policy hook",
            "policy check codex",
            "other hook codex",
            "policy hook --help",
            "echo policy hook codex",
            "mypolicy hook codex",
            "policy-audit hook codex",
        ] {
            assert_eq!(Line::parse(text), None, "{text}");
        }
        for text in
            ["policy.exe hook codex", "/a/policy hook codex 2>/dev/null", "\"/a b/policy\" hook codex"]
        {
            assert!(Line::parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn powershell_calls_a_quoted_program() {
        assert_eq!(line("policy", &[]).powershell(), "policy hook codex");
        assert_eq!(line(r"C:\a b\policy.exe", &[]).powershell(), r"& 'C:\a b\policy.exe' hook codex");
    }

    #[test]
    fn policies_are_found_in_every_spelling() {
        assert_eq!(
            line("policy", &["--policy", "a", "--policy=b", "-p", "c", "--layer", "n=d", "--allow", "pass"])
                .policies(),
            ["a", "b", "c", "d"]
        );
    }
}

//! What bash itself runs is among the commands that are listed.

use super::super::{Cwd, SimpleCommand, Start, read};
use super::scripts::{HARD, KNOWN};
use crate::facts::word::{Piece, Word};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that bash started.
#[derive(Debug)]
struct Started {
    argv: Vec<String>,
    cwd: String,
}

struct Bash {
    program: PathBuf,
    dir: tempfile::TempDir,
    runs: std::cell::Cell<usize>,
}

const STUBS: [&str; 12] = ["p", "q", "r", "s", "rm", "git", "cat", "no", "v", "w", "x", "pq"];

impl Bash {
    fn new() -> Option<Self> {
        let found =
            ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].into_iter().find(|p| Path::new(p).exists());
        let (Some(program), true) = (found, Path::new("/bin/sh").exists()) else {
            eprintln!("skipped: there is no bash to compare with");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let stubs = dir.path().join("stubs");
        std::fs::create_dir(&stubs).unwrap();
        for name in STUBS {
            let path = stubs.join(name);
            let code = i32::from(name == "no");
            // One write for one start, so that those that run at the same time stay apart.
            let text = format!(
                "#!/bin/sh\nprintf '%s\\0' \"$(($#+1))\" \"$PWD\" {name} \"$@\" >> \"$STUB_LOG\"\nprintf 'out\\n'\nexit {code}\n"
            );
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Some(Self { program: program.into(), dir, runs: std::cell::Cell::new(0) })
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    /// Runs a script among stubs in a fresh directory.
    fn run(&self, script: &str) -> Vec<Started> {
        let work = self.work();
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(work.join("d/e")).unwrap();
        for file in ["one", "two.txt", "d/three"] {
            std::fs::write(work.join(file), "line 1\nline 2\n").unwrap();
        }
        // A log for each run: what an earlier one left in the background writes to its own.
        self.runs.set(self.runs.get() + 1);
        let log = self.dir.path().join(format!("log-{}", self.runs.get()));
        Command::new(&self.program)
            .args(["-c", script, "bash", "first", "second arg"])
            .current_dir(&work)
            .env_clear()
            .env("PATH", self.dir.path().join("stubs"))
            .env("HOME", work.join("d"))
            .env("STUB_LOG", &log)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let log = std::fs::read(&log).unwrap_or_default();
        let mut fields = log.split(|b| *b == 0).map(|f| String::from_utf8_lossy(f).into_owned());
        let mut all = Vec::new();
        while let Some(count) = fields.next().and_then(|count| count.parse().ok()) {
            let cwd = fields.next().unwrap();
            all.push(Started { argv: fields.by_ref().take(count).collect(), cwd });
        }
        all
    }

    fn start(&self) -> Start {
        let work = self.work();
        Start {
            variables: vec![
                ("HOME".into(), work.join("d").display().to_string()),
                ("PWD".into(), work.display().to_string()),
            ],
            positional: Some(vec![Word::text("first"), Word::text("second arg")]),
            name: Some(Word::text("bash")),
            ..Start::default()
        }
    }

    /// Compares; whether the script was understood, or what bash ran that was not listed.
    fn agrees(&self, text: &str) -> Result<bool, String> {
        let script = read(text, &self.start());
        if !script.unknown.is_empty() {
            return Ok(false);
        }
        for started in self.run(text) {
            if !script.commands.iter().any(|command| self.may_be(command, &started)) {
                return Err(format!("bash ran {started:?} in {text:?}; listed: {}", super::shown(&script)));
            }
        }
        Ok(true)
    }

    fn may_be(&self, command: &SimpleCommand, started: &Started) -> bool {
        let cwd = match &command.cwd {
            Cwd::Unknown => true,
            Cwd::Known(chains) => chains.iter().any(|chain| {
                let mut path = self.work();
                for target in chain {
                    let target = target.literal().unwrap();
                    if target == "~" {
                        path = self.work().join("d");
                    } else {
                        path = path.join(&*target);
                    }
                }
                normal(&path) == normal(Path::new(&started.cwd))
            }),
        };
        // Wrappers are understood elsewhere.
        let words = match command.words.as_slice() {
            [first, rest @ ..] if matches!(first.literal().as_deref(), Some("command" | "exec")) => rest,
            words => words,
        };
        cwd && (command.program_rebound || !command.function_call && words_match(words, &started.argv))
    }
}

fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

fn words_match(words: &[Word], argv: &[String]) -> bool {
    match (words, argv) {
        ([], []) => true,
        ([word, rest @ ..], _) if word.splits() => (0..=argv.len()).any(|n| words_match(rest, &argv[n..])),
        ([word, rest @ ..], [arg, more @ ..]) => piece_match(&word.pieces, arg) && words_match(rest, more),
        ([], _) | (_, []) => false,
    }
}

fn piece_match(pieces: &[Piece], text: &str) -> bool {
    match pieces {
        [] => text.is_empty(),
        [Piece::Text(known), rest @ ..] => {
            text.strip_prefix(known.as_str()).is_some_and(|t| piece_match(rest, t))
        }
        [_, rest @ ..] => {
            (0..=text.len()).filter(|n| text.is_char_boundary(*n)).any(|n| piece_match(rest, &text[n..]))
        }
    }
}

#[test]
fn what_bash_runs_is_listed() {
    let Some(bash) = Bash::new() else { return };
    let mut wrong: Vec<String> = Vec::new();
    let mut understood = 0;
    for (text, needed) in KNOWN.iter().map(|t| (t, true)).chain(HARD.iter().map(|t| (t, false))) {
        match bash.agrees(text) {
            Err(error) => wrong.push(error),
            Ok(false) if needed => {
                wrong.push(format!("not understood: {text:?}: {:?}", read(text, &bash.start()).unknown));
            }
            Ok(known) => understood += usize::from(known && !needed),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(understood * 2 > HARD.len(), "{understood} of {}", HARD.len());
}

/// A source of numbers that are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }

    fn word(&mut self, depth: usize) -> String {
        const WORDS: &[&str] = &[
            "a",
            "-b",
            "'c d'",
            "\"e $X\"",
            "$X",
            "${Y}",
            "\"$@\"",
            "$1",
            "{f,g}",
            "h{1..2}",
            "~/i",
            "*.txt",
            "\\*",
            "''",
            "$'j\\tk'",
            "${Z:-l m}",
            "${X%b}",
            "\"${Z:-n}\"",
            "$((1+2))",
            "a=b",
            "o\\ p",
            "\"'\"",
            "'\"'",
            "a\"b\"'c'\\d",
            "$Z",
            "#q",
            "r#",
            "${#X}",
            "d/e",
            "{s",
            "}t",
            "${X:+u v}",
            "$X$Y",
            "x${Y}y",
            "!w",
            "\"\\$X\"",
        ];
        match self.roll(12) {
            0 if depth > 0 => format!("$({})", self.list(depth - 1)),
            1 if depth > 0 => format!("\"$({})\"", self.list(depth - 1)),
            2 if depth > 0 => format!("${{Z:-$({})}}", self.list(depth - 1)),
            3 => format!("{}{}", self.pick(WORDS).trim_start_matches('#'), self.pick(WORDS)),
            _ => self.pick(WORDS).trim_start_matches('#').to_owned(),
        }
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut out = self
            .pick(&[
                "p",
                "q",
                "r",
                "p",
                "q",
                "r",
                "no",
                "r''m",
                "\\git",
                "$P",
                "f",
                "cd d &&  p",
                "cd d; q",
                "X=z p",
                ">out p",
                "p 2>&1",
                "eval p",
                "X=n; p",
                "Y='a b'; q",
                "command p",
            ])
            .to_owned();
        for _ in 0..self.roll(4) {
            out.push(' ');
            out += &self.word(depth);
        }
        match self.roll(14) {
            0 => out + " >out",
            1 => out + " 2>/dev/null",
            2 => out + " <<< $X",
            _ => out,
        }
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple(0);
        }
        let depth = depth - 1;
        match self.roll(16) {
            0 => format!("( {} )", self.list(depth)),
            1 => format!("{{ {}; }}", self.list(depth)),
            2 => {
                format!("if {}; then {}; else {}; fi", self.simple(depth), self.list(depth), self.list(depth))
            }
            3 => format!("for v in {} {}; do {}; p $v; done", self.word(0), self.word(0), self.list(depth)),
            4 => format!(
                "case {} in a*) {};; *) {};; esac",
                self.word(depth),
                self.list(depth),
                self.list(depth)
            ),
            5 => format!("while {}; do {}; break; done", self.simple(depth), self.list(depth)),
            6 => format!("{} | {}", self.command(depth), self.simple(depth)),
            7 => format!("f() {{ {}; }}", self.list(0).replace('f', "p")),
            8 => format!("[[ {} == a* ]] && {}", self.word(depth).replace("\"$@\"", "a"), self.simple(depth)),
            9 => format!("cat <<E\n{} $X\nE\n", self.word(depth)),
            10 => format!("! {}", self.simple(depth)),
            _ => self.simple(depth),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let mut out = self.command(depth);
        for _ in 0..self.roll(3) {
            out += if out.ends_with('\n') { "" } else { self.pick(&["; ", "\n", " && ", " || ", "; "]) };
            out += &self.command(depth);
        }
        if out.ends_with('\n') { out + ":" } else { out }
    }
}

#[test]
fn what_bash_runs_of_generated_scripts_is_listed() {
    let Some(bash) = Bash::new() else { return };
    let mut dice = Dice(42);
    let rounds = 150;
    let mut understood = 0;
    let mut wrong: Vec<String> = Vec::new();
    for _ in 0..rounds {
        let script = format!("P=p X=ab Y='c d'; {}", dice.list(3));
        match bash.agrees(&script) {
            Err(error) => wrong.push(error),
            Ok(known) => understood += usize::from(known),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(understood * 3 > rounds * 2, "{understood} of {rounds}");
}

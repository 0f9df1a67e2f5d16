//! Every program that bash starts is among the parts of the call.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tool_policy::facts::disk::RealDisk;
use tool_policy::facts::parts::{PartKind, Run};
use tool_policy::facts::word::{Piece, Word};
use tool_policy::{Format, Policy, Surroundings};

use super::shell_call;

/// Programs that only say that they were started.
const ENDS: &[&str] = &["p", "q", "r", "rm", "git", "cat", "curl", "no"];
/// Programs that say so and go on as themselves.
const WRAPPERS: &[&str] = &[
    "timeout", "env", "xargs", "find", "nice", "nohup", "setsid", "stdbuf", "bash", "sh", "ionice", "flock",
    "chrt", "taskset", "sed", "awk",
];
/// Programs that are rarely there, as scripts: options, then what they run.
const LIKE_SUDO: &[&str] = &["sudo", "doas"];

/// Variables of the commands below with which something else runs.
const CHANGE_WHAT_RUNS: &[&str] = &["PATH", "PS4", "BASH_ENV", "ENV", "PROMPT_COMMAND"];

struct Stage {
    dir: tempfile::TempDir,
    bash: PathBuf,
    policy: Policy,
}

impl Stage {
    fn new() -> Option<Self> {
        let bash = which("bash");
        let (Some(bash), true) = (bash, Path::new("/bin/sh").exists()) else {
            eprintln!("skipped: there is no bash");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let stubs = dir.path().join("stubs");
        std::fs::create_dir(&stubs).unwrap();
        let log = dir.path().join("log");
        let stub = |name: &str, rest: &str| {
            let path = stubs.join(name);
            // One write for one start, so that those that run at the same time stay apart.
            let text = format!(
                "#!/bin/sh\nprintf '%s\\0' \"$(($#+1))\" {name} \"$@\" >> {}\n{rest}\n",
                log.display()
            );
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        for name in ENDS {
            stub(name, if *name == "no" { "exit 1" } else { "echo out" });
        }
        for name in WRAPPERS {
            if let Some(real) = which(name) {
                stub(name, &format!("exec {} \"$@\"", real.display()));
            }
        }
        for name in LIKE_SUDO {
            stub(
                name,
                "while :; do case $1 in -u|-g) shift 2;; --) shift; break;; -*) shift;; *=*) shift;; *) break;; esac; done; \"$@\"",
            );
        }
        let policy =
            Policy::parse("p.json", Format::Json, r#"{"version": 1, "rules": [{"allow_by_default": true}]}"#)
                .unwrap();
        Some(Self { dir, bash, policy })
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    /// The argument lists of the programs that ran.
    fn run(&self, command: &str) -> Vec<Vec<String>> {
        let log = self.dir.path().join("log");
        let _ = std::fs::remove_file(&log);
        let mut child = Command::new(&self.bash)
            .args(["-c", command])
            .current_dir(self.work())
            .env_clear()
            .env("PATH", self.dir.path().join("stubs"))
            .env("HOME", self.work())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        for _ in 0..500 {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(4));
        }
        let _ = child.kill();
        let _ = child.wait();
        let log = std::fs::read(&log).unwrap_or_default();
        let mut fields = log.split(|b| *b == 0).map(|f| String::from_utf8_lossy(f).into_owned());
        let mut all = Vec::new();
        while let Some(count) = fields.next().and_then(|count| count.parse().ok()) {
            all.push(fields.by_ref().take(count).collect());
        }
        all
    }

    /// How many programs ran; whether all that is said to run is known; or what ran that was not said.
    fn check(&self, command: &str) -> Result<(usize, bool), String> {
        let work = self.work();
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(work.join("d/e")).unwrap();
        for file in ["a.txt", "b.txt", "d/c.txt"] {
            std::fs::write(work.join(file), "x y\nz\n").unwrap();
        }
        std::fs::write(work.join("run.sh"), "p from-file\n").unwrap();
        let disk = RealDisk::new(Some(work.display().to_string()));
        let call = shell_call(command, &work.display().to_string());
        let told = self.policy.explain(&call, &Surroundings::new(&disk));
        let facts = told.facts.unwrap();
        let runs: Vec<&Run> = facts
            .parts
            .iter()
            .filter_map(|part| match &part.kind {
                PartKind::Run(run) => Some(&**run),
                PartKind::Read(_) | PartKind::Write(_) | PartKind::Fetch(_) | PartKind::Call => None,
            })
            .collect();
        let started = self.run(command);
        // What runs unknown things may run anything; so may a script in a file, which is known by its path and nothing more, and a program with a
        // variable that changes what runs, which rules see as such.
        let file = |run: &Run| run.neutral.is_some_and(|why| why.starts_with("the file that"));
        let known = runs.iter().all(|run| {
            run.opaque.is_none()
                && !run.rebound
                && !file(run)
                && !run.env.iter().any(|var| CHANGE_WHAT_RUNS.contains(&var.name.as_str()))
        });
        if known {
            for argv in &started {
                if !runs.iter().any(|run| may_be(run, argv)) {
                    let told: Vec<String> =
                        facts.parts.iter().map(|p| format!("{} {}", p.kind.name(), p.text)).collect();
                    return Err(format!("{command:?} ran {argv:?}; told were {told:?}"));
                }
            }
        }
        Ok((started.len(), known))
    }
}

fn which(name: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin", "/usr/local/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|p| p.exists())
}

fn may_be(run: &Run, argv: &[String]) -> bool {
    let (Some((first, words)), Some((name, rest))) = (run.words.split_first(), argv.split_first()) else {
        return false;
    };
    let named = first
        .literal()
        .map_or_else(|| piece_match(&first.pieces, name), |text| text.rsplit('/').next() == Some(name));
    // The file that a shell runs is a part of its own, with any words.
    named && words_match(words, rest)
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

/// Commands whose every program is known beforehand.
const KNOWN: &[&str] = &[
    "p a b",
    "p; q && r || no",
    "timeout 5 p a",
    "timeout -k 1 -s KILL 5s p -x a",
    "timeout --preserve-status 5 timeout 4 p",
    "timeout --signal=TERM 5 p",
    "env p a",
    "env X=1 Y=2 p a",
    "env -u HOME p",
    "env -S 'p a b'",
    "env -S 'X=1 p' c",
    "env -C d p",
    "env -- p -x",
    "nice p",
    "nice -n 5 p a",
    "nice -5 p a",
    "nice --adjustment=3 p a",
    "nohup p a",
    "nohup -- p a",
    "setsid p a",
    "setsid -w p a",
    "stdbuf -oL p a",
    "stdbuf -o0 -e0 p a",
    "stdbuf --output=L p",
    "ionice -c 3 p a",
    "ionice -c3 -n 7 p",
    "taskset 1 p a",
    "taskset -c 0 p a",
    "chrt -o 0 p",
    "flock a.txt p a",
    "flock -n a.txt -c 'p a; q'",
    "flock -w 1 a.txt bash -c 'p'",
    "command p a",
    "command -p p",
    "command -v p",
    "exec p a",
    "exec -a other p a",
    "builtin cd d && p",
    "time p a",
    "time -p p a | q",
    "bash -c 'p a; q'",
    "bash -lc 'p a'",
    "bash -ec 'p a && q'",
    "bash -c 'p \"$1\" $0' zero one",
    "bash -o pipefail -c 'p | q'",
    "bash -eu -o pipefail -c 'p'",
    "sh -c 'p a'",
    "sh -ec 'p a'",
    "bash -c \"bash -c 'p a'\"",
    "bash -c 'sh -c \"p b\"; q'",
    "bash --norc -c 'p'",
    "bash <<< 'p a'",
    "bash <<'E'\np a\nq\nE",
    "bash -s <<'E'\np a\nE",
    "sh <<E\np a\nE",
    "echo 'p a' | bash",
    "cd d; bash -c 'p'",
    "eval p a",
    "eval 'p a; q'",
    "eval \"p 'a b'\"",
    "eval eval p",
    "trap 'p bye' EXIT; q",
    "sudo p a",
    "sudo -u root p a",
    "sudo -n -E p a",
    "sudo -- p a",
    "sudo X=1 p a",
    "sudo bash -c 'p; q'",
    "sudo env X=1 nice p",
    "doas p a",
    "doas -u root p",
    "xargs p",
    "echo a b | xargs p",
    "echo a b | xargs -n1 p c",
    "echo a b | xargs -n 1 -P 2 p",
    "echo a | xargs -I{} p x{} {}",
    "echo a | xargs -I % p % -- %",
    "echo a | xargs -i p {}",
    "echo a | xargs -r -t p",
    "echo a | xargs -0 p",
    "echo a | xargs -d, p",
    "echo a | xargs bash -c 'p \"$@\"' _",
    "echo a | xargs env X=1 p",
    "echo a | xargs timeout 5 p",
    "echo a | xargs -L1 p",
    "find . -name '*.txt' -exec p {} \\;",
    "find . -name '*.txt' -exec p {} +",
    "find . -type f -exec p x{}y \\;",
    "find d -exec p {} ';' -exec q {} ';'",
    "find . -name c.txt -execdir p {} \\;",
    "find . -name '*.txt' -exec bash -c 'p \"$1\"' _ {} \\;",
    "find . -name '*.txt' -exec timeout 5 p {} +",
    "find . -name a.txt | xargs p",
    "find . -print0 | xargs -0 p",
    "find . -type f -ok p {} \\;",
    "find . -maxdepth 1 -name b.txt -delete; p",
    "f() { timeout 5 p \"$@\"; }; f a b",
    "for x in a b; do nice p $x; done",
    "for f in *.txt; do p \"$f\"; done",
    "while no; do p; done; q",
    "if p; then q; else r; fi",
    "case a in a) p;; esac",
    "p | q | r",
    "p <(q) > >(r)",
    "p $(q) \"`r`\"",
    "(cd d && p); q",
    "{ p; q; } 2>&1 | r",
    "p & q & wait",
    "! p",
    "X=p; $X a",
    "X=1 timeout 5 p",
    "a=(x y); p \"${a[@]}\"",
    "p ~/x {a,b}{1,2}",
    "./../stubs/p a",
    "\\p a; 'p' b; \"p\" c",
    "git -C d status",
    "git commit -m \"$(cat <<'E'\nx\nE\n)\"",
    "coproc p a; wait",
    "p ${x:-$(q)}",
    "set -- a b; p \"$@\"",
    "[[ -n $(p) ]] && q",
    "[ -f a.txt ] && p",
    "test -f a.txt && p",
    "read x <<< v; p",
    "printf '%s\\n' a | xargs p",
    "sed -n 1p a.txt; p",
    "awk '{print $1}' a.txt; p",
    "timeout 5 xargs -n1 p < a.txt",
    "nice nohup timeout 5 env X=1 p a",
];

/// Commands in which something unknown may run.
const HARD: &[&str] = &[
    "env -i PATH=\"$PATH\" p",
    "PATH=$PATH p",
    "bash run.sh",
    "sh ./run.sh a",
    ". ./run.sh",
    "source run.sh",
    "bash < run.sh",
    "cat run.sh | bash",
    "eval \"$(p)\"",
    "$(echo p) a",
    "bash -c \"$X p\"",
    "sed '1e p a' a.txt",
    "sed -n '1{e p\n}' a.txt",
    "awk 'BEGIN { system(\"p a\") }'",
    "awk 'BEGIN { \"p\" | getline }'",
    "alias x=p; x",
    "hash -p ../stubs/p x; x a",
    "p() { q; }; p a; command p b",
    "x='a[$(p)]'; echo $((x))",
    "x='$(p)'; echo \"${x@P}\"",
    "read -r c <<< 'p a'; $c",
    "printf -v 'a[$(p)]' x",
    "[[ -v 'a[$(p)]' ]]",
    "test -v 'a[$(p)]'",
    "declare 'a[$(p)]=1'",
    "PS4='$(p)'; set -x; q",
    "PROMPT_COMMAND=p bash -i -c q",
    "BASH_ENV=run.sh bash -c q",
    "ENV=run.sh sh -c q",
    "xargs -a a.txt p",
    "echo p | xargs -I{} {} a",
    "echo p | xargs -I{} bash -c {}",
    "find . -name run.sh -exec bash {} \\;",
    "env -S'p a'",
    "env -vS 'p a'",
    "timeout 5 $X p",
    "X='-c'; bash $X 'p a'",
    "bash -c p\\ a",
    "exec 3< <(p); cat <&3",
    "mapfile -C 'p a' -c 1 < a.txt",
    "readarray -C p -c1 x < a.txt",
    "compgen -C p a",
    "complete -F p q; compgen -F p",
    "trap p ERR; no",
    "trap -- 'p a' DEBUG; q",
    "enable -n test; p",
    "coproc X { p; }; wait",
    "bash -O extglob -c 'p !(a.txt)'",
    "shopt -s expand_aliases; alias q='p x'\nq a",
    "cd d && ../../stubs/p a",
    "IFS=x; c=pxa; $c",
    "let 'a[$(p)]=1'",
    "((a[$(p)]=1))",
    "unset 'a[$(p)]'",
    "export 'X=$(p)'; bash -c \"$X\"",
    "wait -n; p",
    "find . -name 'a.txt' -exec sh -c \"p {}\" \\;",
    "flock a.txt -c p",
    "sudo -s p a",
    "stdbuf -oL bash run.sh",
];

#[test]
fn what_is_started_is_told() {
    let Some(stage) = Stage::new() else { return };
    let mut wrong = Vec::new();
    let (mut started, mut hard) = (0, 0);
    for (command, needed) in KNOWN.iter().map(|c| (*c, true)).chain(HARD.iter().map(|c| (*c, false))) {
        match stage.check(command) {
            Err(error) => wrong.push(error),
            Ok((_, false)) if needed => wrong.push(format!("not known: {command:?}")),
            Ok((count, known)) => {
                started += count;
                hard += usize::from(known && !needed);
            }
        }
    }
    println!(
        "{} commands started {started} programs; {hard} of {} hard ones are known",
        KNOWN.len() + HARD.len(),
        HARD.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(started > KNOWN.len(), "only {started} programs were started");
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

    fn simple(&mut self) -> String {
        let mut out = self.pick(&["p", "q", "r", "rm", "git", "cat", "no", "X=1 p", "\\p", "p''"]).to_owned();
        for _ in 0..self.roll(4) {
            let word = self.pick(&[
                "a",
                "-x",
                "--long=1",
                "'b c'",
                "\"$HOME\"",
                "$UNSET",
                "*.txt",
                "{1,2}",
                "$(q)",
                "--",
                "-",
                "e\\ f",
                "''",
                "-c",
                ";",
                "~",
            ]);
            out.push(' ');
            out += if word == ";" { "\\;" } else { word };
        }
        out
    }

    /// A command with `depth` wrappers around it.
    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple();
        }
        let inner = self.command(depth - 1);
        let quoted = format!("'{}'", inner.replace('\'', "'\\''"));
        // What only a shell understands needs a shell.
        let plain = !inner.contains(['\n', '|', ';', '&', '=', '('])
            && !inner.starts_with("eval")
            && !inner.starts_with('!')
            && !inner.starts_with("if")
            && !inner.starts_with("for")
            && !inner.starts_with('{')
            && !inner.starts_with("time");
        let command = if plain { inner.clone() } else { format!("bash -c {quoted}") };
        match self.roll(20) {
            0 => format!("timeout 5 {command}"),
            1 => format!("env A=1 {command}"),
            2 => format!("nice -n 1 {command}"),
            3 => format!("echo i j | xargs -n1 {command}"),
            4 => format!("echo i | xargs -I{{}} {command}"),
            5 => format!("find d -name c.txt -exec {command} {{}} \\;"),
            6 => format!("bash -c {quoted}"),
            // What `sh` runs is read as bash would; a `sh` that is not bash expands no braces.
            7 if !inner.contains("{1,2}") => format!("sh -c {quoted} x y"),
            8 => format!("eval {quoted}"),
            9 => format!("sudo -u me {command}"),
            10 => format!("({inner})"),
            11 => format!("if {inner}; then {}; fi", self.simple()),
            12 => format!("for v in 1 2; do {inner}; done"),
            13 => format!("{inner} | {}", self.simple()),
            14 => format!("bash <<'END'\n{inner}\nEND\n"),
            15 => format!("nohup {command}"),
            16 => format!("stdbuf -oL {command}"),
            17 => format!("command {command}"),
            18 => format!("f() {{ {inner}\n}}; f 1"),
            _ => format!("{inner}; {}", self.simple()),
        }
    }
}

#[test]
fn what_generated_commands_start_is_told() {
    let Some(stage) = Stage::new() else { return };
    let rounds = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut dice = Dice(7);
    let mut wrong = Vec::new();
    let (mut known, mut started) = (0, 0);
    for _ in 0..rounds {
        let depth = 1 + dice.roll(3);
        let command = dice.command(depth);
        match stage.check(&command) {
            Err(error) => wrong.push(error),
            Ok((count, all)) => {
                started += count;
                known += usize::from(all);
            }
        }
    }
    println!("{rounds} commands started {started} programs; {known} commands are known");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(known * 2 > rounds, "only {known} of {rounds} are known");
}

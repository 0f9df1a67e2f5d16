//! Every file that a command opens, makes or deletes is among those that it is said to touch.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tool_policy::facts::disk::RealDisk;
use tool_policy::{Answer, Cause, Format, Policy, Surroundings, Verdict};

use super::shell_call;

const COMMANDS: &[&str] = &[
    "cat a",
    "cat a b d/c",
    "cat < a",
    "cat a > out",
    "cat a >> b",
    "cat *.txt",
    "cat d/*",
    "head -n1 a",
    "tail -n 1 a b",
    "wc -l a",
    "cp a n",
    "cp a b d",
    "cp -r d n",
    "cp -t d a b",
    "cp --target-directory=d a",
    "cp -a d/. n",
    "cp -s \"$PWD/a\" n",
    "cp -l a n",
    "cp -b a b",
    "mv a n",
    "mv a b d",
    "mv -t d a",
    "mv d n",
    "ln a n",
    "ln -s a n",
    "ln -sf b a",
    "install -m 644 a n",
    "install -D a n/m",
    "install -d n/m",
    "rm a",
    "rm -r d",
    "rm -rf d a",
    "rm -- a",
    "rmdir d/empty",
    "unlink a",
    "mkdir n",
    "mkdir -p n/m/o",
    "touch a",
    "touch n m",
    "touch -r a b",
    "truncate -s 0 a",
    "truncate --size=1 n",
    "tee n < a",
    "echo x | tee n m",
    "echo x | tee -a a",
    "echo x > n",
    "echo x >| a",
    "echo x &> n",
    "printf x > d/n",
    ": > a",
    "exec 3> n; echo x >&3",
    "sort a",
    "sort -o n a",
    "sort a -o a",
    "sort --output=n a",
    "sort -on a",
    "uniq a",
    "uniq a n",
    "split -l 1 a n",
    "csplit a 1",
    "dd if=a of=n",
    "dd of=n if=a bs=1 count=1",
    "sed s/x/y/ a",
    "sed -i s/x/y/ a",
    "sed -i.bak s/x/y/ a",
    "sed --in-place=.bak s/x/y/ a b",
    "sed -n 'w n' a",
    "sed 's/x/y/w n' a",
    "sed -e 'r b' a",
    "awk '{print}' a",
    "awk '{print > \"n\"}' a",
    "awk '{print >> \"n\"}' a",
    "awk '{ while ((getline x < \"b\") > 0) print x }' a",
    "grep x a",
    "grep -r x d",
    "grep -r x .",
    "grep -rl x",
    "grep -f b a",
    "grep --include='*.txt' -r x .",
    "find . -name a",
    "find d -delete",
    "find . -name a -delete",
    "find d -type f -exec cat {} \\;",
    "find d -type f -exec rm {} +",
    "find . -name '*.txt' -fprint n",
    "find d -type f -print0 | xargs -0 cat",
    "find d -type f | xargs rm",
    "ls d",
    "ls -R .",
    "tar cf n.tar d",
    "tar -cf n.tar a b",
    "tar czf n.tgz d",
    "tar -C d -cf n.tar c",
    "tar tf t.tar",
    "tar xf t.tar",
    "tar -xf t.tar -C d",
    "tar -x -f t.tar inner",
    "gzip a",
    "gzip -k a",
    "gzip -c a > n.gz",
    "gunzip z.gz",
    "zcat z.gz",
    "xz -k a",
    "bzip2 -k a",
    "cut -c1 a",
    "tr x y < a > n",
    "paste a b",
    "join a b",
    "comm a b",
    "diff a b",
    "diff -r d d2",
    "cmp a b",
    "md5sum a b",
    "sha256sum a > n",
    "sha256sum -c sums",
    "base64 a",
    "od a",
    "xxd a n",
    "nl a",
    "fold a",
    "expand a",
    "shuf a -o n",
    "tac a",
    "rev a",
    "column a",
    "stat a",
    "file a",
    "du -a d",
    "chmod 600 a",
    "chmod -R u+w d",
    "chown $(id -u) a",
    "chgrp -R $(id -g) d",
    "cd d && cat c",
    "cd d && rm c",
    "cd d; cp ../a n",
    "(cd d; touch n); touch m",
    "pushd d; rm c; popd; rm a",
    "bash -c 'cat a > n'",
    "bash -c 'rm \"$1\"' _ a",
    "eval 'rm a'",
    "timeout 5 cp a n",
    "env -C d touch n",
    "nice rm a",
    "xargs rm < list",
    "xargs -n1 cat < list",
    "echo a | xargs -I{} cp {} n{}",
    "for f in a b; do cp $f $f.bak; done",
    "for f in *.txt; do mv \"$f\" \"$f.bak\"; done",
    "while read -r l; do echo $l; done < a > n",
    "cat <<E > n\nx\nE",
    "cat a | sort | tee n",
    "x=a; rm $x",
    "x=d; rm -r \"$x\"",
    "f() { cat \"$1\" > n; }; f a",
    "cat \"$(echo a)\"",
    "rm link",
    "cat link",
    "echo x > link",
    "cp a link",
    "cat dlink/c",
    "rm -r dlink/",
    "touch dlink/n",
    "mktemp n.XXXX",
    "mktemp -p d",
    "patch a < fix",
    "patch -p0 < fix",
    "mkfifo n",
    "sync a",
    "shred -n1 a",
    "shred -u a",
    "realpath a",
    "readlink link",
    "env > n",
    "time cat a",
    "coproc cat a; wait",
    "mapfile x < a",
    "read x < a",
    "[ -f a ] && cat a",
    "test -s a && cp a n",
    "python3 -c 'open(\"n\",\"w\")'",
    "perl -e 'open F,\">n\"'",
    "perl -pi -e s/x/y/ a",
    "perl -ne print a",
    "git init n",
    "git init -q n && git -C n status",
    "git hash-object a",
    "git diff --no-index a b",
];

/// Commands that run a script in a file: the design knows it by its path and nothing more, so only what the commands themselves name is told.
const SCRIPTS: &[(&str, &str)] = &[
    ("sed -f script a", "script"),
    ("awk -f prog a", "prog"),
    ("bash run.sh", "run.sh"),
    ("source run.sh", "run.sh"),
    (". ./run.sh", "run.sh"),
    ("make -f mk", "mk"),
];

struct Tree {
    dir: tempfile::TempDir,
}

impl Tree {
    fn work(&self) -> PathBuf {
        // A folder of the system's may be a link.
        self.dir.path().canonicalize().unwrap().join("work")
    }

    fn fresh(&self) -> PathBuf {
        let work = self.work();
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(work.join("d/empty")).unwrap();
        std::fs::create_dir_all(work.join("d2")).unwrap();
        let files = [
            ("a", "x y\nz\n"),
            ("b", "x z\nz\n"),
            ("d/c", "x\n"),
            ("d2/c", "y\n"),
            ("one.txt", "x\n"),
            ("two.txt", "y\n"),
            ("list", "a\nb\n"),
            ("script", "s/x/y/w n\n"),
            ("prog", "{ print > \"n\" }\n"),
            ("run.sh", "cat a > n\n"),
            ("fix", "--- a\n+++ a\n@@ -1,2 +1,2 @@\n-x y\n+x w\n z\n"),
            ("mk", "n: a\n\tcp a n\n"),
            ("sums", "00000000000000000000000000000000000000000000000000000000000000ff  a\n"),
        ];
        for (name, text) in files {
            std::fs::write(work.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("b", work.join("link")).unwrap();
        std::os::unix::fs::symlink("d", work.join("dlink")).unwrap();
        let archive = "mkdir i && echo x > i/inner && tar cf t.tar -C i inner && rm -r i && gzip -c a > z.gz";
        assert!(Command::new("bash").args(["-c", archive]).current_dir(&work).status().unwrap().success());
        work
    }

    /// What the command reads and writes in the folder.
    fn traced(&self, command: &str) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
        let work = self.work();
        let before = below(&work);
        let log = self.dir.path().join("trace");
        let calls = "trace=?open,?openat,?openat2,?creat,?unlink,?unlinkat,?rename,?renameat,?renameat2,?mkdir,?mkdirat,?rmdir,?link,?linkat,?symlink,?symlinkat,?truncate,?mknod,?mknodat,?chmod,?fchmodat,?fchmodat2,?chown,?lchown,?fchownat,?utimensat";
        let _ = Command::new("strace")
            .args(["-f", "-y", "-qq", "-s", "4096", "-e", calls, "-o"])
            .arg(&log)
            .args(["bash", "-c", command])
            .current_dir(&work)
            .env("HOME", &work)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let after = below(&work);
        let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
        for line in std::fs::read_to_string(&log).unwrap().lines() {
            let Some(touched) = Touched::of(line) else { continue };
            for path in touched.paths {
                // What was made and is gone again is nobody's; nor is what the command reads of what it made itself.
                if touched.writes && (before.contains(&path) || after.contains(&path)) {
                    writes.insert(path);
                } else if !touched.writes && before.contains(&path) && !path.is_dir() {
                    reads.insert(path);
                }
            }
        }
        (reads, writes)
    }
}

/// What one line of a trace says.
struct Touched {
    paths: Vec<PathBuf>,
    writes: bool,
}

impl Touched {
    /// `PID call(AT_FDCWD</cwd>, "path", FLAGS) = RESULT`, where it was done.
    fn of(line: &str) -> Option<Self> {
        let line = line.split_once(' ')?.1.trim_start();
        let (call, rest) = line.split_once('(')?;
        let (given, result) = rest.rsplit_once(" = ")?;
        if result.starts_with('-') || result.starts_with('?') {
            return None;
        }
        let opens = matches!(call, "open" | "openat" | "openat2" | "creat");
        let folder_only = given.contains("O_DIRECTORY") || given.contains("O_PATH");
        let writes = !opens
            || call == "creat"
            || given.contains("O_WRONLY")
            || given.contains("O_RDWR")
            || given.contains("O_CREAT");
        if opens && folder_only {
            return None;
        }
        // The target of a symbolic link is a text, no path that is touched.
        let given = if call.starts_with("symlink") { given.split_once(", ")?.1 } else { given };
        let makes_link = call.starts_with("link");
        let mut paths = Vec::new();
        let mut folder: Option<PathBuf> = None;
        let mut rest = given;
        loop {
            let quote = rest.find('"');
            let angle = rest.find('<');
            match (quote, angle) {
                (Some(q), a) if a.is_none_or(|a| q < a) => {
                    let text = &rest[q + 1..];
                    let end = text.find('"')?;
                    let path = Path::new(&text[..end]);
                    match (&folder, path.is_absolute()) {
                        (_, true) => paths.push(normal(path)),
                        (Some(folder), false) => paths.push(normal(&folder.join(path))),
                        (None, false) => {}
                    }
                    rest = &text[end + 1..];
                }
                (_, Some(a)) => {
                    let text = &rest[a + 1..];
                    let end = text.find('>')?;
                    folder = Some(PathBuf::from(&text[..end]));
                    rest = &text[end + 1..];
                }
                _ => break,
            }
        }
        // Old calls have no folder in front: they are relative to the cwd, which only the result of an open tells.
        if paths.is_empty()
            && opens
            && let Some((_, path)) = result.split_once('<')
        {
            paths.push(PathBuf::from(path.trim_end_matches('>')));
        }
        // A file that gets another name is not written.
        if makes_link && paths.len() > 1 {
            paths.remove(0);
        }
        Some(Self { paths, writes })
    }
}

/// All that stands below a folder.
fn below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            found.extend(below(&path));
        }
        found.insert(path);
    }
    found
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

fn judge(rules: &Value, command: &str, work: &Path, disk: &RealDisk) -> Verdict {
    let policy =
        Policy::parse("p.json", Format::Json, &json!({"version": 1, "rules": rules}).to_string()).unwrap();
    policy.evaluate(&shell_call(command, &work.display().to_string()), &Surroundings::new(disk))
}

fn has_strace() -> bool {
    let works = Command::new("strace")
        .args(["-f", "-y", "-qq", "-e", "trace=openat", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status();
    works.is_ok_and(|status| status.success())
}

#[test]
fn what_is_opened_is_told() {
    if !has_strace() {
        eprintln!("skipped: there is no strace that works here");
        return;
    }
    let tree = Tree { dir: tempfile::tempdir().unwrap() };
    let mut wrong = Vec::new();
    let (mut sure, mut possible) = (0, 0);
    for command in COMMANDS {
        let work = tree.fresh();
        let (reads, writes) = tree.traced(command);
        tree.fresh();
        let disk = RealDisk::new(Some(work.display().to_string()));
        for (key, files) in [("reads", &reads), ("writes", &writes)] {
            for file in files {
                let deny = json!([{"deny_by_name": ["*"], "when": {key: [file.display().to_string()]}}, {"allow_by_default": true}]);
                let verdict = judge(&deny, command, &work, &disk);
                match (verdict.verdict, verdict.cause) {
                    (Answer::Deny, Cause::Rule) => sure += 1,
                    (Answer::Deny, _) => possible += 1,
                    _ => wrong.push(format!(
                        "{command:?} {key} {}, and a denial of that does not apply",
                        file.strip_prefix(&work).unwrap().display()
                    )),
                }
            }
            let allow = json!([{"allow_by_name": ["Bash"], "when": {"runs": ["*"], key: ["/nowhere"]}}]);
            let verdict = judge(&allow, command, &work, &disk);
            if !files.is_empty() && verdict.verdict == Answer::Allow {
                wrong.push(format!("{command:?} {key} {files:?}, and an allow of another file covers it"));
            }
        }
    }
    for (command, script) in SCRIPTS {
        let work = tree.fresh();
        let disk = RealDisk::new(None);
        let deny = json!([{"deny_by_name": ["*"], "when": {"reads": [script]}}, {"allow_by_default": true}]);
        let read_only = json!([{"allow_by_read_only": true}]);
        if judge(&deny, command, &work, &disk).verdict != Answer::Deny
            || judge(&read_only, command, &work, &disk).verdict == Answer::Allow
        {
            wrong.push(format!("{command:?} reads {script}, and may do anything"));
        }
    }
    println!(
        "{} commands touched {} files: {sure} surely told, {possible} possibly",
        COMMANDS.len(),
        sure + possible + wrong.len()
    );
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(
        sure > COMMANDS.len() && sure > possible,
        "only {sure} files are surely told, {possible} possibly"
    );
}

//! What bash itself runs is among the commands that are listed.

use super::super::{Cwd, SimpleCommand, Start, read};
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
}

const STUBS: [&str; 12] = ["p", "q", "r", "s", "rm", "git", "cat", "no", "v", "w", "x", "pq"];

impl Bash {
    fn new() -> Option<Self> {
        let found = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].into_iter().find(|p| Path::new(p).exists());
        let (Some(program), true) = (found, Path::new("/bin/sh").exists()) else {
            eprintln!("skipped: there is no bash to compare with");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let stubs = dir.path().join("stubs");
        std::fs::create_dir(&stubs).unwrap();
        for name in STUBS {
            let path = stubs.join(name);
            let code = if name == "no" { 1 } else { 0 };
            let log = dir.path().join("log");
            // One write for one start, so that those that run at the same time stay apart.
            let text = format!(
                "#!/bin/sh\nprintf '%s\\0' \"$(($#+1))\" \"$PWD\" {name} \"$@\" >> {}\nprintf 'out\\n'\nexit {code}\n",
                log.display()
            );
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Some(Self { program: program.into(), dir })
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
        let log = self.dir.path().join("log");
        let _ = std::fs::remove_file(&log);
        Command::new(&self.program)
            .args(["-c", script, "bash", "first", "second arg"])
            .current_dir(&work)
            .env_clear()
            .env("PATH", self.dir.path().join("stubs"))
            .env("HOME", work.join("d"))
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
        ([], _) => false,
        ([word, rest @ ..], _) if word.splits() => (0..=argv.len()).any(|n| words_match(rest, &argv[n..])),
        ([word, rest @ ..], [arg, more @ ..]) => piece_match(&word.pieces, arg) && words_match(rest, more),
        (_, []) => false,
    }
}

fn piece_match(pieces: &[Piece], text: &str) -> bool {
    match pieces {
        [] => text.is_empty(),
        [Piece::Text(known), rest @ ..] => text.strip_prefix(known.as_str()).is_some_and(|t| piece_match(rest, t)),
        [_, rest @ ..] => (0..=text.len()).filter(|n| text.is_char_boundary(*n)).any(|n| piece_match(rest, &text[n..])),
    }
}

/// Scripts that must be understood, and give what bash gives.
const KNOWN: &[&str] = &[
    "p a b", "p 'a b' \"c d\" e\\ f", "p a''b \"\" ''", "r''m x", "r\\m x", "$'\\x72m' $'a\\tb'", "{rm,-rf,/x}", "p {a,b}{1,2} x{1..3}y {c..e} {03..5} {5..1..2}",
    "p {a} {} {a,} {,} a{b,c", "p }{ {a,b}} ", "p \"{a,b}\" {\"a,b\",c}", "X=rm; $X y", "X='a b  c'; p $X \"$X\"; p [$X]", "X=' a '; p x${X}y", "X=; p $X \"$X\" a",
    "p $1 \"$2\" $2 $# $0", "p \"$@\" x\"$@\"y", "p $* \"$*\"", "shift; p $1", "set -- a b c; p \"$@\"; shift 2; p $1", "set --; p \"$@\" \"$*\" a",
    "p && q || r", "no && p || q", "no; p", "! no && p", "! ! p", "p & q; wait", "p | q | r", "p |& q", "(p; q) | { r; s; }", "if p; then q; else r; fi",
    "if no; then q; elif p; then r; fi", "for x in a b c; do p $x; done", "for x in 'a b' c; do p $x \"$x\"; done", "for x; do p \"$x\"; done", "for x in *.txt; do p $x; done",
    "for ((i=0;i<3;i++)); do p $i; done", "i=0; while [ $i -lt 3 ]; do p $i; i=$((i+1)); done", "until p; do q; done", "while no; do p; done; q",
    "case a in a) p;; b) q;; esac", "case $1 in f*) p;& x) q;; *) r;; esac", "case x in (x|y) p;;& *) q;; esac", "[[ a == a && -n b ]] && p", "[[ $1 =~ ^f ]] && p",
    "((1)) && p", "((0)) || p $((1+2))", "f() { p \"$1\" $#; }; f a; f 'b c' d", "function g { q; }; g", "f() (cd d; p); f; q", "rm() { p \"$@\"; }; rm a", "f() { local x=$1; p $x; }; x=o; f a; q \"$x\"",
    "f() { return; p; }; f; q", "f() { x=a; return; x=b; }; x=c; f; p $x", "p $(q)", "p \"$(q a)\" `r`", "p `q \\`r\\``", "p $(q $(r $(s)))", "p <(q) <(r)", "p > >(q)", "cat <<E\n$(q) $1 \\$(r)\nE\np",
    "cat <<'E'\n$(q)\nE\np", "cat <<-E\n\ta\n\tE\np", "p <<A <<B\na\nA\nb\nB\nq", "p <<< \"$(q)\"", "x=$(cat <<E\nb $(q)\nE\n)\np", "p ${x:-$(q)}", "p ${x:-a b} \"${x:-a b}\"", "unset x; p ${x:-a b} ${x:=c} $x ${x:+d e}", "unset x; ${x:=rm} a", "x=a.b.c; p ${x%.*} ${x%%.*} ${x#*.} ${x##*.} ${x%c} ${x#q}", "p ${#x}", "x=abc; p ${x:1:2} ${x/b/d} ${x^^} ${x@Q}",
    "p ${x:-$(case a in b) q;; a) r;; esac)}", "p ${x:-$(q # }\n)} s", "p ${x:-'a}b'} c", "p \"${x:-\"a\"}\" b", "x=$((rm) | cat) p", "p $((q) && r)", "((p); (q))", "( (p); (q) )", "p $(( (1) + 2 ))", "cat <<E\n$((q) | r)\nE",
    "cd d && p", "cd d; p", "cd nowhere; p", "cd nowhere && p; q", "cd nowhere || p", "cd d || exit; p", "cd nowhere || exit 1; p", "(cd d && p); q", "cd d | p; q", "cd d & p", "cd d/e && cd .. && p", "cd; p", "cd ~; p", "cd ~/e && p", "cd -; p", "pushd d; p; popd; q", "pushd d && cd e && popd && p", "cd $1; p", "if p; then cd d; fi; q", "while no; do cd d; done; p", "for x in d e; do cd $x; p; done; q",
    "f() { cd d; }; f; p", "x=$(cd d; p); q", "cd d && { cd e; p; }; q", "cd \"$PWD/d\" && p $PWD", "p \"$(pwd)\" $?", "HOME=/; p ~ ~/a", "p ~/x a=~/b --c=~/d e:~/f", "x=~/a:~/b; p $x", "p ~+ ~+/x",
    "X=1 p $X", "X=1; X=2 p; q $X", "export X=a; p $X", "export X=$1 Y='a b'; p $X $Y", "declare X=a Y; p $X", "readonly X=a; p $X", "X=a; X+=b; p $X", "a=(x 'y z' w); p \"${a[@]}\" ${a[1]} $a ${#a[@]}", "a=(x); a+=(y z); for i in \"${a[@]}\"; do p $i; done", "declare -a a=(x y); p \"${a[@]}\"", "if p; then X=a; else X=b; fi; q $X", "X=a; if no; then X=b; fi; q $X", "X=a; (X=b); p $X", "X=a | p; q $X", "X=a; f() { X=b; }; f; p $X",
    "for x in a b; do y=$x; done; p $x $y", "for x in a b; do [ $x = a ] && break; done; p $x", "X=a; for i in 1 2; do p $X; X=b; done", "X=a; while p $X; do X=b; break; done; q $X", "read X <<< abc; p $X", "eval 'p a'; eval p b c", "eval \"X=a; cd d\"; p $X", "X='p a; q'; eval \"$X\"", "X=1 eval 'p $X'; q \"$X\"", "trap 'p a' EXIT; q", "trap 'q \"$X\"' EXIT; X=a; p",
    "command p a", "exec p a", "builtin cd d; p", "command cd d && p", "true && p; : ; q", "p > out; q < one 2>/dev/null", "p 2>&1 a", "2>&1 p a", "p >&2 a >&- b", "exec 3>out; p >&3", "{ p; q; } > out 2>&1", "p &> out; q &>> out", "p >f{a,b} x", "p 3>&1- a", "p {fd}>out a", "p a#b #c", "p # a\nq", "p \\\n  a \\\n  b", "p &&\nq ||\nr |\ns", "time p a", "! p a", "coproc p a; wait", "p \"a\nb\"", "p $'it\\'s'", "p $\"a $1\"", "IFS=:; X=a:b; p $X \"$X\"", "p$IFS-a$IFS'b'",
    "p * ", "p *.txt d/*", "p '*' \\* \"*\"", "X='*'; p $X \"$X\"", "p [o]ne [ ] [x", "p ? o?e", "x=one; p $x*", "[ -f one ] && p", "test -n \"$1\" && p", "printf -v X '%s' a; p $X", "p \"$((1+2))\" $((3))", "let x=1+2; p $x", "((x=5)); p $x", "p ${@:2} \"${@}\" ${1:-z}", "p \"${x-a}\" \"${1+b}\"", "p \u{a0}a", "p a\r", "X=a\rq p", "git commit -m \"$(cat <<'E'\nfeat: x\n\n# closes 1\nE\n)\"", "p 'a' & wait; q", "if true; then p; fi & q; wait", "p; exit; q", "(exit 1) || p", "{ p; } && q", "p \"`q \"a b\"`\"",
    "p ${x:+$(q)} r", "p ${1:+$(q)}", "case $(q) in $(r)|$(s)) p;; esac", "a[0]=$(q); p \"${a[0]}\"", "[[ $(q) == $(r) ]] && p; s", "p > $(q)", "x=$(q) y=$(r) p", "for x in $(q); do p $x; done", "p \"$(q 'a)b')\" c", "p \"$(q \\) c)\"", "p $(q \"$(r ')')\")", "f() { p; }; f | q; f > out", "f() { g; }; g() { p; }; f", "f() { f() { p; }; }; f; f", "unset -f f; p", "p a;q b&r c", "p a>out", "p a>out b", "p 1 2>out", "p 12>out", "p a2>out", "p \"a\"2>out", "p -- -x --y=z", "p a=b c+=d", "set -e; p; no; q", "set -euo pipefail\np $1\nq", "set -x; p", "alias p=q; p a", "X=p; Y=$X; $Y a", "X=p; \"$X\" a", "X='p a'; $X b", "p $X$Y a", "p \"$X\"", "X=a Y=b p $X$Y", "X=a Y=$X; p \"$Y\"", "Y=$X; p $Y z", "p $(echo q)", "$(echo p) a", "`echo p` a",
    "X=$(q); p $X \"$X\"", "p !x", "p a!b \"c!d\"", "p ^a^b", "p =a a=", "p {a,b}=c", "p -{a,b}", "p {a..c}{,x}", "p x{a,b{1,2},c}y", "p ${1}{a,b}", "p {$1,b}", "p {a\\,b,c}", "p a{}b", "p {{a,b},c}", "p \\{a,b}", "p {a,b\\}", "p {1..0} {a..a}", "p {-1..1} {1..10..4}",
];

/// Scripts that may be unknown, but not wrong.
const HARD: &[&str] = &[
    "shopt -s extglob\np !(one) @(a|b)", "x='a[$(q)]'; p $((x))", "p ${!1}", "x=y y=z; p ${!x}", "a='$(q)'; p \"${a@P}\"", "declare -n r=x; r=a; p $x", "declare -i n=1+2; p $n", "declare -u U=abc; p $U", "X=p; declare X=q; $X", "source ./one; p", ". ./one; p", "set +B; p {a,b}", "set -k; p a=b", "set -f; p *",
    "shopt -s expand_aliases\nalias z='p a'\nz b", "shopt -s expand_aliases\nalias z='p; q'\nz b", "enable -n echo; p", "hash -p ./one z; z", "IFS=x; read a b <<< 1x2; p $a $b", "trap 'X=b' DEBUG; X=a; p $X", "set -o posix; p", "shopt -s lastpipe; p | X=a; q $X", "p {a,b", "p {{a,b}", "p {a{b,c}}", "p {a..c..2} {A..c}", "p ${x:-{a}}", "p $((1,2))", "p $(( 'q' ))",
    "unset X; f() { X=a; }; f; p $X", "f() { unset X; p \"$X\"; }; X=a; f", "readonly X=a; X=b; p $X", "X=a; X=b eval :; p $X", "X=a; X=b f; p $X", "f() { p $X; }; X=b f; q \"$X\"", "f() { X=c; }; X=b f; p \"$X\"", "for x in a b; do for y in 1 2; do [ $x = b ] && continue 2; p $x $y; done; done", "while :; do X=a; break; X=b; done; p $X", "X=a; until X=b; do :; done; p $X", "Z=z Y=y X=x; for i in 1 2 3 $U; do p $X $Y $Z; Z=$Y; Y=$X; X=n; done", "Z=z Y=y X=x; while [ $Z != n ]; do p $X $Y $Z; Z=$Y; Y=$X; X=n; done", "p $[1+2]", "select x in a b; do p $x; break; done", "p \"${x:-'a'}\"", "p ${x:-~/a}", "p ${1#f*r}", "p ${1%%[s]*}", "x=a:b; IFS=: ; p $x", "p ~root ~nobody/x", "cd d; cd ..; p", "CDPATH=d; cd e && p", "pushd d; pushd e; popd; p", "dirs -c; p", "cd d; pushd /; popd; p", "cd -P d && p", "cd -- d && p", "cd ''; p", "cd d e; p", "cd \"\"d && p", "cd d/../d && p", "function a.b { p; }; a.b", "a-b() { p; }; a-b", "p() { q; }; command p a", "p() { q; }; \\p a", "p() { q; }; unset -f p; p a", "p() { q; }; (unset -f p; p a); p b",
    "f() { p $#; }; f $U a; f \"$U\" a", "f() { p \"$@\"; }; f $1 \"$2\" $(q)", "eval 'f() { p; }'; f", "eval \"p $U\"", "eval 'p \"'; q", "eval '(' p ')'", "x=1; eval p \\$x", "p 'unterminated", "p a\nq 'b", "p a; q 'b", "echo p a | p", "if p; then q", "p )", "p ((1))", "time -p p", "p | time q", "coproc X { p; }; wait", "p <<E\n`q`\nE", "p <<E\n\\`q\\`\nE", "p <<\"E\"\n`q`\nE", "p <<E\\F\nE\nEF\nq", "p <<E\na\\\nE\nE\nq", "p <<''\na\n\nq", "p <<E;q\nE\nr", "p <<E && q <<F\nE\nF\nr", "(p <<E)\na\nE\nq", "{ p <<E; }\na\nE\nq", "if p <<E; then q; fi\na\nE\nr", "$(p <<E\na\nE\n)q", "p \"$(q <<E\na\"b\nE\n)\" r", "p `q <<E\na\nE\n` r", "p $(q <<'E'\n)\nE\n) r", "p $(q\n# it's\n) r", "p $(case a in a) q;; esac) r", "p $(( 1 << 2 )) r", "p $((1)) $((q) ) r", "p \"$((q) | r)\" s", "p $( (q) ) r", "((p)) ; q", "((p) ) ; q", "( ( p ) ) ; q", "p $((case x in x) q;; esac) | r)", "x[$(q)0]=1; p ${x[0]}", "declare -A A; A[$(q)]=1; p \"${A[x]}\"", "x=(a [5]=b c); p \"${x[@]}\"", "x=($(q) *); p \"${x[@]}\"", "p $'a\\cAb' $'\\e[0m' $'\\101\\60'", "p $'a\\0b' c", "p \\a\\$b\\\"c", "p \"\\a\\$b\\\"c\\`d\\\\e\"", "p 'a'\\''b'", "p \"a\\\nb\" c\\\nd", "p a\\\n", "\\\np a", "p $\\\n1", "p \"$\\\n1\"", "p ${1\\\n}", "p a &\\\n& q", "p a |\\\n| q", "p >\\\n> out", "p 2\\\n>out", "i\\\nf p; then q; fi", "X\\\n=a p", "p;\\\nq", "p \\\n# q", "p\\\n#q", "p &>out a &", "p &>>out a", "p >&out a", "p >& out a", "p <&0 a", "p 0<&- a", "p <>out a", "p >|out a", "p 1>out 2>&1 a", ">out p a <one b", "X=a >out p $X", "p >\"a b\" c", "p >$2 c", "p >$U c", "p >* c", "p a; } ; q", "p ]] ; q", "p [[ a ; q", "p do done fi", "if p; then q; fi r", "for p in a; do $p; done", "for x in a b ; do\n p $x\ndone\nq", "for x in a\\ b; do p $x; done", "for x in {1..3}; do p $x; done", "for x in \"$@\"; do p \"$x\"; done", "for x in $@; do p \"$x\"; done", "for f in one d/*; do p \"$f\"; done", "for x in a; { p $x; }", "case a in [[:alpha:]]) p;; esac", "case 'a b' in 'a b') p;; esac", "case a in esac; p", "case a in\n# c\na) p ;;\nesac", "case a in a) p ;; esac | q", "f() { case $1 in a) p;; *) q;; esac; }; f a; f b", "f()\n{\np\n}\nf", "f() { p; } >out; f", "f() { p; } <<E\na\nE\nf", "! f() { p; }; f", "f() p; f", "function f p; f", "f ( ) { p; }; f", "(f() { p; }); f", "f() { p; } | q; f", "declare -f f; p", "export -f f; p", "export -n X=a; p $X", "export X; p $X", "X=a; export X; p $X", "local X=a; p $X", "typeset -x X=a; p $X", "declare -r X=a; X=b; p $X", "export X=~/a Y=a:~/b; p $X $Y", "export X={a,b}; p $X", "declare X='a b' Y=$2; p $X; q \"$Y\"", "Z=X; declare $Z=b; p $X", "export $U; p", "export \"X=a b\"; p $X", "unset X Y; p \"$X\" b", "X=a; unset X; p $X b", "unset 'a[$(q)]'; p", "read 'a[$(q)]' <<< 1; p", "printf -v 'a[$(q)]' x; p", "[ -v 'a[$(q)]' ]; p", "test -v X; p", "[[ -v a[$(q)0] ]]; p", "[[ 'a[$(q)]' -eq 1 ]]; p", "let 'a[$(q)]=1'; p", "i='a[$(q)]'; for ((;i<1;)); do break; done; p", "p ${x:'a[$(q)]'}", "p $((x=1)) $x", "((x=1, y=x+1)); p $x $y", "((x++)); p $x", "x=5; ((x+=2)); p $x", "x=3; p $((x>2 ? 1 : 0))", "((x = 1 ? 2 : 3)) && p $x", "mapfile -t a <<< 'b c'; p \"${a[0]}\"", "mapfile -C 'q' -c 1 a < one; p", "getopts ab o; p $o", "wait; p", "exit 1 2; p", "exit --help; p", "p; return; q", "break; p", "exec > out; p", "exec < one; read x; p $x", "exec 2>/dev/null p", "p \"${a[$(q)0]}\"", "exec nothing; p", "logout; p", "kill -0 $$ && p", "type p; q", "command -v p && q", "ulimit -c 0; p", "umask 022; p", "times; p", "hash -r; p", "echo a | while read x; do p $x; done", "p | while read x; do q \"$x\"; done; r", "while read -r l; do p \"$l\"; done < one", "while read -r l; do p \"$l\"; done <<< \"a b\"", "{ read x; p $x; } < one", "x=$(<one); p \"$x\"", "p \"$(<one)\"", "p $_ a", "p a; q $_", "p $- $! b", "p $RANDOM$SECONDS c", "RANDOM=a; p $((RANDOM))", "PWD=/x; p $PWD", "PWD=/x; cd d; p $PWD", "OLDPWD=/x; p ~- $OLDPWD", "HOME=; p ~ ~/x", "unset HOME; p ~/x", "cd ~nobody; p", "IFS=; X='a b'; p $X", "IFS=b; p abc", "X=abc; IFS=b; p $X", "IFS=,; p \"$*\"", "f() { IFS=,; }; f; X=a,b; p $X", "(IFS=,); X=a,b; p $X", "GLOBIGNORE=*; p *", "PATH=/nowhere; p", "PATH=$PATH:/x p", "BASH_ALIASES[p]=q; p", "LC_ALL=C p $'\\u00e9'", "POSIXLY_CORRECT=1; p",
];

#[test]
fn what_bash_runs_is_listed() {
    let Some(bash) = Bash::new() else { return };
    let mut wrong: Vec<String> = Vec::new();
    let mut understood = 0;
    for (text, needed) in KNOWN.iter().map(|t| (t, true)).chain(HARD.iter().map(|t| (t, false))) {
        match bash.agrees(text) {
            Err(error) => wrong.push(error),
            Ok(false) if needed => wrong.push(format!("not understood: {text:?}: {:?}", read(text, &bash.start()).unknown)),
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
            "a", "-b", "'c d'", "\"e $X\"", "$X", "${Y}", "\"$@\"", "$1", "{f,g}", "h{1..2}", "~/i", "*.txt", "\\*", "''", "$'j\\tk'", "${Z:-l m}", "${X%b}", "\"${Z:-n}\"",
            "$((1+2))", "a=b", "o\\ p", "\"'\"", "'\"'", "a\"b\"'c'\\d", "$Z", "#q", "r#", "${#X}", "d/e", "{s", "}t", "${X:+u v}", "$X$Y", "x${Y}y", "!w", "\"\\$X\"",
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
        let mut out = self.pick(&["p", "q", "r", "p", "q", "r", "no", "r''m", "\\git", "$P", "f", "cd d &&  p", "cd d; q", "X=z p", ">out p", "p 2>&1", "eval p", "X=n; p", "Y='a b'; q", "command p"]).to_owned();
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
            2 => format!("if {}; then {}; else {}; fi", self.simple(depth), self.list(depth), self.list(depth)),
            3 => format!("for v in {} {}; do {}; p $v; done", self.word(0), self.word(0), self.list(depth)),
            4 => format!("case {} in a*) {};; *) {};; esac", self.word(depth), self.list(depth), self.list(depth)),
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
    let mut dice = Dice(std::env::var("BASH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(42));
    let rounds = std::env::var("BASH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
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

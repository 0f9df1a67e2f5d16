//! What a command runs in turn.

use super::*;

fn shown(u: &Understood) -> String {
    let of = |inner: &Inner| {
        let words = |words: &[Word]| words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
        let what = match &inner.what {
            InnerKind::Argv(w) => words(w),
            InnerKind::ArgvAndMore(w) => format!("{} +", words(w)),
            InnerKind::Script(w) => format!("sh: {}", w.shown()),
            InnerKind::Stdin => "stdin".into(),
            InnerKind::ScriptFile(w) => format!("file: {}", w.shown()),
            InnerKind::Code(w) => format!("code: {}", w.shown()),
            InnerKind::Unknown => "?".into(),
        };
        let env = inner.env.iter().fold(String::new(), |all, (n, v)| format!("{all}{n}={} ", v.shown()));
        let cwd = inner.cwd.as_ref().map_or(String::new(), |c| format!("in {}: ", c.shown()));
        let mark = if inner.transparent { "~ " } else { "" };
        let far = if inner.elsewhere { "far: " } else { "" };
        format!("{mark}{far}{cwd}{env}{what}")
    };
    u.inner.iter().map(of).collect::<Vec<_>>().join(" | ")
}

#[track_caller]
pub(super) fn runs(line: &str, inner: &str) {
    assert_eq!(shown(&of(line)), inner, "{line}");
}

#[test]
fn wrappers_that_change_nothing_are_transparent() {
    runs("timeout 5 rm -rf x", "~ rm -rf x");
    runs("timeout -k 5 10 rm x", "~ rm x");
    runs("timeout --kill-after=5 -s KILL 10s rm x", "~ rm x");
    runs("nice rm x", "~ rm x");
    runs("nice -n 5 rm -r -f data", "~ rm -r -f data");
    runs("nice -5 rm x", "~ rm x");
    runs("ionice -c2 -n 7 rm x", "~ rm x");
    runs("chrt -i 0 rm x", "~ rm x");
    runs("stdbuf -o L rm x", "~ rm x");
    runs("nohup npm publish", "~ npm publish");
    runs("time git status", "~ git status");
    runs("command git push origin main", "~ git push origin main");
    runs("env A=b C=d rm x", "~ A=b C=d rm x");
    runs("env rm x", "~ rm x");
    runs("bash -c 'rm x'", "~ sh: rm x");
    runs("bash -lc 'rm x'", "~ sh: rm x");
    runs("bash -xec 'git push -f origin main'", "~ sh: git push -f origin main");
    runs("bash -c -e 'rm x'", "~ sh: rm x");
    runs("bash -o pipefail -c 'rm x' a b", "~ sh: rm x");
    runs("sh -c 'rm x'", "~ sh: rm x");
    runs("xargs rm -rf", "~ rm -rf +");
    runs("xargs -0 -n 1 -P 4 rm", "~ rm +");
    runs("xargs -I{} mv {} {}.bak", "~ mv … ….bak +");
    runs("xargs -I % sh -c 'rm %'", "~ sh -c rm … +");
    runs("xargs --replace rm {}", "~ rm … +");
}

#[test]
fn other_wrappers_are_not() {
    runs("sudo -u deploy rm -rf /srv/app/cache", "rm -rf /srv/app/cache");
    runs("sudo A=b rm x", "A=b rm x");
    runs("sudo -nE -- rm x", "rm x");
    runs("sudo -s rm x", "sh: rm x");
    runs("sudo -e f", "");
    runs("doas -u x rm y", "rm y");
    runs("env -i PATH=/usr/bin rm -rf data", "PATH=/usr/bin rm -rf data");
    runs("env -u A rm x", "rm x");
    runs("env -C /repo-b cat .env", "in /repo-b: cat .env");
    runs("env --chdir=/repo-b cat .env", "in /repo-b: cat .env");
    runs("env FOO=1 -C /repo-b cat .env", "in /repo-b: FOO=1 cat .env");
    runs("env -S 'cat -n' f", "env cat -n f");
    runs("env -S'A=b cat' f", "env A=b cat f");
    runs("env -S \"cat \\$x\"", "?");
    runs("env - rm x", "rm x");
    runs("exec rm x", "rm x");
    runs("exec -a name cat .env", "cat .env");
    runs("exec -u cat .env", "cat .env | ?");
    runs("command -Z cat .env", "cat .env | ?");
    runs("command -p rm x", "rm x");
    runs("command -v rm", "");
    runs("builtin cd x", "cd x");
    runs("setsid rm x", "rm x");
    runs("flock /tmp/l rm x", "rm x");
    runs("flock -c 'rm x' /tmp/l", "sh: rm x");
    runs("chroot /x rm y", "far: rm y");
    runs("busybox rm -rf data", "rm -rf data");
    runs("direnv exec . git add -A", "? | git add -A");
    runs("watch -n 1 rm x", "sh: rm x");
    runs("script -qc 'rm -rf cache' /dev/null", "sh: rm -rf cache");
    runs("su -c 'rm x' bob", "sh: rm x");
    runs("ssh host rm -rf x", "far: sh: rm -rf x");
    runs("ssh -p 22 u@h 'rm x'", "far: sh: rm x");
    runs("ssh h -o ProxyCommand='touch m' ls", "far: sh: ls | sh: touch m");
    runs("eval rm x", "sh: rm x");
    runs("eval \"rm $x\"", "sh: rm …");
    runs("trap 'rm x' EXIT", "sh: rm x");
    runs("trap - EXIT", "");
    runs("timeout --nonsense 5 rm x", "rm x | ?");
    runs("timeout $x rm y", "rm y | ?");
    runs("parallel rm {} ::: a b", "sh: rm {} ::: a b");
    runs("fish -c 'rm x'", "? | sh: rm x");
    runs("npx tsc --noEmit", "tsc --noEmit");
    runs("npx -y tsc", "tsc");
    runs("bunx x", "x");
    runs("uvx ruff check", "ruff check");
    runs("pipx run x", "x");
    runs("mise exec node -- rm x", "rm x");
    runs("time -o f rm x", "rm x");
}

#[test]
fn programs_named_by_options_are_found() {
    runs("find . -exec rm -rf {} \\;", "rm -rf … +");
    runs("find . -exec rm -rf {} +", "rm -rf … +");
    runs("find . -ok rm {} \\; -exec cat {} \\;", "rm … + | cat … +");
    runs("find . -execdir rm x \\;", "in …: rm x +");
    runs("fd -e md -x rm x", "rm x +");
    runs("sort --compress-prog ./pack in", "./pack +");
    runs("rg --pre ./view.sh x", "./view.sh +");
    runs("git -c alias.x='!rm y' x", "sh: rm y | ?");
    runs("git -c core.pager='rm y' log", "sh: rm y");
    runs("git -c color.ui=always log", "");
    runs("git ls-remote --upload-pa='touch m' .", "sh: touch m");
    runs("git rebase -x 'rm y' main", "sh: rm y");
    runs("git submodule foreach rm x", "sh: rm x");
    runs("git bisect run rm x", "rm x");
    runs("git log --ext-diff", "?");
    runs("git grep -Ovim x", "?");
    runs("man --html='touch m' ls", "sh: touch m");
    runs("tar -xf a --to-command=./sink", "sh: ./sink");
    runs("tar cf a -I 'zstd -19' d", "sh: zstd -19");
    runs("rsync -e 'ssh -p 2' a h:b", "sh: ssh -p 2");
    runs("sed 's/a/b/e' f", "?");
    runs("sed '1e touch m' f", "sh: touch m");
    runs("sed -f x f", "file: x");
}

#[test]
fn code_in_other_languages_is_opaque() {
    runs("python -c 'print(1)' -c x", "code: print(1)");
    runs("python3 -m pytest -q tests", "~ pytest -q tests");
    runs("python -um http.server", "http.server");
    runs("python s.py -c x", "file: s.py");
    runs("python -", "stdin");
    runs("python", "stdin");
    runs("python --version", "");
    runs("node -e 1", "code: 1");
    runs("node --eval=1", "code: 1");
    runs("node s.js", "file: s.js");
    runs("perl -ne print f", "code: print");
    runs("perl -pi -e s/a/b/ f", "code: s/a/b/");
    runs("ruby -e 1", "code: 1");
    runs("php -r 1", "code: 1");
    runs("lua -e 1", "code: 1");
    runs("deno eval 1", "code: 1");
    runs("awk 'BEGIN { system(\"x\") }'", "code: BEGIN { system(\"x\") }");
    runs("awk -f p f", "file: p");
    runs("bash s.sh a", "file: s.sh");
    runs("bash -s", "stdin");
    runs("sh", "stdin");
    runs("bash -c \"rm $x\"", "sh: rm …");
    runs("bash --rcfile f -c x", "? | sh: x");
    runs("source x", "file: x");
    runs(". ./x", "file: ./x");
    runs("$x y", "?");
}

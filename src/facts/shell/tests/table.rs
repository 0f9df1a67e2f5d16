//! Scripts and the commands that they are listed as.

use super::super::{Descriptor, Start, Stdin};
use super::{read, runs, shown, start};
use crate::facts::word::Word;

#[test]
fn plain_commands() {
    runs("git log --oneline | head -5", "git log --oneline ; head -5");
    runs("for f in *.rs; do wc -l \"$f\"; done", "wc -l «*».rs");
    runs("for f in *.rs; do mv \"$f\" \"$f.bak\"; done", "mv «*».rs …+.rs.bak");
    runs("for f in *.rs; do wc -l $f; done", "wc -l …+.rs");
    runs("cd sub && make 2>&1 | tee log", "cd sub ; make @sub ; tee log @sub");
    runs(
        "git commit -m \"$(cat <<'EOF'\nfix: a\n\nb\nEOF\n)\"",
        "cat <<'fix: a\\n\\nb\\n' ; git commit -m …",
    );
    runs("if [ -f a ]; then cat a; else echo none; fi", "[ -f a ] ; cat a ; echo none");
    runs("while read -r l; do echo \"$l\"; done < f", "<f ; read -r l ; echo …");
    runs("echo \"$(pwd)\" $?", "pwd ; echo … …");
    runs("FOO=bar npm test -- --watch=false", "FOO=bar npm test -- --watch=false");
    runs("set -euo pipefail\ncargo build\ncargo test", "set -euo pipefail ; cargo build ; cargo test");
    runs("ls -la ~/x $HOME/y \"$HOME\"", "ls -la /home/me/x /home/me/y /home/me");
    runs("false && rm x; exit; rm y", "false ; rm x ; exit ; rm y");
}

#[test]
fn disguises() {
    runs("r\"\"m x", "rm x");
    runs("\\rm x", "rm x");
    runs("$'\\x72m' x", "rm x");
    runs("{rm,-rf,/}", "rm -rf /");
    runs("$(echo rm) x", "echo rm ; …+ x");
    runs("${x:=rm} y", "…+ y");
    runs("rm${IFS}-rf${IFS}/", "rm -rf /");
    runs("X=rm; Y=$X; $Y x", "X=rm ; Y=rm ; rm x");
    runs("! ! rm x", "rm x");
    runs("\"r\"\\m x", "rm x");
    runs("rm 2>&1 x", "rm x");
    runs("x=$((rm -rf /)|cat) y", "rm -rf / ; cat ; x=… y");
    runs("echo $((rm) && ls)", "rm ; ls ; echo …+");
    runs("((rm); (ls))", "rm ; ls");
    runs("cat <<E\n$((rm) | ls)\nE", "rm ; ls ; cat <<…\\n".replace("<<…\\n", "<<'…\\n'").as_str());
    runs("echo ${x:-$(rm a # }\n)} b", "rm a ; echo …+ b");
    runs("echo ${x:-$(case a in a) rm b;; esac)}", "rm b ; echo …+");
    runs("echo $((1 + $(rm a)))", "rm a ; echo …+ @? ; ?");
    runs("echo ${a[$(rm b)]}", "rm b ; echo …+ @? ; ?");
    runs("[[ $(rm a) == b ]]", "rm a");
    runs("case $(rm a) in $(rm b)) c;; esac", "rm a ; rm b ; c");
    runs("ls > $(rm a)", "rm a ; ls >…+");
    runs("x=$(rm a)", "rm a ; x=…");
    runs("x=($(rm a))", "rm a ; x=(…)");
    runs("echo <(rm a)", "rm a ; echo /dev/fd/…");
    runs("echo `rm \\`ls\\``", "ls ; rm …+ ; echo …+");
    runs("f() { rm \"$@\"; }; f a 'b c'", "rm a 'b c'");
    runs("eval 'rm a'; eval \"r\"m b", "eval 'rm a' ; rm a ; eval rm b ; rm b");
    runs("trap 'rm a' EXIT", "trap 'rm a' EXIT ; rm a @?");
    runs("coproc rm a", "rm a");
    runs("a\u{a0}b c\r", "a\u{a0}b c\r");
}

#[test]
fn variables() {
    runs("X=.env; cat \"$X\" $X", "X=.env ; cat .env .env");
    runs("X='a b'; cat $X \"$X\"", "X='a b' ; cat a b 'a b'");
    runs("for x in a b; do cat $x; done", "cat a ; cat b");
    runs("for x in a $U; do cat $x \"$x\"; done", "cat …+ …");
    runs("X=a; if b; then X=c; fi; cat $X", "X=a ; b ; X=c ; cat …+");
    runs("if b; then X=c; else X=c; fi; cat $X", "b ; X=c ; X=c ; cat c");
    runs("X=a; (X=b); cat $X", "X=a ; X=b ; cat a");
    runs("X=a; b | X=c; cat $X", "X=a ; b ; X=c ; cat a");
    runs("X=a; while b; do cat $X; X=c; done", "X=a ; b ; cat …+ ; X=c");
    runs("X=a; read X; cat \"$X\"", "X=a ; read X ; cat …");
    runs("export A=b; cat $A; declare -x C=$A; cat $C", "export A=b ; cat b ; declare -x C=b ; cat b");
    runs("IFS=b; X=abc; cat $X \"$X\"", "IFS=b ; X=abc ; cat …+ abc");
    runs("X=a; source f; cat $X", "X=a ; source f ; cat …+ @?");
    runs("X=a; eval \"$Y\"; cat $X", "X=a ; eval … ; cat …+ @? ; ?");
    runs("i=0; i=$((i+1)); head -$i f", "i=0 ; i=… ; head -… f");
    runs("x=a.rs; cat ${x%.rs}.o ${x##*.}", "x=a.rs ; cat a.o rs");
    runs("A=(a 'b c'); cat \"${A[@]}\"", "A=(…) ; cat a 'b c'");
    runs("HOME=/x; cat ~/a", "HOME=/x ; cat /x/a");
    runs("cat ~root/a ~+/b", "cat …/a /w/b");
    runs("cat src/*.r[s] {a,b}?", "cat src/«*».r«[s]» a«?» b«?»");
}

#[test]
fn what_can_run_code_is_unknown() {
    for text in [
        "echo ${x@P}",
        "echo ${!x}",
        "echo $((x))",
        "echo $(($x))",
        "((x))",
        "[[ $x -eq 1 ]]",
        "let x+1",
        "test -v \"$x\"",
        "[ $x -gt 1 ]",
        "declare -i y=$x",
        "printf -v \"$x\" a",
        "printf -v 'a[$(b)]' c",
        "read 'a[$(b)]'",
        "unset 'a[$(b)]'",
        "echo ${a[$x]}",
        "a[$x]=b",
        "echo ${y:$x}",
        "eval $x",
        "trap \"$x\" EXIT",
        "f() { f; }; f",
        "set -k; a b=c",
        "declare -n x=y",
        "set -o posix",
        "mapfile -C cb a",
        "enable -f x y",
        "for ((i=x;;)); do a; done",
        "for ((i=0; i<(i=0;i); i++)); do a; done",
        "for ((i=0;i<((i=0;i<3;i++)); do a; done",
        "compgen -C x",
    ] {
        assert!(!read(text, &start()).unknown.is_empty(), "{text:?}: {}", shown(&read(text, &start())));
    }
    for text in [
        "echo $((1+2)) ${#x} $? $# $$ $RANDOM",
        "for ((i=0;i<3;i++)); do a $i; done",
        "i=0; while [ $i -lt 3 ]; do ((i++)); done",
        "[ $? -eq 0 ]",
        "[ \"$x\" = a ]",
        "[ -n \"$x\" ]",
        "[ -z \"$x\" -o \"$y\" = b ]",
        "test -f \"$x\"",
        "[[ -n $x && $y == *a ]]",
        "n=3; echo $((n*2)) ${x:n}",
        "[[ $# -gt 1 ]]",
        "while getopts ab: o; do case $o in a) b;; esac; done",
        "printf '%s\\n' \"$x\"",
        "trap - EXIT",
        "local_x=1",
        "x=$(a); y=\"$x\"; b $y",
        "[ ! -d \"$x\" ]",
    ] {
        assert_eq!(read(text, &start()).unknown, [], "{text:?}");
    }
}

#[test]
fn directories() {
    runs("cd a && b; c", "cd a ; b @a ; c @a|.");
    runs("cd a; cd b; c", "cd a ; cd b @a|. ; c @a/b|b|a|.");
    runs("cd a || exit 1; b", "cd a ; exit 1 ; b @a");
    runs("(cd a && b); c", "cd a ; b @a ; c");
    runs("cd a | b; c", "cd a ; b ; c");
    runs("cd a & b", "cd a ; b");
    runs("if a; then cd b; fi; c", "a ; cd b ; c @b|.");
    runs("cd \"$X\" && a", "cd … ; a @?");
    runs("cd - && a", "cd - ; a @?");
    runs("cd && a", "cd ; a @/home/me");
    runs("HOME=/b cd && a", "HOME=/b cd ; a @?");
    runs("CDPATH=/ cd a; b", "CDPATH=/ cd a ; b @?");
    runs("cd ~/b && a", "cd /home/me/b ; a @/home/me/b");
    runs("pushd a && b && popd && c", "pushd a ; b @a ; popd @a ; c");
    runs("while a; do cd b; done; c", "a @? ; cd b @? ; c @?");
    runs("cd a && cd /b && c", "cd a ; cd /b @a ; c @/b");
    runs("CDPATH=/x; cd a && b", "CDPATH=/x ; cd a ; b @?");
    runs("f() { cd a; }; f && b", "cd a ; b @a");
    runs("x=$(cd a; b)", "cd a ; b @a|. ; x=…");
}

#[test]
fn names_that_are_rebound() {
    runs("alias ls=rm; ls a", "alias ls=rm ; ls a ! @.".trim_end_matches(" @."));
    runs("if a; then rm() { b; }; fi; rm c", "a ; rm c ! ; b");
    runs("hash -p /x/y ls; ls", "hash -p /x/y ls ; ls !");
    runs("ls() { a; }", "");
    runs("ls() { a; }; ls; command ls", "a ; command ls");
    runs("\"$X\"; ls", "… ; ls @?");
}

#[test]
fn redirections() {
    runs("a > b 2>> c < d &> e <> f", "a >b >>c <d >e <>f");
    runs("a >/dev/null 2>&1 3>&-", "a >/dev/null --");
    runs("a > /dev/tcp/h/1", "a >/dev/tcp/h/1");
    runs("{ a; b; } > c", ">c ; a ; b");
    runs("a >& b", "a >b");
    runs("a > \"$x\" 2> *.txt", "a >… >«*».txt");
    runs("> a", ">a");
    let script = read("a 2>b &>c {fd}>d >/dev/null <&3 >/dev/tcp/h/1 </dev/fd/3", &start());
    let all: Vec<_> = script.commands[0].redirections.iter().map(|r| (r.fd.clone(), r.free)).collect();
    let expected = [
        (Descriptor::Number(2), false),
        (Descriptor::Both, false),
        (Descriptor::Named("fd".into()), false),
        (Descriptor::Default, true),
        (Descriptor::Default, true),
        (Descriptor::Default, false),
        (Descriptor::Default, true),
    ];
    assert_eq!(all, expected);
}

#[track_caller]
fn fed(text: &str, expected: Option<&str>) {
    let script = read(text, &start());
    let last = script.commands.iter().rfind(|c| c.words.first().is_some_and(|w| w.shown() == "sh")).unwrap();
    let word = last.literal_stdin(&script.commands);
    assert_eq!(word.and_then(|w| w.literal().map(String::from)).as_deref(), expected, "{text:?}");
}

#[test]
fn what_is_fed_to_a_command() {
    fed("sh <<'E'\nrm $x\nE", Some("rm $x\n"));
    fed("cat <<'E' | sh\nrm a\nE", Some("rm a\n"));
    fed("cat <<'E' | cat | sh\nrm a\nE", Some("rm a\n"));
    fed("echo rm a | sh", Some("rm a\n"));
    fed("sh <<< 'rm a'", Some("rm a"));
    fed("{ sh; } <<< 'rm a'", Some("rm a"));
    fed("sh <<E\n$x\nE", None);
    fed("cat f | sh", None);
    fed("echo -e a | sh", None);
    fed("{ echo a; echo b; } | sh", None);
    fed("cat <<'E' - f | sh\nrm a\nE", None);
    fed("sh < f", None);
    fed("sh", None);
    fed("cat() { a; }; cat <<'E' | sh\nb\nE", None);
    let script = read("a | b | c; d < e", &start());
    assert_eq!(script.commands[2].stdin, Stdin::Pipe([1].into()));
    assert_eq!(script.commands[3].stdin, Stdin::File(Word { span: (15, 16), ..Word::text("e") }));
}

#[test]
fn what_later_commands_inherit() {
    let script = read("export A=b; C=$X; PATH=/x; ls", &start());
    let env: Vec<_> =
        script.commands[3].env.iter().map(|v| (v.name.as_str(), v.value.is_some(), v.exported)).collect();
    assert_eq!(env, [("A", true, true), ("C", true, false), ("PATH", true, false)]);
    assert_eq!(script.changes.env.len(), 3);
    assert!(read("source a; ls", &start()).commands[1].after_unknown);
    assert!(!read("a; ls", &start()).commands[1].after_unknown);
}

#[test]
fn spans_are_those_of_the_text() {
    let text = "ls a && x=$(rm b) | `git c` <<E\n$(cat d)\nE\n";
    for command in read(text, &start()).commands {
        let written = &text[command.span.0..command.span.1];
        let last = command.words.last().map(Word::shown).unwrap_or_default();
        assert!(written.contains(last.trim_end_matches('…')), "{written:?}: {last}");
    }
}

#[test]
fn what_a_script_is_given() {
    let given = Start { positional: Some(vec![Word::text("a"), Word::text("b c")]), ..Start::default() };
    assert_eq!(shown(&read("x $1 $2 \"$@\" $#", &given)), "x a b c a 'b c' 2");
    assert_eq!(shown(&read("x $1 \"$@\"", &Start::default())), "x …+ …+");
    assert_eq!(shown(&read("cat ~/a", &Start::default())), "cat …/a");
    assert_eq!(shown(&read("shopt -s nullglob; ls @(a)", &Start::default())), "shopt -s nullglob ; ?");
    assert_eq!(shown(&read("x a && y b; z (", &Start::default())), "x a ; y b ; ?");
    assert_eq!(shown(&read("ls @(a)", &Start { extglob: true, ..Start::default() })), "ls …+");
}

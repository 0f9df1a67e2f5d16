//! The parser: every byte in a token, unknown instead of lost, bounded.

use super::super::cursor::{MAX_TEXT, Parser, Place, Token};
use super::super::parse::Program;
use super::{read, start};
use proptest::prelude::*;

/// Parses, and checks that the tokens lie side by side and are what they say.
#[track_caller]
fn tiled(text: &str) -> Program {
    let mut parser = Parser::new(text, Place::From(0), 0);
    parser.tape = Some(Vec::new());
    let program = parser.program();
    let tape = parser.tape.take().unwrap();
    let mut at = 0;
    for (token, from, to) in tape {
        assert_eq!(from, at, "a gap before {token:?} in {text:?}");
        at = to;
        let bytes = &text.as_bytes()[from..to];
        match token {
            Token::Blank => assert!(bytes.iter().all(|b| matches!(b, b' ' | b'\t' | b'\\' | b'\n'))),
            Token::Newline => assert_eq!(bytes, b"\n"),
            Token::Comment => assert!(bytes.starts_with(b"#") && !bytes.contains(&b'\n')),
            Token::Operator | Token::Text | Token::Quote | Token::Expansion | Token::Heredoc => {}
        }
    }
    assert_eq!(at, parser.pos);
    assert!(program.error.is_some() || at == text.len(), "stopped at {at} of {text:?}");
    program
}

#[track_caller]
fn parses(text: &str) {
    let program = tiled(text);
    assert!(program.error.is_none(), "{text:?}: {:?}", program.error);
}

#[track_caller]
fn does_not_parse(text: &str) {
    assert!(tiled(text).error.is_some(), "{text:?}");
    assert!(!read(text, &start()).unknown.is_empty(), "{text:?}");
}

#[test]
fn what_is_not_bash_is_unknown() {
    for text in [
        "echo 'a",
        "echo \"a",
        "echo $(a",
        "echo `a",
        "echo ${a",
        "echo $((1",
        "(a",
        "{ a",
        "{ a }",
        "if a; then b",
        "a &&",
        "a |",
        "a ;; b",
        "; a",
        "a & ; b",
        "do a",
        "fi",
        "a (b)",
        "echo (a)",
        "f() a",
        "case a in b) c",
        "while a; done",
        "for x in a; b",
        "cat <<E",
        "cat <<E\nx",
        "a >",
        "a > ;",
        "a 2>",
        "[[ a",
        "[[ a b ]]",
        "[[ ]]",
        "echo @(a|b)",
        "a \\",
        "echo $'a",
        "echo ${a b}",
        "echo ${}",
        "x=(a",
        "x=(a;b)",
        "echo x=(a)",
        "a[1 2] b",
        "a | ! b",
        "if; then a; fi",
        "if a; then; fi",
        "() { a; }",
        "echo ${ a; }",
        "a\0b",
        "echo $(cat <<E)\nE\n",
        "! ! (a",
        "}",
        "a }; }",
        "select",
        "coproc",
        "function",
        "((1)",
        "cat <<$x\n$x\n",
        "cat <<E$[\t\t\n",
        "x=$(cat <<E\na\nE)\nb\nE\n)",
        "<<E$[\t\t",
        "echo \"${x:-'}'}\"",
        "if\\\n true; then a; fi; i\\\nf b",
        "a <\\\n<E",
        "a=(b)c(",
        "[[ a =~ ]]",
        "foo=\\",
    ] {
        does_not_parse(text);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one line a case")]
fn what_bash_reads_is_read() {
    for text in [
        "",
        "\n",
        "# c",
        "a",
        "a;",
        "a &",
        "a\n\n b # c\n",
        "! a",
        "! ! a",
        "time a",
        "time -p a | b",
        "time",
        "!",
        "a |& b",
        "{ a; }",
        "{\na\n}",
        "( a )",
        "(a;b)",
        "if a; then b; elif c; then d; else e; fi",
        "while a; do b; done",
        "until a; do b; done",
        "for x in a b; do c; done",
        "for x; do c; done",
        "for x in; do c; done",
        "for x\ndo c\ndone",
        "for ((i=0; i<3; i++)); do a; done",
        "for ((;;)) { a; }",
        "for x in a; { b; }",
        "select x in a; do b; done",
        "case a in b) c;; (d|e) f;& *) g;;& esac",
        "case a in esac",
        "case a in b) esac",
        "case a in b) ;; esac",
        "[[ -n $a && ! ( $b == c* || $d =~ ^(a|b)+$ ) ]]",
        "[[ a < b ]]",
        "[[ $x == @(a|b) ]]",
        "(( 1 + (2) ))",
        "((a)) && b",
        "f() { a; }",
        "function f { a; }",
        "function f() ( a )",
        "f () if a; then b; fi",
        "coproc a b",
        "coproc N { a; }",
        "a > b 2>&1 < c >> d <> e >| f &> g &>> h >&2 <&- 3>&1- {fd}> i <<< j",
        ">a",
        "2>&1 a",
        "a>b",
        "a 2>/dev/null&",
        "cat <<E\na\nE",
        "cat <<-E\n\ta\n\tE\n",
        "cat <<'E'\n$(\nE",
        "cat <<A <<B; c\na\nA\nb\nB\n",
        "cat <<E | b\nx\nE",
        "cat <<\\E\n`\nE\n",
        "x=$(cat <<E\na\nE\n) b",
        "a=1 b=2 c",
        "a+=1",
        "a=",
        "a[1]=x",
        "a[i+1]+=x",
        "a=(b c [3]=d)",
        "declare -a a=(b c)",
        "a=(\n b # c\n c\n)",
        "echo ${a} ${a:-b} ${a-b} ${a:=b} ${a:?b} ${a:+b} ${#a} ${!a} ${!a*}",
        "echo ${a#b} ${a##b} ${a%b} ${a%%b} ${a/b/c} ${a//b} ${a^} ${a,,} ${a:1:2} ${a@Q} ${a[1]} ${a[@]} ${#a[@]} ${!a[@]}",
        "echo $1 $@ $* $# $? $$ $! $- $_ $0 ${10} ${@:2} ${#} ${?}",
        "echo \"$(a \"b\" 'c)')\"",
        "echo `a \\`b\\``",
        "echo $[1+2]",
        "echo $((1+(2*3)))",
        "echo $((a) && b)",
        "echo $((a);(b))",
        "((a); (b))",
        "diff <(a) <(b)",
        "a > >(b)",
        "echo a#b",
        "echo $'a\\n\\'b\\x41\\101\\u41'",
        "echo $\"a $(b)\"",
        "echo {a,b}{1..3}",
        "a \\\n b",
        "echo \"a\\\nb\"",
        "a &&\nb ||\nc |\nd",
        "echo ${x:-$(case a in b) c;; esac)}",
        "echo ${x:-$(a # }\n)}",
        "echo $(# )\na)",
        "if a; then b; fi > c",
        "echo }",
        "echo {",
        "echo if then",
        "r\\\nm x",
        "echo ~ ~/a ~b",
        "[ a = b ]",
        "x=`a`",
        "a;b&c",
        "cd x&&a",
        "\u{a0}a",
        "a\r\nb\r\n",
        "echo $",
        "echo a$",
        "f() { a; }; f",
        "(a) | (b)",
        "{ a; } | { b; }",
        "while read x; do a; done < b",
        "echo ${a:-'}'}",
        "echo \"${a:-b\\}c}\"",
        "shopt -s extglob\necho @(a|b)",
        "echo \"$((1 + $(a)))\"",
        "a[0]",
        "ls a[bc]*",
        "echo \"${a[\"b\"]}\"",
        "A['k']=v",
        "echo ${A[\"k\"]}",
        "echo \"`a`\"",
        "a 1>&2 b",
        "! (a)",
        "echo '$('",
        "a <<<$(b)",
        "a <<< \"b c\"",
        "x=1 >f",
        "echo $((x<<2)) $((1<(2)))",
        "time ! a",
    ] {
        parses(text);
        assert!(read(text, &start()).commands.len() < 100, "{text:?}");
    }
}

#[test]
fn deep_and_long_texts_are_answered_quickly() {
    for opening in [
        "(",
        "((",
        "{ ",
        "{",
        "$(",
        "$((",
        "`",
        "\"$(",
        "${x:-",
        "<(",
        "if ",
        "! ",
        "[[ ( ",
        "a=(",
        "$[",
        "x[",
        "f() {",
        "case x in (",
        "$((a $((",
        "((a) ",
        "\\",
        "'",
    ] {
        let text = opening.repeat(10_000);
        tiled(&text);
        drop(read(&text, &start()));
        drop(read(&format!("echo {text}"), &start()));
        drop(read(&format!("echo \"{text}"), &start()));
    }
    let long = "x".repeat(MAX_TEXT);
    assert_eq!(read(&long, &start()).commands.len(), 1);
    assert_eq!(read(&(long + "x"), &start()).unknown.len(), 1);
    for line in [
        "git log --oneline | head -5\n",
        "a=b; ",
        "cd x; ",
        "if a; then b; fi\n",
        "for x in 1 2 3; do y $x; done\n",
        "f() { a; }; f\n",
        "a | ",
        "a <<E\nb\nE\n",
    ] {
        let text = line.repeat(100_000 / line.len()) + "z";
        let script = read(&text, &start());
        assert!(!script.commands.is_empty() || !script.unknown.is_empty());
    }
    for (opening, closing) in [
        ("( ", " )"),
        ("{ ", "; }"),
        ("x $(", ")"),
        ("if a; then ", "; fi"),
        ("a \"$(", ")\""),
        ("${x:-", "}"),
    ] {
        let text = opening.repeat(15) + "a" + &closing.repeat(15);
        assert_eq!(read(&text, &start()).unknown, [], "{text:?}");
        drop(read(&(opening.repeat(47) + "a" + &closing.repeat(47)), &start()));
    }
    let doubling: String =
        (0..40).map(|n| format!("f{}() {{ f{n}; f{n}; }}\n", n + 1)).collect::<Vec<_>>().concat() + "f40";
    assert!(!read(&doubling, &start()).unknown.is_empty());
    let loops = "for x in 1 2 3 4 5 6 7 8; do ".repeat(12) + "a" + &"; done".repeat(12);
    assert!(!read(&loops, &start()).unknown.is_empty());
    let loops = "while a; do x=$y; y=$z; ".repeat(20) + "a" + &"; done".repeat(20);
    drop(read(&loops, &start()));
}

#[test]
fn earlier_lines_are_known_before_one_that_is_not() {
    let script = read("ls a\necho 'b\nrm c", &start());
    assert_eq!(script.commands.len(), 1);
    assert_eq!(script.unknown[0].span, (5, 17));
}

const SOUP: [&str; 74] = [
    "a",
    "rm",
    "x",
    " ",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "{ ",
    "; }",
    "$(",
    "$((",
    "`",
    "\"",
    "'",
    "$'",
    "$\"",
    "\\",
    "\\\n",
    "#",
    "if ",
    "then ",
    "else ",
    "fi",
    "for x in ",
    "do ",
    "done",
    "while ",
    "case x in ",
    "esac",
    ";;",
    "[[ ",
    " ]]",
    "f() ",
    "function f ",
    "time ",
    "! ",
    "coproc ",
    ">",
    "<",
    ">>",
    "<<E\n",
    "\nE\n",
    "<<<",
    "2>&1",
    "<(",
    "${x",
    "${x:-",
    "${x#",
    "${!",
    "x=",
    "x=(",
    "a[",
    "]",
    "*",
    "?",
    "~",
    "{a,b}",
    "$x",
    "$@",
    "eval ",
    "cd ",
    "\u{e9}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        tiled(&text);
        drop(read(&text, &start()));
    }

    #[test]
    fn any_soup_is_read(picks in prop::collection::vec(0..SOUP.len(), 0..40)) {
        let text: String = picks.iter().map(|pick| SOUP[*pick]).collect();
        tiled(&text);
        let script = read(&text, &start());
        for command in &script.commands {
            prop_assert!(text.get(command.span.0..command.span.1).is_some(), "{:?} in {:?}", command.span, text);
        }
    }
}

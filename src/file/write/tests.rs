//! What is put in order, and that nothing else is changed.

use proptest::prelude::*;

use super::{CannotFormat, format, same};
use crate::file::tree::{Format, read};
use crate::source::SourceId;

#[track_caller]
fn becomes(text: &str, kind: Format, expected: &str) {
    assert_eq!(format(text, kind).as_deref(), Ok(expected), "{text}");
    assert_eq!(format(expected, kind).as_deref(), Ok(expected), "twice is as once: {text}");
}

#[test]
fn toml_is_spaced() {
    for (text, expected) in [
        ("a=1", "a = 1\n"),
        ("  a  =  1  \n\n\n\nb=2\n\n", "a = 1\n\nb = 2\n"),
        ("a.  b=1.5 # c  ", "a.b = 1.5 # c\n"),
        ("a=1#c", "a = 1 #c\n"),
        ("a = 1    # c\nbb = 2   # d", "a = 1    # c\nbb = 2   # d\n"),
        ("a=[ 1,2 , 3 ]", "a = [1, 2, 3]\n"),
        ("a={b=1,c={ }}", "a = { b = 1, c = {} }\n"),
        ("a = [\n1,\n  [2,\n3], # x\n]", "a = [\n    1,\n    [2,\n        3], # x\n]\n"),
        (
            "[[ r ]]\n\n\na=1\n[[r]]\n# about b\n\n# about s\n[ r . s ]\nb=2",
            "[[r]]\na = 1\n\n[[r]]\n# about b\n\n# about s\n[r.s]\nb = 2\n",
        ),
        ("a = 1\n# about r\n[[r]]\nb = 1", "a = 1\n\n# about r\n[[r]]\nb = 1\n"),
        ("# top\n\n\n# more\na = 1", "# top\n\n# more\na = 1\n"),
        ("\n\n# end", "# end\n"),
        ("a = \"\"\"\n  x  \n\n\n y\"\"\"  \n", "a = \"\"\"\n  x  \n\n\n y\"\"\"\n"),
        ("a = 1\r\nb = '  '\r\n", "a = 1\nb = '  '\n"),
        ("'a b' . c=-1", "'a b'.c = -1\n"),
    ] {
        becomes(text, Format::Toml, expected);
    }
}

#[test]
fn json_is_spaced() {
    for (text, expected) in [
        ("{}", "{}\n"),
        ("{\"a\":1,\"b\" : [ 1,2 ]}", "{ \"a\": 1, \"b\": [1, 2] }\n"),
        (
            "{\n\n\"a\":\n1,\n\n\n\"b\":[\n{\"c\":\"x: y,\\\"\"}]\n\n}\n\n",
            "{\n  \"a\":\n  1,\n\n  \"b\": [\n    { \"c\": \"x: y,\\\"\" }]\n}\n",
        ),
        ("[ ]", "[]\n"),
        ("-1.5e3", "-1.5e3\n"),
    ] {
        becomes(text, Format::Json, expected);
    }
}

#[test]
fn yaml_keeps_its_indentation() {
    for (text, expected) in [
        ("a: 1  \n\n\n\nb: 2", "a: 1\n\nb: 2\n"),
        (
            "rules:\n  - x: 1\n  # about y\n  - y: 1\n\n\n  - z: 1\n",
            "rules:\n  - x: 1\n\n  # about y\n  - y: 1\n\n  - z: 1\n",
        ),
        ("rules: [{x: 1},\n {y: 1}]", "rules: [{x: 1},\n {y: 1}]\n"),
        ("a: |\n  x  \n\n\n  y\nb: 1  # c  \n", "a: |\n  x  \n\n\n  y\nb: 1  # c\n"),
        ("a: \"x  \n\n\n  y\"\nb: 1\n", "a: \"x  \n\n\n  y\"\nb: 1\n"),
        ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
        ("# top\n\n\n# more\na: 1", "# top\n\n# more\na: 1\n"),
    ] {
        becomes(text, Format::Yaml, expected);
    }
}

#[test]
fn what_would_change_is_left_alone() {
    assert_eq!(format("a: |+\n  x\n\n\nb: 1", Format::Yaml), Err(CannotFormat::WouldChange));
    assert!(
        matches!(format("a = ", Format::Toml), Err(CannotFormat::Unreadable(problems)) if problems.len() == 1)
    );
}

#[test]
fn every_key_stays() {
    for (text, kind) in [
        (include_str!("../tests/every_key.toml"), Format::Toml),
        (include_str!("../tests/every_key.yaml"), Format::Yaml),
        (include_str!("../tests/every_key.json"), Format::Json),
    ] {
        let written = format(text, kind).unwrap();
        assert_eq!(format(&written, kind).as_deref(), Ok(written.as_str()));
    }
    let toml = include_str!("../tests/every_key.toml");
    assert_eq!(format(toml, Format::Toml).as_deref(), Ok(toml));
}

/// Lines with odd spacing that are often TOML, YAML or JSON.
fn lines(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let blank = prop::sample::select(&["", " ", "  ", "\t", "\n", "\n\n\n", " \n", "\r\n"][..]);
    prop::collection::vec((prop::sample::select(pieces), blank), 0..25)
        .prop_map(|parts| parts.into_iter().flat_map(|(piece, blank)| [piece, blank]).collect())
}

fn check(text: &str, kind: Format) -> Result<(), TestCaseError> {
    match format(text, kind) {
        Ok(written) => {
            prop_assert_eq!(format(&written, kind), Ok(written.clone()), "twice is as once: {:?}", text);
            let (before, after) =
                (read(text, kind, SourceId(0)).unwrap(), read(&written, kind, SourceId(0)).unwrap());
            prop_assert!(same(&before, &after));
            let comments = |text: &str| text.matches('#').count();
            prop_assert_eq!(comments(text), comments(&written));
        }
        Err(CannotFormat::Unreadable(problems)) => prop_assert!(!problems.is_empty()),
        Err(CannotFormat::WouldChange) => prop_assert!(kind == Format::Yaml, "{:?} cannot be kept", text),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn toml_twice_is_as_once(text in lines(&["a=1\n", "b", "=", "c.d", "[x]\n", "[[r]]\n", "# c", "\n", "[", "]", ",", "{", "}", "'s'", "\"\"\"\n x \n\n\"\"\"", "e = [1,\n2]\n", "f = { g = 1 }\n"])) {
        check(&text, Format::Toml)?;
    }

    #[test]
    fn yaml_twice_is_as_once(text in lines(&["a: 1\n", "b:\n", "  - c\n", "- d: 1\n", "  e: 2\n", "# c\n", "|\n", "rules:\n", "\"x\n", "y\"", ">+\n", "  z\n", "[", "]", "{", "}", ",", "f: "])) {
        check(&text, Format::Yaml)?;
    }

    #[test]
    fn json_twice_is_as_once(text in lines(&["{", "}", "[", "]", ",", ":", "\"a\"", "\"b\": 1", "{\"c\": [", "]}", "1", "null", "\"x, y: \\\"{\""])) {
        check(&text, Format::Json)?;
    }
}

//! The neutral tree: values, places, and what each reader refuses.

use proptest::prelude::*;
use serde_json::json;

use super::bad;
use crate::file::tree::{Format, Kind, Node, read};
use crate::source::SourceId;

const FORMATS: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

#[track_caller]
fn tree(text: &str, format: Format) -> Node {
    read(text, format, SourceId(0)).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

/// Every value with what is written at its place.
fn places<'t>(node: &Node, text: &'t str, out: &mut Vec<&'t str>) {
    out.push(&text[node.span.range()]);
    match &node.kind {
        Kind::List(items) => items.iter().for_each(|item| places(item, text, out)),
        Kind::Map(entries) => {
            for entry in entries {
                out.push(&text[entry.key.span.range()]);
                places(&entry.value, text, out);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) => {}
    }
}

#[track_caller]
fn stands(text: &str, format: Format, expected: &[&str]) {
    let mut found = Vec::new();
    places(&tree(text, format), text, &mut found);
    assert_eq!(found, expected, "{text}");
}

#[test]
fn every_value_knows_its_place() {
    stands("a = 1\nb.c = 'x'", Format::Toml, &["a = 1\nb.c = 'x'", "a", "1", "b", "c = 'x'", "c", "'x'"]);
    stands(
        "\"é\" = [1, {b = 2}]",
        Format::Toml,
        &["\"é\" = [1, {b = 2}]", "\"é\"", "[1, {b = 2}]", "1", "{b = 2}", "b", "2"],
    );
    stands(
        "[[r]]\na = 1 # x\n\n[r.s]\nb = 2\n\n[[r]]\na = 3\n",
        Format::Toml,
        &[
            "[[r]]\na = 1 # x\n\n[r.s]\nb = 2\n\n[[r]]\na = 3",
            "r",
            "a = 1 # x\n\n[r.s]\nb = 2\n\n[[r]]\na = 3",
            "a = 1 # x\n\n[r.s]\nb = 2",
            "a",
            "1",
            "s",
            "b = 2",
            "b",
            "2",
            "a = 3",
            "a",
            "3",
        ],
    );
    stands(
        "a: 1\nb:\n  - x y\n  - 'z'\n",
        Format::Yaml,
        &["a: 1\nb:\n  - x y\n  - 'z'", "a", "1", "b", "- x y\n  - 'z'", "x y", "'z'"],
    );
    stands(
        "é: |\n  text\n\nb: {c: [1, \"d\"] }\n",
        Format::Yaml,
        &[
            "é: |\n  text\n\nb: {c: [1, \"d\"] }",
            "é",
            "|\n  text",
            "b",
            "{c: [1, \"d\"] }",
            "c",
            "[1, \"d\"]",
            "1",
            "\"d\"",
        ],
    );
    stands(
        "{\"é\": [1, {\"b\": null}]}",
        Format::Json,
        &[
            "{\"é\": [1, {\"b\": null}]}",
            "\"é\"",
            "[1, {\"b\": null}]",
            "1",
            "{\"b\": null}",
            "\"b\"",
            "null",
        ],
    );
}

#[test]
fn plain_yaml_follows_the_core_schema() {
    for (text, value) in [
        ("no", json!("no")),
        ("yes", json!("yes")),
        ("on", json!("on")),
        ("off", json!("off")),
        ("True", json!(true)),
        ("FALSE", json!(false)),
        ("tRue", json!("tRue")),
        ("~", json!(null)),
        ("Null", json!(null)),
        ("'null'", json!("null")),
        ("\"1\"", json!("1")),
        ("12", json!(12)),
        ("-12", json!(-12)),
        ("+12", json!(12)),
        ("0", json!(0)),
        ("0o17", json!(15)),
        ("0x1F", json!(31)),
        ("0b1", json!("0b1")),
        ("1_000", json!("1_000")),
        ("1:30", json!("1:30")),
        ("1.5", json!(1.5)),
        (".5", json!(0.5)),
        ("1.", json!(1.0)),
        ("1e3", json!(1000.0)),
        ("1.5E-1", json!(0.15)),
        (".", json!(".")),
        ("-", json!(null)),
        ("1e", json!("1e")),
        ("e3", json!("e3")),
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("2026-01-31", json!("2026-01-31")),
        ("=", json!("=")),
    ] {
        if text == "-" {
            continue;
        }
        assert_eq!(tree(&format!("a: {text}"), Format::Yaml).to_json(), json!({ "a": value }), "{text}");
    }
}

#[test]
fn yaml_that_means_more_than_it_shows_is_refused() {
    for (text, said) in [
        (
            "a: &x 1",
            "1:4: error[E0111]: policies do without anchors (write the value out where it is needed)",
        ),
        ("a: *x", "1:4: error[E0111]: policies do without aliases (write the value out)"),
        (
            "a: !!str 1",
            "1:4: error[E0111]: policies do without tags (write the value without it; text that looks like a number goes in quotes)",
        ),
        (
            "a: ! 1",
            "1:4: error[E0111]: policies do without tags (write the value without it; text that looks like a number goes in quotes)",
        ),
        (
            "a: 1\n---\nb: 2",
            "2:1: error[E0111]: policies do without a second document (write it in a file of its own)",
        ),
        ("%YAML 1.2\n---\na: 1", "1:1: error[E0111]: policies do without directives (leave it out)"),
        ("<<: {a: 1}", "1:1: error[E0111]: policies do without merge keys (write the keys out)"),
        ("1: a", "1:1: error[E0110]: a key must be text (put it in quotes)"),
        ("true: a", "1:1: error[E0110]: a key must be text (put it in quotes)"),
        ("[a]: b", "1:1: error[E0110]: a key must be text"),
        ("? {a: b}\n: c", "1:3: error[E0110]: a key must be text"),
        (
            "a: 010",
            "1:4: error[E0110]: `010` is read as octal by some and as decimal by others (if it is text, put it in quotes)",
        ),
        ("a: .inf", "1:4: error[E0110]: infinity and not-a-number are no values of a tool call"),
        ("a: -.INF", "1:4: error[E0110]: infinity and not-a-number are no values of a tool call"),
        ("a: .NaN", "1:4: error[E0110]: infinity and not-a-number are no values of a tool call"),
        ("a: 18446744073709551616", "1:4: error[E0110]: this number is out of range"),
        ("a: 1e999", "1:4: error[E0110]: this number is out of range"),
        ("a: 1\nb: 2\na: 3", "3:1: error[E0108]: `a` stands twice in this table (keep one of them)"),
        ("a: 1\n\"a\": 3", "2:1: error[E0108]: `a` stands twice in this table (keep one of them)"),
        ("# nothing", "1:1: error[E0106]: the file has no value"),
    ] {
        assert_eq!(bad(text, Format::Yaml), [said], "{text}");
    }
}

#[test]
fn toml_and_json_refuse_what_policies_cannot_hold() {
    for (text, format, said) in [
        (
            "a = 1979-05-27",
            Format::Toml,
            "1:5: error[E0110]: a date is no value of a policy (write it as text)",
        ),
        (
            "a = inf",
            Format::Toml,
            "1:5: error[E0110]: infinity and not-a-number are no values of a tool call",
        ),
        (
            "a = -nan",
            Format::Toml,
            "1:5: error[E0110]: infinity and not-a-number are no values of a tool call",
        ),
        ("a = 99999999999999999999", Format::Toml, "1:5: error[E0110]: this number is out of range"),
        (
            "a = 1\n[b]\n[b]",
            Format::Toml,
            "3:2: error[E0108]: `b` stands twice in this table (keep one of them)",
        ),
        (
            "{\"a\": 1, \"a\": 2}",
            Format::Json,
            "1:10: error[E0108]: `a` stands twice in this table (keep one of them)",
        ),
        (
            "{\"a\": 1, \"\\u0061\": 2}",
            Format::Json,
            "1:10: error[E0108]: `a` stands twice in this table (keep one of them)",
        ),
        ("{\"a\": 1e999}", Format::Json, "1:11: error[E0107]: not JSON: number out of range"),
        ("{\"a\": 18446744073709551616}", Format::Json, "1:7: error[E0110]: this number is out of range"),
        (
            "{\"a\": 1,}",
            Format::Json,
            "1:9: error[E0107]: not JSON: trailing comma (leave out the comma in front of it)",
        ),
        (
            "{'a': 1}",
            Format::Json,
            "1:2: error[E0107]: not JSON: key must be a string (texts and keys stand in double quotes)",
        ),
        (
            "{a: 1}",
            Format::Json,
            "1:2: error[E0107]: not JSON: key must be a string (keys stand in double quotes)",
        ),
        (
            "{\"a\": [1]",
            Format::Json,
            "1:9: error[E0107]: not JSON: EOF while parsing an object (close what is open: `\"`, `]`, `}`)",
        ),
        (
            "a = [x]",
            Format::Toml,
            "1:6: error[E0107]: not TOML: string values must be quoted, expected literal string (put it in quotes)",
        ),
        (
            "a = [\"x\"\nb = \"y\"\n[[c]]\nd = 1",
            Format::Toml,
            "2:1: error[E0107]: not TOML: missing comma between array elements, expected `,` (write `,` between the items of a list, and `]` behind the last)",
        ),
        (
            "a: *",
            Format::Yaml,
            "1:4: error[E0107]: not YAML: while scanning an anchor or alias, did not find expected alphabetic or numeric character (text that starts with `*`, `&`, `@`, `%` or a backquote goes in quotes)",
        ),
        (
            "a: b: c",
            Format::Yaml,
            "1:5: error[E0107]: not YAML: mapping values are not allowed in this context (text with `: ` in it goes in quotes; a list that starts with `[` ends with `]`)",
        ),
        (
            "a:\n\t- b",
            Format::Yaml,
            "2:2: error[E0107]: not YAML: tabs disallowed within this context (block indentation) (indent with blanks)",
        ),
        ("{\"a\": \"\\ud800\"}", Format::Json, "1:14: error[E0107]: not JSON: unexpected end of hex escape"),
        (
            "{\"a\": 1}\n// x",
            Format::Json,
            "2:1: error[E0107]: not JSON: trailing characters (JSON has no comments; a policy with comments can be TOML or YAML)",
        ),
    ] {
        assert_eq!(bad(text, format), [said], "{text}");
    }
}

#[test]
fn escapes_in_json_mean_what_they_say() {
    let text = r#"{"\ud83e\udd80\u0041\n": "\ud83e\udd80 é \u0000\"\\\/"}"#;
    assert_eq!(tree(text, Format::Json).to_json(), serde_json::from_str::<serde_json::Value>(text).unwrap());
}

#[test]
fn the_first_of_two_toml_keys_is_found_in_its_own_table() {
    for (text, first) in [
        ("a.b = 1\na.b = 2", 2),
        ("b = 1\na.b = 1\nb = 2", 0),
        ("x = { b = 1 }\nb = 1\ny = { b = 1 }\nb = 2", 14),
        ("[[r]]\nb = 1\n[[r]]\nb = 1\nb = 2", 18),
        ("\"b\" = 1\nb = 1", 0),
        ("[b]\n[c]\n[b]", 1),
        ("b = { c = 1, c = 2 }", 6),
    ] {
        let problems = read(text, Format::Toml, SourceId(0)).unwrap_err();
        assert_eq!(problems.len(), 1, "{text}");
        let other = problems[0].labels.iter().find(|l| !l.primary).map(|l| l.span.start);
        assert_eq!(other, Some(first), "{text}");
    }
}

#[test]
fn depth_is_bounded_in_every_format() {
    for depth in [80, 1000, 100_000] {
        let list = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let inline = format!("a = {}1{}", "{a = ".repeat(depth), "}".repeat(depth));
        let dotted = format!("{} = 1", vec!["a"; depth].join("."));
        let header = format!("[{}]", vec!["a"; depth].join("."));
        let deep = depth.min(2000);
        let mut block: Vec<_> = (0..deep).map(|n| format!("{}a:", " ".repeat(n))).collect();
        block.push(format!("{}1", " ".repeat(deep)));
        let block = block.join(
            "
",
        );
        let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        for (text, format) in [
            (format!("a = {list}"), Format::Toml),
            (inline, Format::Toml),
            (dotted, Format::Toml),
            (header, Format::Toml),
            (list.clone(), Format::Yaml),
            (block, Format::Yaml),
            (list, Format::Json),
            (objects, Format::Json),
        ] {
            let found = bad(&text, format);
            assert!(found[0].contains("E0109"), "{format:?} {depth}: {}", found[0]);
        }
    }
    let deep_but_fine = format!(
        "version = 1\nrules = [{{ allow_by_name = [], set = {{ a = {}{} }} }}]",
        "[".repeat(50),
        "]".repeat(50)
    );
    assert!(crate::file::load_text("p", &deep_but_fine, Format::Toml).is_ok());
}

#[test]
fn unclosed_brackets_end_soon() {
    for text in ["[", "{", "[{", "{\"a\":", "a = [", "a: [", "? ", "- ", "a = \"\"\"", "[[", "{a: {b: "] {
        for format in FORMATS {
            let _ = read(&text.repeat(50_000), format, SourceId(0));
        }
    }
}

/// Text that is nearly a policy: pieces of all three formats.
fn nearly() -> impl Strategy<Value = String> {
    let pieces = [
        "version",
        "rules",
        "when",
        "args",
        "=",
        ":",
        " ",
        "\n",
        "  ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "[[",
        "]]",
        ",",
        "\"",
        "'",
        "1",
        "-",
        "true",
        "null",
        "é",
        "🦀",
        "\\",
        "\\u",
        "d800",
        "#",
        "&a",
        "*a",
        "!",
        "<<",
        "---",
        "|",
        ">",
        "%",
        "?",
        "\t",
        "\r",
        ".",
        "0x",
        "deny_by_name",
        "1e5",
        "inf",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "\"\"\"",
        "'''",
        "@",
        "`",
    ];
    let piece = prop_oneof![8 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_text_makes_a_reader_panic_and_every_place_is_in_the_text(text in prop_oneof![nearly(), any::<String>()]) {
        for format in FORMATS {
            match read(&text, format, SourceId(0)) {
                Ok(node) => places(&node, &text, &mut Vec::new()),
                Err(problems) => {
                    prop_assert!(!problems.is_empty());
                    for label in problems.iter().flat_map(|p| &p.labels) {
                        prop_assert!(text.get(label.span.range()).is_some(), "{format:?} {label:?}");
                    }
                }
            }
            if let Err(report) = crate::file::load_text("p", &text, format) {
                prop_assert!(!report.diagnostics.is_empty());
                #[cfg(feature = "cli")]
                let _ = crate::diagnostic::human(&report.diagnostics, &report.sources, true);
                let _ = crate::diagnostic::sarif(&report.diagnostics, &report.sources, |_| None);
                let plain = report.to_string();
                prop_assert_eq!(plain.lines().count(), report.diagnostics.len());
            }
        }
    }
}

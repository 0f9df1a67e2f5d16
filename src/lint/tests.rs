//! The registry is whole and in order, and every page shows what it says.

use std::fmt::Write as _;
use std::path::Path;

use super::*;
use crate::diagnostic::plain;
use crate::file::{Format, load_text};
use crate::suite::Suite;

fn linted(name: &str, text: &str, format: Format, tested: bool) -> (Vec<Diagnostic>, crate::source::Sources) {
    let loaded = load_text(name, text, format).unwrap_or_else(|report| panic!("{report}\n{text}"));
    let files = loaded.files.clone();
    let policy = Policy::compile(loaded, None).unwrap_or_else(|report| panic!("{report}\n{text}"));
    let report = tested.then(|| Suite::new(&policy, &files).run());
    (lints(&files, &policy, report.as_ref()), policy.sources().clone())
}

/// The example under a heading of a page.
fn example<'p>(page: &'p str, heading: &str) -> Option<(Format, &'p str)> {
    let rest = page.split_once(&format!("\n## {heading}\n"))?.1;
    let (language, code) = rest.split_once("```")?.1.split_once('\n')?;
    let format = if language == "yaml" { Format::Yaml } else { Format::Toml };
    Some((format, code.split_once("```")?.0))
}

/// The lines of a text that are marked.
fn marked(text: &str) -> Vec<usize> {
    text.lines().zip(1..).filter(|(line, _)| line.contains("# here")).map(|(_, number)| number).collect()
}

#[test]
fn every_file_of_a_lint_is_registered_and_the_list_is_sorted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint");
    let mut missing = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(module) = file.strip_suffix(".rs") else { continue };
        if ["mod", "tests", "allow", "dead", "lintable", "same"].contains(&module) {
            continue;
        }
        let name = module.replace('_', "-");
        if find(&name).is_none() {
            let _ = writeln!(missing, "    &{module}::{},", module.to_uppercase());
        }
    }
    assert!(missing.is_empty(), "add to ALL in src/lint/mod.rs, in the order of the names:\n{missing}");
    let names: Vec<_> = all().iter().map(|lint| lint.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted, "sort ALL in src/lint/mod.rs");
}

#[test]
fn every_page_has_its_sections_and_every_summary_is_a_line() {
    for lint in all() {
        let page = lint.page();
        for heading in ["What it does", "Why this is bad", "Fires", "Clean"] {
            assert!(
                page.contains(&format!("\n## {heading}\n")),
                "add `/// ## {heading}` to src/lint/{}.rs",
                lint.name.replace('-', "_")
            );
        }
        assert!(
            !lint.summary.is_empty() && !lint.summary.contains('\n') && !lint.summary.ends_with('.'),
            "{}",
            lint.name
        );
    }
}

#[test]
fn what_a_page_says_fires_does_so_there_and_nothing_else_does() {
    for lint in all() {
        let page = lint.page();
        let (format, text) = example(&page, "Fires").unwrap();
        let of_tests = ["no-tests", "untested-rule"].contains(&lint.name);
        let (found, sources) = linted("<page>", text, format, of_tests);
        let told = plain(&found, &sources);
        assert!(found.iter().all(|f| f.code.as_str() == lint.name), "{}: other findings\n{told}", lint.name);
        let lines: Vec<_> = found.iter().map(|f| sources.line_column(f.span().unwrap()).0).collect();
        assert_eq!(lines, marked(text), "{}: not where `# here` stands\n{told}", lint.name);
        assert!(found.iter().all(|f| !f.help.is_empty()), "{}: say what to write\n{told}", lint.name);
    }
}

#[test]
fn what_a_page_calls_clean_is() {
    for lint in all() {
        let page = lint.page();
        let (format, text) = example(&page, "Clean").unwrap();
        let of_tests = ["no-tests", "untested-rule"].contains(&lint.name);
        let (found, sources) = linted("<page>", text, format, of_tests);
        assert!(found.is_empty(), "{}:\n{}", lint.name, plain(&found, &sources));
    }
}

/// The lints that a policy fires, each with its line.
#[track_caller]
fn fires(rules: &str, expected: &[(&str, usize)]) {
    let text = format!("version = 1\nundecided = {{ reason = \"No.\" }}\n{rules}");
    check("p.toml", &text, Format::Toml, expected);
}

#[track_caller]
fn check(name: &str, text: &str, format: Format, expected: &[(&str, usize)]) {
    let (found, sources) = linted(name, text, format, false);
    let got: Vec<_> =
        found.iter().map(|f| (f.code.as_str(), sources.line_column(f.span().unwrap()).0)).collect();
    assert_eq!(got, expected, "\n{text}\n{}", plain(&found, &sources));
}

#[test]
fn comments_silence_on_their_line_or_the_next_or_for_the_rule() {
    let rest = "\n[[rules]]\nallow_by_name = [\"read_*\"]";
    let dead = "unreachable-rule";
    let first = "[[rules]]\nallow_by_name = [\"*_x\"]\n";
    fires(&format!("{first}[[rules]]\nallow_by_name = [\"a_x\"]"), &[(dead, 6)]);
    fires(&format!("{first}[[rules]]\nallow_by_name = [\"a_x\"] # policy: allow({dead})"), &[]);
    fires(&format!("{first}[[rules]]\n# policy: allow({dead})\nallow_by_name = [\"a_x\"]"), &[]);
    fires(&format!("{first}[[rules]] # policy: allow({dead})\nid = \"y\"\nallow_by_name = [\"a_x\"]"), &[]);
    fires(
        &format!("{first}# policy: allow({dead})\n# Why: an example.\n[[rules]]\nallow_by_name = [\"a_x\"]"),
        &[],
    );
    fires(
        &format!("{first}# policy: allow(misordered-deny, {dead})\n[[rules]]\nallow_by_name = [\"a_x\"]"),
        &[("unused-allow", 5)],
    );
    fires(
        &format!("{first}# policy: allow(unreachable-rul)\n[[rules]]\nallow_by_name = [\"a_x\"]"),
        &[("unknown-lint", 5), (dead, 7)],
    );
    fires(
        &format!("{first}[[rules]]\nallow_by_name = [\"a_x\"]{rest} # policy: allow({dead})"),
        &[(dead, 6), ("unused-allow", 8)],
    );
    fires("[[rules]]\ndeny_by_name = [\"a\"]\nreason = \"# policy: allow(no-such)\"", &[]);
    check(
        "p.yaml",
        "version: 1\nundecided: { reason: \"No.\" }\nrules:\n  - allow_by_name: [\"*_x\"]\n  - allow_by_name: [a_x] # policy: allow(unreachable-rule)\n",
        Format::Yaml,
        &[],
    );
}

#[test]
fn levels_come_from_the_policy() {
    let rules = "[[rules]]\nallow_by_name = [\"*_x\"]\n[[rules]]\nallow_by_name = [\"a_x\"]\n";
    fires(&format!("[lints]\nunreachable-rule = \"off\"\n{rules}"), &[]);
    let text = format!(
        "version = 1\nundecided = {{ reason = \"No.\" }}\n[lints]\nunreachable-rule = \"error\"\n{rules}"
    );
    let (found, _) = linted("p.toml", &text, Format::Toml, false);
    assert_eq!(found.iter().map(|f| f.severity).collect::<Vec<_>>(), [Severity::Error]);
}

#[test]
fn a_rule_is_dead_when_those_before_it_decide_every_call() {
    let dead = "unreachable-rule";
    fires("[[rules]]\nallow_by_default = true\n[[rules]]\nallow_by_name = [\"a\"]", &[(dead, 6)]);
    fires("[[rules]]\nallow_by_default = true\n[[rules]]\ndecide_by_human = true", &[(dead, 6)]);
    fires(
        "[[rules]]\nallow_by_name = [\"a*\", \"b*\"]\n[[rules]]\nallow_by_name = [\"[ab]x\"]",
        &[(dead, 6)],
    );
    fires(
        "[[rules]]\nallow_by_name = [\"a\"]\n[[rules]]\nallow_by_name = [\"b\"]\n[[rules]]\nallow_by_name = [\"b\", \"a\"]",
        &[(dead, 8)],
    );
    fires(
        "[[rules]]\nallow_by_name = [\"a\"]\n[[rules]]\ndeny_by_name = [\"*\"]\nreason = \"No.\"",
        &[(dead, 4), ("misordered-deny", 6)],
    );
    fires(
        "[[rules]]\ndeny_by_name = [\"*\"]\nwhen.mode = [\"yolo\"]\nreason = \"No.\"\n[[rules]]\nallow_by_name = [\"a\"]",
        &[],
    );
    fires(
        "[[rules]]\ndeny_by_name = [\"a\"]\nwhen.mode = [\"yolo\", \"default\"]\nreason = \"No.\"\n[[rules]]\nallow_by_name = [\"a\"]\nwhen.mode = [\"yolo\"]",
        &[(dead, 8)],
    );
    fires(
        "[[rules]]\nallow_by_name = [\"Bash\"]\nwhen.runs = [\"git status *\"]\n[[rules]]\nallow_by_name = [\"Bash\"]\nwhen.runs = [\"git status *\"]\nwhen.writes = [\"out/**\"]",
        &[],
    );
    fires(
        "[[rules]]\nallow_by_name = [\"Bash\"]\nset = { timeout = 1 }\n[[rules]]\nallow_by_name = [\"Bash\"]",
        &[],
    );
    fires("[[rules]]\nallow_by_read_only = true\n[[rules]]\nallow_by_name = [\"a\"]", &[]);
    fires(
        "[[rules]]\nallow_by_read_only = true\n[[rules]]\nallow_by_read_only = { trust_mcp = [\"docs\"] }",
        &[],
    );
    fires(
        "[[rules]]\nallow_by_read_only = { trust_mcp = [\"d*\"] }\n[[rules]]\nallow_by_read_only = { trust_mcp = [\"docs\"] }",
        &[(dead, 6)],
    );
    fires(
        "[[rules]]\nallow_by_name = [\"a\"]\nunless.mode = [\"yolo\"]\n[[rules]]\nallow_by_name = [\"a\"]",
        &[],
    );
}

#[test]
fn conditions_that_never_hold_are_found() {
    let never = "never-matching-condition";
    let one = |line: &str| format!("[[rules]]\nallow_by_name = [\"a\"]\n{line}");
    for line in [
        "when.args.x = { equals = \"a\", type = \"integer\" }",
        "when.args.x = { one_of = [] }",
        "when.args.x = { one_of = [1, 2], greater_than = 5 }",
        "when.args.x = { less_than = 1, greater_than = 1 }",
        "when.args.x = { glob = \"[z-a]\" }",
        "when.agent = [\"[z-a]\"]",
        "when.runs = []",
        "when.writes = []",
        "when.mode = [\"plan\"]",
        "when.hints = { read_only = true, destructive = true }",
        "when.tool = [\"b\"]",
        "when.mcp_server = [\"docs\"]",
        "when = { only_args = [\"y\"], args.x = 1 }",
        "when = { mode = [\"yolo\"], requires_human = true }",
        "unless.mode = [\"acceptEdits\"]",
        "unless = { mode = [\"yolo\"] }\nwhen = { mode = [\"yolo\"], agent = [\"a\"] }",
    ] {
        fires(&one(line), &[(never, 5)]);
    }
    for line in [
        "when.args.x = { equals = 7, type = \"integer\" }",
        "when.args.x = { less_than = 2, greater_than = 1 }",
        "when.mode = [\"*\"]",
        "when.tool = [\"?\"]",
        "when = { only_args = [\"x\"], args.\"x.y\" = 1 }",
        "when.env = []",
        "when.hints = { read_only = true, destructive = false }",
    ] {
        fires(&one(line), &[]);
    }
}

#[test]
fn hidden_characters_and_lookalikes_are_found_where_they_matter() {
    let lint = "confusable-or-invisible-characters";
    fires("[[rules]]\nallow_by_name = [\"a\u{200b}b\"]", &[(lint, 4)]);
    fires("[[rules]]\ndeny_by_name = [\"a\"]\nreason = \"Do \u{202e}not\"", &[(lint, 5)]);
    fires("[[rules]]\ndeny_by_name = [\"a\"]\nreason = \"Nеt\"", &[(lint, 5)]);
    fires("[[rules]]\ndeny_by_name = [\"a\"]\nreason = \"Нет — never, «нет»\"", &[]);
    fires("[[rules]]\nallow_by_name = [\"datei_öffnen\"]", &[]);
    fires("[[rules]]\nallow_by_name = [\"а\"]\nwhen.agent = [\"агент\"]", &[(lint, 4)]);
    fires("[[rules]]\nallow_by_name = [\"Bash\"]\nwhen.runs = [\"rm –rf x\"]", &[(lint, 5)]);
}

#[test]
fn other_ways_of_writing_a_rule_are_understood() {
    fires("[[rules]]\nallow_by_name = [\"mcp__x\"]", &[("mcp-host-spelling", 4)]);
    fires("[[rules]]\nallow_by_name = [\"src/**\"]", &[("path-as-name", 4)]);
    fires("[[rules]]\nallow_by_name = [\"server/tool\"]", &[]);
    fires("[[rules]]\nallow_by_name = [\"git status\"]", &[("shell-name-pattern", 4)]);
    fires("[[rules]]\nallow_by_name = [\"Read(./src/x.rs)\"]", &[("shell-name-pattern", 4)]);
    fires("[[rules]]\nallow_by_name = [\"bash\", \"Bash\", \"read_files\", \"frobnicate\"]", &[]);
    fires("[[rules]]\nallow_by_name = [\"webfetch\"]\nwhen.runs = [\"*\"]", &[("allow-any-code", 5)]);
    fires(
        "[[rules]]\nallow_by_name = [\"Bash\"]\nwhen.runs = [\"sudo -n *\", \"make *\", \"env\"]",
        &[("allow-any-code", 5)],
    );
}

#[test]
fn a_long_policy_is_linted_in_time() {
    let mut text = "version = 1\n".to_owned();
    for n in 0..1000 {
        let kind = if n % 2 == 0 { "deny" } else { "allow" };
        let _ = writeln!(
            text,
            "[[rules]]\n{kind}_by_name = [\"a{n}_*\", \"*_b{n}\", \"c{n}\"]\nwhen.agent = [\"x\", \"y\"]"
        );
    }
    let started = std::time::Instant::now();
    linted("p.toml", &text, Format::Toml, false);
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

//! Every format, on the same findings.

use insta::assert_snapshot;

use super::{Code, Diagnostic, Severity, github, human, json, json_lines, junit, plain, sarif};
use crate::source::{SourceId, Sources, Span};

const POLICY: &str =
    "version = 1\n\n[[rules]]\nalow_by_name = [\"x\"]\nid = \"a\"\n\n[[rules]]\nid = \"a\"\n";

fn span(start: usize, end: usize) -> Span {
    Span::new(SourceId(0), start..end)
}

fn findings() -> (Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    sources.add("dir/policy.toml", POLICY);
    let findings = vec![
        Diagnostic::error(Code::E0303, "there is no kind of rule `alow_by_name`")
            .at(span(23, 35), "not a kind")
            .suggest("did you mean `allow_by_name`?", span(23, 35), "allow_by_name")
            .note("kinds: deny_by_name, allow_by_name"),
        Diagnostic::warning(Code::Lint("twice"), "two rules have the id `a`")
            .at(span(64, 67), "again here")
            .also(span(49, 52), "first here")
            .help("give one of them another id"),
        Diagnostic::new(Code::Lint("size"), Severity::Note, "2 rules"),
    ];
    (findings, sources)
}

/// What is shown of text that would do something to a terminal.
fn hostile() -> (Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let text = "é = \"\u{1b}[31m\u{202e}x\"\r\nb = \"\u{9b}2J\"\n";
    sources.add("a\u{1b}b,c:d%.toml", text);
    let start = text.find('x').unwrap();
    let finding = Diagnostic::error(Code::E0202, "unknown key `\u{1b}]0;x\u{7}\n::error::y`")
        .at(span(start, start + 1), "\u{202e}here")
        .suggest("write `\u{200b}`", span(start, start + 1), "\u{1b}y")
        .note("\u{9b}");
    (vec![finding], sources)
}

#[test]
fn a_person_sees_the_lines() {
    let (findings, sources) = findings();
    assert_snapshot!(human(&findings, &sources, false), @r#"
    error[E0303]: there is no kind of rule `alow_by_name`
     --> dir/policy.toml:4:1
      |
    4 | alow_by_name = ["x"]
      | ^^^^^^^^^^^^ not a kind
      |
      = note: kinds: deny_by_name, allow_by_name
    help: did you mean `allow_by_name`?
      |
    4 | allow_by_name = ["x"]
      |   +

    warning[twice]: two rules have the id `a`
     --> dir/policy.toml:8:1
      |
    5 | id = "a"
      |      --- first here
    ...
    8 | id = "a"
      | ^^^ again here
      |
      = help: give one of them another id

    note[size]: 2 rules
    "#);
}

#[test]
fn colour_is_styling_and_nothing_else() {
    let (findings, sources) = findings();
    let coloured = human(&findings, &sources, true);
    assert!(coloured.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_eq!(plain, human(&findings, &sources, false));
}

#[test]
fn one_line_a_finding() {
    let (findings, sources) = findings();
    assert_snapshot!(plain(&findings, &sources), @r#"
    dir/policy.toml:4:1: error[E0303]: there is no kind of rule `alow_by_name` (did you mean `allow_by_name`?)
    dir/policy.toml:8:1: warning[twice]: two rules have the id `a` (give one of them another id)
    note[size]: 2 rules
    "#);
}

#[test]
fn github_annotates() {
    let (findings, sources) = findings();
    assert_snapshot!(github(&findings, &sources), @r#"
    ::error file=dir/policy.toml,line=4,endLine=4,col=1,endColumn=12,title=error[E0303]::there is no kind of rule `alow_by_name`%0Ahelp: did you mean `allow_by_name`?
    ::warning file=dir/policy.toml,line=8,endLine=8,col=1,endColumn=3,title=warning[twice]::two rules have the id `a`%0Ahelp: give one of them another id
    ::notice title=note[size]::2 rules
    "#);
}

#[test]
fn json_has_every_place() {
    let (findings, sources) = findings();
    let lines = json_lines(&findings, &sources);
    assert_eq!(lines.lines().count(), 3);
    let values: Vec<serde_json::Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&json(&findings, &sources)).unwrap(),
        serde_json::json!(values)
    );
    assert_snapshot!(lines, @r#"
    {"code":"E0303","title":"a kind of rule that does not exist","severity":"error","message":"there is no kind of rule `alow_by_name`","labels":[{"file":"dir/policy.toml","start":{"byte":23,"line":4,"column":1},"end":{"byte":35,"line":4,"column":13},"text":"not a kind","primary":true}],"help":[{"text":"did you mean `allow_by_name`?","replacement":{"file":"dir/policy.toml","start":{"byte":23,"line":4,"column":1},"end":{"byte":35,"line":4,"column":13},"text":"allow_by_name"}}],"notes":["kinds: deny_by_name, allow_by_name"]}
    {"code":"twice","title":"twice","severity":"warning","message":"two rules have the id `a`","labels":[{"file":"dir/policy.toml","start":{"byte":64,"line":8,"column":1},"end":{"byte":67,"line":8,"column":4},"text":"again here","primary":true},{"file":"dir/policy.toml","start":{"byte":49,"line":5,"column":6},"end":{"byte":52,"line":5,"column":9},"text":"first here","primary":false}],"help":[{"text":"give one of them another id","replacement":null}],"notes":[]}
    {"code":"size","title":"size","severity":"note","message":"2 rules","labels":[],"help":[],"notes":[]}
    "#);
}

#[test]
fn sarif_has_rules_regions_and_fixes() {
    let (mut findings, sources) = findings();
    findings.truncate(1);
    let mut log: serde_json::Value = serde_json::from_str(&sarif(&findings, &sources, |_| None)).unwrap();
    let help = log["runs"][0]["tool"]["driver"]["rules"][0]["help"].take();
    assert_eq!(help["markdown"], Code::E0303.page());
    assert_snapshot!(format!("{log:#}"), @r#"
    {
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "tool-policy",
              "semanticVersion": "0.1.0",
              "rules": [
                {
                  "id": "E0303",
                  "shortDescription": {
                    "text": "a kind of rule that does not exist"
                  },
                  "help": null,
                  "defaultConfiguration": {
                    "level": "error"
                  }
                }
              ]
            }
          },
          "columnKind": "unicodeCodePoints",
          "results": [
            {
              "ruleId": "E0303",
              "ruleIndex": 0,
              "level": "error",
              "message": {
                "text": "there is no kind of rule `alow_by_name`\nhelp: did you mean `allow_by_name`?\nnote: kinds: deny_by_name, allow_by_name"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "dir/policy.toml"
                    },
                    "region": {
                      "startLine": 4,
                      "startColumn": 1,
                      "endLine": 4,
                      "endColumn": 13
                    }
                  }
                }
              ],
              "relatedLocations": [],
              "fixes": [
                {
                  "description": {
                    "text": "did you mean `allow_by_name`?"
                  },
                  "artifactChanges": [
                    {
                      "artifactLocation": {
                        "uri": "dir/policy.toml"
                      },
                      "replacements": [
                        {
                          "deletedRegion": {
                            "startLine": 4,
                            "startColumn": 1,
                            "endLine": 4,
                            "endColumn": 13
                          },
                          "insertedContent": {
                            "text": "allow_by_name"
                          }
                        }
                      ]
                    }
                  ]
                }
              ]
            }
          ]
        }
      ]
    }
    "#);
}

#[test]
fn junit_counts_findings_as_failures() {
    let (findings, sources) = findings();
    assert_snapshot!(junit(&findings, &sources, []), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="policy" tests="3" skipped="0" failures="2" errors="0">
        <testsuite name="policy check" tests="3" skipped="0" errors="0" failures="2">
            <testcase name="E0303 at dir/policy.toml:4:1" file="dir/policy.toml" line="4">
                <failure message="there is no kind of rule `alow_by_name`" type="E0303">there is no kind of rule `alow_by_name`
    help: did you mean `allow_by_name`?</failure>
            </testcase>
            <testcase name="twice at dir/policy.toml:8:1" file="dir/policy.toml" line="8">
                <failure message="two rules have the id `a`" type="twice">two rules have the id `a`
    help: give one of them another id</failure>
            </testcase>
            <testcase name="size"/>
        </testsuite>
    </testsuites>
    "#);
    assert!(junit(&[], &sources, []).contains("failures=\"0\""));
}

#[test]
fn nothing_untrusted_reaches_a_terminal_raw() {
    let (findings, sources) = hostile();
    assert_snapshot!(human(&findings, &sources, false), @r#"
    error[E0202]: unknown key `\u{1b}]0;x\u{7}\n::error::y`
     --> a\u{1b}b,c:d%.toml:1:12
      |
    1 | é = "\u{1b}[31m\u{202e}x"
      |                        ^ \u{202e}here
      |
      = note: \u{9b}
    help: write `\u{200b}`
      |
    1 - é = "\u{1b}[31m\u{202e}x"
    1 + é = "\u{1b}[31m\u{202e}\u{1b}y"
      |
    "#);
    assert_snapshot!(plain(&findings, &sources), @r#"a\u{1b}b,c:d%.toml:1:12: error[E0202]: unknown key `\u{1b}]0;x\u{7}\n::error::y` (write `\u{200b}`)"#);
    assert_snapshot!(github(&findings, &sources), @r#"::error file=a\u{1b}b%2Cc%3Ad%25.toml,line=1,endLine=1,col=12,endColumn=12,title=error[E0202]::unknown key `\u{1b}]0;x\u{7}\n::error::y`%0Ahelp: write `\u{200b}`"#);
    for shown in [
        human(&findings, &sources, false),
        plain(&findings, &sources),
        github(&findings, &sources),
        junit(&findings, &sources, []),
        json(&findings, &sources),
        sarif(&findings, &sources, |_| None),
    ] {
        let hidden: Vec<char> =
            shown.chars().filter(|c| *c != '\n' && super::visible::is_hidden(*c)).collect();
        assert!(hidden.is_empty(), "{hidden:?} in {shown:?}");
    }
}

#[test]
fn a_finding_in_an_empty_or_missing_text_has_its_file() {
    let mut sources = Sources::new();
    sources.add("policy.toml", "");
    let nowhere = Span::new(SourceId(7), 0..0);
    let findings = [
        Diagnostic::error(Code::E0101, "`policy.toml` cannot be read").at(span(0, 0), ""),
        Diagnostic::error(Code::E0101, "no text").at(nowhere, "").suggest("x", nowhere, "y"),
        Diagnostic::error(Code::E0101, "far out").at(span(90, 99), "label"),
    ];
    assert_snapshot!(human(&findings, &sources, false), @r#"
    error[E0101]: `policy.toml` cannot be read
    --> policy.toml:1:1

    error[E0101]: no text
    --> <unknown>:1:1

    error[E0101]: far out
    --> policy.toml:1:1
    "#);
    assert_snapshot!(plain(&findings, &sources), @r#"
    policy.toml:1:1: error[E0101]: `policy.toml` cannot be read
    <unknown>:1:1: error[E0101]: no text (x)
    policy.toml:1:1: error[E0101]: far out
    "#);
}

#[test]
fn of_a_long_line_a_part_is_shown() {
    let text = format!("{{ {}\"here\": 1{} }}\n", "\"a\": 1, ".repeat(100), ", \"b\": 1".repeat(100));
    let start = text.find("\"here").unwrap();
    let mut sources = Sources::new();
    sources.add("p.json", text);
    let finding = Diagnostic::error(Code::E0202, "unknown key `here`")
        .at(span(start, start + 6), "this")
        .suggest("write `there`", span(start, start + 6), "\"there\"");
    assert_snapshot!(human(&[finding], &sources, false), @r#"
    error[E0202]: unknown key `here`
     --> p.json:1:803
      |
    1 | …, "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "here": 1, "b": 1, "b": 1, "b": 1, "b": 1, "b": 1, "b": …
      |                                                    ^^^^^^ this
      |
    help: write `there`
      |
    1 | …, "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "there": 1, "b": 1, "b": 1, "b": 1, "b": 1, "b": 1, "b": …
      |                                                     +
    "#);
}

#[test]
fn every_place_can_be_shown() {
    let text = "a\u{1b}é\t\r\n\u{202e}🦀\n\nx";
    let mut sources = Sources::new();
    sources.add("p", text);
    for start in 0..=text.len() + 1 {
        for end in start..=text.len() + 1 {
            let finding = Diagnostic::error(Code::E0101, "m").at(span(start, end), "l").suggest(
                "s",
                span(start, end),
                "r",
            );
            let _ = human(std::slice::from_ref(&finding), &sources, true);
            let _ = sarif(std::slice::from_ref(&finding), &sources, |_| None);
            let _ = github(&[finding], &sources);
        }
    }
}

use super::*;
use crate::diagnostic::plain;
use crate::file::{Format, load_tests_text, load_text};

fn report(text: &str, filter: Option<&str>) -> SuiteReport {
    let loaded = load_text("policy.toml", text, Format::Toml).unwrap();
    let files = loaded.files.clone();
    let policy = Policy::compile(loaded, None).unwrap();
    let suite = Suite::new(&policy, &files);
    match filter {
        Some(filter) => suite.only(filter).run(),
        None => suite.run(),
    }
}

fn told(report: &SuiteReport) -> String {
    let all: Vec<_> = report.diagnostics().cloned().collect();
    plain(&all, &report.sources)
}

const RULES: &str = r#"
version = 1
[[rules]]
id = "no-deleting"
deny_by_name = ["delete_*"]
reason = "Deleting is not allowed."
[[rules]]
id = "reading"
allow_by_name = ["read_*"]
[[rules]]
id = "sending"
decide_by_human = { question = "Send it?" }
when.tool = ["send_*"]
"#;

#[track_caller]
fn passes(tests: &str) {
    let report = report(&format!("{RULES}{tests}"), None);
    assert!(report.is_ok(), "{}", told(&report));
}

#[track_caller]
fn fails(tests: &str, with: &str) {
    let report = report(&format!("{RULES}{tests}"), None);
    assert!(!report.is_ok(), "passed");
    let told = told(&report);
    assert!(told.contains(with), "{told}");
}

#[test]
fn what_is_expected_and_comes_passes() {
    passes(
        "[[tests]]\ncall = { tool = \"delete_x\" }\nexpect = \"deny\"\nby = \"no-deleting\"\nreason = \"Deleting is not allowed.\"\ncause = \"rule\"",
    );
    passes(
        "[[tests]]\neach = [{ tool = \"read_x\" }, { tool = \"read_y\" }]\nexpect = \"allow\"\nby = \"reading\"",
    );
    passes("[[tests]]\ncall = { tool = \"send_x\" }\nexpect = \"ask\"\nquestion = \"Send it?\"");
    passes("[[tests]]\ncall = { tool = \"other\" }\nexpect = \"deny\"\ncause = \"no_rule\"");
    passes(
        "[[tests]]\ncalls = [{ tool = \"read_x\" }, { tool = \"send_x\" }]\nanswers = [\"yes\"]\nexpect = [\"run\", \"run\"]",
    );
    passes("[[tests]]\ncalls = [{ tool = \"read_x\" }, { tool = \"send_x\" }]\nanswers = [\"no\"]\nexpect = [\"cancelled\", \"cancelled\"]\nby = \"sending\"".replace("\"cancelled\", \"cancelled\"", "\"cancelled\", \"denied\"").as_str());
    passes("[[tests]]\ncalls = [{ tool = \"send_x\" }]\nexpect = [\"denied\"]");
    passes("[[tests]]\ncall = { tool = \"read_x\", fs = { files = [\"/a\"] } }\nexpect = \"allow\"");
}

#[test]
fn a_failure_says_what_came_and_who_decided() {
    fails(
        "[[tests]]\ncall = { tool = \"read_x\" }\nexpect = \"ask\"",
        "expected `ask`, got `allow`, decided by rule `reading` at policy.toml:8",
    );
    fails(
        "[[tests]]\ncall = { tool = \"other\" }\nexpect = \"allow\"",
        "expected `allow`, got `deny`, decided by no rule",
    );
    fails(
        "[[tests]]\ncall = { tool = \"delete_x\" }\nexpect = \"deny\"\nreason = \"No.\"",
        "reason: expected `No.`, got `Deleting is not allowed.`",
    );
    fails(
        "[[tests]]\ncall = { tool = \"send_x\" }\nexpect = \"ask\"\nquestion = \"Hm?\"",
        "question: expected `Hm?`",
    );
    fails(
        "[[tests]]\ncall = { tool = \"delete_x\" }\nexpect = \"deny\"\ncause = \"no_rule\"",
        "cause: expected `no_rule`",
    );
    fails(
        "[[tests]]\ncall = { tool = \"delete_x\" }\nexpect = \"deny\"\nby = \"reading\"",
        "expected rule `reading` to decide; decided by rule `no-deleting`",
    );
    fails(
        "[[tests]]\ncall = { tool = \"delete_x\" }\nexpect = \"deny\"\nby = \"no-deletin\"",
        "E0604]: no rule has the id `no-deletin` (did you mean `no-deleting`?)",
    );
    fails("[[tests]]\ncall = { tool = \"x\", arg = 1 }\nexpect = \"deny\"", "E0602]: this is not a call");
    fails(
        "[[tests]]\ncall = { tool = \"read_x\" }\nexpect = \"allow\"\nupdated_args = { a = 1 }",
        "updated_args: expected `{\"a\":1}`, got none",
    );
    fails(
        "[[tests]]\ncalls = [{ tool = \"read_x\" }, { tool = \"send_x\" }]\nexpect = [\"run\", \"run\"]",
        "call 2: expected `run`, got `denied`, decided by rule `sending`",
    );
    fails(
        "[[tests]]\ncalls = [{ tool = \"read_x\" }]\nanswers = [\"yes\"]\nexpect = [\"run\"]",
        "1 of 1 answers answer nothing: 0 questions were asked",
    );
    fails(
        "[[tests]]\ncalls = [{ tool = \"delete_x\" }]\nreason = \"No.\"\nexpect = [\"denied\"]",
        "no call of this turn has the reason `No.`",
    );
}

#[test]
fn nothing_to_run_is_a_failure() {
    fails("", "E0603]: the policy has no tests");
    let text =
        format!("{RULES}[[tests]]\nname = \"one\"\ncall = {{ tool = \"read_x\" }}\nexpect = \"allow\"");
    assert!(report(&text, Some("one")).is_ok());
    let none = report(&text, Some("two"));
    assert!(!none.is_ok() && told(&none).contains("no test has `two` in its name"));
}

#[test]
fn a_failure_points_at_the_expectation_the_call_and_the_rule() {
    let tests = "[[tests]]\ncall = { tool = \"read_x\" }\nexpect = \"ask\"";
    let report = report(&format!("{RULES}{tests}"), None);
    let finding = report.diagnostics().next().unwrap();
    let labels: Vec<_> =
        finding.labels.iter().map(|l| (report.sources.text(l.span), l.text.as_str())).collect();
    assert_eq!(
        labels,
        [
            ("\"ask\"", "expected `ask`"),
            ("{ tool = \"read_x\" }", "for this call"),
            ("id = \"reading\"", "this rule decided")
        ]
    );
}

#[test]
fn tests_beside_the_policy_have_places_of_their_own() {
    let loaded = load_text("policy.toml", RULES, Format::Toml).unwrap();
    let files = loaded.files.clone();
    let policy = Policy::compile(loaded, None).unwrap();
    let beside = load_tests_text(
        "policy.test.toml",
        "version = 1\n[[tests]]\ncall = { tool = \"read_x\" }\nexpect = \"deny\"",
        Format::Toml,
    )
    .unwrap();
    let report = Suite::new(&policy, &files).and(&beside).run();
    assert_eq!((report.passed(), report.failed()), (0, 1));
    assert!(
        told(&report).starts_with("policy.test.toml:4:10: error[E0601]: expected `deny`"),
        "{}",
        told(&report)
    );
}

#[test]
fn coverage_counts_what_decided() {
    let tests = "[[tests]]\neach = [{ tool = \"delete_x\" }, { tool = \"delete_y\" }]\nexpect = \"deny\"";
    let report = report(&format!("{RULES}{tests}"), None);
    let hits: Vec<_> = report.coverage.iter().map(|c| (c.rule.rule.as_str(), c.hits)).collect();
    assert_eq!(hits, [("no-deleting", 2), ("reading", 0), ("sending", 0)]);
    assert_eq!(report.coverage[0].names, [PatternCoverage { pattern: "delete_*".into(), hits: 2 }]);
}

#[test]
fn coverage_counts_patterns_on_parts() {
    let rules = "version = 1\n[[rules]]\nid = \"git\"\nallow_by_name = [\"Bash\"]\n\
        when.runs = [\"git log *\", { command = \"git diff *\" }]\nwhen.writes = [\"out/**\"]\n";
    let call = "{ tool = \"Bash\", host = \"claude-code\", args = { command = \"git log -1 > out/log\" } }";
    let report = report(&format!("{rules}[[tests]]\ncall = {call}\nexpect = \"allow\""), None);
    assert!(report.is_ok(), "{}", told(&report));
    let hits: Vec<_> = report.coverage[0].parts.iter().map(|p| (p.pattern.as_str(), p.hits)).collect();
    assert_eq!(hits, [("writes: out/**", 1), ("runs: git log *", 1), ("runs: git diff *", 0)]);
}

#[test]
fn files_of_tests_belong_to_a_policy_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str| std::fs::write(dir.path().join(name), "version = 1\nrules = []").unwrap();
    let found = |policy: &str| -> Vec<String> {
        let files = test_files_beside(&dir.path().join(policy));
        files.iter().map(|f| f.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    };
    for name in ["policy.toml", "policy.test.toml", "policy.shell.test.yaml", "shell.test.json"] {
        write(name);
    }
    assert_eq!(found("policy.toml"), ["policy.shell.test.yaml", "policy.test.toml", "shell.test.json"]);
    write("shell.yaml");
    assert_eq!(found("policy.toml"), ["policy.shell.test.yaml", "policy.test.toml"]);
    assert_eq!(found("shell.yaml"), ["shell.test.json"]);
}

//! Cases in which a law did not hold once.

use serde_json::{Value, json};

use super::{judge, policy};

/// The answer and the cause.
#[track_caller]
fn gives(rules: &Value, command: &str, expected: &str) {
    let call = json!({"tool": "Bash", "host": "claude-code", "cwd": "/p", "workspace": "/p", "args": {"command": command}, "fs": {"files": ["/p/a.txt", "/p/src/x"], "home": "/home/me"}});
    let verdict = judge(&policy(rules.as_array().unwrap()), &call);
    assert_eq!(
        format!("{} {}", verdict.verdict.name(), verdict.cause.name()),
        expected,
        "{command}: {rules}"
    );
}

#[test]
fn an_unknown_word_may_be_the_option_that_runs_a_program() {
    let rules = json!([{"deny_by_name": ["*"], "when": {"runs": ["rm *"]}}, {"decide_by_human": true, "when": {"runs": ["*"]}}]);
    let blocklist = json!([{"deny_by_name": ["*"], "when": {"runs": ["rm *"]}}, {"allow_by_default": true}]);
    for command in [
        "python \"$X\" 'import os'",
        "find . \"$X\" rm a.txt",
        "git \"$X\" status",
        "tar xf a.tar \"$X\"",
        "sort $X a.txt",
    ] {
        gives(&rules, command, "ask possible_match");
        gives(&blocklist, command, "deny possible_match");
    }
    for command in ["cat \"$X\"", "grep \"$X\" a.txt", "ls $X", "sort -- \"$X\"", "python run.py \"$X\""] {
        gives(&blocklist, command, "allow rule");
    }
}

#[test]
fn a_program_without_a_model_touches_what_is_there_and_may_touch_what_is_not_known() {
    let rules = json!([{"deny_by_name": ["*"], "when": {"touches": ["a.txt"]}}, {"allow_by_default": true}]);
    for command in ["frob a.txt", "frob ./a.txt", "frob -o a.txt", "cd src && frob ../a.txt"] {
        gives(&rules, command, "deny rule");
    }
    for command in [
        "frob \"$X\"",
        "frob $X",
        "frob a$X",
        "frob b$X",
        "frob *",
        "frob --out=$X",
        "cd src; frob a.txt",
        "cd \"$X\" && frob a",
    ] {
        gives(&rules, command, "deny possible_match");
    }
    for command in ["frob b.txt", "frob a", "cd src && frob a.txt", "frob src/*"] {
        gives(&rules, command, "allow rule");
    }
    let hosts =
        json!([{"deny_by_name": ["*"], "when": {"fetches": ["evil.example"]}}, {"allow_by_default": true}]);
    gives(&hosts, "frob \"$X\"", "deny possible_match");
    gives(&hosts, "frob *.txt", "allow rule");
}

#[test]
fn a_question_about_commands_and_files_speaks_of_the_commands_that_have_both() {
    let rules = json!([{"decide_by_human": true, "when": {"runs": ["git *"], "writes": ["out"]}}]);
    gives(&rules, "git status > out", "ask rule");
    gives(&rules, "git push", "deny no_rule");
    gives(&rules, "git status > out; git push", "deny no_rule");
    gives(&rules, "git status > out; git log > out", "ask rule");
}

#[test]
fn what_real_programs_were_seen_to_do() {
    let of = |key: &str, what: &str| json!([{"deny_by_name": ["*"], "when": {key: [what]}}, {"allow_by_default": true}]);
    gives(&of("writes", "src/n"), "env -C src touch n", "deny rule");
    gives(&of("writes", "src/src/n"), "env -C src touch n", "allow rule");
    gives(&of("runs", "rm *"), "flock a.txt -c 'rm x'", "deny rule");
    gives(&of("runs", "rm *"), "flock -n a.txt rm x", "deny rule");
    gives(&of("writes", "b.txt~"), "cp -b a.txt b.txt", "deny possible_match");
    gives(&of("reads", "a.txt"), "patch -p0 < fix", "deny possible_match");
}

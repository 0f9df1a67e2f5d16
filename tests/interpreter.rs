//! What the interpreter answers: the five kinds, conditions, causes, changed arguments, layers, subagents.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use serde_json::{Value, json};
use tool_policy::{Answer, Call, Cause, Format, Layers, NoDisk, Policy, Surroundings, Verdict};

#[track_caller]
fn policy(rules: &str) -> Policy {
    Policy::parse("policy.toml", Format::Toml, &format!("version = 1\n{rules}"))
        .unwrap_or_else(|e| panic!("{e}"))
}

fn call(value: Value) -> Call {
    Call::from_json(value).unwrap_or_else(|e| panic!("{e}"))
}

fn judge(policy: &Policy, value: Value) -> Verdict {
    policy.evaluate(&call(value), &Surroundings::new(&NoDisk))
}

/// The answer, the rule that decided, the cause, and the reason.
#[track_caller]
fn gives(policy: &Policy, value: Value, expected: (Answer, Option<&str>, Cause, Option<&str>)) {
    let verdict = judge(policy, value);
    let by = verdict.decided_by.as_ref().map(|by| by.rule.as_str());
    assert_eq!((verdict.verdict, by, verdict.cause, verdict.reason.as_deref()), expected, "{verdict:?}");
}

const READS_AND_ASKS: &str = r#"
[[rules]]
deny_by_name = ["delete_*"]
[[rules]]
allow_by_read_only = true
[[rules]]
decide_by_human = true
"#;

#[test]
fn denials_come_first_wherever_they_stand() {
    let p = policy(
        "[[rules]]\nallow_by_default = true\n[[rules]]\nid = \"no-deletes\"\ndeny_by_name = [\"delete_*\"]\nreason = \"Keep it.\"\nstop = true",
    );
    gives(
        &p,
        json!({"tool": "delete_file"}),
        (Answer::Deny, Some("no-deletes"), Cause::Rule, Some("Keep it.")),
    );
    assert!(judge(&p, json!({"tool": "delete_file"})).stop);
    gives(&p, json!({"tool": "read"}), (Answer::Allow, Some("rule-1"), Cause::Rule, None));
}

#[test]
fn the_first_page_of_the_seed() {
    let p = policy(READS_AND_ASKS);
    gives(
        &p,
        json!({"tool": "delete_x"}),
        (Answer::Deny, Some("rule-1"), Cause::Rule, Some("delete_x is not allowed.")),
    );
    gives(
        &p,
        json!({"tool": "look", "hints": {"read_only": true}}),
        (Answer::Allow, Some("rule-2"), Cause::Rule, None),
    );
    gives(
        &p,
        json!({"tool": "write_file", "args": {"path": "a.md"}}),
        (Answer::Ask, Some("rule-3"), Cause::Rule, None),
    );
    let asked = judge(&p, json!({"tool": "write_file", "args": {"path": "a.md", "content": "x"}}));
    assert_eq!(asked.question.as_deref(), Some(r#"Run write_file(path="a.md", content="x")?"#));
    assert_eq!(asked.timeout_s, Some(30));
    assert!(asked.digest.is_some());
}

#[test]
fn nobody_decided_is_denied_with_a_warning() {
    let p = policy("[[rules]]\nallow_by_name = [\"read\"]");
    gives(
        &p,
        json!({"tool": "write"}),
        (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call.")),
    );
    assert_eq!(judge(&p, json!({"tool": "write"})).warnings.len(), 1);
    let p = policy("undecided = { reason = \"Only reading.\" }\n[[rules]]\nallow_by_name = [\"read\"]");
    gives(&p, json!({"tool": "write"}), (Answer::Deny, None, Cause::NoRule, Some("Only reading.")));
    assert!(judge(&p, json!({"tool": "write"})).warnings.is_empty());
}

#[test]
fn a_servers_hint_is_believed_only_where_it_is_trusted() {
    let docs = json!({"tool": "docs__look", "mcp": {"server": "docs", "tool": "look"}, "hints": {"read_only": true}});
    let other =
        json!({"tool": "x__look", "mcp": {"server": "x", "tool": "look"}, "hints": {"read_only": true}});
    let deny = (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call."));
    let allow = (Answer::Allow, Some("rule-1"), Cause::Rule, None);
    gives(&policy("[[rules]]\nallow_by_read_only = true"), docs.clone(), deny);
    let some = policy("[[rules]]\nallow_by_read_only = { trust_mcp = [\"docs\"] }");
    gives(&some, docs.clone(), allow);
    gives(&some, other.clone(), deny);
    gives(&policy("[[rules]]\nallow_by_read_only = { trust_mcp = true }"), other, allow);
}

#[test]
fn an_mcp_tool_is_known_by_server_and_tool_and_not_by_how_a_host_spells_it() {
    let there = json!({"tool": "mcp__github__get_issue", "mcp": {"server": "github", "tool": "get_issue"}});
    gives(
        &policy("[[rules]]\nallow_by_name = [\"github__*\"]"),
        there.clone(),
        (Answer::Allow, Some("rule-1"), Cause::Rule, None),
    );
    gives(
        &policy("[[rules]]\nallow_by_name = [\"mcp__*\"]"),
        there.clone(),
        (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call.")),
    );
    gives(
        &policy("[[rules]]\ndeny_by_name = [\"mcp__*\"]"),
        there,
        (Answer::Deny, Some("rule-1"), Cause::Rule, Some("mcp__github__get_issue is not allowed.")),
    );
}

#[test]
fn a_hosts_form_of_an_mcp_name_is_read_where_it_can_be_and_counts_against_the_call_where_not() {
    let get = |hint: bool| json!({"tool": "mcp__github__get_issue", "host": "claude-code", "hints": {"read_only": hint}});
    let denied = (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call."));
    gives(
        &policy("[[rules]]\nallow_by_name = [\"github__get_*\"]"),
        get(false),
        (Answer::Allow, Some("rule-1"), Cause::Rule, None),
    );
    gives(&policy("[[rules]]\nallow_by_read_only = true"), get(true), denied);
    // `mcp__a__b__c` may be the tool `c` of `a__b` or `b__c` of `a`: a denial of either holds, an allow of either does not.
    let two = || json!({"tool": "mcp__a__b__c", "host": "claude-code", "hints": {"read_only": true}});
    for server in ["a", "a__b"] {
        let no = policy(&format!(
            "[[rules]]\ndeny_by_name = [\"*\"]\nwhen.mcp_server = [\"{server}\"]\n[[rules]]\nallow_by_default = true"
        ));
        gives(&no, two(), (Answer::Deny, Some("rule-1"), Cause::Rule, Some("mcp__a__b__c is not allowed.")));
        let yes = policy(&format!("[[rules]]\nallow_by_name = [\"*\"]\nwhen.mcp_server = [\"{server}\"]"));
        gives(&yes, two(), denied);
    }
    gives(&policy("[[rules]]\nallow_by_read_only = { trust_mcp = [\"a\"] }"), two(), denied);
}

#[test]
fn conditions_are_read_broadly_by_denials_and_narrowly_by_allows() {
    let deny = policy(
        "[[rules]]\ndeny_by_name = [\"send\"]\nwhen.args.to = { one_of = [\"C9\"] }\n[[rules]]\nallow_by_default = true",
    );
    gives(
        &deny,
        json!({"tool": "send", "args": {"to": ["C1", "C9"]}}),
        (Answer::Deny, Some("rule-1"), Cause::Rule, Some("send is not allowed.")),
    );
    gives(
        &deny,
        json!({"tool": "send", "args": {"to": "C1"}}),
        (Answer::Allow, Some("rule-2"), Cause::Rule, None),
    );
    gives(&deny, json!({"tool": "send"}), (Answer::Allow, Some("rule-2"), Cause::Rule, None));
    let allow = policy("[[rules]]\nallow_by_name = [\"send\"]\nwhen.args.to = { one_of = [\"C1\"] }");
    gives(
        &allow,
        json!({"tool": "send", "args": {"to": ["C1", "C9"]}}),
        (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call.")),
    );
    gives(
        &allow,
        json!({"tool": "send", "args": {"to": ["C1"]}}),
        (Answer::Allow, Some("rule-1"), Cause::Rule, None),
    );
}

#[test]
fn a_possible_denial_is_asked_about_and_denied_where_nobody_can_be_asked() {
    let rules = "[[rules]]\nid = \"small\"\ndeny_by_name = [\"pay\"]\nwhen.args.sum = { greater_than = 100 }\nreason = \"Too much.\"\n[[rules]]\nallow_by_default = true\n";
    let text = json!({"tool": "pay", "args": {"sum": "1000"}});
    let denied = judge(&policy(rules), text.clone());
    assert_eq!((denied.verdict, denied.cause), (Answer::Deny, Cause::PossibleMatch));
    assert!(denied.reason.unwrap().starts_with("Too much."));
    let asked = judge(&policy(&format!("{rules}[[rules]]\nid = \"ask\"\ndecide_by_human = true")), text);
    assert_eq!((asked.verdict, asked.cause), (Answer::Ask, Cause::PossibleMatch));
    assert_eq!(asked.decided_by.unwrap().rule, "ask");
    assert_eq!(asked.not_ruled_out.unwrap().rule, "small");
}

#[test]
fn unless_takes_calls_out_of_a_rule() {
    let p = policy(
        "[[rules]]\ndeny_by_name = [\"*\"]\nunless.tool = [\"read\"]\nreason = \"Only reading.\"\n[[rules]]\nallow_by_default = true\nunless.args.path = { glob = \"/etc/*\" }",
    );
    gives(&p, json!({"tool": "write"}), (Answer::Deny, Some("rule-1"), Cause::Rule, Some("Only reading.")));
    gives(
        &p,
        json!({"tool": "read", "args": {"path": "a"}}),
        (Answer::Allow, Some("rule-2"), Cause::Rule, None),
    );
    gives(
        &p,
        json!({"tool": "read", "args": {"path": "/etc/passwd"}}),
        (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call.")),
    );
    gives(
        &p,
        json!({"tool": "read", "args": {"path": ["a", "/etc/passwd"]}}),
        (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call.")),
    );
}

#[test]
fn a_rule_that_changes_arguments_gives_the_whole_of_them_and_is_judged_again() {
    let p = policy("[[rules]]\nallow_by_name = [\"run\"]\nset = { timeout = 120, opts = { safe = true } }");
    let verdict = judge(&p, json!({"tool": "run", "args": {"cmd": "x", "opts": {"n": 1}}}));
    assert_eq!(
        Value::Object(verdict.updated_args.unwrap()),
        json!({"cmd": "x", "opts": {"n": 1, "safe": true}, "timeout": 120})
    );
    assert!(verdict.model_note.unwrap().contains("timeout=120"));
    let p = policy(
        "[[rules]]\nallow_by_name = [\"run\"]\nset = { cmd = \"rm\" }\n[[rules]]\ndeny_by_name = [\"run\"]\nwhen.args.cmd = \"rm\"",
    );
    gives(
        &p,
        json!({"tool": "run", "args": {"cmd": "x"}}),
        (Answer::Deny, Some("rule-2"), Cause::Rule, Some("run is not allowed.")),
    );
}

#[test]
fn a_question_of_the_rules_own_may_show_the_call() {
    let p = policy(
        "[[rules]]\ndecide_by_human = { timeout = \"10m\", question = \"May {tool} run, as {call}?\" }",
    );
    let asked = judge(&p, json!({"tool": "send", "args": {"to": "{tool}"}}));
    assert_eq!(asked.question.as_deref(), Some("May send run, as send(to=\"{tool}\")?"));
    assert_eq!(asked.timeout_s, Some(600));
}

#[test]
fn leaving_out_the_host_opens_no_denial() {
    let p = policy(
        "[[rules]]\ndeny_by_name = [\"*\"]\nwhen.runs = [\"rm *\"]\n[[rules]]\ndeny_by_name = [\"*\"]\nwhen.reads = [\"**/.env\"]\n[[rules]]\nallow_by_default = true",
    );
    for host in [json!(null), json!("claud-code")] {
        for call in [
            json!({"tool": "Bash", "args": {"command": "rm x"}}),
            json!({"tool": "Read", "args": {"file_path": ".env"}}),
        ] {
            let mut call = call;
            call["host"] = host.clone();
            assert_eq!(judge(&p, call).cause, Cause::PossibleMatch);
        }
    }
    gives(&p, json!({"tool": "own_tool"}), (Answer::Allow, Some("rule-3"), Cause::Rule, None));
    gives(&p, json!({"tool": "WebSearch", "args": {}}), (Answer::Allow, Some("rule-3"), Cause::Rule, None));
}

#[test]
fn an_ask_of_another_layer_about_the_changed_call_is_not_passed_over() {
    let managed =
        policy("[[rules]]\ndecide_by_human = true\nwhen.args.n = 2\n[[rules]]\nallow_by_default = true");
    let project = policy("[[rules]]\nallow_by_name = [\"t\"]\nset = { n = 2 }");
    let verdict =
        Layers::from(managed).and(project).evaluate(&Call::new("t").arg("n", 1), &Surroundings::new(&NoDisk));
    assert_eq!(verdict.verdict, Answer::Ask);
    assert_eq!(Value::Object(verdict.updated_args.unwrap()), json!({"n": 2}));
}

#[test]
fn denials_see_commands_in_variables_and_behind_programs_without_a_model() {
    let p = policy(
        "[[rules]]\ndeny_by_name = [\"Bash\"]\nwhen.runs = [\"rm -rf *\"]\n[[rules]]\nallow_by_default = true",
    );
    let verdict = |command: &str| {
        let verdict = judge(&p, json!({"tool": "Bash", "host": "claude-code", "args": {"command": command}}));
        (verdict.verdict, verdict.cause)
    };
    for command in [
        "GIT_EDITOR='rm -rf x' git commit",
        "PAGER=\"rm -rf x\" git log",
        "EDITOR='sh -c \"rm -rf x\"' crontab -e",
    ] {
        assert_eq!(verdict(command), (Answer::Deny, Cause::Rule), "{command}");
    }
    for command in ["runcon a rm -rf x", "own-wrapper --flag rm -fr x", "own-wrapper /bin/rm -r -f x"] {
        assert_eq!(verdict(command), (Answer::Deny, Cause::PossibleMatch), "{command}");
    }
    for command in ["GIT_PAGER=cat git log", "own-tool rm x", "own-tool remove -rf x", "echo rm -rf x"] {
        assert_eq!(verdict(command), (Answer::Allow, Cause::Rule), "{command}");
    }
    let fetch = policy(
        "[[rules]]\ndeny_by_name = [\"*\"]\nwhen.fetches = [\"evil.com\"]\n[[rules]]\nallow_by_default = true",
    );
    assert_eq!(
        judge(&fetch, json!({"tool": "WebFetch", "host": "claude-code", "args": {"url": null}})).cause,
        Cause::PossibleMatch
    );
}

#[test]
fn a_variable_that_grows_without_end_is_not_known() {
    let p = policy(
        "[[rules]]\nallow_by_name = [\"*\"]\nwhen.runs = [\"echo *\"]\n[[rules]]\ndecide_by_human = true",
    );
    let doubled = (1..60).map(|n| format!("a{n}=$a{0}$a{0}", n - 1)).collect::<Vec<_>>().join(";");
    for (start, uses) in [("xx", 40), ("x", 1)] {
        let uses = "$a59".repeat(uses);
        let command = format!("a0={start};{doubled}; $a59 {uses}; echo {uses}");
        let verdict = judge(&p, json!({"tool": "Bash", "host": "claude-code", "args": {"command": command}}));
        assert_eq!(verdict.verdict, Answer::Ask);
    }
}

#[test]
fn a_search_touches_the_files_that_its_globs_pick() {
    let p = policy(
        "[[rules]]\ndeny_by_name = [\"*\"]\nwhen.reads = [\"**/.env\", \"~/.ssh/**\"]\n[[rules]]\nallow_by_read_only = true",
    );
    let verdict = |tool: &str, args: Value| {
        let call = json!({"tool": tool, "host": "claude-code", "workspace": "/proj", "args": args,
            "fs": {"home": "/home/d", "files": ["/proj/src/a.rs", "/proj/.env", "/proj/sub/.env"]}});
        let call = Call::from_json(call).unwrap();
        p.evaluate(&call, &Surroundings { made_up_fs: true, ..Surroundings::new(&NoDisk) })
    };
    for args in
        [json!({"pattern": "src/**/*.rs"}), json!({"pattern": "**/*.rs"}), json!({"pattern": "README.md"})]
    {
        assert_eq!(verdict("Glob", args.clone()).verdict, Answer::Allow, "{args}");
    }
    for args in [
        json!({"pattern": "**/.env"}),
        json!({"pattern": "**/*.env"}),
        json!({"pattern": "**/*env*"}),
        json!({"pattern": "../../home/d/.ssh/*"}),
    ] {
        assert_eq!(verdict("Glob", args.clone()).verdict, Answer::Deny, "{args}");
    }
    assert_eq!(verdict("Grep", json!({"pattern": "x", "glob": "*.rs"})).verdict, Answer::Allow);
    assert_eq!(verdict("Grep", json!({"pattern": "x", "glob": "*.env"})).verdict, Answer::Deny);
    assert_eq!(verdict("Grep", json!({"pattern": "x"})).verdict, Answer::Deny);
}

#[test]
fn a_rule_that_cannot_speak_of_the_call_is_told() {
    let p = policy(
        "[[rules]]\ndeny_by_name = [\"*\"]\nwhen.runs = [\"rm *\"]\n[[rules]]\nallow_by_default = true",
    );
    let warned = |call: Value| judge(&p, call).warnings.join(" ");
    assert!(
        warned(json!({"tool": "Bash", "args": {"command": "ls"}}))
            .contains("say `host` (such as `claude-code`)")
    );
    assert!(
        warned(json!({"tool": "Bash", "host": "claude", "args": {}}))
            .contains("the host `claude` is not known")
    );
    assert_eq!(warned(json!({"tool": "Bash", "host": "claude-code", "args": {"command": "ls"}})), "");
    assert_eq!(warned(json!({"tool": "own_tool"})), "");
}

#[test]
fn under_a_variable_that_replaces_programs_nobody_can_tell_what_a_name_means() {
    let p = policy(
        "[[rules]]\ndeny_by_name = [\"Bash\"]\nwhen.runs = [\"rm *\"]\n[[rules]]\nallow_by_default = true",
    );
    let cause = |command: &str| {
        judge(&p, json!({"tool": "Bash", "host": "claude-code", "args": {"command": command}})).cause
    };
    for command in [
        "PATH=/tmp/x ls",
        "export PATH=/tmp/x; ls",
        "LD_PRELOAD=./x.so ls",
        "env BASH_ENV=f bash -c ls",
        "PS4='$(rm x)' bash -xc ls",
    ] {
        assert_eq!(cause(command), Cause::PossibleMatch, "{command}");
    }
    for command in ["NODE_OPTIONS=--max-old-space-size=4096 npm test", "CC=clang make", "FOO=1 ls"] {
        assert_eq!(cause(command), Cause::Rule, "{command}");
    }
}

#[test]
fn a_fault_is_a_denial() {
    let p = policy("[[rules]]\nallow_by_default = true");
    let verdict = judge(&p, json!({"tool": "x", "fs": {}}));
    assert_eq!((verdict.verdict, verdict.cause), (Answer::Deny, Cause::Error));
}

#[test]
fn a_layer_tightens_and_never_loosens() {
    let managed = policy("[[rules]]\ndeny_by_name = [\"deploy\"]").in_layer("managed");
    let asks = policy("[[rules]]\ndecide_by_human = true\nwhen.tool = [\"write\"]").in_layer("user");
    let project = policy("[[rules]]\nallow_by_default = true").in_layer("project");
    let layers = Layers::from(managed).and(asks).and(project);
    let by = |tool: &str| {
        let verdict = layers.evaluate(&Call::new(tool), &Surroundings::new(&NoDisk));
        (verdict.verdict, verdict.decided_by.and_then(|by| by.layer.clone()))
    };
    assert_eq!(by("deploy"), (Answer::Deny, Some("managed".into())));
    assert_eq!(by("write"), (Answer::Ask, Some("user".into())));
    assert_eq!(by("read"), (Answer::Allow, Some("project".into())));
    let silent = Layers::from(policy("[[rules]]\ndeny_by_name = [\"x\"]"))
        .and(policy("[[rules]]\nallow_by_name = [\"y\"]"));
    let verdict = silent.evaluate(&Call::new("z"), &Surroundings::new(&NoDisk));
    assert_eq!((verdict.verdict, verdict.cause), (Answer::Deny, Cause::NoRule));
}

#[test]
fn a_subagent_has_the_denials_above_it_and_its_own_list_or_the_whole_list_above() {
    let lead =
        policy("[[rules]]\nallow_by_default = true\n[[rules]]\nid = \"lead\"\ndeny_by_name = [\"deploy\"]");
    let own = policy("[[rules]]\nid = \"own\"\nallow_by_name = [\"look\", \"deploy\"]");
    let below = lead.for_subagent(Some(&own));
    gives(
        &below,
        json!({"tool": "deploy"}),
        (Answer::Deny, Some("lead"), Cause::Rule, Some("deploy is not allowed.")),
    );
    gives(&below, json!({"tool": "look"}), (Answer::Allow, Some("own"), Cause::Rule, None));
    gives(
        &below,
        json!({"tool": "write"}),
        (Answer::Deny, None, Cause::NoRule, Some("No permission allowed this call.")),
    );
    gives(
        &lead.for_subagent(None),
        json!({"tool": "write"}),
        (Answer::Allow, Some("rule-1"), Cause::Rule, None),
    );
    let third = below.for_subagent(Some(&policy("[[rules]]\nallow_by_default = true")));
    gives(
        &third,
        json!({"tool": "deploy"}),
        (Answer::Deny, Some("lead"), Cause::Rule, Some("deploy is not allowed.")),
    );
}

#[test]
fn any_denial_stops_the_turn_where_the_policy_says_so() {
    let p = policy("on_deny = \"stop_turn\"\n[[rules]]\ndeny_by_name = [\"x\"]");
    assert!(judge(&p, json!({"tool": "x"})).stop);
    assert!(judge(&p, json!({"tool": "y"})).stop);
}

#[test]
fn explain_ends_in_the_verdict_that_evaluate_gives() {
    let p = policy(READS_AND_ASKS);
    for tool in ["delete_x", "look", "write"] {
        let call = Call::new(tool).read_only(tool == "look");
        let told = p.explain(&call, &Surroundings::new(&NoDisk));
        assert_eq!(told.verdict, p.evaluate(&call, &Surroundings::new(&NoDisk)));
        assert!(!told.steps.is_empty());
    }
}

#[test]
fn everything_wrong_with_a_policy_is_told_at_once_whoever_finds_it() {
    let text = r#"
version = 1
colour = "red"
[[rules]]
allow_by_name = ["Bash"]
when.runs = ["@nobody", "@ours", 'git "status']
when.fetches = ["http://"]
[command_sets]
ours = "ls"
"#;
    let report = Policy::parse("p", Format::Toml, text).unwrap_err().to_string();
    let said: Vec<_> = report.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    // `@nobody` may be one of the sets that were not read.
    assert_eq!(said, ["error[E0202]", "error[E0412]", "error[E0411]", "error[E0204]"], "{report}");
}

const CHANGES: &str = r#"
[[rules]]
deny_by_name = ["*"]
when.reads = ["/secret/**"]
[[rules]]
allow_by_name = ["a"]
set = { cmd = 'cat "$X"' }
[[rules]]
decide_by_human = true
set = { timeout = 120 }
[tools.a]
command = "cmd"
"#;

#[test]
fn a_person_is_asked_about_the_call_as_it_would_run() {
    let verdict = judge(&policy(CHANGES), json!({"tool": "b", "args": {"x": 1}}));
    assert_eq!(verdict.question.as_deref(), Some("Run b(x=1, timeout=120)?"));
    let verdict = judge(&policy(CHANGES), json!({"tool": "a", "args": {"cmd": "true"}}));
    assert_eq!((verdict.verdict, verdict.cause), (Answer::Ask, Cause::PossibleMatch));
    assert_eq!(verdict.question.as_deref(), Some("Run a(cmd=\"cat \\\"$X\\\"\")?"));
    assert_eq!(verdict.updated_args.unwrap()["cmd"], "cat \"$X\"");
}

#[test]
fn a_change_that_one_layer_makes_is_kept_when_another_allows_as_well() {
    let plain = policy("[[rules]]\nallow_by_default = true");
    let changing = policy("[[rules]]\nallow_by_default = true\nset = { timeout = 120 }");
    for (first, second) in [(&plain, &changing), (&changing, &plain)] {
        let layers = Layers::from(first.clone()).and(second.clone());
        let verdict = layers.evaluate(&call(json!({"tool": "b"})), &Surroundings::new(&NoDisk));
        assert_eq!(verdict.verdict, Answer::Allow);
        assert_eq!(verdict.updated_args.unwrap()["timeout"], 120);
    }
}

#[test]
fn a_denial_from_above_stops_the_turn_where_the_run_above_says_so() {
    let above = policy("on_deny = \"stop_turn\"\n[[rules]]\ndeny_by_name = [\"x\"]");
    let own = policy("[[rules]]\nallow_by_default = true");
    assert!(judge(&above.for_subagent(Some(&own)), json!({"tool": "x"})).stop);
}

#[test]
fn many_parts_take_time_in_proportion() {
    let rules = "[[rules]]\nallow_by_read_only = true\nunless.reads = [\"/secret\"]\n[[rules]]\ndecide_by_human = true";
    let time = |commands: usize| {
        let call = call(
            json!({"tool": "Bash", "host": "claude-code", "args": {"command": "echo a;".repeat(commands)}}),
        );
        let policy = policy(rules);
        let started = std::time::Instant::now();
        assert_eq!(policy.evaluate(&call, &Surroundings::new(&NoDisk)).verdict, Answer::Allow);
        started.elapsed()
    };
    time(10);
    let (few, many) = (time(500), time(8000));
    // Sixteen times the parts; quadratic would be 256 times the time.
    assert!(many < few * 80, "{few:?} for 500, {many:?} for 8000");
}

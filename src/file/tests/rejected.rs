//! Policies that do not load: each with what is said of it.

use super::bad;
use crate::file::tree::Format;

/// What is said of a rule in TOML, which starts on line 1.
#[track_caller]
fn rule(rule: &str, said: &[&str]) {
    let found = bad(&format!("rules = [{{ {rule} }}]\nversion = 1"), Format::Toml);
    // `rules = [{ ` is 11 characters.
    let found: Vec<_> = found.iter().map(|line| line.strip_prefix("1:").unwrap_or(line).to_owned()).collect();
    let found: Vec<_> =
        found.iter().map(|line| line.split_once(": ").map_or(line.as_str(), |(_, said)| said)).collect();
    assert_eq!(found, said, "{rule}");
}

/// What is said of conditions.
#[track_caller]
fn when(conditions: &str, said: &[&str]) {
    rule(&format!("deny_by_name = [\"*\"], when = {{ {conditions} }}"), said);
}

/// What is said of a policy.
#[track_caller]
fn policy(text: &str, said: &[&str]) {
    let found = bad(&format!("version = 1\n{text}"), Format::Toml);
    assert_eq!(found, said, "{text}");
}

#[test]
fn a_rule_has_exactly_one_kind() {
    rule(
        "id = \"a\"",
        &[
            "error[E0301]: this rule has no kind (write one of `deny_by_name`, `allow_by_name`, `allow_by_read_only`, `decide_by_human`, `allow_by_default`)",
        ],
    );
    rule(
        "DenyByName = [\"a\"]",
        &["error[E0303]: there is no kind of rule `DenyByName` (did you mean `deny_by_name`?)"],
    );
    rule(
        "denyByName = [\"a\"]",
        &["error[E0303]: there is no kind of rule `denyByName` (did you mean `deny_by_name`?)"],
    );
    rule(
        "alow_by_name = [\"a\"]",
        &["error[E0303]: there is no kind of rule `alow_by_name` (did you mean `allow_by_name`?)"],
    );
    rule(
        "AllowByReadOnly = true",
        &["error[E0303]: there is no kind of rule `AllowByReadOnly` (did you mean `allow_by_read_only`?)"],
    );
    rule(
        "DecideByHuman = true",
        &["error[E0303]: there is no kind of rule `DecideByHuman` (did you mean `decide_by_human`?)"],
    );
    rule(
        "allow_by_default = true, deny_by_name = [\"a\"]",
        &[
            "error[E0302]: this rule is both `deny_by_name` and `allow_by_default` (a rule has one kind: write two rules)",
        ],
    );
}

#[test]
fn a_kind_takes_its_own_value() {
    for kind in ["deny_by_name", "allow_by_name", "allow_by_read_only", "decide_by_human", "allow_by_default"]
    {
        rule(
            &format!("{kind} = false"),
            &[&format!("error[E0304]: `{kind}` cannot be `false` (remove the rule)")],
        );
    }
    rule(
        "deny_by_name = true",
        &[
            "error[E0305]: `deny_by_name` takes a list of name patterns, found `true` (write names, such as `[\"Bash\"]`; `[\"*\"]` is every tool)",
        ],
    );
    rule(
        "deny_by_name = \"Bash\"",
        &["error[E0204]: `deny_by_name` takes a list of name patterns, found a string (write `[\"Bash\"]`)"],
    );
    rule("deny_by_name = 3", &["error[E0203]: `deny_by_name` takes a list of name patterns, found a number"]);
    rule(
        "deny_by_name = [3]",
        &["error[E0203]: `deny_by_name` takes a string, found a number (put it in quotes)"],
    );
    rule(
        "allow_by_read_only = \"yes\"",
        &[
            "error[E0305]: `allow_by_read_only` takes `true` or a table, found a string (write `true` or `{ trust_mcp = [\"docs\"] }`)",
        ],
    );
    rule(
        "allow_by_read_only = { trust_mcp = \"docs\" }",
        &["error[E0204]: `trust_mcp` takes a list of server patterns, found a string (write `[\"docs\"]`)"],
    );
    rule(
        "allow_by_read_only = { trust = true }",
        &["error[E0202]: unknown key `trust` in `allow_by_read_only`"],
    );
    rule(
        "decide_by_human = []",
        &[
            "error[E0305]: `decide_by_human` takes `true` or a table, found a list (write `true` or `{ timeout = \"10m\" }`)",
        ],
    );
    rule(
        "allow_by_default = {}",
        &["error[E0305]: `allow_by_default` takes `true`, found a table (write `true`)"],
    );
}

#[test]
fn a_timeout_can_be_waited() {
    for timeout in ["0", "-1", "\"0s\"", "\"25h\"", "86401", "\"10 minutes\"", "0.0", "\"\"", "1e300"] {
        rule(
            &format!("decide_by_human = {{ timeout = {timeout} }}"),
            &[
                "error[E0208]: `timeout` is not a length of time to wait (write `\"30s\"`, `\"10m\"`, `\"1h30m\"` or a number of seconds)",
            ],
        );
    }
    rule(
        "decide_by_human = { timeout = true }",
        &["error[E0203]: `timeout` takes a length of time such as `\"10m\"`, found `true`"],
    );
    rule(
        "decide_by_human = { question = \" \" }",
        &["error[E0207]: `question` is blank (say something, or leave the key out)"],
    );
}

#[test]
fn keys_go_with_the_kind() {
    rule(
        "decide_by_human = true, reason = \"a\"",
        &[
            "error[E0306]: `reason` does not go with `decide_by_human` (what the person is asked is `question`, in the table of `decide_by_human`)",
        ],
    );
    rule(
        "allow_by_name = [], reason = \"a\"",
        &[
            "error[E0306]: `reason` does not go with `allow_by_name` (the model is told nothing when a call is allowed; notes for people go into `description`)",
        ],
    );
    rule(
        "allow_by_default = true, stop = true",
        &[
            "error[E0306]: `stop` does not go with `allow_by_default` (only a denial stops the turn: leave it out)",
        ],
    );
    rule(
        "deny_by_name = [], set = { a = 1 }",
        &[
            "error[E0306]: `set` does not go with `deny_by_name` (a call that is denied does not run: leave it out)",
        ],
    );
    rule(
        "allow_by_name = [], set = {}",
        &["error[E0207]: `set` changes nothing (name an argument, or leave the key out)"],
    );
    rule(
        "deny_by_name = [], reason = \" \"",
        &["error[E0207]: `reason` is blank (say something, or leave the key out)"],
    );
    rule(
        "deny_by_name = [], runs = [\"a\"]",
        &["error[E0202]: unknown key `runs` in a rule (conditions stand under `when`: write `when.runs`)"],
    );
    rule(
        "deny_by_name = [], wehn = {}",
        &["error[E0202]: unknown key `wehn` in a rule (did you mean `when`?)"],
    );
    rule("deny_by_name = [], when = {}", &["error[E0401]: `when` has nothing in it (leave the key out)"]);
    rule("deny_by_name = [], unless = []", &["error[E0203]: `unless` takes a table, found a list"]);
}

#[test]
fn ids_name_one_rule() {
    rule(
        "deny_by_name = [], id = \"NoPush\"",
        &["error[E0307]: the id `NoPush` is not in kebab-case (write `no-push`)"],
    );
    rule(
        "deny_by_name = [], id = \"a--b\"",
        &["error[E0307]: the id `a--b` is not in kebab-case (write `a-b`)"],
    );
    rule(
        "deny_by_name = [], id = \"\"",
        &["error[E0307]: the id `` is not in kebab-case (write an id such as `no-force-push`)"],
    );
    policy(
        "rules = [{ deny_by_name = [], id = \"a\" }, { deny_by_name = [], id = \"a\" }]",
        &["2:69: error[E0308]: two rules have the id `a` (give one of them another id)"],
    );
    policy(
        "rules = [{ deny_by_name = [], id = \"rule-2\" }, { deny_by_name = [] }]",
        &[
            "2:36: error[E0309]: `rule-2` is the id of another rule, which has none of its own (give one of them an id that says what the rule does)",
        ],
    );
}

#[test]
fn conditions_are_said_in_full() {
    when(
        "runs = \"git push\"",
        &["error[E0204]: `runs` takes a list of command patterns, found a string (write `[\"git push\"]`)"],
    );
    when(
        "runs = [{}]",
        &["error[E0401]: `runs` has nothing in it (write `command`, flags, `operands` or `regex`)"],
    );
    when(
        "runs = [{ flags_all = [[]] }]",
        &[
            "error[E0401]: `flags_all` has nothing in it (write how the flag is spelled, such as `[\"-f\", \"--force\"]`)",
        ],
    );
    when(
        "runs = [{ flag_any = [\"-f\"] }]",
        &["error[E0202]: unknown key `flag_any` in a command pattern (did you mean `flags_any`?)"],
    );
    when(
        "writes = \"/tmp\"",
        &["error[E0204]: `writes` takes a list of path patterns, found a string (write `[\"/tmp\"]`)"],
    );
    when(
        "writes = { outside = \".\", inside = \"/\" }",
        &[
            "error[E0404]: `outside` and `inside` in one table (write `{ outside = \".\" }`; what narrows it further goes into `unless`)",
        ],
    );
    when(
        "writes = {}",
        &[
            "error[E0404]: neither `outside` nor `inside` (write `{ outside = \".\" }`; what narrows it further goes into `unless`)",
        ],
    );
    when("fetches = { port = 0 }", &["error[E0209]: `0` is not a port (ports go from 1 to 65535)"]);
    when("fetches = { port = 1.5 }", &["error[E0209]: `1.5` is not a port (ports go from 1 to 65535)"]);
    when(
        "fetches = [{}]",
        &["error[E0401]: `fetches` has nothing in it (write `host`, `method`, `scheme`, `port` or `path`)"],
    );
    when(
        "tool = \"Bash\"",
        &["error[E0204]: `tool` takes a list of name patterns, found a string (write `[\"Bash\"]`)"],
    );
    when("hints = {}", &["error[E0401]: `hints` has nothing in it (leave the key out)"]);
    when(
        "hints = { readOnly = true }",
        &["error[E0202]: unknown key `readOnly` in hints (did you mean `read_only`?)"],
    );
    when(
        "\"hints.read_only\" = true",
        &[
            "error[E0202]: unknown key `hints.read_only` in conditions (`read_only` stands in a table of its own, under `hints`)",
        ],
    );
    when(
        "requires_human = \"no\"",
        &["error[E0203]: `requires_human` takes `true` or `false`, found a string (write `false`)"],
    );
    when(
        "reason = \"promt\"",
        &["error[E0206]: `reason` takes one of `prompt`, `policy`, found `promt` (did you mean `prompt`?)"],
    );
    when(
        "confirmation = { titel = \"a\" }",
        &["error[E0202]: unknown key `titel` in the preview (did you mean `title`?)"],
    );
}

#[test]
fn an_operator_is_never_taken_for_an_argument() {
    let nested = |key: &str| {
        format!(
            "the argument `{key}` within `a` is written `args.\"a.{key}\"`; a whole table is `{{ equals = … }}`"
        )
    };
    when(
        "args.a.Equals = 1",
        &[&format!(
            "error[E0402]: `Equals` is not an operator (did you mean `equals`?; {})",
            nested("Equals")
        )],
    );
    when(
        "args.a.startswith = \"b\"",
        &[&format!(
            "error[E0402]: `startswith` is not an operator (did you mean `starts_with`?; {})",
            nested("startswith")
        )],
    );
    when(
        "args.a.force = true",
        &[&format!("error[E0402]: `force` is not an operator ({})", nested("force"))],
    );
    when(
        "args.a = { glob = \"x\", b = 1 }",
        &[&format!("error[E0402]: `b` is not an operator ({})", nested("b"))],
    );
    when(
        "args.a = {}",
        &["error[E0401]: `a` has nothing in it (write an operator, such as `{ exists = true }`)"],
    );
    when("args = {}", &["error[E0401]: `args` has nothing in it (leave the key out)"]);
    when(
        "args.a = { exists = false, glob = \"x\" }",
        &["error[E0403]: an argument that is not there cannot pass another test (keep one of them)"],
    );
    when("args.a = { less_than = \"3\" }", &["error[E0203]: `less_than` takes a number, found a string"]);
    when("args.a = { one_of = 3 }", &["error[E0203]: `one_of` takes a list of values, found a number"]);
    when(
        "args.a = { type = \"list\" }",
        &[
            "error[E0206]: `type` takes one of `string`, `number`, `integer`, `boolean`, `array`, `object`, `null`, found `list` (write one of `string`, `number`, `integer`, `boolean`, `array`, `object`, `null`)",
        ],
    );
    for path in ["a..b", "", ".", "a[0]", "a[].", "[]", "a[]b", "a["] {
        when(
            &format!("args.\"{path}\" = 1"),
            &[&format!(
                "error[E0211]: `{path}` is not a path to an argument (write paths as `path`, `options.force` or `edits[].path`)"
            )],
        );
    }
}

#[test]
fn the_top_of_a_file_is_checked() {
    assert_eq!(
        bad("rules = []", Format::Toml),
        ["1:1: error[E0201]: `version` is missing (write `version = 1`)"]
    );
    assert_eq!(bad("{}", Format::Json), ["1:1: error[E0201]: `version` is missing (write `\"version\": 1`)"]);
    assert_eq!(
        bad("version: '1'\nfoo: 1", Format::Yaml),
        ["1:10: error[E0201]: version \"1\" of the format is not known (write `version: 1`)"]
    );
    assert_eq!(
        bad("version: 1.0", Format::Yaml),
        ["1:10: error[E0201]: version 1.0 of the format is not known (write `version: 1`)"]
    );
    assert_eq!(bad("[1]", Format::Json), ["1:1: error[E0203]: the file takes a table, found a list"]);
    policy("rule = []", &["2:1: error[E0202]: unknown key `rule` in a policy (write `[[rules]]`)"]);
    policy(
        "descripton = \"\"",
        &["2:1: error[E0202]: unknown key `descripton` in a policy (did you mean `description`?)"],
    );
    policy(
        "undecided = \"No.\"",
        &["2:13: error[E0203]: `undecided` takes a table, found a string (write `{ reason = \"No.\" }`)"],
    );
    policy("undecided = {}", &["2:13: error[E0205]: `reason` is missing in `undecided`"]);
    policy(
        "on_deny = \"stop\"",
        &[
            "2:11: error[E0206]: `on_deny` takes one of `continue`, `stop_turn`, found `stop` (write one of `continue`, `stop_turn`)",
        ],
    );
    policy(
        "lints = { a = \"deny\" }",
        &[
            "2:15: error[E0206]: `a` takes one of `off`, `warn`, `error`, found `deny` (write one of `off`, `warn`, `error`)",
        ],
    );
    policy(
        "lints = { a = false }",
        &["2:15: error[E0203]: `a` takes one of `off`, `warn`, `error`, found `false`"],
    );
    policy(
        "rules = {}",
        &[
            "2:9: error[E0203]: `rules` takes a list of rules, found a table (write `[[rules]]` above each of them)",
        ],
    );
    policy("rules = [3]", &["2:10: error[E0203]: `rules` takes a table, found a number"]);
    policy(
        "extends = \"a.toml\"",
        &["2:11: error[E0204]: `extends` takes a list of files, found a string (write `[\"a.toml\"]`)"],
    );
    policy(
        "extends = [\"a.toml\"]",
        &[
            "2:12: error[E0113]: a policy that is not a file cannot extend others (write the policy to a file)",
        ],
    );
}

#[test]
fn tools_and_sets_are_checked() {
    policy(
        "tools.a = { reads = \"path\" }",
        &["2:21: error[E0204]: `reads` takes a list of arguments, found a string (write `[\"path\"]`)"],
    );
    policy(
        "tools.a = { write = [\"path\"] }",
        &["2:13: error[E0202]: unknown key `write` in a tool (did you mean `writes`?)"],
    );
    policy(
        "tools.a = { read_only = true, destructive = true }",
        &[
            "2:45: error[E0210]: `a` is said to be both read-only and destructive (a tool that changes nothing destroys nothing: keep one)",
        ],
    );
    policy(
        "command_sets.project = [\"a\"]",
        &[
            "2:24: error[E0212]: `project` is built in and cannot be replaced (write `{ add = […] }`, `remove` or both)",
        ],
    );
    policy(
        "command_sets.project = {}",
        &["2:24: error[E0212]: `project` changes nothing (write `add`, `remove` or both, or leave it out)"],
    );
    policy(
        "command_sets.a = {}",
        &[
            "2:18: error[E0212]: `a` is a new set, there is nothing to change (write a list of command patterns)",
        ],
    );
    policy(
        "command_sets.a = \"b\"",
        &["2:18: error[E0204]: `a` takes a list of command patterns, found a string (write `[\"b\"]`)"],
    );
    policy(
        "command_sets.\"@a\" = []",
        &["2:14: error[E0212]: the name `@a` of a set is not in kebab-case (write `a`)"],
    );
}

#[test]
fn tests_fit_their_calls() {
    policy(
        "tests = [{ expect = \"deny\" }]",
        &[
            "2:10: error[E0501]: this test has no call (write `call`, one call; `each`, calls with one expectation; or `calls`, a turn)",
        ],
    );
    policy(
        "tests = [{ call = {}, each = [], expect = \"deny\" }]",
        &["2:23: error[E0501]: this test has both `call` and `each` (write two tests)"],
    );
    policy(
        "tests = [{ each = [], expect = \"deny\" }]",
        &["2:19: error[E0501]: `each` is empty (write at least one call)"],
    );
    policy(
        "tests = [{ call = \"ls\", expect = \"deny\" }]",
        &["2:19: error[E0203]: `call` takes a table, found a string"],
    );
    policy(
        "tests = [{ call = {}, expect = \"denied\" }]",
        &[
            "2:32: error[E0206]: `expect` takes one of `allow`, `deny`, `ask`, found `denied` (write one of `allow`, `deny`, `ask`)",
        ],
    );
    policy(
        "tests = [{ call = {}, expect = [\"run\"] }]",
        &[
            "2:32: error[E0502]: a list is expected of single calls (write `\"allow\"`, `\"deny\"` or `\"ask\"`; a turn is written with `calls`)",
        ],
    );
    policy(
        "tests = [{ calls = [{}], expect = \"deny\" }]",
        &[
            "2:35: error[E0502]: one word is expected of a whole turn (write what becomes of each call, such as `[\"run\", \"denied\", \"cancelled\"]`)",
        ],
    );
    policy(
        "tests = [{ calls = [{}], expect = [] }]",
        &[
            "2:35: error[E0502]: 0 outcomes for 1 call (write what becomes of each call, such as `[\"run\", \"denied\", \"cancelled\"]`)",
        ],
    );
    policy(
        "tests = [{ call = {}, expect = \"deny\", answers = [] }]",
        &["2:40: error[E0503]: `answers` does not go with `call` (people answer in a turn: use `calls`)"],
    );
    policy(
        "tests = [{ calls = [{}], expect = [\"run\"], cause = \"rule\" }]",
        &[
            "2:44: error[E0503]: `cause` does not go with `calls` (it is said of one call: use `call` or `each`)",
        ],
    );
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text = "[[rules]]\ndeny_by_name = true\n\n[[rules]]\nid = \"X\"\n\n[[tests]]\nfoo = 1\n";
    let found = bad(text, Format::Toml);
    let codes: Vec<_> =
        found.iter().map(|l| l.split_once("error[").map_or("", |(_, rest)| &rest[..5])).collect();
    assert_eq!(codes, ["E0201", "E0305", "E0301", "E0307", "E0202", "E0501"]);
}

#[test]
fn a_lone_table_is_no_list() {
    for (text, format, help) in [
        (
            "version = 1\nrules = { allow_by_default = true }",
            Format::Toml,
            "write `[[rules]]` above each of them",
        ),
        (
            "version: 1\nrules: { allow_by_default: true }",
            Format::Yaml,
            "write `- ` in front of each of them",
        ),
        (r#"{"version": 1, "rules": {"allow_by_default": true}}"#, Format::Json, "write `[{ … }]`"),
    ] {
        let said = bad(text, format);
        assert!(
            said.len() == 1
                && said[0].ends_with(&format!("`rules` takes a list of rules, found a table ({help})")),
            "{said:?}"
        );
    }
}

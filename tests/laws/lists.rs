//! Laws about the list of rules.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use tool_policy::{Answer, Cause, Verdict};

use super::generate::{Rules, call, plain_call, rule, rules};
use super::{config, judge, parsed, policy, surroundings, told};

const NOT_DENIALS: &[&str] = &["allow_by_name", "allow_by_read_only", "decide_by_human", "allow_by_default"];

/// The verdict but for the places of rules: indices, lines, the policy's digest; and for warnings, which speak of the whole of a list.
fn but_for_places(verdict: &Verdict) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for key in ["index", "line", "file", "policy", "warnings"] {
                    map.remove(key);
                }
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut value = serde_json::to_value(verdict).unwrap();
    strip(&mut value);
    value
}

fn with_ids(rules: &[Value]) -> Vec<Value> {
    let with = |(i, rule): (usize, &Value)| {
        let mut rule = rule.clone();
        rule["id"] = json!(format!("r-{i}"));
        rule
    };
    rules.iter().enumerate().map(with).collect()
}

/// A list of names only, walked as the design tells it.
fn naive(rules: &[Value], call: &Value) -> (Answer, Option<usize>) {
    let tool = call["tool"].as_str().unwrap();
    let names = |rule: &Value, kind: &str| -> Option<bool> {
        let list = rule[kind].as_array()?;
        Some(list.iter().any(|glob| simple_glob(glob.as_str().unwrap().as_bytes(), tool.as_bytes())))
    };
    if let Some(i) = rules.iter().position(|rule| names(rule, "deny_by_name") == Some(true)) {
        return (Answer::Deny, Some(i));
    }
    for (i, rule) in rules.iter().enumerate() {
        if rule.get("decide_by_human").is_some() {
            return (Answer::Ask, Some(i));
        }
        let read_only = || {
            call["hints"]["read_only"] == json!(true)
                && (call.get("mcp").is_none()
                    || rule["allow_by_read_only"]["trust_mcp"] == json!(true)
                    || rule["allow_by_read_only"]["trust_mcp"] == json!(["docs"])
                        && call["mcp"]["server"] == json!("docs"))
        };
        if names(rule, "allow_by_name") == Some(true)
            || rule.get("allow_by_default").is_some()
            || rule.get("allow_by_read_only").is_some() && read_only()
        {
            return (Answer::Allow, Some(i));
        }
    }
    (Answer::Deny, None)
}

/// `*` and sets without ranges, on ASCII.
fn simple_glob(glob: &[u8], text: &[u8]) -> bool {
    match glob {
        [] => text.is_empty(),
        [b'*', rest @ ..] => (0..=text.len()).any(|n| simple_glob(rest, &text[n..])),
        [b'[', rest @ ..] => {
            let end = rest.iter().position(|b| *b == b']').unwrap();
            text.first().is_some_and(|b| rest[..end].contains(b)) && simple_glob(&rest[end + 1..], &text[1..])
        }
        [first, rest @ ..] => text.first() == Some(first) && simple_glob(rest, &text[1..]),
    }
}

fn only_names(rules: Vec<Value>) -> Vec<Value> {
    let bare = |mut rule: Value| {
        let map = rule.as_object_mut().unwrap();
        map.remove("when");
        map.remove("unless");
        rule
    };
    rules.into_iter().map(bare).collect()
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn denials_win(denial in rule(Rules::Any, &["deny_by_name"]), rules in rules(Rules::Any), call in call(), more in rule(Rules::Any, NOT_DENIALS), at in any::<Index>()) {
        let mut rules = rules;
        rules.push(denial);
        let before = judge(&policy(&rules), &call);
        prop_assume!(before.cause == Cause::PossibleMatch || (before.verdict, before.cause) == (Answer::Deny, Cause::Rule));
        let mut longer = rules.clone();
        longer.insert(at.index(rules.len() + 1), more);
        let after = judge(&policy(&longer), &call);
        let holds = match before.cause {
            Cause::Rule => after.verdict == Answer::Deny && after.cause == Cause::Rule,
            // A further rule that asks may be the first that speaks of it.
            _ => after.verdict != Answer::Allow && after.cause == Cause::PossibleMatch,
        };
        prop_assert!(holds, "{}", told(&longer, &[(&call, &before), (&call, &after)]));
    }

    #[test]
    fn a_denial_more_allows_nothing(rules in rules(Rules::Any), call in call(), more in rule(Rules::Any, &["deny_by_name"]), at in any::<Index>()) {
        let before = judge(&policy(&rules), &call);
        let mut longer = rules.clone();
        longer.insert(at.index(rules.len() + 1), more);
        let after = judge(&policy(&longer), &call);
        // What was denied because no rule decided may be asked about, now that a denial cannot be ruled out.
        prop_assert!(before.verdict == Answer::Allow || after.verdict != Answer::Allow, "{}", told(&longer, &[(&call, &before), (&call, &after)]));
        prop_assert!(before.verdict != Answer::Deny || before.cause == Cause::NoRule || after.verdict == Answer::Deny, "{}", told(&longer, &[(&call, &before), (&call, &after)]));
    }

    #[test]
    fn explain_ends_in_the_verdict_of_evaluate(rules in rules(Rules::Any), call in call()) {
        let policy = policy(&rules);
        let call = parsed(&call);
        // `explain` asks every rule of the list, `evaluate` only those that the index names.
        let (told, plain) = (policy.explain(&call, &surroundings()), policy.evaluate(&call, &surroundings()));
        prop_assert_eq!(told.verdict, plain);
        prop_assert_eq!(policy.evaluate(&call, &surroundings()), policy.evaluate(&call, &surroundings()));
    }

    #[test]
    fn a_list_of_names_is_walked_as_it_is_told(rules in rules(Rules::Any), call in plain_call()) {
        let rules = only_names(rules);
        let verdict = judge(&policy(&rules), &call);
        let expected = naive(&rules, &call);
        prop_assert_eq!((verdict.verdict, verdict.decided_by.as_ref().map(|by| by.index)), expected, "{}", told(&rules, &[(&call, &verdict)]));
    }

    #[test]
    fn rules_behind_the_one_that_decided_change_nothing(rules in rules(Rules::Any), call in call(), more in prop::collection::vec(rule(Rules::Any, NOT_DENIALS), 1..=3)) {
        let before = judge(&policy(&rules), &call);
        // A call that was decided part by part is, too: no part was open when the list ended there.
        prop_assume!(before.cause != Cause::NoRule && before.cause != Cause::PossibleMatch);
        let mut longer = rules.clone();
        longer.extend(more);
        let after = judge(&policy(&longer), &call);
        prop_assert_eq!(but_for_places(&before), but_for_places(&after), "{}", told(&longer, &[(&call, &before), (&call, &after)]));
    }

    #[test]
    fn rules_that_match_nothing_change_nothing(
        rules in rules(Rules::Any), call in call(), at in any::<Index>(),
        idle in select(vec![
            json!({"deny_by_name": []}), json!({"deny_by_name": ["no_such_tool"]}), json!({"allow_by_name": ["no_such_*"]}),
            json!({"decide_by_human": true, "when": {"tool": ["no_such_tool"]}}), json!({"allow_by_default": true, "when": {"agent": ["nobody"]}}),
            json!({"allow_by_read_only": true, "when": {"mode": ["no_such_mode"]}}),
        ]),
    ) {
        let rules = with_ids(&rules);
        let before = judge(&policy(&rules), &call);
        let mut longer = rules.clone();
        let mut idle = idle;
        idle["id"] = json!("idle");
        longer.insert(at.index(rules.len() + 1), idle);
        let after = judge(&policy(&longer), &call);
        prop_assert_eq!(but_for_places(&before), but_for_places(&after), "{}", told(&longer, &[(&call, &before), (&call, &after)]));
    }
}

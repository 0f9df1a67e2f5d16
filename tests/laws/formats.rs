//! Laws about files and faults: one policy in three formats, and what cannot be read.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use tool_policy::facts::disk::{Disk, Kind, Os};
use tool_policy::{Answer, Call, Cause, Format, Policy, Surroundings, Verdict};

use super::generate::{Rules, call, rules};
use super::{config, judge, policy, surroundings, told};

/// TOML without any shorthand.
fn toml(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{} = {}", json!(key), toml(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

fn toml_file(map: &Map<String, Value>) -> String {
    map.iter().map(|(key, value)| format!("{key} = {}\n", toml(value))).collect()
}

/// But for the lines and the digest of the text.
fn but_for_lines(verdict: &Verdict) -> Value {
    let mut value = serde_json::to_value(verdict).unwrap();
    let map = value.as_object_mut().unwrap();
    map.remove("policy");
    for key in ["decided_by", "not_ruled_out"] {
        if let Some(Value::Object(rule)) = map.get_mut(key) {
            rule.remove("line");
        }
    }
    value
}

/// A rule list without places.
fn listed(policy: &Policy) -> Vec<String> {
    policy
        .rules()
        .iter()
        .map(|rule| {
            format!(
                "{} {} {} {:?} {:?} {:?}",
                rule.me.rule, rule.me.kind, rule.me.index, rule.kind, rule.when, rule.unless
            )
        })
        .collect()
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        any::<i64>().prop_map(|n| json!(n)),
        "[a-z_/$ ;]{0,12}".prop_map(|s| json!(s))
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let key = select(
            &[
                "tool",
                "args",
                "hints",
                "mcp",
                "fs",
                "cwd",
                "command",
                "read_only",
                "server",
                "files",
                "links",
                "env",
                "mode",
                "host",
                "id",
            ][..],
        );
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key, inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

/// Puts another value at some place in a call.
fn spoil(value: &mut Value, path: &[Index], other: Value) {
    let Some((first, rest)) = path.split_first() else {
        *value = other;
        return;
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(first.index(map.len())).unwrap().clone();
            spoil(&mut map[&key], rest, other);
        }
        _ => *value = other,
    }
}

/// A disk that answers what makes no sense.
struct Broken(u64);

impl Broken {
    fn roll(&self, path: &str, sides: u64) -> u64 {
        path.bytes().fold(self.0, |n, b| n.wrapping_mul(31).wrapping_add(u64::from(b))) % sides
    }
}

impl Disk for Broken {
    fn kind(&self, path: &str) -> Option<Kind> {
        [None, Some(Kind::File), Some(Kind::Folder), Some(Kind::Link), Some(Kind::Missing)]
            [usize::try_from(self.roll(path, 5)).unwrap()]
    }
    fn link(&self, path: &str) -> Option<String> {
        [
            None,
            Some(String::new()),
            Some(path.to_owned()),
            Some("..".into()),
            Some(format!("{path}/x")),
            Some("/p/link".into()),
        ][usize::try_from(self.roll(path, 6)).unwrap()]
        .clone()
    }
    fn list(&self, path: &str) -> Option<Vec<String>> {
        [None, Some(vec![String::new(), "/".into(), "..".into()]), Some(vec!["a".into()])]
            [usize::try_from(self.roll(path, 3)).unwrap()]
        .clone()
    }
    fn read(&self, path: &str) -> Option<String> {
        [None, Some("\0[".into()), Some(String::new())][usize::try_from(self.roll(path, 3)).unwrap()].clone()
    }
    fn home(&self) -> Option<String> {
        [None, Some(String::new()), Some("relative".into()), Some("/home/me".into())]
            [usize::try_from(self.0 % 4).unwrap()]
        .clone()
    }
    fn case_insensitive(&self) -> bool {
        self.0.is_multiple_of(3)
    }
    fn normalizes_unicode(&self) -> bool {
        self.0.is_multiple_of(5)
    }
    fn os(&self) -> Os {
        [Os::Linux, Os::Macos, Os::Windows][usize::try_from(self.0 % 3).unwrap()]
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn one_policy_in_three_formats_is_one_list(rules in rules(Rules::Any), calls in prop::collection::vec(call(), 1..4)) {
        let file = json!({"version": 1, "rules": rules});
        let texts = [
            (Format::Json, file.to_string()),
            (Format::Toml, toml_file(file.as_object().unwrap())),
            (Format::Yaml, serde_yaml::to_string(&file).unwrap()),
        ];
        let read: Vec<Policy> = texts.iter().map(|(format, text)| Policy::parse("policy", *format, text).unwrap_or_else(|e| panic!("{e}\n{text}"))).collect();
        // Before any of them is asked: a regex is compiled when it is first needed.
        let lists: Vec<_> = read.iter().map(listed).collect();
        prop_assert!(lists.iter().all(|list| *list == lists[0]), "{lists:#?}");
        for other in &read[1..] {
            for call in &calls {
                prop_assert_eq!(but_for_lines(&judge(&read[0], call)), but_for_lines(&judge(other, call)));
            }
        }
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn what_is_no_call_is_not_allowed(value in any_json(), rules in rules(Rules::Any)) {
        if let Ok(call) = Call::from_json(value) {
            // It is a call: without a panic it is judged, and twice alike.
            let policy = policy(&rules);
            prop_assert_eq!(policy.evaluate(&call, &surroundings()), policy.evaluate(&call, &surroundings()));
        }
    }

    #[test]
    fn a_call_that_is_spoilt_at_one_place_is_refused_or_judged(call in call(), path in prop::collection::vec(any::<Index>(), 1..4), other in any_json(), rules in rules(Rules::Any)) {
        let mut spoilt = call.clone();
        spoil(&mut spoilt, &path, other);
        if let Ok(read) = Call::from_json(spoilt.clone()) {
            let verdict = policy(&rules).evaluate(&read, &surroundings());
            let broken_disk = read.fs.as_ref().is_some_and(|fs| tool_policy::facts::disk::MadeUpDisk::from_json(fs).is_err());
            let holds = !broken_disk || (verdict.verdict, verdict.cause) == (Answer::Deny, Cause::Error);
            prop_assert!(holds, "{}", told(&rules, &[(&spoilt, &verdict)]));
        }
    }

    #[test]
    fn a_made_up_disk_that_is_not_asked_for_is_a_fault(call in call(), rules in rules(Rules::Any)) {
        prop_assume!(call.get("fs").is_some());
        let read = Call::from_json(call.clone()).unwrap();
        let verdict = policy(&rules).evaluate(&read, &Surroundings::new(&tool_policy::NoDisk));
        prop_assert_eq!((verdict.verdict, verdict.cause), (Answer::Deny, Cause::Error));
    }

    #[test]
    fn a_disk_that_answers_nonsense_does_no_harm(call in call(), rules in rules(Rules::Any), seed in any::<u64>()) {
        let mut call = call;
        call.as_object_mut().unwrap().remove("fs");
        let read = Call::from_json(call.clone()).unwrap();
        let verdict = policy(&rules).evaluate(&read, &Surroundings::new(&Broken(seed)));
        // Whatever the disk says, a call that no rule allows without it being asked is not allowed by name only.
        let no_allow: Vec<Value> = rules.iter().filter(|rule| !rule.as_object().unwrap().keys().any(|k| k.starts_with("allow"))).cloned().collect();
        let none = policy(&no_allow).evaluate(&read, &Surroundings::new(&Broken(seed)));
        prop_assert!(none.verdict != Answer::Allow, "{}", told(&rules, &[(&call, &verdict)]));
    }

    #[test]
    fn what_is_no_policy_is_no_policy(bytes in prop::collection::vec(any::<u8>(), 0..200), format in select(&[Format::Toml, Format::Yaml, Format::Json][..])) {
        // A policy needs a version, which such a text has not.
        prop_assert!(Policy::parse("policy", format, &String::from_utf8_lossy(&bytes)).is_err());
    }

    #[test]
    fn a_policy_that_is_cut_off_or_spoilt_loads_as_a_whole_or_not_at_all(rules in rules(Rules::Any), at in any::<Index>(), byte in any::<char>(), call in call()) {
        let text = json!({"version": 1, "rules": rules}).to_string();
        let at = (0..text.len()).rev().find(|i| *i <= at.index(text.len()) && text.is_char_boundary(*i)).unwrap_or(0);
        prop_assert!(Policy::parse("policy.json", Format::Json, &text[..at]).is_err());
        let mut spoilt = text.clone();
        spoilt.insert(at, byte);
        if let Ok(policy) = Policy::parse("policy.json", Format::Json, &spoilt) {
            prop_assert_eq!(policy.rules().len(), rules.len());
            let _ = judge(&policy, &call);
        }
    }
}

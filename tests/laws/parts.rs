//! Laws about commands: what is said less of a call, done more in it, or put around it never makes the verdict more permissive.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;
use tool_policy::{Answer, Cause, Verdict};

use super::generate::{Rules, plain_call, rules, script, shell_call, simple, with_command};
use super::{config, judge, policy, strictness, told};

/// What must hold of the verdict about a call that does more.
///
/// An allowance is never new, and a denial by a rule stays one. What no rule decided, or what may be denied, may come to be asked about: an unknown
/// part or a further one can be what a rule that asks speaks of.
fn no_looser(before: &Verdict, after: &Verdict) -> bool {
    match (before.verdict, before.cause) {
        (Answer::Deny, Cause::Rule) => after.verdict == Answer::Deny,
        (Answer::Deny, _) => after.verdict != Answer::Allow,
        (Answer::Ask | Answer::Allow, _) => strictness(after) >= strictness(before),
    }
}

/// What must hold of the verdict about a call of which less is known: a sure denial may become a possible one, which is asked about.
fn no_new_allowance(before: &Verdict, after: &Verdict) -> bool {
    before.verdict == Answer::Allow || after.verdict != Answer::Allow
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn an_unknown_word_is_never_allowed_where_the_known_one_is_not(
        rules in rules(Rules::Monotone), call in shell_call(), script in script(), at in any::<Index>(), unknown in select(&["\"$UNKNOWN\"", "$UNKNOWN"][..]),
    ) {
        let policy = policy(&rules);
        let known = with_command(&call, &script.text());
        let unknown = with_command(&call, &script.with(at.index(script.words()), unknown));
        let (before, after) = (judge(&policy, &known), judge(&policy, &unknown));
        prop_assert!(no_new_allowance(&before, &after), "{}", told(&rules, &[(&known, &before), (&unknown, &after)]));
    }

    #[test]
    fn a_hint_that_is_not_given_allows_nothing(rules in rules(Rules::Monotone), call in plain_call(), at in any::<Index>()) {
        // The hints that are generated are the good ones: a bad one says what is assumed anyway. Those of a tool that the catalogue
        // knows are left out: there a bad hint of the call overrides the catalogue's, and to leave it out is to take the catalogue's.
        let hints: Vec<String> = call["hints"].as_object().unwrap().keys().cloned().collect();
        prop_assume!(!hints.is_empty());
        let policy = policy(&rules);
        let mut less = call.clone();
        less["hints"].as_object_mut().unwrap().remove(&hints[at.index(hints.len())]);
        let (before, after) = (judge(&policy, &call), judge(&policy, &less));
        prop_assert!(no_looser(&before, &after), "{}", told(&rules, &[(&call, &before), (&less, &after)]));
    }

    #[test]
    fn a_part_more_allows_nothing(
        rules in rules(Rules::Monotone), call in shell_call(), script in script(), more in simple(),
        form in select(&["A; B", "B; A", "A && B", "A || B", "A | B", "A & B", "A\nB", "A > out.txt", "A 2>> /etc/hosts", "A < src/x.rs", "A; : $(B)", "A; cat <(B)", "A; echo `B`"][..]),
    ) {
        let policy = policy(&rules);
        let (a, b) = (script.text(), more.text());
        // A `cd` or an assignment in front is no part added but another meaning of the rest; the part that is added knows nothing of it.
        let b = format!("({b})");
        let longer = form.replacen('A', "\0", 1).replacen('B', &b, 1).replacen('\0', &a, 1);
        let (one, two) = (with_command(&call, &a), with_command(&call, &longer));
        let (before, after) = (judge(&policy, &one), judge(&policy, &two));
        // A part in front may make a link, or move a file, so that less is known of the paths behind it.
        let holds = if form.starts_with('B') { no_new_allowance(&before, &after) } else { no_looser(&before, &after) };
        prop_assert!(holds, "{}", told(&rules, &[(&one, &before), (&two, &after)]));
    }

    #[test]
    fn what_stands_around_a_command_allows_nothing(
        rules in rules(Rules::Monotone), call in shell_call(), script in script(),
        form in select(&["bash -c Q", "bash -lc Q", "sh -c Q", "timeout 5 bash -c Q", "sudo bash -c Q", "env X=1 bash -c Q", "nohup sh -c Q", "eval Q", "(A)", "{ A\n}", "if true; then A\nfi", "f() { A\n}; f", "trap Q EXIT", "nice bash -c Q", "bash <<'END'\nA\nEND\n"][..]),
    ) {
        let policy = policy(&rules);
        let text = script.text();
        let around = match form.split_once('Q') {
            Some((before, after)) => format!("{before}{}{after}", quoted(&text)),
            None => form.replacen('A', &text, 1),
        };
        let (one, two) = (with_command(&call, &text), with_command(&call, &around));
        let (before, after) = (judge(&policy, &one), judge(&policy, &two));
        prop_assert!(no_looser(&before, &after), "{}", told(&rules, &[(&one, &before), (&two, &after)]));
    }

    #[test]
    fn a_program_in_front_of_a_command_allows_nothing(
        rules in rules(Rules::Monotone), call in shell_call(), script in simple(),
        form in select(&["timeout 5 A", "sudo A", "sudo -u me A", "env X=1 A", "nice -n 3 A", "nohup A", "command A", "setsid A", "stdbuf -oL A", "xargs A", "xargs -I{} A", "exec A", "time A", "doas A"][..]),
    ) {
        let text = script.text();
        // Not a simple command, or one that only the shell itself can run.
        prop_assume!(!text.contains([';', '=']) && !text.starts_with("cd") && !text.starts_with("eval") && !text.starts_with(':'));
        let policy = policy(&rules);
        let around = form.replacen('A', &text, 1);
        let (one, two) = (with_command(&call, &text), with_command(&call, &around));
        let (before, after) = (judge(&policy, &one), judge(&policy, &two));
        // Words that `xargs` appends are unknown.
        let holds = if form.starts_with("xargs") { no_new_allowance(&before, &after) } else { no_looser(&before, &after) };
        prop_assert!(holds, "{}", told(&rules, &[(&one, &before), (&two, &after)]));
    }
}

/// A rule of each reading with the same condition.
fn both(when: &Value) -> (Vec<Value>, Vec<Value>) {
    (
        vec![serde_json::json!({"allow_by_name": ["*"], "when": when})],
        vec![
            serde_json::json!({"deny_by_name": ["*"], "when": when}),
            serde_json::json!({"allow_by_default": true}),
        ],
    )
}

proptest! {
    #![proptest_config(config(300))]

    // One key: several keys about parts need not all name something for an allow ("naming none is fine"), and `env` is a permission there.
    #[test]
    fn what_is_matched_narrowly_is_matched_broadly(
        key in select(&["runs", "reads", "writes", "touches", "fetches"][..]).prop_flat_map(|key| super::generate::part_key(key, Rules::Any, true).prop_map(move |value| serde_json::json!({key: value}))),
        call in super::generate::call(),
    ) {
        let (allow, deny) = both(&key);
        let (allowed, denied) = (judge(&policy(&allow), &call), judge(&policy(&deny), &call));
        prop_assert!(allowed.verdict != Answer::Allow || denied.verdict == Answer::Deny, "{}", told(&deny, &[(&call, &allowed), (&call, &denied)]));
    }
}

//! Turns: people, rules in code, stopping, subagents.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;
use tool_policy::{
    AskError, AsyncHuman, Call, Cause, CodeKind, CodeRule, CodeVerdict, Fallible, Format, Human, NoDisk,
    Person, Policy, Prepared, Question, Reply, Run, Surroundings,
};

#[track_caller]
fn policy(rules: &str) -> Policy {
    Policy::parse("policy.toml", Format::Toml, &format!("version = 1\n{rules}"))
        .unwrap_or_else(|e| panic!("{e}"))
}

const ASKS: &str = "[[rules]]\nallow_by_name = [\"read\"]\n[[rules]]\ndecide_by_human = true";

fn calls(tools: &[&str]) -> Vec<Call> {
    tools.iter().enumerate().map(|(i, tool)| Call::new(*tool).id(format!("call_{i}"))).collect()
}

/// Each call's outcome, reason and deciding rule; the questions; what stopped the turn.
fn decided(run: &Run, tools: &[&str]) -> serde_json::Value {
    let turn = run.decide(&calls(tools), &Surroundings::new(&NoDisk));
    let told = serde_json::to_value(&turn).unwrap();
    let outcomes: Vec<_> = told["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| json!([o["outcome"], o["reason"], o["decided_by"]["rule"]]))
        .collect();
    json!({ "outcomes": outcomes, "questions": told["questions"], "stopped": told["stopped"] })
}

#[test]
fn a_no_stops_the_turn_and_cancels_what_was_allowed_before() {
    let run = Run::new(policy(ASKS), Prepared::new([Reply::Yes, Reply::No]));
    assert_eq!(
        decided(&run, &["read", "write", "send", "read"]),
        json!({
            "outcomes": [
                ["cancelled", "(not run: the user stopped this turn)", "rule-2"],
                ["cancelled", "(not run: the user stopped this turn)", "rule-2"],
                ["denied", "The user declined this call. Wait for their next message.", "rule-2"],
                ["cancelled", "(not run: the user stopped this turn)", "rule-2"],
            ],
            "questions": ["Run write()?", "Run send()?"],
            "stopped": 1,
        })
    );
}

#[test]
fn the_record_has_each_question_with_its_answer() {
    let run = Run::new(policy(ASKS), Prepared::new([Reply::Yes, Reply::Timeout]));
    let turn = run.decide(&calls(&["write", "send"]), &Surroundings::new(&NoDisk));
    let asked: Vec<_> = turn.answers.iter().map(|a| (a.call_id.as_deref(), &*a.question, a.answer)).collect();
    assert_eq!(asked, [(Some("call_0"), "Run write()?", "yes"), (Some("call_1"), "Run send()?", "timeout")]);
}

#[test]
fn nobody_there_denies_at_once_and_says_how_to_allow_it() {
    let run = Run::new(policy(ASKS), Person::Nobody);
    let verdict = run.judge(&Call::new("write"), &Surroundings::new(&NoDisk));
    assert_eq!(verdict.cause, Cause::NoHuman);
    assert!(!verdict.is_allowed() && !verdict.stop);
    assert!(verdict.reason.unwrap().contains("To allow it"));
}

#[test]
fn no_answer_in_time_and_a_broken_channel_deny() {
    struct Broken;
    impl Human for Broken {
        fn ask(&self, _: &Question) -> Result<Reply, AskError> {
            Err(AskError::Failed("the line is dead".into()))
        }
    }
    let timeout = Run::new(policy(ASKS), Prepared::new([Reply::Timeout]))
        .judge(&Call::new("x"), &Surroundings::new(&NoDisk));
    assert_eq!((timeout.cause, timeout.stop, timeout.is_allowed()), (Cause::HumanTimeout, true, false));
    assert!(timeout.reason.unwrap().contains("in time"));
    let broken = Run::new(policy(ASKS), Broken).judge(&Call::new("x"), &Surroundings::new(&NoDisk));
    assert_eq!((broken.cause, broken.is_allowed()), (Cause::Error, false));
    assert!(broken.reason.unwrap().contains("the line is dead"));
}

#[test]
fn a_yes_that_comes_too_late_is_none() {
    struct Slow;
    impl Human for Slow {
        fn ask(&self, _: &Question) -> Result<Reply, AskError> {
            std::thread::sleep(Duration::from_millis(2200));
            Ok(Reply::Yes)
        }
    }
    let run = Run::new(policy("[[rules]]\ndecide_by_human = { timeout = 1 }"), Slow);
    assert_eq!(run.judge(&Call::new("x"), &Surroundings::new(&NoDisk)).cause, Cause::HumanTimeout);
}

struct InCode(&'static str, CodeKind, fn(&Call) -> Fallible);

impl CodeRule for InCode {
    fn name(&self) -> &str {
        self.0
    }
    fn kind(&self) -> CodeKind {
        self.1
    }
    fn check(&self, call: &Call) -> Fallible {
        (self.2)(call)
    }
}

const ALLOW: fn(&Call) -> Fallible = |_| Ok(Some(CodeVerdict::Allow));
const DENY: fn(&Call) -> Fallible = |_| Ok(Some(CodeVerdict::Deny { reason: "not now".into(), stop: true }));
const SILENT: fn(&Call) -> Fallible = |_| Ok(None);
const BROKEN: fn(&Call) -> Fallible = |_| Err("the database is gone".into());

/// The verdict, its cause, and who decided.
fn judged(run: &Run, tool: &str) -> (bool, Cause, Option<String>) {
    let verdict = run.judge(&Call::new(tool), &Surroundings::new(&NoDisk));
    (verdict.is_allowed(), verdict.cause, verdict.decided_by.map(|by| by.rule.clone()))
}

#[test]
fn rules_in_code_stand_before_or_after_the_list_and_their_denials_come_first() {
    let run = || {
        Run::new(
            policy("[[rules]]\ndeny_by_name = [\"x\"]\n[[rules]]\nallow_by_name = [\"y\"]"),
            Person::Nobody,
        )
    };
    let by = |name: &str| Some(name.to_owned());
    let deny = |name| InCode(name, CodeKind::MayDeny, DENY);
    let allow = |name| InCode(name, CodeKind::MayAllow, ALLOW);
    assert_eq!(judged(&run().after(deny("late")), "y"), (false, Cause::Rule, by("late")));
    assert_eq!(judged(&run().before(allow("early")), "x"), (false, Cause::Rule, by("rule-1")));
    assert_eq!(judged(&run().before(allow("early")), "z"), (true, Cause::Rule, by("early")));
    assert_eq!(judged(&run().after(allow("late")), "z"), (true, Cause::Rule, by("late")));
    assert_eq!(
        judged(&run().after(InCode("late", CodeKind::MayDecide, DENY)), "y"),
        (true, Cause::Rule, by("rule-2"))
    );
    assert_eq!(
        judged(&run().before(InCode("early", CodeKind::MayDecide, DENY)), "y"),
        (false, Cause::Rule, by("early"))
    );
    assert_eq!(
        judged(&run().before(InCode("silent", CodeKind::MayDecide, SILENT)), "y"),
        (true, Cause::Rule, by("rule-2"))
    );
}

#[test]
fn a_rule_in_code_that_fails_or_answers_what_it_may_not_denies() {
    for (kind, check) in [
        (CodeKind::MayDeny, BROKEN),
        (CodeKind::MayAllow, BROKEN),
        (CodeKind::MayDecide, BROKEN),
        (CodeKind::MayDeny, ALLOW),
        (CodeKind::MayAllow, DENY),
    ] {
        let run = Run::new(policy("[[rules]]\nallow_by_default = true"), Person::Nobody)
            .before(InCode("code", kind, check));
        assert_eq!(judged(&run, "x"), (false, Cause::Error, Some("code".into())), "{kind:?}");
    }
    let run = Run::new(policy("[[rules]]\nallow_by_default = true"), Person::Nobody).before(InCode(
        "code",
        CodeKind::MayDeny,
        BROKEN,
    ));
    assert_eq!(
        run.judge(&Call::new("x"), &Surroundings::new(&NoDisk)).reason.unwrap(),
        "the database is gone"
    );
}

#[test]
fn a_rule_in_code_does_not_wave_through_what_could_not_be_ruled_out() {
    let rules = "[[rules]]\nid = \"big\"\ndeny_by_name = [\"pay\"]\nwhen.args.sum = { greater_than = 100 }\n[[rules]]\nallow_by_default = true";
    let run = Run::new(policy(rules), Person::Nobody).before(InCode("early", CodeKind::MayAllow, ALLOW));
    let verdict = run.judge(&Call::new("pay").arg("sum", "1000"), &Surroundings::new(&NoDisk));
    assert_eq!((verdict.is_allowed(), verdict.cause), (false, Cause::PossibleMatch));
}

#[test]
fn a_subagent_asks_the_person_of_the_run_that_wrote_the_rule() {
    #[derive(Default)]
    struct Counts(Mutex<usize>);
    impl Human for &'static Counts {
        fn ask(&self, _: &Question) -> Result<Reply, AskError> {
            *self.0.lock().unwrap() += 1;
            Ok(Reply::Yes)
        }
    }
    let top: &'static Counts = Box::leak(Box::default());
    let below: &'static Counts = Box::leak(Box::default());
    let lead =
        Run::new(policy("[[rules]]\ndeny_by_name = [\"deploy\"]\n[[rules]]\ndecide_by_human = true"), top);
    let own = policy("[[rules]]\ndecide_by_human = true");
    let sub = lead.subagent(Some((&own, Some(below.into()))));
    assert!(judged(&sub, "write").0);
    assert_eq!((*top.0.lock().unwrap(), *below.0.lock().unwrap()), (0, 1));
    assert_eq!(judged(&sub, "deploy"), (false, Cause::Rule, Some("rule-1".into())));
    assert!(judged(&lead.subagent(None), "write").0);
    assert_eq!((*top.0.lock().unwrap(), *below.0.lock().unwrap()), (1, 1));
}

#[test]
fn people_and_rules_that_answer_asynchronously_are_awaited() {
    struct Later;
    impl AsyncHuman for Later {
        fn ask<'a>(&'a self, _: &'a Question) -> tool_policy::Asking<'a> {
            Box::pin(async {
                let mut waited = false;
                std::future::poll_fn(|context| {
                    if std::mem::replace(&mut waited, true) {
                        std::task::Poll::Ready(())
                    } else {
                        context.waker().wake_by_ref();
                        std::task::Poll::Pending
                    }
                })
                .await;
                Ok(Reply::Yes)
            })
        }
    }
    let run = Run::new(policy(ASKS), Person::Async(std::sync::Arc::new(Later)));
    let calls = calls(&["write"]);
    let surroundings = Surroundings::new(&NoDisk);
    let mut deciding = std::pin::pin!(run.decide_async(&calls, &surroundings));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let turn = loop {
        if let std::task::Poll::Ready(turn) = deciding.as_mut().poll(&mut context) {
            break turn;
        }
    };
    assert_eq!(serde_json::to_value(&turn).unwrap()["outcomes"][0]["outcome"], "run");
    // Asked without awaiting, such a person cannot answer, and the call is denied.
    assert_eq!(judged(&run, "write").1, Cause::Error);
}

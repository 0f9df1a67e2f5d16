//! `policy eval`: calls and turns in, verdicts out, line by line.

use std::io::{self, Write as _};
use std::mem::ManuallyDrop;
use std::sync::Mutex;

use serde::Serialize;
use serde_json::{Map, Value};

use super::args::EvalArgs;
use super::documents::{Document, Documents};
use super::output::{Done, Failure, Io, Status, stdin_is_terminal};
use super::policies::Judge;
use crate::call::{Call, CallError, json};
use crate::human::parse_reply;
use crate::turn::{AskError, CallOutcome, Human, Outcome, Question, Run, TurnOutcome};
use crate::verdict::{Answer, Cause, Reply, Verdict};

pub(super) fn run(args: &EvalArgs, io: &mut Io) -> Done {
    // The process ends with the last verdict: taking the policy apart first would cost every caller the time.
    let judge = ManuallyDrop::new(Judge::new(&args.policies)?);
    let mut first = None;
    let mut count = 0_usize;
    let mut status = Status::Fine;
    each_document(args.call.as_deref(), io, |document, io| {
        let line = answer(&judge, document);
        count += 1;
        status = status.worse(line.status_of_many());
        first.get_or_insert(line.status());
        serde_json::to_writer(&mut io.out, &line).map_err(io::Error::from)?;
        writeln!(io.out)?;
        // The host waits for it.
        Ok(io.out.flush()?)
    })?;
    match (first, count) {
        (None, _) => Err(Failure::told("no call was given")
            .with_help(r#"give one as JSON: `policy eval '{"tool": "read_file"}'`"#)),
        (Some(alone), 1) => Ok(alone),
        (Some(_), _) => Ok(status),
    }
}

/// Hands over each document of the argument, or of standard input.
pub(super) fn each_document(
    given: Option<&str>,
    io: &mut Io,
    mut take: impl FnMut(Document, &mut Io) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stdin;
    let input: &mut dyn io::BufRead = match given {
        Some(text) if text != "-" => &mut text.as_bytes(),
        _ => {
            if stdin_is_terminal() {
                io.say("reading calls from standard input, one JSON object a line");
            }
            stdin = io::stdin();
            &mut stdin.lock()
        }
    };
    let mut documents = Documents::new(input);
    let unreadable = |e: io::Error| Failure::told(format!("standard input cannot be read: {e}"));
    while let Some(document) = documents.next().map_err(unreadable)? {
        take(document, io)?;
    }
    Ok(())
}

/// The answer to one document.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Call(Box<Verdict>),
    Turn(TurnOutcome),
}

impl Line {
    /// The status when it is the only one.
    fn status(&self) -> Status {
        match self {
            Self::Call(verdict) => match (verdict.verdict, verdict.cause) {
                (_, Cause::Error) => Status::Failed,
                (Answer::Allow, _) => Status::Fine,
                (Answer::Deny, _) => Status::Findings,
                (Answer::Ask, _) => Status::Ask,
            },
            Self::Turn(_) => self.status_of_many(),
        }
    }

    /// The status when it is one of several.
    fn status_of_many(&self) -> Status {
        let failed = match self {
            Self::Call(verdict) => verdict.cause == Cause::Error,
            Self::Turn(turn) => {
                turn.outcomes.iter().any(|o| o.verdict.as_ref().is_some_and(|v| v.cause == Cause::Error))
            }
        };
        if failed { Status::Failed } else { Status::Fine }
    }
}

/// Judges one document. Whatever it is, there is an answer, and only a call that was read and allowed is allowed.
fn answer(judge: &Judge, document: Document) -> Line {
    let value = match document.and_then(|text| json::read(&text).map_err(|e| format!("not JSON: {e}"))) {
        Ok(value) => value,
        Err(message) => return Line::Call(Box::new(judge.error(message, None))),
    };
    match value {
        Value::Object(map) if map.contains_key("calls") => turn(judge, map),
        call => Line::Call(Box::new(match judge.call(call) {
            Ok(call) => judge.layers.evaluate(&call, &judge.surroundings()),
            Err(CallError { message, id }) => judge.error(message, id),
        })),
    }
}

fn turn(judge: &Judge, mut map: Map<String, Value>) -> Line {
    let refused = |message: String| Line::Call(Box::new(judge.error(message, None)));
    let Some(Value::Array(calls)) = map.shift_remove("calls") else {
        return refused("`calls` must be a list of calls".to_owned());
    };
    let answers = match answers(map.shift_remove("answers")) {
        Ok(answers) => answers,
        Err(message) => return refused(message),
    };
    if let Some(key) = map.keys().next() {
        return refused(format!("unknown key `{key}` in the turn; known are calls, answers"));
    }
    let read: Vec<Result<Call, CallError>> = calls.into_iter().map(|call| judge.call(call)).collect();
    if read.iter().any(Result::is_err) {
        return Line::Turn(unread_turn(judge, read));
    }
    let calls: Vec<Call> = read.into_iter().flatten().collect();
    Line::Turn(
        Run::new(judge.layers.clone(), Answers(Mutex::new(answers.into_iter())))
            .decide(&calls, &judge.surroundings()),
    )
}

/// The outcome of a turn of which some calls are none: nothing of it runs.
fn unread_turn(judge: &Judge, calls: Vec<Result<Call, CallError>>) -> TurnOutcome {
    let outcomes = calls.into_iter().map(|call| {
        let verdict = match call {
            Ok(call) => judge.error("another call of this turn is none, so nothing of it runs", call.id),
            Err(CallError { message, id }) => judge.error(message, id),
        };
        CallOutcome {
            call_id: verdict.call_id.clone(),
            outcome: Outcome::Denied,
            reason: verdict.reason.clone(),
            decided_by: None,
            verdict: Some(verdict),
        }
    });
    TurnOutcome { outcomes: outcomes.collect(), questions: Vec::new(), answers: Vec::new(), stopped: None }
}

type Given = Result<Reply, AskError>;

/// What the person of the turn answers, in order.
fn answers(value: Option<Value>) -> Result<Vec<Given>, String> {
    let list = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err("`answers` must be a list of `yes`, `no`, `timeout` or `no_human`".to_owned()),
    };
    let one = |value: &Value| match value.as_str() {
        Some("timeout") => Ok(Ok(Reply::Timeout)),
        Some("no_human") => Ok(Err(AskError::Nobody)),
        Some(text) => parse_reply(text)
            .map(Ok)
            .ok_or_else(|| format!("an answer is `yes`, `no`, `timeout` or `no_human`, not `{text}`")),
        None => Err(format!("an answer is `yes`, `no`, `timeout` or `no_human`, not {value}")),
    };
    list.iter().map(one).collect()
}

/// A person who gives these answers. When they are used up, nobody is there.
struct Answers(Mutex<std::vec::IntoIter<Given>>);

impl Human for Answers {
    fn ask(&self, _question: &Question) -> Given {
        let mut left = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        left.next().unwrap_or(Err(AskError::Nobody))
    }
}

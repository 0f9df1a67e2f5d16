//! `policy explain`: how a call is judged, rule by rule; or what a code means.

pub(super) mod facts;
mod page;
mod story;
mod told;

use std::io;

use super::args::ExplainArgs;
use super::documents::Document;
use super::eval::each_document;
use super::output::{Done, Failure, Io, Status};
use super::policies::Judge;
use crate::call::{Call, json};
use crate::diagnostic::visible;
use crate::verdict::Verdict;
use story::Story;

pub(super) fn run(args: &ExplainArgs, io: &mut Io) -> Done {
    if let Some(word) = args.what.as_deref().filter(|what| is_word(what)) {
        return page::run(word, io);
    }
    let judge = Judge::new(&args.policies)?;
    let mut status = Status::Fine;
    let mut any = false;
    each_document(args.what.as_deref(), io, |document, io| {
        if any && !args.json {
            writeln!(io.out)?;
        }
        any = true;
        for call in calls(&judge, document) {
            match call {
                Ok(call) => {
                    let story = Story::of(&judge, &call);
                    if args.json {
                        serde_json::to_writer(&mut io.out, &story).map_err(io::Error::from)?;
                        writeln!(io.out)?;
                    } else {
                        told::tell(&story, io)?;
                    }
                }
                Err(verdict) => {
                    status = Status::Failed;
                    if args.json {
                        serde_json::to_writer(&mut io.out, &serde_json::json!({ "verdict": verdict }))
                            .map_err(io::Error::from)?;
                        writeln!(io.out)?;
                    } else {
                        writeln!(
                            io.out,
                            "verdict  deny: {}",
                            visible(verdict.reason.as_deref().unwrap_or_default())
                        )?;
                    }
                }
            }
            io.out.flush()?;
        }
        Ok(())
    })?;
    if any {
        Ok(status)
    } else {
        Err(Failure::told("no call was given").with_help("give one as JSON, or a code such as `E0104`"))
    }
}

/// Whether the argument can only be a code or the name of a lint: no JSON value that could be a call starts like this.
fn is_word(what: &str) -> bool {
    what != "-" && what.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The calls of a document: one, or those of a turn.
fn calls(judge: &Judge, document: Document) -> Vec<Result<Call, Box<Verdict>>> {
    let value = match document.and_then(|text| json::read(&text).map_err(|e| format!("not JSON: {e}"))) {
        Ok(value) => value,
        Err(message) => return vec![Err(Box::new(judge.error(message, None)))],
    };
    let values = match value.get("calls").and_then(serde_json::Value::as_array) {
        Some(calls) => calls.clone(),
        None => vec![value],
    };
    values
        .into_iter()
        .map(|value| judge.call(value).map_err(|e| Box::new(judge.error(e.message, e.id))))
        .collect()
}

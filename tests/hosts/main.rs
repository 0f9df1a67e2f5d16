//! What the hosts sent when they were recorded, and the answers that they obeyed: read, judged and written again.
//!
//! `samples/HOST/*.json` are payloads of the real programs, or of their documentation where a program could not be run; `out.*.json` are
//! answers whose effect was measured (stdout, stderr and exit code). `events.json` says what is to be read from each payload.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod answers;
mod closed_schema;
mod events;
mod facts;
mod misread;
mod samples;

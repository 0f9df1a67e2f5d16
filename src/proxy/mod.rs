//! A proxy in front of an MCP server: every tool call is judged before the server sees it, everything else passes.
//!
//! What is judged is what goes on: a message that two readers could understand differently is refused, and a call that was allowed goes to
//! the server byte for byte as it was judged. The era of the protocol is told request by request: one whose metadata names a protocol
//! version is of the era without a handshake (from 2026-07-28), every other of the one with it.

mod answer;
mod client;
mod deciding;
#[cfg(feature = "http")]
mod events;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod http_headers;
mod judging;
mod lines;
mod outbox;
mod pump;
mod raw;
mod relay;
mod scan;
mod server;
mod stdio;
mod table;
mod token;
mod tools;

#[cfg(feature = "http")]
pub use http::http;
pub use relay::{End, Judge, Notes, Options, StartError};
pub use stdio::{Finished, stdio};
pub use tools::PinFile;

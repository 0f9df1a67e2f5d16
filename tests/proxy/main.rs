//! `policy mcp` between a client and a server, both of this test.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "a test fails by panicking, and takes what `json!` makes"
)]

mod asking;
mod attacks;
mod bench;
mod failures;
#[cfg(feature = "http")]
mod http;
mod relaying;
mod servers;
mod stub;

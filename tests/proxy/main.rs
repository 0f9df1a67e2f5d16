//! `policy mcp` between a client and a server, both of this test.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod asking;
mod attacks;
mod bench;
mod failures;
#[cfg(feature = "http")]
mod http;
mod relaying;
mod stub;

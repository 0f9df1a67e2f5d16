//! A proxy in front of an MCP server: every tool call is judged before the server sees it, everything else passes.

mod lines;
mod raw;
mod scan;
mod token;

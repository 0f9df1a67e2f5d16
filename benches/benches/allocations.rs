//! How often a decision takes memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tool_policy::{Call, Format, NoDisk, Policy, Surroundings};
use tool_policy_benches::Table;
use tool_policy_benches::policies::{FIFTY, Shape, stranger, toml};

struct Counting;

thread_local! {
    static TAKEN: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    // A thread that ends may free after its locals are gone; what it takes then is of no interest.
    let _ = TAKEN.try_with(|taken| taken.set((taken.get().0 + 1, taken.get().1 + bytes as u64)));
}

// SAFETY: every method hands on to the system's allocator what it was given.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and bytes of one decision, after two others.
fn taken(policy: &Policy, call: &Call) -> (u64, u64) {
    let surroundings = Surroundings { workspace: Some("/repo"), ..Surroundings::new(&NoDisk) };
    for _ in 0..2 {
        let _ = std::hint::black_box(policy.evaluate(call, &surroundings));
    }
    TAKEN.set((0, 0));
    let verdict = policy.evaluate(call, &surroundings);
    let taken = TAKEN.get();
    drop(verdict);
    taken
}

fn main() {
    println!("## Memory\n");
    let policy =
        |text: &str| Policy::parse("policy.toml", Format::Toml, text).unwrap_or_else(|e| panic!("{e}"));
    let hundred = policy(&toml(100, Shape::Mixed));
    let many = policy(&toml(10_000, Shape::Mixed));
    let fifty = policy(FIFTY);
    let mut mcp = Call::new("mcp__github__get_issue");
    mcp.mcp = Some(tool_policy::McpTool { server: "github".to_owned(), tool: "get_issue".to_owned() });
    let mut shell = Call::new("Bash").arg("command", "git log --oneline | head -5");
    shell.host = Some("claude-code".to_owned());
    let cases = [
        ("100 name rules, allowed by the last", &hundred, Call::new(Shape::Mixed.name(99, 1))),
        ("10,000 name rules, allowed by the last", &many, Call::new(Shape::Mixed.name(9_999, 1))),
        (
            "10,000 name rules, denied (the reason is text of the verdict)",
            &many,
            Call::new(Shape::Mixed.name(4_000, 1)),
        ),
        (
            "10,000 name rules, nobody decides (the reason is text of the verdict)",
            &many,
            Call::new(stranger(1)),
        ),
        ("50 rules, a tool of an MCP server (its name is put together)", &fifty, mcp),
        ("50 rules, `git log --oneline | head -5`", &fifty, shell),
    ];
    let mut table = Table::new(&["decision", "allocations", "bytes"]);
    for (what, policy, call) in &cases {
        let (allocations, bytes) = taken(policy, call);
        table.row([(*what).to_owned(), allocations.to_string(), bytes.to_string()]);
    }
    table.print("Allocations of one decision, warm");
}

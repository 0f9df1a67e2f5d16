//! stub
/// stub
pub struct ToolEntry { pub command: &'static [&'static str], pub reads: &'static [&'static str], pub writes: &'static [&'static str], pub fetches: &'static [&'static str], pub patch: &'static [&'static str], pub cwd: Option<&'static str>, pub read_only: Option<bool>, pub destructive: Option<bool>, pub idempotent: Option<bool>, pub open_world: Option<bool> }
/// stub
pub fn builtin(_: &str, _: &str) -> Option<&'static ToolEntry> { None }

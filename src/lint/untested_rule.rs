//! Rules that no test shows at work.

use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds a rule that decides no call of any test, in a policy that has tests.
    ///
    /// ## Why this is bad
    ///
    /// Nothing shows that the rule matches what it is meant to match.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_user"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// [[tests]]
    /// call = { tool = "read_file" }
    /// expect = "ask"
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_user"]
    /// [[rules]]
    /// decide_by_human = true
    /// [[tests]]
    /// call = { tool = "read_file" }
    /// expect = "ask"
    /// [[tests]]
    /// call = { tool = "delete_user" }
    /// expect = "deny"
    /// ```
    UNTESTED_RULE = Warn "untested-rule": "a rule that decides no call of any test"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let Some(suite) = lintable.suite.filter(|suite| !suite.cases.is_empty() && !suite.filtered) else {
        return;
    };
    // The rules of a file that is extended are shown by its own tests.
    let own = lintable.files.first().map(|file| file.source);
    for (rule, coverage) in lintable.rules.iter().zip(&suite.coverage) {
        if coverage.hits == 0 && Some(rule.file.source) == own {
            sink.push(
                UNTESTED_RULE
                    .finding(format!("no test is decided by rule `{}`", rule.id()))
                    .at(rule.written.kind_span, "no test shows it at work")
                    .help("write a test with a call that it decides"),
            );
        }
    }
}

//! A policy without tests.

use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds a policy that has rules and no test.
    ///
    /// ## Why this is bad
    ///
    /// Nothing shows that it does what it is meant to do, and nothing will when it is changed.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// decide_by_human = true
    /// [[tests]]
    /// call = { tool = "delete_user" }
    /// expect = "ask"
    /// ```
    NO_TESTS = Warn "no-tests": "a policy without tests"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let Some(suite) = lintable.suite.filter(|suite| suite.cases.is_empty() && !suite.filtered) else {
        return;
    };
    // Tests that could not be run were told of already.
    let beside = suite.sources.iter().count() > lintable.sources().iter().count();
    let written = lintable.files.first().is_some_and(|file| !file.tests.is_empty());
    let Some(version) = lintable.version().filter(|_| !lintable.rules.is_empty() && !written && !beside)
    else {
        return;
    };
    sink.push(
        NO_TESTS
            .finding("the policy has no tests")
            .at(version, "nothing shows what it does")
            .help("write some under `tests`: a `call`, and what you `expect` of it"),
    );
}

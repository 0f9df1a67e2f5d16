//! Which rules and names the tests reach.

use std::collections::HashMap;
use std::sync::Arc;

use super::CaseReport;
use crate::policy::Policy;
use crate::rule::{PartKey, Rule};
use crate::source::Span;
use crate::verdict::RuleRef;

/// How often a rule decided in tests.
#[derive(Clone, Debug)]
pub struct RuleCoverage {
    /// The rule.
    pub rule: Arc<RuleRef>,
    /// Where it is written.
    pub span: Span,
    /// How many calls it decided about, or about a part of them.
    pub hits: usize,
    /// Its name patterns, in the order written.
    pub names: Vec<PatternCoverage>,
    /// Its patterns on the parts of calls, `key: pattern`, in the order written.
    pub parts: Vec<PatternCoverage>,
}

/// How often a name pattern matched a call that its rule decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternCoverage {
    /// The pattern.
    pub pattern: String,
    /// How often.
    pub hits: usize,
}

pub(super) fn of(policy: &Policy, cases: &[CaseReport]) -> Vec<RuleCoverage> {
    let mut by_rule: HashMap<&str, Vec<&[String; 2]>> = HashMap::new();
    for decision in cases.iter().flat_map(|case| &case.decisions) {
        for (i, rule) in decision.rules.iter().enumerate() {
            // A rule that covers several parts decided one call.
            if decision.rules.iter().take(i).all(|before| before != rule) {
                by_rule.entry(rule).or_default().push(&decision.names);
            }
        }
    }
    policy
        .rules()
        .iter()
        .map(|rule| {
            let calls = by_rule.get(rule.me.rule.as_str()).map(Vec::as_slice).unwrap_or_default();
            let names = rule.names().unwrap_or_default().iter().map(|glob| PatternCoverage {
                pattern: glob.as_str().to_owned(),
                hits: calls.iter().filter(|names| names.iter().any(|name| glob.matches(name))).count(),
            });
            RuleCoverage {
                rule: Arc::clone(&rule.me),
                span: rule.span,
                hits: calls.len(),
                names: names.collect(),
                parts: parts(rule, cases),
            }
        })
        .collect()
}

/// How often each pattern on parts matched a call that the rule decided.
fn parts(rule: &Rule, cases: &[CaseReport]) -> Vec<PatternCoverage> {
    let decisions = || cases.iter().flat_map(|case| &case.decisions);
    let hits = |key: PartKey, text: &str| {
        decisions()
            .filter(|d| d.patterns.iter().any(|(id, k, t)| *id == rule.me.rule && *k == key && t == text))
            .count()
    };
    let written = rule.when.parts.written.iter();
    written
        .flat_map(|(key, texts)| texts.iter().map(move |text| (*key, text)))
        .map(|(key, text)| PatternCoverage {
            pattern: format!("{}: {text}", key.name()),
            hits: hits(key, text),
        })
        .collect()
}

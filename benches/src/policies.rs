//! The policies that are measured.

use std::fmt::Write as _;

/// The shape of the names in a list of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `svc00042_get`
    Exact,
    /// `svc00042_*`
    Prefix,
    /// `*_svc00042`
    Suffix,
    /// `*_svc00042_*`
    Inner,
    /// `get_*_svc00042_*_all`
    Between,
    /// Each of them in turn.
    Mixed,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Exact, Self::Prefix, Self::Suffix, Self::Inner, Self::Between, Self::Mixed];

    fn of(self, rule: usize) -> Self {
        match (self, rule % 5) {
            (Self::Mixed, 0) => Self::Exact,
            (Self::Mixed, 1) => Self::Prefix,
            (Self::Mixed, 2) => Self::Suffix,
            (Self::Mixed, 3) => Self::Inner,
            (Self::Mixed, _) => Self::Between,
            (shape, _) => shape,
        }
    }

    /// The glob of a rule.
    pub fn glob(self, rule: usize) -> String {
        match self.of(rule) {
            Self::Exact | Self::Mixed => format!("svc{rule:05}_get"),
            Self::Prefix => format!("svc{rule:05}_*"),
            Self::Suffix => format!("*_svc{rule:05}"),
            Self::Inner => format!("*_svc{rule:05}_*"),
            Self::Between => format!("get_*_svc{rule:05}_*_all"),
        }
    }

    /// A name that this rule matches and no other; `fresh` makes it one that was not seen before, where the shape leaves room.
    pub fn name(self, rule: usize, fresh: usize) -> String {
        match self.of(rule) {
            Self::Exact | Self::Mixed => format!("svc{rule:05}_get"),
            Self::Prefix => format!("svc{rule:05}_list_{fresh:07}"),
            Self::Suffix => format!("list_{fresh:07}_svc{rule:05}"),
            Self::Inner => format!("list_{fresh:03}_svc{rule:05}_{fresh:03}"),
            Self::Between => format!("get_{fresh}_svc{rule:05}_it_all"),
        }
    }
}

/// A name that no rule matches.
pub fn stranger(fresh: usize) -> String {
    format!("svc_list_{fresh:07}_all")
}

/// Whether a rule of `rules` denies: the first half does.
pub fn denies(rule: usize, rules: usize) -> bool {
    rule < rules / 2
}

/// The rules as TOML.
pub fn toml(rules: usize, shape: Shape) -> String {
    let mut text = "version = 1\nundecided = { reason = \"No rule speaks of this tool.\" }\n".to_owned();
    for rule in 0..rules {
        let glob = shape.glob(rule);
        if denies(rule, rules) {
            write!(
                text,
                "\n[[rules]]\ndeny_by_name = [\"{glob}\"]\nreason = \"Service {rule} is out of bounds.\"\n"
            )
        } else {
            write!(text, "\n[[rules]]\nallow_by_name = [\"{glob}\"]\n")
        }
        .expect("a string can be written to");
    }
    text
}

/// The rules as YAML.
pub fn yaml(rules: usize, shape: Shape) -> String {
    let mut text = "version: 1\nundecided:\n  reason: No rule speaks of this tool.\nrules:\n".to_owned();
    for rule in 0..rules {
        let glob = shape.glob(rule);
        if denies(rule, rules) {
            write!(text, "  - deny_by_name: [\"{glob}\"]\n    reason: Service {rule} is out of bounds.\n")
        } else {
            writeln!(text, "  - allow_by_name: [\"{glob}\"]")
        }
        .expect("a string can be written to");
    }
    text
}

/// The rules as JSON.
pub fn json(rules: usize, shape: Shape) -> String {
    let rules: Vec<_> = (0..rules)
        .map(|rule| {
            let glob = shape.glob(rule);
            if denies(rule, rules) {
                serde_json::json!({"deny_by_name": [glob], "reason": format!("Service {rule} is out of bounds.")})
            } else {
                serde_json::json!({"allow_by_name": [glob]})
            }
        })
        .collect();
    let whole = serde_json::json!({"version": 1, "undecided": {"reason": "No rule speaks of this tool."}, "rules": rules});
    serde_json::to_string_pretty(&whole).expect("it can be written")
}

/// A policy of 50 rules as a team may have it, for a shell in a repository.
pub const FIFTY: &str = include_str!("../policies/fifty.toml");

//! The answers and readings of a match, and why a pattern is none.

/// The answer of a match where something may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tri {
    /// It does not match, whatever the unknown turns out to be.
    No,
    /// It matches or not, as the unknown turns out.
    Possibly,
    /// It matches, whatever the unknown turns out to be.
    Yes,
}

impl Tri {
    /// Both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// `self`, or where that is `No` what `other` says.
    #[must_use]
    pub fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::No { other() } else { self }
    }

    /// Either holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

impl std::ops::Not for Tri {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Possibly => Self::Possibly,
            Self::Yes => Self::No,
        }
    }
}

impl From<bool> for Tri {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// Which reading a pattern gets; the rule's kind picks (DESIGN: broad for deny and ask, narrow for allow).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Over-approximates: any part, the written or the resolved path, a regex anywhere.
    Broad,
    /// Under-approximates: every part, both paths, a regex over the whole value.
    Narrow,
}

/// Why a pattern is not one, with the place inside it and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PatternError {
    /// What is wrong, lower case, no full stop, user input in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The bytes of the pattern that are to blame.
    pub at: std::ops::Range<usize>,
}

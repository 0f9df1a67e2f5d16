//! A policy: the ordered list of rules that calls are judged by.

use std::sync::Arc;

use crate::facts::tool::ToolTable;
use crate::pattern::command::CommandPattern;
use crate::pattern::index::NameIndex;
use crate::rule::Rule;
use crate::source::Sources;

/// An ordered list of rules, checked and compiled. Cheap to clone and to share between threads.
///
/// A policy is read with [`Policy::load`] or [`Policy::parse`], which either give a whole policy or say everything that is wrong with it.
/// Judging a call with [`Policy::evaluate`] cannot fail: what goes wrong there is a denial.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pub(crate) rules: Vec<Rule>,
    /// Which rules speak of a name; those without names are in `nameless`.
    pub(crate) index: Arc<NameIndex>,
    /// The rules of every tool, in list order.
    pub(crate) nameless: Vec<u32>,
    pub(crate) tools: ToolTable,
    /// The set `@read-only`, where the policy changes it.
    pub(crate) read_only: Option<CommandPattern>,
    /// What the model is told when no rule decides, where the policy says that this is meant.
    pub(crate) undecided: Option<Arc<str>>,
    /// Some rule speaks of what a call would do.
    pub(crate) speaks_of_parts: bool,
    /// Every denial stops the turn.
    pub(crate) denial_stops: bool,
    pub(crate) digest: Arc<str>,
    pub(crate) sources: Sources,
    /// The folder of the policy's repository: the workspace of calls that name none.
    pub(crate) folder: Option<String>,
    /// What the policy is for, as it says itself.
    pub(crate) description: Option<String>,
    /// The denials of the runs above come first, each list judged in its own policy.
    pub(crate) above: Vec<Policy>,
    /// The layer's name.
    pub(crate) layer: Option<Arc<str>>,
}

impl Policy {
    /// The rules, in list order.
    pub fn rules(&self) -> &[Rule] {
        &self.inner.rules
    }

    /// What the policy is for, in its own words.
    pub fn description(&self) -> Option<&str> {
        self.inner.description.as_deref()
    }

    /// `sha256:…` over the texts it was read from.
    pub fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// The texts that it was read from.
    pub fn sources(&self) -> &Sources {
        &self.inner.sources
    }

    /// The folder that the policy's own patterns start from, unless a call or the host names another.
    pub fn folder(&self) -> Option<&str> {
        self.inner.folder.as_deref()
    }

    /// The name of the layer that it is, where it has one.
    pub fn layer(&self) -> Option<&str> {
        self.inner.layer.as_deref()
    }

    /// The policy of a run below the one that this policy judges.
    ///
    /// The denials of every run above come first, top run first; then the run's own list, or the whole list above when it has none.
    #[must_use]
    pub fn for_subagent(&self, own: Option<&Policy>) -> Self {
        let Some(own) = own else { return self.clone() };
        let mut above = self.inner.above.clone();
        above.push(self.clone());
        above.extend(own.inner.above.iter().cloned());
        own.changed(|inner| inner.above = above)
    }

    /// Whether a rule denies every call of this name, whatever its arguments are.
    pub fn always_denies(&self, name: &str) -> bool {
        let denies = |rule: &Rule| {
            rule.denies()
                && rule.when.is_empty()
                && rule.unless.is_empty()
                && rule.names().is_some_and(|names| names.iter().any(|glob| glob.matches(name)))
        };
        self.inner.rules.iter().any(denies)
            || self.inner.above.iter().any(|above| above.inner.rules.iter().any(denies))
    }

    /// The same policy, known under the name of a layer in verdicts.
    #[must_use]
    pub fn in_layer(&self, name: &str) -> Self {
        self.changed(|inner| {
            inner.layer = Some(Arc::from(name));
            for rule in &mut inner.rules {
                rule.me =
                    Arc::new(crate::verdict::RuleRef { layer: Some(name.to_owned()), ..(*rule.me).clone() });
            }
        })
    }

    fn changed(&self, change: impl FnOnce(&mut Inner)) -> Self {
        let mut inner = (*self.inner).clone();
        change(&mut inner);
        Self { inner: Arc::new(inner) }
    }
}

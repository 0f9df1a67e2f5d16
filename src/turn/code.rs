//! Rules that a host adds in code.

use std::borrow::Cow;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::call::Call;
use crate::verdict::{Answer, Cause, RuleRef, Verdict};

/// What a rule in code may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// A denial, or no opinion. Asked first, wherever it stands.
    MayDeny,
    /// An allowance, or no opinion.
    MayAllow,
    /// Either, or no opinion.
    MayDecide,
}

/// The answer of a rule in code; `None` beside it is no opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeVerdict {
    /// The call may run.
    Allow,
    /// It may not.
    Deny {
        /// What the model is told.
        reason: String,
        /// The turn ends, too.
        stop: bool,
    },
}

/// What a rule in code gives: its answer, no opinion, or a failure, which is a denial.
pub type Fallible = Result<Option<CodeVerdict>, Box<dyn Error + Send + Sync>>;

/// A rule in code.
///
/// ```
/// use tool_policy::{Call, CodeKind, CodeRule, CodeVerdict, Fallible};
/// struct OfficeHours;
/// impl CodeRule for OfficeHours {
///     fn name(&self) -> &str { "office-hours" }
///     fn kind(&self) -> CodeKind { CodeKind::MayDeny }
///     fn check(&self, call: &Call) -> Fallible {
///         Ok((call.tool == "deploy").then(|| CodeVerdict::Deny { reason: "Not today.".into(), stop: false }))
///     }
/// }
/// ```
pub trait CodeRule: Send + Sync {
    /// How verdicts name it.
    fn name(&self) -> &str;
    /// What it may answer. One that answers anything else denies the call, with the cause `error`.
    fn kind(&self) -> CodeKind;
    /// Its answer to the call.
    ///
    /// # Errors
    ///
    /// A failure denies the call, with the cause `error` and its message.
    fn check(&self, call: &Call) -> Fallible;
    /// Its answer, where finding it takes waiting. By default that of [`Self::check`].
    fn check_async<'a>(&'a self, call: &'a Call) -> Pin<Box<dyn Future<Output = Fallible> + Send + 'a>> {
        let answer = self.check(call);
        Box::pin(std::future::ready(answer))
    }
}

/// The first denial of the rules that may only deny.
pub(super) async fn denial(rules: &[Arc<dyn CodeRule>], call: &Call) -> Option<Verdict> {
    first(rules, call, |kind| kind == CodeKind::MayDeny).await
}

/// The first answer of the others.
pub(super) async fn decision(rules: &[Arc<dyn CodeRule>], call: &Call) -> Option<Verdict> {
    first(rules, call, |kind| kind != CodeKind::MayDeny).await
}

async fn first(
    rules: &[Arc<dyn CodeRule>],
    call: &Call,
    asked: impl Fn(CodeKind) -> bool,
) -> Option<Verdict> {
    for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| asked(rule.kind())) {
        let me = RuleRef {
            rule: rule.name().to_owned(),
            kind: kind_name(rule.kind()),
            index,
            file: None,
            line: None,
            layer: None,
        };
        let mut verdict = match (rule.check_async(call).await, rule.kind()) {
            (Ok(None), _) => continue,
            (Err(e), _) => Verdict::error(e.to_string()),
            (Ok(Some(CodeVerdict::Allow)), CodeKind::MayAllow | CodeKind::MayDecide) => {
                Verdict::new(Answer::Allow, Cause::Rule, &Arc::from(""))
            }
            (Ok(Some(CodeVerdict::Deny { reason, stop })), CodeKind::MayDeny | CodeKind::MayDecide)
                if !reason.trim().is_empty() =>
            {
                let mut verdict = Verdict::new(Answer::Deny, Cause::Rule, &Arc::from(""));
                verdict.reason = Some(Cow::Owned(reason));
                verdict.stop = stop;
                verdict
            }
            (Ok(Some(CodeVerdict::Deny { .. })), CodeKind::MayDeny | CodeKind::MayDecide) => {
                Verdict::error(format!("rule `{}` denied without a reason", rule.name()))
            }
            (Ok(Some(CodeVerdict::Allow)), CodeKind::MayDeny) => {
                Verdict::error(format!("rule `{}` may only deny, and it allowed", rule.name()))
            }
            (Ok(Some(CodeVerdict::Deny { .. })), CodeKind::MayAllow) => {
                Verdict::error(format!("rule `{}` may only allow, and it denied", rule.name()))
            }
        };
        verdict.decided_by = Some(Arc::new(me));
        return Some(verdict);
    }
    None
}

fn kind_name(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::MayDeny => "may_deny",
        CodeKind::MayAllow => "may_allow",
        CodeKind::MayDecide => "may_decide",
    }
}

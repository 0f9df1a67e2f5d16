//! What a person says to a question, or does not: the call goes on, if it still may.

use std::time::Instant;

use super::answer::{self, Code, Said};
use super::client::{Flow, VALUES};
use super::judging::{Judged, Ticket};
use super::relay::Relay;
use super::scan::Head;
use super::table::Waiting;
use crate::call::{Call, json};
use crate::verdict::{Answer, Reply, Verdict};

impl Relay {
    /// An answer of the client: to the server, or to a question of ours.
    pub(super) fn response(&self, text: &str, head: &Head, ticket: &Ticket) -> Flow {
        let mut table = self.table();
        if let Some(id) = head.id.as_ref().filter(|id| table.is_own(id)) {
            let waiting = table.answered(id);
            drop(table);
            // One that comes too late was told so already.
            if let Some(waiting) = waiting {
                let answer = if head.values > VALUES { None } else { json::read(text).ok() };
                return self.decided(
                    waiting,
                    answer::said(answer.as_ref().and_then(|a| a.get("result"))),
                    ticket,
                );
            }
            return Flow::On;
        }
        table.server_was_answered();
        drop(table);
        self.send(text, None);
        Flow::On
    }

    /// A person has answered, in the era with a handshake.
    fn decided(&self, waiting: Waiting, said: Said, ticket: &Ticket) -> Flow {
        match said {
            Said::Yes => {
                // Meanwhile the tool or the policy may have become another.
                let refusal = self.tools().refusal(&waiting.tool);
                if let Some(why) = refusal {
                    self.to_client(answer::denial(&waiting.id, &format!("Denied by policy: {why}"), false));
                    return Flow::On;
                }
                let Judged::Verdict { verdict, .. } =
                    self.judged(&waiting.call, Some(&waiting.id), false, ticket, false)
                else {
                    return Flow::Replaced;
                };
                if let Some(why) = self.no_longer(&waiting, &verdict) {
                    self.to_client(answer::denial(&waiting.id, &why, false));
                    return Flow::On;
                }
                if let Err(why) = self.opened(&waiting.id, waiting.open) {
                    self.to_client(answer::error(&waiting.id, Code::Invalid, why));
                    return Flow::On;
                }
                self.send(&waiting.line, Some(&waiting.id));
            }
            Said::No => {
                let verdict = waiting.verdict.answered(Reply::No);
                self.to_client(answer::denial(&waiting.id, &answer::denied(&verdict), false));
            }
            Said::Nothing => {
                let text = self.unapproved(&waiting.call, &waiting.verdict);
                self.to_client(answer::denial(&waiting.id, &text, false));
            }
        }
        Flow::On
    }

    /// Why the call that a person approved is not sent, by the verdict of now.
    fn no_longer(&self, waiting: &Waiting, now: &Verdict) -> Option<String> {
        let (then, rule) =
            (&waiting.verdict, |verdict: &Verdict| verdict.decided_by.as_ref().map(|by| by.rule.clone()));
        let same = then.policy == now.policy && rule(then) == rule(now);
        match now.verdict {
            Answer::Deny => Some(answer::denied(now)),
            Answer::Ask if !same => Some(self.unapproved(&waiting.call, now)),
            Answer::Allow | Answer::Ask if then.updated_args != now.updated_args => Some(
                "Denied by policy: the policy has changed while a person was asked; make the call again"
                    .to_owned(),
            ),
            Answer::Allow | Answer::Ask => None,
        }
    }

    /// Nobody approves here: what the model is told, and where a person can.
    pub(super) fn unapproved(&self, call: &Call, verdict: &Verdict) -> String {
        answer::unapproved(verdict, self.judge.wait(call, verdict))
    }

    /// Questions whose time is up.
    pub(super) fn answer_overdue(&self, now: Instant) {
        let overdue = self.table().overdue(now);
        for (own, waiting) in overdue {
            self.to_client(answer::withdrawn(&own, "nobody answered in time"));
            let verdict = waiting.verdict.answered(Reply::Timeout);
            self.note(&format!("nobody answered in time about a call of `{}`", waiting.tool));
            self.to_client(answer::denial(&waiting.id, &answer::denied(&verdict), false));
        }
    }
}

//! A call is judged, in time or not: a fault or a delay is a denial.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::answer;
use super::relay::Relay;
use super::scan::Id;
use crate::call::Call;
use crate::verdict::{Answer, Verdict};

/// So many threads may hang in a judgement; then calls are denied unjudged.
const HANGING: usize = 16;

/// What came of it.
pub(super) enum Judged {
    /// A verdict, and whether a person has approved the call elsewhere.
    Verdict {
        /// The verdict.
        verdict: Box<Verdict>,
        /// Approved.
        approved: bool,
    },
    /// It took too long, and was answered meanwhile.
    Late,
}

/// Who reads the client, by number: one whose judgement hangs is replaced.
pub(super) struct Ticket(u64);

/// What is being judged.
struct Current {
    ticket: u64,
    id: Option<Id>,
    modern: bool,
    since: Instant,
}

/// The judgement that is under way. There is one at a time, as calls are judged in order.
#[derive(Default)]
pub(super) struct Desk {
    current: Mutex<Option<Current>>,
    tickets: AtomicU64,
    hanging: AtomicUsize,
}

impl Desk {
    /// A ticket for a new reader.
    pub(super) fn ticket(&self) -> Ticket {
        Ticket(self.tickets.fetch_add(1, Ordering::SeqCst))
    }

    fn start(&self, current: Current) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(current);
    }

    /// Whether it is still this reader's to answer.
    fn finish(&self, ticket: &Ticket) -> bool {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let own = current.as_ref().is_some_and(|c| c.ticket == ticket.0);
        if own {
            *current = None;
        } else {
            self.hanging.fetch_sub(1, Ordering::SeqCst);
        }
        own
    }
}

impl Relay {
    /// `approvals`: where a person has to say, it counts that one has elsewhere.
    pub(super) fn judged(
        &self,
        call: &Call,
        id: Option<&Id>,
        modern: bool,
        ticket: &Ticket,
        approvals: bool,
    ) -> Judged {
        if self.desk.hanging.load(Ordering::SeqCst) >= HANGING {
            let verdict = Verdict::not_judged("too many judgements hang; the call was not judged");
            return Judged::Verdict { verdict: Box::new(verdict), approved: false };
        }
        let current = Current { ticket: ticket.0, id: id.cloned(), modern, since: Instant::now() };
        self.desk.start(current);
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let verdict = self.judge.verdict(call);
            let approved =
                approvals && verdict.verdict == Answer::Ask && self.judge.take_approval(call, &verdict);
            (verdict, approved)
        }));
        if !self.desk.finish(ticket) {
            return Judged::Late;
        }
        let (verdict, approved) =
            judged.unwrap_or_else(|_| (Verdict::not_judged("judging the call failed"), false));
        Judged::Verdict { verdict: Box::new(verdict), approved }
    }

    /// Denies the call whose judgement takes too long. Its reader must then be replaced.
    pub(super) fn deny_late(&self, now: Instant) -> bool {
        let mut current = self.desk.current.lock().unwrap_or_else(PoisonError::into_inner);
        let late = current.take_if(|c| now.saturating_duration_since(c.since) >= self.options.deadline);
        let Some(late) = late else { return false };
        self.desk.hanging.fetch_add(1, Ordering::SeqCst);
        drop(current);
        let message =
            format!("judging the call took longer than {} seconds", self.options.deadline.as_secs_f64());
        self.note(&message);
        if let Some(id) = &late.id {
            let verdict = Verdict::not_judged(&message);
            self.to_client(answer::denial(id, &answer::denied(&verdict), late.modern));
        }
        true
    }
}

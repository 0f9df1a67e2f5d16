//! What is open: requests that the server has, and calls that wait for a person.

use crate::call::hex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::scan::Id;
use crate::verdict::Verdict;

/// So many requests may be open at once.
const REQUESTS: usize = 65_536;
/// So many calls may wait for a person at once.
const WAITING: usize = 256;
/// So many bytes together.
const WAITING_BYTES: usize = 32 << 20;
/// So long a request of the server that the client has not answered excuses its silence.
const EXCUSED: Duration = Duration::from_hours(1);
/// So many calls of which the server wants to know more are remembered.
const CONTINUED: usize = 1024;
/// For how long.
const CONTINUES: Duration = Duration::from_mins(10);

/// A request that the server has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// Its answer is the client's alone.
    Other,
    /// It need not be answered soon, or ever.
    Stream,
    /// The list of tools, which is read.
    Tools {
        /// It was asked for from the start, not from a page on.
        is_first: bool,
    },
    /// A call whose answer is looked at.
    Call {
        /// The digest of a call that a person approved: when the server wants to know more, its repetition is approved too.
        approved: Option<String>,
        /// What the model is told beside the result.
        note: Option<String>,
    },
}

impl Open {
    /// Whether its answer must be here as a whole.
    pub(super) fn is_read(&self) -> bool {
        match self {
            Self::Tools { .. } | Self::Call { .. } => true,
            Self::Other | Self::Stream => false,
        }
    }
}

/// A call that waits for a person.
#[derive(Debug)]
pub(super) struct Waiting {
    /// The id of the call.
    pub(super) id: Id,
    /// The call as it goes to the server, if it does.
    pub(super) line: String,
    /// What becomes of it then.
    pub(super) open: Open,
    /// The verdict that asks.
    pub(super) verdict: Verdict,
    /// The call, to be approved elsewhere.
    pub(super) call: crate::call::Call,
    /// How long.
    pub(super) until: Instant,
    /// Its tool at the server.
    pub(super) tool: String,
}

/// All that is open.
#[derive(Debug)]
pub(super) struct Table {
    requests: HashMap<Id, Open>,
    waiting: HashMap<String, Waiting>,
    continued: HashMap<(String, String), Instant>,
    /// What the ids of our own requests start with. Nobody can guess it, so no id of the server's is ever taken for one.
    prefix: String,
    count: u64,
    /// The client said on `initialize` that it can put questions.
    pub(super) can_ask: bool,
    /// Requests of the server that the client has not answered, and when the last one came.
    asked_by_server: usize,
    asked: Option<Instant>,
    /// How much the waiting calls are together.
    bytes: usize,
}

impl Table {
    /// Nothing is open. `secret` makes the ids.
    pub(super) fn new(secret: [u8; 16]) -> Self {
        Self {
            requests: HashMap::new(),
            waiting: HashMap::new(),
            continued: HashMap::new(),
            prefix: format!("policy-{}-", hex(&secret)),
            count: 0,
            can_ask: false,
            asked_by_server: 0,
            asked: None,
            bytes: 0,
        }
    }

    /// A request goes to the server; `Err` when its id is taken, or too many are open.
    pub(super) fn open(&mut self, id: Id, open: Open) -> Result<(), &'static str> {
        if self.is_taken(&id) {
            return Err("a request with this id is still open");
        }
        if self.requests.len() >= REQUESTS {
            return Err("too many requests are open");
        }
        self.requests.insert(id, open);
        Ok(())
    }

    /// Whether the id is that of a request without an answer.
    pub(super) fn is_taken(&self, id: &Id) -> bool {
        self.requests.contains_key(id) || self.waits(id)
    }

    /// What the server has under this id.
    pub(super) fn request(&self, id: &Id) -> Option<&Open> {
        self.requests.get(id)
    }

    /// The request is answered or cancelled.
    pub(super) fn close(&mut self, id: &Id) -> Option<Open> {
        self.requests.remove(id)
    }

    /// Whether a call with this id waits for a person: the server has not seen it.
    pub(super) fn waits(&self, id: &Id) -> bool {
        !self.waiting.is_empty() && self.waiting.values().any(|waiting| waiting.id == *id)
    }

    /// A call waits for a person; gives the id of the question.
    pub(super) fn wait(&mut self, waiting: Waiting) -> Result<String, Box<Waiting>> {
        let bytes = self.bytes + waiting.line.len();
        if self.waiting.len() >= WAITING || bytes > WAITING_BYTES {
            return Err(Box::new(waiting));
        }
        self.bytes = bytes;
        self.count += 1;
        let own = format!("{}{}", self.prefix, self.count);
        self.waiting.insert(own.clone(), waiting);
        Ok(own)
    }

    /// Whether the id is of a question of ours, open or not.
    pub(super) fn is_own(&self, id: &Id) -> bool {
        matches!(id, Id::Text(text) if text.starts_with(&self.prefix))
    }

    /// The call that a question was about.
    pub(super) fn answered(&mut self, own: &Id) -> Option<Waiting> {
        match own {
            Id::Text(text) => self.take(text),
            Id::Whole(_) | Id::Other(_) | Id::Null => None,
        }
    }

    /// The waiting call with this id, with the id of its question: its caller has lost interest.
    pub(super) fn release(&mut self, id: &Id) -> Option<(String, Waiting)> {
        let own = self.waiting.iter().find(|(_, waiting)| waiting.id == *id).map(|(own, _)| own.clone())?;
        self.take(&own).map(|waiting| (own, waiting))
    }

    /// The calls whose time is up.
    pub(super) fn overdue(&mut self, now: Instant) -> Vec<(String, Waiting)> {
        let late: Vec<String> =
            self.waiting.iter().filter(|(_, w)| w.until <= now).map(|(own, _)| own.clone()).collect();
        late.into_iter().filter_map(|own| self.take(&own).map(|w| (own, w))).collect()
    }

    /// The server wants to know more of an approved call; `state` is what it will know the repetition by.
    pub(super) fn continues(&mut self, call: String, state: String, now: Instant) {
        self.continued.retain(|_, until| now < *until);
        if self.continued.len() < CONTINUED {
            self.continued.insert((call, state), now + CONTINUES);
        }
    }

    /// Whether this repeats an approved call.
    pub(super) fn is_continued(&mut self, call: &str, state: &str, now: Instant) -> bool {
        let until = self.continued.remove(&(call.to_owned(), state.to_owned()));
        until.is_some_and(|until| now < until)
    }

    fn take(&mut self, own: &str) -> Option<Waiting> {
        let waiting = self.waiting.remove(own)?;
        self.bytes = self.bytes.saturating_sub(waiting.line.len());
        Some(waiting)
    }

    /// The server asks the client for something.
    pub(super) fn server_asks(&mut self, now: Instant) {
        self.asked_by_server += 1;
        self.asked = Some(now);
    }

    /// The client has answered something that the server asked for.
    pub(super) fn server_was_answered(&mut self) {
        self.asked_by_server = self.asked_by_server.saturating_sub(1);
    }

    /// Whether the server owes an answer. While the client owes it one, it may wait for that.
    pub(super) fn is_owed(&self, now: Instant) -> bool {
        let asks = self.asked_by_server > 0
            && self.asked.is_some_and(|asked| now.saturating_duration_since(asked) < EXCUSED);
        !asks && self.requests.values().any(|open| *open != Open::Stream)
    }

    /// How many requests the server has.
    pub(super) fn len(&self) -> usize {
        self.requests.len()
    }

    /// Everything that is open, which then no longer is.
    pub(super) fn drain(&mut self) -> Vec<Id> {
        self.bytes = 0;
        let waiting = self.waiting.drain().map(|(_, waiting)| waiting.id);
        self.requests.drain().map(|(id, _)| id).chain(waiting).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn waiting(id: i64, bytes: usize) -> Waiting {
        Waiting {
            id: Id::Whole(id),
            line: "x".repeat(bytes),
            open: Open::Other,
            verdict: Verdict::error(""),
            call: Call::new("t"),
            until: Instant::now(),
            tool: "t".into(),
        }
    }

    #[test]
    fn what_waits_is_bounded_in_bytes() {
        let mut table = Table::new([0; 16]);
        table.wait(waiting(1, 20 << 20)).unwrap();
        assert!(table.wait(waiting(2, 20 << 20)).is_err());
        assert!(table.release(&Id::Whole(1)).is_some());
        table.wait(waiting(2, 20 << 20)).unwrap();
    }

    #[test]
    fn a_request_of_the_server_excuses_its_silence_for_a_while() {
        let (mut table, now) = (Table::new([0; 16]), Instant::now());
        table.open(Id::Whole(1), Open::Other).unwrap();
        assert!(table.is_owed(now));
        table.server_asks(now);
        assert!(!table.is_owed(now) && table.is_owed(now + EXCUSED));
        table.server_was_answered();
        assert!(table.is_owed(now));
    }
}

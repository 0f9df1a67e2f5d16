//! What waits to be written: one thread writes, so that whoever has something to say never waits for whoever does not read.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::scan::Id;

/// Whoever can wait does so while more than this waits to be written.
const ROOM: usize = 1 << 20;
/// More is never held: then nobody reads.
const MOST: usize = 64 << 20;
/// So much is written at once: each piece that is taken shows that somebody reads.
const PIECE: usize = 64 * 1024;

/// Something to write.
struct Item {
    bytes: Vec<u8>,
    /// The request that is whole with it.
    id: Option<Id>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Item>,
    /// What comes behind the line that passes in pieces.
    after: VecDeque<Item>,
    /// How much is in both, and being written.
    bytes: usize,
    /// Requests in both, and being written.
    requests: usize,
    /// When the line that passes in pieces last went on.
    passing: Option<Instant>,
    /// Since when a piece is being written.
    writing: Option<Instant>,
    /// Something is being written, or is taken out to be.
    busy: bool,
    /// No more is taken in pieces.
    cut: bool,
    /// No more is taken.
    closed: bool,
    /// It cannot be written any more.
    failed: bool,
}

/// The queue in front of one writer.
#[derive(Default)]
pub(super) struct Outbox {
    state: Mutex<State>,
    changed: Condvar,
}

impl Outbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what comes until no more does; gives the requests that could not be written.
    pub(super) fn run(&self, mut to: impl Write) -> Result<(), Vec<Id>> {
        let mut state = self.state();
        loop {
            let Some(item) = state.queue.pop_front() else {
                if state.closed {
                    return Ok(());
                }
                state = self.wait(state);
                continue;
            };
            state.busy = true;
            let is_last = state.queue.is_empty();
            drop(state);
            let written = self.write(&mut to, &item.bytes, is_last);
            state = self.state();
            state.busy = false;
            state.writing = None;
            state.bytes = state.bytes.saturating_sub(item.bytes.len());
            state.requests = state.requests.saturating_sub(usize::from(item.id.is_some()));
            if written.is_err() {
                state.failed = true;
                let queued = std::mem::take(&mut state.queue);
                let after = std::mem::take(&mut state.after);
                (state.bytes, state.requests) = (0, 0);
                self.changed.notify_all();
                return Err([item]
                    .into_iter()
                    .chain(queued)
                    .chain(after)
                    .filter_map(|item| item.id)
                    .collect());
            }
            self.changed.notify_all();
        }
    }

    fn write(&self, to: &mut impl Write, bytes: &[u8], flush: bool) -> io::Result<()> {
        for piece in bytes.chunks(PIECE) {
            self.state().writing = Some(Instant::now());
            to.write_all(piece)?;
        }
        if flush { to.flush() } else { Ok(()) }
    }

    /// Takes something, behind the line that passes; `Err` when nobody reads.
    pub(super) fn push(&self, bytes: Vec<u8>, id: Option<&Id>) -> io::Result<()> {
        let mut state = self.state();
        if state.failed || state.closed || state.bytes.saturating_add(bytes.len()) > MOST {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.add(bytes, id, false);
        self.changed.notify_all();
        Ok(())
    }

    /// Waits until little is left to write; gives whether it had to.
    pub(super) fn wait_for_room(&self) -> bool {
        let mut state = self.state();
        let mut waited = false;
        while state.bytes > ROOM && !state.failed && !state.closed {
            state = self.wait(state);
            waited = true;
        }
        waited
    }

    /// A line starts to pass in pieces, once no other does: until its end nothing else is written.
    pub(super) fn start_line(&self) {
        let mut state = self.state();
        while state.passing.is_some() && !state.failed && !state.closed {
            state = self.wait(state);
        }
        if !state.cut {
            state.passing = Some(Instant::now());
        }
    }

    /// A piece of that line.
    pub(super) fn piece(&self, bytes: &[u8]) -> io::Result<()> {
        self.wait_for_room();
        let mut state = self.state();
        if state.failed || state.closed || state.cut {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.add(bytes.to_vec(), None, true);
        state.passing = Some(Instant::now());
        self.changed.notify_all();
        Ok(())
    }

    /// That line ends.
    pub(super) fn end_line(&self) -> io::Result<()> {
        let ended = self.piece(b"\n");
        self.state().line_ended();
        self.changed.notify_all();
        ended
    }

    /// For how long the line that passes has not gone on, where it is not the reader's fault.
    pub(super) fn stopped_for(&self) -> Duration {
        let state = self.state();
        state.passing.filter(|_| state.bytes == 0).map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Whether so much waits that whoever can wait does.
    pub(super) fn is_full(&self) -> bool {
        self.state().bytes > ROOM
    }

    /// For how long nobody has taken what is being written.
    pub(super) fn stalled_for(&self) -> Duration {
        self.state().writing.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// How many requests are not written yet.
    pub(super) fn requests(&self) -> usize {
        self.state().requests
    }

    /// Ends a line that passes where it is; no other does after it.
    pub(super) fn cut(&self) {
        let mut state = self.state();
        state.cut = true;
        if state.passing.is_some() {
            state.add(b"\n".to_vec(), None, true);
            state.line_ended();
        }
        self.changed.notify_all();
    }

    /// Takes no more; what is there is written.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Waits until all is written, but not longer than this.
    pub(super) fn drain(&self, limit: Duration) {
        let until = Instant::now() + limit;
        let mut state = self.state();
        while !state.failed && (state.busy || !state.queue.is_empty()) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn add(&mut self, bytes: Vec<u8>, id: Option<&Id>, of_line: bool) {
        self.bytes += bytes.len();
        self.requests += usize::from(id.is_some());
        let queue = if self.passing.is_some() && !of_line { &mut self.after } else { &mut self.queue };
        queue.push_back(Item { bytes, id: id.cloned() });
    }

    fn line_ended(&mut self) {
        self.passing = None;
        let mut after = std::mem::take(&mut self.after);
        self.queue.append(&mut after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};

    struct To(Sender<Vec<u8>>);

    impl Write for To {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_comes_during_a_line_stands_behind_it_and_a_line_that_is_cut_ends() {
        let (send, lines) = channel();
        let outbox = Arc::new(Outbox::default());
        let out = Arc::clone(&outbox);
        let writer = std::thread::spawn(move || out.run(To(send)));
        outbox.start_line();
        outbox.piece(b"one ").unwrap();
        outbox.push(b"two\n".to_vec(), None).unwrap();
        outbox.piece(b"line").unwrap();
        outbox.end_line().unwrap();
        outbox.start_line();
        outbox.piece(b"half").unwrap();
        outbox.push(b"three\n".to_vec(), None).unwrap();
        outbox.cut();
        // Whose line it was does not know yet; nor does who starts another.
        assert!(outbox.piece(b"more").is_err() && outbox.end_line().is_err());
        outbox.start_line();
        outbox.push(b"four\n".to_vec(), None).unwrap();
        outbox.close();
        outbox.drain(Duration::from_secs(5));
        assert_eq!(writer.join().unwrap(), Ok(()));
        let all: Vec<u8> = lines.iter().flatten().collect();
        assert_eq!(String::from_utf8(all).unwrap(), "one line\ntwo\nhalf\nthree\nfour\n");
        assert!(outbox.push(b"more".to_vec(), None).is_err());
    }

    #[test]
    fn requests_that_could_not_be_written_are_told_and_nothing_waits_for_ever() {
        let (send, lines) = channel();
        drop(lines);
        let outbox = Outbox::default();
        outbox.push(b"a".to_vec(), Some(&Id::Whole(1))).unwrap();
        outbox.push(b"b".to_vec(), None).unwrap();
        outbox.push(b"c".to_vec(), Some(&Id::Whole(2))).unwrap();
        assert_eq!(outbox.requests(), 2);
        assert_eq!(outbox.run(To(send)), Err(vec![Id::Whole(1), Id::Whole(2)]));
        assert!(outbox.push(b"d".to_vec(), None).is_err() && outbox.piece(b"e").is_err());
        assert!(!outbox.wait_for_room());
        outbox.drain(Duration::from_secs(5));
    }
}

//! The threads of a connection: one reads the client, one the server, one looks at the clock.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{self, Code};
use super::client::{self, Flow};
use super::judging::Ticket;
use super::lines::{Line, Lines, Long, Passage};
use super::relay::{End, Relay};
use super::scan::{Fault, Head};

/// So long a server may take that has nothing else to do, or stands in the middle of a message.
const SOON: Duration = Duration::from_mins(1);
/// Judging goes deep at times, within bounds.
const STACK: usize = 8 * 1024 * 1024;

type Input = Arc<Mutex<Lines<Box<dyn BufRead + Send>>>>;

/// Starts a thread.
pub(super) fn start(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(run).map(drop)
}

/// Starts reading the client, and looking at the clock.
pub(super) fn watch(
    relay: &Arc<Relay>,
    client: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
) -> io::Result<()> {
    let writer = Arc::clone(relay);
    start("to client", move || {
        if writer.client.run(output).is_err() {
            writer.end(End::ClientGone);
        }
    })?;
    let input: Input = Arc::new(Mutex::new(Lines::new(client, relay.options.limit)));
    read_client(relay, &input)?;
    let relay = Arc::clone(relay);
    start("clock", move || clock(&relay, &input))
}

fn read_client(relay: &Arc<Relay>, input: &Input) -> io::Result<()> {
    let (relay, input) = (Arc::clone(relay), Arc::clone(input));
    let ticket = relay.desk.ticket();
    start("client", move || from_client(&relay, &input, &ticket))
}

fn from_client(relay: &Relay, input: &Input, ticket: &Ticket) {
    loop {
        let mut lines = input.lock().unwrap_or_else(PoisonError::into_inner);
        let line = lines.next(&mut ToServer { relay, failed: false });
        let message = std::mem::take(&mut lines.buffer);
        // Another reader may go on while this one judges, should that hang.
        drop(lines);
        match line {
            Ok(Line::Message(head)) => {
                if relay.take_client(&message, &head, ticket) == Flow::Replaced {
                    return;
                }
            }
            Ok(Line::Faulty { head, fault, .. }) => relay.client_fault(&head, &fault),
            Ok(Line::TooLarge(head)) => relay.client_too_large(&head),
            Ok(Line::Passed(_) | Line::Blank) => {}
            Ok(Line::End) | Err(_) => return relay.end(End::ClientClosed),
        }
        if relay.has_ended() {
            return;
        }
    }
}

/// Reads the server until it ends.
pub(super) fn from_server(relay: &Relay, server: impl BufRead) {
    read_server(relay, server, &mut |relay, line, text| match line {
        Said::Message(_) => {}
        Said::Fault(head, fault) => relay.server_fault(head, fault, text),
    });
    relay.end(End::ServerEnded);
}

/// What is told of a line of the server.
pub(super) enum Said<'a> {
    /// A message, which goes its way.
    #[cfg_attr(
        not(feature = "http"),
        expect(dead_code, reason = "one HTTP answer ends with the message that it is for")
    )]
    Message(&'a Head),
    /// None.
    Fault(&'a Head, &'a Fault),
}

/// Reads messages of the server until they end.
pub(super) fn read_server(
    relay: &Relay,
    server: impl BufRead,
    told: &mut dyn FnMut(&Relay, Said<'_>, &[u8]),
) {
    let mut lines = Lines::new(server, relay.options.limit);
    loop {
        if relay.client.wait_for_room() {
            // It was not its fault.
            relay.hear();
        }
        let line = lines.next(&mut ToClient { relay, passing: false, known: false });
        let message = std::mem::take(&mut lines.buffer);
        match line {
            Ok(Line::Message(head)) => {
                told(relay, Said::Message(&head), &message);
                relay.take_server(message, &head);
            }
            Ok(Line::Faulty { head, fault, .. }) => told(relay, Said::Fault(&head, &fault), &lines.faulty),
            Ok(Line::TooLarge(head)) => relay.server_too_large(&head),
            Ok(Line::Passed(_) | Line::Blank) => {}
            Ok(Line::End) | Err(_) => return,
        }
        if relay.has_ended() && relay.is_deaf() {
            return;
        }
    }
}

fn clock(relay: &Arc<Relay>, input: &Input) {
    let tick = (relay.options.deadline.min(relay.options.silence) / 5)
        .clamp(Duration::from_millis(10), Duration::from_millis(250));
    while !relay.has_ended() {
        thread::sleep(tick);
        let now = Instant::now();
        if let Some(end) = gone_quiet(relay, now) {
            return relay.end(end);
        }
        if relay.deny_late(now) && read_client(relay, input).is_err() {
            return relay.end(End::ClientGone);
        }
        relay.answer_overdue(now);
    }
}

/// Whether the server does not do its part any more.
fn gone_quiet(relay: &Relay, now: Instant) -> Option<End> {
    let silence = relay.options.silence;
    let soon = silence.min(SOON);
    let (owed, open) = {
        let table = relay.table();
        (table.is_owed(now), table.len())
    };
    // Where the client does not read, what the server says is not read either.
    if owed && relay.silent_for() >= silence && !relay.client.is_full() {
        return Some(End::Silent(silence));
    }
    if relay.client.stopped_for() >= soon {
        return Some(End::Stopped(soon));
    }
    // One that works on a request may read the next one later.
    let works = open > relay.upstream.unsent();
    let limit = if works { silence } else { soon };
    (relay.upstream.stalled_for() >= limit).then_some(End::Stalled(limit))
}

/// Waits until the connection ends; while the server may still answer a client that has no more to say, for a while longer.
pub(super) fn wait(relay: &Relay, ends: &Receiver<End>, grace: Duration) -> End {
    let end = ends.recv().unwrap_or(End::ServerEnded);
    if end != End::ClientClosed {
        return end;
    }
    relay.upstream.close();
    let started = Instant::now();
    loop {
        match ends.recv_timeout(Duration::from_millis(20)) {
            // What it still had to say has been said.
            Ok(End::ServerEnded) => return End::ClientClosed,
            Ok(other) if other != End::ClientClosed => return other,
            _ => {}
        }
        let waited = started.elapsed();
        let quiet = relay.silent_for().min(waited);
        // However much it goes on to say, it ends.
        let (patience, at_most) =
            if relay.table().is_owed(Instant::now()) { (grace * 5, grace * 20) } else { (grace, grace * 2) };
        if quiet >= patience || waited >= at_most {
            return End::ClientClosed;
        }
    }
}

/// Pieces of a long message of the client.
struct ToServer<'a> {
    relay: &'a Relay,
    failed: bool,
}

impl Passage for ToServer<'_> {
    fn long(&mut self, head: &Head) -> Long {
        match (&head.method, &head.id) {
            _ if head.is_batch => Long::Hold,
            (Some(method), _) if client::is_read(method) => Long::Hold,
            (Some(_), _) => Long::Pass,
            (None, Some(id)) if self.relay.table().is_own(id) => Long::Hold,
            (None, Some(_)) if head.answers => Long::Pass,
            (None, _) => Long::Wait,
        }
    }

    fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        // The rest of the line is read all the same; what follows is another message.
        self.failed = self.failed || self.relay.upstream.piece(bytes).is_err();
        Ok(())
    }

    fn end(&mut self, head: &Head, whole: bool) -> io::Result<()> {
        let mut refused = None;
        match (&head.method, &head.id) {
            (Some(method), Some(id)) if whole && !self.failed => {
                refused = self.relay.opened(id, client::open_of(method)).err();
            }
            (None, _) => {
                let mut table = self.relay.table();
                table.server_was_answered();
            }
            _ => {}
        }
        let opened = head.id.as_ref().filter(|_| head.method.is_some() && refused.is_none());
        // A message that was cut is an object without its end. One that must not be is spoilt.
        let end: &[u8] = if refused.is_some() { b"}\n" } else { b"\n" };
        self.failed = self.failed || self.relay.upstream.last_piece(end, opened).is_err();
        if self.failed && head.method.is_some() {
            if let Some(id) = &head.id {
                self.relay.table().close(id);
            }
            self.relay.refuse(head.id.as_ref(), Code::Closed, "the server takes no more messages");
        } else if let (Some(why), Some(id)) = (refused, &head.id) {
            self.relay.to_client(answer::error(id, Code::Invalid, why));
        }
        Ok(())
    }
}

/// Pieces of a long message of the server. Nothing else goes to the client meanwhile.
struct ToClient<'a> {
    relay: &'a Relay,
    passing: bool,
    /// It answers a request that was open.
    known: bool,
}

impl Passage for ToClient<'_> {
    fn long(&mut self, head: &Head) -> Long {
        self.relay.hear();
        let table = self.relay.table();
        match (&head.method, &head.id) {
            _ if head.is_batch => Long::Hold,
            (_, Some(id)) if table.is_own(id) => Long::Hold,
            (Some(_), _) => Long::Pass,
            (None, Some(_)) if self.known => Long::Pass,
            (None, Some(id)) if table.waits(id) => Long::Hold,
            (None, Some(id)) => match table.request(id) {
                // Held, it is dropped.
                None => Long::Hold,
                Some(open) if open.is_read() => Long::Hold,
                Some(_) => {
                    self.known = true;
                    Long::Pass
                }
            },
            (None, None) => Long::Wait,
        }
    }

    fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.relay.hear();
        if !std::mem::replace(&mut self.passing, true) {
            self.relay.client.start_line();
        }
        let taken = self.relay.client.piece(bytes);
        self.relay.hear();
        if taken.is_err() {
            self.relay.end(End::ClientGone);
        }
        taken
    }

    fn end(&mut self, head: &Head, whole: bool) -> io::Result<()> {
        self.passing = false;
        let ended = self.relay.client.end_line();
        if whole && let Some(id) = &head.id {
            let mut table = self.relay.table();
            if head.method.is_some() {
                table.server_asks(Instant::now());
            } else {
                table.close(id);
            }
        }
        ended
    }
}

impl Drop for ToClient<'_> {
    fn drop(&mut self) {
        // What was read of it ended in an error.
        if self.passing {
            let _ = self.relay.client.end_line();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::proxy::relay::{Judge, Options, Upstream};
    use crate::proxy::scan::Id;
    use crate::verdict::Verdict;

    struct Never;

    impl Judge for Never {
        fn verdict(&self, _: &Call) -> Verdict {
            Verdict::error("")
        }
        fn take_approval(&self, _: &Call, _: &Verdict) -> bool {
            false
        }
        fn wait(&self, _: &Call, _: &Verdict) -> Result<String, String> {
            Err(String::new())
        }
        fn never(&self, _: &Call) -> bool {
            false
        }
    }

    /// A server that has not read for so long, with so many requests before it.
    struct Deaf(Duration, usize);

    impl Upstream for Deaf {
        fn send(&self, _: &str, _: Option<&Id>) -> io::Result<()> {
            Ok(())
        }
        fn piece(&self, _: &[u8]) -> io::Result<()> {
            Ok(())
        }
        fn last_piece(&self, _: &[u8], _: Option<&Id>) -> io::Result<()> {
            Ok(())
        }
        fn close(&self) {}
        fn stalled_for(&self) -> Duration {
            self.0
        }
        fn unsent(&self) -> usize {
            self.1
        }
    }

    #[test]
    fn a_server_that_works_on_something_may_read_later() {
        let minutes = Duration::from_mins;
        for (stalled, open, unsent, ends) in [
            (minutes(2), 1, 1, Some(minutes(1))),
            (minutes(2), 0, 0, Some(minutes(1))),
            (minutes(2), 2, 1, None),
            (minutes(61), 2, 1, Some(minutes(60))),
            (Duration::ZERO, 1, 0, None),
        ] {
            let (end, _ends) = std::sync::mpsc::channel();
            let upstream = Box::new(Deaf(stalled, unsent));
            let relay =
                Relay::new(Options::new("s"), Arc::new(Never), upstream, Arc::new(|_| {}), end).unwrap();
            for id in 0..open {
                relay.opened(&Id::Whole(id), crate::proxy::table::Open::Other).unwrap();
            }
            assert_eq!(
                gone_quiet(&relay, Instant::now()),
                ends.map(End::Stalled),
                "{stalled:?} {open} {unsent}"
            );
        }
    }
}

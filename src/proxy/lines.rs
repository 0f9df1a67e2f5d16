//! Messages from a stream, one a line: those that must be read stay whole within a bound, the others pass in pieces.

use std::io::{self, BufRead};

use super::scan::{Fault, Head, Scanner};

/// What of a line is held before it may pass in pieces.
const START: usize = 64 * 1024;
/// A buffer that grew beyond this is given back.
const KEEP: usize = 256 * 1024;

/// What is to become of a long line, by what was read of it so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Long {
    /// It may pass in pieces.
    Pass,
    /// It must be here as a whole, or is refused.
    Hold,
    /// That cannot be told yet: it is held as long as there is room, and then passes.
    Wait,
}

/// Where pieces of long lines go.
pub(super) trait Passage {
    /// What is to become of a long line. Asked again whenever more was read; `Hold` for one that is passing already ends it.
    fn long(&mut self, head: &Head) -> Long;
    /// A piece of a line that passes.
    fn piece(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// The end of a line that passed: all of it did, or it ends here, and is no message.
    fn end(&mut self, head: &Head, whole: bool) -> io::Result<()>;
}

/// What a line was.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A message, all of it in the buffer.
    Message(Head),
    /// A message that passed in pieces.
    Passed(Head),
    /// No message; `cut` when a part of it had passed.
    Faulty {
        /// What was read of it.
        head: Head,
        /// What is wrong.
        fault: Fault,
        /// A part had passed.
        cut: bool,
    },
    /// A message that must be here as a whole, and is too large for that.
    TooLarge(Head),
    /// Nothing stands there.
    Blank,
    /// The stream has ended.
    End,
}

/// Reads lines into one buffer.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    /// The message, without the end of its line.
    pub(super) buffer: Vec<u8>,
    /// The start of a line that was none, to be shown.
    pub(super) faulty: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Lines of `input`, of which at most `limit` bytes are held.
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, buffer: Vec::new(), faulty: Vec::new() }
    }

    /// The next line.
    pub(super) fn next(&mut self, passage: &mut dyn Passage) -> io::Result<Line> {
        self.buffer.clear();
        if self.buffer.capacity() > KEEP {
            self.buffer.shrink_to(START);
        }
        let mut scanner = Scanner::default();
        let mut state = State::Held;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            if chunk.is_empty() {
                if matches!(state, State::Held) && self.buffer.is_empty() {
                    return Ok(Line::End);
                }
                // The last line may lack its end.
                break;
            }
            let found = chunk.iter().position(|byte| *byte == b'\n');
            let piece = chunk.get(..found.unwrap_or(chunk.len())).unwrap_or_default();
            if !matches!(state, State::Over(..)) {
                state = Self::took(state, piece, &mut scanner, &mut self.buffer, self.limit, passage)?;
            }
            let used = found.map_or(chunk.len(), |at| at + 1);
            self.input.consume(used);
            if found.is_some() {
                break;
            }
        }
        let state = match state {
            State::Over(line, passed) => State::Over(line, passed),
            State::Held | State::Passing => match scanner.finish() {
                Ok(()) => state,
                Err(fault) => over(&state, &scanner, fault),
            },
        };
        let head = scanner.head().clone();
        match state {
            State::Held if head.is_blank => Ok(Line::Blank),
            State::Held => Ok(Line::Message(head)),
            State::Passing => {
                passage.end(&head, true)?;
                Ok(Line::Passed(head))
            }
            State::Over(line, passed) => {
                std::mem::swap(&mut self.faulty, &mut self.buffer);
                self.faulty.truncate(1024);
                self.faulty.shrink_to(START);
                self.buffer.clear();
                if passed {
                    passage.end(&head, false)?;
                }
                Ok(line)
            }
        }
    }

    fn took(
        state: State,
        piece: &[u8],
        scanner: &mut Scanner,
        buffer: &mut Vec<u8>,
        limit: usize,
        passage: &mut dyn Passage,
    ) -> io::Result<State> {
        if let Err(fault) = scanner.push(piece) {
            let shown = piece.get(..piece.len().min(1024)).unwrap_or_default();
            buffer.extend_from_slice(shown);
            return Ok(over(&state, scanner, fault));
        }
        let head = scanner.head();
        match state {
            State::Held => {
                buffer.extend_from_slice(piece);
                if buffer.len() <= START {
                    return Ok(State::Held);
                }
                let long = passage.long(head);
                let full = buffer.len() > limit;
                if long == Long::Pass || (long == Long::Wait && full && !head.is_batch) {
                    passage.piece(buffer)?;
                    buffer.clear();
                    buffer.shrink_to(START);
                    return Ok(State::Passing);
                }
                Ok(if full { State::Over(Line::TooLarge(head.clone()), false) } else { State::Held })
            }
            State::Passing => {
                if passage.long(head) == Long::Hold {
                    return Ok(State::Over(Line::TooLarge(head.clone()), true));
                }
                passage.piece(piece)?;
                Ok(State::Passing)
            }
            State::Over(line, passed) => Ok(State::Over(line, passed)),
        }
    }
}

enum State {
    Held,
    Passing,
    /// The rest of the line is passed over.
    Over(Line, bool),
}

fn over(state: &State, scanner: &Scanner, fault: Fault) -> State {
    let cut = matches!(state, State::Passing);
    State::Over(Line::Faulty { head: scanner.head().clone(), fault, cut }, cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// Passes what has a method other than `judged`, holds that, and does not know of the rest.
    #[derive(Default)]
    struct Pieces {
        passed: Vec<u8>,
        largest: usize,
        ends: Vec<bool>,
    }

    impl Passage for Pieces {
        fn long(&mut self, head: &Head) -> Long {
            match head.method.as_deref() {
                Some("judged") => Long::Hold,
                Some(_) => Long::Pass,
                None => Long::Wait,
            }
        }
        fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.passed.extend_from_slice(bytes);
            self.largest = self.largest.max(bytes.len());
            Ok(())
        }
        fn end(&mut self, _: &Head, whole: bool) -> io::Result<()> {
            self.passed.push(b'\n');
            self.ends.push(whole);
            Ok(())
        }
    }

    fn read(text: &str) -> (Vec<String>, Pieces) {
        let mut pieces = Pieces::default();
        let mut lines = Lines::new(BufReader::new(text.as_bytes()), 200_000);
        let mut found = Vec::new();
        loop {
            let line = lines.next(&mut pieces).unwrap();
            assert!(lines.buffer.len() <= 200_000 + 8192);
            found.push(match line {
                Line::Message(_) => format!("message {}", String::from_utf8_lossy(&lines.buffer)),
                Line::Passed(head) => {
                    format!("passed {:?}", head.method.or(head.id.map(|_| "answer".into())))
                }
                Line::Faulty { cut, .. } => format!("faulty {cut}"),
                Line::TooLarge(_) => "too large".into(),
                Line::Blank => "blank".into(),
                Line::End => return (found, pieces),
            });
        }
    }

    fn long(before: &str, after: &str) -> String {
        format!("{{{before}\"params\":\"{}\"{after}}}\n", "x".repeat(1_000_000))
    }

    #[test]
    fn short_lines_are_messages_or_none() {
        let (found, pieces) = read("{\"id\":1}\n\n  \r\nnonsense\n{\"id\":2}\r\n{\"id\":3}");
        assert_eq!(
            found,
            [
                "message {\"id\":1}",
                "blank",
                "blank",
                "faulty false",
                "message {\"id\":2}\r",
                "message {\"id\":3}"
            ]
        );
        assert_eq!(pieces.passed, b"");
    }

    #[test]
    fn a_long_line_that_nobody_reads_passes_in_pieces_as_it_is() {
        let text = long("\"method\":\"other\",", "");
        let (found, pieces) = read(&format!("{text}{{\"id\":1}}\n"));
        assert_eq!(found, ["passed Some(\"other\")", "message {\"id\":1}"]);
        assert_eq!(pieces.passed, text.as_bytes());
        assert!(pieces.largest < 100_000);
    }

    #[test]
    fn a_long_line_that_must_be_read_is_refused() {
        assert_eq!(read(&long("\"method\":\"judged\",", "")).0, ["too large"]);
        let (found, pieces) = read(&format!("[{}]\n", "1,".repeat(500_000)));
        assert_eq!((found.concat(), pieces.passed.len()), ("too large".into(), 0));
    }

    #[test]
    fn one_that_turns_out_to_be_such_late_is_cut_and_no_message() {
        let (found, pieces) = read(&long("", ",\"method\":\"judged\""));
        assert_eq!((found.concat().as_str(), &*pieces.ends), ("too large", &[false][..]));
        assert!(serde_json::from_slice::<serde_json::Value>(&pieces.passed).is_err());
        let (found, pieces) = read(&long("\"method\":\"other\",", ",\"method\":\"judged\""));
        assert_eq!((found.concat().as_str(), &*pieces.ends), ("faulty true", &[false][..]));
        assert!(!String::from_utf8_lossy(&pieces.passed).contains("judged"));
    }

    #[test]
    fn an_answer_whose_id_comes_last_passes() {
        assert_eq!(read(&long("", ",\"id\":5")).0, ["passed Some(\"answer\")"]);
    }
}

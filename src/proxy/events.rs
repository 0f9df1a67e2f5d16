//! Answers over HTTP as lines: a body that is one message, or a stream of events.

use std::io::{self, BufRead, Read};

/// A body as the lines that its messages are.
pub(super) struct Body<R> {
    from: R,
    events: bool,
    state: State,
    /// The current event has data.
    data: bool,
    /// The last line ended in a carriage return.
    returned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// So many characters of `data:` were read.
    Field(usize),
    /// One space may stand before the data.
    Space,
    Data,
    /// Another field, or a comment.
    Other,
}

const FIELD: &[u8] = b"data:";

impl<R: BufRead> Body<R> {
    /// `events`: it is a stream of events; else one message, whatever lines it is written on.
    pub(super) fn new(from: R, events: bool) -> Self {
        Self { from, events, state: State::Field(0), data: false, returned: false }
    }

    /// What comes out for a byte.
    fn step(&mut self, byte: u8) -> Option<u8> {
        if !self.events {
            // Between the tokens of a message, where alone they may stand, line ends are spaces.
            return Some(if matches!(byte, b'\n' | b'\r') { b' ' } else { byte });
        }
        let after_return = std::mem::replace(&mut self.returned, byte == b'\r');
        if byte == b'\n' && after_return {
            return None;
        }
        if matches!(byte, b'\n' | b'\r') {
            let blank = self.state == State::Field(0);
            self.state = State::Field(0);
            return (blank && std::mem::replace(&mut self.data, false)).then_some(b'\n');
        }
        match self.state {
            State::Field(read) if FIELD.get(read) == Some(&byte) => {
                if read + 1 < FIELD.len() {
                    self.state = State::Field(read + 1);
                    return None;
                }
                self.state = State::Space;
                // The data of one event may stand on several lines.
                std::mem::replace(&mut self.data, true).then_some(b' ')
            }
            State::Field(_) | State::Other => {
                self.state = State::Other;
                None
            }
            State::Space => {
                self.state = State::Data;
                (byte != b' ').then_some(byte)
            }
            State::Data => Some(byte),
        }
    }
}

impl<R: BufRead> Read for Body<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written == 0 && !out.is_empty() {
            let (mut used, mut made) = (0, Vec::new());
            let chunk = self.from.fill_buf()?;
            if chunk.is_empty() {
                return Ok(0);
            }
            let chunk = chunk.get(..chunk.len().min(out.len())).unwrap_or_default().to_vec();
            for byte in chunk {
                used += 1;
                made.extend(self.step(byte));
            }
            self.from.consume(used);
            // One byte makes at most one.
            for (slot, byte) in out.iter_mut().zip(&made) {
                *slot = *byte;
            }
            written = made.len();
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(text: &str, events: bool) -> String {
        // Pieces of every size give the same.
        let mut all = Vec::new();
        for size in [1, 2, 7, 4096] {
            let mut out = String::new();
            BufReader::with_capacity(
                size,
                Body::new(BufReader::with_capacity(size, text.as_bytes()), events),
            )
            .read_to_string(&mut out)
            .unwrap();
            all.push(out);
        }
        assert!(all.iter().all(|out| *out == all[0]), "{all:?}");
        all.remove(0)
    }

    #[test]
    fn each_event_is_a_line() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "event: message|id: 1|data: {\"a\":1}||: alive||data:{\"b\":|data:  2}||retry: 5||datum: x||data: {}||";
            assert_eq!(lines(&text.replace('|', end), true), "{\"a\":1}\n{\"b\":  2}\n{}\n");
        }
    }

    #[test]
    fn a_message_on_several_lines_is_one() {
        assert_eq!(lines("{\n  \"a\":\r\n 1\n}\n", false), "{   \"a\":   1 } ");
    }
}

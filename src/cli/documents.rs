//! The JSON documents of an input: one a line, or the first over several lines.

use std::io::{self, BufRead, Read as _};

/// The longest line, or document over several lines, that is read.
const MAX_BYTES: usize = 64 << 20;

/// One document, or what is wrong with it.
pub(super) type Document = Result<String, String>;

/// Reads documents as they come in, so that each can be answered before the next is there.
///
/// Where the first line is a whole document, every line is one. Where it is not, documents may go over several lines: one
/// ends where its brackets do. Lines that never become a document are then taken one by one.
pub(super) struct Documents<R> {
    input: R,
    /// Documents that are ready to be given.
    ready: std::collections::VecDeque<Document>,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Unknown,
    Lines,
    Blocks,
}

impl<R: BufRead> Documents<R> {
    /// The documents of `input`.
    pub(super) fn new(input: R) -> Self {
        Self { input, ready: std::collections::VecDeque::new(), shape: Shape::Unknown }
    }

    /// The next document; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Document>> {
        if let Some(ready) = self.ready.pop_front() {
            return Ok(Some(ready));
        }
        let Some(line) = self.line()? else { return Ok(None) };
        let Ok(first) = &line else { return Ok(Some(line)) };
        let mut brackets = Brackets::default();
        brackets.read(first);
        let open = brackets.open();
        if self.shape == Shape::Unknown {
            self.shape = if open { Shape::Blocks } else { Shape::Lines };
        }
        if self.shape == Shape::Lines || !open {
            return Ok(Some(line));
        }
        self.block(line, brackets)
    }

    /// Goes on reading until the brackets are closed.
    fn block(&mut self, first: Document, mut brackets: Brackets) -> io::Result<Option<Document>> {
        let mut lines = vec![first];
        let mut size = 0;
        while brackets.open() && size <= MAX_BYTES {
            let Some(line) = self.line()? else { break };
            if let Ok(text) = &line {
                size += text.len();
                brackets.read(text);
            }
            lines.push(line);
        }
        let whole: Option<Vec<&str>> = lines.iter().map(|line| line.as_deref().ok()).collect();
        match whole {
            Some(whole) if !brackets.open() && !brackets.broken => Ok(Some(Ok(whole.join("\n")))),
            _ => {
                self.ready.extend(lines);
                Ok(self.ready.pop_front())
            }
        }
    }

    /// The next line that is not blank.
    fn line(&mut self) -> io::Result<Option<Document>> {
        loop {
            let mut bytes = Vec::new();
            let limit = MAX_BYTES as u64 + 1;
            if self.input.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            if bytes.len() > MAX_BYTES {
                self.skip_line()?;
                return Ok(Some(Err(format!("the line is longer than {MAX_BYTES} bytes"))));
            }
            match String::from_utf8(bytes) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Ok(Some(Ok(text.trim_end_matches(['\n', '\r']).to_owned()))),
                Err(_) => return Ok(Some(Err("the line is not UTF-8".to_owned()))),
            }
        }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let (used, done) = match buffer.iter().position(|b| *b == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.input.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

/// How deep a JSON text is in brackets.
#[derive(Default)]
struct Brackets {
    depth: usize,
    /// A line ended inside of a string, or a bracket was closed that was not open: this is no JSON.
    broken: bool,
}

impl Brackets {
    fn read(&mut self, line: &str) {
        let (mut in_string, mut escaped) = (false, false);
        for byte in line.bytes() {
            match (in_string, byte) {
                _ if escaped => escaped = false,
                (true, b'\\') => escaped = true,
                (_, b'"') => in_string = !in_string,
                (false, b'{' | b'[') => self.depth += 1,
                (false, b'}' | b']') => match self.depth.checked_sub(1) {
                    Some(less) => self.depth = less,
                    None => self.broken = true,
                },
                _ => {}
            }
        }
        self.broken |= in_string;
    }

    fn open(&self) -> bool {
        self.depth > 0 && !self.broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<Document> {
        let mut documents = Documents::new(input);
        std::iter::from_fn(|| documents.next().unwrap()).collect()
    }

    #[track_caller]
    fn gives(input: &str, expected: &[&str]) {
        let expected: Vec<Document> = expected.iter().map(|t| Ok((*t).to_owned())).collect();
        assert_eq!(all(input.as_bytes()), expected);
    }

    #[test]
    fn a_document_is_a_line_or_goes_over_several() {
        gives("", &[]);
        gives("\n \n", &[]);
        gives("{\"a\": 1}", &["{\"a\": 1}"]);
        gives("{\"a\": 1}\r\n\n{\"b\": 2}\n", &["{\"a\": 1}", "{\"b\": 2}"]);
        gives("{\n  \"a\": [\n1]\n}\n", &["{\n  \"a\": [\n1]\n}"]);
        gives("{\n}\n{\n\n}\n{}\n", &["{\n}", "{\n}", "{}"]);
        gives("{\"a\": \"}\\\"{\"\n}\n", &["{\"a\": \"}\\\"{\"\n}"]);
    }

    #[test]
    fn after_a_document_on_one_line_no_line_waits_for_another() {
        gives("{}\n{\n{}\n", &["{}", "{", "{}"]);
    }

    #[test]
    fn what_never_becomes_a_document_is_taken_line_by_line() {
        gives("{\n{}\n{}", &["{", "{}", "{}"]);
        gives("{\"a\n{}\n", &["{\"a", "{}"]);
        gives("}\n{}\n", &["}", "{}"]);
        gives("nonsense\n{}\n", &["nonsense", "{}"]);
    }

    #[test]
    fn what_is_not_utf8_is_told_and_the_next_line_is_read() {
        assert_eq!(all(b"\xff\n{}\n"), [Err("the line is not UTF-8".to_owned()), Ok("{}".to_owned())]);
    }
}

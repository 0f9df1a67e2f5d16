//! Asking at the terminal.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::parse_reply;
use crate::turn::{AskError, Human, Question};
use crate::verdict::Reply;

/// Asks at the terminal: the question, then `(yes/no)`, again for anything else, until the time is up.
///
/// Where standard input or error is taken, it asks at the controlling terminal, and where there is none, nobody is there.
#[derive(Default)]
pub struct Terminal(Mutex<Option<Channel>>);

struct Channel {
    lines: Receiver<String>,
    out: Box<dyn Write + Send>,
}

impl Terminal {
    /// The terminal of this process.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks over these streams in place of a terminal.
    pub fn over(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(Some(Channel::open(BufReader::new(input), Box::new(output)))))
    }
}

impl Channel {
    /// Lines are read by a thread of their own, so that waiting for one can end when the time is up.
    fn open(input: impl BufRead + Send + 'static, out: Box<dyn Write + Send>) -> Self {
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in input.lines() {
                if line.is_ok_and(|line| send.send(line).is_ok()) {
                    continue;
                }
                break;
            }
        });
        Self { lines, out }
    }

    fn of_process() -> Result<Self, AskError> {
        if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
            return Ok(Self::open(BufReader::new(std::io::stdin()), Box::new(std::io::stderr())));
        }
        let tty = |options: &mut OpenOptions| -> Option<File> { options.open("/dev/tty").ok() };
        let input = tty(OpenOptions::new().read(true)).ok_or(AskError::Nobody)?;
        let output = tty(OpenOptions::new().write(true)).ok_or(AskError::Nobody)?;
        Ok(Self::open(BufReader::new(input), Box::new(output)))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, AskError> {
        let started = Instant::now();
        let failed = |e: std::io::Error| AskError::Failed(format!("the terminal cannot be written to: {e}"));
        // What was typed before the question was seen answers nothing.
        while self.lines.try_recv().is_ok() {}
        if let Some(why) = &question.why {
            writeln!(self.out, "{}", printable(why)).map_err(failed)?;
        }
        let mut prompt = format!("{} (yes/no) ", printable(&question.text));
        loop {
            write!(self.out, "{prompt}").and_then(|()| self.out.flush()).map_err(failed)?;
            let left = question.timeout.saturating_sub(started.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => match parse_reply(&line) {
                    Some(reply) => return Ok(reply),
                    None => "Answer 'yes' or 'no': ".clone_into(&mut prompt),
                },
                Err(RecvTimeoutError::Timeout) => {
                    writeln!(self.out).map_err(failed)?;
                    return Ok(Reply::Timeout);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(AskError::Nobody),
            }
        }
    }
}

impl Human for Terminal {
    fn ask(&self, question: &Question) -> Result<Reply, AskError> {
        let mut channel = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match &mut *channel {
            Some(open) => open,
            none => none.insert(Channel::of_process()?),
        };
        open.ask(question)
    }
}

/// The text with everything escaped that could change what a person sees: control characters, and marks that turn the direction of writing or are not visible.
fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let hidden = c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
            let (escaped, plain) = if hidden { (Some(c.escape_default()), None) } else { (None, Some(c)) };
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    fn question(timeout: Duration) -> Question {
        Question { text: "Run t()?".into(), call_id: None, timeout, digest: String::new(), why: None }
    }

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Gives its text only after a moment, as a person would.
    struct Slow(std::io::Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            thread::sleep(Duration::from_millis(50));
            self.0.read(buffer)
        }
    }

    #[test]
    fn it_asks_again_until_the_answer_is_yes_or_no() {
        let out = Shared::default();
        let terminal = Terminal::over(Slow(std::io::Cursor::new(b"maybe\nYES\n".to_vec())), out.clone());
        assert_eq!(terminal.ask(&question(Duration::from_secs(5))), Ok(Reply::Yes));
        let shown = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
        assert_eq!(shown, "Run t()? (yes/no) Answer 'yes' or 'no': ");
    }

    #[test]
    fn no_answer_in_time_is_a_timeout_and_a_closed_terminal_is_nobody() {
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                thread::sleep(Duration::from_mins(1));
                Ok(0)
            }
        }
        let terminal = Terminal::over(Silent, std::io::sink());
        assert_eq!(terminal.ask(&question(Duration::from_millis(30))), Ok(Reply::Timeout));
        let terminal = Terminal::over(std::io::empty(), std::io::sink());
        assert_eq!(terminal.ask(&question(Duration::from_secs(5))), Err(AskError::Nobody));
    }

    #[test]
    fn what_could_fool_a_reader_is_escaped() {
        assert_eq!(printable("rm \u{1b}[2K\u{202e}x\n"), "rm \\u{1b}[2K\\u{202e}x\\n");
    }
}

//! A server that is a program: started here, spoken to over its standard streams.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::pump;
use super::relay::{End, Judge, Notes, Options, Relay, StartError, Upstream};

/// So long a server may take to end once it is told.
const GRACE: Duration = Duration::from_secs(1);
/// So much is written at once: each piece that the server takes shows that it reads.
const PIECE: usize = 64 * 1024;

/// How a connection ended.
#[derive(Debug)]
pub struct Finished {
    /// Why.
    pub end: End,
    /// What became of the server's process, where it ended by itself.
    pub server: Option<ExitStatus>,
}

/// Starts the program and stands between it and the client until one of them ends.
///
/// # Errors
///
/// When it cannot be started.
pub fn stdio(
    command: &[OsString],
    options: Options,
    judge: Arc<dyn Judge>,
    client: (Box<dyn BufRead + Send>, Box<dyn Write + Send>),
    notes: Notes,
) -> Result<Finished, StartError> {
    let (program, arguments) =
        command.split_first().ok_or_else(|| StartError::System(io::ErrorKind::InvalidInput.into()))?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| StartError::Server(program.display().to_string(), e))?;
    let connected = connect(&mut child, options, judge, client, notes);
    let (relay, end) = match connected {
        Ok(connected) => connected,
        Err(e) => {
            let _ = child.kill();
            return Err(e);
        }
    };
    relay.upstream.close();
    let server = ended(&mut child, if end == End::ServerEnded { GRACE } else { Duration::ZERO });
    relay.fail_open(&told(&end, server));
    Ok(Finished { end, server })
}

fn connect(
    child: &mut Child,
    options: Options,
    judge: Arc<dyn Judge>,
    (input, output): (Box<dyn BufRead + Send>, Box<dyn Write + Send>),
    notes: Notes,
) -> Result<(Arc<Relay>, End), StartError> {
    let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(StartError::System(io::ErrorKind::BrokenPipe.into()));
    };
    let (end, ends) = channel();
    let relay = Arc::new(Relay::new(options, judge, output, Box::new(Pipe::new(to)), notes, end)?);
    let reader = Arc::clone(&relay);
    pump::start("server", move || pump::from_server(&reader, BufReader::with_capacity(PIECE, from)))?;
    pump::watch(&relay, input)?;
    let end = pump::wait(&relay, &ends, GRACE);
    Ok((relay, end))
}

/// How the process ended; it is ended after a while.
fn ended(child: &mut Child, grace: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if started.elapsed() < grace => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => break,
        }
    }
    // It may end in this very moment.
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// What the client is told about each request that is still open.
fn told(end: &End, server: Option<ExitStatus>) -> String {
    match (end, server) {
        (End::ServerEnded, Some(status)) => format!("the server ended before it answered ({status})"),
        (End::ServerEnded, None) => "the server closed its output before it answered".to_owned(),
        (End::Garbage(why), _) => {
            format!(
                "the server wrote something that is no message ({why}), so that its answers cannot be told"
            )
        }
        (End::Silent(silence), _) => {
            format!("the server has not said anything for {} seconds", silence.as_secs_f64())
        }
        (End::ClientClosed | End::ClientGone, _) => {
            "the connection was closed before the server answered".to_owned()
        }
    }
}

/// The server's standard input.
struct Pipe {
    to: Mutex<Option<ChildStdin>>,
    started: Instant,
    /// Since when a piece is being written, in milliseconds since the start, and one; 0: none is.
    writing: AtomicU64,
}

impl Pipe {
    fn new(to: ChildStdin) -> Self {
        Self { to: Mutex::new(Some(to)), started: Instant::now(), writing: AtomicU64::new(0) }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        let pipe = to.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        for piece in bytes.chunks(PIECE) {
            self.writing.store(self.now(), Ordering::Relaxed);
            let written = pipe.write_all(piece);
            self.writing.store(0, Ordering::Relaxed);
            written?;
        }
        Ok(())
    }
}

impl Upstream for Pipe {
    fn send(&self, message: &str) -> io::Result<()> {
        // In one piece, as a server that reads what there is should find whole lines.
        let mut line = Vec::with_capacity(message.len() + 1);
        line.extend_from_slice(message.trim_end_matches('\r').as_bytes());
        line.push(b'\n');
        self.write(&line)
    }

    fn piece(&self, bytes: &[u8], _last: bool) -> io::Result<()> {
        self.write(bytes)
    }

    fn close(&self) {
        // Whoever is writing holds it; a server that does not read is ended otherwise.
        if let Ok(mut to) = self.to.try_lock() {
            *to = None;
        }
    }

    fn stalled(&self, limit: Duration) -> bool {
        let since = self.writing.load(Ordering::Relaxed);
        since != 0
            && Duration::from_millis(self.now().saturating_sub(since)) >= limit.min(Duration::from_mins(1))
    }
}

//! A server that is a program: started here, spoken to over its standard streams.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::answer::{self, Code};
use super::outbox::Outbox;
use super::pump;
use super::relay::{End, Judge, Notes, Options, Relay, StartError, Upstream};
use super::scan::Id;

/// So long a server may take to end once it is told.
const GRACE: Duration = Duration::from_secs(1);
/// What the server says is read in pieces of this size.
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
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    // What the server starts in turn ends with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|e| StartError::Server(program.display().to_string(), e))?;
    let connected = connect(&mut child, options, judge, client, notes);
    let (relay, end) = match connected {
        Ok(connected) => connected,
        Err(e) => {
            kill(&mut child);
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
    let outbox = Arc::new(Outbox::default());
    let relay = Arc::new(Relay::new(options, judge, Box::new(Pipe(Arc::clone(&outbox))), notes, end)?);
    let writer = Arc::clone(&relay);
    pump::start("to server", move || {
        // What it said before may still be read; whoever takes the request out of the table answers it.
        for id in outbox.run(to).err().unwrap_or_default() {
            let open = writer.table().close(&id).is_some();
            if open {
                writer.to_client(answer::error(&id, Code::Closed, "the server takes no more messages"));
            }
        }
    })?;
    let reader = Arc::clone(&relay);
    pump::start("server", move || pump::from_server(&reader, BufReader::with_capacity(PIECE, from)))?;
    pump::watch(&relay, input, output)?;
    let end = pump::wait(&relay, &ends, GRACE);
    Ok((relay, end))
}

/// How the process ended; it is ended after a while, and what it started with it.
fn ended(child: &mut Child, grace: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    while !has_ended(child) && started.elapsed() < grace {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Its number is its own until it is waited for, ended or not.
    let by_itself = has_ended(child);
    kill(child);
    child.wait().ok().filter(|_| by_itself)
}

#[cfg(unix)]
fn has_ended(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // Where the group is gone, there is nobody to end.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    // It may end in this very moment.
    let _ = child.kill();
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
        (End::Stalled(limit), _) => {
            format!("the server has not read anything for {} seconds", limit.as_secs_f64())
        }
        (End::Stopped(limit), _) => {
            format!("the server stopped in the middle of a message for {} seconds", limit.as_secs_f64())
        }
        (End::ClientClosed | End::ClientGone, _) => {
            "the connection was closed before the server answered".to_owned()
        }
    }
}

/// The server's standard input.
struct Pipe(Arc<Outbox>);

impl Upstream for Pipe {
    fn send(&self, message: &str, id: Option<&Id>) -> io::Result<()> {
        // In one piece, as a server that reads what there is should find whole lines.
        let mut line = Vec::with_capacity(message.len() + 1);
        line.extend_from_slice(message.trim_end_matches('\r').as_bytes());
        line.push(b'\n');
        self.0.wait_for_room();
        self.0.push(line, id)
    }

    fn piece(&self, bytes: &[u8]) -> io::Result<()> {
        self.last_piece(bytes, None)
    }

    fn last_piece(&self, bytes: &[u8], id: Option<&Id>) -> io::Result<()> {
        self.0.wait_for_room();
        self.0.push(bytes.to_vec(), id)
    }

    fn close(&self) {
        self.0.close();
    }

    fn stalled_for(&self) -> Duration {
        self.0.stalled_for()
    }

    fn unsent(&self) -> usize {
        self.0.requests()
    }
}

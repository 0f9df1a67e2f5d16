//! What client and server have in common: the ways to both, what is open between them, and how it all ends.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::answer::{self, Code};
use super::judging::Desk;
use super::outbox::Outbox;
use super::scan::Id;
use super::table::Table;
use super::token::{Signer, random};
use super::tools::{PinFile, Tools};
use crate::call::Call;
use crate::grant::StateError;
use crate::verdict::Verdict;

/// Who judges the calls.
pub trait Judge: Send + Sync {
    /// The verdict on a call, before anybody is asked.
    fn verdict(&self, call: &Call) -> Verdict;
    /// Whether a person has approved this very call elsewhere; that is then used up.
    fn take_approval(&self, call: &Call, verdict: &Verdict) -> bool;
    /// Notes that the call waits for approval elsewhere, and gives the id to approve it by, or why that cannot be.
    fn wait(&self, call: &Call, verdict: &Verdict) -> Result<String, String>;
    /// Whether every call of this tool is denied, whatever its arguments.
    fn never(&self, call: &Call) -> bool;
}

/// How the proxy works.
#[derive(Clone, Debug)]
pub struct Options {
    /// What rules know the server as.
    pub server: String,
    /// The host that is the client.
    pub host: Option<String>,
    /// The folder that calls are made in.
    pub cwd: Option<String>,
    /// The root of the project.
    pub workspace: Option<String>,
    /// Calls of a tool that has changed since it was first seen are refused.
    pub pin: bool,
    /// Tools of which every call would be denied are left out of the lists.
    pub hide_denied: bool,
    /// How long judging a call may take.
    pub deadline: Duration,
    /// How long the server may say nothing while it owes an answer.
    pub silence: Duration,
    /// Lines of the server that are no messages are passed over, and do not end the connection.
    pub stray_output: bool,
    /// The largest message that is held as a whole.
    pub limit: usize,
    /// Where it is kept what the server's tools looked like.
    pub pins: Option<PinFile>,
}

impl Options {
    /// The usual ones, for this server.
    pub fn new(server: impl Into<String>) -> Self {
        Self {
            server: server.into(),
            host: None,
            cwd: None,
            workspace: None,
            pin: false,
            hide_denied: false,
            deadline: Duration::from_secs(5),
            silence: Duration::from_hours(1),
            stray_output: false,
            limit: 16 * 1024 * 1024,
            pins: None,
        }
    }
}

/// Why the proxy cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no randomness to sign with.
    #[error("no random numbers: {0}")]
    Random(getrandom::Error),
    /// What was kept of the server cannot be read.
    #[error("what was kept of this server's tools cannot be read: {0}")]
    Pins(#[from] StateError),
    /// The address of the server is none.
    #[cfg(feature = "http")]
    #[error("`{0}` is not the address of a server: {1}")]
    Address(String, String),
    /// The server could not be started.
    #[error("`{0}` cannot be started: {1}")]
    Server(String, io::Error),
    /// Something of the system failed.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// So long the client may take to read the last that is said.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// So many dropped messages are told of.
const DROPPED: usize = 20;

/// How the connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The client has no more to say.
    ClientClosed,
    /// Nobody reads what goes to the client.
    ClientGone,
    /// The server has no more to say.
    ServerEnded,
    /// The server wrote something that is no message.
    Garbage(String),
    /// The server does not answer.
    Silent(Duration),
    /// The server does not read.
    Stalled(Duration),
    /// The server stopped in the middle of a message.
    Stopped(Duration),
}

/// The way to the server.
pub(super) trait Upstream: Send + Sync {
    /// A message, whole; `id` is that of a request.
    fn send(&self, message: &str, id: Option<&Id>) -> io::Result<()>;
    /// A piece of a message that is not held.
    fn piece(&self, bytes: &[u8]) -> io::Result<()>;
    /// The last piece, with the end of the line; `id` is that of a request.
    fn last_piece(&self, bytes: &[u8], id: Option<&Id>) -> io::Result<()>;
    /// No more will come.
    fn close(&self);
    /// The client has lost interest in a request.
    fn cancel(&self, _id: &Id) {}
    /// For how long it has taken nothing, though there is something to take.
    fn stalled_for(&self) -> Duration {
        Duration::ZERO
    }
    /// How many requests it has not taken yet.
    fn unsent(&self) -> usize {
        0
    }
}

/// Hears what the user should be told.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// The state of one connection.
pub(super) struct Relay {
    pub(super) options: Options,
    pub(super) judge: Arc<dyn Judge>,
    /// The way to the client.
    pub(super) client: Outbox,
    pub(super) upstream: Box<dyn Upstream>,
    table: Mutex<Table>,
    tools: Mutex<Tools>,
    signer: Mutex<Signer>,
    /// Where calls are judged.
    pub(super) desk: Desk,
    notes: Notes,
    end: Sender<End>,
    ended: AtomicBool,
    deaf: AtomicBool,
    /// The server has answered something.
    answered: AtomicBool,
    /// Messages of the server that were dropped.
    dropped: AtomicUsize,
    started: Instant,
    /// When the server last said something, in milliseconds since the start.
    heard: AtomicU64,
}

/// A lock that a panic in another thread does not close: what it guards is changed in single steps.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Relay {
    pub(super) fn new(
        options: Options,
        judge: Arc<dyn Judge>,
        upstream: Box<dyn Upstream>,
        notes: Notes,
        end: Sender<End>,
    ) -> Result<Self, StartError> {
        let tools = Tools::new(&options.server, options.pins.clone(), options.pin)?;
        Ok(Self {
            options,
            judge,
            client: Outbox::default(),
            upstream,
            table: Mutex::new(Table::new(random().map_err(StartError::Random)?)),
            tools: Mutex::new(tools),
            signer: Mutex::new(Signer::new().map_err(StartError::Random)?),
            desk: Desk::default(),
            notes,
            end,
            ended: AtomicBool::new(false),
            deaf: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            dropped: AtomicUsize::new(0),
            started: Instant::now(),
            heard: AtomicU64::new(0),
        })
    }

    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    pub(super) fn tools(&self) -> MutexGuard<'_, Tools> {
        lock(&self.tools)
    }

    pub(super) fn signer(&self) -> MutexGuard<'_, Signer> {
        lock(&self.signer)
    }

    pub(super) fn note(&self, text: &str) {
        (self.notes)(text);
    }

    /// A message of the server was dropped. A server that floods does not fill the log.
    pub(super) fn dropped(&self, why: &str) {
        match self.dropped.fetch_add(1, Ordering::Relaxed) {
            0..DROPPED => self.note(why),
            DROPPED => self.note("more messages of the server were dropped; no more is said of that"),
            _ => {}
        }
    }

    /// A message goes to the client, soon: this does not wait for it.
    pub(super) fn to_client(&self, message: impl Into<Vec<u8>>) {
        let mut message: Vec<u8> = message.into();
        message.push(b'\n');
        if self.client.push(message, None).is_err() {
            self.end(End::ClientGone);
        }
    }

    /// A request is answered by an error, where it has an id.
    pub(super) fn refuse(&self, id: Option<&Id>, code: Code, message: &str) {
        match id {
            Some(id) => self.to_client(answer::error(id, code, message)),
            None => self.note(&format!("a message without an id was not passed on: {message}")),
        }
    }

    /// The connection ends; the first reason counts.
    pub(super) fn end(&self, end: End) {
        self.ended.store(true, Ordering::SeqCst);
        if matches!(end, End::ClientGone | End::Garbage(_)) {
            self.deaf.store(true, Ordering::SeqCst);
        }
        // Who waits for it may have gone already.
        let _ = self.end.send(end);
    }

    /// Whether nobody reads what goes to the client.
    pub(super) fn is_deaf(&self) -> bool {
        self.deaf.load(Ordering::SeqCst)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Every open request is answered by an error; then no more is said. A client that does not read is not waited for long.
    pub(super) fn fail_open(&self, message: &str) {
        self.client.cut();
        let open = self.table().drain();
        for id in open {
            self.to_client(answer::error(&id, Code::Closed, message));
        }
        self.client.close();
        self.client.drain(LAST_WORDS);
    }

    /// The server said something.
    pub(super) fn hear(&self) {
        self.heard.store(self.now_ms(), Ordering::Relaxed);
    }

    /// The server has answered a request: from now on it writes nothing but messages.
    pub(super) fn started(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_started(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// How long ago that was.
    pub(super) fn silent_for(&self) -> Duration {
        Duration::from_millis(self.now_ms().saturating_sub(self.heard.load(Ordering::Relaxed)))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

//! A server that is spoken to over Streamable HTTP: each message is a request, each answer a message or a stream of them.

use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use ureq::http::{Response, StatusCode, Uri};
use ureq::{Agent, Body as Answer};

use super::answer::{self, Code};
use super::events::Body;
use super::http_headers;
use super::pump::{self, Said};
use super::raw::Entries;
use super::relay::{End, Judge, Notes, Options, Relay, StartError, Upstream};
use super::scan::{Head, Id, Scanner};
use super::stdio::Finished;

/// So many requests may be under way at once.
const AT_ONCE: usize = 256;
/// How long a connection, and what needs no answer, may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the answers that are still to come may take once the client has no more to say.
const GRACE: Duration = Duration::from_secs(2);
/// So much is read of what a server says to explain itself.
const EXPLANATION: u64 = 1 << 20;
/// How long until the server is listened to again.
const AGAIN: Duration = Duration::from_secs(3);

const SESSION: &str = "Mcp-Session-Id";
const VERSION: &str = "MCP-Protocol-Version";

/// Stands between a client and the server at this address until the client has no more to say.
///
/// # Errors
///
/// When it cannot be started.
pub fn http(
    url: &str,
    headers: &[(String, String)],
    options: Options,
    judge: Arc<dyn Judge>,
    (input, output): (Box<dyn BufRead + Send>, Box<dyn Write + Send>),
    notes: Notes,
) -> Result<Finished, StartError> {
    let wrong = |why: &str| StartError::Address(url.to_owned(), why.to_owned());
    let uri: Uri = url.parse().map_err(|_| wrong("it is not a URL"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none() {
        return Err(wrong("write `https://…` or `http://…`"));
    }
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // A server elsewhere is another server, and is not given the headers.
        .max_redirects(0)
        .timeout_connect(Some(PATIENCE))
        .user_agent(concat!("tool-policy/", env!("CARGO_PKG_VERSION")));
    let link = Arc::new(Link {
        agent: config.build().into(),
        url: url.to_owned(),
        headers: headers.to_vec(),
        relay: OnceLock::new(),
        session: Mutex::default(),
        pieces: Mutex::default(),
        under_way: AtomicUsize::new(0),
    });
    let (end, ends) = channel();
    let upstream = Box::new(Way(Arc::clone(&link)));
    let relay = Arc::new(Relay::new(options, judge, upstream, notes, end)?);
    let _ = link.relay.set(Arc::downgrade(&relay));
    pump::watch(&relay, input, output)?;
    let end = pump::wait(&relay, &ends, GRACE);
    link.leave();
    relay.fail_open("the connection was closed before the server answered");
    Ok(Finished { end, server: None })
}

/// What the server said when the connection was made.
#[derive(Clone, Default)]
struct Session {
    id: Option<String>,
    version: Option<String>,
    listening: bool,
}

/// The way to the server.
struct Link {
    agent: Agent,
    url: String,
    headers: Vec<(String, String)>,
    relay: OnceLock<Weak<Relay>>,
    session: Mutex<Session>,
    pieces: Mutex<Vec<u8>>,
    under_way: AtomicUsize,
}

struct Way(Arc<Link>);

impl Upstream for Way {
    fn send(&self, message: &str, _id: Option<&Id>) -> io::Result<()> {
        let head = Scanner::whole(message.as_bytes()).map_err(io::Error::other)?;
        let link = Arc::clone(&self.0);
        let (Some(id), Some(_)) = (&head.id, &head.method) else {
            link.tell(message, &head);
            return Ok(());
        };
        if link.under_way.fetch_add(1, Ordering::SeqCst) >= AT_ONCE {
            link.under_way.fetch_sub(1, Ordering::SeqCst);
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let (id, head, message) = (id.clone(), head.clone(), message.to_owned());
        let asking = Arc::clone(&link);
        let started = pump::start("request", move || {
            asking.ask(&message, &id, head.method.as_deref());
            asking.under_way.fetch_sub(1, Ordering::SeqCst);
        });
        if started.is_err() {
            link.under_way.fetch_sub(1, Ordering::SeqCst);
        }
        started
    }

    fn piece(&self, bytes: &[u8]) -> io::Result<()> {
        let mut pieces = self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let limit = self.0.relay().map_or(0, |relay| relay.options.limit);
        if pieces.len() + bytes.len() > limit.saturating_mul(4) {
            pieces.clear();
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        pieces.extend_from_slice(bytes);
        Ok(())
    }

    fn last_piece(&self, bytes: &[u8], id: Option<&Id>) -> io::Result<()> {
        self.piece(bytes)?;
        let message = std::mem::take(&mut *self.0.pieces.lock().unwrap_or_else(PoisonError::into_inner));
        match std::str::from_utf8(&message) {
            Ok(message) => self.send(message.trim_end(), id),
            Err(_) => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn close(&self) {
        // It ends when what is under way has.
        let link = Arc::clone(&self.0);
        let _ = pump::start("end", move || {
            while link.under_way.load(Ordering::SeqCst) > 0 {
                thread::sleep(Duration::from_millis(20));
            }
            if let Some(relay) = link.relay() {
                relay.end(End::ServerEnded);
            }
        });
    }
}

impl Link {
    fn relay(&self) -> Option<Arc<Relay>> {
        self.relay.get()?.upgrade()
    }

    fn session(&self) -> Session {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn post(&self, message: &str, timeout: Option<Duration>) -> Result<Response<Answer>, ureq::Error> {
        let mut request = self.agent.post(&self.url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request = request
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream");
        let known = |name: &str| self.relay().and_then(|relay| relay.tools().get(name).cloned());
        let session = self.session();
        let of_session = || {
            let id = session.id.map(|id| (SESSION.to_owned(), id));
            id.into_iter().chain(session.version.map(|version| (VERSION.to_owned(), version))).collect()
        };
        for (name, value) in http_headers::of(message, known).unwrap_or_else(of_session) {
            request = request.header(name, value);
        }
        request.config().timeout_global(timeout).build().send(message)
    }

    /// A message without an answer.
    fn tell(self: &Arc<Self>, message: &str, head: &Head) {
        let said = self.post(message, Some(PATIENCE));
        let Some(relay) = self.relay() else { return };
        match said {
            Ok(answer) if answer.status().is_success() => {
                if head.method.as_deref() == Some("notifications/initialized") {
                    self.listen();
                }
            }
            // Without a handshake there is no such message over HTTP.
            Ok(_) if head.method.as_deref() == Some("notifications/cancelled") => {}
            Ok(answer) => relay.note(&format!("the server did not take a message: {}", answer.status())),
            Err(e) => relay.note(&format!("the server did not take a message: {e}")),
        }
    }

    /// A request, and what comes back.
    fn ask(&self, message: &str, id: &Id, method: Option<&str>) {
        let is_first = method == Some("initialize");
        if is_first {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Session::default();
        }
        let said = self.post(message, None);
        let Some(relay) = self.relay() else { return };
        match said {
            Ok(answer) if answer.status().is_success() => {
                if is_first {
                    let given = answer.headers().get(SESSION).and_then(|value| value.to_str().ok());
                    self.session.lock().unwrap_or_else(PoisonError::into_inner).id = given.map(str::to_owned);
                }
                self.read(&relay, answer, Some(id), is_first);
                fail(&relay, id, Code::Closed, "the server's answer ended before it was one");
            }
            Ok(answer) => refused(&relay, answer, id),
            Err(e) => fail(&relay, id, Code::Closed, &format!("the server cannot be reached: {e}")),
        }
    }

    fn read(&self, relay: &Relay, answer: Response<Answer>, of: Option<&Id>, is_first: bool) {
        let kind =
            answer.headers().get("Content-Type").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let events = kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream");
        let body = BufReader::new(answer.into_body().into_reader());
        let lines = BufReader::with_capacity(64 * 1024, Body::new(body, events));
        pump::read_server(relay, lines, &mut |relay, said, text| match said {
            Said::Message(head) if is_first && head.id.as_ref() == of => {
                let result = serde_json::from_slice::<Value>(text).unwrap_or_default();
                let version =
                    result.get("result").and_then(|r| r.get("protocolVersion")).and_then(Value::as_str);
                self.session.lock().unwrap_or_else(PoisonError::into_inner).version =
                    version.map(str::to_owned);
            }
            Said::Message(_) => {}
            Said::Fault(_, fault) => {
                let why = format!("the server's answer is no message: {fault}");
                relay.note(&why);
                if let Some(id) = of {
                    fail(relay, id, Code::Closed, &why);
                }
            }
        });
    }

    /// Listens to what the server says unasked, in the era with a handshake, where it offers that.
    fn listen(self: &Arc<Self>) {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut session.listening, true) {
            return;
        }
        drop(session);
        let link = Arc::clone(self);
        let _ = pump::start("listen", move || {
            loop {
                let session = link.session();
                let mut request = link.agent.get(&link.url).header("Accept", "text/event-stream");
                for (name, value) in &link.headers {
                    request = request.header(name, value);
                }
                if let Some(id) = &session.id {
                    request = request.header(SESSION, id);
                }
                if let Some(version) = &session.version {
                    request = request.header(VERSION, version);
                }
                let said = request.call();
                let (Ok(answer), Some(relay)) = (said, link.relay()) else { return };
                if answer.status() != StatusCode::OK || relay.has_ended() {
                    return;
                }
                link.read(&relay, answer, None, false);
                drop(relay);
                thread::sleep(AGAIN);
                // Another connection has its own listener.
                if link.session().id != session.id {
                    return;
                }
            }
        });
    }

    /// Tells the server that its session is over.
    fn leave(&self) {
        let Some(id) = self.session().id else { return };
        let mut request = self.agent.delete(&self.url).header(SESSION, id);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        // It may not have such a thing.
        let _ = request.config().timeout_global(Some(GRACE)).build().call();
    }
}

/// An open request fails.
fn fail(relay: &Relay, id: &Id, code: Code, why: &str) {
    let open = relay.table().close(id).is_some();
    if open {
        relay.to_client(answer::error(id, code, why));
    }
}

/// A request that the server answered by a status: with the error that it gives, which clients go by, where there is one.
fn refused(relay: &Relay, answer: Response<Answer>, id: &Id) {
    let status = answer.status();
    let mut text = String::new();
    let read = answer.into_body().into_reader().take(EXPLANATION).read_to_string(&mut text);
    let error = read.ok().and_then(|_| {
        Scanner::whole(text.as_bytes()).ok()?;
        let error = Entries::read(text.trim())?.get("error")?.replace(['\n', '\r'], " ");
        error.starts_with('{').then_some(error)
    });
    let open = relay.table().close(id).is_some();
    match error {
        Some(error) if open => {
            relay.to_client(format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{error}}}", id.json()));
        }
        None if open => {
            relay.to_client(answer::error(
                id,
                Code::Closed,
                &format!("the server answered with the status {status}"),
            ));
        }
        Some(_) | None => {}
    }
}

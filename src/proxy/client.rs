//! What comes from the client: calls are judged, and only what was judged goes on; the rest passes.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::answer::{self, Code, Said};
use super::judging::{Judged, Ticket};
use super::raw::{Entries, items};
use super::relay::Relay;
use super::scan::{Fault, Head, Id, Scanner, alike, folded};
use super::table::{Open, Waiting};
use super::token::{Back, PREFIX};
use crate::call::{Call, McpTool, json};
use crate::diagnostic::visible;
use crate::verdict::{Answer, Cause, Reply, Verdict};

/// The method that is judged.
pub(super) const CALL: &str = "tools/call";
const LIST: &str = "tools/list";
const INITIALIZE: &str = "initialize";
const CANCELLED: &str = "notifications/cancelled";
/// What in the metadata of a request says that it is of the era without a handshake.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client can do, in the same place.
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The parameters of a call that say what it is.
const PARAMS: [&str; 6] = ["name", "arguments", "_meta", "task", "inputResponses", "requestState"];
/// A message with more values is not read: in memory each is many times as large as in a text.
pub(super) const VALUES: usize = 200_000;
/// A person has at least so long, and a policy's "for ever" is a day.
const LONGEST_WAIT: Duration = Duration::from_hours(24);

/// Whether the thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Flow {
    /// It does.
    On,
    /// Another thread has taken its place.
    Replaced,
}

/// A call as it was read.
struct Asked<'a> {
    /// The message as it came.
    line: &'a str,
    id: Option<&'a Id>,
    modern: bool,
    can_ask: bool,
    /// The call was made as a task: its caller expects no result of a call.
    is_task: bool,
    tool: String,
    state: Option<String>,
    responses: Option<Value>,
    call: Call,
}

impl Relay {
    /// A line that is no message.
    pub(super) fn client_fault(&self, head: &Head, fault: &Fault) {
        let code = match fault {
            Fault::Syntax(_) | Fault::Utf8 | Fault::Return | Fault::Depth => Code::Parse,
            Fault::Twice(_) | Fault::Alike(..) | Fault::Id | Fault::Method => Code::Invalid,
        };
        let id = head.id.as_ref().filter(|_| head.method.is_some()).unwrap_or(&Id::Null);
        self.to_client(answer::error(id, code, &format!("the message was not passed on: {fault}")));
    }

    /// A message that must be read and is too large for that.
    pub(super) fn client_too_large(&self, head: &Head) {
        let message =
            format!("the message is larger than {} bytes, and cannot be judged", self.options.limit);
        match (&head.id, &head.method) {
            (id, Some(_)) => self.refuse(id.as_ref(), Code::Invalid, &message),
            (_, None) => self.to_client(answer::error(&Id::Null, Code::Invalid, &message)),
        }
    }

    /// A message, whole.
    pub(super) fn take_client(&self, message: &[u8], head: &Head, ticket: &Ticket) -> Flow {
        // What was read byte by byte is UTF-8.
        let Ok(text) = std::str::from_utf8(message) else {
            self.client_fault(head, &Fault::Utf8);
            return Flow::On;
        };
        if head.values > VALUES && (head.is_batch || head.method.as_deref().is_some_and(is_read)) {
            let why = format!("the message has more than {VALUES} values");
            self.refuse(head.id.as_ref().or(head.is_batch.then_some(&Id::Null)), Code::Invalid, &why);
            return Flow::On;
        }
        if head.is_batch {
            return self.batch(text, ticket);
        }
        self.single(text, head, ticket)
    }

    /// The messages of a list, each by itself, so that none of them hides behind the others.
    fn batch(&self, text: &str, ticket: &Ticket) -> Flow {
        let messages = items(text).unwrap_or_default();
        if messages.is_empty() {
            self.to_client(answer::error(&Id::Null, Code::Invalid, "an empty list of messages"));
        }
        let mut flow = Flow::On;
        for message in messages {
            match (Scanner::whole(message.as_bytes()), flow) {
                (Ok(head), _) if head.is_batch => {
                    self.to_client(answer::error(
                        &Id::Null,
                        Code::Invalid,
                        "a list of messages within another",
                    ));
                }
                (Ok(head), Flow::On) => flow = self.single(message, &head, ticket),
                (Ok(head), Flow::Replaced) if head.method.is_some() => {
                    self.refuse(head.id.as_ref(), Code::Internal, "the message was not judged in time");
                }
                (Ok(_), Flow::Replaced) => {}
                (Err(fault), _) => self.client_fault(&Head::default(), &fault),
            }
        }
        flow
    }

    fn single(&self, text: &str, head: &Head, ticket: &Ticket) -> Flow {
        let Some(method) = head.method.as_deref() else {
            return self.response(text, head, ticket);
        };
        if method == CALL {
            return self.call(text, head, ticket);
        }
        if looks_like_call(method) {
            self.refuse(head.id.as_ref(), Code::Invalid, &format!("`{method}` can be taken for `{CALL}`"));
            return Flow::On;
        }
        match method {
            INITIALIZE => self.initialize(text, head),
            CANCELLED => self.cancelled(text, head),
            LIST => self.pass(text, head.id.as_ref(), Open::Tools { is_first: !has_cursor(text) }),
            _ => self.pass(text, head.id.as_ref(), open_of(method)),
        }
        Flow::On
    }

    /// Passes a request or notification on as it is.
    pub(super) fn pass(&self, text: &str, id: Option<&Id>, open: Open) {
        if let Some(id) = id.filter(|id| **id != Id::Null)
            && let Err(why) = self.opened(id, open)
        {
            self.to_client(answer::error(id, Code::Invalid, why));
            return;
        }
        self.send(text, id);
    }

    pub(super) fn opened(&self, id: &Id, open: Open) -> Result<(), &'static str> {
        let mut table = self.table();
        if table.len() == 0 {
            // The server owes nothing so far: its silence counts from now.
            self.hear();
        }
        table.open(id.clone(), open)
    }

    pub(super) fn send(&self, text: &str, id: Option<&Id>) {
        if self.upstream.send(text, id).is_err() {
            // Whoever takes the request out of the table answers it.
            let open = id.filter(|id| self.table().close(id).is_some());
            if let Some(id) = open {
                self.to_client(answer::error(id, Code::Closed, "the server takes no more messages"));
            }
        }
    }

    fn initialize(&self, text: &str, head: &Head) {
        let read = json::read(text);
        let Ok(message) = read else {
            self.refuse(head.id.as_ref(), Code::Params, "`initialize` cannot be read");
            return;
        };
        let capabilities = message.get("params").and_then(|params| params.get("capabilities"));
        self.table().can_ask = can_ask(capabilities);
        self.pass(text, head.id.as_ref(), Open::Other);
    }

    fn cancelled(&self, text: &str, head: &Head) {
        let id = Entries::read(text)
            .and_then(|message| Entries::read(message.get("params")?)?.get("requestId").map(str::to_owned))
            .and_then(|raw| Scanner::whole(format!("{{\"id\":{raw}}}").as_bytes()).ok()?.id);
        if let Some(id) = &id {
            let mut table = self.table();
            if table.is_own(id) {
                // The server knows nothing of it, and must not.
                return;
            }
            if let Some((own, _)) = table.release(id) {
                drop(table);
                self.to_client(answer::withdrawn(&own, "the call was cancelled"));
                return;
            }
            table.close(id);
            drop(table);
            self.upstream.cancel(id);
        }
        self.pass(text, head.id.as_ref(), Open::Other);
    }

    fn call(&self, text: &str, head: &Head, ticket: &Ticket) -> Flow {
        let asked = match self.read_call(text, head).and_then(|asked| self.plain(asked)) {
            Ok(asked) => asked,
            Err((code, message)) => {
                match &head.id {
                    Some(id) => self.to_client(answer::error(id, code, &message)),
                    None => self.note(&format!("a call without an id was not passed on: {message}")),
                }
                return Flow::On;
            }
        };
        let refusal = self.tools().refusal(&asked.tool);
        if let Some(why) = refusal {
            self.deny(&asked, &format!("Denied by policy: {why}"));
            return Flow::On;
        }
        match self.judged(&asked.call, asked.id, asked.modern, ticket, true) {
            Judged::Late => Flow::Replaced,
            Judged::Verdict { verdict, approved } => {
                self.do_as_judged(&asked, *verdict, approved);
                Flow::On
            }
        }
    }

    fn do_as_judged(&self, asked: &Asked<'_>, verdict: Verdict, approved: bool) {
        match verdict.verdict {
            Answer::Deny => self.deny(asked, &answer::denied(&verdict)),
            Answer::Allow => self.forward(asked, &verdict, None),
            Answer::Ask if approved => self.forward(asked, &verdict, Some(asked.call.digest())),
            Answer::Ask => self.ask(asked, verdict),
        }
    }

    fn deny(&self, asked: &Asked<'_>, text: &str) {
        match asked.id {
            None => self.note(&format!("a call of `{}` without an id was not passed on: {text}", asked.tool)),
            // Who makes a task of a call reads no result of a call.
            Some(id) if asked.is_task => self.to_client(answer::error(id, Code::Closed, text)),
            Some(id) => self.to_client(answer::denial(id, text, asked.modern)),
        }
    }

    /// The call goes to the server, as it came but for what was changed.
    fn forward(&self, asked: &Asked<'_>, verdict: &Verdict, approved: Option<String>) {
        let (line, open) = changed(asked, verdict, approved);
        match line {
            Some(line) => self.pass(&line, asked.id, open),
            None => self.deny(asked, "Denied by policy: the changed call cannot be written"),
        }
    }

    fn ask(&self, asked: &Asked<'_>, verdict: Verdict) {
        let now = Instant::now();
        let digest = asked.call.digest();
        if let Some(state) = &asked.state {
            if state.starts_with(PREFIX) {
                let back = self.signer().redeem(state, &bound(&digest, &verdict), now);
                let response = asked.responses.as_ref().and_then(|all| all.get(answer::APPROVE));
                match (back, answer::said(response)) {
                    (Back::Good, Said::Yes) => return self.forward(asked, &verdict, Some(digest)),
                    (Back::Good, Said::No) => {
                        return self.deny(asked, &answer::denied(&verdict.answered(Reply::No)));
                    }
                    (Back::Good, Said::Nothing) => {
                        return self.deny(asked, &self.unapproved(&asked.call, &verdict));
                    }
                    (Back::Late, _) => {
                        return self.deny(asked, &answer::denied(&verdict.answered(Reply::Timeout)));
                    }
                    // Not ours, or of another call: the question is put anew.
                    (Back::Bad, _) => {}
                }
            } else if self.table().is_continued(&digest, state, now) {
                return self.forward(asked, &verdict, Some(digest));
            }
        }
        let Some(id) = asked.id.filter(|_| asked.can_ask && !asked.is_task) else {
            return self.deny(asked, &self.unapproved(&asked.call, &verdict));
        };
        let question = answer::asked(&verdict, &asked.call.shown());
        let wait = Duration::from_secs(verdict.timeout_s.unwrap_or(30)).min(LONGEST_WAIT);
        if asked.modern {
            let state = self.signer().issue(&bound(&digest, &verdict), now, wait);
            match state {
                Ok(state) => self.to_client(answer::input_required(id, &question, &state)),
                Err(_) => self.deny(asked, &self.unapproved(&asked.call, &verdict)),
            }
            return;
        }
        let (line, open) = changed(asked, &verdict, Some(digest));
        let Some(line) = line else {
            return self.deny(asked, "Denied by policy: the changed call cannot be written");
        };
        let waiting = Waiting {
            id: id.clone(),
            line,
            open,
            verdict,
            call: asked.call.clone(),
            until: now + wait,
            tool: asked.tool.clone(),
        };
        let mut table = self.table();
        if table.is_taken(id) {
            drop(table);
            return self.to_client(answer::error(id, Code::Invalid, "a request with this id is still open"));
        }
        let placed = table.wait(waiting);
        drop(table);
        match placed {
            Ok(own) => self.to_client(answer::question(&own, &question)),
            Err(waiting) => self.deny(asked, &self.unapproved(&waiting.call, &waiting.verdict)),
        }
    }

    fn read_call<'a>(&self, text: &'a str, head: &'a Head) -> Result<Asked<'a>, (Code, String)> {
        let refused = |message: String| (Code::Params, message);
        if head.id == Some(Id::Null) {
            return Err((Code::Invalid, "a call needs an id".to_owned()));
        }
        if head.is_wide {
            return Err(refused(
                "a whole number in the call fits into no 64 bits, and readers differ in what they make of it"
                    .to_owned(),
            ));
        }
        let message =
            json::read(text).map_err(|e| (Code::Invalid, format!("the call cannot be read: {e}")))?;
        if has_key(&message, "__proto__") {
            return Err(refused(
                "the key `__proto__` changes what other keys mean to some readers".to_owned(),
            ));
        }
        let Value::Object(mut message) = message else {
            return Err((Code::Invalid, "the call is not an object".to_owned()));
        };
        let Some(Value::Object(mut params)) = message.shift_remove("params") else {
            return Err(refused("a call needs `params`".to_owned()));
        };
        for key in params.keys() {
            if let Some(known) = alike(key, &PARAMS) {
                return Err(refused(format!("the key `{key}` can be taken for `{known}`")));
            }
        }
        let Some(Value::String(tool)) = params.shift_remove("name") else {
            return Err(refused("a call needs `name`, a string".to_owned()));
        };
        let args = match params.shift_remove("arguments") {
            Some(Value::Object(args)) => args,
            None | Some(Value::Null) => Map::new(),
            Some(_) => return Err(refused("`arguments` must be an object".to_owned())),
        };
        let meta = params.get("_meta");
        let modern = meta.and_then(|meta| meta.get(VERSION)).is_some();
        let able =
            if modern { can_ask(meta.and_then(|meta| meta.get(CAPABILITIES))) } else { self.table().can_ask };
        let tools = self.tools();
        if let Some(why) = tools.mistakable(&tool, &args) {
            return Err(refused(why));
        }
        let hints = tools.get(&tool).map(|known| known.hints).unwrap_or_default();
        drop(tools);
        let call = Call { args, hints, ..self.call_of(&tool) };
        Ok(Asked {
            line: text,
            id: head.id.as_ref(),
            modern,
            can_ask: able,
            is_task: params.get("task").is_some_and(|task| !task.is_null()),
            tool,
            state: match params.shift_remove("requestState") {
                Some(Value::String(state)) => Some(state),
                _ => None,
            },
            responses: params.shift_remove("inputResponses"),
            call,
        })
    }

    /// The call, where its name can be taken for no other's.
    fn plain<'a>(&self, asked: Asked<'a>) -> Result<Asked<'a>, (Code, String)> {
        let tools = self.tools();
        if tools.get(&asked.tool).is_some() {
            return Ok(asked);
        }
        let refused = |why: String| {
            Err((Code::Params, format!("the name of the tool `{}` {why}", visible(&asked.tool))))
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if asked.tool.is_empty() || asked.tool.len() > 128 || !asked.tool.chars().all(is_name) {
            return refused(
                "is none that the server lists, nor one of at most 128 letters, digits, `_`, `.` and `-`"
                    .to_owned(),
            );
        }
        if let Some(other) = tools.alike(&asked.tool) {
            return refused(format!("can be taken for `{}`", visible(other)));
        }
        drop(tools);
        let lower = folded(&asked.tool);
        if lower != asked.tool && self.judge.never(&self.call_of(&lower)) {
            return refused(format!("can be taken for `{lower}`, which the policy denies"));
        }
        Ok(asked)
    }

    /// A call of a tool of this server, without arguments.
    pub(super) fn call_of(&self, tool: &str) -> Call {
        let options = &self.options;
        Call {
            mcp: Some(McpTool { server: options.server.clone(), tool: tool.to_owned() }),
            host: options.host.clone(),
            cwd: options.cwd.clone(),
            workspace: options.workspace.clone(),
            ..Call::new(format!("{}__{tool}", options.server))
        }
    }
}

/// The line that goes to the server, and what is open then. `None` when it cannot be written.
fn changed(asked: &Asked<'_>, verdict: &Verdict, approved: Option<String>) -> (Option<String>, Open) {
    let own_state = asked.state.as_ref().is_some_and(|state| state.starts_with(PREFIX));
    let note = verdict.model_note.clone().filter(|_| verdict.updated_args.is_some());
    let open = if note.is_some() || (asked.modern && approved.is_some()) {
        Open::Call { approved: approved.filter(|_| asked.modern), note }
    } else {
        Open::Other
    };
    if !own_state && verdict.updated_args.is_none() {
        return (Some(asked.line.to_owned()), open);
    }
    let line = || {
        let mut message = Entries::read(asked.line)?;
        let mut params = Entries::read(message.get("params")?)?;
        if own_state {
            params.remove("requestState");
            params.remove("inputResponses");
        }
        if let Some(args) = &verdict.updated_args {
            params.set("arguments", serde_json::to_string(args).ok()?);
        }
        let params = params.text();
        message.set("params", params);
        Some(message.text())
    };
    (line(), open)
}

/// Whether a list is asked for from a page on. In doubt it is.
fn has_cursor(text: &str) -> bool {
    let Some(message) = Entries::read(text) else { return true };
    match message.get("params").map(Entries::read) {
        Some(Some(params)) => params.get("cursor").is_some_and(|cursor| cursor != "null"),
        Some(None) => true,
        None => false,
    }
}

/// Whether a key stands anywhere. What was read nests no deeper than its reader goes.
fn has_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(map) => map.contains_key(key) || map.values().any(|value| has_key(value, key)),
        Value::Array(items) => items.iter().any(|value| has_key(value, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// What a state is bound to: the call, and the policy that asks about it.
fn bound(digest: &str, verdict: &Verdict) -> String {
    let rule = verdict.decided_by.as_ref().map_or("", |by| by.rule.as_str());
    format!("{digest} {} {rule}", verdict.policy)
}

/// Whether a client with these capabilities can put a question with a choice. An empty object is that, as it was before there were others.
fn can_ask(capabilities: Option<&Value>) -> bool {
    match capabilities.and_then(|all| all.get("elicitation")) {
        Some(Value::Object(ways)) => ways.contains_key("form") || !ways.contains_key("url"),
        _ => false,
    }
}

/// Whether messages with this method are read, and must be here as a whole.
pub(super) fn is_read(method: &str) -> bool {
    matches!(method, CALL | INITIALIZE | CANCELLED) || looks_like_call(method)
}

/// What is open once a request with this method is with the server.
pub(super) fn open_of(method: &str) -> Open {
    match method {
        // One so long that it was not read may start anywhere.
        LIST => Open::Tools { is_first: false },
        "subscriptions/listen" | "tasks/result" => Open::Stream,
        _ => Open::Other,
    }
}

/// Whether a careless server could take the method for a call.
fn looks_like_call(method: &str) -> bool {
    let plain: String = folded(method).chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    plain == CALL
}

impl Verdict {
    /// The denial of a call whose judging failed.
    pub(super) fn not_judged(message: &str) -> Self {
        Self { cause: Cause::Error, ..Self::error(message) }
    }
}

//! What comes from the server: lists of tools are read, and what the client waits for is looked up; the rest passes.

use std::time::Instant;

use serde_json::Value;

use super::answer::{self, Code};
use super::client::VALUES;
use super::raw::{Entries, items};
use super::relay::{End, Relay};
use super::scan::{Fault, Head, Scanner, alike};
use super::table::Open;
use super::tools::Page;
use crate::call::json;
use crate::diagnostic::visible;

impl Relay {
    /// A line that is no message. Whose answer it was meant to be, nobody can tell.
    pub(super) fn server_fault(&self, head: &Head, fault: &Fault, line: &[u8]) {
        let shown: String = String::from_utf8_lossy(line).chars().take(200).collect();
        self.note(&format!("the server wrote something that is no message ({fault}): {}", visible(&shown)));
        let owed = self.table().len() > 0;
        let starts_otherwise =
            line.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|b| *b != b'{' && *b != b'[');
        let of = head.id.as_ref().filter(|_| head.method.is_none());
        let of = of.filter(|id| self.table().close(id).is_some());
        if let Some(id) = of {
            // Whose it was can be told.
            self.to_client(answer::error(
                id,
                Code::Closed,
                &format!("the server's answer is no message: {fault}"),
            ));
            if *fault == Fault::Depth {
                return;
            }
        }
        let is_greeting = starts_otherwise && !self.has_started();
        if owed && !self.options.stray_output && !is_greeting {
            self.end(End::Garbage(fault.to_string()));
        }
    }

    /// A message that must be read and is too large for that.
    pub(super) fn server_too_large(&self, head: &Head) {
        let message = format!("the server's message is larger than {} bytes", self.options.limit);
        self.note(&message);
        if head.is_batch {
            return self.end(End::Garbage(message));
        }
        let of = head.id.as_ref().filter(|_| head.method.is_none());
        let of = of.filter(|id| self.table().close(id).is_some());
        if let Some(id) = of {
            self.to_client(answer::error(id, Code::Closed, &message));
        }
    }

    /// A message, whole.
    pub(super) fn take_server(&self, mut message: Vec<u8>, head: &Head) {
        self.hear();
        if head.is_batch && head.values > VALUES {
            // Whose answers are in it, nobody can tell.
            return self.end(End::Garbage(format!("a list of messages with more than {VALUES} values")));
        }
        if head.is_batch {
            let text = String::from_utf8_lossy(&message).into_owned();
            for item in items(&text).unwrap_or_default() {
                match Scanner::whole(item.as_bytes()) {
                    Ok(head) if !head.is_batch => self.single_from_server(item.as_bytes().to_vec(), &head),
                    Ok(_) => self.server_fault(
                        &Head::default(),
                        &Fault::Syntax("a list within a list"),
                        item.as_bytes(),
                    ),
                    Err(fault) => self.server_fault(&Head::default(), &fault, item.as_bytes()),
                }
            }
            return;
        }
        if message.last() == Some(&b'\r') {
            message.pop();
        }
        self.single_from_server(message, head);
    }

    fn single_from_server(&self, message: Vec<u8>, head: &Head) {
        if head.method.is_some() {
            if let Some(id) = &head.id {
                let mut table = self.table();
                if table.is_own(id) {
                    drop(table);
                    self.dropped(
                        "the server asked something under an id of a question to a person; that was dropped",
                    );
                    return;
                }
                table.server_asks(Instant::now());
            }
            self.to_client(message);
            return;
        }
        let Some(id) = &head.id else {
            self.dropped(
                "the server sent something that is neither a request nor an answer; that was dropped",
            );
            return;
        };
        let mut table = self.table();
        if table.waits(id) || table.is_own(id) {
            drop(table);
            self.dropped("the server answered a call that it has not been sent; the answer was dropped");
            return;
        }
        let open = table.close(id);
        drop(table);
        // Some clients take `"2"` for `2`, and would take it for the answer of another request.
        let Some(open) = open else {
            let said = String::from_utf8_lossy(message.get(..message.len().min(200)).unwrap_or_default());
            self.dropped(&format!(
                "the server answered a request that is not open; that was dropped: {}",
                visible(&said)
            ));
            return;
        };
        self.started();
        if open.is_read() && head.values > VALUES {
            let why = format!("the server's answer was not passed on: it has more than {VALUES} values");
            self.note(&why);
            self.to_client(answer::error(id, Code::Closed, &why));
            return;
        }
        match open {
            Open::Tools { is_first } => match self.listed(&message, is_first) {
                Ok(Some(changed)) => self.to_client(changed),
                Ok(None) => self.to_client(message),
                Err(why) => {
                    let why = format!("the server's list of tools was not passed on: {why}");
                    self.note(&why);
                    self.to_client(answer::error(id, Code::Closed, &why));
                }
            },
            Open::Call { approved, note } => {
                let noted = self.answered_call(&message, approved, note);
                self.to_client(noted.unwrap_or(message));
            }
            Open::Other | Open::Stream => self.to_client(message),
        }
    }

    /// Reads a list of tools; gives it without those that are hidden, where there are such.
    fn listed(&self, message: &[u8], is_first: bool) -> Result<Option<Vec<u8>>, String> {
        let text = std::str::from_utf8(message).map_err(|_| "it is not UTF-8".to_owned())?;
        let unreadable = || "it cannot be read".to_owned();
        let mut entries = Entries::read(text).ok_or_else(unreadable)?;
        let Some(raw) = entries.get("result") else { return Ok(None) };
        let result = json::read(raw).map_err(|e| e.to_string())?;
        let Some(result) = result.as_object() else { return Ok(None) };
        if let Some(key) = result.keys().find(|key| alike(key, &["tools", "nextCursor"]).is_some()) {
            return Err(format!("the key `{key}` can be taken for another"));
        }
        let Some(tools) = result.get("tools") else { return Ok(None) };
        let tools = tools.as_array().ok_or_else(|| "`tools` is not a list".to_owned())?;
        let is_last = result.get("nextCursor").is_none_or(Value::is_null);
        let learnt = self.tools().learn(tools, Page { is_first, is_last })?;
        for note in learnt.notes {
            self.note(&visible(&note));
        }
        if !self.options.hide_denied {
            return Ok(None);
        }
        let never = |tool: &Value| {
            tool.get("name").and_then(Value::as_str).is_some_and(|name| self.judge.never(&self.call_of(name)))
        };
        if !tools.iter().any(never) {
            return Ok(None);
        }
        let mut inner = Entries::read(raw).ok_or_else(unreadable)?;
        let written = items(inner.get("tools").ok_or_else(unreadable)?).ok_or_else(unreadable)?;
        let kept: Vec<&str> =
            written.into_iter().zip(tools).filter(|(_, tool)| !never(tool)).map(|(text, _)| text).collect();
        let kept = format!("[{}]", kept.join(","));
        inner.set("tools", kept);
        let inner = inner.text();
        entries.set("result", inner);
        Ok(Some(entries.text().into_bytes()))
    }

    /// Looks at the answer to a call that was approved or changed; gives it with the note to the model, where there is one.
    fn answered_call(
        &self,
        message: &[u8],
        approved: Option<String>,
        note: Option<String>,
    ) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(message).ok()?;
        let mut entries = Entries::read(text)?;
        let mut result = Entries::read(entries.get("result")?)?;
        let kind = result.get("resultType").and_then(|raw| serde_json::from_str::<String>(raw).ok());
        if kind.as_deref() == Some("input_required") {
            let state = result.get("requestState").and_then(|raw| serde_json::from_str::<String>(raw).ok());
            if let (Some(call), Some(state)) = (approved, state) {
                self.table().continues(call, state, Instant::now());
            }
            return None;
        }
        let note = serde_json::json!({"type": "text", "text": note?}).to_string();
        let mut content = items(result.get("content")?)?;
        content.push(&note);
        let content = format!("[{}]", content.join(","));
        result.set("content", content);
        let result = result.text();
        entries.set("result", result);
        Some(entries.text().into_bytes())
    }
}

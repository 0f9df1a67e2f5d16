//! From the verdict to what is said to the host: who asks the person, and what the model is told.

use std::fmt::Write as _;
use std::path::Path;

use crate::call::{Call, McpTool};
use crate::cli::args::{AllowAs, AskBy, HookArgs};
use crate::cli::point::{Judged, NoPolicy, Point};
use crate::diagnostic::visible;
use crate::facts::catalogue::mcp_readings;
use crate::grant::{Key, State, Waiting};
use crate::host::{Abilities, Asks, Decision, Event, Host, Moment, needs_approval};
use crate::verdict::{Answer, Reply, RuleRef, Verdict};

/// How much of a question or a reason is said; some hosts pass over what is longer than theirs.
const LONGEST: usize = 3000;

/// What to say to the host about this event.
pub(super) fn decide(args: &HookArgs, point: &Point, host: &dyn Host, event: &mut Event) -> Decision {
    let abilities = host.abilities(event);
    let verdict = match point.judge(&mut event.call) {
        Judged::By(verdict) => *verdict,
        Judged::NoPolicy => match args.no_policy(abilities) {
            NoPolicy::Pass => return Decision::Pass,
            NoPolicy::Deny => return Decision::deny(format!("Denied: {}.", point.no_policy())),
            NoPolicy::Ask => {
                let mut verdict = Verdict::error(point.no_policy());
                verdict.verdict = Answer::Ask;
                verdict.question = Some(format!("Run {}?", event.call.shown()));
                verdict
            }
        },
    };
    match verdict.verdict {
        Answer::Allow => allowed(args.allow == AllowAs::Grant, point, abilities, &event.call, verdict),
        Answer::Deny => denied(args, point, abilities, &verdict),
        Answer::Ask => asked(args, point, abilities, event, verdict),
    }
}

impl HookArgs {
    /// What is answered without a policy.
    fn no_policy(&self, abilities: Abilities) -> NoPolicy {
        self.point.no_policy.unwrap_or(match abilities.asks {
            Asks::No => NoPolicy::Deny,
            Asks::Yes | Asks::AtTerminal | Asks::Later => NoPolicy::Ask,
        })
    }
}

/// `grant`: without a question of the host's own.
fn allowed(grant: bool, point: &Point, abilities: Abilities, call: &Call, verdict: Verdict) -> Decision {
    let by = rule(verdict.decided_by.as_deref());
    match verdict.updated_args {
        Some(args) if args != call.args => {
            if abilities.changes {
                return Decision::Change { args, by, note: verdict.model_note.map(|note| shortened(&note)) };
            }
            let args = serde_json::Value::Object(args);
            let place = place(point, verdict.decided_by.as_deref());
            Decision::deny(shortened(&format!("Allowed by policy {place} only with these arguments: {args}")))
        }
        _ if grant => Decision::Allow { by },
        _ => Decision::Pass,
    }
}

fn denied(args: &HookArgs, point: &Point, abilities: Abilities, verdict: &Verdict) -> Decision {
    let by = verdict.decided_by.as_deref().or(verdict.not_ruled_out.as_deref());
    let reason = verdict.reason.as_deref().unwrap_or("no reason was given");
    let mut why = match by {
        Some(by) => format!("Denied by policy {}: {reason}", place(point, Some(by))),
        None => format!("Denied by policy: {reason}"),
    };
    if verdict.stop && !abilities.stops {
        why.push_str(" Stop here and wait for the user's next message.");
    }
    let stop = verdict.stop.then(|| format!("Stopped by policy {}", rule(by)));
    Decision::Deny { why: shortened(&why), stop, softly: args.soft_deny }
}

fn asked(args: &HookArgs, point: &Point, abilities: Abilities, event: &Event, verdict: Verdict) -> Decision {
    let by = rule(verdict.decided_by.as_deref());
    let key = point.key(&event.call);
    let state = State::of_user();
    let for_proxy = |state: &State| {
        for key in keys_for_proxy(point, &event.call) {
            // Where it cannot be noted, the proxy asks once more.
            let _ = state.pass_on(&key);
        }
    };
    let mut trouble = None;
    if abilities.asks != Asks::Later {
        match state.as_ref().map(|state| (state, state.take(&key))) {
            Ok((state, Ok(true))) => {
                let _ = state.pass_on(&key);
                for_proxy(state);
                return allowed(true, point, abilities, &event.call, verdict.answered(Reply::Yes));
            }
            // The host is about to ask by itself about a call that this hook has let through before: an approval holds for one call, not for
            // one event of it.
            Ok((state, Ok(false))) if event.moment == Moment::Permission && passed_on(state, &key) => {
                for_proxy(state);
                return Decision::Pass;
            }
            Ok((_, Ok(false))) => {}
            Ok((_, Err(error))) => trouble = Some(error.to_string()),
            Err(error) => trouble = Some(error.to_string()),
        }
    }
    let question = question(&event.call, &verdict);
    // A question about changed arguments goes through no host: what the person sees there may be the old ones.
    let changes = verdict.updated_args.as_ref().is_some_and(|args| *args != event.call.args);
    let by_host = match abilities.asks {
        Asks::Yes => true,
        Asks::AtTerminal => at_terminal(),
        Asks::Later => return Decision::Pass,
        Asks::No => false,
    };
    if by_host && !changes && args.ask == AskBy::Host {
        if let Ok(state) = &state {
            for_proxy(state);
        }
        return Decision::Ask { by, question };
    }
    let waits = match (&state, trouble) {
        (Ok(state), None) => {
            let name = verdict.decided_by.as_deref().map(|by| by.rule.as_str());
            let waiting = Waiting::new(&key, &event.call, question.as_str(), name);
            state.wait_for(&waiting).map(|()| waiting.id).map_err(|error| error.to_string())
        }
        (_, Some(trouble)) => Err(trouble),
        (Err(error), None) => Err(error.to_string()),
    };
    let needed = needs_approval(&by, &question);
    Decision::Hold {
        why: match waits {
            Ok(id) => format!(
                "{needed} Ask the user to run `policy approve {id}`, and then make exactly this call again."
            ),
            Err(error) => {
                format!("{needed} It cannot be approved from here: {error}")
            }
        },
    }
}

/// How many servers and tools a name may stand for.
const READINGS: usize = 8;

/// The call as a proxy in front of its server sees it. Where the name does not tell the server, as each that it may stand for: the others
/// are calls that nobody makes.
fn keys_for_proxy(point: &Point, call: &Call) -> Vec<Key> {
    if call.mcp.is_some() {
        return vec![point.key(call)];
    }
    let host = call.host.as_deref().unwrap_or_default();
    let readings = mcp_readings(host, &call.tool).take(READINGS);
    let as_read = readings.map(|name| Call {
        mcp: Some(McpTool { server: name.server.to_owned(), tool: name.tool.to_owned() }),
        ..call.clone()
    });
    as_read.map(|call| point.key(&call)).collect()
}

/// Whether it was noted that this call was let through.
fn passed_on(state: &State, key: &Key) -> bool {
    state.take_passed_on(key).unwrap_or(false)
}

/// What the person is asked.
fn question(call: &Call, verdict: &Verdict) -> String {
    let mut text = verdict.question.clone().unwrap_or_else(|| format!("Run {}?", call.shown()));
    if let Some(reason) = &verdict.reason {
        let _ = write!(text, " ({reason})");
    }
    shortened(&visible(&text))
}

/// `rule no-rm`.
fn rule(by: Option<&RuleRef>) -> String {
    by.map_or_else(|| "no rule".to_owned(), |by| format!("rule {}", by.rule))
}

/// `rule no-rm (policy.toml:12)`.
fn place(point: &Point, by: Option<&RuleRef>) -> String {
    let mut text = rule(by);
    let Some(by) = by else { return text };
    if let Some(file) = &by.file {
        let short = Path::new(file).strip_prefix(point.workspace()).ok().and_then(Path::to_str);
        let _ = write!(text, " ({}", short.unwrap_or(file));
        // The protection has a file, and nobody to look it up.
        if let Some(line) = by.line.filter(|_| Path::new(file).is_absolute()) {
            let _ = write!(text, ":{line}");
        }
        text.push(')');
    }
    text
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Whether a person may sit at a terminal that this process belongs to.
fn at_terminal() -> bool {
    cfg!(unix) && std::fs::File::open("/dev/tty").is_ok()
}

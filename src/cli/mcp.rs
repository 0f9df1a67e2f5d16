//! `policy mcp`: between a client and an MCP server.

mod rules;

use std::ffi::OsStr;
use std::io::{self, BufReader, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::args::McpArgs;
use super::discover;
use super::output::{Done, Failure, Status};
use crate::call::sha256;
use crate::diagnostic::visible;
use crate::grant::State;
use crate::proxy::{self, End, Finished, Judge, Notes, Options, PinFile};

use rules::Rules;

/// What comes from the client is read in pieces of this size.
const PIECE: usize = 64 * 1024;

pub(super) fn run(args: &McpArgs) -> Done {
    let options = options(args)?;
    let judge: Arc<dyn Judge> = Arc::new(Rules::new(&args.point)?);
    let input = Box::new(BufReader::with_capacity(PIECE, io::stdin()));
    let output = output()?;
    let notes: Notes = Arc::new(say);
    #[cfg(feature = "http")]
    if let Some(url) = &args.url {
        let finished = proxy::http(url, &args.header, options, judge, (input, output), notes);
        return Ok(ended(&finished.map_err(|e| Failure::told(e.to_string()))?));
    }
    let finished = proxy::stdio(&args.command, options, judge, (input, output), notes);
    Ok(ended(&finished.map_err(|e| Failure::told(e.to_string()))?))
}

/// Standard output, without the lock of the program's own: whoever writes to a client that does not read must hold up nobody.
fn output() -> io::Result<Box<dyn io::Write + Send>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Box::new(std::fs::File::from(output)))
    }
    #[cfg(not(unix))]
    Ok(Box::new(io::stdout()))
}

fn options(args: &McpArgs) -> Result<Options, Failure> {
    let server = args.server.clone().unwrap_or_else(|| {
        let server = default_name(args);
        say(&format!("rules know this server as `{server}`; `--server NAME` names it"));
        server
    });
    if server.contains("__") || server.ends_with('_') {
        // `a__*` is meant for the server `a`, and would cover `a__b` and `a_` too.
        let mut other = server.clone();
        while other.contains("__") {
            other = other.replace("__", "_");
        }
        return Err(Failure::told(format!(
            "the name `{server}` can be taken for that of another server, as rules know its tools as `{server}__…`; write `--server {}`",
            other.trim_end_matches('_')
        )));
    }
    let mut named = server.clone();
    for word in &args.command {
        named.push('\0');
        named.push_str(&word.to_string_lossy());
    }
    #[cfg(feature = "http")]
    if let Some(url) = &args.url {
        named.push('\0');
        named.push_str(url);
    }
    let id: String = sha256(named.as_bytes()).chars().skip("sha256:".len()).take(32).collect();
    let pins = match State::of_user() {
        Ok(state) => Some(PinFile { state, id }),
        Err(e) if args.pin => return Err(Failure::told(format!("tools cannot be pinned: {e}"))),
        Err(_) => None,
    };
    Ok(Options {
        host: args.host.clone(),
        cwd: discover::current_folder()?.to_str().map(str::to_owned),
        pin: args.pin,
        hide_denied: args.hide_denied,
        deadline: Duration::from_secs_f64(args.deadline),
        silence: Duration::from_secs_f64(args.server_timeout),
        stray_output: args.stray_output,
        pins,
        ..Options::new(server)
    })
}

/// The name of the program, or of the host behind a URL.
fn default_name(args: &McpArgs) -> String {
    #[cfg(feature = "http")]
    if let Some(host) =
        args.url.as_ref().and_then(|url| url::Url::parse(url).ok()?.host_str().map(str::to_owned))
    {
        return host;
    }
    let program = args.command.first().and_then(|word| Path::new(word).file_stem());
    program.and_then(OsStr::to_str).unwrap_or("server").to_owned()
}

/// A line for the user, who reads it in the host's log.
fn say(text: &str) {
    // When nobody hears it, there is nobody to tell.
    let _ = writeln!(io::stderr(), "policy mcp: {text}");
}

fn ended(finished: &Finished) -> Status {
    match (&finished.end, finished.server) {
        (End::ClientClosed | End::ClientGone, _) => Status::Fine,
        (End::ServerEnded, Some(status)) if status.success() => Status::Fine,
        (End::ServerEnded, Some(status)) => {
            say(&format!("the server ended: {status}"));
            Status::Findings
        }
        (End::ServerEnded, None) => {
            say("the server closed its output");
            Status::Findings
        }
        (End::Garbage(why), _) => {
            say(&format!("the server wrote something that is no message: {}", visible(why)));
            Status::Findings
        }
        (End::Stalled(limit), _) => {
            say(&format!("the server has not read anything for {} seconds", limit.as_secs_f64()));
            Status::Findings
        }
        (End::Stopped(limit), _) => {
            say(&format!(
                "the server stopped in the middle of a message for {} seconds",
                limit.as_secs_f64()
            ));
            Status::Findings
        }
        (End::Silent(silence), _) => {
            say(&format!("the server has not said anything for {} seconds", silence.as_secs_f64()));
            Status::Findings
        }
    }
}

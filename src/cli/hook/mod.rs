//! `policy hook`: a host asks before a tool call, and gets an answer in the form that it obeys.
//!
//! Most hosts run the tool when a hook fails. So whatever fails here is an answer too, the host's own refusal: this command has its own way
//! to read its arguments, its own deadline, and catches its own panics.

mod decide;
mod here;

pub use here::answer_here;

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser as _;
use clap::error::ErrorKind;

use super::args::{Arguments, Command, HookArgs};
use super::output::{Done, Failure, stdin_is_terminal};
use super::point::{Point, told};
use crate::host::{self, Answer, Decision, Event, Host, Moment, Payload, refuse_anybody};

/// The longest payload that is read, in bytes.
const LONGEST: u64 = 16 << 20;
/// How long the arguments' mistakes wait for a payload that says who is calling.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the arguments are those of a hook, right or wrong.
pub(super) fn is_meant(arguments: &[OsString]) -> bool {
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("--color") => {
                rest.next();
            }
            Some(option) if option.starts_with('-') => {}
            other => return other == Some("hook"),
        }
    }
    false
}

/// A hook that was not seen as one, which cannot be.
pub(super) fn misplaced(_: &HookArgs) -> Done {
    Err(Failure::told("`hook` has to be the first argument"))
}

/// Who listens to the answer, as far as is known.
#[derive(Clone, Default)]
struct Listener {
    host: Option<&'static dyn Host>,
    payload: Option<Payload>,
}

impl Listener {
    fn refuse(&self, why: &str) -> Answer {
        let why = format!("policy: {why}, refusing (fail closed)");
        match self.host {
            Some(host) => host.refuse(self.payload.as_ref(), &why),
            None => refuse_anybody(&why),
        }
    }
}

/// Runs the hook. Whatever happens, the answer is one that the host obeys.
pub(super) fn run(arguments: &[OsString]) -> ! {
    let started = Instant::now();
    // What a panic says belongs into the refusal, and nothing else to standard error.
    panic::set_hook(Box::new(|_| {}));
    let (args, deadline) = match Arguments::try_parse_from(arguments) {
        Ok(Arguments { command: Command::Hook(args), .. }) => {
            let deadline = Duration::from_secs_f64(args.deadline);
            (Ok(args), deadline)
        }
        Ok(_) => (Err("wrong arguments".to_owned()), PATIENCE),
        Err(error) => {
            let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // A person asks for help; a host would take it for consent.
            if stdin_is_terminal() {
                error.exit();
            }
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let why = if help { "a hook has no help to give to a host" } else { first };
            (Err(format!("wrong arguments: {why}")), PATIENCE)
        }
    };
    let named = args.as_ref().map_or_else(|_| named_in(arguments), |args| host::by_name(&args.host));
    let shared = Arc::new(Shared {
        listener: Mutex::new(Listener { host: named, payload: None }),
        answered: AtomicBool::new(false),
    });
    let watch = Arc::clone(&shared);
    let watched = thread::Builder::new().stack_size(256 << 10).spawn(move || {
        thread::sleep(deadline.saturating_sub(started.elapsed()));
        watch.end(&watch.known().refuse(&format!("no verdict within {} seconds", deadline.as_secs_f64())));
    });
    let answer = match watched {
        Ok(_) => panic::catch_unwind(AssertUnwindSafe(|| answer(args, named, &shared))),
        Err(_) => Ok(shared.known().refuse("no thread can be started")),
    };
    shared.end(&answer.unwrap_or_else(|_| shared.known().refuse("internal error")))
}

/// What the work and the watch over its time share.
struct Shared {
    listener: Mutex<Listener>,
    answered: AtomicBool,
}

impl Shared {
    fn known(&self) -> Listener {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prints the answer and ends the process. Of two that end it at once the second waits for the first.
    fn end(&self, answer: &Answer) -> ! {
        if self.answered.swap(true, Ordering::SeqCst) {
            loop {
                thread::park();
            }
        }
        process::exit(say(answer))
    }
}

/// The host that stands among arguments which are otherwise wrong.
fn named_in(arguments: &[OsString]) -> Option<&'static dyn Host> {
    arguments.iter().skip(1).filter_map(|argument| argument.to_str()).find_map(host::by_name)
}

fn answer(args: Result<HookArgs, String>, named: Option<&'static dyn Host>, shared: &Shared) -> Answer {
    answer_to(args, named, payload(), None, &|listener| {
        *shared.listener.lock().unwrap_or_else(PoisonError::into_inner) = listener.clone();
    })
}

/// Answers to a payload. `here` is the folder that a host which asks in its own process would have started the hook in; `heard` is told who listens.
fn answer_to(
    args: Result<HookArgs, String>,
    named: Option<&'static dyn Host>,
    payload: Result<String, String>,
    here: Option<PathBuf>,
    heard: &dyn Fn(&Listener),
) -> Answer {
    let mut listener = Listener { host: named, payload: None };
    let read = payload.and_then(|text| Payload::parse(&text).map_err(|e| format!("the payload: {e}")));
    let payload = match read {
        Ok(payload) => payload,
        Err(why) => return listener.refuse(&args.err().unwrap_or(why)),
    };
    listener.host = host::caller(named, &payload);
    listener.payload = Some(payload.clone());
    heard(&listener);
    let args = match args {
        Ok(args) => args,
        Err(why) => return listener.refuse(&why),
    };
    fault();
    let (host, mut event) = match host::read(named, &payload) {
        Ok(found) => found,
        Err(unfit) => return listener.refuse(&format!("the payload: {unfit}")),
    };
    if event.moment == Moment::After {
        return host.answer(&event, &Decision::Pass);
    }
    let in_process = here.is_some();
    let project = project(host, &event, here);
    match Point::open(&args.point, &project) {
        Ok(point) => {
            let decision = decide::decide(&args, &point, host, &mut event);
            let answer = host.answer(&event, &decision);
            if !in_process {
                // The process ends here: taking the policy apart first would cost the host the time.
                std::mem::forget(point);
            }
            answer
        }
        Err(failure) => listener.refuse(&told(&failure)),
    }
}

/// What the host writes to standard input.
fn payload() -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    (&mut stdin)
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| format!("standard input cannot be read: {e}"))?;
    if bytes.len() as u64 > LONGEST {
        // A host that cannot write all of it may take that for a failed hook, and run the tool.
        let _ = io::copy(&mut stdin, &mut io::sink());
        return Err(too_long());
    }
    String::from_utf8(bytes).map_err(|_| "the payload is not UTF-8".to_owned())
}

fn too_long() -> String {
    format!("the payload is longer than {} MiB", LONGEST >> 20)
}

/// The folder of the project: what the host says, or the folder that it starts its hooks in. The folder that the call is made in does not
/// count, since the agent chooses it, and may write a policy there.
fn project(host: &dyn Host, event: &Event, here: Option<PathBuf>) -> PathBuf {
    let variable = match host.name() {
        "claude-code" => "CLAUDE_PROJECT_DIR",
        "factory-droid" => "FACTORY_PROJECT_DIR",
        "gemini-cli" => "GEMINI_PROJECT_DIR",
        "cursor" => "CURSOR_PROJECT_DIR",
        _ => "",
    };
    let said = event.project.clone().map(PathBuf::from);
    let set = || (!variable.is_empty()).then(|| std::env::var_os(variable)).flatten().map(PathBuf::from);
    let usable = |path: &PathBuf| path.is_absolute() && path.is_dir();
    said.filter(usable)
        .or_else(|| set().filter(usable))
        .or_else(|| here.or_else(|| std::env::current_dir().ok()))
        .unwrap_or_else(|| Path::new("/").to_owned())
}

/// Prints the answer. One that cannot be printed is a refusal by the exit code.
fn say(answer: &Answer) -> i32 {
    let mut exit = answer.exit;
    let mut stderr = answer.stderr.clone();
    let mut out = io::stdout().lock();
    let printed = match out.write_all(answer.stdout.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) if !answer.stdout.is_empty() && goes_nowhere() => {
            Err(io::Error::other("standard output is closed"))
        }
        done => done,
    };
    if let Err(error) = printed {
        exit = 2;
        stderr = format!("policy: the answer cannot be printed: {error}, refusing (fail closed)\n");
    }
    // Where nobody hears it, the exit code still speaks.
    let _ = io::stderr().write_all(stderr.as_bytes());
    i32::from(exit)
}

/// Whether what is printed is thrown away: a standard output that was closed is opened as the null device before the program starts.
#[cfg(unix)]
fn goes_nowhere() -> bool {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    let out = io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from);
    let device = |data: io::Result<std::fs::Metadata>| {
        data.ok().filter(|data| data.file_type().is_char_device()).map(|data| data.rdev())
    };
    let null = device(std::fs::metadata("/dev/null"));
    null.is_some() && device(out.and_then(|out| out.metadata())) == null
}

#[cfg(not(unix))]
fn goes_nowhere() -> bool {
    false
}

/// What the tests make go wrong; nothing in a release.
fn fault() {
    #[cfg(debug_assertions)]
    match std::env::var("POLICY_TEST_FAULT").as_deref() {
        #[expect(clippy::panic, reason = "the tests see what becomes of a panic")]
        Ok("panic") => panic!("a panic of the tests"),
        Ok("hang") => thread::sleep(Duration::from_mins(1)),
        _ => {}
    }
}

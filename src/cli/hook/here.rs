//! The hook in the process of a host that has the policy at hand, in place of a program of its own.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Parser as _;

use super::{LONGEST, Listener, PATIENCE, answer_to, too_long};
use crate::cli::args::{Arguments, Command};
use crate::host::{self, Answer};

/// What `policy hook HOST OPTIONS` answers to this payload, started in `folder`: by the same policies, protection and approvals.
///
/// What fails is the host's refusal here, too: a panic, wrong options, a verdict that does not come in time.
pub fn answer_here(host: &str, options: &[String], payload: String, folder: &Path) -> Answer {
    let arguments = ["policy", "hook", host].into_iter().chain(options.iter().map(String::as_str));
    let (args, deadline) = match Arguments::try_parse_from(arguments) {
        Ok(Arguments { command: Command::Hook(args), .. }) => {
            let deadline = Duration::from_secs_f64(args.deadline);
            (Ok(args), deadline)
        }
        Ok(_) => (Err("wrong arguments".to_owned()), PATIENCE),
        Err(error) => (Err(format!("wrong arguments: {}", error.kind())), PATIENCE),
    };
    let payload = if payload.len() as u64 > LONGEST { Err(too_long()) } else { Ok(payload) };
    let named = host::by_name(host);
    let known = Arc::new(Mutex::new(Listener { host: named, payload: None }));
    let (sender, receiver) = channel();
    let work = {
        let (known, folder) = (Arc::clone(&known), folder.to_owned());
        move || {
            let heard = |listener: &Listener| {
                *known.lock().unwrap_or_else(PoisonError::into_inner) = listener.clone();
            };
            // Nobody receives it after the deadline.
            let _ = sender.send(answer_to(args, named, payload, Some(folder), &heard));
        }
    };
    let answer = match thread::Builder::new().name("hook".to_owned()).spawn(work) {
        Ok(_) => receiver.recv_timeout(deadline),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    };
    let refuse = |why: &str| known.lock().unwrap_or_else(PoisonError::into_inner).refuse(why);
    match answer {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => {
            refuse(&format!("no verdict within {} seconds", deadline.as_secs_f64()))
        }
        Err(RecvTimeoutError::Disconnected) => refuse("internal error"),
    }
}

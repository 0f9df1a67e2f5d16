//! Starting a command as a host does.

use std::ffi::OsString;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How a host starts the command of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// By `sh -c`.
    Sh,
    /// By `bash -c`.
    Bash,
    /// By `bash -c`, without its start-up files.
    BareBash,
    /// By the shell of the user.
    UserShell,
    /// The file itself.
    Itself,
    /// It starts none.
    Nothing,
}

impl Starts {
    /// The command; none where the host starts none.
    pub fn command(self, line: &str, shell: Option<OsString>) -> Option<Command> {
        let with = |program: OsString, options: &[&str]| {
            let mut command = Command::new(program);
            command.args(options).arg("-c").arg(line);
            command
        };
        match self {
            Self::Sh => Some(with("sh".into(), &[])),
            Self::Bash => Some(with("bash".into(), &[])),
            Self::BareBash => Some(with("/bin/bash".into(), &["--norc", "--noprofile"])),
            Self::UserShell => Some(with(shell.unwrap_or_else(|| "sh".into()), &[])),
            Self::Itself => Some(Command::new(line)),
            Self::Nothing => None,
        }
    }
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Standard output, as far as it is kept.
    pub stdout: String,
    /// Standard error, as far as it is kept.
    pub stderr: String,
    /// The exit code; none where a signal ended it.
    pub exit: Option<i32>,
    /// How long it took.
    pub took: Duration,
    /// It did not end in time, and was ended.
    pub late: bool,
}

/// How much is kept of what a command says.
const MAX_SAID: u64 = 1 << 20;

/// Runs a command in `folder`, with `input`, for at most `limit`.
///
/// # Errors
///
/// When it cannot be started.
pub fn run(mut command: Command, folder: &Path, input: &str, limit: Duration) -> std::io::Result<Ran> {
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(&mut command);
    let begun = Instant::now();
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    let input = input.to_owned();
    // It may end without reading all of it; who waits for a reader is left behind.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
    let (stdout, stderr) = (heard(child.stdout.take()), heard(child.stderr.take()));
    let mut exit = None;
    let mut late = false;
    loop {
        match child.try_wait()? {
            Some(status) => {
                exit = status.code();
                break;
            }
            None if begun.elapsed() >= limit => {
                late = true;
                end(&mut child);
                break;
            }
            None => thread::sleep(Duration::from_millis(1)),
        }
    }
    let took = begun.elapsed();
    // What it started may keep the streams open.
    let rest = Duration::from_millis(500);
    let stdout = stdout.recv_timeout(rest).unwrap_or_default();
    let stderr = stderr.recv_timeout(rest).unwrap_or_default();
    Ok(Ran { stdout, stderr, exit, took, late })
}

/// What comes out of a stream, read aside; what is too much is read and dropped.
fn heard(stream: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut stream) = stream {
            let _ = (&mut stream).take(MAX_SAID).read_to_end(&mut said);
            let _ = send.send(String::from_utf8_lossy(&said).into_owned());
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
    });
    receive
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// Ends the command and what it started.
fn end(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let mut kill = Command::new("kill");
        let kill = kill.args(["-KILL", "--", &group]).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = kill.status();
    }
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn sh(line: &str, limit: u64) -> Ran {
        let command = Starts::Sh.command(line, None).unwrap();
        run(command, Path::new("/"), "in", Duration::from_millis(limit)).unwrap()
    }

    #[test]
    fn what_is_said_and_how_it_ends() {
        let ran = sh("cat; echo err >&2; exit 3", 10_000);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str(), ran.exit, ran.late),
            ("in", "err\n", Some(3), false)
        );
    }

    #[test]
    fn what_hangs_is_ended_with_what_it_started() {
        let ran = sh("echo a; sleep 100 & sleep 100", 100);
        assert_eq!((ran.stdout.as_str(), ran.exit, ran.late), ("a\n", None, true));
        assert!(ran.took < Duration::from_secs(10));
    }

    #[test]
    fn a_lot_is_not_kept() {
        let ran = sh("head -c 3000000 /dev/zero", 10_000);
        assert_eq!(ran.stdout.len(), 1 << 20);
        assert_eq!(ran.exit, Some(0));
    }

    #[test]
    fn failures_are_refusals() {
        for line in [
            "policy-that-is-not-there hook x || exit 2",
            "kill -9 $$ || exit 2",
            "sh -c 'kill -9 $$' || exit 2",
            "exit 2",
        ] {
            let exit = sh(line, 10_000).exit;
            assert!(exit == Some(2) || line.starts_with("kill"), "{line}: {exit:?}");
        }
    }
}

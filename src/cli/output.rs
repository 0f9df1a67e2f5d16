//! Where results and errors go, in colour or not, and how the program ends.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

use crate::diagnostic::{self, Report};

/// When to colour what is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// At a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a command ended, when it could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// As one would wish; of a call: allowed.
    Fine,
    /// With findings; of a call: denied.
    Findings,
    /// It could not be done; of a call: something failed.
    Failed,
    /// Of a call: a person has to say.
    Ask,
}

impl Status {
    fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Failed => 2,
            Self::Ask => 3,
        }
    }

    /// The worse of two.
    pub(super) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Failed, _) | (_, Self::Failed) => Self::Failed,
            (Self::Findings, _) | (_, Self::Findings) => Self::Findings,
            (Self::Ask, _) | (_, Self::Ask) => Self::Ask,
            (Self::Fine, Self::Fine) => Self::Fine,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// The result could not be written.
    Output(io::Error),
    /// What went wrong, and what to do about it where that is known.
    Told {
        /// What went wrong.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
    /// A policy that does not load.
    Policy(Box<Report>),
}

impl Failure {
    /// What went wrong.
    pub(super) fn told(message: impl Into<String>) -> Self {
        Self::Told { message: message.into(), help: None }
    }

    /// With what to do about it.
    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        match self {
            Self::Told { message, .. } => Self::Told { message, help: Some(help.into()) },
            Self::Output(_) | Self::Policy(_) => self,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self::Policy(Box::new(report))
    }
}

/// What every command gives.
pub(super) type Done = Result<Status, Failure>;

/// The streams of the program.
pub(super) struct Io {
    /// Results.
    pub(super) out: Box<dyn Write>,
    /// Whether results are coloured.
    pub(super) colour: bool,
    err_colour: bool,
}

impl Io {
    /// The streams of this process.
    pub(super) fn of_process(when: Color) -> Self {
        let choice = |auto: anstream::ColorChoice| match when {
            Color::Auto => !matches!(auto, anstream::ColorChoice::Never),
            Color::Always => true,
            Color::Never => false,
        };
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let colour = choice(anstream::AutoStream::choice(&stdout));
        let err_colour = choice(anstream::AutoStream::choice(&stderr));
        Self { out: Box::new(BufWriter::new(stdout)), colour, err_colour }
    }

    /// The text in this style, where results are coloured.
    pub(super) fn styled(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A line on standard error that is no failure of the program.
    #[expect(clippy::unused_self, reason = "only who has the streams prints")]
    pub(super) fn say(&self, text: &str) {
        // When nobody hears it, there is nobody to tell.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Findings on standard error.
    pub(super) fn complain(&self, report: &Report) {
        let text = diagnostic::human(&report.diagnostics, &report.sources, self.err_colour);
        let _ = write!(io::stderr(), "{text}");
    }

    /// Ends the program: what is buffered goes out, a failure is told on standard error.
    ///
    /// A reader who has gone away is no failure to tell; the status is that of a program which a broken pipe ended.
    pub(super) fn finish(mut self, done: Done) -> ExitCode {
        let done = done.and_then(|status| Ok(self.out.flush().map(|()| status)?));
        match done {
            Ok(status) => ExitCode::from(status.code()),
            Err(Failure::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(141),
            Err(failure) => {
                let _ = self.out.flush();
                self.tell(&failure);
                ExitCode::from(Status::Failed.code())
            }
        }
    }

    fn tell(&self, failure: &Failure) {
        let word = |style: Style, text: &str| {
            if self.err_colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
        };
        let mut err = io::stderr().lock();
        let _ = match failure {
            Failure::Output(e) => writeln!(err, "{}: the result cannot be written: {e}", word(RED, "error")),
            Failure::Told { message, help } => {
                let told = writeln!(err, "{}: {message}", word(RED, "error"));
                match help {
                    Some(help) => told.and_then(|()| writeln!(err, "{}: {help}", word(GREEN, "help"))),
                    None => told,
                }
            }
            Failure::Policy(report) => {
                let text = diagnostic::human(&report.diagnostics, &report.sources, self.err_colour);
                let n = report.diagnostics.len();
                write!(err, "{text}").and_then(|()| {
                    writeln!(
                        err,
                        "{}: the policy does not load: {}",
                        word(RED, "error"),
                        counted(n, "problem")
                    )
                })
            }
        };
    }
}

/// `1 rule`, `2 rules`.
pub(super) fn counted(n: usize, what: &str) -> String {
    match (n, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        (_, None) => format!("{n} {what}s"),
    }
}

/// Whether somebody sits at standard input.
pub(super) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Denied, wrong.
pub(super) const RED: Style = AnsiColor::Red.on_default().bold();
/// Allowed, right.
pub(super) const GREEN: Style = AnsiColor::Green.on_default().bold();
/// Asked, doubtful.
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
/// Headings.
pub(super) const BOLD: Style = Style::new().bold();
/// What matters less.
pub(super) const DIM: Style = Style::new().dimmed();

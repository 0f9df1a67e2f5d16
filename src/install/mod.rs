//! Registering `policy hook` in the configuration of a host, and looking at what stands there.
//!
//! What a host reads is its own file with other people's entries in it, so an entry goes in and out as text at its place, and all else stays
//! as it is, byte for byte. Nothing is written that does not read back as meant.

mod canary;
mod codex;
mod entry;
mod hosts;
mod inspect;
mod jsonc;
mod line;
mod place;
mod plan;
mod run;
mod script;
mod settings;
mod trust;
mod write;

pub use canary::{Canary, canaries};
pub use hosts::{HOSTS, Host, by_name, names};
pub use inspect::{Found, Level, Registered, Remark, inspect, registered};
pub use line::{Line, Program};
pub use place::{Place, Scope, on_path};
pub use plan::{Change, install, remarks, uninstall};
pub use run::{Ran, Starts, run};
pub use write::apply;

/// Why something was not installed or not taken away. Nothing was written then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A file that cannot be read or written.
    #[error("`{path}`: {why}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        why: String,
    },
    /// A file that is not what its host reads.
    #[error("`{path}:{line}:{column}` cannot be understood: {why}")]
    Broken {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// A file in which the entry has no place where it could be put without touching other people's.
    #[error("`{path}`: {why}")]
    NoPlace {
        /// The file.
        path: String,
        /// What stands in the way.
        why: String,
        /// What is to be written by hand.
        by_hand: String,
    },
    /// A file that changed while it was worked on.
    #[error("`{path}` was changed by somebody else just now")]
    Changed {
        /// The file.
        path: String,
    },
}

impl Refused {
    /// What to do about it, where there is something.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::File { .. } => None,
            Self::Broken { .. } => Some("mend the file first; nothing was written".to_owned()),
            Self::NoPlace { by_hand, .. } if by_hand.starts_with('{') => {
                Some(format!("nothing was written; put this there by hand:\n{by_hand}"))
            }
            Self::NoPlace { by_hand, .. } => Some(by_hand.clone()),
            Self::Changed { .. } => Some("run it again; what the other wrote is kept".to_owned()),
        }
    }
}

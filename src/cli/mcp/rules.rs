//! The policies of a proxy, read anew when their files change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::call::Call;
use crate::cli::discover;
use crate::cli::output::Failure;
use crate::cli::point::{Judged, NoPolicy, Point, PointArgs, told};
use crate::grant::{State, StateError, Waiting};
use crate::proxy::Judge;
use crate::verdict::{Answer, Cause, Verdict};

/// How many seconds a person has where there is no policy to say so.
const WITHOUT_POLICY: u64 = 120;

/// Judges by the policies that the arguments name.
pub(super) struct Rules {
    args: PointArgs,
    project: PathBuf,
    read: Mutex<Option<Arc<Read>>>,
}

/// The policies as they were read; in words, why they could not be.
struct Read {
    point: Result<Point, String>,
    /// The files that they came from, as they were then.
    files: Vec<(PathBuf, Option<Stamp>)>,
    /// The one that was found, where none was named. It has to stay.
    found: Option<PathBuf>,
}

/// What changes when a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
    /// Which file it is, and when anything about it changed, which nobody can set back.
    file: (u64, u64, i64, i64),
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let file = {
        use std::os::unix::fs::MetadataExt as _;
        (found.dev(), found.ino(), found.ctime(), found.ctime_nsec())
    };
    #[cfg(not(unix))]
    let file = (0, 0, 0, 0);
    Some(Stamp { modified: found.modified().ok(), len: found.len(), file })
}

/// A file that changed so shortly before it was read may have changed again within the grain of the clock of files.
const GRAIN: Duration = Duration::from_millis(100);

impl Rules {
    pub(super) fn new(args: &PointArgs) -> Result<Self, Failure> {
        let project = discover::current_folder()?;
        let rules = Self { args: args.clone(), project, read: Mutex::new(None) };
        // What is wrong is told when the server is started, not at its first call only.
        rules.now();
        Ok(rules)
    }

    /// The policies as they are now.
    fn now(&self) -> Arc<Read> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) =
            read.as_ref().filter(|read| read.holds() && self.found().is_ok_and(|found| found == read.found))
        {
            return Arc::clone(read);
        }
        let fresh = Arc::new(self.load(read.as_deref()));
        let new = |before: &Arc<Read>| before.point.as_ref().err() != fresh.point.as_ref().err();
        match &fresh.point {
            Err(why) if read.as_ref().is_none_or(new) => super::say(&format!("no call is allowed: {why}")),
            Ok(point)
                if read.as_ref().is_some_and(|before| !before.files.is_empty() && before.differs(point)) =>
            {
                super::say(&format!(
                    "the policy has changed and was read again ({} files)",
                    point.sources().len()
                ));
            }
            Ok(_) | Err(_) => {}
        }
        *read = Some(Arc::clone(&fresh));
        fresh
    }

    /// The policy that is found, where none is named.
    fn found(&self) -> Result<Option<PathBuf>, Failure> {
        if self.args.policy.is_empty() && self.args.layer.is_empty() {
            discover::above(&self.project)
        } else {
            Ok(None)
        }
    }

    fn load(&self, before: Option<&Read>) -> Read {
        let started = SystemTime::now();
        let had = before.and_then(|read| read.found.clone());
        let gone = had.as_ref().filter(|path| !path.is_file());
        let (found, point) = if let Some(path) = gone {
            // Another one further up, or none, is not what was meant to hold here.
            let why =
                format!("the policy `{}` is gone; without it, start `policy mcp` again", path.display());
            (had.clone(), Err(why))
        } else {
            let found = self.found();
            let point = Point::open(&self.args, &self.project).map_err(|failure| told(&failure));
            (found.unwrap_or(had), point)
        };
        // It may have gone between being found and being read.
        let point = point.and_then(|point| match &found {
            Some(path) if !point.sources().contains(path) => {
                Err(format!("the policy `{}` cannot be found again", path.display()))
            }
            _ => Ok(point),
        });
        let files = match &point {
            Ok(point) => point.sources(),
            // Until one of them changes, they are as unreadable as they were.
            Err(_) => before
                .map(|read| read.files.iter().map(|(path, _)| path.clone()).collect())
                .unwrap_or_default(),
        };
        let stamped = files.into_iter().map(|path| {
            // A file that changed while it was read is read again.
            let now = stamp(&path).filter(|stamp| {
                stamp.modified.is_none_or(|time| time + GRAIN < started) && stamp.changed_before(started)
            });
            (path, now)
        });
        Read { files: stamped.collect(), point, found }
    }
}

impl Stamp {
    fn changed_before(&self, time: SystemTime) -> bool {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let changed =
            Duration::new(u64::try_from(self.file.2).unwrap_or(0), u32::try_from(self.file.3).unwrap_or(0));
        changed + GRAIN < since
    }
}

impl Read {
    /// Whether it says something else than these.
    fn differs(&self, point: &Point) -> bool {
        self.point.as_ref().is_ok_and(|before| before.digest() != point.digest()) || self.point.is_err()
    }

    /// Whether the files are as they were. Where there was no policy, or none that can be read, there may be one now.
    fn holds(&self) -> bool {
        self.point.is_ok()
            && !self.files.is_empty()
            && self.files.iter().all(|(path, then)| then.is_some() && stamp(path) == *then)
    }
}

impl Judge for Rules {
    fn verdict(&self, call: &Call) -> Verdict {
        fault(call);
        let now = self.now();
        let point = match &now.point {
            Ok(point) => point,
            Err(why) => return Verdict::error(why.clone()),
        };
        let mut call = call.clone();
        match point.judge(&mut call) {
            Judged::By(verdict) => *verdict,
            Judged::NoPolicy => {
                without(self.args.no_policy.unwrap_or(NoPolicy::Ask), point.no_policy(), &call)
            }
        }
    }

    fn take_approval(&self, call: &Call, _verdict: &Verdict) -> bool {
        let now = self.now();
        let Ok(point) = &now.point else { return false };
        let key = point.key(call);
        match State::of_user().and_then(|state| Ok(state.take(&key)? || state.take_passed_on(&key)?)) {
            Ok(taken) => taken,
            Err(StateError::Nowhere) => false,
            Err(e) => {
                super::say(&format!("approvals cannot be read: {e}"));
                false
            }
        }
    }

    fn wait(&self, call: &Call, verdict: &Verdict) -> Result<String, String> {
        let now = self.now();
        let key = now.point.as_ref().map_err(String::clone)?.key(call);
        let question = verdict.question.clone().unwrap_or_else(|| format!("Run {}?", call.shown()));
        let rule = verdict.decided_by.as_ref().map(|by| by.rule.as_str());
        let waiting = Waiting::new(&key, call, question, rule);
        State::of_user().and_then(|state| state.wait_for(&waiting)).map_err(|e| e.to_string())?;
        Ok(waiting.id)
    }

    fn never(&self, call: &Call) -> bool {
        self.now().point.as_ref().is_ok_and(|point| point.never(call))
    }
}

/// The verdict where there is no policy.
fn without(answer: NoPolicy, why: String, call: &Call) -> Verdict {
    match answer {
        NoPolicy::Deny => Verdict::error(why),
        NoPolicy::Pass => {
            Verdict { verdict: Answer::Allow, cause: Cause::NoRule, reason: None, ..Verdict::error("") }
        }
        NoPolicy::Ask => Verdict {
            verdict: Answer::Ask,
            cause: Cause::NoRule,
            timeout_s: Some(WITHOUT_POLICY),
            question: Some(format!("Run {}?", call.shown())),
            ..Verdict::error(why)
        },
    }
}

/// What the tests make go wrong; nothing in a release.
#[cfg_attr(not(debug_assertions), expect(unused_variables, reason = "only the tests look at it"))]
fn fault(call: &Call) {
    #[cfg(debug_assertions)]
    match (std::env::var("POLICY_TEST_FAULT").as_deref(), call.args.get("fault").is_some()) {
        #[expect(clippy::panic, reason = "the tests see what becomes of a panic")]
        (Ok("panic"), true) => panic!("a panic of the tests"),
        (Ok("hang"), true) => std::thread::sleep(std::time::Duration::from_secs(3)),
        _ => {}
    }
}

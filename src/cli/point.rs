//! The decision point of a hook or a proxy: the policies that hold in a project, the built-in protection, and where calls are judged.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::discover;
use super::output::Failure;
use super::policies::real_disk;
use crate::call::Call;
use crate::compile::folder_of;
use crate::diagnostic;
use crate::facts::disk::{Disk, Remembered};
use crate::grant::{Key, State, digest_of_all};
use crate::guard::Guard;
use crate::interpreter::{Layers, Surroundings};
use crate::policy::Policy;
use crate::verdict::Verdict;

/// So many folders above a project are looked after, where it has no policy.
const FOLDERS: usize = 16;

/// Which policies judge the calls of a host.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PointArgs {
    /// A policy file; a relative path starts from the project. Several are layers: the strictest verdict wins. Default:
    /// `policy.{toml,yaml,yml,json}`, or such a file in `.agents/`, in the project's folder or the nearest one above that has one.
    #[arg(long, short, value_name = "FILE")]
    pub(super) policy: Vec<PathBuf>,
    /// A policy file that is a layer with this name, such as `managed=/etc/policy.toml`. Named layers come before the others.
    #[arg(long, value_name = "NAME=FILE", value_parser = super::args::layer)]
    pub(super) layer: Vec<(String, PathBuf)>,
    /// The root of the project. Default: the folder of the policy that was found, else what the host says, else this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) workspace: Option<PathBuf>,
    /// What to answer where no policy is found. Default of a hook: `ask` where the host can ask, else `deny`; of `mcp`: `ask`.
    #[arg(long, value_enum, value_name = "ANSWER")]
    pub(super) no_policy: Option<NoPolicy>,
}

/// What is answered where no policy is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NoPolicy {
    /// No call may run.
    Deny,
    /// A person has to say.
    Ask,
    /// Every call may run, as if there were no hook.
    Pass,
}

/// The policies that hold in a project, and where calls are judged.
pub(super) struct Point {
    layers: Option<Layers>,
    /// The folder in which no policy was found.
    nowhere: String,
    guard: Guard,
    disk: Box<dyn Disk>,
    workspace: String,
    /// The files of the policies.
    files: Vec<PathBuf>,
}

/// The verdict of a decision point.
pub(super) enum Judged {
    /// What the policies and the protection say.
    By(Box<Verdict>),
    /// There is no policy, and the protection says nothing against the call.
    NoPolicy,
}

impl Point {
    /// The decision point of the project in this folder.
    pub(super) fn open(args: &PointArgs, project: &Path) -> Result<Self, Failure> {
        let mut workspace = args.workspace.as_ref().map(|dir| project.join(dir));
        let mut policies = Vec::new();
        let mut files = Vec::new();
        for (name, path) in &args.layer {
            let path = project.join(path);
            policies.push(Policy::load(&path)?.in_layer(name));
            files.push(path);
        }
        for path in &args.policy {
            let path = project.join(path);
            policies.push(Policy::load(&path)?);
            files.push(path);
        }
        if policies.is_empty()
            && let Some(found) = discover::above(project)?
        {
            policies.push(Policy::load(&found)?);
            if workspace.is_none() {
                workspace = folder_of(&found).map(PathBuf::from);
            }
            files.push(found);
        }
        let workspace = discover::folder_text(workspace.as_deref().unwrap_or(project), false)?;
        let mut guarded = files.clone();
        let sources = policies.iter().flat_map(|policy| policy.sources().iter());
        guarded.extend(sources.map(|(_, source)| PathBuf::from(&*source.name)));
        guarded.extend(nearer(project, Path::new(&workspace)));
        // Where there is no such folder, there are no approvals either.
        guarded.extend(State::of_user().map(|state| state.folder().to_owned()));
        guarded.extend(std::env::current_exe());
        guarded.sort();
        guarded.dedup();
        let guard = Guard::new(guarded.iter().filter_map(|path| path.to_str()));
        let mut policies = policies.into_iter();
        Ok(Self {
            layers: policies.next().map(|first| policies.fold(Layers::from(first), Layers::and)),
            nowhere: project.display().to_string(),
            guard,
            disk: real_disk(),
            workspace,
            files,
        })
    }

    /// Judges a call, which gets the folders that it does not say itself.
    pub(super) fn judge(&self, call: &mut Call) -> Judged {
        let absolute = |folder: &String| Path::new(folder).is_absolute();
        if call.cwd.as_ref().is_none_or(|folder| !absolute(folder)) {
            call.cwd = Some(self.workspace.clone());
        }
        call.workspace = Some(self.workspace.clone());
        let disk = Remembered::new(&*self.disk);
        let surroundings = Surroundings { workspace: Some(&self.workspace), ..Surroundings::new(&disk) };
        match &self.layers {
            Some(layers) => {
                let verdict = layers.evaluate(call, &surroundings);
                Judged::By(Box::new(self.guard.over(verdict, call, &surroundings)))
            }
            None => match self.guard.alone(call, &surroundings) {
                Some(verdict) => Judged::By(Box::new(verdict)),
                None => Judged::NoPolicy,
            },
        }
    }

    /// What binds an approval to this call.
    pub(super) fn key(&self, call: &Call) -> Key {
        Key::of(call, Some(&self.workspace), &self.digest())
    }

    /// What stands for the policies together.
    pub(super) fn digest(&self) -> String {
        digest_of_all(self.layers.iter().flat_map(Layers::iter).map(Policy::digest))
    }

    /// Every file that the policies were read from.
    pub(super) fn sources(&self) -> Vec<PathBuf> {
        let sources = self.layers.iter().flat_map(Layers::iter).flat_map(|policy| policy.sources().iter());
        let mut all: Vec<_> = sources.map(|(_, source)| PathBuf::from(&*source.name)).collect();
        all.extend(self.files.iter().cloned());
        all.sort();
        all.dedup();
        all
    }

    /// Whether every call of this name is denied, whatever its arguments are.
    pub(super) fn never(&self, call: &Call) -> bool {
        self.layers.iter().flat_map(Layers::iter).any(|policy| policy.always_denies(&call.name()))
    }

    /// The root of the project.
    pub(super) fn workspace(&self) -> &str {
        &self.workspace
    }

    /// What to say where there is no policy.
    pub(super) fn no_policy(&self) -> String {
        format!("no policy in `{}` or any folder above it; `policy init` writes one", self.nowhere)
    }
}

/// The files that would be the policy of the project, were they there: between its folder and that of the policy that was found.
fn nearer(project: &Path, workspace: &Path) -> Vec<PathBuf> {
    let folders = project.ancestors().take_while(|folder| *folder != workspace).take(FOLDERS);
    folders
        .flat_map(|folder| {
            let agents = folder.join(".agents");
            let own = discover::EXTENSIONS.iter().map(|ext| folder.join("policy").with_extension(ext));
            own.chain([agents]).collect::<Vec<_>>()
        })
        .collect()
}

/// What went wrong, in a few lines for a model and a person.
pub(super) fn told(failure: &Failure) -> String {
    match failure {
        Failure::Output(error) => error.to_string(),
        Failure::Told { message, help: None } => message.clone(),
        Failure::Told { message, help: Some(help) } => format!("{message} ({help})"),
        Failure::Policy(report) => {
            let all = diagnostic::plain(&report.diagnostics, &report.sources);
            let mut lines = all.lines();
            let first = lines.next().unwrap_or("the policy cannot be loaded").to_owned();
            match lines.count() {
                0 => first,
                more => format!("{first} (and {more} more; `policy check` tells all)"),
            }
        }
    }
}

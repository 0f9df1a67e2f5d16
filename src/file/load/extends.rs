//! Files that extend others.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Extended, Loading, is_test_file};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::PolicyFile;
use crate::source::Span;

/// How many files one policy may be made of.
const MAX_FILES: usize = 64;

/// The files seen so far, by their real paths.
#[derive(Default)]
struct Walk {
    /// Those being read, from the policy down, to name a circle.
    open: Vec<(PathBuf, String)>,
    /// Those read.
    done: HashSet<PathBuf>,
    /// Their contents, each after all that it extends.
    files: Vec<PolicyFile>,
    too_many: bool,
}

impl Loading {
    /// Loads the file at `path` and all that it extends. A file goes before all that it extends, also where two
    /// files extend a third; else the order written holds.
    pub(super) fn extend_from(&mut self, path: &Path, from: Option<Span>) {
        let mut walk = Walk::default();
        self.visit(path, from, &mut walk);
        self.files = walk.files;
        self.files.reverse();
    }

    fn visit(&mut self, path: &Path, from: Option<Span>, walk: &mut Walk) {
        // A file that cannot be found has no real path; opening it tells.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if let Some(start) = walk.open.iter().position(|(open, _)| *open == real) {
            self.circle(walk, start, path, from);
            return;
        }
        if walk.done.contains(&real) || walk.too_many {
            return;
        }
        if walk.done.len() + walk.open.len() >= MAX_FILES {
            walk.too_many = true;
            let finding =
                Diagnostic::error(Code::E0114, format!("a policy is made of at most {MAX_FILES} files"));
            self.file_problem(finding.help("put some of them together"), &path.display().to_string(), from);
            return;
        }
        walk.open.push((real.clone(), path.display().to_string()));
        let file = self.one_file(path, from);
        let extends = file.as_ref().and_then(|file| file.extends.clone());
        // Backwards, as the whole list is turned round at the end.
        for entry in extends.iter().flat_map(|list| list.iter()).rev() {
            if let Some(next) = self.extended_path(path, entry) {
                self.visit(&next, Some(entry.span), walk);
            }
        }
        walk.open.pop();
        walk.done.insert(real);
        walk.files.extend(file);
    }

    fn one_file(&mut self, path: &Path, from: Option<Span>) -> Option<PolicyFile> {
        if is_test_file(path) {
            let name = path.display().to_string();
            let finding =
                Diagnostic::error(Code::E0115, format!("`{name}` is a file of tests, not a policy"));
            self.file_problem(finding.help("name the policy that it tests"), &name, from);
            return None;
        }
        let (source, bytes, format) = self.open(path, from)?;
        self.read_policy(source, &bytes, format)
    }

    fn circle(&mut self, walk: &Walk, start: usize, path: &Path, from: Option<Span>) {
        let mut names: Vec<String> =
            walk.open.iter().skip(start).map(|(_, name)| format!("`{name}`")).collect();
        names.push(format!("`{}`", path.display()));
        let finding =
            Diagnostic::error(Code::E0112, format!("files extend each other: {}", names.join(" extends ")));
        self.file_problem(finding.help("remove one of the steps"), &path.display().to_string(), from);
    }

    /// The path of a file that the file at `path` extends.
    fn extended_path(&mut self, path: &Path, entry: &Extended) -> Option<PathBuf> {
        let written = entry.value.as_str();
        let problem = if written.contains("://") {
            Some("a URL")
        } else if written.starts_with('~') {
            Some("a path in the home folder")
        } else if written.starts_with('/') || Path::new(written).is_absolute() || has_drive(written) {
            Some("an absolute path")
        } else if written.contains('\\') {
            Some("backslashes are not understood everywhere")
        } else {
            None
        };
        if let Some(problem) = problem {
            let finding = Diagnostic::error(Code::E0113, format!("`{written}` is not a relative path"));
            let finding = finding.at(entry.span, problem);
            self.problems
                .push(finding.help("write a path relative to this file, such as `\"../base.toml\"`"));
            return None;
        }
        let written = written.strip_prefix("./").unwrap_or(written);
        Some(path.parent().unwrap_or(Path::new("")).join(written))
    }
}

fn has_drive(written: &str) -> bool {
    let mut chars = written.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
}

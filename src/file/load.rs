//! From a path to the policy as written, with every file that it extends; or everything that is wrong.

mod bytes;
mod extends;
mod ids;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::decode::{self, MAX_PROBLEMS};
use super::tree::{self, Format};
use super::{PolicyFile, RuleFile, TestsFile};
use crate::diagnostic::{Code, Diagnostic, Report};
use crate::source::{SourceId, Sources, Span, Spanned};

/// A policy with the files that it extends.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The policy's own file first, then those it extends; each once, and always before those that it extends
    /// itself. Only the tests of the first are tests of this policy.
    pub files: Vec<PolicyFile>,
    /// Their texts.
    pub sources: Sources,
}

impl Loaded {
    /// Every rule of the list, in order, with its place in the list, its id and its file.
    pub fn rules(&self) -> impl Iterator<Item = (usize, String, &PolicyFile, &RuleFile)> {
        let rules = self.files.iter().flat_map(|file| file.rules.iter().map(move |rule| (file, rule)));
        rules.enumerate().map(|(index, (file, rule))| (index, ids::id_of(index, rule), file, rule))
    }
}

/// A file of tests.
#[derive(Clone, Debug)]
pub struct LoadedTests {
    /// The tests.
    pub file: TestsFile,
    /// Its text.
    pub sources: Sources,
}

/// What could be read of a policy, and what is wrong with it. With any problem the files are only good for finding more.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) loaded: Loaded,
    pub(crate) problems: Vec<Diagnostic>,
}

impl Read {
    /// Everything that is wrong, in the order of the text.
    pub(crate) fn refused(mut problems: Vec<Diagnostic>, sources: Sources) -> Report {
        problems.sort_by_key(Diagnostic::span);
        let hidden = problems.len() > MAX_PROBLEMS;
        problems.truncate(MAX_PROBLEMS);
        if let Some(last) = problems.last_mut().filter(|_| hidden) {
            last.notes.push("more problems are not shown".to_owned());
        }
        Report::new(problems, sources)
    }

    fn finish(self) -> Result<Loaded, Report> {
        if self.problems.is_empty() {
            return Ok(self.loaded);
        }
        Err(Self::refused(self.problems, self.loaded.sources))
    }
}

/// Loads the policy at `path` and every file that it extends.
pub fn load(path: &Path) -> Result<Loaded, Report> {
    read(path).finish()
}

/// As [`load`], with what could be read in spite of the problems.
pub(crate) fn read(path: &Path) -> Read {
    let mut loading = Loading::default();
    loading.extend_from(path, None);
    loading.finish()
}

/// Loads a policy from a text, shown under `name`. It cannot extend files, as it is in no folder.
pub fn load_text(name: &str, text: &str, format: Format) -> Result<Loaded, Report> {
    read_text(name, text, format).finish()
}

/// As [`load_text`], with what could be read in spite of the problems.
pub(crate) fn read_text(name: &str, text: &str, format: Format) -> Read {
    let mut loading = Loading::default();
    let source = loading.sources.add(name, text);
    if let Some(file) = loading.read_policy(source, text.as_bytes(), format) {
        if let Some(first) = file.extends.as_ref().and_then(|e| e.first()) {
            let finding = Diagnostic::error(Code::E0113, "a policy that is not a file cannot extend others");
            loading
                .problems
                .push(finding.at(first.span, "relative to what?").help("write the policy to a file"));
        }
        loading.files.push(file);
    }
    loading.finish()
}

/// Loads a file of tests.
pub fn load_tests(path: &Path) -> Result<LoadedTests, Report> {
    let mut loading = Loading::default();
    let tests = loading.open(path, None).and_then(|(source, bytes, format)| {
        if !is_test_file(path) {
            let finding = Diagnostic::error(Code::E0115, "this is not a file of tests");
            let finding = finding.at(Span::new(source, 0..0), "");
            loading.problems.push(finding.help("name a file of tests like its policy: `policy.test.toml`"));
            return None;
        }
        loading.read_tests(source, &bytes, format)
    });
    loading.finish_tests(tests)
}

/// Loads tests from a text, shown under `name`.
pub fn load_tests_text(name: &str, text: &str, format: Format) -> Result<LoadedTests, Report> {
    let mut loading = Loading::default();
    let source = loading.sources.add(name, text);
    let tests = loading.read_tests(source, text.as_bytes(), format);
    loading.finish_tests(tests)
}

/// The files of tests beside a policy: for `policy.toml`, `policy.test.toml` and its like, those that are there.
pub fn test_files(policy: &Path) -> Vec<PathBuf> {
    let Some(stem) = policy.file_stem().and_then(|s| s.to_str()) else { return Vec::new() };
    let beside = |ext: &&str| policy.with_file_name(format!("{stem}.test.{ext}"));
    ["toml", "yaml", "yml", "json"].iter().map(beside).filter(|path| path.is_file()).collect()
}

fn is_test_file(path: &Path) -> bool {
    path.file_stem().and_then(|s| s.to_str()).is_some_and(|stem| stem.to_ascii_lowercase().ends_with(".test"))
}

/// What has been loaded so far.
#[derive(Default)]
struct Loading {
    sources: Sources,
    problems: Vec<Diagnostic>,
    files: Vec<PolicyFile>,
}

impl Loading {
    /// Reads a file and finds its format. `from` is where another file names it.
    fn open(&mut self, path: &Path, from: Option<Span>) -> Option<(SourceId, Vec<u8>, Format)> {
        let name = path.display().to_string();
        let Some(format) = Format::of_path(path) else {
            let finding = Diagnostic::error(Code::E0102, format!("the format of `{name}` is not known"));
            self.file_problem(finding.help("name it `.toml`, `.yaml`, `.yml` or `.json`"), &name, from);
            return None;
        };
        match bytes::read(path) {
            Ok(bytes) => {
                let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
                Some((self.sources.add(name, text), bytes, format))
            }
            Err(error) => {
                let finding = Diagnostic::error(
                    Code::E0101,
                    format!("`{name}` cannot be read: {}", bytes::why(&error)),
                );
                self.file_problem(finding, &name, from);
                None
            }
        }
    }

    /// Tells of a file that has no text to point at: at the place that names it, else at its start.
    fn file_problem(&mut self, finding: Diagnostic, name: &str, from: Option<Span>) {
        let span = from.unwrap_or_else(|| Span::new(self.sources.add(name, ""), 0..0));
        self.problems.push(finding.at(span, if from.is_some() { "named here" } else { "" }));
    }

    fn read_policy(&mut self, source: SourceId, bytes: &[u8], format: Format) -> Option<PolicyFile> {
        self.read(source, bytes, format, decode::policy)
    }

    fn read_tests(&mut self, source: SourceId, bytes: &[u8], format: Format) -> Option<TestsFile> {
        self.read(source, bytes, format, decode::tests)
    }

    fn read<T>(
        &mut self,
        source: SourceId,
        bytes: &[u8],
        format: Format,
        decode: fn(&tree::Node, &crate::source::Source, SourceId, Format) -> decode::Decoded<T>,
    ) -> Option<T> {
        let text = self.sources.get(source)?.clone();
        let tree = match bytes::check(bytes, &text.text, source, format) {
            Some(problem) => Err(vec![problem]),
            None => tree::read(&text.text, format, source),
        };
        match tree {
            Ok(tree) => {
                let decoded = decode(&tree, &text, source, format);
                self.problems.extend(decoded.problems);
                Some(decoded.file)
            }
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    fn finish(mut self) -> Read {
        self.problems.extend(ids::check(&self.files, self.problems.is_empty()));
        Read { loaded: Loaded { files: self.files, sources: self.sources }, problems: self.problems }
    }

    fn finish_tests(self, tests: Option<TestsFile>) -> Result<LoadedTests, Report> {
        match tests {
            Some(file) if self.problems.is_empty() => Ok(LoadedTests { file, sources: self.sources }),
            _ => Err(Read::refused(self.problems, self.sources)),
        }
    }
}

/// A file named in `extends`.
type Extended = Spanned<String>;

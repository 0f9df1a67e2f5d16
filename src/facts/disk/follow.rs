//! Paths taken apart, and links followed.

use std::collections::VecDeque;

use super::{Disk, Kind, Os};

/// More links than this in one path are a loop, as for the kernel.
const MOST_LINKS: usize = 40;

/// How a path starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// At the root; on Windows at a drive (`C:`) or a share (`//server/share`), which is then the name of the root.
    Root(String),
    /// Below the cwd.
    Relative,
    /// At the root of the cwd's drive (`\x` on Windows).
    ThisDrive,
    /// Somewhere that the text does not tell: `C:x`, a device.
    Unknown,
}

/// A path in its names: the root's (empty but on Windows), and those below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Place {
    /// `C:` or `//server/share` on Windows, else empty.
    pub(crate) root: String,
    /// The names below the root.
    pub(crate) names: Vec<String>,
}

impl Place {
    /// The path as the disk is asked for it.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.root, self.names.join("/"))
    }

    /// An absolute path, normalised without looking at links; `None` where it is not absolute.
    pub(crate) fn absolute(path: &str, os: Os) -> Option<Self> {
        match split(path, os) {
            (Start::Root(root), names) => Some(Self { root, names: normalise(names) }),
            (Start::Relative | Start::ThisDrive | Start::Unknown, _) => None,
        }
    }
}

/// Takes a path apart: how it starts, and its names, `..` among them; empty names and `.` are left out.
pub(crate) fn split(path: &str, os: Os) -> (Start, Vec<String>) {
    match os {
        Os::Linux | Os::Macos => {
            let start = if path.starts_with('/') { Start::Root(String::new()) } else { Start::Relative };
            (start, names(path))
        }
        Os::Windows => split_windows(&path.replace('\\', "/")),
    }
}

fn names(path: &str) -> Vec<String> {
    path.split('/').filter(|n| !n.is_empty() && *n != ".").map(str::to_owned).collect()
}

fn split_windows(path: &str) -> (Start, Vec<String>) {
    let exact = ["//?/", "//./", "/??/"].into_iter().find_map(|prefix| path.strip_prefix(prefix));
    if let Some(rest) = exact {
        if let Some(share) = strip_prefix_ignoring_case(rest, "UNC/") {
            return split_share(share);
        }
        return match split_drive(rest) {
            Some((drive, rest)) if rest.starts_with('/') => (Start::Root(drive), names(rest)),
            Some(_) | None => (Start::Unknown, Vec::new()),
        };
    }
    if let Some(share) = path.strip_prefix("//") {
        return split_share(share);
    }
    match split_drive(path) {
        Some((drive, rest)) if rest.starts_with('/') => (Start::Root(drive), names(rest)),
        Some(_) => (Start::Unknown, Vec::new()),
        None if path.starts_with('/') => (Start::ThisDrive, names(path)),
        None => (Start::Relative, names(path)),
    }
}

fn split_share(rest: &str) -> (Start, Vec<String>) {
    let mut names = names(rest).into_iter();
    match (names.next(), names.next()) {
        (Some(server), Some(share)) => {
            (Start::Root(format!("//{}/{}", server.to_lowercase(), share.to_lowercase())), names.collect())
        }
        _ => (Start::Unknown, Vec::new()),
    }
}

fn split_drive(path: &str) -> Option<(String, &str)> {
    let mut chars = path.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    (chars.next()? == ':').then(|| (format!("{}:", letter.to_ascii_uppercase()), chars.as_str()))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Takes each `..` back with the name in front of it; at the root it is nothing.
pub(crate) fn normalise(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut out = Vec::new();
    for name in names {
        if name == ".." {
            out.pop();
        } else {
            out.push(name);
        }
    }
    out
}

/// Follows the links in an absolute path, name by name, `..` as the kernel does; what does not exist stays as it is written.
///
/// `None`: it cannot be told (a loop, a link that cannot be read, a place that each process has its own of). A disk that says
/// nothing of a name is taken to have no link there.
pub(crate) fn resolve_place(disk: &dyn Disk, root: &str, names: &[String]) -> Option<Place> {
    let os = disk.os();
    let mut left: VecDeque<String> = names.iter().cloned().collect();
    let mut at = Place { root: root.to_owned(), names: Vec::new() };
    let mut links = 0;
    // Below a name that is missing nothing exists, so the disk is not asked.
    let mut missing = None;
    // The path of the first `written` names of `at`; 0 where they are others by now.
    let mut path = String::new();
    let mut written = 0;
    while let Some(name) = left.pop_front() {
        if name == ".." {
            at.names.pop();
            written = 0;
            if missing.is_some_and(|depth| at.names.len() < depth) {
                missing = None;
            }
            continue;
        }
        if name.contains(char::REPLACEMENT_CHARACTER) {
            // A name that is no text: the disk cannot be asked for it.
            return None;
        }
        at.names.push(name);
        match own_of_each_process(&at, os, left.is_empty()) {
            Own::No => {}
            Own::Itself => continue,
            Own::TheRoot => {
                at.names.clear();
                written = 0;
                continue;
            }
            Own::Unknown => return None,
        }
        if missing.is_some() {
            continue;
        }
        if written == 0 || written + 1 != at.names.len() {
            path = at.path();
        } else {
            path.push('/');
            path.push_str(at.names.last().map_or("", String::as_str));
        }
        written = at.names.len();
        match disk.kind(&path) {
            Some(Kind::Link) => {}
            Some(Kind::Missing) => {
                missing = Some(at.names.len());
                continue;
            }
            Some(Kind::File | Kind::Folder) | None => continue,
        }
        links += 1;
        if links > MOST_LINKS {
            return None;
        }
        let (start, target) = split(&disk.link(&path)?, os);
        at.names.pop();
        written = 0;
        match start {
            Start::Relative => {}
            Start::Root(root) => at = Place { root, names: Vec::new() },
            Start::ThisDrive => at.names.clear(),
            Start::Unknown => return None,
        }
        for name in target.into_iter().rev() {
            left.push_front(name);
        }
    }
    if os == Os::Macos {
        strip_data_volume(&mut at.names);
    }
    Some(at)
}

/// The same for a path as text: `/`-separated and absolute.
pub fn resolve(disk: &dyn Disk, path: &str) -> Option<String> {
    match split(path, disk.os()) {
        (Start::Root(root), names) => resolve_place(disk, &root, &names).map(|place| place.path()),
        (Start::Relative | Start::ThisDrive | Start::Unknown, _) => None,
    }
}

/// macOS shows the folders of the data volume at the root too.
fn strip_data_volume(names: &mut Vec<String>) {
    let is = |i: usize, what: &str| names.get(i).is_some_and(|n: &String| n.eq_ignore_ascii_case(what));
    if is(0, "system") && is(1, "volumes") && is(2, "data") && names.len() > 3 {
        names.drain(..3);
    }
}

enum Own {
    No,
    Itself,
    TheRoot,
    Unknown,
}

/// Names that mean something else to each process, so that the answer of this one's disk would be wrong.
fn own_of_each_process(at: &Place, os: Os, last: bool) -> Own {
    let names: Vec<&str> = at.names.iter().map(String::as_str).collect();
    let names = match names.as_slice() {
        [".vol", _, ..] if os == Os::Macos => return Own::Unknown,
        ["dev", "stdin" | "stdout" | "stderr" | "fd"] if os != Os::Windows => return Own::Itself,
        ["dev", "stdin" | "stdout" | "stderr", ..] if os != Os::Windows => return Own::Unknown,
        ["dev", "fd", _] if os != Os::Windows => return if last { Own::Itself } else { Own::Unknown },
        ["proc", rest @ ..] if os == Os::Linux => rest,
        _ => return Own::No,
    };
    let (who, rest) = match names {
        [who, "task", _, rest @ ..] | [who, rest @ ..] => (*who, rest),
        [] => return Own::No,
    };
    let own = matches!(who, "self" | "thread-self");
    if !own && !who.bytes().all(|b| b.is_ascii_digit()) {
        return Own::No;
    }
    match rest {
        ["root"] if own => Own::TheRoot,
        ["root" | "cwd" | "exe", ..] => Own::Unknown,
        ["fd" | "map_files", _] if !last => Own::Unknown,
        _ => Own::Itself,
    }
}

#[cfg(test)]
mod tests {
    use super::super::MadeUpDisk;
    use super::*;

    fn disk(text: &str) -> MadeUpDisk {
        MadeUpDisk::from_json(&serde_json::from_str(text).unwrap()).unwrap()
    }

    #[track_caller]
    fn follows(disk: &MadeUpDisk, from: &str, to: Option<&str>) {
        assert_eq!(resolve(disk, from).as_deref(), to, "{from}");
    }

    #[test]
    fn links_are_followed_name_by_name() {
        let disk = disk(
            r#"{"links": {"/a": "/b", "/b/c": "../d", "/d/up": "..", "/loop": "/loop2", "/loop2": "loop", "/abs": "/a/c/x"}}"#,
        );
        follows(&disk, "/", Some("/"));
        follows(&disk, "/x/y", Some("/x/y"));
        follows(&disk, "/a/x", Some("/b/x"));
        follows(&disk, "/a/c/new/file", Some("/d/new/file"));
        follows(&disk, "/a/c/../q", Some("/q"));
        follows(&disk, "/d/up/d/up/z", Some("/z"));
        follows(&disk, "/abs/y", Some("/d/x/y"));
        follows(&disk, "/loop/x", None);
        follows(&disk, "/proc/self/root/a/x", Some("/b/x"));
        follows(&disk, "/proc/thread-self/root/../x", Some("/x"));
        follows(&disk, "/proc/self/cwd/x", None);
        follows(&disk, "/proc/12/root/x", None);
        follows(&disk, "/proc/12/task/3/cwd", None);
        follows(&disk, "/proc/self/fd/3", Some("/proc/self/fd/3"));
        follows(&disk, "/proc/self/fd/3/x", None);
        follows(&disk, "/dev/fd/3/x", None);
        follows(&disk, "/dev/stdin", Some("/dev/stdin"));
        follows(&disk, "/proc/cpuinfo", Some("/proc/cpuinfo"));
        follows(&disk, "relative", None);
    }

    #[test]
    fn forty_links_are_followed_and_one_more_is_a_loop() {
        let links = |n: usize| {
            let all: Vec<String> = (0..n).map(|i| format!(r#""/l{i}": "/l{}""#, i + 1)).collect();
            disk(&format!(r#"{{"links": {{{}}}}}"#, all.join(",")))
        };
        assert_eq!(resolve(&links(40), "/l0").as_deref(), Some("/l40"));
        assert_eq!(resolve(&links(41), "/l0"), None);
    }

    #[test]
    fn windows_paths_are_taken_apart() {
        #[track_caller]
        fn is(path: &str, start: &Start, names: &[&str]) {
            let (s, n) = split(path, Os::Windows);
            assert_eq!(
                (&s, n.iter().map(String::as_str).collect::<Vec<_>>().as_slice()),
                (start, names),
                "{path}"
            );
        }
        let root = |r: &str| Start::Root(r.into());
        is(r"c:\x\y", &root("C:"), &["x", "y"]);
        is("C:/x/../y", &root("C:"), &["x", "..", "y"]);
        is("C:x", &Start::Unknown, &[]);
        is("C:", &Start::Unknown, &[]);
        is(r"\\Server\Share\x", &root("//server/share"), &["x"]);
        is(r"\\?\C:\x", &root("C:"), &["x"]);
        is(r"\\?\UNC\server\share\x", &root("//server/share"), &["x"]);
        is(r"\\.\PhysicalDrive0", &Start::Unknown, &[]);
        is(r"\x", &Start::ThisDrive, &["x"]);
        is(r"a\b", &Start::Relative, &["a", "b"]);
    }
}

//! Paths as tools take them: `~`, `$HOME` and `file:` at the start.

use super::super::disk::{Disk, Os};
use super::Roots;
use super::parts::Parts;

/// The parts of a path that is an argument of a tool.
pub(super) fn parts(text: &str, roots: &Roots, disk: &dyn Disk) -> Parts {
    let os = disk.os();
    if let Some(rest) = strip_scheme(text) {
        return match path_of_url(rest, os) {
            Some(path) => Parts::of_text(&path, os),
            None => Parts::Unknown,
        };
    }
    for variable in ["$HOME", "${HOME}", "%USERPROFILE%", "$env:USERPROFILE"] {
        let only_windows = !variable.contains("HOME");
        if only_windows && os != Os::Windows {
            continue;
        }
        if let Some(rest) = text.strip_prefix(variable)
            && ends_name(rest, os)
        {
            return below(roots.home.as_deref(), rest, os);
        }
    }
    if let Some(rest) = text.strip_prefix('~') {
        if ends_name(rest, os) {
            return below(roots.home.as_deref(), rest, os);
        }
        let end = rest.find(|c| super::is_separator(c, os)).unwrap_or(rest.len());
        let (user, rest) = rest.split_at(end);
        return below(disk.home_of(user).as_deref(), rest, os);
    }
    Parts::of_text(text, os)
}

fn ends_name(rest: &str, os: Os) -> bool {
    rest.chars().next().is_none_or(|c| super::is_separator(c, os))
}

fn below(folder: Option<&str>, rest: &str, os: Os) -> Parts {
    match folder {
        Some(folder) => Parts::of_text(&format!("{folder}/{rest}"), os),
        None => Parts::below_unknown(rest, os),
    }
}

fn strip_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_at_checked("file:".len())?;
    scheme.eq_ignore_ascii_case("file:").then_some(rest)
}

/// The path that a `file:` URL names on this machine.
fn path_of_url(rest: &str, os: Os) -> Option<String> {
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find('/')?);
            (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then_some(path)?
        }
        None => rest,
    };
    let path = decode(path)?;
    if !path.starts_with('/') || path.contains('\\') {
        return None;
    }
    // `file:///C:/x` is `C:/x` on Windows.
    let drive = os == Os::Windows && path.get(2..3) == Some(":");
    Some(if drive { path.get(1..)?.to_owned() } else { path })
}

/// Takes percent escapes back; `None` where they give no text.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit =
            |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16)).and_then(|d| u8::try_from(d).ok());
        bytes.push(digit(rest.next())? * 16 + digit(rest.next())?);
    }
    String::from_utf8(bytes).ok()
}

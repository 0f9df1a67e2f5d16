//! Patterns over network targets.

use std::ops::Range;

use super::{PatternError, Reading, Tri};
use crate::facts::path::{Atom, glob_matches};
use crate::facts::url::{NetworkPlace, Target, as_ipv4, normal_host};

/// A pattern has at most this many characters.
const LONGEST: usize = 1000;

/// A compiled pattern over network targets. What it leaves out holds for every target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlPattern {
    host: Host,
    port: Option<u16>,
    scheme: Option<String>,
    method: Option<String>,
    path: Option<Vec<Atom>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Host {
    /// `*`
    #[default]
    Every,
    /// `host`
    Exactly(String),
    /// `*.host`: its sub-domains.
    Below(String),
}

fn error(at: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> PatternError {
    PatternError { message: message.into(), help: Some(help.into()), at }
}

impl UrlPattern {
    /// Compiles `*`, `host`, `*.host`, `host:port` or `scheme://host[:port]/path*`.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        check_whole(text)?;
        let Some((scheme, rest)) = text.split_once("://") else {
            if let Some(at) = text.find('/') {
                return Err(error(
                    at..text.len(),
                    format!("`{text}` has a path and no scheme"),
                    format!(
                        "write `https://{}`, or `{}` for the host alone",
                        text.trim_start_matches('/'),
                        text.get(..at).unwrap_or_default()
                    ),
                ));
            }
            return Self::default().with_host_at(text, 0);
        };
        let start = scheme.len() + "://".len();
        let pattern = Self::default().with_scheme(scheme)?;
        let end = rest.find('/').unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let pattern = pattern.with_host_at(host, start)?;
        if path.is_empty() { Ok(pattern) } else { pattern.with_path_at(path, start + end) }
    }

    /// The pattern for every target, to be narrowed: the table form.
    pub fn every() -> Self {
        Self::default()
    }

    /// Only this host: `*`, `host`, `*.host`, each with or without a `:port`.
    pub fn with_host(self, text: &str) -> Result<Self, PatternError> {
        check_whole(text)?;
        if text.contains('/') {
            return Err(error(
                0..text.len(),
                format!("`{text}` is more than a host"),
                "put the scheme under `scheme` and the path under `path`, or write the URL instead of the table",
            ));
        }
        self.with_host_at(text, 0)
    }

    /// Only this port.
    #[must_use]
    pub fn with_port(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
    }

    /// Only this scheme.
    pub fn with_scheme(self, text: &str) -> Result<Self, PatternError> {
        let all = 0..text.len();
        if text.contains('*') {
            return Err(error(
                all,
                format!("the scheme `{text}` has a `*`"),
                "leave the scheme out for every scheme",
            ));
        }
        let valid = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        if !valid {
            return Err(error(all, format!("`{text}` is no scheme"), "write one such as `https` or `ssh`"));
        }
        let scheme = text.to_ascii_lowercase();
        if matches!(scheme.as_str(), "file" | "data" | "about") {
            return Err(error(
                all,
                format!("`{scheme}:` does not go to the network"),
                "put files under `reads`, such as `/etc/**`",
            ));
        }
        Ok(Self { scheme: Some(scheme), ..self })
    }

    /// Only this HTTP method.
    pub fn with_method(self, text: &str) -> Result<Self, PatternError> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_alphabetic()) {
            return Err(error(
                0..text.len(),
                format!("`{text}` is no HTTP method"),
                "write one such as `GET` or `POST`, or leave `method` out for every method",
            ));
        }
        Ok(Self { method: Some(text.to_ascii_uppercase()), ..self })
    }

    /// Only this path, query included; `*` stands for anything.
    pub fn with_path(self, text: &str) -> Result<Self, PatternError> {
        if !text.starts_with('/') {
            return Err(error(
                0..text.len(),
                format!("the path `{text}` does not start with `/`"),
                format!("write `/{text}`"),
            ));
        }
        check_whole(text)?;
        self.with_path_at(text, 0)
    }

    fn with_path_at(self, text: &str, start: usize) -> Result<Self, PatternError> {
        if let Some(at) = text.find('#') {
            return Err(error(
                start + at..start + text.len(),
                "a fragment is not part of what is fetched",
                "leave out the `#` and what follows",
            ));
        }
        if text.split(['/', '?']).any(|name| name == ".." || name == ".") {
            return Err(error(
                start..start + text.len(),
                format!("the path `{text}` has `.` or `..`"),
                "write the path that it leads to",
            ));
        }
        let mut atoms: Vec<Atom> = Vec::new();
        for c in text.chars() {
            let atom = if c == '*' { Atom::Many } else { Atom::Char(c) };
            if atom != Atom::Many || atoms.last() != Some(&Atom::Many) {
                atoms.push(atom);
            }
        }
        Ok(Self { path: Some(atoms), ..self })
    }

    fn with_host_at(self, text: &str, start: usize) -> Result<Self, PatternError> {
        let at = start..start + text.len();
        if text.is_empty() {
            return Err(error(at, "a host is empty", "write the host, or `*` for every host"));
        }
        if text.contains('@') {
            return Err(error(
                at,
                format!("`{text}` names a user"),
                "write the host alone: the user does not count",
            ));
        }
        let (host, port) = split_port(text);
        let port = match port {
            None => self.port,
            Some("*") => {
                return Err(error(at, format!("`{text}` has a `*` for a port"), "leave the port out"));
            }
            Some(port) => match port.parse::<u16>() {
                Ok(port) if port > 0 => Some(port),
                Ok(_) | Err(_) => {
                    return Err(error(
                        at,
                        format!("`{port}` is no port"),
                        "write a number from 1 to 65535, or leave it out",
                    ));
                }
            },
        };
        let host = host_pattern(host).map_err(|(message, help)| error(at, message, help))?;
        Ok(Self { host, port, ..self })
    }

    /// Whether it matches a target.
    ///
    /// `method` is that of the request, where it is known. With `follows_redirects` hosts may be asked that nobody knows beforehand.
    pub fn matches(
        &self,
        target: &Target,
        method: Option<&str>,
        follows_redirects: bool,
        reading: Reading,
    ) -> Tri {
        let place = match target {
            Target::Place(place) => place,
            Target::File(_) | Target::Nothing => return Tri::No,
            Target::Unknown => return Tri::Possibly,
        };
        let asked = self.host(&place.host, reading).and(self.scheme(place)).and(self.port(place, reading));
        let asked = asked.and(self.path(place, reading)).and(self.method(method));
        if place.others || follows_redirects && !self.is_every_host() {
            return match reading {
                Reading::Broad => asked.or(Tri::Possibly),
                Reading::Narrow => asked.and(Tri::Possibly),
            };
        }
        asked
    }

    /// A redirection changes the host and the path, and asks again with the same method or `GET`.
    fn is_every_host(&self) -> bool {
        let method = self.method.as_deref().is_none_or(|m| m == "GET");
        self.host == Host::Every
            && self.scheme.is_none()
            && self.port.is_none()
            && self.path.is_none()
            && method
    }

    fn host(&self, host: &str, reading: Reading) -> Tri {
        let is = |host: &str| match &self.host {
            Host::Every => true,
            Host::Exactly(wanted) => host == wanted,
            Host::Below(domain) => {
                host.strip_suffix(domain.as_str()).is_some_and(|sub| sub.len() > 1 && sub.ends_with('.'))
            }
        };
        let inner = || reading == Reading::Broad && as_ipv4(host).is_some_and(|ip| is(&ip));
        Tri::from(is(host) || inner())
    }

    fn scheme(&self, place: &NetworkPlace) -> Tri {
        match (&self.scheme, &place.scheme) {
            (None, _) => Tri::Yes,
            (Some(_), None) => Tri::Possibly,
            (Some(wanted), Some(scheme)) => Tri::from(wanted == scheme),
        }
    }

    fn port(&self, place: &NetworkPlace, reading: Reading) -> Tri {
        match (self.port, place.port, reading) {
            (None, _, Reading::Broad) => Tri::Yes,
            (None, _, Reading::Narrow) => Tri::from(place.own_port),
            (Some(_), None, _) => Tri::Possibly,
            (Some(wanted), Some(port), _) => Tri::from(wanted == port),
        }
    }

    fn method(&self, method: Option<&str>) -> Tri {
        match (&self.method, method) {
            (None, _) => Tri::Yes,
            (Some(_), None) => Tri::Possibly,
            (Some(wanted), Some(method)) => Tri::from(wanted.eq_ignore_ascii_case(method)),
        }
    }

    fn path(&self, place: &NetworkPlace, reading: Reading) -> Tri {
        let Some(glob) = &self.path else { return Tri::Yes };
        let Some((written, decoded)) = place.paths() else { return Tri::Possibly };
        let is = |path: &str| glob_matches(glob, path);
        let without_query = |path: &str| path.split('?').next().is_some_and(is);
        match reading {
            // `https://host/` is said of the host, too.
            Reading::Broad if *glob == [Atom::Char('/')] => Tri::Yes,
            Reading::Broad => {
                Tri::from(is(written) || is(&decoded) || without_query(written) || without_query(&decoded))
            }
            Reading::Narrow if is(written) && is(&decoded) => {
                // A server may take an escaped `..` back after we did.
                let climbs =
                    decoded.contains('\\') || decoded.split(['/', '?']).any(|n| n == ".." || n == ".");
                if climbs || decode_again(&decoded) { Tri::Possibly } else { Tri::Yes }
            }
            Reading::Narrow => Tri::No,
        }
    }
}

/// Whether escapes are left after one decoding.
fn decode_again(decoded: &str) -> bool {
    let path = decoded.split('?').next().unwrap_or_default();
    crate::facts::path::decode(path).is_none_or(|again| again != path)
}

fn check_whole(text: &str) -> Result<(), PatternError> {
    let all = 0..text.len();
    if text.is_empty() {
        return Err(error(all, "a network pattern is empty", "write a host, or `*` for every host"));
    }
    if text.chars().count() > LONGEST {
        return Err(error(
            all,
            format!("a network pattern is longer than {LONGEST} characters"),
            "write a shorter one",
        ));
    }
    if let Some((at, c)) = text.char_indices().find(|(_, c)| c.is_whitespace() || c.is_control()) {
        return Err(error(
            at..at + c.len_utf8(),
            format!("`{}` has a blank", text.escape_debug()),
            "write one host or URL a pattern",
        ));
    }
    if let Some(at) = text.find('\\') {
        return Err(error(at..at + 1, format!("`{text}` has a `\\`"), "write `/`"));
    }
    Ok(())
}

fn split_port(text: &str) -> (&str, Option<&str>) {
    if text.parse::<std::net::Ipv6Addr>().is_ok() {
        return (text, None);
    }
    match text.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        Some(_) | None => (text, None),
    }
}

fn host_pattern(text: &str) -> Result<Host, (String, String)> {
    if text == "*" {
        return Ok(Host::Every);
    }
    let (domain, below) = match text.strip_prefix("*.") {
        Some(domain) => (domain, true),
        None => (text, false),
    };
    if domain.contains('*') {
        let end = domain.rsplit('*').next().unwrap_or_default().trim_start_matches('.');
        let instead = if end.contains('.') { end } else { "example.com" };
        return Err((
            format!("`{text}` has a `*` where none may stand"),
            format!("`*` is every host, and `*.{instead}` every sub-domain of `{instead}`"),
        ));
    }
    if let Some(domain) = text.strip_prefix('.') {
        return Err((
            format!("`{text}` starts with a dot"),
            format!("write `*.{domain}` for the sub-domains of `{domain}`"),
        ));
    }
    let bracketed = domain.parse::<std::net::Ipv6Addr>().is_ok().then(|| format!("[{domain}]"));
    let Some(host) = normal_host(bracketed.as_deref().unwrap_or(domain)) else {
        return Err((
            format!("`{domain}` is not the name of a host"),
            "write a name such as `example.com`, or an address".to_owned(),
        ));
    };
    if !below {
        return Ok(Host::Exactly(host));
    }
    if host.parse::<std::net::IpAddr>().is_ok() {
        return Err((format!("`{text}`: an address has no sub-domains"), format!("write `{host}`")));
    }
    Ok(Host::Below(host))
}

#[cfg(test)]
mod tests;

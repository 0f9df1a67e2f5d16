//! What a call fetches from the network.

use std::net::{IpAddr, Ipv6Addr};

use super::path::decode;
use super::word::{Piece, Word};

/// Longer targets than this are unknown.
const LONGEST: usize = 16 * 1024;

/// A network target, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A place on the network.
    Place(NetworkPlace),
    /// A file is read: the `file:` URL, for [`FilePath::from_argument`](super::path::FilePath::from_argument), where it is known.
    File(Option<String>),
    /// Nothing is fetched: `data:`, `about:`.
    Nothing,
    /// Nobody can tell.
    Unknown,
}

/// A place on the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkPlace {
    /// Lower case; `None` where it is not known.
    pub scheme: Option<String>,
    /// Normalised: lower case, IDNA, no dot at the end; addresses in their usual form, IPv6 without brackets.
    pub host: String,
    /// The port that is asked, where it is known.
    pub port: Option<u16>,
    /// Whether that is the scheme's own port.
    pub own_port: bool,
    /// The path, with a leading `/` and the query; `None` where it is not known.
    pub path: Option<String>,
    /// Other targets may be fetched too (an unquoted expansion that may give several words).
    pub others: bool,
}

/// The port that a scheme has by default.
pub(crate) fn own_port(scheme: &str) -> Option<u16> {
    Some(match scheme {
        "http" | "ws" => 80,
        "https" | "wss" | "docker" | "oci" => 443,
        "ftp" => 21,
        "ftps" => 990,
        "ssh" | "sftp" | "scp" | "git+ssh" | "ssh+git" => 22,
        "telnet" => 23,
        "smtp" => 25,
        "smtps" => 465,
        "dns" => 53,
        "gopher" => 70,
        "pop3" => 110,
        "imap" => 143,
        "imaps" => 993,
        "ldap" => 389,
        "ldaps" => 636,
        "rsync" => 873,
        "mysql" => 3306,
        "postgres" | "postgresql" => 5432,
        "redis" => 6379,
        "rediss" => 6380,
        "mongodb" => 27017,
        "git" => 9418,
        _ => return None,
    })
}

impl Target {
    /// Reads a URL, `host`, `host:port`, `host/path`, or `user@host:path` where the default scheme is ssh or none.
    ///
    /// `default_scheme` holds where the text has none; it is empty where nothing is known.
    pub fn parse(text: &str, default_scheme: &str) -> Self {
        // Programs differ over blanks inside, and agree that those around mean nothing.
        let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
        if text.is_empty()
            || text.len() > LONGEST
            || text.chars().any(|c| c.is_control() || c.is_whitespace())
        {
            return Self::Unknown;
        }
        match scheme(text) {
            Some((scheme, rest)) => with_scheme(&scheme, rest),
            None => without_scheme(text, default_scheme),
        }
        .unwrap_or(Self::Unknown)
    }

    /// Reads a word of a command. Where only what follows the host is unknown, the host is kept.
    pub fn from_word(word: &Word, default_scheme: &str) -> Self {
        if let Some(text) = word.literal() {
            return Self::parse(&text, default_scheme);
        }
        let start = word.known_start();
        let authority = match scheme(&start) {
            Some((_, rest)) => rest.strip_prefix("//"),
            None => Some(start.as_str()),
        };
        let Some(end) = authority.and_then(|a| a.find(['/', '?', '#']).map(|i| start.len() - a.len() + i))
        else {
            return Self::Unknown;
        };
        let splits = word.pieces.iter().any(|p| matches!(p, Piece::Unknown { splits: true }));
        match Self::parse(start.get(..end).unwrap_or_default(), default_scheme) {
            Self::Place(place) => Self::Place(NetworkPlace { path: None, others: splits, ..place }),
            Self::File(_) if !splits => Self::File(None),
            Self::File(_) | Self::Nothing | Self::Unknown => Self::Unknown,
        }
    }
}

/// The scheme of a URL, lower case, and what follows its `:`. A `host:port` has none.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let scheme = scheme.to_ascii_lowercase();
    let needs_no_slashes = matches!(
        scheme.as_str(),
        "http"
            | "https"
            | "ftp"
            | "ws"
            | "wss"
            | "file"
            | "data"
            | "about"
            | "blob"
            | "javascript"
            | "mailto"
    );
    (valid && (rest.starts_with("//") || needs_no_slashes)).then_some((scheme, rest))
}

fn with_scheme(scheme: &str, rest: &str) -> Option<Target> {
    match scheme {
        "file" => {
            return Some(Target::File(Some(format!("file:{rest}"))));
        }
        "data" | "about" => return Some(Target::Nothing),
        // Code, and URLs in URLs.
        "blob" | "javascript" | "mailto" => return None,
        _ => {}
    }
    // Browsers take any number of slashes and backslashes for `//`, other programs do not: no two need agree on the host.
    let rest = rest.strip_prefix("//").filter(|rest| !rest.starts_with('/'))?;
    place(Some(scheme), rest)
}

/// `[user@]host[:port][/path]`.
fn place(scheme: Option<&str>, text: &str) -> Option<Target> {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (authority, path) = text.split_at(end);
    let host_port = strip_user(authority)?;
    let (host, port) = split_port(host_port)?;
    let host = normal_host(host)?;
    let port = match port {
        None | Some("") => None,
        Some(port) if port.bytes().all(|b| b.is_ascii_digit()) => Some(port.parse().ok()?),
        Some(_) => return None,
    };
    let own = scheme.and_then(own_port);
    Some(Target::Place(NetworkPlace {
        scheme: scheme.map(str::to_owned),
        host,
        port: port.or(own),
        // A port that is not given is the scheme's own, whatever that is.
        own_port: port.is_none() || port == own,
        path: normal_path(scheme, path),
        others: false,
    }))
}

/// What is left of an authority without its user. Programs take a `\` or a second `@` in different ways.
fn strip_user(authority: &str) -> Option<&str> {
    if authority.contains('\\') {
        return None;
    }
    match authority.split_once('@') {
        None => Some(authority),
        Some((_, host)) => (!host.contains('@')).then_some(host),
    }
}

fn split_port(text: &str) -> Option<(&str, Option<&str>)> {
    if text.starts_with('[') {
        let (host, rest) = text.split_at(text.find(']')? + 1);
        return match rest.strip_prefix(':') {
            Some(port) => Some((host, Some(port))),
            None => rest.is_empty().then_some((host, None)),
        };
    }
    match text.split_once(':') {
        Some((host, port)) => Some((host, Some(port))),
        None => Some((text, None)),
    }
}

/// The one spelling of a host; `None` where it is none.
pub(crate) fn normal_host(host: &str) -> Option<String> {
    // Programs differ on whether they take percent escapes in a host back.
    if host.contains('%') {
        return None;
    }
    match url::Host::parse(host).ok()? {
        url::Host::Ipv4(ip) => Some(ip.to_string()),
        url::Host::Ipv6(ip) => Some(ip.to_string()),
        url::Host::Domain(domain) => {
            let domain = domain.strip_suffix('.').unwrap_or(&domain);
            let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
            let valid =
                !domain.is_empty() && domain.bytes().all(plain) && domain.split('.').all(|l| !l.is_empty());
            // An address with a dot at the end is still one.
            if valid && domain.parse::<IpAddr>().is_err() { Some(domain.to_owned()) } else { None }
        }
    }
}

/// The IPv4 address that an IPv6 one stands for.
pub(crate) fn as_ipv4(host: &str) -> Option<String> {
    let ip: Ipv6Addr = host.parse().ok()?;
    ip.to_ipv4_mapped().map(|v4| v4.to_string())
}

/// The path with `..` taken back, and the query; `None` where it may be several (globs of curl).
fn normal_path(scheme: Option<&str>, path: &str) -> Option<String> {
    if path.contains(['{', '}', '[', ']', '\\']) {
        return None;
    }
    let scheme = match scheme {
        Some("https") => "https",
        _ => "http",
    };
    let parsed = url::Url::parse(&format!("{scheme}://h{path}")).ok()?;
    Some(match parsed.query() {
        Some(query) => format!("{}?{query}", parsed.path()),
        None => parsed.path().to_owned(),
    })
}

fn without_scheme(text: &str, default_scheme: &str) -> Option<Target> {
    if text.starts_with("//") {
        return with_scheme(if default_scheme.is_empty() { "https" } else { default_scheme }, text);
    }
    let default = (!default_scheme.is_empty()).then_some(default_scheme);
    if let Ok(ip) = text.parse::<Ipv6Addr>() {
        return place(default, &format!("[{ip}]"));
    }
    let ssh = default.is_some_and(|s| own_port(s) == Some(22));
    if ssh || default.is_none() {
        let before_path = text.find('/').unwrap_or(text.len());
        let (head, _) = text.split_at(before_path);
        if let Some((_, rest)) = head.strip_prefix('[').map_or_else(
            || strip_user(head).and_then(|host| host.split_once(':')),
            |inside| inside.split_once("]:"),
        ) {
            // `host:22` is a port for some programs and a path for others.
            let numeric = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
            if !numeric || ssh {
                let host_end = text.len() - text.get(head.len()..)?.len() - rest.len() - 1;
                let Target::Place(place) = place(Some("ssh"), text.get(..host_end)?)? else { return None };
                return Some(Target::Place(NetworkPlace { path: None, ..place }));
            }
        }
    }
    // curl takes the scheme from the first label of the host.
    let guessed = ["ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3."];
    let lower = strip_user(text.split('/').next().unwrap_or_default())?.to_ascii_lowercase();
    let by_label = default == Some("http") && guessed.iter().any(|g| lower.starts_with(g));
    place(if by_label { None } else { default }, text)
}

impl NetworkPlace {
    /// The path as written and with its percent escapes taken back; `None` where it is not known.
    pub(crate) fn paths(&self) -> Option<(&str, String)> {
        let path = self.path.as_deref()?;
        Some((path, decode(path).unwrap_or_else(|| path.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `scheme host port path`, with `?` for what is not known.
    fn shown(target: &Target) -> String {
        match target {
            Target::Place(p) => {
                let port = p.port.map_or("?".into(), |p| p.to_string());
                let own = if p.own_port { "" } else { "!" };
                let path = p.path.as_deref().unwrap_or("?");
                let others = if p.others { " others" } else { "" };
                format!("{} {} {own}{port} {path}{others}", p.scheme.as_deref().unwrap_or("?"), p.host)
            }
            Target::File(path) => format!("file {}", path.as_deref().unwrap_or("?")),
            Target::Nothing => "nothing".into(),
            Target::Unknown => "unknown".into(),
        }
    }

    #[test]
    fn targets() {
        #[track_caller]
        fn is(text: &str, default: &str, want: &str) {
            assert_eq!(shown(&Target::parse(text, default)), want, "{text}");
        }
        is("https://Example.COM./x?y#z", "", "https example.com 443 /x?y");
        is("https://example.com", "", "https example.com 443 /");
        is("HTTP://example.com:80/", "", "http example.com 80 /");
        is("https://example.com:8443/", "", "https example.com !8443 /");
        is("https://example.com:/", "", "https example.com 443 /");
        is("https://example.com@attacker.test/x", "", "https attacker.test 443 /x");
        is("https://a@b@c.test/x", "", "unknown");
        is("https://good.test\\@evil.test/", "", "unknown");
        is("https:\\\\evil.test/", "", "unknown");
        is("https:///evil.test/", "", "unknown");
        is("https:evil.test/", "", "unknown");
        is("https://ev\til.test/", "", "unknown");
        is(" https://a.test/\n", "", "https a.test 443 /");
        is("https://a b.test/", "", "unknown");
        is("https://example.com%2f@evil.test/", "", "https evil.test 443 /");
        is("https://ex%61mple.com/", "", "unknown");
        is("https://bücher.test/", "", "https xn--bcher-kva.test 443 /");
        is("https://еxample.com/", "", "https xn--xample-2of.com 443 /");
        is("https://example。com/", "", "https example.com 443 /");
        is("http://2130706433/", "", "http 127.0.0.1 80 /");
        is("http://0x7f.1/", "", "http 127.0.0.1 80 /");
        is("http://0177.0.0.1/", "", "http 127.0.0.1 80 /");
        is("http://127.1./", "", "http 127.0.0.1 80 /");
        is("http://[::1]:3000/", "", "http ::1 !3000 /");
        is("http://[::ffff:127.0.0.1]/", "", "http ::ffff:127.0.0.1 80 /");
        is("http://[::1/", "", "unknown");
        is("http://999.1.1.1/", "", "unknown");
        is("http://a..b/", "", "unknown");
        is("http:///", "", "unknown");
        is("http://h:99999/", "", "unknown");
        is("http://h:8x/", "", "unknown");
        is("http://{a,b}.test/", "", "unknown");
        is("http://h/{a,b}", "", "http h 80 ?");
        is("http://h/a/../../b/%2e%2e/c", "", "http h 80 /c");
        is("file:///etc/passwd", "", "file file:///etc/passwd");
        is("FILE://host/etc/passwd", "", "file file://host/etc/passwd");
        is("data:text/plain,x", "", "nothing");
        is("about:blank", "", "nothing");
        is("javascript:alert(1)", "", "unknown");
        is("", "", "unknown");
        is("example.com", "http", "http example.com 80 /");
        is("example.com:8080/x", "http", "http example.com !8080 /x");
        is("localhost:3000", "http", "http localhost !3000 /");
        is("localhost:3000", "", "? localhost !3000 /");
        is("user:pw@example.com/x", "http", "http example.com 80 /x");
        is("ftp.example.com/x", "http", "? ftp.example.com ? /x");
        is("//cdn.test/x", "", "https cdn.test 443 /x");
        is("git@github.com:org/repo.git", "ssh", "ssh github.com 22 ?");
        is("git@github.com:org/repo.git", "", "ssh github.com 22 ?");
        is("host:22", "ssh", "ssh host 22 ?");
        is("host:22", "", "? host !22 /");
        is("user@host", "ssh", "ssh host 22 /");
        is("[::1]:x", "ssh", "ssh ::1 22 ?");
        is("::1", "ssh", "ssh ::1 22 /");
        is("ssh://git@GitHub.com/org/repo", "", "ssh github.com 22 /org/repo");
        is("ssh://git@h:2222/x", "", "ssh h !2222 /x");
        is("postgres://u:p@db.test/x", "", "postgres db.test 5432 /x");
        is("weird://h/x", "", "weird h ? /x");
    }

    #[test]
    fn words() {
        #[track_caller]
        fn is(pieces: &[Piece], want: &str) {
            let word = Word { pieces: pieces.to_vec(), span: (0, 0) };
            assert_eq!(shown(&Target::from_word(&word, "http")), want);
        }
        let text = |t: &str| Piece::Text(t.into());
        let unknown = |splits| Piece::Unknown { splits };
        is(&[text("https://h.test/"), unknown(false)], "https h.test 443 ?");
        is(&[text("https://h.test/"), unknown(true)], "https h.test 443 ? others");
        is(&[text("https://h.test/x"), Piece::Glob("?".into()), text("y=1")], "https h.test 443 ?");
        is(&[text("https://h.test"), Piece::Glob("?".into()), text("y=1")], "unknown");
        is(&[text("https://h.test?x="), unknown(false)], "https h.test 443 ?");
        is(&[text("https://h.test"), unknown(false), text("/")], "unknown");
        is(&[text("https://h.test:"), unknown(false), text("/")], "unknown");
        is(&[text("https://"), unknown(false), text("@h.test/")], "unknown");
        is(&[text("https:/"), unknown(false)], "unknown");
        is(&[unknown(false)], "unknown");
        is(&[text("h.test/"), unknown(false)], "http h.test 80 ?");
        is(&[text("file:///"), unknown(false)], "file ?");
        is(&[text("data:x/"), unknown(false)], "unknown");
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "\\PC{0,20}|[a:/@.?#\\[\\]%\\\\0-9]{0,20}", default in "(http|ssh|)") {
            let _ = Target::parse(&text, &default);
        }
    }
}

use proptest::prelude::*;

use super::*;
use Reading::{Broad, Narrow};
use Tri::{No, Possibly, Yes};

/// `METHOD scheme://…` for a table with a method.
#[track_caller]
fn parse(text: &str) -> UrlPattern {
    let (method, text) = match text.split_once(' ') {
        Some((method, text)) => (Some(method), text),
        None => (None, text),
    };
    let pattern = UrlPattern::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    method.map_or(pattern.clone(), |m| pattern.with_method(m).unwrap())
}

fn both(pattern: &UrlPattern, target: &Target, method: Option<&str>, redirects: bool) -> (Tri, Tri) {
    (pattern.matches(target, method, redirects, Broad), pattern.matches(target, method, redirects, Narrow))
}

#[test]
fn hosts_schemes_ports_and_paths() {
    #[track_caller]
    fn check(pattern: &str, url: &str, broad: Tri, narrow: Tri) {
        let answer = both(&parse(pattern), &Target::parse(url, ""), None, false);
        assert_eq!(answer, (broad, narrow), "`{pattern}` on `{url}`");
    }
    check("example.com", "https://example.com/x", Yes, Yes);
    check("example.com", "https://EXAMPLE.com./x", Yes, Yes);
    check("example.com", "https://example.com.attacker.test/x", No, No);
    check("example.com", "https://example.com@attacker.test/x", No, No);
    check("example.com", "https://www.example.com/", No, No);
    check("EXAMPLE.com.", "https://example.com/", Yes, Yes);
    check("*.example.com", "https://a.b.example.com/", Yes, Yes);
    check("*.example.com", "https://example.com/", No, No);
    check("*.example.com", "https://badexample.com/", No, No);
    check("*.example.com", "https://.example.com/", Possibly, Possibly);
    check("*", "https://anything.test", Yes, Yes);
    check("*", "https://anything.test:444", Yes, No);
    check("*", "file:///etc/passwd", No, No);
    check("*", "data:,x", No, No);
    check("localhost", "http://localhost:3000/login", Yes, No);
    check("localhost:3000", "http://localhost:3000/login", Yes, Yes);
    check("localhost:3000", "http://localhost/login", No, No);
    check("h.test:443", "https://h.test/", Yes, Yes);
    check("*:8080", "https://h.test:8080/", Yes, Yes);
    check("vault.corp.test", "https://VAULT.corp.test./secret", Yes, Yes);
    check("https://example.com", "http://example.com/", No, No);
    check("https://example.com", "https://example.com/x", Yes, Yes);
    check("https://example.com", "https://example.com:8443/x", Yes, No);
    check("https://example.com:8443", "https://example.com:8443/x", Yes, Yes);
    check("https://*.h.test/api/*", "https://a.h.test/api/x/y?z", Yes, Yes);
    check("https://h.test/api/*", "https://h.test/apis", No, No);
    check("https://h.test/api/*", "https://h.test/api/../admin", No, No);
    check("https://h.test/api/*", "https://h.test/api/%2e%2e/admin", No, No);
    check("https://h.test/api/*", "https://h.test/api/..%2fadmin", Yes, Possibly);
    check("https://h.test/api/*", "https://h.test/api/%252e%252e/admin", Yes, Possibly);
    check("https://h.test/api/*", "https://h.test/api/a%20b", Yes, Yes);
    check("https://h.test/admin*", "https://h.test/%61dmin", Yes, No);
    check("https://h.test/x", "https://h.test/x?q=1", Yes, No);
    check("https://h.test/x", "https://h.test/x#f", Yes, Yes);
    check("https://h.test/", "https://h.test/x", Yes, No);
    check("https://h.test/", "https://h.test", Yes, Yes);
    check("https://h.test/*", "https://h.test/{a,b}", Possibly, Possibly);
    check("127.0.0.1", "http://2130706433/", Yes, Yes);
    check("127.0.0.1", "http://0x7f.1/", Yes, Yes);
    check("127.0.0.1", "http://[::ffff:127.0.0.1]/", Yes, No);
    check("::1", "http://[0:0::1]/", Yes, Yes);
    check("[::1]:80", "http://[::1]/", Yes, Yes);
    check("bücher.test", "https://xn--bcher-kva.test/", Yes, Yes);
    check("example.com", "https://ехample.com/", No, No);
    check("github.com", "git@github.com:org/repo.git", Yes, Yes);
    check("ssh://github.com", "git@github.com:org/repo.git", Yes, Yes);
    check("https://github.com/org/*", "git@github.com:org/repo.git", No, No);
    check("ssh://github.com/org/*", "git@github.com:org/repo.git", Possibly, Possibly);
    check("https://h.test", "h.test", Possibly, Possibly);
    check("evil.test", "https://good.test\\@evil.test/", Possibly, Possibly);
    check("good.test", "https://good.test\\@evil.test/", Possibly, Possibly);
    check("*", "", Possibly, Possibly);
}

#[test]
fn methods_and_redirections() {
    #[track_caller]
    fn check(pattern: &str, method: Option<&str>, redirects: bool, broad: Tri, narrow: Tri) {
        let target = Target::parse("https://docs.test/x", "");
        assert_eq!(
            both(&parse(pattern), &target, method, redirects),
            (broad, narrow),
            "{pattern} {method:?}"
        );
    }
    check("GET docs.test", Some("get"), false, Yes, Yes);
    check("GET docs.test", Some("POST"), false, No, No);
    check("GET docs.test", None, false, Possibly, Possibly);
    check("docs.test", None, false, Yes, Yes);
    check("docs.test", Some("GET"), true, Yes, Possibly);
    check("other.test", Some("GET"), true, Possibly, No);
    check("*", Some("GET"), true, Yes, Yes);
    check("GET *", Some("GET"), true, Yes, Yes);
    check("POST *", Some("POST"), true, Yes, Possibly);
    check("https://*", Some("GET"), true, Yes, Possibly);
}

#[test]
fn several_words_are_several_targets() {
    use crate::facts::word::{Piece, Word};
    let pieces = vec![Piece::Text("https://h.test/".into()), Piece::Unknown { splits: true }];
    let target = Target::from_word(&Word { pieces, span: (0, 0) }, "http");
    assert_eq!(both(&parse("h.test"), &target, None, false), (Yes, Possibly));
    assert_eq!(both(&parse("other.test"), &target, None, false), (Possibly, No));
}

#[test]
fn tables() {
    let table =
        UrlPattern::every().with_host("*.h.test").unwrap().with_scheme("HTTPS").unwrap().with_port(8443);
    let target = Target::parse("https://a.h.test:8443/x", "");
    assert_eq!(both(&table, &target, None, false), (Yes, Yes));
    let table = table.with_path("/y*").unwrap();
    assert_eq!(both(&table, &target, None, false), (No, No));
    let post = UrlPattern::every().with_method("post").unwrap();
    assert_eq!(both(&post, &target, Some("POST"), false), (Yes, No), "the port is not the scheme's own");
}

#[test]
fn faults() {
    #[track_caller]
    fn refused(text: &str, message: &str, at: Range<usize>) {
        let error = UrlPattern::parse(text).unwrap_err();
        assert_eq!((error.message.as_str(), error.at.clone()), (message, at), "{text}");
        assert!(error.help.is_some());
    }
    refused("", "a network pattern is empty", 0..0);
    refused("a b", "`a b` has a blank", 1..2);
    refused("h.test/x", "`h.test/x` has a path and no scheme", 6..8);
    refused("ex*mple.com", "`ex*mple.com` has a `*` where none may stand", 0..11);
    refused("*example.com", "`*example.com` has a `*` where none may stand", 0..12);
    refused("*.*.com", "`*.*.com` has a `*` where none may stand", 0..7);
    refused(".example.com", "`.example.com` starts with a dot", 0..12);
    refused("*://h.test", "the scheme `*` has a `*`", 0..1);
    refused("1x://h.test", "`1x` is no scheme", 0..2);
    refused("file:///etc", "`file:` does not go to the network", 0..4);
    refused("https:///x", "a host is empty", 8..8);
    refused("u@h.test", "`u@h.test` names a user", 0..8);
    refused("h.test:*", "`h.test:*` has a `*` for a port", 0..8);
    refused("h.test:0", "`0` is no port", 0..8);
    refused("h.test:x", "`x` is no port", 0..8);
    refused("a..b", "`a..b` is not the name of a host", 0..4);
    refused("xn--a", "`xn--a` is not the name of a host", 0..5);
    refused("*.127.0.0.1", "`*.127.0.0.1`: an address has no sub-domains", 0..11);
    refused("https://h/x#y", "a fragment is not part of what is fetched", 11..13);
    refused("https://h/../y", "the path `/../y` has `.` or `..`", 9..14);
    refused("https://h\\x", "`https://h\\x` has a `\\`", 9..10);
    assert!(UrlPattern::every().with_host("https://h").is_err());
    assert!(UrlPattern::every().with_path("x").is_err());
    assert!(UrlPattern::every().with_method("G T").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn narrow_yes_implies_broad_yes(
        pattern in "(GET )?((https|ssh)://)?([*]|([*][.])?(a|b)[.]test|127[.]0[.]0[.]1)(:80)?",
        path in "|/|/a[*]?|/[*]|/a/b",
        url in "((https|http)://|git@)(a|b|x[.]a)[.]test(:80|:443|:x)?(/|/a|/a/b|/%61|/[.][.])?",
        method in prop_oneof![Just(None), Just(Some("GET")), Just(Some("POST"))], redirects: bool
    ) {
        let path = if pattern.contains("://") { path } else { String::new() };
        let pattern = parse(&format!("{pattern}{path}"));
        let (broad, narrow) = both(&pattern, &Target::parse(&url, ""), method, redirects);
        prop_assert!(narrow != Yes || broad == Yes);
        let unknown = both(&pattern, &Target::Unknown, method, redirects);
        prop_assert!(unknown.0 != No && unknown.1 != Yes);
        let blind = both(&pattern, &Target::parse(&url, ""), None, redirects);
        prop_assert!(broad == No || blind.0 != No);
        prop_assert!(narrow == Yes || blind.1 != Yes);
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,16}|[a:/@.*?#\\[\\]0-9]{0,16}", url in "\\PC{0,16}|[a:/@.*?#\\[\\]0-9]{0,16}") {
        if let Ok(pattern) = UrlPattern::parse(&text) {
            let _ = both(&pattern, &Target::parse(&url, "http"), None, true);
        }
    }
}

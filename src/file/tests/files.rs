//! Files on the disk: unreadable ones, and those that extend each other.

use std::path::Path;

use crate::diagnostic::Code;
use crate::file::{load, load_tests, test_files};

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// What is said of `policy.toml` in a folder with these files, without the folder's name.
#[track_caller]
fn said(files: &[(&str, &[u8])]) -> Vec<String> {
    said_of(files, "policy.toml")
}

#[track_caller]
fn said_of(files: &[(&str, &[u8])], name: &str) -> Vec<String> {
    let dir = folder(files);
    let report = load(&dir.path().join(name)).expect_err("it loads");
    let prefix = format!("{}/", dir.path().display());
    report.to_string().lines().map(|line| line.replace(&prefix, "")).collect()
}

/// The ids of the list that `policy.toml` is.
#[track_caller]
fn ids(files: &[(&str, &[u8])]) -> Vec<String> {
    let dir = folder(files);
    let loaded = load(&dir.path().join("policy.toml")).unwrap_or_else(|report| panic!("{report}"));
    loaded.rules().map(|(_, id, _, _)| id).collect()
}

fn file(extends: &str, id: &str) -> Vec<u8> {
    format!("version = 1\nextends = [{extends}]\n[[rules]]\nid = \"{id}\"\nallow_by_name = []\n").into_bytes()
}

#[test]
fn what_is_no_text_is_refused_with_its_place() {
    let big = vec![b'#'; (4 << 20) + 1];
    for (bytes, said_of_it) in [
        (
            &b"version = 1\ndescription = \"\xe9\"\n"[..],
            "policy.toml:2:16: error[E0104]: the file is not UTF-8: byte 0xE9 at offset 27 (save it as UTF-8)",
        ),
        (
            b"\xef\xbb\xbfversion = 1",
            "policy.toml:1:1: error[E0105]: the file starts with a byte order mark (remove it)",
        ),
        (b"version = 1 # \0", "policy.toml:1:15: error[E0105]: the file has a NUL character (remove it)"),
        (
            b"\xff\xfev\0",
            "policy.toml:1:1: error[E0104]: the file is not UTF-8: byte 0xFF at offset 0 (save it as UTF-8)",
        ),
        (
            b"",
            "policy.toml:1:1: error[E0106]: the file is empty (a policy that says nothing is `version = 1`; every call is then denied)",
        ),
        (
            b" \n\t\n",
            "policy.toml:1:1: error[E0106]: the file is empty (a policy that says nothing is `version = 1`; every call is then denied)",
        ),
        (
            &big,
            "policy.toml:1:1: error[E0103]: the file is larger than 4 MiB (split it, and let one file extend the others)",
        ),
    ] {
        assert_eq!(said(&[("policy.toml", bytes)]), [said_of_it]);
    }
}

#[test]
fn a_file_is_read_or_the_reason_is_told() {
    assert_eq!(
        said(&[]),
        ["policy.toml:1:1: error[E0101]: `policy.toml` cannot be read: there is no such file"]
    );
    assert_eq!(
        said(&[("policy.toml/x", b"")]),
        ["policy.toml:1:1: error[E0101]: `policy.toml` cannot be read: it is a folder"]
    );
    for name in ["policy.txt", "policy", "toml"] {
        assert_eq!(
            said_of(&[(name, b"version = 1")], name),
            [format!(
                "{name}:1:1: error[E0102]: the format of `{name}` is not known (name it `.toml`, `.yaml`, `.yml` or `.json`)"
            )]
        );
    }
    for (name, text) in [
        ("a.TOML", "version = 1"),
        ("a.Yml", "version: 1"),
        ("a.YAML", "version: 1"),
        ("a.json", "{\"version\": 1}"),
    ] {
        let dir = folder(&[(name, text.as_bytes())]);
        assert!(load(&dir.path().join(name)).is_ok(), "{name}");
    }
}

#[test]
fn a_file_goes_before_all_that_it_extends() {
    assert_eq!(
        ids(&[
            ("policy.toml", &file("\"b.toml\", \"sub/c.toml\"", "a")),
            ("b.toml", &file("\"./d.toml\"", "b")),
            ("sub/c.toml", &file("\"../d.toml\"", "c")),
            ("d.toml", &file("", "d")),
        ]),
        ["a", "b", "c", "d"],
        "a diamond is loaded once, and after both that extend it"
    );
    assert_eq!(
        ids(&[
            ("policy.toml", &file("\"b.toml\", \"c.toml\"", "a")),
            ("b.toml", &file("\"e.toml\"", "b")),
            ("c.toml", &file("", "c")),
            ("e.toml", &file("", "e")),
        ]),
        ["a", "b", "e", "c"]
    );
}

#[test]
fn formats_extend_each_other() {
    assert_eq!(
        ids(&[
            ("policy.toml", &file("\"b.yaml\"", "a")),
            ("b.yaml", b"version: 1\nextends: [c.json]\nrules: [{allow_by_default: true}]"),
            ("c.json", b"{\"version\": 1, \"rules\": [{\"id\": \"c\", \"decide_by_human\": true}]}"),
        ]),
        ["a", "rule-2", "c"]
    );
}

#[test]
fn circles_are_named() {
    assert_eq!(
        said(&[("policy.toml", &file("\"b.toml\"", "a")), ("b.toml", &file("\"policy.toml\"", "b"))]),
        [
            "b.toml:2:12: error[E0112]: files extend each other: `policy.toml` extends `b.toml` extends `policy.toml` (remove one of the steps)"
        ]
    );
    assert_eq!(
        said(&[("policy.toml", &file("\"policy.toml\"", "a"))]),
        [
            "policy.toml:2:12: error[E0112]: files extend each other: `policy.toml` extends `policy.toml` (remove one of the steps)"
        ]
    );
}

#[test]
fn only_relative_paths_are_extended() {
    for (written, why) in [
        ("/etc/a.toml", ""),
        ("~/a.toml", ""),
        ("https://example.com/a.toml", ""),
        ("C:/a.toml", ""),
        ("sub\\\\a.toml", ""),
    ] {
        let shown = written.replace("\\\\", "\\");
        assert_eq!(
            said(&[("policy.toml", &file(&format!("\"{written}\""), "a"))]),
            [format!(
                "policy.toml:2:12: error[E0113]: `{shown}` is not a relative path (write a path relative to this file, such as `\"../base.toml\"`){why}"
            )]
        );
    }
    assert_eq!(
        said(&[("policy.toml", &file("\"b.toml\"", "a"))]),
        ["policy.toml:2:12: error[E0101]: `b.toml` cannot be read: there is no such file"]
    );
}

#[test]
fn problems_of_all_files_are_told_at_once() {
    assert_eq!(
        said(&[
            ("policy.toml", &file("\"b.toml\", \"c.yaml\"", "A")),
            ("b.toml", b"version = 1\nfoo"),
            ("c.yaml", b"version: 1\nbar: 1"),
        ]),
        [
            "policy.toml:4:6: error[E0307]: the id `A` is not in kebab-case (write `a`)",
            "c.yaml:2:1: error[E0202]: unknown key `bar` in a policy",
            "b.toml:2:4: error[E0107]: not TOML: key with no value, expected `=`",
        ]
    );
}

#[test]
fn ids_are_unique_across_files() {
    let said = said(&[("policy.toml", &file("\"b.toml\"", "a")), ("b.toml", &file("", "a"))]);
    assert_eq!(said, ["b.toml:4:6: error[E0308]: two rules have the id `a` (give one of them another id)"]);
}

#[test]
fn a_policy_is_made_of_at_most_64_files() {
    let mut files: Vec<(String, Vec<u8>)> =
        (1..70).map(|n| (format!("{n}.toml"), file("", &format!("f{n}")))).collect();
    let all: Vec<_> = files.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    files.push(("policy.toml".into(), file(&all.join(", "), "a")));
    let files: Vec<_> = files.iter().map(|(n, t)| (n.as_str(), t.as_slice())).collect();
    let dir = folder(&files);
    let report = load(&dir.path().join("policy.toml")).unwrap_err();
    assert_eq!(report.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), [Code::E0114]);
}

#[test]
fn files_of_tests_stand_beside_their_policy() {
    let tests = b"version = 1\ntests = [{ call = { tool = \"a\" }, expect = \"deny\" }]";
    let dir = folder(&[
        ("policy.toml", b"version = 1"),
        ("policy.test.toml", tests),
        ("policy.test.json", b"{\"version\": 1, \"rules\": []}"),
        ("other.test.toml", tests),
    ]);
    let files = test_files(&dir.path().join("policy.toml"));
    let names: Vec<_> = files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["policy.test.toml", "policy.test.json"]);
    assert_eq!(load_tests(&files[0]).unwrap().file.tests.len(), 1);
    let wrong = load_tests(&files[1]).unwrap_err();
    assert_eq!(wrong.diagnostics[0].message, "unknown key `rules` in a file of tests");
    assert_eq!(load_tests(&dir.path().join("policy.toml")).unwrap_err().diagnostics[0].code, Code::E0115);
    assert_eq!(load(&files[0]).unwrap_err().diagnostics[0].code, Code::E0115);
    assert!(test_files(Path::new("/")).is_empty());
}

//! The pages of the codes: what they call wrong is, with just that code, and what they call right loads.

use std::path::Path;

use crate::diagnostic::{Code, Report};

/// Codes that a text in a page cannot show; tests elsewhere do.
const NOT_AS_TEXT: [Code; 8] =
    [Code::E0103, Code::E0104, Code::E0105, Code::E0114, Code::E0601, Code::E0602, Code::E0603, Code::E0604];

struct Page<'p> {
    title: &'p str,
    wrong: Vec<Block<'p>>,
    right: Vec<Block<'p>>,
}

/// A block of code: its language, the name of its file, its text.
type Block<'p> = (&'p str, String, &'p str);

fn page(code: Code) -> Page<'static> {
    let text = code.page();
    let (start, rest) =
        text.split_once("\n## Wrong\n").unwrap_or_else(|| panic!("{code} has no section `## Wrong`"));
    let (wrong, right) =
        rest.split_once("\n## Right\n").unwrap_or_else(|| panic!("{code} has no section `## Right`"));
    Page { title: start.lines().next().unwrap_or_default(), wrong: blocks(wrong), right: blocks(right) }
}

fn blocks(section: &'static str) -> Vec<Block<'static>> {
    let mut parts = section.split("```").skip(1).step_by(2);
    parts
        .by_ref()
        .map(|part| {
            let (info, text) = part.split_once('\n').unwrap();
            let (language, name) = info.split_once(' ').unwrap_or((info, ""));
            let name = if name.is_empty() { format!("policy.{language}") } else { name.to_owned() };
            (language, name, text)
        })
        .collect()
}

fn loaded(blocks: &[Block<'_>]) -> Result<(), Report> {
    let dir = tempfile::tempdir().unwrap();
    for (_, name, text) in blocks {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    crate::Policy::load(dir.path().join(Path::new(&blocks[0].1))).map(|_| ())
}

#[test]
fn every_page_has_its_title_and_shows_what_it_says() {
    for &code in Code::ALL {
        let page = page(code);
        assert_eq!(page.title, format!("# {code}: {}", code.title()));
        assert!(!page.wrong.is_empty() && !page.right.is_empty(), "{code} shows nothing");
        if let Err(report) = loaded(&page.right) {
            panic!("what {code} calls right does not load:\n{report}");
        }
        if NOT_AS_TEXT.contains(&code) {
            assert_eq!(page.wrong[0].0, "text", "{code}");
            continue;
        }
        let report = loaded(&page.wrong).expect_err("what a page calls wrong loads");
        let codes: Vec<_> = report.diagnostics.iter().map(|d| d.code).collect();
        assert!(
            codes.iter().all(|c| *c == code) && !codes.is_empty(),
            "what {code} calls wrong gives\n{report}"
        );
    }
}

#[test]
fn every_page_belongs_to_a_code() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes");
    for entry in std::fs::read_dir(pages).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.strip_suffix(".md").unwrap();
        assert!(Code::from_name(code).is_some(), "docs/codes/{name} is the page of no code");
    }
}

#[test]
fn codes_are_in_order_and_found_by_name() {
    assert!(Code::ALL.is_sorted_by(|a, b| a.as_str() < b.as_str()));
    assert_eq!(Code::from_name("e0202"), Some(Code::E0202));
    assert_eq!(Code::from_name("E9999"), None);
}

//! The tables themselves.

use super::super::data::{self, FAMILIES};
use super::super::hooks;
use super::*;

#[test]
fn every_entry_parses_and_its_hook_exists() {
    let mut faults = Vec::new();
    for name in names() {
        for node in data::find(name).unwrap().all() {
            let path = node.path();
            match node.entry() {
                Err(fault) => faults.push(format!("{path}: {fault}")),
                Ok(entry) => {
                    if let Some(hook) = entry.hook
                        && !hooks::NAMES.contains(&hook)
                    {
                        faults.push(format!("{path}: there is no hook `{hook}`"));
                    }
                    for option in entry.named() {
                        if entry.option(option).is_none() {
                            faults.push(format!("{path}: `{option}` is not among the options"));
                        }
                    }
                }
            }
            let mut words = path.split(' ');
            let mut found = words.next().and_then(data::find);
            found = words.fold(found, |node, word| node.and_then(|n| n.child(word)));
            if found != Some(node) {
                faults.push(format!("{path}: its words do not lead to it"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn families_and_their_entries_are_sorted_and_no_name_comes_twice() {
    let files: Vec<_> = FAMILIES.iter().map(|(name, _)| *name).collect();
    assert!(files.is_sorted(), "{files:?}");
    let mut seen = std::collections::HashMap::new();
    let mut faults = Vec::new();
    for (family, text) in FAMILIES {
        let mut before: Option<&str> = None;
        let mut program = "";
        let mut subs: Vec<Vec<&str>> = Vec::new();
        for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with([' ', '#'])) {
            let own = line.split(", ").next().unwrap();
            if !line.starts_with('@')
                && !program.is_empty()
                && line.strip_prefix(program).is_some_and(|r| r.starts_with(' '))
            {
                let path: Vec<&str> = line.split(['|', ',']).next().unwrap().split(' ').collect();
                if subs.last().is_some_and(|last| *last >= path) {
                    faults.push(format!("{family}: `{line}` is out of order"));
                }
                subs.push(path);
                continue;
            }
            subs.clear();
            for name in line.split(", ") {
                if let Some(other) = seen.insert(name, family) {
                    faults.push(format!("{family}: `{name}` is also in {other}"));
                }
            }
            if before.is_some_and(|b| b.starts_with('@') == own.starts_with('@') && b >= own) {
                faults.push(format!("{family}: `{own}` is out of order"));
            }
            before = Some(own);
            program = own;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_tables_can_be_printed() {
    let git = describe("git");
    let log = git.iter().find(|d| d.command == "git log").unwrap();
    assert_eq!(log.read_only.as_deref(), Some("always"));
    assert!(log.except.iter().any(|o| o.contains("--output")), "{log:?}");
    assert!(names().count() > 150);
    assert!(describe("no-such-program").is_empty());
}

#[test]
fn looking_up_is_quick() {
    let line = words("git log --oneline -5");
    let cold = std::time::Instant::now();
    understand(&line);
    let cold = cold.elapsed();
    let warm = std::time::Instant::now();
    for _ in 0..1000 {
        std::hint::black_box(understand(std::hint::black_box(&line)));
    }
    // Only told: a debug build on a busy machine proves nothing.
    println!("cold {cold:?}, warm {:?}", warm.elapsed() / 1000);
}

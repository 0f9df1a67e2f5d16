use proptest::prelude::*;

use super::*;

#[track_caller]
fn covers(pattern: &str, by: &[&str]) {
    assert_eq!(told(pattern, by), Coverage::Yes, "`{pattern}` by {by:?}");
}

#[track_caller]
fn leaves(pattern: &str, by: &[&str], witness: &str) {
    assert_eq!(told(pattern, by), Coverage::No { witness: witness.into() }, "`{pattern}` by {by:?}");
}

fn told(pattern: &str, by: &[&str]) -> Coverage {
    let by: Vec<NameGlob> = by.iter().map(|glob| NameGlob::new(glob)).collect();
    covered(&NameGlob::new(pattern), &by.iter().collect::<Vec<_>>(), BUDGET)
}

fn meet(a: &str, b: &str) -> Option<String> {
    match intersects(&NameGlob::new(a), &NameGlob::new(b), BUDGET) {
        Overlap::Yes { witness } => Some(witness),
        Overlap::No => None,
        Overlap::GaveUp => panic!("gave up on `{a}` and `{b}`"),
    }
}

#[test]
fn one_glob_covers_another() {
    covers("delete_user", &["delete_*"]);
    covers("delete_user_*", &["delete_*"]);
    covers("*_delete_*", &["*delete*"]);
    covers("a*b*c", &["a*c"]);
    covers("??*", &["?*"]);
    covers("*?", &["?*"]);
    covers("[a-c]x", &["[a-d]?"]);
    covers("[z-a]", &[]);
    covers("**", &["*"]);
    leaves("delete_*", &["delete_user_*"], "delete_");
    leaves("*", &["delete_*"], "x");
    leaves("*", &["?*"], "");
    leaves("*", &[], "x");
    leaves("[a-d]", &["[a-c]"], "d");
    leaves("get_*", &["get_", "get_[!x]*"], "get_x");
}

#[test]
fn several_globs_cover_one_together() {
    covers("?", &["[a-m]", "[!a-m]"]);
    covers("*", &["a*", "[!a]*", ""]);
    covers("a*", &["a", "a?", "a??*"]);
    covers("[ab]*", &["a*", "b*"]);
    covers("*a*", &["a*", "?*a*"]);
    leaves("*", &["a*", "[!a]?*", ""], "x");
    leaves("a*", &["a", "a?", "a???*"], "axx");
}

#[test]
fn globs_meet_or_do_not() {
    assert_eq!(meet("git_*", "*_x"), Some("git_x".into()));
    assert_eq!(meet("git_*", "hg_*"), None);
    assert_eq!(meet("*", "*"), Some("x".into()));
    assert_eq!(meet("*", ""), Some(String::new()));
    assert_eq!(meet("[a-m]*", "*[n-z]"), Some("ax".into()));
    assert_eq!(meet("[a-m]", "[n-z]"), None);
    assert_eq!(meet("[a-m]", "[!a-l]"), Some("m".into()));
    assert_eq!(meet("a?c", "a*bc"), Some("abc".into()));
    assert_eq!(meet("a*b", "ab"), Some("ab".into()));
    assert_eq!(meet("[z-a]", "*"), None);
}

#[test]
fn globs_written_differently_may_be_the_same() {
    let same = |a: &str, b: &str| equivalent(&NameGlob::new(a), &NameGlob::new(b), BUDGET);
    assert_eq!(same("*?", "?*"), Coverage::Yes);
    assert_eq!(same("a[*]", "a[*-*]"), Coverage::Yes);
    assert_eq!(same("*?*?*", "??*"), Coverage::Yes);
    assert_eq!(same("a*", "a?*"), Coverage::No { witness: "a".into() });
    assert_eq!(same("a?*", "a*"), Coverage::No { witness: "a".into() });
}

#[test]
fn gives_up_when_the_budget_ends() {
    let by: Vec<NameGlob> = (1..24).map(|n| NameGlob::new(&format!("*a{}b", "?".repeat(n)))).collect();
    let by: Vec<&NameGlob> = by.iter().collect();
    assert_eq!(covered(&NameGlob::new("*a*[bc]?"), &by, 0), Coverage::GaveUp);
    let long = NameGlob::new(&"*a".repeat(50_000));
    assert_eq!(intersects(&long, &NameGlob::new(&"*?a".repeat(50_000)), BUDGET), Overlap::GaveUp);
    // Needs a set of positions for each subset of the last 23 characters.
    let wide: Vec<NameGlob> = (1..24).map(|n| NameGlob::new(&format!("*a{}", "?".repeat(n)))).collect();
    let mut wide: Vec<&NameGlob> = wide.iter().collect();
    let other = NameGlob::new("*[!a]");
    wide.push(&other);
    assert_ne!(covered(&NameGlob::new("*"), &wide, 20_000), Coverage::Yes);
}

#[test]
fn a_large_policy_is_analysed() {
    let verbs = ["get", "list", "create", "update", "delete", "search", "merge", "run"];
    let by: Vec<NameGlob> = (0..2_000)
        .map(|n| {
            let verb = verbs[n % verbs.len()];
            NameGlob::new(&match n % 4 {
                0 => format!("server{n}__{verb}_*"),
                1 => format!("server{n}__{verb}_issue"),
                2 => format!("*_{verb}_{n}"),
                _ => format!("server*__{verb}_{n}_*"),
            })
        })
        .collect();
    let by: Vec<&NameGlob> = by.iter().collect();
    let told = |pattern: &str| covered(&NameGlob::new(pattern), &by, BUDGET);
    assert_eq!(told("server4__delete_x*"), Coverage::Yes);
    assert_eq!(told("server0__get_issue_*"), Coverage::Yes);
    assert_eq!(told("*_x_get_1998_"), Coverage::No { witness: "_x_get_1998_".into() });
    assert!(matches!(told("server*"), Coverage::No { .. }));
    assert!(matches!(told("*"), Coverage::No { .. }));
}

/// Every text of at most `longest` characters out of `a`, `b`, `c`.
fn texts(longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut done = 0;
    while let Some(text) = all.get(done).filter(|text| text.len() < longest).cloned() {
        all.extend(['a', 'b', 'c'].map(|c| format!("{text}{c}")));
        done += 1;
    }
    all
}

fn glob() -> impl Strategy<Value = String> {
    // Every set and character stays within `a`, `b` and anything else, so that short texts tell the globs
    // apart.
    let step = prop_oneof![
        4 => Just("*"), 3 => Just("a"), 3 => Just("b"), 2 => Just("?"),
        1 => Just("[ab]"), 1 => Just("[!a]"), 1 => Just("[!ab]"), 1 => Just("[b-a]"),
    ];
    prop::collection::vec(step, 0..6).prop_map(|steps| steps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]
    #[test]
    fn equals_trying_every_short_text(pattern in glob(), by in prop::collection::vec(glob(), 0..4)) {
        let pattern = NameGlob::new(&pattern);
        let by: Vec<NameGlob> = by.iter().map(|glob| NameGlob::new(glob)).collect();
        let matched = |name: &str| by.iter().any(|glob| glob.matches(name));
        let texts = texts(6);
        let open = texts.iter().find(|text| pattern.matches(text) && !matched(text));
        match covered(&pattern, &by.iter().collect::<Vec<_>>(), BUDGET) {
            Coverage::Yes => prop_assert_eq!(open, None),
            Coverage::No { witness } => {
                prop_assert!(pattern.matches(&witness) && !matched(&witness), "{witness:?}");
                // The shortest that is not empty.
                let open = texts.iter().skip(1).find(|text| pattern.matches(text) && !matched(text));
                let shortest = open.map_or(usize::from(!witness.is_empty()) * 7, String::len);
                prop_assert!(witness.len() == shortest || witness.len() > 6 && open.is_none(), "{witness:?}");
            }
            Coverage::GaveUp => prop_assert!(false, "gave up"),
        }
        if let Some(other) = by.first() {
            let both = texts.iter().find(|text| pattern.matches(text) && other.matches(text));
            match intersects(&pattern, other, BUDGET) {
                Overlap::Yes { witness } => {
                    prop_assert!(pattern.matches(&witness) && other.matches(&witness), "{witness:?}");
                }
                Overlap::No => prop_assert_eq!(both, None),
                Overlap::GaveUp => prop_assert!(false, "gave up"),
            }
            let differ = texts.iter().any(|text| pattern.matches(text) != other.matches(text));
            prop_assert_eq!(equivalent(&pattern, other, BUDGET) != Coverage::Yes, differ);
        }
    }
}

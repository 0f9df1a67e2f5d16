use super::*;

#[track_caller]
fn yes(glob: &str, name: &str) {
    assert!(NameGlob::new(glob).matches(name), "`{glob}` should match {name:?}");
}

#[track_caller]
fn no(glob: &str, name: &str) {
    assert!(!NameGlob::new(glob).matches(name), "`{glob}` should not match {name:?}");
}

#[derive(serde::Deserialize)]
struct Case {
    pattern: String,
    name: String,
    #[serde(rename = "match")]
    matches: bool,
}

#[track_caller]
fn corpus(text: &str) {
    let mut seen = 0;
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let glob = NameGlob::new(&case.pattern);
        assert_eq!(glob.matches(&case.name), case.matches, "`{}` on {:?}", case.pattern, case.name);
        seen += 1;
    }
    assert!(seen >= 300, "only {seen} cases");
}

#[test]
fn agrees_with_python_on_the_corpus() {
    corpus(include_str!("../../../tests/corpora/name-globs.jsonl"));
    corpus(include_str!("../../../tests/corpora/name-globs-sets.jsonl"));
}

#[test]
fn a_star_is_any_text() {
    yes("*", "");
    yes("*", "a/b\nc");
    yes("delete_*", "delete_");
    yes("delete_*", "delete_user");
    no("delete_*", "Delete_user");
    no("delete_*", "undelete_user");
    yes("*_delete", "user_delete");
    no("*_delete", "user_deleted");
    yes("a*a", "aa");
    no("a*a", "a");
    yes("*ab*ab", "abab");
    no("*ab*ab", "aab");
    yes("**", "x");
}

#[test]
fn a_question_mark_is_one_character() {
    yes("?", "é");
    yes("?", "\n");
    yes("?", "/");
    no("?", "");
    no("?", "e\u{301}");
    yes("*?x", "ax");
    no("*?x", "x");
}

#[test]
fn a_set_is_what_python_reads() {
    yes("[a-c-e]", "-");
    yes("[a-c-e]", "b");
    no("[a-c-e]", "d");
    yes("[^a]", "^");
    yes("[^a]", "a");
    yes("[[:alpha:]]", "a]");
    no("[[:alpha:]]", "b]");
    yes("[]-a]", "^");
    yes("[!]-a]", "b");
    yes("[--0]", ".");
    yes("[a-]", "-");
    yes("[!-a]", "b");
    no("[!-a]", "-");
    yes("[z-a!b]", "c");
    no("[z-a!b]", "b");
    yes("[z-a!-b]", "!");
    no("[z-a!-b]", "-");
    yes("[z-a^]", "^");
    yes("[a\\d]", "\\");
    no("[a\\d]", "5");
    yes("[!z-a]", "q");
    no("[!z-a]", "");
}

#[test]
fn an_unclosed_bracket_is_itself() {
    yes("[abc", "[abc");
    yes("[]", "[]");
    yes("[!]", "[!]");
    yes("[!", "[!");
    yes("[?", "[x");
    yes("[*", "[");
}

#[test]
fn nothing_else_is_special() {
    yes("{a,b}", "{a,b}");
    no("{a,b}", "a");
    yes("\\*", "\\anything");
    no("\\*", "*");
    yes("a.b", "a.b");
    no("a.b", "axb");
    yes("", "");
    no("", "a");
}

#[test]
fn says_what_it_is() {
    let literal = |glob: &str| NameGlob::new(glob).literal().map(str::to_owned);
    assert_eq!(literal("Bash"), Some("Bash".into()));
    assert_eq!(literal("a[*]b"), Some("a*b".into()));
    assert_eq!(literal("[a"), Some("[a".into()));
    assert_eq!(literal("a*"), None);
    let ends = |glob: &str| {
        let glob = NameGlob::new(glob);
        (glob.literal_prefix().to_owned(), glob.literal_suffix().to_owned())
    };
    assert_eq!(ends("Bash"), ("Bash".into(), "Bash".into()));
    assert_eq!(ends("a*b?c"), ("a".into(), "c".into()));
    assert_eq!(ends("*"), (String::new(), String::new()));
    assert_eq!(ends("x[ab]"), ("x".into(), String::new()));
    assert!(NameGlob::new("**").matches_everything());
    assert!(!NameGlob::new("?*").matches_everything());
    assert!(NameGlob::new("a[z-a]*").can_match_nothing());
    assert!(NameGlob::new("[]-A]").can_match_nothing());
    assert!(!NameGlob::new("[!z-a]").can_match_nothing());
    assert!(NameGlob::new(&format!("[!\0-{}]", char::MAX)).can_match_nothing());
    assert_eq!(NameGlob::new("a*").to_string(), "a*");
}

#[test]
fn a_long_glob_over_a_long_name_takes_no_long_time() {
    let name = "a".repeat(100_000);
    no(&format!("{}b", "*a".repeat(1_000)), &name);
    yes(&"*a".repeat(1_000), &name);
    no(&"[".repeat(100_000), &name);
    yes(&format!("[{}]", "b-az-y-".repeat(50_000)), "-");
}

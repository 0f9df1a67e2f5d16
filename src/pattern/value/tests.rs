#![expect(clippy::needless_pass_by_value, reason = "a case reads better without an ampersand")]

use proptest::prelude::{Just, Strategy, prop, prop_assert, prop_oneof, proptest};
use serde_json::json;

use super::*;
use crate::arg::ArgPath;

fn glob(texts: &[&str]) -> Operator {
    Operator::Glob(texts.iter().map(|text| NameGlob::new(text)).collect())
}

fn regex(text: &str) -> Operator {
    Operator::Regex(vec![ValueRegex::new(text).unwrap()])
}

fn starts(text: &str) -> Operator {
    Operator::StartsWith(vec![text.into()])
}

fn less(limit: &Value) -> Operator {
    Operator::LessThan(limit.as_number().unwrap().clone())
}

fn greater(limit: &Value) -> Operator {
    Operator::GreaterThan(limit.as_number().unwrap().clone())
}

/// The broad and the narrow answer for a value.
#[track_caller]
fn holds(operators: &[Operator], value: &Value, broad: Tri, narrow: Tri) {
    let condition = ValueCondition::new(operators.to_vec());
    let told = [Reading::Broad, Reading::Narrow].map(|reading| condition.matches(Some(value), reading));
    assert_eq!(told, [broad, narrow], "{operators:?} on {value}");
}

#[track_caller]
fn both(operator: Operator, value: Value) {
    holds(&[operator], &value, Tri::Yes, Tri::Yes);
}

#[track_caller]
fn neither(operator: Operator, value: Value) {
    holds(&[operator], &value, Tri::No, Tri::No);
}

#[track_caller]
fn broad_only(operator: Operator, value: Value) {
    holds(&[operator], &value, Tri::Yes, Tri::No);
}

#[track_caller]
fn unreadable(operator: Operator, value: Value) {
    holds(&[operator], &value, Tri::Possibly, Tri::No);
}

#[test]
fn equals_is_by_value() {
    let equals = |value| Operator::Equals(value);
    both(equals(json!(1)), json!(1.0));
    both(equals(json!({ "a": 1, "b": [2] })), json!({ "b": [2.0], "a": 1 }));
    neither(equals(json!({ "a": 1 })), json!({ "a": 1, "b": 2 }));
    neither(equals(json!(1)), json!("1"));
    neither(equals(json!(1)), json!(true));
    neither(equals(json!(null)), json!(0));
    neither(equals(json!(9_007_199_254_740_993_u64)), json!(9_007_199_254_740_992_u64));
    neither(equals(json!(9_007_199_254_740_993_u64)), json!(9_007_199_254_740_992.0));
    both(equals(json!(9_007_199_254_740_992_u64)), json!(9_007_199_254_740_992.0));
    both(equals(json!(-0.0)), json!(0));
    both(equals(json!(u64::MAX)), json!(u64::MAX));
    neither(equals(json!(u64::MAX)), json!(-1));
    both(equals(json!([1, 2])), json!([1, 2]));
    neither(equals(json!([1, 2])), json!([2, 1]));
    neither(equals(json!("a")), json!("A"));
}

#[test]
fn an_element_is_enough_broadly_and_every_one_is_needed_narrowly() {
    let a = || Operator::Equals(json!("a"));
    both(a(), json!(["a", "a"]));
    broad_only(a(), json!(["a", "b"]));
    broad_only(a(), json!(["b", ["c", ["a"]]]));
    both(a(), json!([["a"], "a"]));
    neither(a(), json!([]));
    broad_only(a(), json!(["a", []]));
    broad_only(glob(&["src/*"]), json!(["src/x", "etc"]));
    both(glob(&["src/*", "lib/*"]), json!(["src/x", "lib/y"]));
    neither(glob(&["src/*"]), json!([]));
    holds(&[glob(&["a*"])], &json!(["b", 5]), Tri::Possibly, Tri::No);
}

#[test]
fn one_of_is_any_of_them() {
    let one_of = Operator::OneOf(vec![json!("a"), json!(2)]);
    both(one_of.clone(), json!("a"));
    both(one_of.clone(), json!(2.0));
    both(one_of.clone(), json!(["a", 2]));
    neither(one_of, json!("b"));
    neither(Operator::OneOf(vec![]), json!("b"));
}

#[test]
fn a_text_operator_reads_texts() {
    both(glob(&["*.rs"]), json!("a/b.rs"));
    neither(glob(&["*.rs"]), json!("a/b.RS"));
    unreadable(glob(&["*"]), json!(5));
    unreadable(glob(&["*"]), json!({ "path": "x" }));
    both(starts("git "), json!("git push"));
    neither(starts("git "), json!("got"));
    unreadable(starts("git "), json!(null));
    unreadable(regex("a"), json!(false));
}

#[test]
fn a_regex_is_found_anywhere_broadly_and_covers_narrowly() {
    both(regex("ab+"), json!("abbb"));
    broad_only(regex("ab+"), json!("xabbb"));
    broad_only(regex("ab+"), json!("abbb\n"));
    both(regex("a|ab"), json!("ab"));
    broad_only(regex("a|b"), json!("ab"));
    both(regex("(?x) a b # the two"), json!("ab"));
    both(regex("(?i)AB"), json!("ab"));
    broad_only(regex("(?m)^a$"), json!("b\na"));
    neither(regex(r"^\w$"), json!("é"));
    let broken = Operator::Regex(vec![ValueRegex::new_unchecked("a)|(b")]);
    unreadable(broken, json!("a"));
    unreadable(regex("a*"), json!("a".repeat(2 << 20)));
    unreadable(regex("(a{1000})+"), json!("a".repeat(100_000)));
}

#[test]
fn contains_is_a_part_or_an_element() {
    let contains = |value| Operator::Contains(vec![value]);
    both(contains(json!("rm")), json!("a rm b"));
    both(contains(json!("rm")), json!(["rm", "x"]));
    broad_only(contains(json!("rm")), json!(["a rm b", "x"]));
    both(contains(json!("rm")), json!(["a rm b", "rm"]));
    both(contains(json!(1)), json!([1.0, 2]));
    unreadable(contains(json!(1)), json!("1"));
    unreadable(contains(json!("a")), json!({ "a": 1 }));
    neither(contains(json!("a")), json!([]));
}

#[test]
fn numbers_are_ordered_by_value() {
    both(less(&json!(10)), json!(9.5));
    neither(less(&json!(10)), json!(10.0));
    both(greater(&json!(9_007_199_254_740_992_u64)), json!(9_007_199_254_740_993_u64));
    both(greater(&json!(-1.5)), json!(-1));
    both(less(&json!(-1)), json!(-1.5));
    both(less(&json!(1e300)), json!(u64::MAX));
    both(greater(&json!(-1e300)), json!(i64::MIN));
    unreadable(less(&json!(10)), json!("9"));
    broad_only(less(&json!(10)), json!([9, 11]));
}

#[test]
fn types_speak_of_the_value_itself() {
    let of = |name: &str| Operator::Type(vec![ValueType::from_name(name).unwrap()]);
    both(of("string"), json!("a"));
    both(of("number"), json!(1.5));
    both(of("integer"), json!(1.0));
    neither(of("integer"), json!(1.5));
    both(of("boolean"), json!(true));
    both(of("list"), json!([]));
    both(of("object"), json!({}));
    both(of("null"), json!(null));
    broad_only(of("string"), json!(["a"]));
    assert_eq!(ValueType::from_name("array"), None);
    holds(&[of("list"), glob(&["a*"])], &json!(["ab"]), Tri::Yes, Tri::Yes);
}

#[test]
fn a_missing_argument_satisfies_only_its_absence() {
    let missing = |operators: &[Operator]| {
        let condition = ValueCondition::new(operators.to_vec());
        [Reading::Broad, Reading::Narrow].map(|reading| condition.matches(None, reading))
    };
    assert_eq!(missing(&[Operator::Exists(false)]), [Tri::Yes; 2]);
    assert_eq!(missing(&[Operator::Exists(true)]), [Tri::No; 2]);
    assert_eq!(missing(&[Operator::Equals(json!(null))]), [Tri::No; 2]);
    assert_eq!(missing(&[glob(&["*"])]), [Tri::No; 2]);
    assert_eq!(missing(&[Operator::Exists(false), glob(&["*"])]), [Tri::No; 2]);
    assert_eq!(missing(&[]), [Tri::No; 2]);
    both(Operator::Exists(true), json!(null));
    both(Operator::Exists(true), json!([]));
    neither(Operator::Exists(false), json!(null));
    holds(&[], &json!(1), Tri::Yes, Tri::Yes);
    holds(&[], &json!([]), Tri::Yes, Tri::Yes);
}

#[test]
fn every_operator_of_a_table_must_hold() {
    let range = [greater(&json!(0)), less(&json!(10))];
    holds(&range, &json!(5), Tri::Yes, Tri::Yes);
    holds(&range, &json!(10), Tri::No, Tri::No);
    holds(&range, &json!([5, 20]), Tri::Yes, Tri::No);
    holds(&range, &json!([-5, 20]), Tri::Possibly, Tri::No);
    holds(&[starts("a"), glob(&["*b"])], &json!("acb"), Tri::Yes, Tri::Yes);
}

#[test]
fn what_a_path_finds_is_combined_by_the_reading() {
    let told = |path: &str, operator: Operator, args: Value| {
        let path = ArgPath::parse(path).unwrap();
        let found = path.find(args.as_object().unwrap());
        let condition = ValueCondition::from(operator);
        [Reading::Broad, Reading::Narrow].map(|reading| condition.matches_found(&found, reading))
    };
    let src = || glob(&["src/*"]);
    let (no, possibly, yes) = (Tri::No, Tri::Possibly, Tri::Yes);
    let edits =
        |paths: &[&str]| json!({ "edits": paths.iter().map(|p| json!({ "path": p })).collect::<Vec<_>>() });
    assert_eq!(told("edits[].path", src(), edits(&["src/a", "src/b"])), [yes, yes]);
    assert_eq!(told("edits[].path", src(), edits(&["src/a", "etc"])), [yes, no]);
    assert_eq!(told("edits[].path", src(), edits(&[])), [no, no]);
    assert_eq!(told("edits[].path", src(), json!({ "edits": [{ "path": "src/a" }, {}] })), [yes, no]);
    assert_eq!(told("edits[].path", src(), json!({ "edits": { "path": "src/a" } })), [possibly, no]);
    assert_eq!(told("edits[].path", Operator::Exists(false), json!({})), [yes, yes]);
    assert_eq!(
        told("edits[].path", Operator::Exists(false), json!({ "edits": [{ "path": 1 }, {}] })),
        [yes, no]
    );
    assert_eq!(
        told("edits[].path", Operator::Exists(true), json!({ "edits": [{ "path": 1 }, {}] })),
        [yes, no]
    );
    assert_eq!(told("edits[].path", Operator::Exists(false), json!({ "edits": 5 })), [possibly, no]);
}

#[test]
fn a_wrong_regex_is_blamed_where_it_is_wrong() {
    let at = |text: &str| ValueRegex::new(text).unwrap_err().at;
    assert_eq!(at("a(b"), 1..2);
    assert_eq!(at("a(b[c"), 4..5);
    assert_eq!(at("(a))b"), 3..4);
    assert_eq!(at("a{2,1}bc"), 5..6);
    assert_eq!(at("*a"), 0..1);
    assert_eq!(at(r"é\q"), 3..4);
    let error = ValueRegex::new("a(?=b)").unwrap_err();
    assert!(error.help.is_some(), "{error}");
    assert!(ValueRegex::new("(a{1000}){1000}").is_err());
    assert!(ValueRegex::new(&"(".repeat(100_000)).is_err());
}

#[test]
fn deep_values_end_the_search_and_are_open() {
    let mut deep = json!("x");
    for _ in 0..400 {
        deep = json!([deep]);
    }
    holds(&[Operator::Equals(json!("x"))], &deep, Tri::Possibly, Tri::No);
    holds(&[Operator::Equals(deep.clone())], &deep, Tri::Possibly, Tri::No);
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        (-2i64..3).prop_map(|number| json!(number)),
        Just(json!(1.0)),
        Just(json!(0.5)),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            1 => inner.prop_map(|inner| json!({ "k": inner })),
        ]
    })
}

fn operator() -> impl Strategy<Value = Operator> {
    prop_oneof![
        value().prop_map(Operator::Equals),
        prop::collection::vec(value(), 0..3).prop_map(Operator::OneOf),
        "[ab*?]{0,3}".prop_map(|text| glob(&[&text])),
        "[ab]{1,2}[*+?]?".prop_map(|text| regex(&text)),
        value().prop_map(|part| Operator::Contains(vec![part])),
        "[ab]{0,1}".prop_map(|text| starts(&text)),
        (-2i64..3).prop_map(|limit| less(&json!(limit))),
        (-2i64..3).prop_map(|limit| greater(&json!(limit))),
        prop::bool::ANY.prop_map(Operator::Exists),
        prop::sample::select(ValueType::ALL.to_vec()).prop_map(|of| Operator::Type(vec![of])),
    ]
}

proptest! {
    #[test]
    fn what_holds_narrowly_holds_broadly(
        operators in prop::collection::vec(operator(), 0..3),
        a in prop::option::of(value()),
        b in prop::option::of(value()),
    ) {
        let condition = ValueCondition::new(operators);
        let found = Found {
            values: a.iter().chain(&b).collect(),
            missing: a.is_none() || b.is_none(),
            wrong_shape: false,
        };
        let one = [Reading::Narrow, Reading::Broad].map(|reading| condition.matches(a.as_ref(), reading));
        let two = [Reading::Narrow, Reading::Broad].map(|reading| condition.matches_found(&found, reading));
        prop_assert!(one != [Tri::Yes, Tri::No] && one != [Tri::Yes, Tri::Possibly], "{one:?}");
        prop_assert!(two != [Tri::Yes, Tri::No] && two != [Tri::Yes, Tri::Possibly], "{two:?}");
        // One part that may match is enough for all of them, and one that is not covered uncovers all.
        prop_assert!(two[1] >= one[1] && two[0] <= one[0], "{one:?} {two:?}");
    }
}

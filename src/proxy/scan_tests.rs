use proptest::prelude::*;

use super::*;

#[track_caller]
fn head(text: &str) -> Head {
    Scanner::whole(text.as_bytes()).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

#[track_caller]
fn refused(text: impl AsRef<[u8]>, why: &str) {
    let text = text.as_ref();
    let fault = Scanner::whole(text).expect_err(&String::from_utf8_lossy(text));
    assert!(fault.to_string().contains(why), "{}: {fault}", String::from_utf8_lossy(text));
}

#[test]
fn the_first_level_is_read_and_nothing_below() {
    let read = head(
        r#"{"jsonrpc":"2.0","id":7,"method":"tools\u002fcall","params":{"id":8,"method":"x","a":[{"id":1}]}}"#,
    );
    assert_eq!((read.method.as_deref(), read.id), (Some("tools/call"), Some(Id::Whole(7))));
    let read = head(r#" { "result" : {"method":"tools/call"} , "\u0069d" : "a" } "#);
    assert_eq!((read.method, read.id, read.answers), (None, Some(Id::Text("a".into())), true));
    assert!(head(r#"[{"method":"x"}]"#).is_batch);
    assert!(head("  ").is_blank);
    assert!(!head("{}\r").is_blank);
}

#[test]
fn an_id_is_the_same_however_it_is_written() {
    for (one, other) in [("1", "1.0"), ("1", "10e-1"), (r#""a""#, r#""\u0061""#), ("null", "null")] {
        let id = |raw: &str| head(&format!(r#"{{"id":{raw}}}"#)).id;
        assert_eq!(id(one), id(other));
    }
    assert_ne!(head(r#"{"id":1}"#).id, head(r#"{"id":"1"}"#).id);
}

#[test]
fn what_two_readers_could_take_for_different_things_is_refused() {
    refused(r#"{"method":"ping","method":"tools/call"}"#, "`method` stands twice");
    refused(r#"{"method":"ping","m\u0065thod":"tools/call"}"#, "`method` stands twice");
    refused(r#"{"method":"ping","Method":"tools/call"}"#, "`Method` can be taken for `method`");
    refused(r#"{"method":"ping","METHOD":"tools/call"}"#, "can be taken");
    refused(r#"{"method":"tools/call","params":{},"paramſ":{}}"#, "can be taken for `params`");
    refused(r#"{"id":1,"id":2}"#, "`id` stands twice");
    refused(r#"{"id":1,"İd":2}"#, "can be taken for `id`");
    refused("{\"a\":\r{\"method\":\"tools/call\"}\r,\"method\":\"ping\"}", "carriage return");
    refused(b"{\"method\":\"tools/\xffcall\"}", "UTF-8");
    refused(b"{\"a\":\"\xed\xa0\x80\"}", "UTF-8");
    refused(b"{\"a\":\"\xc0\xaf\"}", "UTF-8");
    refused(b"\xef\xbb\xbf{}", "not an object");
    refused("{\"a\":\u{a0}1}", "cannot stand there");
    refused("{\"method\":\"a\u{1}\"}", "control character");
    refused("{\"a\":1}\0", "behind the end");
    refused(r#"{"method":"ping"}{"method":"tools/call"}"#, "behind the end");
    refused(r#"{"method":["tools/call"]}"#, "method must be a string");
    refused(r#"{"method":null}"#, "method must be a string");
    refused(r#"{"method":"\ud800"}"#, "method must be a string");
    refused(r#"{"id":{}}"#, "id must be");
    refused(r#"{"id":true}"#, "id must be");
    refused(format!(r#"{{"id":"{}"}}"#, "a".repeat(5000)), "id must be");
    refused(format!(r#"{{"a":{}}}"#, "[".repeat(100_000)), "nested too deeply");
    refused("null", "not an object");
    refused("garbage", "not an object");
    for text in [
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":\"",
        "{\"a\":-}",
        "{\"a\":1.}",
        "{\"a\":01}",
        "{\"a\":tru}",
        "{,}",
        "{\"a\":1,}",
        "[1,]",
        "[}",
        "{]",
        "{'a':1}",
        "{\"a\":NaN}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
    ] {
        assert!(Scanner::whole(text.as_bytes()).is_err(), "{text}");
    }
}

/// Texts of which many are nearly JSON.
fn nearly_json() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just(":"),
        Just(" "),
        Just("\t"),
        Just("\"a\""),
        Just("\"\\u0062\""),
        Just("\"é\\n\""),
        Just("1"),
        Just("-0.5e+3"),
        Just("01"),
        Just("true"),
        Just("null"),
        Just("nul"),
        Just("\""),
        Just("\\"),
    ];
    prop::collection::vec(token, 0..14).prop_map(|tokens| format!("{{\"a\":[{}]}}", tokens.concat()))
}

proptest! {
    #[test]
    fn it_takes_what_serde_json_takes(text in nearly_json()) {
        let ours = Scanner::whole(text.as_bytes()).is_ok();
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ours, theirs, "{}", text);
    }

    #[test]
    fn pieces_make_no_difference(text in nearly_json(), at in 0_usize..60) {
        let bytes = text.as_bytes();
        let (first, second) = bytes.split_at(at.min(bytes.len()));
        let mut scanner = Scanner::default();
        let pieced = scanner.push(first).and_then(|()| scanner.push(second)).and_then(|()| scanner.finish());
        prop_assert_eq!(pieced.is_ok(), Scanner::whole(bytes).is_ok());
    }

    #[test]
    fn whatever_comes_it_ends(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Scanner::whole(&bytes);
    }
}

#[test]
fn a_whole_number_that_fits_into_no_64_bits_is_told() {
    for (number, wide) in [
        ("18446744073709551615", false),
        ("18446744073709551616", true),
        ("-9223372036854775808", false),
        ("-9223372036854775809", true),
        ("100000000000000000001", true),
        ("1.5", false),
        ("1e30", false),
        ("0", false),
        ("-0", false),
        ("9", false),
    ] {
        assert_eq!(head(&format!(r#"{{"a":[{{"b":{number}}}],"c":7}}"#)).is_wide, wide, "{number}");
        assert_eq!(head(&format!(r#"{{"a":{number} }}"#)).is_wide, wide, "{number}");
    }
    assert!(!head(r#"{"a":"100000000000000000001"}"#).is_wide);
}

#[test]
fn values_are_counted_at_all_depths() {
    assert_eq!(head(r#"{"a":[1,"x",{"b":null}],"c":true}"#).values, 7);
}

#[test]
fn what_cannot_be_seen_does_not_make_another_key() {
    for key in
        ["Params", "par\u{200b}ams", "p\u{ad}arams", "ｐarams", "params\u{feff}", "p\0arams", "param\u{17f}"]
    {
        assert_eq!(alike(key, &["params"]), Some("params"), "{key}");
    }
    assert_eq!(alike("paráms", &["params"]), None);
}

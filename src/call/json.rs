//! JSON in which no key stands twice: readers differ in which one counts, so such a text has no one meaning.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads one JSON value.
///
/// # Errors
///
/// In words, when the text is not JSON, is nested too deeply, or has a key twice in one object.
pub fn read(text: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number out of range"))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(de::Error::custom(format_args!("the key `{key}` stands twice in one object")));
            }
            let value = entries.next_value_seed(Self)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_meaning_is_read_as_serde_json_reads_it() {
        for text in [
            "null",
            "true",
            "-3",
            "18446744073709551615",
            "1.5",
            "1e22",
            r#""a\u00e9""#,
            "[]",
            r#"{"b": [1, {"a": null}], "a": "x"}"#,
        ] {
            let plain: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text).unwrap(), plain, "{text}");
            assert_eq!(read(text).unwrap().to_string(), plain.to_string(), "{text}");
        }
    }

    #[track_caller]
    fn refused(text: &str, why: &str) {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn what_has_not_is_refused() {
        refused(r#"{"tool": "ls", "tool": "rm"}"#, "the key `tool` stands twice");
        refused(r#"{"args": {"a": [{"b": 1, "b": 1}]}}"#, "the key `b` stands twice");
        refused(r#"{"a": 1, "\u0061": 2}"#, "the key `a` stands twice");
        refused("{} {}", "trailing characters");
        refused("", "EOF");
        refused(&"[".repeat(100_000), "recursion limit");
    }
}

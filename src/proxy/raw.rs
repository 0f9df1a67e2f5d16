//! Objects as they are written: entries in order, with the text of each value, so that what is not changed stays as it came.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The entries of one object.
#[derive(Debug, Default)]
pub(super) struct Entries<'a>(Vec<(String, Part<'a>)>);

#[derive(Debug)]
enum Part<'a> {
    Written(&'a str),
    New(String),
}

impl Part<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Written(text) => text,
            Self::New(text) => text,
        }
    }
}

impl<'a> Entries<'a> {
    /// Reads an object.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The text of a value.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, part)| part.text())
    }

    /// Puts a value in the place of the one that is there, or at the end.
    pub(super) fn set(&mut self, key: &str, text: String) {
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some((_, part)) => *part = Part::New(text),
            None => self.0.push((key.to_owned(), Part::New(text))),
        }
    }

    /// Takes a value out.
    pub(super) fn remove(&mut self, key: &str) {
        self.0.retain(|(k, _)| k != key);
    }

    /// The object as text.
    pub(super) fn text(&self) -> String {
        let mut out = String::with_capacity(self.0.iter().map(|(k, p)| k.len() + p.text().len() + 4).sum());
        out.push('{');
        for (i, (key, part)) in self.0.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push_str(&Value::String(key.clone()).to_string());
            out.push(':');
            out.push_str(part.text());
        }
        out.push('}');
        out
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut found = Vec::new();
                while let Some((key, value)) = entries.next_entry::<String, &'de RawValue>()? {
                    found.push((key, Part::Written(value.get())));
                }
                Ok(Entries(found))
            }
        }
        reader.deserialize_map(Each)
    }
}

/// The texts of the items of a list.
pub(super) fn items(text: &str) -> Option<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_changed_stays_as_it_is_written() {
        let text = r#"{"jsonrpc":"2.0", "id" : 1.0,"params":{ "n": 1e400, "\u0061":[ ] },"z":"\u00e9"}"#;
        let mut entries = Entries::read(text).unwrap();
        assert_eq!(
            entries.text(),
            r#"{"jsonrpc":"2.0","id":1.0,"params":{ "n": 1e400, "\u0061":[ ] },"z":"\u00e9"}"#
        );
        let mut params = Entries::read(entries.get("params").unwrap()).unwrap();
        params.set("a", "2".into());
        params.remove("n");
        params.set("new", "null".into());
        let params = params.text();
        entries.set("params", params);
        assert_eq!(entries.text(), r#"{"jsonrpc":"2.0","id":1.0,"params":{"a":2,"new":null},"z":"\u00e9"}"#);
        assert_eq!(items("[ 1, {\"a\": 2} ]").unwrap(), ["1", "{\"a\": 2}"]);
    }
}

//! The headers of a request over HTTP, which say again what stands in it.

use serde_json::{Map, Value};

use super::tools::Known;
use crate::call::json;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The headers of a message of the era without a handshake; `None` for one of the other.
pub(super) fn of(message: &str, known: impl Fn(&str) -> Option<Known>) -> Option<Vec<(String, String)>> {
    let message = json::read(message).ok()?;
    let method = message.get("method")?.as_str()?;
    let params = message.get("params")?;
    let version = params.get("_meta")?.get(VERSION)?.as_str()?;
    let mut headers = vec![
        ("MCP-Protocol-Version".to_owned(), encoded(version)),
        ("Mcp-Method".to_owned(), encoded(method)),
    ];
    let name = match method {
        "tools/call" | "prompts/get" => params.get("name"),
        "resources/read" => params.get("uri"),
        _ => None,
    };
    let name = name.and_then(Value::as_str);
    if let Some(name) = name {
        headers.push(("Mcp-Name".to_owned(), encoded(name)));
    }
    if let (Some(known), Some(args)) = (
        name.filter(|_| method == "tools/call").and_then(known),
        params.get("arguments").and_then(Value::as_object),
    ) {
        headers.extend(known.headers.iter().filter_map(|(path, header)| argument(args, path, header)));
    }
    Some(headers)
}

/// The header of an argument.
fn argument(args: &Map<String, Value>, path: &[String], header: &str) -> Option<(String, String)> {
    let (first, rest) = path.split_first()?;
    let value = rest.iter().try_fold(args.get(first)?, |value, key| value.get(key))?;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
        Value::Number(_) | Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    let is_token = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c);
    (!header.is_empty() && header.bytes().all(is_token))
        .then(|| (format!("Mcp-Param-{header}"), encoded(&text)))
}

/// A value as a header can carry it.
fn encoded(text: &str) -> String {
    let plain = text.bytes().all(|c| matches!(c, b' '..=b'~' | b'\t'));
    let edged = text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']);
    let marked = text.starts_with("=?base64?") && text.ends_with("?=");
    if plain && !edged && !marked {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", base64(text.as_bytes()))
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'A');
            out.push(if place > three.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_a_header_cannot_carry_are_encoded() {
        for (text, header) in [
            ("get_weather", "get_weather"),
            ("Seattle, WA", "Seattle, WA"),
            (" x", "=?base64?IHg=?="),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("a\r\nX: y", "=?base64?YQ0KWDogeQ==?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
            ("", ""),
        ] {
            assert_eq!(encoded(text), header);
        }
    }

    #[test]
    fn they_say_what_stands_in_the_message() {
        let known = |name: &str| {
            let headers = vec![
                (vec!["in".into(), "region".into()], "Region".into()),
                (vec!["x".into()], "a\r\nb".into()),
                (vec!["n".into()], "N".into()),
            ];
            (name == "sql").then(|| Known { headers, ..Known::default() })
        };
        let message = r#"{"method":"tools/call","params":{"name":"sql","arguments":{"in":{"region":"eu"},"x":"1","n":5},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let expected = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "sql"),
            ("Mcp-Param-Region", "eu"),
            ("Mcp-Param-N", "5"),
        ];
        let found = of(message, known).unwrap();
        assert_eq!(found.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect::<Vec<_>>(), expected);
        assert_eq!(of(r#"{"method":"tools/call","params":{"name":"sql"}}"#, known), None);
    }
}

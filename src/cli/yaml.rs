//! JSON values written as YAML that people can read on.

use serde_json::Value;

/// The value as a YAML document.
pub(super) fn write(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

/// Writes a value that starts at a line of its own.
fn block(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (i, (key, value)) in map.iter().enumerate() {
                // What stands behind a `-` has its indentation already.
                if i > 0 || out.is_empty() || out.ends_with('\n') {
                    indent(depth, out);
                }
                out.push_str(&word(key));
                out.push(':');
                behind(value, depth + 1, out);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for item in list {
                indent(depth, out);
                out.push_str("- ");
                match item {
                    Value::Object(map) if !map.is_empty() => block(item, depth + 1, out),
                    _ => flow_line(item, out),
                }
            }
        }
        _ => flow_line(value, out),
    }
}

/// Writes the value of a key.
fn behind(value: &Value, depth: usize, out: &mut String) {
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    match value {
        Value::Object(map) if !map.is_empty() && map.values().any(|v| !plain(v)) => {
            out.push('\n');
            block(value, depth, out);
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            out.push('\n');
            block(value, depth, out);
        }
        _ => {
            out.push(' ');
            flow_line(value, out);
        }
    }
}

fn flow_line(value: &Value, out: &mut String) {
    flow(value, out);
    out.push('\n');
}

/// JSON is YAML, so what is small is written as it is, with blanks.
fn flow(value: &Value, out: &mut String) {
    match value {
        Value::Array(list) => {
            out.push('[');
            for (i, item) in list.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                flow(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (key, value)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&word(key));
                out.push_str(": ");
                flow(value, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&value.to_string());
        }
    }
}

/// A key: plain where it cannot be anything but a name.
fn word(key: &str) -> String {
    let name = key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') && key.len() > 3;
    // Short words such as `on`, `no`, `yes`, `true` mean something else to some readers.
    let reserved = matches!(key, "true" | "false" | "null");
    if name && !reserved { key.to_owned() } else { Value::String(key.to_owned()).to_string() }
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn round(value: &Value) -> String {
        let text = write(value);
        let read: Value = serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
        assert_eq!(read, *value, "{text}");
        text
    }

    #[test]
    fn what_is_written_means_the_same() {
        round(&json!({}));
        round(
            &json!({"no": "yes", "a b": ["x: y", "- z", "#", "\u{1}\n\"é\"", ""], "deep": {"list": [[{"a": [1, 2.5, null]}]]}}),
        );
        round(&json!({"rules": [{"when": {"args": {"a.b": {"glob": "*"}}}}, {}], "empty": []}));
    }

    #[test]
    fn a_policy_reads_well() {
        let policy = json!({"version": 1, "rules": [{"deny_by_name": ["a", "b"], "when": {"runs": [{"command": "rm *", "flags_any": ["-r"]}]}}, {"allow_by_default": true}]});
        let expected = "\
version: 1
rules:
  - deny_by_name: [\"a\", \"b\"]
    when:
      runs:
        - command: \"rm *\"
          flags_any: [\"-r\"]
  - allow_by_default: true
";
        assert_eq!(round(&policy), expected);
    }
}

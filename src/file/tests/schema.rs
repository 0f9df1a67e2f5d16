//! The schemas in `schema/` are those of the types.

use std::path::Path;

use serde_json::Value;

use crate::file::{policy_schema, tests_schema};

/// Set to write the schemas anew.
const WRITE: &str = "WRITE_SCHEMAS";

#[test]
fn the_schemas_are_those_of_the_types() {
    for (name, schema) in [("policy.schema.json", policy_schema()), ("tests.schema.json", tests_schema())] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(name);
        let text = format!("{schema:#}\n");
        if std::env::var_os(WRITE).is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(written == text, "schema/{name} is not that of the types: run `{WRITE}=1 cargo test schema`");
    }
}

#[test]
fn every_key_has_a_description() {
    fn walk(schema: &Value, path: &str, missing: &mut Vec<String>) {
        for (key, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let of = value.get("$ref").and_then(Value::as_str);
            if value.get("description").is_none() && of.is_none() {
                missing.push(format!("{path}/{key}"));
            }
        }
        match schema {
            Value::Object(entries) => {
                entries.iter().for_each(|(k, v)| walk(v, &format!("{path}/{k}"), missing));
            }
            Value::Array(items) => items.iter().for_each(|v| walk(v, path, missing)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut missing = Vec::new();
    walk(&policy_schema(), "", &mut missing);
    assert_eq!(missing, [""; 0]);
}

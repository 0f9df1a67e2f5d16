//! The JSON Schemas in `schema/` are those of the types.
#![cfg(feature = "schema")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use tool_policy::schema::Document;

#[test]
fn the_files_are_those_of_the_types() {
    for document in Document::ALL {
        let path = format!("{}/schema/{}.schema.json", env!("CARGO_MANIFEST_DIR"), document.name());
        let text = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            text == document.schema(),
            "schema/{}.schema.json is not the schema of the type; `just schema` (or `.ci/run schema`) rewrites it",
            document.name()
        );
    }
}

#[test]
fn the_schemas_are_draft_07_as_editors_read_it() {
    for document in Document::ALL {
        let schema: serde_json::Value = serde_json::from_str(&document.schema()).unwrap();
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#", "{}", document.name());
        assert!(!document.schema().contains("\"$defs\""), "{}", document.name());
    }
}

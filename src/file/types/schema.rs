//! The parts of the policy's JSON Schema that a derive cannot say.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use serde_json::Value;

use super::{
    Answer, ArgPath, ConditionsFile, ExpectedCause, ExpectedOutcome, ExpectedVerdict, Names, PathFile,
    PolicyFile, RuleFile, Table, TestFile, TestsFile, TypeName, ValueTest,
};
use crate::file::tree::Node;

/// Names joined by dots, `[]` behind those of lists.
const ARG_PATH: &str = r"^[^.\[\]]+(\[\])*(\.[^.\[\]]+(\[\])*)*$";

/// Hours, minutes and seconds.
const DURATION: &str = "^([0-9]+h)?([0-9]+m)?([0-9]+s)?$";

/// The JSON Schema of a policy, in draft 07, which editors read.
pub fn policy_schema() -> serde_json::Value {
    of::<PolicyFile>()
}

/// The JSON Schema of a file of tests.
pub fn tests_schema() -> serde_json::Value {
    of::<TestsFile>()
}

fn of<T: JsonSchema>() -> serde_json::Value {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    without_null(&mut schema);
    if let Value::Object(entries) = &mut schema {
        // Where a reader looks first.
        for (at, key) in ["$schema", "title", "description"].into_iter().enumerate() {
            if let Some(value) = entries.shift_remove(key) {
                entries.shift_insert(at, key.to_owned(), value);
            }
        }
    }
    schema
}

/// A key may be left out, but not be null: what may be absent is not therefore nullable.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            entries.values_mut().for_each(without_null);
            if let Some(Value::Array(types)) = entries.get_mut("type")
                && let [one, null] = types.as_slice()
                && null == "null"
            {
                let one = one.clone();
                entries.insert("type".to_owned(), one);
            }
            if let Some(Value::Array(any)) = entries.get_mut("anyOf")
                && let [one, null] = any.as_slice()
                && null.get("type").is_some_and(|t| t == "null")
            {
                let one = one.clone();
                entries.shift_remove("anyOf");
                match one {
                    // Beside a reference, other keys do not count in draft 07.
                    Value::Object(only) if !only.contains_key("$ref") => entries.extend(only),
                    one => drop(entries.insert("allOf".to_owned(), vec![one].into())),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

impl<T: JsonSchema> JsonSchema for Table<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Table_of_{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let values = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": values })
    }
}

impl JsonSchema for ArgPath {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "ArgPath".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": ARG_PATH })
    }
}

impl JsonSchema for Node {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Any".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

impl JsonSchema for PathFile {
    fn schema_name() -> Cow<'static, str> {
        "Path".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "description": "A glob." },
            path_table(),
        ] })
    }
}

impl JsonSchema for RuleFile {
    fn schema_name() -> Cow<'static, str> {
        "Rule".into()
    }
    /// Each kind is its own table, so that an editor offers only the keys that go with it.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let names = generator.subschema_for::<Names>();
        let kinds = [
            ("deny_by_name", "Denies the tools with these names.", names.clone(), true),
            ("allow_by_name", "Allows the tools with these names.", names.clone(), false),
            (
                "allow_by_read_only",
                "Allows a call that is read-only.",
                json_schema!({ "anyOf": [{ "const": true }, {
                    "type": "object",
                    "properties": { "trust_mcp": {
                        "description": "The MCP servers whose own word is taken for it.",
                        "anyOf": [{ "type": "boolean" }, names],
                    } },
                    "additionalProperties": false,
                }] }),
                false,
            ),
            (
                "decide_by_human",
                "Asks a person.",
                json_schema!({ "anyOf": [{ "const": true }, {
                    "type": "object",
                    "properties": {
                        "timeout": {
                            "description": "How long to wait for an answer: `10m`, `30s`, or a number of seconds.",
                            "anyOf": [{ "type": "string", "minLength": 2, "pattern": DURATION }, { "type": "number", "exclusiveMinimum": 0, "maximum": 86400 }],
                        },
                        "question": { "description": "What the person is asked.", "type": "string" },
                    },
                    "additionalProperties": false,
                }] }),
                false,
            ),
            ("allow_by_default", "Allows what is left.", json_schema!({ "const": true }), false),
        ];
        let kinds: Vec<Schema> = kinds
            .into_iter()
            .map(|(key, description, mut value, deny)| {
                value.insert("description".into(), description.into());
                rule_of_kind(generator, key, &value, deny)
            })
            .collect();
        json_schema!({ "description": "A rule: one kind, and what narrows it.", "oneOf": kinds })
    }
}

fn rule_of_kind(generator: &mut SchemaGenerator, key: &str, value: &Schema, deny: bool) -> Schema {
    let conditions = generator.subschema_for::<ConditionsFile>();
    let (mut when, mut unless) = (conditions.clone(), conditions);
    when.insert("description".into(), "What must hold.".into());
    unless.insert("description".into(), "What must not hold.".into());
    let mut properties = serde_json::json!({
        key: value,
        "id": {
            "description": "Its name, unique in the list; `rule-N` without one.",
            "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
        },
        "description": { "description": "What the rule is for.", "type": "string" },
        "when": when,
        "unless": unless,
    });
    let own = if deny {
        serde_json::json!({
            "reason": { "description": "What the model is told.", "type": "string", "pattern": "\\S" },
            "stop": { "description": "Whether a denial also stops the turn.", "type": "boolean" },
        })
    } else {
        serde_json::json!({ "set": { "description": "Arguments to change in the call.", "type": "object" } })
    };
    if let (Some(all), serde_json::Value::Object(own)) = (properties.as_object_mut(), own) {
        all.extend(own);
    }
    json_schema!({ "type": "object", "properties": properties, "required": [key], "additionalProperties": false })
}

impl JsonSchema for TestFile {
    fn schema_name() -> Cow<'static, str> {
        "Test".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut verdict = generator.subschema_for::<ExpectedVerdict>();
        verdict.insert("description".into(), "What must come out.".into());
        let outcome = generator.subschema_for::<ExpectedOutcome>();
        let answer = generator.subschema_for::<Answer>();
        let call = json_schema!({ "type": "object", "description": "One call." });
        let each = json_schema!({
            "type": "array", "items": call, "minItems": 1, "description": "Calls, each by itself with the same expectation.",
        });
        let calls = json_schema!({ "type": "array", "items": call, "minItems": 1, "description": "The calls of one turn." });
        let turn =
            json_schema!({ "type": "array", "items": outcome, "description": "What becomes of each call." });
        let of = |key: &str, what: &Schema, expect: &Schema, more: serde_json::Value| {
            let mut properties = serde_json::json!({
                key: what,
                "expect": expect,
                "name": { "description": "Its name.", "type": "string" },
                "by": { "description": "The id of the rule that must decide.", "type": "string" },
                "reason": { "description": "What the model must be told.", "type": "string" },
            });
            if let (Some(all), serde_json::Value::Object(more)) = (properties.as_object_mut(), more) {
                all.extend(more);
            }
            json_schema!({
                "type": "object", "properties": properties, "required": [key, "expect"], "additionalProperties": false,
            })
        };
        let single = serde_json::json!({
            "cause": generator.subschema_for::<ExpectedCause>(),
            "question": { "description": "What the person must be asked.", "type": "string" },
            "updated_args": { "description": "The changed arguments.", "type": "object" },
        });
        let of_turn = serde_json::json!({
            "answers": { "description": "What the person answers, in order.", "type": "array", "items": answer },
        });
        json_schema!({
            "description": "One call or several, and what the policy must say.",
            "oneOf": [
                of("call", &call, &verdict, single.clone()),
                of("each", &each, &verdict, single),
                of("calls", &calls, &turn, of_turn),
            ],
        })
    }
}

/// The number of the format.
pub(super) fn version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": 1 })
}

/// A text, or a list of texts.
pub(super) fn one_or_many(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
}

/// Any value.
pub(super) fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

/// A port, or a list of ports.
pub(super) fn ports(_: &mut SchemaGenerator) -> Schema {
    let port = json_schema!({ "type": "integer", "minimum": 1, "maximum": 65535 });
    json_schema!({ "anyOf": [port, { "type": "array", "items": port }] })
}

/// The name of a type, or a list of them.
pub(super) fn type_names(generator: &mut SchemaGenerator) -> Schema {
    let name = generator.subschema_for::<TypeName>();
    json_schema!({ "anyOf": [name, { "type": "array", "items": name }] })
}

/// A list of flags, each a spelling or a list of spellings.
pub(super) fn flags_all(generator: &mut SchemaGenerator) -> Schema {
    let flag = one_or_many(generator);
    json_schema!({ "type": "array", "items": flag })
}

/// A list of path patterns, or one table.
pub(super) fn paths(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<PathFile>();
    json_schema!({ "anyOf": [{ "type": "array", "items": item }, path_table()] })
}

fn path_table() -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "outside": { "description": "A folder that the path is not in.", "type": "string" },
            "inside": { "description": "A folder that the path is in.", "type": "string" },
        },
        "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
    })
}

/// A list of items, or one of their tables.
pub(super) fn items<T: JsonSchema, One: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<T>();
    let table = generator.subschema_for::<One>();
    json_schema!({ "anyOf": [{ "type": "array", "items": item }, table] })
}

/// Arguments by their paths.
pub(super) fn args(generator: &mut SchemaGenerator) -> Schema {
    let value = value_test(generator);
    json_schema!({
        "type": "object", "propertyNames": { "pattern": ARG_PATH }, "additionalProperties": value, "minProperties": 1,
    })
}

/// A value, a list of values, or operators.
pub(super) fn value_test(generator: &mut SchemaGenerator) -> Schema {
    let operators = generator.subschema_for::<ValueTest>();
    json_schema!({ "anyOf": [{ "type": ["string", "number", "boolean", "null", "array"] }, operators] })
}

//! The JSON Schemas of what goes in and comes out, generated from the types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::call::schema::CallShape;
use crate::file::{policy_schema, tests_schema};
use crate::turn::TurnOutcome;
use crate::verdict::Verdict;

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A policy file.
    Policy,
    /// A file of tests beside a policy.
    Tests,
    /// A call.
    Call,
    /// The verdict on a call.
    Verdict,
    /// What came of a turn.
    Turn,
}

impl Document {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Policy, Self::Tests, Self::Call, Self::Verdict, Self::Turn];

    /// Its name: `schema/NAME.schema.json` is its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Tests => "tests",
            Self::Call => "call",
            Self::Verdict => "verdict",
            Self::Turn => "turn",
        }
    }

    /// Its JSON Schema, draft-07, which editors read.
    pub fn schema(self) -> String {
        match self {
            Self::Policy => written(&policy_schema()),
            Self::Tests => written(&tests_schema()),
            Self::Call => {
                written(&SchemaSettings::draft07().into_generator().into_root_schema_for::<CallShape>())
            }
            Self::Verdict => written(&printed::<Verdict>()),
            Self::Turn => written(&printed::<TurnOutcome>()),
        }
    }
}

/// What we print is described as it is printed: keys that are always there are required.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft07().for_serialize().into_generator().into_root_schema_for::<T>()
}

fn written(schema: &impl Serialize) -> String {
    // A schema is plain JSON: writing it cannot fail.
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}

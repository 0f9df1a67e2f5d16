//! The JSON Schemas of what goes in and comes out, generated from the types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use crate::call::schema::CallShape;
use crate::file::PolicyFile;
use crate::turn::TurnOutcome;
use crate::verdict::Verdict;

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A policy file.
    Policy,
    /// A call.
    Call,
    /// The verdict on a call.
    Verdict,
    /// What came of a turn.
    Turn,
}

impl Document {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Policy, Self::Call, Self::Verdict, Self::Turn];

    /// Its name: `schema/NAME.schema.json` is its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Call => "call",
            Self::Verdict => "verdict",
            Self::Turn => "turn",
        }
    }

    /// Its JSON Schema, draft-07, which editors read.
    pub fn schema(self) -> String {
        match self {
            Self::Policy => of::<PolicyFile>(self),
            Self::Call => of::<CallShape>(self),
            Self::Verdict => of::<Verdict>(self),
            Self::Turn => of::<TurnOutcome>(self),
        }
    }
}

fn of<T: JsonSchema>(document: Document) -> String {
    let settings = match document {
        Document::Policy | Document::Call => SchemaSettings::draft07(),
        // What we print is described as it is printed: keys that are always there are required.
        Document::Verdict | Document::Turn => SchemaSettings::draft07().for_serialize(),
    };
    let schema = settings.into_generator().into_root_schema_for::<T>();
    // A schema is plain JSON: writing it cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

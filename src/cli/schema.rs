//! `policy schema`: the JSON Schemas.

use super::args::{SchemaArgs, SchemaOf};
use super::output::{Done, Io, Status};
use crate::schema::Document;

pub(super) fn run(args: &SchemaArgs, io: &mut Io) -> Done {
    let document = match args.of {
        SchemaOf::Policy => Document::Policy,
        SchemaOf::Tests => Document::Tests,
        SchemaOf::Call => Document::Call,
        SchemaOf::Verdict => Document::Verdict,
        SchemaOf::Turn => Document::Turn,
    };
    write!(io.out, "{}", document.schema())?;
    Ok(Status::Fine)
}

//! stub
use super::args::InitArgs;
use super::output::{Done, Failure, Io};
pub(super) fn run(_: &InitArgs, _: &mut Io) -> Done {
    Err(Failure::told("stub"))
}

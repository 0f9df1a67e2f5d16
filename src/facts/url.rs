//! stub
/// stub
#[derive(Clone, Debug, Default)]
pub struct Target;
impl Target { /// stub
pub fn unknown() -> Self { Self } /// stub
pub fn parse(_: &str, _: &str) -> Self { Self } /// stub
pub fn from_word(_: &super::word::Word, _: &str) -> Self { Self } }

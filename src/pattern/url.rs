//! stub
use super::{PatternError, Reading, Tri};
use crate::facts::url::Target;
/// stub
#[derive(Clone, Debug)]
pub struct UrlPattern;
impl UrlPattern {
    /// stub
    pub fn parse(_: &str) -> Result<Self, PatternError> { Ok(Self) }
    /// stub
    pub fn table(_: Option<&str>, _: &[String], _: &[String], _: Option<u16>, _: Option<&str>) -> Result<Self, PatternError> { Ok(Self) }
    /// stub
    pub fn matches(&self, _: &Target, _: Option<&str>, _: bool, _: Reading) -> Tri { Tri::Possibly }
}

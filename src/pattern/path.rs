//! stub
use super::{PatternError, Reading, Tri};
use crate::facts::path::FilePath;
/// stub
#[derive(Clone, Debug)]
pub struct PathPattern;
/// stub
pub struct PathContext<'a> { /// stub
pub x: &'a () }
impl<'a> PathContext<'a> { /// stub
pub fn new(_: &crate::facts::Place, _: &'a dyn crate::facts::disk::Disk) -> Self { Self { x: &() } } }
impl PathPattern {
    /// stub
    pub fn parse(_: &str) -> Result<Self, PatternError> { Ok(Self) }
    /// stub
    pub fn outside(_: &str) -> Result<Self, PatternError> { Ok(Self) }
    /// stub
    pub fn inside(_: &str) -> Result<Self, PatternError> { Ok(Self) }
    /// stub
    pub fn matches(&self, _: &FilePath, _: bool, _: Reading, _: &PathContext<'_>) -> Tri { Tri::Possibly }
}

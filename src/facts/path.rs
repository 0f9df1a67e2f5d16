//! stub
/// stub
#[derive(Clone, Debug, Default)]
pub struct FilePath;

//! The bytes of a file, before anything is read from them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::diagnostic::{Code, Diagnostic};
use crate::file::tree::Format;
use crate::source::{SourceId, Span};

/// No policy that people look after is larger.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// Reads a file, at most one byte more than allowed.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let len = file.metadata().map_or(0, |data| data.len());
    // Room for all of it, and for the look whether there is more.
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(MAX_BYTES).min(MAX_BYTES) + 64);
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why a file cannot be read, in the author's words.
pub(super) fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

/// What is wrong with bytes that no policy is. `text` is what could be made of `bytes`.
pub(super) fn check(bytes: &[u8], text: &str, source: SourceId, format: Format) -> Option<Diagnostic> {
    if bytes.len() > MAX_BYTES {
        let finding = Diagnostic::error(Code::E0103, "the file is larger than 4 MiB");
        return Some(
            finding.at(Span::new(source, 0..0), "").help("split it, and let one file extend the others"),
        );
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        let message = format!("the file is not UTF-8: byte 0x{byte:02X} at offset {at}");
        let span = char_at(text, at, source);
        return Some(Diagnostic::error(Code::E0104, message).at(span, "").help("save it as UTF-8"));
    }
    if text.starts_with('\u{feff}') {
        let span = Span::new(source, 0..'\u{feff}'.len_utf8());
        let finding = Diagnostic::error(Code::E0105, "the file starts with a byte order mark");
        return Some(finding.at(span, "U+FEFF").suggest("remove it", span, ""));
    }
    if let Some(at) = text.find('\0') {
        let finding = Diagnostic::error(Code::E0105, "the file has a NUL character");
        return Some(finding.at(char_at(text, at, source), "U+0000").help("remove it"));
    }
    if text.trim().is_empty() {
        let finding = Diagnostic::error(Code::E0106, "the file is empty").at(Span::new(source, 0..0), "");
        let line = match format {
            Format::Toml => "version = 1",
            Format::Yaml => "version: 1",
            Format::Json => "{ \"version\": 1 }",
        };
        return Some(
            finding.help(format!("a policy that says nothing is `{line}`; every call is then denied")),
        );
    }
    None
}

fn char_at(text: &str, at: usize, source: SourceId) -> Span {
    let len = text.get(at..).and_then(|t| t.chars().next()).map_or(0, char::len_utf8);
    Span::new(source, at..at + len)
}

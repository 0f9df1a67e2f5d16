//! The ready-made policies, as they stand in `policies/`.

use crate::file::Format;

/// A ready-made policy.
pub(super) struct ReadyMade {
    /// Its file in `policies/`.
    file: &'static str,
    /// Its text.
    pub(super) text: &'static str,
}

macro_rules! policies {
    ($($file:literal,)*) => {
        &[$(ReadyMade { file: $file, text: include_str!(concat!("../../policies/", $file)) },)*]
    };
}

/// All of them; the first is written where none is named.
pub(super) const ALL: &[ReadyMade] = policies! {
    "ask-before-writes.toml",
    "accept-edits.toml",
    "allow-by-default-with-denials.toml",
    "default.toml",
    "deny-by-default.toml",
    "house-rules.toml",
    "mcp-named-servers.toml",
    "read-only-agent.yaml",
    "read-only.toml",
    "sub-agent.toml",
    "yolo.toml",
};

impl ReadyMade {
    /// The policy with this name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|policy| policy.name() == name)
    }

    /// Its name: that of its file, without the extension.
    pub(super) fn name(&self) -> &'static str {
        self.file.split_once('.').map_or(self.file, |(name, _)| name)
    }

    /// What it is written in.
    pub(super) fn format(&self) -> Format {
        Format::of_path(self.file.as_ref()).unwrap_or(Format::Toml)
    }

    /// The remarks at its head, which say what it is for.
    pub(super) fn remarks(&self) -> impl Iterator<Item = &'static str> {
        self.text.lines().take_while(|line| line.starts_with('#'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_of_the_folder_is_known_and_sorted_behind_the_first() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/policies");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .filter(|path| !super::super::discover::is_tests(path))
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        let mut known: Vec<&str> = ALL.iter().map(|p| p.file).collect();
        assert!(known.iter().skip(1).is_sorted(), "sort the list in src/cli/ready_made.rs");
        known.sort_unstable();
        assert_eq!(known, files, "name every policy of policies/ in src/cli/ready_made.rs");
    }
}

//! The ready-made policies, as they stand in `policies/`.

/// A ready-made policy.
pub(super) struct ReadyMade {
    /// Its name: `policies/NAME.toml` is its file.
    pub(super) name: &'static str,
    /// Its text.
    pub(super) text: &'static str,
}

macro_rules! policies {
    ($($name:literal,)*) => {
        &[$(ReadyMade { name: $name, text: include_str!(concat!("../../policies/", $name, ".toml")) },)*]
    };
}

/// All of them; the first is written where none is named.
pub(super) const ALL: &[ReadyMade] = policies! {
    "ask-before-writes",
    "accept-edits",
    "allow-by-default-with-denials",
    "default",
    "deny-by-default",
    "house-rules",
    "mcp-named-servers",
    "read-only",
    "sub-agent",
    "yolo",
};

impl ReadyMade {
    /// The policy with this name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|policy| policy.name == name)
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
            .filter(|path| {
                path.extension().is_some_and(|e| e == "toml") && !super::super::discover::is_tests(path)
            })
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        let mut known: Vec<&str> = ALL.iter().map(|p| p.name).collect();
        assert!(known.is_sorted_by(|a, b| *a == known[0] || a < b), "sort the list in src/cli/ready_made.rs");
        known.sort_unstable();
        assert_eq!(known, files, "name every policy of policies/ in src/cli/ready_made.rs");
    }
}

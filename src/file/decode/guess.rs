//! Did you mean: the known word that an unknown one was probably meant to be.

/// Longer words are no slip of a finger.
const MAX_LENGTH: usize = 64;

/// The one of `known` that is nearest to `word`, when it is near.
pub(super) fn guess<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    let plain = normal(word);
    known
        .into_iter()
        .filter_map(|candidate| {
            let other = normal(candidate);
            let distance = strsim::damerau_levenshtein(&plain, &other);
            // A third of the word may be wrong; of a word of three letters, one.
            let near = distance == 0 || distance <= plain.chars().count().min(other.chars().count()) / 3;
            near.then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `DenyByName`, `deny-by-name` and `deny_by_name` are one word.
fn normal(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["deny_by_name", "allow_by_name", "allow_by_read_only", "when", "id"];

    #[test]
    fn near_words_are_found_and_far_ones_not() {
        for (word, meant) in [
            ("DenyByName", Some("deny_by_name")),
            ("denyByName", Some("deny_by_name")),
            ("deny-by-name", Some("deny_by_name")),
            ("alow_by_name", Some("allow_by_name")),
            ("allow_by_readonly", Some("allow_by_read_only")),
            ("wehn", Some("when")),
            ("ID", Some("id")),
            ("it", None),
            ("whom", None),
            ("verdict", None),
            ("", None),
        ] {
            assert_eq!(guess(word, KNOWN), meant, "{word}");
        }
        assert_eq!(guess(&"x".repeat(1 << 20), KNOWN), None);
    }
}

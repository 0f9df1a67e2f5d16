//! What holds for all commands.

use proptest::prelude::*;

use super::*;

fn some_word() -> impl Strategy<Value = Word> {
    let text = prop_oneof![
        Just("-o".to_owned()),
        Just("--".to_owned()),
        Just("-".to_owned()),
        Just("-nEi.x".to_owned()),
        Just("--output=f".to_owned()),
        Just("-exec".to_owned()),
        Just(";".to_owned()),
        Just("-c".to_owned()),
        Just("log".to_owned()),
        Just("s/[^/]*$//w f".to_owned()),
        Just("{print > \"f\"}".to_owned()),
        "[-a-z=/.{}\\[\\]\"'$é ]{0,8}",
    ];
    let piece = prop_oneof![
        6 => text.prop_map(Piece::Text),
        1 => Just(Piece::Glob("*".into())),
        1 => any::<bool>().prop_map(|splits| Piece::Unknown { splits }),
    ];
    proptest::collection::vec(piece, 0..3).prop_map(|pieces| Word { pieces, span: (0, 0) })
}

fn command() -> impl Strategy<Value = Vec<Word>> {
    let all: Vec<&'static str> = names().collect();
    (proptest::sample::select(all), proptest::collection::vec(some_word(), 0..7)).prop_map(|(name, rest)| {
        let mut words = vec![Word::text(name)];
        words.extend(rest);
        words
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_every_index_is_a_word(words in command()) {
        let u = understand(&words);
        let parsed = &u.parsed;
        for index in parsed.operands.iter().chain(&parsed.subcommand).chain(&parsed.global).chain(&u.unknown_word_may_run) {
            prop_assert!(*index < words.len() && *index > 0);
        }
        let _ = understand_as(&words, true);
        let _ = sort_words(&words);
    }

    /// Removing information never makes a command read-only.
    #[test]
    fn an_unknown_word_never_makes_a_claim(words in command(), at in 0_usize..8, splits: bool) {
        let mut less = words.clone();
        let Some(word) = less.get_mut(at) else { return Ok(()) };
        *word = Word::unknown(splits);
        let (known, unknown) = (understand(&words), understand(&less));
        // What an option's value takes away cannot be told any more, so only commands without options can be compared.
        let plain = words.iter().skip(1).all(|w| !super::super::words::start(w).starts_with('-'));
        if plain && matches!(known.read_only, Claim::No(_)) && known.inner.is_empty() {
            let again = matches!(unknown.read_only, Claim::No(_)) || unknown.inner.iter().any(|i| i.transparent);
            // An unknown file is still a file that is read.
            prop_assert!(again || reads_that_word(&words, at), "{words:?}\n{known:?}\n{unknown:?}");
        }
    }
}

/// Whether the word alone is what made the known command more than reading (a script that was replaced by a name of a file, say).
fn reads_that_word(words: &[Word], at: usize) -> bool {
    let mut without = words.to_vec();
    if at == 0 {
        return false;
    }
    without.remove(at);
    matches!(understand(&without).read_only, Claim::Yes)
}

#[test]
fn long_commands_take_linear_time() {
    for line in ["git log", "find", "sed", "xargs", "tar", "env", "sudo", "cp"] {
        let mut many = words(line);
        many.extend(std::iter::repeat_n(Word::text("-a=b"), 20_000));
        many.extend(std::iter::repeat_n(Word::text("x"), 20_000));
        let started = std::time::Instant::now();
        understand(&many);
        assert!(started.elapsed().as_secs() < 5, "{line}: {:?}", started.elapsed());
    }
    let script = Word::text("s/[[:a:]]/x/;".repeat(20_000));
    understand(&[Word::text("sed"), script]);
    understand(&[Word::text("awk"), Word::text("(".repeat(100_000))]);
    let nested = Word::text(format!("{}ls", "env -S ".repeat(10_000)));
    understand(&[Word::text("env"), Word::text("-S"), nested]);
}

//! Where two of three other parsers agree on the commands of a literal script, ours agrees with them, or says that it does not know.
//!
//! `cargo test -p shell-oracles -- --nocapture` prints the counts. The other parsers take minutes to build, so this is no default member.

mod others;
mod scripts;
mod words;

use std::collections::BTreeSet;

use tool_policy::facts::shell::{Start, read};

/// The commands of a script, each with its words.
type Commands = BTreeSet<Vec<String>>;

/// Why two of the others agree and are wrong, where they are; bash itself was asked.
fn others_wrong(text: &str) -> Option<&'static str> {
    let closes = |at: usize| {
        let behind = &text[at + 2..];
        let word = behind.trim_start_matches([' ', '\t']).strip_prefix('-');
        // `>&-` alone is no question.
        word.is_some_and(|word| {
            word.len() + 1 < behind.len()
                || word.starts_with(|c: char| !c.is_whitespace() && !";|&<>()".contains(c))
        })
    };
    if text.match_indices(">&").chain(text.match_indices("<&")).any(|(at, _)| closes(at)) {
        return Some(
            "`p 2>&-a` and `p 2>& -a` close the descriptor and give `p` the word `a`; they lose the word",
        );
    }
    if text.replace("\\\n", "").split('!').skip(1).any(|after| after.trim().is_empty()) {
        return Some(
            "`! ! p`, also with a line end between, negates twice; they take the second `!` for the command",
        );
    }
    if text.contains("}\\") {
        return Some("`}\\$x` is one word, and so is `}`, an escaped line end, `r`; they part it");
    }
    if text.contains("in #") {
        return Some("a comment behind `for v in` leaves no words, so nothing runs; they take it for a word");
    }
    match text {
        "eval 'f() { p; }'; f" => Some("the function that `eval` defines is called"),
        "for x in; do c; done" => Some("a loop over no words runs nothing"),
        _ => None,
    }
}

/// What ours lists; `None` where something is unknown.
fn ours(text: &str) -> Option<Commands> {
    let script = read(text, &Start::default());
    if !script.unknown.is_empty() {
        return None;
    }
    let mut all = Commands::new();
    // What `eval` and `trap` run stands in the words of a command for the others.
    for command in script.commands.iter().filter(|c| !c.words.is_empty() && !c.via_eval) {
        all.insert(
            command
                .words
                .iter()
                .map(|w| w.literal().map(std::borrow::Cow::into_owned))
                .collect::<Option<_>>()?,
        );
    }
    Some(all)
}

#[derive(Default)]
struct Tally {
    scripts: usize,
    settled: usize,
    agree: usize,
    unknown: usize,
    others_wrong: usize,
    wrong: Vec<String>,
}

fn compare(name: &str, texts: impl Iterator<Item = String>) -> Tally {
    let mut tally = Tally::default();
    for text in texts.filter(|text| text.len() < 4096) {
        tally.scripts += 1;
        let all: Vec<Commands> = [others::shuck(&text), others::rable(&text), others::tree_sitter(&text)]
            .into_iter()
            .flatten()
            .collect();
        let settled = all.iter().find(|one| all.iter().filter(|other| other == one).count() >= 2);
        let Some(settled) = settled.filter(|commands| !commands.is_empty()) else { continue };
        tally.settled += 1;
        match ours(&text) {
            None => tally.unknown += 1,
            Some(own) if own == *settled => tally.agree += 1,
            Some(_) if others_wrong(&text).is_some() => tally.others_wrong += 1,
            Some(own) => tally.wrong.push(format!("{text:?}\n    ours:   {own:?}\n    others: {settled:?}")),
        }
    }
    println!(
        "{name:12} {:>6} scripts, {:>6} settled, {:>6} agree, {:>5} ours unknown, {:>3} others wrong, {:>3} differ",
        tally.scripts,
        tally.settled,
        tally.agree,
        tally.unknown,
        tally.others_wrong,
        tally.wrong.len()
    );
    tally
}

#[test]
fn ours_agrees_or_does_not_know() {
    let generated = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    let all = [
        compare("corpora", scripts::of_the_corpora()),
        compare("tables", scripts::of_the_tables()),
        compare("generated", scripts::generated(generated)),
        compare("mutated", scripts::mutated(generated)),
    ];
    let wrong: Vec<&String> = all.iter().flat_map(|tally| &tally.wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.iter().take(40).map(|w| w.as_str()).collect::<Vec<_>>().join("\n")
    );
    let (agree, unknown) = all.iter().fold((0, 0), |(a, u), tally| (a + tally.agree, u + tally.unknown));
    assert!(agree > 10 * unknown, "{unknown} unknown of {agree}");
}

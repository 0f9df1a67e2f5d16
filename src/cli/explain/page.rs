//! The page of a code.

use super::super::output::{Done, Failure, Io, Status};
use crate::diagnostic::{Code, visible};
use crate::lint::{self, Lint};

pub(super) fn run(word: &str, io: &mut Io) -> Done {
    let Some(page) = page(word) else {
        return Err(match nearest(word) {
            Some(near) => Failure::told(format!("no code or lint is called `{}`", visible(word))).with_help(format!("did you mean `{near}`?")),
            None => Failure::told(format!("no code or lint is called `{}`", visible(word)))
                .with_help("a code is as it stands in a finding, such as `E0104`; a call is JSON, such as `{\"tool\": \"read_file\"}`"),
        });
    };
    writeln!(io.out, "{}", page.trim_end())?;
    Ok(Status::Fine)
}

fn page(word: &str) -> Option<String> {
    let of_code = Code::from_name(word).map(|code| code.page().to_owned());
    of_code.or_else(|| lint::find(&word.to_ascii_lowercase()).map(Lint::page))
}

/// The name that was probably meant.
fn nearest(word: &str) -> Option<&'static str> {
    let names = Code::ALL.iter().map(|code| code.as_str()).chain(lint::all().iter().map(|lint| lint.name));
    let scored = names
        .map(|name| (strsim::jaro_winkler(&word.to_ascii_lowercase(), &name.to_ascii_lowercase()), name));
    scored.filter(|(score, _)| *score > 0.85).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

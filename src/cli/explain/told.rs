//! The story of a call, for a person.

use std::io;

use anstyle::Style;

use super::super::output::{BOLD, DIM, GREEN, Io, RED, YELLOW};
use super::story::{Asked, Layer, Story, Told};
use crate::diagnostic::visible;
use crate::verdict::{Answer, RuleRef, Verdict};

/// Prints the story. What the call says is shown escaped.
pub(super) fn tell(story: &Story, io: &mut Io) -> io::Result<()> {
    let head = |io: &Io, word: &str| io.styled(BOLD, &format!("{word:<9}"));
    let line = format!("{}{}", head(io, "call"), visible(&story.call));
    writeln!(io.out, "{line}")?;
    let line = format!("{}{}", head(io, "verdict"), summary(&story.verdict, io));
    writeln!(io.out, "{line}")?;
    for (word, text) in details(&story.verdict) {
        let line = format!("{}{}", head(io, word), visible(&text));
        writeln!(io.out, "{line}")?;
    }
    if let Some(miss) = &story.nearest_miss {
        let line = format!("{}{}", head(io, "nearest"), visible(miss));
        writeln!(io.out, "{line}")?;
    }
    if !story.parts.is_empty() {
        let title = io.styled(BOLD, "what it would do");
        writeln!(io.out, "\n{title}")?;
        for (i, part) in story.parts.iter().enumerate() {
            tell_part(i + 1, part, io)?;
        }
    }
    for layer in &story.layers {
        tell_layer(layer, story.layers.len() > 1, io)?;
    }
    Ok(())
}

fn colour_of(answer: Answer) -> Style {
    match answer {
        Answer::Allow => GREEN,
        Answer::Deny => RED,
        Answer::Ask => YELLOW,
    }
}

fn summary(verdict: &Verdict, io: &Io) -> String {
    let answer = io.styled(colour_of(verdict.verdict), verdict.verdict.name());
    let by = match &verdict.decided_by {
        Some(rule) => format!("by rule `{}`{}", visible(&rule.rule), place(rule)),
        None => "by no rule".to_owned(),
    };
    format!("{answer} {by} (cause: {})", verdict.cause.name())
}

fn place(rule: &RuleRef) -> String {
    match (&rule.file, rule.line) {
        (Some(file), Some(line)) => format!(", {}:{line}", visible(file)),
        (Some(file), None) => format!(", {}", visible(file)),
        (None, _) => String::new(),
    }
}

/// What else the verdict says, with a word for each.
fn details(verdict: &Verdict) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let reason = verdict.reason.as_ref().map(ToString::to_string);
    found.extend(reason.map(|text| ("reason", text)));
    found.extend(verdict.question.clone().map(|text| ("question", text)));
    found.extend(verdict.stop.then(|| ("stop", "the turn ends here".to_owned())));
    let args = verdict.updated_args.clone().map(|args| serde_json::Value::Object(args).to_string());
    found.extend(args.map(|text| ("args", text)));
    found.extend(verdict.warnings.iter().map(|text| ("warning", text.clone())));
    found
}

fn tell_part(number: usize, part: &Told, io: &mut Io) -> io::Result<()> {
    let by = match (&part.decided_by, &part.note) {
        (Some(rule), _) => format!("rule `{}`", visible(rule)),
        (None, Some(note)) => visible(note).into_owned(),
        (None, None) => "no rule".to_owned(),
    };
    let by = io.styled(DIM, &format!("<- {by}"));
    writeln!(io.out, "  {number}. {:<5} {}  {by}", part.kind, visible(&part.text))?;
    for fact in &part.facts {
        writeln!(io.out, "           {}", visible(fact))?;
    }
    Ok(())
}

fn tell_layer(layer: &Layer, several: bool, io: &mut Io) -> io::Result<()> {
    let name = match (&layer.name, &layer.file) {
        (Some(name), Some(file)) => format!("rules of layer `{}` ({})", visible(name), visible(file)),
        (None, Some(file)) => format!("rules of {}", visible(file)),
        (Some(name), None) => format!("rules of layer `{}`", visible(name)),
        (None, None) => "rules".to_owned(),
    };
    let by_itself = if several {
        format!(": {}", layer.verdict.name())
    } else {
        ", in the order they were asked".to_owned()
    };
    let title = io.styled(BOLD, &name);
    writeln!(io.out, "\n{title}{by_itself}")?;
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).min(40);
    let ids = width(&mut layer.steps.iter().map(|s| s.rule.rule.chars().count()));
    let kinds = width(&mut layer.steps.iter().map(|s| s.rule.kind.len()));
    for step in &layer.steps {
        tell_step(step, ids, kinds, io)?;
    }
    if !layer.not_asked.is_empty() {
        let names: Vec<_> = layer.not_asked.iter().map(|rule| format!("`{}`", visible(&rule.rule))).collect();
        let line =
            io.styled(DIM, &format!("  not asked, as the verdict was clear before: {}", names.join(", ")));
        writeln!(io.out, "{line}")?;
    }
    Ok(())
}

fn tell_step(step: &Asked, ids: usize, kinds: usize, io: &mut Io) -> io::Result<()> {
    let mark = match step.outcome {
        "match" => io.styled(BOLD, "yes  "),
        "possible" => io.styled(YELLOW, "maybe"),
        _ => io.styled(DIM, "no   "),
    };
    let parts = match step.parts.as_slice() {
        [] => String::new(),
        [one] => format!(" (part {one})"),
        many => format!(" (parts {})", many.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    };
    let line = step.rule.line.map(|line| format!("line {line}")).unwrap_or_default();
    writeln!(
        io.out,
        "  {mark}  {:<ids$}  {:<kinds$}  {line:<8}  {}{parts}",
        visible(&step.rule.rule),
        step.rule.kind,
        visible(&step.why)
    )
}

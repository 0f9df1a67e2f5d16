//! Findings for a person at a terminal, as rustc shows them.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet};
use anstream::adapter::strip_str;

use super::visible::{is_hidden, push};
use super::{Diagnostic, Help, Label, Severity, visible};
use crate::source::{Source, SourceId, Sources, Span, floor_boundary};

/// The findings with the lines they speak of; with `colour`, styled for a terminal.
pub fn human(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in diagnostics {
        for line in renderer.render(&groups(diagnostic, sources)).lines().filter(|line| !continues(line)) {
            out.push_str(line);
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// Whether the renderer only says that the next lines are of the same file. It does so where the place is given to it,
/// as it must be: it counts columns in what is shown, not in what is written.
fn continues(line: &str) -> bool {
    strip_str(line).to_string().trim() == ":::"
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let title = level.primary_title(visible(&diagnostic.message)).id(diagnostic.code.as_str());
    let places = by_source(&diagnostic.labels).into_iter().flat_map(|labels| places(&labels, sources));
    let (changes, words): (Vec<_>, Vec<_>) = diagnostic.help.iter().partition(|h| h.replacement.is_some());
    let main = Group::with_title(title)
        .elements(places)
        .elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(visible(note))))
        .elements(words.into_iter().map(|help| Level::HELP.message(visible(&help.text))));
    std::iter::once(main).chain(changes.into_iter().filter_map(|help| change(help, sources))).collect()
}

/// The labels by their source; that of the finding itself first.
fn by_source(labels: &[Label]) -> Vec<Vec<&Label>> {
    let mut out: Vec<(SourceId, Vec<&Label>)> = Vec::new();
    for label in labels.iter().filter(|l| l.primary).chain(labels.iter().filter(|l| !l.primary)) {
        match out.iter_mut().find(|(source, _)| *source == label.span.source) {
            Some((_, list)) => list.push(label),
            None => out.push((label.span.source, vec![label])),
        }
    }
    out.into_iter().map(|(_, list)| list).collect()
}

fn places<'a>(labels: &[&'a Label], sources: &'a Sources) -> Vec<Element<'a>> {
    let Some(first) = labels.first() else { return Vec::new() };
    let (line, column) = sources.line_column(first.span);
    let origin = Origin::path(visible(sources.name(first.span))).line(line).char_column(column);
    let Some(source) = sources.get(first.span.source).filter(|s| !s.text.is_empty()) else {
        return vec![origin.into()];
    };
    let window = Window::new(source, labels.iter().map(|l| l.span));
    let annotations = labels.iter().map(|label| {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let text = (!label.text.is_empty()).then(|| visible(&label.text));
        kind.span(window.range(label.span)).label(text)
    });
    let annotations: Vec<_> = annotations.collect();
    let snippet = Snippet::source(window.shown).line_start(window.first_line).annotations(annotations);
    vec![origin.into(), snippet.into()]
}

fn change<'a>(help: &'a Help, sources: &'a Sources) -> Option<Group<'a>> {
    let (span, replacement) = help.replacement.as_ref()?;
    let source = sources.get(span.source)?;
    let window = Window::new(source, std::iter::once(*span));
    let mut shown = String::new();
    for c in replacement.chars() {
        if c == '\n' { shown.push(c) } else { push(&mut shown, c) }
    }
    let patch = Patch::new(window.range(*span), shown);
    let snippet = Snippet::source(window.shown).line_start(window.first_line);
    Some(Level::HELP.secondary_title(visible(&help.text)).element(snippet.patch(patch)))
}

/// A line longer than this is shown in part: a whole policy may stand on one line.
const LONG_LINE: usize = 400;

/// How many bytes of a long line are shown on either side of a place.
const AROUND: usize = 50;

/// The lines around some places, made safe to show, and where each byte went.
struct Window {
    shown: String,
    first_line: usize,
    pieces: Vec<Piece>,
}

/// A piece of the text and where it is shown.
struct Piece {
    from: Range<usize>,
    to: Range<usize>,
}

impl Window {
    fn new(source: &Source, spans: impl Iterator<Item = Span>) -> Self {
        let mut places: Vec<usize> = spans
            .flat_map(|s| [s.range().start, s.range().end])
            .map(|at| at.min(source.text.len()))
            .collect();
        places.sort_unstable();
        let line_of = |at: Option<&usize>| at.map_or(1, |at| source.line_column(*at).0);
        let (first_line, last_line) = (line_of(places.first()), line_of(places.last()));
        let mut window = Self { shown: String::new(), first_line, pieces: Vec::new() };
        for number in first_line..=last_line {
            let Some(line) = source.line(number) else { break };
            if number > first_line {
                window.shown.push('\n');
            }
            let part = part_to_show(&source.text, &line, &places);
            if part.start > line.start {
                window.shown.push('…');
            }
            window.push(&source.text, &part);
            if part.end < line.end {
                window.shown.push('…');
            }
        }
        window
    }

    fn push(&mut self, text: &str, part: &Range<usize>) {
        let (mut from, mut to) = (part.start, self.shown.len());
        for (at, c) in text.get(part.clone()).unwrap_or_default().char_indices() {
            // Tabs are the renderer's own business.
            if !is_hidden(c) || c == '\t' {
                self.shown.push(c);
                continue;
            }
            let at = part.start + at;
            let before = self.shown.len();
            self.pieces.push(Piece { from: from..at, to: to..before });
            push(&mut self.shown, c);
            (from, to) = (at + c.len_utf8(), self.shown.len());
            self.pieces.push(Piece { from: at..from, to: before..to });
        }
        self.pieces.push(Piece { from: from..part.end, to: to..self.shown.len() });
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.moved(span.range().start);
        start..self.moved(span.range().end).max(start)
    }

    fn moved(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.from.start <= at);
        let Some(piece) = after.checked_sub(1).and_then(|i| self.pieces.get(i)) else { return 0 };
        // Within a piece that is shown as it is, byte for byte; an escape is one place.
        let as_it_is = piece.from.len() == piece.to.len();
        let mut shown = match at {
            at if at >= piece.from.end => piece.to.end,
            at if as_it_is => piece.to.start + (at - piece.from.start),
            _ => piece.to.start,
        };
        while !self.shown.is_char_boundary(shown) {
            shown -= 1;
        }
        shown
    }
}

/// The whole line, or of a long one what is around the places in it.
fn part_to_show(text: &str, line: &Range<usize>, places: &[usize]) -> Range<usize> {
    if line.len() <= LONG_LINE {
        return line.clone();
    }
    let within = |at: &&usize| (line.start..=line.end).contains(*at);
    let first = places.iter().find(within).copied().unwrap_or(line.start);
    let last = places.iter().rfind(within).copied().unwrap_or(first).min(first + LONG_LINE);
    let start = floor_boundary(text, first.saturating_sub(AROUND).max(line.start));
    let end = floor_boundary(text, (last + AROUND).min(line.end));
    start..end.max(start)
}

//! Findings for a person at a terminal, as rustc shows them.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet};

use super::visible::{is_hidden, push};
use super::{Diagnostic, Help, Label, Severity, visible};
use crate::source::{Source, SourceId, Sources, Span};

/// The findings with the lines they speak of; with `colour`, styled for a terminal.
pub fn human(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&renderer.render(&groups(diagnostic, sources)));
        out.push_str("\n\n");
    }
    out
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let title = level.primary_title(visible(&diagnostic.message)).id(diagnostic.code.as_str());
    let places = by_source(&diagnostic.labels).into_iter().map(|labels| places(&labels, sources));
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

fn places<'a>(labels: &[&'a Label], sources: &'a Sources) -> Element<'a> {
    let window = labels.first().and_then(|first| {
        let source = sources.get(first.span.source).filter(|s| !s.text.is_empty())?;
        Some((source, Window::new(source, labels.iter().map(|l| l.span))))
    });
    let Some((source, window)) = window else {
        let name = labels.first().map_or("", |l| sources.name(l.span));
        return Origin::path(visible(name)).into();
    };
    let annotations = labels.iter().map(|label| {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let text = (!label.text.is_empty()).then(|| visible(&label.text));
        kind.span(window.range(label.span)).label(text)
    });
    let snippet =
        Snippet::source(window.shown.clone()).path(visible(&source.name)).line_start(window.first_line);
    snippet.annotations(annotations.collect::<Vec<_>>()).into()
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
    let snippet = Snippet::source(window.shown).path(visible(&source.name)).line_start(window.first_line);
    Some(Level::HELP.secondary_title(visible(&help.text)).element(snippet.patch(patch)))
}

/// The lines around some places, made safe to show, and where each byte went.
struct Window {
    shown: String,
    first_line: usize,
    start: usize,
    end: usize,
    /// How far the text has grown from each escaped character on: where it ends, before and after.
    moves: Vec<(usize, usize)>,
}

impl Window {
    fn new(source: &Source, spans: impl Iterator<Item = Span>) -> Self {
        let (start, end) = spans.fold((usize::MAX, 0), |(start, end), span| {
            (start.min(span.start as usize), end.max(span.end as usize))
        });
        let first_line = source.line_column(start).0;
        let last_line = source.line_column(end).0;
        let start = source.line(first_line).map_or(0, |r| r.start);
        let end = source.line(last_line).map_or(source.text.len(), |r| r.end);
        let text = source.text.get(start..end).unwrap_or_default();
        let mut shown = String::with_capacity(text.len());
        let mut moves = Vec::new();
        for (at, c) in text.char_indices() {
            // Line ends and tabs are the renderer's own business.
            if is_hidden(c)
                && !matches!(c, '\n' | '\t')
                && !text.get(at..).is_some_and(|t| t.starts_with("\r\n"))
            {
                push(&mut shown, c);
                moves.push((at + c.len_utf8(), shown.len()));
            } else {
                shown.push(c);
            }
        }
        Self { shown, first_line, start, end, moves }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.moved(span.start as usize);
        start..self.moved(span.end as usize).max(start)
    }

    fn moved(&self, at: usize) -> usize {
        let at = at.clamp(self.start, self.end) - self.start;
        let before = self.moves.partition_point(|(from, _)| *from <= at);
        let (from, to) = before.checked_sub(1).and_then(|i| self.moves.get(i)).copied().unwrap_or((0, 0));
        let mut at = (to + (at - from)).min(self.shown.len());
        while !self.shown.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

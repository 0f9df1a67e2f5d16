//! Spacing of YAML: its lines stay as they are, but for blanks at their ends and blank lines between.

use std::ops::Range;

use crate::file::tree::{Kind, Node};

/// Lists whose items are set apart by a blank line.
const SET_APART: [&str; 2] = ["rules", "tests"];

/// Writes a text that is known to be YAML and to hold `tree`.
pub(super) fn format(text: &str, tree: &Node) -> String {
    let mut scalars = Vec::new();
    long_scalars(tree, text, &mut scalars);
    scalars.sort_by_key(|range| range.start);
    let items = items_set_apart(tree, text);
    let mut out: Vec<&str> = Vec::new();
    let (mut at, mut scalars, mut items) = (0, scalars.into_iter().peekable(), items.into_iter().peekable());
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        while scalars.next_if(|range| range.end <= start).is_some() {}
        let within = scalars.peek().is_some_and(|range| range.start < start);
        let reaches_out = scalars.peek().is_some_and(|range| range.start < end && range.end > end);
        let line = line.strip_suffix('\n').unwrap_or(line);
        if within || reaches_out {
            out.push(line.strip_suffix('\r').unwrap_or(line));
            continue;
        }
        let line = line.trim_end();
        if line.is_empty() {
            if out.last().is_some_and(|last| !last.is_empty()) {
                out.push("");
            }
            continue;
        }
        if items.next_if(|item| (start..end).contains(item)).is_some() {
            blank_before_comments(&mut out);
        }
        out.push(line);
    }
    while out.last().is_some_and(|last| last.trim().is_empty()) {
        out.pop();
    }
    let mut text = out.join("\n");
    text.push('\n');
    text
}

/// Texts of several lines: their blanks are theirs.
fn long_scalars(node: &Node, text: &str, out: &mut Vec<Range<usize>>) {
    match &node.kind {
        Kind::Str(_) => {
            if text.get(node.span.range()).is_some_and(|t| t.contains('\n')) {
                out.push(node.span.range());
            }
        }
        Kind::List(items) => items.iter().for_each(|item| long_scalars(item, text, out)),
        Kind::Map(entries) => entries.iter().for_each(|entry| long_scalars(&entry.value, text, out)),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {}
    }
}

/// Where the second and later items start of lists whose items stand on lines of their own.
fn items_set_apart(tree: &Node, text: &str) -> Vec<usize> {
    let lists = SET_APART.iter().filter_map(|key| tree.get(key));
    let mut starts: Vec<usize> = lists
        .filter(|list| !text.get(list.span.range()).is_some_and(|t| t.starts_with('[')))
        .filter_map(|list| if let Kind::List(items) = &list.kind { Some(items) } else { None })
        .flat_map(|items| items.iter().skip(1).map(|item| item.span.range().start))
        .collect();
    starts.sort_unstable();
    starts
}

/// Puts a blank line before the comment lines at the end, if there is none.
fn blank_before_comments(out: &mut Vec<&str>) {
    let comments = out.iter().rev().take_while(|line| line.trim_start().starts_with('#')).count();
    let at = out.len() - comments;
    let before = at.checked_sub(1).and_then(|i| out.get(i));
    if before.is_some_and(|line| !line.is_empty()) {
        out.insert(at, "");
    }
}

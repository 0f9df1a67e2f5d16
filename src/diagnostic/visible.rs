//! Untrusted text made safe to show: what a terminal would obey, or an eye would miss, is spelled out.

use std::borrow::Cow;

/// `text` with every control, bidirectional and invisible character written as an escape, line ends too.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push(&mut out, c);
    }
    Cow::Owned(out)
}

/// Puts `c` as it is to be shown.
pub(super) fn push(out: &mut String, c: char) {
    if is_hidden(c) {
        out.extend(c.escape_default());
    } else {
        out.push(c);
    }
}

/// Whether a terminal would obey `c` rather than show it, or show nothing.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{3164}' | '\u{ffa0}' | '\u{34f}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_spelled_out() {
        for (text, shown) in [
            ("plain é 日本 🦀", "plain é 日本 🦀"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\tb\nc\rd", "a\\tb\\nc\\rd"),
            ("\u{202e}evil\u{2066}", "\\u{202e}evil\\u{2066}"),
            ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
            ("\u{7f}\0", "\\u{7f}\\u{0}"),
            ("\u{e0041}", "\\u{e0041}"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}

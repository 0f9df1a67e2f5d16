//! Quotes taken away, for words in which nothing is expanded.

/// The word that `raw` is, or `None` where something would be expanded.
pub fn literal(raw: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = raw.chars().peekable();
    let mut first = true;
    while let Some(c) = chars.next() {
        match c {
            '\'' => loop {
                match chars.next()? {
                    '\'' => break,
                    c => out.push(c),
                }
            },
            '"' => loop {
                match chars.next()? {
                    '"' => break,
                    '$' | '`' => return None,
                    '\\' => match chars.next()? {
                        '\n' => {}
                        c @ ('$' | '`' | '"' | '\\') => out.push(c),
                        c => out.extend(['\\', c]),
                    },
                    c => out.push(c),
                }
            },
            '\\' => match chars.next()? {
                '\n' => {}
                c => out.push(c),
            },
            '$' | '`' | '*' | '?' | '[' | '{' | '~' | '<' | '>' | '(' | ')' => {
                // `[` alone is a program, and a brace without a comma or dots is itself.
                let alone = first && c == '[' && chars.peek().is_none();
                let brace = c == '{' && !raw.contains(',') && !raw.contains("..");
                if !alone && !brace {
                    return None;
                }
                out.push(c);
            }
            c => out.push(c),
        }
        first = false;
    }
    Some(out)
}

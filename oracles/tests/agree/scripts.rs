//! Scripts to compare on.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The commands of the calls in the corpora.
pub fn of_the_corpora() -> impl Iterator<Item = String> {
    let files = ["reports.jsonl", "peers.jsonl"]
        .map(|file| std::fs::read_to_string(root().join("tests/corpora").join(file)).unwrap());
    let mut all = Vec::new();
    for line in files.iter().flat_map(|file| file.lines()).filter(|line| !line.trim().is_empty()) {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        all.extend(case["call"]["args"]["command"].as_str().map(str::to_owned));
    }
    all.sort();
    all.dedup();
    all.into_iter()
}

/// Every string in the tables of the shell's own tests, whatever it is there for.
pub fn of_the_tables() -> impl Iterator<Item = String> {
    let folders = ["src/facts/shell/tests", "tests/bash_programs"];
    let mut all = Vec::new();
    for entry in folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap()) {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        all.extend(strings(&text));
    }
    all.sort();
    all.dedup();
    all.into_iter()
}

/// The string literals of a Rust text.
fn strings(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            continue;
        }
        let mut out = String::new();
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('\n') => {}
                    Some(c) => out.push(c),
                    None => break,
                },
                c => out.push(c),
            }
        }
        all.push(out);
    }
    all
}

/// A source of numbers that are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }

    fn word(&mut self) -> &'static str {
        self.pick(&[
            "a",
            "-x",
            "--long=1",
            "'b c'",
            "\"d e\"",
            "f\\ g",
            "''",
            "\"\"",
            "x'y'\"z\"",
            "a#b",
            "=",
            "a=b",
            "'#'",
            "\\;",
            "\"it's\"",
            "'say \"hi\"'",
            "-",
            "--",
            "1",
            "2",
            "if",
            "then",
            "do",
            "done",
            "{",
            "}",
            "!",
            "in",
            "é",
            "a\\\nb",
            "\"a\nb\"",
            "\\'",
            "a:b",
            "@",
            "%",
            "+",
            "\"\\$\"",
            "'$x'",
            "\\$x",
            "x\\\"y",
            "fi",
            "esac",
            "function",
            "time",
        ])
    }

    fn simple(&mut self) -> String {
        let mut out = self
            .pick(&[
                "p",
                "q",
                "r",
                "X=1 p",
                "X='a b' q",
                "\\p",
                "p''",
                "'p'",
                "X=1",
                "[ a = b ]",
                "!  p",
                "time p",
                ":",
                "exit",
                "p 2>&1",
                ">o p",
                "2>e q",
                "p <i",
            ])
            .to_owned();
        for _ in 0..self.roll(4) {
            out.push_str(self.pick(&[" ", "  ", "\t", " \\\n "]));
            out += self.word();
        }
        out + self.pick(&[
            "",
            "",
            "",
            "",
            "",
            " > o",
            " 2>&1",
            " >> o 2> e",
            " < i",
            " &> o",
            " <<< w",
            " 2>&-",
            " >| o",
            " # c",
        ])
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple();
        }
        let depth = depth - 1;
        match self.roll(14) {
            0 => format!("({})", self.list(depth)),
            1 => format!("{{ {}\n}}", self.list(depth)),
            2 => format!("if {}\nthen {}\nelse {}\nfi", self.list(depth), self.list(depth), self.list(depth)),
            3 => format!("for v in {} {}\ndo {}\ndone", self.word(), self.word(), self.list(depth)),
            4 => format!(
                "case {} in a|b) {}\n;; *) {}\n;; esac",
                self.word(),
                self.list(depth),
                self.list(depth)
            ),
            5 => format!("while {}\ndo {}\ndone", self.list(depth), self.list(depth)),
            6 => format!("until {}\ndo {}\ndone", self.simple(), self.list(depth)),
            7 => format!("p <<'E'\n{}\nE\n", self.simple()),
            8 => format!(
                "if {}\nthen {}\nelif {}\nthen {}\nfi > o",
                self.simple(),
                self.list(depth),
                self.simple(),
                self.list(depth)
            ),
            _ => self.simple(),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let mut out = self.command(depth);
        for _ in 0..self.roll(3) {
            let comment = out.rsplit('\n').next().is_some_and(|line| line.contains(" # "));
            out += if out.ends_with('\n') || comment {
                "\n"
            } else {
                self.pick(&["; ", "\n", " && ", " || ", " | ", " |& ", " & ", "&&", "|", ";"])
            };
            out += &self.command(depth);
        }
        out
    }
}

pub fn generated(count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(3);
    (0..count).map(move |_| {
        let depth = dice.roll(4);
        dice.list(depth)
    })
}

/// Generated scripts with a piece taken out, put in or doubled.
pub fn mutated(count: usize) -> impl Iterator<Item = String> {
    let mut dice = Dice(5);
    (0..count).map(move |_| {
        let depth = dice.roll(3);
        let mut text = dice.list(depth);
        for _ in 0..=dice.roll(2) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let at = places[dice.roll(places.len())];
            match dice.roll(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 => {
                    let end = places[dice.roll(places.len())].max(at);
                    let piece = text[at..end].to_owned();
                    text.insert_str(at, &piece);
                }
                _ => text.insert_str(
                    at,
                    dice.pick(&[
                        ";", "\n", " ", "'", "\"", "\\", "#", "&", "|", "(", ")", "{", "}", "!", "=", ">",
                        "<", "do", "if", "fi", ";;", "<<E", "\\\n", "2", "-", "in", "`", "$",
                    ]),
                ),
            }
        }
        text
    })
}

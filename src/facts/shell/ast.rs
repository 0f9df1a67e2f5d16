//! The syntax tree of a script.

use std::cell::OnceCell;
use std::rc::Rc;

/// Bytes of the outermost text, from and up to.
pub(super) type Span = (usize, usize);

/// And-or lists, one after the other.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) items: Vec<Item>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Joint, Pipeline)>,
    pub(super) background: bool,
}

/// What joins two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|`.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) negated: bool,
    pub(super) commands: Vec<Command>,
}

/// One command with its redirections.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) kind: Kind,
    pub(super) redirects: Vec<Redirect>,
    pub(super) span: Span,
}

/// The kinds of commands.
#[derive(Debug)]
pub(super) enum Kind {
    Simple { assigns: Vec<Assign>, words: Vec<Word> },
    Group(List),
    Subshell(List),
    If { arms: Vec<(List, List)>, otherwise: Option<List> },
    While { until: bool, condition: List, body: List },
    For { name: String, words: Option<Vec<Word>>, select: bool, body: List },
    ForArithmetic { start: Vec<Part>, condition: Vec<Part>, step: Vec<Part>, body: List },
    Case { word: Word, arms: Vec<Arm> },
    Test(Vec<TestItem>),
    Arithmetic(Vec<Part>),
    Function { name: String, body: Rc<Command> },
    Coproc { name: Option<String>, body: Box<Command> },
}

/// One arm of a `case`.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) patterns: Vec<Word>,
    pub(super) body: List,
    /// It ends in `;&` or `;;&`.
    pub(super) falls: bool,
}

/// What stands between `[[` and `]]`, flat.
#[derive(Debug)]
pub(super) enum TestItem {
    /// `-n word`
    Unary(String, Word),
    /// `word op word`
    Binary(Word, String, Word),
    /// A word alone.
    Alone(Word),
}

/// `name=value`, `name+=value`, `name[subscript]=value`, `name=(…)`.
#[derive(Debug)]
pub(super) struct Assign {
    pub(super) name: String,
    pub(super) subscript: Option<Vec<Part>>,
    pub(super) append: bool,
    pub(super) value: AssignValue,
    pub(super) span: Span,
}

/// The right side of an assignment.
#[derive(Debug)]
pub(super) enum AssignValue {
    Word(Word),
    Array(Vec<ArrayItem>),
}

/// An element in `name=(…)`.
#[derive(Debug)]
pub(super) struct ArrayItem {
    pub(super) subscript: Option<Vec<Part>>,
    pub(super) word: Word,
}

/// A word as it is written.
#[derive(Debug, Default)]
pub(super) struct Word {
    pub(super) parts: Vec<Part>,
    pub(super) span: Span,
}

impl Word {
    /// The word, where it is one piece of unquoted text.
    pub(super) fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Plain(text)] => Some(text),
            _ => None,
        }
    }
}

/// A part of a word.
#[derive(Debug)]
pub(super) enum Part {
    /// Unquoted text.
    Plain(String),
    /// Text from quotes or behind a backslash; may be empty.
    Quoted(String),
    /// `"…"`, its text as [`Part::Quoted`].
    Double(Vec<Part>),
    /// `$x`, `${…}`
    Parameter(Box<Parameter>),
    /// `$(…)`, backticks.
    Command(Rc<List>),
    /// `$((…))`, `$[…]`
    Arithmetic(Vec<Part>, Span),
    /// `<(…)`; `>(…)` when `input`.
    Process { list: List, input: bool },
    /// `@(…)` and the like.
    Extended { written: String, parts: Vec<Part> },
    /// `(…)` behind `name=` in the arguments of `declare` and its like.
    Array(Vec<ArrayItem>),
}

/// `${…}`
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// Written with braces; without, letters behind it would be of its name.
    pub(super) braced: bool,
    pub(super) indirect: bool,
    pub(super) length: bool,
    pub(super) subscript: Option<Subscript>,
    pub(super) op: Op,
    pub(super) span: Span,
}

/// `[…]` behind a name.
#[derive(Debug)]
pub(super) enum Subscript {
    /// `[@]`, `[*]`
    All {
        star: bool,
    },
    Index(Vec<Part>),
}

/// What `${…}` does with the value.
#[derive(Debug)]
pub(super) enum Op {
    None,
    /// `-`, `=`, `?`, `+`, with or without a colon.
    Default {
        colon: bool,
        kind: u8,
        word: Vec<Part>,
    },
    /// `#`, `##`, `%`, `%%`
    Trim {
        op: &'static str,
        pattern: Vec<Part>,
    },
    /// `:offset:length`
    Slice(Vec<Part>),
    /// `/pattern/text`, `^pattern`, `,pattern`, …
    Change(Vec<Part>),
    /// `@P`, `@Q`, …
    Transform(u8),
    /// `${!prefix*}`, `${!name[@]}`
    Names,
}

/// A redirection as it is written.
#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) fd: Fd,
    pub(super) op: &'static str,
    pub(super) target: Word,
    pub(super) heredoc: Option<Rc<OnceCell<Word>>>,
    pub(super) span: Span,
}

/// The descriptor in front of a redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fd {
    /// The operator's own.
    Default,
    Number(i32),
    Named(String),
}

//! What a shell knows of itself between two commands.

use super::Cwd;
use super::ast::Command;
use crate::facts::word::{Piece, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More variables than this are not followed.
const MAX_VARIABLES: usize = 200;
/// More places than this are "anywhere".
const MAX_PLACES: usize = 4;
/// A longer chain of `cd` is "anywhere".
const MAX_CHAIN: usize = 16;

/// Variables that do not hold what is assigned to them.
const SPECIAL: [&str; 22] = [
    "_",
    "BASHOPTS",
    "BASHPID",
    "BASH_ARGV0",
    "BASH_COMMAND",
    "BASH_SUBSHELL",
    "BASH_VERSINFO",
    "COMP_WORDBREAKS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SRANDOM",
    "UID",
];

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Text, of which pieces may be unknown.
    Pieces(Rc<[Piece]>),
    /// Some number.
    Number,
    /// An indexed array without holes.
    Array(Rc<[Vec<Piece>]>),
    Unset,
    Unknown,
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Pieces(if text.is_empty() { Rc::new([]) } else { Rc::new([Piece::Text(text.to_owned())]) })
    }

    /// The text, where it is certain.
    pub(super) fn literal(&self) -> Option<String> {
        match self {
            Self::Pieces(pieces) => Word { pieces: pieces.to_vec(), span: (0, 0) }.literal().map(Into::into),
            Self::Array(items) => Word { pieces: items.first().cloned().unwrap_or_default(), span: (0, 0) }
                .literal()
                .map(Into::into),
            Self::Unset => Some(String::new()),
            Self::Number | Self::Unknown => None,
        }
    }

    /// Whether it is surely a number.
    pub(super) fn is_number(&self) -> bool {
        match self {
            Self::Number => true,
            Self::Pieces(pieces) => match pieces.as_ref() {
                [Piece::Text(text)] => is_number(text),
                _ => false,
            },
            Self::Array(_) | Self::Unset | Self::Unknown => false,
        }
    }

    fn merge(&self, other: &Self) -> Self {
        if self == other {
            self.clone()
        } else if self.is_number() && other.is_number() {
            Self::Number
        } else {
            Self::Unknown
        }
    }
}

/// Whether a text is a plain decimal number.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (1..=18).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A variable that the script set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Var {
    pub(super) value: Value,
    /// Surely given to programs.
    pub(super) exported: bool,
    /// It has attributes (read-only, integer, upper case), so that an assignment may not do what it says.
    pub(super) odd: bool,
    /// It is an associative array.
    pub(super) associative: bool,
    /// What is assigned to it is evaluated.
    pub(super) integer: bool,
}

/// The variables that the script set.
pub(super) type Variables = BTreeMap<Rc<str>, Var>;

/// The directories that a shell may be in: each the chain of `cd` since the start; nothing where it may be anywhere.
pub(super) type Places = Option<Rc<Vec<Vec<Word>>>>;

/// A function: its body, and whether it is surely the one of that name.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) body: Rc<Command>,
    pub(super) sure: bool,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.body, &other.body) && self.sure == other.sure
    }
}

/// What a shell knows of itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) vars: Rc<Variables>,
    pub(super) functions: Rc<BTreeMap<Rc<str>, Function>>,
    /// Names that run something unknown.
    pub(super) rebound: Rc<BTreeSet<Rc<str>>>,
    pub(super) all_rebound: bool,
    pub(super) positional: Option<Rc<Vec<Word>>>,
    pub(super) places: Places,
    /// What `pushd` has put away.
    pub(super) stack: Rc<Vec<Places>>,
    /// It left the directory that it started in, or may have.
    pub(super) moved: bool,
    /// Everything may be otherwise.
    pub(super) forgotten: bool,
    /// Variables may change at any time.
    pub(super) volatile: bool,
    pub(super) ifs: bool,
    pub(super) lastpipe: bool,
    pub(super) no_braces: bool,
    pub(super) odd_cd: bool,
}

impl State {
    pub(super) fn new(positional: Option<Rc<Vec<Word>>>) -> Self {
        Self {
            vars: Rc::default(),
            functions: Rc::default(),
            rebound: Rc::default(),
            all_rebound: false,
            positional,
            places: Some(Rc::new(vec![Vec::new()])),
            stack: Rc::default(),
            moved: false,
            forgotten: false,
            volatile: false,
            ifs: false,
            lastpipe: false,
            no_braces: false,
            odd_cd: false,
        }
    }

    /// From here on nothing is known.
    pub(super) fn forget(&mut self) {
        self.forget_variables();
        if !self.functions.is_empty() {
            let names: Vec<Rc<str>> = self.functions.keys().cloned().collect();
            Rc::make_mut(&mut self.rebound).extend(names);
            self.functions = Rc::default();
        }
        self.positional = None;
        self.places = None;
        self.stack = Rc::default();
        self.moved = true;
        self.lastpipe = true;
        self.no_braces = true;
        self.odd_cd = true;
    }

    /// From here on no variable is known.
    pub(super) fn forget_variables(&mut self) {
        if !self.vars.is_empty() {
            for var in Rc::make_mut(&mut self.vars).values_mut() {
                var.value = Value::Unknown;
            }
        }
        self.forgotten = true;
        self.ifs = true;
    }

    /// Sets a variable as far as its attributes let it.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        match name {
            "IFS" => self.ifs = true,
            "BASH_ALIASES" | "BASH_CMDS" => self.all_rebound = true,
            "CDPATH" => self.odd_cd = true,
            "DIRSTACK" => self.stack = Rc::default(),
            _ => {}
        }
        // Bash fills these itself, or does not take what it is given.
        let value = if SPECIAL.contains(&name) { Value::Unknown } else { value };
        if self.vars.len() >= MAX_VARIABLES && !self.vars.contains_key(name) {
            self.forget_variables();
            self.volatile = true;
            return;
        }
        let vars = Rc::make_mut(&mut self.vars);
        if let Some(var) = vars.get_mut(name) {
            var.value = if var.odd { Value::Unknown } else { value };
        } else {
            vars.insert(
                name.into(),
                Var { value, exported: false, odd: false, associative: false, integer: false },
            );
        }
    }

    /// Gives a variable an attribute; one that the script did not set before is unknown.
    pub(super) fn mark(&mut self, name: &str, change: impl FnOnce(&mut Var)) {
        if !self.vars.contains_key(name) {
            self.set(name, Value::Unknown);
        }
        if let Some(var) = Rc::make_mut(&mut self.vars).get_mut(name) {
            change(var);
        }
    }

    /// A name that runs something unknown from here on.
    pub(super) fn rebind(&mut self, name: &str) {
        if self.rebound.len() >= MAX_VARIABLES {
            self.all_rebound = true;
        } else {
            Rc::make_mut(&mut self.rebound).insert(name.into());
        }
    }

    /// The state after one of two ways.
    pub(super) fn merge(mut self, other: &Self) -> Self {
        if !Rc::ptr_eq(&self.vars, &other.vars) && self.vars != other.vars {
            let mut vars = BTreeMap::new();
            for (name, var) in self.vars.iter() {
                let merged = match other.vars.get(name) {
                    Some(theirs) => Var {
                        value: var.value.merge(&theirs.value),
                        exported: var.exported && theirs.exported,
                        odd: var.odd || theirs.odd,
                        associative: var.associative && theirs.associative,
                        integer: var.integer || theirs.integer,
                    },
                    None => Var { value: Value::Unknown, exported: false, ..var.clone() },
                };
                vars.insert(Rc::clone(name), merged);
            }
            for (name, var) in other.vars.iter() {
                if !self.vars.contains_key(name) {
                    let var = Var { value: Value::Unknown, exported: false, ..var.clone() };
                    vars.insert(Rc::clone(name), var);
                }
            }
            self.vars = Rc::new(vars);
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) && self.functions != other.functions {
            let mut functions = BTreeMap::new();
            for (name, function) in self.functions.iter().chain(other.functions.iter()) {
                let same =
                    |f: Option<&Function>| f.is_some_and(|f| Rc::ptr_eq(&f.body, &function.body) && f.sure);
                let sure = same(self.functions.get(name)) && same(other.functions.get(name));
                let two = match (self.functions.get(name), other.functions.get(name)) {
                    (Some(a), Some(b)) => !Rc::ptr_eq(&a.body, &b.body),
                    _ => false,
                };
                if two {
                    Rc::make_mut(&mut self.rebound).insert(Rc::clone(name));
                } else {
                    functions.insert(Rc::clone(name), Function { body: Rc::clone(&function.body), sure });
                }
            }
            self.functions = Rc::new(functions);
        }
        if !Rc::ptr_eq(&self.rebound, &other.rebound) && self.rebound != other.rebound {
            Rc::make_mut(&mut self.rebound).extend(other.rebound.iter().cloned());
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        self.places = merge_places(&self.places, &other.places);
        if self.stack != other.stack {
            self.stack = Rc::default();
        }
        self.all_rebound |= other.all_rebound;
        self.moved |= other.moved;
        self.forgotten |= other.forgotten;
        self.volatile |= other.volatile;
        self.ifs |= other.ifs;
        self.lastpipe |= other.lastpipe;
        self.no_braces |= other.no_braces;
        self.odd_cd |= other.odd_cd;
        self
    }

    /// The state after it went to a directory.
    pub(super) fn moved_to(&self, target: Option<Word>) -> Self {
        let mut moved = self.clone();
        moved.places = match (target, &self.places) {
            (Some(target), Some(places))
                if !self.volatile && places.iter().all(|chain| chain.len() < MAX_CHAIN) =>
            {
                let step = |chain: &Vec<Word>| {
                    let absolute = target.known_start().starts_with(['/', '~']);
                    let mut chain = if absolute { Vec::new() } else { chain.clone() };
                    chain.push(target.clone());
                    chain
                };
                let mut after: Vec<Vec<Word>> = Vec::new();
                for chain in places.iter().map(step) {
                    if !after.iter().any(|known| same_chain(known, &chain)) {
                        after.push(chain);
                    }
                }
                Some(Rc::new(after))
            }
            (Some(target), None) if !self.volatile && target.known_start().starts_with(['/', '~']) => {
                Some(Rc::new(vec![vec![target]]))
            }
            _ => None,
        };
        moved.moved = true;
        if moved.vars.contains_key("PWD") || moved.vars.contains_key("OLDPWD") {
            moved.set("PWD", Value::Unknown);
            moved.set("OLDPWD", Value::Unknown);
        }
        moved
    }

    /// Where it is, for others.
    pub(super) fn cwd(&self) -> Cwd {
        match &self.places {
            Some(places) => Cwd::Known(places.to_vec()),
            None => Cwd::Unknown,
        }
    }
}

fn same_chain(one: &[Word], other: &[Word]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.pieces == b.pieces)
}

fn merge_places(one: &Places, other: &Places) -> Places {
    let (one, other) = (one.as_ref()?, other.as_ref()?);
    if Rc::ptr_eq(one, other) {
        return Some(Rc::clone(one));
    }
    let mut all = one.to_vec();
    for chain in other.iter() {
        if !all.iter().any(|known| same_chain(known, chain)) {
            all.push(chain.clone());
        }
    }
    (all.len() <= MAX_PLACES).then(|| Rc::new(all))
}

/// The states after a command.
#[derive(Debug)]
pub(super) enum Flow {
    /// However it ends.
    Same(State),
    /// After success and after failure; nothing where that cannot be.
    Split(Option<State>, Option<State>),
    /// What follows is never reached; the state is good for listing it all the same.
    Gone(State),
}

impl Flow {
    /// The state for what follows, and whether that is reached.
    pub(super) fn joined(self) -> (State, bool) {
        match self {
            Self::Same(state) | Self::Split(Some(state), None) | Self::Split(None, Some(state)) => {
                (state, true)
            }
            Self::Split(Some(ok), Some(failed)) => (ok.merge(&failed), true),
            Self::Split(None, None) => {
                let mut state = State::new(None);
                state.forget();
                (state, false)
            }
            Self::Gone(state) => (state, false),
        }
    }

    /// The states after success and after failure.
    pub(super) fn split(self) -> (Option<State>, Option<State>, State) {
        match self {
            Self::Same(state) => (Some(state.clone()), Some(state.clone()), state),
            Self::Split(ok, failed) => {
                let any = ok.clone().or_else(|| failed.clone());
                let (any, _) = any.map_or_else(|| Self::Split(None, None).joined(), |state| (state, true));
                (ok, failed, any)
            }
            Self::Gone(state) => (None, None, state),
        }
    }

    /// From the states after success and after failure.
    pub(super) fn of(ok: Option<State>, failed: Option<State>, otherwise: State) -> Self {
        if ok.is_none() && failed.is_none() { Self::Gone(otherwise) } else { Self::Split(ok, failed) }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Split(ok, failed) => Self::Split(failed, ok),
            Self::Same(_) | Self::Gone(_) => self,
        }
    }
}

/// The state after one of several ways.
pub(super) fn either(one: Option<State>, other: Option<State>) -> Option<State> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.merge(&other)),
        (one, other) => one.or(other),
    }
}

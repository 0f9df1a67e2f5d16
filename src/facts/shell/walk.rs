//! The way through a script, command by command.

use super::ast::{Arm, Command, Item, Joint, Kind, List, Pipeline, Redirect, Span, TestItem};
use super::cursor::{MAX_DEPTH, MAX_TEXT, Parser, Place};
use super::state::{Flow, State, Value, Variables, either};
use super::{Assignment, Changes, Redirection, Script, SimpleCommand, Start, Stdin, UnknownRun, Variable};
use crate::facts::word::{Piece, Word};
use std::rc::Rc;
use std::sync::Arc;

/// More commands than this are not listed.
const MAX_COMMANDS: usize = 20_000;
/// In front of an error in a line, this many places to cut it are tried.
const MAX_CUTS: usize = 16;
/// A loop over more words than this is walked once, with an unknown variable.
const MAX_TURNS: usize = 16;

/// What was found so far.
#[derive(Debug)]
pub(super) struct Walker<'s> {
    pub(super) start: &'s Start,
    pub(super) commands: Vec<SimpleCommand>,
    /// Which pipe each command writes to.
    outputs: Vec<u32>,
    pub(super) unknown: Vec<UnknownRun>,
    pub(super) depth: usize,
    /// Steps left.
    fuel: usize,
    stopped: bool,
    output: u32,
    last_output: u32,
    pub(super) stdin: Stdin,
    pub(super) via_eval: bool,
    /// States at `break`, `continue` and `return`, for each loop and function around.
    escapes: Vec<Vec<State>>,
    /// Loops around, within the function or subshell.
    pub(super) loops: usize,
    /// The functions that are running.
    pub(super) running: Vec<Rc<str>>,
    /// Names that `local` was used for, for each function that is running.
    pub(super) locals: Vec<Vec<String>>,
    pub(super) traps: Vec<(String, Span)>,
    /// Functions that were defined anywhere.
    defined: Vec<(Rc<str>, Rc<Command>)>,
    pub(super) extglob_read: bool,
    /// The variables that were shown last, and how.
    env: (Rc<Variables>, Arc<Vec<Variable>>),
}

impl<'s> Walker<'s> {
    pub(super) fn new(start: &'s Start) -> Self {
        Self {
            start,
            commands: Vec::new(),
            outputs: Vec::new(),
            unknown: Vec::new(),
            depth: start.depth,
            fuel: 1_000_000,
            stopped: false,
            output: 0,
            last_output: 0,
            stdin: Stdin::Inherited,
            via_eval: false,
            escapes: Vec::new(),
            loops: 0,
            running: Vec::new(),
            locals: Vec::new(),
            traps: Vec::new(),
            defined: Vec::new(),
            extglob_read: start.extglob,
            env: (Rc::default(), Arc::default()),
        }
    }

    pub(super) fn script(mut self, text: &str) -> Script {
        let mut state = State::new(self.start.positional.clone().map(Rc::new));
        if text.len() > MAX_TEXT {
            self.unknown_run((0, text.len()), "a script that is too long");
            state.forget();
        } else {
            state = self.text(text, Place::From(0), state).joined().0;
            self.run_traps();
        }
        let env = self.environment(&state);
        if self.stopped {
            self.unknown = vec![UnknownRun { span: (0, text.len()), why: "a script that does too much" }];
            self.commands.clear();
        }
        self.unknown.dedup();
        let changes = Changes { cwd: state.cwd(), env, forgotten: state.forgotten };
        Script { commands: self.commands, unknown: self.unknown, changes }
    }

    /// Reads and walks a text in this shell.
    pub(super) fn text(&mut self, text: &str, place: Place, state: State) -> Flow {
        let mut parser = Parser::new(text, place, self.depth);
        parser.extglob = self.extglob_read;
        let program = parser.program();
        self.extglob_read |= parser.extglob;
        let mut flow = Flow::Same(state);
        let mut gone = false;
        for line in &program.lines {
            let (state, reached) = flow.joined();
            gone |= !reached;
            flow = self.list(state, line);
        }
        if let Some((span, at, why)) = program.error {
            let (mut state, _) = flow.joined();
            if let Place::From(start) = place {
                state = self.before_error(text, start, span.0, at, state);
            }
            self.unknown_run(span, why);
            state.forget();
            return Flow::Same(state);
        }
        if gone { Flow::Gone(flow.joined().0) } else { flow }
    }

    /// Lists the commands that stand in front of an error in their line, up to the last place where the text can be cut. What bash makes of the
    /// line is unknown all the same, so that this is for denials only.
    fn before_error(&mut self, text: &str, start: usize, line: usize, at: usize, state: State) -> State {
        let Some(from) = line.checked_sub(start) else { return state };
        let until = at.saturating_sub(start).min(text.len());
        let cuts = (from..until)
            .rev()
            .filter(|i| matches!(text.as_bytes().get(*i), Some(b';' | b'&' | b'|' | b'\n')));
        for cut in cuts.take(MAX_CUTS) {
            let Some(head) = text.get(from..cut) else { continue };
            let mut parser = Parser::new(head, Place::From(line), self.depth);
            parser.extglob = self.extglob_read;
            let program = parser.program();
            if program.error.is_none() {
                return program.lines.iter().fold(state, |state, list| self.list(state, list).joined().0);
            }
        }
        state
    }

    /// What traps run: at any time, so that nothing is known but the functions.
    fn run_traps(&mut self) {
        for (text, span) in std::mem::take(&mut self.traps) {
            let mut state = State::new(None);
            state.forget();
            for (name, body) in &self.defined {
                let function = super::state::Function { body: Rc::clone(body), sure: true };
                if let Some(other) = Rc::make_mut(&mut state.functions).insert(Rc::clone(name), function)
                    && !Rc::ptr_eq(&other.body, body)
                {
                    state.rebind(name);
                }
            }
            let via = std::mem::replace(&mut self.via_eval, true);
            self.text(&text, Place::Within(span), state);
            self.via_eval = via;
        }
    }

    pub(super) fn unknown_run(&mut self, span: Span, why: &'static str) {
        let run = UnknownRun { span, why };
        if !self.unknown.contains(&run) {
            self.unknown.push(run);
        }
        if self.unknown.len() > 256 {
            self.stopped = true;
        }
    }

    /// Whether there is still fuel for a step.
    fn step(&mut self, size: usize) -> bool {
        self.fuel = self.fuel.saturating_sub(size);
        self.stopped |= self.fuel == 0 || self.commands.len() > MAX_COMMANDS;
        !self.stopped
    }

    pub(super) fn environment(&mut self, state: &State) -> Arc<Vec<Variable>> {
        if !Rc::ptr_eq(&self.env.0, &state.vars) {
            self.step(state.vars.len() * 4);
            let variables = state.vars.iter().map(|(name, var)| Variable {
                name: name.to_string(),
                value: match &var.value {
                    Value::Pieces(pieces) => Some(Word { pieces: pieces.to_vec(), span: (0, 0) }),
                    Value::Unset => Some(Word::default()),
                    Value::Array(items) => {
                        Some(Word { pieces: items.first().cloned().unwrap_or_default(), span: (0, 0) })
                    }
                    Value::Number => Some(Word::unknown(false)),
                    Value::Unknown => None,
                },
                exported: var.exported,
            });
            self.env = (Rc::clone(&state.vars), Arc::new(variables.collect()));
        }
        Arc::clone(&self.env.1)
    }

    /// Lists a command.
    pub(super) fn emit(
        &mut self,
        state: &State,
        words: Vec<Word>,
        assignments: Vec<Assignment>,
        redirections: Vec<Redirection>,
        stdin: Stdin,
        span: Span,
    ) -> usize {
        let env = self.environment(state);
        self.step(4 + words.len());
        self.commands.push(SimpleCommand {
            words,
            assignments,
            redirections,
            span,
            cwd: state.cwd(),
            stdin,
            env,
            program_rebound: false,
            function_call: false,
            via_eval: self.via_eval,
            after_unknown: state.forgotten,
        });
        self.outputs.push(self.output);
        self.commands.len() - 1
    }

    pub(super) fn list(&mut self, state: State, list: &List) -> Flow {
        let mut flow = Flow::Same(state);
        let mut gone = false;
        for item in &list.items {
            let (state, reached) = flow.joined();
            gone |= !reached;
            flow = self.item(state, item);
        }
        if gone { Flow::Gone(flow.joined().0) } else { flow }
    }

    fn item(&mut self, state: State, item: &Item) -> Flow {
        if item.background {
            let copy = state.clone();
            self.apart(|walker| walker.and_or(copy, item));
            return Flow::Same(state);
        }
        self.and_or(state, item)
    }

    fn and_or(&mut self, state: State, item: &Item) -> Flow {
        let mut flow = self.pipeline(state, &item.first);
        for (joint, pipeline) in &item.rest {
            let (ok, failed, any) = flow.split();
            let (goes, skips) = match joint {
                Joint::And => (ok, failed),
                Joint::Or => (failed, ok),
            };
            let reached = goes.is_some();
            let next = self.pipeline(goes.unwrap_or_else(|| any.clone()), pipeline);
            let (mut ok, mut failed, _) = next.split();
            if !reached {
                (ok, failed) = (None, None);
            }
            flow = match joint {
                Joint::And => Flow::of(ok, either(failed, skips), any),
                Joint::Or => Flow::of(either(ok, skips), failed, any),
            };
        }
        flow
    }

    /// Walks something in a shell of its own; loops and functions around it are out of its reach.
    pub(super) fn apart<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let loops = std::mem::take(&mut self.loops);
        let stdin = self.stdin.clone();
        let extglob = self.extglob_read;
        let result = walk(self);
        self.loops = loops;
        self.stdin = stdin;
        self.extglob_read = extglob;
        result
    }

    /// As [`Self::apart`], and what it writes goes to a pipe of its own.
    pub(super) fn captured<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> (T, Stdin) {
        self.last_output += 1;
        let pipe = self.last_output;
        let output = std::mem::replace(&mut self.output, pipe);
        let from = self.commands.len();
        let result = self.apart(walk);
        self.output = output;
        let writers = self.outputs.iter().enumerate().skip(from);
        let writers: Arc<[usize]> = writers.filter(|(_, to)| **to == pipe).map(|(index, _)| index).collect();
        (result, Stdin::Pipe(writers))
    }

    fn pipeline(&mut self, state: State, pipeline: &Pipeline) -> Flow {
        let flow = match pipeline.commands.as_slice() {
            [] => Flow::Same(state),
            [only] => self.command(state, only),
            [all @ .., last] => {
                let stdin = self.stdin.clone();
                let from = self.commands.len();
                for command in all {
                    let copy = state.clone();
                    let ((), pipe) = self.captured(|walker| drop(walker.command(copy, command)));
                    self.stdin = pipe;
                }
                self.step(self.commands.len().saturating_sub(from));
                let copy = state.clone();
                let (end, _) = self.apart(|walker| walker.command(copy, last)).joined();
                self.stdin = stdin;
                if state.lastpipe && end != state { Flow::Same(state.merge(&end)) } else { Flow::Same(state) }
            }
        };
        if pipeline.negated { flow.negated() } else { flow }
    }

    pub(super) fn command(&mut self, mut state: State, command: &Command) -> Flow {
        if self.stopped || !self.step(1) {
            return Flow::Same(state);
        }
        if self.depth >= MAX_DEPTH {
            self.unknown_run(command.span, "nested too deeply");
            state.forget();
            return Flow::Same(state);
        }
        self.depth += 1;
        let flow = match &command.kind {
            Kind::Simple { assigns, words } => self.simple(state, command, assigns, words),
            Kind::Function { name, body } => {
                self.define(&mut state, name, body);
                Flow::Same(state)
            }
            kind if command.redirects.is_empty() => self.compound(state, kind, command.span),
            kind => {
                let stdin = self.redirected(&mut state, &command.redirects, command.span);
                let outer = std::mem::replace(&mut self.stdin, stdin);
                let flow = self.compound(state, kind, command.span);
                self.stdin = outer;
                flow
            }
        };
        self.depth -= 1;
        flow
    }

    /// The redirections of a compound command, listed on their own; the input that they leave it.
    fn redirected(&mut self, state: &mut State, redirects: &[Redirect], span: Span) -> Stdin {
        let (redirections, stdin) = self.redirections(state, redirects);
        let stdin = stdin.unwrap_or_else(|| self.stdin.clone());
        if redirections.iter().any(|r| !r.free) {
            self.emit(state, Vec::new(), Vec::new(), redirections, stdin.clone(), span);
        }
        stdin
    }

    fn define(&mut self, state: &mut State, name: &str, body: &Rc<Command>) {
        let name: Rc<str> = name.into();
        let function = super::state::Function { body: Rc::clone(body), sure: !state.volatile };
        Rc::make_mut(&mut state.functions).insert(Rc::clone(&name), function);
        if state.rebound.contains(&name) {
            Rc::make_mut(&mut state.rebound).remove(&name);
        }
        if !self.defined.iter().any(|(known, other)| *known == name && Rc::ptr_eq(other, body)) {
            self.defined.push((name, Rc::clone(body)));
        }
    }

    fn compound(&mut self, mut state: State, kind: &Kind, span: Span) -> Flow {
        match kind {
            Kind::Group(list) => self.list(state, list),
            Kind::Subshell(list) => {
                let copy = state.clone();
                self.apart(|walker| walker.list(copy, list));
                Flow::Same(state)
            }
            Kind::If { arms, otherwise } => self.conditional(state, arms, otherwise.as_ref()),
            Kind::While { until, condition, body } => self.repeated(state, |walker, state| {
                let (ok, failed, any) = walker.list(state, condition).split();
                let (goes, ends) = if *until { (failed, ok) } else { (ok, failed) };
                let reached = goes.is_some();
                let flow = walker.list(goes.unwrap_or(any), body);
                (if reached { reached_state(flow) } else { None }, ends)
            }),
            Kind::For { name, words, select, body } => {
                self.for_loop(state, name, words.as_deref(), *select, body)
            }
            Kind::ForArithmetic { start, condition, step, body } => {
                self.arithmetic(&mut state, start, span);
                self.repeated(state, |walker, mut state| {
                    walker.arithmetic(&mut state, condition, span);
                    let ends = Some(state.clone());
                    let (mut state, _) = walker.list(state, body).joined();
                    walker.arithmetic(&mut state, step, span);
                    (Some(state), ends)
                })
            }
            Kind::Case { word, arms } => self.case(state, word, arms),
            Kind::Test(items) => {
                self.test(&mut state, items, span);
                Flow::Same(state)
            }
            Kind::Arithmetic(parts) => {
                self.arithmetic(&mut state, parts, span);
                Flow::Same(state)
            }
            Kind::Coproc { name, body } => {
                let copy = state.clone();
                let stdin = Stdin::File(Word::unknown(false));
                self.captured(|walker| {
                    walker.stdin = stdin;
                    drop(walker.command(copy, body));
                });
                let name = name.as_deref().unwrap_or("COPROC");
                state.set(name, Value::Unknown);
                state.set(&format!("{name}_PID"), Value::Number);
                Flow::Same(state)
            }
            Kind::Simple { .. } | Kind::Function { .. } => Flow::Same(state),
        }
    }

    fn conditional(&mut self, state: State, arms: &[(List, List)], otherwise: Option<&List>) -> Flow {
        let mut after = None;
        let mut way = Some(state.clone());
        let mut any = state;
        for (condition, body) in arms {
            let reached = way.is_some();
            let (ok, failed, last) = self.list(way.unwrap_or(any), condition).split();
            let runs = ok.is_some() && reached;
            let flow = self.list(ok.unwrap_or_else(|| last.clone()), body);
            if runs {
                after = either(after, reached_state(flow));
            }
            way = if reached { failed } else { None };
            any = last;
        }
        if let Some(list) = otherwise {
            let reached = way.is_some();
            let flow = self.list(way.unwrap_or_else(|| any.clone()), list);
            way = if reached { reached_state(flow) } else { None };
        }
        match either(after, way) {
            Some(state) => Flow::Same(state),
            None => Flow::Gone(any),
        }
    }

    fn case(&mut self, mut state: State, word: &super::ast::Word, arms: &[Arm]) -> Flow {
        self.effects(&mut state, &word.parts);
        let mut after: Option<State> = Some(state.clone());
        let mut fallen: Option<State> = None;
        for arm in arms {
            for pattern in &arm.patterns {
                let mut other = state.clone();
                self.effects(&mut other, &pattern.parts);
                state = state.merge(&other);
            }
            let entry = either(Some(state.clone()), fallen.take()).unwrap_or_else(|| state.clone());
            let end = reached_state(self.list(entry, &arm.body));
            if arm.falls {
                fallen.clone_from(&end);
                if let Some(end) = &end {
                    state = state.merge(end);
                }
            }
            after = either(after, end);
        }
        Flow::Same(either(after, Some(state.clone())).unwrap_or(state))
    }

    /// A loop whose turns nobody can count. `turn` gives the states after a turn and where the loop ends.
    fn repeated(
        &mut self,
        entry: State,
        turn: impl Fn(&mut Self, State) -> (Option<State>, Option<State>),
    ) -> Flow {
        let mut start = entry;
        for attempt in 0..3 {
            let (commands, unknown) = (self.commands.len(), self.unknown.len());
            self.escapes.push(Vec::new());
            self.loops += 1;
            let (after, ends) = turn(self, start.clone());
            self.loops -= 1;
            let escaped = self.escapes.pop().unwrap_or_default();
            let mut joined = start.clone();
            let mut leaves = ends;
            for state in escaped {
                joined = joined.merge(&state);
                leaves = either(leaves, Some(state));
            }
            if let Some(after) = &after {
                joined = joined.merge(after);
            }
            if joined == start || attempt == 2 || self.stopped {
                return match leaves {
                    Some(state) => Flow::Same(state),
                    None => Flow::Gone(start),
                };
            }
            self.commands.truncate(commands);
            self.outputs.truncate(commands);
            self.unknown.truncate(unknown);
            start = joined;
            if attempt == 1 {
                start.forget();
                start.volatile = true;
            }
        }
        Flow::Same(start)
    }

    fn for_loop(
        &mut self,
        mut state: State,
        name: &str,
        words: Option<&[super::ast::Word]>,
        select: bool,
        body: &List,
    ) -> Flow {
        let words: Option<Vec<Word>> = match words {
            Some(words) => Some(words.iter().flat_map(|word| self.fields(&mut state, word)).collect()),
            None => state.positional.as_ref().map(|words| words.to_vec()),
        };
        let one_glob = words.as_deref().and_then(|words| match words {
            [word]
                if word.splits()
                    && word.pieces.iter().all(|p| matches!(p, Piece::Text(_) | Piece::Glob(_))) =>
            {
                Some(word.pieces.clone())
            }
            _ => None,
        });
        let listed = words.filter(|words| {
            !select && words.len() <= MAX_TURNS && words.iter().all(|word| !word.splits()) && !state.volatile
        });
        let Some(words) = listed else {
            return self.repeated(state, |walker, state| {
                let mut inside = state.clone();
                match &one_glob {
                    Some(pieces) if !select => inside.set(name, Value::Pieces(pieces.clone().into())),
                    Some(_) | None => inside.set(name, Value::Unknown),
                }
                if select {
                    inside.set("REPLY", Value::Unknown);
                }
                (reached_state(walker.list(inside, body)), Some(state))
            });
        };
        let mut broken: Option<State> = None;
        let mut gone = false;
        for word in words {
            state.set(name, Value::Pieces(word.pieces.into()));
            self.escapes.push(Vec::new());
            self.loops += 1;
            let (after, reached) = self.list(state, body).joined();
            self.loops -= 1;
            let mut next = if reached { Some(after.clone()) } else { None };
            for escaped in self.escapes.pop().unwrap_or_default() {
                next = either(next, Some(escaped.clone()));
                broken = either(broken, Some(escaped));
            }
            gone |= next.is_none();
            state = next.unwrap_or(after);
        }
        match broken {
            Some(broken) if gone => Flow::Same(broken),
            Some(broken) => Flow::Same(broken.merge(&state)),
            None if gone => Flow::Gone(state),
            None => Flow::Same(state),
        }
    }

    /// `break`, `continue` and `return` take the state with them, to any loop or function around.
    pub(super) fn escape(&mut self, state: &State) {
        for frame in &mut self.escapes {
            match frame.last() {
                Some(last) if last == state => {}
                Some(last) if frame.len() > 8 => {
                    let merged = last.clone().merge(state);
                    frame.push(merged);
                }
                _ => frame.push(state.clone()),
            }
        }
    }

    /// Walks the body of a function.
    pub(super) fn call(
        &mut self,
        state: State,
        name: &Rc<str>,
        body: &Command,
        args: Vec<Word>,
        span: Span,
    ) -> Flow {
        if self.running.contains(name) || self.running.len() > 16 {
            self.unknown_run(span, "a function that calls itself");
            let mut state = state;
            state.forget();
            return Flow::Same(state);
        }
        let before = state.clone();
        let mut inside = state;
        // A word that may be several, or none, makes the numbers of all unknown.
        inside.positional = if args.iter().any(Word::splits) { None } else { Some(Rc::new(args)) };
        self.running.push(Rc::clone(name));
        self.locals.push(Vec::new());
        self.escapes.push(Vec::new());
        let loops = std::mem::take(&mut self.loops);
        let flow = self.command(inside, body);
        self.loops = loops;
        let escaped = self.escapes.pop().unwrap_or_default();
        let locals = self.locals.pop().unwrap_or_default();
        self.running.pop();
        let restore = |mut state: State| {
            state.positional.clone_from(&before.positional);
            for name in &locals {
                let old = before.vars.get(name.as_str());
                if old != state.vars.get(name.as_str()) {
                    state.set(name, Value::Unknown);
                }
            }
            state
        };
        let (mut ok, mut failed, any) = flow.split();
        for state in escaped {
            ok = either(ok, Some(state.clone()));
            failed = either(failed, Some(state));
        }
        Flow::of(ok.map(restore), failed.map(restore), restore(any))
    }

    /// `[[ … ]]`
    fn test(&mut self, state: &mut State, items: &[TestItem], span: Span) {
        for item in items {
            match item {
                TestItem::Alone(word) => self.effects(state, &word.parts),
                TestItem::Unary(op, word) => {
                    let operand = self.value(state, &word.parts);
                    if matches!(op.as_str(), "-v" | "-R") {
                        self.variable_name(state, operand.literal().as_deref(), span);
                    }
                }
                TestItem::Binary(left, op, right) => {
                    if matches!(op.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") {
                        self.arithmetic(state, &left.parts, span);
                        self.arithmetic(state, &right.parts, span);
                    } else {
                        self.effects(state, &left.parts);
                        self.effects(state, &right.parts);
                    }
                    if op == "=~" {
                        state.set("BASH_REMATCH", Value::Unknown);
                    }
                }
            }
        }
    }
}

fn reached_state(flow: Flow) -> Option<State> {
    match flow.joined() {
        (state, true) => Some(state),
        (_, false) => None,
    }
}

//! stub
#![allow(missing_docs)]
use super::word::Word;
#[derive(Default)]
pub struct Start { pub depth: usize, pub variables: Vec<(String, String)> }
pub struct Script { pub commands: Vec<SimpleCommand>, pub unknown: Vec<UnknownRun> }
pub struct UnknownRun { pub span: (usize, usize), pub why: String }
pub enum Cwd { Known(Vec<Vec<Word>>), Unknown }
pub enum RedirectionKind { Read, Write, Append, ReadWrite, Heredoc, HereString, Close, Duplicate }
pub struct Redirection { pub kind: RedirectionKind, pub target: Word, pub span: (usize, usize), pub free: bool }
pub enum Stdin { Inherited, Pipe(Vec<usize>), Text(Word), File(Word) }
pub struct Assignment { pub name: String, pub value: Word }
pub struct SetVariable { pub name: String, pub exported: bool }
pub struct SimpleCommand { pub words: Vec<Word>, pub assignments: Vec<Assignment>, pub redirections: Vec<Redirection>, pub span: (usize, usize), pub cwd: Cwd, pub stdin: Stdin, pub env: Vec<SetVariable>, pub program_rebound: bool }
impl SimpleCommand { pub fn literal_stdin(&self, _: &[SimpleCommand]) -> Option<Word> { None } }
pub fn read(text: &str, _: &Start) -> Script { Script { commands: vec![], unknown: vec![UnknownRun { span: (0, text.len()), why: "stub".into() }] } }

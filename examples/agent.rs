//! An agent whose writes a person approves: its loop, three tools, a scripted model, and a policy in between.
//!
//! `cargo run --example agent` answers as a person did beforehand; with `-- --ask`, you are the person.
//!
//! What a host has to do is in [`turn`]: hand over the calls of one reply together, run those with the outcome `run`, with the arguments of the
//! verdict where it changes them, tell the model the reason of the others, and end the turn when a denial stops it.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};

use serde_json::{Map, Value};
use tool_policy::turn::Outcome;
use tool_policy::{Call, Format, NoDisk, Person, Policy, Prepared, Reply, Run, Surroundings, Terminal};

const POLICY: &str = r#"
version = 1

[[rules]]
deny_by_name = ["delete_*"]
reason = "Deleting is not allowed. Leave the file where it is."

[[rules]]
allow_by_read_only = true

[[rules]]
decide_by_human = { timeout = "5m" }
"#;

/// A loop that has not come to an end by then does not come to one.
const MOST_TURNS: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let person = if std::env::args().any(|arg| arg == "--ask") {
        Person::from(Terminal::new())
    } else {
        Person::from(Prepared::new([Reply::Yes, Reply::No, Reply::Yes]))
    };
    tell(person, &mut io::stdout().lock())
}

/// The whole story: two messages of the person, and what the agent does about each.
pub(crate) fn tell(person: Person, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let policy = Policy::parse("policy.toml", Format::Toml, POLICY)?;
    let run = Run::new(policy, person);
    let mut state = State::new([("calc.py", "def add(a, b):\n    return a + b\n")]);
    let mut model = scripted_model();
    for message in [
        "Add a test for add() in calc.py",
        "Leave README.md alone; say what add() does in a docstring instead",
    ] {
        state.note(out, "person", message)?;
        work(&run, &mut model, &mut state, out)?;
    }
    writeln!(out, "files     {}", state.files.keys().cloned().collect::<Vec<_>>().join(", "))?;
    Ok(())
}

/// Turn after turn, until the model waits for the person.
fn work(run: &Run, model: &mut Model, state: &mut State, out: &mut dyn Write) -> io::Result<()> {
    for _ in 0..MOST_TURNS {
        if turn(run, model, state, out)? == Next::Person {
            return Ok(());
        }
    }
    state.note(out, "loop", "stopped: too many turns")
}

/// Whose turn it is.
#[derive(PartialEq)]
enum Next {
    Model,
    Person,
}

/// One turn: the model replies, and of the calls that it makes those run that may.
fn turn(run: &Run, model: &mut Model, state: &mut State, out: &mut dyn Write) -> io::Result<Next> {
    let calls = match model.reply(&state.messages) {
        ModelReply::Answer(text) => {
            state.note(out, "model", text)?;
            return Ok(Next::Person);
        }
        ModelReply::Calls(calls) => calls,
    };
    for call in &calls {
        state.note(out, "model", &format!("calls {}", call.shown()))?;
    }
    let decided = run.decide(&calls, &Surroundings::new(&NoDisk));
    for asked in &decided.answers {
        state.note(out, "asked", &format!("{} {}", asked.question, asked.answer))?;
    }
    let mut next = Next::Model;
    for (call, of_call) in calls.iter().zip(&decided.outcomes) {
        let verdict = of_call.verdict.as_ref();
        let result = match of_call.outcome {
            Outcome::Run => {
                let args = verdict.and_then(|v| v.updated_args.as_ref()).unwrap_or(&call.args);
                run_tool(&call.tool, args, &mut state.files)
            }
            Outcome::Denied | Outcome::Cancelled => of_call.reason.clone().unwrap_or_default().into_owned(),
        };
        if verdict.is_some_and(|v| v.stop) {
            next = Next::Person;
        }
        state.note(out, of_call.outcome.name(), &format!("{}: {}", call.tool, result.trim_end()))?;
    }
    Ok(next)
}

/// What the agent knows and works on.
struct State {
    /// What the model sees next.
    messages: Vec<String>,
    /// The files of the project; this agent has no others.
    files: BTreeMap<String, String>,
}

impl State {
    fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        Self { messages: Vec::new(), files }
    }

    /// Something happened: the model sees it, and so does who runs the example.
    fn note(&mut self, out: &mut dyn Write, who: &str, what: &str) -> io::Result<()> {
        self.messages.push(format!("{who}: {what}"));
        writeln!(out, "{who:<9} {}", what.replace('\n', "\n          "))
    }
}

/// Runs a tool. What goes wrong is told to the model, and the loop goes on.
fn run_tool(name: &str, args: &Map<String, Value>, files: &mut BTreeMap<String, String>) -> String {
    let text = |name: &str| args.get(name).and_then(Value::as_str);
    match (name, text("path"), text("content")) {
        ("list_files", _, _) => files.keys().cloned().collect::<Vec<_>>().join(", "),
        ("read_file", Some(path), _) => {
            files.get(path).cloned().unwrap_or_else(|| format!("no such file: {path}"))
        }
        ("write_file", Some(path), Some(content)) => {
            files.insert(path.to_owned(), content.to_owned());
            format!("wrote {path}")
        }
        _ => format!("no such tool, or an argument of it is missing: {name}"),
    }
}

/// What a model says: an answer for the person, or calls of tools.
enum ModelReply {
    Answer(&'static str),
    Calls(Vec<Call>),
}

/// A model that has its replies prepared.
struct Model(std::vec::IntoIter<ModelReply>);

impl Model {
    /// A real one would read the messages.
    fn reply(&mut self, _messages: &[String]) -> ModelReply {
        self.0.next().unwrap_or(ModelReply::Answer("I have nothing more to say."))
    }
}

fn scripted_model() -> Model {
    use ModelReply::{Answer, Calls};
    // Each tool says of itself whether it only reads.
    let list = || Call::new("list_files").read_only(true);
    let read = |path: &str| Call::new("read_file").arg("path", path).read_only(true);
    let write = |path: &str, content: &str| Call::new("write_file").arg("path", path).arg("content", content);
    let replies = vec![
        Calls(vec![list(), read("calc.py")]),
        Calls(vec![write("test_calc.py", "assert add(1, 2) == 3")]),
        // Denied by a rule: the model is told why, and goes on.
        Calls(vec![Call::new("delete_file").arg("path", "calc.pyc")]),
        // The person says no: the turn ends, and what else is in it does not run.
        Calls(vec![read("test_calc.py"), write("README.md", "A calculator.")]),
        // The person has said what to do instead.
        Calls(vec![write("calc.py", "def add(a, b):\n    \"\"\"The sum.\"\"\"\n    return a + b\n")]),
        Answer("add() has a test and a docstring; README.md is as it was."),
    ];
    Model(replies.into_iter())
}

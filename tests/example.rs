//! The example host tells its story as it should.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the example's own entry is not called here")]
#[path = "../examples/agent.rs"]
mod agent;

use tool_policy::{Person, Prepared, Reply};

fn told(person: Person) -> String {
    let mut out = Vec::new();
    agent::tell(person, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const STORY: &str = r#"
person    Add a test for add() in calc.py
model     calls list_files()
model     calls read_file(path="calc.py")
run       list_files: calc.py
run       read_file: def add(a, b):
              return a + b
model     calls write_file(path="test_calc.py", content="assert add(1, 2) == 3")
asked     Run write_file(path="test_calc.py", content="assert add(1, 2) == 3")? yes
run       write_file: wrote test_calc.py
model     calls delete_file(path="calc.pyc")
denied    delete_file: Deleting is not allowed. Leave the file where it is.
model     calls read_file(path="test_calc.py")
model     calls write_file(path="README.md", content="A calculator.")
asked     Run write_file(path="README.md", content="A calculator.")? no
cancelled read_file: (not run: the user stopped this turn)
denied    write_file: The user declined this call. Wait for their next message.
person    Leave README.md alone; say what add() does in a docstring instead
model     calls write_file(path="calc.py", content="def add(a, b):\n    \"\"\"The sum.\"\"\"\n    return a + b\n")
asked     Run write_file(path="calc.py", content="def add(a, b):\n    \"\"\"The sum.\"\"\"\n    return a + b\n")? yes
run       write_file: wrote calc.py
model     add() has a test and a docstring; README.md is as it was.
files     calc.py, test_calc.py
"#;

#[test]
fn a_person_approves_declines_says_what_to_do_instead_and_the_agent_goes_on() {
    let person = Person::from(Prepared::new([Reply::Yes, Reply::No, Reply::Yes]));
    assert_eq!(told(person), STORY.trim_start());
}

#[test]
fn with_nobody_to_ask_nothing_is_written() {
    let story = told(Person::Nobody);
    assert!(story.ends_with("files     calc.py\n"), "{story}");
    assert!(!story.contains("wrote"), "{story}");
    assert!(story.contains("nobody is there to ask"), "{story}");
}

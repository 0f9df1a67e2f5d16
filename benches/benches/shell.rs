//! A shell call, parsed, understood and decided, beside parsing alone by tree-sitter-bash.

use std::fmt::Write as _;
use std::path::PathBuf;

use tool_policy::facts::disk::RealDisk;
use tool_policy::facts::shell::{self, Start};
use tool_policy::{Answer, Call, Disk, Format, NoDisk, Policy, Surroundings, Verdict};
use tool_policy_benches::policies::FIFTY;
use tool_policy_benches::{Table, fit, holds, once, shown, times};

const TYPICAL: &str = "git log --oneline | head -5";

const COMMANDS: &[&str] = &[
    "ls",
    "cargo test",
    TYPICAL,
    "cd src && grep -rn 'fn main' . | sort -u | head -20",
    "for f in a.rs b.rs c.rs; do rustfmt --check \"$f\" || echo \"$f\"; done",
    "cargo build --release 2>&1 | tee /tmp/build.log && ./target/release/policy check policies",
    "timeout 60 bash -c 'npm ci && npm run lint -- --fix' > /tmp/lint.txt",
    "rm -rf node_modules",
];

fn call(command: &str) -> Call {
    let mut call = Call::new("Bash").arg("command", command);
    call.host = Some("claude-code".to_owned());
    call
}

/// The lines of a script, one after another until it is that long.
fn script(bytes: usize) -> String {
    let mut text = "#!/usr/bin/env bash\nset -eu\n".to_owned();
    let mut n = 0;
    while text.len() < bytes {
        n += 1;
        let line = match n % 9 {
            0 => format!("# Step {n}: what was built is looked at before it goes on"),
            1 => format!("mkdir -p target/out{n}"),
            2 => format!("cargo test -p crate{n} -- --nocapture | tail -n 20"),
            3 => format!("if grep -q 'version {n}' src/lib.rs; then echo \"found {n}\"; fi"),
            4 => format!("cp src/file{n}.rs target/out{}/", n - 3),
            5 => format!("for name in one{n} two{n}; do\n  ls \"src/$name\" > /tmp/list{n}.txt\ndone"),
            6 => format!("git add src/file{n}.rs && git status --short"),
            7 => format!("count=$(wc -l < src/file{n}.rs)"),
            _ => format!("cat > /tmp/note{n}.txt <<EOF\nstep {n} of many, in a repository\nEOF"),
        };
        writeln!(text, "{line}").expect("a string can be written to");
    }
    text
}

fn treesitter() -> impl FnMut(&str) -> bool {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("the grammar loads");
    move |text| parser.parse(text, None).is_some_and(|tree| !tree.root_node().has_error())
}

/// A repository with a few files, as git makes them.
fn repository() -> PathBuf {
    let root = std::env::temp_dir().join(format!("policy-shell-{}", std::process::id()));
    let write =
        |name: &str, text: &str| std::fs::write(root.join(name), text).expect("a file can be written");
    for folder in [".git/refs", ".git/objects", "src"] {
        std::fs::create_dir_all(root.join(folder)).expect("a folder can be made");
    }
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(
        ".git/config",
        "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
    );
    (0..20).for_each(|n| write(&format!("src/file{n}.rs"), "fn main() {}\n"));
    root
}

fn main() {
    let policy = Policy::parse("fifty.toml", Format::Toml, FIFTY).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(policy.rules().len(), 50);
    let repository = repository();
    let root = repository.to_str().expect("the path is text");
    let real = RealDisk::new(std::env::var("HOME").ok());
    let with = |disk: &'static str| -> (&dyn Disk, &str) {
        if disk == "real" { (&real, root) } else { (&NoDisk, "/repo") }
    };
    let judge = |call: &Call, disk: &'static str| -> Verdict {
        let (disk, workspace) = with(disk);
        policy.evaluate(call, &Surroundings { workspace: Some(workspace), ..Surroundings::new(disk) })
    };
    let mut parse = treesitter();
    println!("## Shell calls\n");

    let mut table = Table::new(&[
        "command",
        "verdict",
        "decided, no disk",
        "decided, real disk",
        "read as bash alone",
        "tree-sitter-bash, parsing alone",
    ]);
    let mut typical = (f64::NAN, f64::NAN);
    for command in COMMANDS {
        let call = call(command);
        let verdict = judge(&call, "real");
        let bare = once(|| judge(&call, "none"));
        let real = once(|| judge(&call, "real"));
        let known = once(|| shell::read(command, &Start::default()));
        let tree = once(|| parse(command));
        if *command == TYPICAL {
            assert_eq!(verdict.verdict, Answer::Allow, "{verdict:?}");
            typical = (bare, real);
        }
        let by = verdict.decided_by.as_ref().map_or("nobody", |by| by.rule.as_str());
        table.row([
            format!("`{}`", command.replace('|', "\\|")),
            format!("{:?} ({by})", verdict.verdict).to_lowercase(),
            shown(bare),
            shown(real),
            shown(known),
            shown(tree),
        ]);
    }
    table.print("A command against 50 rules, warm");

    let mut table = Table::new(&[
        "script",
        "decided, no disk",
        "decided, real disk",
        "tree-sitter-bash, parsing alone",
        "ours / theirs",
    ]);
    let (mut points, mut ten) = (Vec::new(), f64::NAN);
    for kilobytes in [1, 2, 5, 10, 20, 50, 100] {
        let text = script(kilobytes * 1000);
        let call = call(&text);
        let bare = once(|| judge(&call, "none"));
        let real = once(|| judge(&call, "real"));
        let tree = once(|| parse(&text));
        points.push((text.len() as f64, bare));
        if kilobytes == 10 {
            ten = bare;
        }
        table.row([format!("{kilobytes} KB"), shown(bare), shown(real), shown(tree), times(bare / tree)]);
    }
    table.print("A script against 50 rules");
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (_, exponent, _) = fit(&logs);
    let (_, slope, r2) = fit(&points);
    println!(
        "Over these sizes the time grows with the size to the power {exponent:.2}; a line through them has R² = {r2:.4} and {} a byte.\n",
        shown(slope)
    );

    let _ = std::fs::remove_dir_all(&repository);
    holds("`git log --oneline | head -5` decided, no disk", typical.0, 20e-6, shown);
    holds("`git log --oneline | head -5` decided, real disk", typical.1, 20e-6, shown);
    holds("a script of 10 KB", ten, 2e-3, shown);
    holds("the exponent of growth", exponent, 1.1, |x| format!("{x:.2}"));
}

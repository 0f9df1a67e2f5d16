//! The tables of programs, and how to write an entry.
//!
//! One file a family, one entry a program, sorted by name. Where each entry stands is found out by the compiler ([`index`]), and an entry's
//! text is parsed when it is first used. Tests parse everything, and hold that files and entries are sorted (sets first, then
//! programs; sub-commands by their words) and that no name comes twice. Lines are about 150 characters at most.
//!
//! What a table does not list is never fine: an unknown option or sub-command makes a command neither read-only nor `@project`, and for deny and ask it
//! may read and write anything. So an entry may be short. But an option that writes, sends or runs has to be listed (or the entry be `incomplete`), since
//! an unknown word (`$x`) may turn into it.
//!
//! # An entry
//!
//! ```text
//! # A comment stands on a line of its own.
//! sort, gsort
//!   is read-only gnu
//!   operands read...
//!   -b,--ignore-leading-blanks -n,--numeric-sort -k,--key= -c,--check[=]
//!   -o,--output=write --compress-program=program -S,--buffer-size=
//! ```
//!
//! A heading stands at the start of a line; its body is indented by two blanks. A heading names a program, with commas between several names of the
//! same program, or a sub-command, which directly follows its program's entry, or a set of options that others include (`@git-diff`). In a sub-command,
//! bars stand between several names of the same one (`git remote remove|rm`), commas between several that have the same table (`docker start, stop`).
//! A sub-command of a sub-command needs an entry for what is in front of it. An option spelled `+` holds for any word that starts with it
//! (`cargo +nightly`).
//!
//! **A body line** starts with one of these words, or with an option:
//!
//! | line | means |
//! |---|---|
//! | `is WORD…` | properties, below |
//! | `operands KIND…` | what the words are that are no options, one KIND each; `KIND...` takes the rest; `dest` after it is the last one. Without this line operands are `text...` |
//! | `default KIND PATH` | used when there is no operand (that is not a pattern or script); `default-recursive` only when the command is recursive |
//! | `read-only-with OPTION…` | read-only only when one of these options is used (`tar -t`) |
//! | `read-only-bare OPTION…` | read-only without operands, or with one of these options (`git branch`, `git branch --list x`) |
//! | `hook NAME` | code in `hooks` finishes what the table cannot say |
//! | `use @SET…` | includes the options of a set |
//! | `-…` | options, separated by blanks, as many lines as wanted; an option without a dash (`!` of `find`, `+x` of `set`) cannot start with a letter where it starts a line |
//!
//! When a program has sub-commands and its own entry has no line `operands`, a word that is none of them is an unknown sub-command. With the line, it is an
//! operand (`git stash`, `bun script.ts`).
//!
//! **Properties** (`is`):
//!
//! | word | means |
//! |---|---|
//! | `read-only` | the command is read-only as long as its options and operands have no effect and no kind that says otherwise; an option that is not listed always says otherwise |
//! | `project` | in `@project`: builds, tests, or changes files inside the workspace only (every file it names has to be inside). Its options and operands may name files, but not programs, code, or the network |
//! | `gnu` | long options may be abbreviated |
//! | `posix` | options stop at the first operand (`env`, `timeout`, `ssh`) |
//! | `single-dash` | `-name` is one long option, never a cluster; `--name` is the same |
//! | `numeric` | `-5` is an option |
//! | `anywhere` | its options are also understood behind its sub-commands (`kubectl -n`) |
//! | `old-style` | the first word may be a cluster without a dash (`tar xf`) |
//! | `plain` | it has no options: every word is an operand (`echo`) |
//! | `key-value` | options are `name=value` without a dash (`dd`); they are listed that way: `if=read` |
//! | `assignments` | `NAME=value` in front of the program it runs are variables (`env`, `sudo`) |
//! | `transparent` | changes nothing of how the program it runs is run, unless an option says so (`!opaque`) |
//! | `elsewhere` | what it runs, runs elsewhere (`ssh`, `docker exec`) |
//! | `incomplete` | there are options that are not listed and that may write or run something. Without this word, whatever is not listed is nothing but harmless or an error; list every option that writes, sends or runs |
//! | `recursive` | reads and writes reach everything below the named folders |
//! | `rebinds` | paths at and below what it writes are unknown afterwards (it links, moves, unpacks) |
//! | `writes` | changes files that its words do not name |
//! | `reads` | reads files that its words do not name, beyond its own configuration |
//! | `network` | talks to the network, to targets that its words do not name |
//! | `runs` | runs something that nobody can tell from the words. Not for runners of the project's own tasks (`make`, `npm test`) |
//!
//! **An option** is its spellings with commas between (`-n,--lines=`), then what it takes, then effects:
//!
//! | written | means |
//! |---|---|
//! | `-q,--quiet` | no value |
//! | `-n,--lines=` or `-n,--lines=KIND` | takes a value, attached or in the next word; holds for every spelling |
//! | `--color[=]`, `-i[=],--in-place[=]` | takes a value only when attached; holds only for the spelling that it stands at |
//! | `--arg=text+text` | takes several words |
//! | `--[no-]color` | two options; the opposite takes no value and keeps the effects that end a claim |
//! | `-x!EFFECT!EFFECT` | effects, below |
//!
//! Without a KIND the value is `text`. A one-letter option may stand in a cluster. In front of a sub-command, an option whose value is `cwd` moves the cwd.
//!
//! | kind | the value or operand is |
//! |---|---|
//! | `text` | nothing that matters: a number, a format, a name, a message |
//! | `pattern` | as `text`; the effect `!no-pattern` of an option says that the first operand is not this |
//! | `read`, `write`, `read-write` | a file (or folder) that is read, made or changed or deleted, both |
//! | `tree`, `write-tree` | a folder, with everything below |
//! | `read-maybe`, `write-maybe` | perhaps a file: for deny and ask only |
//! | `pathspec` | of git: a revision or a path; a path after `--` |
//! | `at-read` | a file that is read when it starts with `@`, else text |
//! | `config` | a file that is read and may name programs to run |
//! | `dest` | the destination of the other operands (`cp`); as an option (`-t`) it makes all operands sources |
//! | `cwd` | a folder that it works in |
//! | `url`, `host` | a network target; default scheme: `http`, none |
//! | `remote` | `host:path` or a local path that is read (`scp`); `remote-dest`: one that is written |
//! | `method` | the HTTP method |
//! | `script` | text for a shell |
//! | `script-words` | this word and all after it, joined: text for a shell |
//! | `code` | code in another language |
//! | `script-file` | a file with a script or program, which is run |
//! | `program` | the name of a program that it runs with words of its own choice |
//! | `words` | a text that is split into a program and its words |
//! | `exec` | this word and all after it: a program and its words |
//! | `until` | this word and all after it up to `;` or `+`: a program and its words (`find -exec`) |
//! | `package` | the name of a program or package that is fetched and run with the words after it (`npx`) |
//! | `sed-script`, `awk-program` | analysed by code |
//!
//! | effect | the option |
//! |---|---|
//! | `!no` | makes the command neither read-only nor `@project`, and that is all there is to say |
//! | `!write` | changes something that the words do not name |
//! | `!read` | reads something that the words do not name |
//! | `!run` | runs something that the words do not name |
//! | `!net` | talks to the network, to targets that the words do not name |
//! | `!in-place` | makes the files that are read also written |
//! | `!recursive` | as the property |
//! | `!rebinds` | as the property |
//! | `!no-pattern` | says that the first operand is no pattern or script |
//! | `!opaque` | makes the wrapper not transparent |
//! | `!elsewhere` | as the property |
//! | `!neutral` | changes nothing but display: an allow pattern passes over it in front of a sub-command |
//! | `!query` | only asks (`--version`): alone, the command is read-only though its entry is not |
//! | `!last` | ends the options: what follows are operands (`python -c`) |
//! | `!number` | takes a number from the next word too, though its value is optional (`make -j 4`) |
//! | `!hook` | means something that the entry's hook knows about; nothing by itself |

//!
//! # Adding a program
//!
//! 1. Find its options by `--help`; write down what takes a value, whatever it means, since a wrong count of words moves all that follow.
//! 2. Mark what writes, sends or runs. In doubt: `!no`, or `is incomplete`.
//! 3. Put the entry in its family's file, in order, and lines into `tests/read-only.txt`, `tests/not-read-only.txt`, `tests/project.txt`,
//!    `tests/not-project.txt`; files, hosts and inner programs go into the tables of `tests/files.rs` and `tests/inner.rs`.
//! 4. A hook is the last resort: a function in `hooks`, named in `hooks::run` and `hooks::NAMES`.

mod index;

pub(super) use index::{Node, find, names, set};

/// One file a family, sorted.
pub(super) const FAMILIES: &[(&str, &str)] = &[
    ("build", include_str!("build.txt")),
    ("cloud", include_str!("cloud.txt")),
    ("containers", include_str!("containers.txt")),
    ("coreutils", include_str!("coreutils.txt")),
    ("git", include_str!("git.txt")),
    ("network", include_str!("network.txt")),
    ("packages", include_str!("packages.txt")),
    ("shells", include_str!("shells.txt")),
    ("system", include_str!("system.txt")),
    ("text", include_str!("text.txt")),
    ("vcs", include_str!("vcs.txt")),
    ("wrappers", include_str!("wrappers.txt")),
];

//! Options, sub-commands and operands.

use super::*;

#[track_caller]
fn sorted(line: &str, flags: &str, operands: &str) {
    let words = words(line);
    let parsed = sort_words(&words);
    let shown: Vec<String> = parsed
        .flags
        .iter()
        .map(|f| {
            let unknown = if f.known { "" } else { "?" };
            f.value
                .as_ref()
                .map_or(format!("{}{unknown}", f.name), |v| format!("{}{unknown}={}", f.name, v.shown()))
        })
        .collect();
    assert_eq!(shown.join(" "), flags, "flags of {line}");
    let shown: Vec<String> = parsed.operands.iter().map(|i| words[*i].shown()).collect();
    assert_eq!(shown.join(" "), operands, "operands of {line}");
}

#[test]
fn words_are_sorted_by_the_table() {
    sorted("sort -uo out in", "-u -o=out", "in");
    sorted("sort -oout in", "-o=out", "in");
    sorted("sort in -o out", "-o=out", "in");
    sorted("sort --outp=out in", "--output=out", "in");
    sorted("sort --compress-prog ./x in", "--compress-program=./x", "in");
    sorted("sort --check big", "--check", "big");
    sorted("sort -- -o out", "", "-o out");
    sorted("sort --zzz in", "--zzz?", "in");
    sorted("sort --r in", "--r?", "in");
    sorted("head -5 f", "-5", "f");
    sorted("head -n5 -c 7 f", "-n=5 -c=7", "f");
    sorted("sed -nEi.bak s/a/b/ f", "-n -E -i=.bak", "s/a/b/ f");
    sorted("ls -la --color=auto --color", "-l -a --color=auto --color", "");
    sorted("timeout -k 5 10 rm -rf x", "-k=5", "10 rm -rf x");
    sorted("git -C d --no-pager log --oneline -5 -- -o", "-C=d --no-pager --oneline -5", "-o");
    sorted("find . -name x -delete", "-name=x -delete", ".");
    sorted("tar xzf a.tgz -C d f", "-x -z -f=a.tgz -C=d", "f");
    sorted("dd if=a of=b bs=1M", "if=a of=b bs=1M", "");
    sorted("echo -n --foo bar", "", "-n --foo bar");
    sorted("kubectlx get -rf --x=y z", "-r? -f? --x?=y", "get z");
}

#[test]
fn sub_commands_and_global_options_are_told_apart() {
    let line = words("git -C d --no-pager remote add x https://e");
    let parsed = sort_words(&line);
    assert_eq!(parsed.subcommand, [4, 5]);
    assert_eq!(parsed.global, [1, 2, 3]);
    assert_eq!(parsed.neutral_global, [3]);
    assert_eq!(parsed.moves, [(vec![1, 2], Word::text("d"))]);
    assert_eq!(parsed.operands, [6, 7]);
    let rm = sort_words(&words("rm --recursive -f x"));
    assert!(rm.flags[0].aliases.contains(&"-r".to_owned()) && rm.flags[0].aliases.contains(&"-R".to_owned()));
    let lost = sort_words(&words("git --nonsense x push -f"));
    assert_eq!(lost.subcommand, [3], "`x` may be the value of the option in front of it");
    let push = sort_words(&words("git push --no-force"));
    assert!(push.flags[0].aliases.is_empty(), "the opposite is another option");
    let push = sort_words(&words("git push --forc"));
    assert!(push.flags[0].aliases.is_empty() && !push.flags[0].known, "`--force` or `--force-with-lease`");
}

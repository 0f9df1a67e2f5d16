//! Files and hosts that words name.

use super::*;

/// `r` reads, `w` writes, `b` both; `*` everything below; `?` possibly.
fn shown(u: &Understood) -> String {
    let of = |f: &FileUse| {
        let access = match f.access {
            Access::Read => "r",
            Access::Write => "w",
            Access::ReadWrite => "b",
        };
        let below = if f.recursive { "*" } else { "" };
        let possible = if f.possible || f.if_folder.is_some() { "?" } else { "" };
        format!("{access}{below}{possible}:{}", f.path.shown())
    };
    u.files.iter().map(of).collect::<Vec<_>>().join(" ")
}

#[track_caller]
pub(super) fn files(line: &str, expected: &str) {
    assert_eq!(shown(&of(line)), expected, "{line}");
}

#[track_caller]
pub(super) fn fetches(line: &str, expected: &str) {
    let u = of(line);
    let of = |f: &FetchUse| {
        let method = f.method.clone().map_or(String::new(), |m| format!("{m} "));
        let scheme =
            if f.default_scheme.is_empty() { String::new() } else { format!("[{}]", f.default_scheme) };
        let more = if f.follows_redirects { "+" } else { "" };
        let possible = if f.possible { "?" } else { "" };
        format!("{method}{scheme}{}{more}{possible}", f.target.shown())
    };
    assert_eq!(u.fetches.iter().map(of).collect::<Vec<_>>().join(" "), expected, "{line}");
}

#[test]
fn what_is_read() {
    files("cat .env", "r:.env");
    files("cat notes.txt .env", "r:notes.txt r:.env");
    files("cat -- -/../.env", "r:-/../.env");
    files("cat \"$f\"", "r:…");
    files("cat .e\"$x\"", "r:.e…");
    files("cat -", "");
    files("cat -- -", "r:-");
    files("ls", "r:.");
    files("ls -R src", "r*:src");
    files("grep secret .env", "r:.env");
    files("grep -r secret .", "r*:.");
    files("grep -r secret", "r*:.");
    files("grep secret", "");
    files("grep -e a -f pats x", "r:pats r:x");
    files("rg secret README.md", "r*:README.md");
    files("rg secret", "r*:.");
    files("rg --files", "r*:.");
    files("find src -newer f", "r:f r:src");
    files("find", "r:.");
    files("awk '/x/' run.txt", "r:run.txt");
    files("sed -n 1p f", "r:f");
    files("sed 'r g' f", "r:g r:f");
    files("jq . f", "r:f");
    files("jq --slurpfile a g . f", "r:g r:f");
    files("sort --files0-from=l", "r:l");
    files("diff -r a b", "r*:a r*:b");
    files("printf '%s' /help", "");
    files("echo /etc/passwd", "");
    files("test -f go.mod", "r:go.mod");
    files("[ -e x -a -d y ]", "r:x r:y");
    files("git show HEAD:.env", "r*?:HEAD:.env r*?:.env");
    files("git log -- src", "r*:src");
    files("git diff --no-index a b", "r*?:a r*?:b");
    files("git diff -O order", "r:order");
    files("curl -d @f -T up https://e", "r:f r:up");
    files("curl -F a=@f;type=x https://e", "r:f");
    files("scp a h:b", "r:a");
}

#[test]
fn what_is_written() {
    files("rm -rf dir", "w*:dir");
    files("rm -- -/../.env", "w:-/../.env");
    files("rm --recurs x", "w*:x");
    files("cp .env /tmp/x", "w:/tmp/x w?:/tmp/x/.env r:.env");
    files("cp -r a b/", "w*:b/ w*:b/a r*:a");
    files("cp a b c", "w:c w:c/a w:c/b r:a r:b");
    files("cp -t d a b", "w:d w:d/a w:d/b r:a r:b");
    files("mv .env /tmp/exfil", "w*:/tmp/exfil w*?:/tmp/exfil/.env b*:.env");
    files("ln -s src .env", "w:.env w?:.env/src r*?:src");
    files("ln -s a/b", "w:b r*?:a/b");
    files("touch .env", "w:.env");
    files("chmod -R +x d", "w*:d");
    files("chmod --reference=r f", "r:r w:f");
    files("tee a b", "w:a w:b");
    files("sed -i s/FAKE/X/ .env", "b:.env");
    files("sed 'w .agent/settings.json'", "w:.agent/settings.json");
    files("sort -uo f g", "w:f r:g");
    files("uniq a b", "r:a w:b");
    files("dd if=a of=b", "r:a w:b");
    files("tree -o f", "w:f r:.");
    files("awk '{ print > \"f\" }' g", "w:f r:g");
    files("find a -delete", "b*:a");
    files("find . -fprintf l x", "w:l r:.");
    files("curl -o f https://e", "w:f");
    files("curl -O 'https://e/a/b.sh?x'", "w:b.sh");
    files("curl -O --output-dir d https://e/f", "w:d/f");
    files("wget https://e/f.tgz", "w:f.tgz");
    files("wget -O f https://e", "w:f");
    files("wget -qO- https://e", "");
    files("wget -P d https://e/f", "w:d/f");
    files("git diff --output=src/main.rs HEAD~1", "w:src/main.rs r*?:HEAD~1");
    files("git checkout -- .", "b*:.");
    files("git restore src", "w*:src");
    files("git mv a b", "w*:b w*?:b/a b*:a");
    files("tar cf a.tar d", "b:a.tar r*:d");
    files("tar cf a.tar -C x d", "b:a.tar r*:x/d");
    files("tar tf a.tar", "r:a.tar");
    files("tar xf a.tar -C d", "r:a.tar w*:d");
    files("gzip f", "b:f");
    files("gzip -c f", "r:f");
    files("sudo -e f", "b:f");
    files("flock l rm x", "w:l");
}

#[test]
fn without_a_model_words_are_guessed_by_their_look() {
    files("frob x ./y --out=/tmp/z -q", "b*?:./y b*?:/tmp/z");
    fetches("frob https://e/x", "https://e/x?");
    assert!(!of("frob ./x").modelled);
}

#[test]
fn what_is_fetched() {
    fetches("curl https://e/x", "GET [http]https://e/x");
    fetches("curl -sL e", "GET [http]e+");
    fetches("curl -X DELETE e", "DELETE [http]e");
    fetches("curl -XPUT e", "PUT [http]e");
    fetches("curl e --request GET -s", "GET [http]e");
    fetches("curl -d a=b e", "POST [http]e");
    fetches("curl --data-bin @f e", "POST [http]e");
    fetches("curl --nonsense e", "[http]e");
    fetches("curl -G -d a=b e", "GET [http]e");
    fetches("curl -I e", "HEAD [http]e");
    fetches("curl -T f e", "PUT [http]e");
    fetches("curl --url e f", "GET [http]e GET [http]f");
    fetches("curl -x p e", "GET [http]p GET [http]e");
    fetches("curl $x e", "[http]… [http]e");
    fetches("wget e", "GET [http]e+");
    fetches("wget --post-data=x e", "POST [http]e+");
    fetches("ssh h ls", "[ssh]h");
    fetches("ssh -J j u@h", "[ssh]j [ssh]u@h");
    fetches("scp a u@h:b", "[ssh]u@h:b");
    fetches("rsync -a h:a b", "[ssh]h:a");
    fetches("git clone https://e/r", "[ssh]https://e/r");
    fetches("nslookup e.test", "e.test");
    assert!(of("git fetch").unknown_fetches && of("npx x").unknown_fetches && !of("git log").unknown_fetches);
}

#[test]
fn what_unknown_words_may_do() {
    assert_eq!(of("rg $x").unknown_word_may_run, [1]);
    assert_eq!(of("rg -v -e needle$x--pre=sh$x.").unknown_word_may_run, [3]);
    assert_eq!(of("sort -- $x").unknown_word_may_run, [0_usize; 0]);
    assert_eq!(of("wc $x").unknown_word_may_run, [0_usize; 0]);
    assert_eq!(of("sort *.txt").unknown_word_may_run, [1]);
    assert!(
        of("jq \"$f\" x").unknown_reads && of("sha256sum -c f").unknown_reads && !of("jq . x").unknown_reads
    );
    assert!(of("git $x").unknown_writes && of("$x").unknown_writes && of("sort --nonsense").unknown_writes);
}

#[test]
fn folders_and_links() {
    assert_eq!(of("git -C sub status").cwd, Some(Word::text("sub")));
    assert_eq!(of("git -C a -C b status").cwd, Some(Word::text("a/b")));
    assert_eq!(of("tar xf a -C d").rebinds, [Word::text("d")]);
    assert_eq!(of("ln -s a b").rebinds, [Word::text("b")]);
    assert_eq!(of("mv a b").rebinds, [Word::text("b"), Word::text("a")]);
    assert_eq!(of("tar xf a").rebinds, [Word::text(".")]);
    assert!(of("git status").depends_on_git_config);
    assert_eq!(of("cp a b").project_inside.len(), 3);
}

#[test]
fn names_of_programs() {
    assert_eq!(program_name("/bin/rm", false), "rm");
    assert_eq!(program_name("RM.EXE", false), "RM.EXE");
    assert_eq!(program_name("C:\\Git\\cmd\\Git.exe", true), "git");
    assert_eq!(understand_as(&words("RM.EXE -rf x"), true).program.as_deref(), Some("rm"));
    assert!(matches!(understand_as(&words("LS x"), true).read_only, Claim::No(_)));
}

//! Read-only or not, project or not.

use super::*;

/// Whether a command and everything that it runs has the claim.
fn all(u: &Understood, claim: fn(&Understood) -> &Claim) -> Result<(), String> {
    if let Claim::No(reason) = claim(u) {
        return Err(reason.clone());
    }
    for inner in &u.inner {
        match &inner.what {
            InnerKind::Argv(words) | InnerKind::ArgvAndMore(words) => {
                let mut words = words.clone();
                if matches!(inner.what, InnerKind::ArgvAndMore(_)) {
                    words.push(Word::unknown(true));
                }
                all(&understand(&words), claim)?;
            }
            InnerKind::Script(script) => {
                let text = script.literal().ok_or("an unknown script")?;
                all(&of(&text), claim)?;
            }
            InnerKind::Stdin | InnerKind::ScriptFile(_) | InnerKind::Code(_) | InnerKind::Unknown => {
                return Err("runs something".into());
            }
        }
    }
    Ok(())
}

#[test]
fn these_only_read() {
    let refused = |line: &&str| all(&of(line), |u| &u.read_only).is_err();
    let wrong: Vec<String> = READ_ONLY
        .lines()
        .filter(|l| !l.is_empty())
        .filter(refused)
        .map(|l| format!("{l}: {}", all(&of(l), |u| &u.read_only).unwrap_err()))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn these_do_more_than_read() {
    let passed = |line: &&str| all(&of(line), |u| &u.read_only).is_ok();
    let wrong: Vec<&str> = NOT_READ_ONLY.lines().filter(|l| !l.is_empty()).filter(passed).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn these_are_project_commands() {
    for line in PROJECT.lines().filter(|l| !l.is_empty()) {
        assert_eq!(all(&of(line), |u| &u.project), Ok(()), "{line}");
    }
    for line in NOT_PROJECT.lines().filter(|l| !l.is_empty()) {
        assert!(all(&of(line), |u| &u.project).is_err(), "`{line}` should not be a project command");
    }
}

const READ_ONLY: &str = r#"
base64
base64 -d f
base64 --decode f
sed -n 1,5p f
sed -n '1,3p' README.md
sed -n 1p "src/$f"
sed 's/a/b/g' f
sed -e 's/a/b/' -e 5q f
sed -n '/a/,/b/p;$p' f
sed '/^#/d' f
sed 's|/a|/b|' f
sed -E 's/([a-z]+)x/\1/;s/w/e/' f
sed '1!G;h;$!d' f
sed '/x/{n;d}' f
sed 'y/abc/xyz/' f
sed '$a the end w x' f
sed -n '$='
sed --expression=p f
sed s/a/b/w/dev/stdout f
find . -name file.txt
find . -type f -print0
find src "-name" '*.ts' -not -path '*/x/*'
find . \( -name a -o -name b \) -print
find -L . -maxdepth 2 -printf '%p\n'
find . ! -name x -ls
find
cat f
cat -n f g
cat -- -n
cat -
/bin/cat f
/usr/bin/cat f
head -5 file
head -n 10 file.txt
head -n5 f
head -c 20 f
head -3 "$f"
tail -f log.txt
tail -n +5 f
tail -20 f
wc -l file.txt
wc -l "$f"
wc -l $f
cut -d: -f1
cut -d , -f 2- f
cmp file1 file2
comm -12 a b
basename a/b .c
dirname /path/to/file
stat file.txt
stat -c %s f
file document.pdf
file -b --mime-type f
df -h
du -sh .
du -sh *
nl -ba path/to/file.txt
column data.txt
column -t -s ,
ls
ls -la
ls *.ts
ls -R src
ls --color=auto
ls -l --time-style=full-iso /tmp
pwd
date
date +%F
date -u '+%Y-%m-%d'
date -d yesterday
date -Iseconds
whoami
hostname
hostname -f
uname -a
id -u
ps
ps aux
ps -e
ps -ef
ps -Ae
ps -o command
ps -oetime
ps o etime
echo git
echo 'rm file'
echo ---
echo -e "a\n"
echo $x *
printf '%s\n' "/help lists the commands"
printf '%s' $x
true
false
:
test -f go.mod
test -n "$x"
test "$x" = y
[ -f x ]
[ "$a" -gt 3 ]
[ ! -d x -a -e y ]
sort f
sort -u f
sort -k 2,2n -t: f
sort --check big.csv
sort -rn
sort -- *.txt
sort -- $f
sort "src/$f"
uniq
uniq -c
uniq -c f
seq 1 10
numfmt 1000
tr a-z A-Z
rev f
tac f
xxd f
xxd -l 16 f
xxd -p f
hexdump -C f
od -c f
strings f
md5sum f
sha256sum -c sums
diff a b
diff -u a b
diff -ruN a b
realpath f
readlink -f f
tree
tree -L 2 -I node_modules
which ls
type ls
command -v ls
command -V ls
env
printenv PATH
nproc
tty
grep x f
grep -R Cargo.toml -n
grep -rn "terraform destroy" runbooks/
grep -r pattern .
grep -c warning
grep -e a -e b f
grep -f pats f
grep -5 x f
grep --include=*.ts -r foo .
grep --colo=auto x f
grep -l "useMemo" f
grep $x f
rg pattern file.txt
rg --json pattern .
rg -n pattern .
rg --type rust foo
rg --pre-glob '*.pdf' x
rg -tpy x -g '!*.md'
rg -C3 -i needle src
rg --files
fd x
fd -e md
fd . src -t f
jq . f
jq -r '.[] | select(.size > 10) | .name' data.json
jq --arg a 1 '.x == $a' f
awk '{print $1}' f
awk -F, '$3 > 10 { print $2 }' data.csv
awk '/BEGIN RUN/{p=1} p' run.txt
awk 'NR>=5 && NR<=10' f
awk -F: '{ if ($3 > 5) print $1 " | " $2 }' f
awk '{print $1}' *.log
awk '{print}' "$f"
jq . *.json
diff $x y
tar -tf "./$f"
sed 's/[^/]*$//' f
sed -n 's|[[:space:]/]||p' f
awk '/a|b/ { n++ } END { print n/NR }' f
awk 'BEGIN { printf "%d\n", (1 > 2) }'
awk '{ print ($1+$2)/2 }' f
awk '{ print length($0) > "/dev/stderr" }' f
awk -v n=3 '$1 ~ /x\/y/ { gsub(/a/, "b"); print }' f
bash -lc ls
bash -c 'ls -la'
bash -lc 'find . -name file.txt'
bash -ec 'cat f'
sh -c 'cat f'
timeout 5 ls
timeout -k 5 10 cat f
timeout --signal=KILL 5 cat f
nice -n 5 cat f
nice -5 cat f
nohup cat f
time ls
time -p git status
stdbuf -oL grep x f
env A=b ls
env ls
ionice -c 3 cat f
command ls
xargs -0 grep x
xargs wc -l
xargs -n 1 -P 4 cat
xargs -I{} grep foo {}
xargs
cd sub
cd
cd -
pushd a
export A=b
export A
set -e
set -euo pipefail
set -- a b
unset A
read -r f
local x=1
alias
ulimit
ulimit -n
history
hash
git status
git status -s -b
git status --porcelain=v2
git log
git log -p -2
git log -c core.pager=x
git log --oneline -5
git log --oneline -- -o
git log --since=1.week --pretty=%an
git log --format=%H -n 3 main..HEAD -- src
git log -S needle --all
git log --graph --decorate
git show HEAD
git show abc123
git show --stat HEAD
git show HEAD:src/main.rs
git diff
git diff main
git diff --stat
git diff --cached -- src
git diff --name-only HEAD~1
git diff --no-index a b
git --no-pager diff --stat
git --no-pager log --oneline
git -C . branch --show-current
git -C sub status
git branch
git branch -a
git branch -vv
git branch --list x
git branch -a --sort=-committerdate
git branch --contains abc
git branch -r
git tag
git tag -l 'v*'
git tag --list
git tag -n5
git remote
git remote -v
git remote get-url origin
git stash list
git stash show -p
git reflog
git reflog show HEAD
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git rev-list --count HEAD
git ls-files
git ls-files -o --exclude-standard
git ls-tree -r HEAD
git cat-file -p HEAD:src/main.rs
git cat-file -t HEAD
git describe --tags --always
git shortlog -sn
git blame f
git blame -L 1,5 f
git grep -n TODO src
git grep --or -e a -e b
git config --get user.name
git config --list
git config -l --show-origin
git config user.name
git config get user.name
git for-each-ref --format='%(refname)'
git merge-base main HEAD
git check-ignore -v x
git worktree list
git submodule status
git symbolic-ref HEAD
git version
git --version
git show-ref --heads
git count-objects -v
python --version
python3 -V
node --version
bash --version
tar -tf a.tar
tar tzf a.tgz
tar -tvf a.tar f
unzip -l a.zip
zcat a.gz
gzip -l a.gz
gunzip -c a.gz
gzip -dc a.gz
free -h
dmesg -T
lsof -i :80
pgrep -f x
cal
dd if=f bs=1 count=5
mapfile -t lines
"#;

const NOT_READ_ONLY: &str = r#"
foo
./sed -n 1p notes.txt
/tmp/malicious/rg pattern
/tmp/build/cat f
Git status
LS
base64 -o out.bin
base64 --output out.bin
base64 --output=out.bin
base64 -ob64.txt
base64 -d a b
sort -o f
sort -o out in.txt
sort -uo out in
sort -oout in.txt
sort --outp=out in
sort --output=out in
sort in.txt -o in.txt
sort "-o" f x
sort -S 1b --compress-program=./pack in.txt
sort -S 1b --compress-prog ./pack in.txt
sort --compress-program tools/x in
/usr/bin/sort --compress-program=/tmp/pwn in
SORT.EXE --compress-program=/tmp/pwn in
sort *.txt
sort $x
sort "$x"
sort --nonsense f
sort -k $x f
sort -n$x f
find . -delete
find . "-delete"
find . -d\elete
find . -fprint0 f
find -fprint0 f
find . -type f -fprintf list.txt '%p\n'
find . -fls x
find . -exec rm {} \;
find . '-exec' rm {} +
find . -execdir rm {} \;
find . -ok cat {} \;
find . -name *.ts
find . $x
find . -nonsense
find . -name x --delete
uniq in.txt out.txt
uniq *.txt
uniq $x
uniq a b c
xxd a b
xxd -r a b
sed -n '1w f'
sed 's/a/b/w f'
sed 's/a/b/w out.txt' f
sed 's/a/b/e'
sed 's/.*/touch m/e' in.txt
sed --exp='s/a/b/e' f
sed e
sed '1e touch x' f
sed -i s/a/b/ f
sed -nEi.bak 's/a/b/p' in.txt
sed -ni p f
sed --in-place "s/foo/bar/" file.txt
sed --in-place=.bak p f
sed --in p f
sed --file script.sed file.txt
sed -f x f
sed 'w .agent/settings.json'
sed -n "$n" f
sed -n "${x}p" f
sed 's/a/b' f
sed -e p -e 'w x' f
sed 's/[/]/w f' f
sed '/x/W y' f
sed -n p *.txt
awk 'BEGIN { system("touch m") }'
awk '{ print > "f" }' f
awk '{ print >> "f" }' f
awk '{ print $1 > $2 }' f
awk '{ print | "sh" }' f
awk '{ print |& "sh" }' f
awk 'BEGIN { "date" | getline x }'
awk 'BEGIN { while ((getline line < "f") > 0) print line }'
awk -f prog.awk f
awk "$prog" f
awk 'BEGIN { @load "x" }'
awk 'BEGIN { if (1) /"/ ; print "x" > "f" ; "a" }'
awk -i inplace '{print}' f
awk '{ printf("%s", $1) > "f" }' f
awk 'BEGIN { print "a" >"f" }'
gawk -o f x
gawk --profile x
tree -o f
tree -no out
tree -o listing.txt
date -s
date -s2026-01-01
date --set="2023-01-01"
date 0101
date 010100002026
date $x
hostname x
hostname evil
hostname -F f
hostname $x
rg --pre x y
rg --pre ./view.sh needle src
rg "--pre" ./x pattern
rg --pre=x y
rg --search-zip files
rg -z x
rg --hostname-bin hostname pattern .
rg -v -e needle$x--pre=sh$x.
rg $x
rg -n --nonsense x
fd -e md -x touch m
fd -X rm
fd x --exec rm
tee f
tee
truncate foo
cp a b
mv a b
rm file.txt
rm -rf x
rmdir folder
mkdir x
touch x
ln -s a b
chmod +x f
chmod -x f
chown a f
install a b
mktemp
dd if=/dev/zero of=/dev/sda bs=1M
dd bs=1M of=x if=y
split f
shred f
kill 1234
kill -9 1234
killall zombies
env rm -rf x
env A=b rm x
env -S 'rm x'
env -i ls
env -C d ls
env - ls
sudo ls
sudo -l
doas ls
ssh host ls
bash -c 'rm -rf /'
sh -c 'rm x'
bash -cx 'rm -rf /'
bash \-c 'rm -rf /'
bash -c "$x"
bash -ic ls
bash --rcfile x -c ls
bash script.sh
bash
bash -s
sh f
. ./setup.sh
source x
eval ls
python script.py
python3 script.py
python -c 'print(1)'
python -m http.server
python
node -e 1
node x.js
perl -e 1
perl -ne print f
ruby -e 1
php -r 1
lua -e 1
deno eval 1
xargs rm
xargs -I{} sh -c '{}'
xargs kill
xargs sort
xargs -o cat
xargs sed -n p
timeout $x cat f
timeout 5 rm x
timeout --nonsense 5 ls
nohup rm x
time -o f ls
nice rm x
command rm x
exec ls
builtin cd x
trap 'rm x' EXIT
let x=1
declare -i x=y
unset 'a[$(x)]'
read 'a[$(x)]'
read PATH
printf -v 'a[$(x)]' y
printf "$fmt" a
test -v 'a[$(x)]'
tar -tf "$f"
dd $x
dd "$x"
git -C $x log
git blame --output=x f
git shortlog --output=x HEAD
git annotate --outp=x f
git blame $x
sed "s/[\]/]/w f" x
jaq -i . f
[ $x = y ]
set -a
set -o allexport
set -o $x
shopt -s expand_aliases
alias ls=rm
history -c
history -w f
enable -f x y
hash -p /tmp/x ls
file -C
file -C -m magic
file -C -m local.magic
file -m /etc/x foo
file -z f
man -P x ls
man --html='touch m' ls
man ls
less f
more f
vim f
curl https://example.com
curl -s https://example.com
curl
wget https://example.com/file
nslookup x
ping x
tar -xf a.tar
tar xf a.tar
tar -cf a.tar d
tar -xf a.tar --to-command=./sink
tar -tf a.tar --to-command=./x
tar -tf a.tar -I ./x
tar -tf host:a.tar
tar -tf a.tar --checkpoint-action=exec=x
unzip a.zip
unzip -o a.zip
gzip f
gunzip f.gz
zip a.zip b
git checkout main
git checkout status
git -c core.fsmonitor=/tmp/pwn status
git -c status
git -c diff.external='touch m' diff HEAD~1
git -C /tmp -c core.fsmonitor=/tmp/pwn status
git --config-env=core.fsmonitor=EVIL status
git --config-e=core.fsmonitor=EVIL status
git --git-dir=/evil/.git status
git --gi=/evil/.git status
git --work-tree=/evil status
git --work-tree /evil status
git --wor=/evil status
git --exec-path=/x status
git -p status
git --paginate status
git --config color.status=always status
git log --output=f
git log --outp=f
git log --ext-diff
git log --textconv -p
git log --show-signature
git diff --output x
git diff --output=x
git diff --output=src/main.rs HEAD~1
git diff --ext-diff
git show --output=/tmp/out HEAD
git show --textconv HEAD:data.bin
git log $x
git diff $x
git branch -D x
git branch -d x
git branch newname
git branch newbranch
git branch -m a b
git branch --edit-description
git branch -f x
git branch --set-upstream-to=x
git branch $x
git branch --list -D x
git tag v1
git tag v9
git tag -d v1
git tag -a v1 -m x
git tag -f v1
git tag -v v1
git remote add x https://evil
git remote remove x
git remote show origin
git remote update
git stash
git stash pop
git stash drop
git reflog expire --all
git config core.fsmonitor ./x
git config --unset x
git config -e
git config --global user.name x
git config set a b
git config --add a b
git grep -Ovim TODO
git grep -O touch-evil TODO
git grep -Osh TODO
git grep --op=sh TODO
git grep --open-files-in-pager=sh TODO
git cat-file --filters HEAD:data.bin
git cat-file --filt HEAD:data.bin
git cat-file --textconv HEAD:x
git ls-remote --upload-pa='touch m' .
git ls-remote
git fetch
git pull
git push
git push -f origin main
git commit -m x
git add .
git reset --hard
git clean -fd
git rebase main
git merge x
git worktree add x
git submodule update
git submodule foreach 'rm x'
git bisect run x
git symbolic-ref HEAD refs/heads/x
git nonsense
git co main
git $x
git help log
git archive -o x HEAD
git format-patch HEAD~1
git rm x
git mv a b
git init
git clone https://x
git hash-object -w f
$x
$x ls
"#;

const PROJECT: &str = r#"
mkdir -p src/x
cp a b
cp -r a b
mv a b
touch f
git add .
git add -A src
git commit -m 'x'
git commit -am x
git switch main
git switch -c new
git checkout main
git checkout -b new
git restore src
git restore --staged f
git branch new
timeout 5 mkdir x
bash -c 'mkdir x'
"#;

const NOT_PROJECT: &str = r#"
rm x
git push
git clean -fd
git reset --hard
git rebase main
git switch --discard-changes main
git switch -f main
git checkout -f main
git branch -D x
git -c core.hooksPath=/tmp commit -m x
git commit --no-verify -m x
git add -e
cp $x b
mkdir --nonsense x
sudo mkdir x
curl x
./mkdir x
"#;

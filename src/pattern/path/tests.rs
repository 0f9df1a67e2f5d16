use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::facts::disk::{self, Os};
use crate::facts::disk::{MadeUpDisk, NoDisk};
use crate::facts::path::Roots;
use crate::facts::path::change_folder;
use crate::facts::word::{Piece, Word};
use Reading::{Broad, Narrow};
use Tri::{No, Possibly, Yes};

/// A call in `/proj/app`, and a disk.
struct World {
    disk: Box<dyn Disk>,
    roots: Roots,
}

fn world(fs: &str) -> World {
    let value: Value = serde_json::from_str(fs).unwrap();
    let disk = MadeUpDisk::from_json(&value).unwrap();
    let windows = disk.os() == Os::Windows;
    let at = |path: &str| if windows { format!("C:{path}") } else { path.to_owned() };
    World {
        roots: Roots { cwd: at("/proj/app"), workspace: at("/proj/app"), home: disk.home() },
        disk: Box::new(disk),
    }
}

impl World {
    fn cwds(&self) -> Vec<Option<String>> {
        vec![Some(self.roots.cwd.clone())]
    }

    fn argument(&self, text: &str) -> FilePath {
        FilePath::from_argument(text, &self.cwds(), &self.roots, &*self.disk)
    }

    fn word(&self, text: &str) -> FilePath {
        FilePath::from_word(&word(text), &self.cwds(), &*self.disk)
    }

    fn both(&self, pattern: &PathPattern, path: &FilePath, extent: Extent) -> (Tri, Tri) {
        let context = PathContext::new(&self.roots, &*self.disk);
        (pattern.matches(path, extent, Broad, &context), pattern.matches(path, extent, Narrow, &context))
    }

    #[track_caller]
    fn check(&self, pattern: &str, path: &str, broad: Tri, narrow: Tri) {
        let answer = self.both(&parse(pattern), &self.argument(path), Extent::Itself);
        assert_eq!(answer, (broad, narrow), "`{pattern}` on `{path}`");
    }

    #[track_caller]
    fn check_word(&self, pattern: &str, path: &str, broad: Tri, narrow: Tri) {
        let answer = self.both(&parse(pattern), &self.word(path), Extent::Itself);
        assert_eq!(answer, (broad, narrow), "`{pattern}` on the word `{path}`");
    }

    #[track_caller]
    fn check_below(&self, pattern: &str, path: &str, read: Tri, write: Tri, narrow: Tri) {
        let pattern = parse(pattern);
        let path_read = self.both(&pattern, &self.argument(path), Extent::MayReachBelow);
        let path_write = self.both(&pattern, &self.argument(path), Extent::ReachesBelow);
        assert_eq!(path_read, (read, narrow), "`{}` reading below `{path}`", pattern.text());
        assert_eq!(path_write, (write, narrow), "`{}` writing below `{path}`", pattern.text());
    }
}

/// `outside:DIR` and `inside:DIR` are the table forms.
#[track_caller]
fn parse(text: &str) -> PathPattern {
    let parsed = if let Some(dir) = text.strip_prefix("outside:") {
        PathPattern::outside(dir)
    } else if let Some(dir) = text.strip_prefix("inside:") {
        PathPattern::inside(dir)
    } else {
        PathPattern::parse(text)
    };
    parsed.unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

/// `*`, `?` and `[…]` are globs, `$` is unknown and `@` unknown and unquoted.
fn word(text: &str) -> Word {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '*' if rest.starts_with("**") => 2,
            '[' => rest.find(']').map_or(1, |i| i + 1),
            '*' | '?' | '$' | '@' => 1,
            _ => rest.find(['*', '?', '$', '@', '[']).unwrap_or(rest.len()),
        };
        let (piece, more) = rest.split_at(length);
        pieces.push(match c {
            '*' | '?' | '[' => Piece::Glob(piece.into()),
            '$' => Piece::Unknown { splits: false },
            '@' => Piece::Unknown { splits: true },
            _ => Piece::Text(piece.into()),
        });
        rest = more;
    }
    Word { pieces, span: (0, 0) }
}

#[test]
fn known_paths() {
    let w = world(r#"{"home": "/home/dev"}"#);
    w.check("src/**", "src/app.ts", Yes, Yes);
    w.check("src/**", "./src//app.ts", Yes, Yes);
    w.check("src/**", "/proj/app/src/a/b/c", Yes, Yes);
    w.check("src/**", "src", Yes, No);
    w.check("src/**", "src/", Yes, No);
    w.check("src/**", "src/.", Yes, No);
    w.check("src/**", "srcs/x", No, No);
    w.check("src/**", "vendor/pkg/src/lib.js", No, No);
    w.check("src/**", "src/../../etc/cron.d/job", No, No);
    w.check("/proj/app/**", "/proj/app-private/key.txt", No, No);
    w.check("/srv/data/**", "/srv/data-old/x.txt", No, No);
    w.check("notes/**", "notes/v1..v2/changes.md", Yes, Yes);
    w.check("**/.env", "/proj/app/.env", Yes, Yes);
    w.check("**/.env", ".env", Yes, Yes);
    w.check("**/.env", "sub/.env", Yes, Yes);
    w.check("**/.env", "/other/.env", Yes, No);
    w.check("**/.env", "../app/.env", Yes, Yes);
    w.check("/**/.env", "/any/where/.env", Yes, Yes);
    w.check("/**/.env", "/.env", Yes, Yes);
    w.check("./.env", "src/.env", No, No);
    w.check("src/**/*", "src/index.ts", Yes, Yes);
    w.check("src/**/*", "src/a/index.ts", Yes, Yes);
    w.check("src/**/*", "src", No, No);
    w.check("**/src/**", "vendor/pkg/src/lib.js", Yes, Yes);
    w.check("**/src/**", "src", Yes, No);
    w.check("**/.env.*", "svc/.env.production", Yes, Yes);
    w.check("**/.env.*", "svc/.env", No, No);
    w.check("config/*", "config/.secrets", Yes, Yes);
    w.check("config/*", "config/a/b", No, No);
    w.check("secrets/**", "secrets", Yes, No);
    w.check("src/ma*", "src/nested/main.rs", No, No);
    w.check("docs/*.md", "docs/../escape.md", No, No);
    w.check("./**", "../../etc/passwd", No, No);
    w.check("**", "src/x", Yes, Yes);
    w.check("**", ".", Yes, Yes);
    w.check("./**", ".", Yes, Yes);
    w.check("**", "/etc/passwd", Yes, No);
    w.check("**/*", "/etc/passwd", Yes, No);
    w.check("**/*", "a", Yes, Yes);
    w.check("/**", "../other/file.rs", Yes, Yes);
    w.check("/**", "/", Yes, Yes);
    w.check("/", "/", Yes, Yes);
    w.check("/", "/x", No, No);
    w.check("/tmp/agent-out/**", "/home/dev/agent-out/x.txt", No, No);
    w.check("/etc", "/etc", Yes, Yes);
    w.check("/home/*/.zshrc", "/home/dev/.zshrc", Yes, Yes);
    w.check(".git/modules/*/**/hooks/**", ".git/modules/foo/hooks/pre-commit", Yes, Yes);
    w.check(".git/modules/*/**/hooks/**", "subdir/../.git/modules/a/b/hooks/pre-commit", Yes, Yes);
    w.check(".git/modules/*/**/hooks/**", ".git/module/foo/hooks/pre-commit", No, No);
    w.check("../other/**", "/proj/other/x", Yes, Yes);
    w.check("../other/**", "x", No, No);
    w.check("a?c", "abc", Yes, Yes);
    w.check("a?c", "aéc", Yes, Yes);
    w.check("a?c", "a/c", No, No);
    w.check("[a-c]x", "bx", Yes, Yes);
    w.check("[!a-c]x", "bx", No, No);
    w.check("[!a-c]x", "dx", Yes, Yes);
    w.check("[]]x", "]x", Yes, Yes);
    w.check("{src,test/{a,b}}/**", "test/b/x", Yes, Yes);
    w.check("{src,test/{a,b}}/**", "test/c/x", No, No);
    w.check("x{,.bak}", "x.bak", Yes, Yes);
    w.check(r"\*x", "*x", Yes, Yes);
    w.check(r"\*x", "ax", No, No);
    w.check("a,b", "a,b", Yes, Yes);
    w.check("*/x", "/x", No, No);
}

#[test]
fn home_and_urls() {
    let w = world(r#"{"home": "/home/dev"}"#);
    w.check("/home/dev/code/**", "~/code/site/a.php", Yes, Yes);
    w.check("~/.ssh/**", "/home/dev/.ssh/config", Yes, Yes);
    w.check("~/.ssh/**", "~/.ssh", Yes, No);
    w.check("$HOME/.ssh/**", "$HOME/.ssh/config", Yes, Yes);
    w.check("${HOME}/.ssh/**", "${HOME}/.ssh/config", Yes, Yes);
    w.check("~/.ssh/**", "$HOMES/.ssh/config", No, No);
    w.check("~/**", "~/secrets/key.pem", Yes, Yes);
    w.check("./**", "~/secrets/key.pem", No, No);
    w.check("~", "~", Yes, Yes);
    w.check("./**", "~other/refs", Possibly, Possibly);
    w.check("~/.ssh/**", "~other/refs", Possibly, Possibly);
    w.check("/etc/**", "file:///etc/passwd", Yes, Yes);
    w.check("/etc/**", "FILE://localhost/etc/pass%77d", Yes, Yes);
    w.check("/etc/**", "file:/etc/passwd", Yes, Yes);
    w.check("/etc/**", "file://host/etc/passwd", Possibly, Possibly);
    w.check("/etc/**", "file:///etc/%ff", Possibly, Possibly);
    w.check("file:///etc/**", "/etc/passwd", Yes, Yes);
    w.check("/etc/**", "/proj\0/x", Possibly, Possibly);
    w.check("/etc/**", &"/x".repeat(5000), Possibly, Possibly);
    w.check("**", "", Yes, Possibly);
    w.check(".env", " .env", Yes, No);
    let homeless = world("{}");
    homeless.check("~/.ssh/**", "/home/dev/.ssh/config", Possibly, Possibly);
    homeless.check("~/.ssh/**", "/home/dev/x", No, No);
    homeless.check("~/.ssh/**", "~/.ssh/config", Possibly, Possibly);
    homeless.check("outside:~", "/x", Possibly, Possibly);
}

#[test]
fn links() {
    let w = world(
        r#"{"home": "/home/dev", "links": {
            "/proj/app/notes.txt": "/etc/passwd", "/home/dev/.netrc": "/home/dev/dotfiles/net/netrc",
            "/proj/app/cfg": "/home/dev/.config/app", "/proj/app/src/out": "/etc", "/proj/app/in": "src",
            "/tmp": "/private/tmp", "/proj/app/loop": "loop", "/etc/own": "/proj/app"}}"#,
    );
    w.check("/etc/**", "notes.txt", Yes, No);
    w.check("notes.txt", "notes.txt", Yes, No);
    w.check("**", "notes.txt", Yes, No);
    w.check("~/.netrc", "/home/dev/dotfiles/net/netrc", Yes, No);
    w.check("~/.netrc", "~/.netrc", Yes, No);
    w.check("~/dotfiles/**", "~/.netrc", Yes, No);
    w.check("~/.config/app/**", "cfg/theme.toml", Yes, No);
    w.check("cfg/**", "cfg/theme.toml", Yes, No);
    w.check("cfg/**", "~/.config/app/theme.toml", Yes, No);
    w.check("src/**", "src/out/x.conf", Yes, No);
    w.check("in/**", "src/x", Yes, No);
    w.check("src/**", "in/x", Yes, No);
    w.check("**", "in/x", Yes, Yes);
    w.check("/tmp/**", "/tmp/x", Yes, Yes);
    w.check("/tmp/**", "/private/tmp/x", Yes, Yes);
    w.check("/private/tmp/**", "/tmp/x", Yes, No);
    w.check("/tmp/x", "/tmp/x", Yes, Yes);
    w.check("/etc/**", "src/out/../passwd", No, No);
    w.check("src/**", "src/out/../passwd", Yes, No);
    w.check("/passwd", "src/out/../passwd", Yes, No);
    w.check("src/**", "loop", Possibly, No);
    w.check("loop", "loop", Yes, Possibly);
    w.check("/**", "loop", Yes, Yes);
    w.check("outside:.", "notes.txt", Yes, No);
    w.check("outside:.", "src/x", No, No);
    w.check("outside:.", "/etc/own/x", Yes, No);
    w.check("outside:.", "loop", Possibly, No);
    w.check("inside:.", "notes.txt", Yes, No);
    w.check("/etc/**", "/proc/self/root/etc/passwd", Yes, No);
    w.check("/etc/**", "/proc/1/root/etc/passwd", Possibly, No);
    w.check(".env", "/proc/self/cwd/.env", Possibly, No);
    w.check("/etc/**", "/dev/fd/3/passwd", Possibly, No);
    w.check("/etc/**", "/dev/stdin", No, No);
}

#[test]
fn a_workspace_behind_a_link() {
    let mut w = world(r#"{"links": {"/link": "/data/repos"}}"#);
    w.roots.workspace = "/link/app".into();
    w.roots.cwd = "/link/app".into();
    w.check("src/**", "src/x", Yes, Yes);
    w.check("src/**", "/data/repos/app/src/x", Yes, Yes);
    w.check("outside:.", "/data/repos/app/src/x", No, No);
    w.check("outside:.", "src/x", No, No);
    w.check("outside:src", "src/x", No, No);
    w.check("outside:src", "x", Yes, Yes);
}

#[test]
fn folders() {
    let w = world(r#"{"home": "/home/dev"}"#);
    w.check("outside:.", "/etc/passwd", Yes, Yes);
    w.check("outside:.", "docs/../../other/secret.txt", Yes, Yes);
    w.check("outside:.", "x", No, No);
    w.check("outside:.", ".", No, No);
    w.check("outside:.", "..", Yes, Yes);
    w.check("inside:.", "..", No, No);
    w.check("inside:/proj/app", "/proj/app/../payroll", No, No);
    w.check("inside:/proj/app", "x/y", Yes, Yes);
    w.check("inside:src", "src", Yes, Yes);
    w.check("inside:src/", "src/x", Yes, Yes);
    w.check("inside:/", "/x", Yes, Yes);
    w.check("inside:~", "~/x", Yes, Yes);
    w.check("outside:~/x", "~/y", Yes, Yes);
}

#[test]
fn case_and_composition() {
    let mac = world(r#"{"home": "/home/dev", "case_insensitive": true, "os": "macos"}"#);
    mac.check("**/.cursor/mcp.json", ".Cursor/MCP.json", Yes, Yes);
    mac.check("~/.aws/**", "~/.AWS/credentials", Yes, Yes);
    mac.check("~/**", "/HOME/Dev/x", Yes, Yes);
    mac.check("café/**", "cafe\u{301}/plan.md", Yes, Yes);
    mac.check("**/.env", ".e\u{200d}nv", Yes, No);
    mac.check("**/.ssh/**", ".\u{17f}sh/x", Yes, No);
    mac.check("[A-C]x", "bX", Yes, Yes);
    mac.check("outside:.", "/PROJ/APP/x", No, No);
    mac.check("**/.env", ".env/..namedfork/data", Yes, Possibly);
    mac.check("/Users/**", "/System/Volumes/Data/Users/x", Yes, No);
    mac.check("/Users/**", "/.vol/1/2", Possibly, No);
    let linux = world(r#"{"case_insensitive": false}"#);
    linux.check("Public/**", "public/x.txt", No, No);
    linux.check("café/**", "cafe\u{301}/plan.md", No, No);
    let folding = world(r#"{"case_insensitive": true}"#);
    folding.check("Public/**", "public/x.txt", Yes, Yes);
}

#[test]
fn windows() {
    let linux = world(r#"{"os": "linux"}"#);
    linux.check("secrets/**", r"secrets\api.key", No, No);
    linux.check("C:/x", "C:/x", Yes, Yes);
    let w = world(r#"{"os": "windows", "home": "C:\\Users\\dev"}"#);
    w.check("secrets/**", r"secrets\api.key", Yes, Yes);
    w.check("secrets/**", r"SECRETS\..\secrets\api.key", Yes, Yes);
    w.check("C:/Windows/**", r"c:\windows\x", Yes, Yes);
    w.check("C:/Windows/**", r"\windows\x", Yes, Yes);
    w.check("/windows/**", r"c:\windows\x", Yes, Yes);
    w.check("/windows/**", r"d:\windows\x", Yes, No);
    w.check("D:/x/**", r"\\?\D:\x\y", Yes, Possibly);
    w.check("**/.env", r".env::$DATA", Yes, Possibly);
    w.check("**/.env", r".env:stream", Yes, Possibly);
    w.check("**/.env", ".env. .", Yes, Yes);
    w.check("C:/Program Files/**", r"C:\PROGRA~1\x", Possibly, Possibly);
    w.check("**/.env", "C:.env", Possibly, Possibly);
    w.check("**/.env", r"\\server\share\.env", Yes, No);
    w.check("outside:.", r"\\server\share\.env", Yes, Yes);
    w.check("outside:.", r"sub\x", No, No);
    w.check("outside:.", r"sub\x:s", Possibly, No);
    w.check("~/.ssh/**", r"~\.ssh\id", Yes, Yes);
    w.check("~/.ssh/**", r"%USERPROFILE%\.ssh\id", Yes, Yes);
    w.check("//Server/share/**", r"\\server\share\x", Yes, Yes);
    w.check("//server/share/**", r"C:\server\share\x", No, No);
    linux.check("//server/share/**", "/server/share/x", Yes, Yes);
    w.check("/**", r"D:\x", Yes, Yes);
    w.check("**/x", r"D:\x", Yes, No);
    w.check("D:/**", "file:///D:/x", Yes, Yes);
    w.check("/etc/**", "~nobody/x", Possibly, Possibly);
}

#[test]
fn globs_in_words() {
    let blind = world("{}");
    blind.check_word(".env", ".e*", Possibly, Possibly);
    blind.check_word(".env", "*", Possibly, Possibly);
    blind.check_word(".env", "*.ts", No, No);
    blind.check_word("**/.env", "src/*", Possibly, Possibly);
    blind.check_word("src/**", "src/*.rs", Yes, Yes);
    blind.check_word("src/*.rs", "src/*.rs", Yes, Yes);
    blind.check_word("src/*.rs", "src/a*.rs", Yes, Yes);
    blind.check_word("src/*", "src/[ab]?", Yes, Yes);
    blind.check_word("src/*.rs", "src/*", Possibly, Possibly);
    blind.check_word("src/**", "src/*/../x", Yes, Yes);
    blind.check_word(r"src/\[ab\]", "src/[ab]", Possibly, Possibly);
    blind.check_word("src/b", "src/[ab]", Possibly, Possibly);
    blind.check_word("secrets/**", "secrets/*", Yes, Yes);
    blind.check_word("/etc/**", ".*", No, No);
    blind.check_word("outside:.", ".*", Possibly, Possibly);
    blind.check_word("src/**", "src/.*", Possibly, Possibly);
    blind.check_word("src/**", "src/[.]*", Yes, Yes);
    blind.check_word("src/**", "src/**/x", Yes, Yes);
    blind.check_word("src/**", "src/.*/.*/.*", Possibly, Possibly);
    blind.check_word("**/.env", "src/**", Possibly, Possibly);
    blind.check_word("outside:.", "../*", Possibly, Possibly);

    let w = world(
        r#"{"files": ["/proj/app/.env", "/proj/app/.editorconfig", "/proj/app/src/a.rs", "/proj/app/src/deep/b.rs"],
            "links": {"/proj/app/src/p.txt": "/etc/passwd"}}"#,
    );
    w.check_word(".env", ".e*", Possibly, Possibly);
    w.check_word(".env", ".x*", No, No);
    w.check_word("**/.env", "new/.e*", Possibly, Possibly);
    w.check_word("/etc/**", "src/*", Possibly, No);
    w.check_word("/etc/**", "src/*.rs", No, No);
    w.check_word("src/**", "src/*.rs", Yes, Yes);
    w.check_word("src/**", "src/*", Yes, Possibly);
    w.check_word("outside:.", "src/*", Possibly, No);
    w.check_word("outside:.", "src/*.rs", No, No);
    w.check_word("**/b.rs", "*/*/b.rs", Yes, Yes);
    w.check_word("**/b.rs", "*/x/b.rs", Yes, Yes);
    w.check_word("**/.env", "*/../.env", Yes, Yes);
    w.check_word("**/passwd", "**/p.txt", Possibly, No);
    w.check_word("**/passwd", "**/*.rs", No, No);
}

#[test]
fn a_long_list_is_not_looked_through() {
    let files: Vec<String> = (0..1100).map(|i| format!("\"/proj/app/big/f{i}\"")).collect();
    let w = world(&format!(r#"{{"files": [{}]}}"#, files.join(",")));
    w.check_word("/etc/**", "big/*", Possibly, No);
    w.check_word("big/**", "big/*", Yes, Possibly);
    w.check_word("/etc/**", "big/f1*", No, No);
    w.check_below("**/.env", "big", No, No, No);
    let files: Vec<String> = (0..2100).map(|i| format!("\"/proj/app/big/f{i}\"")).collect();
    let w = world(&format!(r#"{{"files": [{}]}}"#, files.join(",")));
    w.check_below("**/.env", "big", Possibly, Possibly, No);
}

#[test]
fn unknown_pieces() {
    let w = world("{}");
    w.check_word("**/.env", "$", Possibly, Possibly);
    w.check_word("**/.env", "@", Possibly, Possibly);
    w.check_word("**/.env", ".e$", Possibly, Possibly);
    w.check_word("**/.env", "$.env", Possibly, Possibly);
    w.check_word("**/.env", "$/.env", Yes, Possibly);
    w.check_word("**/.env", "@/.env", Possibly, Possibly);
    w.check_word("src/**", "src/$", Possibly, Possibly);
    w.check_word("src/**", "src/$/x", Possibly, Possibly);
    w.check_word("/**", "src/$", Yes, Yes);
    w.check_word("/**", "@", Yes, Yes);
    w.check_word("**", "$/x", Yes, Possibly);
    w.check_word("**/.env", "$/../.env", Yes, Possibly);
    w.check_word("**/.env", "$./.env", Yes, Possibly);
    w.check_word("outside:.", "src/$", Possibly, Possibly);
    w.check_word("inside:.", "src/$", Possibly, Possibly);
    w.check_word("inside:/", "src/$", Yes, Yes);
}

#[test]
fn other_cwds() {
    let w = world("{}");
    let check = |pattern: &str, cwds: &[Option<&str>], path: &str, broad: Tri, narrow: Tri| {
        let cwds: Vec<Option<String>> = cwds.iter().map(|c| c.map(str::to_owned)).collect();
        let path = FilePath::from_word(&word(path), &cwds, &*w.disk);
        assert_eq!(w.both(&parse(pattern), &path, Extent::Itself), (broad, narrow), "{pattern} {cwds:?}");
    };
    check("/repo-b/.env", &[Some("/repo-a"), Some("/repo-b")], ".env", Yes, No);
    check("/repo-c/.env", &[Some("/repo-a"), Some("/repo-b")], ".env", No, No);
    check("**/.env", &[None], ".env", Yes, Possibly);
    check("**/.env", &[], ".env", Yes, Possibly);
    check("**/.env", &[None], "../.env", Yes, Possibly);
    check("**/.env", &[None], "/x", No, No);
    check("/etc/**", &[None], "x", Possibly, Possibly);
    check("src/**", &[Some("/proj/app/src"), None], "x", Yes, Possibly);
    check("src/**", &[Some("/proj/app/src"), Some("/proj/app")], "src/x", Yes, Yes);
}

#[test]
fn below_a_folder() {
    let blind = world(r#"{"home": "/home/dev"}"#);
    blind.check_below("**/.env", ".", Possibly, Possibly, No);
    blind.check_below("./.env", "src", No, No, No);
    blind.check_below("./.env", ".", Possibly, Possibly, No);
    blind.check_below("src/**", "src/x", Yes, Yes, Yes);
    blind.check_below("src/**", "src", Yes, Yes, No);
    blind.check_below("src/*", "src/x", Yes, Yes, Possibly);
    blind.check_below("src/x", "src/x", Yes, Yes, Possibly);
    blind.check_below("**", ".", Yes, Yes, Yes);
    blind.check_below("/**", "/", Yes, Yes, Yes);
    blind.check_below("/etc/**", "/", Possibly, Possibly, No);
    blind.check_below("outside:.", ".", No, No, No);
    blind.check_below("outside:.", "..", Yes, Yes, Possibly);
    blind.check_below("outside:.", "/srv", Yes, Yes, Yes);
    blind.check_below("inside:.", "src", Yes, Yes, Yes);

    let w = world(
        r#"{"files": ["/proj/app/.env", "/proj/app/src/main.py", "/proj/app/data/x/.env"],
            "links": {"/proj/app/lnk/l": "/etc"}}"#,
    );
    w.check_below("**/.env", ".", Possibly, Yes, No);
    w.check_below("**/.env", "src", No, No, No);
    w.check_below("**/.env", "data", Possibly, Yes, No);
    w.check_below("./.env", "src", No, No, No);
    w.check_below("**/.env", "new", Possibly, Possibly, No);
    w.check_below("**/.env", "src/main.py", No, No, No);
    w.check_below("/etc/**", "lnk", Possibly, Possibly, No);
    w.check_below("/etc/**", ".", Possibly, Possibly, No);
    w.check_below("lnk/l", "lnk", Possibly, Yes, No);
    w.check_below("**", "lnk", Yes, Yes, Possibly);
    w.check_below("**", "src", Yes, Yes, Yes);
    w.check_below("outside:.", "lnk", Possibly, Possibly, No);
    w.check_below("outside:.", "src", No, No, No);
}

#[test]
fn a_disk_that_cannot_be_asked_is_taken_as_without_links() {
    let w = World {
        disk: Box::new(NoDisk),
        roots: Roots { cwd: "/p".into(), workspace: "/p".into(), home: None },
    };
    w.check("src/**", "src/x", Yes, Yes);
    w.check("outside:.", "src/x", No, No);
    w.check_word("**/.env", "*.ts", No, No);
    assert_eq!(w.argument("a/../b").written().as_deref(), Some("/p/b"));
    assert_eq!(w.word("a/$").written(), None);
}

#[test]
fn long_patterns_and_paths_take_bounded_time() {
    let w = world(r#"{"home": "/home/dev"}"#);
    let started = std::time::Instant::now();
    let stars = format!("{}b", "*a".repeat(250));
    w.check(&stars, &"a".repeat(4000), No, No);
    w.check_word(&stars, &"a*".repeat(500), Possibly, Possibly);
    w.check_word("**/*a/".repeat(160).trim_end_matches('/'), &"a*/".repeat(500), Possibly, Possibly);
    w.check(&format!("{}b", "**/a/".repeat(100)), &"a/".repeat(4000), No, No);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_cd_moves_the_cwd() {
    let w = world(r#"{"links": {"/proj/app/l": "/etc/x"}}"#);
    let check = |cwds: &[Option<&str>], to: &str, after: &[Option<&str>]| {
        let cwds: Vec<Option<String>> = cwds.iter().map(|c| c.map(str::to_owned)).collect();
        let moved = change_folder(&cwds, &word(to), &*w.disk);
        assert_eq!(moved.iter().map(Option::as_deref).collect::<Vec<_>>(), after, "cd {to}");
    };
    let here: &[Option<&str>] = &[Some("/proj/app")];
    check(here, "src", &[Some("/proj/app/src")]);
    check(here, "..", &[Some("/proj")]);
    check(here, "", here);
    check(here, "/repo-b", &[Some("/repo-b")]);
    check(here, "l", &[Some("/proj/app/l")]);
    check(here, "l/..", &[Some("/etc"), Some("/proj/app")]);
    check(here, "$", &[None]);
    check(here, "s*", &[None]);
    check(&[None], "x", &[None]);
    check(&[None], "/x", &[Some("/x")]);
    check(&[Some("/a"), Some("/b")], "/x", &[Some("/x")]);
}

#[test]
fn faults_in_patterns() {
    #[track_caller]
    fn refused(text: &str, message: &str, at: std::ops::Range<usize>) {
        let error = PathPattern::parse(text).unwrap_err();
        assert_eq!((error.message.as_str(), error.at.clone()), (message, at), "{text}");
        assert!(error.help.is_some(), "{text}");
    }
    refused("", "a path pattern is empty", 0..0);
    refused("src/[ab", "`[` is not closed", 4..7);
    refused("src/{a,b", "`{` is not closed", 4..5);
    refused("{a,{b}", "`{` is not closed", 0..1);
    refused("~bob/x", "`~bob` is another user's home folder, which is not known", 0..4);
    refused("x/a**b/y", "`**` stands for whole names only, and here it is part of one", 2..6);
    refused("***", "`**` stands for whole names only, and here it is part of one", 0..3);
    refused("a\0b", "a path pattern has a NUL character, which no path has", 1..2);
    refused(&"x".repeat(1001), "a path pattern is longer than 1000 characters", 0..1001);
    refused(
        "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
        "the braces of a pattern stand for more than 64 patterns",
        30..31,
    );
    refused("{{{{{{{{{a}}}}}}}}}", "braces stand in braces too deep", 8..9);
    refused("src/", "`src/` ends in `/`, which says nothing of what is in the folder", 3..4);
    refused("!src/**", "`!src/**` starts with `!`, which does not turn a pattern round", 0..1);
    refused(" src", "` src` starts or ends with a blank", 0..4);
    refused("https://x.test/y", "`https://x.test/y` is a URL", 0..16);
    refused("file://host/x", "`file://host/x` is no file URL", 0..13);
    refused("$PWD/x", "`$PWD` is a variable, and no variable but `$HOME` is understood", 0..4);
    refused(r"C:\x", r"`C:\x` has a `\` in front of a character that needs none", 2..3);
    refused(r"src\lib", r"`src\lib` has a `\` in front of a character that needs none", 3..5);
    refused("x\\", "`x\\` ends in `\\`", 1..2);
    refused("[b-a]", "the range `b-a` is empty", 0..5);
    refused("[^a]", "`[^` is not how a set is turned round", 0..4);
    refused("[[:alpha:]]", "a set names a class of characters", 0..10);
    refused("[a/b]", "a set has a `/`, which is in no name", 0..5);
    refused(".", "a path pattern is the workspace itself", 0..1);
    refused("*/../x", "`..` after a glob leads nowhere certain", 2..4);
    let error = PathPattern::outside("src/*").unwrap_err();
    assert_eq!(error.message, "`src/*` is not a folder: it has globs");
    assert!(PathPattern::outside("").is_err());
}

const EXTENTS: [Extent; 3] = [Extent::Itself, Extent::MayReachBelow, Extent::ReachesBelow];

fn pattern_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "(/|~/|[.][.]/)?(a|b|[*]|[*][*]|[.]e[*]|a[?]|[{]a,b/c[}])(/(a|b|[*]|[*][*]|[*]b)){0,3}",
        "(outside|inside):(/|~/|)(a|b|c)(/(a|b)){0,2}",
        Just("outside:.".to_owned()),
        Just("inside:.".to_owned()),
    ]
}

fn path_text() -> impl Strategy<Value = String> {
    "(/|~/|)(a|b|c|proj|[.]env|[.][.])(/(a|b|app|[.][.]|[.]env|l)){0,4}"
}

const LINKED: &str = r#"{"home": "/home/dev", "links": {"/proj/app/a/l": "/etc", "/a": "/b", "/proj/app/l": "../b",
    "/home/dev/a": "/proj/app", "/proj/app/b": "a"}}"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn narrow_yes_implies_broad_yes(pattern in pattern_text(), path in path_text(), extent in 0usize..3) {
        let extent = EXTENTS[extent];
        for fs in [LINKED, r#"{"files": ["/proj/app/a/b", "/proj/app/b/c"], "home": "/home/dev"}"#] {
            let w = world(fs);
            let (broad, narrow) = w.both(&parse(&pattern), &w.argument(&path), extent);
            prop_assert!(narrow != Yes || broad == Yes, "{} {} {:?} {:?}", pattern, path, broad, narrow);
        }
    }

    #[test]
    fn a_piece_made_unknown_never_permits(
        pattern in pattern_text(), path in path_text(), cut in 0usize..20, length in 0usize..6, unquoted: bool, extent in 0usize..3
    ) {
        let w = world(LINKED);
        let chars: Vec<char> = path.chars().collect();
        let (from, to) = (cut.min(chars.len()), (cut + length).min(chars.len()));
        let sign = if unquoted { "@" } else { "$" };
        let text = format!("{}{sign}{}", chars[..from].iter().collect::<String>(), chars[to..].iter().collect::<String>());
        let extent = EXTENTS[extent];
        let known = w.both(&parse(&pattern), &w.word(&path), extent);
        let unknown = w.both(&parse(&pattern), &w.word(&text), extent);
        prop_assert!(known.0 == No || unknown.0 != No, "{} {} {}", pattern, path, text);
        prop_assert!(known.1 == Yes || unknown.1 != Yes, "{} {} {}", pattern, path, text);
    }

    #[test]
    fn a_glob_is_never_surer_than_a_name_that_it_gives(
        pattern in pattern_text(), folder in "(a|b|a/b)", name in "[ab]{1,3}", cut in 0usize..3
    ) {
        let w = world("{\"home\": \"/home/dev\"}");
        let cut = cut.min(name.len());
        let known = w.both(&parse(&pattern), &w.word(&format!("{folder}/{name}")), Extent::Itself);
        let globbed = w.both(&parse(&pattern), &w.word(&format!("{folder}/{}*", &name[..cut])), Extent::Itself);
        prop_assert!(known.0 == No || globbed.0 != No);
        prop_assert!(known.1 == Yes || globbed.1 != Yes);
        prop_assert!(known.0 != No || globbed.0 != Yes);
    }

    #[test]
    fn a_glob_that_the_disk_lists_is_never_surer_than_a_name_that_it_gives(
        pattern in pattern_text(), name in 0usize..6, cut in 0usize..4, extent in 0usize..3
    ) {
        let names = ["a/ab", "a/b", "a/l", ".env", "b/.env", "b/up/x"];
        let w = world(r#"{"home": "/home/dev", "files": ["/proj/app/a/ab", "/proj/app/a/b", "/proj/app/.env", "/proj/app/b/.env",
            "/proj/x", "/etc/passwd"], "links": {"/proj/app/a/l": "/etc/passwd", "/proj/app/b/up": "../.."}}"#);
        let name = names[name];
        let last = name.rfind('/').map_or(0, |i| i + 1);
        let globbed = format!("{}*", &name[..(last + cut).min(name.len())]);
        // A shell gives no name with a dot in front to a glob without.
        prop_assume!(!name[last..].starts_with('.') || globbed[last..].starts_with('.'));
        let extent = EXTENTS[extent];
        let known = w.both(&parse(&pattern), &w.word(name), extent);
        let unknown = w.both(&parse(&pattern), &w.word(&globbed), extent);
        prop_assert!(known.0 == No || unknown.0 != No, "{} {} {}", pattern, name, globbed);
        prop_assert!(known.1 == Yes || unknown.1 != Yes, "{} {} {}", pattern, name, globbed);
        let folder_globbed = w.both(&parse(&pattern), &w.word(&format!("*/{}", &name[last..])), extent);
        if last == 2 {
            prop_assert!(known.0 == No || folder_globbed.0 != No, "{} {}", pattern, name);
            prop_assert!(known.1 == Yes || folder_globbed.1 != Yes, "{} {}", pattern, name);
        }
    }

    #[test]
    fn a_link_that_cannot_be_read_never_permits(pattern in pattern_text(), path in path_text()) {
        struct Mute(MadeUpDisk);
        impl Disk for Mute {
            fn kind(&self, path: &str) -> Option<disk::Kind> { self.0.kind(path) }
            fn link(&self, _: &str) -> Option<String> { None }
            fn list(&self, path: &str) -> Option<Vec<String>> { self.0.list(path) }
            fn read(&self, path: &str) -> Option<String> { self.0.read(path) }
            fn home(&self) -> Option<String> { self.0.home() }
            fn case_insensitive(&self) -> bool { false }
            fn normalizes_unicode(&self) -> bool { false }
            fn os(&self) -> Os { Os::Linux }
        }
        let w = world(LINKED);
        let known = w.both(&parse(&pattern), &w.argument(&path), Extent::Itself);
        let mute = MadeUpDisk::from_json(&serde_json::from_str(LINKED).unwrap()).unwrap();
        let m = World { disk: Box::new(Mute(mute)), roots: w.roots.clone() };
        let unknown = m.both(&parse(&pattern), &m.argument(&path), Extent::Itself);
        prop_assert!(known.0 == No || unknown.0 != No, "{} {} {:?} {:?}", pattern, path, known, unknown);
        prop_assert!(known.1 == Yes || unknown.1 != Yes, "{} {} {:?} {:?}", pattern, path, known, unknown);
    }

    #[test]
    fn outside_is_not_inside_where_there_are_no_links(dir in "(/|~/|)(a|b|proj)(/(a|b|app)){0,2}", path in path_text()) {
        let w = world(r#"{"home": "/home/dev"}"#);
        let path = w.argument(&path);
        let inside = w.both(&parse(&format!("inside:{dir}")), &path, Extent::Itself);
        let outside = w.both(&parse(&format!("outside:{dir}")), &path, Extent::Itself);
        prop_assert_eq!(outside, (!inside.0, !inside.1));
        prop_assert_eq!(inside.0, inside.1);
    }

    #[test]
    fn nothing_panics(pattern in "\\PC{0,12}|[a*?{},/~$!\\[\\]\\\\:.-]{0,12}", path in "\\PC{0,12}|[a*~$/\\\\:.%]{0,12}", os in 0usize..3) {
        let w = world(["{}", r#"{"os": "windows"}"#, r#"{"os": "macos", "case_insensitive": true}"#][os]);
        let Ok(pattern) = PathPattern::parse(&pattern) else { return Ok(()) };
        let _ = w.both(&pattern, &w.argument(&path), Extent::ReachesBelow);
        let _ = w.both(&pattern, &w.word(&path), Extent::MayReachBelow);
    }
}

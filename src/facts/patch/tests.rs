use super::*;

#[track_caller]
fn names(text: &str, writes: &[&str], reads: &[&str]) {
    let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let patch = Patch { writes: own(writes), reads: own(reads), complete: true };
    assert_eq!(files(text), patch, "{text}");
    assert_eq!(files(&text.replace('\n', "\r\n")), patch, "with CR LF: {text}");
}

/// The text names at least these, and is not complete.
#[track_caller]
fn doubts(text: &str, writes: &[&str]) {
    let patch = files(text);
    assert!(!patch.complete, "{text}\nwrites {:?}", patch.writes);
    for &name in writes {
        assert!(
            patch.writes.iter().any(|write| write == name),
            "{text}\nwrites {:?}, not {name:?}",
            patch.writes
        );
    }
    if writes.is_empty() {
        assert_eq!(patch.writes, Vec::<String>::new(), "{text}");
    }
}

fn block(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}\n*** End Patch\n")
}

#[test]
fn a_block_names_what_it_adds_updates_deletes_and_moves() {
    names(&block("*** Add File: a\n+x"), &["a"], &[]);
    names(&block("*** Add File: a"), &["a"], &[]);
    names(&block("*** Update File: a\n@@\n-x\n+y"), &["a"], &["a"]);
    names(&block("*** Update File: a\n x\n-y\n*** End of File"), &["a"], &["a"]);
    names(&block("*** Delete File: a"), &["a"], &[]);
    names(&block("*** Update File: a\n*** Move to: b\n@@ def f\n-x\n+y"), &["a", "b"], &["a"]);
    names(
        &block("*** Add File: a\n+1\n*** Update File: b\n@@\n-2\n+3\n\n@@\n 4\n*** Delete File: ../c"),
        &["a", "b", "../c"],
        &["b"],
    );
    names(&block("*** Update File: my file\n@@\n+x"), &["my file"], &["my file"]);
    names(&block("*** Update File: a\n@@\n+x\n*** Delete File: a"), &["a"], &["a"]);
}

#[test]
fn content_is_not_a_header() {
    names(&block("*** Add File: a\n+*** Update File: x\n+*** End Patch\n+--- a/y"), &["a"], &[]);
    names(
        &block(
            "*** Update File: a\n@@\n *** Update File: x\n-*** Delete File: y\n+*** End Patch\n--- q\n+++ q",
        ),
        &["a"],
        &["a"],
    );
    names(&block("*** Update File: a\n *** Update File: x\n+y"), &["a"], &["a"]);
}

#[test]
fn a_header_at_the_start_of_a_line_is_one() {
    names(&block("*** Update File: a\n@@\n x\n*** Add File: b\n+y"), &["a", "b"], &["a"]);
    doubts(&block("*** Add File: a\n+y\n *** Update File: b\n@@\n+x"), &["a", "b"]);
    doubts(&block("*** Delete File: a\n\t*** Delete File: b"), &["a", "b"]);
    doubts("*** Update File: a\n@@\n+x", &["a"]);
    doubts("  *** Add File: a\n+x", &["a"]);
}

#[test]
fn a_block_that_is_not_whole_or_not_clear_is_doubted() {
    doubts("*** Begin Patch\n*** Add File: a\n+x\n", &["a"]);
    doubts("*** Begin Patch\n*** End Patch", &[]);
    doubts("*** Begin Patch", &[]);
    doubts(&block("*** Add File: a\nx"), &["a"]);
    doubts(&block("*** Update File: a\n*** Rename to: b"), &["a"]);
    doubts(&block("*** Update File: a\n@@\n+x\n*** Move to: b"), &["a", "b"]);
    doubts(&block("*** Move to: b"), &["b"]);
    doubts(&block("*** Frobnicate File: a\n*** Add File: b"), &["b"]);
    doubts(
        &format!("{}*** Begin Patch\n*** Add File: b\n*** End Patch", block("*** Add File: a")),
        &["a", "b"],
    );
    doubts(&format!("{}*** Add File: b\n+x", block("*** Add File: a")), &["a", "b"]);
    doubts(&format!("rm -rf x\n{}", block("*** Add File: a")), &["a"]);
    doubts(&format!(" {}", block("*** Add File: a")), &["a"]);
    doubts(&format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n{}", block("*** Add File: a")), &["a"]);
}

#[test]
fn odd_names_in_a_block_are_doubted() {
    doubts(&block("*** Add File: "), &[]);
    doubts(&block("*** Add File:"), &[]);
    doubts(&block("*** Add File:a"), &["a"]);
    doubts(&block("*** Add File:  a"), &[" a", "a"]);
    doubts(&block("*** Add File: a "), &["a ", "a"]);
    doubts(&block("*** Add File: a\tb"), &["a\tb"]);
    doubts(&block("*** Add File: a\rb"), &["a\rb"]);
    doubts(&block("*** Add File: a\n+x\r*** Add File: b"), &["a"]);
    doubts(&block("*** Add File: a\n+x\u{2028}*** Add File: b"), &["a"]);
    doubts(&block("*** Add File: a\n+x\u{c}*** Add File: b"), &["a"]);
    doubts(&block("*** Add File: a\0b"), &["a\0b"]);
}

#[test]
fn a_heredoc_may_feed_the_block() {
    let whole = block("*** Add File: a\n+x");
    names(&format!("apply_patch <<'EOF'\n{whole}EOF\n"), &["a"], &[]);
    names(&format!("apply_patch <<\"PATCH\"\n{whole}PATCH"), &["a"], &[]);
    names(&format!("<<'EOF'\n{whole}EOF"), &["a"], &[]);
    names(&format!("apply_patch << EOF\n{whole}EOF"), &["a"], &[]);
    names("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+$x `y`\n*** End Patch\nEOF", &["a"], &[]);
    doubts("apply_patch <<EOF\n*** Begin Patch\n*** Add File: a$(x)\n+y\n*** End Patch\nEOF", &["a$(x)"]);
    doubts("apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\\\n+y\n*** End Patch\nEOF", &["a\\"]);
    doubts(&format!("apply_patch <<'EOF'\n{whole}"), &["a"]);
    doubts(&format!("apply_patch <<'EOF'\n{whole}EOF\nrm x"), &["a"]);
    doubts(&format!("apply_patch <<'EOF'; rm x\n{whole}EOF"), &["a"]);
    doubts(&format!("cd / && apply_patch <<'EOF'\n{whole}EOF"), &["a"]);
    doubts(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\nEOF\n*** Add File: b\n*** End Patch",
        &["a", "b"],
    );
}

const HUNK: &str = "@@ -1 +1 @@\n-x\n+y\n";

#[test]
fn a_diff_names_both_sides_with_and_without_prefix() {
    names(&format!("--- a/x\n+++ b/x\n{HUNK}"), &["a/x", "x", "b/x"], &["a/x", "x"]);
    names(&format!("--- x\n+++ x\n{HUNK}"), &["x"], &["x"]);
    names(&format!("--- src/x\n+++ src/x\n{HUNK}"), &["src/x"], &["src/x"]);
    names(&format!("--- x\t2026-01-01 00:00:00\n+++ x\t2026-01-02\n{HUNK}"), &["x"], &["x"]);
    names(&format!("--- x.orig\n+++ x\n{HUNK}"), &["x.orig", "x"], &["x.orig"]);
    names("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+1\n+2\n", &["b/x", "x"], &[]);
    names("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", &["a/x", "x"], &["a/x", "x"]);
    names(
        &format!("--- a//etc/passwd\n+++ ../x\n{HUNK}"),
        &["a//etc/passwd", "/etc/passwd", "../x"],
        &["a//etc/passwd", "/etc/passwd"],
    );
    names(&format!("--- a\n+++ a\n{HUNK}--- b\n+++ b\n{HUNK}"), &["a", "b"], &["a", "b"]);
    names(
        &format!("--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n{HUNK}"),
        &["a/ä", "ä", "b/ä"],
        &["a/ä", "ä"],
    );
    names(
        &format!("--- a/my file\t\n+++ b/my file\t\n{HUNK}"),
        &["a/my file", "my file", "b/my file"],
        &["a/my file", "my file"],
    );
    names(&format!("--- x\n+++ x\n{HUNK}\\ No newline at end of file"), &["x"], &["x"]);
    names("--- x\n+++ x\n@@ -1,3 +1,2 @@ fn f()\n 1\n\n-2", &["x"], &["x"]);
}

#[test]
fn git_headers_name_files_too() {
    let both: (&[&str], &[&str]) = (&["a/x", "x", "b/x"], &["a/x", "x", "b/x"]);
    names(&format!("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n{HUNK}"), both.0, both.1);
    names("diff --git a/x b/x\nnew file mode 100755\nindex 0..1\n", both.0, both.1);
    names("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", both.0, both.1);
    names(
        "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
        &["x", "y", "a/x", "b/y"],
        &["x", "a/x", "b/y", "y"],
    );
    names("diff --git a/x b/y\ncopy from x\ncopy to y\n", &["y", "b/y"], &["x", "a/x", "b/y", "y"]);
    names("diff --git \"a/\\303\\244\" b/x\n", &["a/ä", "ä", "b/x", "x"], &["a/ä", "ä", "b/x", "x"]);
    doubts("diff --git a/my file b/my file\n", &["a/my file", "my file", "b/my file"]);
    doubts("diff --git a/a b c\n", &[]);
    doubts("diff --git a/l b/l\nnew file mode 120000\n", &["l"]);
    doubts("diff --git a/l b/l\nindex 1..2 160000\n", &["l"]);
    doubts("rename from x\nrename to y\n", &["x", "y"]);
}

#[test]
fn the_lines_of_a_hunk_are_counted() {
    names("--- x\n+++ x\n@@ -1,2 +1 @@\n--- a/y\n-b\n+c\n", &["x"], &["x"]);
    doubts("--- x\n+++ x\n@@ -1 +1 @@\n--- a/y\n+++ b/y\n", &["x"]);
    doubts(&format!("--- x\n+++ x\n@@ -1 +1 @@\n-1\n+1\n+2\n--- y\n+++ y\n{HUNK}"), &["x", "y"]);
    doubts("--- x\n+++ x\n@@ -1,5 +1,5 @@\n-1\n", &["x"]);
    doubts("--- x\n+++ x\n@@ -1,2 +1 @@\nq\n", &["x"]);
    doubts("--- x\n+++ x\n@@ -1,99999999999999999999999 +1 @@\n-1\n", &["x"]);
    doubts("--- x\n+++ x\n@@ what @@\n-1\n", &["x"]);
    doubts("@@ -1 +1 @@\n-x\n+y\n", &[]);
}

#[test]
fn what_is_not_clear_in_a_diff_is_doubted() {
    doubts(&format!("--- x 2026-01-01\n+++ x 2026-01-01\n{HUNK}"), &["x", "x 2026-01-01"]);
    doubts(&format!("hello\n--- x\n+++ x\n{HUNK}"), &["x"]);
    doubts(&format!("  --- y\n  +++ y\n--- x\n+++ x\n{HUNK}"), &["x"]);
    doubts(&format!("Index: y\n--- x\n+++ x\n{HUNK}"), &["x", "y"]);
    doubts("--- x\n", &["x"]);
    doubts(&format!("--- x\n{HUNK}"), &["x"]);
    doubts(&format!("+++ x\n{HUNK}"), &["x"]);
    doubts(&format!("--- /dev/null\n+++ /dev/null\n{HUNK}"), &[]);
    doubts(&format!("--- \n+++ \n{HUNK}"), &[]);
    doubts(&format!("--- \"x\n+++ \"x\n{HUNK}"), &["\"x"]);
    doubts(&format!("--- \"x\\q\"\n+++ x\n{HUNK}"), &["x"]);
    doubts(&format!("--- \"\\377\"\n+++ x\n{HUNK}"), &["x"]);
    doubts("*** x\n--- x\n***************\n*** 1 ****\n", &["x"]);
    doubts("1d\n", &[]);
    doubts("", &[]);
    doubts("\n\n", &[]);
    doubts("just text", &[]);
    doubts("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", &[]);
}

#[test]
fn long_texts_take_linear_time() {
    for piece in [
        "--- a b\n",
        "+++ x\n",
        "*** Add File: x\n",
        "diff --git a b c d\n",
        "\"\\",
        "<<",
        "@@ -1 +1 @@\n",
        "\r",
    ] {
        let _ = files(&piece.repeat(20_000));
        let _ = files(&format!("diff --git {}", piece.repeat(20_000)));
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_added_to_a_block_keeps_its_names(noise in "[*+\\- a-z:@\n]{0,80}") {
        let text = format!("*** Begin Patch\n*** Add File: kept\n+x\n{noise}\n*** End Patch\n");
        proptest::prop_assert!(files(&text).writes.contains(&"kept".to_owned()));
    }

    #[test]
    fn no_text_is_complete_and_names_nothing(text in "([*]{3} (Begin|End) Patch|[*]{3} Add File: a?|(---|[+]{3}) a?|@@ -1 [+]1 @@|[-+ ]x|\n|\r| ){0,20}") {
        let patch = files(&text);
        proptest::prop_assert!(!patch.complete || !patch.writes.is_empty());
    }
}

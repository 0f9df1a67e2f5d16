//! Bytes as a command of a call: its parts are whole, on any disk.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use tool_policy::NoDisk;
use tool_policy::facts::disk::{Disk, MadeUpDisk};
use tool_policy::facts::{of_command, parts::PartKind, path::Roots};

static DISKS: LazyLock<Vec<MadeUpDisk>> = LazyLock::new(|| {
    let disks = [
        json!({"home": "/home/me", "files": ["/p/a", "/p/d/b", "/etc/x"], "links": {"/p/l": "..", "/p/d/m": "/p/d/m", "/p/n": "/etc"}}),
        json!({"os": "windows", "home": "C:/Users/me", "files": ["C:/p/a"]}),
        json!({"os": "macos", "case_insensitive": true}),
    ];
    disks.iter().map(|disk| MadeUpDisk::from_json(disk).unwrap()).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let disk: &dyn Disk = DISKS.get(usize::from(*first) % 4).map_or(&NoDisk, |disk| disk);
    let roots = Roots { cwd: "/p".into(), workspace: "/p".into(), home: disk.home() };
    let facts = of_command(text, &roots, disk);
    for (index, part) in facts.parts.iter().enumerate() {
        if let Some((from, to)) = part.span {
            assert!(text.get(from..to).is_some(), "{from}..{to} in {text:?}");
        }
        assert!(part.group <= index || matches!(part.kind, PartKind::Run(_)), "{text:?}");
        assert!(facts.parts.get(part.group).is_some());
        if let PartKind::Run(run) = &part.kind {
            assert!(run.passed_over.iter().all(|at| *at < run.words.len()));
            assert!(run.opaque.is_some() || !run.words.is_empty(), "{text:?}");
        }
    }
});

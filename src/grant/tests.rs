use super::*;

fn state() -> (tempfile::TempDir, State) {
    let folder = tempfile::tempdir().unwrap();
    let state = State::at(folder.path().join("a/policy"));
    (folder, state)
}

fn call() -> Call {
    Call { cwd: Some("/w".to_owned()), ..Call::new("Bash").arg("command", "make deploy") }
}

fn key(call: &Call) -> Key {
    Key::of(call, Some("/w"), "sha256:1")
}

#[test]
fn an_approval_lets_one_call_through_once() {
    let (_folder, state) = state();
    let key = key(&call());
    assert!(!state.take(&key).unwrap());
    let waiting = Waiting::new(&key, &call(), "Run it?", Some("deploys"));
    state.wait_for(&waiting).unwrap();
    assert!(!state.take(&key).unwrap());
    assert_eq!(state.pending().unwrap(), std::slice::from_ref(&waiting));
    state.approve(&state.waiting(&waiting.id[..4]).unwrap()).unwrap();
    assert!(state.pending().unwrap().is_empty());
    assert!(state.take(&key).unwrap());
    assert!(!state.take(&key).unwrap());
}

#[test]
fn it_is_bound_to_tool_arguments_folder_and_policy() {
    let first = key(&call());
    for other in [
        key(&Call { tool: "bash".to_owned(), ..call() }),
        key(&call().arg("command", "make deploy ")),
        key(&call().arg("timeout", 1)),
        key(&Call { cwd: Some("/x".to_owned()), ..call() }),
        Key::of(&call(), Some("/w"), "sha256:2"),
    ] {
        assert_ne!(first, other);
    }
    let other_order = Call::new("Bash").arg("b", 1).arg("a", 2);
    assert_eq!(key(&other_order), key(&Call::new("Bash").arg("a", 2).arg("b", 1)));
}

#[test]
fn a_hook_and_a_proxy_agree_about_a_tool_of_a_server() {
    let mcp = crate::call::McpTool { server: "demo".to_owned(), tool: "wipe".to_owned() };
    let hook = Call {
        tool: "mcp__demo__wipe".to_owned(),
        cwd: Some("/w/sub".to_owned()),
        mcp: Some(mcp.clone()),
        ..Call::default()
    };
    let proxy = Call { tool: "wipe".to_owned(), cwd: None, mcp: Some(mcp), ..Call::default() };
    assert_eq!(key(&hook), key(&proxy));
    let (_folder, state) = state();
    state.pass_on(&key(&hook)).unwrap();
    assert!(!state.take(&key(&proxy)).unwrap());
    assert!(state.take_passed_on(&key(&proxy)).unwrap());
    assert!(!state.take_passed_on(&key(&proxy)).unwrap());
}

#[test]
fn an_approval_of_one_server_is_none_of_another_whose_tools_have_the_same_names() {
    let of = |server: &str, tool: &str| Call {
        mcp: Some(crate::call::McpTool { server: server.to_owned(), tool: tool.to_owned() }),
        ..Call::new("x")
    };
    assert_eq!(of("a", "b__c").name(), of("a__b", "c").name());
    assert_ne!(key(&of("a", "b__c")), key(&of("a__b", "c")));
}

#[test]
fn one_of_several_who_take_it_at_once_gets_it() {
    let (_folder, state) = state();
    let key = key(&call());
    for _ in 0..20 {
        state.approve(&Waiting::new(&key, &call(), "?", None)).unwrap();
        let taken = std::thread::scope(|scope| {
            let takers: Vec<_> = (0..4).map(|_| scope.spawn(|| state.take(&key).unwrap())).collect();
            takers.into_iter().filter(|_| true).map(|t| t.join().unwrap()).filter(|got| *got).count()
        });
        assert_eq!(taken, 1);
    }
}

#[test]
fn one_that_is_too_old_or_from_the_future_is_none() {
    let (_folder, state) = state();
    let key = key(&call());
    for (until, good) in
        [(now() + 1, true), (now(), false), (now().saturating_sub(1), false), (now() + HOLDS_FOR + 60, false)]
    {
        store::write(&state.part("approved"), key.id(), &Grant { key: key.0.clone(), until }).unwrap();
        assert_eq!(state.take(&key).unwrap(), good, "{until}");
    }
    store::write(&state.part("approved"), key.id(), &Grant { key: "other".to_owned(), until: now() + 9 })
        .unwrap();
    assert!(!state.take(&key).unwrap());
}

#[cfg(unix)]
#[test]
fn what_others_may_read_or_write_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_folder, state) = state();
    let key = key(&call());
    state.approve(&Waiting::new(&key, &call(), "?", None)).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(state.folder()), 0o700);
    assert_eq!(mode(&state.folder().join("approved")), 0o700);
    assert_eq!(mode(&state.folder().join("approved").join(format!("{}.json", key.id()))), 0o600);
    std::fs::set_permissions(state.folder(), std::fs::Permissions::from_mode(0o770)).unwrap();
    assert!(matches!(state.take(&key), Err(StateError::Open(_))));
}

#[test]
fn what_waits_does_not_grow_without_end() {
    let (_folder, state) = state();
    for n in 0..(WAITING + 5) {
        let call = call().arg("n", n);
        state.wait_for(&Waiting::new(&key(&call), &call, "?", None)).unwrap();
    }
    assert_eq!(state.pending().unwrap().len(), WAITING);
}

#[test]
fn an_id_that_is_not_there_or_not_the_only_one_is_an_error() {
    let (_folder, state) = state();
    for id in ["", "abc", "../x"] {
        assert!(matches!(state.waiting(id), Err(StateError::Unknown(_))), "{id}");
    }
}

#[cfg(feature = "proxy")]
#[test]
fn what_could_not_be_read_again_is_not_written() {
    let (_folder, state) = state();
    state.keep("x", "a", &"small").unwrap();
    assert!(matches!(state.keep("x", "a", &"\u{1}".repeat(1 << 18)), Err(StateError::Io(..))));
    assert_eq!(state.kept::<String>("x", "a").unwrap().as_deref(), Some("small"));
}

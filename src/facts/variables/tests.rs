use std::collections::HashSet;

use super::Effect::{ChangesWhatRuns, Harmless, Unvetted};
use super::*;

#[track_caller]
fn all(expected: Effect, names: &str) {
    for name in names.split_whitespace() {
        assert_eq!(effect(name), expected, "{name}: {}", why(name));
    }
}

#[test]
fn what_only_changes_the_look_is_harmless() {
    all(
        Harmless,
        "LANG LC_ALL LC_CTYPE TZ TERM COLUMNS LINES NO_COLOR CLICOLOR CLICOLOR_FORCE FORCE_COLOR CI",
    );
    all(
        Harmless,
        "RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED",
    );
    all(Harmless, "GIT_AUTHOR_NAME GIT_COMMITTER_DATE GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS");
    all(Harmless, "CARGO_TERM_COLOR npm_config_loglevel NODE_NO_WARNINGS OMP_NUM_THREADS GOMAXPROCS");
}

#[test]
fn what_changes_programs_code_files_or_hosts_is_not() {
    all(ChangesWhatRuns, "PATH LD_PRELOAD LD_LIBRARY_PATH LD_ANYTHING DYLD_INSERT_LIBRARIES GCONV_PATH");
    all(
        ChangesWhatRuns,
        "BASH_ENV ENV PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS BASH_FUNC_ls%% IFS CDPATH OLDPWD HOME",
    );
    all(
        ChangesWhatRuns,
        "GIT_DIR GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_SSH_COMMAND GIT_PAGER GIT_EXTERNAL_DIFF GIT_NEW_ONE",
    );
    all(
        ChangesWhatRuns,
        "NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONWARNINGS PYTHONINSPECT",
    );
    all(ChangesWhatRuns, "PERL5LIB PERL5OPT RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH");
    all(ChangesWhatRuns, "EDITOR VISUAL PAGER MANPAGER LESS LESSOPEN LESSCLOSE BROWSER SHELL SSH_ASKPASS");
    all(
        ChangesWhatRuns,
        "RUSTC RUSTC_WRAPPER RUSTFLAGS CARGO_HOME CARGO_TARGET_DIR CARGO_BUILD_RUSTC CC CXX CFLAGS MAKEFLAGS",
    );
    all(ChangesWhatRuns, "npm_config_script_shell NPM_CONFIG_REGISTRY Npm_Config_X PIP_INDEX_URL UV_PYTHON");
    all(
        ChangesWhatRuns,
        "DOCKER_HOST KUBECONFIG AWS_PROFILE AWS_ENDPOINT_URL_S3 http_proxy HTTPS_PROXY no_proxy",
    );
    all(
        ChangesWhatRuns,
        "GOFLAGS GOOS CGO_CFLAGS DOTNET_STARTUP_HOOKS PYTEST_ADDOPTS TAR_OPTIONS RIPGREP_CONFIG_PATH path",
    );
}

#[test]
fn what_nobody_has_shown_to_be_harmless_is_unvetted() {
    all(Unvetted, "TMPDIR DEBUG GIT_TRACE GIT_TRACE2_EVENT LANGUAGE TERMINFO SSL_CERT_FILE SSLKEYLOGFILE");
    all(
        Unvetted,
        "FOO A X_Y DOCKER_IMAGE CONTAINER_NAME STACK_NAME DATABASE_URL TF_VAR_region NODE_SOMETHING LC_NEW COLOR CI_X",
    );
    all(Unvetted, "lang Lang home ld_preload git_dir TERMX RUST_LOGS é");
    assert_eq!(effect(""), Unvetted);
    assert_eq!(why("FOO"), "nobody has looked at what it changes");
}

#[test]
fn a_value_may_do_nothing() {
    assert_eq!(effect_of_value("GIT_PAGER", "cat"), Harmless);
    assert_eq!(effect_of_value("PAGER", ""), Harmless);
    assert_eq!(effect_of_value("GIT_EDITOR", "true"), Harmless);
    assert_eq!(effect_of_value("PAGER", "cat x"), ChangesWhatRuns);
    assert_eq!(effect_of_value("PAGER", "./cat"), ChangesWhatRuns);
    assert_eq!(effect_of_value("GIT_SSH_COMMAND", "true"), ChangesWhatRuns);
    assert_eq!(effect_of_value("DEBIAN_FRONTEND", "Web"), Unvetted);
    assert_eq!(effect_of_value("LANG", "C"), Harmless);
}

#[test]
fn no_name_stands_twice_and_nothing_is_harmless_by_its_start() {
    let mut seen = HashSet::new();
    for group in groups() {
        assert!(group.names.iter().chain(group.prefixes).all(|name| seen.insert(*name)), "twice: {:?}", {
            group.names.iter().chain(group.prefixes).collect::<Vec<_>>()
        });
        assert!(group.effect != Harmless || group.prefixes.is_empty(), "{}", group.why);
        assert!(group.why.chars().next().is_some_and(char::is_lowercase) && !group.why.ends_with('.'));
        for name in group.names {
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
        }
    }
}

#[test]
fn exceptions_to_a_start_are_needed() {
    for group in groups() {
        for name in group.names {
            let start =
                groups().iter().find(|other| other.prefixes.iter().any(|prefix| starts_with(name, prefix)));
            let same = start.is_some_and(|other| std::ptr::eq(other, group));
            assert!(!same, "{name} has the effect of its start already");
        }
    }
}

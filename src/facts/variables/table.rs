//! The table of environment variables.

use super::Effect::{ChangesWhatRuns, Harmless, Unvetted};
use super::Group;

/// npm reads its variables in any case.
pub(super) const NPM: &str = "npm_config_";

/// Values that do nothing, of variables that may do much: pagers that only copy, editors that change nothing, questions not asked.
pub(super) static HARMLESS_VALUES: &[(&[&str], &[&str])] = &[
    (
        &[
            "AWS_PAGER",
            "BAT_PAGER",
            "DELTA_PAGER",
            "GH_PAGER",
            "GIT_PAGER",
            "MANPAGER",
            "PAGER",
            "PSQL_PAGER",
        ],
        &["", "cat"],
    ),
    (&["EDITOR", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "VISUAL"], &[":", "true"]),
    (&["DEBIAN_FRONTEND"], &["noninteractive"]),
    (&["CARGO_NET_OFFLINE"], &["true"]),
];

#[rustfmt::skip]
pub(super) static GROUPS: &[Group] = &[
    Group {
        effect: Harmless,
        why: "it sets the language and the forms of messages, dates and numbers",
        names: &[
            "LANG", "LC_ADDRESS", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
            "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LESSCHARSET", "PYTHONIOENCODING",
            "PYTHONUTF8", "SOURCE_DATE_EPOCH", "TIME_STYLE", "TZ",
        ],
        prefixes: &[],
    },
    Group {
        effect: Harmless,
        why: "it sets how output looks on the screen",
        names: &[
            "ANSIBLE_FORCE_COLOR", "ANSIBLE_NOCOLOR", "BAT_STYLE", "BAT_THEME", "BLOCKSIZE", "BLOCK_SIZE", "BUILDKIT_PROGRESS",
            "CARGO_TERM_COLOR", "CARGO_TERM_PROGRESS_WHEN", "CARGO_TERM_PROGRESS_WIDTH", "CARGO_TERM_QUIET", "CARGO_TERM_VERBOSE",
            "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DF_BLOCK_SIZE", "DU_BLOCK_SIZE", "FORCE_COLOR", "GCC_COLORS",
            "GIT_PAGER_IN_USE", "GREP_COLOR", "GREP_COLORS", "HOMEBREW_NO_COLOR", "HOMEBREW_NO_EMOJI", "HOMEBREW_NO_ENV_HINTS",
            "JQ_COLORS", "LINES", "LSCOLORS", "LS_COLORS", "MANWIDTH", "NODE_DISABLE_COLORS", "NO_COLOR", "PIP_NO_COLOR",
            "PIP_PROGRESS_BAR", "PYTHON_COLORS", "PY_COLORS", "QUOTING_STYLE", "RUST_LOG_STYLE", "TABSIZE", "TERM",
            "npm_config_color", "npm_config_progress",
        ],
        prefixes: &[],
    },
    Group {
        effect: Harmless,
        why: "it sets how much a program tells of what it does",
        names: &[
            "DOTNET_NOLOGO", "GIT_ADVICE", "NODE_DEBUG", "NODE_ENV", "NODE_NO_WARNINGS", "NODE_PENDING_DEPRECATION",
            "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_QUIET", "PYTHONASYNCIODEBUG", "PYTHONFAULTHANDLER", "PYTHONTRACEMALLOC",
            "PYTHONVERBOSE", "RUST_BACKTRACE", "RUST_LIB_BACKTRACE", "RUST_LOG", "TF_CPP_MIN_LOG_LEVEL", "TF_IN_AUTOMATION", "TF_LOG",
            "npm_config_fund", "npm_config_loglevel",
        ],
        prefixes: &[],
    },
    Group {
        effect: Harmless,
        why: "it says that nobody is there to answer, or asks for nothing to be reported",
        names: &[
            "CI", "COMPOSER_NO_INTERACTION", "DO_NOT_TRACK", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_SKIP_FIRST_TIME_EXPERIENCE",
            "GH_NO_UPDATE_NOTIFIER", "GH_PROMPT_DISABLED", "GIT_TERMINAL_PROMPT", "HOMEBREW_NO_ANALYTICS", "HOMEBREW_NO_AUTO_UPDATE",
            "HOMEBREW_NO_INSTALL_CLEANUP", "NEXT_TELEMETRY_DISABLED", "PIP_NO_INPUT", "TF_INPUT",
        ],
        prefixes: &[],
    },
    Group {
        effect: Harmless,
        why: "it sets how many threads, how much memory or how many tries are used, or how output is buffered",
        names: &[
            "CARGO_BUILD_JOBS", "CUDA_VISIBLE_DEVICES", "FUNCNEST", "GIT_FLUSH", "GIT_OPTIONAL_LOCKS", "GOGC", "GOMAXPROCS",
            "GOMEMLIMIT", "JULIA_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
            "PROPTEST_CASES", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONNODEBUGRANGES", "PYTHONUNBUFFERED",
            "RAYON_NUM_THREADS", "RUST_MIN_STACK", "RUST_TEST_NOCAPTURE", "RUST_TEST_THREADS", "TOKENIZERS_PARALLELISM",
        ],
        prefixes: &[],
    },
    Group {
        effect: Harmless,
        why: "it names who a commit is by, and when it was made",
        names: &[
            "GIT_AUTHOR_DATE", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME",
        ],
        prefixes: &[],
    },

    // The shell, and how programs are found and loaded.
    Group {
        effect: ChangesWhatRuns,
        why: "it says where programs are looked for",
        names: &["COMSPEC", "ComSpec", "EXECIGNORE", "PATH", "PATHEXT", "Path", "SystemRoot", "WINDIR", "path", "windir"],
        prefixes: &[],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it loads code into every program",
        names: &["GCONV_PATH", "LIBPATH", "SHLIB_PATH"],
        prefixes: &["DYLD_", "LD_", "_RLD"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it makes the shell run code, or read commands in another way",
        names: &[
            "BASHOPTS", "BASH_ALIASES", "BASH_CMDS", "BASH_COMPAT", "BASH_ENV", "BASH_LOADABLES_PATH", "BASH_XTRACEFD", "ENV", "FPATH",
            "GLOBIGNORE", "IFS", "NULLCMD", "POSIXLY_CORRECT", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS3", "PS4", "PSModulePath",
            "READNULLCMD", "SHELLOPTS", "ZDOTDIR", "chpwd_functions", "fpath", "module_path", "periodic_functions", "precmd_functions",
            "preexec_functions", "zshexit_functions",
        ],
        prefixes: &["BASH_FUNC_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which folder a command means",
        names: &["CDPATH", "DIRSTACK", "OLDPWD", "PWD", "cdpath", "dirstack"],
        prefixes: &[],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it says where programs find their settings, which may name programs to run",
        names: &["APPDATA", "HOME", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "ProgramData", "USERPROFILE"],
        prefixes: &["XDG_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it names a program that others start",
        names: &[
            "ALTERNATE_EDITOR", "AWK", "BROWSER", "CHROME_BIN", "CHROME_PATH", "CVSEDITOR", "CVS_RSH", "EDITOR", "FCEDIT", "FIREFOX_BIN",
            "HGEDITOR", "LESSCLOSE", "LESSEDIT", "LESSOPEN", "MANPAGER", "PAGER", "RSYNC_RSH", "SED", "SHELL", "SVN_EDITOR", "SVN_SSH",
            "VISUAL",
        ],
        prefixes: &["SSH_", "SUDO_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it adds options to a program, and some of them run programs or write files",
        names: &[
            "ANT_ARGS", "ANT_OPTS", "EXINIT", "GROFF_BIN_PATH", "GVIMINIT", "LESS", "LESSKEY", "LESSKEYIN", "LESSKEYIN_SYSTEM",
            "LESSKEY_SYSTEM", "MANOPT", "MANROFFOPT", "MORE", "MYVIMRC", "RIPGREP_CONFIG_PATH", "TAR_OPTIONS", "VIM", "VIMINIT",
            "VIMRUNTIME", "ZIPOPT",
        ],
        prefixes: &["BAT_", "DELTA_", "EMACS", "FZF_", "NVIM_", "RSYNC_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it loads modules into programs that use this library",
        names: &[
            "GDK_PIXBUF_MODULE_FILE", "GIO_EXTRA_MODULES", "GIO_MODULE_DIR", "GTK_MODULES", "GTK_PATH", "KRB5_CONFIG",
            "LIBGL_DRIVERS_PATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "QT_PLUGIN_PATH", "VK_ICD_FILENAMES",
            "VK_LAYER_PATH",
        ],
        prefixes: &["DBUS_", "GST_"],
    },

    // Languages.
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which code Python runs",
        names: &["MYPYPATH", "PYLINTHOME", "PYLINTRC", "TOXENV", "VIRTUAL_ENV"],
        prefixes: &[
            "CONDA_", "COVERAGE_", "HATCH_", "MYPY_", "NOX", "PDM_", "PIPENV_", "PIPX_", "PIP_", "POETRY_", "PYENV_", "PYTEST_", "PYTHON",
            "TOX_", "UV_",
        ],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which code node and its tools run",
        names: &[
            "ESLINT_USE_FLAT_CONFIG", "NODE", "NODE_COMPILE_CACHE", "NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE",
        ],
        prefixes: &[
            "BUN_", "COREPACK_", "CYPRESS_", "DENO_", "ELECTRON_", "FNM_", "JEST_", "NVM_", "PLAYWRIGHT_", "PNPM_", "PUPPETEER_",
            "TS_NODE_", "TSX_", "VOLTA_", "YARN_", NPM, "pnpm_config_",
        ],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which compiler and programs cargo runs, or what they build",
        names: &["CLIPPY_ARGS", "CLIPPY_CONF_DIR", "RUSTFLAGS", "RUSTFMT"],
        prefixes: &["CARGO_", "RUSTC", "RUSTDOC", "RUSTUP_", "SCCACHE_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which programs the go command runs, or what they build",
        names: &[
            "GO111MODULE", "GOARCH", "GOAUTH", "GOBIN", "GOCACHE", "GOCACHEPROG", "GOENV", "GOEXPERIMENT", "GOFLAGS", "GOINSECURE",
            "GOMODCACHE", "GONOPROXY", "GONOSUMDB", "GOOS", "GOPATH", "GOPRIVATE", "GOPROXY", "GOROOT", "GOSUMDB", "GOTOOLCHAIN",
            "GOTOOLDIR", "GOVCS", "GOWORK",
        ],
        prefixes: &["CGO_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which compiler, linker or options a build runs",
        names: &[
            "AR", "ARFLAGS", "AS", "ASFLAGS", "CC", "CFLAGS", "COMPILER_PATH", "CPATH", "CPLUS_INCLUDE_PATH", "CPP", "CPPFLAGS", "CXX",
            "CXXFLAGS", "C_INCLUDE_PATH", "F77", "FC", "FFLAGS", "GCC_EXEC_PREFIX", "GNUMAKEFLAGS", "HOSTCC", "INCLUDE", "INSTALL", "LD",
            "LDFLAGS", "LDLIBS", "LIBRARY_PATH", "LIBS", "M4", "M4PATH", "MAKE", "MAKEFILES", "MAKEFLAGS", "MFLAGS", "NM",
            "OBJC", "OBJCOPY", "OBJDUMP", "RANLIB", "STRIP", "YACC",
        ],
        prefixes: &["ACLOCAL", "AUTOCONF", "AUTOMAKE", "CCACHE_", "CMAKE_", "CTEST_", "DISTCC_", "MESON_", "NINJA_", "PKG_CONFIG"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which code Java and its tools run",
        names: &[
            "CLASSPATH", "GRADLE_HOME", "GRADLE_OPTS", "GRADLE_USER_HOME", "GROOVY_HOME", "JAVACMD", "JAVA_HOME", "JAVA_OPTS",
            "JAVA_TOOL_OPTIONS", "JDK_HOME", "JDK_JAVA_OPTIONS", "JRE_HOME", "JVM_OPTS", "KOTLIN_HOME", "M2_HOME", "SBT_OPTS",
            "SCALA_HOME", "_JAVA_OPTIONS",
        ],
        prefixes: &["MAVEN_", "ORG_GRADLE_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which code .NET and its tools run",
        names: &["ASPNETCORE_HOSTINGSTARTUPASSEMBLIES"],
        prefixes: &["COMPlus_", "CORECLR_", "COR_", "DOTNET_", "MSBUILD", "MSBuild", "NUGET_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which code Ruby, Perl, PHP, Lua, R or another interpreter runs",
        names: &[
            "AWKLIBPATH", "AWKPATH", "CAML_LD_LIBRARY_PATH", "CAMLRUNPARAM", "ELIXIR_ERL_OPTIONS", "GEM_HOME", "GEM_PATH",
            "GHCRTS", "GHC_PACKAGE_PATH", "IRBRC", "PHPRC", "PHP_INI_SCAN_DIR", "RAKEOPT", "SPEC_OPTS", "TCLLIBPATH", "TCL_LIBRARY",
        ],
        prefixes: &[
            "BUNDLE_", "BUNDLER_", "CABAL_", "COMPOSER_", "ERL_", "GUILE_", "JULIA_", "LUA_", "MIX_", "OCAML", "PERL", "RBENV_", "RUBY",
            "R_", "STACK_ROOT", "STACK_WORK", "STACK_YAML",
        ],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes which version or package of a program runs",
        names: &["APT_CONFIG"],
        prefixes: &["ASDF_", "DPKG_", "HOMEBREW_", "MISE_", "NIX_", "SDKMAN_"],
    },

    // git and other programs that reach hosts.
    Group {
        effect: ChangesWhatRuns,
        why: "it changes git's settings, programs or repository",
        names: &[],
        prefixes: &["GIT_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it changes the programs or the settings of a version control system or a forge",
        names: &[],
        prefixes: &["GH_", "GLAB_", "HG"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it sends what is asked to another host",
        names: &[
            "ALL_PROXY", "FTP_PROXY", "HOSTALIASES", "HTTPS_PROXY", "HTTP_PROXY", "LOCALDOMAIN", "NO_PROXY", "RES_OPTIONS", "all_proxy",
            "ftp_proxy", "http_proxy", "https_proxy", "no_proxy",
        ],
        prefixes: &["AWS_ENDPOINT_URL"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it names a file of settings that may run programs, write files or ask other hosts",
        names: &["CURL_HOME", "SYSTEM_WGETRC", "WGETRC"],
        prefixes: &["GNUPG", "RCLONE_"],
    },
    Group {
        effect: ChangesWhatRuns,
        why: "it names another server to work on, or settings that run programs",
        names: &[
            "CONTAINER_CONNECTION", "CONTAINER_HOST", "CONTAINER_SSHKEY", "DOCKER_API_VERSION", "DOCKER_BUILDKIT", "DOCKER_CERT_PATH",
            "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_CUSTOM_HEADERS", "DOCKER_DEFAULT_PLATFORM", "DOCKER_HOST",
            "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG", "KUBE_EDITOR", "PGHOST", "PGHOSTADDR", "PGSERVICE", "PGSERVICEFILE",
            "PGSYSCONFDIR", "PSQLRC", "PSQL_EDITOR", "PSQL_PAGER",
        ],
        prefixes: &[
            "ANSIBLE_", "AWS_", "AZURE_", "BUILDAH_", "BUILDX_", "CLOUDSDK_", "COMPOSE_", "CONTAINERS_", "DOCKER_CLI_",
            "DOCKER_CONTENT_TRUST", "DOCKER_TLS", "HELM_", "KUBECTL_",
            "PACKER_", "PODMAN_", "PULUMI_", "TF_", "VAGRANT_",
        ],
    },

    // Neither: named so that the reason can be told.
    Group {
        effect: Unvetted,
        why: "it says where temporary files are made",
        names: &["GOTMPDIR", "TEMP", "TMP", "TMPDIR"],
        prefixes: &[],
    },
    Group {
        effect: Unvetted,
        why: "it names a file or folder that is written",
        names: &[
            "COVERAGE_FILE", "GIT_TRACE", "HISTFILE", "LESSHISTFILE", "MALLOC_TRACE", "NODE_REDIRECT_WARNINGS", "NODE_REPL_HISTORY",
            "NODE_V8_COVERAGE", "PYTHONHISTFILE", "PYTHON_HISTORY", "SSLKEYLOGFILE", "TF_LOG_PATH",
        ],
        prefixes: &["GIT_TRACE_", "GIT_TRACE2"],
    },
    Group {
        effect: Unvetted,
        why: "it names a file or folder that is read",
        names: &[
            "INPUTRC", "LANGUAGE", "LOCPATH", "MANPATH", "NETRC", "NLSPATH", "NODE_ICU_DATA", "TAPE", "TERMCAP", "TERMINFO",
            "TERMINFO_DIRS", "TZDIR",
        ],
        prefixes: &[],
    },
    Group {
        effect: Unvetted,
        why: "it changes who is trusted, or who the user is taken for",
        names: &[
            "AWS_ACCESS_KEY_ID", "AWS_DEFAULT_REGION", "AWS_REGION", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "CURL_CA_BUNDLE",
            "GH_TOKEN", "GITHUB_TOKEN", "LOGNAME", "NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED", "NPM_TOKEN", "PGPASSWORD",
            "PGUSER", "REQUESTS_CA_BUNDLE", "SSH_AUTH_SOCK", "SSL_CERT_DIR", "SSL_CERT_FILE", "USER", "USERNAME",
        ],
        prefixes: &[],
    },
    Group {
        effect: Unvetted,
        why: "each program gives it its own meaning, and some load other code or settings for it",
        names: &[
            "APP_ENV", "ASPNETCORE_ENVIRONMENT", "BABEL_ENV", "DEBUG", "DOTNET_ENVIRONMENT", "ENVIRONMENT", "LOG_LEVEL", "MIX_ENV",
            "RACK_ENV", "RAILS_ENV", "VERBOSE",
        ],
        prefixes: &["NODE_", "TF_VAR_"],
    },
    Group {
        effect: Unvetted,
        why: "it adds options to a program",
        names: &["BZIP", "BZIP2", "GLIBC_TUNABLES", "GODEBUG", "GREP_OPTIONS", "GZIP", "UNZIP", "UNZIPOPT", "XZ_DEFAULTS", "XZ_OPT"],
        prefixes: &["MALLOC_"],
    },
];

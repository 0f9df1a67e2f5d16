//! The codes of findings: each with a title and a page that says what it means.

macro_rules! codes {
    ($($code:ident $title:literal,)+) => {
        /// What kind of finding it is. The spelling is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $code,)+
            /// A lint, by its name.
            Lint(&'static str),
        }

        impl Code {
            /// Every code that is not a lint's, in order.
            pub const ALL: &'static [Self] = &[$(Self::$code,)+];

            /// As it is shown and written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => stringify!($code),)+
                    Self::Lint(name) => name,
                }
            }

            /// What it is, in a few words.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$code => $title,)+
                    Self::Lint(name) => name,
                }
            }

            /// A page about it: what it means, what is wrong, what is right. A lint's page is with the lint.
            pub fn page(self) -> &'static str {
                match self {
                    $(Self::$code => include_str!(concat!("../../docs/codes/", stringify!($code), ".md")),)+
                    Self::Lint(_) => "",
                }
            }
        }
    };
}

codes! {
    E0101 "the file cannot be read",
    E0102 "the format of the file is not known",
    E0103 "the file is too large",
    E0104 "the file is not UTF-8",
    E0105 "the file has a character that no policy has",
    E0106 "the file is empty",
    E0107 "a syntax error",
    E0108 "a key stands twice in one table",
    E0109 "the file is nested too deeply or has too many values",
    E0110 "a value that a policy cannot hold",
    E0111 "a part of YAML that policies do without",
    E0112 "files extend each other in a circle",
    E0113 "`extends` takes relative paths only",
    E0114 "too many files",
    E0115 "a file of tests where a policy is expected, or the other way round",
    E0201 "the version is missing or not known",
    E0202 "an unknown key",
    E0203 "a value of the wrong type",
    E0204 "a single value where a list is expected",
    E0205 "a key is missing",
    E0206 "a word that is not one of those known",
    E0207 "a text with nothing in it",
    E0208 "not a length of time that can be waited",
    E0209 "a number that is out of range",
    E0210 "a tool that contradicts itself",
    E0211 "not a path to an argument",
    E0212 "a set of commands in the wrong form",
    E0301 "a rule without a kind",
    E0302 "a rule of two kinds",
    E0303 "a kind of rule that does not exist",
    E0304 "a rule that is switched off",
    E0305 "a kind with a value that it does not take",
    E0306 "a key that does not go with the kind of the rule",
    E0307 "an id that is not one",
    E0308 "an id that two rules have",
    E0309 "an id that another rule has by default",
    E0401 "conditions with nothing in them",
    E0402 "operators mixed with names of arguments",
    E0403 "`exists = false` beside another operator",
    E0404 "a place of files that says too much or too little",
    E0410 "a path pattern that is not one",
    E0411 "a pattern for hosts that is not one",
    E0412 "a command pattern that is not one",
    E0413 "a set of commands that does not exist",
    E0414 "a regex that is not one",
    E0501 "a test of nothing, or of two things",
    E0502 "an expectation that does not fit the calls",
    E0503 "a key that does not go with the form of the test",
    E0601 "a test that fails",
    E0602 "a test with a call that is none",
    E0603 "no test to run",
    E0604 "a test that names a rule which does not exist",
}

impl Code {
    /// The code that is spelled so; case does not matter. Lints are not found here.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(name))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

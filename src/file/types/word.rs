//! Values that are one of a few words, each spelled in one place.

/// An enum whose values are written as fixed words.
pub(crate) trait Word: Copy + 'static {
    /// Every value with its spelling, in the order to list them.
    const ALL: &'static [(Self, &'static str)];
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $spelling:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$value_doc])* #[cfg_attr(feature = "schema", schemars(rename = $spelling))] $value,)+
        }

        impl $name {
            /// As it is written in a policy.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$value => $spelling,)+ }
            }
        }

        impl Word for $name {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$value, $spelling),)+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What a denial does to the rest of the turn.
    ActionOnDeny {
        /// The other calls of the turn go on.
        Continue = "continue",
        /// Any denial ends the turn.
        StopTurn = "stop_turn",
    }
}

words! {
    /// How seriously a lint is taken.
    LintLevel {
        /// Not reported.
        Off = "off",
        /// Reported.
        Warn = "warn",
        /// Reported, and the policy does not pass.
        Error = "error",
    }
}

words! {
    /// Why a call came to be judged: what an interactive host would have done.
    AskReason {
        /// A person would have been asked.
        Prompt = "prompt",
        /// Nobody would have been asked.
        Policy = "policy",
    }
}

words! {
    /// The type of an argument's value.
    TypeName {
        /// Text.
        String = "string",
        /// Any number.
        Number = "number",
        /// A whole number.
        Integer = "integer",
        /// True or false.
        Boolean = "boolean",
        /// A list.
        Array = "array",
        /// A table of names and values.
        Object = "object",
        /// Nothing.
        Null = "null",
    }
}

words! {
    /// What a test expects of one call.
    ExpectedVerdict {
        /// The call may run.
        Allow = "allow",
        /// The call may not run.
        Deny = "deny",
        /// A person is asked.
        Ask = "ask",
    }
}

words! {
    /// What a test expects of one call of a turn.
    ExpectedOutcome {
        /// It runs.
        Run = "run",
        /// It was denied.
        Denied = "denied",
        /// It does not run because another call stopped the turn.
        Cancelled = "cancelled",
    }
}

words! {
    /// The cause of a verdict, as a test expects it.
    ExpectedCause {
        /// A rule matched.
        Rule = "rule",
        /// A denial could not be ruled out.
        PossibleMatch = "possible_match",
        /// No rule decided.
        NoRule = "no_rule",
        /// A person said yes.
        HumanYes = "human_yes",
        /// A person said no.
        HumanNo = "human_no",
        /// Nobody answered in time.
        HumanTimeout = "human_timeout",
        /// There was nobody to ask.
        NoHuman = "no_human",
        /// Something failed.
        Error = "error",
    }
}

words! {
    /// What the person answers in a test of a turn.
    Answer {
        /// Yes.
        Yes = "yes",
        /// No.
        No = "no",
        /// No answer in time.
        Timeout = "timeout",
        /// Nobody is there.
        NoHuman = "no_human",
    }
}

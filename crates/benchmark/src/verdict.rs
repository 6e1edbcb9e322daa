//! What is expected of a task, what a checker answered, and what that is worth.

use std::fmt;
use std::str::FromStr;

/// The verdict that a task definition states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// The property holds.
    Safe,
    /// The property is violated.
    Unsafe,
}

/// The answer of a checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds.
    Safe,
    /// The property is violated.
    Unsafe,
    /// There is no answer, for this reason.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What kind of reason it is.
    pub class: Class,
    /// The reason in words, on one line.
    pub text: String,
}

/// Kinds of reasons for having no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The program contains something that is not supported.
    Unsupported,
    /// The checker could not read the task.
    Refused,
    /// The checker ended without a proper answer.
    Crash,
    /// The checker gave up for a reason of its own.
    GaveUp,
}

impl Class {
    /// All classes, in the order in which they are shown.
    pub const ALL: [Class; 6] =
        [Class::Timeout, Class::Memory, Class::Unsupported, Class::Refused, Class::Crash, Class::GaveUp];

    /// The class of a reason, from its kind in the checker's document.
    pub(crate) fn of_kind(kind: &str) -> Class {
        match kind {
            "time-limit" => Class::Timeout,
            "memory-limit" => Class::Memory,
            "unsupported" => Class::Unsupported,
            _ => Class::GaveUp,
        }
    }
}

/// What a result is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The answer contradicts the task definition.
    Wrong,
    /// The answer is the expected one, but its evidence was not accepted.
    Rejected,
    /// The answer is the expected one, and its evidence was accepted if that was asked for.
    Correct,
    /// There is no answer.
    Unknown,
}

/// What became of the evidence for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// It was not looked at: nobody asked for it, or there is no answer.
    None,
    /// The certificate was accepted.
    Certified,
    /// The execution was replayed.
    Replayed,
    /// It was not accepted, for this reason.
    Rejected(String),
}

impl Status {
    /// What `verdict` with `evidence` is worth for a task of which `expected` is known.
    pub fn of(expected: Expected, verdict: &Verdict, evidence: &Evidence) -> Status {
        let answer = match verdict {
            Verdict::Unknown(_) => return Status::Unknown,
            Verdict::Safe => Expected::Safe,
            Verdict::Unsafe => Expected::Unsafe,
        };
        match evidence {
            _ if answer != expected => Status::Wrong,
            Evidence::Rejected(_) => Status::Rejected,
            _ => Status::Correct,
        }
    }

    /// The points that the Competition on Software Verification gives. As there, an answer whose
    /// evidence is not accepted earns nothing.
    pub fn score(self, expected: Expected) -> i64 {
        match (self, expected) {
            (Status::Correct, Expected::Safe) => 2,
            (Status::Correct, Expected::Unsafe) => 1,
            (Status::Wrong, Expected::Unsafe) => -32,
            (Status::Wrong, Expected::Safe) => -16,
            (Status::Rejected | Status::Unknown, _) => 0,
        }
    }
}

/// Gives a type the words that stand for its values in files and on the screen.
macro_rules! words {
    ($type:ident: $($variant:ident = $word:literal),+) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.pad(match self { $($type::$variant => $word),+ })
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(word: &str) -> Result<$type, String> {
                match word {
                    $($word => Ok($type::$variant),)+
                    _ => Err(format!("`{word}` is none of: {}", [$($word),+].join(", "))),
                }
            }
        }
    };
}

words!(Expected: Safe = "safe", Unsafe = "unsafe");
words!(Status: Wrong = "wrong", Rejected = "rejected", Correct = "correct", Unknown = "unknown");
words!(Class: Timeout = "timeout", Memory = "memory", Unsupported = "unsupported", Refused = "refused",
       Crash = "crash", GaveUp = "gave up");

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown(_) => "unknown",
        })
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Evidence::None => Ok(()),
            Evidence::Certified => f.write_str("certified"),
            Evidence::Replayed => f.write_str("replayed"),
            Evidence::Rejected(reason) => write!(f, "rejected: {reason}"),
        }
    }
}

impl FromStr for Evidence {
    type Err = String;

    fn from_str(text: &str) -> Result<Evidence, String> {
        match text {
            "" => Ok(Evidence::None),
            "certified" => Ok(Evidence::Certified),
            "replayed" => Ok(Evidence::Replayed),
            _ => match text.strip_prefix("rejected: ") {
                Some(reason) => Ok(Evidence::Rejected(reason.to_owned())),
                None => Err(format!("`{text}` is none of: certified, replayed, rejected: …")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown() -> Verdict {
        Verdict::Unknown(Reason { class: Class::Timeout, text: "timeout".to_owned() })
    }

    #[test]
    fn a_wrong_answer_is_wrong_whatever_its_evidence() {
        for evidence in [Evidence::None, Evidence::Certified, Evidence::Rejected("x".to_owned())] {
            assert_eq!(Status::of(Expected::Unsafe, &Verdict::Safe, &evidence), Status::Wrong);
        }
    }

    #[test]
    fn rejected_evidence_spoils_a_right_answer() {
        let rejected = Evidence::Rejected("x".to_owned());
        assert_eq!(Status::of(Expected::Safe, &Verdict::Safe, &rejected), Status::Rejected);
        assert_eq!(Status::of(Expected::Safe, &Verdict::Safe, &Evidence::None), Status::Correct);
        assert_eq!(Status::of(Expected::Unsafe, &Verdict::Unsafe, &Evidence::Replayed), Status::Correct);
        assert_eq!(Status::of(Expected::Safe, &unknown(), &Evidence::None), Status::Unknown);
    }

    #[test]
    fn scores_are_those_of_the_competition() {
        assert_eq!(Status::Correct.score(Expected::Safe), 2);
        assert_eq!(Status::Correct.score(Expected::Unsafe), 1);
        assert_eq!(Status::Wrong.score(Expected::Unsafe), -32, "a wrong proof");
        assert_eq!(Status::Wrong.score(Expected::Safe), -16, "a wrong alarm");
        assert_eq!(Status::Rejected.score(Expected::Safe), 0);
        assert_eq!(Status::Unknown.score(Expected::Safe), 0);
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for class in Class::ALL {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
        for evidence in [Evidence::None, Evidence::Certified, Evidence::Rejected("a, \"b\"".to_owned())] {
            assert_eq!(evidence.to_string().parse(), Ok(evidence));
        }
        assert!("maybe".parse::<Status>().is_err());
        assert!("maybe".parse::<Evidence>().is_err());
    }

    #[test]
    fn reasons_are_classified_by_the_words_of_the_checker() {
        assert_eq!(Class::of_kind("time-limit"), Class::Timeout);
        assert_eq!(Class::of_kind("memory-limit"), Class::Memory);
        assert_eq!(Class::of_kind("unsupported"), Class::Unsupported);
        assert_eq!(Class::of_kind("bound"), Class::GaveUp);
    }
}

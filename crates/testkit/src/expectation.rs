//! The first lines of a test program: what it expects.
//!
//! ```c
//! // models: lp64            (default: both)
//! // gcc: -fcommon           (further flags for the oracle)
//! // overflow: report        (signed overflow is undefined behaviour; default: it wraps)
//! // inputs: 3, -1           (starts the description of a run; default: none)
//! // expect: finished 0      (the ending of the run, as `Ending` displays it)
//! // undefined: division by zero at 7:12     (instead of `expect`: part of the message)
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use rorqual_cfa::DataModel;

use crate::ending::Ending;

/// What signed overflow means in a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverflowMeaning {
    /// The result wraps, as with gcc's `-fwrapv`.
    #[default]
    Wraps,
    /// It is undefined behaviour.
    Undefined,
}

/// A test program with what its first lines say.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// The data models that it is meant for.
    pub models: Vec<DataModel>,
    /// Further flags for gcc.
    pub gcc_flags: Vec<String>,
    /// What signed overflow means.
    pub overflow: OverflowMeaning,
    /// The runs with their expected endings; empty where gcc is the oracle.
    pub runs: Vec<ExpectedRun>,
}

/// One run of a test program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedRun {
    /// The inputs, one per line.
    pub inputs: String,
    /// The ending, as [`Ending`] displays it; for undefined behaviour a part of the message
    /// suffices.
    pub expected: String,
}

impl ExpectedRun {
    /// Whether a run that ended like this is as expected.
    pub fn accepts(&self, ending: &Ending) -> bool {
        let Some(undefined) = self.expected.strip_prefix("undefined: ") else {
            return ending.to_string() == self.expected;
        };
        let (part, place) = undefined.rsplit_once(" at ").expect("a position follows `at`");
        matches!(ending, Ending::Undefined { message, position } if message.contains(part) && position == place)
    }
}

impl Case {
    /// Reads the first lines of a file.
    ///
    /// # Panics
    /// If they are malformed.
    pub fn read(path: &Path) -> Case {
        let text = fs::read(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        Case::parse(path, &String::from_utf8_lossy(&text))
    }

    fn parse(path: &Path, text: &str) -> Case {
        let mut case = Case {
            path: path.to_owned(),
            models: vec![DataModel::Lp64, DataModel::Ilp32],
            gcc_flags: vec![],
            overflow: OverflowMeaning::Wraps,
            runs: vec![],
        };
        let mut inputs = String::new();
        for line in text.lines() {
            let Some(comment) = line.strip_prefix("// ") else { break };
            let Some((key, value)) = comment.split_once(": ") else { continue };
            match key {
                "models" => case.models = value.split(", ").map(data_model).collect(),
                "gcc" => case.gcc_flags = value.split_whitespace().map(str::to_owned).collect(),
                "overflow" => case.overflow = overflow_meaning(value),
                "inputs" => inputs = value.replace(", ", "\n"),
                "expect" => case
                    .runs
                    .push(ExpectedRun { inputs: std::mem::take(&mut inputs), expected: value.to_owned() }),
                "undefined" => {
                    let expected = format!("undefined: {value}");
                    case.runs.push(ExpectedRun { inputs: std::mem::take(&mut inputs), expected });
                }
                _ => {}
            }
        }
        case
    }
}

fn data_model(name: &str) -> DataModel {
    match name {
        "lp64" => DataModel::Lp64,
        "ilp32" => DataModel::Ilp32,
        _ => panic!("`{name}` is not a data model"),
    }
}

fn overflow_meaning(name: &str) -> OverflowMeaning {
    match name {
        "wraps" => OverflowMeaning::Wraps,
        "report" => OverflowMeaning::Undefined,
        _ => panic!("overflow `{name}` is neither `wraps` nor `report`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lines_are_read() {
        let text = "// models: lp64\n// inputs: 1, -2\n// expect: finished 3\n// undefined: zero at 2:3\nint x;\n// expect: no\n";
        let case = Case::parse(Path::new("a.c"), text);
        assert_eq!(case.models, [DataModel::Lp64]);
        assert_eq!(case.runs.len(), 2);
        assert_eq!(case.runs[0].inputs, "1\n-2");
        assert!(case.runs[0].accepts(&Ending::Finished { status: 3 }));
        assert!(!case.runs[0].accepts(&Ending::Finished { status: 4 }));
    }

    #[test]
    fn undefined_behaviour_needs_message_and_place() {
        let run = ExpectedRun { inputs: String::new(), expected: "undefined: by zero at 2:3".to_owned() };
        let ending = |message: &str, position: &str| Ending::Undefined {
            message: message.to_owned(),
            position: position.to_owned(),
        };
        assert!(run.accepts(&ending("division by zero", "2:3")));
        assert!(!run.accepts(&ending("division by zero", "2:4")));
        assert!(!run.accepts(&ending("shift", "2:3")));
        assert!(!run.accepts(&Ending::Finished { status: 0 }));
    }
}

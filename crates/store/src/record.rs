//! Verdicts as they are stored, with what is needed to check them again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::entry::Kind;
use crate::outline::Outlines;

/// The answer to a question about some properties of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The properties that were searched together.
    pub properties: Vec<String>,
    /// The technique that found the answer, by its name.
    pub technique: String,
    /// Whether it used inferred facts.
    pub with_facts: bool,
    /// Whether it left out the content of the heap.
    pub heap_free: bool,
    /// Why the answer is right.
    pub evidence: Evidence,
}

/// Why an answer is right. There is none for `unknown`, so that is never stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The properties hold.
    Proof {
        /// A certificate in the words of [`Vocabulary`](crate::Vocabulary).
        certificate: String,
        /// Whether it is about the program without models of library functions. A violation never is.
        without_models: bool,
        /// How many milliseconds the checker took. Versions that it holds for as well take about as long.
        #[serde(default)]
        checked_in: u64,
        /// What later versions of the functions that it names are recognised by.
        #[serde(default)]
        outlines: Outlines,
        /// What the solver of the checker has answered, as text. Checking that is cheaper than searching for it again.
        #[serde(default)]
        refutations: Vec<String>,
    },
    /// Some of them are violated: lists of inputs, each for another property.
    Violations(Vec<String>),
}

/// Why a text is not a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it cannot be read: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}

impl Record {
    /// What kind of entry holds it.
    pub fn kind(&self) -> Kind {
        match self.evidence {
            Evidence::Proof { .. } => Kind::Proof,
            Evidence::Violations(_) => Kind::Violation,
        }
    }

    /// The text that is stored.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("it has only texts and flags")
    }

    /// Reads what [`Record::to_text`] writes.
    pub fn parse(text: &str) -> Result<Record, Unreadable> {
        serde_json::from_str(text).map_err(|error| Unreadable(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back_and_others_are_not() {
        let proof = Evidence::Proof {
            certificate: "rorqual certificate 1\n".to_owned(),
            without_models: true,
            checked_in: 20,
            outlines: Outlines::default(),
            refutations: vec!["0".to_owned()],
        };
        for evidence in [proof, Evidence::Violations(vec!["1\n-2\n".to_owned(), String::new()])] {
            let record = Record {
                properties: vec!["main.assertions.1".to_owned()],
                technique: "interpolation".to_owned(),
                with_facts: true,
                heap_free: false,
                evidence,
            };
            assert_eq!(Record::parse(&record.to_text()), Ok(record.clone()));
            let text = record.to_text();
            assert!(Record::parse(&text[..text.len() - 1]).is_err());
        }
        assert!(Record::parse("{}").is_err());
        assert!(Record::parse("unknown").is_err());
    }
}

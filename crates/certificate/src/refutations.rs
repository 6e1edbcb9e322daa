//! Refutations of earlier checks, which spare the search for them.

use rorqual_solver::proof::Transcript;

/// What a check takes from an earlier one of the same claim about the same program, and what it leaves for later ones. None of it is
/// believed: each step of a refutation is checked for the obligation at hand. What does not fit is searched.
#[derive(Debug, Default)]
pub struct Refutations {
    earlier: std::vec::IntoIter<Transcript>,
    keeps: bool,
    kept: Vec<Transcript>,
}

impl Refutations {
    /// Those of an earlier check.
    pub fn of(earlier: Vec<Transcript>) -> Refutations {
        Refutations { earlier: earlier.into_iter(), ..Refutations::default() }
    }

    /// None yet; those of this check are kept.
    pub fn to_keep() -> Refutations {
        Refutations { keeps: true, ..Refutations::default() }
    }

    /// What this check has kept.
    pub fn kept(self) -> Vec<Transcript> {
        self.kept
    }

    /// What the next solver takes.
    pub(crate) fn next(&mut self) -> Option<Transcript> {
        self.earlier.next()
    }

    /// Whether those of this check are kept.
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Keeps what it has answered. If there is too much of it, an empty transcript has its place.
    pub(crate) fn keep(&mut self, transcript: Option<Transcript>) {
        if self.keeps {
            self.kept.push(transcript.unwrap_or_default());
        }
    }
}

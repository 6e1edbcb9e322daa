//! Who looks at the evidence of answers.

use rorqual_engines::Task;
use rorqual_evidence::Answer;
use rorqual_solver::Limits;

/// What a judge makes of an answer.
#[derive(Debug)]
pub enum Judged<V> {
    /// The evidence was accepted: the search is over.
    Accepted(V),
    /// There is no verdict, or its evidence was not accepted: other parts of a strategy may do better.
    Open(V),
}

/// Looks at the evidence of answers.
pub trait Judge: Sync {
    /// What becomes of answers.
    type Outcome: Send;

    /// Looks at the evidence of an answer about a task.
    fn judge(&self, task: &Task<'_>, answer: Answer, limits: &Limits) -> Judged<Self::Outcome>;

    /// Which of two open outcomes says more, if no part of a strategy has the answer.
    fn prefer(&self, earlier: Self::Outcome, later: Self::Outcome) -> Self::Outcome;
}

//! What reaches an engine from outside of its own search: proved facts, through one service.

use rorqual_encoding::Encoding;
use rorqual_evidence::{Answer, Observer};
use rorqual_inference::contracts::{Contracts, Formulas};
use rorqual_inference::{Facts, Interest};
use rorqual_solver::Limits;

/// Formulas that an engine found to matter.
#[derive(Debug, Clone, Copy)]
pub enum Mattering<'a> {
    /// At points, in a program whose calls are inlined.
    AtPoints(&'a Interest),
    /// About procedures.
    OfProcedures(&'a Formulas),
}

/// What a consultation gives.
#[derive(Debug)]
pub enum Advice {
    /// Nothing that was not known.
    Nothing,
    /// More facts or contracts.
    Facts,
    /// The answer: facts that exclude all violations, or a violation.
    Answer(Box<Answer>),
}

/// Proves facts for an engine that asks. With `()`, which knows nothing, an engine does what its paper says and nothing
/// beside it.
pub trait Inference {
    /// What holds at points.
    fn facts(&self) -> &Facts;

    /// What holds for all calls of procedures.
    fn contracts(&self) -> &Contracts;

    /// Whether it is worth a consultation after so many refinements.
    fn is_due(&self, refinements: usize) -> bool;

    /// Tries to prove more after so many refinements, given what matters. Formulas are those of the encoding.
    fn consult(
        &mut self,
        encoding: &mut Encoding<'_>,
        mattering: Mattering<'_>,
        refinements: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Advice;
}

static NO_FACTS: Facts = Facts::none();
static NO_CONTRACTS: Contracts = Contracts::none();

/// Knows nothing.
impl Inference for () {
    fn facts(&self) -> &Facts {
        &NO_FACTS
    }

    fn contracts(&self) -> &Contracts {
        &NO_CONTRACTS
    }

    fn is_due(&self, _: usize) -> bool {
        false
    }

    fn consult(
        &mut self,
        _: &mut Encoding<'_>,
        _: Mattering<'_>,
        _: usize,
        _: &Limits,
        _: &mut dyn Observer,
    ) -> Advice {
        Advice::Nothing
    }
}

//! The recursion-free analyzer that the reduction asks, as a black box.

use rorqual_evidence::{Claim, Event, Invariant, Observer, Reason, Verdict, Violation};
use rorqual_solver::Limits;

use crate::impact::Impact;
use crate::predicate::Predicate;
use crate::registry::Engine;
use crate::task::Task;

use super::program::Reduced;

/// Proves programs without recursion, with what holds at their marked locations, or finds errors.
pub trait Analyzer: Send + Sync {
    /// The name behind `--analyzer`.
    fn name(&self) -> &'static str;

    /// BASICANALYZER.
    fn analyze(&self, reduced: &Reduced, limits: &Limits, observer: &mut dyn Observer) -> Finding;
}

/// What an analyzer says of a program.
#[derive(Debug)]
pub enum Finding {
    /// It has no error; an inductive invariant says why. Locations that it does not have may satisfy anything.
    Pass(Invariant),
    /// It has an error.
    Error(Violation),
    /// Nothing.
    Unknown(Reason),
}

/// An engine as the analyzer.
struct Internal<E>(E);

impl<E: Engine> Analyzer for Internal<E> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn analyze(&self, reduced: &Reduced, limits: &Limits, observer: &mut dyn Observer) -> Finding {
        let answer = self.0.run(&Task::new(&reduced.program), &mut (), limits, &mut Inner(observer));
        match answer.verdict {
            Verdict::Safe(Claim::Invariant(invariant)) => Finding::Pass(invariant),
            Verdict::Safe(Claim::Unwinding(_)) => Finding::Pass(Invariant::empty()),
            Verdict::Unsafe(violation) => Finding::Error(violation),
            Verdict::Unknown(reason) => Finding::Unknown(reason),
        }
    }
}

/// The analyzers that can be asked for by name, each with what it is.
pub const ANALYZERS: [(&str, &str); 2] = [
    ("impact", "lazy abstraction with interpolants"),
    ("predicate", "predicate abstraction with predicates from proofs"),
];

/// The analyzer with a name.
pub fn analyzer(name: &str) -> Option<Box<dyn Analyzer>> {
    match name {
        "impact" => Some(Box::new(Internal(Impact::default()))),
        "predicate" => Some(Box::new(Internal(Predicate::default()))),
        _ => None,
    }
}

/// Learns what an analyzer does, but not that it starts: it is a part of another engine.
struct Inner<'o>(&'o mut dyn Observer);

impl Observer for Inner<'_> {
    fn on(&mut self, event: Event) {
        if !matches!(event, Event::Started { .. }) {
            self.0.on(event);
        }
    }
}

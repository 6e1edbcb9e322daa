//! Proofs of earlier versions that do not hold any more. Their formulas are candidates: those that are still inductive are
//! kept, their atoms are what the next inference rounds begin with, and IMPACT searches for the rest.

use rorqual_cfa::LocationId;
use rorqual_encoding::{Detail, Encoding};
use rorqual_engines::impact::Impact;
use rorqual_engines::{Engine, Task};
use rorqual_evidence::{Answer, CallString, Invariant};
use rorqual_inference::proof::{all_points, conjuncts_of};
use rorqual_inference::{Facts, Interest, inductive};
use rorqual_logic::{Sort, smtlib};
use rorqual_solver::Limits;

use crate::facts::FactInference;

/// A repair that needs more refinements than these is a search, which has better ways.
const REFINEMENTS: usize = 100;
const CONFLICTS: u32 = 20_000;

/// Searches for a proof, given the invariant of an earlier version in the words of this one.
pub fn repair(task: &Task<'_>, earlier: &Invariant, detail: Detail, limits: &Limits) -> Answer {
    let impact =
        Impact { detail, refinements: Some(REFINEMENTS), conflicts: Some(CONFLICTS), ..Impact::default() };
    let mut inference = FactInference::repairing(task, Earlier::of(earlier));
    impact.run(task, &mut inference, limits, &mut ())
}

/// What an earlier version's invariant says, place by place.
pub(crate) struct Earlier {
    places: Vec<(CallString, LocationId, String)>,
}

impl Earlier {
    fn of(invariant: &Invariant) -> Earlier {
        let text = |one: &rorqual_evidence::LocationInvariant| {
            let text = smtlib::term_text(&invariant.pool, one.formula);
            (one.calls.clone(), one.location, text)
        };
        Earlier { places: invariant.locations.iter().map(text).collect() }
    }

    /// The formulas at the points of a program, as far as they are about something that it has.
    pub(crate) fn interest(&self, encoding: &mut Encoding<'_>) -> Interest {
        // The names of cells are known once the blocks that mention them are translated.
        let points = all_points(encoding);
        let addresses = encoding.declare_addresses();
        let mut interest = Interest::new();
        for point in points {
            let calls = encoding.calls(point.context);
            let here = self.places.iter().filter(|(of, at, _)| *of == calls && *at == point.location);
            for (_, _, text) in here {
                let Ok(term) = smtlib::parse_term(&mut encoding.pool, text) else { continue };
                if encoding.pool.sort(term) == Sort::Bool {
                    let formula = encoding.pool.substitute(term, &addresses);
                    interest.entry(point).or_default().push(formula);
                }
            }
        }
        interest
    }
}

/// The conjuncts of formulas that are still inductive.
pub(crate) fn still_inductive(encoding: &mut Encoding<'_>, interest: &Interest, limits: &Limits) -> Facts {
    let points: Vec<_> = all_points(encoding).into_iter().collect();
    let mut candidates = Interest::new();
    for (&point, formulas) in interest {
        let mut all = Vec::new();
        for &formula in formulas {
            all.extend(conjuncts_of(&mut encoding.pool, &[formula]));
        }
        candidates.insert(point, all);
    }
    let mut facts = Facts::none();
    let kept = inductive(encoding, &points, &facts, candidates, limits);
    facts.add(&mut encoding.pool, kept);
    facts
}

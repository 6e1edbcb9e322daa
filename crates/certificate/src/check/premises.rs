//! What obligations rest on: operations that C leaves undefined for some operands.
//!
//! Behind such an operation executions go on: any value is read or computed, and nothing is written. An
//! obligation that holds all the same is unconditional. Each operation has a Boolean that says that it is assumed to be
//! defined; of an obligation that does not hold without them, the refutation with all of them tells which it needs.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::{Callee, HaltKind, Hazard, Operation, Program};
use rorqual_logic::{Term, TermPool};
use rorqual_solver::{GaveUp, Limits};

use super::step::Births;
use super::stretch::Stretch;
use super::{Checker, Obligation, Query, Stop, within};

/// The conflicts after which an obligation is tried with assumptions.
const UNCONDITIONAL_CONFLICTS: u32 = 20_000;
/// The conflicts for finding out which assumptions are needed; all of them are, if that takes longer.
const CORE_CONFLICTS: u32 = 20_000;
/// Of so few assumptions, it is tried for each whether the others suffice, each time with so many conflicts.
const FEW_ASSUMPTIONS: usize = 12;
const SPARING_CONFLICTS: u32 = 1_000;

/// What a check may assume of operations that C leaves undefined for some operands.
#[derive(Debug, Clone, Copy)]
pub enum Premises<'a> {
    /// These are defined whenever they are executed, and nothing else.
    Exactly(&'a [Hazard]),
    /// These are defined, and so are others where the proof needs that.
    AtLeast(&'a [Hazard]),
}

impl<'a> Premises<'a> {
    /// What is assumed in any case.
    pub(crate) fn given(self) -> &'a [Hazard] {
        match self {
            Premises::Exactly(hazards) | Premises::AtLeast(hazards) => hazards,
        }
    }

    pub(crate) fn may_grow(self) -> bool {
        matches!(self, Premises::AtLeast(_))
    }
}

/// The operations of a program whose undefined behaviour changes its control.
pub(super) fn control_hazards(program: &Program) -> BTreeSet<Hazard> {
    let mut hazards = BTreeSet::new();
    for (function, details) in program.functions.iter() {
        for edge in details.body.iter().flat_map(|body| body.edges().values()) {
            match edge.operation {
                Operation::Call { callee: Callee::Pointer(pointer), .. } => {
                    hazards.insert(Hazard::Callee(pointer));
                }
                Operation::Halt(HaltKind::Unreachable) => {
                    hazards.insert(Hazard::Unreachable(function, edge.span));
                }
                _ => {}
            }
        }
    }
    hazards
}

impl Checker<'_> {
    /// Refutes the formulas of an obligation. Where that takes assumptions, they are added to the obligation, and to
    /// what is assumed from then on.
    pub(super) fn prove(
        &mut self,
        obligation: &mut Obligation,
        births: &Births,
        stretch: &Stretch,
        limits: &Limits,
    ) -> Result<(), Stop> {
        let (known, open) = self.assumptions(obligation, births);
        obligation.formulas.extend(known);
        if open.is_empty() || !self.may_assume {
            return self.refuted(obligation, &[], stretch, limits).map(drop);
        }
        let few = within(limits, UNCONDITIONAL_CONFLICTS);
        match self.refuted(obligation, &[], stretch, &few) {
            Ok(_) => return Ok(()),
            Err(stop) if stop.is_final() => return Err(stop),
            Err(_) => {}
        }
        let needed = self.needed(obligation, open, stretch, limits)?;
        self.assumed.extend(needed.iter().map(|symbol| births.assumptions[symbol]));
        obligation.formulas.extend(needed);
        Ok(())
    }

    /// The assumptions that an obligation may use: those that are made, and the others.
    fn assumptions(&self, obligation: &Obligation, births: &Births) -> (Vec<Term>, Vec<Term>) {
        let occurs = |term: &Term| births.assumptions.contains_key(term);
        let symbols = self.pool.subterms(&obligation.formulas).into_iter().filter(occurs);
        symbols.partition(|symbol| self.assumed.contains(&births.assumptions[symbol]))
    }

    /// The assumptions that an obligation needs, among some that it may use.
    fn needed(
        &mut self,
        obligation: &Obligation,
        open: Vec<Term>,
        stretch: &Stretch,
        limits: &Limits,
    ) -> Result<Vec<Term>, Stop> {
        match self.refuted(obligation, &open, stretch, &within(limits, CORE_CONFLICTS)) {
            Ok(needed) => Ok(self.without_spare(obligation, needed, stretch, limits)),
            Err(Stop::Limit { reason: GaveUp::Conflicts, .. }) => {
                // Formulas are simpler once nothing can be undefined.
                let assumed = obligation_without(&mut self.pool, obligation, &open);
                self.refuted(&assumed, &[], stretch, limits)?;
                Ok(open)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Assumptions that suffice, without those that the others make unnecessary.
    fn without_spare(
        &mut self,
        obligation: &Obligation,
        mut needed: Vec<Term>,
        stretch: &Stretch,
        limits: &Limits,
    ) -> Vec<Term> {
        if needed.len() > FEW_ASSUMPTIONS {
            return needed;
        }
        for symbol in needed.clone() {
            let others: Vec<Term> = needed.iter().copied().filter(|&other| other != symbol).collect();
            let limits = within(limits, SPARING_CONFLICTS);
            if others.len() < needed.len()
                && let Ok(fewer) = self.refuted(obligation, &others, stretch, &limits)
            {
                needed = fewer;
            }
        }
        needed
    }

    /// Refutes an obligation under assumptions, case by case if need be, and gives those that are needed.
    fn refuted(
        &mut self,
        obligation: &Obligation,
        assumptions: &[Term],
        stretch: &Stretch,
        limits: &Limits,
    ) -> Result<Vec<Term>, Stop> {
        let mut query = Query { obligation, assumptions, stretch, needed: BTreeSet::new() };
        let splits = [obligation.cases.as_slice(), obligation.alternatives.as_slice()];
        self.refute_by(&mut query, &splits, &mut Vec::new(), limits)?;
        Ok(query.needed.into_iter().collect())
    }
}

/// An obligation in which assumptions are made.
fn obligation_without(pool: &mut TermPool, obligation: &Obligation, assumptions: &[Term]) -> Obligation {
    let holds = pool.top();
    let values: HashMap<Term, Term> = assumptions.iter().map(|&symbol| (symbol, holds)).collect();
    let formulas = obligation.formulas.iter().map(|&formula| pool.substitute(formula, &values)).collect();
    Obligation { formulas, ..obligation.clone() }
}

//! Satisfiability of formulas over bit-vectors, arrays and functions, for many queries: each term
//! is translated to clauses once, and queries run under assumptions.

pub(crate) mod cadical;

use std::fmt;

use rorqual_logic::{Term, TermPool};

use crate::answer::{Answer, GaveUp};
use crate::blast::gates::{FALSE, TRUE};
use crate::blast::{Blaster, Leaves};
use crate::lemmas::{Anywhere, Candidate, Cone, Instances, Verdict};
use crate::limits::Limits;
use crate::model::Model;
use crate::proof::Literal;
use crate::sat::cadical::{Budget, Cadical};

/// Assumptions that contradict each other and what is asserted, in the order of the query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Core {
    assumptions: Vec<Term>,
}

impl Core {
    /// The assumptions; none if the assertions contradict each other.
    pub fn assumptions(&self) -> &[Term] {
        &self.assumptions
    }
}

/// An incremental solver for the terms of one pool.
pub struct BitVecSolver {
    sat: Cadical,
    leaves: Leaves,
    blaster: Blaster,
    instances: Instances,
    /// Assertions that stay, and those of each open frame.
    frames: Vec<Vec<Term>>,
}

impl fmt::Debug for BitVecSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitVecSolver").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl Default for BitVecSolver {
    fn default() -> BitVecSolver {
        BitVecSolver::new()
    }
}

impl BitVecSolver {
    /// A solver without assertions.
    pub fn new() -> BitVecSolver {
        let leaves = Leaves::default();
        let blaster = Blaster::new(&leaves);
        BitVecSolver {
            sat: Cadical::new(),
            leaves,
            blaster,
            instances: Instances::default(),
            frames: vec![Vec::new()],
        }
    }

    /// Opens a frame of assertions.
    pub fn push(&mut self) {
        self.frames.push(Vec::new());
    }

    /// Drops every assertion made since the matching [`push`](Self::push).
    ///
    /// # Panics
    /// Without a matching `push`.
    pub fn pop(&mut self) {
        assert!(self.frames.len() > 1, "every pop has its push");
        self.frames.pop();
    }

    /// Asserts a formula until the frame is popped.
    pub fn assert(&mut self, formula: Term) {
        self.frames.last_mut().expect("the first frame is never popped").push(formula);
    }

    /// How many variables the clauses have: a measure of the solver's size.
    pub fn variables(&self) -> usize {
        usize::try_from(self.leaves.variables()).unwrap_or(0)
    }

    /// Decides the live assertions together with the assumptions.
    pub fn check(
        &mut self,
        pool: &mut TermPool,
        assumptions: &[Term],
        limits: &Limits,
    ) -> Answer<Model, Core> {
        match self.decide(pool, assumptions, limits) {
            Ok(answer) => answer,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn decide(
        &mut self,
        pool: &mut TermPool,
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Answer<Model, Core>, GaveUp> {
        let mut budget = Budget::new(limits);
        let asserted: Vec<Term> = self.frames.concat();
        let mut literals = Vec::new();
        let mut named = Vec::new();
        for &term in &asserted {
            match self.literal(pool, term, limits)? {
                FALSE => return Ok(Answer::Unsat(Core::default())),
                literal => literals.push(literal),
            }
        }
        for &term in assumptions {
            match self.literal(pool, term, limits)? {
                FALSE => return Ok(Answer::Unsat(Core { assumptions: vec![term] })),
                literal => named.push((literal, term)),
            }
        }
        literals.extend(named.iter().map(|&(literal, _)| literal));
        literals.sort_unstable();
        literals.dedup();
        literals.retain(|&literal| literal != TRUE);
        let roots: Vec<Term> = asserted.iter().chain(assumptions).copied().collect();
        loop {
            if !self.sat.solve(&literals, &mut budget)? {
                return Ok(Answer::Unsat(self.core(&named)));
            }
            let cone = Cone::of(pool, &roots, &self.instances);
            let sat = &mut self.sat;
            let mut candidate =
                Candidate::new(pool, &self.leaves, cone.leaves(), |literal| sat.holds(literal));
            match self.instances.check(pool, &cone, &mut candidate, &mut Anywhere) {
                Verdict::Consistent(model) => {
                    debug_assert!(roots.iter().all(|&root| model.satisfies(pool, root)), "models satisfy");
                    return Ok(Answer::Sat(model));
                }
                Verdict::Violates(instances) => self.add_instances(pool, &instances, limits)?,
            }
        }
    }

    /// The literal of a formula, whose clauses the SAT solver then has.
    fn literal(&mut self, pool: &TermPool, term: Term, limits: &Limits) -> Result<Literal, GaveUp> {
        let literal = self.blaster.literal(pool, &mut self.leaves, term, limits);
        self.sat.add(&self.blaster.take_clauses());
        literal
    }

    /// Asserts valid formulas for ever.
    fn add_instances(&mut self, pool: &TermPool, instances: &[Term], limits: &Limits) -> Result<(), GaveUp> {
        for &instance in instances {
            let literal = self.literal(pool, instance, limits)?;
            debug_assert_ne!(literal, FALSE, "instances are valid");
            if literal != TRUE {
                self.sat.add(&[literal, 0]);
            }
        }
        Ok(())
    }

    fn core(&mut self, named: &[(Literal, Term)]) -> Core {
        let mut seen: Vec<Literal> = Vec::new();
        let mut assumptions = Vec::new();
        for &(literal, term) in named {
            if literal != TRUE && !seen.contains(&literal) && self.sat.is_failed(literal) {
                seen.push(literal);
                assumptions.push(term);
            }
        }
        Core { assumptions }
    }
}

//! Satisfiability of formulas over bit-vectors, arrays and functions, for many queries: each term
//! is translated to clauses once, and queries run under assumptions.

pub(crate) mod cadical;
mod checked;
mod reduction;

use std::collections::HashSet;
use std::fmt;

use rorqual_logic::{Assignment, Lifter, Sort, Term, TermPool};

use crate::answer::{Answer, GaveUp};
use crate::blast::gates::{FALSE, TRUE};
use crate::blast::{Blaster, Leaves};
use crate::lemmas::{Anywhere, Candidate, Cone, Instances, Verdict};
use crate::limits::Limits;
use crate::model::Model;
use crate::proof::{Literal, Transcript};
use crate::sat::cadical::{Budget, Cadical};
use crate::sat::checked::Checked;
use crate::sat::reduction::{Reduction, Rest};

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

/// A query that takes more conflicts is tried with conditionals lifted out of comparisons, and as it is only if that takes
/// more than so many too.
const FIRST_CONFLICTS: u32 = 3_000;
const LIFTED_CONFLICTS: u32 = 3_000;
/// So many formulas may be made for that. Where conditionals are nested in sums there would be many more, and nothing is won.
const MOST_LIFTED: usize = 2_000;

/// Whether what is left of a query holds: by an assignment, or not because of some formulas.
enum Decided {
    Sat(Assignment),
    Unsat(Vec<Rest>),
}

/// The solver of clauses.
enum Sat {
    Plain(Cadical),
    Checked(Box<Checked>),
}

impl Sat {
    fn add(&mut self, clauses: &[Literal]) {
        match self {
            Sat::Plain(sat) => sat.add(clauses),
            Sat::Checked(sat) => sat.add(clauses),
        }
    }

    fn solve(&mut self, assumptions: &[Literal], budget: &mut Budget<'_>) -> Result<bool, GaveUp> {
        match self {
            Sat::Plain(sat) => sat.solve(assumptions, budget),
            Sat::Checked(sat) => sat.solve(assumptions, budget),
        }
    }

    fn holds(&mut self, literal: Literal) -> bool {
        match self {
            Sat::Plain(sat) => sat.holds(literal),
            Sat::Checked(sat) => sat.holds(literal),
        }
    }

    fn is_failed(&mut self, assumption: Literal) -> bool {
        match self {
            Sat::Plain(sat) => sat.is_failed(assumption),
            Sat::Checked(sat) => sat.is_failed(assumption),
        }
    }
}

/// An incremental solver for the terms of one pool.
pub struct BitVecSolver {
    sat: Sat,
    leaves: Leaves,
    blaster: Blaster,
    instances: Instances,
    /// Assertions that stay, and those of each open frame.
    frames: Vec<Vec<Term>>,
    /// What was asserted for ever and speaks of arrays: models are to be consistent with it.
    lasting: Vec<Term>,
    lifter: Lifter,
    /// Whether defined symbols are eliminated from queries.
    eliminates: bool,
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
            sat: Sat::Plain(Cadical::new()),
            leaves,
            blaster,
            instances: Instances::default(),
            frames: vec![Vec::new()],
            lasting: Vec::new(),
            lifter: Lifter::within(MOST_LIFTED),
            eliminates: true,
        }
    }

    /// A solver for queries that are nearly the same, apart from a few literals: formulas are left as they are, so that
    /// their clauses, and what was learned from them, serve all queries.
    pub fn for_similar_queries() -> BitVecSolver {
        BitVecSolver { eliminates: false, ..BitVecSolver::new() }
    }

    /// A solver for similar queries whose refutations are checked: `Unsat` is answered only if each step of the SAT solver
    /// follows from the clauses before it. Formulas are translated as they are.
    pub fn checked() -> BitVecSolver {
        BitVecSolver::checked_with(None, false)
    }

    /// The same, with the [transcript](BitVecSolver::transcript) of one that was asked the same questions in the same order: as long as it
    /// fits, nothing is searched. Its refutations are checked like any others; its models are not, so whoever uses one has to. Without a
    /// transcript one can be kept.
    pub fn checked_with(transcript: Option<Transcript>, keeps: bool) -> BitVecSolver {
        let sat = Sat::Checked(Box::new(Checked::new(transcript, keeps)));
        BitVecSolver { sat, eliminates: false, ..BitVecSolver::new() }
    }

    /// What was answered so far, if that is kept and is not too much.
    pub fn transcript(&self) -> Option<Transcript> {
        match &self.sat {
            Sat::Plain(_) => None,
            Sat::Checked(sat) => sat.transcript(),
        }
    }

    /// Says that nobody will rest anything on the last model: a transcript need not have it.
    pub fn forget_model(&mut self) {
        if let Sat::Checked(sat) = &mut self.sat {
            sat.forget_model();
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

    /// Asserts a formula that is never taken back, in a solver for similar queries.
    ///
    /// # Errors
    /// If the formula does not fit the limits; then nothing is asserted.
    ///
    /// # Panics
    /// If the solver eliminates symbols: those of the formula would be lost.
    pub fn assert_for_ever(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        limits: &Limits,
    ) -> Result<(), GaveUp> {
        assert!(!self.eliminates, "symbols stay");
        match self.literal(pool, formula, limits)? {
            TRUE => return Ok(()),
            FALSE => self.sat.add(&[0]),
            literal => self.sat.add(&[literal, 0]),
        }
        if mentions_arrays(pool, &[formula]) {
            self.lasting.push(formula);
        }
        Ok(())
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
        let asserted: Vec<Term> = self.frames.iter().flatten().chain(assumptions).copied().collect();
        let reduction =
            if self.eliminates { Reduction::of(pool, &asserted) } else { Reduction::none(&asserted) };
        let rest = reduction.rest().to_vec();
        let mut budget = Budget::new(limits);
        if matches!(self.sat, Sat::Checked(_)) {
            let decided = self.decide_rest(pool, &rest, &mut budget, limits);
            return decided.map(|decided| self.answered(pool, &asserted, assumptions, reduction, decided));
        }
        let mut decided = self.decide_rest(pool, &rest, &mut budget.first(FIRST_CONFLICTS), limits);
        if decided.as_ref().err() == Some(&GaveUp::Conflicts) && budget.has_more_than(FIRST_CONFLICTS) {
            let lifted = self.lifted(pool, &rest);
            if lifted.iter().zip(&rest).any(|(one, other)| one.formula != other.formula) {
                let mut second = budget.first(LIFTED_CONFLICTS);
                decided = self.decide_rest(pool, &lifted, &mut second, limits);
            }
            if decided.as_ref().err() == Some(&GaveUp::Conflicts) {
                decided = self.decide_rest(pool, &rest, &mut budget, limits);
            }
        }
        decided.map(|decided| self.answered(pool, &asserted, assumptions, reduction, decided))
    }

    /// What was decided of a query, in terms of the query.
    fn answered(
        &self,
        pool: &mut TermPool,
        asserted: &[Term],
        assumptions: &[Term],
        mut reduction: Reduction,
        decided: Decided,
    ) -> Answer<Model, Core> {
        match decided {
            Decided::Unsat(failed) => Answer::Unsat(self.core(pool, assumptions, &reduction, &failed)),
            Decided::Sat(mut assignment) => {
                reduction.extend(pool, &mut assignment);
                let model = Model::new(assignment);
                let satisfies = |&formula: &Term| model.satisfies(pool, formula);
                debug_assert!(asserted.iter().all(satisfies), "models satisfy");
                Answer::Sat(model)
            }
        }
    }

    /// Decides what is left of a query.
    fn decide_rest(
        &mut self,
        pool: &mut TermPool,
        rest: &[Rest],
        budget: &mut Budget<'_>,
        limits: &Limits,
    ) -> Result<Decided, GaveUp> {
        let mut named = Vec::with_capacity(rest.len());
        for &rest in rest {
            match self.literal(pool, rest.formula, limits)? {
                FALSE => return Ok(Decided::Unsat(vec![rest])),
                TRUE => {}
                literal => named.push((literal, rest)),
            }
        }
        let mut literals: Vec<Literal> = named.iter().map(|&(literal, _)| literal).collect();
        literals.sort_unstable();
        literals.dedup();
        let mut roots: Vec<Term> = rest.iter().map(|rest| rest.formula).collect();
        roots.extend_from_slice(&self.lasting);
        loop {
            if !self.sat.solve(&literals, budget)? {
                return Ok(Decided::Unsat(self.failed(&named)));
            }
            let cone = Cone::of(pool, &roots, &self.instances);
            let sat = &mut self.sat;
            let mut candidate =
                Candidate::new(pool, &self.leaves, cone.leaves(), |literal| sat.holds(literal));
            match self.instances.check(pool, &cone, &mut candidate, &mut Anywhere) {
                Verdict::Consistent(model) => return Ok(Decided::Sat(model.into_assignment())),
                Verdict::Violates(instances) => self.add_instances(pool, &instances, limits)?,
            }
        }
    }

    /// Formulas with conditionals lifted out of comparisons, if they are about numbers only.
    fn lifted(&mut self, pool: &mut TermPool, rest: &[Rest]) -> Vec<Rest> {
        let mut lifted = rest.to_vec();
        let formulas: Vec<Term> = rest.iter().map(|rest| rest.formula).collect();
        if mentions_arrays(pool, &formulas) {
            return lifted;
        }
        for rest in &mut lifted {
            rest.formula = self.lifter.lifted(pool, rest.formula);
        }
        lifted
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

    /// The formulas whose literals the last refutation uses.
    fn failed(&mut self, named: &[(Literal, Rest)]) -> Vec<Rest> {
        let mut seen: HashSet<Literal> = HashSet::new();
        let is_failed =
            |(literal, _): &&(Literal, Rest)| seen.insert(*literal) && self.sat.is_failed(*literal);
        named.iter().filter(is_failed).map(|&(_, rest)| rest).collect()
    }

    /// The assumptions that formulas of the rest come from.
    fn core(&self, pool: &TermPool, assumptions: &[Term], reduction: &Reduction, failed: &[Rest]) -> Core {
        let first = self.frames.iter().map(Vec::len).sum::<usize>();
        let sources = reduction.sources(pool, failed.iter().copied());
        let positions = sources.into_iter().filter_map(|source| source.checked_sub(first));
        let mut seen: HashSet<Term> = HashSet::new();
        let terms = positions.map(|position| assumptions[position]).filter(|&term| seen.insert(term));
        Core { assumptions: terms.collect() }
    }
}

fn mentions_arrays(pool: &TermPool, formulas: &[Term]) -> bool {
    let is_array = |&term: &Term| matches!(pool.sort(term), Sort::Array { .. });
    pool.subterms(formulas).iter().any(is_array)
}

//! `CaDiCaL` under limits. Nothing else in this crate names it but the recorder of proofs.

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};

use crate::answer::GaveUp;
use crate::limits::Limits;
use crate::proof::Literal;

/// Asks the limits of the current query whether to stop.
struct Spent(Rc<RefCell<Limits>>);

impl Terminator for Spent {
    fn terminated(&mut self) -> bool {
        self.0.borrow().spent().is_some()
    }
}

/// How many cache lines the search may touch for each conflict that it may have.
const TICKS_PER_CONFLICT: u32 = 20_000;

/// A SAT solver.
pub(crate) struct Cadical {
    solver: CaDiCal,
    limits: Rc<RefCell<Limits>>,
}

impl Cadical {
    /// A solver without clauses.
    pub(crate) fn new() -> Cadical {
        let mut solver = CaDiCal::new();
        solver.set("quiet", 1);
        // Bounded variable addition would number variables of its own.
        solver.set("factor", 0);
        solver.set("lucky", 0);
        // Looking for equivalent gates takes longer than most queries, and terms share their gates already.
        solver.set("congruence", 0);
        let limits = Rc::new(RefCell::new(Limits::none()));
        solver.connect_terminator(Spent(limits.clone()));
        Cadical { solver, limits }
    }

    /// A solver without clauses whose steps a tracer sees, each with its antecedents.
    pub(crate) fn with_tracer<T: ProofTracer + 'static>(tracer: T) -> Cadical {
        let mut this = Cadical::new();
        this.solver.connect_proof_tracer1(tracer, true, false);
        this
    }

    /// Adds clauses, each ended by a zero.
    pub(crate) fn add(&mut self, clauses: &[Literal]) {
        for &literal in clauses {
            self.solver.add(literal);
        }
    }

    /// Whether the clauses are satisfiable under assumptions.
    pub(crate) fn solve(&mut self, assumptions: &[Literal], budget: &mut Budget) -> Result<bool, GaveUp> {
        budget.limits.check(0)?;
        self.limits.replace(budget.limits.clone());
        for &assumption in assumptions {
            self.solver.assume(assumption);
        }
        if let Some(conflicts) = budget.conflicts {
            self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
            // In large formulas already the way to the first conflict is long.
            let ticks = conflicts.saturating_mul(TICKS_PER_CONFLICT);
            self.solver.limit("ticks", i32::try_from(ticks).unwrap_or(i32::MAX));
        }
        let before = self.conflicts();
        let status = self.solver.solve();
        let used = self.conflicts() - before;
        budget.conflicts = budget.conflicts.map(|conflicts| conflicts.saturating_sub(used));
        match status {
            Status::SATISFIABLE => Ok(true),
            Status::UNSATISFIABLE => Ok(false),
            Status::UNKNOWN => Err(budget.limits.spent().unwrap_or(GaveUp::Conflicts)),
        }
    }

    /// Tells the tracer which clauses the last refutation ends with.
    pub(crate) fn conclude(&mut self) {
        self.solver.conclude();
    }

    fn conflicts(&self) -> u32 {
        u32::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(u32::MAX)
    }

    /// Whether a literal holds in the last model. Literals that no clause has are false.
    pub(crate) fn holds(&mut self, literal: Literal) -> bool {
        self.solver.val(literal) > 0
    }

    /// Whether the last refutation uses an assumption.
    pub(crate) fn is_failed(&mut self, assumption: Literal) -> bool {
        self.solver.failed(assumption)
    }
}

/// What is left of the limits of a query that takes several calls.
pub(crate) struct Budget<'a> {
    limits: &'a Limits,
    conflicts: Option<u32>,
}

impl<'a> Budget<'a> {
    /// All of the limits.
    pub(crate) fn new(limits: &'a Limits) -> Budget<'a> {
        Budget { limits, conflicts: limits.conflicts() }
    }

    /// A part of what is left.
    pub(crate) fn first(&self, conflicts: u32) -> Budget<'a> {
        let least = self.conflicts.map_or(conflicts, |left| left.min(conflicts));
        Budget { conflicts: Some(least), ..*self }
    }

    /// Whether there is more than such a part.
    pub(crate) fn has_more_than(&self, conflicts: u32) -> bool {
        self.conflicts.is_none_or(|left| left > conflicts)
    }
}

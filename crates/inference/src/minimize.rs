//! Minimising proofs: the conjuncts that a proof by induction needs.
//!
//! Labels and inferred facts hold more than a proof needs. The exclusion of violations needs some conjuncts, and their
//! induction needs others; what is not reached that way is dropped. Unsatisfiable cores tell.

use std::collections::BTreeSet;

use rorqual_encoding::Encoding;
use rorqual_logic::Term;
use rorqual_solver::{Answer, BitVecSolver, Limits};

use crate::obligations::{Lists, Obligations, Premise, violated};

budget! {
    /// What minimising may cost besides one query per step, which has no budget of its own: without it there is no proof.
    pub struct Budget {
        /// At most 300 queries whether a conjunct of a core can be dropped: one per conjunct of a core.
        pub queries: usize = 300,
        /// At most 2,000 conflicts for each of them: a query that is harder than the proof is not worth it.
        pub conflicts: u32 = 2_000,
    }
}

/// The conjuncts that are needed. All are kept if the solver does not confirm a step within its limits.
pub(crate) fn needed<O: Obligations>(
    encoding: &mut Encoding<'_>,
    obligations: &mut O,
    all: Lists<O::List>,
    budget: Budget,
    limits: &Limits,
) -> Lists<O::List> {
    let (marked, open, solver) = (BTreeSet::new(), Vec::new(), BitVecSolver::new());
    let mut search = Minimizer { obligations, marked, open, solver, budget, limits };
    if search.run(encoding, &all).is_none() {
        return all;
    }
    let mut needed = all;
    for (&name, list) in &mut needed {
        list.retain(|&conjunct| search.marked.contains(&(name, conjunct)));
    }
    needed
}

struct Minimizer<'a, O: Obligations> {
    obligations: &'a mut O,
    /// The conjuncts that are needed.
    marked: BTreeSet<(O::List, Term)>,
    /// Those of them whose induction is still to be shown.
    open: Vec<(O::List, Term)>,
    solver: BitVecSolver,
    /// What is left of it.
    budget: Budget,
    limits: &'a Limits,
}

impl<O: Obligations> Minimizer<'_, O> {
    fn run(&mut self, encoding: &mut Encoding<'_>, all: &Lists<O::List>) -> Option<()> {
        let mut conclusions = Vec::new();
        for step in self.obligations.steps(encoding) {
            conclusions.push((step, self.obligations.conclusion(encoding, step)));
        }
        let bottom = encoding.pool.bottom();
        for &(step, _) in conclusions.iter().filter(|(_, conclusion)| conclusion.is_none()) {
            self.need(encoding, all, step, bottom)?;
        }
        while let Some((list, conjunct)) = self.open.pop() {
            for &(step, _) in conclusions.iter().filter(|(_, conclusion)| *conclusion == Some(list)) {
                self.need(encoding, all, step, conjunct)?;
            }
        }
        Some(())
    }

    /// Marks the conjuncts because of which a step leads to another one. Those that are marked already are tried first.
    fn need(
        &mut self,
        encoding: &mut Encoding<'_>,
        all: &Lists<O::List>,
        step: O::Step,
        conjunct: Term,
    ) -> Option<()> {
        let sites = self.obligations.sites(encoding, step, &[conjunct]);
        let violated = violated(encoding, &sites);
        let goals: Vec<Term> = sites.into_iter().flat_map(|(_, here)| here).collect();
        let premises = self.obligations.premises(encoding, step, all, &goals);
        let marked = premises.iter().copied().filter(|premise| self.is_marked(premise)).collect();
        for premises in [marked, premises] {
            let mut query = vec![violated];
            query.extend(premises.iter().map(|&(formula, _)| formula));
            match self.solver.check(&mut encoding.pool, &query, self.limits) {
                Answer::Unsat(core) => {
                    let needed = self.fewer(encoding, violated, premises, core.assumptions());
                    let new = needed.into_iter().filter_map(|(_, from)| from);
                    self.open.extend(new.filter(|&conjunct| self.marked.insert(conjunct)));
                    return Some(());
                }
                Answer::Sat(_) => {}
                Answer::Unknown(_) => return None,
            }
        }
        None
    }

    fn is_marked(&self, (_, from): &Premise<O::List>) -> bool {
        from.is_none_or(|conjunct| self.marked.contains(&conjunct))
    }

    /// The premises of a core without those that are not needed: long ones are dropped first, marked ones never.
    fn fewer(
        &mut self,
        encoding: &mut Encoding<'_>,
        violated: Term,
        premises: Vec<Premise<O::List>>,
        core: &[Term],
    ) -> Vec<Premise<O::List>> {
        let limits = self.limits.clone().with_conflicts(self.budget.conflicts);
        let mut kept = premises;
        kept.retain(|(formula, _)| core.contains(formula));
        kept.sort_by_key(|&(formula, _)| encoding.pool.subterms(&[formula]).len());
        let unmarked: Vec<_> = kept.iter().copied().filter(|premise| !self.is_marked(premise)).collect();
        for &(_, candidate) in unmarked.iter().rev() {
            let others = kept.iter().filter(|(_, from)| *from != candidate).map(|&(formula, _)| formula);
            let query: Vec<Term> = others.chain([violated]).collect();
            if self.budget.queries == 0 || query.len() > kept.len() {
                continue;
            }
            self.budget.queries -= 1;
            if let Answer::Unsat(core) = self.solver.check(&mut encoding.pool, &query, &limits) {
                kept.retain(|(formula, from)| *from != candidate && core.assumptions().contains(formula));
            }
        }
        kept
    }
}

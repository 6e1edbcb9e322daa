//! The invariant that a complete unwinding gives, with only those conjuncts that its own proof needs.
//!
//! Labels collect more than a proof needs: interpolants of paths that were covered later, and facts that were learned on
//! suspicion. The exclusion of the errors needs some conjuncts, and their induction needs others; what is not
//! reached that way is dropped. Cores of the solver tell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_logic::{Op, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits};

use crate::facts::{Values, values};

/// What holds at a point: all of these.
pub(super) type Conjuncts = BTreeMap<Point, Vec<Term>>;

/// The conjuncts of a disjunction of labels: what they share, and one for the rest.
pub(super) fn conjuncts_of(pool: &mut TermPool, labels: &[Term]) -> Vec<Term> {
    let list = |pool: &TermPool, label: Term| match pool.op(label) {
        Op::And => pool.arguments(label).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![label],
    };
    let sets: Vec<BTreeSet<Term>> =
        labels.iter().map(|&label| list(pool, label).into_iter().collect()).collect();
    let Some(first) = sets.first() else { return vec![pool.bottom()] };
    let shared: BTreeSet<Term> =
        first.iter().copied().filter(|term| sets.iter().all(|set| set.contains(term))).collect();
    let mut rests = Vec::new();
    for set in &sets {
        let own: Vec<Term> = set.difference(&shared).copied().collect();
        rests.push(pool.and(&own));
    }
    let rest = pool.or(&rests);
    let mut conjuncts: Vec<Term> = shared.into_iter().collect();
    if pool.as_bool(rest) != Some(true) {
        conjuncts.push(rest);
    }
    conjuncts
}

/// The conjuncts that are needed. All are kept if the solver does not confirm a step within its limits.
pub(super) fn needed(encoding: &mut Encoding<'_>, all: Conjuncts, limits: &Limits) -> Conjuncts {
    let mut search =
        Search { solver: BitVecSolver::new(), needed: BTreeMap::new(), open: Vec::new(), limits, all };
    match search.run(encoding) {
        Some(()) => {
            search.needed.into_iter().map(|(point, set)| (point, set.into_iter().collect())).collect()
        }
        None => search.all,
    }
}

struct Search<'l> {
    solver: BitVecSolver,
    all: Conjuncts,
    needed: BTreeMap<Point, BTreeSet<Term>>,
    /// Conjuncts whose induction is still to be shown.
    open: Vec<(Point, Term)>,
    limits: &'l Limits,
}

impl Search<'_> {
    fn run(&mut self, encoding: &mut Encoding<'_>) -> Option<()> {
        let points: Vec<Point> = self.all.keys().copied().collect();
        for &point in &points {
            self.needed.entry(point).or_default();
            let block = encoding.block(point);
            for exit in &block.exits {
                match &exit.target {
                    Target::Error | Target::Unsupported(_) => self.need(encoding, point, exit, &[])?,
                    // Nobody has looked at a point that is not there, because no execution gets there.
                    Target::Point(target) if !self.all.contains_key(target) => {
                        self.need(encoding, point, exit, &[])?;
                    }
                    Target::Point(_) => {}
                }
            }
        }
        while let Some((target, conjunct)) = self.open.pop() {
            for &point in &points {
                let block = encoding.block(point);
                for exit in block.exits.iter().filter(|exit| exit.target == Target::Point(target)) {
                    self.need_for(encoding, point, exit, conjunct)?;
                }
            }
        }
        Some(())
    }

    /// Marks what shows that a conjunct holds after an exit.
    fn need_for(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        exit: &Exit,
        conjunct: Term,
    ) -> Option<()> {
        let updates: HashMap<Term, Term> =
            exit.updates.iter().map(|&(cell, value)| (encoding.cells().get(cell).symbol, value)).collect();
        let after = encoding.pool.substitute(conjunct, &updates);
        let violated = encoding.pool.not(after);
        self.need(encoding, point, exit, &[violated])
    }

    /// Marks the conjuncts at a point that exclude an exit where formulas hold. Those that are marked already are tried
    /// first.
    fn need(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        exit: &Exit,
        formulas: &[Term],
    ) -> Option<()> {
        let excluded = [formulas, &[exit.guard]].concat();
        let values = values(&mut encoding.pool, exit).with(&mut encoding.pool, formulas);
        let marked: Vec<Term> = self.needed[&point].iter().copied().collect();
        let all = self.all[&point].clone();
        for conjuncts in [marked, all] {
            let premises = premises(&mut encoding.pool, &conjuncts, &values);
            let query: Vec<Term> = excluded.iter().chain(premises.keys()).copied().collect();
            match self.solver.check(&mut encoding.pool, &query, self.limits) {
                Answer::Unsat(core) => {
                    for &conjunct in core.assumptions().iter().filter_map(|term| premises.get(term)) {
                        if self.needed.get_mut(&point).is_some_and(|set| set.insert(conjunct)) {
                            self.open.push((point, conjunct));
                        }
                    }
                    return Some(());
                }
                Answer::Sat(_) => {}
                Answer::Unknown(_) => return None,
            }
        }
        None
    }
}

/// What conjuncts say, about indices of interest too, each with the conjunct that says so.
fn premises(pool: &mut TermPool, conjuncts: &[Term], values: &Values) -> BTreeMap<Term, Term> {
    let mut premises = BTreeMap::new();
    for &conjunct in conjuncts {
        premises.insert(conjunct, conjunct);
        premises.extend(values.instances(pool, &[conjunct]).into_iter().map(|instance| (instance, conjunct)));
    }
    premises
}

//! Smaller interpolants: conjuncts, disjuncts and literals that the solver shows to be redundant are
//! removed, within a budget of queries. A spent budget, and a query that the solver gives up on, keep
//! what is there.

use rorqual_logic::{Op, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits};

/// Formulas nested deeper are left as they are. Interpolants that are worth simplifying alternate
/// between conjunctions and disjunctions a few times only.
const DEPTH: usize = 8;

/// Removes what is redundant, with at most so many queries.
pub struct Simplifier<'s> {
    limits: &'s Limits,
    queries: usize,
    solver: Solver<'s>,
}

/// One of its own, or one that has met the terms before.
enum Solver<'s> {
    Own(Box<BitVecSolver>),
    Shared(&'s mut BitVecSolver),
}

impl<'s> Simplifier<'s> {
    /// A simplifier that may ask `queries` queries, each within the limits.
    pub fn new(queries: usize, limits: &'s Limits) -> Simplifier<'s> {
        Simplifier { limits, queries, solver: Solver::Own(Box::default()) }
    }

    /// The same with the solver of somebody else.
    pub(crate) fn with_solver(
        queries: usize,
        limits: &'s Limits,
        solver: &'s mut BitVecSolver,
    ) -> Simplifier<'s> {
        Simplifier { limits, queries, solver: Solver::Shared(solver) }
    }

    /// How many queries are left.
    pub fn queries_left(&self) -> usize {
        self.queries
    }

    /// An equivalent formula without redundant conjuncts, disjuncts and literals.
    pub fn equivalent(&mut self, pool: &mut TermPool, formula: Term) -> Term {
        self.under(pool, formula, &[], DEPTH)
    }

    /// A formula that is equivalent where the context holds.
    fn under(&mut self, pool: &mut TermPool, formula: Term, context: &[Term], depth: usize) -> Term {
        let is_conjunction = match pool.op(formula) {
            Op::And => true,
            Op::Or => false,
            _ => return formula,
        };
        if depth == 0 || self.queries == 0 {
            return formula;
        }
        let mut arguments = pool.arguments(formula).to_vec();
        let mut at = 0;
        // Without queries nothing is found out, and a formula with shared subterms has many paths.
        while at < arguments.len() && self.queries > 0 {
            let extended = context_of(pool, context, &arguments, at, is_conjunction);
            let argument = arguments[at];
            let (neutral, absorbing) = if is_conjunction { (true, false) } else { (false, true) };
            if self.has_value(pool, &extended, argument, neutral) {
                arguments.remove(at);
            } else if self.has_value(pool, &extended, argument, absorbing) {
                return pool.bool(absorbing);
            } else {
                arguments[at] = self.under(pool, argument, &extended, depth - 1);
                at += 1;
            }
        }
        if is_conjunction { pool.and(&arguments) } else { pool.or(&arguments) }
    }

    /// Whether the formula always has the value where the context holds.
    fn has_value(&mut self, pool: &mut TermPool, context: &[Term], formula: Term, value: bool) -> bool {
        let opposite = if value { pool.not(formula) } else { formula };
        let assumptions = [context, &[opposite]].concat();
        self.core(pool, &assumptions).is_some()
    }

    /// Those of the formulas that contradict each other, if they are found to.
    fn core(&mut self, pool: &mut TermPool, formulas: &[Term]) -> Option<Vec<Term>> {
        self.queries = self.queries.checked_sub(1)?;
        let solver = match &mut self.solver {
            Solver::Own(solver) => solver,
            Solver::Shared(solver) => &mut **solver,
        };
        match solver.check(pool, formulas, self.limits) {
            Answer::Unsat(core) => Some(core.assumptions().to_vec()),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }

    /// A weaker formula, made of some of the conjuncts, that contradicts `against` all the same.
    pub fn weaken(&mut self, pool: &mut TermPool, formula: Term, against: &[Term]) -> Term {
        let conjuncts = conjuncts(pool, formula);
        let Some(core) = self.core(pool, &[&conjuncts, against].concat()) else { return formula };
        let mut kept: Vec<Term> = conjuncts.into_iter().filter(|term| core.contains(term)).collect();
        let mut at = 0;
        while at < kept.len() && kept.len() > 1 {
            let mut fewer = kept.clone();
            fewer.remove(at);
            match self.core(pool, &[&fewer, against].concat()) {
                Some(core) => kept = fewer.into_iter().filter(|term| core.contains(term)).collect(),
                None => at += 1,
            }
        }
        pool.and(&kept)
    }

    /// Weakens the interpolants of a sequence from its end: each keeps the conjuncts that the next one
    /// needs, and is then simplified. The result is a sequence of interpolants if `interpolants` is.
    pub fn sequence(&mut self, pool: &mut TermPool, parts: &[Term], interpolants: &[Term]) -> Vec<Term> {
        let mut simpler = interpolants.to_vec();
        for at in (1..parts.len()).rev() {
            let negated = pool.not(simpler[at + 1]);
            let weaker = self.weaken(pool, simpler[at], &[parts[at], negated]);
            simpler[at] = self.equivalent(pool, weaker);
        }
        simpler
    }
}

/// What holds where the argument at `at` matters: for a conjunction the other arguments, for a
/// disjunction their negations.
fn context_of(
    pool: &mut TermPool,
    context: &[Term],
    arguments: &[Term],
    at: usize,
    is_conjunction: bool,
) -> Vec<Term> {
    let mut extended = context.to_vec();
    for (other, &argument) in arguments.iter().enumerate() {
        if other != at {
            extended.push(if is_conjunction { argument } else { pool.not(argument) });
        }
    }
    extended
}

/// The arguments of a conjunction; other formulas are their own only conjunct.
pub(crate) fn conjuncts(pool: &TermPool, formula: Term) -> Vec<Term> {
    match pool.op(formula) {
        Op::And => pool.arguments(formula).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![formula],
    }
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;

    #[test]
    fn redundant_conjuncts_disjuncts_and_literals_disappear() {
        let mut pool = TermPool::new();
        let limits = Limits::none();
        let x = pool.symbol("x", Sort::BitVec(8));
        let y = pool.symbol("y", Sort::BitVec(8));
        let (three, five) = (pool.bv(3u8, 8), pool.bv(5u8, 8));
        let (below_three, below_five) = (pool.bv_ult(x, three), pool.bv_ult(x, five));
        let same = pool.eq(x, y);

        let both = pool.and2(below_three, below_five);
        assert_eq!(Simplifier::new(10, &limits).equivalent(&mut pool, both), below_three);
        let either = pool.or2(below_three, below_five);
        assert_eq!(Simplifier::new(10, &limits).equivalent(&mut pool, either), below_five);
        // Under x < 3 the literal x >= 5 is false.
        let above = pool.not(below_five);
        let inner = pool.or2(above, same);
        let nested = pool.and2(below_three, inner);
        let expected = pool.and2(below_three, same);
        assert_eq!(Simplifier::new(10, &limits).equivalent(&mut pool, nested), expected);
        assert_eq!(Simplifier::new(0, &limits).equivalent(&mut pool, nested), nested);
    }

    #[test]
    fn only_the_conjuncts_that_are_needed_stay() {
        let mut pool = TermPool::new();
        let limits = Limits::none();
        let x = pool.symbol("x", Sort::BitVec(8));
        let y = pool.symbol("y", Sort::BitVec(8));
        let (one, two) = (pool.bv(1u8, 8), pool.bv(2u8, 8));
        let (x_is_one, y_is_two) = (pool.eq(x, one), pool.eq(y, two));
        let both = pool.and2(x_is_one, y_is_two);
        let against = pool.not(y_is_two);
        let mut simplifier = Simplifier::new(10, &limits);
        assert_eq!(simplifier.weaken(&mut pool, both, &[against]), y_is_two);
        assert!(simplifier.queries_left() < 10);
    }
}

//! Sequences that almost fit: candidates may claim more than the parts say, as that a sum does not wrap.
//! What does not follow is dropped conjunct by conjunct, from the first formula on; often the rest is enough,
//! and says less about the one path that it comes from.

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits};

use crate::simplify::conjuncts;

/// The strongest sequence whose formulas are made of conjuncts of the candidate's and follow from the parts;
/// `None` if the last formula does not follow, so that nothing of use is left.
pub(crate) fn repaired(
    pool: &mut TermPool,
    solver: &mut BitVecSolver,
    parts: &[Term],
    candidate: &[Term],
    limits: &Limits,
) -> Option<Vec<Term>> {
    let mut sequence = vec![pool.top()];
    for (&part, &formula) in parts.iter().zip(candidate.get(1..)?) {
        let before = sequence[sequence.len() - 1];
        let mut kept = conjuncts(pool, formula);
        kept.retain(|&conjunct| {
            let negated = pool.not(conjunct);
            matches!(solver.check(pool, &[before, part, negated], limits), Answer::Unsat(_))
        });
        sequence.push(pool.and(&kept));
    }
    let last = sequence.last().copied();
    last.is_some_and(|last| pool.as_bool(last) == Some(false)).then_some(sequence)
}

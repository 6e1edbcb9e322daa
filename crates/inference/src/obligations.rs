//! What a proof by induction has to show, for loop heads and for procedures alike. Houdini and the minimisation of proofs
//! are generic over it.

use std::collections::BTreeMap;

use rorqual_encoding::Encoding;
use rorqual_logic::Term;
use rorqual_solver::Model;

/// Conjuncts by the lists that they are in.
pub(crate) type Lists<L> = BTreeMap<L, Vec<Term>>;

/// A place where conjuncts must hold: when control is there, and what each of them says there.
pub(crate) type Site = (Term, Vec<Term>);

/// A formula that a step may assume, and the conjunct that it rests on, unless it is known anyway.
pub(crate) type Premise<L> = (Term, Option<(L, Term)>);

/// The steps of a proof by induction: each may assume the conjuncts of some lists, and must lead to those of another
/// one, or to no violation.
pub(crate) trait Obligations {
    /// Names a list of conjuncts, such as those at a loop head or of the guard of a procedure.
    type List: Copy + Ord;
    /// Names a step, such as an exit of a block.
    type Step: Copy + Ord;

    /// All steps.
    fn steps(&self, encoding: &mut Encoding<'_>) -> Vec<Self::Step>;

    /// The list that a step leads to. None if it is a violation, which the premises must exclude.
    fn conclusion(&self, encoding: &mut Encoding<'_>, step: Self::Step) -> Option<Self::List>;

    /// The lists that a step may assume: once one of them shrinks, the step is looked at again.
    fn assumed(&self, encoding: &mut Encoding<'_>, step: Self::Step) -> Vec<Self::List>;

    /// What a step may assume if `lists` hold, as far as it matters for `goals`, which are over the symbols of the step.
    fn premises(
        &mut self,
        encoding: &mut Encoding<'_>,
        step: Self::Step,
        lists: &Lists<Self::List>,
        goals: &[Term],
    ) -> Vec<Premise<Self::List>>;

    /// Where the conclusion of a step must hold, and what conjuncts say there.
    fn sites(&self, encoding: &mut Encoding<'_>, step: Self::Step, conjuncts: &[Term]) -> Vec<Site>;

    /// Drops further candidates after a model for a step has dropped some; the lists that have shrunk.
    fn drop_more(
        &mut self,
        _encoding: &mut Encoding<'_>,
        _step: Self::Step,
        _model: &Model,
        _lists: &mut Lists<Self::List>,
        _dropped: usize,
    ) -> Vec<Self::List> {
        Vec::new()
    }
}

/// That control is at one of the sites and one of its conjuncts does not hold.
pub(crate) fn violated(encoding: &mut Encoding<'_>, sites: &[Site]) -> Term {
    let mut cases = Vec::new();
    for (guard, here) in sites {
        let all = encoding.pool.and(here);
        let not = encoding.pool.not(all);
        cases.push(encoding.pool.and2(*guard, not));
    }
    encoding.pool.or(&cases)
}

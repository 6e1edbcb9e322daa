//! Where instances of axioms may go. A refutation asserts each in one part, so that instances over names
//! of several parts are avoided, or split at a term that all parts may speak about.

use rorqual_logic::{Term, TermPool};

/// Says what fits into a part.
pub(crate) trait Placement {
    /// Whether some part may speak about all of the instance.
    fn fits(&self, pool: &TermPool, instance: Term) -> bool;

    /// A term that all parts may speak about and that equals one of the two, which are equal in the
    /// candidate; `None` if there is none.
    fn landmark(&mut self, pool: &mut TermPool, equal: [Term; 2]) -> Option<Term>;
}

/// There are no parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anywhere;

impl Placement for Anywhere {
    fn fits(&self, _: &TermPool, _: Term) -> bool {
        true
    }

    fn landmark(&mut self, _: &mut TermPool, equal: [Term; 2]) -> Option<Term> {
        Some(equal[0])
    }
}

/// The first instance that fits into a part, of those with each of `others`. Made one by one, because
/// there may be many.
pub(super) fn fitting<T>(
    pool: &mut TermPool,
    placement: &dyn Placement,
    others: &[T],
    instance: impl Fn(&mut TermPool, &T) -> Term,
) -> Option<Term> {
    others.iter().find_map(|other| {
        let instance = instance(pool, other);
        placement.fits(pool, instance).then_some(instance)
    })
}

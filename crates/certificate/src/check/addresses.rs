//! What is known of the addresses of objects in an obligation.

use rorqual_cfa::Program;
use rorqual_logic::{Term, TermPool};
use rorqual_memory::{given_start, heap_start};

use super::step::{Birth, Births};
use super::{Checker, Obligation};

impl Checker<'_> {
    /// An obligation with what is known of the addresses that occur in it.
    pub(super) fn obligation(
        &mut self,
        claim: String,
        mut formulas: Vec<Term>,
        [cases, alternatives]: [&[Term]; 2],
        births: &Births,
    ) -> Obligation {
        let subterms = self.pool.subterms(&formulas);
        let top = self.cells.get(self.cells.heap_top());
        let top = self.pool.symbol(&top.name, top.sort);
        if subterms.contains(&top) {
            // Memory is allocated from the start of the heap on.
            let start = start_of_heap(&mut self.pool, self.program);
            formulas.push(self.pool.bv_ule(start, top));
            if self.cells.has_memory_checks() {
                let model = self.program.types.model();
                let outside = self.pool.bv(given_start(model), model.pointer_width());
                formulas.push(self.pool.bv_ule(top, outside));
            }
        }
        let end = start_of_heap(&mut self.pool, self.program);
        let addresses: Vec<(Term, Birth)> = subterms
            .into_iter()
            .filter_map(|term| births.objects.get(&term).map(|&birth| (term, birth)))
            .filter(|(_, birth)| birth.size > 0)
            .collect();
        for (at, &object) in addresses.iter().enumerate() {
            formulas.push(address_facts(&mut self.pool, object, end));
            for &other in &addresses[..at] {
                let apart = disjoint(&mut self.pool, object, other);
                let shared = births.shared(self.program, &mut self.pool, object.0, other.0);
                formulas.push(shared.map_or(apart, |shared| self.pool.or2(apart, shared)));
            }
        }
        Obligation { claim, formulas, cases: cases.to_vec(), alternatives: alternatives.to_vec() }
    }
}

/// Whether an object is there.
fn exists(pool: &mut TermPool, birth: Birth) -> Term {
    birth.taken.unwrap_or_else(|| pool.top())
}

/// Where allocated memory starts, as a term.
pub(super) fn start_of_heap(pool: &mut TermPool, program: &Program) -> Term {
    let model = program.types.model();
    pool.bv(heap_start(model), model.pointer_width())
}

/// The address of an object is not null, is aligned, and the object ends where allocated memory starts, or before.
fn address_facts(pool: &mut TermPool, (address, birth): (Term, Birth), end: Term) -> Term {
    let width = pool.width(address);
    let (zero, size) = (pool.bv(0u8, width), pool.bv(birth.size, width));
    let fits = pool.bv_ule(size, end);
    // An object that is larger than that must not make all facts contradict each other.
    let last = if pool.as_bool(fits) == Some(true) { pool.bv_sub(end, size) } else { pool.bv_neg(size) };
    let mut facts = vec![pool.ne(address, zero), pool.bv_ule(address, last)];
    if birth.align.is_power_of_two() && birth.align > 1 {
        let low = birth.align.trailing_zeros().min(width);
        let (bits, none) = (pool.bv_extract(address, low - 1, 0), pool.bv(0u8, low));
        facts.push(pool.eq(bits, none));
    }
    let (exists, facts) = (exists(pool, birth), pool.and(&facts));
    pool.implies(exists, facts)
}

/// Different objects have no byte in common.
fn disjoint(pool: &mut TermPool, (a, a_birth): (Term, Birth), (b, b_birth): (Term, Birth)) -> Term {
    let width = pool.width(a);
    let (a_size, b_size) = (pool.bv(a_birth.size, width), pool.bv(b_birth.size, width));
    let (a_end, b_end) = (pool.bv_add(a, a_size), pool.bv_add(b, b_size));
    let (before, after) = (pool.bv_ule(a_end, b), pool.bv_ule(b_end, a));
    let apart = pool.or2(before, after);
    let both = [exists(pool, a_birth), exists(pool, b_birth)];
    let both = pool.and(&both);
    pool.implies(both, apart)
}

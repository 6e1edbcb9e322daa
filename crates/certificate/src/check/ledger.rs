//! What is known of allocated objects besides their content, if a check asks for it: their sizes, which of them are
//! alive, and how many there are on the heap.

use rorqual_cfa::{ExprId, FunctionId, Operation};
use rorqual_logic::{Term, TermPool};
use rorqual_memory::bare_name;

use super::step::Step;
use crate::cells::{Facet, Ledger};

/// So many pointers are looked at for what they keep from being lost.
const MOST_KEEPERS: usize = 8;

impl Step<'_> {
    /// What a ledger says of the object at an address, if it is kept.
    pub(super) fn recorded(&mut self, ledger: Ledger, address: Term) -> Option<Term> {
        let cell = self.world.cells.ledger(ledger)?;
        let all = self.get(cell);
        Some(self.pool.select(all, address))
    }

    fn record(&mut self, ledger: Ledger, address: Term, value: Term) {
        let Some(cell) = self.world.cells.ledger(ledger) else { return };
        let old = self.get(cell);
        let new = self.pool.store(old, address, value);
        self.set(cell, new);
    }

    /// Whether the object at an address is known to be alive.
    pub(super) fn is_living(&mut self, ledger: Ledger, address: Term) -> Term {
        let one = self.pool.bv(1u8, 1);
        match self.recorded(ledger, address) {
            Some(life) => self.pool.eq(life, one),
            None => self.pool.bottom(),
        }
    }

    /// A new object, if it is there.
    pub(super) fn begin(&mut self, lives: Ledger, address: Term, size: Term, is_there: Term) {
        let none = self.pool.bv(0u8, self.world.pointer_width);
        // There is nothing at null.
        let address = self.pool.ite(is_there, address, none);
        let recorded = self.pool.ite(is_there, size, none);
        self.record(Ledger::Sizes, address, recorded);
        let life = self.number(is_there, 1);
        self.record(lives, address, life);
        if lives == Ledger::HeapLives {
            self.count(is_there, TermPool::bv_add);
        }
    }

    /// An object ends. There is none at null.
    pub(super) fn end(&mut self, lives: Ledger, address: Term) {
        let dead = self.pool.bv(0u8, 1);
        self.record(lives, address, dead);
    }

    /// Gives an object back to the heap, unless the pointer is null.
    pub(super) fn free(&mut self, pointer: Term) {
        self.end(Ledger::HeapLives, pointer);
        let null = self.pool.bv(0u8, self.world.pointer_width);
        let points = self.pool.ne(pointer, null);
        self.count(points, TermPool::bv_sub);
    }

    /// One object more or less on the heap, if a condition holds.
    fn count(&mut self, condition: Term, change: fn(&mut TermPool, Term, Term) -> Term) {
        let Some(cell) = self.world.cells.ledger(Ledger::Count) else { return };
        let old = self.get(cell);
        let by = self.number(condition, self.world.pointer_width);
        let new = change(self.pool, old, by);
        self.set(cell, new);
    }

    /// Objects may have come that nobody counted.
    pub(super) fn forget_ledgers(&mut self) {
        for ledger in [Ledger::HeapLives, Ledger::Count] {
            if let Some(cell) = self.world.cells.ledger(ledger) {
                self.forget_cell(cell);
            }
        }
    }

    /// What a function has on the stack ends when it returns. Those of its callers are no longer known to be alive.
    pub(super) fn end_stack(&mut self, function: FunctionId) {
        let program = self.world.program;
        let is_alloca = |callee: &FunctionId| bare_name(&program.functions[*callee]) == "alloca";
        let allocates = |operation: &Operation| match operation {
            Operation::StackAllocate { .. } => true,
            Operation::Call { callee, .. } => {
                self.world.cells.memory().callees(program, *callee).iter().any(is_alloca)
            }
            _ => false,
        };
        let mut edges = program.functions[function].body.iter().flat_map(|body| body.edges().values());
        if let (Some(cell), true) =
            (self.world.cells.ledger(Ledger::StackLives), edges.any(|edge| allocates(&edge.operation)))
        {
            let none = self.plain(Facet::Content, self.world.cells.get(cell).sort);
            self.set(cell, none);
        }
    }

    /// Whether a pointer may be one that must not be given to `free`.
    pub(super) fn bad_free(&mut self, pointer: ExprId) -> Term {
        let (value, base) = (self.eval(pointer), self.base(pointer));
        let null = self.pool.bv(0u8, self.world.pointer_width);
        let (is_start, is_null) = (self.pool.eq(base, value), self.pool.eq(value, null));
        let is_living = self.is_living(Ledger::HeapLives, value);
        let is_block = self.pool.and2(is_start, is_living);
        let good = self.pool.or2(is_null, is_block);
        self.pool.not(good)
    }

    /// Whether heap memory may be lost: unless there are no more objects than those that variables were derived from.
    pub(super) fn leaks(&mut self) -> Term {
        if !rorqual_interpreter::may_allocate(self.world.program) {
            return self.pool.bottom();
        }
        let Some(count) = self.world.cells.ledger(Ledger::Count) else { return self.pool.top() };
        let mut kept = self.pool.bv(0u8, self.world.pointer_width);
        let mut seen: Vec<Term> = Vec::new();
        for &keeper in self.keepers.clone().iter().take(MOST_KEEPERS) {
            let [(_, cell)] = *self.world.cells.leaves(keeper) else { continue };
            let base = self.on(Facet::Base, |step| step.get(cell));
            let mut conditions = vec![self.is_living(Ledger::HeapLives, base)];
            conditions.extend(seen.iter().map(|&other| self.pool.ne(other, base)));
            let is_new = self.pool.and(&conditions);
            let more = self.number(is_new, self.world.pointer_width);
            kept = self.pool.bv_add(kept, more);
            seen.push(base);
        }
        let count = self.get(count);
        self.pool.bv_ult(kept, count)
    }
}

//! What is known of allocated objects besides their content: how large they are, which of them are alive, and how
//! many. It is kept if a check of the program asks for it; sizes also where objects point to each other.

use rorqual_cfa::{ExprId, FunctionId, Operation};
use rorqual_logic::{Sort, Term};
use rorqual_memory::{Ghost, bare_name};

use crate::Encoding;
use crate::cells::{Cell, CellId, Elements, Facet, Ledger};
use crate::state::State;
use crate::translate::{Obstacle, Translation};

/// What is known of the object that a pointer in a variable points to, over the cells of a state.
#[derive(Debug, Clone, Copy)]
pub struct ObjectPointer {
    /// The pointer.
    pub value: Term,
    /// The address of the object that it was derived from.
    pub base: Term,
    /// The size of the object if it is allocated, and that is kept.
    pub size: Option<Term>,
    /// A bit that says whether the object on the heap is alive, if that is kept.
    pub life: Option<Term>,
    /// The size of what the pointer points to.
    pub stride: u64,
}

/// What is known of all allocated objects, over the cells of a state.
#[derive(Debug, Clone, Copy)]
pub struct Heap {
    /// Their sizes by their addresses, zero where there is none, as an array.
    pub sizes: Term,
    /// They lie from here on.
    pub start: Term,
    /// They lie below.
    pub top: Term,
}

impl Encoding<'_> {
    /// What is known of all allocated objects, if their sizes are kept.
    pub fn heap(&mut self) -> Option<Heap> {
        if !self.ghosts.has(Ghost::Sizes) {
            return None;
        }
        let [sizes, top] = [Ledger::Sizes, Ledger::Top].map(|ledger| self.ledger(ledger));
        let [sizes, top] = [sizes, top].map(|cell| self.cells.get(cell).symbol);
        Some(Heap { sizes, start: self.heap_start(), top })
    }

    /// The pointers in variables whose objects are watched, as far as they were met. None if no check asks for them.
    pub fn object_pointers(&mut self) -> Vec<ObjectPointer> {
        let is_watched = self.ghosts.has(Ghost::Bases);
        let types = &self.program.types;
        let pointee = |cell: &Cell| types.pointee(cell.ty?).filter(|_| !cell.is_ghost);
        let is_one = |cell: &Cell| cell.elements == Elements::One && cell.object.is_some();
        let pointers: Vec<(CellId, u64)> = self
            .cells
            .iter()
            .filter(|(_, cell)| is_watched && is_one(cell))
            .filter_map(|(id, cell)| Some((id, types.size_of(pointee(cell)?).unwrap_or(1))))
            .collect();
        let mut found = Vec::new();
        for (cell, stride) in pointers {
            let value = self.cells.get(cell).symbol;
            let base = self.facet(cell, Facet::Base).map_or(value, |base| self.cells.get(base).symbol);
            let size = self.ghosts.has(Ghost::Sizes).then(|| self.said(Ledger::Sizes, base));
            let life = self.ghosts.has(Ghost::Lives).then(|| self.said(Ledger::HeapLives, base));
            found.push(ObjectPointer { value, base, size, life, stride });
        }
        found
    }

    /// What a ledger says of an address, over the cells of a state.
    fn said(&mut self, ledger: Ledger, address: Term) -> Term {
        let cell = self.ledger(ledger);
        let all = self.cells.get(cell).symbol;
        self.pool.select(all, address)
    }

    /// Nothing is allocated when the program starts.
    pub(crate) fn open_ledgers(&mut self, state: &mut State) {
        if self.allocates() {
            let (top, start) = (self.ledger(Ledger::Top), self.heap_start());
            state.write(top, start);
        }
        let ledgers = [
            (Ghost::Sizes, Ledger::Sizes),
            (Ghost::Lives, Ledger::HeapLives),
            (Ghost::Lives, Ledger::StackLives),
            (Ghost::Count, Ledger::Count),
        ];
        let kept = ledgers.into_iter().filter(|(ghost, _)| self.ghosts.has(*ghost)).collect::<Vec<_>>();
        let mut empty: Vec<CellId> = kept.into_iter().map(|(_, ledger)| self.ledger(ledger)).collect();
        for class in self.analysis.memory.classes().map(|(class, _)| class).collect::<Vec<_>>() {
            let cells = self.class_layout(class).cells();
            empty.extend(cells.into_iter().filter_map(|cell| self.facet(cell, Facet::Written)));
        }
        for cell in empty {
            let zero = match self.pool.sort(self.cells.get(cell).symbol) {
                Sort::Array { index, element } => {
                    let zero = self.pool.bv(0u8, element);
                    self.pool.const_array(index, zero)
                }
                sort => self.pool.bv(0u8, sort.width().unwrap_or(1)),
            };
            state.write(cell, zero);
        }
    }

    /// Whether objects of a function end when it returns.
    fn uses_stack(&self, function: FunctionId) -> bool {
        let program = self.program;
        let is_alloca = |callee: &FunctionId| bare_name(&program.functions[*callee]) == "alloca";
        let mut edges = program.functions[function].body.iter().flat_map(|body| body.edges().values());
        edges.any(|edge| match edge.operation {
            Operation::StackAllocate { .. } => true,
            Operation::Call { callee, .. } => {
                self.analysis.memory.callees(program, callee).iter().any(is_alloca)
            }
            _ => false,
        })
    }
}

impl Translation<'_, '_> {
    /// What a ledger says of the object at an address.
    pub(crate) fn recorded(&mut self, ledger: Ledger, address: Term) -> Term {
        let cell = self.encoding.ledger(ledger);
        let all = self.state.read(&self.encoding.cells, cell);
        self.encoding.pool.select(all, address)
    }

    fn record(&mut self, ledger: Ledger, address: Term, value: Term) {
        let cell = self.encoding.ledger(ledger);
        let old = self.state.read(&self.encoding.cells, cell);
        let new = self.encoding.pool.store(old, address, value);
        self.state.write(cell, new);
    }

    /// Whether the object at an address is alive.
    pub(crate) fn is_living(&mut self, ledger: Ledger, address: Term) -> Term {
        let life = self.recorded(ledger, address);
        let pool = &mut self.encoding.pool;
        let one = pool.bv(1u8, 1);
        pool.eq(life, one)
    }

    /// A new object, if it is there.
    pub(crate) fn begin(&mut self, lives: Ledger, address: Term, size: Term, is_there: Term) {
        let pool = &mut self.encoding.pool;
        let null = pool.bv(0u8, pool.width(address));
        // There is nothing at null.
        let address = pool.ite(is_there, address, null);
        if self.encoding.ghosts.has(Ghost::Sizes) {
            let pool = &mut self.encoding.pool;
            let none = pool.bv(0u8, pool.width(size));
            let recorded = pool.ite(is_there, size, none);
            self.record(Ledger::Sizes, address, recorded);
        }
        if self.encoding.ghosts.has(Ghost::Lives) {
            let pool = &mut self.encoding.pool;
            let (alive, dead) = (pool.bv(1u8, 1), pool.bv(0u8, 1));
            let life = pool.ite(is_there, alive, dead);
            self.record(lives, address, life);
        }
        if lives == Ledger::HeapLives {
            self.count(is_there, rorqual_logic::TermPool::bv_add);
        }
    }

    /// Gives an object back to the heap, unless the pointer is null.
    pub(crate) fn free(&mut self, pointer: Term) {
        self.end(Ledger::HeapLives, pointer);
        let pool = &mut self.encoding.pool;
        let null = pool.bv(0u8, pool.width(pointer));
        let points = pool.ne(pointer, null);
        self.count(points, rorqual_logic::TermPool::bv_sub);
    }

    /// An object ends. There is none at null.
    fn end(&mut self, lives: Ledger, address: Term) {
        if self.encoding.ghosts.has(Ghost::Lives) {
            let dead = self.encoding.pool.bv(0u8, 1);
            self.record(lives, address, dead);
        }
    }

    /// One object more or less on the heap, if a condition holds.
    fn count(&mut self, condition: Term, change: fn(&mut rorqual_logic::TermPool, Term, Term) -> Term) {
        if !self.encoding.ghosts.has(Ghost::Count) {
            return;
        }
        let cell = self.encoding.ledger(Ledger::Count);
        let old = self.state.read(&self.encoding.cells, cell);
        let pool = &mut self.encoding.pool;
        let (one, zero) = (pool.bv(1u8, pool.width(old)), pool.bv(0u8, pool.width(old)));
        let by = pool.ite(condition, one, zero);
        let new = change(pool, old, by);
        self.state.write(cell, new);
    }

    /// Releases an object on the stack.
    pub(crate) fn stack_release(&mut self, pointer: ExprId) -> Result<(), Obstacle> {
        let pointer = self.eval(pointer)?;
        self.end(Ledger::StackLives, pointer);
        Ok(())
    }

    /// What a function allocated on the stack ends when it returns. That those of its callers are counted out too only
    /// makes more accesses look wrong.
    pub(crate) fn end_stack(&mut self, function: FunctionId) {
        if !self.encoding.ghosts.has(Ghost::Lives) || !self.encoding.uses_stack(function) {
            return;
        }
        let cell = self.encoding.ledger(Ledger::StackLives);
        let width = self.encoding.pointer_width();
        let pool = &mut self.encoding.pool;
        let dead = pool.bv(0u8, 1);
        let none = pool.const_array(width, dead);
        self.approximations.push("what lives on the stack".to_owned());
        self.state.write(cell, none);
    }
}

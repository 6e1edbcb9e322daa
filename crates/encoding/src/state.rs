//! Symbolic states: what the cells contain, as terms over the cells at the start of a block.

use std::collections::BTreeMap;

use rorqual_logic::{Term, TermPool};

use crate::cells::{CellId, Cells};

/// The cells that changed, with their values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State {
    values: BTreeMap<CellId, Term>,
}

impl State {
    /// The value of a cell.
    pub(crate) fn read(&self, cells: &Cells, cell: CellId) -> Term {
        let changed = self.values.get(&cell).copied();
        changed.or_else(|| cells.constant(cell)).unwrap_or_else(|| cells.get(cell).symbol)
    }

    /// The values of the cells that were written.
    pub(crate) fn values(&self) -> impl Iterator<Item = Term> {
        self.values.values().copied()
    }

    /// Sets the value of a cell.
    pub(crate) fn write(&mut self, cell: CellId, value: Term) {
        self.values.insert(cell, value);
    }

    /// Forgets the values of cells that nobody can read any more. They count as unchanged, which is as good
    /// as any other value.
    pub(crate) fn forget(&mut self, is_dead: impl Fn(CellId) -> bool) {
        self.values.retain(|&cell, _| !is_dead(cell));
    }

    /// The cells whose values are not those of the start.
    pub(crate) fn changes(&self, cells: &Cells) -> Vec<(CellId, Term)> {
        let all = self.values.iter().map(|(&cell, &value)| (cell, value));
        all.filter(|&(cell, value)| cells.get(cell).symbol != value).collect()
    }

    /// The state that is `self` where the condition holds, and `other` elsewhere.
    pub(crate) fn merge(&self, pool: &mut TermPool, cells: &Cells, condition: Term, other: &State) -> State {
        let mut merged = State::default();
        for &cell in
            self.values.keys().chain(other.values.keys().filter(|cell| !self.values.contains_key(cell)))
        {
            let (then, otherwise) = (self.read(cells, cell), other.read(cells, cell));
            let value = if then == otherwise { then } else { pool.ite(condition, then, otherwise) };
            merged.write(cell, value);
        }
        merged
    }
}

//! What the symbols of an encoding stand for. Nothing is read from their names.

use std::collections::HashMap;

use rorqual_logic::{Op, Sort, SymbolId, Term};

use crate::{CellId, Encoding};

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A cell, where a block or a procedure starts.
    Cell(CellId),
    /// A cell, where a procedure ends.
    After(CellId),
    /// A value that the program does not determine: an input, an indeterminate or havocked value.
    Input,
    /// Whether and where a call ends, and what it writes.
    Call,
}

/// The kinds of the symbols that are no cells, and a number for the next one.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    kinds: HashMap<SymbolId, SymbolKind>,
    made: u64,
}

impl Encoding<'_> {
    /// What a symbol stands for, unless it is a copy for one step of a path or was not made here.
    pub fn kind_of(&self, symbol: SymbolId) -> Option<SymbolKind> {
        let cell = self.cells.of_symbol(symbol).map(SymbolKind::Cell);
        cell.or_else(|| self.symbols.kinds.get(&symbol).copied())
    }

    /// Whether the program does not determine the value of a symbol.
    pub fn is_input(&self, symbol: SymbolId) -> bool {
        self.kind_of(symbol) == Some(SymbolKind::Input)
    }

    /// The symbol of a cell where a procedure ends.
    pub fn after(&mut self, cell: CellId) -> Term {
        let details = self.cells.get(cell);
        let (name, sort) = (format!("new {}", details.name), self.pool.sort(details.symbol));
        self.symbol_of(&name, SymbolKind::After(cell), sort)
    }

    /// A new symbol. Blocks are translated in a fixed order, so names are the same in every run.
    pub(crate) fn fresh(&mut self, kind: SymbolKind, hint: &str, sort: Sort) -> Term {
        self.symbols.made += 1;
        self.symbol_of(&format!("{hint}!{}", self.symbols.made), kind, sort)
    }

    fn symbol_of(&mut self, name: &str, kind: SymbolKind, sort: Sort) -> Term {
        let term = self.pool.symbol(name, sort);
        if let Op::Symbol(symbol) = *self.pool.op(term) {
            self.symbols.kinds.insert(symbol, kind);
        }
        term
    }
}

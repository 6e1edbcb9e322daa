//! Cells that say something about memory, kept if a check asks for it.

use rorqual_cfa::Type;
use rorqual_logic::Sort;
use rorqual_memory::ClassId;

use super::{Cell, CellId, Cells, Elements, Maker, Spot};

/// What is known of a scalar, each in a cell of the same sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Facet {
    /// Its value.
    Content,
    /// For a pointer, the address of the object that it was derived from; 0 if there is none, or it is not known.
    Base,
    /// The bits of it that were written.
    Written,
}

/// What is known of all allocated memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ledger {
    /// Where it ends.
    Top,
    /// How many bytes an object has, by its address.
    Sizes,
    /// Whether an object on the heap is alive, by its address.
    HeapLives,
    /// Whether an object on the stack is alive, by its address.
    StackLives,
    /// How many objects on the heap are alive.
    Count,
}

impl Cells {
    /// A cell about all allocated memory.
    pub(crate) fn ledger(&mut self, maker: &mut Maker<'_>, ledger: Ledger) -> CellId {
        if let Some(&known) = self.ledgers.get(&ledger) {
            return known;
        }
        let address = maker.program.types.model().pointer_width();
        let (name, elements, width) = match ledger {
            Ledger::Top => ("heap.top", Elements::One, address),
            Ledger::Sizes => ("heap.size[]", Elements::Scattered, address),
            Ledger::HeapLives => ("heap.life[]", Elements::Scattered, 1),
            Ledger::StackLives => ("stack.life[]", Elements::Scattered, 1),
            Ledger::Count => ("heap.count", Elements::One, address),
        };
        let spot = Spot { object: None, name: name.to_owned(), bit_offset: 0, elements };
        let cell = self.add(maker, None, width, &spot);
        self.all[cell.0 as usize].is_ghost = true;
        self.ledgers.insert(ledger, cell);
        cell
    }

    /// The cell with a facet of what a cell contains, if there is something to know: pointers are only in cells of
    /// their type, and in bytes where some may be stored. Where they all point to starts, the content says it.
    pub(crate) fn facet(&mut self, maker: &mut Maker<'_>, cell: CellId, facet: Facet) -> Option<CellId> {
        if facet == Facet::Content {
            return Some(cell);
        }
        if let Some(&known) = self.facets.get(&(cell, facet)) {
            return known;
        }
        let is_base = facet == Facet::Base;
        let found = if is_base && self.holds_starts(maker, cell) {
            Some(cell)
        } else if is_base && !self.may_hold_pointers(maker, cell) || self.constants.contains_key(&cell) {
            None
        } else {
            Some(self.add_facet(maker, cell, facet))
        };
        self.facets.insert((cell, facet), found);
        found
    }

    fn add_facet(&mut self, maker: &mut Maker<'_>, cell: CellId, facet: Facet) -> CellId {
        let Cell { object, name, symbol, ty, bit_offset, elements, .. } = self.get(cell).clone();
        let (Sort::BitVec(width) | Sort::Array { element: width, .. }) = maker.pool.sort(symbol) else {
            unreachable!("cells hold vectors");
        };
        // What was written is no value of the type.
        let (suffix, ty) = if facet == Facet::Base { ("^base", ty) } else { ("^set", None) };
        let spot = Spot { object, name: name + suffix, bit_offset, elements };
        let found = self.add(maker, ty, width, &spot);
        self.all[found.0 as usize].is_ghost = true;
        found
    }

    fn may_hold_pointers(&self, maker: &Maker<'_>, cell: CellId) -> bool {
        let details = self.get(cell);
        // The type of such a variable does not say what it holds.
        let is_collapsed = |cell: &Cell| cell.object.is_some_and(|object| maker.memory.is_collapsed(object));
        match details.ty.map(|ty| maker.program.types.get(ty)) {
            Some(Type::Pointer(_)) => true,
            Some(Type::Int(_) | Type::Float(_)) if !is_collapsed(details) => false,
            _ => match details.object {
                Some(object) => maker.memory.holds_pointers(object),
                None => self.class_of(cell).is_some_and(|class| maker.memory.class_holds_pointers(class)),
            },
        }
    }

    /// Whether a cell has nothing but pointers to the starts of objects.
    fn holds_starts(&self, maker: &Maker<'_>, cell: CellId) -> bool {
        let (program, memory, details) = (maker.program, maker.memory, self.get(cell));
        let is_pointer = details.ty.is_some_and(|ty| matches!(program.types.get(ty), Type::Pointer(_)));
        let offset = details.bit_offset / 8;
        is_pointer
            && match details.object {
                Some(object) => memory.holds_starts(program, object, offset),
                None => {
                    self.class_of(cell).is_some_and(|class| memory.class_holds_starts(program, class, offset))
                }
            }
    }

    /// The class that a cell belongs to.
    fn class_of(&self, cell: CellId) -> Option<ClassId> {
        let mut classes = self.classes.iter().filter(|(_, layout)| layout.cells().contains(&cell));
        classes.next().map(|(&class, _)| class)
    }
}

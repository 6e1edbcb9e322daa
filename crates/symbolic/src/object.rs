//! Objects, and what they contain: scalars at known offsets, or an array.

use std::rc::Rc;

use imbl::OrdMap;
use rorqual_cfa::{FunctionId, LabelId, StringId, VariableId};
use rorqual_logic::{Term, TermPool};

/// An object that some execution makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId(pub(crate) u32);

/// What kind of object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Variable(VariableId),
    Text(StringId),
    Function(FunctionId),
    Label(FunctionId, LabelId),
    /// Memory from `malloc` and its like.
    Heap,
    /// Memory of a function: `alloca`, or an array of variable length.
    Stack,
}

/// What never changes about an object.
#[derive(Debug, Clone)]
pub(crate) struct Details {
    pub(crate) kind: Kind,
    /// Its address.
    pub(crate) base: Term,
}

/// An object in a state.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    /// How many bytes it has.
    pub(crate) size: Term,
    /// How many it has at most, if that is known.
    pub(crate) capacity: Option<u64>,
    /// Whether it is there.
    pub(crate) alive: Term,
    pub(crate) content: Content,
}

/// An object that is shared by states. States differ in it if they do not share it.
#[derive(Debug, Clone)]
pub(crate) struct Shared(pub(crate) Rc<Object>);

impl PartialEq for Shared {
    fn eq(&self, other: &Shared) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Cells(Cells),
    /// Elements of so many bytes each, by their number.
    Array {
        bytes: u32,
        term: Term,
    },
}

/// Bytes that were written together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) bytes: u32,
    /// The first byte is the lowest.
    pub(crate) value: Term,
    /// Whether they were written at all.
    pub(crate) written: Term,
}

/// What bytes contain that no cell has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rest {
    Zero,
    /// Nothing was written since an object was made, or made anew for the n-th time: any value, which stays.
    Unset(ObjectId, u32),
    Text(StringId),
}

/// Cells that do not overlap, by their offsets.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    pub(crate) map: OrdMap<u64, Cell>,
    pub(crate) rest: Rest,
}

/// A part of a cell, or a gap.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece {
    Cell { cell: Cell, from: u32, bytes: u32 },
    Gap { offset: u64, bytes: u32 },
}

impl Piece {
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Piece::Cell { bytes, .. } | Piece::Gap { bytes, .. } => bytes,
        }
    }
}

impl Cells {
    pub(crate) fn new(rest: Rest) -> Cells {
        Cells { map: OrdMap::new(), rest }
    }

    /// The cell that a byte is in.
    fn covering(&self, offset: u64) -> Option<(u64, Cell)> {
        let (&start, &cell) = self.map.get_prev(&offset)?;
        (offset < start + u64::from(cell.bytes)).then_some((start, cell))
    }

    /// The cells and gaps that bytes are in, in order.
    pub(crate) fn pieces(&self, offset: u64, bytes: u64) -> Vec<Piece> {
        let end = offset + bytes;
        let mut pieces = Vec::new();
        let mut at = offset;
        while at < end {
            let piece = match self.covering(at) {
                Some((start, cell)) => {
                    let last = end.min(start + u64::from(cell.bytes));
                    Piece::Cell { cell, from: (at - start) as u32, bytes: (last - at) as u32 }
                }
                None => {
                    let next = self.map.get_next(&at).map_or(end, |(&start, _)| start.min(end));
                    Piece::Gap { offset: at, bytes: (next - at) as u32 }
                }
            };
            at += u64::from(piece.bytes());
            pieces.push(piece);
        }
        pieces
    }

    /// Removes bytes; what is left of cells that they cut stays.
    pub(crate) fn clear(&mut self, pool: &mut TermPool, offset: u64, bytes: u64) {
        let end = offset + bytes;
        let mut at = offset;
        while let Some((start, cell)) = self.covering(at).or_else(|| {
            let (&start, &cell) = self.map.get_next(&at)?;
            (start < end).then_some((start, cell))
        }) {
            self.map.remove(&start);
            let cell_end = start + u64::from(cell.bytes);
            if start < offset {
                let left = part(pool, cell, 0, (offset - start) as u32);
                self.map.insert(start, left);
            }
            if cell_end > end {
                let right = part(pool, cell, (end - start) as u32, (cell_end - end) as u32);
                self.map.insert(end, right);
            }
            at = cell_end;
            if at >= end {
                break;
            }
        }
    }

    /// Puts a cell in the place of what was there.
    pub(crate) fn put(&mut self, pool: &mut TermPool, offset: u64, cell: Cell) {
        let same = self.map.get(&offset).is_some_and(|old| old.bytes == cell.bytes);
        if !same {
            self.clear(pool, offset, u64::from(cell.bytes));
        }
        self.map.insert(offset, cell);
    }
}

/// Some bytes of a cell.
pub(crate) fn part(pool: &mut TermPool, cell: Cell, from: u32, bytes: u32) -> Cell {
    let value = pool.bv_extract(cell.value, (from + bytes) * 8 - 1, from * 8);
    Cell { bytes, value, written: cell.written }
}

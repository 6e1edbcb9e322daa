//! Slots: scalars in cells, read and written.

use rorqual_cfa::{BitRange, Type, TypeId};
use rorqual_logic::{Bits, Sort, Term, TermPool};

use crate::cells::{CellId, Layout};
use crate::place::{Alternative, Node};
use crate::translate::{Obstacle, Translation};

/// Aggregates with more scalars are not taken apart.
pub(crate) const MOST_SCALARS: u64 = 512;

/// Where a scalar is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) cell: CellId,
    pub(crate) index: Option<Term>,
    pub(crate) extent: Extent,
}

/// How much of a cell or element.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Extent {
    /// All of it.
    All,
    /// So many bits from a bit on.
    Bits { low: u32, width: u32 },
    /// So many bits from a byte on that is computed.
    Shifted { offset: Term, width: u32 },
    /// Nothing: it is beyond the object.
    Nothing,
    /// So many bits, somewhere in the same object.
    Anywhere { width: u32 },
    /// So many bits from a bit of an element on, and in the next elements; each is a byte, the lowest first.
    Bytes { low: u32, width: u32 },
}

/// How unions are taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unions {
    /// Not at all.
    Whole,
    /// As their largest member, the first one if there are several: so the interpreter takes inputs for them.
    LargestMember,
}

impl Translation<'_, '_> {
    /// The slot of a scalar, unless that is not supported: then the edge is not, where the scalar is there.
    pub(crate) fn slot_of(&mut self, one: &Alternative) -> Option<Slot> {
        match self.slot(one) {
            Ok(Slot { extent: Extent::Nothing, .. }) => None,
            Ok(slot) => Some(slot),
            Err(obstacle) => {
                self.give_up(one.guard, obstacle);
                None
            }
        }
    }

    /// The slot of a scalar.
    pub(crate) fn slot(&mut self, one: &Alternative) -> Result<Slot, Obstacle> {
        match &one.node {
            &(Node::Part { cell, bits, ty, .. } | Node::Bytes { cell, bits, ty, .. })
                if self.encoding.is_vague(cell) =>
            {
                Ok(self.slot_anywhere(cell, bits, ty))
            }
            Node::Whole { layout, position } => match &**layout {
                Layout::Scalar { cell, .. } => {
                    let index = position.map(crate::place::Position::index);
                    Ok(Slot { cell: *cell, index, extent: Extent::All })
                }
                Layout::Opaque(reason) => Err(self.obstacle(reason)),
                _ => Err(self.obstacle("an access with another type than that of the object")),
            },
            Node::Part { cell, position, offset, bits, ty } => {
                let index = position.map(crate::place::Position::index);
                let start = bits.map_or(0, |range| u64::from(range.start));
                let width = bits.map_or_else(|| self.encoding.program.types.width(*ty), |range| range.width);
                let extent = self.part(one.guard, *cell, *offset, (start, width))?;
                Ok(Slot { cell: *cell, index, extent })
            }
            Node::Anywhere { cell, bits, ty } => Ok(self.slot_anywhere(*cell, *bits, *ty)),
            Node::Bytes { cell, address, bits: Some(BitRange { start, width }), .. } => {
                let pool = &mut self.encoding.pool;
                let skipped = pool.bv(start / 8, pool.width(*address));
                let first = pool.bv_add(*address, skipped);
                let extent = Extent::Bytes { low: start % 8, width: *width };
                Ok(Slot { cell: *cell, index: Some(first), extent })
            }
            Node::Bytes { cell, address, ty, .. } => {
                let width = self.encoding.program.types.width(*ty);
                Ok(Slot { cell: *cell, index: Some(*address), extent: Extent::Bytes { low: 0, width } })
            }
        }
    }

    fn slot_anywhere(&self, cell: CellId, bits: Option<BitRange>, ty: TypeId) -> Slot {
        let width = bits.map_or_else(|| self.encoding.program.types.width(ty), |range| range.width);
        Slot { cell, index: None, extent: Extent::Anywhere { width } }
    }

    /// Some bits of a cell of bytes.
    fn part(
        &mut self,
        guard: Term,
        cell: CellId,
        offset: Term,
        (start, width): (u64, u32),
    ) -> Result<Extent, Obstacle> {
        let all = u64::from(self.encoding.cell_width(cell));
        let Some(offset) = self.encoding.pool.as_bits(offset).map(Bits::to_u64) else {
            if start != 0 || !width.is_multiple_of(8) {
                return Err(self.obstacle("a bit-field at a computed place"));
            }
            if u64::from(width) > all {
                return self.beyond(guard, cell);
            }
            let inside = self.is_inside(offset, all / 8, u64::from(width / 8));
            let defined = self.encoding.pool.implies(guard, inside);
            self.require_defined(defined);
            let object = self.encoding.cells.get(cell).object;
            if object.is_none_or(|object| self.encoding.size(object) != all / 8) {
                // What is behind the union in the same object is hit then.
                let outside = self.encoding.pool.not(inside);
                let beyond = self.encoding.pool.and2(guard, outside);
                self.block_obstacle(beyond, "an access beyond a member of a union");
            }
            return Ok(Extent::Shifted { offset, width });
        };
        let low = offset.and_then(|offset| offset.checked_mul(8)?.checked_add(start));
        match low.filter(|low| low.checked_add(u64::from(width)).is_some_and(|end| end <= all)) {
            Some(low) => Ok(Extent::Bits { low: low as u32, width }),
            None => self.beyond(guard, cell),
        }
    }

    /// An access beyond the end of a cell of bytes: undefined if it is all of an object.
    fn beyond(&mut self, guard: Term, cell: CellId) -> Result<Extent, Obstacle> {
        let details = self.encoding.cells.get(cell);
        let size = details.object.map(|object| 8 * self.encoding.size(object));
        if size != Some(u64::from(self.encoding.cell_width(cell))) {
            return Err(self.obstacle("an access beyond a member of a union"));
        }
        let never = self.encoding.pool.not(guard);
        self.require_defined(never);
        Ok(Extent::Nothing)
    }

    /// Whether an access of some bytes at an offset lies in an object of a size.
    pub(crate) fn is_inside(&mut self, offset: Term, size: u64, access: u64) -> Term {
        let pool = &mut self.encoding.pool;
        match size.checked_sub(access) {
            Some(last) => {
                let last = pool.bv(last, pool.width(offset));
                pool.bv_ule(offset, last)
            }
            None => pool.bottom(),
        }
    }

    /// How many bits a slot has.
    pub(crate) fn slot_width(&self, slot: Slot) -> u32 {
        match slot.extent {
            Extent::All | Extent::Nothing => self.encoding.cell_width(slot.cell),
            Extent::Bits { width, .. }
            | Extent::Shifted { width, .. }
            | Extent::Anywhere { width }
            | Extent::Bytes { width, .. } => width,
        }
    }

    /// The sort of what is in a slot.
    pub(crate) fn slot_sort(&self, slot: Slot) -> Sort {
        match (slot.extent, slot.index) {
            (Extent::All, None) => self.encoding.pool.sort(self.encoding.cells.get(slot.cell).symbol),
            _ => Sort::BitVec(self.slot_width(slot)),
        }
    }

    /// The value in a slot.
    pub(crate) fn read_slot(&mut self, slot: Slot) -> Term {
        if self.encoding.is_vague(slot.cell) {
            let whole = self.encoding.pool.sort(self.encoding.cells.get(slot.cell).symbol);
            let sort = match slot {
                Slot { index: None, extent: Extent::All, .. } => whole,
                _ => Sort::BitVec(self.slot_width(slot)),
            };
            return self.approximate("what is in memory", sort);
        }
        if let Extent::Anywhere { width } = slot.extent {
            return self.approximate("an element beyond an array", Sort::BitVec(width));
        }
        let content = self.state.read(&self.encoding.cells, slot.cell);
        let pool = &mut self.encoding.pool;
        if let Extent::Bytes { low, width } = slot.extent {
            let first = slot.index.expect("bytes have addresses");
            let bytes = read_bytes(pool, content, first, (low + width).div_ceil(8));
            return pool.bv_extract(bytes, low + width - 1, low);
        }
        let element = slot.index.map_or(content, |index| pool.select(content, index));
        match slot.extent {
            Extent::Bits { low, width } => pool.bv_extract(element, low + width - 1, low),
            Extent::Shifted { offset, width } => {
                let by = shift_of(pool, offset, pool.width(element));
                let moved = pool.bv_lshr(element, by);
                pool.bv_extract(moved, width - 1, 0)
            }
            Extent::All | Extent::Nothing | Extent::Anywhere { .. } | Extent::Bytes { .. } => element,
        }
    }

    /// Stores a value in a slot where the guard holds.
    pub(crate) fn write_slot(&mut self, slot: Slot, guard: Term, value: Term) {
        if self.encoding.is_vague(slot.cell) {
            return;
        }
        if let Extent::Anywhere { .. } = slot.extent {
            let all = self.encoding.siblings(slot.cell);
            self.forget_cells(guard, &all, "an element beyond an array");
            return;
        }
        let old = self.state.read(&self.encoding.cells, slot.cell);
        let pool = &mut self.encoding.pool;
        let new = match slot.extent {
            Extent::Nothing => return,
            Extent::Bytes { low, width } => {
                let first = slot.index.expect("bytes have addresses");
                let value = if low == 0 && width.is_multiple_of(8) {
                    value
                } else {
                    let bytes = read_bytes(pool, old, first, (low + width).div_ceil(8));
                    replaced(pool, bytes, Extent::Bits { low, width }, value)
                };
                write_bytes(pool, old, first, value)
            }
            extent => {
                let element = slot.index.map_or(old, |index| pool.select(old, index));
                let element = replaced(pool, element, extent, value);
                slot.index.map_or(element, |index| pool.store(old, index, element))
            }
        };
        let new = pool.ite(guard, new, old);
        self.state.write(slot.cell, new);
    }

    /// Where the guard holds, nothing is known of cells any more.
    pub(crate) fn forget_cells(&mut self, guard: Term, cells: &[CellId], why: &str) {
        for &cell in cells {
            if self.encoding.is_vague(cell) {
                continue;
            }
            let old = self.state.read(&self.encoding.cells, cell);
            let sort = self.encoding.pool.sort(old);
            let any = self.approximate(why, sort);
            let new = self.encoding.pool.ite(guard, any, old);
            self.state.write(cell, new);
        }
    }

    /// The slots of all scalars of a type at a node, in the order of their addresses.
    pub(crate) fn scalar_slots(&mut self, one: &Alternative, ty: TypeId) -> Result<Vec<Slot>, Obstacle> {
        let mut slots = Vec::new();
        self.add_slots(one, ty, Unions::Whole, &mut slots)?;
        if slots.iter().any(|(slot, _)| matches!(slot.extent, Extent::Nothing)) {
            return Err(self.obstacle("an aggregate that is larger than the object"));
        }
        Ok(slots.into_iter().map(|(slot, _)| slot).collect())
    }

    /// The slots of all inputs that a value of a type takes, and their types.
    pub(crate) fn input_slots(
        &mut self,
        one: &Alternative,
        ty: TypeId,
    ) -> Result<Vec<(Slot, TypeId)>, Obstacle> {
        let mut slots = Vec::new();
        self.add_slots(one, ty, Unions::LargestMember, &mut slots)?;
        Ok(slots)
    }

    fn add_slots(
        &mut self,
        one: &Alternative,
        ty: TypeId,
        unions: Unions,
        slots: &mut Vec<(Slot, TypeId)>,
    ) -> Result<(), Obstacle> {
        if slots.len() as u64 > MOST_SCALARS {
            return Err(self.obstacle("an aggregate of this size"));
        }
        let types = &self.encoding.program.types;
        match types.get(ty) {
            Type::Record(record) if types.record(*record).kind == rorqual_cfa::RecordKind::Struct => {
                for (number, field) in types.record(*record).fields.iter().enumerate() {
                    let inner = self.member(one.clone(), field, number);
                    self.add_slots(&inner, field.ty, unions, slots)?;
                }
            }
            Type::Array { element, length: Some(length) } => {
                for at in 0..*length {
                    let at = self.bytes(at);
                    let inner = self.element(one.clone(), at, *element);
                    self.add_slots(&inner, *element, unions, slots)?;
                }
            }
            Type::Record(record) if unions == Unions::LargestMember => {
                let fields = types.record(*record).fields.iter().enumerate().rev();
                let Some((number, field)) = fields.max_by_key(|(_, field)| types.size_of(field.ty)) else {
                    return Ok(());
                };
                let inner = self.member(one.clone(), field, number);
                self.add_slots(&inner, field.ty, unions, slots)?;
            }
            Type::Record(record) => {
                let slot = self.union_slot(one, types.record(*record).size)?;
                slots.push((slot, ty));
            }
            _ => slots.push((self.slot(one)?, ty)),
        }
        Ok(())
    }

    /// All bytes of a place of which only bytes are known.
    pub(crate) fn byte_slot(&mut self, one: &Alternative, ty: TypeId) -> Result<Slot, Obstacle> {
        match self.encoding.program.types.size_of(ty) {
            Some(size) if size > 0 => self.union_slot(one, size),
            _ => Err(self.obstacle("an aggregate of this type")),
        }
    }

    /// All bytes of a union.
    fn union_slot(&mut self, one: &Alternative, size: u64) -> Result<Slot, Obstacle> {
        match &one.node {
            &(Node::Part { cell, .. } | Node::Bytes { cell, .. } | Node::Anywhere { cell, .. })
                if self.encoding.is_vague(cell) =>
            {
                Ok(Slot { cell, index: None, extent: Extent::Anywhere { width: size as u32 * 8 } })
            }
            Node::Part { cell, position, offset, .. } => {
                let index = position.map(crate::place::Position::index);
                let extent = self.part(one.guard, *cell, *offset, (0, size as u32 * 8))?;
                Ok(Slot { cell: *cell, index, extent })
            }
            Node::Bytes { cell, address, .. } => {
                let extent = Extent::Bytes { low: 0, width: 8 * size as u32 };
                Ok(Slot { cell: *cell, index: Some(*address), extent })
            }
            Node::Whole { .. } => Err(self.obstacle("a union of this size")),
            Node::Anywhere { cell, .. } => {
                Ok(Slot { cell: *cell, index: None, extent: Extent::Anywhere { width: size as u32 * 8 } })
            }
        }
    }
}

fn shift_of(pool: &mut TermPool, offset: Term, width: u32) -> Term {
    let offset = if pool.width(offset) > width {
        pool.bv_extract(offset, width - 1, 0)
    } else {
        pool.bv_zero_extend(offset, width)
    };
    let three = pool.bv(3u8, width);
    pool.bv_shl(offset, three)
}

/// A vector with some of its bits replaced.
fn replaced(pool: &mut TermPool, old: Term, extent: Extent, value: Term) -> Term {
    match extent {
        Extent::All | Extent::Nothing | Extent::Anywhere { .. } | Extent::Bytes { .. } => value,
        Extent::Bits { low, width } => {
            let all = pool.width(old);
            let mut parts = value;
            if low > 0 {
                let below = pool.bv_extract(old, low - 1, 0);
                parts = pool.bv_concat(parts, below);
            }
            if low + width < all {
                let above = pool.bv_extract(old, all - 1, low + width);
                parts = pool.bv_concat(above, parts);
            }
            parts
        }
        Extent::Shifted { offset, width } => {
            let all = pool.width(old);
            let by = shift_of(pool, offset, all);
            let ones = pool.bits(Bits::ones(width));
            let ones = pool.bv_zero_extend(ones, all);
            let mask = pool.bv_shl(ones, by);
            let (kept, value) = (pool.bv_not(mask), pool.bv_zero_extend(value, all));
            let (kept, value) = (pool.bv_and(old, kept), pool.bv_shl(value, by));
            pool.bv_or(kept, value)
        }
    }
}

fn read_bytes(pool: &mut TermPool, memory: Term, first: Term, count: u32) -> Term {
    let mut value = pool.select(memory, first);
    for at in 1..count {
        let at = pool.bv(at, pool.width(first));
        let address = pool.bv_add(first, at);
        let byte = pool.select(memory, address);
        value = pool.bv_concat(byte, value);
    }
    value
}

fn write_bytes(pool: &mut TermPool, memory: Term, first: Term, value: Term) -> Term {
    let mut memory = memory;
    for at in 0..pool.width(value) / 8 {
        let byte = pool.bv_extract(value, 8 * at + 7, 8 * at);
        let at = pool.bv(at, pool.width(first));
        let address = pool.bv_add(first, at);
        memory = pool.store(memory, address, byte);
    }
    memory
}

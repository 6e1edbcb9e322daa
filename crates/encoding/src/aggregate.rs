//! Structures, arrays and unions as a whole: assigned, and given any value.

use rorqual_cfa::{ExprId, ExprKind, PlaceId, RecordKind, Type, TypeId, TypeTable};
use rorqual_logic::{Sort, Term};
use rorqual_memory::LARGEST_UNION;

use crate::cells::{CellId, Facet, Layout, array_of_bytes};
use crate::place::{Alternative, Node, Position};
use crate::scalar::Scalar;
use crate::slot::{Extent, MOST_SCALARS, Slot};
use crate::translate::{Obstacle, Translation};

/// Where an aggregate comes from.
pub(crate) enum Source {
    /// Zeros or a text.
    Constant(ExprId),
    /// What places contain.
    Places(Vec<Alternative>),
}

/// How an aggregate is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Cell by cell.
    Cells,
    /// All bytes at once, those between members too.
    Bytes,
    /// Scalar by scalar.
    Scalars,
}

impl Translation<'_, '_> {
    pub(crate) fn source(&mut self, value: ExprId) -> Result<Source, Obstacle> {
        Ok(match self.encoding.program.exprs[value].kind {
            ExprKind::Load(place) => Source::Places(self.resolve(place)?),
            _ => Source::Constant(value),
        })
    }

    /// Copies an aggregate of a type.
    pub(crate) fn copy(
        &mut self,
        targets: &[Alternative],
        source: &Source,
        ty: TypeId,
    ) -> Result<(), Obstacle> {
        self.copy_all(&[targets], &[source], ty)
    }

    /// Copies aggregates of a type, all at once, with all that is known of them.
    pub(crate) fn copy_all(
        &mut self,
        targets: &[&[Alternative]],
        sources: &[&Source],
        ty: TypeId,
    ) -> Result<(), Obstacle> {
        for facet in self.encoding.facets() {
            let mut writes = Vec::new();
            for (targets, source) in targets.iter().zip(sources) {
                writes.extend(self.writes(targets, source, ty, facet)?);
            }
            for (targets, source) in targets.iter().zip(sources) {
                if self.manner(targets, source, ty) == Manner::Scalars {
                    self.forget_gaps(targets, ty, facet);
                }
            }
            for (slot, guard, value) in writes {
                self.write_slot(slot, guard, value);
            }
        }
        Ok(())
    }

    /// What is to be stored where, and when. All sources are read before anything is stored: they may overlap.
    fn writes(
        &mut self,
        targets: &[Alternative],
        source: &Source,
        ty: TypeId,
        facet: Facet,
    ) -> Result<Vec<(Slot, Term, Term)>, Obstacle> {
        let places: &[Alternative] = match source {
            Source::Places(places) => places,
            Source::Constant(_) => &[],
        };
        let manner = self.manner(targets, source, ty);
        let kept: Vec<Alternative> =
            targets.iter().filter(|one| !self.is_vague(&one.node)).cloned().collect();
        if manner == Manner::Scalars && scalars(&self.encoding.program.types, ty) > MOST_SCALARS {
            for one in &kept {
                let cells = self.object_cells(&one.node);
                self.forget_cells(one.guard, &cells, "a large structure");
            }
            return Ok(Vec::new());
        }
        let sources = self.all_slots(places, ty, manner);
        let mut writes = Vec::new();
        for (guard, slots) in self.all_slots(&kept, ty, manner) {
            for (number, slot) in slots.iter().enumerate() {
                let Some(kept) = self.own_facet_of(*slot, facet) else { continue };
                let value = match (source, facet) {
                    (Source::Places(_), _) => self.part_of_places(&sources, number, facet)?,
                    (Source::Constant(value), Facet::Content) => {
                        self.part_of_constant(*value, *slot, number, slots.len())?
                    }
                    (Source::Constant(_), _) => {
                        let sort = self.slot_sort(kept);
                        self.plain(facet, sort)
                    }
                };
                writes.push((kept, guard, value));
            }
        }
        Ok(writes)
    }

    fn is_vague(&self, node: &Node) -> bool {
        match node {
            Node::Whole { layout, .. } => layout.cells().iter().all(|&cell| self.encoding.is_vague(cell)),
            Node::Part { cell, .. } | Node::Bytes { cell, .. } | Node::Anywhere { cell, .. } => {
                self.encoding.is_vague(*cell)
            }
        }
    }

    /// All cells of the object that a node is in, or of its class.
    fn object_cells(&mut self, node: &Node) -> Vec<CellId> {
        let cell = match node {
            Node::Whole { layout, .. } => self.encoding.some_cell(layout),
            Node::Part { cell, .. } | Node::Bytes { cell, .. } | Node::Anywhere { cell, .. } => *cell,
        };
        self.encoding.siblings(cell)
    }

    /// How an aggregate is copied to all targets.
    fn manner(&self, targets: &[Alternative], source: &Source, ty: TypeId) -> Manner {
        let (places, has_bytes): (&[Alternative], bool) = match source {
            Source::Places(places) => (places, true),
            Source::Constant(value) => {
                (&[], matches!(self.encoding.program.exprs[*value].kind, ExprKind::Zero))
            }
        };
        let mut all = targets.iter().chain(places);
        let size = self.encoding.program.types.size_of(ty).unwrap_or(u64::MAX);
        if all.clone().all(|one| cells(&one.node).is_some()) {
            Manner::Cells
        } else if has_bytes && size <= LARGEST_UNION && all.all(|one| has_bytes_only(&one.node)) {
            Manner::Bytes
        } else {
            Manner::Scalars
        }
    }

    /// The slots in which an aggregate is copied.
    fn all_slots(&mut self, places: &[Alternative], ty: TypeId, manner: Manner) -> Vec<(Term, Vec<Slot>)> {
        let mut all = Vec::new();
        for one in places {
            let slots = match (manner, cells(&one.node)) {
                (Manner::Cells, Some(slots)) => Ok(slots),
                (Manner::Bytes, _) => self.byte_slot(one, ty).map(|slot| vec![slot]),
                _ => self.scalar_slots(one, ty),
            };
            match slots {
                Ok(slots) => all.push((one.guard, slots)),
                Err(obstacle) => self.give_up(one.guard, obstacle),
            }
        }
        all
    }

    /// Forgets the bytes between the scalars of an aggregate: what is copied there is not known.
    fn forget_gaps(&mut self, targets: &[Alternative], ty: TypeId, facet: Facet) {
        for one in targets.iter().filter(|one| has_bytes_only(&one.node)) {
            // Of large ones everything is forgotten anyway.
            if self.is_vague(&one.node) || scalars(&self.encoding.program.types, ty) > MOST_SCALARS {
                continue;
            }
            match self.gaps(one, ty) {
                Ok(Some(slot)) => {
                    let Some(slot) = self.own_facet_of(slot, facet) else { continue };
                    let width = self.slot_width(slot);
                    let what = "what is between the members of a structure";
                    let value = self.approximate(what, Sort::BitVec(width));
                    self.write_slot(slot, one.guard, value);
                }
                Ok(None) => {}
                Err(obstacle) => self.give_up(one.guard, obstacle),
            }
        }
    }

    /// All bytes of an aggregate, if some of them belong to no scalar.
    fn gaps(&mut self, one: &Alternative, ty: TypeId) -> Result<Option<Slot>, Obstacle> {
        let scalars = self.scalar_slots(one, ty)?;
        let filled: u64 = scalars.iter().map(|&slot| u64::from(self.slot_width(slot))).sum();
        let size = self.encoding.program.types.size_of(ty).unwrap_or(0);
        if filled == 8 * size { Ok(None) } else { self.byte_slot(one, ty).map(Some) }
    }

    /// The value of a constant aggregate for a slot.
    fn part_of_constant(
        &mut self,
        value: ExprId,
        slot: Slot,
        number: usize,
        slots: usize,
    ) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let width = self.slot_width(slot);
        let sort = self.encoding.pool.sort(self.encoding.cells.get(slot.cell).symbol);
        let pool = &mut self.encoding.pool;
        match (&program.exprs[value].kind, sort) {
            (ExprKind::Zero, Sort::Array { index, element }) if slot.index.is_none() => {
                let zero = pool.bv(0u8, element);
                Ok(pool.const_array(index, zero))
            }
            (ExprKind::Zero, _) => Ok(pool.bv(0u8, width)),
            (ExprKind::Text(text), sort) => {
                let bytes = &program.strings[*text].bytes;
                let length = program.types.size_of(program.exprs[value].ty).unwrap_or(0) as usize;
                let bytes = &bytes[..bytes.len().min(length)];
                match sort {
                    Sort::Array { index, element } if slot.index.is_none() => {
                        Ok(array_of_bytes(pool, index, element, bytes))
                    }
                    _ if slots > 1 || length * 8 == width as usize => {
                        let from = number * width as usize / 8;
                        let unit =
                            (from..from + width as usize / 8).map(|at| bytes.get(at).copied().unwrap_or(0));
                        let number = unit.rev().fold(0u128, |number, byte| number << 8 | u128::from(byte));
                        Ok(pool.bv(number, width))
                    }
                    _ => Err(self.obstacle("a text as a value of this kind")),
                }
            }
            _ => Err(self.obstacle("an aggregate value of this kind")),
        }
    }

    /// The value of the `number`-th slot of places.
    fn part_of_places(
        &mut self,
        sources: &[(Term, Vec<Slot>)],
        number: usize,
        facet: Facet,
    ) -> Result<Term, Obstacle> {
        let mut result = None;
        for (guard, slots) in sources.iter().rev() {
            let Some(&slot) = slots.get(number) else {
                return Err(self.obstacle("an aggregate of this type"));
            };
            let value = match self.facet_of(slot, facet) {
                Some(slot) => self.read_slot(slot),
                None => {
                    let sort = self.slot_sort(slot);
                    self.plain(facet, sort)
                }
            };
            let pool = &mut self.encoding.pool;
            result = Some(match result {
                None => value,
                Some(other) if pool.sort(value) == pool.sort(other) => pool.ite(*guard, value, other),
                Some(_) => return Err(self.obstacle("copying from objects of different shapes")),
            });
        }
        result.ok_or_else(|| self.obstacle("reading through this pointer"))
    }

    /// Stores any value.
    pub(crate) fn havoc(&mut self, target: PlaceId) -> Result<(), Obstacle> {
        let ty = self.encoding.program.places[target].ty;
        let mut inputs: Vec<(Term, TypeId)> = Vec::new();
        for one in self.resolve(target)? {
            if let Some(arrays) = self.whole_arrays(&one.node) {
                self.havoc_arrays(&arrays);
                continue;
            }
            let slots = self.input_slots(&one, ty)?;
            while inputs.len() < slots.len() {
                let (slot, ty) = slots[inputs.len()];
                let width = self.slot_width(slot);
                let input = self.input(ty, width);
                self.restrict_truth(ty, input);
                inputs.push((input, ty));
            }
            for (&(slot, _), &(input, _)) in slots.iter().zip(&inputs) {
                // A pointer from outside points to the start of an object.
                self.put(slot, one.guard, Scalar::start(input));
            }
        }
        self.take(&inputs);
        Ok(())
    }

    /// Stores something of which nothing is known.
    pub(crate) fn forget(&mut self, target: PlaceId, why: &str) -> Result<(), Obstacle> {
        let ty = self.encoding.program.places[target].ty;
        for one in self.resolve(target)? {
            for slot in self.scalar_slots(&one, ty)? {
                let width = self.slot_width(slot);
                let value = self.approximate(why, Sort::BitVec(width));
                self.put(slot, one.guard, Scalar::number(value));
            }
        }
        Ok(())
    }

    /// The cells of a variable with arrays in it.
    fn whole_arrays(&mut self, node: &Node) -> Option<Vec<CellId>> {
        let Node::Whole { layout, position: None } = node else { return None };
        let cells = layout.cells();
        let is_array = |&cell: &CellId| {
            matches!(self.encoding.pool.sort(self.encoding.cells.get(cell).symbol), Sort::Array { .. })
        };
        (layout.obstacle().is_none() && cells.iter().any(is_array)).then_some(cells)
    }

    /// Gives a variable with arrays any value, without saying which inputs that takes.
    fn havoc_arrays(&mut self, cells: &[CellId]) {
        for &cell in cells {
            let sort = self.encoding.pool.sort(self.encoding.cells.get(cell).symbol);
            let value = self.approximate("an input for an array", sort);
            self.state.write(cell, value);
            self.restrict_bool(cell, value);
            for facet in [Facet::Base, Facet::Written] {
                if let Some(kept) = self.encoding.facet(cell, facet).filter(|&kept| kept != cell) {
                    let plain = self.plain(facet, sort);
                    self.state.write(kept, plain);
                }
            }
        }
    }
}

/// How many scalars a type has.
fn scalars(types: &TypeTable, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Array { element, length } => length.unwrap_or(0).saturating_mul(scalars(types, *element)),
        Type::Record(record) if types.record(*record).kind == RecordKind::Struct => {
            let fields = types.record(*record).fields.iter().map(|field| scalars(types, field.ty));
            fields.fold(0, u64::saturating_add)
        }
        _ => 1,
    }
}

/// Whether a node is a sequence of bytes.
pub(crate) fn has_bytes_only(node: &Node) -> bool {
    !matches!(node, Node::Whole { .. })
}

/// All cells of a node as slots, unless it has arrays at a position, or only bytes are known of it.
fn cells(node: &Node) -> Option<Vec<Slot>> {
    let Node::Whole { layout, position } = node else { return None };
    let cells = layout.cells();
    if layout.obstacle().is_some() || position.is_some() && cells.iter().any(|&cell| is_deeper(layout, cell))
    {
        return None;
    }
    let slot = |&cell: &CellId| Slot { cell, index: position.map(Position::index), extent: Extent::All };
    Some(cells.iter().map(slot).collect())
}

/// Whether a cell of the layout is inside of an array of the layout itself.
fn is_deeper(layout: &Layout, cell: CellId) -> bool {
    match layout {
        Layout::Array { element, .. } => element.cells().contains(&cell),
        Layout::Struct { fields, .. } => fields.iter().any(|(_, field)| is_deeper(field, cell)),
        _ => false,
    }
}

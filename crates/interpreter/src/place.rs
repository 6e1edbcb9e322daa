//! Places: where they are, and loading from and storing to them.

use rorqual_cfa::{
    BitRange, ExprId, ExprKind, FunctionId, Id, LabelId, PlaceId, PlaceKind, Printer, StringId, Type,
    VariableId, VariableKind,
};

use crate::guide::Unset;
use crate::machine::Machine;
use crate::memory::{Block, ObjectKind, bit_field_bytes};
use crate::outcome::{Cause, Run, Stop};
use crate::storage::Storage;
use crate::undefined::{Access, Undefined};
use crate::value::{IntShape, ObjectId, Pointer, Scalar, Shape, Value};

/// Where a place is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// In a slot, counted from the start of all slots.
    Slot(usize),
    Memory(Pointer),
    /// A bit-field, from the byte that the pointer points to.
    Bits(Pointer, BitRange),
}

impl Machine<'_> {
    /// Finds a place. Whether it may be accessed is checked only when it is.
    pub(crate) fn target(&mut self, id: PlaceId) -> Run<Target> {
        let program = self.program;
        let place = &program.places[id];
        match place.kind {
            PlaceKind::Variable(variable) => self.variable(variable),
            PlaceKind::Text(string) => {
                let object = self.text_object(string)?;
                Ok(Target::Memory(self.memory.pointer_to(object)))
            }
            PlaceKind::Deref(pointer) => {
                let pointer = self.eval(pointer)?.pointer();
                self.record_pointing(id, pointer);
                Ok(Target::Memory(pointer))
            }
            PlaceKind::Member { base, field } => {
                let record = program.types.as_record(program.places[base].ty);
                let Some(record) = record else {
                    return Err(Stop::unsupported("a member of something that is no record"));
                };
                let field = &program.types.record(record).fields[field as usize];
                let base = self.address_of(base)?;
                let pointer = self.memory.offset(base, i128::from(field.offset));
                Ok(match field.bits {
                    Some(range) => Target::Bits(pointer, range),
                    None => Target::Memory(pointer),
                })
            }
            PlaceKind::Element { base, index } => {
                let stride = program.types.size_of(place.ty).unwrap_or(0);
                let base = self.address_of(base)?;
                let index = self.eval(index)?.int();
                let bytes = index.wrapping_mul(i128::from(stride));
                let is_named = !program.has_dereference(id);
                let moved =
                    if is_named { self.memory.element(base, bytes) } else { self.memory.offset(base, bytes) };
                Ok(Target::Memory(moved))
            }
        }
    }

    /// The address of a place that is not a bit-field.
    pub(crate) fn address_of(&mut self, id: PlaceId) -> Run<Pointer> {
        match self.target(id)? {
            Target::Memory(pointer) => Ok(pointer),
            Target::Slot(_) => Err(Stop::unsupported("the address of a variable that has none")),
            Target::Bits(..) => Err(Stop::unsupported("the address of a bit-field")),
        }
    }

    fn variable(&mut self, id: VariableId) -> Run<Target> {
        let number = match self.layout.storage(id) {
            Storage::LocalSlot(number) => return Ok(Target::Slot(self.first_slot + number as usize)),
            Storage::GlobalSlot(number) => return Ok(Target::Slot(number as usize)),
            Storage::LocalObject(number) => self.first_object + number as usize,
            Storage::GlobalObject(number) => number as usize,
        };
        let object = match self.objects[number] {
            Some(object) => object,
            None => self.variable_object(id, number)?,
        };
        Ok(Target::Memory(self.memory.pointer_to(object)))
    }

    /// The address of a variable that is an object.
    pub(crate) fn variable_address(&mut self, id: VariableId) -> Run<Pointer> {
        match self.variable(id)? {
            Target::Memory(pointer) => Ok(pointer),
            _ => Err(Stop::unsupported("the address of a variable that has none")),
        }
    }

    /// Makes the object of a variable, which is used for the first time in its life.
    fn variable_object(&mut self, id: VariableId, number: usize) -> Run<ObjectId> {
        let program = self.program;
        let variable = &program.variables[id];
        let size = variable.size.or(program.types.size_of(variable.ty));
        let align = program.types.align_of(variable.ty).max(variable.align);
        let object = self.memory.allocate(ObjectKind::Variable(id), size.unwrap_or(0), align)?;
        match size {
            None => self.memory.mark_incomplete(object),
            // What the start-up code does not store explicitly, such as the gaps in a flexible array
            // member, is zero.
            Some(size) if variable.kind == VariableKind::Static => {
                *self.memory.block_mut(object) = Block::zeroed(size as usize);
            }
            Some(_) => {
                for cell in self.hidden.take_object(number) {
                    self.memory.block_mut(object).hide(cell);
                }
            }
        }
        self.objects[number] = Some(object);
        Ok(object)
    }

    fn text_object(&mut self, id: StringId) -> Run<ObjectId> {
        if let Some(object) = self.library.texts[id.index()] {
            return Ok(object);
        }
        let literal = &self.program.strings[id];
        let align = self.program.types.align_of(literal.ty);
        let size = literal.bytes.len() as u64;
        let object = self.memory.allocate(ObjectKind::Text(id), size, align)?;
        *self.memory.block_mut(object) = Block::from_bytes(literal.bytes.clone());
        self.library.texts[id.index()] = Some(object);
        Ok(object)
    }

    pub(crate) fn function_address(&mut self, id: FunctionId) -> Run<Pointer> {
        let object = match self.library.functions[id.index()] {
            Some(object) => object,
            None => self.memory.allocate(ObjectKind::Function(id), 1, 16)?,
        };
        self.library.functions[id.index()] = Some(object);
        Ok(self.memory.pointer_to(object))
    }

    pub(crate) fn label_address(&mut self, function: FunctionId, label: LabelId) -> Run<Pointer> {
        let object = match self.library.labels.get(&(function, label)) {
            Some(&object) => object,
            None => self.memory.allocate(ObjectKind::Label(function, label), 1, 1)?,
        };
        self.library.labels.insert((function, label), object);
        Ok(self.memory.pointer_to(object))
    }

    /// The value of a variable that is kept in a slot and has a value: the common case.
    pub(crate) fn slot_value(&self, id: PlaceId) -> Option<Scalar> {
        let PlaceKind::Variable(variable) = self.program.places[id].kind else {
            return None;
        };
        match self.layout.storage(variable) {
            Storage::LocalSlot(number) => self.slots[self.first_slot + number as usize],
            Storage::GlobalSlot(number) => self.slots[number as usize],
            _ => None,
        }
    }

    /// The scalar in a place.
    pub(crate) fn load(&mut self, id: PlaceId) -> Run<Scalar> {
        match self.load_target(id) {
            Ok(value) => Ok(value),
            Err(stop) => Err(self.failed(stop, id)),
        }
    }

    fn load_target(&mut self, id: PlaceId) -> Run<Scalar> {
        let shape = self.layout.place(id);
        let target = self.target(id)?;
        let value = match target {
            Target::Slot(slot) => self.slots[slot],
            Target::Memory(pointer) => {
                let value = self.memory.load(pointer, shape)?;
                if let (Some(Scalar::Int(value)), Shape::Int(shape)) = (value, shape)
                    && shape.boolean
                    && !(0..=1).contains(&value)
                {
                    return Err(Undefined::NotABool { value }.into());
                }
                value
            }
            Target::Bits(pointer, range) => {
                let (bits, mask) = self.memory.load_bits(pointer, range)?;
                let whole = is_whole(mask, range.width);
                whole.then(|| Scalar::Int(extend(bits, range, shape)))
            }
        };
        let value = match value {
            Some(value) => value,
            None => self.load_indeterminate(target, id)?,
        };
        self.record_scalar(Access::Read, target, shape, value);
        Ok(value)
    }

    #[cold]
    fn load_indeterminate(&mut self, target: Target, id: PlaceId) -> Run<Scalar> {
        let name = Printer::new(self.program).place(id);
        let shape = self.layout.place(id);
        let ty = self.program.types.get(self.program.places[id].ty);
        match target {
            Target::Slot(slot) => {
                let cell = match self.program.places[id].kind {
                    PlaceKind::Variable(variable) => Some(self.input_cell(variable, 0)),
                    _ => None,
                };
                let unset = Unset { hidden: self.hidden.slot(slot), cell };
                let value = self.uninitialized(ty, &format!("`{name}`"), unset)?;
                self.slots[slot] = Some(value);
                Ok(value)
            }
            Target::Memory(pointer) => self.load_unset(pointer, shape, ty, &format!("`{name}`")),
            Target::Bits(pointer, range) => {
                let length = bit_field_bytes(range);
                self.memory.recall(pointer, length)?;
                let (hidden, mask) = self.memory.load_bits(pointer, range)?;
                if is_whole(mask, range.width) {
                    return Ok(Scalar::Int(extend(hidden, range, shape)));
                }
                let unset = Unset { hidden, cell: self.cell_at(pointer, range.start) };
                let input = self.uninitialized(ty, &format!("`{name}`"), unset)?.bits();
                let (bits, mask) = self.memory.load_bits(pointer, range)?;
                let bits = (bits & mask) | (input & !mask);
                let copied = self.memory.copied(pointer, length)?;
                self.memory.store_bits(pointer, range, bits)?;
                self.memory.remember(&copied);
                let (bits, _) = self.memory.load_bits(pointer, range)?;
                Ok(Scalar::Int(extend(bits, range, shape)))
            }
        }
    }

    /// Reads a scalar some bits of which were never set: they are taken from an input and
    /// stay as they then are.
    pub(crate) fn load_unset(
        &mut self,
        pointer: Pointer,
        shape: Shape,
        ty: &Type,
        what: &str,
    ) -> Run<Scalar> {
        let length = shape.value_bytes(self.memory.model());
        if self.memory.recall(pointer, length)?
            && let Some(value) = self.memory.load(pointer, shape)?
        {
            return Ok(value);
        }
        let (bits, mask) = self.memory.partial(pointer, shape)?;
        let unset = Unset { hidden: bits, cell: self.cell_at(pointer, 0) };
        let input = self.uninitialized(ty, what, unset)?;
        let bits = (bits & mask) | (input.bits() & !mask);
        let value = match shape {
            Shape::Int(shape) => Scalar::Int(shape.wrap(bits as i128)),
            Shape::Float(_) => Scalar::Float(bits),
            _ if mask << (128 - shape.value_bytes(self.memory.model()) * 8) == 0 => input,
            _ => Scalar::Pointer(Pointer::invalid(bits as u64)),
        };
        let copied = self.memory.copied(pointer, length)?;
        self.memory.store(pointer, shape, value)?;
        self.memory.remember(&copied);
        Ok(value)
    }

    /// An access to a place failed: the report gets its span and all that is known.
    #[cold]
    pub(crate) fn failed(&mut self, stop: Stop, id: PlaceId) -> Stop {
        self.explain(stop, id).at(self.program.place_spans[id])
    }

    /// Says more about an access that failed: the index that the program wrote, or that the
    /// pointer was null before a member or element was taken.
    fn explain(&mut self, mut stop: Stop, id: PlaceId) -> Stop {
        match stop.cause_mut() {
            Cause::Undefined(Undefined::OutOfBounds { index: known, .. }) => {
                if let Some(index) = self.written_index(id)
                    && let Ok(value) = self.eval(index)
                {
                    known.get_or_insert(value.int());
                }
            }
            Cause::Undefined(kind @ Undefined::InvalidPointer { .. }) => {
                if let Undefined::InvalidPointer { access, .. } = *kind
                    && self.starts_at_null(id)
                {
                    *kind = Undefined::NullPointer { access };
                }
            }
            _ => {}
        }
        stop
    }

    /// The innermost index on the way to a place.
    fn written_index(&self, id: PlaceId) -> Option<ExprId> {
        match self.program.places[id].kind {
            PlaceKind::Element { index, .. } => Some(index),
            PlaceKind::Member { base, .. } => self.written_index(base),
            _ => None,
        }
    }

    /// Whether the pointer that the way to a place starts with is null.
    fn starts_at_null(&mut self, id: PlaceId) -> bool {
        match self.program.places[id].kind {
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.starts_at_null(base),
            PlaceKind::Deref(pointer) => self.is_offset_from_null(pointer),
            PlaceKind::Variable(_) | PlaceKind::Text(_) => false,
        }
    }

    fn is_offset_from_null(&mut self, pointer: ExprId) -> bool {
        match self.program.exprs[pointer].kind {
            ExprKind::PointerOffset { pointer, .. } | ExprKind::Convert(pointer) => {
                self.is_offset_from_null(pointer)
            }
            ExprKind::AddressOf(place) => self.starts_at_null(place),
            _ => {
                self.layout.expr(pointer) == Shape::Pointer
                    && self.eval(pointer).is_ok_and(|value| value.pointer().is_null())
            }
        }
    }

    /// Stores a scalar in a place.
    pub(crate) fn store(&mut self, id: PlaceId, value: Scalar) -> Run<()> {
        match self.store_target(id, value) {
            Ok(()) => Ok(()),
            Err(stop) => Err(self.failed(stop, id)),
        }
    }

    fn store_target(&mut self, id: PlaceId, value: Scalar) -> Run<()> {
        let target = self.target(id)?;
        self.record_scalar(Access::Write, target, self.layout.place(id), value);
        match target {
            Target::Slot(slot) => {
                self.slots[slot] = Some(value);
                Ok(())
            }
            Target::Memory(pointer) => self.memory.store(pointer, self.layout.place(id), value),
            Target::Bits(pointer, range) => self.memory.store_bits(pointer, range, value.bits()),
        }
    }

    /// Stores any value in a place of its type.
    pub(crate) fn store_value(&mut self, id: PlaceId, value: Value) -> Run<()> {
        let stored = match value {
            Value::Scalar(value) => return self.store(id, value),
            Value::Block(block) => self.address_of(id).and_then(|pointer| {
                self.record_bytes(Access::Write, pointer, block.len() as u64);
                self.memory.insert(pointer, &block)
            }),
            Value::Indeterminate => self.unset(id),
        };
        stored.map_err(|stop| self.failed(stop, id))
    }

    fn unset(&mut self, id: PlaceId) -> Run<()> {
        match self.target(id)? {
            Target::Slot(slot) => {
                self.slots[slot] = None;
                Ok(())
            }
            Target::Memory(pointer) => {
                let size = self.program.types.size_of(self.program.places[id].ty);
                self.memory.unset(pointer, size.unwrap_or(0))
            }
            Target::Bits(pointer, range) => self.memory.unset_bits(pointer, range),
        }
    }
}

pub(crate) fn is_whole(mask: u128, width: u32) -> bool {
    let unused = 128 - width;
    mask << unused == u128::MAX << unused
}

/// The bits of a bit-field extended to the type it was declared with.
fn extend(bits: u128, range: BitRange, shape: Shape) -> i128 {
    let signed = matches!(shape, Shape::Int(IntShape { signed: true, .. }));
    let field = IntShape { width: range.width, signed, boolean: false };
    field.wrap(bits as i128)
}

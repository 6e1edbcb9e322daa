//! Taking inputs: for scalars, and for all scalars inside of an aggregate.

use rorqual_cfa::{IntKind, Record, RecordKind, Type, TypeId};

use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::operation::MAXIMUM_ALIGN;
use crate::outcome::Run;
use crate::value::{Pointer, Scalar, Shape, Value};

/// The size of what a pointer from outside points to.
const GIVEN_SIZE: u64 = 1 << 16;

impl Machine<'_> {
    /// The next input, for a scalar of type `ty`.
    pub(crate) fn input(&mut self, ty: &Type, origin: &str) -> Run<Scalar> {
        let asked = self.asked(origin, None);
        let value = self.inputs.take(ty, self.memory.model(), &asked)?;
        self.given_value(ty, value)
    }

    /// A value from outside: pointers among them point to memory from outside.
    pub(crate) fn given_value(&mut self, ty: &Type, value: Scalar) -> Run<Scalar> {
        match (ty, value) {
            (Type::Pointer(pointee), Scalar::Pointer(pointer)) if !pointer.is_null() => {
                let is_function = matches!(self.program.types.get(*pointee), Type::Function { .. });
                if is_function { Ok(value) } else { self.given_memory(pointer.address).map(Scalar::Pointer) }
            }
            _ => Ok(value),
        }
    }

    /// The memory that a pointer from outside points to: the same for the same number, and of its own for each.
    fn given_memory(&mut self, number: u64) -> Run<Pointer> {
        if let Some(&object) = self.given.get(&number) {
            return Ok(self.memory.pointer_to(object));
        }
        let object = self.memory.allocate(ObjectKind::Given, GIVEN_SIZE, MAXIMUM_ALIGN)?;
        self.given.insert(number, object);
        self.hide_memory(object, Some(number));
        Ok(self.memory.pointer_to(object))
    }

    /// Any value of a type: what a function without body returns.
    pub(crate) fn input_value(&mut self, ty: TypeId, origin: &str) -> Run<Value> {
        let program = self.program;
        match self.shape(ty) {
            Shape::None => Ok(Value::Indeterminate),
            Shape::Aggregate => {
                let size = program.types.size_of(ty).unwrap_or(0);
                let object = self.runtime_object("the result of a function", size)?;
                let pointer = self.memory.pointer_to(object);
                self.havoc_memory(pointer, ty, origin)?;
                let block = self.memory.extract(pointer, size)?;
                self.memory.kill(object, crate::memory::Life::Ended);
                Ok(Value::Block(Box::new(block)))
            }
            _ => self.input(program.types.get(ty), origin).map(Value::Scalar),
        }
    }

    /// Fills the scalars of an object in the order of their addresses. A union is filled as
    /// its largest member, the first one if there are several. Padding stays as it is.
    pub(crate) fn havoc_memory(&mut self, pointer: Pointer, ty: TypeId, origin: &str) -> Run<()> {
        let program = self.program;
        match program.types.get(ty) {
            scalar @ (Type::Int(_) | Type::Float(_) | Type::Pointer(_)) => {
                let value = self.input(scalar, origin)?;
                self.memory.store(pointer, self.shape(ty), value)
            }
            Type::Array { element, length } => {
                let size = program.types.size_of(*element).unwrap_or(0);
                for index in 0..length.unwrap_or(0) {
                    let at = self.memory.offset(pointer, i128::from(index * size));
                    self.havoc_memory(at, *element, origin)?;
                }
                Ok(())
            }
            Type::Record(record) => {
                let record = program.types.record(*record);
                self.havoc_record(pointer, record, origin)
            }
            Type::Opaque { size, .. } => self.havoc_bytes(pointer, *size, origin),
            Type::Void | Type::Function { .. } => Ok(()),
        }
    }

    fn havoc_record(&mut self, pointer: Pointer, record: &Record, origin: &str) -> Run<()> {
        let program = self.program;
        let fields = match record.kind {
            RecordKind::Struct => &record.fields[..],
            RecordKind::Union => {
                let sizes = record.fields.iter().map(|field| program.types.size_of(field.ty));
                let largest = sizes.clone().max().flatten();
                let position = sizes.into_iter().position(|size| size == largest);
                position.map_or(&[][..], |position| &record.fields[position..=position])
            }
        };
        for field in fields {
            let at = self.memory.offset(pointer, i128::from(field.offset));
            match field.bits {
                None => self.havoc_memory(at, field.ty, origin)?,
                Some(range) => {
                    let value = self.input(program.types.get(field.ty), origin)?;
                    self.memory.store_bits(at, range, value.bits())?;
                }
            }
        }
        Ok(())
    }

    fn havoc_bytes(&mut self, pointer: Pointer, size: u64, origin: &str) -> Run<()> {
        for offset in 0..size {
            let byte = self.input(&Type::Int(IntKind::UnsignedChar), origin)?.int() as u8;
            let at = self.memory.offset(pointer, i128::from(offset));
            self.memory.write(at, &[byte])?;
        }
        Ok(())
    }
}

//! What each operation of an edge does, except calls.

use rorqual_cfa::{
    ExprId, ExprKind, HaltKind, IntKind, Operation, PlaceId, PlaceKind, Type, VariableId, VariableKind,
};
use rorqual_source::Span;

use crate::machine::Machine;
use crate::memory::{Block, Life, ObjectKind};
use crate::outcome::{Cause, Halt, Run, Stop};
use crate::storage::Storage;
use crate::undefined::{Access, Undefined};
use crate::value::{IntShape, Pointer, Scalar, Shape, Value};

/// What `malloc` and the stack align to.
pub(crate) const MAXIMUM_ALIGN: u64 = 16;

/// Where a variable is: an index among all slots or objects.
enum Held {
    Slot(usize),
    Object(usize),
}

impl<'p> Machine<'p> {
    /// Performs the operation of an edge that is taken.
    pub(crate) fn perform(&mut self, operation: &'p Operation, span: Span) -> Run<()> {
        match operation {
            // Assumptions were checked when the edge was chosen.
            // That a function has written nothing is one of the possibilities.
            Operation::Skip | Operation::Assume { .. } | Operation::Clobber { .. } => Ok(()),
            Operation::Assign { target, value } => self.assign(*target, *value),
            Operation::Havoc { target, origin } => self.havoc(*target, origin),
            Operation::Call { target, callee, arguments } => {
                self.call_operation(*target, *callee, arguments, span)
            }
            Operation::Return { value } => self.return_operation(*value),
            Operation::Error(kind) => Err(Stop::new(Cause::Violation(kind.clone()))),
            Operation::Halt(kind) => Err(self.halt(kind)?),
            Operation::Declare(variable) => {
                self.declare(*variable);
                Ok(())
            }
            Operation::Expire(variable) => {
                self.end_life(*variable);
                Ok(())
            }
            Operation::StackAllocate { target, size } => self.stack_allocate(*target, *size),
            Operation::StackRelease { pointer } => {
                if let Some(object) = self.eval(*pointer)?.pointer().provenance {
                    self.memory.kill(object, Life::Ended);
                    self.frame_mut().stack_objects.retain(|&other| other != object);
                }
                Ok(())
            }
            Operation::ProgramArguments { count, vector } => self.program_arguments(*count, *vector),
            Operation::VarArgs(operation) => self.var_args(operation),
            Operation::Assembly { template, outputs, .. } => {
                if template.trim().is_empty() && outputs.is_empty() {
                    return Ok(());
                }
                Err(Stop::unsupported("inline assembly"))
            }
            Operation::Unsupported { construct } => Err(Stop::unsupported(construct.clone())),
        }
    }

    fn assign(&mut self, target: PlaceId, value: ExprId) -> Run<()> {
        if self.layout.place(target) == Shape::Aggregate {
            return self.assign_aggregate(target, value);
        }
        let value = self.eval(value)?;
        self.store(target, value)
    }

    fn assign_aggregate(&mut self, target: PlaceId, value: ExprId) -> Run<()> {
        if matches!(self.program.exprs[value].kind, ExprKind::Zero) {
            let size = self.size_of_place(target);
            return self
                .address_of(target)
                .and_then(|pointer| {
                    self.record_bytes(Access::Write, pointer, size);
                    self.memory.fill(pointer, size, 0)
                })
                .map_err(|stop| self.failed(stop, target));
        }
        let value = self.eval_value(value)?;
        self.store_value(target, value)
    }

    fn size_of_place(&self, place: PlaceId) -> u64 {
        let ty = self.program.places[place].ty;
        self.program.types.size_of(ty).unwrap_or(0)
    }

    /// The value of an expression of any type.
    pub(crate) fn eval_value(&mut self, id: ExprId) -> Run<Value> {
        if self.layout.expr(id) != Shape::Aggregate {
            return self.eval(id).map(Value::Scalar);
        }
        self.eval_aggregate(id)
            .map(|block| Value::Block(Box::new(block)))
            .map_err(|stop| stop.at(self.program.expr_spans[id]))
    }

    fn eval_aggregate(&mut self, id: ExprId) -> Run<Block> {
        let expr = &self.program.exprs[id];
        let size = self.program.types.size_of(expr.ty).unwrap_or(0);
        match expr.kind {
            ExprKind::Zero => Ok(Block::zeroed(size as usize)),
            ExprKind::Text(string) => {
                let mut bytes = self.program.strings[string].bytes.clone();
                bytes.resize(size as usize, 0);
                Ok(Block::from_bytes(bytes))
            }
            ExprKind::Load(place) => {
                let pointer = self.address_of(place)?;
                self.record_bytes(Access::Read, pointer, size);
                self.memory.extract(pointer, size).map_err(|stop| self.failed(stop, place))
            }
            _ => Err(Stop::unsupported("an operation on a value that is not scalar")),
        }
    }

    fn return_operation(&mut self, value: Option<ExprId>) -> Run<()> {
        match value {
            None => self.finish_call(Value::Indeterminate, None),
            Some(value) => {
                let ty = self.program.exprs[value].ty;
                let value = self.eval_value(value)?;
                self.finish_call(value, Some(ty))
            }
        }
    }

    fn halt(&mut self, kind: &HaltKind) -> Run<Stop> {
        Ok(match kind {
            HaltKind::Abort => Stop::new(Cause::Halted(Halt::Abort)),
            HaltKind::Exit(status) => {
                let status = self.eval(*status)?.int() as i32;
                Stop::new(Cause::Finished(status))
            }
            HaltKind::NoReturn { function } => {
                Stop::new(Cause::Halted(Halt::NoReturn { function: function.clone() }))
            }
            HaltKind::Unreachable => Undefined::Unreachable.into(),
        })
    }

    /// Ends the life of what a variable holds. The next use of its name finds it fresh.
    /// A declaration makes the value indeterminate. An object that lives already goes on living: control has
    /// come back to the declaration without leaving its block.
    fn declare(&mut self, variable: VariableId) {
        match self.storage_of(variable) {
            Held::Slot(number) => self.slots[number] = None,
            Held::Object(number) => {
                if let Some(object) = self.objects[number] {
                    let block = self.memory.block_mut(object);
                    block.reset(block.len());
                    return self.hide_again(variable, object);
                }
            }
        }
        self.hide(variable);
    }

    fn end_life(&mut self, variable: VariableId) {
        match self.storage_of(variable) {
            Held::Slot(number) => self.slots[number] = None,
            Held::Object(number) => {
                if let Some(object) = self.objects[number].take() {
                    self.memory.kill(object, Life::Ended);
                }
            }
        }
    }

    /// Where the variable is in the active frame.
    fn storage_of(&self, variable: VariableId) -> Held {
        match self.layout.storage(variable) {
            Storage::LocalSlot(number) => Held::Slot(self.first_slot + number as usize),
            Storage::GlobalSlot(number) => Held::Slot(number as usize),
            Storage::LocalObject(number) => Held::Object(self.first_object + number as usize),
            Storage::GlobalObject(number) => Held::Object(number as usize),
        }
    }

    fn stack_allocate(&mut self, target: PlaceId, size: ExprId) -> Run<()> {
        let size = self.eval(size)?.int();
        let pointer = self.stack_object(size)?;
        self.store(target, Scalar::Pointer(pointer))
    }

    /// Fresh bytes that live until the active function returns.
    pub(crate) fn stack_object(&mut self, size: i128) -> Run<Pointer> {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        let object = self.memory.allocate(ObjectKind::Stack, size, MAXIMUM_ALIGN)?;
        self.hide_memory(object, None);
        self.record_maker(object);
        self.frame_mut().stack_objects.push(object);
        Ok(self.memory.pointer_to(object))
    }

    fn program_arguments(&mut self, count: PlaceId, vector: PlaceId) -> Run<()> {
        let config = self.config;
        let width = u64::from(self.memory.model().pointer_width() / 8);
        let length = config.arguments.len() as u64;
        let kind = ObjectKind::Runtime("the array of the program's arguments");
        let array = self.memory.allocate(kind, (length + 1) * width, MAXIMUM_ALIGN)?;
        for (index, argument) in config.arguments.iter().enumerate() {
            let mut bytes = argument.clone();
            bytes.push(0);
            let kind = ObjectKind::Runtime("an argument of the program");
            let text = self.memory.allocate(kind, bytes.len() as u64, 1)?;
            *self.memory.block_mut(text) = Block::from_bytes(bytes);
            let pointer = self.memory.pointer_to(text);
            let offset = index * width as usize;
            self.memory.block_mut(array).set_pointer(offset, width as usize, pointer);
        }
        let end = (length * width) as usize;
        self.memory.block_mut(array).set_pointer(end, width as usize, Pointer::NULL);
        self.store(count, Scalar::Int(i128::from(length)))?;
        let array = self.memory.pointer_to(array);
        self.store(vector, Scalar::Pointer(array))
    }

    fn havoc(&mut self, target: PlaceId, origin: &str) -> Run<()> {
        if let Some(stream) = self.standard_stream(target) {
            self.offer_inputs(origin, Some(target));
            let pointer = self.stream_pointer(stream)?;
            return self.store(target, Scalar::Pointer(pointer));
        }
        let place = &self.program.places[target];
        self.require_inputs(origin, Some(target))?;
        if self.program.types.is_scalar(place.ty) {
            let value = self.input(self.program.types.get(place.ty), origin)?;
            return self.store(target, value);
        }
        // A declared array of unknown length has no bytes that could be given values.
        if self.program.types.size_of(place.ty).is_none() {
            return Ok(());
        }
        let pointer = self.address_of(target)?;
        self.havoc_memory(pointer, place.ty, origin)
    }

    /// Which of `stdin`, `stdout` and `stderr` a place is.
    fn standard_stream(&self, target: PlaceId) -> Option<&'static str> {
        let PlaceKind::Variable(variable) = self.program.places[target].kind else {
            return None;
        };
        let variable = &self.program.variables[variable];
        let is_stream =
            variable.kind == VariableKind::External && self.program.types.pointee(variable.ty).is_some();
        let names = ["stdin", "stdout", "stderr"];
        names.into_iter().find(|&name| is_stream && variable.name == name)
    }

    /// Reads one byte, as an `unsigned char`.
    pub(crate) fn read_byte(&mut self, pointer: Pointer) -> Run<u8> {
        let shape = Shape::Int(IntShape::of(IntKind::UnsignedChar, self.memory.model()));
        match self.memory.load(pointer, shape)? {
            Some(value) => Ok(value.int() as u8),
            None => {
                let ty = Type::Int(IntKind::UnsignedChar);
                let value = self.load_unset(pointer, shape, &ty, "a byte of memory")?;
                Ok(value.int() as u8)
            }
        }
    }
}

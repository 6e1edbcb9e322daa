//! What the operations of edges do.

use rorqual_cfa::{
    Callee, EdgeId, ExprId, ExprKind, FunctionId, HaltKind, Hazard, Operation, PlaceId, RecordKind, Type,
    TypeId, VariableId,
};
use rorqual_logic::{Bounds, Sort, Term};
use rorqual_memory::{GIVEN_SIZE, given_start};

use crate::executor::{Executor, Fresh, Obstacle, PendingCall};
use crate::memory::Span;
use crate::object::{Cells, Content, Kind, Rest};
use crate::place::Where;
use crate::pointer::Aim;
use crate::state::{Slot, State, Value};
use crate::trace::Event;

impl Executor<'_> {
    /// The state in which a program starts.
    pub(crate) fn first_state(&mut self, guard: Term) -> State {
        let mut state = State {
            guard,
            frame: crate::state::Frame::default(),
            globals: imbl::OrdMap::new(),
            memory: imbl::OrdMap::new(),
            result: Value::Nothing,
        };
        let globals: Vec<VariableId> = self
            .program
            .variables
            .iter()
            .filter(|(_, details)| details.kind.is_global())
            .map(|(id, _)| id)
            .collect();
        for variable in globals {
            if !self.is_slot(variable) {
                self.constant_object(&mut state, Kind::Variable(variable));
            }
        }
        state
    }

    /// Performs an operation; whether the state goes on along the edge.
    pub(crate) fn operation(
        &mut self,
        state: &mut State,
        operation: &Operation,
        edge: EdgeId,
    ) -> Result<bool, Obstacle> {
        match operation {
            Operation::Skip => {}
            Operation::Assign { target, value } => self.assign(state, *target, *value)?,
            Operation::Assume { condition, holds } => {
                let condition = self.condition(state, *condition)?;
                let condition = if *holds { condition } else { self.pool.not(condition) };
                let guard = self.pool.and2(state.guard, condition);
                self.narrow(state, guard, edge);
                state.guard = self.named(guard);
            }
            Operation::Havoc { target, .. } => self.havoc(state, *target)?,
            Operation::Call { target, callee, arguments } => {
                return self.call(state, *target, *callee, arguments, edge);
            }
            Operation::Return { value } => self.return_value(state, *value)?,
            Operation::Error(kind) => {
                self.failure(state, kind);
                return Ok(false);
            }
            Operation::Halt(kind) => {
                self.halt(state, kind)?;
                return Ok(false);
            }
            Operation::Declare(variable) => self.declare(state, *variable),
            Operation::Expire(variable) => self.expire(state, *variable),
            Operation::StackAllocate { target, size } => {
                let size = self.eval(state, *size)?;
                let pointer = self.stack_memory(state, size);
                self.store(state, *target, pointer)?;
            }
            Operation::StackRelease { pointer } => self.release(state, *pointer)?,
            Operation::Assembly { template, outputs, clobbers_memory, .. } => {
                if *clobbers_memory && !template.trim().is_empty() {
                    self.forget_exposed(state, "inline assembly");
                }
                self.assembly(state, outputs)?;
            }
            Operation::ProgramArguments { count, vector } => {
                self.program_arguments(state, *count, *vector)?;
            }
            Operation::VarArgs(_) => return Err(self.obstacle("a list of arguments")),
            Operation::Clobber { origin, .. } => self.clobber(state, origin)?,
            Operation::Unsupported { construct } => return Err(self.obstacle(construct.clone())),
        }
        Ok(true)
    }

    /// Numbers that a condition bounds become narrow where it holds for all that follows.
    fn narrow(&mut self, state: &mut State, condition: Term, edge: EdgeId) {
        let function = self.function();
        let body = self.body(function);
        let bounds = Bounds::of(&self.pool, condition);
        // An iteration changes what it narrows, as far as a proof by induction can see.
        if self.is_watching()
            || bounds.is_empty()
            || !self.partings.is_for_good(function, body, &body.edges()[edge])
        {
            return;
        }
        let mut narrowed = Vec::new();
        for (&variable, slot) in &state.frame.slots {
            if self.program.types.is_integer(self.program.variables[variable].ty)
                && let Some(value) = bounds.narrowed(&mut self.pool, slot.value)
            {
                narrowed.push((variable, Slot { value, ..*slot }));
            }
        }
        state.frame.slots.extend(narrowed);
    }

    /// Any number of arguments that is not negative, and an array in memory from outside.
    fn program_arguments(
        &mut self,
        state: &mut State,
        count: PlaceId,
        vector: PlaceId,
    ) -> Result<(), Obstacle> {
        self.approximate("the number of the program's arguments");
        let number = self.any_scalar(Fresh::Outside, self.program.places[count].ty);
        let zero = self.pool.bv(0u8, self.pool.width(number));
        let counts = self.pool.bv_sle(zero, number);
        state.guard = self.conjoined(state.guard, counts);
        self.store(state, count, number)?;
        let array = self.any_scalar(Fresh::Outside, self.program.places[vector].ty);
        self.store(state, vector, array)
    }

    fn assign(&mut self, state: &mut State, target: PlaceId, value: ExprId) -> Result<(), Obstacle> {
        let value = self.value(state, value)?;
        self.store_value(state, target, value)
    }

    /// The value of an expression of any type.
    pub(crate) fn value(&mut self, state: &mut State, id: ExprId) -> Result<Value, Obstacle> {
        let program = self.program;
        let expr = &program.exprs[id];
        if program.types.is_scalar(expr.ty) {
            return self.eval(state, id).map(Value::Scalar);
        }
        let size = program.types.size_of(expr.ty).unwrap_or(0);
        match expr.kind {
            ExprKind::Zero => Ok(Value::Block(Cells::new(Rest::Zero), size)),
            ExprKind::Text(text) => {
                let mut cells = Cells::new(Rest::Zero);
                let written = self.pool.top();
                for (at, &byte) in program.strings[text].bytes.iter().enumerate().take(size as usize) {
                    let value = self.pool.bv(byte, 8);
                    cells.map.insert(at as u64, crate::object::Cell { bytes: 1, value, written });
                }
                Ok(Value::Block(cells, size))
            }
            ExprKind::Load(place) => {
                let Where::Memory(targets) = self.site(state, place)?.at else {
                    return Err(self.obstacle("a scalar in the place of a structure"));
                };
                let block = self.load_block(state, &targets, size, Hazard::Access(place));
                Ok(Value::Block(block, size))
            }
            _ if matches!(program.types.get(expr.ty), Type::Void) => Ok(Value::Nothing),
            _ => Err(self.obstacle("an operation on a value that is not scalar")),
        }
    }

    fn return_value(&mut self, state: &mut State, value: Option<ExprId>) -> Result<(), Obstacle> {
        state.result = match value {
            Some(value) => self.value(state, value)?,
            None => {
                let function = &self.program.functions[self.function()];
                match *self.program.types.get(function.ty) {
                    Type::Function { result, .. } if self.program.types.is_scalar(result) => {
                        Value::Scalar(self.any_scalar(Fresh::Outside, result))
                    }
                    _ => Value::Nothing,
                }
            }
        };
        Ok(())
    }

    fn halt(&mut self, state: &mut State, kind: &HaltKind) -> Result<(), Obstacle> {
        if let HaltKind::Exit(status) = kind {
            self.eval(state, *status)?;
        }
        if *kind == HaltKind::Unreachable {
            let always = self.pool.top();
            self.hazard(state, Hazard::Unreachable(self.function(), self.span), always);
        }
        Ok(())
    }

    /// The declaration of a variable: what it contains may be anything.
    fn declare(&mut self, state: &mut State, variable: VariableId) {
        let details = &self.program.variables[variable];
        if self.is_slot(variable) {
            let value = self.any_scalar(Fresh::Outside, details.ty);
            let slot = Slot { value, written: self.pool.bottom() };
            let slots = if details.kind.is_global() { &mut state.globals } else { &mut state.frame.slots };
            slots.insert(variable, slot);
            return self.note_event(state, Event::DeclaredScalar { variable, value });
        }
        let is_known = state.frame.objects.contains_key(&variable);
        let object = self.variable_object(state, variable);
        let mut epoch = 0;
        if is_known {
            // Control has come back to the declaration without leaving the block.
            let mut new = state.object(object).clone();
            if let Content::Cells(Cells { rest: Rest::Unset(_, before), .. }) = new.content {
                epoch = before;
            }
            epoch += 1;
            new.content = Content::Cells(Cells::new(Rest::Unset(object, epoch)));
            state.set_object(object, new);
        }
        self.note_event(state, Event::DeclaredObject { variable, object, epoch });
    }

    fn expire(&mut self, state: &mut State, variable: VariableId) {
        if self.is_slot(variable) {
            state.frame.slots.remove(&variable);
        } else if let Some(object) = state.frame.objects.remove(&variable) {
            self.end_object(state, object);
        }
    }

    /// The life of an object ends. What it contained is not looked at any more.
    pub(crate) fn end_object(&mut self, state: &mut State, object: crate::object::ObjectId) {
        let mut new = state.object(object).clone();
        new.alive = self.pool.bottom();
        new.content = Content::Cells(Cells::new(Rest::Zero));
        state.set_object(object, new);
    }

    /// The lives of all that belongs to a function end with it.
    pub(crate) fn end_frame(&mut self, state: &mut State) {
        let variables = state.frame.objects.values().copied();
        let ended: Vec<_> = variables.chain(state.frame.stack.keys().copied()).collect();
        for object in ended {
            self.end_object(state, object);
        }
    }

    fn release(&mut self, state: &mut State, pointer: ExprId) -> Result<(), Obstacle> {
        let pointer = self.eval(state, pointer)?;
        for target in self.targets(pointer).iter() {
            let Aim::Object(object, _) = target.aim else { continue };
            let mut new = state.object(object).clone();
            let others = self.pool.not(target.guard);
            new.alive = self.pool.and2(new.alive, others);
            state.set_object(object, new);
        }
        Ok(())
    }

    /// Stores inputs in all scalars of a place.
    pub(crate) fn havoc(&mut self, state: &mut State, target: PlaceId) -> Result<(), Obstacle> {
        let ty = self.program.places[target].ty;
        let mut inputs = Vec::new();
        if self.program.types.is_scalar(ty) {
            let input = self.input(ty);
            inputs.push(input);
            self.note_event(state, Event::Input { values: inputs, span: self.span });
            return self.store(state, target, input);
        }
        let Some(size) = self.program.types.size_of(ty) else { return Ok(()) };
        let Where::Memory(targets) = self.site(state, target)?.at else {
            return Err(self.obstacle("a structure in the place of a scalar"));
        };
        let mut block = self.load_block(state, &targets, size, Hazard::Access(target));
        self.havoc_block(&mut block, 0, ty, &mut inputs)?;
        self.note_event(state, Event::Input { values: inputs, span: self.span });
        self.store_block(state, &targets, &block, size, Hazard::Access(target));
        Ok(())
    }

    /// An input of a type. Pointers from outside are null, or point to memory that the program has not made.
    pub(crate) fn input(&mut self, ty: TypeId) -> Term {
        let types = &self.program.types;
        let is_data = |pointee| !matches!(types.get(pointee), Type::Function { .. });
        if types.pointee(ty).is_none_or(|pointee| !is_data(pointee)) {
            return self.any_scalar(Fresh::Input, ty);
        }
        let shift = GIVEN_SIZE.trailing_zeros();
        let number = self.fresh(Fresh::Input, Sort::BitVec(30 - shift));
        let start = given_start(types.model());
        let (width, pool) = (self.pointer_width, &mut self.pool);
        let (null, start, zeros) = (pool.bv(0u8, width), pool.bv(start, width), pool.bv(0u8, shift));
        let none = pool.bv(0u8, 30 - shift);
        let is_null = pool.eq(number, none);
        let offset = pool.bv_concat(number, zeros);
        let offset = pool.bv_zero_extend(offset, width);
        let address = pool.bv_add(start, offset);
        pool.ite(is_null, null, address)
    }

    /// Inputs for the scalars of a type, in the order of their addresses. A union is filled as its largest member.
    fn havoc_block(
        &mut self,
        block: &mut Cells,
        at: u64,
        ty: TypeId,
        inputs: &mut Vec<Term>,
    ) -> Result<(), Obstacle> {
        let program = self.program;
        match program.types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                let value = self.input(ty);
                inputs.push(value);
                self.put_input(block, at, value);
            }
            Type::Array { element, length } => {
                let size = program.types.size_of(*element).unwrap_or(0);
                for index in 0..length.unwrap_or(0) {
                    self.havoc_block(block, at + index * size, *element, inputs)?;
                }
            }
            Type::Record(record) => {
                let record = program.types.record(*record);
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
                    match field.bits {
                        None => self.havoc_block(block, at + field.offset, field.ty, inputs)?,
                        Some(range) => {
                            let value = self.input(field.ty);
                            inputs.push(value);
                            let bytes = (range.start + range.width).div_ceil(8);
                            let old = self.read_cells(block, at + field.offset, bytes).value;
                            let new = self.with_bits(old, range, value);
                            self.put_input(block, at + field.offset, new);
                        }
                    }
                }
            }
            Type::Opaque { size, .. } => {
                for offset in 0..*size {
                    let value = self.fresh(Fresh::Input, Sort::BitVec(8));
                    inputs.push(value);
                    self.put_input(block, at + offset, value);
                }
            }
            Type::Void | Type::Function { .. } => {}
        }
        Ok(())
    }

    fn put_input(&mut self, block: &mut Cells, at: u64, value: Term) {
        let (bytes, written) = (self.pool.width(value) / 8, self.pool.top());
        block.put(&mut self.pool, at, crate::object::Cell { bytes, value, written });
    }

    /// Calls a function: one with a body is entered later.
    fn call(
        &mut self,
        state: &mut State,
        target: Option<PlaceId>,
        callee: Callee,
        arguments: &[ExprId],
        edge: EdgeId,
    ) -> Result<bool, Obstacle> {
        match callee {
            Callee::Function(function) => self.call_function(state, function, target, arguments, edge),
            Callee::Pointer(pointer) => {
                let value = self.eval(state, pointer)?;
                let targets = self.targets(value);
                let mut others = Vec::new();
                let mut going_on: Option<State> = None;
                for one in targets.iter() {
                    let function = match one.aim {
                        Aim::Object(object, offset)
                            if self.pool.as_bits(offset).is_some_and(rorqual_logic::Bits::is_zero) =>
                        {
                            match self.details[object.0 as usize].kind {
                                Kind::Function(function) => Some(function),
                                _ => None,
                            }
                        }
                        _ => None,
                    };
                    let Some(function) = function else {
                        if !matches!(one.aim, Aim::Number(number) if self.pool.as_bits(number).is_some()) {
                            self.refuse(state, one.guard, "a call through a pointer that is not known");
                        }
                        others.push(one.guard);
                        continue;
                    };
                    let mut own = state.clone();
                    own.guard = self.conjoined(own.guard, one.guard);
                    if self.pool.as_bool(own.guard) != Some(false)
                        && self.call_function(&mut own, function, target, arguments, edge)?
                    {
                        going_on = Some(match going_on {
                            None => own,
                            Some(other) => self.merged(other, own),
                        });
                    }
                }
                let bad = self.pool.or(&others);
                self.hazard(state, Hazard::Callee(pointer), bad);
                match going_on {
                    None => Ok(false),
                    Some(merged) => {
                        *state = merged;
                        Ok(true)
                    }
                }
            }
        }
    }

    fn call_function(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        target: Option<PlaceId>,
        arguments: &[ExprId],
        edge: EdgeId,
    ) -> Result<bool, Obstacle> {
        if self.program.functions[callee].body.is_none() {
            return self.call_library(state, callee, target, arguments);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push((self.value(state, argument)?, self.program.exprs[argument].ty));
        }
        let call = PendingCall {
            callee,
            edge,
            target,
            arguments: values,
            state: state.clone(),
            moment: self.step.moment,
        };
        self.push_call(call);
        Ok(false)
    }

    /// Gives the parameters of a function their values.
    pub(crate) fn set_parameters(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: Vec<(Value, TypeId)>,
    ) -> Result<(), Obstacle> {
        let program = self.program;
        let details = &program.functions[function];
        let mut arguments = arguments.into_iter();
        for &parameter in &details.parameters {
            let expected = program.variables[parameter].ty;
            let value = match arguments.next() {
                Some((value, ty)) if ty == expected => value,
                Some((Value::Scalar(value), ty)) if program.types.is_scalar(expected) => {
                    Value::Scalar(self.converted(value, ty, expected)?)
                }
                Some((value, _)) => value,
                None => return Err(self.obstacle("a call with too few arguments")),
            };
            self.set_parameter(state, parameter, value)?;
        }
        Ok(())
    }

    fn set_parameter(
        &mut self,
        state: &mut State,
        parameter: VariableId,
        value: Value,
    ) -> Result<(), Obstacle> {
        if self.is_slot(parameter) {
            let Value::Scalar(value) = value else {
                return Err(self.obstacle("an argument of another type"));
            };
            let written = self.pool.top();
            state.frame.slots.insert(parameter, Slot { value, written });
            return Ok(());
        }
        let object = self.variable_object(state, parameter);
        let size = self.program.types.size_of(self.program.variables[parameter].ty).unwrap_or(0);
        let (always, offset) = (self.pool.top(), self.pool.bv(0u8, self.pointer_width));
        match value {
            Value::Scalar(value) => {
                let span = Span { object, offset, bytes: size as u32 };
                self.write(state, span, value, always);
            }
            Value::Block(block, given) => {
                let aim = crate::pointer::Target { guard: always, aim: Aim::Object(object, offset) };
                let place = Hazard::Unreachable(self.function(), self.span);
                self.store_block(state, &[aim], &block, given.min(size), place);
            }
            Value::Nothing => return Err(self.obstacle("an argument without value")),
        }
        Ok(())
    }

    /// Stores what a function has returned.
    pub(crate) fn deliver_result(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        target: Option<PlaceId>,
        value: Value,
    ) -> Result<(), Obstacle> {
        let Some(target) = target else { return Ok(()) };
        let program = self.program;
        let expected = program.places[target].ty;
        let Type::Function { result, .. } = *program.types.get(program.functions[callee].ty) else {
            return Err(self.obstacle("a call of something that is no function"));
        };
        let value = match value {
            Value::Scalar(value) if result != expected => {
                Value::Scalar(self.converted(value, result, expected)?)
            }
            value => value,
        };
        self.store_value(state, target, value)
    }
}

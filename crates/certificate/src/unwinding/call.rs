//! Calls, and operations that neither call nor move control.

use std::rc::Rc;

use rorqual_cfa::{Callee, Edge, ExprId, FunctionId, Hazard, Operation, PlaceId, Type, TypeId, VariableId};
use rorqual_interpreter::{Effect, call_effect};
use rorqual_solver::GaveUp;
use rorqual_source::Span;

use super::addresses::{Case, Kind, Pointee};
use super::machine::{Event, Held, Machine};
use super::memory::{Content, Object};
use super::state::{Binding, State, Value, Whole};

/// What `malloc` and the stack align to.
pub(super) const MAXIMUM_ALIGN: u64 = 16;

/// An argument with its type.
type Argument = (TypeId, Whole);

impl Machine<'_> {
    /// A call; whether control comes back.
    pub(super) fn call(
        &mut self,
        edge: &Edge,
        target: Option<PlaceId>,
        callee: Callee,
        arguments: &[ExprId],
    ) -> Result<bool, GaveUp> {
        let pointer = match callee {
            Callee::Function(function) => return self.call_function(edge, target, function, arguments),
            Callee::Pointer(pointer) => pointer,
        };
        let address = self.eval(pointer);
        let cases = self.cases(address);
        let mut called = Vec::new();
        let mut ways = Vec::new();
        for &case in cases.iter() {
            match self.called(case) {
                Some(function) => {
                    let none = self.number(0);
                    let is_start = self.store.pool.eq(case.offset, none);
                    let condition = self.store.pool.and2(case.guard, is_start);
                    ways.push(condition);
                    called.push((function, condition));
                }
                None if case.pointee == Pointee::Unknown => {
                    let what = "a call through a pointer of which it is not known where it points to";
                    self.not_followed(case.guard, what, edge.span);
                }
                None => {}
            }
        }
        let valid = self.store.pool.or(&ways);
        self.require(Hazard::Callee(pointer), valid);
        self.call_one_of(edge, target, &called, arguments)
    }

    /// The function that a case of a pointer is.
    fn called(&self, case: Case) -> Option<FunctionId> {
        let Pointee::Object(object) = case.pointee else { return None };
        match self.objects.get(object).kind {
            Kind::Function(function) => Some(function),
            _ => None,
        }
    }

    fn call_one_of(
        &mut self,
        edge: &Edge,
        target: Option<PlaceId>,
        called: &[(FunctionId, rorqual_logic::Term)],
        arguments: &[ExprId],
    ) -> Result<bool, GaveUp> {
        let before = self.state.clone();
        let mut after: Option<State> = None;
        for &(function, condition) in called {
            let guard = self.store.pool.and2(before.guard, condition);
            if self.store.pool.as_bool(guard) == Some(false) {
                continue;
            }
            self.state = State { guard, ..before.clone() };
            if self.call_function(edge, target, function, arguments)? {
                let state = self.state.clone();
                after = Some(match after {
                    None => state,
                    Some(other) => self.merged(&other, &state, None),
                });
            }
        }
        match after {
            Some(after) => {
                self.state = after;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn call_function(
        &mut self,
        edge: &Edge,
        target: Option<PlaceId>,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> Result<bool, GaveUp> {
        let program = self.program;
        let details = &program.functions[function];
        let Some(body) = &details.body else {
            return Ok(self.call_bodiless(edge, target, function, arguments));
        };
        let given: Vec<Argument> =
            arguments.iter().map(|&argument| (program.exprs[argument].ty, self.whole(argument))).collect();
        if let Err(most) = self.may_enter(function) {
            let claim = format!("at most {most} calls of `{}` are active at once", details.name);
            let place = program.sources.position(edge.span);
            let always = self.store.pool.top();
            self.event(always, Event::Failure(claim, format!("one more is made at {place}")));
            return Ok(false);
        }
        self.enter(function, body, Some(edge.target));
        for (&parameter, (ty, value)) in details.parameters.iter().zip(given) {
            let expected = program.variables[parameter].ty;
            let value = self.fitted(value, ty, expected);
            self.set_parameter(parameter, value);
        }
        let start = self.state.clone();
        let Some(end) = self.run(body, start)? else { return Ok(false) };
        self.state = end;
        let result = self.state.result.take().unwrap_or(Whole::Nothing);
        if let Some(target) = target {
            let ty = match program.types.get(details.ty) {
                Type::Function { result, .. } => *result,
                _ => details.ty,
            };
            self.deliver(target, result, ty);
        }
        Ok(true)
    }

    fn set_parameter(&mut self, parameter: VariableId, value: Whole) {
        match (self.held(parameter), value) {
            (Held::Slot(slot), Whole::Scalar(value)) => self.state.slots.set(slot, Some(value)),
            (Held::Object(object), value) => {
                let Some(mut content) = self.content(object) else { return };
                let bytes = self.program.types.size_of(self.program.variables[parameter].ty).unwrap_or(0);
                match value {
                    Whole::Scalar(value) => {
                        let term = self.store.pool.bv_zero_extend(value.term, 8 * bytes as u32);
                        content.write(&mut self.store, 0, bytes, Value { term, ..value });
                    }
                    Whole::Block(block) => {
                        let size = self.constant_size(object);
                        content.insert(&mut self.store, 0, bytes, size, &block);
                    }
                    Whole::Nothing => {}
                }
                self.set_content(object, content);
            }
            _ => {}
        }
    }

    /// Stores the result of a function, which is of a type.
    pub(super) fn deliver(&mut self, target: PlaceId, result: Whole, ty: TypeId) {
        let expected = self.program.places[target].ty;
        let result = self.fitted(result, ty, expected);
        self.store_whole(target, &result);
    }

    /// A value of one type where another is expected. Whatever is not certain becomes any value.
    fn fitted(&mut self, value: Whole, from: TypeId, to: TypeId) -> Whole {
        let types = &self.program.types;
        let has_bits = |ty| !matches!(types.get(ty), Type::Float(_)) && types.is_scalar(ty);
        let is_bool = types.as_int(to) == Some(rorqual_cfa::IntKind::Bool);
        match value {
            Whole::Nothing => self.any_whole(to),
            value if from == to => value,
            Whole::Scalar(value)
                if has_bits(from) && has_bits(to) && !is_bool && types.width(from) == types.width(to) =>
            {
                Whole::Scalar(value)
            }
            _ => self.any_whole(to),
        }
    }

    /// A call of a function without body; whether control comes back.
    fn call_bodiless(
        &mut self,
        edge: &Edge,
        target: Option<PlaceId>,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> bool {
        let details = &self.program.functions[function];
        let effect = call_effect(self.program, details, &[]);
        let values: Vec<Whole> = arguments.iter().map(|&argument| self.whole(argument)).collect();
        match effect {
            Effect::Ends => return false,
            Effect::Unmodelled => {
                let always = self.store.pool.top();
                let what = format!("a call of the library function `{}`", details.name);
                self.not_followed(always, &what, edge.span);
                return false;
            }
            Effect::Input | Effect::Value | Effect::Memory => {}
        }
        match self.library(edge, function, arguments, &values) {
            Some(result) => {
                if let Some(target) = target {
                    self.deliver_pointer(target, function, result);
                }
            }
            None => {
                if let Some(target) = target {
                    let any = self.any_whole(self.program.places[target].ty);
                    self.store_whole(target, &any);
                }
            }
        }
        true
    }

    /// Stores an address that a function of the library returns.
    fn deliver_pointer(&mut self, target: PlaceId, function: FunctionId, address: rorqual_logic::Term) {
        let types = &self.program.types;
        let result = match types.get(self.program.functions[function].ty) {
            Type::Function { result, .. } => *result,
            _ => self.program.functions[function].ty,
        };
        let is_whole = types.is_scalar(result)
            && !matches!(types.get(result), Type::Float(_))
            && types.width(result) == self.pointer_width;
        let value = Value { term: address, set: self.store.pool.top() };
        let value = if is_whole { Whole::Scalar(value) } else { Whole::Nothing };
        self.deliver(target, value, result);
    }

    /// An operation that neither calls nor moves control.
    pub(super) fn operation(&mut self, operation: &Operation, span: Span) {
        match operation {
            Operation::Assign { target, value } => {
                let value = self.whole(*value);
                self.store_whole(*target, &value);
            }
            Operation::Havoc { target, .. } => {
                let any = self.any_whole(self.program.places[*target].ty);
                self.store_whole(*target, &any);
            }
            Operation::Declare(variable) => self.declare(*variable, span),
            Operation::Expire(variable) => self.expire(*variable),
            Operation::StackAllocate { target, size } => {
                let size = self.index(*size);
                let address = self.stack_allocate(size);
                self.store_scalar(*target, address);
            }
            Operation::StackRelease { pointer } => self.stack_release(*pointer, span),
            Operation::ProgramArguments { count, vector } => self.program_arguments(*count, *vector),
            Operation::VarArgs(_) => {
                let always = self.store.pool.top();
                self.not_followed(always, "a list of arguments", span);
            }
            Operation::Assembly { template, outputs, clobbers_memory, .. } => {
                if *clobbers_memory && !template.trim().is_empty() {
                    self.clobber("inline assembly", span);
                }
                for &output in outputs {
                    let any = self.any_whole(self.program.places[output].ty);
                    self.store_whole(output, &any);
                }
            }
            Operation::Clobber { origin, .. } => self.clobber(origin, span),
            // The others move control.
            _ => {}
        }
    }

    /// The value of a variable becomes indeterminate. An object that lives goes on living.
    fn declare(&mut self, variable: VariableId, span: Span) {
        match self.held(variable) {
            Held::Slot(slot) => self.state.slots.set(slot, None),
            Held::Object(object) => {
                let content = Content::filled(self.store.unknown(false));
                self.set_content(object, content);
            }
            Held::Mixed => {
                let always = self.store.pool.top();
                self.not_followed(
                    always,
                    "a declaration inside of a block that was entered in several ways",
                    span,
                );
            }
        }
    }

    fn expire(&mut self, variable: VariableId) {
        use super::plan::Storage;
        let always = self.store.pool.top();
        let frame = self.frame();
        let Some(Storage::Bound(at)) = frame.plan.storage(variable) else {
            if let Held::Slot(slot) = self.held(variable) {
                self.state.slots.set(slot, None);
            }
            return;
        };
        let index = frame.bindings + at;
        let ended: Vec<_> = match self.state.bindings.get(index) {
            Some(Binding::Object(object)) => vec![*object],
            // More objects than one may end: all that the variable had.
            Some(Binding::Mixed) => {
                let is_own = |&&object: &&super::state::ObjectId| {
                    self.objects.get(object).kind == Kind::Variable(variable)
                };
                frame.owned.iter().filter(is_own).copied().collect()
            }
            _ => Vec::new(),
        };
        for object in ended {
            self.end(object, always);
        }
        self.state.bindings.set(index, Binding::None);
    }

    /// The address of so many bytes that live until the function returns. What is too large for the stack ends the execution.
    pub(super) fn stack_allocate(&mut self, size: rorqual_logic::Term) -> Value {
        let largest = self.number(self.program.types.model().largest_object());
        let fits = self.store.pool.bv_ule(size, largest);
        self.state.guard = self.store.pool.and2(self.state.guard, fits);
        let filling = self.store.unknown(false);
        let object = self.begin(Kind::Stack, Some(size), MAXIMUM_ALIGN, filling);
        self.limit_size(object, self.state.guard);
        if let Some(frame) = self.frames.last_mut() {
            frame.owned.push(object);
        }
        Value { term: self.address(object), set: self.store.pool.top() }
    }

    fn stack_release(&mut self, pointer: ExprId, span: Span) {
        let address = self.eval(pointer);
        for &case in self.cases(address).iter() {
            match case.pointee {
                Pointee::Object(object) if self.objects.get(object).kind == Kind::Stack => {
                    self.end(object, case.guard);
                }
                Pointee::Unknown => {
                    self.not_followed(case.guard, "the end of an array of variable length", span);
                }
                _ => {}
            }
        }
    }

    /// Any number of arguments that is not negative, and an array that is not the program's.
    fn program_arguments(&mut self, count: PlaceId, vector: PlaceId) {
        let number = self.any_of(self.program.places[count].ty);
        let zero = self.store.pool.bv(0u8, self.store.pool.width(number));
        let counts = self.store.pool.bv_sle(zero, number);
        self.state.guard = self.store.pool.and2(self.state.guard, counts);
        let set = self.store.pool.top();
        self.store_scalar(count, Value { term: number, set });
        let term = self.outside_address();
        self.store_scalar(vector, Value { term, set });
    }

    /// The address of memory that is not the program's.
    pub(super) fn outside_address(&mut self) -> rorqual_logic::Term {
        let guard = self.state.guard;
        let object = self.new_object(Kind::Outside, None, 1, guard);
        self.address(object)
    }

    /// Gives an object any value, if a condition holds.
    pub(super) fn forget(&mut self, object: super::state::ObjectId, condition: rorqual_logic::Term) {
        if matches!(self.objects.get(object).kind, Kind::Text(_) | Kind::Outside) {
            return;
        }
        let Some(known) = self.state.object(object).cloned() else { return };
        let any = Content::filled(self.store.unknown(true));
        let content = Content::merged(&mut self.store, condition, &any, &known.content);
        self.state.set_object(object, Rc::new(Object { alive: known.alive, content }));
    }
}

//! Calls: of functions with a body, of library functions, and of functions of which nothing
//! is known.

use rorqual_cfa::{Callee, ExprId, FunctionId, PlaceId, Type, TypeId};
use rorqual_source::Span;

use crate::library::{self, Call};
use crate::machine::{Machine, ReturnTo};
use crate::memory::ObjectKind;
use crate::outcome::Run;
use crate::place::Target;
use crate::storage::Storage;
use crate::undefined::{Access, Undefined};
use crate::value::{Argument, Scalar, Shape, Value};

impl Machine<'_> {
    pub(crate) fn call_operation(
        &mut self,
        target: Option<PlaceId>,
        callee: Callee,
        arguments: &[ExprId],
        span: Span,
    ) -> Run<()> {
        let function = match callee {
            Callee::Function(function) => function,
            Callee::Pointer(pointer) => {
                let value = self.eval(pointer)?;
                self.function_behind(value).map_err(|stop| stop.at(self.program.expr_spans[pointer]))?
            }
        };
        let mut values = std::mem::take(&mut self.library.arguments);
        values.clear();
        for &argument in arguments {
            let ty = self.program.exprs[argument].ty;
            let value = self.eval_value(argument)?;
            values.push(Argument { ty, value });
        }
        let result = self.call(function, &mut values, ReturnTo::Caller(target));
        self.library.arguments = values;
        result.map_err(|stop| stop.at(span))
    }

    pub(crate) fn function_behind(&self, value: Scalar) -> Run<FunctionId> {
        let pointer = value.pointer();
        let object = pointer.provenance.and_then(|id| self.memory.live(id));
        match object {
            Some(object) if object.base == pointer.address => match object.kind {
                ObjectKind::Function(function) => Ok(function),
                _ => Err(Undefined::NotAFunction { null: false }.into()),
            },
            _ => Err(Undefined::NotAFunction { null: pointer.is_null() }.into()),
        }
    }

    /// Calls a function: makes it active if it has a body, and otherwise does its work.
    pub(crate) fn call(
        &mut self,
        function: FunctionId,
        arguments: &mut Vec<Argument>,
        return_to: ReturnTo,
    ) -> Run<()> {
        let program = self.program;
        let Some(automaton) = &program.functions[function].body else {
            return self.call_without_body(function, arguments, return_to);
        };
        // Arguments are converted before the frame is made, so that a stop in a conversion
        // belongs to the caller.
        self.fit_arguments(function, arguments)?;
        self.push_frame(function, automaton, return_to)?;
        let parameters = &program.functions[function].parameters;
        // As with gcc, nobody sees more arguments than there are parameters, and a parameter without argument has
        // no value.
        if is_variadic(program.types.get(program.functions[function].ty)) {
            let further = arguments.split_off(parameters.len().min(arguments.len()));
            self.frame_mut().further_arguments = Some(further.into());
        }
        for (&parameter, argument) in parameters.iter().zip(arguments.drain(..)) {
            self.set_parameter(parameter, argument.value)?;
        }
        Ok(())
    }

    fn fit_arguments(&mut self, function: FunctionId, arguments: &mut [Argument]) -> Run<()> {
        let program = self.program;
        let function = &program.functions[function];
        let parameters = function.parameters.iter().enumerate();
        for ((index, &parameter), argument) in parameters.zip(arguments) {
            let expected = program.variables[parameter].ty;
            if argument.ty == expected {
                continue;
            }
            let given = argument.ty;
            let value = std::mem::replace(&mut argument.value, Value::Indeterminate);
            let unprototyped =
                matches!(program.types.get(function.ty), Type::Function { prototyped: false, .. });
            match self.fit_parameter(Argument { ty: given, value }, expected, unprototyped)? {
                Some(value) => argument.value = value,
                None => {
                    return Err(Undefined::ArgumentType {
                        function: function.name.clone(),
                        position: index + 1,
                        given: program.types.name(given),
                        expected: program.types.name(expected),
                    }
                    .into());
                }
            }
        }
        Ok(())
    }

    /// An argument as a value for a parameter. Functions without prototype receive promoted
    /// arguments, which are converted back.
    fn fit_parameter(
        &mut self,
        argument: Argument,
        expected: TypeId,
        unprototyped: bool,
    ) -> Run<Option<Value>> {
        let (from, to) = (self.shape(argument.ty), self.shape(expected));
        let demoted = match (from, to) {
            (Shape::Int(from), Shape::Int(to)) => from.width == 32 && to.width < 32,
            (Shape::Float(_), Shape::Float(rorqual_cfa::FloatKind::Float)) => true,
            _ => false,
        };
        match argument.value {
            Value::Scalar(value) if unprototyped && demoted => {
                let value = self.convert(value, from, to, expected)?;
                Ok(Some(Value::Scalar(value)))
            }
            _ => self.fit(argument, expected),
        }
    }

    fn set_parameter(&mut self, parameter: rorqual_cfa::VariableId, value: Value) -> Run<()> {
        let shape = self.shape(self.program.variables[parameter].ty);
        if let Storage::LocalSlot(number) = self.layout.storage(parameter) {
            if let Value::Scalar(value) = value {
                let slot = Target::Slot(self.first_slot + number as usize);
                self.record_scalar(Access::Write, slot, shape, value);
            }
            self.slots[self.first_slot + number as usize] = match value {
                Value::Scalar(value) => Some(value),
                _ => None,
            };
            return Ok(());
        }
        let pointer = self.variable_address(parameter)?;
        match value {
            Value::Scalar(value) => {
                self.record_scalar(Access::Write, Target::Memory(pointer), shape, value);
                self.memory.store(pointer, shape, value)
            }
            Value::Block(block) => {
                self.record_bytes(Access::Write, pointer, block.len() as u64);
                self.memory.insert(pointer, &block)
            }
            Value::Indeterminate => Ok(()),
        }
    }

    fn call_without_body(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        return_to: ReturnTo,
    ) -> Run<()> {
        let program = self.program;
        let name = &program.functions[function].name;
        let result = self.result_type(function);
        let target = match return_to {
            ReturnTo::Caller(target) => target,
            ReturnTo::Machine => None,
        };
        let value = match (self.native(function), result) {
            (Some(native), _) => {
                self.offer_inputs(name, target);
                let given = native(self, &Call { name, arguments });
                // What nobody looks at need not be known.
                let is_needed =
                    || target.is_some() || !library::has_only_a_result(&program.functions[function]);
                match given {
                    Err(stop) if stop.is_unmodelled() && !is_needed() => Value::Indeterminate,
                    given => given?,
                }
            }
            // A value that nobody looks at takes no input.
            (None, Some(result)) if target.is_some() => {
                self.require_inputs(name, target)?;
                self.input_value(result, name)?
            }
            (None, _) => {
                self.offer_inputs(name, target);
                Value::Indeterminate
            }
        };
        let Some((target, result)) = target.zip(result) else {
            self.set_result(value);
            return Ok(());
        };
        let value = self.declared_result(value, result)?;
        self.store_result(target, value, Some(result))
    }

    /// The result of a library function as one of the type that the program declares it with.
    fn declared_result(&mut self, value: Value, ty: TypeId) -> Run<Value> {
        let to = self.shape(ty);
        let Value::Scalar(value) = value else {
            return Ok(value);
        };
        let from = match (value, to) {
            (Scalar::Float(_), Shape::Float(_)) => return Ok(Value::Scalar(value)),
            (Scalar::Pointer(_), _) => Shape::Pointer,
            (Scalar::Int(_), _) => {
                Shape::Int(crate::value::IntShape { width: 128, signed: true, boolean: false })
            }
            (Scalar::Float(_), _) => Shape::Float(rorqual_cfa::FloatKind::Double),
        };
        self.convert(value, from, to, ty).map(Value::Scalar)
    }

    /// Stores the result of a function that returns type `ty`.
    pub(crate) fn store_result(&mut self, target: PlaceId, value: Value, ty: Option<TypeId>) -> Run<()> {
        let expected = self.program.places[target].ty;
        let Some(ty) = ty.filter(|&ty| ty != expected) else {
            return self.store_value(target, value);
        };
        match self.fit(Argument { ty, value }, expected)? {
            Some(value) => self.store_value(target, value),
            None => Err(Undefined::ResultType {
                given: self.program.types.name(ty),
                expected: self.program.types.name(expected),
            }
            .into()),
        }
    }
}

fn is_variadic(ty: &Type) -> bool {
    matches!(ty, Type::Function { variadic: true, .. })
}

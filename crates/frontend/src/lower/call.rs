//! Calls, and the functions whose calls mean something else.
//!
//! gcc evaluates the function first and then the arguments from right to left.

use rorqual_cfa::{
    Callee, ErrorKind, ExprId, ExprKind, FunctionId, HaltKind, Operation, PlaceId, Type, TypeId,
};
use rorqual_source::Span;

use super::FunctionLowering;
use super::ending::Ending;
use super::special::Special;
use crate::typed::{self, ExprKind as Typed};

/// A call whose operands are evaluated.
pub(super) struct PreparedCall {
    callee: Callee,
    arguments: Box<[ExprId]>,
}

impl FunctionLowering<'_, '_> {
    /// What a call means if it is special.
    fn special(&self, callee: typed::ExprId) -> Option<(Special, FunctionId)> {
        let Typed::FunctionAddress(function) = self.lowering.exprs[callee].kind else { return None };
        Some((self.lowering.special(function)?, function))
    }

    /// Whether the call is lowered to something else than a call.
    pub(super) fn is_special_call(&self, callee: typed::ExprId) -> bool {
        self.special(callee).is_some()
    }

    /// The origin of an input, if that is what the expression reads.
    pub(super) fn input_origin(&self, value: typed::ExprId) -> Option<String> {
        let Typed::Call { callee, .. } = self.lowering.exprs[value].kind else {
            return None;
        };
        match self.special(callee) {
            Some((Special::Input, function)) => Some(self.lowering.program.functions[function].name.clone()),
            _ => None,
        }
    }

    pub(super) fn call_effects(
        &mut self,
        callee: typed::ExprId,
        arguments: &[typed::ExprId],
        ty: TypeId,
        span: Span,
    ) {
        if let Some((special, function)) = self.special(callee) {
            self.special_call(special, function, arguments, ty, span);
            return;
        }
        let call = self.prepare_call(callee, arguments, false);
        self.emit_call(call, None, span);
    }

    pub(super) fn call_value(
        &mut self,
        callee: typed::ExprId,
        arguments: &[typed::ExprId],
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if let Some((special, function)) = self.special(callee) {
            return self.special_call(special, function, arguments, ty, span);
        }
        let call = self.prepare_call(callee, arguments, false);
        if matches!(self.types().get(ty), Type::Void) {
            self.emit_call(call, None, span);
            return self.expr(ExprKind::Zero, ty, span);
        }
        let temporary = self.temporary(ty, span);
        let target = self.variable_place(temporary, span);
        self.emit_call(call, Some(target), span);
        self.load(target, span)
    }

    /// Evaluates function and arguments; `effects_follow` tells that something may change
    /// variables between that and the call.
    pub(super) fn prepare_call(
        &mut self,
        callee: typed::ExprId,
        arguments: &[typed::ExprId],
        effects_follow: bool,
    ) -> PreparedCall {
        let has_effects = |lowering: &Self, id: &typed::ExprId| lowering.lowering.exprs[*id].has_effects;
        let callee = match self.lowering.exprs[callee].kind {
            Typed::FunctionAddress(function) => Callee::Function(function),
            _ => {
                let mut pointer = self.value(callee);
                if effects_follow || arguments.iter().any(|argument| has_effects(self, argument)) {
                    pointer = self.operand(pointer);
                }
                Callee::Pointer(pointer)
            }
        };
        let mut values = Vec::with_capacity(arguments.len());
        for (index, &argument) in arguments.iter().enumerate().rev() {
            let mut value = self.value(argument);
            if effects_follow || arguments[..index].iter().any(|earlier| has_effects(self, earlier)) {
                value = self.operand(value);
            }
            values.push(value);
        }
        values.reverse();
        PreparedCall { callee, arguments: values.into() }
    }

    pub(super) fn emit_call(&mut self, call: PreparedCall, target: Option<PlaceId>, span: Span) {
        let PreparedCall { callee, arguments } = call;
        self.emit(Operation::Call { target, callee, arguments }, span);
        if let Callee::Function(function) = callee
            && self.lowering.program.functions[function].noreturn
        {
            let is_known = self.lowering.is_defined(function);
            let function = self.lowering.program.functions[function].name.clone();
            // It may end the program by `exit`.
            if !is_known && self.lowering.endings.runner(Ending::Exit).is_some() {
                self.unsupported(&format!("a call of `{function}`, which may run exit handlers,"), span);
            }
            self.emit_to(self.sink, Operation::Halt(HaltKind::NoReturn { function }), span);
        }
    }

    fn special_call(
        &mut self,
        special: Special,
        function: FunctionId,
        arguments: &[typed::ExprId],
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let name = self.lowering.program.functions[function].name.clone();
        match (special, arguments) {
            (Special::Assert, [condition, texts @ ..]) => {
                self.all_effects(texts);
                self.assert(*condition, span);
            }
            (Special::Assume, [condition]) => {
                let holds = self.automaton.location();
                self.assume(*condition, holds);
            }
            (Special::Input, []) if !matches!(self.types().get(ty), Type::Void) => {
                let temporary = self.temporary(ty, span);
                let target = self.variable_place(temporary, span);
                self.emit(Operation::Havoc { target, origin: name }, span);
                return self.load(target, span);
            }
            (Special::StackAllocate, [size]) => {
                let size = self.value(*size);
                let temporary = self.temporary(ty, span);
                let target = self.variable_place(temporary, span);
                self.emit(Operation::StackAllocate { target, size }, span);
                return self.load(target, span);
            }
            (Special::AtExit(ending), [handler]) => return self.register(ending, *handler, ty, span),
            (Special::Exit(ending), [status]) => {
                let status = self.value(*status);
                let status = self.snapshot(status);
                self.run_endings(ending, span);
                self.emit_to(self.sink, Operation::Halt(HaltKind::Exit(status)), span);
            }
            (Special::ExitNow, [status]) => {
                let status = self.value(*status);
                self.emit_to(self.sink, Operation::Halt(HaltKind::Exit(status)), span);
            }
            (Special::Error, _) => {
                self.all_effects(arguments);
                self.emit_to(self.sink, Operation::Error(ErrorKind::Call { function: name }), span);
            }
            (Special::AssertionFailure, _) => {
                self.all_effects(arguments);
                self.emit_to(self.sink, Operation::Error(ErrorKind::Assertion), span);
            }
            (Special::Abort, _) => {
                self.all_effects(arguments);
                self.emit_to(self.sink, Operation::Halt(HaltKind::Abort), span);
            }
            (Special::Unsupported, _) => self.unsupported(&format!("a call of `{name}`"), span),
            _ => {
                let construct = format!("a call of `{name}` with {} arguments", arguments.len());
                self.unsupported(&construct, span);
            }
        }
        self.expr(ExprKind::Zero, ty, span)
    }

    fn all_effects(&mut self, arguments: &[typed::ExprId]) {
        for &argument in arguments.iter().rev() {
            self.effects(argument);
        }
    }

    fn assert(&mut self, condition: typed::ExprId, span: Span) {
        let [holds, fails] = std::array::from_fn(|_| self.automaton.location());
        self.condition(condition, holds, fails);
        self.current = fails;
        self.emit_to(self.sink, Operation::Error(ErrorKind::Assertion), span);
        self.current = holds;
    }

    /// Goes on only if the condition holds; there is no edge for the other case.
    fn assume(&mut self, condition: typed::ExprId, holds: rorqual_cfa::Draft) {
        let span = self.lowering.exprs[condition].span;
        let value = self.value(condition);
        let operation = Operation::Assume { condition: value, holds: true };
        self.automaton.edge(self.current, holds, operation, span);
        self.current = holds;
    }
}

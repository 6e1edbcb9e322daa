//! Functions whose calls mean something else than a call: inputs, assumptions, errors, the end of
//! the program, and what cannot be expressed.

use rorqual_cfa::{
    ErrorKind, FunctionId, HaltKind, IntKind, Operation, Type, TypeId, VariableId, VariableKind,
};
use rorqual_source::Span;

use super::ending::Ending;
use super::{FunctionLowering, Lowering};

/// A call that is not just a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// `reach_error()`
    Error,
    /// `assert(condition)`; a text may follow that says what it is about.
    Assert,
    /// What a false `assert` calls.
    AssertionFailure,
    /// `__VERIFIER_assume(condition)`
    Assume,
    /// `__VERIFIER_nondet_int()`
    Input,
    /// `abort()`
    Abort,
    /// `exit(status)`, or another way to end the program that runs handlers.
    Exit(Ending),
    /// `_exit(status)`, which runs nothing.
    ExitNow,
    /// `atexit(handler)`
    AtExit(Ending),
    /// `alloca(size)`
    StackAllocate,
    /// Jumps and threads that the automata cannot express.
    Unsupported,
}

impl Lowering<'_> {
    /// What calling the function means if it is special. The error functions are so by the
    /// property; the others only if the program does not define them itself.
    pub(super) fn special(&self, function: FunctionId) -> Option<Special> {
        let name = self.program.functions[function].name.as_str();
        if self.options.error_functions.iter().any(|error| error == name) {
            return Some(Special::Error);
        }
        if self.is_defined(function) {
            return None;
        }
        Special::named(name)
    }
}

impl Special {
    /// What a function that the program does not define means.
    fn named(name: &str) -> Option<Special> {
        Some(match name {
            "assert" | "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" => Special::Assert,
            "__assert_fail" | "__assert_perror_fail" | "__assert" | "__assert_rtn" | "_assert" => {
                Special::AssertionFailure
            }
            "__VERIFIER_assume"
            | "assume_abort_if_not"
            | "__CPROVER_assume"
            | "__ESBMC_assume"
            | "klee_assume" => Special::Assume,
            // Where its call is no violation, `__VERIFIER_error` still does not return.
            "abort" | "__builtin_abort" | "__VERIFIER_error" => Special::Abort,
            "exit" | "__builtin_exit" => Special::Exit(Ending::Exit),
            "quick_exit" => Special::Exit(Ending::QuickExit),
            "_exit" | "_Exit" | "__builtin__exit" | "__builtin__Exit" => Special::ExitNow,
            "atexit" => Special::AtExit(Ending::Exit),
            "at_quick_exit" => Special::AtExit(Ending::QuickExit),
            "alloca" | "__builtin_alloca" => Special::StackAllocate,
            "__VERIFIER_nondet_memory" => Special::Unsupported,
            _ if name.starts_with("__VERIFIER_nondet_") => Special::Input,
            _ if NOT_SUPPORTED.contains(&name) => Special::Unsupported,
            _ => return None,
        })
    }
}

/// Whether calls of a function become something else than calls, unless the program defines it.
pub(crate) fn is_special(name: &str) -> bool {
    Special::named(name).is_some()
}

/// Gives the special functions that pointers may point to a body with their meaning, because a call
/// through a pointer is just a call.
pub(super) fn define_addressed(lowering: &mut Lowering<'_>) {
    for function in lowering.addressed_functions.clone() {
        if let Some(special) = lowering.special(function) {
            FunctionLowering::new(lowering, function).special_body(special);
        }
    }
}

impl FunctionLowering<'_, '_> {
    fn special_body(mut self, special: Special) {
        let span = self.lowering.program.functions[self.function].span;
        let name = self.lowering.program.functions[self.function].name.clone();
        let (result, parameters) = self.declare_parameters(span);
        let argument = parameters.first().map(|&parameter| self.load_variable(parameter, span));
        match (special, argument) {
            (Special::Error, _) => {
                self.emit_to(self.sink, Operation::Error(ErrorKind::Call { function: name }), span);
            }
            (Special::AssertionFailure, _) => {
                self.emit_to(self.sink, Operation::Error(ErrorKind::Assertion), span);
            }
            (Special::Abort, _) => self.emit_to(self.sink, Operation::Halt(HaltKind::Abort), span),
            (Special::Exit(ending), Some(status)) => {
                self.run_endings(ending, span);
                self.emit_to(self.sink, Operation::Halt(HaltKind::Exit(status)), span);
            }
            (Special::ExitNow, Some(status)) => {
                self.emit_to(self.sink, Operation::Halt(HaltKind::Exit(status)), span);
            }
            (Special::Assert, Some(condition)) => {
                let [holds, fails] = std::array::from_fn(|_| self.automaton.location());
                self.branch(condition, holds, fails, span);
                self.current = fails;
                self.emit_to(self.sink, Operation::Error(ErrorKind::Assertion), span);
                self.current = holds;
                self.return_any(result, &name, span);
            }
            (Special::Assume, Some(condition)) => {
                self.emit(Operation::Assume { condition, holds: true }, span);
                self.return_any(result, &name, span);
            }
            (Special::Input, _) => self.return_any(result, &name, span),
            _ => self.unsupported(&format!("a call of `{name}` through a pointer"), span),
        }
        self.finish();
    }

    /// Variables for the parameters of a function that is only declared, and its result type.
    pub(super) fn declare_parameters(&mut self, span: Span) -> (TypeId, Vec<VariableId>) {
        let ty = self.lowering.program.functions[self.function].ty;
        let (result, types) = match self.types().get(ty) {
            Type::Function { result, parameters, .. } => (*result, parameters.clone()),
            _ => (self.types().int(IntKind::Int), Vec::new()),
        };
        let parameters: Vec<VariableId> = types
            .into_iter()
            .map(|ty| self.new_variable("argument".to_owned(), ty, VariableKind::Parameter, span))
            .collect();
        self.lowering.program.functions[self.function].parameters.clone_from(&parameters);
        (result, parameters)
    }

    fn return_any(&mut self, result: TypeId, name: &str, span: Span) {
        let value = if matches!(self.types().get(result), Type::Void) {
            None
        } else {
            let temporary = self.temporary(result, span);
            let target = self.variable_place(temporary, span);
            self.emit(Operation::Havoc { target, origin: name.to_owned() }, span);
            Some(self.load(target, span))
        };
        self.emit_to(self.exit, Operation::Return { value }, span);
    }
}

/// Undefined functions that must not be taken for functions that return any value and write
/// nothing, because what they do to control flow or to other threads matters.
const NOT_SUPPORTED: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "getcontext",
    "setcontext",
    "makecontext",
    "swapcontext",
    "fork",
    "vfork",
    "clone",
    "pthread_create",
    "thrd_create",
    "on_exit",
    "__cxa_atexit",
    "__cxa_at_quick_exit",
    "signal",
    "sigaction",
];

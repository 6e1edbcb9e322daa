//! What happens when the program ends: handlers that `atexit` and `at_quick_exit` have registered, the last one first,
//! and destructors. `_exit` and `abort` run none of them.
//!
//! Registered handlers are numbers in a stack of hidden variables: engines know such variables better than arrays of
//! pointers. Newer handlers are in front, so that a handler which is registered by another one runs next, as in C.

use rorqual_cfa::{
    Arena, BinaryOp, Callee, ExprId, ExprKind, Function, FunctionId, Id, IntKind, Operation, Type, TypeId,
    Variable, VariableId, VariableKind,
};
use rorqual_source::Span;

use super::{Definition, FunctionLowering, Lowering};
use crate::typed::{self, ExprKind as Typed};

/// C promises room for 32 handlers.
const MOST_HANDLERS: usize = 32;

/// Room for handlers besides one for each place where some are registered, for loops.
const SPARE_HANDLERS: usize = 4;

/// A way to end the program that runs handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// `exit`, or the return from `main`.
    Exit,
    /// `quick_exit`
    QuickExit,
}

/// The functions that run at the end of the program.
#[derive(Debug, Default)]
pub(super) struct Endings {
    exit: Option<Handlers>,
    quick_exit: Option<Handlers>,
}

/// What runs at one kind of end.
#[derive(Debug)]
pub(super) struct Handlers {
    /// The function that runs them.
    runner: FunctionId,
    /// The function that registers what a pointer points to.
    registrar: FunctionId,
    /// The numbers of the registered handlers, the newest one first; zero where there is none.
    slots: Vec<VariableId>,
    /// The functions that were ever registered; the number of a function is its position, from one on.
    functions: Vec<FunctionId>,
    /// Whether something registers what a variable points to.
    by_pointer: bool,
}

impl Endings {
    fn get(&mut self, ending: Ending) -> Option<&mut Handlers> {
        match ending {
            Ending::Exit => self.exit.as_mut(),
            Ending::QuickExit => self.quick_exit.as_mut(),
        }
    }

    /// The function that runs what has to run at such an end.
    pub(super) fn runner(&self, ending: Ending) -> Option<FunctionId> {
        match ending {
            Ending::Exit => self.exit.as_ref().map(|handlers| handlers.runner),
            Ending::QuickExit => self.quick_exit.as_ref().map(|handlers| handlers.runner),
        }
    }

    /// All hidden variables, which start as zero.
    pub(super) fn slots(&self) -> Vec<VariableId> {
        let both = self.exit.iter().chain(&self.quick_exit);
        both.flat_map(|handlers| handlers.slots.iter().copied()).collect()
    }
}

impl Lowering<'_> {
    /// Prepares for the handlers that the program may register.
    pub(super) fn declare_endings(&mut self) {
        let has_destructors = self.definitions.iter().any(|definition| definition.destructor.is_some());
        self.endings.exit = self.declare_handlers("atexit", "exit", has_destructors);
        self.endings.quick_exit = self.declare_handlers("at_quick_exit", "quick_exit", false);
    }

    fn declare_handlers(&mut self, registers: &str, name: &str, is_needed: bool) -> Option<Handlers> {
        let mentions = self.exprs.values().filter(|expr| match expr.kind {
            Typed::FunctionAddress(function) => {
                self.program.functions[function].name == registers && !self.is_defined(function)
            }
            _ => false,
        });
        let count = match mentions.count() {
            0 if !is_needed => return None,
            0 => 0,
            mentions => (mentions + SPARE_HANDLERS).min(MOST_HANDLERS),
        };
        let int = self.program.types.int(IntKind::Int);
        let void = self.program.types.intern(Type::Void);
        let handler = self.function_type(void, vec![]);
        let pointer = self.program.types.pointer_to(handler);
        let slot = |lowering: &mut Self, number: usize| {
            let name = format!("{name}_handler_{number}");
            let variable =
                Variable::new(name, int, VariableKind::Static, &lowering.program.types, Span::NONE);
            lowering.program.variables.push(variable)
        };
        let slots = (1..=count).map(|number| slot(self, number)).collect();
        let registrar = self.function_type(int, vec![pointer]);
        Some(Handlers {
            runner: self.hidden_function(format!("<{name}>"), handler),
            registrar: self.hidden_function(format!("<{registers}>"), registrar),
            slots,
            functions: Vec::new(),
            by_pointer: false,
        })
    }

    fn function_type(&mut self, result: TypeId, parameters: Vec<TypeId>) -> TypeId {
        self.program.types.intern(Type::Function { result, parameters, variadic: false, prototyped: true })
    }

    /// A function that no C program can name.
    pub(super) fn hidden_function(&mut self, name: String, ty: TypeId) -> FunctionId {
        self.definitions.push(Definition::default());
        self.program.functions.push(Function {
            name,
            ty,
            parameters: Vec::new(),
            labels: Arena::default(),
            body: None,
            noreturn: false,
            read_only: Vec::new(),
            is_foreign: false,
            span: Span::NONE,
        })
    }

    /// Defines the functions behind all ends, once it is known what is registered.
    pub(super) fn define_endings(&mut self) {
        for ending in [Ending::Exit, Ending::QuickExit] {
            self.define_registrar(ending);
            if let Some(runner) = self.endings.runner(ending) {
                FunctionLowering::new(self, runner).run_ending(ending);
            }
        }
    }

    fn define_registrar(&mut self, ending: Ending) {
        let Some(handlers) = self.endings.get(ending).filter(|handlers| handlers.by_pointer) else { return };
        let registrar = handlers.registrar;
        FunctionLowering::new(self, registrar).register_pointer(ending);
    }

    /// The destructors in the order in which they run: that of constructors backwards.
    fn destructors(&self) -> Vec<FunctionId> {
        let definitions = self.definitions.iter().enumerate();
        let mut destructors: Vec<(u32, FunctionId)> = definitions
            .filter_map(|(index, definition)| Some((definition.destructor?, FunctionId::new(index))))
            .collect();
        destructors.sort();
        destructors.into_iter().rev().map(|(_, function)| function).collect()
    }

    /// The functions that pointers may point to and that can be handlers.
    fn possible_handlers(&self) -> Vec<FunctionId> {
        let takes_nothing = |&function: &FunctionId| {
            let ty = self.program.functions[function].ty;
            matches!(self.program.types.get(ty), Type::Function { parameters, .. } if parameters.is_empty())
        };
        self.addressed_functions.iter().copied().filter(takes_nothing).collect()
    }
}

impl FunctionLowering<'_, '_> {
    /// `atexit(handler)`: the result is zero.
    pub(super) fn register(
        &mut self,
        ending: Ending,
        handler: typed::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        match self.named_function(handler) {
            Some(function) => self.register_function(ending, function, span),
            None => {
                let value = self.value(handler);
                if let Some(handlers) = self.lowering.endings.get(ending) {
                    handlers.by_pointer = true;
                    let callee = Callee::Function(handlers.registrar);
                    self.emit(Operation::Call { target: None, callee, arguments: [value].into() }, span);
                }
            }
        }
        self.int(0, ty, span)
    }

    /// The function whose address an expression is.
    fn named_function(&self, id: typed::ExprId) -> Option<FunctionId> {
        match self.lowering.exprs[id].kind {
            Typed::FunctionAddress(function) => Some(function),
            Typed::Convert(operand) => self.named_function(operand),
            _ => None,
        }
    }

    /// Puts a handler in front of the others.
    fn register_function(&mut self, ending: Ending, function: FunctionId, span: Span) {
        // It is called without its name, so a special one needs a body with its meaning.
        self.lowering.addressed_functions.insert(function);
        let Some(handlers) = self.lowering.endings.get(ending) else { return };
        let known = handlers.functions.iter().position(|&other| other == function);
        let number = known.unwrap_or_else(|| {
            handlers.functions.push(function);
            handlers.functions.len() - 1
        });
        let slots = handlers.slots.clone();
        let Some(&last) = slots.last() else { return };
        let full = self.load_variable(last, span);
        let [refuse, go_on] = std::array::from_fn(|_| self.automaton.location());
        self.branch(full, refuse, go_on, span);
        self.current = refuse;
        self.unsupported(&format!("the registration of more than {} handlers", slots.len()), span);
        self.current = go_on;
        for pair in slots.windows(2).rev() {
            let value = self.load_variable(pair[0], span);
            self.set(pair[1], value, span);
        }
        let int = self.types().int(IntKind::Int);
        let number = self.int(number as i128 + 1, int, span);
        self.set(slots[0], number, span);
    }

    fn set(&mut self, variable: VariableId, value: ExprId, span: Span) {
        let target = self.variable_place(variable, span);
        self.emit(Operation::Assign { target, value }, span);
    }

    /// The body of the function that registers what its argument points to.
    fn register_pointer(mut self, ending: Ending) {
        let span = Span::NONE;
        let (_, parameters) = self.declare_parameters(span);
        let pointer = self.load_variable(parameters[0], span);
        let (ty, int) = (self.type_of(pointer), self.types().int(IntKind::Int));
        for function in self.lowering.possible_handlers() {
            let address = self.expr(ExprKind::FunctionAddress(function), ty, span);
            let kind = ExprKind::Binary { op: BinaryOp::Eq, lhs: pointer, rhs: address };
            let same = self.expr(kind, int, span);
            let [here, next] = std::array::from_fn(|_| self.automaton.location());
            self.branch(same, here, next, span);
            self.current = here;
            self.register_function(ending, function, span);
            let value = Some(self.int(0, int, span));
            self.emit_to(self.exit, Operation::Return { value }, span);
            self.current = next;
        }
        self.unsupported("the registration of a handler that is not a function of the program", span);
        self.finish();
    }

    /// The body of the function that runs what has to run: handlers, destructors, and the handlers that those
    /// have registered.
    fn run_ending(mut self, ending: Ending) {
        self.run_handlers(ending);
        let destructors = if ending == Ending::Exit { self.lowering.destructors() } else { Vec::new() };
        for &destructor in &destructors {
            self.emit_plain_call(destructor, &[], None);
        }
        if !destructors.is_empty() {
            self.run_handlers(ending);
        }
        self.emit_to(self.exit, Operation::Return { value: None }, Span::NONE);
        self.finish();
    }

    fn run_handlers(&mut self, ending: Ending) {
        let Some(handlers) = self.lowering.endings.get(ending) else { return };
        let (slots, functions) = (handlers.slots.clone(), handlers.functions.clone());
        let (Some(&first), Some(&last)) = (slots.first(), slots.last()) else { return };
        let span = Span::NONE;
        let int = self.types().int(IntKind::Int);
        let [head, inside, end] = std::array::from_fn(|_| self.automaton.location());
        self.jump(head, span);
        self.current = head;
        let newest = self.load_variable(first, span);
        self.branch(newest, inside, end, span);
        self.current = inside;
        let number = self.snapshot_of(first, span);
        for pair in slots.windows(2) {
            let value = self.load_variable(pair[1], span);
            self.set(pair[0], value, span);
        }
        let none = self.int(0, int, span);
        self.set(last, none, span);
        for (index, &function) in functions.iter().enumerate() {
            let bound = self.int(index as i128 + 1, int, span);
            let kind = ExprKind::Binary { op: BinaryOp::Eq, lhs: number, rhs: bound };
            let same = self.expr(kind, int, span);
            let [here, next] = std::array::from_fn(|_| self.automaton.location());
            self.branch(same, here, next, span);
            self.current = here;
            self.emit_plain_call(function, &[], None);
            self.jump(head, span);
            self.current = next;
        }
        self.unsupported("a handler that was never registered", span);
        self.jump(head, span);
        self.current = end;
    }

    fn snapshot_of(&mut self, variable: VariableId, span: Span) -> ExprId {
        let value = self.load_variable(variable, span);
        let int = self.types().int(IntKind::Int);
        let temporary = self.temporary(int, span);
        self.set(temporary, value, span);
        self.load_variable(temporary, span)
    }

    /// Runs what has to run before the program ends.
    pub(super) fn run_endings(&mut self, ending: Ending, span: Span) {
        if let Some(runner) = self.lowering.endings.runner(ending) {
            let callee = Callee::Function(runner);
            self.emit(Operation::Call { target: None, callee, arguments: [].into() }, span);
        }
    }
}

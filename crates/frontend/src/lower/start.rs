//! The start-up code: what happens before `main`.

use std::collections::BTreeSet;

use rorqual_cfa::{
    BinaryOp, Callee, ExprId, ExprKind, Function, FunctionId, Id, IntKind, Operation, PlaceId, PlaceKind,
    Type, TypeId, VariableId, VariableKind,
};
use rorqual_models::library::{self, Initial, LibraryVariable};
use rorqual_source::{Diagnostic, Span};

use super::ending::Ending;
use super::{FunctionLowering, Lowering};
use crate::typed::Initializer;

/// The name of the start-up code, which no C program can use.
const START: &str = "<start>";

/// Builds the function that initialises all variables with static storage, runs constructors and
/// calls the entry function.
pub(super) fn lower_start(
    lowering: &mut Lowering<'_>,
    initializers: &[(VariableId, Initializer)],
    obstacles: &[(String, Span)],
) -> Result<FunctionId, Diagnostic> {
    let entry = entry_function(lowering)?;
    let start = declare_start(lowering);
    let constructors = constructors(lowering);
    let mut code = FunctionLowering::new(lowering, start);
    for (construct, span) in obstacles {
        code.unsupported(construct, *span);
    }
    for (variable, initializer) in initializers {
        let span = code.lowering.program.variables[*variable].span;
        code.initialize(*variable, initializer, span);
    }
    code.clear_handlers();
    code.initialize_external_variables();
    for constructor in constructors {
        code.emit_plain_call(constructor, &[], None);
    }
    code.call_entry(entry);
    code.finish();
    Ok(start)
}

fn entry_function(lowering: &Lowering<'_>) -> Result<FunctionId, Diagnostic> {
    let named = |(id, function): &(FunctionId, &Function)| {
        function.name == lowering.options.entry && lowering.is_defined(*id)
    };
    let found = lowering.program.functions.iter().find(named);
    found.map(|(id, _)| id).ok_or_else(|| lowering.missing_entry())
}

fn declare_start(lowering: &mut Lowering<'_>) -> FunctionId {
    let types = &mut lowering.program.types;
    let result = types.int(IntKind::Int);
    let ty = types.intern(Type::Function { result, parameters: vec![], variadic: false, prototyped: true });
    lowering.hidden_function(START.to_owned(), ty)
}

/// The constructors in the order in which they run.
fn constructors(lowering: &Lowering<'_>) -> Vec<FunctionId> {
    let definitions = lowering.definitions.iter().enumerate();
    let mut constructors: Vec<(u32, FunctionId)> = definitions
        .filter_map(|(index, definition)| Some((definition.constructor?, FunctionId::new(index))))
        .collect();
    constructors.sort();
    constructors.into_iter().map(|(_, function)| function).collect()
}

impl FunctionLowering<'_, '_> {
    /// Variables that are defined elsewhere have any value, unless they are of the library and their value is known.
    fn initialize_external_variables(&mut self) {
        let mut streams = Vec::new();
        for variable in self.lowering.program.variables.ids() {
            let declared = &self.lowering.program.variables[variable];
            if declared.kind != VariableKind::External {
                continue;
            }
            let (span, ty, known) = (declared.span, declared.ty, library::variable(&declared.name));
            let initial = known.map(|known| known.initial);
            let origin = format!("the external variable {}", declared.name);
            if self.types().size_of(ty).is_none() {
                continue;
            }
            if known.is_some_and(|known| self.is_obscure(variable, known)) {
                self.unsupported(&format!("the value of {origin}"), span);
            }
            let target = self.variable_place(variable, span);
            if let Some(value) = self.initial_number(initial, ty, span) {
                self.emit(Operation::Assign { target, value }, span);
                continue;
            }
            self.emit(Operation::Havoc { target, origin }, span);
            let is_pointer = matches!(self.types().get(ty), Type::Pointer(_));
            if is_pointer && matches!(initial, Some(Initial::Pointer | Initial::Stream)) {
                let pointer = self.load(target, span);
                let null = self.expr(ExprKind::Zero, ty, span);
                self.assume_different(pointer, null, span);
                if initial == Some(Initial::Stream) {
                    for &other in &streams {
                        self.assume_different(pointer, other, span);
                    }
                    streams.push(pointer);
                }
            }
        }
    }

    /// Whether a variable of the library is used whose value is defined and not known.
    fn is_obscure(&self, variable: VariableId, known: LibraryVariable) -> bool {
        let program = &self.lowering.program;
        let changes = |function: &FunctionId| known.is_changed_by(&program.functions[*function].name);
        let mut places = program.places.values();
        places.any(|place| place.kind == PlaceKind::Variable(variable))
            && (known.initial == Initial::Unmodelled || self.used_functions().iter().any(changes))
    }

    /// The functions that are called or have their address taken.
    fn used_functions(&self) -> BTreeSet<FunctionId> {
        let program = &self.lowering.program;
        let addressed = program.exprs.values().filter_map(|expr| match expr.kind {
            ExprKind::FunctionAddress(function) => Some(function),
            _ => None,
        });
        let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
        let called = bodies.flat_map(|body| body.edges().values()).filter_map(|edge| match edge.operation {
            Operation::Call { callee: Callee::Function(function), .. } => Some(function),
            _ => None,
        });
        addressed.chain(called).collect()
    }

    /// The number that a variable of the library starts with, if its type can hold it.
    fn initial_number(&mut self, initial: Option<Initial>, ty: TypeId, span: Span) -> Option<ExprId> {
        let Some(Initial::Number(number)) = initial else { return None };
        match self.types().as_int(ty) {
            Some(kind) if kind != IntKind::Bool => Some(self.int(i128::from(number), ty, span)),
            _ => (number == 0).then(|| self.expr(ExprKind::Zero, ty, span)),
        }
    }

    fn assume_different(&mut self, lhs: ExprId, rhs: ExprId, span: Span) {
        let int = self.types().int(IntKind::Int);
        let condition = self.expr(ExprKind::Binary { op: BinaryOp::Ne, lhs, rhs }, int, span);
        self.emit(Operation::Assume { condition, holds: true }, span);
    }

    /// Nothing is registered when the program starts.
    fn clear_handlers(&mut self) {
        let int = self.types().int(IntKind::Int);
        for slot in self.lowering.endings.slots() {
            let target = self.variable_place(slot, Span::NONE);
            let value = self.int(0, int, Span::NONE);
            self.emit(Operation::Assign { target, value }, Span::NONE);
        }
    }

    pub(super) fn emit_plain_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        target: Option<PlaceId>,
    ) {
        let span = self.lowering.program.functions[function].span;
        let callee = rorqual_cfa::Callee::Function(function);
        self.emit(Operation::Call { target, callee, arguments: arguments.into() }, span);
    }

    /// Calls the entry function and returns what it returns. `main` gets its arguments; any other
    /// function gets any values.
    fn call_entry(&mut self, entry: FunctionId) {
        let parameters = self.lowering.program.functions[entry].parameters.clone();
        let span = self.lowering.program.functions[entry].span;
        let is_main = self.lowering.program.functions[entry].name == "main";
        let temporaries: Vec<VariableId> = parameters
            .iter()
            .map(|&parameter| {
                let ty = self.lowering.program.variables[parameter].ty;
                self.temporary(ty, self.lowering.program.variables[parameter].span)
            })
            .collect();
        let places: Vec<PlaceId> =
            temporaries.iter().map(|&temporary| self.variable_place(temporary, span)).collect();
        let first_input = match (is_main, places.as_slice()) {
            (true, [count, vector, ..]) => {
                self.emit(Operation::ProgramArguments { count: *count, vector: *vector }, span);
                2
            }
            _ => 0,
        };
        for (&place, &parameter) in places.iter().zip(&parameters).skip(first_input) {
            let origin = format!("the parameter {}", self.lowering.program.variables[parameter].name);
            self.emit(Operation::Havoc { target: place, origin }, span);
        }
        let arguments: Vec<_> = places.iter().map(|&place| self.load(place, span)).collect();
        let result = self.entry_result(entry);
        let int = self.types().int(IntKind::Int);
        let returns_int = result == int;
        let target = returns_int.then(|| {
            let temporary = self.temporary(int, Span::NONE);
            self.variable_place(temporary, Span::NONE)
        });
        self.emit_plain_call(entry, &arguments, target);
        if is_main {
            self.run_endings(Ending::Exit, Span::NONE);
        }
        let status = match target {
            Some(target) => self.load(target, Span::NONE),
            None => self.int(0, int, Span::NONE),
        };
        self.emit_to(self.exit, Operation::Return { value: Some(status) }, span);
    }

    fn entry_result(&self, entry: FunctionId) -> TypeId {
        let ty = self.lowering.program.functions[entry].ty;
        match self.lowering.program.types.get(ty) {
            Type::Function { result, .. } => *result,
            _ => ty,
        }
    }
}

//! What calls of functions without body may do, for those who describe a program without running it. What is known of
//! functions of the library is in the table of `rorqual_models`; here it is applied to the arguments of a call.

use rorqual_cfa::{Callee, ExprId, ExprKind, Function, FunctionId, Operation, PlaceKind, Program, StringId};
use rorqual_models::library::{Entry, Parameter, Returned};

use super::is_input;
use crate::library_entry;

/// What a call of a function without body may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It returns an input, and writes nothing: the world outside decides, or nothing is known of the function.
    Input,
    /// The library computes its result, and it writes no memory of the program.
    Value,
    /// It may write memory of the program, or return a pointer to new memory.
    Memory,
    /// The program ends.
    Ends,
    /// It does what is not modelled: it calls back, jumps, starts threads, or does what no table can say.
    Unmodelled,
}

/// What a function of the library may write through an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// The argument.
    pub argument: ExprId,
    /// What it writes.
    pub extent: Extent,
}

/// How much is written through a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The object that it points to.
    Pointee,
    /// All that can be reached from it.
    Reachable,
    /// All that can be reached from the object that it points to, but not that object.
    Behind,
}

/// What a call may do. Without its arguments, what any call of the function may do.
pub fn call_effect(program: &Program, function: &Function, arguments: &[ExprId]) -> Effect {
    let Some(entry) = library_entry(function) else { return Effect::Input };
    if entry.returned == Returned::Never && !entry.is_unmodelled() {
        Effect::Ends
    } else if entry.is_unmodelled() || entry.parameters.contains(&Parameter::Called) {
        Effect::Unmodelled
    } else if is_input(function, entry) {
        Effect::Input
    } else if is_value(program, entry, arguments) {
        Effect::Value
    } else {
        Effect::Memory
    }
}

/// Whether a call writes and frees nothing, and returns no new memory.
fn is_value(program: &Program, entry: &Entry, arguments: &[ExprId]) -> bool {
    let changes = |parameter: &Parameter| !matches!(parameter, Parameter::Format | Parameter::Kept);
    let is_known = arguments.len() >= entry.parameters.len();
    let writes_nothing = if is_known {
        writes(program, entry, arguments).is_some_and(|writes| writes.is_empty())
    } else {
        entry.is_harmless() && entry.parameters.iter().all(changes)
    };
    writes_nothing && entry.returned != Returned::New && !entry.parameters.contains(&Parameter::Freed)
}

/// Whether some call of the program may ask for heap memory.
pub fn may_allocate(program: &Program) -> bool {
    let may = |function: FunctionId| {
        let function = &program.functions[function];
        function.body.is_none() && library_entry(function).is_some_and(allocates)
    };
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    let mut operations = bodies.flat_map(|body| body.edges().values()).map(|edge| &edge.operation);
    let is_called = |operation: &Operation| match operation {
        Operation::Call { callee: Callee::Function(function), .. } => may(*function),
        _ => false,
    };
    let is_addressed = |kind: &ExprKind| match kind {
        ExprKind::FunctionAddress(function) => may(*function),
        _ => false,
    };
    operations.any(is_called) || program.exprs.values().any(|expr| is_addressed(&expr.kind))
}

fn allocates(entry: &Entry) -> bool {
    let gives = |parameter: &Parameter| matches!(parameter, Parameter::Fresh | Parameter::Reachable);
    entry.is_unmodelled() || entry.returned == Returned::New || entry.parameters.iter().any(gives)
}

/// What a call of a library function may write: through these arguments, or anything.
pub fn written_arguments(program: &Program, function: &Function, arguments: &[ExprId]) -> Option<Vec<Write>> {
    library_entry(function).map_or(Some(Vec::new()), |entry| writes(program, entry, arguments))
}

fn writes(program: &Program, entry: &Entry, arguments: &[ExprId]) -> Option<Vec<Write>> {
    let mut writes = Vec::new();
    for (position, &argument) in arguments.iter().enumerate() {
        let extent = match entry.parameter(position) {
            Parameter::Number | Parameter::Handle | Parameter::Read | Parameter::Freed => continue,
            Parameter::Written | Parameter::Copied | Parameter::End | Parameter::Pointers => Extent::Pointee,
            Parameter::Reachable => Extent::Reachable,
            Parameter::Behind => Extent::Behind,
            Parameter::Format if is_harmless(program, argument) => continue,
            Parameter::Kept if is_null(program, argument) => continue,
            // New memory is stored, functions of the program write what they want, and so may arguments of a list.
            Parameter::Kept | Parameter::Format | Parameter::Fresh | Parameter::Called | Parameter::List => {
                return None;
            }
        };
        writes.push(Write { argument, extent });
    }
    Some(writes)
}

fn is_harmless(program: &Program, format: ExprId) -> bool {
    text_of(program, format).is_some_and(|text| stores_nothing(&program.strings[text].bytes))
}

/// Whether an argument is the constant null.
fn is_null(program: &Program, argument: ExprId) -> bool {
    match program.exprs[argument].kind {
        ExprKind::Int(0) | ExprKind::Zero => true,
        ExprKind::Convert(inner) => is_null(program, inner),
        _ => false,
    }
}

/// Which argument of a function is the format of what it prints, if printing is all that it does.
pub fn printed_format(function: &Function) -> Option<usize> {
    let entry = library_entry(function).filter(|entry| entry.is_harmless())?;
    let position = entry.parameters.iter().position(|&parameter| parameter == Parameter::Format)?;
    (!entry.parameters.contains(&Parameter::List)).then_some(position)
}

/// Whether a format stores nothing: it has no `%n`.
pub fn stores_nothing(format: &[u8]) -> bool {
    let directives = format.split(|&byte| byte == b'%').skip(1);
    directives.into_iter().all(|directive| {
        let conversion = directive.iter().find(|byte| !b"0123456789.$#+- *'hlqjzt".contains(byte));
        conversion != Some(&b'n')
    })
}

/// The string literal that an expression is the address of.
fn text_of(program: &Program, expr: ExprId) -> Option<StringId> {
    match program.exprs[expr].kind {
        ExprKind::Convert(inner) => text_of(program, inner),
        ExprKind::AddressOf(place) => match program.places[place].kind {
            PlaceKind::Text(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

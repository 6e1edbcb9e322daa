//! Other names of library functions that have arguments more, such as `__memcpy_chk` of `_FORTIFY_SOURCE`: a call is a
//! call of the function itself. What such names add are tests that end the program where it would go wrong anyway.
//! And functions that are none of the library, although they have the name of one.

use std::collections::BTreeMap;

use rorqual_cfa::{FunctionId, IntKind, Type, TypeId, TypeTable};
use rorqual_models::library::{self, Alias, Entry, Parameter};

use crate::typed::{ExprId, ExprKind, FunctionDefinition, Program};

/// Finds functions without body that only share their name with a function of the library, as kernels have many: they
/// take more or fewer arguments, or a pointer to non-const where the function of the library writes nothing.
pub(crate) fn tell_foreign(program: &mut Program) {
    for id in program.functions.ids() {
        let FunctionDefinition { function, body, .. } = &program.functions[id];
        let is_foreign =
            body.is_none() && library::entry(&function.name).is_some_and(|entry| !fits(program, id, entry));
        program.functions[id].function.is_foreign = is_foreign;
    }
}

fn fits(program: &Program, function: FunctionId, entry: &Entry) -> bool {
    let types = &program.types;
    let function = &program.functions[function].function;
    let Type::Function { parameters, prototyped: true, .. } = types.get(function.ty) else { return true };
    let is_written = |position: usize| {
        let is_pointer = matches!(types.get(parameters[position]), Type::Pointer(_));
        is_pointer && !function.read_only.contains(&position)
    };
    let may_write = |position: usize| match entry.parameter(position) {
        Parameter::Number => false,
        // Declarations of one's own are careless about `const`, but nobody declares a string so that is none.
        Parameter::Read | Parameter::Format => is_bytes(types, parameters[position]),
        _ => true,
    };
    let has_count = match entry.further {
        None => parameters.len() == entry.parameters.len(),
        Some(_) => parameters.len() >= entry.parameters.len(),
    };
    has_count && (0..parameters.len()).all(|position| !is_written(position) || may_write(position))
}

/// Whether a pointer points to characters, or to nobody knows what.
fn is_bytes(types: &TypeTable, pointer: TypeId) -> bool {
    let pointee = types.pointee(pointer).map(|pointee| types.get(pointee));
    matches!(
        pointee,
        Some(Type::Void | Type::Int(IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar))
    )
}

/// Makes calls of such names calls of the functions.
pub(crate) fn resolve(program: &mut Program) {
    let mut known: BTreeMap<(&'static str, TypeId), FunctionId> = BTreeMap::new();
    for id in program.exprs.ids() {
        let ExprKind::Call { callee, arguments } = &program.exprs[id].kind else { continue };
        let (callee, arguments) = (*callee, arguments.clone());
        let Some((function, alias)) = called(program, callee) else { continue };
        let kept = alias.arguments(arguments.len());
        let is_dropped = |position: &usize| !kept.contains(position);
        let has_effects = |position: usize| program.exprs[arguments[position]].has_effects;
        if kept.iter().any(|&position| position >= arguments.len())
            || (0..arguments.len()).filter(is_dropped).any(has_effects)
        {
            continue;
        }
        let Some(ty) = meant_type(program, function, alias) else { continue };
        let meant =
            *known.entry((alias.function, ty)).or_insert_with(|| declare(program, function, alias, ty));
        let pointer = program.types.pointer_to(ty);
        program.exprs[callee].kind = ExprKind::FunctionAddress(meant);
        program.exprs[callee].ty = pointer;
        let arguments = kept.into_iter().map(|position| arguments[position]).collect();
        program.exprs[id].kind = ExprKind::Call { callee, arguments };
    }
}

/// The function that is called by another name.
fn called(program: &Program, callee: ExprId) -> Option<(FunctionId, Alias)> {
    let ExprKind::FunctionAddress(function) = program.exprs[callee].kind else { return None };
    let definition = &program.functions[function];
    let alias = library::alias(&definition.function.name)?;
    (definition.body.is_none() && !definition.function.is_foreign).then_some((function, alias))
}

/// The type of the function, from the type that its other name is declared with.
fn meant_type(program: &mut Program, function: FunctionId, alias: Alias) -> Option<TypeId> {
    let Type::Function { result, parameters, variadic, prototyped } =
        program.types.get(program.functions[function].function.ty).clone()
    else {
        return None;
    };
    let parameters = alias
        .named()
        .into_iter()
        .map(|position| parameters.get(position).copied())
        .collect::<Option<Vec<_>>>();
    let parameters = if prototyped { parameters? } else { Vec::new() };
    Some(program.types.intern(Type::Function { result, parameters, variadic, prototyped }))
}

fn declare(program: &mut Program, function: FunctionId, alias: Alias, ty: TypeId) -> FunctionId {
    let mut function = program.functions[function].function.clone();
    alias.function.clone_into(&mut function.name);
    function.ty = ty;
    let kept = alias.named();
    let moved = function.read_only.iter().filter_map(|old| kept.iter().position(|position| position == old));
    function.read_only = moved.collect();
    program.functions.push(FunctionDefinition {
        function,
        body: None,
        constructor: None,
        destructor: None,
        weak: false,
        label_names: Vec::new(),
        taken_labels: Vec::new(),
    })
}

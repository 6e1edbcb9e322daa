//! Linking: which declarations in which files mean the same function or variable.
//!
//! Names with external linkage are shared by all files, `static` ones belong to their file.
//! Declarations of one name must agree in type, and at most one of them may define it.
//! Departure from modern gcc: tentative definitions (`int x;`) of one variable in several files
//! are one variable, as with `-fcommon`.

use std::collections::HashMap;

use rorqual_cfa::{
    Arena, Function, FunctionId, RecordId, Type, TypeId, TypeTable, Variable, VariableId, VariableKind,
};
use rorqual_source::{Diagnostic, Span};

use crate::typed::{FunctionDefinition, Program};

/// What a name with external linkage means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    Function(FunctionId),
    Variable(VariableId),
}

/// How much of a definition a declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// `extern int x;`, `int f(void);`
    Declared,
    /// `int x;` at file scope.
    Tentative,
    /// A definition that another one may replace: weak, or `inline` without an external one.
    Weak,
    /// A definition.
    Defined,
}

/// A declaration with linkage.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) ty: TypeId,
    pub(crate) strength: Strength,
    pub(crate) span: Span,
    pub(crate) align: u64,
    pub(crate) noreturn: bool,
}

/// The names with external linkage of all files so far.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    symbols: HashMap<String, (Symbol, Strength)>,
    pub(crate) errors: Vec<Diagnostic>,
}

impl Linker {
    /// The function that an external declaration means, and whether this declaration's body
    /// is the one to use.
    pub(crate) fn function(&mut self, program: &mut Program, declared: &Declaration) -> (FunctionId, bool) {
        match self.symbols.get(&declared.name).copied() {
            Some((Symbol::Function(id), known)) => {
                let wins = self.settle(declared, known, program.functions[id].function.span);
                let function = &mut program.functions[id].function;
                if !compatible(&program.types, function.ty, declared.ty) {
                    self.errors.push(conflict(&program.types, declared, function.ty, function.span));
                }
                function.ty = more_complete(&program.types, function.ty, declared.ty);
                function.noreturn |= declared.noreturn;
                if wins {
                    function.span = declared.span;
                }
                (id, wins)
            }
            known => {
                if let Some((Symbol::Variable(id), _)) = known {
                    let other = &program.variables[id];
                    self.errors.push(conflict(&program.types, declared, other.ty, other.span));
                }
                let id = new_function(program, declared);
                self.symbols.insert(declared.name.clone(), (Symbol::Function(id), declared.strength));
                (id, declared.strength >= Strength::Weak)
            }
        }
    }

    /// The variable that an external declaration means, and whether this declaration's
    /// initialiser is the one to use.
    pub(crate) fn variable(&mut self, program: &mut Program, declared: &Declaration) -> (VariableId, bool) {
        match self.symbols.get(&declared.name).copied() {
            Some((Symbol::Variable(id), known)) => {
                let wins = self.settle(declared, known, program.variables[id].span);
                let variable = &mut program.variables[id];
                if !compatible(&program.types, variable.ty, declared.ty) {
                    self.errors.push(conflict(&program.types, declared, variable.ty, variable.span));
                }
                variable.ty = more_complete(&program.types, variable.ty, declared.ty);
                variable.align = variable.align.max(declared.align);
                if wins {
                    variable.span = declared.span;
                    variable.kind = VariableKind::Static;
                }
                (id, wins)
            }
            known => {
                if let Some((Symbol::Function(id), _)) = known {
                    let other = &program.functions[id].function;
                    self.errors.push(conflict(&program.types, declared, other.ty, other.span));
                }
                let id = new_variable(program, declared);
                self.symbols.insert(declared.name.clone(), (Symbol::Variable(id), declared.strength));
                (id, declared.strength > Strength::Declared)
            }
        }
    }

    /// Records the stronger of two declarations, and whether that is the new one.
    fn settle(&mut self, declared: &Declaration, known: Strength, first: Span) -> bool {
        if declared.strength == Strength::Defined && known == Strength::Defined && first != declared.span {
            let message = format!("`{}` is defined twice", declared.name);
            let error =
                Diagnostic::error(message, declared.span).with_note("the first definition is here", first);
            self.errors.push(error.with_help("remove one of the definitions, or make one of them `static`"));
            return false;
        }
        let wins = declared.strength > known;
        if wins {
            let symbol = self.symbols.get_mut(&declared.name).expect("the name was just looked up");
            symbol.1 = declared.strength;
        }
        wins
    }
}

/// Completes what no file completed: a tentative definition `int a[];` has one element (C11
/// 6.9.2p5).
pub(crate) fn complete_tentative_arrays(program: &mut Program) {
    for id in program.variables.ids() {
        let Variable { ty, kind, .. } = program.variables[id];
        if let (VariableKind::Static, Type::Array { element, length: None }) = (kind, program.types.get(ty)) {
            let element = *element;
            program.variables[id].ty = program.types.intern(Type::Array { element, length: Some(1) });
        }
    }
}

/// A function without a body.
pub(crate) fn new_function(program: &mut Program, declared: &Declaration) -> FunctionId {
    program.functions.push(FunctionDefinition {
        function: Function {
            name: declared.name.clone(),
            ty: declared.ty,
            parameters: Vec::new(),
            labels: Arena::default(),
            body: None,
            noreturn: declared.noreturn,
            span: declared.span,
        },
        body: None,
        constructor: None,
        label_names: Vec::new(),
        taken_labels: Vec::new(),
    })
}

/// A variable with static storage.
pub(crate) fn new_variable(program: &mut Program, declared: &Declaration) -> VariableId {
    let kind =
        if declared.strength == Strength::Declared { VariableKind::External } else { VariableKind::Static };
    let variable = Variable::new(&declared.name, declared.ty, kind, &program.types, declared.span);
    program.variables.push(Variable { align: declared.align, ..variable })
}

fn conflict(types: &TypeTable, declared: &Declaration, known: TypeId, first: Span) -> Diagnostic {
    let message = format!("conflicting declarations of `{}`", declared.name);
    let here = format!("it is `{}` here", types.name(declared.ty));
    let there = format!("but `{}` here", types.name(known));
    Diagnostic::error(message, declared.span).with_note(here, declared.span).with_note(there, first)
}

/// The type of the two that says more: an array with a length, a function with a prototype.
fn more_complete(types: &TypeTable, a: TypeId, b: TypeId) -> TypeId {
    match (types.get(a), types.get(b)) {
        (Type::Array { length: None, .. }, Type::Array { length: Some(_), .. })
        | (Type::Function { prototyped: false, .. }, Type::Function { prototyped: true, .. }) => b,
        _ => a,
    }
}

/// Whether two declarations of one object may have these types (C11 6.2.7). Records are
/// compared when they are read, so here different records are different types, except that an
/// incomplete one fits any of the same tag.
pub(crate) fn compatible(types: &TypeTable, a: TypeId, b: TypeId) -> bool {
    if a == b {
        return true;
    }
    match (types.get(a), types.get(b)) {
        (Type::Pointer(a), Type::Pointer(b)) => compatible(types, *a, *b),
        (Type::Array { element: a, length: n }, Type::Array { element: b, length: m }) => {
            compatible(types, *a, *b) && (n.is_none() || m.is_none() || n == m)
        }
        (
            Type::Function { result: a, parameters: ps, variadic: va, prototyped: pa },
            Type::Function { result: b, parameters: qs, variadic: vb, prototyped: pb },
        ) => {
            let parameters = || {
                ps.len() == qs.len() && va == vb && ps.iter().zip(qs).all(|(&p, &q)| compatible(types, p, q))
            };
            compatible(types, *a, *b) && (!pa || !pb || parameters())
        }
        (Type::Record(a), Type::Record(b)) => compatible_records(types, *a, *b),
        _ => false,
    }
}

fn compatible_records(types: &TypeTable, a: RecordId, b: RecordId) -> bool {
    let (a, b) = (types.record(a), types.record(b));
    a.kind == b.kind && a.tag == b.tag && (!a.complete || !b.complete)
}

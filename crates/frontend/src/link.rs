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

use crate::options::Declarations;
use crate::typed::{Expr, ExprId, ExprKind, FunctionDefinition, Program, Stmt, StmtKind};

/// A second name: the first of the two means the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: Symbol,
    pub(crate) means: Symbol,
}

/// What a name with external linkage means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// The parameters that are pointers to `const`.
    pub(crate) read_only: Vec<usize>,
    /// Whether it need not be defined anywhere: its address is then null.
    pub(crate) weak: bool,
}

/// The names with external linkage of all files so far.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    symbols: HashMap<String, (Symbol, Strength)>,
    pub(crate) errors: Vec<Diagnostic>,
    /// Which functions that are only declared are linked.
    pub(crate) declarations: Declarations,
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
                function.read_only.retain(|position| declared.read_only.contains(position));
                program.functions[id].weak |= declared.weak;
                let function = &mut program.functions[id].function;
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

/// The address of a weak variable is null where nothing defines it: using one is not supported.
pub(crate) fn refuse_weak_variables(program: &mut Program) {
    for id in std::mem::take(&mut program.weak_variables) {
        let variable = &program.variables[id];
        if variable.kind == VariableKind::External {
            let construct = format!("the weak variable `{}`, which is not defined,", variable.name);
            program.refused.insert(id, construct);
        }
    }
    while let Some((index, construct)) = refused_initializer(program) {
        let (id, _) = program.static_initializers.remove(index);
        program.refused.insert(id, construct);
    }
}

/// A variable that starts with the address of one whose use is not supported: its use is not supported either, but the
/// program may well do without.
fn refused_initializer(program: &Program) -> Option<(usize, String)> {
    program.static_initializers.iter().enumerate().find_map(|(index, (_, initializer))| {
        let mut named = initializer.entries.iter().filter_map(|entry| addressed(program, entry.value));
        named.find_map(|id| Some((index, program.refused.get(&id)?.clone())))
    })
}

/// The variable that an address constant is about.
fn addressed(program: &Program, value: ExprId) -> Option<VariableId> {
    match &program.exprs[value].kind {
        ExprKind::Variable(id) => Some(*id),
        &(ExprKind::AddressOf(inner) | ExprKind::Convert(inner)) => addressed(program, inner),
        &(ExprKind::Member { base, .. } | ExprKind::Index { base, .. }) => addressed(program, base),
        &ExprKind::PointerAdd { pointer, .. } => addressed(program, pointer),
        _ => None,
    }
}

/// What assembly outside of functions names and the program only declares may be defined there: using it is not
/// supported.
pub(crate) fn refuse_assembly(program: &mut Program) {
    let symbols = std::mem::take(&mut program.assembly_symbols);
    for id in program.functions.ids() {
        let definition = &program.functions[id];
        if definition.body.is_none() && symbols.contains(&definition.function.name) {
            let construct = format!("the function `{}`, which assembly defines,", definition.function.name);
            let span = definition.function.span;
            let body = program.stmts.push(Stmt { kind: StmtKind::Unsupported(construct), span });
            program.functions[id].body = Some(body);
        }
    }
    for (id, variable) in program.variables.iter() {
        if variable.kind == VariableKind::External && symbols.contains(&variable.name) {
            let construct = format!("the variable `{}`, which assembly defines,", variable.name);
            program.refused.insert(id, construct);
        }
    }
}

/// Puts what an alias means where the alias is named, except for error functions: those are known by their names.
pub(crate) fn resolve_aliases(program: &mut Program, error_functions: &[String]) {
    let is_error = |alias: &Alias| match alias.name {
        Symbol::Function(id) => error_functions.contains(&program.functions[id].function.name),
        Symbol::Variable(_) => false,
    };
    let aliases = std::mem::take(&mut program.aliases).into_iter().filter(|alias| !is_error(alias));
    let aliases: HashMap<Symbol, Symbol> = aliases.map(|alias| (alias.name, alias.means)).collect();
    for id in program.exprs.ids() {
        match program.exprs[id].kind {
            ExprKind::FunctionAddress(function) => {
                if let Symbol::Function(meant) = meaning(&aliases, Symbol::Function(function)) {
                    program.exprs[id].kind = ExprKind::FunctionAddress(meant);
                }
            }
            ExprKind::Variable(variable) => {
                if let Symbol::Variable(meant) = meaning(&aliases, Symbol::Variable(variable)) {
                    name_variable(program, id, variable, meant);
                }
            }
            _ => {}
        }
    }
}

/// What a name means at the end of its aliases. Aliases in a circle mean nothing else.
fn meaning(aliases: &HashMap<Symbol, Symbol>, name: Symbol) -> Symbol {
    let mut at = name;
    for _ in 0..=aliases.len() {
        match aliases.get(&at) {
            Some(&next) => at = next,
            None => return at,
        }
    }
    name
}

/// Names another variable in an expression. One of another type is accessed through its address.
fn name_variable(program: &mut Program, id: ExprId, alias: VariableId, variable: VariableId) {
    if alias == variable {
        return;
    }
    let Expr { ty, span, .. } = program.exprs[id];
    let declared = program.variables[variable].ty;
    program.variables[variable].address_taken |= program.variables[alias].address_taken || declared != ty;
    if declared == ty {
        program.exprs[id].kind = ExprKind::Variable(variable);
        return;
    }
    let has_effects = false;
    let place = Expr { kind: ExprKind::Variable(variable), ty: declared, span, has_effects };
    let place = program.exprs.push(place);
    let pointer = program.types.pointer_to(ty);
    let pointer = Expr { kind: ExprKind::AddressOf(place), ty: pointer, span, has_effects };
    let pointer = program.exprs.push(pointer);
    program.exprs[id].kind = ExprKind::Deref(pointer);
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
            read_only: declared.read_only.clone(),
            is_foreign: false,
            span: declared.span,
        },
        body: None,
        constructor: None,
        destructor: None,
        weak: declared.weak,
        label_names: Vec::new(),
        taken_labels: Vec::new(),
    })
}

/// A variable with static storage.
pub(crate) fn new_variable(program: &mut Program, declared: &Declaration) -> VariableId {
    let kind =
        if declared.strength == Strength::Declared { VariableKind::External } else { VariableKind::Static };
    let variable = Variable::new(&declared.name, declared.ty, kind, &program.types, declared.span);
    let id = program.variables.push(Variable { align: declared.align, ..variable });
    if declared.weak {
        program.weak_variables.insert(id);
    }
    id
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

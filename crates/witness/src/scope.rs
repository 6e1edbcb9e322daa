//! Names in scope: what the cells of a program are called at a place in its text.

use std::collections::HashMap;

use rorqual_cfa::{CellNames, FunctionId, Program, Type, TypeId, VariableId, VariableKind};
use rorqual_source::Span;

use crate::cells::source_name;
use crate::expression::Lvalue;

/// The names that can be used at a place of a function.
#[derive(Debug)]
pub struct Scope<'a> {
    program: &'a Program,
    function: FunctionId,
    at: Span,
    variables: HashMap<String, VariableId>,
}

impl<'a> Scope<'a> {
    /// The names at the start of `at`, a loop or another statement of `function`. What a `for` statement
    /// declares counts as known at its start.
    pub fn new(program: &'a Program, function: FunctionId, at: Span) -> Scope<'a> {
        let names = CellNames::new(program);
        let ids = program.variables.ids();
        let variables = ids.map(|id| (names.variable(id).to_owned(), id)).collect();
        Scope { program, function, at, variables }
    }

    /// What a cell, named as [`CellNames`] says, is in C; `None` if it has no name here or is no integer or
    /// pointer. Fits [`c_expression`](crate::c_expression).
    pub fn lvalue(&self, cell: &str) -> Option<Lvalue> {
        if let Some(name) = cell.strip_prefix('&') {
            let variable = *self.variables.get(name)?;
            return Some(Lvalue::Pointer(format!("&{}", self.name(variable)?)));
        }
        let end = cell.find(['.', '[']).unwrap_or(cell.len());
        let variable = *self.variables.get(&cell[..end])?;
        let path = Path { program: self.program, before: self.name(variable)?.to_owned() };
        path.walk(self.program.variables[variable].ty, &cell[end..])
    }

    /// The same in a contract of the function, which also has old values, between two texts, and the function's result.
    pub fn in_contract(&self, cell: &str, [open, close]: [&str; 2]) -> Option<Lvalue> {
        if let Some(plain) = cell.strip_prefix(&CellNames::old("")) {
            let old = |text: String| format!("{open}{text}{close}");
            return Some(match self.lvalue(plain)? {
                Lvalue::Int(text, kind) => Lvalue::Int(old(text), kind),
                Lvalue::Pointer(text) => Lvalue::Pointer(old(text)),
                Lvalue::Array { before, after, element, length } => {
                    let (before, after) = (format!("{open}{before}"), format!("{after}{close}"));
                    Lvalue::Array { before, after, element, length }
                }
            });
        }
        let Some(path) = cell.strip_prefix(&CellNames::result(self.program, self.function)) else {
            return self.lvalue(cell);
        };
        let Type::Function { result, .. } = self.program.types.get(self.program.functions[self.function].ty)
        else {
            return None;
        };
        Path { program: self.program, before: "\\result".to_owned() }.walk(*result, path)
    }

    /// The name of a variable if it means that variable here.
    fn name(&self, variable: VariableId) -> Option<&'a str> {
        let name = source_name(self.program, variable);
        let candidates =
            self.program.variables.ids().filter(|&other| source_name(self.program, other) == name);
        let visible = candidates.filter(|&other| self.is_visible(other));
        // The innermost scope wins, and in one scope the latest declaration.
        let innermost = visible.min_by_key(|&other| {
            let declared = &self.program.variables[other];
            let length =
                declared.scope.file().map_or(u32::MAX, |_| declared.scope.end() - declared.scope.start());
            (length, std::cmp::Reverse(declared.span.start()))
        });
        (innermost == Some(variable)).then_some(name)
    }

    fn is_visible(&self, variable: VariableId) -> bool {
        let variable = &self.program.variables[variable];
        let of_function = variable.function.is_none_or(|function| function == self.function);
        let scope = variable.scope;
        let around = scope.file() == self.at.file()
            && scope.start() <= self.at.start()
            && self.at.start() < scope.end();
        let is_declared = variable.span.start() <= self.at.start() || scope.start() == self.at.start();
        match variable.kind {
            VariableKind::Temporary => false,
            VariableKind::Parameter => variable.function == Some(self.function),
            VariableKind::Static | VariableKind::External if scope == Span::NONE => true,
            _ => of_function && around && is_declared,
        }
    }
}

/// A path of members and elements that is being walked.
struct Path<'a> {
    program: &'a Program,
    /// The text so far.
    before: String,
}

impl Path<'_> {
    fn walk(mut self, ty: TypeId, path: &str) -> Option<Lvalue> {
        let (ty, rest) = self.members(ty, path)?;
        let Some(rest) = rest.strip_prefix("[]") else {
            return match self.program.types.get(ty) {
                Type::Int(kind) => Some(Lvalue::Int(self.before, *kind)),
                Type::Pointer(_) => Some(Lvalue::Pointer(self.before)),
                _ => None,
            };
        };
        let (before, element, length) = self.elements(ty)?;
        let mut after = Path { program: self.program, before: String::from("]") };
        let (ty, rest) = after.members(element, rest)?;
        match self.program.types.get(ty) {
            Type::Int(kind) if rest.is_empty() => {
                Some(Lvalue::Array { before, after: after.before, element: *kind, length })
            }
            _ => None,
        }
    }

    /// Follows members as far as there are some.
    fn members<'p>(&mut self, mut ty: TypeId, mut path: &'p str) -> Option<(TypeId, &'p str)> {
        while let Some(rest) = path.strip_prefix('.') {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let record = self.program.types.record(self.program.types.as_record(ty)?);
            let name = &rest[..end];
            let named = record.fields.iter().find(|field| field.name.as_deref() == Some(name));
            // Members without name are counted, and their members are written as members of the outer record.
            let unnamed =
                || record.fields.get(name.parse::<usize>().ok()?).filter(|field| field.name.is_none());
            let field = named.or_else(unnamed)?;
            if let Some(name) = &field.name {
                self.before.push('.');
                self.before.push_str(name);
            }
            (ty, path) = (field.ty, &rest[end..]);
        }
        Some((ty, path))
    }

    /// The text in front of a position in an array, the type of its elements, and their number. Arrays in
    /// arrays are counted through from their first scalar.
    fn elements(&self, ty: TypeId) -> Option<(String, TypeId, u64)> {
        let Type::Array { element, length } = self.program.types.get(ty) else { return None };
        let (mut element, mut length, mut zeros) = (*element, (*length)?, 1);
        while let Type::Array { element: inner, length: count } = self.program.types.get(element) {
            (element, length, zeros) = (*inner, length.checked_mul((*count)?)?, zeros + 1);
        }
        let text = &self.before;
        let before =
            if zeros == 1 { format!("{text}[") } else { format!("(&{text}{})[", "[0]".repeat(zeros)) };
        Some((before, element, length))
    }
}

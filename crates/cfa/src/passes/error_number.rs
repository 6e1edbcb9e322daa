//! `errno`: with this pass, nothing is known of it behind calls of functions without body that may set it.

use std::collections::BTreeSet;

use super::checks::Rebuilt;
use super::undefined::addressed;
use crate::automaton::{Automaton, Callee, Edge, Operation};
use crate::expr::{ExprKind, PlaceKind};
use crate::index::{Arena, ExprId, FunctionId};
use crate::program::{Function, Program};
use crate::types::Type;
use rorqual_source::Span;

/// Which functions have to do with `errno`.
#[derive(Clone, Copy)]
pub struct ErrorNumber<'a> {
    /// The function that returns the address of `errno`. Without its body there is no such variable.
    pub location: &'a str,
    /// The function that leaves any value in the `int` it gets a pointer to, and does nothing else.
    pub forget: &'a str,
    /// Whether a function without body may set it.
    pub is_set_by: &'a dyn Fn(&Function) -> bool,
}

/// The program in which functions without body may set `errno` to anything, if they set it at all.
pub fn with_error_number(program: Program, number: ErrorNumber<'_>) -> Program {
    let Some(address) = address(&program, number.location) else { return program };
    let setting: BTreeSet<FunctionId> = {
        let open = program.functions.iter().filter(|(_, function)| function.body.is_none());
        open.filter(|(_, function)| (number.is_set_by)(function)).map(|(id, _)| id).collect()
    };
    let by_pointer = !addressed(&program).is_disjoint(&setting);
    let mut pass = Pass { program, setting, by_pointer };
    let changed: Vec<FunctionId> = pass.program.functions.ids().filter(|&id| pass.changes(id)).collect();
    if changed.is_empty() {
        return pass.program;
    }
    let forget = pass.declare(number.forget, address);
    for function in changed {
        if let Some(old) = pass.program.functions[function].body.take() {
            pass.rebuild(function, &old, forget, address);
        }
    }
    pass.program
}

/// The address that a function returns: that of a variable.
fn address(program: &Program, function: &str) -> Option<ExprId> {
    let body = program.functions[program.function_named(function)?].body.as_ref()?;
    let returned = body.edges().values().find_map(|edge| match edge.operation {
        Operation::Return { value } => value,
        _ => None,
    })?;
    let ExprKind::AddressOf(place) = program.exprs[returned].kind else { return None };
    matches!(program.places[place].kind, PlaceKind::Variable(_)).then_some(returned)
}

struct Pass {
    program: Program,
    /// The functions that may set `errno`.
    setting: BTreeSet<FunctionId>,
    /// Whether pointers may point to such functions.
    by_pointer: bool,
}

impl Pass {
    fn changes(&self, function: FunctionId) -> bool {
        let body = self.program.functions[function].body.as_ref();
        body.is_some_and(|body| body.edges().values().any(|edge| self.may_set(edge)))
    }

    fn may_set(&self, edge: &Edge) -> bool {
        match edge.operation {
            Operation::Call { callee: Callee::Function(callee), .. } => self.setting.contains(&callee),
            Operation::Call { callee: Callee::Pointer(_), .. } => self.by_pointer,
            _ => false,
        }
    }

    fn declare(&mut self, name: &str, address: ExprId) -> FunctionId {
        let parameter = self.program.exprs[address].ty;
        let types = &mut self.program.types;
        let result = types.intern(Type::Void);
        let parameters = vec![parameter];
        let ty = types.intern(Type::Function { result, parameters, variadic: false, prototyped: true });
        self.program.functions.push(Function {
            name: name.to_owned(),
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

    fn rebuild(&mut self, function: FunctionId, old: &Automaton, forget: FunctionId, address: ExprId) {
        let mut new = Rebuilt::new(old);
        for edge in old.edges().values() {
            let (mut from, to) = (new.at(edge.source), new.at(edge.target));
            let mut operation = edge.operation.clone();
            if self.may_set(edge) {
                from = new.step(from, operation, edge.span);
                let (callee, arguments) = (Callee::Function(forget), Box::new([address]));
                operation = Operation::Call { target: None, callee, arguments };
            }
            new.builder.edge(from, to, operation, edge.span);
        }
        new.finish(&mut self.program, function, old);
    }
}

//! Variables of callers that recursive functions get pointers to, as values that are given and given back.
//!
//! One name stands for the variables of all active calls of a function, so formulas cannot tell the variable of one call
//! from that of another that was given a pointer to it. Where such a pointer is only used to read and write what it points
//! to, or handed on, it is not needed:
//!
//! ```text
//! f(n - 1, &local)         becomes    *f::out = local;  f(n - 1);  local = *f::out
//! f(int n, int *out)       starts     *out = *f::out       and returns     *f::out = *out
//! ```
//!
//! That is right because nothing else reaches the variable while the function is active: its own function waits, the call
//! gets no other pointer to it, and there are no other pointers.

mod plan;

use std::collections::BTreeMap;

use rorqual_source::Span;

use super::checks::Rebuilt;
use crate::automaton::{Automaton, Callee, Edge, Operation};
use crate::expr::{ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, PlaceId, TypeId, VariableId};
use crate::program::{Program, Variable, VariableKind};
use plan::{References, Referred, followed, object, whole};

/// The program without pointers to variables of other calls of a function. None if it has none, or if they are used for more.
pub fn references_as_values(program: &Program) -> Option<Program> {
    let references = References::of(program)?;
    let mut pass = Pass::new(program.clone(), references);
    for function in pass.program.functions.ids() {
        if let Some(old) = pass.program.functions[function].body.take() {
            pass.rebuild(function, &old);
        }
    }
    pass.replace();
    Some(pass.program)
}

/// What stands for a pointer that is a parameter.
#[derive(Clone, Copy)]
struct Stand {
    /// What the pointer refers to.
    referred: VariableId,
    /// Where that is when the function is called, and when it has returned.
    carrier: VariableId,
}

struct Pass {
    program: Program,
    references: References,
    stands: BTreeMap<VariableId, Stand>,
}

impl Pass {
    fn new(program: Program, references: References) -> Pass {
        let mut pass = Pass { program, references, stands: BTreeMap::new() };
        for parameter in pass.references.parameters.clone() {
            if let Some(ty) = object(&pass.program, parameter) {
                let stand = pass.stand(parameter, ty);
                pass.stands.insert(parameter, stand);
            }
        }
        pass
    }

    fn stand(&mut self, parameter: VariableId, ty: TypeId) -> Stand {
        let Variable { name, function, span, scope, .. } = self.program.variables[parameter].clone();
        let owner = function.map_or(String::new(), |function| self.program.unique_name(function));
        let variable = |name: String, kind| Variable::new(name, ty, kind, &self.program.types, span);
        let referred = Variable { function, scope, ..variable(format!("*{name}"), VariableKind::Local) };
        // No place of the text can name it.
        let nowhere = scope.file().map_or(span, |file| Span::new(file, scope.start(), scope.start()));
        let carrier =
            Variable { scope: nowhere, ..variable(format!("*{owner}::{name}"), VariableKind::Static) };
        let [referred, carrier] = [referred, carrier].map(|variable| self.program.variables.push(variable));
        Stand { referred, carrier }
    }

    fn rebuild(&mut self, function: FunctionId, old: &Automaton) {
        let own: Vec<Stand> = {
            let parameters = &self.program.functions[function].parameters;
            parameters.iter().filter_map(|parameter| self.stands.get(parameter)).copied().collect()
        };
        let mut new = Rebuilt::new(old);
        for edge in old.edges().values() {
            self.edge(&mut new, function, &own, edge);
        }
        let span = self.program.functions[function].span;
        for stand in own {
            let taken = self.copy(stand.referred, stand.carrier, span);
            new.prepend(taken, span);
        }
        new.finish(&mut self.program, function, old);
    }

    fn edge(&mut self, new: &mut Rebuilt, function: FunctionId, own: &[Stand], edge: &Edge) {
        let (from, to, span) = (new.at(edge.source), new.at(edge.target), edge.span);
        let (before, operation, after) = match &edge.operation {
            Operation::Return { .. } => {
                let given = own.iter().map(|stand| self.copy(stand.carrier, stand.referred, span)).collect();
                (given, edge.operation.clone(), Vec::new())
            }
            Operation::Expire(variable) if self.references.variables.contains(variable) => {
                (Vec::new(), Operation::Skip, Vec::new())
            }
            Operation::Call { target, callee, arguments } => {
                self.call(function, (*target, *callee, arguments), span)
            }
            other => (Vec::new(), other.clone(), Vec::new()),
        };
        let mut steps: Vec<Operation> = before.into_iter().chain([operation]).chain(after).collect();
        let last = steps.pop().unwrap_or(Operation::Skip);
        let from = steps.into_iter().fold(from, |at, step| new.step(at, step, span));
        new.builder.edge(from, to, last, span);
    }

    /// A call, with what comes before it and behind it.
    fn call(
        &mut self,
        caller: FunctionId,
        (target, callee, arguments): (Option<PlaceId>, Callee, &[ExprId]),
        span: Span,
    ) -> (Vec<Operation>, Operation, Vec<Operation>) {
        let handed = self.handed(callee, arguments);
        // The result is stored after whatever the function has written.
        let is_late = target.filter(|&place| {
            let stored = whole(&self.program, place);
            let is_given_back = |stored| handed.iter().any(|&(variable, _)| variable == stored);
            !handed.is_empty() && stored.is_none_or(is_given_back)
        });
        let before =
            handed.iter().map(|&(variable, stand)| self.copy(stand.carrier, variable, span)).collect();
        let mut after: Vec<Operation> =
            handed.iter().map(|&(variable, stand)| self.copy(variable, stand.carrier, span)).collect();
        let mut stored = target;
        if let Some(place) = is_late {
            let result = self.temporary(caller, self.program.places[place].ty, span);
            let result = self.place(result, span);
            stored = Some(result);
            after.push(Operation::Assign { target: place, value: self.load(result, span) });
        }
        let arguments = self.remaining(callee, arguments);
        (before, Operation::Call { target: stored, callee, arguments }, after)
    }

    /// The variables that a call gets pointers to, and what stands for these.
    fn handed(&self, callee: Callee, arguments: &[ExprId]) -> Vec<(VariableId, Stand)> {
        let Callee::Function(callee) = callee else { return Vec::new() };
        let parameters = self.program.functions[callee].parameters.iter().copied();
        let handed = parameters.zip(arguments).filter_map(|(parameter, &argument)| {
            let stand = *self.stands.get(&parameter)?;
            let variable = match self.references.handed(&self.program, Some(parameter), argument)? {
                Referred::Variable(variable) => variable,
                Referred::Parameter(parameter) => self.stands.get(&parameter)?.referred,
            };
            Some((variable, stand))
        });
        handed.collect()
    }

    /// The arguments without pointers that something stands for.
    fn remaining(&self, callee: Callee, arguments: &[ExprId]) -> Box<[ExprId]> {
        let parameters = match callee {
            Callee::Function(callee) => &self.program.functions[callee].parameters[..],
            Callee::Pointer(_) => &[],
        };
        let is_replaced =
            |position: usize| parameters.get(position).is_some_and(|id| self.stands.contains_key(id));
        let all = arguments.iter().copied().enumerate();
        all.filter(|&(position, _)| !is_replaced(position)).map(|(_, argument)| argument).collect()
    }

    /// Whatever followed a pointer is about what stands for it. The pointers are no parameters any more, and no addresses
    /// are taken for them.
    fn replace(&mut self) {
        for place in self.program.places.ids().collect::<Vec<PlaceId>>() {
            let stand = followed(&self.program, place).and_then(|parameter| self.stands.get(&parameter));
            if let Some(stand) = stand {
                self.program.places[place].kind = PlaceKind::Variable(stand.referred);
            }
        }
        for expr in self.program.exprs.ids().collect::<Vec<ExprId>>() {
            let ExprKind::AddressOf(place) = self.program.exprs[expr].kind else { continue };
            if whole(&self.program, place)
                .is_some_and(|variable| self.references.variables.contains(&variable))
            {
                self.program.exprs[expr].kind = ExprKind::Int(0);
            }
        }
        for function in self.program.functions.ids() {
            let parameters = &mut self.program.functions[function].parameters;
            parameters.retain(|parameter| !self.stands.contains_key(parameter));
        }
        for &variable in &self.references.variables {
            self.program.variables[variable].address_taken = false;
        }
    }

    // Tables.

    fn copy(&mut self, to: VariableId, from: VariableId, span: Span) -> Operation {
        let [target, source] = [to, from].map(|variable| self.place(variable, span));
        Operation::Assign { target, value: self.load(source, span) }
    }

    fn temporary(&mut self, function: FunctionId, ty: TypeId, span: Span) -> VariableId {
        let variable = Variable::new("result", ty, VariableKind::Temporary, &self.program.types, span);
        self.program.variables.push(Variable { function: Some(function), ..variable })
    }

    fn place(&mut self, variable: VariableId, span: Span) -> PlaceId {
        let ty = self.program.variables[variable].ty;
        self.program.add_place(PlaceKind::Variable(variable), ty, span)
    }

    fn load(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.program.places[place].ty;
        self.program.add_expr(ExprKind::Load(place), ty, span)
    }
}

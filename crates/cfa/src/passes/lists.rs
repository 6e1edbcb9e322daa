//! Arguments behind `...` as variables, for whoever knows no lists of arguments.
//!
//! Each further argument of a function has a position, and no two functions share one. A call stores its further
//! arguments at their positions, in an array of integers, in one of pointers, or in both, or in one of `double`s; a `va_list`
//! holds the next position. One more array has what kind of argument is at each position:
//!
//! ```text
//! sum(2, x, p)             becomes    ...kinds[0] = 4;  ...kinds[1] = 8;  ...kinds[2] = 0;
//!                                     ...integers[0] = x;  ...integers[1] = p;  ...pointers[1] = p;  sum(2, x, p)
//! va_start(ap)             becomes    ap->position = 0
//! n = va_arg(ap, int)      becomes    assume(...kinds[ap->position] == 4);
//!                                     n = ...integers[ap->position];  ap->position = ap->position + 1
//! ```
//!
//! Integers and pointers of one size stand for each other, as they do in runs. Fetching an argument of another kind, or one
//! behind the last, is not supported.
//!
//! That is right as long as no function with further arguments is active twice. Programs where one may be stay as they are, and so
//! does an operation that fetches what no array keeps, such as a structure.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_source::Span;

use super::checks::Rebuilt;
use super::undefined::{addressed, callees};
use crate::automaton::{Automaton, Callee, Edge, Operation, VarArgs};
use crate::expr::{BinaryOp, ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, PlaceId, TypeId, VariableId};
use crate::program::{Program, Variable, VariableKind};
use crate::types::{FloatKind, IntKind, Type};

/// The program with its lists of arguments as variables. None if it has no lists, or if that is not possible.
pub fn lists_as_variables(program: &Program) -> Option<Program> {
    let mut pass = Pass::new(program.clone(), Plan::of(program)?);
    for function in pass.program.functions.ids() {
        let Some(old) = pass.program.functions[function].body.take() else { continue };
        let mut new = Rebuilt::new(&old);
        for edge in old.edges().values() {
            pass.edge(&mut new, function, edge);
        }
        new.finish(&mut pass.program, function, &old);
    }
    Some(pass.program)
}

/// Which functions have further arguments.
struct Plan {
    /// The first position of each function that starts a list.
    first: BTreeMap<FunctionId, usize>,
    /// Those of them that calls through pointers may reach.
    addressed: BTreeSet<FunctionId>,
    /// How many positions there are.
    positions: usize,
}

impl Plan {
    /// None if there is nothing to do, or something that cannot be done.
    fn of(program: &Program) -> Option<Plan> {
        let starters: BTreeSet<FunctionId> =
            bodies(program).filter(|(_, body)| operations(body).any(is_start)).map(|(id, _)| id).collect();
        let is_simple = |starter: &FunctionId| !is_active_twice(program, *starter);
        if starters.is_empty() || !starters.iter().all(is_simple) {
            return None;
        }
        let addressed = addressed(program).intersection(&starters).copied().collect();
        let first = starters.iter().map(|&starter| (starter, 0)).collect();
        let mut plan = Plan { first, addressed, positions: 0 };
        let mut counts: BTreeMap<FunctionId, usize> = BTreeMap::new();
        for operation in bodies(program).flat_map(|(_, body)| operations(body)) {
            match operation {
                Operation::Call { callee, arguments, .. } => {
                    for starter in plan.called(program, *callee) {
                        let count = counts.entry(starter).or_default();
                        *count = (*count).max(further(program, starter, arguments).len());
                    }
                }
                Operation::VarArgs(operation) => lists_have_room(program, operation).then_some(())?,
                _ => {}
            }
        }
        for (starter, first) in &mut plan.first {
            *first = plan.positions;
            // Behind the last argument of a call there is none.
            plan.positions += counts.get(starter).copied().unwrap_or(0) + 1;
        }
        Some(plan)
    }

    /// The functions with lists that a call may reach.
    fn called(&self, program: &Program, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Function(function) => {
                self.first.contains_key(&function).then_some(function).into_iter().collect()
            }
            Callee::Pointer(pointer) => {
                let ty = program.types.pointee(program.exprs[pointer].ty);
                let is_variadic = |ty| matches!(program.types.get(ty), Type::Function { variadic: true, .. });
                if ty.is_some_and(is_variadic) {
                    self.addressed.iter().copied().collect()
                } else {
                    Vec::new()
                }
            }
        }
    }
}

fn bodies(program: &Program) -> impl Iterator<Item = (FunctionId, &Automaton)> {
    program.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)))
}

fn operations(body: &Automaton) -> impl Iterator<Item = &Operation> {
    body.edges().values().map(|edge| &edge.operation)
}

fn is_start(operation: &Operation) -> bool {
    matches!(operation, Operation::VarArgs(VarArgs::Start { .. }))
}

/// Whether a function may be called while it is active.
fn is_active_twice(program: &Program, function: FunctionId) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![function]);
    while let Some(caller) = open.pop() {
        let Some(body) = &program.functions[caller].body else { continue };
        let called = body.edges().values().flat_map(|edge| callees(program, edge));
        open.extend(called.map(|(callee, _)| callee).filter(|&callee| seen.insert(callee)));
    }
    seen.contains(&function)
}

fn further<'p>(program: &Program, function: FunctionId, arguments: &'p [ExprId]) -> &'p [ExprId] {
    arguments.get(program.functions[function].parameters.len()..).unwrap_or(&[])
}

/// What an argument is kept as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Pointer,
    Double,
}

fn kind(program: &Program, ty: TypeId) -> Option<Kind> {
    match program.types.get(ty) {
        Type::Int(_) => (program.types.width(ty) <= 64).then_some(Kind::Integer),
        Type::Pointer(_) => Some(Kind::Pointer),
        Type::Float(FloatKind::Double) => Some(Kind::Double),
        _ => None,
    }
}

/// What tells arguments of different kinds apart.
fn tag(program: &Program, ty: TypeId) -> i128 {
    match kind(program, ty) {
        Some(Kind::Integer | Kind::Pointer) => program.types.size_of(ty).map_or(NO_ARGUMENT, i128::from),
        Some(Kind::Double) => -1,
        None => NO_ARGUMENT,
    }
}

/// The tag behind the last argument, and that of arguments which no array keeps.
const NO_ARGUMENT: i128 = 0;

/// Whether the lists of an operation have room for a position.
fn lists_have_room(program: &Program, operation: &VarArgs) -> bool {
    let has_room = |list: ExprId| {
        let ty = program.types.pointee(program.exprs[list].ty);
        let first = ty
            .and_then(|ty| program.types.as_record(ty))
            .map_or(ty, |record| program.types.record(record).fields.first().map(|field| field.ty));
        first.is_some_and(|first| matches!(kind(program, first), Some(Kind::Integer | Kind::Pointer)))
    };
    match *operation {
        VarArgs::Start { list } | VarArgs::End { list } | VarArgs::Next { list, .. } => has_room(list),
        VarArgs::Copy { target, source } => has_room(target) && has_room(source),
    }
}

struct Pass {
    program: Program,
    plan: Plan,
    /// The type of an element, and the array of all.
    integers: (TypeId, VariableId),
    pointers: (TypeId, VariableId),
    doubles: (TypeId, VariableId),
    tags: (TypeId, VariableId),
    /// The type of an index.
    index: TypeId,
}

impl Pass {
    fn new(mut program: Program, plan: Plan) -> Pass {
        let integer = program.types.int(IntKind::LongLong);
        let void = program.types.intern(Type::Void);
        let pointer = program.types.pointer_to(void);
        let double = program.types.intern(Type::Float(FloatKind::Double));
        let index = program.types.int(program.types.model().difference_type());
        let mut array = |name: &str, element: TypeId| {
            let length = Some(plan.positions.max(1) as u64);
            let ty = program.types.intern(Type::Array { element, length });
            let variable = Variable::new(name, ty, VariableKind::Static, &program.types, Span::NONE);
            (element, program.variables.push(variable))
        };
        let (integers, pointers) = (array("...integers", integer), array("...pointers", pointer));
        let (doubles, tags) = (array("...doubles", double), array("...kinds", integer));
        Pass { program, plan, integers, pointers, doubles, tags, index }
    }

    fn edge(&mut self, new: &mut Rebuilt, function: FunctionId, edge: &Edge) {
        let span = edge.span;
        let (first, last) = match &edge.operation {
            Operation::Call { callee, arguments, .. } => {
                (self.stores(*callee, arguments, span), edge.operation.clone())
            }
            Operation::VarArgs(operation) => self.list_steps(function, operation, span),
            other => (Vec::new(), other.clone()),
        };
        let mut from = new.at(edge.source);
        if let Operation::VarArgs(VarArgs::Next { list, ty, .. }) = edge.operation
            && kind(&self.program, ty).is_some()
        {
            let is_other = self.has_other_tag(list, ty, span);
            let assume = |holds| Operation::Assume { condition: is_other, holds };
            let other = new.step(from, assume(true), span);
            let construct = "fetching an argument of another type than was passed".to_owned();
            new.builder.edge(other, new.at(edge.target), Operation::Unsupported { construct }, span);
            from = new.step(from, assume(false), span);
        }
        let from = first.into_iter().fold(from, |at, step| new.step(at, step, span));
        new.builder.edge(from, new.at(edge.target), last, span);
    }

    /// The further arguments of a call move to their positions.
    fn stores(&mut self, callee: Callee, arguments: &[ExprId], span: Span) -> Vec<Operation> {
        let mut stores = Vec::new();
        for starter in self.plan.called(&self.program, callee) {
            let first = self.plan.first[&starter];
            let further = further(&self.program, starter, arguments);
            let tags = further.iter().map(|&argument| tag(&self.program, self.program.exprs[argument].ty));
            let tags: Vec<i128> = tags.chain([NO_ARGUMENT]).collect();
            stores.extend((first..).zip(tags).map(|(position, tag)| self.set_tag(position, tag, span)));
            for (position, &argument) in (first..).zip(further) {
                for kind in self.kinds(self.program.exprs[argument].ty) {
                    let index = self.expr(ExprKind::Int(position as i128), self.index, span);
                    let target = self.element(kind, index, span);
                    let value = self.converted(argument, self.program.places[target].ty, span);
                    stores.push(Operation::Assign { target, value });
                }
            }
        }
        stores
    }

    /// An operation on a list, as first steps and a last one.
    fn list_steps(
        &mut self,
        function: FunctionId,
        operation: &VarArgs,
        span: Span,
    ) -> (Vec<Operation>, Operation) {
        match *operation {
            VarArgs::Start { list } => {
                let first = self.plan.first[&function];
                let first = self.expr(ExprKind::Int(first as i128), self.index, span);
                (Vec::new(), self.set_position(list, first, span))
            }
            VarArgs::Next { list, target, ty } => {
                let Some(kind) = kind(&self.program, ty) else {
                    return (Vec::new(), Operation::VarArgs(operation.clone()));
                };
                let position = self.position(list, span);
                let element = self.element(kind, position, span);
                let loaded = self.load(element, span);
                let value = self.converted(loaded, ty, span);
                let one = self.expr(ExprKind::Int(1), self.index, span);
                let next = ExprKind::Binary { op: BinaryOp::Add, lhs: position, rhs: one };
                let next = self.expr(next, self.index, span);
                (vec![Operation::Assign { target, value }], self.set_position(list, next, span))
            }
            VarArgs::Copy { target, source } => {
                let position = self.position(source, span);
                (Vec::new(), self.set_position(target, position, span))
            }
            VarArgs::End { .. } => (Vec::new(), Operation::Skip),
        }
    }

    /// What an argument of the type may be fetched as: integers and pointers of one size stand for each other.
    fn kinds(&self, ty: TypeId) -> Vec<Kind> {
        let types = &self.program.types;
        let is_pointer_sized = types.size_of(ty) == Some(u64::from(types.model().pointer_width() / 8));
        match kind(&self.program, ty) {
            Some(Kind::Integer | Kind::Pointer) if is_pointer_sized => vec![Kind::Integer, Kind::Pointer],
            own => own.into_iter().collect(),
        }
    }

    fn set_tag(&mut self, position: usize, tag: i128, span: Span) -> Operation {
        let index = self.expr(ExprKind::Int(position as i128), self.index, span);
        let target = self.in_array(self.tags, index, span);
        let value = self.expr(ExprKind::Int(tag), self.tags.0, span);
        Operation::Assign { target, value }
    }

    /// Whether the next argument of a list is of another kind than a type.
    fn has_other_tag(&mut self, list: ExprId, ty: TypeId, span: Span) -> ExprId {
        let position = self.position(list, span);
        let place = self.in_array(self.tags, position, span);
        let lhs = self.load(place, span);
        let expected = ExprKind::Int(tag(&self.program, ty));
        let rhs = self.expr(expected, self.tags.0, span);
        let int = self.program.types.int(IntKind::Int);
        self.expr(ExprKind::Binary { op: BinaryOp::Ne, lhs, rhs }, int, span)
    }

    /// Where an argument is kept.
    fn element(&mut self, kind: Kind, index: ExprId, span: Span) -> PlaceId {
        let array = match kind {
            Kind::Pointer => self.pointers,
            Kind::Integer => self.integers,
            Kind::Double => self.doubles,
        };
        self.in_array(array, index, span)
    }

    fn in_array(&mut self, (element, array): (TypeId, VariableId), index: ExprId, span: Span) -> PlaceId {
        let whole = self.program.variables[array].ty;
        let base = self.place(PlaceKind::Variable(array), whole, span);
        self.place(PlaceKind::Element { base, index }, element, span)
    }

    /// The position in a list, which is at the start of the list.
    fn position_place(&mut self, list: ExprId, span: Span) -> PlaceId {
        let list_type = self.program.exprs[list].ty;
        let ty = self.program.types.pointee(list_type).unwrap_or(list_type);
        let whole = self.place(PlaceKind::Deref(list), ty, span);
        match self.program.types.as_record(ty) {
            Some(record) => {
                let first = self.program.types.record(record).fields[0].ty;
                self.place(PlaceKind::Member { base: whole, field: 0 }, first, span)
            }
            None => whole,
        }
    }

    fn position(&mut self, list: ExprId, span: Span) -> ExprId {
        let place = self.position_place(list, span);
        let position = self.load(place, span);
        self.converted(position, self.index, span)
    }

    fn set_position(&mut self, list: ExprId, position: ExprId, span: Span) -> Operation {
        let target = self.position_place(list, span);
        let value = self.converted(position, self.program.places[target].ty, span);
        Operation::Assign { target, value }
    }

    // Tables.

    fn converted(&mut self, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        if self.program.exprs[value].ty == ty { value } else { self.expr(ExprKind::Convert(value), ty, span) }
    }

    fn load(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.program.places[place].ty;
        self.expr(ExprKind::Load(place), ty, span)
    }

    fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.program.add_expr(kind, ty, span)
    }

    fn place(&mut self, kind: PlaceKind, ty: TypeId, span: Span) -> PlaceId {
        self.program.add_place(kind, ty, span)
    }
}

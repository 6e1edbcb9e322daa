//! RENAME: operations over other variables.

use std::collections::HashMap;

use rorqual_cfa::{
    Callee, ExprId, ExprKind, FunctionId, HaltKind, Operation, PlaceId, PlaceKind, Program, VarArgs,
    VariableId,
};

/// Copies operations of one function for another one with variables of its own. What does not change is shared.
#[derive(Debug, Default)]
pub(super) struct Renaming {
    variables: HashMap<VariableId, VariableId>,
    exprs: HashMap<ExprId, ExprId>,
    places: HashMap<PlaceId, PlaceId>,
    /// The function that labels belong to, and its copy.
    function: Option<(FunctionId, FunctionId)>,
}

impl Renaming {
    /// Gives a copy of a function variables of its own.
    pub(super) fn of(program: &mut Program, function: FunctionId, copy: FunctionId) -> Renaming {
        let mut variables = HashMap::new();
        let own: Vec<VariableId> = frame(program, function).collect();
        for id in own {
            let mut variable = program.variables[id].clone();
            variable.function = Some(copy);
            let new = program.variables.push(variable);
            if program.array_lengths.contains(&id) {
                program.array_lengths.insert(new);
            }
            variables.insert(id, new);
        }
        Renaming { variables, function: Some((function, copy)), ..Renaming::default() }
    }

    /// The copy of a variable.
    pub(super) fn variable(&self, id: VariableId) -> VariableId {
        self.variables.get(&id).copied().unwrap_or(id)
    }

    /// All variables with their copies.
    pub(super) fn variables(&self) -> impl Iterator<Item = (VariableId, VariableId)> + '_ {
        self.variables.iter().map(|(&old, &new)| (old, new))
    }

    pub(super) fn expr(&mut self, program: &mut Program, id: ExprId) -> ExprId {
        if let Some(&known) = self.exprs.get(&id) {
            return known;
        }
        let mut kind = program.exprs[id].kind.clone();
        match &mut kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Text(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::Leaks => {}
            ExprKind::LabelAddress(function, _) => {
                if let Some((_, copy)) = self.function.filter(|(original, _)| original == function) {
                    *function = copy;
                }
            }
            ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Faulty { place, .. } => {
                *place = self.place(program, *place);
            }
            ExprKind::Unary { operand, .. } | ExprKind::Convert(operand) | ExprKind::BadFree(operand) => {
                *operand = self.expr(program, *operand);
            }
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::PointerOffset { pointer: lhs, index: rhs, .. }
            | ExprKind::PointerDifference { lhs, rhs, .. }
            | ExprKind::Overflows { lhs, rhs, .. }
            | ExprKind::FaultyBlock { pointer: lhs, length: rhs, .. } => {
                *lhs = self.expr(program, *lhs);
                *rhs = self.expr(program, *rhs);
            }
        }
        let new = if kind == program.exprs[id].kind {
            id
        } else {
            let (ty, span) = (program.exprs[id].ty, program.expr_spans[id]);
            program.add_expr(kind, ty, span)
        };
        self.exprs.insert(id, new);
        new
    }

    pub(super) fn place(&mut self, program: &mut Program, id: PlaceId) -> PlaceId {
        if let Some(&known) = self.places.get(&id) {
            return known;
        }
        let mut kind = program.places[id].kind.clone();
        match &mut kind {
            PlaceKind::Variable(variable) => *variable = self.variable(*variable),
            PlaceKind::Text(_) => {}
            PlaceKind::Deref(pointer) => *pointer = self.expr(program, *pointer),
            PlaceKind::Member { base, .. } => *base = self.place(program, *base),
            PlaceKind::Element { base, index } => {
                *base = self.place(program, *base);
                *index = self.expr(program, *index);
            }
        }
        let new = if kind == program.places[id].kind {
            id
        } else {
            let (ty, span) = (program.places[id].ty, program.place_spans[id]);
            program.add_place(kind, ty, span)
        };
        self.places.insert(id, new);
        new
    }

    fn exprs(&mut self, program: &mut Program, all: &mut [ExprId]) {
        for expr in all {
            *expr = self.expr(program, *expr);
        }
    }

    /// An operation over the copies. Calls call what they called before.
    pub(super) fn operation(&mut self, program: &mut Program, operation: &Operation) -> Operation {
        let mut new = operation.clone();
        match &mut new {
            Operation::Skip
            | Operation::Error(_)
            | Operation::Halt(HaltKind::Abort | HaltKind::NoReturn { .. } | HaltKind::Unreachable)
            | Operation::Return { value: None }
            | Operation::Unsupported { .. } => {}
            Operation::Assign { target, value } | Operation::StackAllocate { target, size: value } => {
                *target = self.place(program, *target);
                *value = self.expr(program, *value);
            }
            Operation::Assume { condition: value, .. }
            | Operation::Return { value: Some(value) }
            | Operation::Halt(HaltKind::Exit(value))
            | Operation::StackRelease { pointer: value } => *value = self.expr(program, *value),
            Operation::Havoc { target, .. } => *target = self.place(program, *target),
            Operation::Call { target, callee, arguments } => {
                *target = target.map(|target| self.place(program, target));
                if let Callee::Pointer(pointer) = callee {
                    *pointer = self.expr(program, *pointer);
                }
                self.exprs(program, arguments);
            }
            Operation::Declare(variable) | Operation::Expire(variable) => {
                *variable = self.variable(*variable);
            }
            Operation::ProgramArguments { count, vector } => {
                *count = self.place(program, *count);
                *vector = self.place(program, *vector);
            }
            Operation::VarArgs(list) => self.list(program, list),
            Operation::Assembly { outputs, inputs, .. } => {
                outputs.iter_mut().for_each(|output| *output = self.place(program, *output));
                self.exprs(program, inputs);
            }
            Operation::Clobber { written, read, .. } => {
                self.exprs(program, written);
                self.exprs(program, read);
            }
        }
        new
    }

    fn list(&mut self, program: &mut Program, list: &mut VarArgs) {
        match list {
            VarArgs::Start { list } | VarArgs::End { list } => *list = self.expr(program, *list),
            VarArgs::Next { list, target, .. } => {
                *list = self.expr(program, *list);
                *target = self.place(program, *target);
            }
            VarArgs::Copy { target, source } => {
                *target = self.expr(program, *target);
                *source = self.expr(program, *source);
            }
        }
    }
}

/// The variables that each call of a function has anew.
pub(super) fn frame(program: &Program, function: FunctionId) -> impl Iterator<Item = VariableId> + '_ {
    let all = program.variables.iter();
    all.filter(move |(_, variable)| variable.function == Some(function) && !variable.kind.is_global())
        .map(|(id, _)| id)
}

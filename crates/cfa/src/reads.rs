//! What operations read, and where the way to a place starts.

use std::collections::BTreeSet;

use crate::automaton::{Callee, HaltKind, Operation, VarArgs};
use crate::expr::{ExprKind, PlaceKind};
use crate::index::{ExprId, PlaceId, VariableId};
use crate::program::Program;
use crate::types::Type;

impl Program {
    /// The pointer that the way to a place starts with, before members, elements and offsets are taken. None if the
    /// way starts at a variable or a string literal.
    pub fn root_pointer(&self, place: PlaceId) -> Option<ExprId> {
        match self.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => None,
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.root_pointer(base),
            PlaceKind::Deref(pointer) => self.origin(pointer),
        }
    }

    fn origin(&self, pointer: ExprId) -> Option<ExprId> {
        let is_pointer = |expr: ExprId| matches!(self.types.get(self.exprs[expr].ty), Type::Pointer(_));
        match self.exprs[pointer].kind {
            ExprKind::PointerOffset { pointer, .. } => self.origin(pointer),
            ExprKind::Convert(inner) if is_pointer(inner) => self.origin(inner),
            ExprKind::AddressOf(place) => self.root_pointer(place),
            _ => Some(pointer),
        }
    }

    /// The variable that a place is a part of, unless a pointer is followed on the way.
    pub fn root_variable(&self, place: PlaceId) -> Option<VariableId> {
        match self.places[place].kind {
            PlaceKind::Variable(variable) => Some(variable),
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.root_variable(base),
            PlaceKind::Deref(_) | PlaceKind::Text(_) => None,
        }
    }

    /// Whether a pointer is followed on the way to a place.
    pub fn has_dereference(&self, place: PlaceId) -> bool {
        match self.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => false,
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.has_dereference(base),
            PlaceKind::Deref(_) => true,
        }
    }

    /// The variables that an operation reads by their names.
    pub fn read_variables(&self, operation: &Operation) -> BTreeSet<VariableId> {
        let mut reads = Reads { program: self, found: BTreeSet::new() };
        reads.operation(operation);
        reads.found
    }
}

struct Reads<'a> {
    program: &'a Program,
    found: BTreeSet<VariableId>,
}

impl Reads<'_> {
    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Assign { target, value } => {
                self.expr(*value);
                self.place(*target);
            }
            Operation::Assume { condition, .. } => self.expr(*condition),
            Operation::Havoc { target, .. } => self.place(*target),
            Operation::Call { target, callee, arguments } => {
                if let Callee::Pointer(pointer) = callee {
                    self.expr(*pointer);
                }
                arguments.iter().for_each(|&argument| self.expr(argument));
                if let Some(target) = target {
                    self.place(*target);
                }
            }
            Operation::Return { value } => value.iter().for_each(|&value| self.expr(value)),
            Operation::Halt(HaltKind::Exit(value)) | Operation::StackRelease { pointer: value } => {
                self.expr(*value);
            }
            Operation::StackAllocate { target, size } => {
                self.expr(*size);
                self.place(*target);
            }
            Operation::ProgramArguments { count, vector } => {
                self.place(*count);
                self.place(*vector);
            }
            Operation::VarArgs(operation) => self.var_args(operation),
            Operation::Assembly { outputs, inputs, .. } => {
                inputs.iter().for_each(|&input| self.expr(input));
                outputs.iter().for_each(|&output| self.place(output));
            }
            Operation::Clobber { written, read, .. } => {
                written.iter().chain(read).for_each(|&argument| self.expr(argument));
            }
            Operation::Skip
            | Operation::Error(_)
            | Operation::Halt(_)
            | Operation::Declare(_)
            | Operation::Expire(_)
            | Operation::Unsupported { .. } => {}
        }
    }

    fn var_args(&mut self, operation: &VarArgs) {
        match *operation {
            VarArgs::Start { list } | VarArgs::End { list } => self.expr(list),
            VarArgs::Next { list, target, .. } => {
                self.expr(list);
                self.place(target);
            }
            VarArgs::Copy { target, source } => {
                self.expr(target);
                self.expr(source);
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        match self.program.exprs[id].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Text(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(..)
            | ExprKind::Leaks => {}
            ExprKind::Load(place) => {
                self.found.extend(self.program.root_variable(place));
                self.place(place);
            }
            ExprKind::AddressOf(place) | ExprKind::Faulty { place, .. } => self.place(place),
            ExprKind::Unary { operand, .. } | ExprKind::Convert(operand) | ExprKind::BadFree(operand) => {
                self.expr(operand);
            }
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::PointerOffset { pointer: lhs, index: rhs, .. }
            | ExprKind::PointerDifference { lhs, rhs, .. }
            | ExprKind::FaultyBlock { pointer: lhs, length: rhs, .. }
            | ExprKind::Overflows { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
        }
    }

    /// The pointers and indices on the way to a place.
    fn place(&mut self, id: PlaceId) {
        match self.program.places[id].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Member { base, .. } => self.place(base),
            PlaceKind::Element { base, index } => {
                self.place(base);
                self.expr(index);
            }
        }
    }
}

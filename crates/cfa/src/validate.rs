//! The rules that every program keeps, checked: what the front end and each pass must
//! establish, and what encodings and the interpreter rely on.

use crate::automaton::{Automaton, Callee, Edge, HaltKind, Operation, VarArgs};
use crate::expr::{BinaryOp, ExprKind, PlaceKind, UnaryOp};
use crate::index::{ExprId, FunctionId, Id, PlaceId, TypeId};
use crate::output::text::Printer;
use crate::program::Program;
use crate::types::{IntKind, Type};

/// Everything in the program that breaks a rule, as messages for its developers. Empty for
/// every program that the front end builds.
pub fn violations(program: &Program) -> Vec<String> {
    let mut validator = Validator { program, found: Vec::new() };
    for id in program.exprs.ids() {
        validator.expr(id);
    }
    for id in program.places.ids() {
        validator.place(id);
    }
    for (id, function) in program.functions.iter() {
        if let Some(body) = &function.body {
            validator.automaton(id, body);
        }
    }
    validator.found
}

struct Validator<'a> {
    program: &'a Program,
    found: Vec<String>,
}

impl Validator<'_> {
    fn demand(&mut self, holds: bool, message: impl FnOnce(Printer<'_>) -> String) {
        if !holds {
            self.found.push(message(Printer::new(self.program)));
        }
    }

    fn ty(&self, id: ExprId) -> TypeId {
        self.program.exprs[id].ty
    }

    fn get(&self, id: TypeId) -> &Type {
        self.program.types.get(id)
    }

    fn is_int(&self, id: ExprId) -> bool {
        matches!(self.get(self.ty(id)), Type::Int(_))
    }

    fn is_pointer(&self, id: ExprId) -> bool {
        matches!(self.get(self.ty(id)), Type::Pointer(_))
    }

    fn is_c_int(&self, ty: TypeId) -> bool {
        self.program.types.as_int(ty) == Some(IntKind::Int)
    }

    fn expr(&mut self, id: ExprId) {
        let expr = &self.program.exprs[id];
        let types = &self.program.types;
        let holds = match &expr.kind {
            ExprKind::Int(_) => matches!(self.get(expr.ty), Type::Int(_) | Type::Pointer(_)),
            ExprKind::Float(_) => matches!(self.get(expr.ty), Type::Float(_)),
            ExprKind::Text(_) => matches!(self.get(expr.ty), Type::Array { .. }),
            ExprKind::Zero => true,
            ExprKind::Load(place) => self.program.places[*place].ty == expr.ty,
            ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) | ExprKind::LabelAddress(..) => {
                matches!(self.get(expr.ty), Type::Pointer(_))
            }
            ExprKind::Unary { op, operand } => self.unary(*op, *operand, expr.ty),
            ExprKind::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs, expr.ty),
            ExprKind::Convert(operand) => types.is_scalar(self.ty(*operand)) && types.is_scalar(expr.ty),
            ExprKind::PointerOffset { pointer, index, .. } => {
                self.is_pointer(*pointer)
                    && types.as_int(self.ty(*index)) == Some(types.model().difference_type())
            }
            ExprKind::PointerDifference { lhs, rhs, .. } => self.is_pointer(*lhs) && self.is_pointer(*rhs),
            ExprKind::Overflows { lhs, rhs, result, .. } => {
                self.is_int(*lhs) && self.is_int(*rhs) && types.as_int(*result).is_some()
            }
            ExprKind::Faulty { .. } | ExprKind::Leaks => self.is_c_int(expr.ty),
            ExprKind::FaultyBlock { pointer, length, .. } => {
                self.is_pointer(*pointer) && self.is_int(*length) && self.is_c_int(expr.ty)
            }
            ExprKind::BadFree(pointer) => self.is_pointer(*pointer) && self.is_c_int(expr.ty),
        };
        self.demand(holds, |printer| {
            format!("ill-typed expression `{}` of type `{}`", printer.expr(id), types.name(expr.ty))
        });
    }

    fn unary(&self, op: UnaryOp, operand: ExprId, ty: TypeId) -> bool {
        let operand_ty = self.ty(operand);
        match op {
            UnaryOp::IsZero => self.program.types.is_scalar(operand_ty) && self.is_c_int(ty),
            UnaryOp::Negate => !self.is_pointer(operand) && operand_ty == ty,
            UnaryOp::Not | UnaryOp::ByteSwap => self.is_int(operand) && operand_ty == ty,
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::CountOnes => {
                self.is_int(operand) && self.is_c_int(ty)
            }
            UnaryOp::Magnitude => operand_ty == ty && matches!(self.get(ty), Type::Float(_)),
            UnaryOp::SignBit => self.is_c_int(ty) && matches!(self.get(operand_ty), Type::Float(_)),
        }
    }

    fn binary(&self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> bool {
        let operand_ty = self.ty(lhs);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return operand_ty == ty && self.is_int(lhs) && self.is_int(rhs);
        }
        let operands_agree = operand_ty == self.ty(rhs) && self.program.types.is_scalar(operand_ty);
        let result_fits =
            if op.is_comparison() { self.is_c_int(ty) } else { operand_ty == ty && !self.is_pointer(lhs) };
        operands_agree && result_fits
    }

    fn place(&mut self, id: PlaceId) {
        let place = &self.program.places[id];
        let types = &self.program.types;
        let holds = match &place.kind {
            PlaceKind::Variable(variable) => self.program.variables[*variable].ty == place.ty,
            PlaceKind::Text(string) => self.program.strings[*string].ty == place.ty,
            PlaceKind::Deref(pointer) => self.is_pointer(*pointer),
            PlaceKind::Member { base, field } => {
                let record = types.as_record(self.program.places[*base].ty);
                record.is_some_and(|record| {
                    types.record(record).fields.get(*field as usize).is_some_and(|field| field.ty == place.ty)
                })
            }
            PlaceKind::Element { base, index } => {
                let fits = match self.get(self.program.places[*base].ty) {
                    Type::Array { element, .. } => *element == place.ty,
                    _ => false,
                };
                fits && types.as_int(self.ty(*index)) == Some(types.model().difference_type())
            }
        };
        self.demand(holds, |printer| {
            format!("ill-typed place `{}` of type `{}`", printer.place(id), types.name(place.ty))
        });
    }

    fn automaton(&mut self, function: FunctionId, automaton: &Automaton) {
        let exit = automaton.exit();
        self.demand(automaton.outgoing(exit).count() == 0, |_| "an exit has an edge out of it".to_owned());
        let count = automaton.locations().len();
        for edge in automaton.edges().values() {
            let in_range = edge.source.index() < count && edge.target.index() < count;
            self.demand(in_range, |_| "an edge ends in no location".to_owned());
            let returns = matches!(edge.operation, Operation::Return { .. });
            self.demand(returns == (edge.target == exit) || !returns, |_| {
                "a return does not lead to the exit".to_owned()
            });
            let holds = self.operation(function, &edge.operation);
            self.demand(holds, |printer| describe(&printer, edge));
        }
    }

    fn operation(&self, function: FunctionId, operation: &Operation) -> bool {
        let types = &self.program.types;
        let place_ty = |place: PlaceId| self.program.places[place].ty;
        match operation {
            Operation::Unsupported { construct } => !construct.is_empty(),
            Operation::Assign { target, value } => place_ty(*target) == self.ty(*value),
            Operation::Assume { condition, .. } => types.is_scalar(self.ty(*condition)),
            Operation::Havoc { target, .. } => types.size_of(place_ty(*target)).is_some(),
            Operation::Call { target, callee, .. } => self.call(*target, *callee),
            Operation::Return { value } => value.is_none_or(|value| {
                let ty = self.program.functions[function].ty;
                matches!(self.get(ty), Type::Function { result, .. } if *result == self.ty(value))
            }),
            Operation::Halt(HaltKind::Exit(status)) => self.is_int(*status),
            Operation::Skip
            | Operation::Error(_)
            | Operation::Halt(_)
            | Operation::Assembly { .. }
            | Operation::Clobber { .. } => true,
            Operation::Declare(variable) | Operation::Expire(variable) => {
                self.program.variables[*variable].function == Some(function)
            }
            Operation::StackAllocate { target, size } => {
                matches!(self.get(place_ty(*target)), Type::Pointer(_)) && self.is_int(*size)
            }
            Operation::StackRelease { pointer } => self.is_pointer(*pointer),
            Operation::ProgramArguments { count, vector } => {
                types.as_int(place_ty(*count)).is_some()
                    && matches!(self.get(place_ty(*vector)), Type::Pointer(_))
            }
            Operation::VarArgs(VarArgs::Next { list, target, ty }) => {
                self.is_pointer(*list) && place_ty(*target) == *ty
            }
            Operation::VarArgs(VarArgs::Start { list } | VarArgs::End { list }) => self.is_pointer(*list),
            Operation::VarArgs(VarArgs::Copy { target, source }) => {
                self.is_pointer(*target) && self.is_pointer(*source)
            }
        }
    }

    fn call(&self, target: Option<PlaceId>, callee: Callee) -> bool {
        let function = match callee {
            Callee::Function(function) => Some(self.program.functions[function].ty),
            Callee::Pointer(pointer) => self.program.types.pointee(self.ty(pointer)),
        };
        match function.map(|function| self.get(function)) {
            Some(Type::Function { result, .. }) => {
                target.is_none_or(|target| self.program.places[target].ty == *result)
            }
            _ => false,
        }
    }
}

fn describe(printer: &Printer<'_>, edge: &Edge) -> String {
    format!("ill-formed operation `{}`", printer.operation(&edge.operation))
}

//! What can go wrong in an operation, as conditions over its operands, in the order of evaluation.

use rorqual_source::Span;

use super::{Pass, Test, Tested};
use crate::automaton::{Callee, ErrorKind, HaltKind, Operation, VarArgs};
use crate::check::Check;
use crate::expr::{BinaryOp, ExprKind, OverflowOp, PlaceKind, UnaryOp};
use crate::index::{ExprId, FunctionId, PlaceId, TypeId};
use crate::types::IntKind;

/// Longer source texts are cut in messages.
const SHOWN_TEXT: usize = 60;

/// A number: the value and the type of its operation.
type Operands = (ExprId, ExprId);

impl Pass {
    /// Collects the tests of an operation.
    pub(super) fn visit_operation(&mut self, function: FunctionId, operation: &Operation, span: Span) {
        match operation {
            Operation::Assign { target, value } => {
                self.visit_expr(*value);
                self.array_length(*target, *value);
                self.visit_target(*target);
            }
            Operation::Assume { condition, .. } => self.visit_expr(*condition),
            Operation::Havoc { target, .. } => self.visit_target(*target),
            Operation::Call { target, callee, arguments } => {
                self.visit_call(*target, *callee, arguments, span);
            }
            Operation::Return { value } => {
                if let Some(value) = value {
                    self.visit_expr(*value);
                }
                if function == self.program.start {
                    self.leak(span);
                }
            }
            Operation::Halt(HaltKind::Exit(status)) => {
                self.visit_expr(*status);
                self.leak(span);
            }
            Operation::StackAllocate { target, size } => {
                self.visit_expr(*size);
                self.visit_target(*target);
            }
            Operation::StackRelease { pointer } => self.visit_expr(*pointer),
            Operation::ProgramArguments { count, vector } => {
                self.visit_target(*count);
                self.visit_target(*vector);
            }
            Operation::VarArgs(operation) => self.visit_var_args(operation),
            Operation::Assembly { outputs, inputs, .. } => {
                inputs.iter().for_each(|&input| self.visit_expr(input));
                outputs.iter().for_each(|&output| self.visit_target(output));
            }
            // The call before it has the same arguments.
            Operation::Clobber { .. }
            | Operation::Skip
            | Operation::Error(_)
            | Operation::Halt(_)
            | Operation::Declare(_)
            | Operation::Expire(_)
            | Operation::Unsupported { .. } => {}
        }
    }

    fn visit_call(&mut self, target: Option<PlaceId>, callee: Callee, arguments: &[ExprId], span: Span) {
        if let Callee::Pointer(pointer) = callee {
            self.visit_expr(pointer);
            self.guard_callee(pointer);
            let is_null = |pass: &mut Pass, span| pass.is_zero(pointer, span);
            self.add(Check::Null, Tested::Expr(pointer), "a call through a null pointer in", is_null);
        }
        for &argument in arguments {
            self.visit_expr(argument);
        }
        if let (Callee::Function(function), Some(&pointer)) = (callee, arguments.first())
            && self.releases(function)
        {
            let bad = |pass: &mut Pass, span| pass.expr(ExprKind::BadFree(pointer), pass.int, span);
            self.add(Check::DoubleFree, Tested::Expr(pointer), "an invalid free of", bad);
        }
        self.guard_free(callee, arguments);
        if let Callee::Function(function) = callee {
            self.blocks(function, arguments);
        }
        self.too_few(callee, arguments.len(), span);
        if let Some(target) = target.filter(|&target| !self.is_tested_later(target)) {
            self.visit_target(target);
        }
    }

    /// Whether a function without body ends the life of what its first argument points to.
    pub(super) fn releases(&self, function: FunctionId) -> bool {
        let details = &self.program.functions[function];
        let reallocates = matches!(details.name.as_str(), "realloc" | "reallocarray" | "__builtin_realloc");
        self.frees(function) || (details.body.is_none() && reallocates)
    }

    fn visit_var_args(&mut self, operation: &VarArgs) {
        match *operation {
            VarArgs::Start { list } | VarArgs::End { list } => self.visit_expr(list),
            VarArgs::Next { list, target, .. } => {
                self.visit_expr(list);
                self.visit_target(target);
            }
            VarArgs::Copy { target, source } => {
                self.visit_expr(target);
                self.visit_expr(source);
            }
        }
    }

    fn leak(&mut self, span: Span) {
        if self.wants(Check::Leak) {
            let check = Check::Leak;
            let what = "heap memory that nothing points to when the program ends".to_owned();
            if self.is_meant(&ErrorKind::Check { check, what: what.clone() }, span) {
                let condition = self.expr(ExprKind::Leaks, self.int, span);
                self.tests.push(Test { check, what, condition, span });
            }
        }
    }

    /// A place that is written.
    pub(super) fn visit_target(&mut self, place: PlaceId) {
        self.visit_place(place);
        self.access(place);
        self.written(place);
    }

    fn visit_expr(&mut self, id: ExprId) {
        let ty = self.program.exprs[id].ty;
        match self.program.exprs[id].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Text(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(..)
            | ExprKind::Leaks => {}
            ExprKind::Load(place) => {
                self.visit_place(place);
                self.access(place);
                self.initialized(place);
            }
            ExprKind::AddressOf(place) | ExprKind::Faulty { place, .. } => self.visit_place(place),
            ExprKind::BadFree(operand) => self.visit_expr(operand),
            ExprKind::Unary { op, operand } => {
                self.visit_expr(operand);
                match op {
                    UnaryOp::Negate => self.negation(id, operand, ty),
                    UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                        self.guard_zeros(id, operand);
                        self.bit_scan(id, operand);
                    }
                    _ => {}
                }
            }
            ExprKind::Binary { op, lhs, rhs } => {
                self.visit_expr(lhs);
                self.visit_expr(rhs);
                self.binary(id, op, (lhs, rhs), ty);
            }
            ExprKind::Convert(operand) => {
                self.visit_expr(operand);
                self.conversion(id, operand, ty);
            }
            ExprKind::PointerOffset { pointer, index, stride } => {
                self.visit_expr(pointer);
                self.visit_expr(index);
                self.distance(Tested::Expr(id), index, stride);
            }
            ExprKind::PointerDifference { lhs, rhs, .. }
            | ExprKind::FaultyBlock { pointer: lhs, length: rhs, .. }
            | ExprKind::Overflows { lhs, rhs, .. } => {
                self.visit_expr(lhs);
                self.visit_expr(rhs);
            }
        }
    }

    /// The pointers and indices of a place.
    fn visit_place(&mut self, id: PlaceId) {
        match self.program.places[id].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => {}
            PlaceKind::Deref(pointer) => self.visit_expr(pointer),
            PlaceKind::Member { base, .. } => self.visit_place(base),
            PlaceKind::Element { base, index } => {
                self.visit_place(base);
                self.visit_expr(index);
            }
        }
    }

    /// Adds a test, unless the check is not wanted or the same thing is tested already.
    pub(super) fn add(
        &mut self,
        check: Check,
        tested: Tested,
        what: &str,
        condition: impl FnOnce(&mut Pass, Span) -> ExprId,
    ) {
        if self.wants(check) {
            self.test(check, tested, what, condition);
        }
    }

    /// Adds a test, unless the same thing is tested already.
    pub(super) fn test(
        &mut self,
        check: Check,
        tested: Tested,
        what: &str,
        condition: impl FnOnce(&mut Pass, Span) -> ExprId,
    ) {
        if !self.tested.insert((check, tested)) {
            return;
        }
        let span = match tested {
            Tested::Expr(expr) => self.program.expr_spans[expr],
            Tested::Place(place) => self.program.place_spans[place],
        };
        let may_wrap = matches!(check, Check::Overflow | Check::UnsignedOverflow | Check::Conversion);
        if may_wrap && self.wrapping.contains(&span) {
            return;
        }
        let what = format!("{what} `{}`", self.text(tested, span));
        // A condition that nobody tests would still ask for what has to be known of memory.
        if !self.is_meant(&ErrorKind::Check { check, what: what.clone() }, span) {
            return;
        }
        let condition = condition(self, span);
        self.tests.push(Test { check, what, condition, span });
    }

    /// What is tested as the program has it.
    pub(super) fn text(&self, tested: Tested, span: Span) -> String {
        let written = self.program.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let printer = crate::output::text::Printer::new(&self.program);
        let text = match tested {
            _ if !written.is_empty() => written,
            Tested::Expr(expr) => printer.expr(expr),
            Tested::Place(place) => printer.place(place),
        };
        let cut: String = text.chars().take(SHOWN_TEXT).collect();
        if cut.len() < text.len() { cut + " …" } else { cut }
    }

    // Values.

    pub(super) fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        self.program.types.as_int(ty)
    }

    pub(super) fn number(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Int(value), ty, span)
    }

    pub(super) fn is_zero(&mut self, operand: ExprId, span: Span) -> ExprId {
        self.expr(ExprKind::Unary { op: UnaryOp::IsZero, operand }, self.int, span)
    }

    pub(super) fn compare(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        self.expr(ExprKind::Binary { op, lhs, rhs }, self.int, span)
    }

    /// Both of two numbers that are 0 or 1. Both are evaluated always.
    pub(super) fn both(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        self.expr(ExprKind::Binary { op: BinaryOp::And, lhs, rhs }, self.int, span)
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, operands: Operands, ty: TypeId) {
        let Some(kind) = self.int_kind(ty) else { return };
        let exact = match op {
            BinaryOp::Add => OverflowOp::Add,
            BinaryOp::Sub => OverflowOp::Sub,
            BinaryOp::Mul => OverflowOp::Mul,
            BinaryOp::Div | BinaryOp::Rem => return self.division(id, operands, ty),
            BinaryOp::Shl | BinaryOp::Shr => return self.shift(id, op, operands, ty),
            _ => return,
        };
        self.arithmetic(id, exact, operands, ty, kind);
    }

    fn arithmetic(
        &mut self,
        id: ExprId,
        op: OverflowOp,
        (lhs, rhs): Operands,
        result: TypeId,
        kind: IntKind,
    ) {
        let (check, what) = if kind.is_signed() {
            (Check::Overflow, "signed overflow in")
        } else {
            (Check::UnsignedOverflow, "unsigned overflow in")
        };
        let overflows =
            |pass: &mut Pass, span| pass.expr(ExprKind::Overflows { op, lhs, rhs, result }, pass.int, span);
        self.add(check, Tested::Expr(id), what, overflows);
    }

    /// `-x` is `0 - x`.
    fn negation(&mut self, id: ExprId, operand: ExprId, ty: TypeId) {
        let Some(kind) = self.int_kind(ty) else { return };
        let zero = self.number(0, ty, self.program.expr_spans[id]);
        self.arithmetic(id, OverflowOp::Sub, (zero, operand), ty, kind);
    }

    /// The position of the first bit that is set does not exist in zero.
    fn bit_scan(&mut self, id: ExprId, operand: ExprId) {
        let is_zero = |pass: &mut Pass, span| pass.is_zero(operand, span);
        self.add(Check::BitScan, Tested::Expr(id), "the position of a bit of zero in", is_zero);
    }

    /// C11 6.7.6.2p5: the length of a variable-length array is positive.
    fn array_length(&mut self, target: PlaceId, value: ExprId) {
        let PlaceKind::Variable(variable) = self.program.places[target].kind else { return };
        let ty = self.program.exprs[value].ty;
        if !self.program.array_lengths.contains(&variable) || self.int_kind(ty).is_none() {
            return;
        }
        let is_bad = |pass: &mut Pass, span| {
            let zero = pass.number(0, ty, span);
            pass.compare(BinaryOp::Le, value, zero, span)
        };
        let what = "a length of an array that is not positive,";
        self.add(Check::VlaSize, Tested::Expr(value), what, is_bad);
    }

    fn division(&mut self, id: ExprId, (lhs, rhs): Operands, ty: TypeId) {
        self.guard_division(id, (lhs, rhs));
        let divisor = self.constant(rhs);
        if divisor.is_none_or(|divisor| divisor == 0) {
            let is_zero = |pass: &mut Pass, span| pass.is_zero(rhs, span);
            self.add(Check::DivZero, Tested::Expr(id), "division by zero in", is_zero);
        }
        if self.program.types.is_unsigned(ty) || divisor.is_some_and(|divisor| divisor != -1) {
            return;
        }
        let overflows = |pass: &mut Pass, span| pass.negates_least((lhs, rhs), ty, span);
        self.add(Check::Overflow, Tested::Expr(id), "signed overflow in", overflows);
    }

    /// Whether the least number is divided by -1.
    pub(super) fn negates_least(&mut self, (lhs, rhs): Operands, ty: TypeId, span: Span) -> ExprId {
        let least = -1i128 << (self.program.types.width(ty) - 1);
        let (least, minus_one) = (self.number(least, ty, span), self.number(-1, ty, span));
        let is_least = self.compare(BinaryOp::Eq, lhs, least, span);
        let negates = self.compare(BinaryOp::Eq, rhs, minus_one, span);
        self.both(is_least, negates, span)
    }

    /// C17 6.5.7: the count must be below the width; a signed number that is shifted to the left must not be
    /// negative, and its product with the power of two must fit.
    fn shift(&mut self, id: ExprId, op: BinaryOp, (lhs, rhs): Operands, ty: TypeId) {
        self.guard_shift(id, rhs);
        let width = i128::from(self.program.types.width(ty));
        if self.constant(rhs).is_none_or(|count| !(0..width).contains(&count)) {
            let too_far = |pass: &mut Pass, span| pass.is_outside(rhs, width, span);
            self.add(Check::Shift, Tested::Expr(rhs), "a shift by a count out of range,", too_far);
        }
        if op == BinaryOp::Shr || self.program.types.is_unsigned(ty) {
            return;
        }
        let is_negative = |pass: &mut Pass, span| {
            let zero = pass.number(0, ty, span);
            pass.compare(BinaryOp::Lt, lhs, zero, span)
        };
        self.add(Check::Shift, Tested::Expr(id), "a left shift of a negative number in", is_negative);
        let loses = |pass: &mut Pass, span| {
            let zero = pass.number(0, ty, span);
            let natural = pass.compare(BinaryOp::Ge, lhs, zero, span);
            let back = pass.expr(ExprKind::Binary { op: BinaryOp::Shr, lhs: id, rhs }, ty, span);
            let differs = pass.compare(BinaryOp::Ne, back, lhs, span);
            pass.both(natural, differs, span)
        };
        self.add(Check::Overflow, Tested::Expr(id), "signed overflow in", loses);
    }

    /// The value of a constant, if it is written as a number: what cannot go wrong with it is no property.
    pub(super) fn constant(&self, expr: ExprId) -> Option<i128> {
        match self.program.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::Convert(inner) => {
                let (value, ty) = (self.constant(inner)?, self.program.exprs[expr].ty);
                let is_signed = self.int_kind(ty)?.is_signed();
                let bits = self.program.types.width(ty) - u32::from(is_signed);
                let end = if bits < 127 { 1 << bits } else { i128::MAX };
                let least = if is_signed { -end } else { 0 };
                (least..end).contains(&value).then_some(value)
            }
            _ => None,
        }
    }

    /// Whether an integer is negative, or at least `bound`.
    pub(super) fn is_outside(&mut self, value: ExprId, bound: i128, span: Span) -> ExprId {
        let ty = self.program.exprs[value].ty;
        let is_signed = self.int_kind(ty).is_some_and(IntKind::is_signed);
        let bits = self.program.types.width(ty) - u32::from(is_signed);
        let zero = self.number(0, ty, span);
        let is_negative = self.compare(BinaryOp::Lt, value, zero, span);
        if bits < 127 && bound >= 1 << bits {
            // No value of the type reaches the bound.
            return is_negative;
        }
        let bound = self.number(bound, ty, span);
        let is_large = self.compare(BinaryOp::Ge, value, bound, span);
        self.expr(ExprKind::Binary { op: BinaryOp::Or, lhs: is_negative, rhs: is_large }, self.int, span)
    }

    /// The exact value must fit. `_Bool` asks for the truth of a value and so changes it by intention.
    fn conversion(&mut self, id: ExprId, operand: ExprId, result: TypeId) {
        let from = self.program.exprs[operand].ty;
        let (Some(own), Some(to)) = (self.int_kind(from), self.int_kind(result)) else { return };
        let model = self.program.types.model();
        let has_room = match (own.is_signed(), to.is_signed()) {
            (true, true) | (false, false) => own.width(model) <= to.width(model),
            (false, true) => own.width(model) < to.width(model),
            (true, false) => false,
        };
        if own == IntKind::Bool || to == IntKind::Bool || has_room {
            return;
        }
        let changes = |pass: &mut Pass, span| {
            let zero = pass.number(0, from, span);
            let kind = ExprKind::Overflows { op: OverflowOp::Add, lhs: operand, rhs: zero, result };
            pass.expr(kind, pass.int, span)
        };
        let what = format!("a conversion to `{}` that changes the value of", self.program.types.name(result));
        self.add(Check::Conversion, Tested::Expr(id), &what, changes);
    }
}

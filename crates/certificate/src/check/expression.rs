//! What expressions mean, as bit-vectors of the width of their types (`docs/soundness.md`).
//!
//! Evaluating an expression also collects in [`Step::hazards`] what must hold for it to be defined; where that fails, it
//! has any value. Results of floating-point operations may be any value.

use rorqual_cfa::{
    BinaryOp, ExprId, ExprKind, FloatKind, Hazard, IntKind, OverflowOp, Type, TypeId, UnaryOp,
};
use rorqual_logic::{Sort, Term};

use super::observe::{Comparison, LOW_BITS};
use super::step::Step;
use crate::cells::Facet;

impl Step<'_> {
    /// The value of a scalar expression.
    pub(super) fn eval(&mut self, id: ExprId) -> Term {
        self.on(Facet::Content, |step| step.eval_content(id))
    }

    fn eval_content(&mut self, id: ExprId) -> Term {
        let world = self.world;
        let expr = &world.program.exprs[id];
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Int(value) => self.pool.bv(*value as u128, world.width(ty)),
            ExprKind::Float(bits) => self.pool.bv(*bits, world.width(ty)),
            ExprKind::Zero => self.pool.bv(0u8, world.width(ty)),
            ExprKind::Text(_) => self.any(ty),
            ExprKind::Load(place) => self.load(*place),
            ExprKind::AddressOf(place) => self.address_of(*place),
            ExprKind::FunctionAddress(function) => self.function_address(*function),
            ExprKind::LabelAddress(function, label) => self.label_address(*function, *label),
            ExprKind::Unary { op, operand } => self.unary(id, *op, *operand, ty),
            ExprKind::Binary { op, lhs, rhs } => self.binary(id, *op, [*lhs, *rhs], ty),
            ExprKind::Convert(operand) => self.convert(*operand, ty),
            ExprKind::PointerOffset { pointer, index, stride } => {
                let base = self.eval(*pointer);
                self.offset(base, *index, *stride)
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => self.difference(*lhs, *rhs, *stride, ty),
            ExprKind::Overflows { op, lhs, rhs, result } => self.overflows(*op, *lhs, *rhs, *result, ty),
            ExprKind::Faulty { place, fault } => {
                let fault = self.faulty(*place, *fault);
                self.number(fault, world.width(ty))
            }
            ExprKind::FaultyBlock { pointer, length, fault } => {
                let fault = self.faulty_block(*pointer, *length, *fault);
                self.number(fault, world.width(ty))
            }
            ExprKind::BadFree(pointer) => {
                let is_bad = self.bad_free(*pointer);
                self.number(is_bad, world.width(ty))
            }
            ExprKind::Leaks => {
                let leaks = self.leaks();
                self.number(leaks, world.width(ty))
            }
        }
    }

    /// Whether a scalar is non-zero. A floating-point number with bits that carry no value may be either.
    pub(super) fn truth(&mut self, id: ExprId) -> Term {
        let mut value = self.eval(id);
        let ty = self.world.program.exprs[id].ty;
        if self.is_plain_float(ty) {
            // Negative zero is zero.
            value = self.pool.bv_extract(value, self.pool.width(value) - 2, 0);
        } else if self.is_float(ty) {
            return self.pool.fresh_symbol("any", Sort::Bool);
        }
        let zero = self.pool.bv(0u8, self.pool.width(value));
        self.pool.ne(value, zero)
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty: TypeId) -> Term {
        let width = self.world.width(ty);
        if self.world.program.types.as_int(ty) == Some(IntKind::Bool) {
            let choice = self.pool.fresh_symbol("any", Sort::Bool);
            return self.number(choice, width);
        }
        self.pool.fresh_symbol("any", Sort::BitVec(width))
    }

    /// 1 if a condition holds, else 0.
    pub(super) fn number(&mut self, condition: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(1u8, width), self.pool.bv(0u8, width));
        self.pool.ite(condition, one, zero)
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.world.program.types.get(ty), Type::Float(_))
    }

    /// Whether a type is that of floating-point numbers whose first bit is the sign.
    fn is_plain_float(&self, ty: TypeId) -> bool {
        matches!(self.world.program.types.get(ty), Type::Float(FloatKind::Float | FloatKind::Double))
    }

    fn is_unsigned(&self, ty: TypeId) -> bool {
        self.world.program.types.is_unsigned(ty)
    }

    /// A value of type `from` with another width.
    fn resized(&mut self, value: Term, from: TypeId, width: u32) -> Term {
        let old = self.pool.width(value);
        if width <= old {
            self.pool.bv_extract(value, width - 1, 0)
        } else if self.is_unsigned(from) {
            self.pool.bv_zero_extend(value, width)
        } else {
            self.pool.bv_sign_extend(value, width)
        }
    }

    fn convert(&mut self, operand: ExprId, ty: TypeId) -> Term {
        let types = &self.world.program.types;
        let from = self.world.program.exprs[operand].ty;
        if matches!(types.get(ty), Type::Void) {
            // Whatever becomes `void` is dropped, but it must be defined.
            if types.is_scalar(from) {
                self.eval(operand);
            }
            return self.pool.bv(0u8, 8);
        }
        if from == ty {
            return self.eval(operand);
        }
        if types.as_int(ty) == Some(IntKind::Bool) {
            let truth = self.truth(operand);
            return self.number(truth, self.world.width(ty));
        }
        let value = self.eval(operand);
        if self.is_float(from) || self.is_float(ty) {
            return self.any(ty);
        }
        let width = self.world.width(ty);
        let resized = self.resized(value, from, width);
        let shows_more = width < self.world.pointer_width && width > LOW_BITS;
        if shows_more { self.computed(&[(operand, value)], resized) } else { resized }
    }

    fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId, ty: TypeId) -> Term {
        let width = self.world.width(ty);
        if op == UnaryOp::IsZero {
            let truth = self.truth(operand);
            let zero = self.pool.not(truth);
            return self.number(zero, width);
        }
        let value = self.eval(operand);
        let from = self.world.program.exprs[operand].ty;
        if self.is_plain_float(from) {
            return self.signed_unary(op, value, ty);
        }
        if self.is_float(from) {
            return self.any(ty);
        }
        let exact = match op {
            UnaryOp::Negate => self.pool.bv_neg(value),
            UnaryOp::Not => self.pool.bv_not(value),
            UnaryOp::ByteSwap => self.byte_swap(value),
            UnaryOp::CountOnes => self.count_ones(value, width),
            UnaryOp::LeadingZeros => self.zeros(id, value, width, |at, bits| bits - 1 - at),
            UnaryOp::TrailingZeros => self.zeros(id, value, width, |at, _| at),
            UnaryOp::IsZero | UnaryOp::Magnitude | UnaryOp::SignBit => self.any(ty),
        };
        self.computed(&[(operand, value)], exact)
    }

    /// What an operation does to the sign of a floating-point number.
    fn signed_unary(&mut self, op: UnaryOp, value: Term, ty: TypeId) -> Term {
        let top = self.pool.width(value) - 1;
        let sign = self.pool.bv_extract(value, top, top);
        let rest = self.pool.bv_extract(value, top - 1, 0);
        let sign = match op {
            UnaryOp::Negate => self.pool.bv_not(sign),
            UnaryOp::Magnitude => self.pool.bv(0u8, 1),
            UnaryOp::SignBit => return self.pool.bv_zero_extend(sign, self.world.width(ty)),
            _ => return self.any(ty),
        };
        self.pool.bv_concat(sign, rest)
    }

    fn byte_swap(&mut self, value: Term) -> Term {
        let bytes = self.pool.width(value) / 8;
        let mut result = self.pool.bv_extract(value, 7, 0);
        for byte in 1..bytes {
            let next = self.pool.bv_extract(value, 8 * byte + 7, 8 * byte);
            result = self.pool.bv_concat(result, next);
        }
        result
    }

    fn bit(&mut self, value: Term, at: u32) -> Term {
        let (bit, one) = (self.pool.bv_extract(value, at, at), self.pool.bv(1u8, 1));
        self.pool.eq(bit, one)
    }

    fn count_ones(&mut self, value: Term, width: u32) -> Term {
        let mut sum = self.pool.bv(0u8, width);
        for at in 0..self.pool.width(value) {
            let bit = self.bit(value, at);
            let one = self.number(bit, width);
            sum = self.pool.bv_add(sum, one);
        }
        sum
    }

    /// The position of the first one in some direction: `rank` gives the number of zeros that a one at
    /// a position has before it if it is the first. The least rank counts. Undefined for zero.
    fn zeros(&mut self, id: ExprId, value: Term, width: u32, rank: fn(u32, u32) -> u32) -> Term {
        let bits = self.pool.width(value);
        let zero = self.pool.bv(0u8, bits);
        let defined = self.pool.ne(value, zero);
        let mut positions: Vec<u32> = (0..bits).collect();
        positions.sort_by_key(|&at| std::cmp::Reverse(rank(at, bits)));
        let mut result = self.pool.bv(bits, width);
        for at in positions {
            let bit = self.bit(value, at);
            let number = self.pool.bv(rank(at, bits), width);
            result = self.pool.ite(bit, number, result);
        }
        self.where_defined(id, defined, result)
    }

    /// The result of an operation that is defined if a condition holds, and any value otherwise.
    fn where_defined(&mut self, id: ExprId, condition: Term, result: Term) -> Term {
        if self.pool.as_bool(condition) == Some(true) {
            return result;
        }
        self.during(Hazard::Arithmetic(id), |step| step.require(condition));
        let any = self.pool.fresh_symbol("any", self.pool.sort(result));
        self.pool.ite(condition, result, any)
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, operands: [ExprId; 2], ty: TypeId) -> Term {
        let [lhs_type, count_type] = operands.map(|operand| self.world.program.exprs[operand].ty);
        let [lhs, rhs] = operands.map(|operand| self.eval(operand));
        if self.is_float(lhs_type) {
            return self.any_result(op, ty);
        }
        let unsigned = self.is_unsigned(lhs_type);
        let exact = match op {
            BinaryOp::Add => self.pool.bv_add(lhs, rhs),
            BinaryOp::Sub => self.pool.bv_sub(lhs, rhs),
            BinaryOp::Mul => self.pool.bv_mul(lhs, rhs),
            BinaryOp::And => self.pool.bv_and(lhs, rhs),
            BinaryOp::Or => self.pool.bv_or(lhs, rhs),
            BinaryOp::Xor => self.pool.bv_xor(lhs, rhs),
            BinaryOp::Div | BinaryOp::Rem => self.divide(id, op, (lhs, rhs), unsigned),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(id, op, lhs, (rhs, count_type), unsigned),
            _ => {
                let exact = self.compare(op, lhs, rhs, unsigned);
                let holds = self.observed(Comparison { expr: id, op, operands, values: [lhs, rhs], exact });
                return self.number(holds, self.world.width(ty));
            }
        };
        if self.keeps_addresses(op, operands, rhs) {
            return exact;
        }
        self.computed(&[(operands[0], lhs), (operands[1], rhs)], exact)
    }

    /// Any result of an operation on floating-point numbers.
    fn any_result(&mut self, op: BinaryOp, ty: TypeId) -> Term {
        if !op.is_comparison() {
            return self.any(ty);
        }
        let choice = self.pool.fresh_symbol("any", Sort::Bool);
        self.number(choice, self.world.width(ty))
    }

    fn compare(&mut self, op: BinaryOp, lhs: Term, rhs: Term, unsigned: bool) -> Term {
        match (op, unsigned) {
            (BinaryOp::Eq, _) => self.pool.eq(lhs, rhs),
            (BinaryOp::Ne, _) => self.pool.ne(lhs, rhs),
            (BinaryOp::Lt, true) => self.pool.bv_ult(lhs, rhs),
            (BinaryOp::Lt, false) => self.pool.bv_slt(lhs, rhs),
            (BinaryOp::Le, true) => self.pool.bv_ule(lhs, rhs),
            (BinaryOp::Le, false) => self.pool.bv_sle(lhs, rhs),
            (BinaryOp::Gt, true) => self.pool.bv_ult(rhs, lhs),
            (BinaryOp::Gt, false) => self.pool.bv_slt(rhs, lhs),
            (_, true) => self.pool.bv_ule(rhs, lhs),
            (_, false) => self.pool.bv_sle(rhs, lhs),
        }
    }

    /// Undefined for a divisor of zero, and where the quotient does not fit.
    fn divide(&mut self, id: ExprId, op: BinaryOp, (lhs, rhs): (Term, Term), unsigned: bool) -> Term {
        let zero = self.pool.bv(0u8, self.pool.width(rhs));
        let mut defined = self.pool.ne(rhs, zero);
        if !unsigned {
            let overflows = self.pool.bv_sdiv_overflows(lhs, rhs);
            let fits = self.pool.not(overflows);
            defined = self.pool.and2(defined, fits);
        }
        let result = match (op, unsigned) {
            (BinaryOp::Div, true) => self.pool.bv_udiv(lhs, rhs),
            (BinaryOp::Div, false) => self.pool.bv_sdiv(lhs, rhs),
            (_, true) => self.pool.bv_urem(lhs, rhs),
            (_, false) => self.pool.bv_srem(lhs, rhs),
        };
        self.where_defined(id, defined, result)
    }

    /// Undefined unless the count is at least 0 and less than the width. A negative count is greater
    /// than any width if it is read as an unsigned number.
    fn shift(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        lhs: Term,
        (count, ty): (Term, TypeId),
        unsigned: bool,
    ) -> Term {
        let width = self.pool.width(lhs);
        let wide = self.pool.width(count).max(width).max(9);
        let count = self.resized(count, ty, wide);
        let bound = self.pool.bv(width, wide);
        let in_range = self.pool.bv_ult(count, bound);
        let count = self.pool.bv_extract(count, width - 1, 0);
        let result = match (op, unsigned) {
            (BinaryOp::Shl, _) => self.pool.bv_shl(lhs, count),
            (_, true) => self.pool.bv_lshr(lhs, count),
            (_, false) => self.pool.bv_ashr(lhs, count),
        };
        self.where_defined(id, in_range, result)
    }

    /// `pointer + index * stride` bytes.
    pub(super) fn offset(&mut self, pointer: Term, index: ExprId, stride: u64) -> Term {
        let ty = self.world.program.exprs[index].ty;
        let index = self.eval(index);
        let index = self.resized(index, ty, self.world.pointer_width);
        let stride = self.pool.bv(stride, self.world.pointer_width);
        let bytes = self.pool.bv_mul(index, stride);
        self.pool.bv_add(pointer, bytes)
    }

    /// An index as a number of the width of a pointer.
    pub(super) fn index(&mut self, index: ExprId) -> Term {
        let ty = self.world.program.exprs[index].ty;
        let value = self.eval(index);
        self.resized(value, ty, self.world.pointer_width)
    }

    /// That pointers to different objects, or to objects without a size, are subtracted is undefined, but allowing it is
    /// sound.
    fn difference(&mut self, lhs: ExprId, rhs: ExprId, stride: u64, ty: TypeId) -> Term {
        let (lhs, rhs) = (self.eval(lhs), self.eval(rhs));
        if stride == 0 {
            return self.any(ty);
        }
        let bytes = self.pool.bv_sub(lhs, rhs);
        let width = self.pool.width(bytes);
        let stride = self.pool.bv(stride, width);
        let elements = self.pool.bv_sdiv(bytes, stride);
        let target = self.world.width(ty);
        if target <= width {
            self.pool.bv_extract(elements, target - 1, 0)
        } else {
            self.pool.bv_sign_extend(elements, target)
        }
    }

    /// Computes in a width in which nothing is lost, and asks whether narrowing loses something.
    fn overflows(&mut self, op: OverflowOp, lhs: ExprId, rhs: ExprId, result: TypeId, ty: TypeId) -> Term {
        let program = self.world.program;
        let (lhs_type, rhs_type) = (program.exprs[lhs].ty, program.exprs[rhs].ty);
        let (lhs, rhs) = (self.eval(lhs), self.eval(rhs));
        let is_bool = program.types.as_int(result) == Some(IntKind::Bool);
        let narrow = if is_bool { 1 } else { self.world.width(result) };
        let wide = self.pool.width(lhs) + self.pool.width(rhs) + narrow + 2;
        let (lhs, rhs) = (self.resized(lhs, lhs_type, wide), self.resized(rhs, rhs_type, wide));
        let exact = match op {
            OverflowOp::Add => self.pool.bv_add(lhs, rhs),
            OverflowOp::Sub => self.pool.bv_sub(lhs, rhs),
            OverflowOp::Mul => self.pool.bv_mul(lhs, rhs),
        };
        let kept = self.pool.bv_extract(exact, narrow - 1, 0);
        let back = self.resized(kept, result, wide);
        let lost = self.pool.ne(back, exact);
        self.number(lost, self.world.width(ty))
    }
}

//! Built-ins that rucc knows as expressions of their own.

use rorqual_cfa::{BinaryOp, FloatKind, IntKind, OverflowOp, Type, TypeId, UnaryOp};
use rorqual_source::Span;
use rucc_sema::{BitCount, Classify, ExprKind as Theirs, OverflowOp as TheirOverflow, Sign};

use super::Adapter;
use crate::typed::{Builtin, ExprId, ExprKind};

impl Adapter<'_> {
    pub(super) fn builtin(&mut self, theirs: Theirs, ty: TypeId, span: Span) -> ExprId {
        let kind = match theirs {
            Theirs::VaArg { list } => ExprKind::Builtin(Builtin::VaArg(self.expr(list))),
            Theirs::VaStart { list } => ExprKind::Builtin(Builtin::VaStart(self.expr(list))),
            Theirs::VaEnd { list } => ExprKind::Builtin(Builtin::VaEnd(self.expr(list))),
            Theirs::VaCopy { dst, src } => ExprKind::Builtin(Builtin::VaCopy(self.expr(dst), self.expr(src))),
            Theirs::Classify { op, lhs, rhs } => return self.classify(op, lhs, rhs, ty, span),
            Theirs::Sign { op: Sign::Clear, lhs, .. } => ExprKind::Unary(UnaryOp::Magnitude, self.expr(lhs)),
            Theirs::Sign { op: Sign::Of, lhs, rhs: Some(rhs) } => return self.copy_sign(lhs, rhs, ty, span),
            Theirs::FpClassify { value, answers } => return self.fp_classify(value, answers, ty, span),
            Theirs::Abs { operand } => return self.absolute_value(operand, ty, span),
            Theirs::ByteSwap { operand } => ExprKind::Unary(UnaryOp::ByteSwap, self.expr(operand)),
            Theirs::BitCount { operand, count } => return self.bit_count(count, operand, ty, span),
            Theirs::Overflow { op, args, stores, .. } => return self.overflow(op, args, stores, ty, span),
            Theirs::Expect { value, .. } => {
                let value = self.expr(value);
                return self.convert(value, ty);
            }
            Theirs::Prefetch { address, .. } => {
                let address = self.expr(address);
                ExprKind::Convert(address)
            }
            Theirs::Unreachable => ExprKind::Builtin(Builtin::Unreachable),
            Theirs::Trap => ExprKind::Builtin(Builtin::Trap),
            Theirs::ObjectSize { kind, .. } => {
                // "Not known", which is always a right answer.
                let unknown = if kind < 2 { -1 } else { 0 };
                let size_type = self.size_type();
                let int = self.program.types.int(IntKind::Int);
                let unknown = self.int(unknown, int, span);
                let unknown = self.convert(unknown, size_type);
                return self.convert(unknown, ty);
            }
            // Constants were folded, so this is about something that is none.
            Theirs::ConstantP { .. } => ExprKind::Int(0),
            Theirs::Alloca { size } => ExprKind::Builtin(Builtin::StackAllocate(self.expr(size))),
            Theirs::Atomic { op, args, .. } => return self.atomic(op, args, ty, span),
            other => return self.unsupported(unsupported_name(&other), ty, span),
        };
        self.push(kind, ty, span)
    }

    fn binary_of(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId, span: Span) -> ExprId {
        self.push(ExprKind::Binary(op, lhs, rhs), ty, span)
    }

    /// Evaluates the operand once and computes with it.
    fn once(
        &mut self,
        operand: rucc_sema::ExprId,
        span: Span,
        work: impl FnOnce(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let operand = self.expr(operand);
        if !self.program.exprs[operand].has_effects {
            return work(self, operand);
        }
        let (operand, stmts) = self.keep(operand, span);
        let value = work(self, operand);
        self.statements_with_value(stmts, value, span)
    }

    fn either(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        self.push(ExprKind::Conditional { condition, then: Some(then), otherwise }, ty, span)
    }

    fn absolute_value(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        self.once(operand, span, |adapter, operand| {
            let int = adapter.program.types.int(IntKind::Int);
            let zero = adapter.int(0, ty, span);
            let condition = adapter.binary_of(BinaryOp::Lt, operand, zero, int, span);
            let negated = adapter.push(ExprKind::Unary(UnaryOp::Negate, operand), ty, span);
            adapter.either(condition, negated, operand, ty, span)
        })
    }

    fn bit_count(&mut self, count: BitCount, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        match count {
            BitCount::Leading => self.counted(UnaryOp::LeadingZeros, operand, ty, span),
            BitCount::Trailing => self.counted(UnaryOp::TrailingZeros, operand, ty, span),
            BitCount::Ones => self.counted(UnaryOp::CountOnes, operand, ty, span),
            BitCount::Parity => {
                let ones = self.counted(UnaryOp::CountOnes, operand, ty, span);
                let one = self.int(1, ty, span);
                self.binary_of(BinaryOp::And, ones, one, ty, span)
            }
            BitCount::FirstSet => self.once(operand, span, |adapter, operand| {
                let zeros = adapter.push(ExprKind::Unary(UnaryOp::TrailingZeros, operand), ty, span);
                let one = adapter.int(1, ty, span);
                let position = adapter.binary_of(BinaryOp::Add, zeros, one, ty, span);
                let none = adapter.int(0, ty, span);
                adapter.either(operand, position, none, ty, span)
            }),
            BitCount::RedundantSign => {
                self.once(operand, span, |adapter, operand| adapter.redundant_sign_bits(operand, ty, span))
            }
        }
    }

    fn counted(&mut self, op: UnaryOp, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand = self.expr(operand);
        self.push(ExprKind::Unary(op, operand), ty, span)
    }

    /// How many bits behind the sign bit are equal to it: the leading zeros but one of the value
    /// with its sign bit spread over it by exclusive or.
    fn redundant_sign_bits(&mut self, operand: ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand_ty = self.program.exprs[operand].ty;
        let int = self.program.types.int(IntKind::Int);
        let width = i128::from(self.program.types.width(operand_ty));
        let count = self.int(width - 1, int, span);
        let sign = self.binary_of(BinaryOp::Shr, operand, count, operand_ty, span);
        let spread = self.binary_of(BinaryOp::Xor, operand, sign, operand_ty, span);
        let zeros = self.push(ExprKind::Unary(UnaryOp::LeadingZeros, spread), ty, span);
        let one = self.int(1, ty, span);
        let redundant = self.binary_of(BinaryOp::Sub, zeros, one, ty, span);
        let all = self.int(width - 1, ty, span);
        self.either(spread, redundant, all, ty, span)
    }

    fn overflow(
        &mut self,
        op: TheirOverflow,
        arguments: rucc_sema::ExprList,
        stores: bool,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let &[lhs, rhs, third] = &self.checked.tast[arguments] else {
            return self.unsupported("an overflow built-in without three operands", ty, span);
        };
        // The type of a bit-field has its width.
        if !stores && self.bit_field_width(third).is_some() {
            return self.unsupported("an overflow built-in for the type of a bit-field", ty, span);
        }
        let (lhs, rhs, third) = (self.expr(lhs), self.expr(rhs), self.expr(third));
        let third_ty = self.program.exprs[third].ty;
        let (result, store) =
            if stores { (self.program.types.pointee(third_ty), Some(third)) } else { (Some(third_ty), None) };
        let Some(result) = result.filter(|&result| self.program.types.as_int(result).is_some()) else {
            return self.unsupported("an overflow built-in on something else than integers", ty, span);
        };
        let op = match op {
            TheirOverflow::Add => OverflowOp::Add,
            TheirOverflow::Sub => OverflowOp::Sub,
            TheirOverflow::Mul => OverflowOp::Mul,
        };
        self.push(ExprKind::Builtin(Builtin::Overflow { op, lhs, rhs, result, store }), ty, span)
    }

    /// Questions about floating-point numbers, by comparisons.
    fn classify(
        &mut self,
        op: Classify,
        lhs: rucc_sema::ExprId,
        rhs: Option<rucc_sema::ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        self.once(lhs, span, |adapter, lhs| match rhs {
            None => adapter.classify_one(op, lhs, ty, span),
            Some(rhs) => adapter.once(rhs, span, |adapter, rhs| match op {
                Classify::LessGreater => {
                    let less = adapter.binary_of(BinaryOp::Lt, lhs, rhs, ty, span);
                    let greater = adapter.binary_of(BinaryOp::Gt, lhs, rhs, ty, span);
                    adapter.binary_of(BinaryOp::Or, less, greater, ty, span)
                }
                _ => {
                    let lhs_is_nan = adapter.binary_of(BinaryOp::Ne, lhs, lhs, ty, span);
                    let rhs_is_nan = adapter.binary_of(BinaryOp::Ne, rhs, rhs, ty, span);
                    adapter.binary_of(BinaryOp::Or, lhs_is_nan, rhs_is_nan, ty, span)
                }
            }),
        })
    }

    fn classify_one(&mut self, op: Classify, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        match op {
            Classify::SignBit => self.push(ExprKind::Unary(UnaryOp::SignBit, value), ty, span),
            Classify::Nan | Classify::Unordered | Classify::LessGreater => {
                self.binary_of(BinaryOp::Ne, value, value, ty, span)
            }
            Classify::Infinite => self.compare_magnitude(value, BinaryOp::Eq, Magnitude::Infinity, ty, span),
            Classify::Finite => self.compare_magnitude(value, BinaryOp::Lt, Magnitude::Infinity, ty, span),
            Classify::Normal => {
                let finite = self.compare_magnitude(value, BinaryOp::Lt, Magnitude::Infinity, ty, span);
                let large = self.compare_magnitude(value, BinaryOp::Ge, Magnitude::SmallestNormal, ty, span);
                self.binary_of(BinaryOp::And, finite, large, ty, span)
            }
            Classify::InfiniteSign => {
                let infinite = self.compare_magnitude(value, BinaryOp::Eq, Magnitude::Infinity, ty, span);
                let sign = self.push(ExprKind::Unary(UnaryOp::SignBit, value), ty, span);
                // 1 or -1: one minus twice the sign bit.
                let two = self.int(2, ty, span);
                let twice = self.binary_of(BinaryOp::Mul, sign, two, ty, span);
                let one = self.int(1, ty, span);
                let signed = self.binary_of(BinaryOp::Sub, one, twice, ty, span);
                self.binary_of(BinaryOp::Mul, infinite, signed, ty, span)
            }
        }
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, value)`
    fn fp_classify(
        &mut self,
        value: rucc_sema::ExprId,
        answers: rucc_sema::ExprList,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let &[nan, infinite, normal, subnormal, zero] = &self.checked.tast[answers] else {
            return self.unsupported("`fpclassify` without five answers", ty, span);
        };
        let [nan, infinite, normal, subnormal, zero] =
            [nan, infinite, normal, subnormal, zero].map(|answer| self.expr(answer));
        self.once(value, span, |adapter, value| {
            let is_normal = adapter.classify_one(Classify::Normal, value, ty, span);
            let is_infinite = adapter.classify_one(Classify::Infinite, value, ty, span);
            let is_nan = adapter.classify_one(Classify::Nan, value, ty, span);
            let tiny = adapter.either(value, subnormal, zero, ty, span);
            let finite = adapter.either(is_normal, normal, tiny, ty, span);
            let ordered = adapter.either(is_infinite, infinite, finite, ty, span);
            adapter.either(is_nan, nan, ordered, ty, span)
        })
    }

    /// `copysign(magnitude, sign)`
    fn copy_sign(
        &mut self,
        magnitude: rucc_sema::ExprId,
        sign: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        self.once(magnitude, span, |adapter, magnitude| {
            adapter.once(sign, span, |adapter, sign| {
                let int = adapter.program.types.int(IntKind::Int);
                let is_negative = adapter.push(ExprKind::Unary(UnaryOp::SignBit, sign), int, span);
                let positive = adapter.push(ExprKind::Unary(UnaryOp::Magnitude, magnitude), ty, span);
                let negative = adapter.push(ExprKind::Unary(UnaryOp::Negate, positive), ty, span);
                adapter.either(is_negative, negative, positive, ty, span)
            })
        })
    }

    /// `fabs(value) op bound`
    fn compare_magnitude(
        &mut self,
        value: ExprId,
        op: BinaryOp,
        bound: Magnitude,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let float = self.program.exprs[value].ty;
        let Type::Float(kind) = *self.program.types.get(float) else {
            return self.unsupported_type("a floating-point classification", float, span);
        };
        let magnitude = self.push(ExprKind::Unary(UnaryOp::Magnitude, value), float, span);
        let bound = self.push(ExprKind::Float(bound.bits(kind)), float, span);
        self.binary_of(op, magnitude, bound, ty, span)
    }
}

/// The bounds between the classes of floating-point numbers.
#[derive(Clone, Copy)]
enum Magnitude {
    Infinity,
    SmallestNormal,
}

impl Magnitude {
    /// The exponent of infinity is all ones and that of the smallest normal number is one; the
    /// x87 format writes the leading one of the significand out.
    fn bits(self, kind: FloatKind) -> u128 {
        let (fraction_bits, exponent_bits) = match kind {
            FloatKind::Half => (10, 5),
            FloatKind::Float => (23, 8),
            FloatKind::Double => (52, 11),
            FloatKind::LongDouble => (64, 15),
            FloatKind::Quad => (112, 15),
        };
        let exponent: u128 = match self {
            Magnitude::Infinity => (1 << exponent_bits) - 1,
            Magnitude::SmallestNormal => 1,
        };
        let leading_one = if kind == FloatKind::LongDouble { 1 << 63 } else { 0 };
        exponent << fraction_bits | leading_one
    }
}

fn unsupported_name(theirs: &Theirs) -> &'static str {
    match theirs {
        Theirs::Jump { .. } => "a non-local jump",
        Theirs::FrameAddress { .. } => "the address of a stack frame",
        Theirs::Complex { .. } => "a complex number",
        Theirs::Shuffle { .. }
        | Theirs::ShuffleVector { .. }
        | Theirs::ConvertVector { .. }
        | Theirs::Elementwise { .. } => "a vector operation",
        _ => "this built-in function",
    }
}

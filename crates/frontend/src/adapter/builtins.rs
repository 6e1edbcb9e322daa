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

    fn absolute_value(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand = self.expr(operand);
        if self.program.exprs[operand].has_effects {
            return self.unsupported("`abs` of an expression with side effects", ty, span);
        }
        let int = self.program.types.int(IntKind::Int);
        let zero = self.int(0, ty, span);
        let condition = self.binary_of(BinaryOp::Lt, operand, zero, int, span);
        let negated = self.push(ExprKind::Unary(UnaryOp::Negate, operand), ty, span);
        self.push(ExprKind::Conditional { condition, then: Some(negated), otherwise: operand }, ty, span)
    }

    fn bit_count(&mut self, count: BitCount, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand = self.expr(operand);
        let op = match count {
            BitCount::Leading => UnaryOp::LeadingZeros,
            BitCount::Trailing => UnaryOp::TrailingZeros,
            BitCount::Ones => UnaryOp::CountOnes,
            BitCount::Parity => {
                let ones = self.push(ExprKind::Unary(UnaryOp::CountOnes, operand), ty, span);
                let one = self.int(1, ty, span);
                return self.binary_of(BinaryOp::And, ones, one, ty, span);
            }
            BitCount::FirstSet if !self.program.exprs[operand].has_effects => {
                let zeros = self.push(ExprKind::Unary(UnaryOp::TrailingZeros, operand), ty, span);
                let one = self.int(1, ty, span);
                let then = self.binary_of(BinaryOp::Add, zeros, one, ty, span);
                let otherwise = self.int(0, ty, span);
                let kind = ExprKind::Conditional { condition: operand, then: Some(then), otherwise };
                return self.push(kind, ty, span);
            }
            BitCount::FirstSet | BitCount::RedundantSign => {
                return self.unsupported("the built-in `ffs` or `clrsb`", ty, span);
            }
        };
        self.push(ExprKind::Unary(op, operand), ty, span)
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

    /// Questions about floating-point numbers, by comparisons. Operands with side effects would
    /// be evaluated several times and are refused.
    fn classify(
        &mut self,
        op: Classify,
        lhs: rucc_sema::ExprId,
        rhs: Option<rucc_sema::ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let lhs = self.expr(lhs);
        let rhs = rhs.map(|rhs| self.expr(rhs));
        let effects = |id: ExprId| self.program.exprs[id].has_effects;
        if effects(lhs) || rhs.is_some_and(effects) {
            return self.unsupported(
                "a floating-point classification of an expression with side effects",
                ty,
                span,
            );
        }
        let is_nan = |adapter: &mut Self, of: ExprId| adapter.binary_of(BinaryOp::Ne, of, of, ty, span);
        match (op, rhs) {
            (Classify::SignBit, _) => self.push(ExprKind::Unary(UnaryOp::SignBit, lhs), ty, span),
            (Classify::Nan, _) => is_nan(self, lhs),
            (Classify::Unordered, Some(rhs)) => {
                let (a, b) = (is_nan(self, lhs), is_nan(self, rhs));
                self.binary_of(BinaryOp::Or, a, b, ty, span)
            }
            (Classify::LessGreater, Some(rhs)) => {
                let less = self.binary_of(BinaryOp::Lt, lhs, rhs, ty, span);
                let greater = self.binary_of(BinaryOp::Gt, lhs, rhs, ty, span);
                self.binary_of(BinaryOp::Or, less, greater, ty, span)
            }
            (Classify::Infinite, _) => self.compare_magnitude(lhs, BinaryOp::Eq, ty, span),
            (Classify::Finite, _) => self.compare_magnitude(lhs, BinaryOp::Lt, ty, span),
            _ => self.unsupported("this floating-point classification", ty, span),
        }
    }

    /// `fabs(value) op infinity`
    fn compare_magnitude(&mut self, value: ExprId, op: BinaryOp, ty: TypeId, span: Span) -> ExprId {
        let float = self.program.exprs[value].ty;
        let infinity: u128 = match self.program.types.get(float) {
            Type::Float(FloatKind::Half) => 0x7c00,
            Type::Float(FloatKind::Float) => 0x7f80_0000,
            Type::Float(FloatKind::Double) => 0x7ff0_0000_0000_0000,
            Type::Float(FloatKind::LongDouble) => 0x7fff_8000_0000_0000_0000,
            Type::Float(FloatKind::Quad) => 0x7fff << 112,
            _ => return self.unsupported_type("a floating-point classification", float, span),
        };
        let magnitude = self.push(ExprKind::Unary(UnaryOp::Magnitude, value), float, span);
        let infinity = self.push(ExprKind::Float(infinity), float, span);
        self.binary_of(op, magnitude, infinity, ty, span)
    }
}

fn unsupported_name(theirs: &Theirs) -> &'static str {
    match theirs {
        Theirs::Jump { .. } => "a non-local jump",
        Theirs::FrameAddress { .. } => "the address of a stack frame",
        Theirs::FpClassify { .. } => "`fpclassify`",
        Theirs::Sign { .. } => "`copysign`",
        Theirs::Complex { .. } => "a complex number",
        Theirs::Shuffle { .. }
        | Theirs::ShuffleVector { .. }
        | Theirs::ConvertVector { .. }
        | Theirs::Elementwise { .. } => "a vector operation",
        _ => "this built-in function",
    }
}

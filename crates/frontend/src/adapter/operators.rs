//! Operators: arithmetic, pointers, increments, compound assignments, conditions.

use rorqual_cfa::{BinaryOp, IntKind, Type, TypeId, UnaryOp};
use rorqual_source::Span;
use rucc_ast::{BinaryOp as TheirBinary, UnaryOp as TheirUnary};
use rucc_sema::{Category, Conversion, ExprKind as Theirs};

use super::Adapter;
use super::exprs::wrap;
use crate::typed::{CompoundOp, ExprId, ExprKind};

impl Adapter<'_> {
    pub(super) fn unary(
        &mut self,
        op: TheirUnary,
        operand: rucc_sema::ExprId,
        their_ty: rucc_types::TypeId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        match op {
            TheirUnary::Plus => self.expr(operand),
            TheirUnary::Minus => self.arithmetic_unary(UnaryOp::Negate, operand, ty, span),
            TheirUnary::BitNot => self.arithmetic_unary(UnaryOp::Not, operand, ty, span),
            TheirUnary::Not => {
                let operand = self.condition(operand);
                self.push(ExprKind::Unary(UnaryOp::IsZero, operand), ty, span)
            }
            TheirUnary::Deref => {
                let pointer = self.expr(operand);
                // `*f` of a function pointer is the pointer again.
                if self.checked.tast[operand].category == Category::Function
                    || matches!(self.program.types.get(ty), Type::Function { .. })
                {
                    return pointer;
                }
                self.push(ExprKind::Deref(pointer), ty, span)
            }
            TheirUnary::AddrOf => {
                let place = self.expr(operand);
                self.address_of(place, ty, span)
            }
            TheirUnary::PreInc => self.increment(operand, 1, false, their_ty, span),
            TheirUnary::PreDec => self.increment(operand, -1, false, their_ty, span),
            TheirUnary::PostInc => self.increment(operand, 1, true, their_ty, span),
            TheirUnary::PostDec => self.increment(operand, -1, true, their_ty, span),
            TheirUnary::Real | TheirUnary::Imag => self.unsupported("a part of a complex number", ty, span),
        }
    }

    fn arithmetic_unary(
        &mut self,
        op: UnaryOp,
        operand: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let operand = self.expr(operand);
        if !self.program.types.is_scalar(ty) {
            return self.unsupported_type("an operation", ty, span);
        }
        let operand = self.convert(operand, ty);
        if let (UnaryOp::Negate, ExprKind::Int(value), Some(kind)) =
            (op, &self.program.exprs[operand].kind, self.program.types.as_int(ty))
        {
            let value = wrap(value.wrapping_neg(), kind, kind.width(self.program.types.model()));
            return self.int(value, ty, span);
        }
        self.push(ExprKind::Unary(op, operand), ty, span)
    }

    fn increment(
        &mut self,
        operand: rucc_sema::ExprId,
        delta: i128,
        yields_old_value: bool,
        their_ty: rucc_types::TypeId,
        span: Span,
    ) -> ExprId {
        let target = self.expr(operand);
        let ty = self.ty(their_ty);
        let int = self.program.types.int(IntKind::Int);
        let op = if delta > 0 { BinaryOp::Add } else { BinaryOp::Sub };
        let (op, computation, value) = match self.program.types.get(ty).clone() {
            Type::Pointer(_) => {
                let difference = self.difference_type();
                let op = CompoundOp::Pointer(self.pointee_stride(their_ty));
                (op, ty, self.int(delta, difference, span))
            }
            Type::Int(kind) => {
                let narrow = kind.width(self.program.types.model()) < 32;
                let computation = if narrow { int } else { ty };
                let one = self.int(1, int, span);
                (CompoundOp::Arithmetic(op), computation, self.convert(one, computation))
            }
            Type::Float(_) => {
                let one = self.int(1, int, span);
                (CompoundOp::Arithmetic(op), ty, self.convert(one, ty))
            }
            _ => return self.unsupported_type("`++` or `--`", ty, span),
        };
        self.push(ExprKind::CompoundAssign { op, target, value, computation, yields_old_value }, ty, span)
    }

    pub(super) fn binary(
        &mut self,
        op: TheirBinary,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if matches!(op, TheirBinary::LogAnd | TheirBinary::LogOr) {
            let (lhs, rhs) = (self.condition(lhs), self.condition(rhs));
            let and = op == TheirBinary::LogAnd;
            return self.push(if and { ExprKind::And(lhs, rhs) } else { ExprKind::Or(lhs, rhs) }, ty, span);
        }
        let (their_lhs, their_rhs) = (self.checked.tast[lhs].ty, self.checked.tast[rhs].ty);
        let (lhs, rhs) = (self.expr(lhs), self.expr(rhs));
        let types = &self.program.types;
        let is_pointer = |id: ExprId| matches!(types.get(self.program.exprs[id].ty), Type::Pointer(_));
        match (op, is_pointer(lhs), is_pointer(rhs)) {
            (TheirBinary::Add, true, _) => self.pointer_add(lhs, their_lhs, rhs, false, ty, span),
            (TheirBinary::Add, _, true) => self.pointer_add(rhs, their_rhs, lhs, false, ty, span),
            (TheirBinary::Sub, true, true) => {
                let stride = self.pointee_stride(their_lhs);
                self.push(ExprKind::PointerSub { lhs, rhs, stride }, ty, span)
            }
            (TheirBinary::Sub, true, false) => self.pointer_add(lhs, their_lhs, rhs, true, ty, span),
            _ => self.arithmetic_binary(op, lhs, rhs, ty, span),
        }
    }

    fn arithmetic_binary(
        &mut self,
        op: TheirBinary,
        lhs: ExprId,
        rhs: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let operand_ty = self.program.exprs[lhs].ty;
        if !self.program.types.is_scalar(operand_ty) {
            return self.unsupported_type("an operation", operand_ty, span);
        }
        let op = arithmetic_operator(op).expect("logical operators are handled before");
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let rhs = if is_shift { rhs } else { self.convert(rhs, operand_ty) };
        self.push(ExprKind::Binary(op, lhs, rhs), ty, span)
    }

    fn pointer_add(
        &mut self,
        pointer: ExprId,
        their_pointer: rucc_types::TypeId,
        index: ExprId,
        negated: bool,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let stride = self.pointee_stride(their_pointer);
        let index = self.pointer_index(index, negated);
        self.push(ExprKind::PointerAdd { pointer, index, stride }, ty, span)
    }

    fn pointer_index(&mut self, index: ExprId, negated: bool) -> ExprId {
        let difference = self.difference_type();
        let index = self.convert(index, difference);
        if !negated {
            return index;
        }
        let span = self.program.exprs[index].span;
        match self.program.exprs[index].kind {
            ExprKind::Int(value) => self.int(-value, difference, span),
            _ => self.push(ExprKind::Unary(UnaryOp::Negate, index), difference, span),
        }
    }

    pub(super) fn compound_assign(
        &mut self,
        op: TheirBinary,
        computation: rucc_types::TypeId,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let target = self.expr(lhs);
        if matches!(self.program.types.get(ty), Type::Pointer(_)) {
            let stride = self.pointee_stride(self.checked.tast[lhs].ty);
            let value = self.expr(rhs);
            let value = self.pointer_index(value, op == TheirBinary::Sub);
            let op = CompoundOp::Pointer(stride);
            let kind =
                ExprKind::CompoundAssign { op, target, value, computation: ty, yields_old_value: false };
            return self.push(kind, ty, span);
        }
        let mut computation = self.ty(computation);
        let op = arithmetic_operator(op).expect("there is no `&&=`");
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let operand = self.unconverted_operand(rhs);
        let width = self.bit_field_width(operand);
        let value = if self.checked.tast[lhs].category == Category::Bitfield || width.is_some() {
            let value = self.expr(operand);
            let value = self.promoted_value(value, width);
            computation = self.promoted_computation(target, value, is_shift);
            value
        } else {
            self.expr(rhs)
        };
        if !self.program.types.is_scalar(computation) {
            return self.unsupported_type("an operation", computation, span);
        }
        let value = if is_shift { value } else { self.convert(value, computation) };
        let op = CompoundOp::Arithmetic(op);
        self.push(
            ExprKind::CompoundAssign { op, target, value, computation, yields_old_value: false },
            ty,
            span,
        )
    }

    /// The right operand of `place op= value` before its conversion: rucc converts it to a type
    /// that it finds from the declared types of bit-fields, where C promotes bit-fields first (gcc
    /// does too, and `b /= -1` differs for an unsigned bit-field that is narrower than `int`).
    fn unconverted_operand(&self, rhs: rucc_sema::ExprId) -> rucc_sema::ExprId {
        match self.checked.tast[rhs].kind {
            Theirs::Convert { kind: Conversion::Arithmetic, operand } => operand,
            _ => rhs,
        }
    }

    /// The value promoted, if it has the type of a bit-field with a width.
    fn promoted_value(&mut self, value: ExprId, width: Option<u32>) -> ExprId {
        let declared = self.program.exprs[value].ty;
        match (width, self.program.types.as_int(declared)) {
            (Some(width), Some(kind)) => {
                let promoted = self.promoted_width(kind, width);
                self.convert(value, promoted)
            }
            _ => value,
        }
    }

    fn promoted_computation(&mut self, target: ExprId, value: ExprId, is_shift: bool) -> TypeId {
        let promoted = self.promoted_place(target);
        let value_ty = self.program.exprs[value].ty;
        if is_shift {
            return promoted;
        }
        let types = &mut self.program.types;
        match (types.get(promoted).clone(), types.get(value_ty).clone()) {
            (Type::Int(lhs), Type::Int(rhs)) => {
                let kind = common_kind(lhs, rhs, types.model());
                types.int(kind)
            }
            _ => value_ty,
        }
    }

    /// The type that a place is promoted to; bit-fields by their widths.
    fn promoted_place(&mut self, target: ExprId) -> TypeId {
        let mut declared = self.program.exprs[target].ty;
        let mut width = None;
        if let ExprKind::Member { base, field } = self.program.exprs[target].kind {
            let record = self.program.types.as_record(self.program.exprs[base].ty);
            let record = record.expect("only records have members");
            let field = &self.program.types.record(record).fields[field as usize];
            declared = field.ty;
            width = field.bits.map(|bits| bits.width);
        }
        let Some(kind) = self.program.types.as_int(declared) else {
            return declared;
        };
        let width = width.unwrap_or_else(|| kind.width(self.program.types.model()));
        self.promoted_width(kind, width)
    }

    /// The type that an integer of a width is promoted to (C11 6.3.1.1p2, and gcc's choice for
    /// bit-fields that are wider than `int`).
    fn promoted_width(&mut self, kind: IntKind, width: u32) -> TypeId {
        let promoted = match width {
            _ if width >= 32 && width >= kind.width(self.program.types.model()) => kind,
            0..=31 => IntKind::Int,
            32 if kind.is_signed() => IntKind::Int,
            32 => IntKind::UnsignedInt,
            _ => IntKind::BitField { width: width as u8, signed: kind.is_signed() },
        };
        self.program.types.int(promoted)
    }

    pub(super) fn conditional(
        &mut self,
        cond: rucc_sema::ExprId,
        then: rucc_sema::ExprId,
        otherwise: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let shared = self.without_bool_conversion(cond);
        let is_elided = self.is_conversion_of(then, shared);
        let condition = self.condition(cond);
        let then = if is_elided { None } else { Some(self.expr(then)) };
        let otherwise = self.expr(otherwise);
        self.push(ExprKind::Conditional { condition, then, otherwise }, ty, span)
    }

    fn without_bool_conversion(&self, id: rucc_sema::ExprId) -> rucc_sema::ExprId {
        match self.checked.tast[id].kind {
            Theirs::Convert { kind: Conversion::Bool, operand } => operand,
            _ => id,
        }
    }

    /// Whether `id` is `shared` itself with conversions around it: the sign of `c ?: d`.
    fn is_conversion_of(&self, id: rucc_sema::ExprId, shared: rucc_sema::ExprId) -> bool {
        let mut at = id;
        loop {
            if at == shared {
                return true;
            }
            match self.checked.tast[at].kind {
                Theirs::Convert { operand, .. } | Theirs::Cast(operand) => at = operand,
                _ => return false,
            }
        }
    }

    /// A scalar whose being non-zero is all that matters.
    pub(super) fn condition(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let id = self.without_bool_conversion(id);
        self.expr(id)
    }
}

fn arithmetic_operator(op: TheirBinary) -> Option<BinaryOp> {
    Some(match op {
        TheirBinary::Mul => BinaryOp::Mul,
        TheirBinary::Div => BinaryOp::Div,
        TheirBinary::Rem => BinaryOp::Rem,
        TheirBinary::Add => BinaryOp::Add,
        TheirBinary::Sub => BinaryOp::Sub,
        TheirBinary::Shl => BinaryOp::Shl,
        TheirBinary::Shr => BinaryOp::Shr,
        TheirBinary::Lt => BinaryOp::Lt,
        TheirBinary::Gt => BinaryOp::Gt,
        TheirBinary::Le => BinaryOp::Le,
        TheirBinary::Ge => BinaryOp::Ge,
        TheirBinary::Eq => BinaryOp::Eq,
        TheirBinary::Ne => BinaryOp::Ne,
        TheirBinary::BitAnd => BinaryOp::And,
        TheirBinary::BitXor => BinaryOp::Xor,
        TheirBinary::BitOr => BinaryOp::Or,
        TheirBinary::LogAnd | TheirBinary::LogOr => return None,
    })
}

/// The type of a binary operation on promoted operands (C11 6.3.1.8).
fn common_kind(lhs: IntKind, rhs: IntKind, model: rorqual_cfa::DataModel) -> IntKind {
    let promote = |kind: IntKind| {
        if kind.width(model) < 32 { IntKind::Int } else { kind }
    };
    let (lhs, rhs) = (promote(lhs), promote(rhs));
    // Wide bit-fields lie between the other types by their widths, as in gcc.
    let rank = |kind: IntKind| {
        let among_equals = match kind {
            IntKind::Int | IntKind::UnsignedInt => 1,
            IntKind::BitField { .. } => 2,
            IntKind::Long | IntKind::UnsignedLong => 3,
            IntKind::LongLong | IntKind::UnsignedLongLong => 4,
            IntKind::Int128 | IntKind::UnsignedInt128 => 5,
            _ => 0,
        };
        (kind.width(model), among_equals)
    };
    let (high, low) = if rank(lhs) >= rank(rhs) { (lhs, rhs) } else { (rhs, lhs) };
    if high.is_signed() == low.is_signed() || !high.is_signed() || high.width(model) > low.width(model) {
        return if rank(high) == rank(low) && !low.is_signed() { low } else { high };
    }
    match high {
        IntKind::Int => IntKind::UnsignedInt,
        IntKind::Long => IntKind::UnsignedLong,
        IntKind::LongLong => IntKind::UnsignedLongLong,
        IntKind::Int128 => IntKind::UnsignedInt128,
        IntKind::BitField { width, .. } => IntKind::BitField { width, signed: false },
        other => other,
    }
}

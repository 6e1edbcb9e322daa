//! The values of expressions.

use rorqual_cfa::{
    BinaryOp, ExprId, ExprKind, FloatKind, Hazard, IntKind, OverflowOp, Type, TypeId, UnaryOp,
};
use rorqual_interpreter::floating;
use rorqual_logic::{Bits, Sort, Term};

use crate::executor::{Executor, Fresh, Obstacle};
use crate::object::{Kind, ObjectId};
use crate::pointer::{Aim, Target, low_bits};
use crate::state::State;

/// A comparison of two numbers.
#[derive(Debug, Clone, Copy)]
struct Comparison {
    op: BinaryOp,
    is_signed: bool,
}

/// More pairs of targets are not compared one by one.
const MOST_PAIRS: usize = 64;

impl Executor<'_> {
    /// The value of a scalar expression.
    pub(crate) fn eval(&mut self, state: &mut State, id: ExprId) -> Result<Term, Obstacle> {
        let program = self.program;
        let expr = &program.exprs[id];
        let width = program.types.width(expr.ty);
        match &expr.kind {
            ExprKind::Int(value) => {
                let bits = Bits::from_signed(&(*value).into(), width);
                Ok(self.pool.bits(bits))
            }
            ExprKind::Float(bits) => Ok(self.pool.bv(*bits, width)),
            ExprKind::Zero => Ok(self.pool.bv(0u8, width)),
            ExprKind::Text(_) => Err(self.obstacle("a string literal as a scalar")),
            ExprKind::Load(place) => self.load(state, *place),
            ExprKind::AddressOf(place) => self.address_of(state, *place),
            ExprKind::FunctionAddress(function) => {
                let object = self.constant_object(state, Kind::Function(*function));
                Ok(self.details[object.0 as usize].base)
            }
            ExprKind::LabelAddress(function, label) => {
                let object = self.constant_object(state, Kind::Label(*function, *label));
                Ok(self.details[object.0 as usize].base)
            }
            ExprKind::Unary { op, operand } if *op != UnaryOp::IsZero => self.unary(state, *op, *operand, id),
            ExprKind::Binary { op, .. } if op.is_comparison() => self.truth(state, id, width),
            ExprKind::Binary { op, lhs, rhs } => self.binary(state, *op, *lhs, *rhs, id),
            ExprKind::Convert(operand) => self.convert(state, *operand, expr.ty),
            ExprKind::PointerOffset { pointer, index, stride } => {
                let (pointer, index) = (self.eval(state, *pointer)?, self.eval(state, *index)?);
                Ok(self.displaced(pointer, index, *stride))
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => {
                let (lhs, rhs) = (self.eval(state, *lhs)?, self.eval(state, *rhs)?);
                self.difference(lhs, rhs, *stride)
            }
            ExprKind::Unary { .. }
            | ExprKind::Overflows { .. }
            | ExprKind::Faulty { .. }
            | ExprKind::FaultyBlock { .. }
            | ExprKind::BadFree(_)
            | ExprKind::Leaks => self.truth(state, id, width),
        }
    }

    /// 1 if a condition holds, else 0.
    fn truth(&mut self, state: &mut State, id: ExprId, width: u32) -> Result<Term, Obstacle> {
        let holds = self.condition(state, id)?;
        Ok(self.as_number(holds, width))
    }

    pub(crate) fn as_number(&mut self, holds: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(1u8, 1), self.pool.bv(0u8, 1));
        let bit = self.pool.ite(holds, one, zero);
        self.pool.bv_zero_extend(bit, width)
    }

    /// Whether a scalar expression is not zero.
    pub(crate) fn condition(&mut self, state: &mut State, id: ExprId) -> Result<Term, Obstacle> {
        let program = self.program;
        let expr = &program.exprs[id];
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::IsZero, operand } => {
                let holds = self.condition(state, *operand)?;
                Ok(self.pool.not(holds))
            }
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.compare(state, *op, *lhs, *rhs),
            ExprKind::Convert(operand) if self.keeps_truth(*operand, expr.ty) => {
                self.condition(state, *operand)
            }
            ExprKind::Overflows { op, lhs, rhs, result } => self.overflows(state, *op, (*lhs, *rhs), *result),
            ExprKind::Faulty { place, fault } => self.is_faulty(state, *place, *fault),
            ExprKind::FaultyBlock { pointer, length, fault } => {
                self.is_faulty_block(state, *pointer, *length, *fault)
            }
            ExprKind::BadFree(pointer) => {
                let pointer = self.eval(state, *pointer)?;
                Ok(self.is_bad_free(state, pointer))
            }
            ExprKind::Leaks => self.leaks(state),
            _ => {
                let value = self.eval(state, id)?;
                if let Type::Float(kind) = program.types.get(expr.ty) {
                    return Ok(self.is_nonzero_float(*kind, value));
                }
                if program.types.pointee(expr.ty).is_some() {
                    let zero = self.pool.bv(0u8, self.pointer_width);
                    let is_null = self.pointers_compare(state, BinaryOp::Eq, value, zero);
                    return Ok(self.pool.not(is_null));
                }
                let zero = self.pool.bv(0u8, self.pool.width(value));
                Ok(self.pool.ne(value, zero))
            }
        }
    }

    /// Whether a conversion makes no number zero that is not.
    fn keeps_truth(&self, operand: ExprId, ty: TypeId) -> bool {
        let types = &self.program.types;
        let from = self.program.exprs[operand].ty;
        let is_wide = types.width(from) <= types.width(ty);
        types.as_int(ty) == Some(IntKind::Bool)
            || types.as_int(from).is_some() && types.as_int(ty).is_some() && is_wide
    }

    fn is_nonzero_float(&mut self, kind: FloatKind, value: Term) -> Term {
        let magnitude = self.pool.bv_extract(value, kind.value_bits() - 2, 0);
        let zero = self.pool.bv(0u8, kind.value_bits() - 1);
        self.pool.ne(magnitude, zero)
    }

    fn unary(
        &mut self,
        state: &mut State,
        op: UnaryOp,
        operand: ExprId,
        id: ExprId,
    ) -> Result<Term, Obstacle> {
        let program = self.program;
        let value = self.eval(state, operand)?;
        let width = self.pool.width(value);
        let result = program.types.width(program.exprs[id].ty);
        if let Type::Float(kind) = *program.types.get(program.exprs[operand].ty) {
            return Ok(self.float_unary(op, kind, value, result));
        }
        Ok(match op {
            UnaryOp::Negate => self.pool.bv_neg(value),
            UnaryOp::Not => self.pool.bv_not(value),
            UnaryOp::ByteSwap => {
                let mut swapped = self.pool.bv_extract(value, 7, 0);
                for byte in 1..width / 8 {
                    let next = self.pool.bv_extract(value, byte * 8 + 7, byte * 8);
                    swapped = self.pool.bv_concat(swapped, next);
                }
                swapped
            }
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let zero = self.pool.bv(0u8, width);
                let is_zero = self.pool.eq(value, zero);
                self.hazard(state, Hazard::Arithmetic(id), is_zero);
                self.zeros(value, op == UnaryOp::LeadingZeros, result)
            }
            UnaryOp::CountOnes => {
                let mut sum = self.pool.bv(0u8, result);
                for bit in 0..width {
                    let bit = self.pool.bv_extract(value, bit, bit);
                    let bit = self.pool.bv_zero_extend(bit, result);
                    sum = self.pool.bv_add(sum, bit);
                }
                sum
            }
            UnaryOp::IsZero | UnaryOp::Magnitude | UnaryOp::SignBit => {
                return Err(self.obstacle("an operation on a value of another type"));
            }
        })
    }

    /// How many bits are zero from one end on.
    fn zeros(&mut self, value: Term, leading: bool, result: u32) -> Term {
        let width = self.pool.width(value);
        let mut count = self.pool.bv(width, result);
        for distance in (0..width).rev() {
            let at = if leading { width - 1 - distance } else { distance };
            let (bit, one) = (self.pool.bv_extract(value, at, at), self.pool.bv(1u8, 1));
            let is_set = self.pool.eq(bit, one);
            let distance = self.pool.bv(distance, result);
            count = self.pool.ite(is_set, distance, count);
        }
        count
    }

    fn float_unary(&mut self, op: UnaryOp, kind: FloatKind, value: Term, result: u32) -> Term {
        let sign = kind.value_bits() - 1;
        let width = self.pool.width(value);
        let mask = Bits::new(1u8, width).shl(&Bits::new(sign, width));
        match op {
            UnaryOp::SignBit => {
                let bit = self.pool.bv_extract(value, sign, sign);
                self.pool.bv_zero_extend(bit, result)
            }
            UnaryOp::Negate => {
                let mask = self.pool.bits(mask);
                self.pool.bv_xor(value, mask)
            }
            _ => {
                let mask = self.pool.bits(mask.not());
                self.pool.bv_and(value, mask)
            }
        }
    }

    fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        id: ExprId,
    ) -> Result<Term, Obstacle> {
        let program = self.program;
        let ty = program.exprs[lhs].ty;
        let (left, right) = (self.eval(state, lhs)?, self.eval(state, rhs)?);
        if let Type::Float(kind) = *program.types.get(ty) {
            return Ok(self.float_binary(op, kind, left, right));
        }
        let is_signed = program.types.as_int(ty).is_some_and(IntKind::is_signed);
        Ok(match op {
            BinaryOp::Add => self.pool.bv_add(left, right),
            BinaryOp::Sub => self.pool.bv_sub(left, right),
            BinaryOp::Mul => self.pool.bv_mul(left, right),
            BinaryOp::And => self.pool.bv_and(left, right),
            BinaryOp::Or => self.pool.bv_or(left, right),
            BinaryOp::Xor => self.pool.bv_xor(left, right),
            BinaryOp::Div | BinaryOp::Rem => {
                self.division_hazard(state, is_signed, left, right, id);
                match (op, is_signed) {
                    (BinaryOp::Div, true) => self.pool.bv_sdiv(left, right),
                    (BinaryOp::Div, false) => self.pool.bv_udiv(left, right),
                    (_, true) => self.pool.bv_srem(left, right),
                    (_, false) => self.pool.bv_urem(left, right),
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = self.shift_count(state, left, right, id);
                match (op, is_signed) {
                    (BinaryOp::Shl, _) => self.pool.bv_shl(left, count),
                    (_, true) => self.pool.bv_ashr(left, count),
                    (_, false) => self.pool.bv_lshr(left, count),
                }
            }
            _ => return Err(self.obstacle(format!("`{}` here", op.symbol()))),
        })
    }

    fn division_hazard(&mut self, state: &mut State, is_signed: bool, lhs: Term, rhs: Term, id: ExprId) {
        let zero = self.pool.bv(0u8, self.pool.width(rhs));
        let by_zero = self.pool.eq(rhs, zero);
        let bad = if is_signed {
            let overflows = self.pool.bv_sdiv_overflows(lhs, rhs);
            self.pool.or2(by_zero, overflows)
        } else {
            by_zero
        };
        self.hazard(state, Hazard::Arithmetic(id), bad);
    }

    /// The count of a shift in the width of what is shifted.
    fn shift_count(&mut self, state: &mut State, shifted: Term, count: Term, id: ExprId) -> Term {
        let (width, own) = (self.pool.width(shifted), self.pool.width(count));
        if own >= 32 - width.leading_zeros() {
            let most = self.pool.bv(width, own);
            let is_small = self.pool.bv_ult(count, most);
            let bad = self.pool.not(is_small);
            self.hazard(state, Hazard::Arithmetic(id), bad);
        }
        if own > width {
            self.pool.bv_extract(count, width - 1, 0)
        } else {
            self.pool.bv_zero_extend(count, width)
        }
    }

    fn number(&self, term: Term) -> Option<u128> {
        let bits = self.pool.as_bits(term)?;
        u128::try_from(bits.unsigned().clone()).ok()
    }

    /// Whether no call of the program changes how numbers are rounded.
    fn rounds_to_nearest(&self) -> bool {
        let changes = |name: &str| matches!(name, "fesetround" | "fesetenv" | "feupdateenv");
        !self.program.functions.values().any(|function| changes(&function.name))
    }

    /// A value that floating-point arithmetic would give.
    fn inexact(&mut self, width: u32) -> Term {
        self.approximate("arithmetic on floating-point numbers");
        self.fresh(Fresh::Outside, Sort::BitVec(width))
    }

    fn float_binary(&mut self, op: BinaryOp, kind: FloatKind, lhs: Term, rhs: Term) -> Term {
        let width = self.pool.width(lhs);
        let both = self.number(lhs).zip(self.number(rhs)).filter(|_| self.rounds_to_nearest());
        match both.and_then(|(lhs, rhs)| floating::arithmetic(op, kind, lhs, rhs)) {
            Some(result) => self.pool.bv(result, width),
            None => self.inexact(width),
        }
    }

    fn compare(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Result<Term, Obstacle> {
        let program = self.program;
        let ty = program.exprs[lhs].ty;
        let (left, right) = (self.eval(state, lhs)?, self.eval(state, rhs)?);
        match *program.types.get(ty) {
            Type::Float(kind) => Ok(self.float_compare(op, kind, left, right)),
            Type::Pointer(_) => Ok(self.pointers_compare(state, op, left, right)),
            // Addresses as numbers.
            _ if self.pool.width(left) == self.pointer_width
                && (self.has_base(left) || self.has_base(right)) =>
            {
                Ok(self.pointers_compare(state, op, left, right))
            }
            _ => {
                let is_signed = program.types.as_int(ty).is_some_and(IntKind::is_signed);
                Ok(self.numbers_compare(Comparison { op, is_signed }, left, right))
            }
        }
    }

    fn numbers_compare(&mut self, Comparison { op, is_signed }: Comparison, lhs: Term, rhs: Term) -> Term {
        let pool = &mut self.pool;
        match (op, is_signed) {
            (BinaryOp::Eq, _) => pool.eq(lhs, rhs),
            (BinaryOp::Ne, _) => pool.ne(lhs, rhs),
            (BinaryOp::Lt, true) => pool.bv_slt(lhs, rhs),
            (BinaryOp::Le, true) => pool.bv_sle(lhs, rhs),
            (BinaryOp::Gt, true) => pool.bv_slt(rhs, lhs),
            (BinaryOp::Ge, true) => pool.bv_sle(rhs, lhs),
            (BinaryOp::Lt, false) => pool.bv_ult(lhs, rhs),
            (BinaryOp::Le, false) => pool.bv_ule(lhs, rhs),
            (BinaryOp::Gt, false) => pool.bv_ult(rhs, lhs),
            _ => pool.bv_ule(rhs, lhs),
        }
    }

    fn float_compare(&mut self, op: BinaryOp, kind: FloatKind, lhs: Term, rhs: Term) -> Term {
        match self.number(lhs).zip(self.number(rhs)) {
            Some((lhs, rhs)) => {
                let holds = floating::compare(op, kind, lhs, rhs);
                self.pool.bool(holds)
            }
            None => {
                self.approximate("a comparison of floating-point numbers");
                self.fresh(Fresh::Outside, Sort::Bool)
            }
        }
    }

    /// Compares pointers: in one object by their offsets. How objects lie to each other is not known, but that different
    /// ones are at different places, and none where null points to.
    pub(crate) fn pointers_compare(&mut self, state: &mut State, op: BinaryOp, lhs: Term, rhs: Term) -> Term {
        let comparison = Comparison { op, is_signed: false };
        if lhs == rhs || !(self.has_base(lhs) || self.has_base(rhs)) {
            return self.numbers_compare(comparison, lhs, rhs);
        }
        let (left, right) = (self.targets(lhs), self.targets(rhs));
        if left.len() * right.len() > MOST_PAIRS {
            self.approximate("where objects lie in memory");
            return self.fresh(Fresh::Outside, Sort::Bool);
        }
        let mut result = self.pool.bottom();
        for one in left.iter() {
            for other in right.iter() {
                let both = self.pool.and2(one.guard, other.guard);
                if self.pool.as_bool(both) == Some(false) {
                    continue;
                }
                let holds = self.compare_targets(state, comparison, *one, *other);
                let holds = self.pool.and2(both, holds);
                result = self.pool.or2(result, holds);
            }
        }
        result
    }

    fn compare_targets(
        &mut self,
        state: &mut State,
        comparison: Comparison,
        one: Target,
        other: Target,
    ) -> Term {
        match (one.aim, other.aim) {
            (Aim::Number(one), Aim::Number(other)) => self.numbers_compare(comparison, one, other),
            (Aim::Object(object, left), Aim::Object(same, right)) if object == same => {
                if matches!(comparison.op, BinaryOp::Eq | BinaryOp::Ne) {
                    return self.numbers_compare(comparison, left, right);
                }
                let (left_inside, right_inside) =
                    (self.is_inside(state, object, left, true), self.is_inside(state, object, right, true));
                let inside = self.pool.and2(left_inside, right_inside);
                let holds = self.numbers_compare(comparison, left, right);
                self.or_unknown(inside, holds)
            }
            (Aim::Object(object, offset), Aim::Object(second, right)) => {
                let is_strict = !self.may_touch(object, second);
                let left_inside = self.is_inside(state, object, offset, is_strict);
                let right_inside = self.is_inside(state, second, right, is_strict);
                let (dead, also_dead) = (self.is_dead(state, object), self.is_dead(state, second));
                let ended = self.pool.or2(dead, also_dead);
                let alive = self.pool.not(ended);
                let inside = self.pool.and(&[left_inside, right_inside, alive]);
                self.distinct(comparison, inside)
            }
            (Aim::Object(object, offset), Aim::Number(number))
            | (Aim::Number(number), Aim::Object(object, offset)) => {
                let is_null = self.number(number) == Some(0);
                let inside = self.is_inside(state, object, offset, true);
                if !is_null {
                    let never = self.pool.bottom();
                    return self.distinct(comparison, never);
                }
                match comparison.op {
                    BinaryOp::Eq | BinaryOp::Ne => self.distinct(comparison, inside),
                    op => {
                        let object_first = matches!(one.aim, Aim::Object(..));
                        let holds = match op {
                            BinaryOp::Gt | BinaryOp::Ge => object_first,
                            _ => !object_first,
                        };
                        let holds = self.pool.bool(holds);
                        self.or_unknown(inside, holds)
                    }
                }
            }
            _ => {
                let never = self.pool.bottom();
                self.distinct(comparison, never)
            }
        }
    }

    /// Whether objects are known to have addresses of their own up to their ends, which is so for all but the one behind
    /// the other; literals may be parts of each other.
    fn may_touch(&self, one: ObjectId, other: ObjectId) -> bool {
        let kind = |id: ObjectId| self.details[id.0 as usize].kind;
        let is_text = |kind: Kind| matches!(kind, Kind::Text(_));
        !matches!(
            (kind(one), kind(other)),
            (Kind::Function(_), Kind::Function(_)) | (Kind::Label(..), Kind::Label(..))
        ) || is_text(kind(one)) && is_text(kind(other))
    }

    /// Whether an offset is in an object; its end counts only if that is asked for.
    fn is_inside(&mut self, state: &State, object: ObjectId, offset: Term, with_end: bool) -> Term {
        let kind = self.details[object.0 as usize].kind;
        if matches!(kind, Kind::Function(_) | Kind::Label(..)) {
            let zero = self.pool.bv(0u8, self.pointer_width);
            return self.pool.eq(offset, zero);
        }
        let Some(shared) = state.memory.get(&object) else { return self.pool.bottom() };
        let size = shared.0.size;
        if with_end { self.pool.bv_ule(offset, size) } else { self.pool.bv_ult(offset, size) }
    }

    /// The result for pointers to different objects, if they are known to be at different places.
    fn distinct(&mut self, comparison: Comparison, is_known: Term) -> Term {
        match comparison.op {
            BinaryOp::Eq => {
                let never = self.pool.bottom();
                self.or_unknown(is_known, never)
            }
            BinaryOp::Ne => {
                let always = self.pool.top();
                self.or_unknown(is_known, always)
            }
            _ => {
                let never = self.pool.bottom();
                self.or_unknown(never, never)
            }
        }
    }

    fn or_unknown(&mut self, is_known: Term, holds: Term) -> Term {
        if self.pool.as_bool(is_known) == Some(true) {
            return holds;
        }
        self.approximate("where objects lie in memory");
        let unknown = self.fresh(Fresh::Outside, Sort::Bool);
        self.pool.ite(is_known, holds, unknown)
    }

    pub(crate) fn displaced(&mut self, pointer: Term, index: Term, stride: u64) -> Term {
        let width = self.pointer_width;
        let index =
            if self.pool.width(index) < width { self.pool.bv_sign_extend(index, width) } else { index };
        let index =
            if self.pool.width(index) > width { self.pool.bv_extract(index, width - 1, 0) } else { index };
        let stride = self.pool.bv(stride, width);
        let distance = self.pool.bv_mul(stride, index);
        self.pool.bv_add(pointer, distance)
    }

    fn difference(&mut self, lhs: Term, rhs: Term, stride: u64) -> Result<Term, Obstacle> {
        if stride == 0 {
            return Err(self.obstacle("a difference of pointers to elements without size"));
        }
        let (left, right) = (self.targets(lhs), self.targets(rhs));
        let mut result = None;
        for one in left.iter() {
            for other in right.iter() {
                let both = self.pool.and2(one.guard, other.guard);
                if self.pool.as_bool(both) == Some(false) {
                    continue;
                }
                let bytes = match (one.aim, other.aim) {
                    (Aim::Object(object, left), Aim::Object(same, right)) if object == same => {
                        self.pool.bv_sub(left, right)
                    }
                    (Aim::Number(left), Aim::Number(right)) => self.pool.bv_sub(left, right),
                    _ => {
                        self.approximate("a difference of pointers into different objects");
                        self.fresh(Fresh::Outside, Sort::BitVec(self.pointer_width))
                    }
                };
                result = Some(result.map_or(bytes, |others| self.pool.ite(both, bytes, others)));
            }
        }
        let bytes = match result {
            Some(bytes) => bytes,
            None => self.fresh(Fresh::Outside, Sort::BitVec(self.pointer_width)),
        };
        Ok(self.divided(bytes, stride))
    }

    /// A number of bytes as a number of elements, towards zero.
    fn divided(&mut self, bytes: Term, stride: u64) -> Term {
        let low = low_bits(&self.pool, bytes);
        let shift = stride.trailing_zeros();
        if stride.is_power_of_two() && low.known >= shift && low.value & (stride - 1) == 0 {
            if shift == 0 {
                return bytes;
            }
            let high = self.pool.bv_extract(bytes, self.pointer_width - 1, shift);
            return self.pool.bv_sign_extend(high, self.pointer_width);
        }
        let stride = self.pool.bv(stride, self.pointer_width);
        self.pool.bv_sdiv(bytes, stride)
    }

    /// A scalar converted to a type.
    fn convert(&mut self, state: &mut State, operand: ExprId, ty: TypeId) -> Result<Term, Obstacle> {
        let from = self.program.exprs[operand].ty;
        let types = &self.program.types;
        if types.as_int(ty) == Some(IntKind::Bool) {
            let holds = self.condition(state, operand)?;
            return Ok(self.as_number(holds, 8));
        }
        let scalar = self.program.types.is_scalar(from);
        if !scalar || matches!(self.program.types.get(ty), Type::Void) {
            return Ok(self.pool.bv(0u8, 8));
        }
        let value = self.eval(state, operand)?;
        self.converted(value, from, ty)
    }

    pub(crate) fn converted(&mut self, value: Term, from: TypeId, to: TypeId) -> Result<Term, Obstacle> {
        let types = &self.program.types;
        let width = types.width(to);
        match (types.get(from).clone(), types.get(to).clone()) {
            (Type::Float(from), Type::Float(to)) => {
                if from == to {
                    return Ok(value);
                }
                let folded = self.number(value).filter(|_| self.rounds_to_nearest());
                Ok(match folded.map(|value| floating::convert(from, to, value)) {
                    Some(result) => self.pool.bv(result, width),
                    None => self.inexact(width),
                })
            }
            (Type::Float(from), Type::Int(_)) => {
                let model = types.model();
                let kind = types.as_int(to).expect("it is an integer type");
                let folded = self.number(value).and_then(|value| floating::to_int(from, value, kind, model));
                Ok(match folded {
                    Some(result) => {
                        let bits = Bits::from_signed(&result.into(), width);
                        self.pool.bits(bits)
                    }
                    None => self.inexact(width),
                })
            }
            (Type::Int(kind), Type::Float(to)) => {
                let model = types.model();
                let folded = self.number(value).filter(|_| self.rounds_to_nearest());
                Ok(match folded.map(|value| floating::from_int(to, value, kind, model)) {
                    Some(result) => self.pool.bv(result, width),
                    None => self.inexact(width),
                })
            }
            (Type::Int(_) | Type::Pointer(_), Type::Int(_) | Type::Pointer(_)) => {
                let is_signed = types.as_int(from).is_some_and(IntKind::is_signed);
                Ok(self.resized(value, width, is_signed))
            }
            _ => Err(self.obstacle("a conversion of a value that is not scalar")),
        }
    }

    /// An integer in another width.
    pub(crate) fn resized(&mut self, value: Term, width: u32, is_signed: bool) -> Term {
        let own = self.pool.width(value);
        if width < own {
            self.pool.bv_extract(value, width - 1, 0)
        } else if is_signed {
            self.pool.bv_sign_extend(value, width)
        } else {
            self.pool.bv_zero_extend(value, width)
        }
    }

    fn overflows(
        &mut self,
        state: &mut State,
        op: OverflowOp,
        (lhs, rhs): (ExprId, ExprId),
        result: TypeId,
    ) -> Result<Term, Obstacle> {
        let types = &self.program.types;
        let kind = |ty: TypeId| types.as_int(ty);
        let kinds = (kind(self.program.exprs[lhs].ty), kind(self.program.exprs[rhs].ty), kind(result));
        let (Some(left), Some(right), Some(target)) = kinds else {
            return Err(self.obstacle("an overflow test on values that are not integers"));
        };
        let model = types.model();
        let (one, other) = (self.eval(state, lhs)?, self.eval(state, rhs)?);
        if left == target && right == target {
            let signed = target.is_signed();
            return Ok(match op {
                OverflowOp::Add => self.pool.bv_add_overflows(one, other, signed),
                OverflowOp::Sub => self.pool.bv_sub_overflows(one, other, signed),
                OverflowOp::Mul => self.pool.bv_mul_overflows(one, other, signed),
            });
        }
        let widths = [left.width(model), right.width(model), target.width(model)];
        let width = match op {
            OverflowOp::Add | OverflowOp::Sub => widths.into_iter().max().unwrap_or(0) + 2,
            OverflowOp::Mul => (widths[0] + widths[1]).max(widths[2]) + 2,
        };
        let (one, other) =
            (self.resized(one, width, left.is_signed()), self.resized(other, width, right.is_signed()));
        let exact = match op {
            OverflowOp::Add => self.pool.bv_add(one, other),
            OverflowOp::Sub => self.pool.bv_sub(one, other),
            OverflowOp::Mul => self.pool.bv_mul(one, other),
        };
        let cut = self.pool.bv_extract(exact, widths[2] - 1, 0);
        let back = self.resized(cut, width, target.is_signed());
        Ok(self.pool.ne(back, exact))
    }
}

//! Expressions as terms, bit by bit as the interpreter evaluates them.

use rorqual_cfa::{BinaryOp, ExprId, ExprKind, IntKind, OverflowOp, Type, TypeId, UnaryOp};
use rorqual_logic::{Bits, Sort, Term, TermPool};
use rorqual_memory::Object;

use crate::translate::{Obstacle, Translation};

impl Translation<'_, '_> {
    /// The value of a scalar expression: a vector as wide as its type.
    pub(crate) fn eval(&mut self, expr: ExprId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let ty = program.exprs[expr].ty;
        match &program.exprs[expr].kind {
            ExprKind::Int(value) => Ok(self.constant(*value, ty)),
            ExprKind::Float(bits) => Ok(self.encoding.pool.bv(*bits, program.types.width(ty))),
            ExprKind::Zero => Ok(self.constant(0, ty)),
            ExprKind::Text(_) => Err(self.obstacle("a text as a scalar")),
            ExprKind::Load(place) => {
                let value = self.load(*place)?;
                Ok(self.fit(value, program.types.width(ty), !program.types.is_unsigned(ty)))
            }
            ExprKind::AddressOf(place) => self.address_of(*place),
            ExprKind::FunctionAddress(function) => Ok(self.encoding.address(Object::Function(*function))),
            ExprKind::LabelAddress(..) => Err(self.obstacle("the address of a label")),
            ExprKind::Unary { op, operand } if *op != UnaryOp::IsZero => self.unary(*op, *operand, ty),
            ExprKind::Binary { op, lhs, rhs } if !op.is_comparison() => self.binary(*op, *lhs, *rhs, ty),
            ExprKind::Convert(operand) => self.convert(*operand, ty),
            ExprKind::PointerOffset { pointer, index, stride } => {
                let (pointer, index) = (self.eval(*pointer)?, self.eval(*index)?);
                let pool = &mut self.encoding.pool;
                let stride = pool.bv(*stride, pool.width(index));
                let distance = pool.bv_mul(index, stride);
                Ok(pool.bv_add(pointer, distance))
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => self.difference(*lhs, *rhs, *stride),
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Overflows { .. }
            | ExprKind::Faulty { .. }
            | ExprKind::FaultyBlock { .. }
            | ExprKind::BadFree(_)
            | ExprKind::Leaks => {
                let truth = self.truth(expr)?;
                Ok(self.number(truth, ty))
            }
        }
    }

    /// Whether a scalar expression is not zero.
    pub(crate) fn truth(&mut self, expr: ExprId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        match program.exprs[expr].kind {
            ExprKind::Unary { op: UnaryOp::IsZero, operand } => {
                let truth = self.truth(operand)?;
                Ok(self.encoding.pool.not(truth))
            }
            ExprKind::Binary { op, lhs, rhs } if op.is_comparison() => self.comparison(op, lhs, rhs),
            ExprKind::Overflows { op, lhs, rhs, result } => self.overflows(op, lhs, rhs, result),
            ExprKind::Faulty { place, fault } => self.faulty(place, fault),
            ExprKind::FaultyBlock { pointer, length, fault } => self.faulty_block(pointer, length, fault),
            ExprKind::BadFree(pointer) => self.bad_free(pointer),
            ExprKind::Leaks => self.leaks(),
            // Extending a number does not make it zero.
            ExprKind::Convert(operand) if self.widens(operand, program.exprs[expr].ty) => self.truth(operand),
            _ => {
                let value = self.eval(expr)?;
                let ty = program.exprs[expr].ty;
                Ok(self.is_not_zero(value, ty))
            }
        }
    }

    fn widens(&self, operand: ExprId, to: TypeId) -> bool {
        let types = &self.encoding.program.types;
        let from = self.encoding.program.exprs[operand].ty;
        let both = types.as_int(from).zip(types.as_int(to));
        both.is_some_and(|(_, kind)| kind == IntKind::Bool || types.width(to) >= types.width(from))
    }

    fn is_not_zero(&mut self, value: Term, ty: TypeId) -> Term {
        let is_float = matches!(self.encoding.program.types.get(ty), Type::Float(_));
        let pool = &mut self.encoding.pool;
        if is_float && !matches!(pool.width(value), 32 | 64) {
            return self.approximate("a comparison of floating-point numbers", Sort::Bool);
        }
        // Negative zero is zero.
        let value = if is_float { pool.bv_extract(value, pool.width(value) - 2, 0) } else { value };
        let zero = pool.bv(0u8, pool.width(value));
        pool.ne(value, zero)
    }

    fn constant(&mut self, value: i128, ty: TypeId) -> Term {
        let width = self.encoding.program.types.width(ty);
        self.encoding.pool.bits(Bits::from_signed(&value.into(), width))
    }

    /// The number 1 or 0.
    fn number(&mut self, truth: Term, ty: TypeId) -> Term {
        let width = self.encoding.program.types.width(ty);
        let pool = &mut self.encoding.pool;
        let (one, zero) = (pool.bv(1u8, width), pool.bv(0u8, width));
        pool.ite(truth, one, zero)
    }

    fn load(&mut self, place: rorqual_cfa::PlaceId) -> Result<Term, Obstacle> {
        let mut result: Option<Term> = None;
        let alternatives = self.resolve(place)?;
        for one in alternatives.iter().rev() {
            let Some(slot) = self.slot_of(one) else { continue };
            let value = self.read_slot(slot);
            let pool = &mut self.encoding.pool;
            result = Some(match result {
                Some(other) if pool.width(other) == pool.width(value) => pool.ite(one.guard, value, other),
                Some(_) => return Err(self.obstacle("a pointer to bit-fields")),
                None => value,
            });
        }
        // Otherwise nothing can be there.
        let width = self.encoding.program.types.width(self.encoding.program.places[place].ty);
        Ok(result
            .unwrap_or_else(|| self.approximate("what is behind an invalid pointer", Sort::BitVec(width))))
    }

    /// Cuts or extends a vector.
    fn fit(&mut self, value: Term, width: u32, signed: bool) -> Term {
        let pool = &mut self.encoding.pool;
        let known = pool.width(value);
        if known > width {
            pool.bv_extract(value, width - 1, 0)
        } else if signed {
            pool.bv_sign_extend(value, width)
        } else {
            pool.bv_zero_extend(value, width)
        }
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.encoding.program.types.get(ty), Type::Float(_))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Result<Term, Obstacle> {
        let operand_ty = self.encoding.program.exprs[operand].ty;
        let value = self.eval(operand)?;
        let width = self.encoding.program.types.width(ty);
        if self.is_float(operand_ty) {
            return Ok(self.float_unary(op, value, width));
        }
        let pool = &mut self.encoding.pool;
        Ok(match op {
            UnaryOp::Negate => pool.bv_neg(value),
            UnaryOp::Not => pool.bv_not(value),
            UnaryOp::ByteSwap => byte_swap(pool, value),
            UnaryOp::CountOnes => count_ones(pool, value, width),
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let result = count_zeros(pool, value, width, op == UnaryOp::LeadingZeros);
                let zero = pool.bv(0u8, pool.width(value));
                let defined = pool.ne(value, zero);
                self.require_defined(defined);
                result
            }
            UnaryOp::IsZero | UnaryOp::Magnitude | UnaryOp::SignBit => {
                return Err(self.obstacle("this operation on an integer"));
            }
        })
    }

    /// The sign of a floating-point number is one bit.
    fn float_unary(&mut self, op: UnaryOp, value: Term, width: u32) -> Term {
        let pool = &mut self.encoding.pool;
        let top = pool.width(value) - 1;
        let sign = pool.bv_extract(value, top, top);
        let rest = pool.bv_extract(value, top - 1, 0);
        let padded = top != 31 && top != 63;
        match op {
            UnaryOp::Negate if !padded => {
                let flipped = pool.bv_not(sign);
                pool.bv_concat(flipped, rest)
            }
            UnaryOp::Magnitude if !padded => {
                let zero = pool.bv(0u8, 1);
                pool.bv_concat(zero, rest)
            }
            UnaryOp::SignBit if !padded => pool.bv_zero_extend(sign, width),
            _ => self.approximate("a floating-point operation", Sort::BitVec(width)),
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let (left, right) = (self.eval(lhs)?, self.eval(rhs)?);
        let width = program.types.width(ty);
        if self.is_float(ty) {
            return Ok(self.approximate("a floating-point operation", Sort::BitVec(width)));
        }
        let signed = !program.types.is_unsigned(ty);
        let pool = &mut self.encoding.pool;
        Ok(match op {
            BinaryOp::Add => pool.bv_add(left, right),
            BinaryOp::Sub => pool.bv_sub(left, right),
            BinaryOp::Mul => pool.bv_mul(left, right),
            BinaryOp::And => pool.bv_and(left, right),
            BinaryOp::Or => pool.bv_or(left, right),
            BinaryOp::Xor => pool.bv_xor(left, right),
            BinaryOp::Div | BinaryOp::Rem => {
                self.require_divisor(left, right, signed);
                let pool = &mut self.encoding.pool;
                match (op, signed) {
                    (BinaryOp::Div, true) => pool.bv_sdiv(left, right),
                    (BinaryOp::Div, false) => pool.bv_udiv(left, right),
                    (_, true) => pool.bv_srem(left, right),
                    (_, false) => pool.bv_urem(left, right),
                }
            }
            _ => self.shift(op, left, right, signed),
        })
    }

    fn require_divisor(&mut self, left: Term, right: Term, signed: bool) {
        let pool = &mut self.encoding.pool;
        let zero = pool.bv(0u8, pool.width(right));
        let defined = pool.ne(right, zero);
        self.require_defined(defined);
        if signed {
            let pool = &mut self.encoding.pool;
            let overflow = pool.bv_sdiv_overflows(left, right);
            let fits = pool.not(overflow);
            self.require_defined(fits);
        }
    }

    fn shift(&mut self, op: BinaryOp, left: Term, count: Term, signed: bool) -> Term {
        let pool = &mut self.encoding.pool;
        let (width, count_width) = (pool.width(left), pool.width(count));
        // A count that cannot hold the width is always below it, seen as an unsigned number.
        if count_width >= 32 || u64::from(width) < 1u64 << count_width {
            let bound = pool.bv(width, count_width);
            let defined = pool.bv_ult(count, bound);
            self.require_defined(defined);
        }
        let pool = &mut self.encoding.pool;
        let count = if count_width > width {
            pool.bv_extract(count, width - 1, 0)
        } else {
            pool.bv_zero_extend(count, width)
        };
        match (op, signed) {
            (BinaryOp::Shl, _) => pool.bv_shl(left, count),
            (_, true) => pool.bv_ashr(left, count),
            (_, false) => pool.bv_lshr(left, count),
        }
    }

    fn comparison(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let ty = program.exprs[lhs].ty;
        if let (BinaryOp::Eq | BinaryOp::Ne, ExprKind::Int(0) | ExprKind::Zero) =
            (op, &program.exprs[rhs].kind)
            && !self.is_float(ty)
        {
            let truth = self.truth(lhs)?;
            return Ok(if op == BinaryOp::Ne { truth } else { self.encoding.pool.not(truth) });
        }
        let (left, right) = (self.eval(lhs)?, self.eval(rhs)?);
        if self.is_float(ty) {
            return Ok(self.approximate("a comparison of floating-point numbers", Sort::Bool));
        }
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) && self.may_be_in_different_objects(lhs, rhs) {
            return Ok(self.approximate("a comparison of pointers into different objects", Sort::Bool));
        }
        let signed = !program.types.is_unsigned(ty);
        let pool = &mut self.encoding.pool;
        let less = |pool: &mut TermPool, one: Term, other: Term| {
            if signed { pool.bv_slt(one, other) } else { pool.bv_ult(one, other) }
        };
        Ok(match op {
            BinaryOp::Eq => pool.eq(left, right),
            BinaryOp::Ne => pool.ne(left, right),
            BinaryOp::Lt => less(pool, left, right),
            BinaryOp::Gt => less(pool, right, left),
            BinaryOp::Le => {
                let greater = less(pool, right, left);
                pool.not(greater)
            }
            _ => {
                let below = less(pool, left, right);
                pool.not(below)
            }
        })
    }

    /// Which of two objects has the lower address is chosen by the encoding, so a program must not learn it. To compare
    /// pointers into different allocated objects is undefined.
    fn may_be_in_different_objects(&mut self, lhs: ExprId, rhs: ExprId) -> bool {
        let program = self.encoding.program;
        if program.types.pointee(program.exprs[lhs].ty).is_none() {
            return false;
        }
        let [left, right] = [lhs, rhs].map(|expr| self.encoding.targets(expr));
        left.unknown || right.unknown || left.objects() != right.objects() || left.objects().len() != 1
    }

    fn convert(&mut self, operand: ExprId, to: TypeId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let types = &program.types;
        let from = program.exprs[operand].ty;
        if types.as_int(to) == Some(IntKind::Bool) {
            let truth = self.truth(operand)?;
            return Ok(self.number(truth, to));
        }
        let value = self.eval(operand)?;
        let width = types.width(to);
        match (types.get(from), types.get(to)) {
            (Type::Float(a), Type::Float(b)) if a == b => Ok(value),
            (Type::Float(_), _) | (_, Type::Float(_)) => {
                Ok(self.approximate("a conversion of floating-point numbers", Sort::BitVec(width)))
            }
            // The encoding has chosen the addresses of variables. A proof that rests on the choice is one that the checker,
            // for which they are any numbers, does not follow; a trace that does, one that does not replay.
            (Type::Pointer(_), Type::Int(_)) => {
                self.approximations.push("where objects lie in memory".to_owned());
                Ok(self.fit(value, width, false))
            }
            (Type::Int(_), _) => Ok(self.fit(value, width, !types.is_unsigned(from))),
            (Type::Pointer(_), Type::Pointer(_)) => Ok(value),
            _ => Err(self.obstacle(format!("a conversion to `{}`", types.name(to)))),
        }
    }

    fn difference(&mut self, lhs: ExprId, rhs: ExprId, stride: u64) -> Result<Term, Obstacle> {
        let (left, right) = (self.eval(lhs)?, self.eval(rhs)?);
        let pool = &mut self.encoding.pool;
        let distance = pool.bv_sub(left, right);
        let width = pool.width(distance);
        // Pointers into one object are whole elements apart.
        Ok(if stride.is_power_of_two() {
            let by = pool.bv(stride.trailing_zeros(), width);
            pool.bv_ashr(distance, by)
        } else {
            let by = pool.bv(stride.max(1), width);
            pool.bv_sdiv(distance, by)
        })
    }

    fn overflows(
        &mut self,
        op: OverflowOp,
        lhs: ExprId,
        rhs: ExprId,
        result: TypeId,
    ) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let types = &program.types;
        let widths = [lhs, rhs].map(|expr| types.width(program.exprs[expr].ty));
        let exact = (widths[0] + widths[1]).max(types.width(result)) + 2;
        let mut operands = Vec::new();
        for expr in [lhs, rhs] {
            let value = self.eval(expr)?;
            operands.push(self.fit(value, exact, !types.is_unsigned(program.exprs[expr].ty)));
        }
        let pool = &mut self.encoding.pool;
        let value = match op {
            OverflowOp::Add => pool.bv_add(operands[0], operands[1]),
            OverflowOp::Sub => pool.bv_sub(operands[0], operands[1]),
            OverflowOp::Mul => pool.bv_mul(operands[0], operands[1]),
        };
        let width = types.width(result);
        let cut = self.fit(value, width, true);
        let back = self.fit(cut, exact, !types.is_unsigned(result));
        Ok(self.encoding.pool.ne(value, back))
    }
}

fn byte_swap(pool: &mut TermPool, value: Term) -> Term {
    let width = pool.width(value);
    let mut result = pool.bv_extract(value, 7, 0);
    for low in (8..width).step_by(8) {
        let byte = pool.bv_extract(value, low + 7, low);
        result = pool.bv_concat(result, byte);
    }
    result
}

fn count_ones(pool: &mut TermPool, value: Term, width: u32) -> Term {
    let mut sum = pool.bv(0u8, width);
    for at in 0..pool.width(value) {
        let bit = pool.bv_extract(value, at, at);
        let bit = pool.bv_zero_extend(bit, width);
        sum = pool.bv_add(sum, bit);
    }
    sum
}

/// How many zero bits come before the first one bit, from the top or from the bottom.
fn count_zeros(pool: &mut TermPool, value: Term, width: u32, leading: bool) -> Term {
    let bits = pool.width(value);
    let mut result = pool.bv(bits, width);
    for step in (0..bits).rev() {
        let at = if leading { bits - 1 - step } else { step };
        let bit = pool.bv_extract(value, at, at);
        let one = pool.bv(1u8, 1);
        let is_one = pool.eq(bit, one);
        let count = pool.bv(step, width);
        result = pool.ite(is_one, count, result);
    }
    result
}

//! What expressions mean, as bit-vectors of the width of their types (`docs/soundness.md`). Where an operation is undefined,
//! its value does not matter: no execution goes beyond it (`mod.rs`). Results of floating-point operations may be any value,
//! unless the operands are constants.

use rorqual_cfa::{BinaryOp, ExprId, ExprKind, Hazard, IntKind, OverflowOp, Type, TypeId, UnaryOp};
use rorqual_logic::{Bits, Sort, Term};

use super::floating;
use super::machine::Machine;
use super::memory::Content;
use super::state::{Value, Whole};

impl Machine<'_> {
    /// The width of a scalar type.
    pub(super) fn width(&self, ty: TypeId) -> u32 {
        self.program.types.width(ty).max(1)
    }

    /// The value of an expression of any type.
    pub(super) fn whole(&mut self, id: ExprId) -> Whole {
        let program = self.program;
        let expr = &program.exprs[id];
        if program.types.is_scalar(expr.ty) {
            if let ExprKind::Load(place) = expr.kind {
                return Whole::Scalar(self.load(place));
            }
            return Whole::Scalar(self.scalar(id));
        }
        if matches!(program.types.get(expr.ty), Type::Void | Type::Function { .. }) {
            self.eval(id);
            return Whole::Nothing;
        }
        Whole::Block(match expr.kind {
            ExprKind::Load(place) => self.load_block(place),
            ExprKind::Zero => Content::zero(),
            ExprKind::Text(text) => Content::text(text),
            _ => Content::filled(self.store.unknown(true)),
        })
    }

    fn scalar(&mut self, id: ExprId) -> Value {
        let term = self.eval(id);
        Value { term, set: self.store.pool.top() }
    }

    /// The value of a scalar expression.
    pub(super) fn eval(&mut self, id: ExprId) -> Term {
        let expr = &self.program.exprs[id];
        let ty = expr.ty;
        match expr.kind {
            ExprKind::Int(value) => self.store.pool.bv(value as u128, self.width(ty)),
            ExprKind::Float(bits) => self.store.pool.bv(bits, self.width(ty)),
            ExprKind::Zero => self.store.pool.bv(0u8, self.width(ty)),
            ExprKind::Text(_) => self.any_of(ty),
            ExprKind::Load(place) => self.load(place).term,
            ExprKind::AddressOf(place) => self.address_of(place),
            ExprKind::FunctionAddress(function) => {
                let object = self.function_object(function);
                self.address(object)
            }
            ExprKind::LabelAddress(function, label) => {
                let object = self.label_object(function, label);
                self.address(object)
            }
            ExprKind::Unary { op, operand } => self.unary(id, op, operand, ty),
            ExprKind::Binary { op, lhs, rhs } => self.binary(id, op, [lhs, rhs], ty),
            ExprKind::Convert(operand) => self.convert(operand, ty),
            ExprKind::PointerOffset { pointer, index, stride } => {
                let (pointer, index) = (self.eval(pointer), self.index(index));
                self.element_address(pointer, index, stride)
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => self.difference(lhs, rhs, stride, ty),
            ExprKind::Overflows { op, lhs, rhs, result } => self.overflows(op, [lhs, rhs], result, ty),
            ExprKind::Faulty { place, fault } => {
                let fault = self.faulty(place, fault);
                self.truth_value(fault, self.width(ty))
            }
            ExprKind::FaultyBlock { pointer, length, fault } => {
                let fault = self.faulty_block(pointer, length, fault);
                self.truth_value(fault, self.width(ty))
            }
            ExprKind::BadFree(pointer) => {
                let is_bad = self.bad_free(pointer);
                self.truth_value(is_bad, self.width(ty))
            }
            ExprKind::Leaks => {
                let leaks = self.leaks();
                self.truth_value(leaks, self.width(ty))
            }
        }
    }

    /// Whether a scalar is non-zero.
    pub(super) fn truth(&mut self, id: ExprId) -> Term {
        let value = self.eval(id);
        let ty = self.program.exprs[id].ty;
        if let Type::Float(kind) = self.program.types.get(ty) {
            // Negative zero is zero. The padding of a number is not looked at.
            let bits = kind.value_bits();
            let magnitude = self.store.pool.bv_extract(value, bits - 2, 0);
            let zero = self.store.pool.bv(0u8, bits - 1);
            return self.store.pool.ne(magnitude, zero);
        }
        let zero = self.store.pool.bv(0u8, self.store.pool.width(value));
        self.compare(BinaryOp::Ne, value, zero, true)
    }

    /// Any value of a type.
    pub(super) fn any_of(&mut self, ty: TypeId) -> Term {
        let width = self.width(ty);
        if self.program.types.as_int(ty) == Some(IntKind::Bool) {
            let choice = self.store.pool.fresh_symbol("any", Sort::Bool);
            return self.truth_value(choice, width);
        }
        self.store.pool.fresh_symbol("any", Sort::BitVec(width))
    }

    /// 1 if a condition holds, else 0.
    pub(super) fn truth_value(&mut self, condition: Term, width: u32) -> Term {
        let (one, zero) = (self.store.pool.bv(1u8, width), self.store.pool.bv(0u8, width));
        self.store.pool.ite(condition, one, zero)
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Float(_))
    }

    /// A value of type `from` with another width.
    pub(super) fn resized(&mut self, value: Term, from: TypeId, width: u32) -> Term {
        if width <= self.store.pool.width(value) {
            self.store.pool.bv_extract(value, width - 1, 0)
        } else if self.program.types.is_unsigned(from) {
            self.store.pool.bv_zero_extend(value, width)
        } else {
            self.store.pool.bv_sign_extend(value, width)
        }
    }

    /// An index, or a number of bytes, with the width of an address.
    pub(super) fn index(&mut self, id: ExprId) -> Term {
        let value = self.eval(id);
        self.resized(value, self.program.exprs[id].ty, self.pointer_width)
    }

    fn convert(&mut self, operand: ExprId, ty: TypeId) -> Term {
        let types = &self.program.types;
        let from = self.program.exprs[operand].ty;
        if matches!(types.get(ty), Type::Void) {
            // Whatever becomes `void` is dropped, but it must be defined.
            if types.is_scalar(from) {
                self.eval(operand);
            }
            return self.store.pool.bv(0u8, 8);
        }
        if from == ty {
            return self.eval(operand);
        }
        if types.as_int(ty) == Some(IntKind::Bool) {
            let truth = self.truth(operand);
            return self.truth_value(truth, self.width(ty));
        }
        let value = self.eval(operand);
        if self.is_float(from) || self.is_float(ty) {
            let folded = self.folded_conversion(value, from, ty).filter(|_| self.rounds_as_usual);
            return match folded {
                Some(bits) => self.store.pool.bits(bits),
                None => self.any_of(ty),
            };
        }
        self.resized(value, from, self.width(ty))
    }

    /// A constant that is or becomes a floating-point number.
    fn folded_conversion(&self, value: Term, from: TypeId, to: TypeId) -> Option<Bits> {
        let (types, width) = (&self.program.types, self.width(to));
        let bits = self.store.pool.as_bits(value)?;
        match (types.get(from), types.get(to)) {
            (Type::Float(from), Type::Float(to)) => {
                Some(Bits::new(floating::converted(*from, *to, bits.to_u64()?)?, width))
            }
            (Type::Float(from), Type::Int(kind)) => {
                let (all, half) = (1i128.checked_shl(width)?, 1i128.checked_shl(width - 1)?);
                let (least, most) =
                    if kind.is_signed() { (-half, half - 1) } else { (0, all.checked_sub(1)?) };
                let whole = floating::to_integer(*from, bits.to_u64()?, least, most)?;
                Some(Bits::from_signed(&whole.into(), width))
            }
            (Type::Int(kind), Type::Float(to)) => {
                let whole = if kind.is_signed() { bits.signed() } else { bits.unsigned().clone().into() };
                Some(Bits::new(floating::from_integer(*to, i128::try_from(whole).ok()?)?, width))
            }
            _ => None,
        }
    }

    fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId, ty: TypeId) -> Term {
        let width = self.width(ty);
        if op == UnaryOp::IsZero {
            let truth = self.truth(operand);
            let zero = self.store.pool.not(truth);
            return self.truth_value(zero, width);
        }
        let value = self.eval(operand);
        if self.is_float(self.program.exprs[operand].ty) {
            return self.float_unary(op, value, ty);
        }
        match op {
            UnaryOp::Negate => self.store.pool.bv_neg(value),
            UnaryOp::Not => self.store.pool.bv_not(value),
            UnaryOp::ByteSwap => self.byte_swap(value),
            UnaryOp::CountOnes => self.count_ones(value, width),
            UnaryOp::LeadingZeros => self.zeros(id, value, width, |at, bits| bits - 1 - at),
            UnaryOp::TrailingZeros => self.zeros(id, value, width, |at, _| at),
            UnaryOp::IsZero | UnaryOp::Magnitude | UnaryOp::SignBit => self.any_of(ty),
        }
    }

    /// The sign of a floating-point number without padding is its own bit, and nothing is rounded.
    fn float_unary(&mut self, op: UnaryOp, value: Term, ty: TypeId) -> Term {
        let top = self.store.pool.width(value) - 1;
        if !matches!(top, 31 | 63) {
            return self.any_of(ty);
        }
        let pool = &mut self.store.pool;
        let (sign, magnitude) = (pool.bv_extract(value, top, top), pool.bv_extract(value, top - 1, 0));
        match op {
            UnaryOp::Negate => {
                let flipped = pool.bv_not(sign);
                pool.bv_concat(flipped, magnitude)
            }
            UnaryOp::Magnitude => {
                let positive = pool.bv(0u8, 1);
                pool.bv_concat(positive, magnitude)
            }
            UnaryOp::SignBit => {
                let width = self.width(ty);
                self.store.pool.bv_zero_extend(sign, width)
            }
            _ => self.any_of(ty),
        }
    }

    fn byte_swap(&mut self, value: Term) -> Term {
        let pool = &mut self.store.pool;
        let mut result = pool.bv_extract(value, 7, 0);
        for byte in 1..pool.width(value) / 8 {
            let next = pool.bv_extract(value, 8 * byte + 7, 8 * byte);
            result = pool.bv_concat(result, next);
        }
        result
    }

    fn bit(&mut self, value: Term, at: u32) -> Term {
        let (bit, one) = (self.store.pool.bv_extract(value, at, at), self.store.pool.bv(1u8, 1));
        self.store.pool.eq(bit, one)
    }

    fn count_ones(&mut self, value: Term, width: u32) -> Term {
        let mut sum = self.store.pool.bv(0u8, width);
        for at in 0..self.store.pool.width(value) {
            let bit = self.bit(value, at);
            let one = self.truth_value(bit, width);
            sum = self.store.pool.bv_add(sum, one);
        }
        sum
    }

    /// How many zeros are before the first one in some direction; `rank` is how many there are if the first one is at a
    /// position. The least rank counts. Undefined for zero.
    fn zeros(&mut self, id: ExprId, value: Term, width: u32, rank: fn(u32, u32) -> u32) -> Term {
        let bits = self.store.pool.width(value);
        let zero = self.store.pool.bv(0u8, bits);
        let defined = self.store.pool.ne(value, zero);
        let mut positions: Vec<u32> = (0..bits).collect();
        positions.sort_by_key(|&at| std::cmp::Reverse(rank(at, bits)));
        let mut result = self.store.pool.bv(bits, width);
        for at in positions {
            let bit = self.bit(value, at);
            let number = self.store.pool.bv(rank(at, bits), width);
            result = self.store.pool.ite(bit, number, result);
        }
        self.require(Hazard::Arithmetic(id), defined);
        result
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, operands: [ExprId; 2], ty: TypeId) -> Term {
        let [lhs_type, rhs_type] = operands.map(|operand| self.program.exprs[operand].ty);
        let [lhs, rhs] = operands.map(|operand| self.eval(operand));
        if let Type::Float(kind) = *self.program.types.get(lhs_type) {
            let numbers = self.constant(lhs).zip(self.constant(rhs)).filter(|_| self.rounds_as_usual);
            if !op.is_comparison() {
                let folded = numbers.and_then(|(lhs, rhs)| floating::arithmetic(op, kind, lhs, rhs));
                return match folded {
                    Some(bits) => self.store.pool.bv(bits, self.width(ty)),
                    None => self.any_of(ty),
                };
            }
            if let Some(holds) = numbers.and_then(|(lhs, rhs)| floating::comparison(op, kind, lhs, rhs)) {
                return self.store.pool.bv(u8::from(holds), self.width(ty));
            }
            let choice = self.store.pool.fresh_symbol("any", Sort::Bool);
            return self.truth_value(choice, self.width(ty));
        }
        let is_unsigned = self.program.types.is_unsigned(lhs_type);
        let pool = &mut self.store.pool;
        match op {
            BinaryOp::Add => pool.bv_add(lhs, rhs),
            BinaryOp::Sub => self.subtracted(lhs, rhs),
            BinaryOp::Mul => pool.bv_mul(lhs, rhs),
            BinaryOp::And => pool.bv_and(lhs, rhs),
            BinaryOp::Or => pool.bv_or(lhs, rhs),
            BinaryOp::Xor => pool.bv_xor(lhs, rhs),
            BinaryOp::Div | BinaryOp::Rem => self.divide(id, op, (lhs, rhs), is_unsigned),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(id, op, lhs, (rhs, rhs_type), is_unsigned),
            _ => {
                let holds = self.compare(op, lhs, rhs, is_unsigned);
                self.truth_value(holds, self.width(ty))
            }
        }
    }

    /// Undefined for a divisor of zero, and where the quotient does not fit.
    fn divide(&mut self, id: ExprId, op: BinaryOp, (lhs, rhs): (Term, Term), is_unsigned: bool) -> Term {
        let pool = &mut self.store.pool;
        let zero = pool.bv(0u8, pool.width(rhs));
        let mut defined = pool.ne(rhs, zero);
        if !is_unsigned {
            let overflows = pool.bv_sdiv_overflows(lhs, rhs);
            let fits = pool.not(overflows);
            defined = pool.and2(defined, fits);
        }
        let result = match (op, is_unsigned) {
            (BinaryOp::Div, true) => pool.bv_udiv(lhs, rhs),
            (BinaryOp::Div, false) => pool.bv_sdiv(lhs, rhs),
            (_, true) => pool.bv_urem(lhs, rhs),
            (_, false) => pool.bv_srem(lhs, rhs),
        };
        self.require(Hazard::Arithmetic(id), defined);
        result
    }

    /// Undefined unless the count is at least 0 and less than the width. A negative count is greater than any width if it is
    /// read as an unsigned number.
    fn shift(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        lhs: Term,
        (count, ty): (Term, TypeId),
        is_unsigned: bool,
    ) -> Term {
        let width = self.store.pool.width(lhs);
        let wide = self.store.pool.width(count).max(width).max(9);
        let count = self.resized(count, ty, wide);
        let pool = &mut self.store.pool;
        let bound = pool.bv(width, wide);
        let in_range = pool.bv_ult(count, bound);
        let count = pool.bv_extract(count, width - 1, 0);
        let result = match (op, is_unsigned) {
            (BinaryOp::Shl, _) => pool.bv_shl(lhs, count),
            (_, true) => pool.bv_lshr(lhs, count),
            (_, false) => pool.bv_ashr(lhs, count),
        };
        self.require(Hazard::Arithmetic(id), in_range);
        result
    }

    /// The address `index * stride` bytes behind another. One that is moved by more than a difference of pointers can be has
    /// left its object for good.
    pub(super) fn element_address(&mut self, pointer: Term, index: Term, stride: u64) -> Term {
        let factor = self.number(stride);
        let bytes = self.store.pool.bv_mul(index, factor);
        let address = self.store.pool.bv_add(pointer, bytes);
        let fits = self.fits(index, stride);
        if self.store.pool.as_bool(fits) == Some(true) {
            return address;
        }
        let lost = self.store.pool.fresh_symbol("lost", Sort::BitVec(self.pointer_width));
        self.store.pool.ite(fits, address, lost)
    }

    /// Whether so many elements have a number of bytes that is a difference of pointers. The way from one object to another
    /// leads out of the first.
    pub(super) fn fits(&mut self, index: Term, stride: u64) -> Term {
        if self.is_way(index) {
            return self.store.pool.bottom();
        }
        let half = 1u64 << (self.pointer_width - 1);
        if stride <= 1 || self.bits_of(index) + (u64::BITS - stride.leading_zeros()) < self.pointer_width {
            return self.store.pool.top();
        }
        let (low, high) = ((half / stride).wrapping_neg(), (half - 1) / stride);
        let (low, high) = (self.number(low & (u64::MAX >> (64 - self.pointer_width))), self.number(high));
        let pool = &mut self.store.pool;
        let (above, below) = (pool.bv_sle(low, index), pool.bv_sle(index, high));
        pool.and2(above, below)
    }

    /// How many bits a number may need, with its sign.
    pub(super) fn bits_of(&self, term: Term) -> u32 {
        use rorqual_logic::Op;
        let pool = &self.store.pool;
        match (pool.op(term), pool.arguments(term)) {
            (Op::SignExtend, &[inner]) => self.bits_of(inner),
            (Op::ZeroExtend, &[inner]) => pool.width(inner) + 1,
            (Op::Bits(bits), _) => {
                let magnitude = if bits.sign() { bits.not() } else { bits.clone() };
                magnitude.to_u64().map_or(pool.width(term), |number| 65 - number.leading_zeros())
            }
            (Op::Ite, &[_, then, otherwise]) if !pool.is_larger_than(term, 64) => {
                self.bits_of(then).max(self.bits_of(otherwise))
            }
            _ => pool.width(term),
        }
    }

    /// A difference. That of two pointers into one object is that of the offsets.
    fn subtracted(&mut self, lhs: Term, rhs: Term) -> Term {
        use super::addresses::Pointee;
        /// With more pairs, the difference of the numbers is taken.
        const MOST_PAIRS: usize = 64;
        let exact = self.store.pool.bv_sub(lhs, rhs);
        if self.store.pool.width(lhs) != self.pointer_width {
            return exact;
        }
        let (left, right) = (self.cases(lhs), self.cases(rhs));
        let points = |cases: &[super::addresses::Case]| {
            cases.iter().any(|case| matches!(case.pointee, Pointee::Object(_)))
        };
        if !points(&left)
            || !points(&right)
            || left.len() * right.len() > MOST_PAIRS
            || left.len() * right.len() == 1
        {
            return exact;
        }
        let mut result = exact;
        for one in left.iter() {
            for other in right.iter().filter(|other| other.pointee == one.pointee) {
                let both = self.store.pool.and2(one.guard, other.guard);
                let difference = self.store.pool.bv_sub(one.offset, other.offset);
                result = self.store.pool.ite(both, difference, result);
            }
        }
        result
    }

    /// That pointers to different objects are subtracted is undefined, but allowing it is sound.
    fn difference(&mut self, lhs: ExprId, rhs: ExprId, stride: u64, ty: TypeId) -> Term {
        let (lhs, rhs) = (self.eval(lhs), self.eval(rhs));
        if stride == 0 {
            return self.any_of(ty);
        }
        let bytes = self.subtracted(lhs, rhs);
        let stride = self.number(stride);
        let elements = self.store.pool.bv_sdiv(bytes, stride);
        let (target, width) = (self.width(ty), self.pointer_width);
        if target <= width {
            self.store.pool.bv_extract(elements, target - 1, 0)
        } else {
            self.store.pool.bv_sign_extend(elements, target)
        }
    }

    /// Computes in a width in which nothing is lost, and asks whether narrowing loses something.
    fn overflows(&mut self, op: OverflowOp, operands: [ExprId; 2], result: TypeId, ty: TypeId) -> Term {
        let types = operands.map(|operand| self.program.exprs[operand].ty);
        let values = operands.map(|operand| self.eval(operand));
        let is_bool = self.program.types.as_int(result) == Some(IntKind::Bool);
        let narrow = if is_bool { 1 } else { self.width(result) };
        let widths = values.map(|value| self.store.pool.width(value));
        let wide = match op {
            OverflowOp::Mul => widths[0] + widths[1] + 2,
            _ => widths[0].max(widths[1]) + 2,
        };
        let wide = wide.max(narrow + 1);
        let lhs = self.resized(values[0], types[0], wide);
        let rhs = self.resized(values[1], types[1], wide);
        let pool = &mut self.store.pool;
        let exact = match op {
            OverflowOp::Add => pool.bv_add(lhs, rhs),
            OverflowOp::Sub => pool.bv_sub(lhs, rhs),
            OverflowOp::Mul => pool.bv_mul(lhs, rhs),
        };
        let kept = pool.bv_extract(exact, narrow - 1, 0);
        let back = self.resized(kept, result, wide);
        let lost = self.store.pool.ne(back, exact);
        self.truth_value(lost, self.width(ty))
    }

    /// The value of a term, if it is a constant that fits.
    pub(super) fn constant(&self, term: Term) -> Option<u64> {
        self.store.pool.as_bits(term).and_then(Bits::to_u64)
    }
}

//! Formulas as expressions of automata.
//!
//! A vector of bits is an unsigned number of 32, 64 or 128 bits whose upper bits are zero. Expressions are strict, so a
//! formula is only written if its operations are defined for all values: divisors and counts of shifts are constants.

use std::collections::HashMap;

use rorqual_cfa::{BinaryOp, ExprId, ExprKind, IntKind, Program, TypeId, UnaryOp};
use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_source::Span;

/// What the symbols of formulas are, by their names.
pub(super) type Symbols = HashMap<String, ExprId>;

/// An expression that is non-zero where the formula holds; none if it cannot be written.
pub(super) fn condition(
    program: &mut Program,
    pool: &TermPool,
    formula: Term,
    symbols: &Symbols,
) -> Option<ExprId> {
    Lowering { program, pool, symbols, known: HashMap::new() }.of(formula)
}

/// Whether a formula can be written over symbols that are integers or pointers of their widths.
pub fn can_be_written(pool: &TermPool, formula: Term) -> bool {
    pool.subterms(&[formula]).into_iter().all(|term| {
        let arguments = pool.arguments(term);
        let is_constant = |at: usize| pool.as_bits(arguments[at]).is_some_and(|bits| !bits.is_zero());
        let fits = match pool.sort(term) {
            Sort::Bool => !matches!(pool.op(term), Op::Symbol(_)),
            Sort::BitVec(width) => width <= WIDEST,
            Sort::Array { .. } | Sort::Int => false,
        };
        fits && match pool.op(term) {
            Op::BvUdiv | Op::BvUrem => is_constant(1),
            Op::BvSdiv | Op::BvSrem => {
                is_constant(1) && !pool.as_bits(arguments[1]).is_some_and(rorqual_logic::Bits::is_ones)
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => count(pool, arguments[1]).is_some(),
            Op::Apply(_) | Op::IntLe => false,
            _ => true,
        }
    })
}

/// The widest integer.
const WIDEST: u32 = 128;

/// A shift by a constant within the width.
fn count(pool: &TermPool, term: Term) -> Option<u32> {
    let count = pool.as_bits(term)?.to_u64()?;
    u32::try_from(count).ok().filter(|&count| count < pool.width(term))
}

struct Lowering<'a> {
    program: &'a mut Program,
    pool: &'a TermPool,
    symbols: &'a Symbols,
    known: HashMap<Term, ExprId>,
}

impl Lowering<'_> {
    fn of(&mut self, term: Term) -> Option<ExprId> {
        if let Some(&known) = self.known.get(&term) {
            return Some(known);
        }
        let expr = match self.pool.sort(term) {
            Sort::Bool => self.boolean(term)?,
            Sort::BitVec(width) if width <= WIDEST => self.vector(term, width)?,
            Sort::BitVec(_) | Sort::Array { .. } | Sort::Int => return None,
        };
        self.known.insert(term, expr);
        Some(expr)
    }

    fn all(&mut self, terms: &[Term]) -> Option<Vec<ExprId>> {
        terms.iter().map(|&term| self.of(term)).collect()
    }

    fn boolean(&mut self, term: Term) -> Option<ExprId> {
        let arguments = self.pool.arguments(term);
        let signed = matches!(self.pool.op(term), Op::BvSlt | Op::BvSle);
        let op = match self.pool.op(term) {
            Op::Bool(value) => {
                let int = self.int();
                return Some(self.number(i128::from(*value), int));
            }
            Op::Not => {
                let operand = self.of(arguments[0])?;
                return Some(self.is_zero(operand));
            }
            Op::And | Op::Or => {
                let op = if matches!(self.pool.op(term), Op::And) { BinaryOp::And } else { BinaryOp::Or };
                let parts = self.all(arguments)?;
                return parts.into_iter().reduce(|one, other| self.binary(op, one, other));
            }
            Op::Ite => {
                let parts = self.all(arguments)?;
                let not = self.is_zero(parts[0]);
                let then = self.binary(BinaryOp::And, parts[0], parts[1]);
                let otherwise = self.binary(BinaryOp::And, not, parts[2]);
                return Some(self.binary(BinaryOp::Or, then, otherwise));
            }
            Op::Eq => BinaryOp::Eq,
            Op::BvUlt | Op::BvSlt => BinaryOp::Lt,
            Op::BvUle | Op::BvSle => BinaryOp::Le,
            _ => return None,
        };
        let mut sides = self.all(arguments)?;
        if signed {
            for (side, &argument) in sides.iter_mut().zip(arguments) {
                *side = self.signed(*side, self.pool.width(argument));
            }
        }
        let int = self.int();
        Some(self.typed(op, sides[0], sides[1], int))
    }

    fn vector(&mut self, term: Term, width: u32) -> Option<ExprId> {
        let arguments = self.pool.arguments(term).to_vec();
        let expr = match self.pool.op(term) {
            Op::Bits(bits) => {
                let value: u128 = bits.unsigned().try_into().ok()?;
                let ty = self.unsigned_type(width);
                return Some(self.number(value as i128, ty));
            }
            Op::Symbol(symbol) => return self.symbol(*symbol, width),
            Op::Ite => {
                let parts = self.all(&arguments)?;
                return Some(self.choice(parts[0], parts[1], parts[2], width));
            }
            Op::Concat => {
                let parts = self.all(&arguments)?;
                let low = self.pool.width(arguments[1]);
                let (high, rest) = (self.resized(parts[0], width), self.resized(parts[1], width));
                let moved = self.shift(BinaryOp::Shl, high, low);
                self.binary(BinaryOp::Or, moved, rest)
            }
            &Op::Extract { low, .. } => {
                let whole = self.of(arguments[0])?;
                let moved = self.shift(BinaryOp::Shr, whole, low);
                self.resized(moved, width)
            }
            Op::ZeroExtend => {
                let inner = self.of(arguments[0])?;
                return Some(self.resized(inner, width));
            }
            Op::SignExtend => {
                let inner = self.of(arguments[0])?;
                let signed = self.signed(inner, self.pool.width(arguments[0]));
                self.resized(signed, width)
            }
            Op::BvNot => self.unary(UnaryOp::Not, arguments[0])?,
            Op::BvNeg => self.unary(UnaryOp::Negate, arguments[0])?,
            op => self.arithmetic(&op.clone(), &arguments, width)?,
        };
        Some(self.cut(expr, width))
    }

    fn arithmetic(&mut self, op: &Op, arguments: &[Term], width: u32) -> Option<ExprId> {
        let plain = match op {
            Op::BvAdd => BinaryOp::Add,
            Op::BvMul => BinaryOp::Mul,
            Op::BvAnd => BinaryOp::And,
            Op::BvOr => BinaryOp::Or,
            Op::BvXor => BinaryOp::Xor,
            Op::BvUdiv | Op::BvSdiv => BinaryOp::Div,
            Op::BvUrem | Op::BvSrem => BinaryOp::Rem,
            Op::BvShl => BinaryOp::Shl,
            Op::BvLshr | Op::BvAshr => BinaryOp::Shr,
            _ => return None,
        };
        let mut parts = self.all(arguments)?;
        match op {
            Op::BvShl | Op::BvLshr => {
                let by = count(self.pool, arguments[1])?;
                return Some(self.shift(plain, parts[0], by));
            }
            Op::BvAshr => {
                let by = count(self.pool, arguments[1])?;
                let signed = self.signed(parts[0], width);
                let moved = self.shift(plain, signed, by);
                return Some(self.resized(moved, width));
            }
            Op::BvSdiv | Op::BvSrem => {
                for part in &mut parts {
                    *part = self.signed(*part, width);
                }
                let result = self.binary(plain, parts[0], parts[1]);
                return Some(self.resized(result, width));
            }
            _ => {}
        }
        parts.into_iter().reduce(|one, other| self.binary(plain, one, other))
    }

    fn symbol(&mut self, symbol: rorqual_logic::SymbolId, width: u32) -> Option<ExprId> {
        let expr = *self.symbols.get(self.pool.symbol_name(symbol))?;
        let ty = self.program.exprs[expr].ty;
        let types = &self.program.types;
        let is_number = types.is_integer(ty) || types.pointee(ty).is_some();
        if !is_number || types.width(ty) != width {
            return None;
        }
        // A signed number first becomes the unsigned one of its own width.
        let own = match width {
            8 => IntKind::UnsignedChar,
            16 => IntKind::UnsignedShort,
            _ => return Some(self.resized(expr, width)),
        };
        let own = self.program.types.int(own);
        let narrow = self.convert(expr, own);
        Some(self.resized(narrow, width))
    }

    /// `condition ? then : otherwise`, for a condition that is 0 or 1.
    fn choice(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, width: u32) -> ExprId {
        let condition = self.resized(condition, width);
        let ty = self.program.exprs[condition].ty;
        let mask = self.add(ExprKind::Unary { op: UnaryOp::Negate, operand: condition }, ty);
        let rest = self.add(ExprKind::Unary { op: UnaryOp::Not, operand: mask }, ty);
        let then = self.binary(BinaryOp::And, then, mask);
        let otherwise = self.binary(BinaryOp::And, otherwise, rest);
        self.binary(BinaryOp::Or, then, otherwise)
    }

    fn unary(&mut self, op: UnaryOp, operand: Term) -> Option<ExprId> {
        let operand = self.of(operand)?;
        let ty = self.program.exprs[operand].ty;
        Some(self.add(ExprKind::Unary { op, operand }, ty))
    }

    fn shift(&mut self, op: BinaryOp, value: ExprId, by: u32) -> ExprId {
        let int = self.int();
        let count = self.number(i128::from(by), int);
        self.binary(op, value, count)
    }

    /// An unsigned number of so many bits, read as a signed one.
    fn signed(&mut self, value: ExprId, width: u32) -> ExprId {
        let (of, ty) = match container(width) {
            32 => (32, IntKind::Int),
            64 => (64, IntKind::LongLong),
            _ => (WIDEST, IntKind::Int128),
        };
        let ty = self.program.types.int(ty);
        let high = self.shift(BinaryOp::Shl, value, of - width);
        let signed = self.convert(high, ty);
        self.shift(BinaryOp::Shr, signed, of - width)
    }

    /// A number in the type for a width. Signed ones are extended by their sign.
    fn resized(&mut self, value: ExprId, width: u32) -> ExprId {
        let ty = self.unsigned_type(width);
        self.convert(value, ty)
    }

    /// The lowest bits.
    fn cut(&mut self, value: ExprId, width: u32) -> ExprId {
        if width == container(width) {
            return value;
        }
        let ty = self.unsigned_type(width);
        let mask = self.number((1i128 << width) - 1, ty);
        self.binary(BinaryOp::And, value, mask)
    }

    fn unsigned_type(&mut self, width: u32) -> TypeId {
        self.program.types.int(match container(width) {
            32 => IntKind::UnsignedInt,
            64 => IntKind::UnsignedLongLong,
            _ => IntKind::UnsignedInt128,
        })
    }

    fn convert(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        if self.program.exprs[value].ty == ty { value } else { self.add(ExprKind::Convert(value), ty) }
    }

    fn int(&mut self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    fn number(&mut self, value: i128, ty: TypeId) -> ExprId {
        self.add(ExprKind::Int(value), ty)
    }

    fn is_zero(&mut self, operand: ExprId) -> ExprId {
        let int = self.int();
        self.add(ExprKind::Unary { op: UnaryOp::IsZero, operand }, int)
    }

    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let ty = self.program.exprs[lhs].ty;
        self.typed(op, lhs, rhs, ty)
    }

    fn typed(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> ExprId {
        self.add(ExprKind::Binary { op, lhs, rhs }, ty)
    }

    fn add(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.add_expr(kind, ty, Span::NONE)
    }
}

/// The width of the type that so many bits are kept in.
fn container(width: u32) -> u32 {
    match width {
        0..=32 => 32,
        33..=64 => 64,
        _ => WIDEST,
    }
}

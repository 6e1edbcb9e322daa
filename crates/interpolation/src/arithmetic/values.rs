//! Bit-vector terms as linear expressions.
//!
//! Sums and multiples are computed modulo a power of two: an expression that is congruent to the term is
//! brought into the range of a view only where a comparison or an extension needs the number itself, so that
//! `x + y + z` wraps once. What is not linear is an integer of its part, with facts that are true of it.

use dashu::integer::IBig;
use rorqual_logic::{Bits, Op, Term};
use rorqual_solver::theory::linear::{Constraint, LinearExpr, Variable};

use super::table::{View, power};
use super::translate::{Translator, Wrapping};

impl Translator<'_> {
    /// The number that a term is in a view.
    pub(super) fn value(&mut self, term: Term, view: View) -> LinearExpr {
        if let Some(known) = self.values.get(&(self.part, term, view)) {
            return known.clone();
        }
        let congruent = self.congruent(term);
        let width = self.pool.width(term);
        let value = match (self.wrapping, self.pool.as_bits(term)) {
            (_, Some(bits)) => LinearExpr::constant_of(number(bits, view)),
            (Wrapping::Ignored, None) => congruent,
            (Wrapping::Explicit, None) => self.table.wrapped(self.part, congruent, width, view),
        };
        self.values.insert((self.part, term, view), value.clone());
        value
    }

    /// An expression that differs from the term by a multiple of 2^width.
    fn congruent(&mut self, term: Term) -> LinearExpr {
        if let Some(known) = self.congruent.get(&(self.part, term)) {
            return known.clone();
        }
        let expr = self.congruent_new(term);
        self.congruent.insert((self.part, term), expr.clone());
        expr
    }

    fn congruent_new(&mut self, term: Term) -> LinearExpr {
        let arguments = self.pool.arguments(term).to_vec();
        let width = self.pool.width(term);
        let constant = |at: usize| self.pool.as_bits(arguments[at]).cloned();
        match self.pool.op(term).clone() {
            Op::Bits(bits) => LinearExpr::constant_of(bits.signed()),
            // Elements of arrays and results of functions are integers that parts share like symbols: a part
            // that has such a term has its symbols too.
            Op::Symbol(_) | Op::Select | Op::Apply(_) => {
                let view = self.views.get(&term).copied().unwrap_or(View::Signed);
                LinearExpr::variable(self.table.symbol(self.pool, self.part, term, view))
            }
            Op::BvAdd => {
                let mut sum = self.congruent(arguments[0]);
                let other = self.congruent(arguments[1]);
                sum.add_scaled(&IBig::ONE, &other);
                sum
            }
            Op::BvNeg => self.congruent(arguments[0]).negated(),
            Op::BvNot => {
                let mut negated = self.congruent(arguments[0]).negated();
                negated.add_constant(&IBig::NEG_ONE);
                negated
            }
            Op::BvMul => match constant(0) {
                Some(factor) => self.scaled(arguments[1], &factor.signed()),
                None => self.opaque(term),
            },
            Op::BvShl => match shift(constant(1), width) {
                Some(count) => self.scaled(arguments[0], &power(count)),
                None => self.opaque(term),
            },
            Op::BvLshr => match shift(constant(1), width) {
                Some(count) => self.divided(arguments[0], View::Unsigned, &power(count)).0,
                None => self.opaque(term),
            },
            Op::BvAshr => match shift(constant(1), width) {
                Some(count) => self.divided(arguments[0], View::Signed, &power(count)).0,
                None => self.opaque(term),
            },
            Op::BvUdiv => match divisor(constant(1)) {
                Some(divisor) => self.divided(arguments[0], View::Unsigned, &divisor).0,
                None => self.opaque(term),
            },
            Op::BvUrem => match divisor(constant(1)) {
                Some(divisor) => self.divided(arguments[0], View::Unsigned, &divisor).1,
                None => self.opaque(term),
            },
            Op::BvAnd => match constant(0).and_then(|bits| mask(&bits)) {
                Some(size) => self.divided(arguments[1], View::Unsigned, &size).1,
                None => self.conjunction_of_bits(term),
            },
            Op::BvOr => self.disjunction_of_bits(term),
            Op::ZeroExtend => self.value(arguments[0], View::Unsigned),
            Op::SignExtend => self.value(arguments[0], View::Signed),
            Op::Extract { low: 0, .. } => self.congruent(arguments[0]),
            Op::Extract { low, .. } => self.divided(arguments[0], View::Unsigned, &power(low)).0,
            Op::Concat => {
                let shift = power(self.pool.width(arguments[1]));
                let mut sum = self.value(arguments[1], View::Unsigned);
                let high = self.congruent(arguments[0]);
                sum.add_scaled(&shift, &high);
                sum
            }
            Op::Ite => self.choice(&arguments, width),
            _ => self.opaque(term),
        }
    }

    fn scaled(&mut self, term: Term, factor: &IBig) -> LinearExpr {
        let mut product = LinearExpr::default();
        let expr = self.congruent(term);
        product.add_scaled(factor, &expr);
        product
    }

    /// Quotient (rounded down) and remainder of a term by a positive constant.
    fn divided(&mut self, term: Term, view: View, divisor: &IBig) -> (LinearExpr, LinearExpr) {
        let value = self.value(term, view);
        let (low, high) = view.range(self.pool.width(term));
        let floor = |number: IBig| dashu::base::DivEuclid::div_euclid(number, divisor.clone());
        let quotient = self.table.local(self.part, &(floor(low), floor(high)));
        let remainder = self.table.local(self.part, &(IBig::ZERO, divisor - IBig::ONE));
        let (quotient, remainder) = (LinearExpr::variable(quotient), LinearExpr::variable(remainder));
        let mut sum = remainder.clone();
        sum.add_scaled(divisor, &quotient);
        for constraint in Constraint::eq(&value, &sum) {
            self.table.assert(self.part, &constraint);
        }
        (quotient, remainder)
    }

    /// A number that is one of two, by a condition.
    fn choice(&mut self, arguments: &[Term], width: u32) -> LinearExpr {
        let condition = self.literal(arguments[0]);
        let chosen = LinearExpr::variable(self.table.local(self.part, &View::Signed.range(width)));
        for (guard, branch) in [(-condition, arguments[1]), (condition, arguments[2])] {
            let value = self.value(branch, View::Signed);
            for constraint in Constraint::eq(&chosen, &value) {
                let literal = self.table.literal(&constraint);
                self.table.clause(self.part, vec![guard, literal]);
            }
        }
        chosen
    }

    /// A term that arithmetic knows nothing about but its range.
    fn opaque(&mut self, term: Term) -> LinearExpr {
        LinearExpr::variable(self.opaque_integer(term))
    }

    fn opaque_integer(&mut self, term: Term) -> Variable {
        self.table.local(self.part, &View::Unsigned.range(self.pool.width(term)))
    }

    /// `x & y` is at most `x` and at most `y`.
    fn conjunction_of_bits(&mut self, term: Term) -> LinearExpr {
        let result = self.opaque(term);
        for argument in self.pool.arguments(term).to_vec() {
            let value = self.value(argument, View::Unsigned);
            self.table.assert(self.part, &Constraint::le(&result, &value));
        }
        result
    }

    /// `x | y` is at least `x`, at least `y`, and at most `x + y`.
    fn disjunction_of_bits(&mut self, term: Term) -> LinearExpr {
        let result = self.opaque(term);
        let mut sum = LinearExpr::default();
        for argument in self.pool.arguments(term).to_vec() {
            let value = self.value(argument, View::Unsigned);
            self.table.assert(self.part, &Constraint::le(&value, &result));
            sum.add_scaled(&IBig::ONE, &value);
        }
        self.table.assert(self.part, &Constraint::le(&result, &sum));
        result
    }
}

fn number(bits: &Bits, view: View) -> IBig {
    match view {
        View::Signed => bits.signed(),
        View::Unsigned => IBig::from(bits.unsigned().clone()),
    }
}

fn shift(count: Option<Bits>, width: u32) -> Option<u32> {
    let count = count?.to_u64()?;
    (count < u64::from(width)).then_some(count as u32)
}

fn divisor(bits: Option<Bits>) -> Option<IBig> {
    let bits = bits?;
    (!bits.is_zero()).then(|| IBig::from(bits.unsigned().clone()))
}

/// 2^n, if the bits are 2^n - 1.
fn mask(bits: &Bits) -> Option<IBig> {
    let above = bits.zero_extend(bits.width() + 1).add(&Bits::new(1u8, bits.width() + 1));
    above.log2().map(power)
}

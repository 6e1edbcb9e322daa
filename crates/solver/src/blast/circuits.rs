//! Circuits of the bit-vector operations. A vector is a slice of literals, lowest bit first.

use crate::blast::gates::{FALSE, Gates, TRUE};
use crate::proof::Literal;

type Vector = Vec<Literal>;

impl Gates {
    pub(crate) fn not_vector(vector: &[Literal]) -> Vector {
        vector.iter().map(|&bit| -bit).collect()
    }

    /// The operation on each pair of bits.
    pub(crate) fn zipped(
        &mut self,
        lhs: &[Literal],
        rhs: &[Literal],
        gate: fn(&mut Gates, Literal, Literal) -> Literal,
    ) -> Vector {
        lhs.iter().zip(rhs).map(|(&lhs, &rhs)| gate(self, lhs, rhs)).collect()
    }

    /// `lhs + rhs + carry`, and the carry out.
    fn add_with_carry(&mut self, lhs: &[Literal], rhs: &[Literal], carry: Literal) -> (Vector, Literal) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(lhs.len());
        for (&lhs, &rhs) in lhs.iter().zip(rhs) {
            let half = self.xor(lhs, rhs);
            sum.push(self.xor(half, carry));
            carry = self.majority(lhs, rhs, carry);
        }
        (sum, carry)
    }

    pub(crate) fn add(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Vector {
        self.add_with_carry(lhs, rhs, FALSE).0
    }

    pub(crate) fn negate(&mut self, vector: &[Literal]) -> Vector {
        let zero = vec![FALSE; vector.len()];
        self.add_with_carry(&zero, &Gates::not_vector(vector), TRUE).0
    }

    /// Shift and add; the operand with more constant bits selects the summands.
    pub(crate) fn multiply(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Vector {
        let constants = |vector: &[Literal]| vector.iter().filter(|bit| bit.abs() == TRUE).count();
        let (factor, shifted) = if constants(lhs) >= constants(rhs) { (lhs, rhs) } else { (rhs, lhs) };
        let width = factor.len();
        if factor.iter().all(|bit| bit.abs() == TRUE) {
            return self.multiple(factor, shifted);
        }
        let mut product = vec![FALSE; width];
        for (at, &bit) in factor.iter().enumerate() {
            if bit == FALSE {
                continue;
            }
            let summand: Vector = shifted[..width - at].iter().map(|&other| self.and(bit, other)).collect();
            let sum = self.add(&product[at..], &summand);
            product.truncate(at);
            product.extend(sum);
        }
        product
    }

    /// The multiple by a constant, with as few summands as there can be: a run of ones is the difference of two powers of
    /// two. The factors of linear equations are often small negative numbers, which are almost all ones.
    fn multiple(&mut self, factor: &[Literal], of: &[Literal]) -> Vector {
        let width = factor.len();
        let mut product = vec![FALSE; width];
        let mut carry = false;
        for at in 0..width {
            if (factor[at] == TRUE) == carry {
                continue;
            }
            let is_negative = factor.get(at + 1) == Some(&TRUE);
            carry = is_negative;
            let summand = &of[..width - at];
            let sum = if is_negative {
                self.add_with_carry(&product[at..], &Gates::not_vector(summand), TRUE).0
            } else {
                self.add(&product[at..], summand)
            };
            product.truncate(at);
            product.extend(sum);
        }
        product
    }

    /// Quotient and remainder by restoring division. For a divisor of zero every subtraction
    /// succeeds and takes nothing away, which gives SMT-LIB's answers: all ones, and the dividend.
    pub(crate) fn divide(&mut self, dividend: &[Literal], divisor: &[Literal]) -> (Vector, Vector) {
        let width = dividend.len();
        // The remainder is less than a divisor that is not zero, so it has no more bits.
        let significant = divisor.iter().rposition(|&bit| bit != FALSE).map_or(width, |highest| highest + 1);
        let kept = if divisor.contains(&TRUE) { significant } else { width };
        let mut wide_divisor = divisor[..kept].to_vec();
        wide_divisor.push(FALSE);
        let minus_divisor = Gates::not_vector(&wide_divisor);
        let mut remainder = vec![FALSE; kept];
        let mut quotient = vec![FALSE; width];
        for at in (0..width).rev() {
            remainder.insert(0, dividend[at]);
            let (difference, fits) = self.add_with_carry(&remainder, &minus_divisor, TRUE);
            quotient[at] = fits;
            remainder = self.choose(fits, &difference, &remainder);
            remainder.truncate(kept);
        }
        remainder.resize(width, FALSE);
        self.bound_results(dividend, divisor, &quotient, &remainder);
        (quotient, remainder)
    }

    /// How large the results of a division are at most. The circuit says so only by way of all its subtractions.
    fn bound_results(
        &mut self,
        dividend: &[Literal],
        divisor: &[Literal],
        quotient: &[Literal],
        remainder: &[Literal],
    ) {
        let is_divided = self.or_many(divisor);
        let is_less = self.unsigned_less(remainder, divisor);
        self.consequence(&[-is_divided, is_less]);
        let is_more = self.unsigned_less(dividend, remainder);
        self.consequence(&[-is_more]);
        let is_more = self.unsigned_less(dividend, quotient);
        self.consequence(&[-is_divided, -is_more]);
    }

    fn magnitude(&mut self, vector: &[Literal]) -> Vector {
        let negated = self.negate(vector);
        self.choose(sign(vector), &negated, vector)
    }

    fn negate_if(&mut self, condition: Literal, vector: &[Literal]) -> Vector {
        let negated = self.negate(vector);
        self.choose(condition, &negated, vector)
    }

    pub(crate) fn signed_quotient(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Vector {
        let (lhs_magnitude, rhs_magnitude) = (self.magnitude(lhs), self.magnitude(rhs));
        let (quotient, _) = self.divide(&lhs_magnitude, &rhs_magnitude);
        let differ = self.xor(sign(lhs), sign(rhs));
        self.negate_if(differ, &quotient)
    }

    pub(crate) fn signed_remainder(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Vector {
        let (lhs_magnitude, rhs_magnitude) = (self.magnitude(lhs), self.magnitude(rhs));
        let (_, remainder) = self.divide(&lhs_magnitude, &rhs_magnitude);
        self.negate_if(sign(lhs), &remainder)
    }

    /// `condition ? then : otherwise`, bit by bit.
    pub(crate) fn choose(&mut self, condition: Literal, then: &[Literal], otherwise: &[Literal]) -> Vector {
        let bits = then.iter().zip(otherwise);
        bits.map(|(&then, &otherwise)| self.ite(condition, then, otherwise)).collect()
    }

    pub(crate) fn shift_left(&mut self, vector: &[Literal], count: &[Literal]) -> Vector {
        let reversed: Vector = vector.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, count, FALSE);
        shifted.reverse();
        shifted
    }

    /// A barrel shifter, with `fill` for the bits that move in.
    pub(crate) fn shift_right(&mut self, vector: &[Literal], count: &[Literal], fill: Literal) -> Vector {
        let width = vector.len();
        let mut shifted = vector.to_vec();
        let mut overlong = Vec::new();
        for (stage, &bit) in count.iter().enumerate() {
            let distance = u32::try_from(stage).ok().and_then(|stage| 1usize.checked_shl(stage));
            match distance.filter(|&distance| distance < width) {
                Some(distance) => {
                    let moved: Vector =
                        (0..width).map(|at| *shifted.get(at + distance).unwrap_or(&fill)).collect();
                    shifted = self.choose(bit, &moved, &shifted);
                }
                None => overlong.push(bit),
            }
        }
        let overlong = self.or_many(&overlong);
        self.choose(overlong, &vec![fill; width], &shifted)
    }

    pub(crate) fn equal(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Literal {
        let bits = self.zipped(lhs, rhs, Gates::iff);
        self.and_many(&bits)
    }

    /// `lhs < rhs` without signs: the subtraction borrows.
    pub(crate) fn unsigned_less(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Literal {
        let mut less = FALSE;
        for (&lhs, &rhs) in lhs.iter().zip(rhs) {
            less = self.majority(-lhs, rhs, less);
        }
        less
    }

    /// `lhs < rhs` in two's complement: flipped signs order the vectors as unsigned ones.
    pub(crate) fn signed_less(&mut self, lhs: &[Literal], rhs: &[Literal]) -> Literal {
        self.unsigned_less(&sign_flipped(lhs), &sign_flipped(rhs))
    }
}

fn sign(vector: &[Literal]) -> Literal {
    *vector.last().expect("vectors have at least one bit")
}

fn sign_flipped(vector: &[Literal]) -> Vector {
    let mut flipped = vector.to_vec();
    if let Some(top) = flipped.last_mut() {
        *top = -*top;
    }
    flipped
}

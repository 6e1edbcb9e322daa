//! Values of bit-vector sorts, with the operations of SMT-LIB on them.

use std::fmt;

use dashu::base::{BitTest, PowerOfTwo};
use dashu::integer::{IBig, UBig};

/// A vector of bits: an unsigned number below 2^width.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    width: u32,
    value: UBig,
}

impl Bits {
    /// The vector of `value` modulo 2^width.
    pub fn new(value: impl Into<UBig>, width: u32) -> Bits {
        let value = value.into();
        let fits = value.bit_len() <= width as usize;
        Bits { width, value: if fits { value } else { value & mask(width) } }
    }

    /// The two's complement of `value` modulo 2^width.
    pub fn from_signed(value: &IBig, width: u32) -> Bits {
        let modulus = IBig::from(UBig::ONE << width as usize);
        let reduced = ((value % &modulus) + &modulus) % &modulus;
        let value = UBig::try_from(reduced).expect("a sum with the modulus is not negative");
        Bits { width, value }
    }

    /// All bits one.
    pub fn ones(width: u32) -> Bits {
        Bits { width, value: mask(width) }
    }

    /// How many bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value as an unsigned number.
    pub fn unsigned(&self) -> &UBig {
        &self.value
    }

    /// The value as a number in two's complement.
    pub fn signed(&self) -> IBig {
        let value = IBig::from(self.value.clone());
        if self.sign() { value - IBig::from(UBig::ONE << self.width as usize) } else { value }
    }

    /// The value as a machine word, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(&self.value).ok()
    }

    /// Whether the highest bit is one.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// The bit with the given weight.
    pub fn bit(&self, at: u32) -> bool {
        self.value.bit(at as usize)
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    /// Whether the value is 1.
    pub fn is_one(&self) -> bool {
        self.value.is_one()
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        self.value == mask(self.width)
    }

    /// The exponent, if the value is a power of two.
    pub fn log2(&self) -> Option<u32> {
        self.value.is_power_of_two().then(|| self.value.bit_len() as u32 - 1)
    }

    fn with(&self, value: UBig) -> Bits {
        Bits::new(value, self.width)
    }

    /// `bvnot`
    #[must_use]
    pub fn not(&self) -> Bits {
        Bits { width: self.width, value: mask(self.width) - &self.value }
    }

    /// `bvneg`
    #[must_use]
    pub fn neg(&self) -> Bits {
        self.not().add(&Bits::new(1u8, self.width))
    }

    /// `bvadd`
    #[must_use]
    pub fn add(&self, other: &Bits) -> Bits {
        self.with(&self.value + &other.value)
    }

    /// `bvsub`
    #[must_use]
    pub fn sub(&self, other: &Bits) -> Bits {
        self.add(&other.neg())
    }

    /// `bvmul`
    #[must_use]
    pub fn mul(&self, other: &Bits) -> Bits {
        self.with(&self.value * &other.value)
    }

    /// `bvudiv`: all ones for a divisor of zero.
    #[must_use]
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() { Bits::ones(self.width) } else { self.with(&self.value / &other.value) }
    }

    /// `bvurem`: the dividend for a divisor of zero.
    #[must_use]
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() { self.clone() } else { self.with(&self.value % &other.value) }
    }

    /// `bvsdiv`: towards zero, with `bvudiv`'s answer for a divisor of zero.
    #[must_use]
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.sign() == other.sign() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`: with the sign of the dividend.
    #[must_use]
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.sign() { remainder.neg() } else { remainder }
    }

    fn magnitude(&self) -> Bits {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// `bvshl`
    #[must_use]
    pub fn shl(&self, count: &Bits) -> Bits {
        match self.shift_count(count) {
            Some(count) => self.with(&self.value << count),
            None => Bits::new(0u8, self.width),
        }
    }

    /// `bvlshr`
    #[must_use]
    pub fn lshr(&self, count: &Bits) -> Bits {
        match self.shift_count(count) {
            Some(count) => self.with(&self.value >> count),
            None => Bits::new(0u8, self.width),
        }
    }

    /// `bvashr`
    #[must_use]
    pub fn ashr(&self, count: &Bits) -> Bits {
        if self.sign() { self.not().lshr(count).not() } else { self.lshr(count) }
    }

    /// The count of a shift, unless it moves every bit out.
    fn shift_count(&self, count: &Bits) -> Option<usize> {
        let count = usize::try_from(&count.value).ok()?;
        (count < self.width as usize).then_some(count)
    }

    /// `bvand`
    #[must_use]
    pub fn and(&self, other: &Bits) -> Bits {
        self.with(&self.value & &other.value)
    }

    /// `bvor`
    #[must_use]
    pub fn or(&self, other: &Bits) -> Bits {
        self.with(&self.value | &other.value)
    }

    /// `bvxor`
    #[must_use]
    pub fn xor(&self, other: &Bits) -> Bits {
        self.with(&self.value ^ &other.value)
    }

    /// `concat`: this vector above the other.
    #[must_use]
    pub fn concat(&self, low: &Bits) -> Bits {
        Bits::new((&self.value << low.width as usize) | &low.value, self.width + low.width)
    }

    /// `extract`: the bits from `low` up to and including `high`.
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        Bits::new(&self.value >> low as usize, high - low + 1)
    }

    /// `zero_extend` to a width.
    #[must_use]
    pub fn zero_extend(&self, width: u32) -> Bits {
        Bits::new(self.value.clone(), width)
    }

    /// `sign_extend` to a width.
    #[must_use]
    pub fn sign_extend(&self, width: u32) -> Bits {
        Bits::from_signed(&self.signed(), width)
    }
}

fn mask(width: u32) -> UBig {
    (UBig::ONE << width as usize) - UBig::ONE
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.value, self.width)
    }
}

impl fmt::Display for Bits {
    /// As SMT-LIB writes it: `#x` and digits where the width allows, else `#b`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width.is_multiple_of(4) {
            return write!(f, "#x{:0>width$x}", self.value, width = self.width as usize / 4);
        }
        write!(f, "#b{:0>width$b}", self.value, width = self.width as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: u8) -> Bits {
        Bits::new(value, 4)
    }

    #[test]
    fn operations_agree_with_machine_arithmetic() {
        let signed = |value: u8| (i32::from(value) << 28) >> 28;
        for a in 0..16u8 {
            for b in 0..16u8 {
                let (x, y) = (bits(a), bits(b));
                let expect =
                    |result: Bits, wanted: i32| assert_eq!(result, bits((wanted & 15) as u8), "{a} {b}");
                expect(x.add(&y), i32::from(a) + i32::from(b));
                expect(x.sub(&y), i32::from(a) - i32::from(b));
                expect(x.mul(&y), i32::from(a) * i32::from(b));
                expect(x.ashr(&y), signed(a) >> b.min(31));
                expect(x.shl(&y), if b < 4 { i32::from(a) << b } else { 0 });
                if b != 0 {
                    expect(x.sdiv(&y), signed(a) / signed(b));
                    expect(x.srem(&y), signed(a) % signed(b));
                    expect(x.udiv(&y), i32::from(a / b));
                    expect(x.urem(&y), i32::from(a % b));
                }
                assert_eq!(x.concat(&y).extract(7, 4), x);
                assert_eq!(x.sign_extend(9).signed(), x.signed());
            }
        }
    }

    #[test]
    fn values_print_as_smt_lib_writes_them() {
        assert_eq!(Bits::new(10u8, 8).to_string(), "#x0a");
        assert_eq!(Bits::new(5u8, 5).to_string(), "#b00101");
    }
}

//! Random numbers that are the same everywhere.

use rorqual_cfa::{DataModel, FloatKind};

use crate::float;
use crate::inputs::UNSIGNED_128;
use crate::value::{IntShape, Pointer, Scalar, Shape};

/// Sebastiano Vigna's generator `SplitMix64`.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The generator with a seed: equal seeds give equal numbers.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Small numbers and bounds are more likely than chance would have them, because
    /// programs test for them.
    pub(crate) fn value(&mut self, shape: Shape, model: DataModel) -> Scalar {
        match shape {
            Shape::Int(shape) if shape.boolean => Scalar::Int(i128::from(self.number() & 1)),
            Shape::Int(shape) => Scalar::Int(shape.wrap(self.bits(shape.width))),
            Shape::Float(kind) => Scalar::Float(self.float(kind)),
            _ => {
                let width = model.pointer_width();
                let shape = IntShape { width, ..UNSIGNED_128 };
                let address = shape.wrap(self.bits(width)) as u64;
                Scalar::Pointer(Pointer::invalid(address))
            }
        }
    }

    fn bits(&mut self, width: u32) -> i128 {
        let wide = (i128::from(self.number()) << 64) | i128::from(self.number());
        match self.number() % 8 {
            0 | 1 => wide & 1,
            2 | 3 => wide & 15,
            4 => -(wide & 15),
            5 => (1i128 << (width - 1)).wrapping_sub(wide & 1),
            _ => wide,
        }
    }

    fn float(&mut self, kind: FloatKind) -> u128 {
        let int = IntShape { signed: true, ..UNSIGNED_128 };
        match self.number() % 4 {
            0 | 1 => float::from_int(kind, i128::from(self.number() as i8), int, float::TO_NEAREST),
            2 => {
                let quotient = f64::from(self.number() as i32) / 65536.0;
                float::convert(FloatKind::Double, kind, float::from_f64(quotient), float::TO_NEAREST)
            }
            _ => float::convert(FloatKind::Double, kind, u128::from(self.number()), float::TO_NEAREST),
        }
    }
}

//! Constants as C writes them.

use rorqual_cfa::{FloatKind, Type};
use rorqual_interpreter::InputValue;

/// An integer constant expression with the value, of a type that can hold it. Values from `-2^63` up to
/// `2^64 - 1` are written so that every compiler reads them; larger ones need `__int128`.
pub(crate) fn integer(value: i128) -> String {
    const INT_MIN: i128 = i32::MIN as i128;
    const LONG_MIN: i128 = i64::MIN as i128;
    match value {
        // The constant of `-2147483648` does not fit into `int` before its sign is applied.
        INT_MIN => format!("({} - 1)", INT_MIN + 1),
        LONG_MIN => format!("({}LL - 1)", LONG_MIN + 1),
        _ if i32::try_from(value).is_ok() => value.to_string(),
        _ if i64::try_from(value).is_ok() => format!("{value}LL"),
        _ if u64::try_from(value).is_ok() => format!("{value}ULL"),
        _ => {
            let bits = value as u128;
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            format!("((__int128)(((unsigned __int128){high}ULL << 64) | {low}ULL))")
        }
    }
}

/// An input as a constant of its type; `None` for numbers that no constant of standard C denotes.
pub(crate) fn input(value: InputValue, ty: &Type) -> Option<String> {
    match value {
        InputValue::Int(value) => Some(integer(value)),
        InputValue::Address(address) => Some(integer(i128::from(address))),
        InputValue::Float(kind, _) => {
            let text = value.to_string();
            let is_number = !text.contains("nan") && !text.contains("inf");
            let text = if text.contains(['.', 'e', 'p']) { text } else { format!("{text}.0") };
            debug_assert!(matches!(ty, Type::Float(_)), "floating-point inputs have such a type");
            is_number.then(|| text + suffix(kind))
        }
    }
}

fn suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "f16",
        FloatKind::Float => "f",
        FloatKind::Double => "",
        FloatKind::LongDouble => "L",
        FloatKind::Quad => "f128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_at_the_limits_of_types() {
        assert_eq!(integer(-5), "-5");
        assert_eq!(integer(i128::from(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(integer(1 << 31), "2147483648LL");
        assert_eq!(integer(i128::from(i64::MIN)), "(-9223372036854775807LL - 1)");
        assert_eq!(integer(i128::from(u64::MAX)), "18446744073709551615ULL");
        assert_eq!(integer(1 << 64), "((__int128)(((unsigned __int128)1ULL << 64) | 0ULL))");
    }

    #[test]
    fn floating_point_inputs() {
        let double = Type::Float(FloatKind::Double);
        let of =
            |value: f64| input(InputValue::Float(FloatKind::Double, u128::from(value.to_bits())), &double);
        assert_eq!(of(0.1).as_deref(), Some("0.1"));
        assert_eq!(of(-3.0).as_deref(), Some("-3.0"));
        assert_eq!(of(f64::NAN), None);
        assert_eq!(of(f64::INFINITY), None);
    }
}

//! The automatic checks: kinds of mistakes that can be looked for in any program.

use std::fmt;
use std::str::FromStr;

/// A kind of mistake that a program is checked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The program's own specification: false assertions and calls of error functions.
    Assertions,
    /// Accesses outside of the object that a pointer was derived from, or of an array.
    Bounds,
    /// Accesses and calls through null pointers.
    Null,
    /// Accesses to objects whose life has ended: freed memory, and variables of blocks and calls that were left.
    UseAfterFree,
    /// `free` of memory that was freed, or that `malloc` did not give.
    DoubleFree,
    /// Heap memory that nothing points to when the program ends.
    Leak,
    /// Integer division by zero.
    DivZero,
    /// Shifts by a negative count or by the width or more, and left shifts of negative numbers.
    Shift,
    /// Signed arithmetic whose result does not fit its type.
    Overflow,
    /// Unsigned arithmetic whose result does not fit its type.
    UnsignedOverflow,
    /// Integer conversions that change the value.
    Conversion,
    /// Reads of objects that were never written.
    Uninitialized,
    /// Writes to objects that are declared `const`, and to string literals.
    ConstWrite,
    /// `__builtin_clz`, `__builtin_ctz` and their like of zero.
    BitScan,
    /// Lengths of variable-length arrays that are not positive.
    VlaSize,
    /// `__builtin_unreachable` that is reached.
    Unreachable,
    /// Assertions that no execution reaches, so that a proof says nothing about them.
    UnreachableCode,
}

impl Check {
    /// All checks, in the order in which they are reported.
    pub const ALL: [Check; 17] = [
        Check::Assertions,
        Check::Bounds,
        Check::Null,
        Check::UseAfterFree,
        Check::DoubleFree,
        Check::Leak,
        Check::DivZero,
        Check::Shift,
        Check::Overflow,
        Check::UnsignedOverflow,
        Check::Conversion,
        Check::Uninitialized,
        Check::ConstWrite,
        Check::BitScan,
        Check::VlaSize,
        Check::Unreachable,
        Check::UnreachableCode,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertions => "assertions",
            Check::Bounds => "bounds",
            Check::Null => "null",
            Check::UseAfterFree => "use-after-free",
            Check::DoubleFree => "double-free",
            Check::Leak => "leak",
            Check::DivZero => "div-zero",
            Check::Shift => "shift",
            Check::Overflow => "overflow",
            Check::UnsignedOverflow => "unsigned-overflow",
            Check::Conversion => "conversion",
            Check::Uninitialized => "uninitialized",
            Check::ConstWrite => "const-write",
            Check::BitScan => "bit-scan",
            Check::VlaSize => "vla-size",
            Check::Unreachable => "unreachable",
            Check::UnreachableCode => "unreachable-code",
        }
    }

    /// Whether the check is about which memory is accessed and not about values.
    pub fn is_about_memory(self) -> bool {
        matches!(
            self,
            Check::Bounds | Check::Null | Check::UseAfterFree | Check::Uninitialized | Check::ConstWrite
        )
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCheck(pub String);

impl fmt::Display for UnknownCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Check::ALL.map(Check::name).join(", ");
        write!(f, "there is no check `{}`; the checks are {names}", self.0)
    }
}

impl std::error::Error for UnknownCheck {}

impl FromStr for Check {
    type Err = UnknownCheck;

    fn from_str(text: &str) -> Result<Check, UnknownCheck> {
        let named = |check: &&Check| check.name() == text;
        Check::ALL.iter().find(named).copied().ok_or_else(|| UnknownCheck(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for check in Check::ALL {
            assert_eq!(check.name().parse(), Ok(check));
        }
        let error = "overflows".parse::<Check>().unwrap_err();
        assert!(error.to_string().contains("unsigned-overflow"), "{error}");
    }
}

//! The kinds of undefined behaviour, with their messages.

use std::fmt;

/// What a program does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Looks at it.
    Read,
    /// Changes it.
    Write,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Read => "read",
            Access::Write => "written",
        })
    }
}

/// Something that C gives no meaning. Displayed in lower case and without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undefined {
    /// `x / 0` or `x % 0`.
    DivisionByZero,
    /// The least number of a type divided by -1.
    QuotientOverflow {
        /// The type.
        ty: String,
    },
    /// The result of signed arithmetic does not fit.
    SignedOverflow {
        /// The operator as C writes it.
        operator: &'static str,
        /// The type of the operation.
        ty: String,
    },
    /// A shift by a negative count, or by the width or more.
    ShiftCount {
        /// By how much.
        count: i128,
        /// The width of the shifted value in bits.
        width: u32,
    },
    /// The leading or trailing zeros of zero were counted.
    ZerosOfZero,
    /// A floating-point number beyond the range of the integer type it is converted to.
    FloatToInteger {
        /// The number.
        value: String,
        /// The integer type.
        ty: String,
    },
    /// The difference of pointers into different objects.
    PointerDifference,
    /// A comparison of a pointer to an object that lives no more with a pointer to another one.
    DanglingComparison,
    /// An access through a null pointer.
    NullPointer {
        /// What was attempted.
        access: Access,
    },
    /// An access through an address that was derived from no object.
    InvalidPointer {
        /// What was attempted.
        access: Access,
        /// The address.
        address: u64,
    },
    /// An access to an object that lives no more.
    Dangling {
        /// What was attempted.
        access: Access,
        /// The object, for messages.
        object: String,
        /// Whether it was freed; otherwise its block or function was left.
        freed: bool,
    },
    /// An access beyond the bounds of an object.
    OutOfBounds {
        /// What was attempted.
        access: Access,
        /// The index, where the program wrote an index.
        index: Option<i128>,
        /// Where the access starts, in bytes from the start of the object.
        offset: i128,
        /// How many bytes are accessed.
        length: u64,
        /// The object, for messages.
        object: String,
        /// How many bytes the object has.
        size: u64,
    },
    /// A write to a string literal.
    ReadOnly {
        /// The object, for messages.
        object: String,
    },
    /// An access to the bytes of a function or label.
    NotAnObject {
        /// What was accessed, for messages.
        object: String,
    },
    /// The use of a value that was never set.
    Indeterminate {
        /// The place that was read, as C writes it, or a description of it.
        place: String,
    },
    /// A `_Bool` is read whose byte is neither 0 nor 1: C calls that a trap representation, and compilers take it
    /// for true here and for false there.
    NotABool {
        /// What the byte is.
        value: i128,
    },
    /// A call through a pointer that does not point to a function.
    NotAFunction {
        /// Whether the pointer was null.
        null: bool,
    },
    /// A call with an argument of the wrong type.
    ArgumentType {
        /// The function.
        function: String,
        /// Which argument, counted from 1.
        position: usize,
        /// Its type.
        given: String,
        /// What the function takes.
        expected: String,
    },
    /// A result that is used with another type than the function returns.
    ResultType {
        /// The type that the function returns.
        given: String,
        /// The type that the caller expects.
        expected: String,
    },
    /// `va_arg` beyond the last argument, with the wrong type, or without `va_start`.
    VarArgs {
        /// What is wrong.
        problem: String,
    },
    /// A format that does not fit its arguments.
    Format {
        /// What is wrong.
        problem: String,
    },
    /// `free` or `realloc` of something that `malloc` did not return, or of freed memory.
    Free {
        /// What is wrong.
        problem: String,
    },
    /// `memcpy` and its like with source and target that overlap.
    Overlap {
        /// The function.
        function: String,
    },
    /// An argument that the library function gives no meaning.
    LibraryArgument {
        /// The function.
        function: String,
        /// What is wrong.
        problem: String,
    },
    /// Control reached a place that the program promised never to reach.
    Unreachable,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined::DivisionByZero => f.write_str("division by zero"),
            Undefined::QuotientOverflow { ty } => write!(f, "the quotient does not fit into `{ty}`"),
            Undefined::SignedOverflow { operator, ty } => {
                write!(f, "signed overflow: the result of `{operator}` does not fit into `{ty}`")
            }
            Undefined::ShiftCount { count, width } => {
                write!(f, "shift of a value with {width} bits by {count}")
            }
            Undefined::NotABool { value } => {
                write!(f, "a `_Bool` is read that holds {value}, which is neither 0 nor 1")
            }
            Undefined::ZerosOfZero => f.write_str("leading or trailing zero bits of zero"),
            Undefined::FloatToInteger { value, ty } => {
                write!(f, "the floating-point number {value} does not fit into `{ty}`")
            }
            Undefined::PointerDifference => f.write_str("difference of pointers into different objects"),
            Undefined::DanglingComparison => {
                f.write_str("comparison with a pointer to an object that lives no more")
            }
            Undefined::Unreachable => f.write_str("control reaches a place that was promised unreachable"),
            Undefined::NotAFunction { null: true } => f.write_str("call through a null pointer"),
            Undefined::NotAFunction { null: false } => {
                f.write_str("call through a pointer that does not point to a function")
            }
            Undefined::VarArgs { problem } | Undefined::Format { problem } | Undefined::Free { problem } => {
                f.write_str(problem)
            }
            Undefined::Overlap { function } => {
                write!(f, "source and target of `{function}` overlap")
            }
            Undefined::LibraryArgument { function, problem } => write!(f, "`{function}`: {problem}"),
            _ => self.fmt_access(f).unwrap_or_else(|| self.fmt_call(f)),
        }
    }
}

impl Undefined {
    fn fmt_access(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        Some(match self {
            Undefined::NullPointer { access } => write!(f, "memory is {access} through a null pointer"),
            Undefined::InvalidPointer { access, address } => {
                write!(f, "memory is {access} through {address:#x}, which points to no object")
            }
            Undefined::Dangling { access, object, freed: true } => {
                write!(f, "{object} is {access} after it was freed")
            }
            Undefined::Dangling { access, object, .. } => {
                write!(f, "{object} is {access} after its lifetime has ended")
            }
            Undefined::OutOfBounds { index: Some(index), object, size, .. } => {
                write!(f, "index {index} is outside of {object}, which has {}", bytes(*size))
            }
            Undefined::OutOfBounds { access, offset, length, object, size, .. } => {
                let has = bytes(*size);
                let verb = if *length == 1 { "is" } else { "are" };
                let length = bytes(*length);
                write!(f, "{length} at offset {offset} {verb} {access} outside of {object}, which has {has}")
            }
            Undefined::ReadOnly { object } => write!(f, "{object} is written but cannot be changed"),
            Undefined::NotAnObject { object } => write!(f, "{object} is used as if it were an object"),
            Undefined::Indeterminate { place } => write!(f, "{place} is used but was never set"),
            _ => return None,
        })
    }

    fn fmt_call(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined::ArgumentType { function, position, given, expected } => write!(
                f,
                "argument {position} of `{function}` has type `{given}` where `{expected}` is expected"
            ),
            Undefined::ResultType { given, expected } => {
                write!(f, "a function that returns `{given}` is called as if it returned `{expected}`")
            }
            _ => f.write_str("undefined behaviour"),
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

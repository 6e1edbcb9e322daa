//! Expressions and places. Neither has side effects, and both are strict: evaluating one
//! evaluates all its operands, so the order of evaluation inside of one does not matter.

use crate::index::{ExprId, FunctionId, LabelId, PlaceId, StringId, TypeId, VariableId};

/// An expression with its type. The type is what C calls the type of the value; it decides
/// width and signedness of the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// The type of the value.
    pub ty: TypeId,
}

/// What an expression computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// A constant of an integer or pointer type: the value, sign- or zero-extended as the type
    /// says. Values of `unsigned __int128` beyond the range of `i128` are wrapped.
    Int(i128),
    /// A constant of a floating-point type: its bits in the format of the type.
    Float(u128),
    /// The all-zero value of any type, aggregates included.
    Zero,
    /// The value of an array of characters with the bytes of a string literal, cut or filled
    /// up with zeros to the length of the type.
    Text(StringId),
    /// The value stored in a place. A bit-field is extended to its declared type.
    Load(PlaceId),
    /// The address of a place. The type may be a pointer to the first element of an array
    /// place, which is how arrays decay.
    AddressOf(PlaceId),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// The address of a label, GNU's `&&label`.
    LabelAddress(FunctionId, LabelId),
    /// An operation on one operand.
    Unary {
        /// Which one.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// An operation on two operands.
    Binary {
        /// Which one.
        op: BinaryOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand: of the same type as the left one, except that the count of a
        /// shift may have any integer type.
        rhs: ExprId,
    },
    /// The operand converted to the type of this expression as C converts between scalars:
    /// integers are truncated or extended, `_Bool` becomes 0 or 1, floating-point numbers are
    /// rounded to nearest and truncated to integers, pointers keep their address.
    Convert(ExprId),
    /// `pointer + index * stride` bytes.
    PointerOffset {
        /// The pointer.
        pointer: ExprId,
        /// The integer, of the type of a difference of pointers.
        index: ExprId,
        /// The size of what the pointer points to.
        stride: u64,
    },
    /// `(lhs - rhs) / stride`, for pointers into one object.
    PointerDifference {
        /// The pointer to subtract from.
        lhs: ExprId,
        /// The pointer that is subtracted.
        rhs: ExprId,
        /// The size of what they point to.
        stride: u64,
    },
    /// 1 if the exact result of the operation does not fit into `result`, else 0. The
    /// operands may have any integer types.
    Overflows {
        /// The operation.
        op: OverflowOp,
        /// The left operand.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
        /// The integer type that the exact result may fit into.
        result: TypeId,
    },
    /// 1 if an access to the place would be undefined in the given way, else 0. The place is found, but not
    /// accessed. Where an access is undefined in several ways, the first of null pointer, [`Fault::Life`],
    /// [`Fault::Bounds`], [`Fault::Uninitialized`], [`Fault::Constant`] counts.
    Faulty {
        /// The place.
        place: PlaceId,
        /// The way.
        fault: Fault,
    },
    /// 1 if an access to so many bytes behind a pointer would be undefined in the given way, else 0. An access to no byte
    /// is defined always.
    FaultyBlock {
        /// The pointer.
        pointer: ExprId,
        /// How many bytes, an unsigned number.
        length: ExprId,
        /// The way.
        fault: Fault,
    },
    /// 1 if giving the pointer to `free` would be undefined, else 0.
    BadFree(ExprId),
    /// 1 if there is heap memory that nothing points to: no variable, and no other memory that can be found from
    /// one; else 0.
    Leaks,
}

/// How an access can be undefined, besides by a null pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Some of its bytes are outside of the object, or there is no object.
    Bounds,
    /// The life of the object has ended.
    Life,
    /// Some of the bits were never written.
    Uninitialized,
    /// It would change an object that is declared `const`, or a string literal.
    Constant,
}

/// Operations on one operand. The result has the type of the operand unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`, wrapping for integers.
    Negate,
    /// `~x`
    Not,
    /// `!x`: the `int` 1 if the scalar operand is zero (or null), else 0.
    IsZero,
    /// The bytes of an integer in reverse order.
    ByteSwap,
    /// How many leading bits are zero, as `int`; undefined for zero.
    LeadingZeros,
    /// How many trailing bits are zero, as `int`; undefined for zero.
    TrailingZeros,
    /// How many bits are one, as `int`.
    CountOnes,
    /// A floating-point number with its sign bit cleared.
    Magnitude,
    /// The sign bit of a floating-point number, as `int`.
    SignBit,
}

/// Operations on two operands of one type. The result has that type unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`, wrapping for integers.
    Add,
    /// `-`, wrapping for integers.
    Sub,
    /// `*`, wrapping for integers.
    Mul,
    /// `/`, towards zero for integers; undefined for a divisor of zero and where the quotient
    /// does not fit.
    Div,
    /// `%`, with the sign of the dividend; undefined as `/` is.
    Rem,
    /// `<<`; undefined unless `0 <= count < width`. Bits shifted out are lost.
    Shl,
    /// `>>`, arithmetic for signed types; undefined unless `0 <= count < width`.
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `==`, giving `int`.
    Eq,
    /// `!=`, giving `int`.
    Ne,
    /// `<`, giving `int`.
    Lt,
    /// `<=`, giving `int`.
    Le,
    /// `>`, giving `int`.
    Gt,
    /// `>=`, giving `int`.
    Ge,
}

impl BinaryOp {
    /// Whether the operation compares and so gives the `int` 0 or 1.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }
}

/// The operations of `__builtin_{add,sub,mul}_overflow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
}

/// A place that holds a value: what C calls an lvalue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which place.
    pub kind: PlaceKind,
    /// The type of the value in it.
    pub ty: TypeId,
}

/// Which place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceKind {
    /// A variable.
    Variable(VariableId),
    /// The array that a string literal stands for.
    Text(StringId),
    /// What a pointer points to.
    Deref(ExprId),
    /// A member of a structure or union.
    Member {
        /// The structure or union.
        base: PlaceId,
        /// The position of the member in the record's fields.
        field: u32,
    },
    /// An element of an array.
    Element {
        /// The array.
        base: PlaceId,
        /// The index, of the type of a difference of pointers.
        index: ExprId,
    },
}

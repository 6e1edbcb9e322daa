//! Values: scalars, whole aggregates, and the shapes that say how a scalar is stored.
//! What operations do with them is in `integer`, `float` and `eval`.

use std::num::NonZeroU32;

use rorqual_cfa::{DataModel, FloatKind, IntKind, Type, TypeId, TypeTable};

use crate::float;
use crate::memory::Block;

/// An object of the memory. The generation tells apart the objects that used one table entry
/// after each other, so a pointer to a dead object never reaches a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectId {
    pub(crate) index: u32,
    pub(crate) generation: NonZeroU32,
}

/// A pointer: an address, and the object it was derived from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) address: u64,
    pub(crate) provenance: Option<ObjectId>,
}

impl Pointer {
    pub(crate) const NULL: Pointer = Pointer { address: 0, provenance: None };

    /// An address that was derived from no object and so is never valid.
    pub(crate) fn invalid(address: u64) -> Pointer {
        Pointer { address, provenance: None }
    }

    pub(crate) fn is_null(self) -> bool {
        self.address == 0
    }
}

/// A value of scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// Sign- or zero-extended as the type says; `unsigned __int128` is wrapped.
    Int(i128),
    /// The bits in the format of the type.
    Float(u128),
    Pointer(Pointer),
}

impl Scalar {
    /// The number of an integer, and the address of a pointer.
    pub(crate) fn int(self) -> i128 {
        match self {
            Scalar::Int(value) => value,
            Scalar::Float(bits) => bits as i128,
            Scalar::Pointer(pointer) => i128::from(pointer.address),
        }
    }

    /// The pointer; an integer is an address without an object behind it.
    pub(crate) fn pointer(self) -> Pointer {
        match self {
            Scalar::Pointer(pointer) => pointer,
            Scalar::Int(value) => Pointer::invalid(value as u64),
            Scalar::Float(bits) => Pointer::invalid(bits as u64),
        }
    }

    /// The bits of a floating-point number.
    pub(crate) fn bits(self) -> u128 {
        match self {
            Scalar::Float(bits) => bits,
            other => other.int() as u128,
        }
    }
}

/// A value of any type.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Scalar(Scalar),
    /// A structure, union or array.
    Block(Box<Block>),
    /// No value was given: `void`, or a function that ended without `return`.
    Indeterminate,
}

impl Value {
    pub(crate) fn int(value: i128) -> Value {
        Value::Scalar(Scalar::Int(value))
    }

    pub(crate) fn pointer(pointer: Pointer) -> Value {
        Value::Scalar(Scalar::Pointer(pointer))
    }
}

/// A value on its way into a function.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) ty: TypeId,
    pub(crate) value: Value,
}

/// Width and signedness of an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IntShape {
    pub(crate) width: u32,
    pub(crate) signed: bool,
    pub(crate) boolean: bool,
}

impl IntShape {
    pub(crate) fn of(kind: IntKind, model: DataModel) -> IntShape {
        IntShape { width: kind.width(model), signed: kind.is_signed(), boolean: kind == IntKind::Bool }
    }

    /// The value modulo two to the width, extended as the signedness says.
    pub(crate) fn wrap(self, value: i128) -> i128 {
        let unused = 128 - self.width;
        if self.signed {
            (value << unused) >> unused
        } else {
            (((value as u128) << unused) >> unused) as i128
        }
    }
}

/// How values of a type are stored and computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Int(IntShape),
    Float(FloatKind),
    Pointer,
    /// A structure, union, array or opaque type; copied as bytes.
    Aggregate,
    /// `void` and functions.
    None,
}

impl Shape {
    pub(crate) fn of(types: &TypeTable, ty: TypeId) -> Shape {
        Shape::of_type(types.get(ty), types.model())
    }

    pub(crate) fn of_type(ty: &Type, model: DataModel) -> Shape {
        match ty {
            Type::Int(kind) => Shape::Int(IntShape::of(*kind, model)),
            Type::Float(kind) => Shape::Float(*kind),
            Type::Pointer(_) => Shape::Pointer,
            Type::Array { .. } | Type::Record(_) | Type::Opaque { .. } => Shape::Aggregate,
            Type::Void | Type::Function { .. } => Shape::None,
        }
    }

    /// The scalar zero of this shape.
    pub(crate) fn zero(self) -> Scalar {
        match self {
            Shape::Float(_) => Scalar::Float(0),
            Shape::Pointer => Scalar::Pointer(Pointer::NULL),
            _ => Scalar::Int(0),
        }
    }

    /// How many bytes of an object carry the value of a scalar.
    pub(crate) fn value_bytes(self, model: DataModel) -> usize {
        match self {
            // Only bit-fields have types of other widths.
            Shape::Int(shape) => shape.width.next_power_of_two() as usize / 8,
            Shape::Float(kind) => kind.value_bits() as usize / 8,
            Shape::Pointer => model.pointer_width() as usize / 8,
            Shape::Aggregate | Shape::None => 0,
        }
    }
}

/// Whether a scalar of the given shape counts as true.
pub(crate) fn is_true(value: Scalar, shape: Shape) -> bool {
    match (value, shape) {
        (Scalar::Float(bits), Shape::Float(kind)) => !float::is_zero(kind, bits),
        (value, _) => value.int() != 0,
    }
}

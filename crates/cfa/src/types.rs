//! Types with their layout, as gcc lays them out for the data model of the program.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::index::{Arena, Id, RecordId, TypeId};

/// How wide `int`, `long` and pointers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers: gcc's `-m32`.
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers: gcc's `-m64` on Linux.
    Lp64,
}

impl DataModel {
    /// The width of a pointer in bits.
    pub fn pointer_width(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The size of the largest object in bytes: what a difference of pointers can be. `malloc` and its like return null
    /// where more is asked for, as glibc's do.
    pub fn largest_object(self) -> u64 {
        (1 << (self.pointer_width() - 1)) - 1
    }

    /// The type of `sizeof`.
    pub fn size_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UnsignedInt,
            DataModel::Lp64 => IntKind::UnsignedLong,
        }
    }

    /// The type of a difference of pointers.
    pub fn difference_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }
}

/// The integer types. An enumeration is the integer type that represents it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntKind {
    /// `_Bool`: one byte that holds 0 or 1.
    Bool,
    /// `char`, which is signed here as it is for gcc on x86.
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
    /// The type of a bit-field wider than `int`: gcc computes with it in its own width.
    BitField {
        /// How many bits, between 32 and 128.
        width: u8,
        /// Whether there are negative values.
        signed: bool,
    },
}

impl IntKind {
    /// How many bits an object of the type occupies.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 8,
            IntKind::Short | IntKind::UnsignedShort => 16,
            IntKind::Int | IntKind::UnsignedInt => 32,
            IntKind::Long | IntKind::UnsignedLong => model.pointer_width(),
            IntKind::LongLong | IntKind::UnsignedLongLong => 64,
            IntKind::Int128 | IntKind::UnsignedInt128 => 128,
            IntKind::BitField { width, .. } => u32::from(width),
        }
    }

    /// Whether the type has negative values.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntKind::Char
                | IntKind::SignedChar
                | IntKind::Short
                | IntKind::Int
                | IntKind::Long
                | IntKind::LongLong
                | IntKind::Int128
                | IntKind::BitField { signed: true, .. }
        )
    }

    /// The name that C gives the type.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SignedChar => "signed char",
            IntKind::UnsignedChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UnsignedShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UnsignedInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::UnsignedLong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::UnsignedLongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UnsignedInt128 => "unsigned __int128",
            IntKind::BitField { width, signed: true } => return Cow::Owned(format!("int:{width}")),
            IntKind::BitField { width, signed: false } => return Cow::Owned(format!("unsigned:{width}")),
        })
    }
}

/// The floating-point types, all of them binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    /// IEEE binary16, `_Float16`.
    Half,
    /// IEEE binary32, `float`.
    Float,
    /// IEEE binary64, `double`.
    Double,
    /// The 80-bit format of the x87, `long double`.
    LongDouble,
    /// IEEE binary128, `_Float128`.
    Quad,
}

impl FloatKind {
    /// The name that C gives the type.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Half => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Quad => "_Float128",
        }
    }

    /// Size and alignment of an object in bytes.
    pub fn layout(self, model: DataModel) -> (u64, u64) {
        match (self, model) {
            (FloatKind::Half, _) => (2, 2),
            (FloatKind::Float, _) => (4, 4),
            (FloatKind::Double, DataModel::Lp64) => (8, 8),
            (FloatKind::Double, DataModel::Ilp32) => (8, 4),
            (FloatKind::LongDouble, DataModel::Ilp32) => (12, 4),
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Quad, _) => (16, 16),
        }
    }

    /// How many low bits of an object carry the value; the rest of a `long double` is padding.
    pub fn value_bits(self) -> u32 {
        match self {
            FloatKind::Half => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::LongDouble => 80,
            FloatKind::Quad => 128,
        }
    }
}

/// A type. Qualifiers and typedef names are resolved away.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// An integer.
    Int(IntKind),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer to an object or function of the given type.
    Pointer(TypeId),
    /// An array; the length is absent for incomplete and flexible arrays and for arrays whose
    /// length is computed when the program runs.
    Array {
        /// The type of the elements.
        element: TypeId,
        /// How many there are.
        length: Option<u64>,
    },
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes; empty where it was declared without a prototype.
        parameters: Vec<TypeId>,
        /// Whether further arguments may follow.
        variadic: bool,
        /// Whether it was declared with a prototype, `f(void)` rather than `f()`.
        prototyped: bool,
    },
    /// A type that has a layout but no operations here, such as `_Complex` or a vector.
    /// Operations on its objects are `unsupported` operations.
    Opaque {
        /// The name for messages.
        name: String,
        /// The size of an object in bytes.
        size: u64,
        /// The alignment of an object in bytes.
        align: u64,
    },
}

/// Whether the members of a record follow or overlap each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// The bits of a bit-field, counted from the lowest bit of the byte at the field's offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitRange {
    /// The first bit, below 8.
    pub start: u32,
    /// How many bits.
    pub width: u32,
}

/// A member of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name; anonymous structures and unions have none.
    pub name: Option<String>,
    /// The type it was declared with.
    pub ty: TypeId,
    /// The byte it starts in.
    pub offset: u64,
    /// The bits it occupies from there, for a bit-field.
    pub bits: Option<BitRange>,
}

/// A structure or union with its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Structure or union.
    pub kind: RecordKind,
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// The members in order.
    pub fields: Vec<Field>,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
    /// Whether it was defined; an incomplete record has no members and no size.
    pub complete: bool,
}

/// All types of a program. Equal types have equal identities.
#[derive(Debug, Clone)]
pub struct TypeTable {
    model: DataModel,
    types: Arena<TypeId, Type>,
    records: Arena<RecordId, Record>,
    known: HashMap<Type, TypeId>,
}

impl TypeTable {
    /// A table without records for the given data model.
    pub fn new(model: DataModel) -> TypeTable {
        TypeTable { model, types: Arena::default(), records: Arena::default(), known: HashMap::new() }
    }

    /// The data model that widths and layouts follow.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The identity of `ty`.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The identity of an integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    /// The identity of the pointer type to `pointee`.
    pub fn pointer_to(&mut self, pointee: TypeId) -> TypeId {
        self.intern(Type::Pointer(pointee))
    }

    /// The type behind `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// Adds a record that is a type of its own.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record)
    }

    /// The record behind `id`.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    /// The record behind `id`, to complete it.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id]
    }

    /// All records.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter()
    }

    /// The record of a record type.
    pub fn as_record(&self, id: TypeId) -> Option<RecordId> {
        match self.get(id) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// The kind of an integer type.
    pub fn as_int(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// What a pointer type points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(pointee) => Some(*pointee),
            _ => None,
        }
    }

    /// Whether values of the type are single numbers or addresses.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }

    /// Whether values of the type are integers.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_))
    }

    /// Whether the type is an integer or pointer type without negative values.
    pub fn is_unsigned(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Int(kind) => !kind.is_signed(),
            Type::Pointer(_) => true,
            _ => false,
        }
    }

    /// The width in bits of an integer, pointer or floating-point type.
    pub fn width(&self, id: TypeId) -> u32 {
        match self.get(id) {
            Type::Int(kind) => kind.width(self.model),
            Type::Pointer(_) => self.model.pointer_width(),
            _ => self.size_of(id).unwrap_or(0) as u32 * 8,
        }
    }

    /// The size of an object in bytes, unless the type is incomplete or a function. `void`
    /// has size 1, as GNU C's pointer arithmetic has it.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        self.layout(id).map(|(size, _)| size)
    }

    /// The alignment of an object in bytes; 1 where the type has none.
    pub fn align_of(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array { element, .. } => self.align_of(*element),
            _ => self.layout(id).map_or(1, |(_, align)| align),
        }
    }

    fn layout(&self, id: TypeId) -> Option<(u64, u64)> {
        match self.get(id) {
            Type::Void => Some((1, 1)),
            Type::Int(kind) => {
                let size = u64::from(kind.width(self.model).next_power_of_two() / 8);
                // The i386 ABI aligns 64-bit integers to 4 bytes inside and outside of records.
                let align = if self.model == DataModel::Ilp32 { size.min(4) } else { size };
                Some((size, align))
            }
            Type::Float(kind) => Some(kind.layout(self.model)),
            Type::Pointer(_) => {
                let size = u64::from(self.model.pointer_width() / 8);
                Some((size, size))
            }
            Type::Array { element, length } => {
                let (size, align) = self.layout(*element)?;
                Some((size.checked_mul((*length)?)?, align))
            }
            Type::Record(record) => {
                let record = self.record(*record);
                record.complete.then_some((record.size, record.align))
            }
            Type::Function { .. } => None,
            Type::Opaque { size, align, .. } => Some((*size, *align)),
        }
    }

    /// The type as C writes it, for messages.
    pub fn name(&self, id: TypeId) -> String {
        self.declaration(id, "")
    }

    /// A declaration of `name` with the type, as C writes it: `int (*f)(char)`.
    pub fn declaration(&self, id: TypeId, name: &str) -> String {
        let spaced = |base: &str| {
            if name.is_empty() { base.to_owned() } else { format!("{base} {name}") }
        };
        match self.get(id) {
            Type::Void => spaced("void"),
            Type::Int(kind) => spaced(&kind.name()),
            Type::Float(kind) => spaced(kind.name()),
            Type::Pointer(pointee) => {
                let inner = match self.get(*pointee) {
                    Type::Array { .. } | Type::Function { .. } => format!("(*{name})"),
                    _ => format!("*{name}"),
                };
                self.declaration(*pointee, &inner)
            }
            Type::Array { element, length } => {
                let length = length.map_or(String::new(), |length| length.to_string());
                self.declaration(*element, &format!("{name}[{length}]"))
            }
            Type::Record(record) => spaced(&self.record_name(*record)),
            Type::Function { result, parameters, variadic, prototyped } => {
                let mut items: Vec<String> = parameters.iter().map(|&ty| self.name(ty)).collect();
                if *variadic {
                    items.push("...".to_owned());
                }
                if items.is_empty() && *prototyped {
                    items.push("void".to_owned());
                }
                self.declaration(*result, &format!("{name}({})", items.join(", ")))
            }
            Type::Opaque { name: opaque, .. } => spaced(opaque),
        }
    }

    fn record_name(&self, id: RecordId) -> String {
        let record = self.record(id);
        let keyword = match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        match &record.tag {
            Some(tag) => format!("{keyword} {tag}"),
            None => format!("{keyword} <anonymous {}>", id.index()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_read_as_c_writes_them() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let int = types.int(IntKind::Int);
        let array = types.intern(Type::Array { element: int, length: Some(3) });
        let to_array = types.pointer_to(array);
        let function = types.intern(Type::Function {
            result: to_array,
            parameters: vec![int],
            variadic: true,
            prototyped: true,
        });
        let to_function = types.pointer_to(function);
        assert_eq!(types.declaration(to_array, "p"), "int (*p)[3]");
        assert_eq!(types.declaration(to_function, "f"), "int (*(*f)(int, ...))[3]");
    }

    #[test]
    fn equal_types_have_equal_identities() {
        let mut types = TypeTable::new(DataModel::Ilp32);
        let int = types.int(IntKind::Int);
        assert_eq!(types.pointer_to(int), types.pointer_to(int));
        assert_eq!(types.width(int), 32);
        let long = types.int(IntKind::Long);
        assert_eq!(types.size_of(long), Some(4));
    }
}

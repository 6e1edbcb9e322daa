//! What types consist of: the scalars that their paths of members and elements lead to.

use rorqual_cfa::{BitRange, Field, RecordId, RecordKind, Type, TypeId, TypeTable};
use rorqual_logic::Sort;
use rorqual_memory::LARGEST_UNION;

/// An array on the way to a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dimension {
    /// The size of an element in bytes.
    pub(crate) stride: u64,
    /// How many there are, if that is known.
    pub(crate) length: Option<u64>,
}

/// What the bits of a leaf are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeafKind {
    /// A scalar in bytes of its own.
    Scalar,
    /// Some bits of the bytes at the offset.
    BitField(BitRange),
    /// All bytes of a union.
    Union,
}

/// What one path of members and elements into a type leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// The path, as it stands behind a variable's name.
    pub(crate) suffix: String,
    /// What is there.
    pub(crate) kind: LeafKind,
    /// How many bits.
    pub(crate) width: u32,
    /// Where the first one is, in bytes from the start.
    pub(crate) offset: u64,
    /// The arrays on the way, outermost first.
    pub(crate) dimensions: Vec<Dimension>,
    /// The type of the scalar or union.
    pub(crate) ty: TypeId,
}

impl Leaf {
    /// How many bytes an access to one of them touches.
    pub(crate) fn bytes(&self, types: &TypeTable) -> u64 {
        match self.kind {
            LeafKind::BitField(range) => u64::from((range.start + range.width).div_ceil(8)),
            LeafKind::Scalar | LeafKind::Union => types.size_of(self.ty).unwrap_or(0),
        }
    }

    /// How many there are, unless some length is not known.
    pub(crate) fn count(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(1u64, |count, dimension| count.checked_mul(dimension.length?))
    }

    /// Where number `position` is, in bytes from the start of the first one; lengths are known.
    pub(crate) fn displacement(&self, mut position: u64) -> u64 {
        let mut bytes = 0;
        for dimension in self.dimensions.iter().rev() {
            let length = dimension.length.unwrap_or(u64::MAX).max(1);
            bytes += position % length * dimension.stride;
            position /= length;
        }
        bytes
    }

    /// The sort of the leaf's cell in a variable.
    pub(crate) fn sort(&self, types: &TypeTable) -> Sort {
        if self.dimensions.is_empty() {
            return Sort::BitVec(self.width);
        }
        Sort::Array { index: types.model().pointer_width(), element: self.width }
    }
}

/// The leaves of a type, in the order of their addresses.
pub(crate) fn leaves(types: &TypeTable, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(types, whole(ty), &mut found);
    found
}

/// The leaves of the elements of an array. The array itself is not among their dimensions.
pub(crate) fn element_leaves(types: &TypeTable, element: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(types, Leaf { suffix: "[]".to_owned(), ..whole(element) }, &mut found);
    found
}

/// All of a type, as the start of a path.
fn whole(ty: TypeId) -> Leaf {
    Leaf { suffix: String::new(), kind: LeafKind::Scalar, width: 0, offset: 0, dimensions: Vec::new(), ty }
}

/// An object as one leaf with all its bytes, unless there are too many.
pub(crate) fn bytes_leaf(types: &TypeTable, ty: TypeId) -> Option<Leaf> {
    let size = types.size_of(ty).filter(|size| (1..=LARGEST_UNION).contains(size))?;
    Some(Leaf { kind: LeafKind::Union, width: 8 * size as u32, ..whole(ty) })
}

/// The parts of a type that have another type, except those in unions.
pub(crate) fn parts(types: &TypeTable, all: TypeId, wanted: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut open = vec![whole(all)];
    while let Some(mut part) = open.pop() {
        if part.ty == wanted {
            found.push(part);
            continue;
        }
        match types.get(part.ty) {
            Type::Array { element, length } => {
                let Some(stride) = types.size_of(*element) else { continue };
                part.dimensions.push(Dimension { stride, length: *length });
                open.push(Leaf { ty: *element, ..part });
            }
            Type::Record(record) if types.record(*record).kind == RecordKind::Struct => {
                let fields = types.record(*record).fields.iter().filter(|field| field.bits.is_none());
                let inner =
                    |field: &Field| Leaf { offset: part.offset + field.offset, ty: field.ty, ..part.clone() };
                open.extend(fields.map(inner));
            }
            _ => {}
        }
    }
    found
}

fn collect(types: &TypeTable, part: Leaf, found: &mut Vec<Leaf>) {
    match types.get(part.ty) {
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
            found.push(Leaf { width: types.width(part.ty), ..part });
        }
        Type::Array { element, length } => {
            let Some(stride) = types.size_of(*element) else { return };
            let mut inner = Leaf { suffix: joined(&part.suffix, "[]"), ty: *element, ..part };
            inner.dimensions.push(Dimension { stride, length: *length });
            collect(types, inner, found);
        }
        Type::Record(record) => collect_record(types, *record, part, found),
        Type::Void | Type::Function { .. } | Type::Opaque { .. } => {}
    }
}

fn collect_record(types: &TypeTable, id: RecordId, part: Leaf, found: &mut Vec<Leaf>) {
    let record = types.record(id);
    if record.kind == RecordKind::Union {
        if let Some(width) = union_width(types, id) {
            found.push(Leaf { kind: LeafKind::Union, width, ..part });
        }
        return;
    }
    for (number, field) in record.fields.iter().enumerate() {
        let mut inner = part.clone();
        inner.suffix.push_str(&member(field, number));
        inner.offset += field.offset;
        inner.ty = field.ty;
        match field.bits {
            None => collect(types, inner, found),
            Some(range) if range.width == 0 => {}
            Some(range) => {
                found.push(Leaf { kind: LeafKind::BitField(range), width: range.width, ..inner });
            }
        }
    }
}

/// The width of a union's cell, if it has one.
pub(crate) fn union_width(types: &TypeTable, id: RecordId) -> Option<u32> {
    let record = types.record(id);
    let fits = record.complete && (1..=LARGEST_UNION).contains(&record.size);
    fits.then_some(record.size as u32 * 8)
}

/// The part of a path that selects a member.
pub(crate) fn member(field: &Field, number: usize) -> String {
    match &field.name {
        Some(name) => format!(".{name}"),
        None => format!(".{number}"),
    }
}

/// Two parts of a path. Elements of elements are counted through, so `[]` never follows `[]`.
pub(crate) fn joined(path: &str, suffix: &str) -> String {
    let rest = if path.ends_with("[]") { suffix.strip_prefix("[]").unwrap_or(suffix) } else { suffix };
    format!("{path}{rest}")
}

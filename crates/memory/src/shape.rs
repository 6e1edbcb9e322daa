//! Which parts a type has, and where. Elements of arrays are looked for in the first one.

use rorqual_cfa::{RecordKind, Type, TypeId, TypeTable};

/// The same offset in the first element of each array on the way.
pub fn fold(types: &TypeTable, ty: TypeId, offset: u64) -> u64 {
    match types.get(ty) {
        Type::Array { element, .. } => match types.size_of(*element) {
            Some(size) if size > 0 => fold(types, *element, offset % size),
            _ => offset,
        },
        Type::Record(record) if types.record(*record).kind == RecordKind::Struct => {
            let fields = types.record(*record).fields.iter();
            let inside = |ty, start: u64| {
                let size = types.size_of(ty);
                offset >= start && size.is_none_or(|size| offset < start + size)
            };
            let field = fields.rev().find(|field| field.offset <= offset && inside(field.ty, field.offset));
            field.map_or(offset, |field| field.offset + fold(types, field.ty, offset - field.offset))
        }
        _ => offset,
    }
}

/// Whether a type has a part of another type at an offset. Every part of a union that lies inside counts.
pub fn has_part(types: &TypeTable, ty: TypeId, offset: u64, wanted: TypeId) -> bool {
    if offset == 0 && is_same(types, ty, wanted) {
        return true;
    }
    match types.get(ty) {
        Type::Array { element, .. } => match types.size_of(*element) {
            Some(size) if size > 0 => has_part(types, *element, offset % size, wanted),
            _ => false,
        },
        Type::Record(record) => {
            let record = types.record(*record);
            if record.kind == RecordKind::Union {
                return types.size_of(wanted).is_some_and(|size| offset + size <= record.size);
            }
            record.fields.iter().any(|field| {
                let inner = offset.checked_sub(field.offset);
                let is_near = |inner: &u64| types.size_of(field.ty).is_none_or(|size| *inner < size);
                field.bits.is_none()
                    && inner.filter(is_near).is_some_and(|inner| has_part(types, field.ty, inner, wanted))
            })
        }
        _ => false,
    }
}

/// Whether a type has an array at an offset whose elements have a size, so that a pointer may run over it. Arrays
/// in unions do not count: other members tell their elements apart.
pub(crate) fn has_array(types: &TypeTable, ty: TypeId, offset: u64, stride: u64) -> bool {
    match types.get(ty) {
        Type::Array { element, .. } => match types.size_of(*element) {
            Some(size) if size > 0 => {
                let is_here = size == stride && offset.is_multiple_of(size);
                is_here || has_array(types, *element, offset % size, stride)
            }
            _ => false,
        },
        Type::Record(record) if types.record(*record).kind == RecordKind::Struct => {
            types.record(*record).fields.iter().any(|field| {
                let inner = offset.checked_sub(field.offset);
                let is_near = |inner: &u64| types.size_of(field.ty).is_none_or(|size| *inner < size);
                inner.filter(is_near).is_some_and(|inner| has_array(types, field.ty, inner, stride))
            })
        }
        _ => false,
    }
}

/// Where all elements are that fold to an offset, less that offset: where the arrays on the way put them.
pub fn displacements(types: &TypeTable, ty: TypeId, offset: u64) -> Vec<u64> {
    /// Nobody wants to know more.
    const MOST: usize = 4096;
    match types.get(ty) {
        Type::Array { element, length } => match types.size_of(*element) {
            Some(size) if size > 0 => {
                let inner = displacements(types, *element, offset % size);
                let starts = (0..length.unwrap_or(0)).map(|number| number * size);
                starts.flat_map(|start| inner.iter().map(move |at| start + at)).take(MOST).collect()
            }
            _ => vec![0],
        },
        Type::Record(record) if types.record(*record).kind == RecordKind::Struct => {
            let fields = types.record(*record).fields.iter().rev();
            let mut around = fields.filter(|field| field.offset <= offset);
            around
                .next()
                .map_or_else(|| vec![0], |field| displacements(types, field.ty, offset - field.offset))
        }
        _ => vec![0],
    }
}

/// Whether one type may stand for the other in memory: the same, or scalars with the same number of bits.
fn is_same(types: &TypeTable, one: TypeId, other: TypeId) -> bool {
    let is_plain = |ty| match types.get(ty) {
        Type::Float(kind) => u64::from(kind.value_bits()) == 8 * types.size_of(ty).unwrap_or(0),
        _ => types.is_scalar(ty),
    };
    one == other || (is_plain(one) && is_plain(other) && types.width(one) == types.width(other))
}

//! Pointers that run over arrays, and pointers that move to other parts of an object.

use std::collections::BTreeSet;

use rorqual_cfa::{ExprId, ExprKind, PlaceKind, Program};

use crate::points_to::{Memory, constant, type_of};
use crate::shape::has_array;
use crate::targets::{Object, Offset, Targets};

/// Something runs over elements of a size, from a part of allocated objects on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Walk {
    pub(crate) object: Object,
    pub(crate) at: u64,
    pub(crate) stride: u64,
    /// It is an index of a named array, and not a pointer that may run on to the next member.
    pub(crate) is_named: bool,
}

impl Memory {
    /// A pointer plus a number of elements.
    pub(crate) fn offset(&self, program: &Program, pointer: ExprId, index: ExprId, stride: u64) -> Targets {
        let mut all = self.run(program, &self.targets(program, pointer), index, stride);
        // An address may hide in the index: `(char *)0 + (long)p`.
        all.join(&self.anywhere(program, &[index]));
        all
    }

    /// Another element of arrays, or what is so many bytes further where there is none.
    pub(crate) fn run(&self, program: &Program, base: &Targets, index: ExprId, stride: u64) -> Targets {
        let bytes = distance(program, index, stride);
        self.moved(program, base, |object, at| {
            if may_run(program, object, at, (stride, bytes)) {
                return Some(at);
            }
            u64::try_from(i128::from(at) + bytes?).ok()
        })
    }

    /// Where pointers run over allocated objects, and in steps of how many bytes.
    pub(crate) fn walks(&self, program: &Program) -> BTreeSet<Walk> {
        let mut found = self.searched.clone();
        let mut note = |base: Targets, index: ExprId, stride: u64, is_named: bool| {
            let bytes = distance(program, index, stride);
            for (object, offset) in base.places {
                if let (Object::Heap(..) | Object::Stack(..) | Object::Given(_), Offset::At(at)) =
                    (object, offset)
                    && may_run(program, object, at, (stride, bytes))
                {
                    found.insert(Walk { object, at, stride, is_named });
                }
            }
        };
        for expr in program.exprs.values() {
            if let ExprKind::PointerOffset { pointer, index, stride } = expr.kind {
                note(self.targets(program, pointer), index, stride, false);
            }
        }
        for place in program.places.values() {
            if let PlaceKind::Element { base, index } = place.kind {
                let stride = program.types.size_of(place.ty).unwrap_or(0);
                note(self.objects(program, base), index, stride, true);
            }
        }
        found
    }
}

/// Whether a pointer to a part runs over elements of a size there if it moves by so many bytes, or by any number.
/// Allocated objects are arrays of whatever pointers run over them by; a known number of single bytes leads to
/// another part.
fn may_run(program: &Program, object: Object, at: u64, (stride, bytes): (u64, Option<i128>)) -> bool {
    match type_of(program, object) {
        Some(ty) => has_array(&program.types, ty, at, stride),
        None => stride > 1 || bytes.is_none(),
    }
}

/// By how many bytes an index moves, if it is constant.
fn distance(program: &Program, index: ExprId, stride: u64) -> Option<i128> {
    constant(program, index)?.checked_mul(i128::from(stride))
}

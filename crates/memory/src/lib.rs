//! What pointers may point to, and how memory is divided into parts that do not overlap.
//!
//! An [`Object`] is a variable, a string literal, a function, or all that one edge allocates. [`Memory::analyse`]
//! finds for each pointer the parts of objects that it may point to ([`Targets`]): an analysis by inclusion that
//! ignores the order of operations and calling contexts, but tells members apart. The elements of an array are one
//! part. An object that is accessed in ways that do not fit its type is [collapsed](Memory::is_collapsed): nothing
//! but its bytes is known of it.
//!
//! Objects that edges allocate are gathered in [`Class`]es: whatever is accessed at one place belongs to one class, and
//! has one type of elements. So a write through a pointer changes one class at most, and there the member that is
//! named and no other.
//!
//! [`Effects`] says which objects a call or a loop may write, and which variables active calls of one function share.
//!
//! Engines and the checker of certificates both rely on this, so the tests compare it with what the interpreter does.

mod classes;
mod effects;
mod ghosts;
mod library;
mod points_to;
mod privacy;
mod shape;
mod starts;
mod targets;
mod walk;

use rorqual_cfa::DataModel;

pub use classes::{Class, ClassId};
pub use effects::{Effects, Writes};
pub use ghosts::{Ghost, Ghosts, is_unclear};
pub use library::{Block, Whole, bare_name, block_operation, is_allocator};
pub use points_to::Memory;
pub use shape::{displacements, fold, has_part};
pub use targets::{Object, Offset, Targets};

/// A union is one cell of its bytes up to this size, and so is a variable of which only bytes are known. Nothing is known of
/// larger ones.
pub const LARGEST_UNION: u64 = 2048;

/// The size of what a pointer from outside points to.
pub const GIVEN_SIZE: u64 = 1 << 16;

/// Where the memory starts that pointers from outside point to, each to a piece of [`GIVEN_SIZE`] of its own. It lies
/// behind all memory that the program allocates.
pub fn given_start(model: DataModel) -> u64 {
    heap_start(model) + heap_start(model) / 2
}

/// Where allocated memory starts: everything else lies below.
pub fn heap_start(model: DataModel) -> u64 {
    match model {
        DataModel::Ilp32 => 0x8000_0000,
        DataModel::Lp64 => 0x4000_0000_0000,
    }
}

//! What automatic checks ask of memory. To say that an access is not undefined, the checker must know an object
//! that it lies in; otherwise it may be undefined in every way.

use rorqual_cfa::{Fault, Id, PlaceId, Program, VariableId};
use rorqual_logic::{Sort, Term};

use super::memory::Site;
use super::reach::Pointed;
use super::step::Step;
use crate::cells::object_size;

impl Step<'_> {
    /// Whether an access to a place may be undefined in the given way.
    pub(super) fn faulty(&mut self, place: PlaceId, fault: Fault) -> Term {
        let access = self.access(place);
        let bytes = match access.bits {
            None => self.world.program.types.size_of(access.ty).unwrap_or(0),
            Some(_) => self.bytes(access),
        };
        match self.site(place) {
            Site::Named(named) => match fault {
                // A variable that is named is alive.
                Fault::Life => self.pool.bottom(),
                Fault::Bounds => {
                    let inside = self.is_inside(named.variable, named.offset, bytes);
                    self.pool.not(inside)
                }
                Fault::Uninitialized if is_global(self.world.program, named.variable) => self.pool.bottom(),
                Fault::Uninitialized => self.maybe(),
            },
            Site::Address(pointed) => self.faulty_address(place, &pointed, bytes, fault),
        }
    }

    fn is_inside(&mut self, variable: VariableId, offset: Term, bytes: u64) -> Term {
        match object_size(self.world.program, variable) {
            Some(size) if size >= bytes => {
                let last = self.pool.bv(size - bytes, self.world.pointer_width);
                self.pool.bv_ule(offset, last)
            }
            _ => self.pool.bottom(),
        }
    }

    /// An address in an object that is there is neither out of bounds nor after its life. Null pointers are the
    /// business of another check.
    fn faulty_address(&mut self, place: PlaceId, pointed: &Pointed, bytes: u64, fault: Fault) -> Term {
        let program = self.world.program;
        let mut good = Vec::new();
        for hit in self.hits(pointed, bytes).0 {
            if fault != Fault::Uninitialized || is_global(program, hit.variable) {
                good.push(hit.inside);
            }
        }
        for text in &pointed.reach.texts {
            let (base, size) = self.world.texts[text.index()];
            if size >= bytes {
                let offset = self.pool.bv_sub(pointed.address, base);
                let last = self.pool.bv(size - bytes, self.world.pointer_width);
                good.push(self.pool.bv_ule(offset, last));
            }
        }
        if let Some(pointer) = program.root_pointer(place) {
            let pointer = self.eval(pointer);
            let null = self.pool.bv(0u8, self.pool.width(pointer));
            good.push(self.pool.eq(pointer, null));
        }
        let good = self.pool.or(&good);
        self.pool.not(good)
    }

    fn maybe(&mut self) -> Term {
        self.pool.fresh_symbol("any", Sort::Bool)
    }
}

fn is_global(program: &Program, variable: VariableId) -> bool {
    program.variables[variable].kind.is_global()
}

//! Calls of functions without body.

use rorqual_cfa::{EdgeId, ExprId, Function, FunctionId, PlaceId};
use rorqual_interpreter::{Effect, call_effect, written_argument};
use rorqual_memory::{Block, Whole, bare_name, block_operation, is_allocator};

use super::memory::Site;
use super::step::Step;
use crate::cells::Facet;

impl Step<'_> {
    /// A call of a function without body, on an edge of a function.
    pub(super) fn call_bodiless(
        &mut self,
        callee: FunctionId,
        site: (FunctionId, EdgeId),
        target: Option<PlaceId>,
        arguments: &[ExprId],
    ) {
        let program = self.world.program;
        let function = &program.functions[callee];
        if is_allocator(function) {
            return self.call_allocator(function, site, target, arguments);
        }
        for &argument in arguments {
            self.value(argument);
        }
        if let (Some(block), Some(&first)) =
            (block_operation(program, function, arguments), arguments.first())
        {
            let result = self.faceted(first);
            self.block(block);
            return self.return_pointer(function, target, &result);
        }
        if call_effect(program, function, arguments) == Effect::Memory {
            self.write_anything(function, arguments);
        }
        if let Some(target) = target {
            self.havoc(target);
        }
    }

    /// Copies or clears an object of a type.
    fn block(&mut self, block: Block) {
        match block {
            Block::Copy { to, from, ty } => {
                let (from, to) = (self.whole_site(from), self.whole_site(to));
                for facet in self.world.cells.facets().into_iter().chain([Facet::Content]) {
                    self.on(facet, |step| {
                        let values = step.load_aggregate_at(&from, ty);
                        step.store_aggregate_at(&to, ty, &values);
                    });
                }
            }
            Block::Clear { to, ty } => {
                let to = self.whole_site(to);
                for facet in self.world.cells.facets().into_iter().chain([Facet::Content]) {
                    let zero = self.plain_aggregate(facet, ty);
                    self.on(facet, |step| step.store_aggregate_at(&to, ty, &zero));
                }
            }
        }
    }

    fn whole_site(&mut self, whole: Whole) -> Site {
        match whole {
            Whole::Place(place) => self.site(place),
            Whole::Pointee(pointer) => Site::Address(self.pointed(pointer)),
        }
    }

    /// What a function of the library may write gets any value.
    fn write_anything(&mut self, function: &Function, arguments: &[ExprId]) {
        let name = bare_name(function);
        if let ("free" | "cfree", Some(&first)) = (name, arguments.first()) {
            let pointer = self.index(first);
            return self.free(pointer);
        }
        if name == "posix_memalign" {
            self.forget_ledgers();
        }
        match written_argument(self.world.program, function, arguments) {
            Some(written) => {
                let pointed = self.pointed(written);
                self.forget_pointed(&pointed);
            }
            None => self.forget_addressed(),
        }
    }
}

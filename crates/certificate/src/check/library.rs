//! Calls of functions without body.

use rorqual_cfa::{EdgeId, ExprId, ExprKind, Function, FunctionId, Hazard, PlaceId, Program, TypeId};
use rorqual_interpreter::{Effect, call_effect};
use rorqual_logic::{Bits, Term};
use rorqual_memory::{Block, Whole, bare_name, block_operation, is_allocator};

use super::memory::Site;
use super::step::Step;
use crate::cells::{ClassCells, Facet};

/// Longer runs of elements are not copied or cleared one by one: they become any value.
const LONGEST_RUN: u64 = 64;

/// Elements of a type that are copied, or cleared if they come from nowhere.
struct Run {
    to: Vec<Site>,
    from: Option<Vec<Site>>,
    ty: TypeId,
}

/// What a pointer points to before it is converted to `void *`.
fn pointee(program: &Program, pointer: ExprId) -> Option<TypeId> {
    let mut inner = pointer;
    while let ExprKind::Convert(operand) = program.exprs[inner].kind
        && program.types.pointee(program.exprs[operand].ty).is_some()
    {
        inner = operand;
    }
    let pointee = program.types.pointee(program.exprs[inner].ty)?;
    program.types.size_of(pointee).filter(|&size| size > 0).map(|_| pointee)
}

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
            self.block(block, arguments);
            return self.return_pointer(function, target, &result);
        }
        if let (Some(run), Some(&first)) = (self.run(function, arguments), arguments.first()) {
            let result = self.faceted(first);
            self.copy_or_clear(run, arguments);
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
    fn block(&mut self, block: Block, arguments: &[ExprId]) {
        let run = match block {
            Block::Copy { to, from, ty } => {
                let from = Some(vec![self.whole_site(from, ty)]);
                Run { to: vec![self.whole_site(to, ty)], from, ty }
            }
            Block::Clear { to, ty } => Run { to: vec![self.whole_site(to, ty)], from: None, ty },
        };
        self.copy_or_clear(run, arguments);
    }

    /// Recognises calls of `memcpy`, `memmove` and `memset` that copy or clear a known number of elements of the type that
    /// their arguments point to.
    fn run(&mut self, function: &Function, arguments: &[ExprId]) -> Option<Run> {
        let &[to, second, length] = arguments else { return None };
        let program = self.world.program;
        let (name, ty) = (bare_name(function), pointee(program, to)?);
        let each = program.types.size_of(ty)?;
        let length = self.index(length);
        let bytes = self.pool.as_bits(length).and_then(Bits::to_u64)?;
        let count = bytes / each;
        if function.body.is_some() || bytes % each != 0 || count > LONGEST_RUN {
            return None;
        }
        let from = match name {
            "memcpy" | "memmove" if pointee(program, second) == Some(ty) => Some(second),
            "memset" => {
                let byte = self.eval(second);
                self.pool.as_bits(byte).filter(|byte| byte.is_zero())?;
                None
            }
            _ => return None,
        };
        let mut sites = |pointer| (0..count).map(|number| self.element_site(pointer, ty, number)).collect();
        Some(Run { to: sites(to), from: from.map(&mut sites), ty })
    }

    /// The element that lies a number of elements behind the one that a pointer points to.
    fn element_site(&mut self, pointer: ExprId, ty: TypeId, number: u64) -> Site {
        let mut pointed = self.pointed(pointer);
        let size = self.world.program.types.size_of(ty).unwrap_or(0);
        if number > 0 {
            let by = self.pool.bv(number * size, self.world.pointer_width);
            pointed.address = self.pool.bv_add(pointed.address, by);
            // Behind a part of an element there may be another part of it, unless there are bytes only.
            let is_alike = pointed.reach.class().is_some_and(|class| match self.world.cells.class(class) {
                ClassCells::Elements { ty: element, .. } => *element == ty && pointed.at == Some(0),
                ClassCells::Bytes(_) => true,
            });
            pointed.at = pointed.at.filter(|_| is_alike);
        }
        self.accessed_behind(pointed, pointer, size)
    }

    /// Everything is read before anything is written, as source and target may overlap. Bytes between members are
    /// copied too. Source and target are behind the arguments.
    fn copy_or_clear(&mut self, run: Run, arguments: &[ExprId]) {
        let Run { to, from, ty } = run;
        for facet in self.world.cells.facets().into_iter().chain([Facet::Content]) {
            self.on(facet, |step| {
                let values: Vec<(Option<Term>, Vec<Term>)> = match &from {
                    Some(from) => step.during(Hazard::Block(arguments[1]), |step| {
                        let load = |site| (step.load_all_bytes(site, ty), step.load_aggregate_at(site, ty));
                        from.iter().map(load).collect()
                    }),
                    None => {
                        let zero = (step.plain_bytes(facet, ty), step.plain_aggregate(facet, ty));
                        vec![zero; to.len()]
                    }
                };
                for (site, (bytes, leaves)) in to.iter().zip(&values) {
                    step.during(Hazard::Block(arguments[0]), |step| {
                        step.store_with_gaps(site, ty, *bytes, leaves);
                    });
                }
            });
        }
    }

    fn whole_site(&mut self, whole: Whole, ty: TypeId) -> Site {
        match whole {
            Whole::Place(place) => self.accessed(place),
            Whole::Pointee(pointer) => self.element_site(pointer, ty, 0),
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
        let memory = self.world.cells.memory();
        let written = memory.written_by_library(self.world.program, function, arguments);
        if written.unknown { self.forget_addressed() } else { self.forget_objects(&written) }
    }
}

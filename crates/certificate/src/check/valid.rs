//! Which accesses to allocated memory are known to be valid: to an object that is alive, and inside of its bounds.
//!
//! Formulas of programs that are not checked for it do not say where allocated objects end, nor whether they are alive, so
//! most accesses may be invalid there: any value is read, and nothing is written. But an object that was allocated since
//! the cut point has its size in the formulas; the ledgers know it where they are kept; and an analysis knows which objects
//! may have ended. All other accesses are valid where that is assumed (`premises.rs`).
//!
//! What is read also depends on every call of `free` that may have been made before: it is any value if one was invalid.

use rorqual_cfa::{Callee, ExprId, ExprKind, Fault, Hazard, Operation, PlaceId, Program, VariableId};
use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_memory::{Memory, Object, Targets, bare_name, is_allocator};

use super::memory::Site;
use super::reach::Pointed;
use super::step::{Births, Step};
use crate::cells::{CellId, Ledger};

/// Longer chains of values take more time than they spare.
const MOST_VALUES: usize = 64;

impl Step<'_> {
    /// Finds a place that is accessed.
    pub(super) fn accessed(&mut self, id: PlaceId) -> Site {
        let mut site = self.site(id);
        if let Site::Address(pointed) = &mut site
            && pointed.reach.class().is_some()
        {
            let access = self.access(id);
            let whole = self.world.program.types.size_of(access.ty).unwrap_or(0);
            let bytes = if access.bits.is_some() { self.bytes(access) } else { whole };
            let targets = self.world.cells.memory().objects(self.world.program, id);
            let base = self.asks_for_bases(&targets).then(|| self.base_of_place(id));
            pointed.valid = self.known_valid(pointed, (base, &targets), bytes);
        }
        site
    }

    /// What a pointer points to, where so many bytes behind an address that was derived from it are accessed.
    pub(super) fn accessed_behind(&mut self, mut pointed: Pointed, pointer: ExprId, bytes: u64) -> Site {
        if pointed.reach.class().is_some() {
            let targets = self.world.cells.memory().targets(self.world.program, pointer);
            let base = self.asks_for_bases(&targets).then(|| self.base(pointer));
            pointed.valid = self.known_valid(&pointed, (base, &targets), bytes);
        }
        Site::Address(pointed)
    }

    /// Whether the ledgers tell something about what a pointer points to. Where nothing is checked, memory from outside is
    /// not known to be apart from what is allocated.
    fn asks_for_bases(&self, targets: &Targets) -> bool {
        let cells = self.world.cells;
        let is_known = cells.has_memory_checks() || !cells.memory().may_be_outside(targets);
        is_known && cells.ledger(Ledger::Sizes).is_some_and(|sizes| !self.world.vague.contains(&sizes))
    }

    /// A reason for which so many bytes at an address are in an allocated object that is alive.
    fn known_valid(
        &mut self,
        pointed: &Pointed,
        (base, targets): (Option<Term>, &Targets),
        bytes: u64,
    ) -> Option<Term> {
        if pointed.reach.is_outside {
            return Some(self.in_heap(pointed.address));
        }
        let width = self.world.pointer_width;
        let is_alive = self.past.as_ref().is_some_and(|past| past.objects.is_disjoint(&targets.objects()));
        let span = self.pool.bv(bytes, width);
        let mut reasons = Vec::new();
        if is_alive {
            for (start, size) in self.births.allocated_at(self.pool, pointed.address) {
                reasons.push(self.is_in(pointed.address, span, (start, size)));
            }
        }
        if let Some(base) = base {
            let lives = if is_alive {
                self.pool.top()
            } else {
                self.is_good_by_base(pointed.address, (base, targets), span, Fault::Life)
            };
            let fits = self.is_good_by_base(pointed.address, (base, targets), span, Fault::Bounds);
            let fits_least = self.fits_least(pointed.address, base, span);
            let fits = self.pool.or2(fits, fits_least);
            reasons.push(self.pool.and2(lives, fits));
        }
        let reason = self.pool.or(&reasons);
        (self.pool.as_bool(reason) != Some(false)).then_some(reason)
    }

    /// Whether bytes lie in an object at an address because they would lie in the smallest one.
    fn fits_least(&mut self, address: Term, base: Term, bytes: Term) -> Term {
        let Some(recorded) = self.recorded(Ledger::Sizes, base) else { return self.pool.bottom() };
        let width = self.world.pointer_width;
        let (none, least) = (self.pool.bv(0u8, width), self.pool.bv(self.world.least_size, width));
        let (is_object, inside) = (self.pool.ne(recorded, none), self.is_in(address, bytes, (base, least)));
        self.pool.and2(is_object, inside)
    }

    /// Whether allocated memory is read at an address: there is an object for some reason, or the operation at hand is
    /// assumed to be defined.
    pub(super) fn reads_allocated(&mut self, pointed: &Pointed) -> Term {
        let assumed = match self.hazard {
            Some(hazard) => self.births.assumption(self.pool, hazard),
            None => self.pool.bottom(),
        };
        let in_heap = self.in_heap(pointed.address);
        let assumed = self.pool.and2(in_heap, assumed);
        match pointed.valid {
            Some(valid) => self.pool.or2(valid, assumed),
            None => assumed,
        }
    }

    /// Whether nothing that may have been freed before, and that concerns what is read, was freed that cannot be: after an
    /// invalid `free` the library may give out memory that is in use.
    fn frees_are_valid(&mut self, concerns: impl Fn(&Self, ExprId) -> bool) -> Term {
        let past = self.past.clone().unwrap_or_else(|| self.world.ended.anywhere());
        let mut all = Vec::new();
        for &freed in &past.freed {
            if concerns(self, freed) {
                all.push(self.births.assumption(self.pool, Hazard::Free(freed)));
            }
        }
        self.pool.and(&all)
    }

    /// What is read from allocated memory, unless something was freed before that cannot be.
    pub(super) fn allocated_value(&mut self, value: Term, other: Term) -> Term {
        let is_kept = self.frees_are_valid(|_, _| true);
        self.pool.ite(is_kept, value, other)
    }

    /// What a variable contains, unless it may have been given to `free`.
    pub(super) fn unless_freed(&mut self, cell: CellId, value: Term) -> Term {
        let cells = self.world.cells;
        let details = cells.get(cell);
        let holds = |&variable: &VariableId| cells.is_addressed(variable) && cells.address(variable) != cell;
        let Some(variable) = details.variable.filter(holds) else { return value };
        let sort = details.sort;
        let is_kept = self.frees_are_valid(|step, freed| {
            let targets = step.world.cells.memory().targets(step.world.program, freed);
            targets.unknown || targets.objects().contains(&Object::Variable(variable))
        });
        if self.pool.as_bool(is_kept) == Some(true) {
            return value;
        }
        let any = self.pool.fresh_symbol("any", sort);
        self.pool.ite(is_kept, value, any)
    }

    /// The same for a write. One that is not known to be valid may be, each time that it happens.
    pub(super) fn writes_allocated(&mut self, pointed: &Pointed) -> Term {
        let known = self.reads_allocated(pointed);
        if self.pool.as_bool(known) == Some(true) {
            return known;
        }
        let (in_heap, perhaps) = (self.in_heap(pointed.address), self.pool.fresh_symbol("valid", Sort::Bool));
        let perhaps = self.pool.and2(in_heap, perhaps);
        self.pool.or2(known, perhaps)
    }
}

impl Births {
    /// The objects that were allocated since the cut point and that an address may have been derived from, with their sizes.
    fn allocated_at(&self, pool: &TermPool, address: Term) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        let (mut seen, mut open) = (Vec::new(), vec![address]);
        while let Some(term) = open.pop()
            && seen.len() < MOST_VALUES
        {
            if seen.contains(&term) {
                continue;
            }
            seen.push(term);
            match (pool.op(term), pool.arguments(term)) {
                (Op::Symbol(_), _) => {
                    found.extend(self.allocated.get(&term).map(|&size| (term, size)));
                    open.extend(self.merged.get(&term).into_iter().flatten().copied());
                }
                (Op::BvAdd, arguments) => open.extend_from_slice(arguments),
                (Op::Ite, &[_, then, otherwise]) => open.extend([then, otherwise]),
                _ => {}
            }
        }
        found
    }
}

/// So many bytes every allocated object has, if it has any; 0 if that is not known.
pub(super) fn least_size(program: &Program, memory: &Memory) -> u64 {
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    let sizes = bodies.flat_map(|body| body.edges().values()).filter_map(|edge| match &edge.operation {
        Operation::StackAllocate { size, .. } => Some(constant(program, *size).unwrap_or(0)),
        Operation::Call { callee, arguments, .. } => allocated(program, memory, *callee, arguments),
        _ => None,
    });
    sizes.min().unwrap_or(0)
}

/// The value of a constant that is not negative, and not changed by conversions.
fn constant(program: &Program, expr: ExprId) -> Option<u64> {
    let value = match program.exprs[expr].kind {
        ExprKind::Int(value) => u64::try_from(value).ok()?,
        ExprKind::Convert(operand) => constant(program, operand)?,
        _ => return None,
    };
    let width = program.types.width(program.exprs[expr].ty);
    value.checked_shr(width - 1).is_none_or(|high| high == 0).then_some(value)
}

/// How many bytes a call allocates, if it allocates any; 0 if that is not constant.
fn allocated(program: &Program, memory: &Memory, callee: Callee, arguments: &[ExprId]) -> Option<u64> {
    let callees = memory.callees(program, callee);
    let function =
        callees.iter().map(|&callee| &program.functions[callee]).find(|callee| is_allocator(callee))?;
    let size = match (bare_name(function), arguments) {
        _ if callees.len() > 1 => None,
        ("malloc" | "alloca", &[size]) => constant(program, size),
        ("calloc", &[count, size]) => {
            let count = constant(program, count);
            count.zip(constant(program, size)).and_then(|(count, size)| count.checked_mul(size))
        }
        _ => None,
    };
    Some(size.unwrap_or(0))
}

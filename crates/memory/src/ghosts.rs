//! What has to be known of memory besides its content: for automatic checks, and to speak of all nodes of a list.

use std::collections::BTreeSet;

use rorqual_cfa::{ExprId, ExprKind, Fault, Program, VariableId, VariableKind};

use crate::classes::ClassId;
use crate::points_to::Memory;
use crate::targets::{Object, Targets};

/// Something that is known of memory besides its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ghost {
    /// Which object each pointer was derived from.
    Bases,
    /// How large allocated objects are.
    Sizes,
    /// Which allocated objects are alive.
    Lives,
    /// How many objects on the heap are alive.
    Count,
    /// What was written.
    Written,
}

/// What is kept for a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ghosts {
    kept: BTreeSet<Ghost>,
    are_checked: bool,
}

impl Ghosts {
    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether checks ask for something, and it is not only kept for proofs.
    pub fn are_checked(&self) -> bool {
        self.are_checked
    }

    /// Whether something is kept.
    pub fn has(&self, ghost: Ghost) -> bool {
        self.kept.contains(&ghost)
    }
}

impl Memory {
    /// What the checks of a program ask. Where objects on the heap are linked, their sizes tell at which addresses there
    /// are some.
    pub fn ghosts(&self, program: &Program) -> Ghosts {
        let exprs = program.exprs.values();
        let mut kept: BTreeSet<Ghost> =
            exprs.flat_map(|expr| self.asked(program, &expr.kind)).copied().collect();
        let are_checked = !kept.is_empty();
        kept.extend(self.has_links().then_some(Ghost::Sizes));
        Ghosts { kept, are_checked }
    }

    /// Whether the condition of a check asks for something that has to be kept.
    pub fn asks(&self, program: &Program, condition: ExprId) -> bool {
        let kind = &program.exprs[condition].kind;
        !self.asked(program, kind).is_empty()
            || match *kind {
                ExprKind::Unary { operand, .. } => self.asks(program, operand),
                ExprKind::Binary { lhs, rhs, .. } => self.asks(program, lhs) || self.asks(program, rhs),
                _ => false,
            }
    }

    /// What an expression asks by itself.
    fn asked(&self, program: &Program, kind: &ExprKind) -> &'static [Ghost] {
        match *kind {
            ExprKind::Faulty { place, fault } if is_unclear(&self.objects(program, place)) => asked_by(fault),
            ExprKind::FaultyBlock { pointer, fault, .. } if is_unclear(&self.targets(program, pointer)) => {
                asked_by(fault)
            }
            ExprKind::Faulty { fault: Fault::Uninitialized, .. } => &[Ghost::Written],
            ExprKind::BadFree(_) => &[Ghost::Bases, Ghost::Lives],
            ExprKind::Leaks => &[Ghost::Bases, Ghost::Lives, Ghost::Count],
            _ => &[],
        }
    }

    /// Whether what may be pointed to is in memory from outside.
    pub fn may_be_outside(&self, targets: &Targets) -> bool {
        targets.unknown || targets.objects().iter().any(|&object| self.is_from_outside(object))
    }

    /// Whether what may be pointed to is in memory from outside, but for variables and string literals.
    pub fn is_outside(&self, targets: &Targets) -> bool {
        let is_allocated = |object: &Object| matches!(object, Object::Heap(..) | Object::Stack(..));
        let mut allocated = targets.objects().into_iter().filter(is_allocated);
        self.may_be_outside(targets) && allocated.all(|object| self.is_from_outside(object))
    }

    /// Whether pointers may be stored in an object.
    pub fn holds_pointers(&self, object: Object) -> bool {
        self.stores_anywhere() || self.contents_of(object).any(|(_, content)| !content.is_empty())
    }

    /// The variables that are pointers and may point to the heap. Temporaries are no variables of the program.
    pub fn keepers(&self, program: &Program) -> Vec<VariableId> {
        let is_keeper = |&variable: &VariableId| {
            let (details, object) = (&program.variables[variable], Object::Variable(variable));
            details.kind != VariableKind::Temporary
                && program.types.pointee(details.ty).is_some()
                && !self.is_collapsed(object)
                && self.may_hold_allocated(object)
        };
        program.variables.ids().filter(is_keeper).collect()
    }

    fn may_hold_allocated(&self, object: Object) -> bool {
        self.stores_anywhere() || self.leads_to_heap(object)
    }

    fn leads_to_heap(&self, object: Object) -> bool {
        let is_on_heap = |object: &Object| matches!(object, Object::Heap(..));
        self.contents_of(object).any(|(_, content)| content.objects().iter().any(is_on_heap))
    }

    /// Whether allocated objects may hold pointers to objects on the heap.
    fn has_links(&self) -> bool {
        self.classes().any(|(class, _)| self.objects_of(class).any(|object| self.leads_to_heap(object)))
    }

    /// Whether pointers may be stored in an object of a class.
    pub fn class_holds_pointers(&self, class: ClassId) -> bool {
        self.objects_of(class).any(|object| self.holds_pointers(object))
    }
}

/// Whether something may be in several objects, or in objects of which the program does not say how large they are.
pub fn is_unclear(targets: &Targets) -> bool {
    let objects = targets.objects();
    let is_declared = |object: &Object| matches!(object, Object::Variable(_) | Object::Text(_));
    targets.unknown || objects.len() > 1 || !objects.iter().all(is_declared)
}

fn asked_by(fault: Fault) -> &'static [Ghost] {
    match fault {
        Fault::Bounds => &[Ghost::Bases, Ghost::Sizes],
        Fault::Life => &[Ghost::Bases, Ghost::Lives],
        Fault::Uninitialized => &[Ghost::Written],
        // Addresses tell.
        Fault::Constant => &[],
    }
}

//! Classes of allocated objects: which of them may be accessed at one place, and what they consist of.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{
    ExprId, ExprKind, Id, Operation, PlaceId, PlaceKind, Program, TypeId, TypeTable, VariableId,
};

use crate::library::block_pointers;
use crate::points_to::{Memory, constant, type_of};
use crate::shape::{fold, has_array, has_part};
use crate::targets::{Object, Offset};
use crate::walk::Walk;

/// A class of allocated objects, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

/// Allocated objects that places do not tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// What they are arrays of, unless only their bytes are known.
    pub element: Option<TypeId>,
    /// The first of the objects, which gives the class its name.
    pub first: Object,
}

#[derive(Debug, Default)]
pub(crate) struct Classes {
    all: Vec<Class>,
    of: BTreeMap<Object, ClassId>,
}

/// What is known of a class while the objects are gathered.
#[derive(Debug, Default)]
struct Uses {
    objects: BTreeSet<Object>,
    accesses: BTreeSet<(Offset, TypeId)>,
}

impl Memory {
    /// The class that an allocated object belongs to.
    pub fn class_of(&self, object: Object) -> Option<ClassId> {
        self.classes.of.get(&object).copied()
    }

    /// The objects of a class.
    pub fn objects_of(&self, class: ClassId) -> impl Iterator<Item = Object> {
        self.classes.of.iter().filter(move |(_, of)| **of == class).map(|(&object, _)| object)
    }

    /// A class by its number.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes.all[id.0 as usize]
    }

    /// The name of a class, which is also that of its cells: `main::heap@7`.
    pub fn class_name(&self, program: &Program, id: ClassId) -> String {
        let (kind, function, edge) = match self.class(id).first {
            Object::Stack(function, edge) => ("alloca", function, edge),
            Object::Heap(function, edge) => ("heap", function, edge),
            Object::Given(ty) => return format!("given@{}", ty.index()),
            _ => unreachable!("only allocated objects are in classes"),
        };
        let details = &program.functions[function];
        let body = details.body.as_ref().expect("a function with an edge has a body");
        format!("{}::{kind}@{}", details.name, body.edges()[edge].source.index())
    }

    /// The class of allocated objects that a pointer may point into, if any, and to which part of their elements:
    /// none where only bytes are known.
    pub fn allocated(&self, program: &Program, pointer: ExprId) -> Option<(ClassId, Option<u64>)> {
        let targets = self.targets(program, pointer);
        let mut parts =
            targets.places.iter().filter_map(|&(object, offset)| Some((self.class_of(object)?, offset)));
        let (class, offset) = parts.next()?;
        let element = self.class(class).element;
        Some(match (element, offset) {
            (Some(element), Offset::At(at)) => (class, Some(fold(&program.types, element, at))),
            // All bytes of an array of bytes are alike.
            (Some(_), Offset::Any) => (class, Some(0)),
            (None, _) => (class, None),
        })
    }

    /// All classes.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &Class)> {
        (0..).map(ClassId).zip(&self.classes.all)
    }

    /// Divides allocated objects into classes. Gives the objects of which only bytes are known.
    pub(crate) fn divide(&mut self, program: &Program) -> BTreeSet<Object> {
        let mut unfit = BTreeSet::new();
        let mut groups: Vec<Uses> = Vec::new();
        for place in program.places.ids() {
            let PlaceKind::Deref(pointer) = program.places[place].kind else { continue };
            let mut uses = Uses::default();
            for (object, offset) in self.targets(program, pointer).places {
                note(program, object, offset, place, &mut uses, &mut unfit);
            }
            if uses.accesses.len() > 1 {
                // Which member it is cannot be told from the address.
                unfit.extend(&uses.objects);
            }
            if !uses.objects.is_empty() {
                merge(&mut groups, uses);
            }
        }
        let mut walks = self.walks(program);
        for (pointer, length) in self.blocks(program) {
            let uses = self.block_uses(program, pointer, length, &mut walks, &mut unfit);
            if !uses.objects.is_empty() {
                merge(&mut groups, uses);
            }
        }
        self.classes = Classes::default();
        for uses in groups {
            let element = self.element(program, &uses, &walks);
            if element.is_none() {
                unfit.extend(&uses.objects);
            }
            self.add_class(&uses, element);
        }
        unfit
    }

    /// The pointers to memory that is copied or set, and its length.
    fn blocks(&self, program: &Program) -> Vec<(ExprId, ExprId)> {
        let mut found = Vec::new();
        for &function in self.called() {
            let Some(body) = &program.functions[function].body else { continue };
            for details in body.edges().values() {
                let Operation::Call { callee, arguments, .. } = &details.operation else { continue };
                for callee in self.callees(program, *callee) {
                    let pointers = block_pointers(&program.functions[callee], arguments);
                    found.extend(pointers.iter().map(|&pointer| (pointer, arguments[2])));
                }
            }
        }
        found
    }

    /// What is accessed in allocated objects if so many bytes behind a pointer are copied or set.
    fn block_uses(
        &self,
        program: &Program,
        pointer: ExprId,
        length: ExprId,
        walks: &mut BTreeSet<Walk>,
        unfit: &mut BTreeSet<Object>,
    ) -> Uses {
        let mut uses = Uses::default();
        let mut parts = self.targets(program, pointer).places;
        parts.retain(|(object, _)| matches!(object, Object::Heap(..) | Object::Stack(..) | Object::Given(_)));
        let element = element_of(program, pointer);
        let length = constant(program, length).and_then(|length| u64::try_from(length).ok());
        let offsets: BTreeSet<Offset> = parts.iter().map(|(_, offset)| *offset).collect();
        for (object, offset) in parts {
            uses.objects.insert(object);
            let Some((element, stride)) = element else { continue };
            uses.accesses.insert((offset, element));
            if let (true, Offset::At(at)) = (length != Some(stride), offset) {
                walks.insert(Walk { object, at, stride, is_named: false });
            }
        }
        if offsets.len() > 1 {
            unfit.extend(&uses.objects);
        }
        uses
    }

    /// What all objects of a group are arrays of, if there is something: the largest type that they are accessed as at
    /// their start, or else one that variables say they point to.
    fn element(&self, program: &Program, uses: &Uses, walks: &BTreeSet<Walk>) -> Option<TypeId> {
        if uses.objects.iter().any(|&object| self.is_collapsed(object)) {
            return None;
        }
        let starts = uses.accesses.iter().filter(|(offset, _)| *offset == Offset::At(0));
        let size = |ty: &TypeId| program.types.size_of(*ty).unwrap_or(0);
        let largest = starts.map(|&(_, ty)| ty).max_by_key(size)?;
        let is_whole = |ty: &TypeId| consist_of(&program.types, *ty, uses, walks);
        Some(largest).filter(is_whole).or_else(|| self.declared(program, uses).into_iter().find(is_whole))
    }

    /// The structures that variables say objects of a group are.
    fn declared(&self, program: &Program, uses: &Uses) -> BTreeSet<TypeId> {
        let types = &program.types;
        let points_here = |variable: &VariableId| {
            self.contents_of(Object::Variable(*variable)).any(|(_, content)| {
                let mut places = content.places.iter();
                places.any(|(object, offset)| *offset == Offset::At(0) && uses.objects.contains(object))
            })
        };
        let variables = program.variables.ids().filter(points_here);
        let pointees = variables.filter_map(|variable| types.pointee(program.variables[variable].ty));
        pointees.filter(|&pointee| types.as_record(pointee).is_some()).collect()
    }

    fn add_class(&mut self, uses: &Uses, element: Option<TypeId>) {
        let Some(&first) = uses.objects.first() else { return };
        let id = ClassId(self.classes.all.len() as u32);
        self.classes.all.push(Class { element, first });
        self.classes.of.extend(uses.objects.iter().map(|&object| (object, id)));
    }
}

/// Whether objects may be arrays of a type: all accesses fit it, and pointers run over its elements or over arrays in it.
fn consist_of(types: &TypeTable, whole: TypeId, uses: &Uses, walks: &BTreeSet<Walk>) -> bool {
    let Some(size) = types.size_of(whole).filter(|&size| size > 0) else { return false };
    let fits = |&(offset, ty): &(Offset, TypeId)| match offset {
        // Contents are known by the first element of each array.
        Offset::At(at) => at < size && fold(types, whole, at) == at && has_part(types, whole, at, ty),
        // All bytes of an array of bytes are alike.
        Offset::Any => size == 1,
    };
    let mut walks = walks.iter().filter(|walk| uses.objects.contains(&walk.object));
    let runs = |&Walk { at, stride, is_named, .. }: &Walk| {
        let is_inside = at < size && has_array(types, whole, at, stride);
        (at == 0 && stride == size) || (is_named && is_inside)
    };
    uses.accesses.iter().all(fits) && walks.all(runs)
}

/// Notes an access to an object.
fn note(
    program: &Program,
    object: Object,
    offset: Offset,
    place: PlaceId,
    uses: &mut Uses,
    unfit: &mut BTreeSet<Object>,
) {
    let wanted = program.places[place].ty;
    match (object, offset) {
        (Object::Heap(..) | Object::Stack(..) | Object::Given(_), _) => {
            uses.objects.insert(object);
            uses.accesses.insert((offset, wanted));
        }
        (Object::Variable(_) | Object::Text(_), Offset::At(at)) => {
            let fits = type_of(program, object).is_some_and(|ty| has_part(&program.types, ty, at, wanted));
            if !fits {
                unfit.insert(object);
            }
        }
        (Object::Variable(_) | Object::Text(_), Offset::Any) => {
            unfit.insert(object);
        }
        (Object::Function(_) | Object::Result(_), _) => {}
    }
}

/// What an argument of a function like `memcpy` points to before it is converted to `void *`, and its size. Bytes say
/// nothing about what is there.
fn element_of(program: &Program, pointer: ExprId) -> Option<(TypeId, u64)> {
    let types = &program.types;
    let mut inner = pointer;
    while let ExprKind::Convert(operand) = program.exprs[inner].kind
        && types.pointee(program.exprs[operand].ty).is_some()
    {
        inner = operand;
    }
    let element = types.pointee(program.exprs[inner].ty)?;
    let size = types.size_of(element).filter(|&size| size > 1)?;
    Some((element, size))
}

/// Adds what one place accesses to the groups that it has objects in common with.
fn merge(groups: &mut Vec<Uses>, mut uses: Uses) {
    let mut at = 0;
    while at < groups.len() {
        if groups[at].objects.is_disjoint(&uses.objects) {
            at += 1;
            continue;
        }
        let other = groups.remove(at);
        uses.objects.extend(other.objects);
        uses.accesses.extend(other.accesses);
    }
    groups.push(uses);
}

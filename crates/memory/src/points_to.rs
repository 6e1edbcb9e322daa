//! Which parts of objects a value may point to. Numbers carry pointers as well, so that casts and arithmetic lose
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{
    BinaryOp, Callee, EdgeId, Expr, ExprId, ExprKind, FunctionId, Operation, PlaceId, PlaceKind, Program,
    Type, TypeId, TypeTable, UnaryOp, VarArgs,
};

use crate::classes::Classes;
use crate::shape::fold;
use crate::targets::{Object, Offset, Targets};
use crate::walk::Walk;

/// What pointers may point to in a program.
#[derive(Debug, Default)]
pub struct Memory {
    contents: BTreeMap<(Object, Offset), Targets>,
    /// The functions that may be called, in the order in which that was found out.
    called: Vec<FunctionId>,
    /// Objects of which only bytes are known.
    collapsed: BTreeSet<Object>,
    /// What may be stored where a pointer points that may point anywhere.
    scattered: Targets,
    /// Where functions of the library look for bytes in allocated objects, as members of `walks`.
    pub(crate) searched: BTreeSet<Walk>,
    /// Edges that get pointers from outside without saying to what.
    given: BTreeSet<(FunctionId, EdgeId)>,
    pub(crate) classes: Classes,
    /// Parts of objects that may have pointers which were moved away from the starts of their objects, and whether such
    /// may be anywhere.
    pub(crate) moved: BTreeSet<(Object, Offset)>,
    pub(crate) moves_anywhere: bool,
}

/// An edge, for what it allocates.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub(crate) function: FunctionId,
    pub(crate) edge: EdgeId,
}

impl Memory {
    /// Analyses a program: follows all edges until nothing changes, and again if an object turns out to be used in
    /// ways that do not fit its type.
    pub fn analyse(program: &Program) -> Memory {
        let mut memory = Memory { called: vec![program.start], ..Memory::default() };
        memory.open_streams(program);
        loop {
            while memory.pass(program) || memory.give_unset(program) {}
            let unfit = memory.divide(program);
            if unfit.is_subset(&memory.collapsed) {
                memory.find_moved(program);
                return memory;
            }
            memory.collapsed.extend(unfit);
            memory.forget_parts();
        }
    }

    /// Puts all parts of collapsed objects together: the fewer there are, the faster the rest is.
    fn forget_parts(&mut self) {
        let collapsed = &self.collapsed;
        let whole = |&(object, offset): &(Object, Offset)| {
            (object, if collapsed.contains(&object) { Offset::Any } else { offset })
        };
        let mut contents: BTreeMap<(Object, Offset), Targets> = BTreeMap::new();
        for (part, content) in &self.contents {
            let places = content.places.iter().map(whole).collect();
            let content = Targets { places, unknown: content.unknown };
            contents.entry(whole(part)).or_default().join(&content);
        }
        self.scattered.places = self.scattered.places.iter().map(whole).collect();
        self.contents = contents;
    }

    /// Whether nothing but the bytes of an object is known.
    pub fn is_collapsed(&self, object: Object) -> bool {
        self.collapsed.contains(&object)
    }

    /// Whether there is an object of which nothing but the bytes is known.
    pub fn has_collapsed(&self) -> bool {
        !self.collapsed.is_empty()
    }

    /// The functions that may be called.
    pub(crate) fn called(&self) -> &[FunctionId] {
        &self.called
    }

    /// Whether a function may be called.
    pub fn is_called(&self, function: FunctionId) -> bool {
        self.called.contains(&function)
    }

    /// Follows all edges once; whether anything changed.
    fn pass(&mut self, program: &Program) -> bool {
        let before = self.called.len();
        let mut changed = false;
        let mut next = 0;
        while let Some(&function) = self.called.get(next) {
            next += 1;
            let Some(body) = &program.functions[function].body else { continue };
            for (edge, details) in body.edges().iter() {
                changed |= self.follow(program, Site { function, edge }, &details.operation);
            }
        }
        changed || before != self.called.len()
    }

    fn follow(&mut self, program: &Program, site: Site, operation: &Operation) -> bool {
        match operation {
            Operation::Assign { target, value } => {
                let targets = self.objects(program, *target);
                self.flow(program, *value, &targets)
            }
            Operation::Call { target, callee, arguments } => {
                let mut changed = false;
                for callee in self.callees(program, *callee) {
                    changed |= self.call(program, site, callee, arguments, *target);
                }
                changed
            }
            Operation::Return { value: Some(value) } => {
                self.flow(program, *value, &Targets::of(Object::Result(site.function)))
            }
            Operation::StackAllocate { target, .. } => {
                self.store(program, *target, &Targets::of(Object::Stack(site.function, site.edge)))
            }
            Operation::Havoc { target, .. } => self.give(program, site, *target),
            Operation::Assembly { .. } => self.assemble(program, site, operation),
            Operation::Clobber { .. } => self.clobber(program, operation),
            Operation::ProgramArguments { vector: target, .. } => {
                self.store(program, *target, &Targets::unknown())
            }
            Operation::VarArgs(VarArgs::Next { target, .. }) => {
                let to = self.objects(program, *target);
                let to = self.moved(program, &to, |_, _| None);
                self.add(program, &to, &Targets::unknown())
            }
            _ => false,
        }
    }

    /// Inline assembly may store whatever it reads, whatever was in the outputs, and pointers from outside in each output;
    /// and in all that it can reach, if it says that it writes memory.
    fn assemble(&mut self, program: &Program, site: Site, assembly: &Operation) -> bool {
        let Operation::Assembly { outputs, inputs, .. } = assembly else { return false };
        let mut all = self.anywhere(program, inputs);
        for &output in outputs {
            let size = program.types.size_of(program.places[output].ty).unwrap_or(u64::MAX);
            let content = self.loaded(program, &self.objects(program, output), size);
            all.join(&self.moved(program, &content, |_, _| None));
        }
        let mut changed = false;
        let written = self.written_behind(program, assembly);
        if !written.is_empty() {
            all.join(&written);
            changed |= self.add(program, &written, &all);
        }
        for &output in outputs {
            changed |= self.give(program, site, output);
            changed |= self.store(program, output, &all);
        }
        changed
    }

    /// A function without body may store pointers to all that it can reach, and pointers from outside, in all that it
    /// writes.
    fn clobber(&mut self, program: &Program, operation: &Operation) -> bool {
        let Operation::Clobber { written, read, .. } = operation else { return false };
        let values = [&written[..], &read[..]].concat();
        let (places, reached) = (self.written_behind(program, operation), self.reachable(program, &values));
        let changed = self.add(program, &places, &reached);
        self.give_outside(program, &places) || changed
    }

    /// Pointers to all of some objects, and pointers from outside, may be stored in these objects.
    pub(crate) fn scramble(&mut self, program: &Program, objects: &Targets) -> bool {
        let changed = self.add(program, objects, objects);
        self.give_outside(program, objects) || changed
    }

    fn give_outside(&mut self, program: &Program, objects: &Targets) -> bool {
        let mut changed = false;
        for object in objects.objects() {
            let whole = Targets::of(object);
            changed |= match (object, type_of(program, object)) {
                (Object::Function(_) | Object::Text(_), _) => false,
                (Object::Given(ty), _) | (_, Some(ty)) => self.give_to(program, ty, &whole, None),
                _ => {
                    let anywhere = self.moved(program, &whole, |_, _| None);
                    self.add(program, &anywhere, &Targets::unknown())
                }
            };
        }
        changed
    }

    /// What an operation may write behind pointers: inline assembly that says that it writes memory, or a function without
    /// body, all that can be reached from what it is given.
    pub fn written_behind(&self, program: &Program, operation: &Operation) -> Targets {
        match operation {
            Operation::Clobber { written, read, .. } => {
                let mut all = self.reachable(program, written);
                all.join(&self.behind(program, read));
                all
            }
            Operation::Assembly { template, inputs, clobbers_memory: true, .. }
                if !template.trim().is_empty() =>
            {
                self.reachable(program, inputs)
            }
            _ => Targets::default(),
        }
    }

    /// A function with a body that a function without one gets to know, and may call.
    pub fn called_behind(&self, program: &Program, operation: &Operation) -> Option<FunctionId> {
        let Operation::Clobber { written, read, .. } = operation else { return None };
        let reached = self.reachable(program, &[&written[..], &read[..]].concat());
        let has_body = |object: &Object| match object {
            Object::Function(function) if program.functions[*function].body.is_some() => Some(*function),
            _ => None,
        };
        reached.objects().iter().find_map(has_body)
    }

    /// All objects that can be reached from some values by following pointers.
    pub(crate) fn reachable(&self, program: &Program, values: &[ExprId]) -> Targets {
        self.closed(program, self.anywhere(program, values))
    }

    /// All objects that can be reached from the content of what some values point to.
    pub(crate) fn behind(&self, program: &Program, values: &[ExprId]) -> Targets {
        let content = self.loaded(program, &self.anywhere(program, values), u64::MAX);
        self.closed(program, self.moved(program, &content, |_, _| None))
    }

    /// Objects with all that can be reached from them.
    fn closed(&self, program: &Program, mut reached: Targets) -> Targets {
        loop {
            let content = self.loaded(program, &reached, u64::MAX);
            if !reached.join(&self.moved(program, &content, |_, _| None)) {
                return reached;
            }
        }
    }

    fn call(
        &mut self,
        program: &Program,
        site: Site,
        callee: FunctionId,
        arguments: &[ExprId],
        target: Option<PlaceId>,
    ) -> bool {
        let function = &program.functions[callee];
        if function.body.is_none() {
            return self.call_without_body(program, site, function, arguments, target);
        }
        if !self.called.contains(&callee) {
            self.called.push(callee);
        }
        let mut changed = false;
        for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
            changed |= self.flow(program, argument, &Targets::of(Object::Variable(parameter)));
        }
        if let Some(target) = target {
            let size = program.types.size_of(program.places[target].ty).unwrap_or(0);
            let targets = self.objects(program, target);
            changed |= self.copy(program, &Targets::of(Object::Result(callee)), &targets, size);
        }
        changed
    }

    /// Pointers that are followed although nothing was ever stored in them: they come from outside, as all that is read
    /// before it is written. Whether there are new ones.
    fn give_unset(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for place in program.places.values() {
            let PlaceKind::Deref(pointer) = place.kind else { continue };
            let (ExprKind::Load(from), Some(pointee)) =
                (&program.exprs[pointer].kind, program.types.pointee(program.exprs[pointer].ty))
            else {
                continue;
            };
            if self.targets(program, pointer).is_empty() {
                let to = self.objects(program, *from);
                changed |= self.add(program, &to, &given(program, pointee, None));
            }
        }
        changed
    }

    /// A value from outside is stored in a place: every pointer in it points to something from outside.
    pub(crate) fn give(&mut self, program: &Program, site: Site, target: PlaceId) -> bool {
        let to = self.objects(program, target);
        self.give_to(program, program.places[target].ty, &to, Some(site))
    }

    fn give_to(&mut self, program: &Program, ty: TypeId, to: &Targets, site: Option<Site>) -> bool {
        let mut changed = false;
        for (offset, pointee) in pointers(&program.types, ty) {
            if let (Some(Site { function, edge }), true) = (site, is_untyped(program, pointee)) {
                changed |= self.given.insert((function, edge));
            }
            let part = self.moved(program, to, |_, at| at.checked_add(offset));
            changed |= self.add(program, &part, &given(program, pointee, site));
        }
        changed
    }

    /// Whether what an object contains comes from outside unless it is written.
    pub(crate) fn is_from_outside(&self, object: Object) -> bool {
        match object {
            Object::Given(_) => true,
            Object::Heap(function, edge) => self.given.contains(&(function, edge)),
            _ => false,
        }
    }

    /// What happens if a value is stored in places.
    fn flow(&mut self, program: &Program, value: ExprId, to: &Targets) -> bool {
        let ty = program.exprs[value].ty;
        if program.types.is_scalar(ty) {
            let targets = self.targets(program, value);
            return self.add(program, to, &targets);
        }
        match program.exprs[value].kind {
            ExprKind::Load(place) => {
                let from = self.objects(program, place);
                let mut changed = false;
                if from.places.iter().any(|(object, _)| self.is_from_outside(*object)) {
                    changed |= self.give_to(program, ty, to, None);
                }
                self.copy(program, &from, to, program.types.size_of(ty).unwrap_or(u64::MAX)) || changed
            }
            _ => false,
        }
    }

    pub(crate) fn store(&mut self, program: &Program, place: PlaceId, targets: &Targets) -> bool {
        let to = self.objects(program, place);
        self.add(program, &to, targets)
    }

    pub(crate) fn add(&mut self, program: &Program, to: &Targets, targets: &Targets) -> bool {
        if targets.is_empty() {
            return false;
        }
        let mut changed = to.unknown && self.scattered.join(targets);
        for &(object, offset) in &to.places {
            let key = self.part(program, object, offset);
            changed |= self.contents.entry(key).or_default().join(targets);
        }
        changed
    }

    /// Copies bytes of which it is not known what they are copied as: what is copied may be anywhere then.
    pub(crate) fn copy_bytes(&mut self, program: &Program, from: &Targets, to: &Targets) -> bool {
        let mut all = self.scattered.clone();
        all.unknown |= from.unknown;
        for object in from.objects() {
            for (_, content) in self.contents_of(object) {
                all.join(content);
            }
        }
        let anywhere = to.objects().into_iter().map(|object| (object, Offset::Any)).collect();
        self.add(program, &Targets { places: anywhere, unknown: to.unknown }, &all)
    }

    /// Copies an object of so many bytes to one of the same type.
    pub(crate) fn copy(&mut self, program: &Program, from: &Targets, to: &Targets, size: u64) -> bool {
        let mut moved = Vec::new();
        if from.unknown {
            moved.push((Offset::Any, Targets::unknown()));
        }
        moved.push((Offset::Any, self.scattered.clone()));
        for &(object, start) in &from.places {
            let Offset::At(start) = start else {
                moved.extend(self.contents_of(object).map(|(_, content)| (Offset::Any, content.clone())));
                continue;
            };
            for (offset, content) in self.contents_of(object) {
                match offset {
                    Offset::At(at) if at >= start && at - start < size => {
                        moved.push((Offset::At(at - start), content.clone()));
                    }
                    Offset::At(_) => {}
                    Offset::Any => moved.push((Offset::Any, content.clone())),
                }
            }
        }
        let mut changed = false;
        if to.unknown {
            changed =
                moved.iter().fold(false, |changed, (_, content)| self.scattered.join(content) || changed);
        }
        for &(object, start) in &to.places {
            for (offset, content) in &moved {
                let offset = match (start, *offset) {
                    (Offset::At(start), Offset::At(offset)) => Offset::At(start + offset),
                    _ => Offset::Any,
                };
                changed |= self.add(
                    program,
                    &Targets { places: [(object, offset)].into(), unknown: false },
                    content,
                );
            }
        }
        changed
    }

    /// Whether pointers may be stored through a pointer that may point anywhere.
    pub(crate) fn stores_anywhere(&self) -> bool {
        !self.scattered.is_empty()
    }

    /// Whether pointers of some kind may be stored through a pointer that may point anywhere.
    pub(crate) fn scatters(&self, is_meant: impl Fn(&Targets) -> bool) -> bool {
        is_meant(&self.scattered)
    }

    /// The objects that may hold pointers of some kind.
    pub(crate) fn holders(&self, is_meant: impl Fn(&Targets) -> bool) -> impl Iterator<Item = Object> {
        self.contents.iter().filter(move |(_, content)| is_meant(content)).map(|(&(object, _), _)| object)
    }

    pub(crate) fn contents_of(&self, object: Object) -> impl Iterator<Item = (Offset, &Targets)> {
        let range = (object, Offset::At(0))..=(object, Offset::Any);
        self.contents.range(range).map(|(&(_, offset), content)| (offset, content))
    }

    /// A part of an object as it is known: objects that are collapsed have one part only.
    pub(crate) fn part(&self, program: &Program, object: Object, offset: Offset) -> (Object, Offset) {
        match offset {
            Offset::At(_) if self.collapsed.contains(&object) => (object, Offset::Any),
            Offset::At(at) => {
                let ty = type_of(program, object);
                (object, Offset::At(ty.map_or(at, |ty| fold(&program.types, ty, at))))
            }
            Offset::Any => (object, Offset::Any),
        }
    }

    /// The parts of objects that a place may be.
    pub fn objects(&self, program: &Program, place: PlaceId) -> Targets {
        let whole =
            |object| Targets { places: [self.part(program, object, Offset::At(0))].into(), unknown: false };
        match program.places[place].kind {
            PlaceKind::Variable(variable) => whole(Object::Variable(variable)),
            PlaceKind::Text(text) => whole(Object::Text(text)),
            PlaceKind::Deref(pointer) => self.targets(program, pointer),
            PlaceKind::Element { base, index } => {
                let stride = program.types.size_of(program.places[place].ty).unwrap_or(0);
                self.run(program, &self.objects(program, base), index, stride)
            }
            PlaceKind::Member { base, field } => {
                let record = program.types.as_record(program.places[base].ty);
                let by =
                    record.map_or(0, |record| program.types.record(record).fields[field as usize].offset);
                let base = self.objects(program, base);
                self.moved(program, &base, |_, at| at.checked_add(by))
            }
        }
    }

    /// Other parts of the same objects: where `by` gives no offset, all of them.
    pub(crate) fn moved(
        &self,
        program: &Program,
        targets: &Targets,
        by: impl Fn(Object, u64) -> Option<u64>,
    ) -> Targets {
        let move_one = |&(object, offset): &(Object, Offset)| match offset {
            Offset::At(at) => self.part(program, object, by(object, at).map_or(Offset::Any, Offset::At)),
            Offset::Any => (object, Offset::Any),
        };
        Targets { places: targets.places.iter().map(move_one).collect(), unknown: targets.unknown }
    }

    /// The parts of objects that the value of an expression may point to.
    pub fn targets(&self, program: &Program, expr: ExprId) -> Targets {
        let ty = program.exprs[expr].ty;
        match &program.exprs[expr].kind {
            ExprKind::AddressOf(place) => self.objects(program, *place),
            ExprKind::FunctionAddress(function) => Targets::of(Object::Function(*function)),
            ExprKind::Load(place) => {
                let size = program.types.size_of(ty).unwrap_or(1);
                let from = self.objects(program, *place);
                let mut targets = self.loaded(program, &from, size);
                if let Some(pointee) = program.types.pointee(ty)
                    && from.places.iter().any(|(object, _)| self.is_from_outside(*object))
                {
                    targets.join(&given(program, pointee, None));
                }
                targets
            }
            // The null pointer plus a number points nowhere; what is compared is a number.
            ExprKind::Unary { op: UnaryOp::IsZero, .. } => Targets::default(),
            ExprKind::Convert(operand) => self.targets(program, *operand),
            ExprKind::PointerOffset { pointer, index, stride } => {
                self.offset(program, *pointer, *index, *stride)
            }
            ExprKind::Unary { operand, .. } => self.anywhere(program, &[*operand]),
            ExprKind::PointerDifference { lhs, rhs, .. } => self.anywhere(program, &[*lhs, *rhs]),
            ExprKind::Binary { op, lhs, rhs } if !op.is_comparison() => {
                self.computed(program, *op, *lhs, *rhs)
            }
            _ => Targets::default(),
        }
    }

    /// A number that is computed from others: pointers as numbers may be moved by constants.
    fn computed(&self, program: &Program, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Targets {
        let moved = match op {
            BinaryOp::Add => {
                constant(program, rhs).map(|by| (lhs, by)).or(constant(program, lhs).map(|by| (rhs, by)))
            }
            BinaryOp::Sub => constant(program, rhs).map(|by| (lhs, -by)),
            _ => None,
        };
        let Some((base, by)) = moved else { return self.anywhere(program, &[lhs, rhs]) };
        let base = self.targets(program, base);
        self.moved(program, &base, |_, at| u64::try_from(i128::from(at) + by).ok())
    }

    /// Anywhere in the objects that some values may point to.
    pub(crate) fn anywhere(&self, program: &Program, operands: &[ExprId]) -> Targets {
        let mut all = Targets::default();
        for &operand in operands {
            let targets = self.targets(program, operand);
            all.join(&self.moved(program, &targets, |_, _| None));
        }
        all
    }

    fn loaded(&self, program: &Program, from: &Targets, size: u64) -> Targets {
        let pointer = u64::from(program.types.model().pointer_width() / 8);
        let mut all = self.scattered.clone();
        all.unknown |= from.unknown;
        for &(object, offset) in &from.places {
            let range = match offset {
                Offset::At(at) => at.saturating_sub(pointer - 1)..=at.saturating_add(size.max(1) - 1),
                Offset::Any => 0..=u64::MAX,
            };
            let keys = (object, Offset::At(*range.start()))..=(object, Offset::At(*range.end()));
            for content in self.contents.range(keys).map(|(_, content)| content) {
                all.join(content);
            }
            if let Some(content) = self.contents.get(&(object, Offset::Any)) {
                all.join(content);
            }
        }
        all
    }

    /// Whether a call may go to a function that is not known.
    pub fn may_call_unknown(&self, program: &Program, callee: Callee) -> bool {
        match callee {
            Callee::Function(_) => false,
            Callee::Pointer(pointer) => self.targets(program, pointer).unknown,
        }
    }

    /// How many edges of functions that may be called may call a function.
    pub fn calls_of(&self, program: &Program, function: FunctionId) -> usize {
        let bodies = self.called.iter().filter_map(|&caller| program.functions[caller].body.as_ref());
        let calls = |operation: &Operation| match operation {
            Operation::Call { callee, .. } => self.callees(program, *callee).contains(&function),
            _ => false,
        };
        bodies.flat_map(|body| body.edges().values()).filter(|edge| calls(&edge.operation)).count()
    }

    /// The functions that a call may call.
    pub fn callees(&self, program: &Program, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Function(function) => vec![function],
            Callee::Pointer(pointer) => {
                let targets = self.targets(program, pointer);
                if targets.unknown {
                    return addressed_functions(program);
                }
                let objects = targets.objects();
                let functions = objects.iter().filter_map(|object| match object {
                    Object::Function(function) => Some(*function),
                    _ => None,
                });
                functions.collect()
            }
        }
    }
}

/// All functions that a pointer can point to.
fn addressed_functions(program: &Program) -> Vec<FunctionId> {
    let address = |expr: &Expr| match expr.kind {
        ExprKind::FunctionAddress(function) => Some(function),
        _ => None,
    };
    program.exprs.values().filter_map(address).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The type of an object whose type is declared.
pub(crate) fn type_of(program: &Program, object: Object) -> Option<TypeId> {
    match object {
        Object::Variable(variable) => Some(program.variables[variable].ty),
        Object::Text(text) => Some(program.strings[text].ty),
        Object::Result(function) => match program.types.get(program.functions[function].ty) {
            Type::Function { result, .. } => Some(*result),
            _ => None,
        },
        Object::Heap(..) | Object::Stack(..) | Object::Given(_) | Object::Function(_) => None,
    }
}

/// What a pointer from outside points to.
fn given(program: &Program, pointee: TypeId, site: Option<Site>) -> Targets {
    match (program.types.get(pointee), site) {
        (Type::Function { .. }, _) => Targets::unknown(),
        (_, Some(Site { function, edge })) if is_untyped(program, pointee) => {
            Targets::of(Object::Heap(function, edge))
        }
        _ => Targets::of(Object::Given(pointee)),
    }
}

/// Whether pointers to a type say nothing about what they point to.
fn is_untyped(program: &Program, pointee: TypeId) -> bool {
    matches!(program.types.get(pointee), Type::Void)
}

/// The pointers in a type with their offsets, and what they point to.
fn pointers(types: &TypeTable, ty: TypeId) -> Vec<(u64, TypeId)> {
    match types.get(ty) {
        Type::Pointer(pointee) => vec![(0, *pointee)],
        Type::Array { element, .. } => pointers(types, *element),
        Type::Record(record) => {
            let fields = types.record(*record).fields.iter();
            let inner = fields.map(|field| (field.offset, pointers(types, field.ty)));
            let moved = inner.flat_map(|(by, found)| found.into_iter().map(move |(at, ty)| (by + at, ty)));
            moved.collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn is_pointer(program: &Program, ty: TypeId) -> bool {
    let types = &program.types;
    types.is_scalar(ty) && types.width(ty) >= types.model().pointer_width()
}

pub(crate) fn constant(program: &Program, expr: ExprId) -> Option<i128> {
    match program.exprs[expr].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Zero => Some(0),
        ExprKind::Convert(operand) => constant(program, operand),
        ExprKind::Unary { op: UnaryOp::Negate, operand } => constant(program, operand)?.checked_neg(),
        _ => None,
    }
}

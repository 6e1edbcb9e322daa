//! Which parts of objects a value may point to. Numbers carry pointers as well, so that casts and arithmetic lose
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{
    BinaryOp, Callee, EdgeId, ExprId, ExprKind, Function, FunctionId, Operation, PlaceId, PlaceKind, Program,
    Type, TypeId, TypeTable, UnaryOp, VarArgs,
};
use rorqual_interpreter::{Effect, call_effect};

use crate::classes::Classes;
use crate::shape::{fold, has_array};
use crate::targets::{Object, Offset, Targets};

/// What pointers may point to in a program.
#[derive(Debug, Default)]
pub struct Memory {
    contents: BTreeMap<(Object, Offset), Targets>,
    /// The functions that may be called, in the order in which that was found out.
    called: Vec<FunctionId>,
    /// Objects of which only bytes are known.
    collapsed: BTreeSet<Object>,
    /// Where pointers run over allocated objects, and in steps of how many bytes.
    pub(crate) walks: BTreeSet<(Object, u64, u64)>,
    /// Edges that get pointers from outside without saying to what.
    given: BTreeSet<(FunctionId, EdgeId)>,
    pub(crate) classes: Classes,
}

/// An edge, for what it allocates.
#[derive(Clone, Copy)]
struct Site {
    function: FunctionId,
    edge: EdgeId,
}

impl Memory {
    /// Analyses a program: follows all edges until nothing changes, and again if an object turns out to be used in
    /// ways that do not fit its type.
    pub fn analyse(program: &Program) -> Memory {
        let mut memory = Memory { called: vec![program.start], ..Memory::default() };
        loop {
            while memory.pass(program) {}
            let unfit = memory.divide(program);
            if unfit.is_subset(&memory.collapsed) {
                return memory;
            }
            memory.collapsed.extend(unfit);
        }
    }

    /// Whether nothing but the bytes of an object is known.
    pub fn is_collapsed(&self, object: Object) -> bool {
        self.collapsed.contains(&object)
    }

    /// Whether a function may be called.
    pub fn is_called(&self, function: FunctionId) -> bool {
        self.called.contains(&function)
    }

    /// Follows all edges once; whether anything changed.
    fn pass(&mut self, program: &Program) -> bool {
        let before = (self.called.len(), self.collapsed.len(), self.walks.len());
        let mut changed = false;
        let mut next = 0;
        while let Some(&function) = self.called.get(next) {
            next += 1;
            let Some(body) = &program.functions[function].body else { continue };
            for (edge, details) in body.edges().iter() {
                changed |= self.follow(program, Site { function, edge }, &details.operation);
            }
        }
        changed || before != (self.called.len(), self.collapsed.len(), self.walks.len())
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
            Operation::ProgramArguments { vector: target, .. }
            | Operation::VarArgs(VarArgs::Next { target, .. }) => {
                self.store(program, *target, &Targets::unknown())
            }
            Operation::Havoc { target, .. } => self.give(program, site, *target),
            Operation::Assume { condition, .. } => {
                self.visit(program, *condition);
                false
            }
            _ => false,
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

    fn call_without_body(
        &mut self,
        program: &Program,
        site: Site,
        function: &Function,
        arguments: &[ExprId],
        target: Option<PlaceId>,
    ) -> bool {
        let mut given = arguments.iter().map(|&argument| self.targets(program, argument)).collect::<Vec<_>>();
        let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
        let mut changed = false;
        if let ("memcpy" | "memmove" | "mempcpy", [to, from, ..]) = (name, given.as_slice()) {
            changed |= self.copy(program, &from.clone(), &to.clone(), u64::MAX);
        }
        let Some(target) = target else { return changed };
        let fresh = Targets::of(Object::Heap(site.function, site.edge));
        let result = match call_effect(program, function, arguments) {
            Effect::Input => return self.give(program, site, target) || changed,
            Effect::Memory if is_allocator(function) => fresh,
            // What comes back points into what went in.
            Effect::Value | Effect::Memory => given.iter_mut().fold(Targets::default(), |mut all, one| {
                all.join(one);
                all
            }),
            Effect::Ends => return changed,
            Effect::Unmodelled => Targets::unknown(),
        };
        if name == "realloc" {
            let old = given.first().cloned().unwrap_or_default();
            changed |= self.copy(program, &old, &result, u64::MAX);
        }
        self.store(program, target, &result) || changed
    }

    /// A value from outside is stored in a place: every pointer in it points to something from outside.
    fn give(&mut self, program: &Program, site: Site, target: PlaceId) -> bool {
        let to = self.objects(program, target);
        let mut changed = false;
        for (offset, pointee) in pointers(&program.types, program.places[target].ty) {
            if is_untyped(program, pointee) {
                changed |= self.given.insert((site.function, site.edge));
            }
            let part = self.moved(program, &to, |_, at| at.checked_add(offset));
            changed |= self.add(program, &part, &given(program, pointee, Some(site)));
        }
        changed
    }

    /// What happens if a value is stored in places.
    fn flow(&mut self, program: &Program, value: ExprId, to: &Targets) -> bool {
        let ty = program.exprs[value].ty;
        self.visit(program, value);
        if program.types.is_scalar(ty) {
            let targets = self.targets(program, value);
            return self.add(program, to, &targets);
        }
        match program.exprs[value].kind {
            ExprKind::Load(place) => {
                let from = self.objects(program, place);
                self.copy(program, &from, to, program.types.size_of(ty).unwrap_or(u64::MAX))
            }
            _ => false,
        }
    }

    fn store(&mut self, program: &Program, place: PlaceId, targets: &Targets) -> bool {
        let to = self.objects(program, place);
        self.add(program, &to, targets)
    }

    fn add(&mut self, program: &Program, to: &Targets, targets: &Targets) -> bool {
        if targets.is_empty() {
            return false;
        }
        let mut changed = false;
        for &(object, offset) in &to.places {
            let key = self.part(program, object, offset);
            changed |= self.contents.entry(key).or_default().join(targets);
        }
        changed
    }

    /// Copies so many bytes.
    fn copy(&mut self, program: &Program, from: &Targets, to: &Targets, size: u64) -> bool {
        let mut moved = Vec::new();
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

    fn contents_of(&self, object: Object) -> impl Iterator<Item = (Offset, &Targets)> {
        let range = (object, Offset::At(0))..=(object, Offset::Any);
        self.contents.range(range).map(|(&(_, offset), content)| (offset, content))
    }

    /// A part of an object as it is known: objects that are collapsed have one part only.
    fn part(&self, program: &Program, object: Object, offset: Offset) -> (Object, Offset) {
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
            PlaceKind::Element { base, .. } => self.objects(program, base),
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
    fn moved(
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

    /// The object that a pointer from outside points to which an edge gets.
    pub fn given(
        &self,
        program: &Program,
        pointee: TypeId,
        function: FunctionId,
        edge: EdgeId,
    ) -> Option<Object> {
        let targets = given(program, pointee, Some(Site { function, edge }));
        targets.objects().first().copied()
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

    /// Whether what an object contains comes from outside unless it is written.
    fn is_from_outside(&self, object: Object) -> bool {
        match object {
            Object::Given(_) => true,
            Object::Heap(function, edge) => self.given.contains(&(function, edge)),
            _ => false,
        }
    }

    /// Anywhere in the objects that some values may point to.
    fn anywhere(&self, program: &Program, operands: &[ExprId]) -> Targets {
        let mut all = Targets::default();
        for &operand in operands {
            let targets = self.targets(program, operand);
            all.join(&self.moved(program, &targets, |_, _| None));
        }
        all
    }

    fn loaded(&self, program: &Program, from: &Targets, size: u64) -> Targets {
        let pointer = u64::from(program.types.model().pointer_width() / 8);
        let mut all = Targets { unknown: from.unknown, ..Targets::default() };
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

    /// A pointer plus a number of elements.
    fn offset(&self, program: &Program, pointer: ExprId, index: ExprId, stride: u64) -> Targets {
        let base = self.targets(program, pointer);
        let bytes = constant(program, index).and_then(|index| index.checked_mul(i128::from(stride)));
        let mut all = self.moved(program, &base, |object, at| {
            if may_run(program, object, at, stride) {
                return Some(at);
            }
            u64::try_from(i128::from(at) + bytes?).ok()
        });
        // An address may hide in the index: `(char *)0 + (long)p`.
        all.join(&self.anywhere(program, &[index]));
        all
    }

    /// Notes how the pointers in an expression run over allocated objects.
    fn visit(&mut self, program: &Program, expr: ExprId) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match program.exprs[expr].kind {
                ExprKind::PointerOffset { pointer, index, stride } => {
                    self.note_walk(program, pointer, stride);
                    open.extend([pointer, index]);
                }
                ExprKind::Load(place) | ExprKind::AddressOf(place) => self.visit_place(program, place),
                ExprKind::Unary { operand, .. } | ExprKind::Convert(operand) => open.push(operand),
                ExprKind::Binary { lhs, rhs, .. }
                | ExprKind::PointerDifference { lhs, rhs, .. }
                | ExprKind::Overflows { lhs, rhs, .. } => open.extend([lhs, rhs]),
                _ => {}
            }
        }
    }

    fn visit_place(&mut self, program: &Program, place: PlaceId) {
        match program.places[place].kind {
            PlaceKind::Deref(pointer) => self.visit(program, pointer),
            PlaceKind::Member { base, .. } => self.visit_place(program, base),
            PlaceKind::Element { base, index } => {
                self.visit_place(program, base);
                self.visit(program, index);
            }
            PlaceKind::Variable(_) | PlaceKind::Text(_) => {}
        }
    }

    fn note_walk(&mut self, program: &Program, pointer: ExprId, stride: u64) {
        for (object, offset) in self.targets(program, pointer).places {
            if let (Object::Heap(..) | Object::Stack(..) | Object::Given(_), Offset::At(at)) =
                (object, offset)
                && stride > 1
            {
                self.walks.insert((object, at, stride));
            }
        }
    }

    /// Whether a call may go to a function that is not known.
    pub fn may_call_unknown(&self, program: &Program, callee: Callee) -> bool {
        match callee {
            Callee::Function(_) => false,
            Callee::Pointer(pointer) => self.targets(program, pointer).unknown,
        }
    }

    /// The functions that a call may call.
    pub fn callees(&self, program: &Program, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Function(function) => vec![function],
            Callee::Pointer(pointer) => {
                let objects = self.targets(program, pointer).objects();
                let functions = objects.iter().filter_map(|object| match object {
                    Object::Function(function) => Some(*function),
                    _ => None,
                });
                functions.collect()
            }
        }
    }
}

/// Whether a function of the library returns new memory.
pub fn is_allocator(function: &Function) -> bool {
    let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
    [
        "malloc",
        "calloc",
        "realloc",
        "alloca",
        "aligned_alloc",
        "memalign",
        "strdup",
        "strndup",
        "reallocarray",
    ]
    .contains(&name)
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

/// Whether a pointer to a part may run over elements of a size there. Allocated objects are arrays of whatever
/// pointers run over them by; single bytes of them may be any bytes.
fn may_run(program: &Program, object: Object, at: u64, stride: u64) -> bool {
    match type_of(program, object) {
        Some(ty) => has_array(&program.types, ty, at, stride),
        None => stride > 1,
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
            inner
                .flat_map(|(by, found)| found.into_iter().map(move |(at, pointee)| (by + at, pointee)))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn constant(program: &Program, expr: ExprId) -> Option<i128> {
    match program.exprs[expr].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Zero => Some(0),
        ExprKind::Convert(operand) => constant(program, operand),
        ExprKind::Unary { op: UnaryOp::Negate, operand } => constant(program, operand)?.checked_neg(),
        _ => None,
    }
}

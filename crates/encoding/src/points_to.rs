//! Which objects a value may point to: an inclusion-based analysis in the style of Andersen that ignores the
//! order of operations, calling contexts and members. Numbers carry pointers as well, so that casts and
//! arithmetic lose nothing.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{
    Callee, EdgeId, ExprId, ExprKind, FunctionId, Operation, PlaceId, PlaceKind, Program, RecordKind, Type,
    TypeId,
};

use crate::cells::Object;

/// The objects that a value may point to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Targets {
    /// The objects.
    pub(crate) objects: BTreeSet<Object>,
    /// Whether there may be others that are not modelled.
    pub(crate) unknown: bool,
}

impl Targets {
    fn of(object: Object) -> Targets {
        Targets { objects: BTreeSet::from([object]), unknown: false }
    }

    /// Adds those of another; whether there are new ones.
    fn join(&mut self, other: &Targets) -> bool {
        let before = (self.objects.len(), self.unknown);
        self.objects.extend(&other.objects);
        self.unknown |= other.unknown;
        before != (self.objects.len(), self.unknown)
    }
}

/// What every object may contain, and what functions may return.
#[derive(Debug, Default)]
pub(crate) struct PointsTo {
    contents: BTreeMap<Object, Targets>,
    results: BTreeMap<FunctionId, Targets>,
    /// Whether some pointer may point to something of another type than it says.
    pub(crate) puns: bool,
}

impl PointsTo {
    /// Analyses a program: goes over all edges until nothing changes.
    pub(crate) fn analyse(program: &Program) -> PointsTo {
        let mut analysis = PointsTo { puns: has_puns(program), ..PointsTo::default() };
        loop {
            let mut changed = false;
            for (function, body) in
                program.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)))
            {
                for (edge, details) in body.edges().iter() {
                    changed |= analysis.visit(program, function, edge, &details.operation);
                }
            }
            if !changed {
                return analysis;
            }
        }
    }

    fn visit(
        &mut self,
        program: &Program,
        function: FunctionId,
        edge: EdgeId,
        operation: &Operation,
    ) -> bool {
        match operation {
            Operation::Assign { target, value } => {
                let targets = self.targets(program, *value);
                self.store(program, *target, &targets)
            }
            Operation::Call { target, callee, arguments } => {
                let mut changed = false;
                for callee in self.callees(program, *callee) {
                    changed |= self.call(program, callee, arguments, *target);
                }
                changed
            }
            Operation::Return { value: Some(value) } => {
                let targets = self.targets(program, *value);
                self.results.entry(function).or_default().join(&targets)
            }
            Operation::StackAllocate { target, .. } => {
                self.store(program, *target, &Targets::of(Object::Stack(function, edge)))
            }
            Operation::ProgramArguments { vector, .. } => {
                self.store(program, *vector, &Targets { unknown: true, ..Targets::default() })
            }
            _ => false,
        }
    }

    fn call(
        &mut self,
        program: &Program,
        callee: FunctionId,
        arguments: &[ExprId],
        target: Option<PlaceId>,
    ) -> bool {
        let mut changed = false;
        for (&parameter, &argument) in program.functions[callee].parameters.iter().zip(arguments) {
            let targets = self.targets(program, argument);
            changed |= self.add(Object::Variable(parameter), &targets);
        }
        if let (Some(target), Some(result)) = (target, self.results.get(&callee).cloned()) {
            changed |= self.store(program, target, &result);
        }
        changed
    }

    fn add(&mut self, object: Object, targets: &Targets) -> bool {
        if targets.objects.is_empty() && !targets.unknown {
            return false;
        }
        self.contents.entry(object).or_default().join(targets)
    }

    fn store(&mut self, program: &Program, place: PlaceId, targets: &Targets) -> bool {
        if targets.objects.is_empty() && !targets.unknown {
            return false;
        }
        let mut changed = false;
        for object in self.objects(program, place).objects {
            changed |= self.add(object, targets);
        }
        changed
    }

    /// The objects that a place may be in.
    pub(crate) fn objects(&self, program: &Program, place: PlaceId) -> Targets {
        match program.places[place].kind {
            PlaceKind::Variable(variable) => Targets::of(Object::Variable(variable)),
            PlaceKind::Text(text) => Targets::of(Object::Text(text)),
            PlaceKind::Deref(pointer) => self.targets(program, pointer),
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.objects(program, base),
        }
    }

    /// The objects that the value of an expression may point to.
    pub(crate) fn targets(&self, program: &Program, expr: ExprId) -> Targets {
        match &program.exprs[expr].kind {
            ExprKind::AddressOf(place) => self.objects(program, *place),
            ExprKind::FunctionAddress(function) => Targets::of(Object::Function(*function)),
            ExprKind::Load(place) => {
                let places = self.objects(program, *place);
                let mut targets = Targets { unknown: places.unknown, ..Targets::default() };
                for content in places.objects.iter().filter_map(|object| self.contents.get(object)) {
                    targets.join(content);
                }
                targets
            }
            ExprKind::Convert(operand) | ExprKind::Unary { operand, .. } => self.targets(program, *operand),
            // An address may hide in the index: `(char *)0 + (long)p`.
            ExprKind::PointerOffset { pointer: lhs, index: rhs, .. }
            | ExprKind::PointerDifference { lhs, rhs, .. } => {
                let mut targets = self.targets(program, *lhs);
                targets.join(&self.targets(program, *rhs));
                targets
            }
            ExprKind::Binary { op, lhs, rhs } if !op.is_comparison() => {
                let mut targets = self.targets(program, *lhs);
                targets.join(&self.targets(program, *rhs));
                targets
            }
            _ => Targets::default(),
        }
    }

    /// Whether a call may go to a function that is not known.
    pub(crate) fn may_call_unknown(&self, program: &Program, callee: Callee) -> bool {
        match callee {
            Callee::Function(_) => false,
            Callee::Pointer(pointer) => self.targets(program, pointer).unknown,
        }
    }

    /// The functions that a call may call.
    pub(crate) fn callees(&self, program: &Program, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Function(function) => vec![function],
            Callee::Pointer(pointer) => {
                let objects = self.targets(program, pointer).objects;
                let functions = objects.iter().filter_map(|object| match object {
                    Object::Function(function) => Some(*function),
                    _ => None,
                });
                functions.collect()
            }
        }
    }
}

/// Whether a pointer may come to point to something of another type than it says: by a conversion, or in a union.
fn has_puns(program: &Program) -> bool {
    let converts = program.exprs.values().any(|expr| {
        let ExprKind::Convert(operand) = expr.kind else { return false };
        let Some(to) = program.types.pointee(expr.ty) else { return false };
        match program.types.pointee(program.exprs[operand].ty) {
            Some(from) => !has_same_shape(program, from, to),
            None => !matches!(program.exprs[operand].kind, ExprKind::Int(_) | ExprKind::Zero),
        }
    });
    let mut unions = program.types.records().filter(|(_, record)| record.kind == RecordKind::Union);
    converts || unions.any(|(_, record)| record.fields.iter().any(|field| has_pointer(program, field.ty)))
}

fn has_pointer(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Pointer(_) => true,
        Type::Array { element, .. } => has_pointer(program, *element),
        Type::Record(record) => {
            program.types.record(*record).fields.iter().any(|field| has_pointer(program, field.ty))
        }
        _ => false,
    }
}

/// Whether pointers to the types point to the same objects: signs and lengths do not matter.
pub(crate) fn has_same_shape(program: &Program, one: TypeId, other: TypeId) -> bool {
    let types = &program.types;
    one == other
        || match (types.get(one), types.get(other)) {
            (Type::Int(_), Type::Int(_)) => types.width(one) == types.width(other),
            (Type::Pointer(one), Type::Pointer(other)) => has_same_shape(program, *one, *other),
            (Type::Array { element, .. }, _) => has_same_shape(program, *element, other),
            (_, Type::Array { element, .. }) => has_same_shape(program, one, *element),
            _ => false,
        }
}

/// Whether a scalar of one type can be accessed as the other.
pub(crate) fn is_compatible(program: &Program, one: TypeId, other: TypeId) -> bool {
    let types = &program.types;
    one == other
        || match (types.get(one), types.get(other)) {
            (Type::Int(_), Type::Int(_)) => types.width(one) == types.width(other),
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        }
}

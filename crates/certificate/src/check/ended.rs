//! Which objects may have ended where pointers are compared, and where memory is accessed. Here no address is used again;
//! elsewhere a new object may be where an old one was, so a pointer to an old one may be equal to any other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::{
    Automaton, Callee, ExprId, ExprKind, FunctionId, LocationId, Operation, Program, VariableId,
};
use rorqual_memory::{Memory, Object, bare_name};

/// Where control is.
type Point = (FunctionId, LocationId);

/// The objects that may have ended.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// By comparison, as far as operations have them where they are found.
    at: HashMap<ExprId, BTreeSet<Object>>,
    /// Anywhere in the program.
    all: BTreeSet<Object>,
    /// By point. No others than allocated objects, and those that are compared.
    points: BTreeMap<Point, Rc<BTreeSet<Object>>>,
    /// None.
    none: Rc<BTreeSet<Object>>,
}

impl Ended {
    /// Follows all ends of objects that comparisons and accesses ask for.
    pub(super) fn new(program: &Program, memory: &Memory) -> Ended {
        let mut asked = compared_objects(program, memory);
        asked.extend(memory.classes().flat_map(|(class, _)| memory.objects_of(class)));
        if asked.is_empty() {
            return Ended::default();
        }
        let mut analysis = Analysis::new(program, memory, &asked);
        analysis.run();
        analysis.finish()
    }

    /// Whether one of the objects may have ended where a comparison is made.
    pub(super) fn has_any(&self, comparison: ExprId, objects: &BTreeSet<Object>) -> bool {
        let ended = self.at.get(&comparison).unwrap_or(&self.all);
        !ended.is_disjoint(objects)
    }

    /// The allocated objects that may have ended before control is at a location of a function.
    pub(super) fn before(&self, function: FunctionId, location: LocationId) -> Rc<BTreeSet<Object>> {
        self.points.get(&(function, location)).unwrap_or(&self.none).clone()
    }
}

/// The objects that operands of comparisons may point to.
fn compared_objects(program: &Program, memory: &Memory) -> BTreeSet<Object> {
    let mut found = BTreeSet::new();
    for expr in program.exprs.values() {
        if let ExprKind::Binary { op, lhs, rhs } = expr.kind
            && op.is_comparison()
        {
            for operand in [lhs, rhs] {
                found.extend(memory.targets(program, operand).objects());
            }
        }
    }
    found
}

struct Analysis<'a> {
    program: &'a Program,
    memory: &'a Memory,
    /// No others are of interest.
    asked: &'a BTreeSet<Object>,
    /// Where calls of a function return to.
    returns: HashMap<FunctionId, BTreeSet<Point>>,
    ended: BTreeMap<Point, BTreeSet<Object>>,
    open: BTreeSet<Point>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, memory: &'a Memory, asked: &'a BTreeSet<Object>) -> Analysis<'a> {
        let mut returns: HashMap<FunctionId, BTreeSet<Point>> = HashMap::new();
        for (function, body) in bodies(program) {
            for edge in body.edges().values() {
                if let Operation::Call { callee, .. } = &edge.operation {
                    for called in memory.callees(program, *callee) {
                        returns.entry(called).or_default().insert((function, edge.target));
                    }
                }
            }
        }
        // A call that ends may be the first thing that ends.
        let open = bodies(program).map(|(function, body)| (function, body.exit())).collect();
        let mut analysis = Analysis { program, memory, asked, returns, ended: BTreeMap::new(), open };
        for (function, body) in bodies(program) {
            for edge in body.edges().values() {
                let ends = analysis.ends(&edge.operation);
                analysis.add((function, edge.target), &ends);
            }
        }
        analysis
    }

    fn add(&mut self, point: Point, objects: &BTreeSet<Object>) {
        let known = self.ended.entry(point).or_default();
        if !objects.is_subset(known) {
            known.extend(objects);
            self.open.insert(point);
        }
    }

    fn run(&mut self) {
        let program = self.program;
        while let Some(point @ (function, location)) = self.open.pop_first() {
            let Some(body) = &program.functions[function].body else { continue };
            let ended = self.ended.get(&point).cloned().unwrap_or_default();
            for edge in body.outgoing(location).map(|edge| &body.edges()[edge]) {
                self.add((function, edge.target), &ended);
                if let Operation::Call { callee, .. } = &edge.operation {
                    self.enter(*callee, &ended);
                }
            }
            if location == body.exit() {
                self.leave(function, &ended);
            }
        }
    }

    fn enter(&mut self, callee: Callee, ended: &BTreeSet<Object>) {
        for called in self.memory.callees(self.program, callee) {
            if let Some(body) = &self.program.functions[called].body {
                self.add((called, body.entry()), ended);
            }
        }
    }

    /// With a call its variables end, and so does what is on its stack.
    fn leave(&mut self, function: FunctionId, ended: &BTreeSet<Object>) {
        let mut ended = ended.clone();
        ended.extend(self.asked.iter().filter(|&&object| self.is_local(object, function)));
        for point in self.returns.get(&function).cloned().unwrap_or_default() {
            self.add(point, &ended);
        }
    }

    fn is_local(&self, object: Object, function: FunctionId) -> bool {
        let owns = |variable: VariableId| {
            let details = &self.program.variables[variable];
            details.function == Some(function) && !details.kind.is_global()
        };
        match object {
            Object::Variable(variable) => owns(variable),
            Object::Stack(owner, _) => owner == function,
            Object::Heap(owner, edge) => owner == function && self.is_alloca(owner, edge),
            _ => false,
        }
    }

    fn is_alloca(&self, function: FunctionId, edge: rorqual_cfa::EdgeId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        let Operation::Call { callee, .. } = &body.edges()[edge].operation else { return false };
        let callees = self.memory.callees(self.program, *callee);
        callees.iter().any(|&callee| bare_name(&self.program.functions[callee]) == "alloca")
    }

    /// The objects that an operation ends.
    fn ends(&self, operation: &Operation) -> BTreeSet<Object> {
        let ended = match operation {
            Operation::Expire(variable) => BTreeSet::from([Object::Variable(*variable)]),
            Operation::StackRelease { pointer } => self.memory.targets(self.program, *pointer).objects(),
            Operation::Call { callee, arguments, .. } => {
                let frees = |callee: FunctionId| {
                    let function = &self.program.functions[callee];
                    let names = ["free", "cfree", "realloc", "reallocarray"];
                    function.body.is_none() && names.contains(&bare_name(function))
                };
                let callees = self.memory.callees(self.program, *callee);
                let freed = arguments.first().filter(|_| callees.into_iter().any(frees));
                freed.map(|&freed| self.memory.targets(self.program, freed).objects()).unwrap_or_default()
            }
            _ => BTreeSet::new(),
        };
        ended.intersection(self.asked).copied().collect()
    }

    fn finish(self) -> Ended {
        let mut result = Ended::default();
        for (function, body) in bodies(self.program) {
            for edge in body.edges().values() {
                let here = self.ended.get(&(function, edge.source)).cloned().unwrap_or_default();
                for comparison in comparisons(self.program, &edge.operation) {
                    result.at.entry(comparison).or_default().extend(here.iter().copied());
                }
                result.all.extend(here);
            }
        }
        let shared = self.ended.into_iter().map(|(point, objects)| (point, Rc::new(objects)));
        result.points = shared.collect();
        result
    }
}

fn bodies(program: &Program) -> impl Iterator<Item = (FunctionId, &Automaton)> {
    program.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)))
}

/// The comparisons in an operation that are in no index and no pointer on the way to a place.
fn comparisons(program: &Program, operation: &Operation) -> Vec<ExprId> {
    let mut open: Vec<ExprId> = match operation {
        Operation::Assign { value, .. } | Operation::Return { value: Some(value) } => vec![*value],
        Operation::Assume { condition, .. } => vec![*condition],
        Operation::Call { arguments, .. } => arguments.to_vec(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    while let Some(expr) = open.pop() {
        match program.exprs[expr].kind {
            ExprKind::Unary { operand, .. } | ExprKind::Convert(operand) => open.push(operand),
            ExprKind::Binary { op, lhs, rhs } => {
                if op.is_comparison() {
                    found.push(expr);
                }
                open.extend([lhs, rhs]);
            }
            _ => {}
        }
    }
    found
}

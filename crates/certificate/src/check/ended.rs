//! Which objects may have ended where pointers are compared, and where memory is accessed. Here no address is used again;
//! elsewhere a new object may be where an old one was, so a pointer to an old one may be equal to any other.
//!
//! Also which calls of `free` may have been made before. One that was invalid may have made the library give out
//! the same memory twice, so nothing is known of allocated memory behind it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::{
    Automaton, Callee, ExprId, ExprKind, Function, FunctionId, LocationId, Operation, Program, VariableId,
};
use rorqual_memory::{Memory, Object, bare_name};

/// Where control is.
type Point = (FunctionId, LocationId);

/// What may have happened before control is at a point.
#[derive(Debug, Clone, Default)]
pub(super) struct Past {
    /// The objects that may have ended. No others than allocated objects, and those that are compared.
    pub(super) objects: BTreeSet<Object>,
    /// The arguments of calls that free memory.
    pub(super) freed: BTreeSet<ExprId>,
}

impl Past {
    /// Adds another; whether there is something new.
    fn join(&mut self, other: &Past) -> bool {
        let is_new = !other.objects.is_subset(&self.objects) || !other.freed.is_subset(&self.freed);
        if is_new {
            self.objects.extend(&other.objects);
            self.freed.extend(&other.freed);
        }
        is_new
    }
}

/// The objects that may have ended, and the calls that may have ended them.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// By comparison, as far as operations have them where they are found.
    at: HashMap<ExprId, BTreeSet<Object>>,
    /// Anywhere in the program.
    all: Rc<Past>,
    /// By point.
    points: BTreeMap<Point, Rc<Past>>,
    /// Nothing.
    none: Rc<Past>,
}

impl Ended {
    /// Follows all ends of objects that comparisons and accesses ask for.
    pub(super) fn new(program: &Program, memory: &Memory) -> Ended {
        let mut asked = compared_objects(program, memory);
        asked.extend(memory.classes().flat_map(|(class, _)| memory.objects_of(class)));
        let mut analysis = Analysis::new(program, memory, &asked);
        analysis.run();
        analysis.finish()
    }

    /// Whether one of the objects may have ended where a comparison is made.
    pub(super) fn has_any(&self, comparison: ExprId, objects: &BTreeSet<Object>) -> bool {
        let ended = self.at.get(&comparison).unwrap_or(&self.all.objects);
        !ended.is_disjoint(objects)
    }

    /// What may have happened before control is at a location of a function.
    pub(super) fn before(&self, function: FunctionId, location: LocationId) -> Rc<Past> {
        self.points.get(&(function, location)).unwrap_or(&self.none).clone()
    }

    /// What may have happened anywhere in the program.
    pub(super) fn anywhere(&self) -> Rc<Past> {
        self.all.clone()
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
    past: BTreeMap<Point, Past>,
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
        let mut analysis = Analysis { program, memory, asked, returns, past: BTreeMap::new(), open };
        for (function, body) in bodies(program) {
            for edge in body.edges().values() {
                let happens = analysis.happens(&edge.operation);
                analysis.add((function, edge.target), &happens);
            }
        }
        analysis
    }

    fn add(&mut self, point: Point, past: &Past) {
        if self.past.entry(point).or_default().join(past) {
            self.open.insert(point);
        }
    }

    fn run(&mut self) {
        let program = self.program;
        while let Some(point @ (function, location)) = self.open.pop_first() {
            let Some(body) = &program.functions[function].body else { continue };
            let past = self.past.get(&point).cloned().unwrap_or_default();
            for edge in body.outgoing(location).map(|edge| &body.edges()[edge]) {
                self.add((function, edge.target), &past);
                if let Operation::Call { callee, .. } = &edge.operation {
                    self.enter(*callee, &past);
                }
            }
            if location == body.exit() {
                self.leave(function, past);
            }
        }
    }

    fn enter(&mut self, callee: Callee, past: &Past) {
        for called in self.memory.callees(self.program, callee) {
            if let Some(body) = &self.program.functions[called].body {
                self.add((called, body.entry()), past);
            }
        }
    }

    /// With a call its variables end, and so does what is on its stack.
    fn leave(&mut self, function: FunctionId, mut past: Past) {
        past.objects.extend(self.asked.iter().filter(|&&object| self.is_local(object, function)));
        for point in self.returns.get(&function).cloned().unwrap_or_default() {
            self.add(point, &past);
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

    /// The objects that an operation ends, and what it frees.
    fn happens(&self, operation: &Operation) -> Past {
        let mut freed = BTreeSet::new();
        let ended = match operation {
            Operation::Expire(variable) => BTreeSet::from([Object::Variable(*variable)]),
            Operation::StackRelease { pointer } => self.memory.targets(self.program, *pointer).objects(),
            Operation::Call { callee, arguments, .. } => {
                let callees = self.memory.callees(self.program, *callee);
                let frees = callees.into_iter().any(|callee| releases(&self.program.functions[callee]));
                freed.extend(arguments.first().filter(|_| frees));
                freed.iter().flat_map(|&freed| self.memory.targets(self.program, freed).objects()).collect()
            }
            _ => BTreeSet::new(),
        };
        Past { objects: ended.intersection(self.asked).copied().collect(), freed }
    }

    fn finish(self) -> Ended {
        let (mut result, mut all) = (Ended::default(), Past::default());
        for (function, body) in bodies(self.program) {
            for edge in body.edges().values() {
                let here = self.past.get(&(function, edge.source)).cloned().unwrap_or_default();
                for comparison in comparisons(self.program, &edge.operation) {
                    result.at.entry(comparison).or_default().extend(here.objects.iter().copied());
                }
                all.join(&here);
            }
        }
        result.all = Rc::new(all);
        let shared = self.past.into_iter().map(|(point, past)| (point, Rc::new(past)));
        result.points = shared.collect();
        result
    }
}

/// Whether a function without body ends the life of what its first argument points to.
pub(super) fn releases(function: &Function) -> bool {
    let names = ["free", "cfree", "realloc", "reallocarray"];
    function.body.is_none() && names.contains(&bare_name(function))
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

//! What one edge does, as terms: the state after it, what must hold for it to be taken, and what it takes
//! from outside.

use rorqual_cfa::{EdgeId, ExprId, FunctionId, HaltKind, Operation, PlaceId, Type, TypeId, VariableId};
use rorqual_logic::{Sort, Term};
use rorqual_memory::{ClassId, Object};
use rorqual_source::Span;

use crate::aggregate::Source;
use crate::cells::{CellId, Facet};
use crate::context::Context;
use crate::scalar::Scalar;
use crate::state::State;
use crate::symbols::SymbolKind;
use crate::{Encoding, Undefined};

/// Something that is not supported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// What, to be followed by "is not supported".
    pub construct: String,
    /// Where.
    pub span: Span,
}

/// What an edge takes from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// An input: one symbol for each scalar of the place, in the order of their addresses.
    Input(Vec<Term>),
    /// The indeterminate values of a variable whose lifetime starts.
    Declared(VariableId, Vec<(CellId, Term)>),
    /// What new memory of a class contains.
    Allocated {
        /// The class.
        class: ClassId,
        /// Where the memory starts; it is null if there is none.
        address: Term,
        /// How many bytes it has.
        size: Term,
        /// The cells of the class.
        cells: Vec<(CellId, Term)>,
    },
}

/// The translation of one edge.
pub(crate) struct Translation<'e, 'p> {
    pub(crate) encoding: &'e mut Encoding<'p>,
    pub(crate) context: Context,
    /// The edge, and the function it is in.
    pub(crate) function: FunctionId,
    pub(crate) edge: EdgeId,
    pub(crate) state: State,
    pub(crate) span: Span,
    /// What must hold for the edge to be taken without undefined behaviour.
    pub(crate) conditions: Vec<Term>,
    /// Where the edge has a meaning that is not modelled.
    pub(crate) obstacles: Vec<(Term, Obstacle)>,
    pub(crate) taken: Vec<Taken>,
    /// Symbols that stand for values that are not modelled exactly, with what they stand for.
    pub(crate) approximations: Vec<String>,
}

impl<'e, 'p> Translation<'e, 'p> {
    pub(crate) fn new(
        encoding: &'e mut Encoding<'p>,
        context: Context,
        edge: EdgeId,
        state: State,
        span: Span,
    ) -> Translation<'e, 'p> {
        let function = encoding.function(context);
        Translation {
            encoding,
            context,
            function,
            edge,
            state,
            span,
            conditions: Vec::new(),
            obstacles: Vec::new(),
            taken: Vec::new(),
            approximations: Vec::new(),
        }
    }

    pub(crate) fn obstacle(&self, construct: impl Into<String>) -> Obstacle {
        Obstacle { construct: construct.into(), span: self.span }
    }

    /// Where the guard holds, the edge is not supported.
    pub(crate) fn block_obstacle(&mut self, guard: Term, construct: &str) {
        let obstacle = self.obstacle(construct);
        self.obstacles.push((guard, obstacle));
    }

    /// Where the guard holds, nothing is said about the edge but that it is not supported.
    pub(crate) fn give_up(&mut self, guard: Term, obstacle: Obstacle) {
        self.obstacles.push((guard, obstacle));
        let not = self.encoding.pool.not(guard);
        self.conditions.push(not);
    }

    /// What must hold for the edge to be taken.
    pub(crate) fn require(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    /// What must hold for the edge to have a defined meaning.
    pub(crate) fn require_defined(&mut self, condition: Term) {
        match self.encoding.undefined {
            Undefined::Ends | Undefined::EndsEarly => self.conditions.push(condition),
            Undefined::GoesOn => {}
        }
    }

    /// A value that is not modelled: any.
    pub(crate) fn approximate(&mut self, what: impl Into<String>, sort: Sort) -> Term {
        self.approximations.push(what.into());
        self.encoding.fresh(SymbolKind::Input, "any", sort)
    }

    /// Performs an operation that neither calls nor ends anything.
    pub(crate) fn perform(&mut self, operation: &Operation) -> Result<(), Obstacle> {
        match operation {
            Operation::Skip | Operation::Expire(_) | Operation::Halt(HaltKind::Exit(_)) => Ok(()),
            Operation::StackRelease { pointer } => self.stack_release(*pointer),
            Operation::Assign { target, value } => self.assign(*target, *value),
            Operation::Assume { condition, holds } => {
                let truth = self.truth(*condition)?;
                let wanted = if *holds { truth } else { self.encoding.pool.not(truth) };
                self.require(wanted);
                Ok(())
            }
            Operation::Havoc { target, .. } => self.havoc(*target),
            Operation::Declare(variable) => {
                self.declare(*variable);
                Ok(())
            }
            Operation::ProgramArguments { count, vector } => self.program_arguments(*count, *vector),
            Operation::VarArgs(_) => Err(self.obstacle("reading arguments behind `...`")),
            // Nothing is known of what it stores.
            Operation::Assembly { outputs, .. } => {
                let written = self.encoding.analysis.memory.written_behind(self.encoding.program, operation);
                self.forget_objects(&written, "inline assembly")?;
                outputs.iter().try_for_each(|&output| self.forget(output, "inline assembly"))
            }
            Operation::Clobber { origin, .. } => {
                let program = self.encoding.program;
                if let Some(called) = self.encoding.analysis.memory.called_behind(program, operation) {
                    let called = &program.functions[called].name;
                    let construct = format!("a call of `{called}` by the undefined function `{origin}`");
                    return Err(self.obstacle(construct));
                }
                let written = self.encoding.analysis.memory.written_behind(self.encoding.program, operation);
                self.forget_objects(&written, &format!("what `{origin}` writes"))
            }
            Operation::Unsupported { construct } => Err(self.obstacle(construct.clone())),
            other => Err(self.obstacle(format!("the operation {other:?}"))),
        }
    }

    fn assign(&mut self, target: PlaceId, value: ExprId) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let ty = program.places[target].ty;
        if program.types.is_scalar(ty) {
            let value = self.scalar(value)?;
            return self.store(target, value);
        }
        let targets = self.resolve(target)?;
        let source = self.source(value)?;
        self.copy(&targets, &source, ty)
    }

    /// Stores a scalar in a place.
    pub(crate) fn store(&mut self, target: PlaceId, scalar: Scalar) -> Result<(), Obstacle> {
        for one in self.resolve(target)? {
            let Some(slot) = self.slot_of(&one) else { continue };
            if self.encoding.cells.constant(slot.cell).is_some() {
                // Writing to a string literal is undefined.
                let not = self.encoding.pool.not(one.guard);
                self.require_defined(not);
                continue;
            }
            let width = self.slot_width(slot);
            let pool = &mut self.encoding.pool;
            let Scalar { value, base } = scalar;
            // A bit-field keeps the low bits.
            let value = if width < pool.width(value) { pool.bv_extract(value, width - 1, 0) } else { value };
            self.put(slot, one.guard, Scalar { value, base });
        }
        Ok(())
    }

    /// An input for a `_Bool` is 0 or 1.
    pub(crate) fn restrict_bool(&mut self, cell: CellId, value: Term) {
        if let Some(ty) = self.encoding.cells.get(cell).ty {
            self.restrict_truth(ty, value);
        }
    }

    /// A value of type `_Bool` is 0 or 1.
    pub(crate) fn restrict_truth(&mut self, ty: TypeId, value: Term) {
        if self.encoding.program.types.as_int(ty) == Some(rorqual_cfa::IntKind::Bool) {
            let pool = &mut self.encoding.pool;
            if let Sort::BitVec(width) = pool.sort(value) {
                let two = pool.bv(2u8, width);
                let small = if width == 1 { pool.top() } else { pool.bv_ult(value, two) };
                self.require(small);
            }
        }
    }

    /// The lifetime of a variable starts: its cells have any values.
    fn declare(&mut self, variable: VariableId) {
        let cells = self.encoding.layout(Object::Variable(variable)).cells();
        let mut values = Vec::new();
        for cell in cells {
            if self.encoding.is_vague(cell) {
                continue;
            }
            let sort = self.encoding.pool.sort(self.encoding.cells.get(cell).symbol);
            let value = self.encoding.fresh(SymbolKind::Input, "declared", sort);
            self.state.write(cell, value);
            self.restrict_bool(cell, value);
            values.push((cell, value));
            for facet in [Facet::Base, Facet::Written] {
                self.declare_facet(cell, facet);
            }
        }
        self.taken.push(Taken::Declared(variable, values));
    }

    /// What is indeterminate points to no object and was not written.
    fn declare_facet(&mut self, cell: CellId, facet: Facet) {
        if let Some(facet) = self.encoding.facet(cell, facet).filter(|&kept| kept != cell) {
            let sort = self.encoding.pool.sort(self.encoding.cells.get(facet).symbol);
            let nothing = self.plain(Facet::Base, sort);
            self.state.write(facet, nothing);
        }
    }

    fn program_arguments(&mut self, count: PlaceId, vector: PlaceId) -> Result<(), Obstacle> {
        let types = &self.encoding.program.types;
        let (count_width, width) =
            (types.width(self.encoding.program.places[count].ty), self.encoding.pointer_width());
        let number = self.approximate("the number of the program's arguments", Sort::BitVec(count_width));
        let pool = &mut self.encoding.pool;
        let zero = pool.bv(0u8, count_width);
        let natural = pool.bv_sle(zero, number);
        self.require(natural);
        self.store(count, Scalar::number(number))?;
        let pointer = self.encoding.fresh(SymbolKind::Input, "any", Sort::BitVec(width));
        self.store(vector, Scalar::number(pointer))
    }

    /// Passes arguments to a function with a body.
    pub(crate) fn enter(&mut self, callee: FunctionId, arguments: &[ExprId]) -> Result<(), Obstacle> {
        let parameters = &self.encoding.program.functions[callee].parameters;
        // Without recursion no argument reads a parameter of the callee, so one after the other will do.
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            self.pass(parameter, argument)?;
        }
        for &parameter in parameters.iter().skip(arguments.len()) {
            self.pass_nothing(parameter);
        }
        Ok(())
    }

    /// A parameter that no argument is given for has any value.
    pub(crate) fn pass_nothing(&mut self, parameter: VariableId) {
        let cells = self.encoding.layout(Object::Variable(parameter)).cells();
        let always = self.encoding.pool.top();
        self.forget_cells(always, &cells, "a parameter without argument");
    }

    /// Gives a parameter its value.
    pub(crate) fn pass(&mut self, parameter: VariableId, argument: ExprId) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let (ty, given) = (program.variables[parameter].ty, program.exprs[argument].ty);
        if !rorqual_memory::has_part(&program.types, given, 0, ty) {
            let cells = self.encoding.layout(Object::Variable(parameter)).cells();
            let always = self.encoding.pool.top();
            self.forget_cells(always, &cells, "an argument of another type");
            return Ok(());
        }
        self.initialize(Object::Variable(parameter), argument)
    }

    /// Keeps the value of a `return` until the caller takes it.
    pub(crate) fn leave(&mut self, function: FunctionId, value: Option<ExprId>) -> Result<(), Obstacle> {
        match value {
            Some(value) => self.initialize(Object::Result(function), value),
            None => {
                let cells = self.encoding.layout(Object::Result(function)).cells();
                let always = self.encoding.pool.top();
                self.forget_cells(always, &cells, "a result that is not there");
                Ok(())
            }
        }
    }

    /// Stores a value in all of an object.
    fn initialize(&mut self, object: Object, value: ExprId) -> Result<(), Obstacle> {
        let target = self.whole(object);
        if self.encoding.program.types.is_scalar(self.encoding.program.exprs[value].ty) {
            let value = self.scalar(value)?;
            let slot = self.slot(&target)?;
            self.put(slot, target.guard, value);
            return Ok(());
        }
        let source = self.source(value)?;
        self.copy(&[target], &source, self.encoding.program.exprs[value].ty)
    }

    /// Whether the result of a function is a value of a type.
    fn gives(&self, function: FunctionId, wanted: TypeId) -> bool {
        let program = self.encoding.program;
        match program.types.get(program.functions[function].ty) {
            Type::Function { result, .. } => {
                *result == wanted || rorqual_memory::has_part(&program.types, *result, 0, wanted)
            }
            _ => false,
        }
    }

    /// Stores the result of a function that has returned in a place of the caller.
    pub(crate) fn take_result(&mut self, function: FunctionId, target: PlaceId) -> Result<(), Obstacle> {
        let result = self.whole(Object::Result(function));
        if !self.gives(function, self.encoding.program.places[target].ty) {
            return self.forget(target, "a result of another type");
        }
        if self.encoding.program.types.is_scalar(self.encoding.program.places[target].ty) {
            let slot = self.slot(&result)?;
            let (value, base) = (self.read_slot(slot), self.read_facet(slot, Facet::Base));
            return self.store(target, Scalar { value, base: Some(base) });
        }
        let targets = self.resolve(target)?;
        let ty = self.encoding.program.places[target].ty;
        self.copy(&targets, &Source::Places(vec![result]), ty)
    }
}

//! What one edge does, as terms: the state after it, what must hold for it to be taken, and what it takes
//! from outside.

use rorqual_cfa::{ExprId, ExprKind, FunctionId, HaltKind, Operation, PlaceId, Type, TypeId, VariableId};
use rorqual_interpreter::{Effect, call_effect};
use rorqual_logic::{Sort, Term};
use rorqual_source::Span;

use crate::Encoding;
use crate::cells::{CellId, Layout, Length, Object, array_of_bytes};
use crate::context::Context;
use crate::place::{Alternative, Node, Slot};
use crate::points_to::has_same_shape;
use crate::state::State;

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
}

/// Where an aggregate comes from.
enum Source {
    /// Zeros or a text.
    Constant(ExprId),
    /// What places contain.
    Places(Vec<Alternative>),
}

/// The translation of one edge.
pub(crate) struct Translation<'e, 'p> {
    pub(crate) encoding: &'e mut Encoding<'p>,
    pub(crate) context: Context,
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
        state: State,
        span: Span,
    ) -> Translation<'e, 'p> {
        Translation {
            encoding,
            context,
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

    pub(crate) fn require(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    pub(crate) fn require_if(&mut self, guard: Term, condition: Term) {
        let implied = self.encoding.pool.implies(guard, condition);
        self.conditions.push(implied);
    }

    /// A value that is not modelled: any.
    pub(crate) fn approximate(&mut self, what: impl Into<String>, sort: Sort) -> Term {
        self.approximations.push(what.into());
        self.encoding.fresh("any", sort)
    }

    /// Performs an operation that neither calls nor ends anything.
    pub(crate) fn perform(&mut self, operation: &Operation) -> Result<(), Obstacle> {
        match operation {
            Operation::Skip
            | Operation::Expire(_)
            | Operation::StackRelease { .. }
            | Operation::Halt(HaltKind::Exit(_)) => Ok(()),
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
            Operation::Assembly { template, outputs, .. } => {
                if template.is_empty() && outputs.is_empty() {
                    return Ok(());
                }
                Err(self.obstacle("inline assembly"))
            }
            Operation::Unsupported { construct } => Err(self.obstacle(construct.clone())),
            other => Err(self.obstacle(format!("the operation {other:?}"))),
        }
    }

    fn assign(&mut self, target: PlaceId, value: ExprId) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let ty = program.places[target].ty;
        if program.types.is_scalar(ty) {
            let value = self.eval(value)?;
            return self.store(target, value);
        }
        self.assign_aggregate(target, value)
    }

    /// Stores a scalar in a place.
    pub(crate) fn store(&mut self, target: PlaceId, value: Term) -> Result<(), Obstacle> {
        for one in self.resolve(target)? {
            let slot = self.slot(&one.node)?;
            if self.encoding.cells.constant(slot.cell).is_some() {
                // Writing to a string literal is undefined.
                let not = self.encoding.pool.not(one.guard);
                self.require(not);
                continue;
            }
            let width = match slot.bits {
                Some((_, width)) => width,
                None => self.encoding.cell_width(slot.cell),
            };
            let pool = &mut self.encoding.pool;
            // A bit-field keeps the low bits.
            let value = if width < pool.width(value) { pool.bv_extract(value, width - 1, 0) } else { value };
            self.write_slot(slot, one.guard, value);
        }
        Ok(())
    }

    fn assign_aggregate(&mut self, target: PlaceId, value: ExprId) -> Result<(), Obstacle> {
        let targets = self.resolve(target)?;
        let source = self.source(value)?;
        self.copy(targets, &source)
    }

    fn source(&mut self, value: ExprId) -> Result<Source, Obstacle> {
        Ok(match self.encoding.program.exprs[value].kind {
            ExprKind::Load(place) => Source::Places(self.resolve(place)?),
            _ => Source::Constant(value),
        })
    }

    /// Copies an aggregate cell by cell.
    fn copy(&mut self, targets: Vec<Alternative>, source: &Source) -> Result<(), Obstacle> {
        for one in targets {
            let Node::Whole { layout, index } = &one.node else {
                return Err(self.obstacle("an aggregate in a union"));
            };
            if let Some(reason) = layout.obstacle() {
                return Err(self.obstacle(reason));
            }
            let cells = layout.cells();
            if index.is_some() && cells.iter().any(|&cell| is_deeper(layout, cell)) {
                return Err(self.obstacle("an assignment of arrays in an array"));
            }
            // All sources are read before anything is stored: they may overlap.
            let mut values = Vec::with_capacity(cells.len());
            for (number, &cell) in cells.iter().enumerate() {
                values.push(match source {
                    Source::Places(places) => self.part_of_places(places, number)?,
                    Source::Constant(value) => self.part_of_constant(*value, cell, index.is_some())?,
                });
            }
            for (cell, value) in cells.into_iter().zip(values) {
                self.write_slot(Slot { cell, index: *index, bits: None }, one.guard, value);
            }
        }
        Ok(())
    }

    /// The value of a constant aggregate for a cell.
    fn part_of_constant(&mut self, value: ExprId, cell: CellId, one_element: bool) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let sort = self.encoding.pool.sort(self.encoding.cells.get(cell).symbol);
        let pool = &mut self.encoding.pool;
        match (&program.exprs[value].kind, sort) {
            (ExprKind::Zero, Sort::Array { element, .. }) if one_element => Ok(pool.bv(0u8, element)),
            (ExprKind::Zero, Sort::Array { index, element }) => {
                let zero = pool.bv(0u8, element);
                Ok(pool.const_array(index, zero))
            }
            (ExprKind::Zero, Sort::BitVec(width)) => Ok(pool.bv(0u8, width)),
            (ExprKind::Text(text), Sort::Array { index, element }) if !one_element => {
                let bytes = &program.strings[*text].bytes;
                let length = program.types.size_of(program.exprs[value].ty).unwrap_or(0) as usize;
                let bytes = &bytes[..bytes.len().min(length)];
                Ok(array_of_bytes(pool, index, element, bytes))
            }
            _ => Err(self.obstacle("an aggregate value of this kind")),
        }
    }

    /// The value of the `number`-th cell of places.
    fn part_of_places(&mut self, sources: &[Alternative], number: usize) -> Result<Term, Obstacle> {
        let mut result = None;
        for source in sources.iter().rev() {
            let Node::Whole { layout, index } = &source.node else {
                return Err(self.obstacle("an aggregate in a union"));
            };
            let Some(&cell) = layout.cells().get(number) else {
                return Err(self.obstacle(layout.obstacle().unwrap_or("an aggregate of this type")));
            };
            if index.is_some() && is_deeper(layout, cell) {
                return Err(self.obstacle("an assignment of arrays in an array"));
            }
            let value = self.read_slot(Slot { cell, index: *index, bits: None });
            let pool = &mut self.encoding.pool;
            result = Some(result.map_or(value, |other| pool.ite(source.guard, value, other)));
        }
        result.ok_or_else(|| self.obstacle("reading through this pointer"))
    }

    /// Stores any value.
    fn havoc(&mut self, target: PlaceId) -> Result<(), Obstacle> {
        let mut inputs: Vec<Term> = Vec::new();
        for one in self.resolve(target)? {
            let Node::Whole { layout, index } = &one.node else {
                return Err(self.obstacle("an input for a member of a union"));
            };
            if let Some(reason) = layout.obstacle() {
                return Err(self.obstacle(reason));
            }
            let cells = layout.cells();
            if cells.iter().any(|&cell| is_deeper(layout, cell)) {
                return Err(self.obstacle("an input for an array"));
            }
            while inputs.len() < cells.len() {
                let width = self.encoding.cell_width(cells[inputs.len()]);
                inputs.push(self.encoding.fresh("input", Sort::BitVec(width)));
            }
            for (&cell, &input) in cells.iter().zip(&inputs) {
                let slot = Slot { cell, index: *index, bits: None };
                self.write_slot(slot, one.guard, input);
                self.restrict_bool(cell, input);
            }
        }
        self.taken.push(Taken::Input(inputs));
        Ok(())
    }

    /// An input for a `_Bool` is 0 or 1.
    fn restrict_bool(&mut self, cell: CellId, value: Term) {
        let ty = self.encoding.cells.get(cell).ty;
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
            let sort = self.encoding.pool.sort(self.encoding.cells.get(cell).symbol);
            let value = self.encoding.fresh("declared", sort);
            self.state.write(cell, value);
            self.restrict_bool(cell, value);
            values.push((cell, value));
        }
        self.taken.push(Taken::Declared(variable, values));
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
        self.store(count, number)?;
        let pointer = self.encoding.fresh("any", Sort::BitVec(width));
        self.store(vector, pointer)
    }

    /// Passes arguments to a function with a body.
    pub(crate) fn enter(&mut self, callee: FunctionId, arguments: &[ExprId]) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let parameters = &program.functions[callee].parameters;
        if parameters.len() > arguments.len() {
            return Err(self.obstacle("a call with too few arguments"));
        }
        // Without recursion no argument reads a parameter of the callee, so one after the other will do.
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            let ty = program.variables[parameter].ty;
            if !has_same_shape(program, program.exprs[argument].ty, ty) {
                return Err(self.obstacle("a call with an argument of another type"));
            }
            self.initialize(Object::Variable(parameter), argument)?;
        }
        Ok(())
    }

    /// Keeps the value of a `return` until the caller takes it.
    pub(crate) fn leave(&mut self, function: FunctionId, value: Option<ExprId>) -> Result<(), Obstacle> {
        match value {
            Some(value) => self.initialize(Object::Result(function), value),
            None => Ok(()),
        }
    }

    /// Stores a value in all of an object.
    fn initialize(&mut self, object: Object, value: ExprId) -> Result<(), Obstacle> {
        let target = self.whole(object);
        if self.encoding.program.types.is_scalar(self.encoding.program.exprs[value].ty) {
            let value = self.eval(value)?;
            let slot = self.slot(&target.node)?;
            self.write_slot(slot, target.guard, value);
            return Ok(());
        }
        let source = self.source(value)?;
        self.copy(vec![target], &source)
    }

    /// Stores the result of a function that has returned in a place of the caller.
    pub(crate) fn take_result(&mut self, function: FunctionId, target: PlaceId) -> Result<(), Obstacle> {
        let result = self.whole(Object::Result(function));
        if self.encoding.program.types.is_scalar(self.encoding.program.places[target].ty) {
            let slot = self.slot(&result.node)?;
            let value = self.read_slot(slot);
            return self.store(target, value);
        }
        let targets = self.resolve(target)?;
        self.copy(targets, &Source::Places(vec![result]))
    }

    /// Calls a function without body.
    pub(crate) fn call_without_body(
        &mut self,
        function: FunctionId,
        target: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let details = &program.functions[function];
        for &argument in arguments {
            if program.types.is_scalar(program.exprs[argument].ty) {
                self.eval(argument)?;
            }
        }
        let Type::Function { result, .. } = program.types.get(details.ty) else {
            return Err(self.obstacle("a call of something that is no function"));
        };
        match call_effect(program, details, arguments) {
            Effect::Input => self.any_result(*result, target, None),
            Effect::Value if program.types.pointee(*result).is_none() => {
                self.any_result(*result, target, Some(format!("the result of `{}`", details.name)))
            }
            _ => Err(self.obstacle(format!("the library function `{}`", details.name))),
        }
    }

    /// Stores any value of a type: an input, or what is not modelled.
    fn any_result(
        &mut self,
        ty: TypeId,
        target: Option<PlaceId>,
        approximated: Option<String>,
    ) -> Result<(), Obstacle> {
        let types = &self.encoding.program.types;
        // Who wants a structure takes it member by member, after the call. That the call itself takes nothing is told,
        // so that a replay does not give it what comes after it.
        if matches!(types.get(ty), Type::Void) || (target.is_none() && !types.is_scalar(ty)) {
            if approximated.is_none() {
                self.taken.push(Taken::Input(Vec::new()));
            }
            return Ok(());
        }
        if !types.is_scalar(ty) {
            return Err(self.obstacle("a function that returns a structure"));
        }
        let sort = Sort::BitVec(types.width(ty));
        let value = match approximated {
            Some(what) => self.approximate(what, sort),
            None => {
                let input = self.encoding.fresh("input", sort);
                self.taken.push(Taken::Input(vec![input]));
                input
            }
        };
        if self.encoding.program.types.as_int(ty) == Some(rorqual_cfa::IntKind::Bool) {
            let pool = &mut self.encoding.pool;
            let two = pool.bv(2u8, 8);
            let small = pool.bv_ult(value, two);
            self.require(small);
        }
        match target {
            Some(target) => self.store(target, value),
            None => Ok(()),
        }
    }

    /// Makes an object on the stack.
    pub(crate) fn stack_allocate(
        &mut self,
        object: Object,
        target: PlaceId,
        size: ExprId,
    ) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let Some(element) = program.types.pointee(program.places[target].ty) else {
            return Err(self.obstacle("a stack allocation of this kind"));
        };
        let Some(stride) = program.types.size_of(element).filter(|&stride| stride > 0) else {
            return Err(self.obstacle("a variable-length array of variable-length arrays"));
        };
        let layout = self.encoding.allocate(object, element);
        let Layout::Array { element: inner, length: Length::Counted(counter), .. } = &*layout else {
            return Err(self.obstacle("a stack allocation of this kind"));
        };
        let count = self.element_count(size, stride)?;
        // More than the room that addresses leave would be more than any stack has.
        let room = self.encoding.size(object) / stride;
        let pool = &mut self.encoding.pool;
        let most = pool.bv(room, pool.width(count));
        let fits = pool.bv_ule(count, most);
        self.require(fits);
        self.state.write(*counter, count);
        for cell in inner.cells() {
            let sort = self.encoding.pool.sort(self.encoding.cells.get(cell).symbol);
            let value = self.encoding.fresh("declared", sort);
            self.state.write(cell, value);
        }
        self.approximations.push("the initial content of a variable-length array".to_owned());
        let address = self.encoding.address(object);
        self.store(target, address)
    }

    /// How many elements fit into a size; the factor itself where the size is a product with the element's.
    fn element_count(&mut self, size: ExprId, stride: u64) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let width = self.encoding.pointer_width();
        if let ExprKind::Binary { op: rorqual_cfa::BinaryOp::Mul, lhs, rhs } = program.exprs[size].kind {
            for (factor, other) in [(lhs, rhs), (rhs, lhs)] {
                if program.exprs[other].kind == ExprKind::Int(i128::from(stride))
                    && program.types.width(program.exprs[factor].ty) == width
                {
                    return self.eval(factor);
                }
            }
        }
        let size = self.eval(size)?;
        let pool = &mut self.encoding.pool;
        let stride = pool.bv(stride, pool.width(size));
        Ok(pool.bv_udiv(size, stride))
    }
}

/// Whether a cell of the layout is inside of an array of the layout itself.
fn is_deeper(layout: &Layout, cell: CellId) -> bool {
    match layout {
        Layout::Array { element, .. } => element.cells().contains(&cell),
        Layout::Struct { fields, .. } => fields.iter().any(|(_, field)| is_deeper(field, cell)),
        _ => false,
    }
}

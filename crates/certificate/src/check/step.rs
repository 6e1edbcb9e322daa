//! What one edge does to a state: the heart of the translation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::{
    ExprId, ExprKind, FunctionId, Hazard, Id, LabelId, Operation, PlaceId, Program, StringId, Type, TypeId,
    VarArgs, VariableId,
};
use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_memory::Object;

use super::ended::{Ended, Past};
use super::facet::Faceted;
use super::memory::Site;
use super::observe::shows_addresses;
use super::reach::Reach;
use super::truth::Truths;
use super::valid::least_size;
use crate::cells::{CellId, Cells, Facet, Ledger, object_size};

/// What does not change while a program is checked.
pub(super) struct World<'a> {
    /// The program.
    pub(super) program: &'a Program,
    /// Its cells.
    pub(super) cells: &'a Cells,
    /// The cells whose content is not looked at: it is any value whenever it is read.
    pub(super) vague: BTreeSet<CellId>,
    /// The width of an address.
    pub(super) pointer_width: u32,
    /// What pointers may point to, as far as it was asked for.
    pub(super) reaches: RefCell<HashMap<ExprId, Rc<Reach>>>,
    /// The address and size of each string literal.
    pub(super) texts: Vec<(Term, u64)>,
    /// The address of each function.
    pub(super) functions: Vec<Term>,
    /// The objects that may have ended where pointers are compared, and where memory is accessed.
    pub(super) ended: Ended,
    /// Where a `_Bool` may contain something else than 0 and 1.
    pub(super) truths: Truths,
    /// How many bytes an allocated object has at least, if it has any.
    pub(super) least_size: u64,
    /// Whether the program turns addresses into numbers.
    pub(super) shows_addresses: bool,
    /// The objects that values may be addresses of, as far as it was asked for.
    pub(super) origins: RefCell<HashMap<ExprId, BTreeSet<Object>>>,
}

impl World<'_> {
    /// The width of a scalar type, and of a union with a cell.
    pub(super) fn width(&self, ty: TypeId) -> u32 {
        self.program.types.width(ty).max(1)
    }
}

/// The values of cells. A cell that is not there has the value that its name had at the cut point.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State(Rc<BTreeMap<CellId, Term>>);

impl State {
    /// The value of a cell that changed.
    pub(super) fn get(&self, cell: CellId) -> Option<Term> {
        self.0.get(&cell).copied()
    }

    /// Changes a cell.
    pub(super) fn set(&mut self, cell: CellId, value: Term) {
        Rc::make_mut(&mut self.0).insert(cell, value);
    }

    /// Drops cells that are out of scope.
    pub(super) fn retain(&mut self, keep: impl Fn(CellId) -> bool) {
        if self.0.keys().any(|&cell| !keep(cell)) {
            Rc::make_mut(&mut self.0).retain(|&cell, _| keep(cell));
        }
    }

    /// The cells that changed, with their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (CellId, Term)> {
        self.0.iter().map(|(&cell, &value)| (cell, value))
    }
}

/// An object whose address is a symbol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Birth {
    /// The size in bytes, 0 if it is not known.
    pub(super) size: u64,
    /// What the address is a multiple of.
    pub(super) align: u64,
    /// The edge that must be taken for the object to be there, by its Boolean.
    pub(super) taken: Option<Term>,
}

/// What symbols in formulas stand for. All objects whose addresses occur in formulas: each symbol of an address stands for one of its
/// own, and addresses are never used again.
#[derive(Debug, Default)]
pub(super) struct Births {
    /// The objects by the symbols of their addresses.
    pub(super) objects: BTreeMap<Term, Birth>,
    /// The sizes of allocated objects by the symbols of their addresses.
    pub(super) allocated: HashMap<Term, Term>,
    /// For symbols that stand where arcs meet: the values that they may have.
    pub(super) merged: HashMap<Term, Vec<Term>>,
    /// The string literals by the symbols of their addresses.
    pub(super) texts: HashMap<Term, StringId>,
    /// The operations that may be undefined, by the Booleans that say that they are assumed not to be.
    pub(super) assumptions: BTreeMap<Term, Hazard>,
}

impl Births {
    /// The Boolean that says that an operation is assumed to be defined.
    pub(super) fn assumption(&mut self, pool: &mut TermPool, hazard: Hazard) -> Term {
        let symbol = pool.symbol(&format!("defined {hazard:?}"), Sort::Bool);
        self.assumptions.insert(symbol, hazard);
        symbol
    }

    /// How two string literals lie if one of them is the end of the other, where that may be.
    pub(super) fn shared(
        &self,
        program: &Program,
        pool: &mut TermPool,
        one: Term,
        other: Term,
    ) -> Option<Term> {
        let text = |symbol: Term| Some(program.strings[*self.texts.get(&symbol)?].bytes.as_slice());
        let (left, right) = (text(one)?, text(other)?);
        let ((long, longer), (short, shorter)) = if left.len() < right.len() {
            ((other, right), (one, left))
        } else {
            ((one, left), (other, right))
        };
        if !longer.ends_with(shorter) {
            return None;
        }
        let distance = pool.bv((longer.len() - shorter.len()) as u64, pool.width(long));
        let end = pool.bv_add(long, distance);
        Some(pool.eq(short, end))
    }

    /// The objects one of which surely contains so many bytes at an address. Where the symbol of an object
    /// stands in a state, the edge that made it was taken, because states that do not agree get symbols of
    /// their own where they meet.
    pub(super) fn objects_at(&self, pool: &TermPool, address: Term, bytes: u64) -> Option<BTreeSet<Term>> {
        /// Longer chains of values take more time than they spare.
        const MOST: usize = 64;
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![(address, 0u64)];
        while let Some((term, offset)) = open.pop() {
            if seen.len() >= MOST {
                return None;
            }
            if !seen.insert((term, offset)) {
                continue;
            }
            match (pool.op(term), pool.arguments(term)) {
                (Op::Symbol(_), _) if self.merged.contains_key(&term) => {
                    open.extend(self.merged[&term].iter().map(|&value| (value, offset)));
                }
                (Op::Symbol(_), _) => {
                    let birth = self.objects.get(&term)?;
                    let inside = offset.checked_add(bytes)? <= birth.size;
                    inside.then(|| found.insert(term))?;
                }
                (Op::BvAdd, &[lhs, rhs]) => {
                    let (constant, base) = if pool.as_bits(lhs).is_some() { (lhs, rhs) } else { (rhs, lhs) };
                    open.push((base, offset.checked_add(pool.as_bits(constant)?.to_u64()?)?));
                }
                (Op::Ite, &[_, then, otherwise]) => open.extend([(then, offset), (otherwise, offset)]),
                _ => return None,
            }
        }
        Some(found)
    }
}

/// A value on its way from one place to another.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// A scalar.
    Scalar(Term),
    /// One term for each leaf of an aggregate type.
    Aggregate(Vec<Term>),
    /// No value was given.
    Nothing,
}

/// One edge being translated.
pub(super) struct Step<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) pool: &'a mut TermPool,
    pub(super) births: &'a mut Births,
    /// The Boolean of the edge.
    pub(super) taken: Term,
    /// The state, before and then after.
    pub(super) state: State,
    /// The variables that a pointer can point into.
    pub(super) scope: Rc<[VariableId]>,
    /// The variables that keep what they point to on the heap from being lost.
    pub(super) keepers: Rc<[VariableId]>,
    /// What must hold for the edge to be taken.
    pub(super) conditions: Vec<Term>,
    /// What must hold for operations of the edge to be defined.
    pub(super) hazards: Vec<(Hazard, Term)>,
    /// The operation at hand.
    pub(super) hazard: Option<Hazard>,
    /// What of memory is read and written at the moment.
    pub(super) facet: Facet,
    /// What may have happened before something is accessed; None if that is not known.
    pub(super) past: Option<Rc<Past>>,
}

impl Step<'_> {
    /// Does something that belongs to an operation that may be undefined.
    pub(super) fn during<T>(&mut self, hazard: Hazard, action: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.hazard.replace(hazard);
        let result = action(self);
        self.hazard = before;
        result
    }

    /// The operation at hand is undefined unless a condition holds. What belongs to no operation goes on in any case,
    /// which only describes more executions.
    pub(super) fn require(&mut self, condition: Term) {
        if let Some(hazard) = self.hazard
            && self.pool.as_bool(condition) != Some(true)
        {
            self.hazards.push((hazard, condition));
        }
    }

    /// The facet at hand of what a cell contains.
    pub(super) fn get(&mut self, cell: CellId) -> Term {
        match self.kept(cell) {
            Some(cell) => {
                let value = self.get_raw(cell);
                self.unless_freed(cell, value)
            }
            None => self.plain(self.facet, self.world.cells.get(cell).sort),
        }
    }

    /// The value of a cell.
    pub(super) fn get_raw(&mut self, cell: CellId) -> Term {
        match self.state.get(cell) {
            _ if self.world.vague.contains(&cell) => {
                self.pool.fresh_symbol("any", self.world.cells.get(cell).sort)
            }
            Some(value) => value,
            None => {
                let cell = self.world.cells.get(cell);
                self.pool.symbol(&cell.name, cell.sort)
            }
        }
    }

    /// Changes the facet at hand of what a cell contains.
    pub(super) fn set(&mut self, cell: CellId, value: Term) {
        debug_assert_eq!(self.pool.sort(value), self.world.cells.get(cell).sort, "cells keep their sort");
        let Some(kept) = self.kept(cell) else { return };
        // A content that says what pointers were derived from changes as content only.
        let is_said = self.world.cells.get(kept).is_content && self.facet != Facet::Content;
        if !is_said && !self.world.vague.contains(&kept) {
            self.state.set(kept, value);
        }
    }

    pub(super) fn function_address(&mut self, function: FunctionId) -> Term {
        self.world.functions[function.index()]
    }

    pub(super) fn text_address(&mut self, text: StringId) -> Term {
        self.world.texts[text.index()].0
    }

    pub(super) fn label_address(&mut self, function: FunctionId, label: LabelId) -> Term {
        let name = format!("label {} {}", function.index(), label.index());
        self.pool.symbol(&name, Sort::BitVec(self.world.pointer_width))
    }

    /// What an operation does that neither calls, nor returns, nor ends the program.
    pub(super) fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Assign { target, value } => {
                let value = self.faceted(*value);
                self.assign_all(*target, &value);
            }
            Operation::Assume { condition, holds } => {
                let truth = self.truth(*condition);
                let condition = if *holds { truth } else { self.pool.not(truth) };
                self.conditions.push(condition);
            }
            Operation::Havoc { target, .. } => self.havoc(*target),
            Operation::Clobber { .. } => {
                let written = self.world.cells.memory().written_behind(self.world.program, operation);
                self.forget_objects(&written);
            }
            Operation::Assembly { outputs, .. } => {
                let written = self.world.cells.memory().written_behind(self.world.program, operation);
                self.forget_objects(&written);
                outputs.iter().for_each(|&output| self.havoc(output));
            }
            // The object may live already, if control comes back to the declaration inside of its block.
            Operation::Declare(variable) => self.forget(*variable),
            Operation::Expire(variable) => self.begin_life(*variable),
            Operation::StackAllocate { target, size } => {
                let size = self.index(*size);
                let is_there = self.pool.top();
                let address = self.allocate(size, is_there);
                self.begin(Ledger::StackLives, address, size, is_there);
                let pointer = self.start(address);
                self.assign_all(*target, &pointer);
            }
            Operation::StackRelease { pointer } => {
                let pointer = self.index(*pointer);
                self.end(Ledger::StackLives, pointer);
            }
            Operation::ProgramArguments { count, vector } => self.program_arguments(*count, *vector),
            Operation::VarArgs(VarArgs::Next { target, .. }) => {
                self.forget_addressed();
                self.havoc(*target);
            }
            Operation::VarArgs(_) => self.forget_addressed(),
            // The others have no effect here: what they mean for control is the graph's business.
            _ => {}
        }
    }

    /// The value of an expression of any type.
    pub(super) fn value(&mut self, id: ExprId) -> Value {
        let program = self.world.program;
        let expr = &program.exprs[id];
        if program.types.is_scalar(expr.ty) {
            return Value::Scalar(self.eval(id));
        }
        match (&expr.kind, program.types.get(expr.ty)) {
            (_, Type::Void | Type::Function { .. }) => Value::Nothing,
            (ExprKind::Load(place), _) => Value::Aggregate(self.load_aggregate(*place)),
            (ExprKind::Zero, _) => Value::Aggregate(self.zero_aggregate(expr.ty)),
            (ExprKind::Text(text), _) => Value::Aggregate(self.text_value(*text, expr.ty)),
            _ => Value::Aggregate(self.any_aggregate(expr.ty)),
        }
    }

    /// The characters of a string literal as an array. The elements may be wider than a byte.
    fn text_value(&mut self, text: StringId, ty: TypeId) -> Vec<Term> {
        /// Longer literals would make long terms; their characters may be anything.
        const LONGEST: usize = 256;
        let bytes = &self.world.program.strings[text].bytes;
        let zero = self.zero_aggregate(ty);
        let (&[array], true) = (zero.as_slice(), bytes.len() <= LONGEST) else {
            return self.any_aggregate(ty);
        };
        let Sort::Array { index, element } = self.pool.sort(array) else { return self.any_aggregate(ty) };
        let size = self.world.program.types.size_of(ty).unwrap_or(0) as usize;
        let mut array = array;
        let cut = &bytes[..bytes.len().min(size)];
        for (position, character) in cut.chunks_exact(element as usize / 8).enumerate() {
            let number = character.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
            let (at, value) = (self.pool.bv(position, index), self.pool.bv(number, element));
            array = self.pool.store(array, at, value);
        }
        vec![array]
    }

    /// Stores a value in a place of its type.
    pub(super) fn assign(&mut self, target: PlaceId, value: &Value) {
        match value {
            Value::Scalar(value) => self.store(target, *value),
            Value::Aggregate(values) => self.store_aggregate(target, values),
            Value::Nothing => self.havoc_content(target),
        }
    }

    /// Stores any value in a place: something that was given from outside.
    pub(super) fn havoc(&mut self, target: PlaceId) {
        for facet in self.world.cells.facets() {
            let given = self.given(facet, self.world.program.places[target].ty);
            self.on(facet, |step| step.assign(target, &given));
        }
        self.havoc_content(target);
    }

    fn havoc_content(&mut self, target: PlaceId) {
        let ty = self.world.program.places[target].ty;
        if self.world.program.types.is_scalar(ty) {
            let value = self.any(ty);
            self.store(target, value);
        } else {
            let values = self.any_aggregate(ty);
            self.store_aggregate(target, &values);
        }
    }

    /// Gives a variable a new object: any value, and an address that was never used.
    pub(super) fn begin_life(&mut self, variable: VariableId) {
        self.forget(variable);
        if self.world.cells.is_addressed(variable) {
            let cell = self.world.cells.address(variable);
            let address = self.pool.fresh_symbol("address", self.world.cells.get(cell).sort);
            let birth = birth(self.world.program, variable, Some(self.taken));
            self.births.objects.insert(address, birth);
            self.set(cell, address);
        }
    }

    fn program_arguments(&mut self, count: PlaceId, vector: PlaceId) {
        self.havoc(vector);
        let ty = self.world.program.places[count].ty;
        let number = self.any(ty);
        let zero = self.pool.bv(0u8, self.pool.width(number));
        let counts = self.pool.bv_sle(zero, number);
        self.conditions.push(counts);
        self.store(count, number);
    }

    /// Makes a function with a body active: its variables are new, and its parameters have values; any, where
    /// no argument is given.
    pub(super) fn enter(&mut self, callee: FunctionId, arguments: &[ExprId]) {
        let program = self.world.program;
        let function = &program.functions[callee];
        let given: Vec<(TypeId, Faceted)> =
            arguments.iter().map(|&argument| (program.exprs[argument].ty, self.faceted(argument))).collect();
        for (variable, _) in self.world.locals(callee) {
            self.begin_life(variable);
        }
        for (&parameter, (ty, value)) in function.parameters.iter().zip(&given) {
            let expected = program.variables[parameter].ty;
            let site = Site::Named(self.whole(parameter));
            for (facet, value) in value.facets() {
                let value = self.fitted(value, *ty, expected);
                self.on(facet, |step| step.store_whole(&site, expected, &value));
            }
        }
    }

    /// A value of one type where another is expected. Whatever is not certain becomes any value.
    pub(super) fn fitted(&mut self, value: &Value, from: TypeId, to: TypeId) -> Value {
        let types = &self.world.program.types;
        let same_bits = |ty| !matches!(types.get(ty), Type::Float(_)) && types.is_scalar(ty);
        let is_bool = types.as_int(to) == Some(rorqual_cfa::IntKind::Bool);
        match value {
            _ if from == to => value.clone(),
            Value::Scalar(_)
                if same_bits(from) && same_bits(to) && !is_bool && types.width(from) == types.width(to) =>
            {
                value.clone()
            }
            _ if types.is_scalar(to) => Value::Scalar(self.any(to)),
            _ => Value::Aggregate(self.any_aggregate(to)),
        }
    }

    /// Stores the result of a call. `from` is the type of the value that was returned.
    pub(super) fn deliver(&mut self, target: PlaceId, value: &Faceted, from: Option<TypeId>) {
        let expected = self.world.program.places[target].ty;
        for (facet, value) in value.facets() {
            let value = match from {
                Some(from) => self.fitted(value, from, expected),
                None => Value::Nothing,
            };
            self.on(facet, |step| step.assign(target, &value));
        }
    }

    pub(super) fn store_whole(&mut self, site: &Site, ty: TypeId, value: &Value) {
        match value {
            Value::Scalar(value) => self.store_aggregate_at(site, ty, &[*value]),
            Value::Aggregate(values) => self.store_aggregate_at(site, ty, values),
            Value::Nothing => {}
        }
    }
}

/// What is known of the address of a variable.
pub(super) fn birth(program: &Program, variable: VariableId, taken: Option<Term>) -> Birth {
    let size = object_size(program, variable).unwrap_or(0);
    let declared = &program.variables[variable];
    let align = program.types.align_of(declared.ty).max(declared.align).max(1);
    Birth { size, align, taken }
}

impl<'a> World<'a> {
    /// The variables of a function's frame.
    pub(super) fn locals(
        &self,
        function: FunctionId,
    ) -> impl Iterator<Item = (VariableId, &'a rorqual_cfa::Variable)> + use<'a> {
        self.program
            .variables
            .iter()
            .filter(move |(_, variable)| variable.function == Some(function) && !variable.kind.is_global())
    }

    /// Prepares what is constant: addresses of functions and string literals.
    pub(super) fn new(
        program: &'a Program,
        cells: &'a Cells,
        vague: BTreeSet<CellId>,
        pool: &mut TermPool,
        births: &mut Births,
    ) -> World<'a> {
        let pointer_width = program.types.model().pointer_width();
        let mut constant = |name: String, size: u64, align: u64| {
            let symbol = pool.symbol(&name, Sort::BitVec(pointer_width));
            births.objects.insert(symbol, Birth { size, align, taken: None });
            symbol
        };
        let text = |(id, text): (StringId, &rorqual_cfa::StringLiteral)| {
            let size = text.bytes.len() as u64;
            (constant(cells.get(cells.text(id)).name.clone(), size, 1), size)
        };
        let texts = program.strings.iter().map(text).collect();
        let functions = program.functions.ids().map(|id| constant(format!("function {}", id.index()), 1, 1));
        let functions = functions.collect();
        for (id, variable) in program.variables.iter() {
            if cells.is_addressed(id) {
                let cell = cells.get(cells.address(id));
                let symbol = pool.symbol(&cell.name, cell.sort);
                births.objects.insert(symbol, birth(program, id, None));
            }
            debug_assert!(variable.align > 0, "alignments are positive");
        }
        let texts: Vec<(Term, u64)> = texts;
        births.texts = program.strings.ids().zip(&texts).map(|(id, &(symbol, _))| (symbol, id)).collect();
        World {
            program,
            cells,
            vague,
            pointer_width,
            reaches: RefCell::default(),
            texts,
            functions,
            ended: Ended::new(program, cells.memory()),
            truths: Truths::new(program, cells.memory()),
            least_size: least_size(program, cells.memory()),
            shows_addresses: shows_addresses(program, cells.memory()),
            origins: RefCell::default(),
        }
    }
}

/// Values by cell, for substitution.
pub(super) fn replacements(pool: &mut TermPool, cells: &Cells, state: &State) -> HashMap<Term, Term> {
    let symbol = |(cell, value): (CellId, Term)| {
        let cell = cells.get(cell);
        (pool.symbol(&cell.name, cell.sort), value)
    };
    state.iter().map(symbol).collect()
}

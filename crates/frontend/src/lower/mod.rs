//! From the typed program to control-flow automata: side effects become edges, control
//! structures become locations, and what is left of expressions has no effects.
//!
//! The order of evaluation is the one gcc chooses; `docs/soundness.md` states it, and
//! `value.rs` and `assign.rs` implement it.

mod assign;
mod call;
mod control;
mod ending;
mod initializer;
mod names;
mod place;
mod scope;
mod special;
mod start;
mod value;

pub(crate) use special::is_special;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::{
    Arena, AutomatonBuilder, Draft, ExprId, ExprKind, Function, FunctionId, Id, IntKind, LabelId, Operation,
    PlaceId, PlaceKind, Program, Type, TypeId, Variable, VariableId, VariableKind,
};
use rorqual_source::{Diagnostic, Span};

use crate::options::{Failure, Options};
use crate::typed;

/// The automata of a typed program. Fails if the entry function is not defined.
pub(crate) fn lower(typed: typed::Program, options: &Options) -> Result<Program, Failure> {
    let typed::Program {
        sources,
        types,
        strings,
        variables,
        static_initializers,
        refused,
        array_lengths,
        start_obstacles,
        functions,
        exprs,
        stmts,
        ..
    } = typed;
    let definitions: Vec<Definition> = functions.values().map(Definition::of).collect();
    let program = Program {
        sources,
        types,
        variables,
        functions: functions_of(&functions),
        strings,
        exprs: Arena::default(),
        expr_spans: Arena::default(),
        places: Arena::default(),
        place_spans: Arena::default(),
        array_lengths,
        start: FunctionId::new(0),
    };
    let mut lowering = Lowering {
        program,
        exprs,
        stmts,
        definitions,
        addressed_functions: BTreeSet::new(),
        endings: ending::Endings::default(),
        refused,
        symbols: BTreeSet::new(),
        options,
    };
    lowering.symbols = lowering.symbols();
    lowering.declare_endings();
    for index in 0..lowering.definitions.len() {
        let function = FunctionId::new(index);
        if let Some(body) = lowering.definitions[index].body {
            FunctionLowering::new(&mut lowering, function).body(body);
        }
    }
    match start::lower_start(&mut lowering, &static_initializers, &start_obstacles) {
        Ok(start) => lowering.program.start = start,
        Err(error) => {
            return Err(Failure { sources: lowering.program.sources, diagnostics: vec![error] });
        }
    }
    special::define_addressed(&mut lowering);
    lowering.define_endings();
    names::make_unique(&mut lowering.program);
    Ok(lowering.program)
}

fn functions_of(functions: &Arena<FunctionId, typed::FunctionDefinition>) -> Arena<FunctionId, Function> {
    functions.values().map(|definition| definition.function.clone()).collect()
}

/// What lowering needs to know of a typed function.
#[derive(Default)]
struct Definition {
    body: Option<typed::StmtId>,
    constructor: Option<u32>,
    destructor: Option<u32>,
    weak: bool,
    label_names: Vec<String>,
    taken_labels: Vec<(typed::Label, LabelId)>,
}

impl Definition {
    fn of(definition: &typed::FunctionDefinition) -> Definition {
        Definition {
            body: definition.body,
            constructor: definition.constructor,
            destructor: definition.destructor,
            weak: definition.weak,
            label_names: definition.label_names.clone(),
            taken_labels: definition.taken_labels.clone(),
        }
    }
}

/// The program under construction and the typed trees it comes from.
struct Lowering<'a> {
    program: Program,
    exprs: Arena<typed::ExprId, typed::Expr>,
    stmts: Arena<typed::StmtId, typed::Stmt>,
    definitions: Vec<Definition>,
    /// The functions that pointers may point to.
    addressed_functions: BTreeSet<FunctionId>,
    /// What runs when the program ends.
    endings: ending::Endings,
    /// Variables whose accesses are not supported, and why.
    refused: BTreeMap<VariableId, String>,
    /// The names by which assembly can reach variables and functions.
    symbols: BTreeSet<String>,
    options: &'a Options,
}

impl Lowering<'_> {
    fn is_defined(&self, function: FunctionId) -> bool {
        self.definitions.get(function.index()).is_some_and(|definition| definition.body.is_some())
    }

    /// Whether the address of a function may be null.
    fn may_be_missing(&self, function: FunctionId) -> bool {
        !self.is_defined(function)
            && self.definitions.get(function.index()).is_some_and(|definition| definition.weak)
    }

    fn symbols(&self) -> BTreeSet<String> {
        let variables = self
            .program
            .variables
            .values()
            .filter(|variable| variable.kind.is_global() && variable.function.is_none());
        let functions = self.program.functions.iter().filter(|&(id, _)| self.is_defined(id));
        let variables = variables.map(|variable| variable.name.clone());
        variables.chain(functions.map(|(_, function)| function.name.clone())).collect()
    }

    fn missing_entry(&self) -> Diagnostic {
        let entry = &self.options.entry;
        let error = Diagnostic::error(format!("the entry function `{entry}` is not defined"), Span::NONE);
        error.with_help("choose another one with `--entry NAME`")
    }
}

/// One function being lowered.
struct FunctionLowering<'a, 'b> {
    lowering: &'a mut Lowering<'b>,
    function: FunctionId,
    automaton: AutomatonBuilder,
    /// Where the code so far ends.
    current: Draft,
    entry: Draft,
    exit: Draft,
    /// Where edges lead after which nothing happens.
    sink: Draft,
    scopes: Vec<scope::Scope>,
    next_scope: u32,
    /// The variables that were declared behind a label of their block, by block.
    behind_labels: HashMap<u32, Vec<VariableId>>,
    breaks: Vec<scope::Exit>,
    continues: Vec<scope::Exit>,
    switches: Vec<control::Cases>,
    labels: Vec<scope::LabelPlace>,
    jumps: Vec<scope::PendingJump>,
    temporaries: u32,
}

impl<'a, 'b> FunctionLowering<'a, 'b> {
    fn new(lowering: &'a mut Lowering<'b>, function: FunctionId) -> Self {
        let mut automaton = AutomatonBuilder::default();
        let [entry, exit, sink] = std::array::from_fn(|_| automaton.location());
        let names =
            lowering.definitions.get(function.index()).map_or(0, |definition| definition.label_names.len());
        let labels = (0..names).map(|_| scope::LabelPlace::new(automaton.location())).collect();
        FunctionLowering {
            lowering,
            function,
            automaton,
            current: entry,
            entry,
            exit,
            sink,
            scopes: Vec::new(),
            next_scope: 0,
            behind_labels: HashMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels,
            jumps: Vec::new(),
            temporaries: 0,
        }
    }

    fn body(mut self, body: typed::StmtId) {
        self.stmt(body);
        self.fall_off_the_end(body);
        self.finish();
    }

    /// Reaching the end returns: 0 from `main` (C11 5.1.2.2.3), nothing from others.
    fn fall_off_the_end(&mut self, body: typed::StmtId) {
        let span = self.lowering.stmts[body].span;
        let end = span.file().map_or(span, |file| Span::new(file, span.end().saturating_sub(1), span.end()));
        let function = &self.lowering.program.functions[self.function];
        let Type::Function { result, .. } = *self.lowering.program.types.get(function.ty) else {
            return;
        };
        let returns_int = self.lowering.program.types.as_int(result) == Some(IntKind::Int);
        let value = (function.name == "main" && returns_int).then(|| self.int(0, result, end));
        self.emit_to(self.exit, Operation::Return { value }, end);
    }

    fn finish(mut self) {
        self.resolve_jumps();
        let taken = self.lowering.definitions[self.function.index()].taken_labels.clone();
        let tracked: Vec<Draft> =
            taken.iter().map(|(label, _)| self.labels[label.0 as usize].draft()).collect();
        let (automaton, locations) = self.automaton.finish(self.entry, self.exit, &tracked);
        let function = &mut self.lowering.program.functions[self.function];
        for ((_, label), location) in taken.iter().zip(locations) {
            function.labels[*label].location = location;
        }
        function.body = Some(automaton);
    }

    // Edges.

    fn emit(&mut self, operation: Operation, span: Span) {
        let next = self.automaton.location();
        self.emit_to(next, operation, span);
        self.current = next;
    }

    /// An edge to a given location. What follows cannot be reached from here.
    fn emit_to(&mut self, target: Draft, operation: Operation, span: Span) {
        self.automaton.edge(self.current, target, operation, span);
        self.current = self.automaton.location();
    }

    fn jump(&mut self, target: Draft, span: Span) {
        self.automaton.jump(self.current, target, span);
        self.current = self.automaton.location();
    }

    fn unsupported(&mut self, construct: &str, span: Span) {
        self.emit(Operation::Unsupported { construct: construct.to_owned() }, span);
    }

    // Tables.

    fn types(&mut self) -> &mut rorqual_cfa::TypeTable {
        &mut self.lowering.program.types
    }

    fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.lowering.program.add_expr(kind, ty, span)
    }

    fn place_of(&mut self, kind: PlaceKind, ty: TypeId, span: Span) -> PlaceId {
        self.lowering.program.add_place(kind, ty, span)
    }

    fn int(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Int(value), ty, span)
    }

    fn variable_place(&mut self, variable: VariableId, span: Span) -> PlaceId {
        let ty = self.lowering.program.variables[variable].ty;
        self.place_of(PlaceKind::Variable(variable), ty, span)
    }

    fn load_variable(&mut self, variable: VariableId, span: Span) -> ExprId {
        let place = self.variable_place(variable, span);
        self.load(place, span)
    }

    fn load(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.lowering.program.places[place].ty;
        self.expr(ExprKind::Load(place), ty, span)
    }

    fn type_of(&self, expr: ExprId) -> TypeId {
        self.lowering.program.exprs[expr].ty
    }

    /// A fresh variable that stands for the expression at `span`.
    fn temporary(&mut self, ty: TypeId, span: Span) -> VariableId {
        self.temporaries += 1;
        let name = format!("#{}", self.temporaries);
        self.new_variable(name, ty, VariableKind::Temporary, span)
    }

    /// A fresh variable of this function.
    fn new_variable(&mut self, name: String, ty: TypeId, kind: VariableKind, span: Span) -> VariableId {
        let variable = Variable::new(name, ty, kind, &self.lowering.program.types, span);
        self.lowering.program.variables.push(Variable { function: Some(self.function), ..variable })
    }

    /// Stores a value in a fresh temporary, unless nothing can change it any more.
    fn snapshot(&mut self, value: ExprId) -> ExprId {
        if self.is_stable(value) {
            return value;
        }
        let span = self.lowering.program.expr_spans[value];
        let temporary = self.temporary(self.type_of(value), span);
        let target = self.variable_place(temporary, span);
        self.emit(Operation::Assign { target, value }, span);
        self.load(target, span)
    }

    /// The value of an operand that is evaluated before effects which C does not order after it.
    /// gcc keeps no copy of a variable that no pointer knows, so it sees later assignments.
    fn operand(&mut self, value: ExprId) -> ExprId {
        let program = &self.lowering.program;
        if let ExprKind::Load(place) = program.exprs[value].kind
            && let PlaceKind::Variable(variable) = program.places[place].kind
        {
            let variable = &program.variables[variable];
            let is_register = !variable.kind.is_global() && !variable.address_taken;
            if is_register && program.types.is_scalar(variable.ty) {
                return value;
            }
        }
        self.snapshot(value)
    }

    /// Whether no operation can change the value: it reads nothing but temporaries.
    fn is_stable(&self, value: ExprId) -> bool {
        let program = &self.lowering.program;
        match &program.exprs[value].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Text(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(..) => true,
            ExprKind::Load(place) => match program.places[*place].kind {
                PlaceKind::Variable(variable) => program.variables[variable].kind == VariableKind::Temporary,
                _ => false,
            },
            ExprKind::AddressOf(place) => self.is_stable_place(*place),
            ExprKind::Convert(operand) | ExprKind::Unary { operand, .. } => self.is_stable(*operand),
            _ => false,
        }
    }

    /// Whether the place always means the same place.
    fn is_stable_place(&self, place: PlaceId) -> bool {
        match self.lowering.program.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => true,
            PlaceKind::Deref(pointer) => self.is_stable(pointer),
            PlaceKind::Member { base, .. } => self.is_stable_place(base),
            PlaceKind::Element { base, index } => self.is_stable_place(base) && self.is_stable(index),
        }
    }
}

//! Whole programs: functions, variables, string literals, and the tables behind them.

use std::collections::BTreeSet;

use rorqual_source::{SourceMap, Span};

use crate::automaton::{Automaton, Operation};
use crate::expr::{Expr, ExprKind, Place, PlaceKind};
use crate::index::{Arena, ExprId, FunctionId, LabelId, LocationId, PlaceId, StringId, TypeId, VariableId};
use crate::types::TypeTable;

/// A program: everything that can be run from [`Program::start`] on.
#[derive(Debug, Clone)]
pub struct Program {
    /// The files that spans point into.
    pub sources: SourceMap,
    /// All types.
    pub types: TypeTable,
    /// All variables: of the program, of functions, and temporaries.
    pub variables: Arena<VariableId, Variable>,
    /// All functions, declared ones included.
    pub functions: Arena<FunctionId, Function>,
    /// All string literals.
    pub strings: Arena<StringId, StringLiteral>,
    /// All expressions, and the source text of each.
    pub exprs: Arena<ExprId, Expr>,
    /// The source text of each expression.
    pub expr_spans: Arena<ExprId, Span>,
    /// All places.
    pub places: Arena<PlaceId, Place>,
    /// The source text of each place.
    pub place_spans: Arena<PlaceId, Span>,
    /// The variables that hold the length of a variable-length array, which has to be positive.
    pub array_lengths: BTreeSet<VariableId>,
    /// The function that the run-time system enters first: it gives all global variables their
    /// initial values, runs constructors, prepares the arguments of the entry function (`main`),
    /// and calls it.
    pub start: FunctionId,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name in the source; unique among the variables of a function after `#2` and so on
    /// was added to a name that an outer block uses too.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// What kind of variable.
    pub kind: VariableKind,
    /// The function it belongs to, unless it is global.
    pub function: Option<FunctionId>,
    /// Whether its address may be known to a pointer. If not, only places that name it read
    /// or write it.
    pub address_taken: bool,
    /// Whether it is declared `const`, so that only its initialisation may write it.
    pub constant: bool,
    /// The alignment of the object: that of the type, or more if the declaration asks for it.
    pub align: u64,
    /// The size of the object in bytes where it exceeds that of the type: a structure whose
    /// flexible array member is initialised.
    pub size: Option<u64>,
    /// Where it is declared; for a temporary, the expression it stands for.
    pub span: Span,
    /// The block, function body or file in which the name can be used; [`Span::NONE`] for
    /// globals of the whole program and for temporaries.
    pub scope: Span,
}

impl Variable {
    /// A variable with the alignment of its type that belongs to no function and whose address is
    /// not taken.
    pub fn new(
        name: impl Into<String>,
        ty: TypeId,
        kind: VariableKind,
        types: &TypeTable,
        span: Span,
    ) -> Variable {
        Variable {
            name: name.into(),
            ty,
            kind,
            function: None,
            address_taken: false,
            constant: false,
            align: types.align_of(ty),
            size: None,
            span,
            scope: Span::NONE,
        }
    }
}

/// What kind of variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// Lives as long as the program: a variable of file scope, or `static` in a function.
    Static,
    /// Declared `extern` and defined nowhere: starts with any value.
    External,
    /// A parameter of a function.
    Parameter,
    /// A variable of a block.
    Local,
    /// Holds the value of a subexpression, which is at the variable's span.
    Temporary,
}

impl VariableKind {
    /// Whether the variable lives as long as the program.
    pub fn is_global(self) -> bool {
        matches!(self, VariableKind::Static | VariableKind::External)
    }
}

/// A string literal with static storage.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// The bytes of all characters in the order in which they stand in memory, with the
    /// terminating zero.
    pub bytes: Vec<u8>,
    /// The type: an array of characters.
    pub ty: TypeId,
}

/// A label whose address is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// Where it stands; absent for a label in code that cannot be reached.
    pub location: Option<LocationId>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// The name. Functions with internal linkage in different files may share one.
    pub name: String,
    /// The type, a function type.
    pub ty: TypeId,
    /// The parameters, if it has a body.
    pub parameters: Vec<VariableId>,
    /// The labels whose address is taken.
    pub labels: Arena<LabelId, Label>,
    /// What it does; absent if it is only declared.
    pub body: Option<Automaton>,
    /// Whether it is declared not to return.
    pub noreturn: bool,
    /// The parameters that are declared as pointers to `const`, by their positions: without a body, nothing is written
    /// through them.
    pub read_only: Vec<usize>,
    /// Whether it is another function than that of the library with its name: its declaration does not fit, or what
    /// is known of that one is not to be used.
    pub is_foreign: bool,
    /// Where it is defined, or else declared.
    pub span: Span,
}

impl Program {
    /// Adds an expression, which stands for what is at the span.
    pub fn add_expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.expr_spans.push(span);
        self.exprs.push(Expr { kind, ty })
    }

    /// Adds a place, which stands for what is at the span.
    pub fn add_place(&mut self, kind: PlaceKind, ty: TypeId, span: Span) -> PlaceId {
        self.place_spans.push(span);
        self.places.push(Place { kind, ty })
    }

    /// The function with the given name, a defined one before a declared one.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let named = || self.functions.iter().filter(|(_, function)| function.name == name);
        let defined = named().find(|(_, function)| function.body.is_some());
        defined.or_else(|| named().next()).map(|(id, _)| id)
    }

    /// A name for a function that no other one has: its own, with its number behind it where several share it.
    pub fn unique_name(&self, function: FunctionId) -> String {
        let name = &self.functions[function].name;
        if self.function_named(name) == Some(function) {
            name.clone()
        } else {
            format!("{name}#{}", crate::index::Id::index(function))
        }
    }

    /// Whether there is any violation that an execution might come to, or something that may be one: what is not supported
    /// stands for accesses that a check cannot look at, too.
    pub fn has_violations(&self) -> bool {
        let bodies = self.functions.values().filter_map(|function| function.body.as_ref());
        bodies.flat_map(|body| body.edges().values()).any(|edge| edge.operation.may_violate())
    }

    /// The function with a unique name.
    pub fn function_with_unique_name(&self, name: &str) -> Option<FunctionId> {
        self.functions.ids().find(|&function| self.unique_name(function) == name)
    }

    /// The loop statement that starts at a location, or else what happens there next.
    pub fn span_at(&self, function: FunctionId, location: LocationId) -> Span {
        let Some(body) = &self.functions[function].body else { return Span::NONE };
        let statement = body.locations()[location].loop_statements.first().copied();
        let next = body.outgoing(location).next().map(|edge| body.edges()[edge].span);
        statement.or(next).unwrap_or(Span::NONE)
    }

    /// All operations that are not supported, with their places, in the order of the program.
    pub fn unsupported(&self) -> impl Iterator<Item = (&str, Span)> {
        let bodies = self.functions.values().filter_map(|function| function.body.as_ref());
        bodies.flat_map(|body| body.edges().values()).filter_map(|edge| match &edge.operation {
            Operation::Unsupported { construct } => Some((construct.as_str(), edge.span)),
            _ => None,
        })
    }
}

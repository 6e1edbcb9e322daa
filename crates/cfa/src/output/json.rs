//! Automata as JSON; the format is described in `docs/formats/cfa-json.md`.

use serde::Serialize;

use super::text::Printer;
use crate::automaton::{Edge, Operation};
use crate::index::{FunctionId, Id};
use crate::program::{Program, Variable, VariableKind};
use crate::types::DataModel;
use rorqual_source::Span;

/// The version of the format: the number grows when a reader of older output would break.
pub const JSON_SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct ProgramView<'a> {
    schema: u32,
    data_model: &'static str,
    start: &'a str,
    globals: Vec<VariableView<'a>>,
    functions: Vec<FunctionView<'a>>,
}

#[derive(Serialize)]
struct VariableView<'a> {
    name: &'a str,
    r#type: String,
    kind: &'static str,
    address_taken: bool,
    position: Option<PositionView<'a>>,
}

#[derive(Serialize)]
struct FunctionView<'a> {
    name: &'a str,
    signature: String,
    position: Option<PositionView<'a>>,
    variables: Vec<VariableView<'a>>,
    entry: usize,
    exit: usize,
    locations: Vec<LocationView<'a>>,
    edges: Vec<EdgeView<'a>>,
}

#[derive(Serialize)]
struct LocationView<'a> {
    labels: &'a [String],
    loop_statements: Vec<PositionView<'a>>,
}

#[derive(Serialize)]
struct EdgeView<'a> {
    source: usize,
    target: usize,
    operation: &'static str,
    text: String,
    position: Option<PositionView<'a>>,
}

#[derive(Serialize)]
struct PositionView<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

/// The given functions and all global variables as a JSON document.
pub fn to_json(program: &Program, functions: &[FunctionId]) -> String {
    let view = ProgramView {
        schema: JSON_SCHEMA_VERSION,
        data_model: match program.types.model() {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        },
        start: &program.functions[program.start].name,
        globals: variables(program, |variable| variable.kind.is_global()),
        functions: functions.iter().filter_map(|&id| function_view(program, id)).collect(),
    };
    serde_json::to_string_pretty(&view).expect("the view has string keys only")
}

fn variables(program: &Program, keep: impl Fn(&Variable) -> bool) -> Vec<VariableView<'_>> {
    let kept = program.variables.values().filter(|variable| keep(variable));
    kept.map(|variable| VariableView {
        name: &variable.name,
        r#type: program.types.name(variable.ty),
        kind: match variable.kind {
            VariableKind::Static => "static",
            VariableKind::External => "external",
            VariableKind::Parameter => "parameter",
            VariableKind::Local => "local",
            VariableKind::Temporary => "temporary",
        },
        address_taken: variable.address_taken,
        position: position(program, variable.span),
    })
    .collect()
}

fn function_view(program: &Program, id: FunctionId) -> Option<FunctionView<'_>> {
    let function = &program.functions[id];
    let automaton = function.body.as_ref()?;
    let locations = automaton.locations().values().map(|location| LocationView {
        labels: &location.labels,
        loop_statements: location
            .loop_statements
            .iter()
            .filter_map(|&span| position(program, span))
            .collect(),
    });
    Some(FunctionView {
        name: &function.name,
        signature: Printer::new(program).signature(function),
        position: position(program, function.span),
        variables: variables(program, |variable| variable.function == Some(id) && !variable.kind.is_global()),
        entry: automaton.entry().index(),
        exit: automaton.exit().index(),
        locations: locations.collect(),
        edges: automaton.edges().values().map(|edge| edge_view(program, edge)).collect(),
    })
}

fn edge_view<'a>(program: &'a Program, edge: &'a Edge) -> EdgeView<'a> {
    EdgeView {
        source: edge.source.index(),
        target: edge.target.index(),
        operation: match edge.operation {
            Operation::Skip => "skip",
            Operation::Assign { .. } => "assign",
            Operation::Assume { .. } => "assume",
            Operation::Havoc { .. } => "havoc",
            Operation::Call { .. } => "call",
            Operation::Return { .. } => "return",
            Operation::Error(_) => "error",
            Operation::Halt(_) => "halt",
            Operation::Declare(_) => "declare",
            Operation::Expire(_) => "expire",
            Operation::StackAllocate { .. } => "stack-allocate",
            Operation::StackRelease { .. } => "stack-release",
            Operation::ProgramArguments { .. } => "program-arguments",
            Operation::VarArgs(_) => "variable-arguments",
            Operation::Assembly { .. } => "assembly",
            Operation::Clobber { .. } => "clobber",
            Operation::Unsupported { .. } => "unsupported",
        },
        text: Printer::new(program).operation(&edge.operation),
        position: position(program, edge.span),
    }
}

fn position(program: &Program, span: Span) -> Option<PositionView<'_>> {
    span.file()?;
    let position = program.sources.position(span);
    Some(PositionView { file: position.file, line: position.line, column: position.column })
}

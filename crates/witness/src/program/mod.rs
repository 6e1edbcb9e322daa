//! Programs as C text, from their automata.
//!
//! Each function is a list of labels with one operation and a jump behind each. What automata say of undefined behaviour is
//! lost: the text is meant for gcc with `-fwrapv`, and for verifiers that follow the conventions of SV-COMP. Inputs are
//! calls of `__VERIFIER_nondet_…`, errors are calls of `reach_error`, and executions that an assumption ends exit. Marked
//! locations are loops that run once, as that is what verifiers give invariants for.

mod expressions;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rorqual_cfa::{
    Automaton, Callee, Edge, FunctionId, HaltKind, Id, LocationId, Operation, PlaceId, PlaceKind, Program,
    Type, TypeId, VariableId,
};
use rorqual_source::Span;

/// What has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwritable {
    /// What, to be followed by "cannot be written as C".
    pub construct: String,
    /// Where.
    pub span: Span,
}

/// A program as C text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CProgram {
    /// The text.
    pub text: String,
    /// The line of each marked location.
    pub marks: BTreeMap<(FunctionId, LocationId), usize>,
    /// The variables by their names in the text.
    pub variables: BTreeMap<String, VariableId>,
}

/// The C text of a program, with all functions that it may call.
pub fn c_program(program: &Program) -> Result<CProgram, Unwritable> {
    let mut writer = Writer::new(program);
    writer.heading();
    for id in writer.functions.clone() {
        writer.prototype(id, ";\n");
    }
    for id in writer.functions.clone() {
        if let Some(body) = &program.functions[id].body {
            writer.body(id, body)?;
        }
    }
    let variables = writer.variables.into_iter().map(|(id, name)| (name, id)).collect();
    Ok(CProgram { text: writer.text, marks: writer.marks, variables })
}

pub(super) struct Writer<'p> {
    program: &'p Program,
    text: String,
    variables: BTreeMap<VariableId, String>,
    names: BTreeMap<FunctionId, String>,
    /// The functions that are called, or pointed to.
    functions: Vec<FunctionId>,
    marks: BTreeMap<(FunctionId, LocationId), usize>,
    span: Span,
}

type Written = Result<String, Unwritable>;

impl<'p> Writer<'p> {
    fn new(program: &'p Program) -> Writer<'p> {
        let functions = reached(program);
        let mut writer = Writer {
            program,
            text: String::new(),
            variables: BTreeMap::new(),
            names: BTreeMap::new(),
            functions,
            marks: BTreeMap::new(),
            span: Span::NONE,
        };
        writer.name_all();
        writer
    }

    /// Gives functions and variables names of their own. Only functions without body keep theirs: others know them.
    fn name_all(&mut self) {
        let mut used = BTreeSet::from(["main".to_owned(), "once".to_owned()]);
        for &id in &self.functions {
            let function = &self.program.functions[id];
            let name = match (id == self.program.start, &function.body) {
                (true, _) => "main".to_owned(),
                (false, None) => function.name.clone(),
                (false, Some(_)) => unique(&function.name, &used),
            };
            used.insert(name.clone());
            self.names.insert(id, name);
        }
        for (id, variable) in self.program.variables.iter() {
            let name = unique(&variable.name, &used);
            used.insert(name.clone());
            self.variables.insert(id, name);
        }
    }

    fn heading(&mut self) {
        self.text
            .push_str("extern void reach_error(void);\nextern void exit(int);\nextern void abort(void);\n");
        self.records();
        let types: BTreeSet<TypeId> = self.program.variables.values().map(|variable| variable.ty).collect();
        let mut known = BTreeSet::new();
        for ty in types {
            if let Some((name, declared)) = self.input_function(ty)
                && known.insert(name.clone())
            {
                let _ = writeln!(self.text, "extern {declared} {name}(void);");
            }
        }
        self.text.push_str("extern void __VERIFIER_nondet_memory(void *, unsigned long);\n");
        let globals = self.program.variables.iter().filter(|(_, variable)| variable.kind.is_global());
        for (id, variable) in globals {
            let declaration = self.declaration(variable.ty, &self.variables[&id]);
            let _ = writeln!(self.text, "static {declaration};");
        }
    }

    fn prototype(&mut self, id: FunctionId, end: &str) {
        let function = &self.program.functions[id];
        let name = self.names[&id].clone();
        let text = match (self.program.types.get(function.ty), &function.body) {
            (Type::Function { result, .. }, Some(_)) => {
                let parameters = function.parameters.iter();
                let parameters: Vec<String> = parameters
                    .map(|&one| self.declaration(self.program.variables[one].ty, &self.variables[&one]))
                    .collect();
                let parameters =
                    if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
                let is_start = id == self.program.start;
                let text = self.declaration(*result, &format!("{name}({parameters})"));
                if is_start { text.replacen("void main(", "int main(", 1) } else { format!("static {text}") }
            }
            _ => format!("extern {}", self.declaration(function.ty, &name)),
        };
        self.text.push_str(&text);
        self.text.push_str(end);
    }

    fn body(&mut self, id: FunctionId, body: &Automaton) -> Result<(), Unwritable> {
        self.text.push('\n');
        self.prototype(id, " {\n");
        let parameters = &self.program.functions[id].parameters;
        for (variable, details) in self.program.variables.iter() {
            let is_own = details.function == Some(id) && !details.kind.is_global();
            if is_own && !parameters.contains(&variable) {
                let declaration = self.declaration(details.ty, &self.variables[&variable]);
                let _ = writeln!(self.text, "  {declaration};");
            }
        }
        self.text.push_str("  int once;\n");
        let _ = writeln!(self.text, "  goto L{};", body.entry().index());
        for location in body.locations().ids().filter(|&location| location != body.exit()) {
            let _ = write!(self.text, "L{}: ;", location.index());
            if body.locations()[location].is_marked {
                self.text.push_str("\n  once = 0;\n");
                self.marks.insert((id, location), self.text.lines().count() + 1);
                self.text.push_str("  while (once < 1) once++;");
            }
            self.text.push('\n');
            for edge in body.outgoing(location) {
                let edge = &body.edges()[edge];
                self.span = edge.span;
                let line = self.edge(body, edge)?;
                let _ = writeln!(self.text, "  {line}");
            }
            if body.outgoing(location).all(|edge| may_be_skipped(&body.edges()[edge].operation)) {
                self.text.push_str("  exit(0);\n");
            }
        }
        self.text.push_str("}\n");
        Ok(())
    }

    fn edge(&mut self, body: &Automaton, edge: &Edge) -> Written {
        let next = format!("goto L{};", edge.target.index());
        let next = if edge.target == body.exit() { "exit(0);".to_owned() } else { next };
        Ok(match &edge.operation {
            Operation::Skip | Operation::Expire(_) | Operation::StackRelease { .. } => next,
            Operation::Declare(variable) if self.is_written_next(body, edge.target, *variable) => next,
            Operation::Declare(variable) => format!("{} {next}", self.any(*variable)),
            Operation::Assume { condition, holds } => {
                let not = if *holds { "" } else { "!" };
                format!("if ({not}{}) {next}", self.expr(*condition)?)
            }
            Operation::Assign { target, value } => format!("{} {next}", self.assign(*target, *value)?),
            Operation::Havoc { target, .. } => format!("{} {next}", self.input(*target)?),
            Operation::Call { target, callee, arguments } => {
                let callee = match callee {
                    Callee::Function(function) => self.names[function].clone(),
                    Callee::Pointer(pointer) => format!("(*{})", self.expr(*pointer)?),
                };
                let arguments: Result<Vec<String>, Unwritable> =
                    arguments.iter().map(|&one| self.expr(one)).collect();
                let target = match target {
                    Some(target) => format!("{} = ", self.place(*target)?),
                    None => String::new(),
                };
                format!("{target}{callee}({}); {next}", arguments?.join(", "))
            }
            Operation::Return { value: Some(value) } => format!("return {};", self.expr(*value)?),
            Operation::Return { value: None } => "return;".to_owned(),
            Operation::Error(_) => "reach_error(); abort();".to_owned(),
            Operation::Halt(HaltKind::Exit(status)) => format!("exit({});", self.expr(*status)?),
            Operation::Halt(HaltKind::Abort) => "abort();".to_owned(),
            Operation::Halt(HaltKind::NoReturn { .. } | HaltKind::Unreachable) => "exit(0);".to_owned(),
            Operation::StackAllocate { target, size } => {
                format!("{} = __builtin_alloca({}); {next}", self.place(*target)?, self.expr(*size)?)
            }
            Operation::ProgramArguments { .. } => {
                return Err(self.unwritable("a program that takes arguments"));
            }
            Operation::VarArgs(_) => return Err(self.unwritable("a list of arguments")),
            Operation::Assembly { .. } => return Err(self.unwritable("inline assembly")),
            Operation::Clobber { .. } => return Err(self.unwritable("a function that may write anything")),
            Operation::Unsupported { construct } => return Err(self.unwritable(construct)),
        })
    }

    /// Whether the first thing that happens at a location is that a variable is written.
    fn is_written_next(&self, body: &Automaton, location: LocationId, variable: VariableId) -> bool {
        let is_write = |edge: &Edge| {
            let (Operation::Assign { target, .. }
            | Operation::Havoc { target, .. }
            | Operation::Call { target: Some(target), .. }) = edge.operation
            else {
                return false;
            };
            let is_whole = self.program.places[target].kind == PlaceKind::Variable(variable);
            is_whole && !self.program.read_variables(&edge.operation).contains(&variable)
        };
        body.outgoing(location).all(|edge| is_write(&body.edges()[edge]))
    }

    /// A variable gets an indeterminate value.
    fn any(&self, variable: VariableId) -> String {
        let (ty, name) = (self.program.variables[variable].ty, &self.variables[&variable]);
        let declaration = self.declaration(ty, "any");
        format!("{{ {declaration}; __builtin_memcpy(&{name}, &any, sizeof any); }}")
    }

    fn input(&mut self, target: PlaceId) -> Written {
        let (place, ty) = (self.place(target)?, self.program.places[target].ty);
        Ok(match self.input_function(ty) {
            Some((name, _)) => format!("{place} = {name}();"),
            None => format!("__VERIFIER_nondet_memory(&{place}, sizeof {place});"),
        })
    }

    fn unwritable(&self, construct: &str) -> Unwritable {
        Unwritable { construct: construct.to_owned(), span: self.span }
    }
}

/// Whether control may go on behind an operation in the text.
fn may_be_skipped(operation: &Operation) -> bool {
    matches!(operation, Operation::Assume { .. })
}

/// A name that is an identifier and not used yet.
fn unique(name: &str, used: &BTreeSet<String>) -> String {
    let plain: String = name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    let plain = if plain.starts_with(|one: char| one.is_ascii_digit()) { format!("_{plain}") } else { plain };
    let mut all = std::iter::once(plain.clone()).chain((2..).map(|number| format!("{plain}_{number}")));
    all.find(|one| !used.contains(one)).expect("there are enough numbers")
}

/// The functions that the program may call, by name or through pointers, the start among them.
fn reached(program: &Program) -> Vec<FunctionId> {
    let mut pointed = BTreeSet::new();
    for expr in program.exprs.values() {
        if let rorqual_cfa::ExprKind::FunctionAddress(function) = expr.kind {
            pointed.insert(function);
        }
    }
    let mut found = BTreeSet::new();
    let mut open = vec![program.start];
    while let Some(function) = open.pop() {
        if !found.insert(function) {
            continue;
        }
        let edges = program.functions[function].body.iter().flat_map(|body| body.edges().values());
        for edge in edges {
            match &edge.operation {
                Operation::Call { callee: Callee::Function(callee), .. } => open.push(*callee),
                Operation::Call { callee: Callee::Pointer(_), .. } => open.extend(&pointed),
                _ => {}
            }
        }
    }
    found.extend(pointed);
    found.into_iter().collect()
}

//! What matters about the functions of a program.
//!
//! The content of a function is its automaton in a normal form: variables, expressions, places and types have the numbers of
//! their first use, globals and other functions their names and interfaces. Places in files, comments, names of locals and
//! labels, and the order of functions do not matter. Everything else does: every field of every operation is written, and a
//! field that is added to the automata is a compile error here until someone says whether it matters.

use std::collections::HashMap;
use std::fmt::Write;
use std::hash::Hash;

use rorqual_cfa::{
    Automaton, Callee, CellNames, DataModel, Edge, ErrorKind, Expr, ExprId, ExprKind, Field, Function,
    FunctionId, HaltKind, Id, Label, Operation, Place, PlaceId, PlaceKind, Program, Record, RecordId,
    StringId, StringLiteral, Type, TypeId, VarArgs, Variable, VariableId,
};

use crate::key::Key;

/// A function by name and content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionContent {
    /// The name; where several functions share it, with a number.
    pub name: String,
    /// The hash of its content.
    pub hash: Key,
}

/// What matters about all functions of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The functions with bodies, by their names.
    pub functions: Vec<FunctionContent>,
    model: DataModel,
}

impl Content {
    /// The content of a program.
    pub fn of(program: &Program) -> Content {
        let names = Names::of(program);
        let functions = names.sorted().into_iter().filter_map(|function| {
            let text = Writer::of(program, &names, function)?.text;
            let hash = Key::builder("function").part("content", &text).finish();
            Some(FunctionContent { name: names.functions[function.index()].clone(), hash })
        });
        Content { functions: functions.collect(), model: program.types.model() }
    }

    /// All of it as one text.
    pub fn text(&self) -> String {
        let line = |function: &FunctionContent| format!("{} {}\n", function.name, function.hash);
        format!("{:?}\n", self.model) + &self.functions.iter().map(line).collect::<String>()
    }
}

/// The names of a program that do not depend on the order of its functions.
pub(crate) struct Names {
    /// By function. Functions that share a name, which are in different files, are numbered.
    pub(crate) functions: Vec<String>,
    pub(crate) cells: CellNames,
}

impl Names {
    pub(crate) fn of(program: &Program) -> Names {
        let mut sharing: HashMap<&str, Vec<FunctionId>> = HashMap::new();
        for (id, function) in program.functions.iter() {
            sharing.entry(&function.name).or_default().push(id);
        }
        let name = |(id, function): (FunctionId, &Function)| {
            let at = sharing[function.name.as_str()].iter().position(|&other| other == id);
            match (sharing[function.name.as_str()].len(), at) {
                (2.., Some(at)) => format!("{}#{}", function.name, at + 1),
                _ => function.name.clone(),
            }
        };
        let functions = program.functions.iter().map(name).collect();
        Names { functions, cells: CellNames::new(program) }
    }

    /// All functions by their names.
    pub(crate) fn sorted(&self) -> Vec<FunctionId> {
        let mut all: Vec<FunctionId> = (0..self.functions.len()).map(FunctionId::new).collect();
        all.sort_by_key(|function| &self.functions[function.index()]);
        all
    }
}

/// Numbers in the order of first use.
#[derive(Debug)]
pub(crate) struct Numbers<I> {
    known: HashMap<I, usize>,
    pub(crate) order: Vec<I>,
}

impl<I> Default for Numbers<I> {
    fn default() -> Numbers<I> {
        Numbers { known: HashMap::new(), order: Vec::new() }
    }
}

impl<I: Copy + Eq + Hash> Numbers<I> {
    /// The number, if there is one.
    pub(crate) fn get(&self, id: I) -> Option<usize> {
        self.known.get(&id).copied()
    }

    /// Gives the next number, unless there is one.
    pub(crate) fn give(&mut self, id: I) -> usize {
        *self.known.entry(id).or_insert_with(|| {
            self.order.push(id);
            self.order.len() - 1
        })
    }
}

/// Writes the content of a function, one line for each thing at its first use.
pub(crate) struct Writer<'p> {
    program: &'p Program,
    names: &'p Names,
    text: String,
    /// Those of the function, and temporaries.
    pub(crate) variables: Numbers<VariableId>,
    globals: Numbers<VariableId>,
    functions: Numbers<FunctionId>,
    pub(crate) exprs: Numbers<ExprId>,
    pub(crate) places: Numbers<PlaceId>,
    pub(crate) strings: Numbers<StringId>,
    types: Numbers<TypeId>,
    records: Numbers<RecordId>,
}

impl<'p> Writer<'p> {
    /// Writes a function; nothing if it has no body.
    pub(crate) fn of(program: &'p Program, names: &'p Names, function: FunctionId) -> Option<Writer<'p>> {
        let details = &program.functions[function];
        let body = details.body.as_ref()?;
        let mut writer = Writer {
            program,
            names,
            text: String::new(),
            variables: Numbers::default(),
            globals: Numbers::default(),
            functions: Numbers::default(),
            exprs: Numbers::default(),
            places: Numbers::default(),
            strings: Numbers::default(),
            types: Numbers::default(),
            records: Numbers::default(),
        };
        writer.function(function);
        for &parameter in &details.parameters {
            let parameter = writer.variable(parameter);
            writer.line(&format!("parameter {parameter}"));
        }
        for Label { name: _, location } in details.labels.values() {
            writer.line(&format!("label {:?}", location.map(Id::index)));
        }
        writer.body(body);
        Some(writer)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn body(&mut self, body: &Automaton) {
        self.line(&format!("body {} {}", body.entry().index(), body.exit().index()));
        for Edge { source, target, operation, span: _ } in body.edges().values() {
            let operation = self.operation(operation);
            self.line(&format!("{} {} {operation}", source.index(), target.index()));
        }
    }

    /// A function by its name; what it promises to callers is written once.
    fn function(&mut self, id: FunctionId) -> String {
        let name = format!("`{}`", self.names.functions[id.index()]);
        if self.functions.get(id).is_none() {
            self.functions.give(id);
            let Function {
                name: _,
                ty,
                parameters: _,
                labels: _,
                body,
                noreturn,
                read_only,
                is_foreign,
                span: _,
            } = &self.program.functions[id];
            let ty = self.ty(*ty);
            let is_defined = body.is_some();
            self.line(&format!("{name} = {ty} {is_defined} {noreturn} {read_only:?} {is_foreign}"));
        }
        name
    }

    fn variable(&mut self, id: VariableId) -> String {
        let Variable { name: _, ty, kind, function, address_taken, constant, align, size, span: _, scope: _ } =
            &self.program.variables[id];
        let is_global = kind.is_global() || function.is_none();
        let known = if is_global { &self.globals } else { &self.variables };
        let name = |number: usize| {
            if is_global { format!("`{}`", self.names.cells.variable(id)) } else { format!("v{number}") }
        };
        if let Some(number) = known.get(id) {
            return name(number);
        }
        let next = known.order.len();
        let name = name(next);
        if is_global {
            self.globals.give(id)
        } else {
            self.variables.give(id)
        };
        let ty = self.ty(*ty);
        let is_length = self.program.array_lengths.contains(&id);
        self.line(&format!("{name} = {ty} {kind:?} {address_taken} {constant} {align} {size:?} {is_length}"));
        name
    }

    fn string(&mut self, id: StringId) -> String {
        self.strings.give(id);
        let StringLiteral { bytes, ty } = &self.program.strings[id];
        let ty = self.ty(*ty);
        format!("\"{}\" {ty}", bytes.escape_ascii())
    }

    fn ty(&mut self, id: TypeId) -> String {
        if let Some(number) = self.types.get(id) {
            return format!("t{number}");
        }
        let text = match self.program.types.get(id) {
            Type::Void => "void".to_owned(),
            Type::Int(kind) => format!("{kind:?}"),
            Type::Float(kind) => format!("{kind:?}"),
            Type::Pointer(pointee) => format!("pointer {}", self.pointee(*pointee)),
            Type::Array { element, length } => format!("array {} {length:?}", self.ty(*element)),
            Type::Record(record) => self.record(*record),
            Type::Function { result, parameters, variadic, prototyped } => {
                let result = self.ty(*result);
                let parameters: Vec<String> = parameters.iter().map(|&ty| self.ty(ty)).collect();
                format!("function {result} ({}) {variadic} {prototyped}", parameters.join(" "))
            }
            Type::Opaque { name, size, align } => format!("opaque {name:?} {size} {align}"),
        };
        let number = self.types.give(id);
        self.line(&format!("t{number} = {text}"));
        format!("t{number}")
    }

    /// What a pointer points to. A record is only named: where it is accessed, its members are written as well. All records that
    /// can be reached through pointers are, in a driver, most of those of the kernel.
    fn pointee(&mut self, id: TypeId) -> String {
        match self.program.types.get(id) {
            Type::Record(record) => {
                let Record { kind, tag, .. } = self.program.types.record(*record);
                format!("{kind:?} {tag:?}")
            }
            _ => self.ty(id),
        }
    }

    fn record(&mut self, id: RecordId) -> String {
        if let Some(number) = self.records.get(id) {
            return format!("r{number}");
        }
        let number = self.records.give(id);
        let Record { kind, tag, fields, size, align, complete } = self.program.types.record(id);
        self.line(&format!("r{number} = {kind:?} {tag:?} {size} {align} {complete}"));
        for Field { name, ty, offset, bits } in fields {
            let ty = self.ty(*ty);
            self.line(&format!("r{number} has {name:?} {ty} {offset} {bits:?}"));
        }
        format!("r{number}")
    }

    fn expr(&mut self, id: ExprId) -> String {
        if let Some(number) = self.exprs.get(id) {
            return format!("e{number}");
        }
        let Expr { kind, ty } = &self.program.exprs[id];
        let ty = self.ty(*ty);
        let text = match kind {
            ExprKind::Int(value) => format!("{value}"),
            ExprKind::Float(bits) => format!("float {bits:x}"),
            ExprKind::Zero => "zero".to_owned(),
            ExprKind::Text(string) => self.string(*string),
            ExprKind::Load(place) => format!("load {}", self.place(*place)),
            ExprKind::AddressOf(place) => format!("address {}", self.place(*place)),
            ExprKind::FunctionAddress(function) => format!("function {}", self.function(*function)),
            ExprKind::LabelAddress(function, label) => {
                format!("label {} {}", self.function(*function), label.index())
            }
            ExprKind::Unary { op, operand } => format!("{op:?} {}", self.expr(*operand)),
            ExprKind::Binary { op, lhs, rhs } => format!("{op:?} {} {}", self.expr(*lhs), self.expr(*rhs)),
            ExprKind::Convert(operand) => format!("convert {}", self.expr(*operand)),
            ExprKind::PointerOffset { pointer, index, stride } => {
                format!("offset {} {} {stride}", self.expr(*pointer), self.expr(*index))
            }
            ExprKind::PointerDifference { lhs, rhs, stride } => {
                format!("difference {} {} {stride}", self.expr(*lhs), self.expr(*rhs))
            }
            ExprKind::Overflows { op, lhs, rhs, result } => {
                format!("overflows {op:?} {} {} {}", self.expr(*lhs), self.expr(*rhs), self.ty(*result))
            }
            ExprKind::Faulty { place, fault } => format!("faulty {fault:?} {}", self.place(*place)),
            ExprKind::FaultyBlock { pointer, length, fault } => {
                format!("faulty block {fault:?} {} {}", self.expr(*pointer), self.expr(*length))
            }
            ExprKind::BadFree(pointer) => format!("bad free {}", self.expr(*pointer)),
            ExprKind::Leaks => "leaks".to_owned(),
        };
        let number = self.exprs.give(id);
        self.line(&format!("e{number} = {text} {ty}"));
        format!("e{number}")
    }

    fn place(&mut self, id: PlaceId) -> String {
        if let Some(number) = self.places.get(id) {
            return format!("p{number}");
        }
        let Place { kind, ty } = &self.program.places[id];
        let ty = self.ty(*ty);
        let text = match kind {
            PlaceKind::Variable(variable) => self.variable(*variable),
            PlaceKind::Text(string) => self.string(*string),
            PlaceKind::Deref(pointer) => format!("deref {}", self.expr(*pointer)),
            PlaceKind::Member { base, field } => format!("member {} {field}", self.place(*base)),
            PlaceKind::Element { base, index } => {
                format!("element {} {}", self.place(*base), self.expr(*index))
            }
        };
        let number = self.places.give(id);
        self.line(&format!("p{number} = {text} {ty}"));
        format!("p{number}")
    }

    fn exprs(&mut self, exprs: &[ExprId]) -> String {
        let texts: Vec<String> = exprs.iter().map(|&expr| self.expr(expr)).collect();
        format!("({})", texts.join(" "))
    }

    fn operation(&mut self, operation: &Operation) -> String {
        match operation {
            Operation::Skip => "skip".to_owned(),
            Operation::Assign { target, value } => {
                format!("assign {} {}", self.place(*target), self.expr(*value))
            }
            Operation::Assume { condition, holds } => format!("assume {} {holds}", self.expr(*condition)),
            // The origin is the name of a function or of a variable, for messages.
            Operation::Havoc { target, origin: _ } => format!("havoc {}", self.place(*target)),
            Operation::Call { target, callee, arguments } => {
                let target = target.map(|target| self.place(target));
                let callee = match callee {
                    Callee::Function(function) => self.function(*function),
                    Callee::Pointer(pointer) => self.expr(*pointer),
                };
                format!("call {target:?} {callee} {}", self.exprs(arguments))
            }
            Operation::Return { value } => {
                let value = value.map(|value| self.expr(value));
                format!("return {value:?}")
            }
            Operation::Error(kind) => error(kind),
            Operation::Halt(kind) => self.halt(kind),
            Operation::Declare(variable) => format!("declare {}", self.variable(*variable)),
            Operation::Expire(variable) => format!("expire {}", self.variable(*variable)),
            Operation::StackAllocate { target, size } => {
                format!("stack allocate {} {}", self.place(*target), self.expr(*size))
            }
            Operation::StackRelease { pointer } => format!("stack release {}", self.expr(*pointer)),
            Operation::ProgramArguments { count, vector } => {
                format!("arguments {} {}", self.place(*count), self.place(*vector))
            }
            Operation::VarArgs(operation) => self.var_args(operation),
            Operation::Assembly { template, outputs, inputs, clobbers_memory } => {
                let outputs: Vec<String> = outputs.iter().map(|&output| self.place(output)).collect();
                let inputs = self.exprs(inputs);
                format!("assembly {template:?} ({}) {inputs} {clobbers_memory}", outputs.join(" "))
            }
            Operation::Clobber { written, read, origin } => {
                format!("clobber {} {} {origin:?}", self.exprs(written), self.exprs(read))
            }
            Operation::Unsupported { construct } => format!("unsupported {construct:?}"),
        }
    }

    fn halt(&mut self, kind: &HaltKind) -> String {
        match kind {
            HaltKind::Abort => "abort".to_owned(),
            HaltKind::Exit(status) => format!("exit {}", self.expr(*status)),
            HaltKind::NoReturn { function } => format!("no return {function:?}"),
            HaltKind::Unreachable => "unreachable".to_owned(),
        }
    }

    fn var_args(&mut self, operation: &VarArgs) -> String {
        match operation {
            VarArgs::Start { list } => format!("va start {}", self.expr(*list)),
            VarArgs::Next { list, target, ty } => {
                format!("va next {} {} {}", self.expr(*list), self.place(*target), self.ty(*ty))
            }
            VarArgs::Copy { target, source } => {
                format!("va copy {} {}", self.expr(*target), self.expr(*source))
            }
            VarArgs::End { list } => format!("va end {}", self.expr(*list)),
        }
    }
}

fn error(kind: &ErrorKind) -> String {
    let mut text = "error ".to_owned();
    let _ = match kind {
        ErrorKind::Assertion => write!(text, "assertion"),
        ErrorKind::Call { function } => write!(text, "call {function:?}"),
        // The text quotes the source, with the names of locals.
        ErrorKind::Check { check, what: _ } => write!(text, "{check}"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        Content::of(&rorqual_testkit::program(text))
    }

    const BASE: &str = "struct s { int a; struct s *next; }; int g; extern int input(void);
        static int twice(int x) { int y = x; return y + y; }
        static int thrice(int x) { return 3 * x; }
        int main(void) { struct s one = { 1, 0 }; g = twice(one.a); for (int i = 0; i < 4; i++) g += thrice(i); return g; }";

    #[test]
    fn what_does_not_matter_changes_nothing() {
        let base = content(BASE);
        let changes = [
            ("int y = x; return y + y;", "/* twice */\n\n int doubled = x;\n return doubled + doubled;"),
            ("int i = 0; i < 4; i++) g += thrice(i)", "int n = 0; n < 4; n++) { g += thrice(n); }"),
            ("g = twice(one.a);", "g =\n twice(one.a);"),
        ];
        for (from, to) in changes {
            assert!(BASE.contains(from));
            assert_eq!(content(&BASE.replace(from, to)), base, "{to}");
        }
        let twice = "static int twice(int x) { int y = x; return y + y; }\n";
        let moved = BASE
            .replace(twice, "static int twice(int x);")
            .replace("return g; }", &format!("return g; }} {twice}"));
        assert_eq!(content(&moved), base);
    }

    #[test]
    fn what_matters_changes_the_function_that_it_is_in() {
        let base = content(BASE);
        let changes = [
            ("y + y", "y + x", "twice"),
            ("int y = x", "long y = x", "twice"),
            ("3 * x", "4 * x", "thrice"),
            ("thrice(i)", "twice(i)", "main"),
            ("i < 4", "i <= 4", "main"),
            ("{ int a;", "{ short a;", "main"),
            ("{ 1, 0 }", "{ 2, 0 }", "main"),
        ];
        for (from, to, function) in changes {
            assert!(BASE.contains(from));
            let changed = content(&BASE.replace(from, to));
            let differ = |name: &str| {
                let of = |content: &Content| content.functions.iter().find(|one| one.name == name).cloned();
                of(&base) != of(&changed)
            };
            assert!(differ(function), "{to}");
            for other in ["twice", "thrice", "main"].into_iter().filter(|other| *other != function) {
                // Structures are local to `main`.
                assert!(!differ(other), "{to} changes {other}");
            }
        }
    }

    #[test]
    fn initial_values_belong_to_the_program() {
        assert_ne!(
            content("int g = 1; int main(void) { return g; }"),
            content("int g = 2; int main(void) { return g; }")
        );
    }

    #[test]
    fn records_belong_to_the_functions_that_access_them() {
        let text = "struct s { int a; int b; }; struct s *p; extern void use(struct s *);
            void passes(void) { use(p); } void writes(void) { p->a = 1; } int main(void) { passes(); writes(); return 0; }";
        let (old, new) = (content(text), content(&text.replace("int b;", "long b;")));
        let changed = old.functions.iter().zip(&new.functions).filter(|(old, new)| old != new);
        assert_eq!(changed.map(|(old, _)| old.name.as_str()).collect::<Vec<_>>(), ["writes"]);
    }

    #[test]
    fn recursive_types_end() {
        let text = "struct a { struct b *b; }; struct b { struct a a[2]; void (*f)(struct a *); };
            int main(void) { struct b b; b.a[0].b = &b; return b.a[0].b == &b; }";
        assert_eq!(content(text), content(text));
        assert_ne!(content(text), content(&text.replace("a[2]", "a[3]")));
    }
}

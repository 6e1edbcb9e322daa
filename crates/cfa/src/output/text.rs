//! Programs as text. Expressions read as C does, with each conversion written as a cast.

use std::fmt::{self, Write};

use crate::automaton::{Automaton, Callee, Edge, ErrorKind, HaltKind, Operation, VarArgs};
use crate::expr::{BinaryOp, ExprKind, Fault, OverflowOp, PlaceKind, UnaryOp};
use crate::index::{ExprId, FunctionId, Id, PlaceId, StringId};
use crate::program::{Function, Program, VariableKind};
use crate::types::{FloatKind, Type};

/// Prints expressions, places and operations of a program.
#[derive(Debug, Clone, Copy)]
pub struct Printer<'a> {
    program: &'a Program,
}

/// How tightly the operators of C bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Loosest,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
    Postfix,
}

fn binding(op: BinaryOp) -> Binding {
    match op {
        BinaryOp::Or => Binding::Or,
        BinaryOp::Xor => Binding::Xor,
        BinaryOp::And => Binding::And,
        BinaryOp::Eq | BinaryOp::Ne => Binding::Equality,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Binding::Relation,
        BinaryOp::Shl | BinaryOp::Shr => Binding::Shift,
        BinaryOp::Add | BinaryOp::Sub => Binding::Sum,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Binding::Product,
    }
}

impl<'a> Printer<'a> {
    /// A printer for the program.
    pub fn new(program: &'a Program) -> Printer<'a> {
        Printer { program }
    }

    /// The expression as C writes it.
    pub fn expr(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.write_expr(&mut out, id, Binding::Loosest);
        out
    }

    /// The place as C writes it.
    pub fn place(&self, id: PlaceId) -> String {
        let mut out = String::new();
        self.write_place(&mut out, id, Binding::Loosest);
        out
    }

    fn write_expr(&self, out: &mut String, id: ExprId, around: Binding) {
        let expr = &self.program.exprs[id];
        let infix = |out: &mut String, lhs, symbol: &str, rhs, tightness: Binding| {
            let parenthesised = tightness <= around && around != Binding::Loosest;
            out.push_str(if parenthesised { "(" } else { "" });
            self.write_expr(out, lhs, looser_on_the_left(tightness));
            let _ = write!(out, " {symbol} ");
            self.write_expr(out, rhs, tightness);
            out.push_str(if parenthesised { ")" } else { "" });
        };
        match &expr.kind {
            ExprKind::Int(value) => self.write_int(out, *value, expr.ty),
            ExprKind::Float(bits) => self.write_float(out, *bits, expr.ty),
            ExprKind::Zero => out.push_str("{0}"),
            ExprKind::Text(string) => self.write_string(out, *string),
            ExprKind::Load(place) => self.write_place(out, *place, around),
            ExprKind::AddressOf(place) => self.write_address(out, *place, expr.ty, around),
            ExprKind::FunctionAddress(function) => {
                out.push_str(&self.program.functions[*function].name);
            }
            ExprKind::LabelAddress(function, label) => {
                let _ = write!(out, "&&{}", self.program.functions[*function].labels[*label].name);
            }
            ExprKind::Unary { op, operand } => self.write_unary(out, *op, *operand, around),
            ExprKind::Binary { op, lhs, rhs } => infix(out, *lhs, op.symbol(), *rhs, binding(*op)),
            ExprKind::Convert(operand) => {
                let name = self.program.types.name(expr.ty);
                self.prefixed(out, &format!("({name})"), *operand, around);
            }
            ExprKind::PointerOffset { pointer, index, .. } => infix(out, *pointer, "+", *index, Binding::Sum),
            ExprKind::PointerDifference { lhs, rhs, .. } => infix(out, *lhs, "-", *rhs, Binding::Sum),
            ExprKind::Faulty { place, fault } => {
                let _ = write!(out, "{}({})", fault_name(*fault), self.place(*place));
            }
            ExprKind::FaultyBlock { pointer, length, fault } => {
                let (pointer, length) = (self.expr(*pointer), self.expr(*length));
                let _ = write!(out, "{}({pointer}, {length} bytes)", fault_name(*fault));
            }
            ExprKind::BadFree(pointer) => {
                let _ = write!(out, "bad_free({})", self.expr(*pointer));
            }
            ExprKind::Leaks => out.push_str("leaks()"),
            ExprKind::Overflows { op, lhs, rhs, result } => {
                let symbol = match op {
                    OverflowOp::Add => "+",
                    OverflowOp::Sub => "-",
                    OverflowOp::Mul => "*",
                };
                out.push_str("overflows(");
                infix(out, *lhs, symbol, *rhs, Binding::Product);
                let _ = write!(out, ", {})", self.program.types.name(*result));
            }
        }
    }

    fn write_unary(&self, out: &mut String, op: UnaryOp, operand: ExprId, around: Binding) {
        let function = match op {
            UnaryOp::Negate => return self.prefixed(out, "-", operand, around),
            UnaryOp::Not => return self.prefixed(out, "~", operand, around),
            UnaryOp::IsZero => return self.prefixed(out, "!", operand, around),
            UnaryOp::ByteSwap => "bswap",
            UnaryOp::LeadingZeros => "clz",
            UnaryOp::TrailingZeros => "ctz",
            UnaryOp::CountOnes => "popcount",
            UnaryOp::Magnitude => "fabs",
            UnaryOp::SignBit => "signbit",
        };
        let _ = write!(out, "{function}(");
        self.write_expr(out, operand, Binding::Loosest);
        out.push(')');
    }

    fn prefixed(&self, out: &mut String, prefix: &str, operand: ExprId, around: Binding) {
        let parenthesised = around == Binding::Postfix;
        out.push_str(if parenthesised { "(" } else { "" });
        out.push_str(prefix);
        let start = out.len();
        self.write_expr(out, operand, Binding::Product);
        // Keeps `- -x` and `& &&label` apart.
        if out[start..].starts_with(['-', '&']) && prefix.ends_with(['-', '&']) {
            out.insert(start, ' ');
        }
        out.push_str(if parenthesised { ")" } else { "" });
    }

    fn write_address(&self, out: &mut String, place: PlaceId, ty: crate::TypeId, around: Binding) {
        let types = &self.program.types;
        let decays = match types.get(self.program.places[place].ty) {
            Type::Array { element, .. } => types.pointee(ty) == Some(*element),
            _ => false,
        };
        if decays {
            return self.write_place(out, place, around);
        }
        let parenthesised = around == Binding::Postfix;
        out.push_str(if parenthesised { "(&" } else { "&" });
        self.write_place(out, place, Binding::Prefix);
        out.push_str(if parenthesised { ")" } else { "" });
    }

    fn write_int(&self, out: &mut String, value: i128, ty: crate::TypeId) {
        let types = &self.program.types;
        let _ = match types.get(ty) {
            Type::Pointer(_) if value == 0 => write!(out, "NULL"),
            Type::Pointer(_) => write!(out, "({})0x{value:x}", types.name(ty)),
            Type::Int(kind) if !kind.is_signed() && kind.width(types.model()) == 128 => {
                write!(out, "{}", value as u128)
            }
            Type::Int(kind) if !kind.is_signed() && kind.width(types.model()) >= 32 => {
                write!(out, "{value}U")
            }
            _ => write!(out, "{value}"),
        };
    }

    fn write_float(&self, out: &mut String, bits: u128, ty: crate::TypeId) {
        let _ = match self.program.types.get(ty) {
            Type::Float(FloatKind::Float) => write!(out, "{:?}f", f32::from_bits(bits as u32)),
            Type::Float(FloatKind::Double) => write!(out, "{:?}", f64::from_bits(bits as u64)),
            _ => write!(out, "({})bits(0x{bits:x})", self.program.types.name(ty)),
        };
    }

    fn write_string(&self, out: &mut String, id: StringId) {
        let literal = &self.program.strings[id];
        let text = literal.bytes.strip_suffix(&[0]).unwrap_or(&literal.bytes);
        let _ = write!(out, "\"{}\"", text.escape_ascii());
    }

    fn write_place(&self, out: &mut String, id: PlaceId, around: Binding) {
        match &self.program.places[id].kind {
            PlaceKind::Variable(variable) => out.push_str(&self.program.variables[*variable].name),
            PlaceKind::Text(string) => self.write_string(out, *string),
            PlaceKind::Deref(pointer) => match self.program.exprs[*pointer].kind {
                ExprKind::PointerOffset { pointer, index, stride }
                    if self.steps_by_elements(pointer, stride) =>
                {
                    self.write_expr(out, pointer, Binding::Postfix);
                    self.write_index(out, index);
                }
                _ => self.prefixed(out, "*", *pointer, around),
            },
            PlaceKind::Element { base, index } => {
                self.write_place(out, *base, Binding::Postfix);
                self.write_index(out, *index);
            }
            PlaceKind::Member { base, field } => self.write_member(out, *base, *field),
        }
    }

    fn write_index(&self, out: &mut String, index: ExprId) {
        out.push('[');
        self.write_expr(out, index, Binding::Loosest);
        out.push(']');
    }

    fn steps_by_elements(&self, pointer: ExprId, stride: u64) -> bool {
        let types = &self.program.types;
        let pointee = types.pointee(self.program.exprs[pointer].ty);
        pointee.and_then(|pointee| types.size_of(pointee)) == Some(stride)
    }

    fn write_member(&self, out: &mut String, base: PlaceId, field: u32) {
        let base_place = &self.program.places[base];
        if let PlaceKind::Deref(pointer) = base_place.kind
            && !matches!(self.program.exprs[pointer].kind, ExprKind::PointerOffset { .. })
        {
            self.write_expr(out, pointer, Binding::Postfix);
            out.push_str("->");
        } else {
            self.write_place(out, base, Binding::Postfix);
            out.push('.');
        }
        let record = self.program.types.as_record(base_place.ty);
        let field = record.map(|record| &self.program.types.record(record).fields[field as usize]);
        match field.and_then(|field| field.name.as_deref()) {
            Some(name) => out.push_str(name),
            None => out.push_str("<anonymous>"),
        }
    }

    /// The operation as a line of pseudo-C.
    pub fn operation(&self, operation: &Operation) -> String {
        match operation {
            Operation::Skip => "skip".to_owned(),
            Operation::Assign { target, value } => format!("{} = {}", self.place(*target), self.expr(*value)),
            Operation::Assume { condition, holds: true } => format!("[{}]", self.expr(*condition)),
            Operation::Assume { condition, holds: false } => format!("[!({})]", self.expr(*condition)),
            Operation::Havoc { target, origin } => format!("{} = any ({origin})", self.place(*target)),
            Operation::Call { target, callee, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|&argument| self.expr(argument)).collect();
                let call = format!("{}({})", self.callee(*callee), arguments.join(", "));
                target.map_or(call.clone(), |target| format!("{} = {call}", self.place(target)))
            }
            Operation::Return { value: None } => "return".to_owned(),
            Operation::Return { value: Some(value) } => format!("return {}", self.expr(*value)),
            Operation::Error(ErrorKind::Assertion) => "error: assertion".to_owned(),
            Operation::Error(ErrorKind::Call { function }) => format!("error: call of {function}"),
            Operation::Error(ErrorKind::Check { what, .. }) => format!("error: {what}"),
            Operation::Halt(kind) => self.halt(kind),
            Operation::Declare(variable) => {
                let variable = &self.program.variables[*variable];
                format!("declare {}", self.program.types.declaration(variable.ty, &variable.name))
            }
            Operation::Expire(variable) => format!("expire {}", self.program.variables[*variable].name),
            Operation::StackAllocate { target, size } => {
                format!("{} = stack allocate {}", self.place(*target), self.expr(*size))
            }
            Operation::StackRelease { pointer } => format!("stack release {}", self.expr(*pointer)),
            Operation::ProgramArguments { count, vector } => {
                format!("{}, {} = program arguments", self.place(*count), self.place(*vector))
            }
            Operation::VarArgs(operation) => self.var_args(operation),
            Operation::Assembly { template, outputs, inputs, .. } => {
                let outputs: Vec<String> = outputs.iter().map(|&output| self.place(output)).collect();
                let inputs: Vec<String> = inputs.iter().map(|&input| self.expr(input)).collect();
                format!(
                    "asm \"{}\" : {} : {}",
                    template.escape_debug(),
                    outputs.join(", "),
                    inputs.join(", ")
                )
            }
            Operation::Clobber { written, read, origin } => {
                let written = written.iter().map(|&value| self.expr(value));
                let read = read.iter().map(|&pointer| format!("*{}", self.expr(pointer)));
                let all: Vec<String> = written.chain(read).collect();
                format!("all that {} lead to = any ({origin})", all.join(", "))
            }
            Operation::Unsupported { construct } => format!("unsupported: {construct}"),
        }
    }

    fn callee(&self, callee: Callee) -> String {
        match callee {
            Callee::Function(function) => self.program.functions[function].name.clone(),
            Callee::Pointer(pointer) => format!("(*{})", self.expr(pointer)),
        }
    }

    fn halt(&self, kind: &HaltKind) -> String {
        match kind {
            HaltKind::Abort => "halt: abort".to_owned(),
            HaltKind::Exit(status) => format!("halt: exit({})", self.expr(*status)),
            HaltKind::NoReturn { function } => format!("halt: {function} does not return"),
            HaltKind::Unreachable => "halt: unreachable".to_owned(),
        }
    }

    fn var_args(&self, operation: &VarArgs) -> String {
        match operation {
            VarArgs::Start { list } => format!("va_start({})", self.expr(*list)),
            VarArgs::Next { list, target, ty } => {
                let ty = self.program.types.name(*ty);
                format!("{} = va_arg({}, {ty})", self.place(*target), self.expr(*list))
            }
            VarArgs::Copy { target, source } => {
                format!("va_copy({}, {})", self.expr(*target), self.expr(*source))
            }
            VarArgs::End { list } => format!("va_end({})", self.expr(*list)),
        }
    }

    /// The head of a function: its declaration with the names of its parameters.
    pub fn signature(&self, function: &Function) -> String {
        let types = &self.program.types;
        let Type::Function { result, parameters, variadic, prototyped } = types.get(function.ty) else {
            return function.name.clone();
        };
        let mut items: Vec<String> = if function.parameters.is_empty() {
            parameters.iter().map(|&ty| types.name(ty)).collect()
        } else {
            let variables = function.parameters.iter().map(|&id| &self.program.variables[id]);
            variables.map(|variable| types.declaration(variable.ty, &variable.name)).collect()
        };
        if *variadic {
            items.push("...".to_owned());
        }
        if items.is_empty() && *prototyped {
            items.push("void".to_owned());
        }
        types.declaration(*result, &format!("{}({})", function.name, items.join(", ")))
    }

    fn write_edge(&self, out: &mut impl Write, automaton: &Automaton, edge: &Edge) -> fmt::Result {
        let target =
            if edge.target == automaton.exit() { "exit".to_owned() } else { location(edge.target.index()) };
        let step = format!(
            "  {:>4} -> {target:<4}  {}",
            location(edge.source.index()),
            self.operation(&edge.operation)
        );
        let position = self.program.sources.position(edge.span);
        writeln!(out, "{step:<70}  // {position}")
    }
}

/// Operators of C are left-associative, so the left operand may bind as tightly as the operator.
fn looser_on_the_left(tightness: Binding) -> Binding {
    match tightness {
        Binding::Sum => Binding::Shift,
        Binding::Product => Binding::Sum,
        other => other,
    }
}

fn location(index: usize) -> String {
    format!("L{index}")
}

/// Writes the given functions, or all functions with a body, with all edges.
pub fn write_text(out: &mut impl Write, program: &Program, functions: &[FunctionId]) -> fmt::Result {
    let printer = Printer::new(program);
    for (index, &id) in functions.iter().enumerate() {
        let function = &program.functions[id];
        let Some(automaton) = &function.body else { continue };
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}  // {}", printer.signature(function), program.sources.position(function.span))?;
        for (_, variable) in program.variables.iter() {
            if variable.function == Some(id) && variable.kind == VariableKind::Temporary {
                let declaration = program.types.declaration(variable.ty, &variable.name);
                let text =
                    program.sources.text(variable.span).split_whitespace().collect::<Vec<_>>().join(" ");
                writeln!(out, "  {declaration} stands for `{text}`")?;
            }
        }
        for edge in automaton.edges().values() {
            printer.write_edge(out, automaton, edge)?;
        }
    }
    Ok(())
}

/// What is asked of an access.
fn fault_name(fault: Fault) -> &'static str {
    match fault {
        Fault::Bounds => "out_of_bounds",
        Fault::Life => "is_dead",
        Fault::Uninitialized => "is_unset",
        Fault::Constant => "is_constant",
    }
}

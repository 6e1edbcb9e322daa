//! The typed program as C-like text in which every conversion is a cast, every name is
//! resolved and every operand is in parentheses where C's rules would leave doubt.

use std::fmt::Write;

use rorqual_cfa::{FunctionId, TypeId, UnaryOp, VariableId};

use super::{
    Builtin, CompoundOp, Expr, ExprId, ExprKind, FunctionDefinition, Initializer, Label, Program, StmtId,
    StmtKind,
};

/// The program as text: global variables, then functions.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, out: String::new(), function: None, depth: 0 };
    for (variable, initializer) in &program.static_initializers {
        printer.global(*variable, initializer);
    }
    for (id, definition) in program.functions.iter() {
        printer.function(id, definition);
    }
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
    function: Option<FunctionId>,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = self.depth * 2);
    }

    fn indented(&mut self, work: impl FnOnce(&mut Self)) {
        self.depth += 1;
        work(self);
        self.depth -= 1;
    }

    fn ty(&self, ty: TypeId) -> String {
        self.program.types.name(ty)
    }

    fn variable(&self, variable: VariableId) -> String {
        self.program.variables[variable].name.clone()
    }

    fn global(&mut self, id: VariableId, initializer: &Initializer) {
        let variable = &self.program.variables[id];
        let declaration = self.program.types.declaration(variable.ty, &variable.name);
        let place = self.program.sources.position(variable.span);
        let storage = if variable.function.is_some() { "static " } else { "" };
        let value = self.initializer(initializer);
        self.line(&format!("{storage}{declaration}{value};  // {place}"));
    }

    fn initializer(&self, initializer: &Initializer) -> String {
        if initializer.entries.is_empty() {
            return String::new();
        }
        let entries = initializer.entries.iter().map(|entry| {
            let bits = entry.bits.map_or(String::new(), |bits| format!(":{}+{}", bits.start, bits.width));
            format!("@{}{bits} {}", entry.offset, self.expr(entry.value))
        });
        format!(" = {{ {} }}", entries.collect::<Vec<_>>().join(", "))
    }

    fn function(&mut self, id: FunctionId, definition: &FunctionDefinition) {
        let Some(body) = definition.body else { return };
        self.function = Some(id);
        let function = &definition.function;
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|&parameter| {
                let parameter = &self.program.variables[parameter];
                self.program.types.declaration(parameter.ty, &parameter.name)
            })
            .collect();
        let result = match self.program.types.get(function.ty) {
            rorqual_cfa::Type::Function { result, .. } => *result,
            _ => function.ty,
        };
        let head = format!("{}({})", function.name, parameters.join(", "));
        let place = self.program.sources.position(function.span);
        self.line(&format!("\n{}  // {place}", self.program.types.declaration(result, &head)));
        self.stmt(body);
    }

    fn label(&self, label: Label) -> String {
        let function = self.function.expect("labels are printed inside of their function");
        self.program.functions[function].label_names[label.0 as usize].clone()
    }

    fn stmt(&mut self, id: StmtId) {
        match &self.program.stmts[id].kind {
            StmtKind::Empty => self.line(";"),
            StmtKind::Expr(expr) => self.line(&format!("{};", self.expr(*expr))),
            StmtKind::Block(stmts) => {
                self.line("{");
                self.indented(|printer| stmts.iter().for_each(|&stmt| printer.stmt(stmt)));
                self.line("}");
            }
            StmtKind::Sequence(stmts) => stmts.iter().for_each(|&stmt| self.stmt(stmt)),
            StmtKind::Declare { variable, initializer } => {
                let declared = &self.program.variables[*variable];
                let declaration = self.program.types.declaration(declared.ty, &declared.name);
                let value = initializer.as_ref().map_or(String::new(), |value| self.initializer(value));
                self.line(&format!("{declaration}{value};"));
            }
            StmtKind::DeclareArray { variable, size } => {
                let text = format!("{} = <{} bytes>;", self.variable(*variable), self.expr(*size));
                self.line(&text);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.line(&format!("if ({})", self.expr(*condition)));
                self.indented(|printer| printer.stmt(*then));
                if let Some(otherwise) = otherwise {
                    self.line("else");
                    self.indented(|printer| printer.stmt(*otherwise));
                }
            }
            StmtKind::While { condition, body } => {
                self.line(&format!("while ({})", self.expr(*condition)));
                self.indented(|printer| printer.stmt(*body));
            }
            StmtKind::DoWhile { body, condition } => {
                self.line("do");
                self.indented(|printer| printer.stmt(*body));
                self.line(&format!("while ({});", self.expr(*condition)));
            }
            StmtKind::For { init, condition, step, body } => {
                let clause =
                    |clause: &Option<ExprId>| clause.map_or(String::new(), |clause| self.expr(clause));
                let head = format!("for (…; {}; {})", clause(condition), clause(step));
                if let Some(init) = init {
                    self.stmt(*init);
                }
                self.line(&head);
                self.indented(|printer| printer.stmt(*body));
            }
            StmtKind::Switch { value, body, cases, .. } => {
                let cases: Vec<String> =
                    cases.iter().enumerate().map(|(number, case)| case_text(number, case)).collect();
                self.line(&format!("switch ({})  // {}", self.expr(*value), cases.join(", ")));
                self.indented(|printer| printer.stmt(*body));
            }
            StmtKind::Case(number, body) => {
                self.line(&format!("case #{number}:"));
                self.stmt(*body);
            }
            StmtKind::Default(body) => {
                self.line("default:");
                self.stmt(*body);
            }
            StmtKind::Label(label, body) => {
                self.line(&format!("{}:", self.label(*label)));
                self.stmt(*body);
            }
            StmtKind::Goto(label) => self.line(&format!("goto {};", self.label(*label))),
            StmtKind::ComputedGoto(target) => self.line(&format!("goto *{};", self.expr(*target))),
            StmtKind::Break => self.line("break;"),
            StmtKind::Continue => self.line("continue;"),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(value)) => self.line(&format!("return {};", self.expr(*value))),
            StmtKind::Assembly { template, outputs, inputs, .. } => {
                let (outputs, inputs) = (self.list(outputs), self.list(inputs));
                self.line(&format!("asm (\"{}\" : {outputs} : {inputs});", template.escape_debug()));
            }
            StmtKind::Unsupported(what) => self.line(&format!("<unsupported: {what}>;")),
        }
    }

    fn list(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, id: ExprId) -> String {
        let Expr { kind, ty, .. } = &self.program.exprs[id];
        match kind {
            ExprKind::Variable(variable) => self.variable(*variable),
            ExprKind::Text(string) => {
                let bytes = &self.program.strings[*string].bytes;
                format!("\"{}\"", bytes.strip_suffix(&[0]).unwrap_or(bytes).escape_ascii())
            }
            ExprKind::Deref(pointer) => format!("*{}", self.operand(*pointer)),
            ExprKind::Member { base, field } => {
                format!("{}.{}", self.operand(*base), self.field(*base, *field))
            }
            ExprKind::Index { base, index } => format!("{}[{}]", self.operand(*base), self.expr(*index)),
            ExprKind::CompoundLiteral { initializer, .. } => {
                let value = initializer.as_ref().map_or(String::new(), |value| self.initializer(value));
                format!("({}){{{value}}}", self.ty(*ty))
            }
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(bits) => format!("{}<{bits:#x}>", self.ty(*ty)),
            ExprKind::Load(place) => self.expr(*place),
            ExprKind::AddressOf(place) => format!("&{}", self.operand(*place)),
            ExprKind::FunctionAddress(function) => self.program.functions[*function].function.name.clone(),
            ExprKind::LabelAddress(function, label) => {
                format!("&&{}", self.program.functions[*function].label_names[label.0 as usize])
            }
            ExprKind::Convert(operand) => format!("({}){}", self.ty(*ty), self.operand(*operand)),
            ExprKind::Unary(op, operand) => {
                let operand = self.operand(*operand);
                match op {
                    UnaryOp::Negate => format!("-{operand}"),
                    UnaryOp::Not => format!("~{operand}"),
                    UnaryOp::IsZero => format!("!{operand}"),
                    other => format!("{other:?}({operand})"),
                }
            }
            ExprKind::Binary(op, lhs, rhs) => self.infix(*lhs, op.symbol(), *rhs),
            ExprKind::PointerAdd { pointer, index, .. } => self.infix(*pointer, "+", *index),
            ExprKind::PointerSub { lhs, rhs, .. } => self.infix(*lhs, "-", *rhs),
            ExprKind::And(lhs, rhs) => self.infix(*lhs, "&&", *rhs),
            ExprKind::Or(lhs, rhs) => self.infix(*lhs, "||", *rhs),
            ExprKind::Conditional { condition, then, otherwise } => {
                let then = then.map_or(String::new(), |then| self.operand(then));
                format!("{} ? {then} : {}", self.operand(*condition), self.operand(*otherwise))
            }
            ExprKind::Comma(lhs, rhs) => self.infix(*lhs, ",", *rhs),
            ExprKind::Assign { target, value } => format!("{} = {}", self.expr(*target), self.expr(*value)),
            ExprKind::CompoundAssign { .. } => self.compound_assign(kind),
            ExprKind::Call { callee, arguments } => {
                format!("{}({})", self.operand(*callee), self.list(arguments))
            }
            ExprKind::Statement { value, .. } => {
                format!("({{ … {} }})", value.map_or(String::new(), |value| self.expr(value)))
            }
            ExprKind::Builtin(builtin) => self.builtin(builtin, *ty),
            ExprKind::Unsupported(what) => format!("<unsupported: {what}>"),
        }
    }

    fn compound_assign(&self, kind: &ExprKind) -> String {
        let ExprKind::CompoundAssign { op, target, value, computation, yields_old_value } = kind else {
            return String::new();
        };
        let (target, value) = (self.expr(*target), self.expr(*value));
        let symbol = match op {
            CompoundOp::Arithmetic(op) => op.symbol(),
            CompoundOp::Pointer(_) => "+",
        };
        let old = if *yields_old_value { "old value of " } else { "" };
        format!("{old}{target} {symbol}= {value} (in {})", self.ty(*computation))
    }

    fn builtin(&self, builtin: &Builtin, ty: TypeId) -> String {
        match builtin {
            Builtin::Overflow { op, lhs, rhs, result, .. } => {
                format!("overflows({op:?}, {}, {}, {})", self.expr(*lhs), self.expr(*rhs), self.ty(*result))
            }
            Builtin::StackAllocate(size) => format!("alloca({})", self.expr(*size)),
            Builtin::Unreachable => "unreachable()".to_owned(),
            Builtin::Trap => "trap()".to_owned(),
            Builtin::VaStart(list) => format!("va_start({})", self.expr(*list)),
            Builtin::VaArg(list) => format!("va_arg({}, {})", self.expr(*list), self.ty(ty)),
            Builtin::VaCopy(target, source) => {
                format!("va_copy({}, {})", self.expr(*target), self.expr(*source))
            }
            Builtin::VaEnd(list) => format!("va_end({})", self.expr(*list)),
        }
    }

    fn infix(&self, lhs: ExprId, symbol: &str, rhs: ExprId) -> String {
        format!("{} {symbol} {}", self.operand(lhs), self.operand(rhs))
    }

    /// The expression, in parentheses if it is one of several words.
    fn operand(&self, id: ExprId) -> String {
        let text = self.expr(id);
        let is_one_word = text.chars().all(|c| c.is_alphanumeric() || "_.$\"[]".contains(c));
        if is_one_word { text } else { format!("({text})") }
    }

    fn field(&self, base: ExprId, field: u32) -> String {
        let record = self.program.types.as_record(self.program.exprs[base].ty);
        let name =
            record.and_then(|record| self.program.types.record(record).fields[field as usize].name.clone());
        name.unwrap_or_else(|| "<anonymous>".to_owned())
    }
}

fn case_text(number: usize, case: &super::Case) -> String {
    if case.low == case.high {
        format!("#{number}: {}", case.low)
    } else {
        format!("#{number}: {} ... {}", case.low, case.high)
    }
}

//! What families of programs write with: names, lines, observed values, variables of all kinds.

use rorqual_cfa::DataModel;

use super::integer::{IntegerType, Value, literal};
use super::program::{Kind, Line, Program, SUFFIX};
use crate::random::Random;

/// Collects a program.
pub(super) struct Writer {
    pub(super) random: Random,
    pub(super) model: DataModel,
    /// How many programs of the same family came before this one.
    pub(super) round: usize,
    file_scope: String,
    body: Vec<Line>,
    names: usize,
}

/// A variable, a member, an element: something with a value that the generator knows.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) access: String,
    pub(super) of: IntegerType,
    pub(super) bits: u128,
    /// A `const` object is not.
    pub(super) is_writable: bool,
}

impl Variable {
    pub(super) fn value(&self) -> Value {
        Value { integer: self.of.integer, bits: self.bits }
    }
}

impl Writer {
    pub(super) fn new(random: Random, model: DataModel, round: usize) -> Writer {
        Writer { random, model, round, file_scope: String::new(), body: Vec::new(), names: 0 }
    }

    pub(super) fn finish(self, family: &'static str) -> Program {
        Program { family, file_scope: self.file_scope, body: self.body }
    }

    /// A name that is new in this program.
    pub(super) fn name(&mut self, word: &str) -> String {
        self.names += 1;
        format!("{word}{}", self.names)
    }

    /// A name of file scope that is new in all programs that share a translation unit.
    pub(super) fn global(&mut self, word: &str) -> String {
        self.name(word) + SUFFIX
    }

    /// Adds lines at file scope.
    pub(super) fn file(&mut self, text: impl AsRef<str>) {
        self.file_scope.push_str(text.as_ref());
        self.file_scope.push('\n');
    }

    /// Adds a line to `main`.
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.body.push(Line::Text(text.into()));
    }

    /// Compares the value of an integer expression of at most 64 bits.
    pub(super) fn observe(&mut self, expression: impl Into<String>) {
        self.body.push(Line::Observe(Kind::Integer, expression.into()));
    }

    pub(super) fn observe_as(&mut self, kind: Kind, expression: impl Into<String>) {
        self.body.push(Line::Observe(kind, expression.into()));
    }

    /// Compares the value of an integer expression of this width.
    pub(super) fn observe_integer(&mut self, bits: u32, expression: impl Into<String>) {
        self.observe_as(if bits > 64 { Kind::Wide } else { Kind::Integer }, expression);
    }

    pub(super) fn observe_variable(&mut self, variable: &Variable) {
        self.observe_integer(variable.of.integer.bits, variable.access.clone());
    }

    /// One of the words.
    pub(super) fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.random.below(words.len())]
    }

    pub(super) fn number(&mut self, from: usize, to: usize) -> usize {
        from + self.random.below(to - from + 1)
    }

    /// Declares a variable somewhere, with a value.
    pub(super) fn variable(&mut self, of: IntegerType, bits: u128) -> Variable {
        let value = literal(of.integer, bits);
        let (access, is_writable) = match of.field {
            Some(width) => (self.bit_field(of, width, &value), true),
            None => self.object(of, &value),
        };
        Variable { access, of, bits, is_writable }
    }

    fn bit_field(&mut self, of: IntegerType, width: u32, value: &str) -> String {
        let (name, type_name) = (self.name("fields"), of.name);
        let before = self.number(1, 31);
        let packed = self.word(&["", "", "", " __attribute__((packed))"]);
        let kind = self.word(&["struct", "struct", "struct", "union"]);
        if kind == "union" {
            self.line(format!(
                "union {{ {type_name} field : {width}; unsigned char byte; }} {name} = {{ {value} }};"
            ));
            return format!("{name}.field");
        }
        let members = format!("unsigned before : {before}; {type_name} field : {width}; int after : 7;");
        let initialiser = format!("{{ 1, {value}, -5 }}");
        match self.random.below(3) {
            0 => {
                let global = self.global("fields");
                self.file(format!("static struct {{ {members} }}{packed} {global} = {initialiser};"));
                format!("{global}.field")
            }
            1 => {
                self.line(format!("struct {{ {members} }}{packed} {name} = {{ 1, {value} + zero, -5 }};"));
                format!("{name}.field")
            }
            _ => {
                let tag = self.name("tag");
                self.line(format!(
                    "struct {tag} {{ {members} }}{packed} {name} = {initialiser}, *p{name} = &{name};"
                ));
                format!("p{name}->field")
            }
        }
    }

    fn object(&mut self, of: IntegerType, value: &str) -> (String, bool) {
        let (name, type_name) = (self.name("v"), of.name);
        let mut writable = true;
        let access = match self.random.below(17) {
            0 => {
                let global = self.global("g");
                let storage = self.word(&["", "static ", "volatile ", "static volatile ", "_Thread_local "]);
                self.file(format!("{storage}{type_name} {global} = {value};"));
                global
            }
            1 => {
                // A tentative definition before the definition, and a declaration after it.
                let global = self.global("g");
                self.file(format!(
                    "{type_name} {global};\n{type_name} {global} = {value};\nextern {type_name} {global};"
                ));
                global
            }
            2 => {
                self.line(format!("static {type_name} {name} = {value};"));
                name
            }
            3 => {
                self.line(format!("volatile {type_name} {name} = {value};"));
                name
            }
            4 => {
                self.line(format!("register {type_name} {name} = {value} + zero;"));
                name
            }
            5 => {
                writable = false;
                self.line(format!("const {type_name} {name} = {value} + zero;"));
                name
            }
            6 => {
                self.line(format!("struct {{ char pad; {type_name} m; }} {name} = {{ 1, {value} + zero }};"));
                format!("{name}.m")
            }
            7 => {
                self.line(format!("struct {{ struct {{ {type_name} m[2]; }} in; char end; }} {name} = {{ {{ {{ 1, {value} }} }}, 2 }};"));
                format!("{name}.in.m[1]")
            }
            8 => {
                self.line(format!("{type_name} {name}[3] = {{ 1, {value} + zero }};"));
                format!("{name}[1]")
            }
            9 => {
                self.line(format!("{type_name} {name}[2][3] = {{ {{ 1 }}, {{ 0, {value} }} }};"));
                format!("{name}[1][1 + zero]")
            }
            10 => {
                self.line(format!("{type_name} o{name} = {value} + zero, *{name} = &o{name};"));
                format!("(*{name})")
            }
            11 => {
                self.line(format!("{type_name} o{name}[2] = {{ 0, {value} }}, *{name} = o{name} + 2;"));
                format!("{name}[-1]")
            }
            12 => {
                self.line(format!("union {{ {type_name} m; unsigned char bytes[sizeof({type_name})]; }} {name} = {{ {value} }};"));
                format!("{name}.m")
            }
            13 => {
                self.line(format!("{type_name} *{name} = &({type_name}){{ {value} + zero }};"));
                format!("(*{name})")
            }
            14 => {
                self.line(format!("{type_name} *{name} = malloc(sizeof *{name}); *{name} = {value};"));
                format!("{name}[0]")
            }
            _ => {
                self.line(format!("{type_name} {name} = {value} + zero;"));
                name
            }
        };
        (access, writable)
    }
}

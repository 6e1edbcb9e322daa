//! Deep random expressions over integer variables, with side effects that are sequenced.

use super::integer::{INT, Value, any_type, binary, integer_types, literal, unary};
use super::writer::{Variable, Writer};

/// How deep expressions are nested.
const DEPTH: usize = 4;

const OPERATORS: [&str; 20] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&&",
    "||",
];

struct Term {
    text: String,
    value: Value,
}

/// What a full expression is made of.
struct Expression<'a> {
    writer: &'a mut Writer,
    variables: Vec<Variable>,
    /// Read in this full expression, so it may not be written.
    read: Vec<bool>,
    /// Written in this full expression, so it may be neither read nor written.
    written: Vec<bool>,
}

/// Expressions over six variables; all variables are compared after each.
pub(super) fn expressions(writer: &mut Writer) {
    let mut variables = Vec::new();
    for _ in 0..6 {
        let of = any_type(writer.model, &mut writer.random);
        let bits = of.value(&mut writer.random);
        variables.push(writer.variable(of, bits));
    }
    for _ in 0..4 {
        let count = variables.len();
        let mut expression =
            Expression { writer, variables, read: vec![false; count], written: vec![false; count] };
        let term = expression.term(DEPTH);
        variables = expression.variables;
        writer.observe_integer(term.value.integer.bits, term.text);
        for variable in variables.iter().filter(|variable| variable.is_writable) {
            writer.observe_variable(variable);
        }
    }
}

impl Expression<'_> {
    fn term(&mut self, depth: usize) -> Term {
        if depth == 0 || self.writer.random.once_in(8) {
            return self.leaf();
        }
        match self.writer.random.below(12) {
            0 => self.unary(depth),
            1 => self.cast(depth),
            2 => self.conditional(depth),
            3 => self.comma(depth),
            4 | 5 => self.assignment(depth),
            6 => self.step(),
            _ => self.binary(depth),
        }
    }

    fn leaf(&mut self) -> Term {
        let free: Vec<usize> = (0..self.variables.len()).filter(|&index| !self.written[index]).collect();
        if free.is_empty() || self.writer.random.once_in(4) {
            return self.constant();
        }
        let index = *self.writer.random.choose(&free);
        self.read[index] = true;
        let variable = &self.variables[index];
        Term { text: variable.access.clone(), value: variable.value() }
    }

    fn constant(&mut self) -> Term {
        let types = integer_types(self.writer.model);
        let of = *self.writer.random.choose(&types);
        let bits = of.value(&mut self.writer.random);
        let text = format!("({}){}", of.name, literal(of.integer, bits));
        Term { text, value: Value { integer: of.integer, bits } }
    }

    fn unary(&mut self, depth: usize) -> Term {
        let operand = self.term(depth - 1);
        let operator = self.writer.word(&["-", "~", "!", "+"]);
        match unary(operator, operand.value) {
            Some(value) => Term { text: format!("({operator}{})", operand.text), value },
            None => operand,
        }
    }

    fn cast(&mut self, depth: usize) -> Term {
        let operand = self.term(depth - 1);
        let types = integer_types(self.writer.model);
        let of = *self.writer.random.choose(&types);
        let value = Value { integer: of.integer, bits: of.store(operand.value.extended()) };
        Term { text: format!("(({})({}))", of.name, operand.text), value }
    }

    fn binary(&mut self, depth: usize) -> Term {
        let operator = *self.writer.random.choose(&OPERATORS);
        let left = self.term(depth - 1);
        let decided = match operator {
            "&&" => !left.value.is_true(),
            "||" => left.value.is_true(),
            _ => false,
        };
        let right = if decided { self.unevaluated(depth - 1) } else { self.term(depth - 1) };
        for operator in [operator, "^", "<", "&&"] {
            // The right side of `&&` may not be evaluated, and it was made as if it were.
            if operator == "&&" && !decided && !left.value.is_true() {
                break;
            }
            if let Some(value) = binary(operator, left.value, right.value) {
                return Term { text: format!("({} {operator} {})", left.text, right.text), value };
            }
        }
        Term { text: format!("({}, {})", left.text, right.text), value: right.value }
    }

    /// An operand that is not evaluated changes nothing.
    fn unevaluated(&mut self, depth: usize) -> Term {
        let before = self.variables.clone();
        let term = self.term(depth);
        self.variables = before;
        term
    }

    fn conditional(&mut self, depth: usize) -> Term {
        let condition = self.term(depth - 1);
        let (left, right) = if condition.value.is_true() {
            (self.term(depth - 1), self.unevaluated(depth - 1))
        } else {
            (self.unevaluated(depth - 1), self.term(depth - 1))
        };
        let common = left.value.integer.common(right.value.integer);
        let chosen = if condition.value.is_true() { left.value } else { right.value };
        let text = format!("({} ? {} : {})", condition.text, left.text, right.text);
        Term { text, value: chosen.converted(common) }
    }

    fn comma(&mut self, depth: usize) -> Term {
        let (left, right) = (self.term(depth - 1), self.term(depth - 1));
        Term { text: format!("({}, {})", left.text, right.text), value: right.value }
    }

    /// A variable that nothing in this full expression uses.
    fn unused(&mut self) -> Option<usize> {
        let unused: Vec<usize> = (0..self.variables.len())
            .filter(|&index| !self.read[index] && !self.written[index] && self.variables[index].is_writable)
            .collect();
        (!unused.is_empty()).then(|| *self.writer.random.choose(&unused))
    }

    fn assignment(&mut self, depth: usize) -> Term {
        let Some(index) = self.unused() else { return self.leaf() };
        self.written[index] = true;
        let right = self.term(depth - 1);
        let variable = &mut self.variables[index];
        let operator = *self.writer.random.choose(&["", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]);
        let computed =
            if operator.is_empty() { None } else { binary(operator, variable.value(), right.value) };
        let (operator, computed) = match computed {
            Some(computed) => (operator, computed),
            None => ("", right.value),
        };
        variable.bits = variable.of.store(computed.extended());
        let text = format!("({} {operator}= {})", variable.access, right.text);
        Term { text, value: variable.value() }
    }

    fn step(&mut self) -> Term {
        let Some(index) = self.unused() else { return self.leaf() };
        let operator = self.writer.word(&["++", "--"]);
        let variable = &mut self.variables[index];
        let one = Value { integer: INT, bits: 1 };
        let old = variable.value();
        let Some(new) = binary(&operator[..1], old, one) else { return self.leaf() };
        self.written[index] = true;
        variable.bits = variable.of.store(new.extended());
        let (access, new) = (variable.access.clone(), variable.value());
        if self.writer.random.once_in(2) {
            return Term { text: format!("({access}{operator})"), value: old };
        }
        Term { text: format!("({operator}{access})"), value: new }
    }
}

//! A program counter for symbolic execution: variables in versions, statements as conjuncts of parts.
//!
//! Expressions are SMT-LIB with two abbreviations: `$x` is the current version of `x`, and `%7` or
//! `%8:7` the number 7 in 32 or 8 bits (`%-1` is minus one).

use std::collections::BTreeMap;

/// A path so far.
#[derive(Default)]
pub(crate) struct Unroll {
    widths: BTreeMap<String, String>,
    versions: BTreeMap<String, u32>,
    declared: BTreeMap<String, String>,
    parts: Vec<String>,
    conjuncts: Vec<String>,
}

impl Unroll {
    /// Declares integers of 32 bits; each starts with any value.
    pub(crate) fn ints(&mut self, names: &[&str]) {
        for name in names {
            self.declare(name, "(_ BitVec 32)");
        }
    }

    /// Declares a variable of an SMT-LIB sort.
    pub(crate) fn declare(&mut self, name: &str, sort: &str) {
        self.widths.insert(name.to_owned(), sort.to_owned());
        self.versions.insert(name.to_owned(), 0);
    }

    /// `name = expression`
    pub(crate) fn assign(&mut self, name: &str, expression: &str) {
        let value = self.expand(expression);
        self.havoc(name);
        let target = self.current(name);
        self.conjuncts.push(format!("(= {target} {value})"));
    }

    /// `name = nondet()`
    pub(crate) fn havoc(&mut self, name: &str) {
        *self.versions.get_mut(name).expect("variables are declared") += 1;
    }

    /// The path goes on only where the condition holds.
    pub(crate) fn assume(&mut self, condition: &str) {
        let condition = self.expand(condition);
        self.conjuncts.push(condition);
    }

    /// Ends a part, unless it is empty.
    pub(crate) fn cut(&mut self) {
        let conjuncts = std::mem::take(&mut self.conjuncts);
        match conjuncts.as_slice() {
            [] => {}
            [one] => self.parts.push(one.clone()),
            _ => self.parts.push(format!("(and {})", conjuncts.join(" "))),
        }
    }

    /// `assign` as a part of its own.
    pub(crate) fn set(&mut self, name: &str, expression: &str) {
        self.assign(name, expression);
        self.cut();
    }

    /// `assume` as a part of its own.
    pub(crate) fn test(&mut self, condition: &str) {
        self.assume(condition);
        self.cut();
    }

    /// `if (condition) name = expression;` as one conjunct, as large blocks have it.
    pub(crate) fn assign_if(&mut self, condition: &str, name: &str, expression: &str) {
        self.assign(name, &format!("(ite {condition} {expression} ${name})"));
    }

    /// The parts, and the names and sorts that they have.
    pub(crate) fn finish(mut self) -> (Vec<String>, BTreeMap<String, String>) {
        self.cut();
        (self.parts, self.declared)
    }

    fn current(&mut self, name: &str) -> String {
        let version = self.versions.get(name).unwrap_or_else(|| panic!("`{name}` is declared"));
        let text = format!("{name}@{version}");
        self.declared.insert(text.clone(), self.widths[name].clone());
        text
    }

    fn expand(&mut self, expression: &str) -> String {
        let mut text = String::new();
        let mut rest = expression;
        while let Some(at) = rest.find(['$', '%']) {
            text.push_str(&rest[..at]);
            let token = &rest[at + 1..];
            let end = token.find([' ', ')']).unwrap_or(token.len());
            let expanded =
                if rest[at..].starts_with('$') { self.current(&token[..end]) } else { number(&token[..end]) };
            text.push_str(&expanded);
            rest = &token[end..];
        }
        text + rest
    }
}

/// `7` or `8:7` as hexadecimal digits.
fn number(token: &str) -> String {
    let (width, value) = token.split_once(':').unwrap_or(("32", token));
    let width: u32 = width.parse().expect("a width");
    let value: i64 = value.parse().expect("a number");
    let masked = value as u64 & (u64::MAX >> (64 - width));
    format!("#x{masked:0digits$x}", digits = width as usize / 4)
}

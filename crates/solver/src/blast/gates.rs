//! Gates over literals: simplified, hash-consed, and translated to clauses in both directions.

use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

use crate::proof::Literal;

/// The literal that holds always. It is no variable and never reaches the SAT solver, so that no
/// clause of a proof mentions it.
pub(crate) const TRUE: Literal = i32::MAX;

/// The literal that holds never.
pub(crate) const FALSE: Literal = -TRUE;

/// The literal of a constant.
pub(crate) fn constant(value: bool) -> Literal {
    if value { TRUE } else { FALSE }
}

/// Counts variables. Several scopes may share one counter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(Rc<Cell<i32>>);

impl Variables {
    /// A variable that is not used yet.
    pub(crate) fn fresh(&self) -> Literal {
        let next = self.0.get() + 1;
        assert!(next < TRUE, "fewer than two billion variables");
        self.0.set(next);
        next
    }

    /// How many variables there are.
    pub(crate) fn count(&self) -> i32 {
        self.0.get()
    }
}

/// What a gate computes. Operands are normalised, so that equal functions tend to have equal keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Gate {
    And(Literal, Literal),
    /// Three or more operands, sorted.
    AndMany(Box<[Literal]>),
    /// Both operands are positive.
    Xor(Literal, Literal),
    /// The condition and the `then` operand are positive.
    Ite(Literal, Literal, Literal),
    /// The majority of three, sorted.
    Majority([Literal; 3]),
}

/// A set of gates, and the clauses that define them.
#[derive(Debug, Default)]
pub(crate) struct Gates {
    variables: Variables,
    known: FxHashMap<Gate, Literal>,
    /// The operands of binary conjunctions, for simplification over two levels.
    conjunctions: FxHashMap<Literal, (Literal, Literal)>,
    /// New clauses, each ended by a zero.
    clauses: Vec<Literal>,
    literals: u64,
}

impl Gates {
    /// No gates, with variables from the given counter.
    pub(crate) fn new(variables: Variables) -> Gates {
        Gates { variables, ..Gates::default() }
    }

    /// Takes the clauses that were made since the last call, each ended by a zero.
    pub(crate) fn take_clauses(&mut self) -> Vec<Literal> {
        std::mem::take(&mut self.clauses)
    }

    /// How many literals all clauses so far have.
    pub(crate) fn literals(&self) -> u64 {
        self.literals
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.literals += literals.len() as u64;
        self.clauses.extend_from_slice(literals);
        self.clauses.push(0);
    }

    /// A clause that follows from the gates, and that unit propagation would not find.
    pub(crate) fn consequence(&mut self, literals: &[Literal]) {
        if !literals.contains(&TRUE) {
            let open: Vec<Literal> = literals.iter().copied().filter(|&literal| literal != FALSE).collect();
            self.clause(&open);
        }
    }

    pub(crate) fn and(&mut self, lhs: Literal, rhs: Literal) -> Literal {
        let (lhs, rhs) = if lhs < rhs { (lhs, rhs) } else { (rhs, lhs) };
        if lhs == FALSE || lhs == -rhs {
            return FALSE;
        }
        if rhs == TRUE || lhs == rhs {
            return lhs;
        }
        if let Some(simpler) = self.and_rewritten(lhs, rhs).or_else(|| self.and_rewritten(rhs, lhs)) {
            return simpler;
        }
        let gate = Gate::And(lhs, rhs);
        if let Some(&output) = self.known.get(&gate) {
            return output;
        }
        let output = self.define(gate);
        self.conjunctions.insert(output, (lhs, rhs));
        self.clause(&[-output, lhs]);
        self.clause(&[-output, rhs]);
        self.clause(&[output, -lhs, -rhs]);
        output
    }

    /// Simplifies `literal` and a conjunction, or a negated one, that `literal` is part of.
    fn and_rewritten(&mut self, literal: Literal, gate: Literal) -> Option<Literal> {
        let &(first, second) = self.conjunctions.get(&gate.abs())?;
        let negated = gate < 0;
        for (operand, other) in [(first, second), (second, first)] {
            if operand == literal {
                return Some(if negated { self.and(literal, -other) } else { gate });
            }
            if operand == -literal {
                return Some(if negated { literal } else { FALSE });
            }
        }
        None
    }

    fn define(&mut self, gate: Gate) -> Literal {
        let output = self.variables.fresh();
        self.known.insert(gate, output);
        output
    }

    pub(crate) fn or(&mut self, lhs: Literal, rhs: Literal) -> Literal {
        -self.and(-lhs, -rhs)
    }

    /// The conjunction of any number of literals.
    pub(crate) fn and_many(&mut self, operands: &[Literal]) -> Literal {
        let mut operands: Vec<Literal> =
            operands.iter().copied().filter(|&operand| operand != TRUE).collect();
        operands.sort_unstable();
        operands.dedup();
        let decided = |&operand: &Literal| operand == FALSE || operands.binary_search(&-operand).is_ok();
        if operands.iter().any(decided) {
            return FALSE;
        }
        match *operands.as_slice() {
            [] => TRUE,
            [one] => one,
            [lhs, rhs] => self.and(lhs, rhs),
            _ => self.wide_and(operands),
        }
    }

    fn wide_and(&mut self, operands: Vec<Literal>) -> Literal {
        let gate = Gate::AndMany(operands.as_slice().into());
        if let Some(&output) = self.known.get(&gate) {
            return output;
        }
        let output = self.define(gate);
        for &operand in &operands {
            self.clause(&[-output, operand]);
        }
        let mut all: Vec<Literal> = operands.into_iter().map(|operand| -operand).collect();
        all.push(output);
        self.clause(&all);
        output
    }

    /// The disjunction of any number of literals.
    pub(crate) fn or_many(&mut self, operands: &[Literal]) -> Literal {
        let negated: Vec<Literal> = operands.iter().map(|&operand| -operand).collect();
        -self.and_many(&negated)
    }

    pub(crate) fn xor(&mut self, lhs: Literal, rhs: Literal) -> Literal {
        let flip = (lhs < 0) != (rhs < 0);
        let (lhs, rhs) = (lhs.abs().min(rhs.abs()), lhs.abs().max(rhs.abs()));
        let output = if rhs == TRUE {
            -lhs
        } else if lhs == rhs {
            FALSE
        } else {
            self.positive_xor(lhs, rhs)
        };
        if flip { -output } else { output }
    }

    fn positive_xor(&mut self, lhs: Literal, rhs: Literal) -> Literal {
        let gate = Gate::Xor(lhs, rhs);
        if let Some(&output) = self.known.get(&gate) {
            return output;
        }
        let output = self.define(gate);
        self.clause(&[-output, lhs, rhs]);
        self.clause(&[-output, -lhs, -rhs]);
        self.clause(&[output, -lhs, rhs]);
        self.clause(&[output, lhs, -rhs]);
        output
    }

    /// Whether both literals have one value.
    pub(crate) fn iff(&mut self, lhs: Literal, rhs: Literal) -> Literal {
        -self.xor(lhs, rhs)
    }

    /// `condition ? then : otherwise`
    pub(crate) fn ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        let (condition, then, otherwise) =
            if condition < 0 { (-condition, otherwise, then) } else { (condition, then, otherwise) };
        if condition == TRUE || then == otherwise {
            return then;
        }
        if then == -otherwise {
            return self.iff(condition, then);
        }
        if then == TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == FALSE || then == -condition {
            return self.and(-condition, otherwise);
        }
        if otherwise == TRUE || otherwise == -condition {
            return self.or(-condition, then);
        }
        if otherwise == FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        if then < 0 {
            return -self.positive_ite(condition, -then, -otherwise);
        }
        self.positive_ite(condition, then, otherwise)
    }

    fn positive_ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        let gate = Gate::Ite(condition, then, otherwise);
        if let Some(&output) = self.known.get(&gate) {
            return output;
        }
        let output = self.define(gate);
        self.clause(&[-condition, -then, output]);
        self.clause(&[-condition, then, -output]);
        self.clause(&[condition, -otherwise, output]);
        self.clause(&[condition, otherwise, -output]);
        // Redundant, but they let equal branches propagate without the condition.
        self.clause(&[-then, -otherwise, output]);
        self.clause(&[then, otherwise, -output]);
        output
    }

    /// Whether at least two of three literals hold: the carry of an adder.
    pub(crate) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [low, middle, high] = sorted;
        if low == FALSE {
            return self.and(middle, high);
        }
        if high == TRUE {
            return self.or(low, middle);
        }
        if low == middle || middle == high {
            return middle;
        }
        // Complementary operands cancel out; in sorted order they need not be neighbours.
        for (one, other, rest) in [(low, middle, high), (low, high, middle), (middle, high, low)] {
            if one == -other {
                return rest;
            }
        }
        let gate = Gate::Majority(sorted);
        if let Some(&output) = self.known.get(&gate) {
            return output;
        }
        let output = self.define(gate);
        for (one, other) in [(low, middle), (low, high), (middle, high)] {
            self.clause(&[-one, -other, output]);
            self.clause(&[one, other, -output]);
        }
        output
    }
}

//! Models: values of symbols, contents of arrays, tables of functions.

use rorqual_logic::{Assignment, Op, Term, TermPool, Value};

/// An assignment to everything that a query mentions. Other symbols have default values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Model {
    assignment: Assignment,
}

impl Model {
    pub(crate) fn new(assignment: Assignment) -> Model {
        Model { assignment }
    }

    pub(crate) fn into_assignment(self) -> Assignment {
        self.assignment
    }

    /// The values of symbols and functions.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The value of any term.
    pub fn value(&self, pool: &TermPool, term: Term) -> Value {
        match pool.op(term) {
            Op::Symbol(symbol) => match self.assignment.get(*symbol) {
                Some(value) => value.clone(),
                None => Value::default_of(pool.sort(term)),
            },
            _ => pool.evaluate(term, &self.assignment),
        }
    }

    /// Whether a Boolean term holds.
    pub fn satisfies(&self, pool: &TermPool, term: Term) -> bool {
        self.value(pool, term).bool()
    }
}

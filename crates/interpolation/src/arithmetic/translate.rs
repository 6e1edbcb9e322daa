//! Parts as clauses over linear constraints.
//!
//! Every part gets auxiliary variables of its own; parts share the integers of symbols and Boolean symbols.
//! The view of a symbol is the one that most comparisons of the symbols it is equated with use.

use std::collections::HashMap;

use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_solver::proof::{Literal, Part};
use rorqual_solver::theory::linear::{Constraint, LinearExpr};

use super::table::{Table, View};
use super::views::views;
use crate::simplify::conjuncts;

/// Whether sums that leave the range of their width are modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrapping {
    /// No: as if every value stayed in its range. Simpler proofs; the verifier rejects what relies on it.
    Ignored,
    /// Yes, by an auxiliary integer for each, unless known ranges exclude it.
    Explicit,
}

/// Translates parts one after the other.
pub(super) struct Translator<'t> {
    pub(super) pool: &'t TermPool,
    pub(super) table: Table,
    pub(super) wrapping: Wrapping,
    pub(super) views: HashMap<Term, View>,
    pub(super) part: Part,
    pub(super) values: HashMap<(Part, Term, View), LinearExpr>,
    pub(super) congruent: HashMap<(Part, Term), LinearExpr>,
    literals: HashMap<(Part, Term), Literal>,
}

/// The clauses of all parts.
pub(super) fn translate(pool: &TermPool, parts: &[Term], wrapping: Wrapping) -> Table {
    let mut translator = Translator {
        pool,
        table: Table::new(),
        wrapping,
        views: views(pool, parts),
        part: Part(0),
        values: HashMap::new(),
        congruent: HashMap::new(),
        literals: HashMap::new(),
    };
    for (number, &part) in parts.iter().enumerate() {
        translator.part = Part(number as u32);
        let mut conjuncts = conjuncts(pool, part);
        // Comparisons with constants come first: they narrow ranges, and then less wraps.
        conjuncts.sort_by_key(|&conjunct| pool.dag_size(conjunct).min(4));
        for conjunct in conjuncts {
            translator.assert(conjunct);
        }
    }
    translator.table
}

/// A comparison of two numbers, as constraints that hold together if it holds.
enum Comparison {
    One(Constraint),
    Equality([Constraint; 2]),
}

impl Translator<'_> {
    fn assert(&mut self, formula: Term) {
        match self.pool.op(formula) {
            Op::Bool(true) => {}
            Op::Bool(false) => self.table.clause(self.part, Vec::new()),
            Op::Or => {
                let arguments = self.pool.arguments(formula).to_vec();
                let mut clause = Vec::new();
                for argument in arguments {
                    self.extend_clause(&mut clause, argument);
                }
                self.table.clause(self.part, clause);
            }
            Op::Not => {
                let mut clause = Vec::new();
                self.extend_clause(&mut clause, formula);
                self.table.clause(self.part, clause);
            }
            _ => match self.comparison(formula) {
                Some(Comparison::One(constraint)) => self.table.assert(self.part, &constraint),
                Some(Comparison::Equality(both)) => {
                    for constraint in both {
                        self.table.assert(self.part, &constraint);
                    }
                }
                None => {
                    let literal = self.literal(formula);
                    self.table.clause(self.part, vec![literal]);
                }
            },
        }
    }

    /// Adds a disjunct: a disequality as its two halves, without a variable for the equality.
    fn extend_clause(&mut self, clause: &mut Vec<Literal>, disjunct: Term) {
        if *self.pool.op(disjunct) == Op::Not
            && let Some(Comparison::Equality(both)) = self.comparison(self.pool.arguments(disjunct)[0])
        {
            for constraint in both {
                clause.push(-self.table.literal(&constraint));
            }
            return;
        }
        clause.push(self.literal(disjunct));
    }

    /// The literal that a formula is equivalent to.
    pub(super) fn literal(&mut self, formula: Term) -> Literal {
        if let Some(&known) = self.literals.get(&(self.part, formula)) {
            return known;
        }
        let literal = self.new_literal(formula);
        self.literals.insert((self.part, formula), literal);
        literal
    }

    fn new_literal(&mut self, formula: Term) -> Literal {
        let arguments = self.pool.arguments(formula).to_vec();
        match self.pool.op(formula) {
            Op::Not => return -self.literal(arguments[0]),
            Op::Symbol(_) => return self.table.boolean(formula),
            _ => {}
        }
        match self.comparison(formula) {
            Some(Comparison::One(constraint)) => return self.table.literal(&constraint),
            Some(Comparison::Equality([one, other])) => {
                let literals = [self.table.literal(&one), self.table.literal(&other)];
                return self.conjunction(&literals);
            }
            None => {}
        }
        match self.pool.op(formula) {
            Op::And => {
                let literals: Vec<Literal> = arguments.iter().map(|&term| self.literal(term)).collect();
                self.conjunction(&literals)
            }
            Op::Or => {
                let literals: Vec<Literal> = arguments.iter().map(|&term| -self.literal(term)).collect();
                -self.conjunction(&literals)
            }
            Op::Eq if self.pool.sort(arguments[0]) == Sort::Bool => {
                let (lhs, rhs) = (self.literal(arguments[0]), self.literal(arguments[1]));
                self.choice_of_literals(lhs, rhs, -rhs)
            }
            Op::Ite => {
                let literals: Vec<Literal> = arguments.iter().map(|&term| self.literal(term)).collect();
                self.choice_of_literals(literals[0], literals[1], literals[2])
            }
            // Something about arrays or functions: true or false, and nothing more is known.
            _ => self.table.fresh(),
        }
    }

    fn conjunction(&mut self, literals: &[Literal]) -> Literal {
        let gate = self.table.fresh();
        for &literal in literals {
            self.table.clause(self.part, vec![-gate, literal]);
        }
        let mut clause: Vec<Literal> = literals.iter().map(|literal| -literal).collect();
        clause.push(gate);
        self.table.clause(self.part, clause);
        gate
    }

    fn choice_of_literals(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        let gate = self.table.fresh();
        for (guard, branch) in [(-condition, then), (condition, otherwise)] {
            self.table.clause(self.part, vec![guard, -gate, branch]);
            self.table.clause(self.part, vec![guard, gate, -branch]);
        }
        gate
    }

    fn comparison(&mut self, formula: Term) -> Option<Comparison> {
        let &[lhs, rhs] = self.pool.arguments(formula) else { return None };
        let (view, is_strict) = match self.pool.op(formula) {
            Op::Eq if self.pool.sort(lhs).width().is_some() => {
                let view = self.view_of(lhs).or_else(|| self.view_of(rhs)).unwrap_or(View::Signed);
                let (lhs, rhs) = (self.value(lhs, view), self.value(rhs, view));
                return Some(Comparison::Equality(Constraint::eq(&lhs, &rhs)));
            }
            Op::BvUlt => (View::Unsigned, true),
            Op::BvUle => (View::Unsigned, false),
            Op::BvSlt => (View::Signed, true),
            Op::BvSle => (View::Signed, false),
            _ => return None,
        };
        let (lhs, rhs) = (self.value(lhs, view), self.value(rhs, view));
        let compare = if is_strict { Constraint::lt } else { Constraint::le };
        Some(Comparison::One(compare(&lhs, &rhs)))
    }

    fn view_of(&self, term: Term) -> Option<View> {
        self.views.get(&term).copied()
    }
}

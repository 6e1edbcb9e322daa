//! Statements about all elements of an array.
//!
//! To prove that a formula holds for all values of its bound variables, they are left as symbols of which nothing is
//! known. What is assumed for all values is assumed for finitely many: whatever indexes an array in the obligation, and the symbols
//! that stand for any value. Fewer assumptions prove less, never more.

use std::collections::{BTreeSet, HashMap};

use rorqual_logic::{Op, Term, TermPool};

/// What holds at a cut point.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// The variables for all of whose values the formula holds. No other statement has them.
    pub(super) bound: Vec<Term>,
    pub(super) formula: Term,
}

impl Statement {
    /// What holds where there is no statement.
    pub(super) fn none(pool: &mut TermPool) -> Statement {
        Statement { bound: Vec::new(), formula: pool.top() }
    }

    /// The statement for the values of interest of its variables: those in formulas, and symbols that stand for any value.
    pub(super) fn instances(&self, pool: &mut TermPool, formulas: &[Term], any: &[Term]) -> Vec<Term> {
        let mut choices: Vec<HashMap<Term, Term>> = vec![HashMap::new()];
        for &variable in &self.bound {
            let values = values(pool, variable, formulas, any);
            let extended = |choice: &HashMap<Term, Term>| {
                let choice = choice.clone();
                let with = move |&value: &Term| {
                    let mut choice = choice.clone();
                    choice.insert(variable, value);
                    choice
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(extended).collect();
        }
        choices.iter().map(|choice| pool.substitute(self.formula, choice)).collect()
    }
}

/// The variable itself, other symbols of its sort that stand for any value, and the indices of arrays with the numbers that
/// they are computed from. The low bits of an index that is wider than the variable are often such a number.
fn values(pool: &mut TermPool, variable: Term, formulas: &[Term], any: &[Term]) -> BTreeSet<Term> {
    let width = pool.width(variable);
    let mut values: BTreeSet<Term> = any.iter().copied().chain([variable]).collect();
    for term in pool.subterms(formulas) {
        let mut open = match pool.op(term) {
            Op::Select | Op::Store => vec![pool.arguments(term)[1]],
            _ => continue,
        };
        if pool.width(open[0]) > width {
            values.insert(pool.bv_extract(open[0], width - 1, 0));
        }
        values.extend(open.iter().copied());
        while let Some(part) = open.pop() {
            if matches!(pool.op(part), Op::Select) {
                continue;
            }
            let is_number = |term: Term| pool.sort(term).width().is_some() && pool.as_bits(term).is_none();
            let numbers = pool.arguments(part).iter().copied().filter(|&term| is_number(term));
            open.extend(numbers.filter(|&number| values.insert(number)));
        }
    }
    values.retain(|&value| pool.sort(value).width() == Some(width));
    values
}

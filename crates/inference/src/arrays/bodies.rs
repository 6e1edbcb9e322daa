//! What the program says about elements of arrays.

use std::collections::{BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_logic::{Op, Sort, Term, TermPool};

use super::indices::in_formula;
use super::subjects::generalised;
use super::variables::Variables;
use super::{Budget, is_over_cells, is_plain, leaves, progressions};
use crate::formulas::{is_comparison, of_blocks};
use crate::samples::Samples;

/// Statements about elements.
pub(crate) struct Bodies<'v> {
    variables: &'v Variables,
    budget: &'v Budget,
    /// About any element, with an index symbol.
    any: Vec<Term>,
    /// About the element that the program says them about.
    one: BTreeSet<Term>,
}

impl<'v> Bodies<'v> {
    /// What the program says about one element, said about any.
    pub(crate) fn collect(
        encoding: &mut Encoding<'_>,
        points: &[Point],
        variables: &'v Variables,
        samples: &Samples,
        budget: &'v Budget,
    ) -> Bodies<'v> {
        let any = progressions::equations(encoding, points, samples, budget);
        let mut bodies = Bodies { variables, budget, any, one: BTreeSet::new() };
        for &point in points {
            for exit in &encoding.block(point).exits {
                if exit.target == Target::Error {
                    bodies.add_error(encoding, exit.guard);
                }
            }
        }
        for &point in points {
            for exit in &encoding.block(point).exits {
                bodies.add_exit(encoding, exit);
            }
        }
        bodies
    }

    /// Statements about any element.
    pub(crate) fn about_any(&self) -> &[Term] {
        &self.any
    }

    /// Statements about elements whose indices variables have.
    pub(crate) fn about_one(&self, encoding: &mut Encoding<'_>, variables: &BTreeSet<Term>) -> Vec<Term> {
        let mut found: Vec<Term> = self.one.iter().copied().collect();
        for &body in &self.any {
            let symbols = in_formula(&mut encoding.pool, body);
            for &any in symbols.iter().filter(|_| symbols.len() == 1) {
                for &variable in variables {
                    if encoding.pool.width(variable) == encoding.pool.width(any) {
                        let replaced = HashMap::from([(any, variable)]);
                        found.push(encoding.pool.substitute(body, &replaced));
                    }
                }
            }
        }
        found
    }

    /// Adds a statement about any element for each way to see it as one about an element.
    fn add(&mut self, encoding: &mut Encoding<'_>, statement: Term) {
        if encoding.pool.is_larger_than(statement, self.budget.statement_size) {
            return;
        }
        let statement = without_inputs(encoding, statement);
        for body in generalised(encoding, self.variables, statement) {
            let is_new = encoding.pool.as_bool(body).is_none() && !self.any.contains(&body);
            if is_new && self.any.len() < self.budget.statements {
                self.any.push(body);
            }
        }
    }

    /// That no element is as the condition of a violation says, with conditions on inputs and without.
    fn add_error(&mut self, encoding: &mut Encoding<'_>, guard: Term) {
        let conjuncts = match encoding.pool.op(guard) {
            Op::And => encoding.pool.arguments(guard).to_vec(),
            _ => vec![guard],
        };
        let mut known = Vec::new();
        for conjunct in conjuncts {
            let conjunct = without_inputs(encoding, conjunct);
            known.extend(is_over_cells(encoding, conjunct).then_some(conjunct));
        }
        for condition in [guard, encoding.pool.and(&known)] {
            let none = encoding.pool.not(condition);
            self.add(encoding, none);
        }
    }

    /// Conditions on elements, elements that are written, and variables that get the values of elements.
    fn add_exit(&mut self, encoding: &mut Encoding<'_>, exit: &Exit) {
        let kept = kept_inputs(encoding, exit);
        let mut roots = vec![encoding.pool.substitute(exit.guard, &kept)];
        let mut updates = Vec::new();
        for &(cell, value) in &exit.updates {
            updates.push((encoding.cells().get(cell).symbol, encoding.pool.substitute(value, &kept)));
        }
        roots.extend(updates.iter().map(|&(_, value)| value));
        for term in encoding.pool.subterms(&roots) {
            if is_comparison(&encoding.pool, term) {
                self.add(encoding, term);
                let negated = encoding.pool.not(term);
                self.add(encoding, negated);
            }
        }
        for (symbol, value) in updates {
            self.add_update(encoding, symbol, value);
        }
    }

    /// How a variable is related to an element that it gets, and what elements of an array get.
    fn add_update(&mut self, encoding: &mut Encoding<'_>, symbol: Term, value: Term) {
        let pool = &mut encoding.pool;
        if let Sort::Array { .. } = pool.sort(symbol) {
            for (condition, index, value) in written(pool, value) {
                let element = encoding.pool.select(symbol, index);
                self.add_written(encoding, condition, element, value);
            }
            return;
        }
        for leaf in leaves(pool, value, self.budget.leaves) {
            if matches!(encoding.pool.op(leaf), Op::Select) {
                let pool = &mut encoding.pool;
                let relations = [pool.bv_sle(leaf, symbol), pool.bv_sle(symbol, leaf), pool.eq(leaf, symbol)];
                for relation in relations {
                    self.add(encoding, relation);
                }
            }
        }
    }

    /// That an element has the value that is written to it under a condition.
    fn add_written(&mut self, encoding: &mut Encoding<'_>, condition: Term, element: Term, value: Term) {
        let exact = encoding.pool.eq(element, value);
        let mut equations = vec![exact, encoding.pool.implies(condition, exact)];
        for value in leaves(&encoding.pool, value, self.budget.leaves) {
            equations.push(encoding.pool.eq(element, value));
        }
        let one_of = encoding.pool.or(&equations[2..]);
        equations.push(one_of);
        for equation in equations {
            self.add(encoding, equation);
            let is_small = !encoding.pool.is_larger_than(equation, self.budget.statement_size);
            if is_small && is_over_cells(encoding, equation) && self.one.len() < self.budget.statements {
                self.one.insert(equation);
            }
        }
    }
}

/// The indices and values that are written to an array, with the conditions for it.
fn written(pool: &mut TermPool, array: Term) -> Vec<(Term, Term, Term)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![(pool.top(), array)];
    while let Some((condition, term)) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (pool.op(term), pool.arguments(term)) {
            (Op::Ite, &[test, then, otherwise]) => {
                let fails = pool.not(test);
                let (when, unless) = (pool.and2(condition, test), pool.and2(condition, fails));
                open.extend([(when, then), (unless, otherwise)]);
            }
            (Op::Store, &[base, index, value]) => {
                found.push((condition, index, value));
                open.push((condition, base));
            }
            _ => {}
        }
    }
    found
}

/// A term where conditionals have the value that is no input, such as that of an access in bounds.
fn without_inputs(encoding: &mut Encoding<'_>, term: Term) -> Term {
    let mut kept = HashMap::new();
    for part in encoding.pool.subterms(&[term]) {
        if let (Op::Ite, &[_, one, other]) = (encoding.pool.op(part), encoding.pool.arguments(part)) {
            match (is_over_cells(encoding, one), is_over_cells(encoding, other)) {
                (true, false) => kept.insert(part, one),
                (false, true) => kept.insert(part, other),
                _ => None,
            };
        }
    }
    encoding.pool.substitute(term, &kept)
}

/// The variables that inputs of a block are in when it is left.
fn kept_inputs(encoding: &Encoding<'_>, exit: &Exit) -> HashMap<Term, Term> {
    let cells = encoding.cells();
    let is_input = |value: Term| match encoding.pool.op(value) {
        Op::Symbol(symbol) => cells.of_symbol(*symbol).is_none(),
        _ => false,
    };
    let inputs = exit.updates.iter().filter(|&&(_, value)| is_input(value));
    inputs.map(|&(cell, value)| (value, cells.get(cell).symbol)).collect()
}

/// Conditions on scalars, and their negations.
pub(crate) fn conditions(encoding: &mut Encoding<'_>, points: &[Point], budget: &Budget) -> Vec<Term> {
    let roots = of_blocks(encoding, points);
    let mut found = encoding.pool.subterms(&roots);
    found.retain(|&term| {
        is_comparison(&encoding.pool, term) && is_plain(encoding, term, budget.condition_size)
    });
    found.truncate(budget.conditions);
    found.into_iter().flat_map(|condition| [condition, encoding.pool.not(condition)]).collect()
}

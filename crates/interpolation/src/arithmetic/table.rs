//! What the integers and the propositional variables of a translated problem stand for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dashu::base::{DivEuclid, Signed};
use dashu::integer::{IBig, UBig};
use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::{Literal, Part};
use rorqual_solver::theory::clausal::ClausalProblem;
use rorqual_solver::theory::linear::{Constraint, LinearExpr, Variable};

/// How the bits of a vector are read as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum View {
    Signed,
    Unsigned,
}

impl View {
    /// The least and the greatest number of a width.
    pub(crate) fn range(self, width: u32) -> (IBig, IBig) {
        let size = power(width);
        match self {
            View::Unsigned => (IBig::ZERO, size - IBig::ONE),
            View::Signed => {
                let half = power(width - 1);
                (-half.clone(), half - IBig::ONE)
            }
        }
    }
}

/// 2^exponent
pub(crate) fn power(exponent: u32) -> IBig {
    IBig::from(UBig::ONE << exponent as usize)
}

/// What an integer of the problem stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A symbol, read in a view. Several parts may have it.
    Symbol(Term, View),
    /// Something that only the translation of one part speaks about.
    Local(Part),
}

/// The tables, and the clauses over them.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) problem: ClausalProblem,
    meanings: Vec<Meaning>,
    ranges: Vec<(IBig, IBig)>,
    /// Ranges that hold in one part, because it says so.
    narrowed: HashMap<(Part, Variable), (IBig, IBig)>,
    symbols: HashMap<Term, Variable>,
    /// Boolean symbols, by their propositional variables.
    pub(crate) booleans: BTreeMap<i32, Term>,
    boolean_variables: HashMap<Term, i32>,
    constraint_variables: HashMap<Constraint, i32>,
    next: i32,
    /// The parts that have each symbol.
    symbol_parts: BTreeMap<Variable, BTreeSet<Part>>,
}

impl Table {
    pub(crate) fn new() -> Table {
        Table { next: 1, ..Table::default() }
    }

    pub(crate) fn meaning(&self, variable: Variable) -> &Meaning {
        &self.meanings[variable.0 as usize]
    }

    pub(crate) fn is_symbol(&self, variable: Variable) -> bool {
        matches!(self.meaning(variable), Meaning::Symbol(..))
    }

    pub(crate) fn range(&self, variable: Variable) -> &(IBig, IBig) {
        &self.ranges[variable.0 as usize]
    }

    /// The parts that speak about an integer.
    pub(crate) fn parts_of(&self, variable: Variable) -> BTreeSet<Part> {
        match self.meaning(variable) {
            Meaning::Local(part) => BTreeSet::from([*part]),
            Meaning::Symbol(..) => self.symbol_parts.get(&variable).cloned().unwrap_or_default(),
        }
    }

    fn integer(&mut self, meaning: Meaning, range: (IBig, IBig)) -> Variable {
        self.meanings.push(meaning);
        self.ranges.push(range);
        Variable(self.meanings.len() as u32 - 1)
    }

    /// The integer of a symbol. Each part that has it says its range.
    pub(crate) fn symbol(&mut self, pool: &TermPool, part: Part, symbol: Term, view: View) -> Variable {
        let range = view.range(pool.width(symbol));
        let variable = match self.symbols.get(&symbol) {
            Some(&known) => known,
            None => {
                let new = self.integer(Meaning::Symbol(symbol, view), range.clone());
                self.symbols.insert(symbol, new);
                new
            }
        };
        if self.symbol_parts.entry(variable).or_default().insert(part) {
            self.bound(part, variable, &range);
        }
        variable
    }

    /// A new integer of one part.
    pub(crate) fn local(&mut self, part: Part, range: &(IBig, IBig)) -> Variable {
        let variable = self.integer(Meaning::Local(part), range.clone());
        self.bound(part, variable, range);
        variable
    }

    fn bound(&mut self, part: Part, variable: Variable, (low, high): &(IBig, IBig)) {
        self.assert(part, &Constraint::at_least(variable, low));
        self.assert(part, &Constraint::at_most(variable, high));
    }

    /// A new propositional variable.
    pub(crate) fn fresh(&mut self) -> i32 {
        self.next += 1;
        self.next - 1
    }

    /// The literal of a Boolean symbol.
    pub(crate) fn boolean(&mut self, symbol: Term) -> Literal {
        if let Some(&known) = self.boolean_variables.get(&symbol) {
            return known;
        }
        let variable = self.fresh();
        self.boolean_variables.insert(symbol, variable);
        self.booleans.insert(variable, symbol);
        variable
    }

    /// The literal of a constraint; a constraint and its negation have one variable.
    pub(crate) fn literal(&mut self, constraint: &Constraint) -> Literal {
        if let Some(&known) = self.constraint_variables.get(constraint) {
            return known;
        }
        if let Some(&known) = self.constraint_variables.get(&constraint.negated()) {
            return -known;
        }
        let variable = self.fresh();
        self.constraint_variables.insert(constraint.clone(), variable);
        self.problem.atoms.insert(variable, constraint.clone());
        variable
    }

    pub(crate) fn clause(&mut self, part: Part, literals: Vec<Literal>) {
        self.problem.clauses.push((literals, part));
    }

    /// Says in a part that a constraint holds.
    pub(crate) fn assert(&mut self, part: Part, constraint: &Constraint) {
        self.narrow(part, constraint);
        let literal = self.literal(constraint);
        self.clause(part, vec![literal]);
    }

    /// Remembers what a constraint on a single integer says about its range.
    fn narrow(&mut self, part: Part, constraint: &Constraint) {
        let mut terms = constraint.expr().terms();
        let (Some((variable, coefficient)), None) = (terms.next(), terms.next()) else { return };
        // Constraints are divided by their content, so the coefficient is 1 or -1.
        let bound = constraint.expr().constant();
        let (low, high) = self.range_in(part, variable);
        let range = if coefficient.is_positive() {
            (low, high.min(-bound.clone()))
        } else {
            (low.max(bound.clone()), high)
        };
        self.narrowed.insert((part, variable), range);
    }

    fn range_in(&self, part: Part, variable: Variable) -> (IBig, IBig) {
        let narrowed = self.narrowed.get(&(part, variable));
        narrowed.unwrap_or_else(|| self.range(variable)).clone()
    }

    /// The numbers that an expression may have, by what a part says about its integers.
    pub(crate) fn interval(&self, part: Part, expr: &LinearExpr) -> (IBig, IBig) {
        let (mut least, mut greatest) = (expr.constant().clone(), expr.constant().clone());
        for (variable, coefficient) in expr.terms() {
            let (low, high) = self.range_in(part, variable);
            let (one, other) = (coefficient * low, coefficient * high);
            least += one.clone().min(other.clone());
            greatest += one.max(other);
        }
        (least, greatest)
    }

    /// The expression minus the multiple of 2^width that brings it into the range of the view.
    pub(crate) fn wrapped(&mut self, part: Part, expr: LinearExpr, width: u32, view: View) -> LinearExpr {
        let (least, greatest) = self.interval(part, &expr);
        let (low, high) = view.range(width);
        let size = power(width);
        let first = (least - &low).div_euclid(&size);
        let last = (greatest - &low).div_euclid(&size);
        let mut wrapped = expr;
        if first >= last {
            wrapped.add_constant(&(-(first * size)));
            return wrapped;
        }
        let wraps = self.local(part, &(first, last));
        wrapped.add_term(&-size, wraps);
        self.assert(part, &Constraint::le(&LinearExpr::constant_of(low), &wrapped));
        self.assert(part, &Constraint::le(&wrapped, &LinearExpr::constant_of(high)));
        wrapped
    }
}

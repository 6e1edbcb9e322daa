//! States at points.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point, Runner};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Term, Value};
use rorqual_solver::Limits;

use super::{Budget, Random, State, assignment, constants, literals_of, truths};
use crate::arrays::indices;

/// States that random executions met.
pub(crate) struct Samples {
    at: BTreeMap<Point, Vec<State>>,
    budget: Budget,
}

impl Samples {
    /// Runs the program at random; the same way every time. A state that was met before may be the start of
    /// another execution, so that what is hard to get to is got to once only.
    pub(crate) fn draw(
        encoding: &mut Encoding<'_>,
        points: &[Point],
        budget: Budget,
        limits: &Limits,
    ) -> Samples {
        let constants = constants_of(encoding, points, budget.constants);
        let mut samples = Samples { at: BTreeMap::new(), budget };
        let mut random = Random::new(1);
        let mut met: Vec<Runner> = Vec::new();
        let mut runner = Runner::new(encoding);
        let mut run = 0;
        for step in 0..budget.blocks {
            if limits.spent().is_some() {
                break;
            }
            let mut choose = |width: u32| random.value(width, &constants);
            let goes_on = runner.step(encoding, &mut choose);
            if goes_on && samples.add(&runner) {
                met.push(runner.clone());
            }
            run += 1;
            // Long runs first, then many ways from where they led.
            let longest = if step < budget.blocks / 2 { budget.run } else { budget.short_run };
            let again = !goes_on || run >= longest;
            if again {
                run = 0;
                let at = random.next() as usize % (met.len() + met.len() / 4 + 1);
                runner = met.get(at).cloned().unwrap_or_else(|| Runner::new(encoding));
            }
        }
        samples
    }

    /// Keeps the state of a runner, unless it is there or there are enough.
    fn add(&mut self, runner: &Runner) -> bool {
        let states = self.at.entry(runner.point()).or_default();
        let is_new = states.len() < self.budget.states && !states.contains(runner.cells());
        if is_new {
            states.push(runner.cells().clone());
        }
        is_new
    }

    /// The combinations of atoms that hold in the states of a point.
    pub(crate) fn combinations(
        &self,
        encoding: &Encoding<'_>,
        point: Point,
        atoms: &[Term],
    ) -> Vec<Vec<bool>> {
        let truths = self.truths(encoding, point, atoms);
        let of_state = |state: usize| truths.iter().map(|atom| atom[state]).collect();
        (0..self.at(point).len()).map(of_state).collect()
    }

    /// The states at a point.
    pub(crate) fn at(&self, point: Point) -> &[State] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    fn truths(&self, encoding: &Encoding<'_>, point: Point, atoms: &[Term]) -> Vec<Vec<bool>> {
        let states: Vec<Assignment> =
            self.at(point).iter().map(|state| assignment(encoding, state)).collect();
        truths(&encoding.pool, atoms, &states)
    }

    /// The atoms and negated atoms that hold in all states.
    pub(crate) fn literals(&self, encoding: &mut Encoding<'_>, point: Point, atoms: &[Term]) -> Vec<Term> {
        let truths = self.truths(encoding, point, atoms);
        literals_of(&mut encoding.pool, atoms, &truths)
    }

    /// Keeps the formulas that hold in all states of a point, whatever number of the state is in the place of an index symbol.
    pub(crate) fn retain_for_all(&self, encoding: &mut Encoding<'_>, point: Point, formulas: &mut Vec<Term>) {
        for state in self.at(point).iter().take(self.budget.indexed_states) {
            let mut assignment = assignment(encoding, state);
            let numbers = numbers(state, self.budget.numbers);
            for number in &numbers {
                indices::set(&mut encoding.pool, &mut assignment, 0, number);
                for other in numbers.iter().filter(|other| other.width() == number.width()) {
                    indices::set(&mut encoding.pool, &mut assignment, 1, other);
                    let mut evaluator = Evaluator::new(&encoding.pool, &assignment);
                    formulas.retain(|&formula| evaluator.holds(formula));
                }
            }
        }
    }

    /// Implications between an equation with a constant and another literal that hold in all states, where neither
    /// side is known already.
    pub(crate) fn clauses(
        &self,
        encoding: &mut Encoding<'_>,
        point: Point,
        atoms: &[Term],
        known: &[Term],
    ) -> Vec<Term> {
        let truths = self.truths(encoding, point, atoms);
        let mut clauses = Vec::new();
        for (mode, mode_truths) in atoms.iter().zip(&truths) {
            if !is_mode(encoding, *mode) || known.contains(mode) {
                continue;
            }
            let when = encoding.pool.not(*mode);
            if known.contains(&when) {
                continue;
            }
            for (&atom, truths) in atoms.iter().zip(&truths) {
                let negated = encoding.pool.not(atom);
                if shares_symbols(encoding, *mode, atom) || known.contains(&atom) || known.contains(&negated)
                {
                    continue;
                }
                let in_mode =
                    || truths.iter().zip(mode_truths).filter(|&(_, &mode)| mode).map(|(&truth, _)| truth);
                if in_mode().all(|truth| truth) {
                    clauses.push(encoding.pool.or2(when, atom));
                }
                if in_mode().all(|truth| !truth) {
                    clauses.push(encoding.pool.or2(when, negated));
                }
            }
        }
        clauses.truncate(self.budget.clauses);
        clauses
    }
}

/// Some numbers that occur in a state, and zero.
fn numbers(state: &State, most: usize) -> BTreeSet<Bits> {
    let mut found = BTreeSet::from([Bits::new(0u8, 32), Bits::new(0u8, 64)]);
    for value in state.values() {
        match value {
            Value::Bits(bits) => drop(found.insert(bits.clone())),
            Value::Array(array) => found.extend(array.entries().take(4).map(|(index, _)| index.clone())),
            Value::Bool(_) | Value::Int(_) => {}
        }
        if found.len() > most {
            break;
        }
    }
    found
}

/// Whether the atom says that a variable has some constant value.
fn is_mode(encoding: &Encoding<'_>, atom: Term) -> bool {
    let pool = &encoding.pool;
    if !matches!(pool.op(atom), Op::Eq) {
        return false;
    }
    let arguments = pool.arguments(atom);
    let is_symbol = |term: Term| matches!(pool.op(term), Op::Symbol(_));
    arguments.iter().any(|&term| pool.as_bits(term).is_some())
        && arguments.iter().any(|&term| is_symbol(term))
}

fn shares_symbols(encoding: &Encoding<'_>, one: Term, other: Term) -> bool {
    !encoding.pool.free_symbols(one).is_disjoint(&encoding.pool.free_symbols(other))
}

/// The constants of conditions.
fn constants_of(encoding: &mut Encoding<'_>, points: &[Point], most: usize) -> Vec<u64> {
    let mut roots = Vec::new();
    for &point in points {
        roots.extend(encoding.block(point).exits.iter().map(|exit| exit.guard));
    }
    let terms = encoding.pool.subterms(&roots).into_iter();
    constants(&encoding.pool, terms, most)
}

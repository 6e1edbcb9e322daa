//! Random executions: what does not hold in them is no candidate.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{CellId, Encoding, Point, Runner};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Term, Value};
use rorqual_solver::Limits;

use super::arrays::indices;

/// How many blocks are executed.
const STEPS: usize = 2_400;
/// How many blocks one execution has.
const LONGEST_RUN: usize = 150;
/// So many states per point are kept.
const MOST_STATES: usize = 400;
/// So many clauses per point are tried.
const MOST_CLAUSES: usize = 1_000;
/// So many states, and so many numbers in each, are tried for what holds for all indices.
const MOST_INDEXED_STATES: usize = 60;
const MOST_NUMBERS: usize = 20;

/// The values of cells at a point.
pub(super) type State = HashMap<CellId, Value>;

/// States that random executions met.
pub(super) struct Samples {
    at: BTreeMap<Point, Vec<State>>,
}

/// For each sample whether an atom holds.
pub(super) type Truths = Vec<bool>;

impl Samples {
    /// Runs the program at random; the same way every time. A state that was met before may be the start of
    /// another execution, so that what is hard to get to is got to once only.
    pub(super) fn draw(
        encoding: &mut Encoding<'_>,
        points: &[Point],
        most: usize,
        limits: &Limits,
    ) -> Samples {
        let constants = interesting_numbers(encoding, points);
        let mut samples = Samples { at: BTreeMap::new() };
        let mut random = Random::new(1);
        let mut met: Vec<Runner> = Vec::new();
        let mut runner = Runner::new(encoding);
        let steps = STEPS.min(most);
        let mut run = 0;
        for step in 0..steps {
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
            let longest = if step < steps / 2 { LONGEST_RUN } else { 8 };
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
        let is_new = states.len() < MOST_STATES && !states.contains(runner.cells());
        if is_new {
            states.push(runner.cells().clone());
        }
        is_new
    }

    /// The combinations of atoms that hold in the states of a point.
    pub(super) fn combinations(&self, encoding: &Encoding<'_>, point: Point, atoms: &[Term]) -> Vec<Truths> {
        let truths = self.truths(encoding, point, atoms);
        let of_state = |state: usize| truths.iter().map(|atom| atom[state]).collect();
        (0..self.at(point).len()).map(of_state).collect()
    }

    /// The states at a point.
    pub(super) fn at(&self, point: Point) -> &[State] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    fn truths(&self, encoding: &Encoding<'_>, point: Point, atoms: &[Term]) -> Vec<Truths> {
        let mut truths = vec![Vec::new(); atoms.len()];
        for state in self.at(point) {
            let assignment = assignment(encoding, state);
            let mut evaluator = Evaluator::new(&encoding.pool, &assignment);
            for (atom, truths) in atoms.iter().zip(&mut truths) {
                truths.push(evaluator.holds(*atom));
            }
        }
        truths
    }

    /// The atoms and negated atoms that hold in all states.
    pub(super) fn literals(&self, encoding: &mut Encoding<'_>, point: Point, atoms: &[Term]) -> Vec<Term> {
        let truths = self.truths(encoding, point, atoms);
        let mut literals = Vec::new();
        for (&atom, truths) in atoms.iter().zip(&truths) {
            if truths.iter().all(|&holds| holds) {
                literals.push(atom);
            }
            if truths.iter().all(|&holds| !holds) {
                literals.push(encoding.pool.not(atom));
            }
        }
        literals
    }

    /// Keeps the formulas that hold in all states of a point, whatever number of the state is in the place of an index symbol.
    pub(super) fn retain_for_all(&self, encoding: &mut Encoding<'_>, point: Point, formulas: &mut Vec<Term>) {
        for state in self.at(point).iter().take(MOST_INDEXED_STATES) {
            let mut assignment = assignment(encoding, state);
            let numbers = numbers(state);
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
    pub(super) fn clauses(
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
        clauses.truncate(MOST_CLAUSES);
        clauses
    }
}

/// Some numbers that occur in a state, and zero.
fn numbers(state: &State) -> BTreeSet<Bits> {
    let mut found = BTreeSet::from([Bits::new(0u8, 32), Bits::new(0u8, 64)]);
    let mut cells: Vec<(&CellId, &Value)> = state.iter().collect();
    cells.sort_unstable_by_key(|&(cell, _)| *cell);
    for (_, value) in cells {
        match value {
            Value::Bits(bits) => drop(found.insert(bits.clone())),
            Value::Array(array) => found.extend(array.entries().take(4).map(|(index, _)| index.clone())),
            Value::Bool(_) | Value::Int(_) => {}
        }
        if found.len() > MOST_NUMBERS {
            break;
        }
    }
    found
}

/// The values of the cells' symbols in a state.
pub(super) fn assignment(encoding: &Encoding<'_>, state: &State) -> Assignment {
    let mut assignment = Assignment::new();
    for (&cell, value) in state {
        if let Op::Symbol(symbol) = *encoding.pool.op(encoding.cells().get(cell).symbol) {
            assignment.set(symbol, value.clone());
        }
    }
    assignment
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

/// The constants of the program: inputs at random rarely meet them.
fn interesting_numbers(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<u64> {
    let mut roots = Vec::new();
    for &point in points {
        roots.extend(encoding.block(point).exits.iter().map(|exit| exit.guard));
    }
    let mut found: Vec<u64> = Vec::new();
    for term in encoding.pool.subterms(&roots) {
        if let Some(number) = encoding.pool.as_bits(term).and_then(Bits::to_u64) {
            found.push(number);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(64);
    found
}

/// A xorshift generator.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    /// Mostly small numbers and constants of the program.
    pub(crate) fn value(&mut self, width: u32, constants: &[u64]) -> Bits {
        let number = match self.next() % 8 {
            0 => 0,
            1 => 1,
            2..=4 => self.next() % 20,
            5 if !constants.is_empty() => constants[self.next() as usize % constants.len()],
            6 => (self.next() % 20).wrapping_neg(),
            _ => self.next() ^ self.next() << 20,
        };
        Bits::from_signed(&number.cast_signed().into(), width)
    }
}

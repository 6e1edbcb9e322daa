//! What cubes are made of: the values of modes, and other predicates.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point};
use rorqual_inference::{is_live, modes};
use rorqual_logic::{Op, SymbolId, Term, TermPool};
use rorqual_solver::Model;

use super::reason::Reason;

/// A set of states: those where all of these formulas hold.
pub(super) type Cube = BTreeSet<Term>;

/// A cube from which something happens, and atoms that would tell more precisely when it does.
#[derive(Debug, Clone, Default)]
pub(super) struct Cause {
    pub(super) cube: Cube,
    pub(super) unsaid: BTreeSet<Term>,
}

/// The atoms that tell states from each other.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    atoms: BTreeSet<Term>,
    /// Those that mention a symbol.
    of: BTreeMap<SymbolId, Vec<Term>>,
    /// The modes. Their values say everything about them.
    modes: BTreeSet<SymbolId>,
}

impl Vocabulary {
    /// The values of all modes.
    pub(super) fn of_modes(encoding: &mut Encoding<'_>, points: &[Point]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for atom in modes::values(encoding, points) {
            vocabulary.add(&encoding.pool, atom);
            vocabulary.modes.extend(encoding.pool.free_symbols(atom));
        }
        vocabulary
    }

    /// How many modes there are.
    pub(super) fn modes(&self) -> usize {
        self.modes.len()
    }

    /// Adds an atom. Whether it is new.
    pub(super) fn add(&mut self, pool: &TermPool, atom: Term) -> bool {
        let is_new = self.atoms.insert(atom);
        if is_new {
            for symbol in pool.free_symbols(atom) {
                self.of.entry(symbol).or_default().push(atom);
            }
        }
        is_new
    }

    /// Why formulas hold in a model: a cube at a point from which they can hold, as far as the atoms tell.
    pub(super) fn cause(
        &self,
        encoding: &mut Encoding<'_>,
        point: Point,
        formulas: &[Term],
        model: &Model,
    ) -> Cause {
        let reason = Reason::of(&encoding.pool, formulas, model.assignment());
        let mut literals: BTreeMap<Term, bool> = BTreeMap::new();
        let mut unsaid = BTreeSet::new();
        for comparison in reason.comparisons(&mut encoding.pool) {
            let symbols = encoding.pool.free_symbols(comparison.formula);
            let is_state = symbols.iter().all(|&symbol| encoding.cells().of_symbol(symbol).is_some());
            if self.atoms.contains(&comparison.formula) {
                literals.insert(comparison.formula, comparison.holds);
                continue;
            }
            if is_state && !symbols.is_subset(&self.modes) && is_live(encoding, point, comparison.formula) {
                unsaid.insert(comparison.formula);
            }
            for atom in symbols.iter().filter_map(|symbol| self.of.get(symbol)).flatten() {
                literals.insert(*atom, encoding.pool.evaluate(*atom, model.assignment()).bool());
            }
        }
        literals.retain(|&atom, _| is_live(encoding, point, atom));
        Cause { cube: cube(&mut encoding.pool, &literals), unsaid }
    }
}

/// A cube of literals. That a variable has a value says that it has no other.
fn cube(pool: &mut TermPool, literals: &BTreeMap<Term, bool>) -> Cube {
    let variable = |pool: &TermPool, atom: Term| match (pool.op(atom), pool.arguments(atom)) {
        (Op::Eq, &[one, other]) if pool.as_bits(one).is_some() => Some(other),
        (Op::Eq, &[one, other]) if pool.as_bits(other).is_some() => Some(one),
        _ => None,
    };
    let holding = literals.iter().filter(|&(_, &holds)| holds);
    let known: BTreeSet<Term> = holding.filter_map(|(&atom, _)| variable(pool, atom)).collect();
    let mut cube = Cube::new();
    for (&atom, &holds) in literals {
        if holds {
            cube.insert(atom);
        } else if !variable(pool, atom).is_some_and(|variable| known.contains(&variable)) {
            cube.insert(pool.not(atom));
        }
    }
    cube
}

//! All-solutions queries: which combinations of atoms can hold together, one model after the other. Predicate abstraction
//! consists of such queries, here and in the engine of that name.

use rorqual_logic::{Evaluator, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits};

/// Whether each of some atoms holds.
pub type Cube = Vec<bool>;

/// The combinations of atoms in the models of a formula that were not found yet.
#[derive(Debug)]
pub struct Solutions {
    query: Vec<Term>,
    atoms: Vec<Term>,
}

impl Solutions {
    /// All combinations in models of the premises.
    pub fn new(premises: Vec<Term>, atoms: Vec<Term>) -> Solutions {
        Solutions { query: premises, atoms }
    }

    /// Leaves a combination out.
    pub fn exclude(&mut self, pool: &mut TermPool, cube: &Cube) {
        let literals = literals(pool, &self.atoms, cube);
        let all = pool.and(&literals);
        self.query.push(pool.not(all));
    }

    /// The next combination, which is left out from now on; none if there is no other.
    pub fn next(
        &mut self,
        pool: &mut TermPool,
        solver: &mut BitVecSolver,
        limits: &Limits,
    ) -> Result<Option<Cube>, GaveUp> {
        let model = match solver.check(pool, &self.query, limits) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Ok(None),
            Answer::Unknown(reason) => return Err(reason),
        };
        let mut evaluator = Evaluator::new(pool, model.assignment());
        let cube: Cube = self.atoms.iter().map(|&atom| evaluator.holds(atom)).collect();
        self.exclude(pool, &cube);
        Ok(Some(cube))
    }
}

/// The atoms of a combination, those that do not hold negated.
pub fn literals(pool: &mut TermPool, atoms: &[Term], cube: &Cube) -> Vec<Term> {
    atoms.iter().zip(cube).map(|(&atom, &holds)| if holds { atom } else { pool.not(atom) }).collect()
}

/// The disjunction of combinations, by cases over the atoms in their order.
pub fn disjunction(pool: &mut TermPool, atoms: &[Term], cubes: &[Cube]) -> Term {
    by_cases(pool, atoms, &cubes.iter().map(Vec::as_slice).collect::<Vec<&[bool]>>())
}

fn by_cases(pool: &mut TermPool, atoms: &[Term], cubes: &[&[bool]]) -> Term {
    let Some((&atom, rest)) = atoms.split_first() else { return pool.bool(!cubes.is_empty()) };
    if cubes.is_empty() {
        return pool.bottom();
    }
    let case = |holds: bool| -> Vec<&[bool]> {
        cubes.iter().filter(|cube| cube[0] == holds).map(|cube| &cube[1..]).collect()
    };
    let (then, otherwise) = (by_cases(pool, rest, &case(true)), by_cases(pool, rest, &case(false)));
    if then == otherwise {
        return then;
    }
    let negated = pool.not(atom);
    let (yes, no) = (pool.and2(atom, then), pool.and2(negated, otherwise));
    pool.or2(yes, no)
}

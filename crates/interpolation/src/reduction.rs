//! Arrays and functions reduced to bit-vectors. A refutation comes with the instances of axioms that it
//! needs; once the parts have these, reads, applications and equalities of arrays may be taken for symbols,
//! and every strategy for bit-vectors serves. Afterwards the symbols are replaced by what they stand for.
//!
//! Soundness: the instances are valid, so each part implies what it is reduced to, up to the meaning of the
//! new symbols. The verifier judges the restored formulas against the parts as they were.

use std::collections::HashMap;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Landmark, Limits, Refutation, is_abstracted};

use crate::elimination::Elimination;

/// Parts without arrays and functions, and the way back.
pub(crate) struct Reduction {
    parts: Vec<Term>,
    /// The terms that new symbols stand for.
    meanings: HashMap<Term, Term>,
    landmarks: Vec<Landmark>,
    /// The parts with their instances, which say what the landmarks are that were made for witnesses.
    sides: Vec<Term>,
}

impl Reduction {
    /// Parts as they are; what stands for reads and applications means nothing.
    pub(crate) fn none(parts: &[Term]) -> Reduction {
        Reduction {
            parts: parts.to_vec(),
            meanings: HashMap::new(),
            landmarks: Vec::new(),
            sides: parts.to_vec(),
        }
    }

    /// Reduces parts that a refutation refutes; what it does not use may be left out of them.
    pub(crate) fn of(
        pool: &mut TermPool,
        parts: &[Term],
        refutation: &Refutation,
        limits: &Limits,
    ) -> Reduction {
        let landmarks = refutation.landmarks().to_vec();
        let mut extended: Vec<Vec<Term>> = parts.iter().map(|&part| vec![part]).collect();
        for landmark in &landmarks {
            extended[landmark.part.0 as usize].push(pool.eq(landmark.symbol, landmark.term));
        }
        let instances = refutation.instances().iter().map(|&(_, instance)| instance);
        let all: Vec<Term> = extended.concat().into_iter().chain(instances).collect();
        let symbols = abstraction(pool, &all);
        if symbols.is_empty() {
            return Reduction::none(parts);
        }
        for &(part, instance) in &needed(pool, &extended, refutation, &symbols, limits) {
            extended[part].push(instance);
        }
        let sides: Vec<Term> = extended.iter().map(|conjuncts| pool.and(conjuncts)).collect();
        let parts = sides.iter().map(|&side| pool.substitute(side, &symbols)).collect();
        let meanings = symbols.into_iter().map(|(term, symbol)| (symbol, term)).collect();
        Reduction { parts, meanings, landmarks, sides }
    }

    /// Whether the parts are as they were.
    pub(crate) fn is_none(&self) -> bool {
        self.meanings.is_empty()
    }

    /// The parts over bit-vectors.
    pub(crate) fn parts(&self) -> &[Term] {
        &self.parts
    }

    /// Formulas over the reduced parts as formulas over the parts; `None` if a landmark stays.
    pub(crate) fn restored(
        &self,
        pool: &mut TermPool,
        formulas: &[Term],
        limits: &Limits,
    ) -> Option<Vec<Term>> {
        if self.is_none() {
            return Some(formulas.to_vec());
        }
        let mut restored = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            let formula = pool.substitute(formula, &self.meanings);
            restored.push(self.without_landmarks(pool, formula, limits)?);
        }
        Some(restored)
    }

    fn without_landmarks(&self, pool: &mut TermPool, formula: Term, limits: &Limits) -> Option<Term> {
        let free = pool.free_variables(formula);
        let mentioned: Vec<&Landmark> =
            self.landmarks.iter().filter(|landmark| free.contains(&landmark.symbol)).collect();
        if mentioned.is_empty() {
            return Some(formula);
        }
        let &[a, b] = self.sides.as_slice() else { return None };
        Elimination::new(pool, [a, b], &self.landmarks, &mentioned, limits).run(pool, formula)
    }
}

/// A new symbol for each read, application and equality of arrays.
fn abstraction(pool: &mut TermPool, formulas: &[Term]) -> HashMap<Term, Term> {
    let mut symbols = HashMap::new();
    for term in pool.subterms(formulas) {
        if is_abstracted(pool, term) {
            let symbol = pool.fresh_symbol("element", pool.sort(term));
            symbols.insert(term, symbol);
        }
    }
    symbols
}

/// The instances that a contradiction needs, with the numbers of their parts: the search for the refutation
/// met others on its way.
fn needed(
    pool: &mut TermPool,
    parts: &[Vec<Term>],
    refutation: &Refutation,
    symbols: &HashMap<Term, Term>,
    limits: &Limits,
) -> Vec<(usize, Term)> {
    let mut instances: Vec<(usize, Term)> =
        refutation.instances().iter().map(|&(part, instance)| (part.0 as usize, instance)).collect();
    if instances.is_empty() {
        return instances;
    }
    let mut solver = BitVecSolver::new();
    for &conjunct in parts.iter().flatten() {
        solver.assert(pool.substitute(conjunct, symbols));
    }
    let assumptions: Vec<Term> =
        instances.iter().map(|&(_, instance)| pool.substitute(instance, symbols)).collect();
    if let Answer::Unsat(core) = solver.check(pool, &assumptions, limits) {
        let mut reduced = assumptions.iter();
        instances.retain(|_| reduced.next().is_some_and(|term| core.assumptions().contains(term)));
    }
    instances
}

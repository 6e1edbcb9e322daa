//! Interpolants without landmarks.
//!
//! A landmark is a symbol that one side defines by a term of its own, and that both sides speak about. Let
//! `I(s, u)` be an interpolant over landmarks `s` of A and `u` of B. Then `∃s ∀u I(s, u)` is one without:
//! A implies `I(s, u)` for the terms of `s` and any `u`, and B contradicts it for the terms of `u` and any
//! `s`. Quantifiers are replaced by finitely many common terms: the answer is the disjunction over some
//! choices of `s` of the conjunction over some choices of `u`. Which ones, models say: where A does not imply
//! the answer yet, a choice of `s` is added that has the values of A's terms; where B does not contradict
//! it, one of `u` with the values of B's terms. Terms that a side proves equal to its own come first, and
//! new constants last. With these the search would end for every pair of sides, so only the budget makes it
//! fail; for wide vectors they are left out, as nobody would like to read the result.

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Landmark, Limits, Model, Vocabulary};

/// Rounds until the search is given up. A common term per landmark and case of a side takes one each;
/// with more, the choices are constants, which say nothing about other paths.
const ROUNDS: usize = 24;

/// The widest vectors for which constants that neither side mentions are tried.
const CONSTANT_WIDTH: u32 = 4;

/// How many terms with the right value are compared with the side's own term.
const COMPARED: usize = 8;

/// One elimination.
pub(crate) struct Elimination<'e> {
    sides: [Term; 2],
    /// The landmarks of A and of B.
    landmarks: [Vec<&'e Landmark>; 2],
    /// Terms over common names, small ones first.
    common: Vec<Term>,
    limits: &'e Limits,
    solver: BitVecSolver,
}

/// What landmarks of one side are replaced by, all at once.
type Choices = Vec<Vec<Term>>;

impl<'e> Elimination<'e> {
    /// For landmarks that the sides A and B define; `mentioned` are those to be eliminated.
    pub(crate) fn new(
        pool: &TermPool,
        sides: [Term; 2],
        landmarks: &[Landmark],
        mentioned: &[&'e Landmark],
        limits: &'e Limits,
    ) -> Elimination<'e> {
        let of = |part: u32| mentioned.iter().copied().filter(|landmark| landmark.part.0 == part).collect();
        let common = common_terms(pool, sides, landmarks);
        Elimination { sides, landmarks: [of(0), of(1)], common, limits, solver: BitVecSolver::new() }
    }

    /// The formula without landmarks; `None` if the budget is spent.
    pub(crate) fn run(mut self, pool: &mut TermPool, formula: Term) -> Option<Term> {
        let mut choices: [Choices; 2] =
            [0, 1].map(|side: usize| if self.landmarks[side].is_empty() { vec![vec![]] } else { vec![] });
        for _ in 0..ROUNDS {
            let answer = self.instantiated(pool, formula, &choices);
            let negated = pool.not(answer);
            let (side, model) = match self.counterexample(pool, [self.sides[0], negated]).ok()? {
                Some(model) => (0, model),
                None => match self.counterexample(pool, [self.sides[1], answer]).ok()? {
                    Some(model) => (1, model),
                    None => return Some(answer),
                },
            };
            let choice = self.choice(pool, side, &model)?;
            if choices[side].contains(&choice) {
                return None;
            }
            choices[side].push(choice);
        }
        None
    }

    fn instantiated(&self, pool: &mut TermPool, formula: Term, choices: &[Choices; 2]) -> Term {
        let mut disjuncts = Vec::new();
        for of_a in &choices[0] {
            let mut conjuncts = Vec::new();
            for of_b in &choices[1] {
                let landmarks = self.landmarks.iter().flatten().map(|landmark| landmark.symbol);
                let replacements = landmarks.zip(of_a.iter().chain(of_b).copied()).collect();
                conjuncts.push(pool.substitute(formula, &replacements));
            }
            disjuncts.push(pool.and(&conjuncts));
        }
        pool.or(&disjuncts)
    }

    /// A model of both formulas, if there is one.
    fn counterexample(&mut self, pool: &mut TermPool, formulas: [Term; 2]) -> Result<Option<Model>, GaveUp> {
        match self.solver.check(pool, &formulas, self.limits) {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Terms that have the values of the side's own terms.
    fn choice(&mut self, pool: &mut TermPool, side: usize, model: &Model) -> Option<Vec<Term>> {
        let own: Vec<Term> = self.landmarks[side].iter().map(|landmark| landmark.term).collect();
        own.into_iter().map(|term| self.common_term(pool, side, model, term)).collect()
    }

    fn common_term(&mut self, pool: &mut TermPool, side: usize, model: &Model, own: Term) -> Option<Term> {
        let value = model.value(pool, own);
        let has_value =
            |&&term: &&Term| pool.sort(term) == pool.sort(own) && model.value(pool, term) == value;
        let equal: Vec<Term> = self.common.iter().filter(has_value).take(COMPARED).copied().collect();
        for &term in &equal {
            let differ = pool.ne(term, own);
            if let Ok(None) = self.counterexample(pool, [self.sides[side], differ]) {
                return Some(term);
            }
        }
        let is_constant = |term: &&Term| pool.as_bits(**term).is_some();
        let chosen = equal.iter().find(|term| !is_constant(term)).or(equal.first()).copied();
        let is_narrow = pool.sort(own).width().is_none_or(|width| width <= CONSTANT_WIDTH);
        chosen.or_else(|| is_narrow.then(|| pool.constant(&value)))
    }
}

/// Subterms over names that both sides have, other than landmarks. Symbols come before what is made of them,
/// and constants last of their size.
fn common_terms(pool: &TermPool, sides: [Term; 2], landmarks: &[Landmark]) -> Vec<Term> {
    let [a, b] = sides.map(|side| Vocabulary::of(pool, &[side]));
    let mut shared = a.shared(&b);
    let symbols: Vec<Term> = landmarks.iter().map(|landmark| landmark.symbol).collect();
    let foreign = Vocabulary::of(pool, &symbols);
    shared.retain(|&name| !foreign.has(name));
    let mut common: Vec<Term> = pool.subterms(&sides);
    common.retain(|&term| pool.sort(term).width().is_some() && shared.foreign(pool, term).is_none());
    common.sort_by_key(|&term| (pool.dag_size(term), pool.as_bits(term).is_some(), term));
    common
}

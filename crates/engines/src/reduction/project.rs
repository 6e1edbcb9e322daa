//! Quantifier elimination for vectors of bits, by model-based projection.
//!
//! A model of a formula makes some literals true that imply it. A symbol that is to go is replaced by a term that one of
//! these literals suggests and under which all of them still hold in the model; if there is none, by its value. What
//! is left is a conjunction over the other symbols that implies the formula for some values of those that are gone. With as
//! many models as it takes, the disjunction of all is exact; with fewer it is stronger.

use std::collections::{BTreeSet, HashMap};

use rorqual_logic::{Assignment, Bits, Op, Sort, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits};

/// How much is spent on one formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// At most so many models, and so many disjuncts.
    pub models: usize,
    /// At most so many conflicts to find one.
    pub conflicts: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { models: 24, conflicts: 20_000 }
    }
}

/// Formulas over the symbols that are kept, each of which implies that the formula holds for some values of the others.
pub(super) fn project(
    pool: &mut TermPool,
    formula: Term,
    is_kept: &dyn Fn(&TermPool, Term) -> bool,
    budget: Budget,
    limits: &Limits,
) -> Vec<Term> {
    let formula = solved(pool, formula, is_kept);
    if others(pool, formula, is_kept).is_empty() {
        return vec![formula];
    }
    let limits = limits.clone().with_conflicts(budget.conflicts);
    let (mut solver, mut found, mut query) = (BitVecSolver::new(), Vec::new(), vec![formula]);
    while found.len() < budget.models {
        let Answer::Sat(model) = solver.check(pool, &query, &limits) else { break };
        let cube = Cube::of(pool, formula, model.assignment()).without(pool, model.assignment(), is_kept);
        if !others(pool, cube, is_kept).is_empty() {
            break;
        }
        query.push(pool.not(cube));
        found.push(cube);
    }
    found
}

/// The symbols that are to go.
fn others(pool: &TermPool, formula: Term, is_kept: &dyn Fn(&TermPool, Term) -> bool) -> BTreeSet<Term> {
    pool.free_variables(formula).into_iter().filter(|&symbol| !is_kept(pool, symbol)).collect()
}

/// The formula without symbols that conjuncts of it define.
fn solved(pool: &mut TermPool, mut formula: Term, is_kept: &dyn Fn(&TermPool, Term) -> bool) -> Term {
    loop {
        let conjuncts = conjuncts(pool, formula);
        let symbols = others(pool, formula, is_kept);
        let definition = symbols.into_iter().find_map(|symbol| {
            conjuncts.iter().find_map(|&one| {
                let [lhs, rhs] = sides(pool, one).filter(|_| matches!(pool.op(one), Op::Eq))?;
                Some((symbol, solution(pool, symbol, lhs, rhs)?))
            })
        });
        let Some((symbol, term)) = definition else { return formula };
        formula = pool.substitute(formula, &HashMap::from([(symbol, term)]));
    }
}

/// The conjuncts of a formula.
pub(super) fn conjuncts(pool: &TermPool, formula: Term) -> Vec<Term> {
    match pool.op(formula) {
        Op::And => pool.arguments(formula).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![formula],
    }
}

/// The sides of a comparison of vectors.
fn sides(pool: &TermPool, atom: Term) -> Option<[Term; 2]> {
    let is_comparison = matches!(pool.op(atom), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle);
    let arguments = pool.arguments(atom);
    (is_comparison && matches!(pool.sort(arguments[0]), Sort::BitVec(_)))
        .then(|| [arguments[0], arguments[1]])
}

/// The term that a symbol equals if both sides are equal; exact, as only odd factors are divided by.
fn solution(pool: &mut TermPool, symbol: Term, lhs: Term, rhs: Term) -> Option<Term> {
    if !matches!(pool.sort(symbol), Sort::BitVec(width) if width == pool.width(lhs)) {
        return None;
    }
    let difference = pool.bv_sub(lhs, rhs);
    let (mut factor, mut rest) = (None, Vec::new());
    for part in summands(pool, difference) {
        match scaled(pool, part) {
            (coefficient, atom) if atom == symbol => factor = Some(coefficient),
            _ => rest.push(part),
        }
    }
    let factor = factor.filter(|factor| factor.bit(0))?;
    if rest.iter().any(|&part| pool.free_variables(part).contains(&symbol)) {
        return None;
    }
    let zero = pool.bv(0u8, pool.width(lhs));
    let sum = rest.into_iter().fold(zero, |sum, part| pool.bv_add(sum, part));
    let inverse = pool.bits(inverse(&factor).neg());
    Some(pool.bv_mul(inverse, sum))
}

fn summands(pool: &TermPool, term: Term) -> Vec<Term> {
    match pool.op(term) {
        Op::BvAdd => pool.arguments(term).iter().flat_map(|&part| summands(pool, part)).collect(),
        _ => vec![term],
    }
}

/// A term as a constant times an atom.
fn scaled(pool: &TermPool, term: Term) -> (Bits, Term) {
    let one = Bits::new(1u8, pool.width(term));
    let arguments = pool.arguments(term);
    match pool.op(term) {
        Op::BvNeg => (one.neg(), arguments[0]),
        Op::BvMul if arguments.len() == 2 => match (pool.as_bits(arguments[0]), pool.as_bits(arguments[1])) {
            (Some(factor), None) => (factor.clone(), arguments[1]),
            (None, Some(factor)) => (factor.clone(), arguments[0]),
            _ => (one, term),
        },
        _ => (one, term),
    }
}

/// The inverse of an odd number, by Newton's iteration: each step doubles the number of correct bits.
fn inverse(odd: &Bits) -> Bits {
    let two = Bits::new(2u8, odd.width());
    let mut inverse = odd.clone();
    let mut correct = 3;
    while correct < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        correct *= 2;
    }
    inverse
}

/// Literals that hold in a model.
struct Cube {
    literals: Vec<Term>,
}

impl Cube {
    /// Literals that hold in a model of a formula and imply it.
    fn of(pool: &mut TermPool, formula: Term, model: &Assignment) -> Cube {
        let mut cube = Cube { literals: Vec::new() };
        cube.explain(pool, formula, true, model);
        cube
    }

    /// Adds literals that make the formula true, or false.
    fn explain(&mut self, pool: &mut TermPool, formula: Term, truth: bool, model: &Assignment) {
        let arguments = pool.arguments(formula).to_vec();
        let holds = |pool: &TermPool, term: Term| pool.evaluate(term, model).bool();
        match pool.op(formula) {
            Op::Bool(_) => {}
            Op::Not => self.explain(pool, arguments[0], !truth, model),
            Op::And | Op::Or => {
                if matches!(pool.op(formula), Op::And) == truth {
                    for part in arguments {
                        self.explain(pool, part, truth, model);
                    }
                } else if let Some(part) = arguments.into_iter().find(|&part| holds(pool, part) == truth) {
                    self.explain(pool, part, truth, model);
                }
            }
            Op::Ite => {
                let condition = holds(pool, arguments[0]);
                self.explain(pool, arguments[0], condition, model);
                self.explain(pool, arguments[if condition { 1 } else { 2 }], truth, model);
            }
            Op::Eq if pool.sort(arguments[0]) == Sort::Bool => {
                for side in arguments {
                    let value = holds(pool, side);
                    self.explain(pool, side, value, model);
                }
            }
            _ => self.atom(pool, formula, truth, model),
        }
    }

    /// Adds an atom, without conditionals inside of it.
    fn atom(&mut self, pool: &mut TermPool, mut atom: Term, truth: bool, model: &Assignment) {
        loop {
            let terms = pool.subterms(&[atom]);
            let conditional = terms.into_iter().find(|&term| matches!(pool.op(term), Op::Ite));
            let Some(conditional) = conditional else { break };
            let arguments = pool.arguments(conditional).to_vec();
            let condition = pool.evaluate(arguments[0], model).bool();
            self.explain(pool, arguments[0], condition, model);
            let chosen = arguments[if condition { 1 } else { 2 }];
            atom = pool.substitute(atom, &HashMap::from([(conditional, chosen)]));
        }
        let literal = if truth { atom } else { pool.not(atom) };
        if !self.literals.contains(&literal) {
            self.literals.push(literal);
        }
    }

    /// The conjunction of the literals, without symbols that are not kept.
    fn without(
        mut self,
        pool: &mut TermPool,
        model: &Assignment,
        is_kept: &dyn Fn(&TermPool, Term) -> bool,
    ) -> Term {
        let all = pool.and(&self.literals);
        for symbol in others(pool, all, is_kept) {
            let term = self.replacement(pool, symbol, model);
            let by = HashMap::from([(symbol, term)]);
            for literal in &mut self.literals {
                *literal = pool.substitute(*literal, &by);
            }
        }
        pool.and(&self.literals)
    }

    /// A term for a symbol under which all literals hold in the model.
    fn replacement(&self, pool: &mut TermPool, symbol: Term, model: &Assignment) -> Term {
        let mut candidates = Vec::new();
        for &literal in &self.literals {
            let atom = if matches!(pool.op(literal), Op::Not) { pool.arguments(literal)[0] } else { literal };
            let Some([lhs, rhs]) = sides(pool, atom) else { continue };
            let one = pool.bv(1u8, pool.width(lhs));
            let (above, below) = (pool.bv_add(rhs, one), pool.bv_sub(rhs, one));
            for side in [rhs, above, below] {
                candidates.extend(solution(pool, symbol, lhs, side));
            }
        }
        let fits = |pool: &mut TermPool, term: Term| {
            let by = HashMap::from([(symbol, term)]);
            self.literals.iter().all(|&literal| {
                let replaced = pool.substitute(literal, &by);
                pool.evaluate(replaced, model).bool()
            })
        };
        let found = candidates.into_iter().find(|&candidate| fits(pool, candidate));
        found.unwrap_or_else(|| {
            let value = pool.evaluate(symbol, model);
            pool.constant(&value)
        })
    }
}

#[cfg(test)]
mod tests {
    use rorqual_logic::{Value, smtlib};

    use super::*;

    /// Formulas over `a` and `b`, which are kept, and `x` and `y`, which are not; all of three bits.
    const FORMULAS: [&str; 10] = [
        "(= a (bvadd x #b001))",
        "(and (bvult a x) (bvult x b))",
        "(and (bvslt a x) (not (bvslt b x)))",
        "(= (bvmul #b011 x) (bvadd a b))",
        "(= (bvmul #b010 x) a)",
        "(and (= x (bvadd a y)) (bvult y #b011) (= b (bvmul x y)))",
        "(or (and (= x a) (bvult x #b100)) (and (= y b) (not (bvult y a))))",
        "(= b (ite (bvslt x #b000) (bvneg x) (bvsub x a)))",
        "(and (= (bvand x #b011) (bvand a #b011)) (= (bvor x #b100) b))",
        "(and (not (= x a)) (not (= y b)) (= (= x y) (bvult a b)))",
    ];
    const NAMES: [&str; 4] = ["a", "b", "x", "y"];

    /// Values of `a` and `b`.
    type Pairs = BTreeSet<(u8, u8)>;

    /// All values of `a` and `b` for which a formula holds with some `x` and `y`.
    fn solutions(pool: &mut TermPool, formula: Term) -> Pairs {
        let symbols = NAMES.map(|name| pool.symbol(name, Sort::BitVec(3)));
        let mut found = BTreeSet::new();
        for all in 0..1_u16 << 12 {
            let mut model = Assignment::new();
            let value = |at: usize| (all >> (3 * at) & 7) as u8;
            for (at, symbol) in symbols.into_iter().enumerate() {
                if let Op::Symbol(symbol) = *pool.op(symbol) {
                    model.set(symbol, Value::Bits(Bits::new(value(at), 3)));
                }
            }
            if pool.evaluate(formula, &model).bool() {
                found.insert((value(0), value(1)));
            }
        }
        found
    }

    fn is_kept(pool: &TermPool, term: Term) -> bool {
        matches!(*pool.op(term), Op::Symbol(symbol) if ["a", "b"].contains(&pool.symbol_name(symbol)))
    }

    /// What a formula says of `a` and `b`, and what is left of it.
    fn projected(text: &str, budget: Budget) -> (Pairs, Pairs) {
        let mut pool = TermPool::new();
        for name in NAMES {
            pool.symbol(name, Sort::BitVec(3));
        }
        let formula = smtlib::parse_term(&mut pool, text).expect("it is a term");
        let cubes = project(&mut pool, formula, &is_kept, budget, &Limits::none());
        assert!(cubes.iter().all(|&cube| others(&pool, cube, &is_kept).is_empty()), "{text}");
        let left = pool.or(&cubes);
        (solutions(&mut pool, formula), solutions(&mut pool, left))
    }

    #[test]
    fn projections_are_exact_with_enough_models() {
        for text in FORMULAS {
            let (wanted, found) = projected(text, Budget { models: 100, ..Budget::default() });
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn projections_with_few_models_say_nothing_wrong() {
        let mut lost = 0;
        for text in FORMULAS {
            let (wanted, found) = projected(text, Budget { models: 1, ..Budget::default() });
            assert!(found.is_subset(&wanted), "{text}");
            lost += wanted.len() - found.len();
        }
        assert!(lost > 0, "one model is not enough for all of them");
    }

    #[test]
    fn definitions_are_substituted_and_need_no_model() {
        let (wanted, found) = projected(FORMULAS[3], Budget { models: 0, ..Budget::default() });
        assert_eq!((found.len(), wanted.len()), (64, 64));
        let (wanted, found) = projected(FORMULAS[1], Budget { models: 0, ..Budget::default() });
        assert!(found.is_empty() && !wanted.is_empty());
    }
}

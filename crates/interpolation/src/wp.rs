//! Weakest preconditions along the core: interpolants by substitution, without a proof.
//!
//! Backwards from `false`: the interpolant before a part is "what the part says implies the interpolant
//! behind it". Symbols that do not occur before the part are replaced by what an equation of the part says
//! they are, as assignments say it. Conjuncts outside the core are dropped. The candidates imply what they
//! have to by construction, up to symbols that no equation defines; the verifier decides.

use std::collections::{BTreeMap, HashMap, HashSet};

use rorqual_logic::{Op, Sort, SymbolId, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits, Name, Vocabulary};

use crate::simplify::conjuncts;

/// Interpolants with more different subterms are given up: larger ones cost more than they give.
const SIZE_LIMIT: usize = 2_000;

/// How many conditions on inputs are told apart per part. Each may double the formula.
const CHOICES: usize = 4;

/// How many reads over writes are expanded per part.
const READS: usize = 16;

/// A candidate sequence `I_0 = true … I_n = false` for parts that contradict each other; `None` if a
/// symbol cannot be eliminated or the formulas grow too large. Not verified here.
pub fn weakest_preconditions(pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Option<Vec<Term>> {
    let needed = core(pool, parts, limits)?;
    let needed: Vec<Term> = needed.iter().map(|conjuncts| pool.and(conjuncts)).collect();
    preconditions_of(pool, &mut BitVecSolver::new(), &needed, limits)
}

/// As [`weakest_preconditions`], for parts that have only what the contradiction needs.
pub(crate) fn preconditions_of(
    pool: &mut TermPool,
    solver: &mut BitVecSolver,
    parts: &[Term],
    limits: &Limits,
) -> Option<Vec<Term>> {
    let mut formula = pool.bottom();
    let mut sequence = vec![formula];
    for at in (1..parts.len()).rev() {
        let before = Vocabulary::of(pool, &parts[..at]);
        let needed = conjuncts(pool, parts[at]);
        formula = precondition(pool, &needed, formula, &before);
        if before.foreign(pool, formula).is_some() {
            let negated = pool.not(formula);
            // What always holds may be said without the symbols that it mentions.
            match solver.check(pool, &[negated], limits) {
                Answer::Unsat(_) => formula = pool.top(),
                Answer::Sat(_) | Answer::Unknown(_) => return None,
            }
        }
        if pool.dag_size(formula) > SIZE_LIMIT {
            return None;
        }
        sequence.push(formula);
    }
    sequence.push(pool.top());
    sequence.reverse();
    Some(sequence)
}

/// The conjuncts of each part that a contradiction needs.
fn core(pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Option<Vec<Vec<Term>>> {
    let all: Vec<Vec<Term>> = parts.iter().map(|&part| conjuncts(pool, part)).collect();
    let assumptions = all.concat();
    let Answer::Unsat(core) = BitVecSolver::new().check(pool, &assumptions, limits) else { return None };
    let needed =
        |part: Vec<Term>| part.into_iter().filter(|term| core.assumptions().contains(term)).collect();
    Some(all.into_iter().map(needed).collect())
}

/// A formula that, with the conjuncts, implies `after`; over the vocabulary, if that succeeds.
fn precondition(pool: &mut TermPool, part: &[Term], after: Term, before: &Vocabulary) -> Term {
    let mut guards = part.to_vec();
    let mut goal = after;
    while let Some((at, definition)) = find_definition(pool, &guards, before) {
        guards.remove(at);
        goal = pool.substitute(goal, &definition);
        for guard in &mut guards {
            *guard = pool.substitute(*guard, &definition);
        }
    }
    let goal = under(pool, goal, &guards);
    let goal = without_choices(pool, goal, before);
    // A guard on a symbol that nothing defines: without it the formula is stronger, so that it is still a
    // precondition. Whether it is implied by what comes before is for the verifier to say.
    guards.retain(|&guard| before.foreign(pool, guard).is_none());
    let mut alternatives: Vec<Term> = guards.iter().map(|&guard| pool.not(guard)).collect();
    alternatives.push(goal);
    pool.or(&alternatives)
}

/// The goal with reads over writes as choices between the element that was written and the others.
fn reads_expanded(pool: &mut TermPool, goal: Term) -> Term {
    let mut goal = goal;
    for _ in 0..READS {
        let is_read =
            |&term: &Term| *pool.op(term) == Op::Select && *pool.op(pool.arguments(term)[0]) == Op::Store;
        let Some(read) = pool.subterms(&[goal]).into_iter().find(is_read) else { return goal };
        let (written, index) = (pool.arguments(read)[0], pool.arguments(read)[1]);
        let &[array, at, element] = pool.arguments(written) else {
            unreachable!("writes have three arguments")
        };
        let (is_here, elsewhere) = (pool.eq(at, index), pool.select(array, index));
        let choice = pool.ite(is_here, element, elsewhere);
        goal = pool.substitute(goal, &HashMap::from([(read, choice)]));
    }
    goal
}

/// A stronger goal without conditions on symbols outside of the vocabulary, such as inputs that choose a
/// branch: it holds whichever way they are.
fn without_choices(pool: &mut TermPool, goal: Term, before: &Vocabulary) -> Term {
    let mut goal = goal;
    for _ in 0..CHOICES {
        let Some(choice) = foreign_choice(pool, goal, before) else { return goal };
        let (top, bottom) = (pool.top(), pool.bottom());
        let taken = pool.substitute(goal, &HashMap::from([(choice, top)]));
        let not_taken = pool.substitute(goal, &HashMap::from([(choice, bottom)]));
        goal = pool.and2(taken, not_taken);
    }
    goal
}

/// The first innermost Boolean subterm that has a symbol outside of the vocabulary.
fn foreign_choice(pool: &TermPool, goal: Term, before: &Vocabulary) -> Option<Term> {
    let mut foreign: HashSet<Term> = HashSet::new();
    for term in pool.subterms(&[goal]) {
        let is_foreign = match symbol_of(pool, term) {
            Some(id) => !before.has(Name::Symbol(id)),
            None => pool.arguments(term).iter().any(|argument| foreign.contains(argument)),
        };
        if is_foreign && pool.sort(term) == Sort::Bool {
            return (term != goal).then_some(term);
        }
        if is_foreign {
            foreign.insert(term);
        }
    }
    None
}

/// Parts in which symbols with known values are replaced by them, and what is known at each cut about
/// symbols that occur on both sides. Reads of arrays at known indices need this.
pub(crate) fn with_constants(pool: &mut TermPool, parts: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let mut last: HashMap<Term, usize> = HashMap::new();
    for (at, &part) in parts.iter().enumerate() {
        last.extend(pool.free_variables(part).into_iter().map(|symbol| (symbol, at)));
    }
    let mut values: BTreeMap<Term, Term> = BTreeMap::new();
    let (mut known, mut replaced) = (vec![pool.top()], Vec::new());
    for (at, &part) in parts.iter().enumerate() {
        replaced.push(propagated(pool, part, &mut values));
        values.retain(|symbol, _| last[symbol] > at);
        let equations: Vec<Term> = values.iter().map(|(&symbol, &value)| pool.eq(symbol, value)).collect();
        known.push(pool.and(&equations));
    }
    (replaced, known)
}

/// The part with known values in it. What it says about values becomes known, and stays in the part.
fn propagated(pool: &mut TermPool, part: Term, values: &mut BTreeMap<Term, Term>) -> Term {
    loop {
        let replacements: HashMap<Term, Term> =
            values.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        let replaced = pool.substitute(part, &replacements);
        let found: Vec<(Term, Term)> =
            conjuncts(pool, replaced).iter().filter_map(|&conjunct| constant_of(pool, conjunct)).collect();
        let before = values.len();
        values.extend(found);
        if values.len() == before {
            return replaced;
        }
    }
}

/// The symbol and the constant of an equation between such.
fn constant_of(pool: &TermPool, conjunct: Term) -> Option<(Term, Term)> {
    if *pool.op(conjunct) != Op::Eq {
        return None;
    }
    let (lhs, rhs) = (pool.arguments(conjunct)[0], pool.arguments(conjunct)[1]);
    let is_known =
        |&(symbol, value): &(Term, Term)| symbol_of(pool, symbol).is_some() && pool.as_bits(value).is_some();
    [(lhs, rhs), (rhs, lhs)].into_iter().find(is_known)
}

/// The goal where the guards hold: there they are true, and what contradicts them is false. This is how
/// reads over writes lose indices that a guard tells apart.
fn under(pool: &mut TermPool, goal: Term, guards: &[Term]) -> Term {
    let goal = reads_expanded(pool, goal);
    let mut values = HashMap::new();
    for &guard in guards {
        values.insert(pool.not(guard), pool.bottom());
        values.insert(guard, pool.top());
    }
    pool.substitute(goal, &values)
}

/// A guard `x = e` where `x` must go and does not occur in `e`, as a replacement.
fn find_definition(
    pool: &TermPool,
    guards: &[Term],
    before: &Vocabulary,
) -> Option<(usize, HashMap<Term, Term>)> {
    for (at, &guard) in guards.iter().enumerate() {
        if *pool.op(guard) != Op::Eq {
            continue;
        }
        let (lhs, rhs) = (pool.arguments(guard)[0], pool.arguments(guard)[1]);
        for (symbol, value) in [(lhs, rhs), (rhs, lhs)] {
            if let Some(id) = symbol_of(pool, symbol)
                && !before.has(Name::Symbol(id))
                && !pool.free_symbols(value).contains(&id)
            {
                return Some((at, HashMap::from([(symbol, value)])));
            }
        }
    }
    None
}

fn symbol_of(pool: &TermPool, term: Term) -> Option<SymbolId> {
    match pool.op(term) {
        Op::Symbol(id) => Some(*id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify_sequence;

    #[test]
    fn assignments_are_substituted_and_irrelevant_parts_disappear() {
        let mut pool = TermPool::new();
        let [x0, x1, y0] = ["x0", "x1", "y0"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (zero, one, five) = (pool.bv(0u8, 32), pool.bv(1u8, 32), pool.bv(5u8, 32));
        let (start, unrelated) = (pool.eq(x0, zero), pool.eq(y0, five));
        let first = pool.and2(start, unrelated);
        let next = pool.bv_add(x0, one);
        let step = pool.eq(x1, next);
        let error = pool.bv_slt(x1, one);
        let parts = [first, step, error];
        let sequence = weakest_preconditions(&mut pool, &parts, &Limits::none()).expect("a sequence");
        let not_error = pool.bv_sle(one, x1);
        let before = pool.bv_sle(one, next);
        assert_eq!(sequence, [pool.top(), before, not_error, pool.bottom()]);
        verify_sequence(&mut pool, &parts, &sequence, &Limits::none()).expect("it verifies");
    }

    #[test]
    fn guards_decide_which_element_is_read() {
        let mut pool = TermPool::new();
        let sort = Sort::Array { index: 32, element: 32 };
        let [start, middle, end] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
        let [i, j] = ["i", "j"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (zero, seven) = (pool.bv(0u8, 32), pool.bv(7u8, 32));
        let (first, second) = (pool.store(start, j, seven), pool.store(middle, i, zero));
        let apart = pool.ne(i, j);
        let read = pool.select(end, j);
        let is_seven = pool.eq(read, seven);
        let copy = pool.eq(end, second);
        let parts = [pool.eq(middle, first), pool.and2(apart, copy), pool.not(is_seven)];
        let sequence = weakest_preconditions(&mut pool, &parts, &Limits::none()).expect("a sequence");
        let read = pool.select(middle, j);
        assert_eq!(sequence[1], pool.eq(read, seven));
        verify_sequence(&mut pool, &parts, &sequence, &Limits::none()).expect("it verifies");
    }

    #[test]
    fn known_values_are_propagated_along_the_parts() {
        let mut pool = TermPool::new();
        let [x0, x1, y] = ["x0", "x1", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (one, two) = (pool.bv(1u8, 32), pool.bv(2u8, 32));
        let next = pool.bv_add(x0, one);
        let parts = [pool.eq(x0, one), pool.eq(x1, next), pool.bv_slt(x1, y)];
        let (replaced, known) = with_constants(&mut pool, &parts);
        let x1_is_two = pool.eq(x1, two);
        assert_eq!(known, [pool.top(), parts[0], x1_is_two, pool.top()]);
        assert_eq!(replaced[2], pool.bv_slt(two, y));
    }

    #[test]
    fn inputs_that_choose_a_branch_disappear() {
        let mut pool = TermPool::new();
        let [x, c, z] = ["x", "c", "z"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (zero, one, two) = (pool.bv(0u8, 32), pool.bv(1u8, 32), pool.bv(2u8, 32));
        let condition = pool.bv_slt(zero, c);
        let (less, more) = (pool.bv_add(x, one), pool.bv_add(x, two));
        let chosen = pool.ite(condition, less, more);
        let parts = [pool.eq(x, zero), pool.eq(z, chosen), pool.bv_sle(z, zero)];
        let sequence = weakest_preconditions(&mut pool, &parts, &Limits::none()).expect("a sequence");
        verify_sequence(&mut pool, &parts, &sequence, &Limits::none()).expect("it verifies");
    }

    #[test]
    fn symbols_without_a_definition_are_given_up() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(8)));
        let three = pool.bv(3u8, 8);
        let (first, link, last) = (pool.bv_ult(x, three), pool.bv_ult(y, x), pool.bv_ult(three, y));
        assert_eq!(weakest_preconditions(&mut pool, &[first, link, last], &Limits::none()), None);
    }
}

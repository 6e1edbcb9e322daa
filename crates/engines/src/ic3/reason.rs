//! Why formulas have the values that they have in a model: the comparisons on which that depends.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_logic::{Assignment, Evaluator, Op, Sort, Term, TermPool};

/// A comparison, or another formula that is neither of these nor made of them, and whether it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison {
    pub(super) formula: Term,
    pub(super) holds: bool,
}

/// What the values of formulas depend on. Where one of several conditions is enough, it is one of them.
#[derive(Debug, Default)]
pub(super) struct Reason {
    comparisons: BTreeMap<Term, bool>,
    /// What conditionals are, by their conditions.
    choices: HashMap<Term, Term>,
}

impl Reason {
    pub(super) fn of(pool: &TermPool, formulas: &[Term], assignment: &Assignment) -> Reason {
        let mut reason = Reason::default();
        let mut evaluator = Evaluator::new(pool, assignment);
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        let mut open = formulas.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let arguments = pool.arguments(term);
            match pool.op(term) {
                Op::Not => open.push(arguments[0]),
                op @ (Op::And | Op::Or) => {
                    // One argument decides if it is false in a conjunction, or true in a disjunction.
                    let deciding = *op == Op::Or;
                    if evaluator.holds(term) == deciding {
                        let mut decide: Vec<Term> = arguments.to_vec();
                        decide.retain(|&argument| evaluator.holds(argument) == deciding);
                        let known = decide.iter().find(|argument| seen.contains(argument));
                        let simplest =
                            decide.iter().min_by_key(|&&argument| (depth(pool, argument), argument));
                        open.extend(known.or(simplest));
                    } else {
                        open.extend_from_slice(arguments);
                    }
                }
                Op::Ite => {
                    let chosen = arguments[if evaluator.holds(arguments[0]) { 1 } else { 2 }];
                    reason.choices.insert(term, chosen);
                    open.extend([arguments[0], chosen]);
                }
                _ => {
                    if pool.sort(term) == Sort::Bool {
                        reason.comparisons.insert(term, evaluator.holds(term));
                    }
                    open.extend_from_slice(arguments);
                }
            }
        }
        reason
    }

    /// The comparisons, with what their conditionals are.
    pub(super) fn comparisons(&self, pool: &mut TermPool) -> Vec<Comparison> {
        let mut found = Vec::new();
        let mut done = HashMap::new();
        for (&term, &holds) in &self.comparisons {
            let formula = self.chosen(pool, term, &mut done);
            match *pool.op(formula) {
                Op::Bool(_) => {}
                Op::Not => {
                    found.push(Comparison { formula: pool.arguments(formula)[0], holds: !holds });
                }
                _ => found.push(Comparison { formula, holds }),
            }
        }
        found
    }

    /// The term without conditionals.
    fn chosen(&self, pool: &mut TermPool, root: Term, done: &mut HashMap<Term, Term>) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let parts = self.choices.get(&term).map_or_else(|| pool.arguments(term).to_vec(), |&it| vec![it]);
            let before = stack.len();
            stack.extend(parts.iter().filter(|part| !done.contains_key(part)));
            if stack.len() == before {
                let parts: Vec<Term> = parts.iter().map(|part| done[part]).collect();
                let is_choice = self.choices.contains_key(&term);
                let result = if is_choice { parts[0] } else { pool.rebuild(term, &parts) };
                done.insert(term, result);
            }
        }
        done[&root]
    }
}

/// How simple a formula is: literals come first.
fn depth(pool: &TermPool, formula: Term) -> usize {
    match pool.op(formula) {
        Op::Not => depth(pool, pool.arguments(formula)[0]),
        Op::And | Op::Or | Op::Ite => 1,
        _ => 0,
    }
}

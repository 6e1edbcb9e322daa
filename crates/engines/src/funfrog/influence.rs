//! Which summaries an error trace rests on: the dependency analysis of counterexample-guided refinement.
//!
//! A model says that the goal is violated. From that formula on, we follow what its value rests on in the model: of a
//! conditional the branch that is taken, of a false conjunction one conjunct that is false; from what a call is given to the
//! arguments, and from what a call gives back to the body that was left.

use std::collections::{BTreeSet, HashSet};

use rorqual_encoding::{Call, Encoding};
use rorqual_inference::contracts::{exit_to, value_at};
use rorqual_logic::{Assignment, Evaluator, Op, Sort, Term, TermPool};

use super::partitions::{Material, Partitions, Site};

/// The calls that are not looked into, and that a violation rests on.
#[derive(Debug, Default)]
pub(super) struct Influence {
    /// What they give back matters, or that they fail.
    pub(super) by_values: BTreeSet<Site>,
    /// Only that they end matters.
    pub(super) by_ending: BTreeSet<Site>,
}

/// What a symbol of a call tells.
enum Told {
    Fails,
    Ends(rorqual_cfa::LocationId),
    Output(rorqual_encoding::CellId),
}

impl Influence {
    /// What it rests on that the goal is violated in a model.
    pub(super) fn of(
        encoding: &mut Encoding<'_>,
        partitions: &mut Partitions,
        material: &Material<'_>,
        model: &Assignment,
    ) -> Influence {
        let mut influence = Influence::default();
        let failure = material.goal.failure(encoding, partitions.procedure(0), material.known);
        let (mut open, mut seen) = (vec![failure], HashSet::new());
        while let Some(term) = open.pop() {
            for symbol in support(&encoding.pool, model, term) {
                if seen.insert(symbol) {
                    open.extend(influence.behind(encoding, partitions, material, model, symbol));
                }
            }
        }
        influence
    }

    /// What a symbol stands for, if that is a term; or the call is one that matters.
    fn behind(
        &mut self,
        encoding: &mut Encoding<'_>,
        partitions: &mut Partitions,
        material: &Material<'_>,
        model: &Assignment,
        symbol: Term,
    ) -> Option<Term> {
        let (number, inner) = partitions.copies.origin(symbol);
        let copy = partitions.copies.get(number);
        let Op::Symbol(id) = *encoding.pool.op(inner) else { return None };
        if let Some(cell) = encoding.cells().of_symbol(id) {
            let (caller, call) = copy.caller?;
            let input = partitions.copies.get(caller).body.calls[call].input(encoding, cell);
            return Some(partitions.copies.term(encoding, caller, input));
        }
        let body = copy.body.clone();
        let (call, told) =
            body.calls.iter().enumerate().find_map(|(at, call)| Some((at, told(call, inner)?)))?;
        let Some(entered) = partitions.entered((number, call)) else {
            let matters = match told {
                Told::Ends(_) => &mut self.by_ending,
                Told::Fails | Told::Output(_) => &mut self.by_values,
            };
            matters.insert((number, call));
            return None;
        };
        let called = partitions.copies.get(entered).body.clone();
        let term = match told {
            Told::Fails => material.goal.failure(encoding, partitions.procedure(entered), material.known),
            Told::Ends(location) => exit_to(&called, location)?.guard,
            Told::Output(cell) => {
                let mut ends = body.calls[call].ends.iter();
                let taken = ends.find(|&&(_, ends)| {
                    let ends = partitions.copies.term(encoding, number, ends);
                    Evaluator::new(&encoding.pool, model).holds(ends)
                });
                value_at(encoding, exit_to(&called, taken?.0)?, cell)
            }
        };
        Some(partitions.copies.term(encoding, entered, term))
    }
}

/// What a symbol tells of a call, if it is one of it.
fn told(call: &Call, symbol: Term) -> Option<Told> {
    if call.fails == symbol {
        return Some(Told::Fails);
    }
    let ends = call.ends.iter().find(|&&(_, ends)| ends == symbol).map(|&(exit, _)| Told::Ends(exit));
    ends.or_else(|| {
        let mut outputs = call.outputs.iter();
        outputs.find(|&&(_, output)| output == symbol).map(|&(cell, _)| Told::Output(cell))
    })
}

/// The symbols that the value of a term rests on in a model.
fn support(pool: &TermPool, model: &Assignment, term: Term) -> Vec<Term> {
    let mut evaluator = Evaluator::new(pool, model);
    let (mut open, mut seen, mut symbols) = (vec![term], HashSet::new(), Vec::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let arguments = pool.arguments(term);
        match pool.op(term) {
            Op::Symbol(_) => symbols.push(term),
            Op::And | Op::Or => {
                // One conjunct that is false is enough, and one disjunct that is true.
                let decides = *pool.op(term) == Op::Or;
                match arguments.iter().find(|&&one| evaluator.holds(one) == decides) {
                    Some(&one) if evaluator.holds(term) == decides => open.push(one),
                    _ => open.extend(arguments),
                }
            }
            Op::Ite if pool.sort(arguments[0]) == Sort::Bool => {
                let taken = if evaluator.holds(arguments[0]) { 1 } else { 2 };
                open.extend([arguments[0], arguments[taken]]);
            }
            _ => open.extend(arguments),
        }
    }
    symbols
}

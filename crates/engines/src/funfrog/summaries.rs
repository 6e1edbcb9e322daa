//! Summaries from the interpolants of one refutation, and what is known of all calls by them.

use std::collections::{BTreeMap, HashMap};

use rorqual_encoding::{Encoding, Procedure};
use rorqual_inference::contracts::{Contracts, Part};
use rorqual_logic::Term;

use super::goal::Goal;
use super::partitions::Partitions;
use crate::copies::ends;
use crate::solver::PathSolver;

/// What was proved of procedures.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    /// What holds at exits, whatever a call was given.
    pub(super) at_exits: Contracts,
    /// For each goal that a call of a procedure may violate: one of these excludes it, and holds for each call.
    guards: BTreeMap<(usize, Procedure), Vec<Term>>,
}

/// What the interpolant of a call says, over the cells before and after.
struct Summary {
    /// When the goal may be violated inside.
    fails: Term,
    at_exits: Vec<(rorqual_cfa::LocationId, Term)>,
}

impl Summaries {
    /// Adds what the interpolants of a tree say of calls. What follows from what is known is left out.
    pub(super) fn add(
        &mut self,
        encoding: &mut Encoding<'_>,
        solver: &mut PathSolver,
        (number, goal): (usize, &Goal),
        partitions: &mut Partitions,
        interpolants: &[Term],
    ) {
        for call in 1..partitions.len() {
            let procedure = partitions.procedure(call);
            let interpolant = interpolants[partitions.position(call)];
            let summary = summary(encoding, partitions, call, interpolant);
            for (exit, formula) in summary.at_exits {
                let known = self.at_exits.spec(encoding, procedure).summary(&mut encoding.pool, exit);
                if !solver.entails(encoding, known, formula) {
                    self.at_exits.push(Part::Summary(procedure, exit), formula);
                }
            }
            if goal.may_fail_in(procedure) {
                let guard = encoding.pool.not(summary.fails);
                let guards = self.guards.entry((number, procedure)).or_default();
                if !guards.contains(&guard) {
                    guards.push(guard);
                }
            }
        }
    }

    /// All of it as contracts. A procedure that may violate a goal, and was never looked into for it, is never called.
    pub(super) fn contracts(
        &self,
        encoding: &mut Encoding<'_>,
        goals: &[Goal],
        procedures: &[Procedure],
    ) -> Contracts {
        let mut contracts = self.at_exits.clone();
        let first = encoding.first_procedure();
        for (number, goal) in goals.iter().enumerate() {
            let failing = procedures.iter().filter(|&&one| one != first && goal.may_fail_in(one));
            for &procedure in failing {
                let guards = self.guards.get(&(number, procedure)).map_or(&[][..], Vec::as_slice);
                contracts.push(Part::Guard(procedure), encoding.pool.or(guards));
            }
        }
        contracts
    }
}

/// The summary that an interpolant is. It speaks of what a call is given, what it gives back, and how it ends: of one way
/// to end at a time, the others do not happen. If a call fails, what it gives back may be anything, for instance what it is
/// given.
fn summary(
    encoding: &mut Encoding<'_>,
    partitions: &mut Partitions,
    number: usize,
    interpolant: Term,
) -> Summary {
    let copy = partitions.copies.get(number);
    let mut before = HashMap::new();
    for (&cell, &symbol) in &copy.given {
        before.insert(symbol, encoding.cells().get(cell).symbol);
    }
    let (caller, call) = copy.caller.expect("only calls have summaries");
    let call = partitions.copies.get(caller).body.calls[call].clone();
    let mut after = before.clone();
    for &(cell, output) in &call.outputs {
        let output = partitions.copies.term(encoding, caller, output);
        before.insert(output, encoding.cells().get(cell).symbol);
        after.insert(output, encoding.after(cell));
    }
    let (top, bottom) = (encoding.pool.top(), encoding.pool.bottom());
    let flags: Vec<Term> =
        ends(&call).into_iter().map(|(_, flag)| partitions.copies.term(encoding, caller, flag)).collect();
    let mut if_only = |flag: Term, mut values: HashMap<Term, Term>| {
        values.extend(flags.iter().map(|&one| (one, if one == flag { top } else { bottom })));
        encoding.pool.substitute(interpolant, &values)
    };
    let fails = if_only(flags[0], before);
    let exits = call.ends.iter().zip(&flags[1..]);
    let at_exits = exits.map(|(&(exit, _), &flag)| (exit, if_only(flag, after.clone()))).collect();
    Summary { fails, at_exits }
}

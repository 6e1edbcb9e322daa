//! The checker of claims that every execution is bounded.
//!
//! The program is executed once for all inputs, with terms for values: calls are entered, and loops and recursion are unwound
//! as far as the claim says (`machine.rs`). What inputs do not influence is computed on the way, by the constructors of terms.
//! Whatever is not modelled exactly has any value, or must not be reached.
//!
//! On the way, everything that must not happen is collected with its condition, in the order of execution: errors, a loop that
//! goes on or a function that calls itself beyond the bounds, something that cannot be followed; and operations that C
//! leaves undefined for some operands. Then it is shown that nothing of this happens, by a refutation that is checked. An operation
//! that may be undefined can be assumed to be defined. In each execution what counts is the first thing that happens: behind an
//! operation that is undefined, nothing is claimed.

mod addresses;
mod call;
mod expression;
mod faults;
mod floating;
mod induction;
mod kept;
mod library;
mod machine;
mod memory;
mod offsets;
mod order;
mod place;
mod plan;
mod state;

use std::collections::BTreeSet;

use rorqual_cfa::{Hazard, Program};
use rorqual_evidence::Unwinding;
use rorqual_logic::{Evaluator, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, Model};

use crate::Refutations;
use crate::check::{Obligation, Outcome, Premises, Rejection, Visitor};
use machine::{Event, Machine};

/// The stack of the thread that executes: calls of the program are calls there.
const STACK: usize = 1 << 29;

/// A block of more bytes is not set one by one.
const LARGEST_BLOCK: u64 = 1 << 16;

/// Why a check ends early.
enum Stop {
    Rejected(Rejection),
    Limit { obligation: String, reason: GaveUp },
}

/// What was proved.
struct Proved {
    obligations: usize,
    rests_on: BTreeSet<Hazard>,
}

/// The last obligation, as a visitor sees it.
type Shown = Option<(TermPool, Obligation)>;

/// Checks bounds of a program under premises; the visitor sees the obligation that is left at the end.
pub(crate) fn check(
    program: &Program,
    unwinding: &Unwinding,
    premises: Premises<'_>,
    limits: &Limits,
    visitor: &mut dyn Visitor,
    refutations: &mut Refutations,
) -> Outcome {
    let (result, shown) = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let execution =
            builder.spawn_scoped(scope, || prove(program, unwinding, premises, limits, refutations));
        match execution.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => (Err(rejected("the program can be executed", error.to_string())), None),
        }
    });
    if let Some((pool, obligation)) = shown
        && let Err(reason) = visitor.obligation(&pool, &obligation)
    {
        let contracts = Vec::new();
        return Outcome::Rejected(Rejection { obligation: obligation.claim, reason, contracts });
    }
    match result {
        Ok(Proved { obligations, rests_on }) => {
            Outcome::Accepted { obligations, rests_on: rests_on.into_iter().collect() }
        }
        Err(Stop::Rejected(rejection)) => Outcome::Rejected(rejection),
        Err(Stop::Limit { obligation, reason }) => Outcome::Unknown { obligation, reason },
    }
}

fn rejected(obligation: impl Into<String>, reason: impl Into<String>) -> Stop {
    let (obligation, reason, contracts) = (obligation.into(), reason.into(), Vec::new());
    Stop::Rejected(Rejection { obligation, reason, contracts })
}

/// Limits with no more conflicts than these.
fn within(limits: &Limits, conflicts: u32) -> Limits {
    limits.clone().with_conflicts(limits.conflicts().map_or(conflicts, |most| most.min(conflicts)))
}

const CLAIM: &str = "nothing that must not happen happens within the bounds";

fn prove(
    program: &Program,
    unwinding: &Unwinding,
    premises: Premises<'_>,
    limits: &Limits,
    refutations: &mut Refutations,
) -> (Result<Proved, Stop>, Shown) {
    let solver = BitVecSolver::checked_with(refutations.next(), refutations.keeps());
    let mut machine = Machine::new(program, unwinding, solver, limits);
    let Some(body) = &program.functions[program.start].body else {
        return (Err(rejected(CLAIM, "the program has no start-up code")), None);
    };
    machine.enter(program.start, body, None);
    let start = machine.state.clone();
    if let Err(reason) = machine.run(body, start) {
        return (Err(Stop::Limit { obligation: CLAIM.to_owned(), reason }), None);
    }
    let mut formulas = Vec::new();
    let result = conclude(&mut machine, premises, limits, &mut formulas);
    refutations.keep(machine.transcript());
    let obligation =
        Obligation { claim: CLAIM.to_owned(), formulas, cases: Vec::new(), alternatives: Vec::new() };
    (result, Some((machine.store.pool, obligation)))
}

/// Refutes that something happens. What is assumed grows by operations that may be undefined, if it may grow.
fn conclude(
    machine: &mut Machine<'_>,
    premises: Premises<'_>,
    limits: &Limits,
    formulas: &mut Vec<Term>,
) -> Result<Proved, Stop> {
    let mut assumed: BTreeSet<Hazard> = premises.given().iter().copied().collect();
    loop {
        let violation = violation(machine, &assumed);
        let axioms = machine.axioms(&[violation]).map_err(|reason| rejected(CLAIM, reason))?;
        *formulas = axioms;
        formulas.push(violation);
        match machine.decide(formulas, limits) {
            Answer::Unsat(_) => {
                return Ok(Proved { obligations: machine.proved + 1, rests_on: assumed });
            }
            Answer::Unknown(reason) => return Err(Stop::Limit { obligation: CLAIM.to_owned(), reason }),
            // Models of an earlier check are only claimed to be models.
            Answer::Sat(model) if !formulas.iter().all(|&one| model.satisfies(&machine.store.pool, one)) => {
                return Err(rejected(CLAIM, "the solver's model is wrong"));
            }
            Answer::Sat(model) => match first(machine, &model) {
                Some(Event::Hazard(hazard)) if premises.may_grow() && assumed.insert(hazard) => {}
                Some(Event::Hazard(hazard)) => {
                    let what = hazard.assumption(machine.program);
                    return Err(rejected(format!("that {what}"), "it may be undefined"));
                }
                Some(Event::Failure(claim, what)) => return Err(rejected(claim, what)),
                None => return Err(rejected(CLAIM, "the solver's model is wrong")),
            },
        }
    }
}

/// That something happens before which no operation was undefined that is assumed to be defined.
fn violation(machine: &mut Machine<'_>, assumed: &BTreeSet<Hazard>) -> Term {
    let is_assumed = |event: &Event| matches!(event, Event::Hazard(hazard) if assumed.contains(hazard));
    let pool = &mut machine.store.pool;
    let mut later = pool.bottom();
    let mut events = machine.events.iter().rev().peekable();
    while let Some((condition, event)) = events.next() {
        let is_excluded = is_assumed(event);
        let mut run = vec![*condition];
        while let Some((condition, _)) = events.next_if(|(_, event)| is_assumed(event) == is_excluded) {
            run.push(*condition);
        }
        if is_excluded {
            let happens = pool.or(&run);
            let never = pool.not(happens);
            later = pool.and2(never, later);
        } else {
            run.push(later);
            later = pool.or(&run);
        }
    }
    later
}

/// What happens first in a model.
fn first(machine: &Machine<'_>, model: &Model) -> Option<Event> {
    let mut values = Evaluator::new(&machine.store.pool, model.assignment());
    let mut events = machine.events.iter();
    events.find(|(condition, _)| values.holds(*condition)).map(|(_, event)| event.clone())
}

//! What is done unless the user says otherwise.

use std::time::Duration;

use rorqual_engines::ahead::Ahead;
use rorqual_engines::bmc::Bmc;
use rorqual_engines::impact::Impact;
use rorqual_engines::induction::Induction;
use rorqual_engines::reduction::Reduction;
use rorqual_engines::testing::{Runs, Testing};
use rorqual_engines::whale::Whale;
use rorqual_engines::{Detail, Undefined};

use crate::condition::Condition::{
    self, Always, HasHeap, HasLoopsWithArrays, HasLoopsWithoutArrays, HasModels, Recursive, RunsAreLeft,
    Untested,
};
use crate::facts::{LookAhead, budgeted_ic3};
use crate::race::Ration;
use crate::strategy::{Help, Part, Portion, Strategy};

/// First the runs that take no time worth mentioning. What they leave is worth a thread of its own.
const SHORT_RUNS: Testing = Testing { runs: Runs::Short };
const LONG_RUNS: Testing = Testing { runs: Runs::Long };

/// Most bugs are shallow: at most so many blocks, terms and conflicts are spent on them before proofs are tried.
const SHALLOW: Ahead = Ahead {
    steps: Some(24),
    terms: 200_000,
    queries: usize::MAX,
    conflicts: Some(1_000),
    undefined: Undefined::EndsEarly,
};

/// A formula may be hard, and most programs with such formulas need invariants: the time for few executions, and for many.
const FEW: Portion = Portion { part: 0.25, most: Duration::from_secs(30) };
/// What a loop keeps is found soon, or it takes many questions to find it.
const INDUCTION: Portion = Portion { part: 0.15, most: Duration::from_secs(2) };
const LONG_INDUCTION: Portion = Portion { part: 0.25, most: Duration::from_mins(2) };
/// Summaries that few unwindings suggest hold soon or not at all.
const REDUCTION: Portion = Portion { part: 0.1, most: Duration::from_secs(20) };
/// Recursion that needs no summary needs larger bounds, which summaries must leave time for.
const SUMMARIES: Portion = Portion { part: 0.35, most: Duration::from_mins(2) };
/// What an array holds seldom matters to a protocol; where it does, frames about it are of no use.
const BUFFERS: Portion = Portion { part: 0.1, most: Duration::from_secs(15) };
const MANY: Portion = Portion { part: 0.3, most: Duration::from_mins(2) };

/// All executions, where these are few: so much is spent on them before proofs are tried.
fn few_executions() -> Bmc {
    Bmc {
        last: Some(32),
        edges: 100_000,
        queries: Some(600),
        feasibility: 300,
        terms: 600_000,
        conflicts: Some(30_000),
        ..Bmc::default()
    }
}

/// Loops whose iterations keep what they check.
fn loops_by_induction() -> Induction {
    Induction {
        last: Some(2),
        edges: 100_000,
        queries: Some(150),
        feasibility: 300,
        terms: 600_000,
        conflicts: Some(30_000),
        ..Induction::default()
    }
}

/// All executions, once cheap proofs have failed.
pub(crate) fn many_executions() -> Bmc {
    Bmc {
        last: Some(256),
        edges: 200_000,
        queries: Some(600),
        feasibility: 500,
        terms: 1_000_000,
        conflicts: Some(50_000),
        ..Bmc::default()
    }
}

/// Most proofs about large programs do not depend on the heap, and formulas are much smaller without it.
const HEAP_FREE_REFINEMENTS: usize = 400;
const HEAP_FREE_CONFLICTS: u32 = 20_000;

/// Test runs, and then proofs.
pub fn auto() -> Strategy {
    Strategy::Sequence(vec![
        part("a run costs next to nothing compared with a formula", Untested, Strategy::engine(SHORT_RUNS)),
        part(
            "longer runs find deep bugs while proofs are tried",
            Always,
            Strategy::Race(
                vec![
                    part("long runs", RunsAreLeft, Strategy::engine(LONG_RUNS)),
                    part("proofs", Always, proofs()),
                ],
                Ration::Unlimited,
            ),
        ),
    ])
}

/// Searches for shallow bugs and easy proofs, then the engine that suits the program, with all help.
fn proofs() -> Strategy {
    Strategy::Sequence(vec![
        part(
            "many programs are bounded, and most bugs are shallow",
            Always,
            Strategy::AtMost(FEW, Box::new(Strategy::engine(few_executions()))),
        ),
        part(
            "what is checked in a loop may be kept by it",
            Always,
            Strategy::AtMost(INDUCTION, Box::new(Strategy::engine(loops_by_induction()))),
        ),
        part("what library functions do may not matter", HasModels, without_models(heap_free())),
        part("what is on the heap may not matter", HasHeap, heap_free()),
        part(
            "what holds for few unwindings may hold for all",
            Recursive,
            Strategy::AtMost(REDUCTION, Box::new(Strategy::engine(Reduction::default()))),
        ),
        part("recursion needs summaries", Recursive, Strategy::AtMost(SUMMARIES, Box::new(whale()))),
        protocols(),
        part(
            "protocols fill buffers as well",
            HasLoopsWithArrays,
            Strategy::AtMost(BUFFERS, Box::new(Strategy::engine(budgeted_ic3()))),
        ),
        part(
            "what loops keep may take longer to find",
            Always,
            Strategy::AtMost(LONG_INDUCTION, Box::new(Strategy::engine(loops_by_induction()))),
        ),
        part(
            "bounds may be larger",
            Always,
            Strategy::AtMost(MANY, Box::new(Strategy::engine(many_executions()))),
        ),
        summaries(Recursive),
        part("interpolants prove the rest", Always, interpolation()),
        part(
            "loops of library functions may stand in the way",
            HasModels,
            without_models(Strategy::Sequence(vec![
                summaries(Recursive),
                protocols(),
                part("interpolants prove the rest", Always, interpolation()),
            ])),
        ),
    ])
}

/// The parts of `auto` that interpolation is about.
pub(crate) fn interpolation_parts() -> Vec<Part> {
    vec![
        part("what is on the heap may not matter", HasHeap, heap_free()),
        protocols(),
        part("interpolants prove the rest", Always, interpolation()),
    ]
}

pub(crate) fn part(why: &'static str, when: Condition, what: Strategy) -> Part {
    Part { why, when, what }
}

/// Test runs, short ones and long ones.
pub(crate) fn testing() -> Part {
    let all = Testing { runs: Runs::All };
    part("a run costs next to nothing compared with a formula", Untested, Strategy::engine(all))
}

/// WHALE with contracts.
pub(crate) fn summaries(when: Condition) -> Part {
    part("recursion needs summaries", when, whale())
}

fn whale() -> Strategy {
    Strategy::with(Whale::default(), Help::Contracts)
}

/// IC3 with a budget.
pub(crate) fn protocols() -> Part {
    part("protocols have few modes", HasLoopsWithoutArrays, Strategy::engine(budgeted_ic3()))
}

fn without_models(strategy: Strategy) -> Strategy {
    Strategy::WithoutModels(Box::new(strategy))
}

/// IMPACT with all that helps it.
fn interpolation() -> Strategy {
    Strategy::with(Impact::default(), Help::Facts(Some(LookAhead::default())))
}

/// IMPACT without the content of the heap.
fn heap_free() -> Strategy {
    let impact = Impact {
        detail: Detail::HeapFree,
        refinements: Some(HEAP_FREE_REFINEMENTS),
        conflicts: Some(HEAP_FREE_CONFLICTS),
        ..Impact::default()
    };
    Strategy::with(impact, Help::Facts(None))
}

/// The search for shallow bugs, with executions that go on after undefined behaviour: what it finds shows that a proof
/// rests on undefined behaviour.
pub fn beyond_undefined() -> Ahead {
    Ahead { undefined: Undefined::GoesOn, ..SHALLOW }
}

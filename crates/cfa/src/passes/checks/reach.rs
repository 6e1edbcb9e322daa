//! Tests of whether assertions are reached at all: a proof that nothing is violated says nothing about an
//! assertion that no execution comes to.

use std::collections::BTreeSet;

use rorqual_source::Span;

use super::Rebuilt;
use crate::automaton::{Automaton, Edge, ErrorKind, HaltKind, Operation};
use crate::check::Check;
use crate::index::{FunctionId, LocationId};
use crate::program::Program;

/// A place where the program decides whether its specification is violated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachTest {
    function: FunctionId,
    /// Where the decision starts.
    locations: BTreeSet<LocationId>,
    /// The assertion, or the call of an error function.
    pub span: Span,
}

/// All places where the program decides whether its specification is violated, in its order.
pub fn reach_tests(program: &Program) -> Vec<ReachTest> {
    let mut tests: Vec<ReachTest> = Vec::new();
    for (function, details) in program.functions.iter() {
        let Some(body) = &details.body else { continue };
        let errors = body.edges().values().filter(|edge| is_violation(&edge.operation));
        for error in errors {
            let into = body.edges().values().filter(|edge| edge.target == error.source);
            let branches = into.filter(|edge| matches!(edge.operation, Operation::Assume { .. }));
            let locations: BTreeSet<LocationId> =
                branches.flat_map(|edge| decision(body, edge, error.span)).collect();
            if !locations.is_empty() {
                tests.push(ReachTest { function, locations, span: error.span });
            }
        }
    }
    tests
}

/// Where the decision starts that ends with a branch to an error: `a || b` and `a && b` are one decision with two
/// branches, which share where they lead to. What an assertion decides is inside of its text; before a call of an error
/// function, nested `if` statements with nothing between them count as one decision.
fn decision(body: &Automaton, last: &Edge, error: Span) -> BTreeSet<LocationId> {
    let targets = |at: LocationId| body.outgoing(at).map(|edge| body.edges()[edge].target);
    let is_assertion = is_inside(last.span, error);
    let branches = |at: LocationId| {
        let is_branch = |edge: &Edge| {
            let is_assumption = matches!(edge.operation, Operation::Assume { .. });
            is_assumption && (!is_assertion || is_inside(edge.span, error))
        };
        body.outgoing(at).count() > 1 && body.outgoing(at).all(|edge| is_branch(&body.edges()[edge]))
    };
    let exits: BTreeSet<LocationId> = targets(last.source).collect();
    let mut parts = BTreeSet::from([last.source]);
    loop {
        let before = parts.len();
        for edge in body.edges().values() {
            let fits = |target| parts.contains(&target) || exits.contains(&target);
            if parts.contains(&edge.target) && branches(edge.source) && targets(edge.source).all(fits) {
                parts.insert(edge.source);
            }
        }
        if parts.len() == before {
            break;
        }
    }
    let is_start = |&part: &LocationId| {
        let mut into = body.edges().values().filter(|edge| edge.target == part);
        part == body.entry() || into.any(|edge| !parts.contains(&edge.source))
    };
    parts.iter().copied().filter(is_start).collect()
}

fn is_inside(inner: Span, outer: Span) -> bool {
    inner.file() == outer.file() && inner.start() >= outer.start() && inner.end() <= outer.end()
}

fn is_violation(operation: &Operation) -> bool {
    matches!(operation, Operation::Error(error) if error.check() == Check::Assertions)
}

/// The program in which coming to the test is the only violation.
pub fn add_reach_test(mut program: Program, test: &ReachTest) -> Program {
    for function in program.functions.ids() {
        let Some(old) = program.functions[function].body.take() else { continue };
        let mut new = Rebuilt::new(&old);
        for edge in old.edges().values() {
            let (from, to) = (new.at(edge.source), new.at(edge.target));
            if function == test.function && test.locations.contains(&edge.source) {
                continue;
            }
            let operation = match &edge.operation {
                operation if is_violation(operation) => Operation::Halt(HaltKind::Abort),
                operation => operation.clone(),
            };
            new.builder.edge(from, to, operation, edge.span);
        }
        if function == test.function {
            let what = "an assertion is reached".to_owned();
            let error = Operation::Error(ErrorKind::Check { check: Check::UnreachableCode, what });
            for &location in &test.locations {
                new.builder.edge(new.at(location), new.sink, error.clone(), test.span);
            }
        }
        new.finish(&mut program, function, &old);
    }
    program
}

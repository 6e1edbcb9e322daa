//! Tests of whether assertions are reached at all: a proof that nothing is violated says nothing about an
//! assertion that no execution comes to.

use std::collections::BTreeSet;

use rorqual_source::Span;

use super::Rebuilt;
use crate::automaton::{ErrorKind, HaltKind, Operation};
use crate::check::Check;
use crate::index::{FunctionId, Id, LocationId};
use crate::program::Program;

/// A place where the program decides whether its specification is violated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachTest {
    function: FunctionId,
    location: LocationId,
    /// The assertion, or the call of an error function.
    pub span: Span,
}

/// All places where the program decides whether its specification is violated, in its order: the locations with a
/// branch to an error.
pub fn reach_tests(program: &Program) -> Vec<ReachTest> {
    let mut tests = BTreeSet::new();
    for (function, details) in program.functions.iter() {
        let Some(body) = &details.body else { continue };
        let errors = body.edges().values().filter(|edge| is_violation(&edge.operation));
        for error in errors {
            let into = body.edges().values().filter(|edge| edge.target == error.source);
            let branches = into.filter(|edge| matches!(edge.operation, Operation::Assume { .. }));
            tests.extend(branches.map(|edge| ReachTest {
                function,
                location: edge.source,
                span: error.span,
            }));
        }
    }
    tests.into_iter().collect()
}

fn is_violation(operation: &Operation) -> bool {
    matches!(operation, Operation::Error(ErrorKind::Assertion | ErrorKind::Call { .. }))
}

/// The program in which coming to the test is the only violation.
pub fn add_reach_test(mut program: Program, test: &ReachTest) -> Program {
    for function in program.functions.ids() {
        let Some(old) = program.functions[function].body.take() else { continue };
        let mut new = Rebuilt::new(&old);
        for edge in old.edges().values() {
            let (from, to) = (new.at(edge.source), new.at(edge.target));
            if function == test.function && edge.source == test.location {
                continue;
            }
            let operation = match &edge.operation {
                operation if is_violation(operation) => Operation::Halt(HaltKind::Abort),
                operation => operation.clone(),
            };
            new.builder.edge(from, to, operation, edge.span);
        }
        if function == test.function {
            let (from, what) = (new.drafts[test.location.index()], "an assertion is reached".to_owned());
            let error = Operation::Error(ErrorKind::Check { check: Check::UnreachableCode, what });
            new.builder.edge(from, new.sink, error, test.span);
        }
        new.finish(&mut program, function, &old);
    }
    program
}

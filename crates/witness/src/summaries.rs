//! Contracts of functions and loops as C expressions, for people.

use rorqual_cfa::Program;
use rorqual_evidence::{Contract, Invariant};
use rorqual_logic::Term;
use rorqual_source::Span;

use crate::expression::c_expression;
use crate::scope::Scope;

/// The guard and the summary of a function or loop. `\old(x)` is what `x` was at the start, `\result` what the
/// function returns, as in the language ACSL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The name of the function.
    pub function: String,
    /// The loop statement, or the function.
    pub span: Span,
    /// Whether it is about a loop.
    pub is_loop: bool,
    /// What must hold at its start.
    pub guard: String,
    /// What holds at its end: one for each exit.
    pub summaries: Vec<String>,
}

/// What functions and loops require and ensure, in the order of functions and locations. Parts that cannot be written in C
/// over names in scope are left out.
pub fn summaries(program: &Program, invariant: &Invariant) -> Vec<Summary> {
    invariant.contracts.iter().map(|contract| summary(program, invariant, contract)).collect()
}

fn summary(program: &Program, invariant: &Invariant, contract: &Contract) -> Summary {
    let function = &program.functions[contract.function];
    let body = function.body.as_ref();
    let statement = contract
        .head
        .zip(body)
        .and_then(|(head, body)| body.locations()[head].loop_statements.first().copied());
    let span = statement.unwrap_or(function.span);
    let scope = Scope::new(program, contract.function, span);
    let write = |formula: Term| {
        let resolve = |cell: &str| scope.in_contract(cell, ["\\old(", ")"]);
        c_expression(&invariant.pool, formula, program.types.model(), &resolve)
            .unwrap_or_else(|| "1".to_owned())
    };
    Summary {
        function: function.name.clone(),
        span,
        is_loop: contract.head.is_some(),
        guard: write(contract.requires),
        summaries: contract.ensures.iter().map(|&(_, formula)| write(formula)).collect(),
    }
}

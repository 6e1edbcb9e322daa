//! Proofs as witnesses: the invariants of loops, and the contracts of functions, as C expressions.

use std::collections::BTreeMap;

use rorqual_cfa::{CellNames, FunctionId, LocationId, Program};
use rorqual_evidence::{Contract, Invariant};
use rorqual_logic::Term;
use rorqual_source::Span;

use crate::expression::c_expression;
use crate::model::{ContractEntry, InvariantEntry, InvariantKind};
use crate::places::location;
use crate::scope::Scope;

/// The loop invariants that an inductive invariant implies, in the order of functions and locations. A loop whose
/// invariant cannot be written over names in scope has no entry. Neither has a `do` loop: its invariant is about
/// the start of its body, which is not where the format evaluates it.
pub fn loop_invariants(program: &Program, invariant: &Invariant) -> Vec<InvariantEntry> {
    let mut formulas: BTreeMap<(FunctionId, LocationId), Vec<Term>> = BTreeMap::new();
    for one in &invariant.locations {
        formulas.entry((one.calls.function(program), one.location)).or_default().push(one.formula);
    }
    for contract in &invariant.contracts {
        // What a loop requires holds whenever control is at its head.
        if let Some(head) = contract.head {
            formulas.entry((contract.function, head)).or_default().push(contract.requires);
        }
    }
    let mut entries = Vec::new();
    for ((function, place), formulas) in formulas {
        let Some(body) = &program.functions[function].body else { continue };
        for &statement in &body.locations()[place].loop_statements {
            entries.extend(entry(program, invariant, function, statement, &formulas));
        }
    }
    entries
}

/// Contexts of calls have no place in the format, so the claim is that one of their formulas holds.
fn entry(
    program: &Program,
    invariant: &Invariant,
    function: FunctionId,
    statement: Span,
    formulas: &[Term],
) -> Option<InvariantEntry> {
    // Library functions that were linked to the program are in no file that others could read.
    if program.sources.is_in_library(statement) || program.sources.text(statement).starts_with("do") {
        return None;
    }
    let scope = Scope::new(program, function, statement);
    let model = program.types.model();
    let resolve = |cell: &str| scope.lvalue(cell);
    let write = |&formula: &Term| c_expression(&invariant.pool, formula, model, &resolve);
    let mut texts: Vec<String> = formulas.iter().map(write).collect::<Option<_>>()?;
    texts.dedup();
    let value = match texts.as_slice() {
        [only] => only.clone(),
        several => several.iter().map(|text| format!("({text})")).collect::<Vec<String>>().join(" || "),
    };
    let name = &program.functions[function].name;
    let location = location(program, statement.file()?, statement.start(), Some(name));
    Some(InvariantEntry { kind: InvariantKind::Loop, location, value })
}

/// What functions require and ensure, as far as that can be written over names in scope. Functions of which nothing is
/// said have no entry.
pub fn function_contracts(program: &Program, invariant: &Invariant) -> Vec<ContractEntry> {
    let of_functions = invariant.contracts.iter().filter(|contract| contract.head.is_none());
    of_functions.filter_map(|contract| contract_entry(program, invariant, contract)).collect()
}

fn contract_entry(program: &Program, invariant: &Invariant, contract: &Contract) -> Option<ContractEntry> {
    let function = &program.functions[contract.function];
    let file = function.span.file()?;
    if program.sources.is_in_library(function.span) {
        return None;
    }
    let scope = Scope::new(program, contract.function, function.span);
    // A parameter in a condition on the end is what it was at the start, whatever its cell holds then.
    let prefix = format!("{}::", function.name);
    let is_parameter = |cell: &str| {
        let is_result = cell.starts_with(&CellNames::result(program, contract.function));
        cell.starts_with(&prefix) && !is_result
    };
    let write = |formula: Term, is_end: bool| {
        let resolve = |cell: &str| {
            if is_end && is_parameter(cell) { None } else { scope.in_contract(cell, ["\\at(", ", Old)"]) }
        };
        c_expression(&invariant.pool, formula, program.types.model(), &resolve)
    };
    let requires = write(contract.requires, false);
    // A function has one end.
    let ensures = contract.ensures.first().and_then(|&(_, formula)| write(formula, true));
    if requires.is_none() && ensures.is_none() {
        return None;
    }
    let or_true = |text: Option<String>| text.unwrap_or_else(|| "1".to_owned());
    let location = location(program, file, function.span.start(), Some(&function.name));
    Some(ContractEntry { location, requires: or_true(requires), ensures: or_true(ensures) })
}

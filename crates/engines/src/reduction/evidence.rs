//! Checked summaries as contracts, and the invariant of the rest of the program.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::{CellNames, FunctionId, Id, LocationId, Program};
use rorqual_evidence::{Contract, Invariant, LocationInvariant};
use rorqual_inference::contracts::weaker_over;
use rorqual_logic::{Op, Term, TermPool};

use super::check::Checked;
use super::program::{Names, Recursion, Reduced};
use super::summary::Summaries;

/// The proof for others.
pub(super) fn evidence(
    program: &Program,
    recursion: &Recursion,
    summaries: &Summaries,
    checked: &Checked,
) -> Invariant {
    let mut pool = TermPool::new();
    let (reduced, invariant) = &checked.main;
    let locations = original_invariant(program, reduced, invariant, &mut pool);
    let mut contracts = Vec::new();
    for function in recursion.functions() {
        let Some(body) = &program.functions[function].body else { continue };
        let summary = summaries.of(function);
        let ensures = conjunction(&mut pool, summaries, &summary.ensures);
        let requires = conjunction(&mut pool, summaries, &summary.requires);
        let requires = at_start(&mut pool, requires);
        contracts.push(Contract { function, head: None, requires, ensures: vec![(body.exit(), ensures)] });
    }
    for (function, reduced, invariant) in &checked.functions {
        let names = reduced.original_names(program, recursion, *function);
        for (head, exits) in recursion.loops(*function) {
            let mut at = |location: LocationId| {
                let found = at_location(reduced, invariant, (*function, location));
                over_names(&mut pool, invariant, &found, &names)
            };
            let requires = at(head);
            let ensures = exits.iter().map(|&exit| (exit, at(exit))).collect();
            contracts.push(Contract { function: *function, head: Some(head), requires, ensures });
        }
    }
    contracts.sort_by_key(|contract| (contract.function, contract.head));
    Invariant { pool, locations, contracts }
}

/// What holds at a location of a function whose summary is asserted: any of these.
fn at_location(reduced: &Reduced, invariant: &Invariant, place: (FunctionId, LocationId)) -> Vec<Term> {
    let is_there = |one: &&LocationInvariant| {
        let active = one.calls.0.last().map(|site| site.callee);
        active.and_then(|active| reduced.original_location(active, one.location)) == Some(place)
    };
    invariant.locations.iter().filter(is_there).map(|one| one.formula).collect()
}

/// The disjunction of formulas over names of the original; what is about anything else is left out.
fn over_names(pool: &mut TermPool, invariant: &Invariant, cases: &[Term], names: &Names) -> Term {
    let cases = pool.import(&invariant.pool, cases);
    let either = pool.or(&cases);
    let (mut values, mut known) = (HashMap::new(), BTreeSet::new());
    for variable in pool.free_variables(either) {
        let Op::Symbol(symbol) = *pool.op(variable) else { continue };
        let name = pool.symbol_name(symbol).to_owned();
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let start = usize::from(name.starts_with('&'));
        if let Some(original) = names.get(&name[start..end]) {
            let (renamed, sort) =
                (format!("{}{original}{}", &name[..start], &name[end..]), pool.sort(variable));
            values.insert(variable, pool.symbol(&renamed, sort));
            known.insert(variable);
        }
    }
    let weaker = weaker_over(pool, either, &known);
    pool.substitute(weaker, &values)
}

fn conjunction(pool: &mut TermPool, summaries: &Summaries, conjuncts: &[Term]) -> Term {
    let imported = pool.import(&summaries.pool, conjuncts);
    pool.and(&imported)
}

/// A formula over old values as one over values at the start.
fn at_start(pool: &mut TermPool, formula: Term) -> Term {
    let old = CellNames::old("");
    let mut values = HashMap::new();
    for variable in pool.free_variables(formula) {
        if let Op::Symbol(symbol) = *pool.op(variable)
            && let Some(name) = pool.symbol_name(symbol).strip_prefix(&old).map(str::to_owned)
        {
            let sort = pool.sort(variable);
            values.insert(variable, pool.symbol(&name, sort));
        }
    }
    pool.substitute(formula, &values)
}

/// What holds at locations of the original, sorted.
pub(super) fn original_invariant(
    program: &Program,
    reduced: &Reduced,
    invariant: &Invariant,
    pool: &mut TermPool,
) -> Vec<LocationInvariant> {
    let mut found = Vec::new();
    for one in &invariant.locations {
        let function = one.calls.0.last().map_or(reduced.program.start, |site| site.callee);
        let place = reduced.original_location(function, one.location);
        let (Some((_, location)), Some(calls)) = (place, reduced.original_calls(&one.calls)) else {
            continue;
        };
        let formula = pool.import(&invariant.pool, &[one.formula])[0];
        let bound = pool.import(&invariant.pool, &one.bound);
        let formula = over_original(program, reduced, pool, formula);
        found.push(LocationInvariant { calls, location, bound, formula });
    }
    found.sort_by(|one, other| (&one.calls, one.location).cmp(&(&other.calls, other.location)));
    found
}

/// A formula without the variables that a transformation has made.
fn over_original(program: &Program, reduced: &Reduced, pool: &mut TermPool, formula: Term) -> Term {
    let names = CellNames::new(&reduced.program);
    let new = reduced.program.variables.ids().filter(|id| id.index() >= program.variables.len());
    let new: BTreeSet<String> = new.map(|id| names.variable(id).to_owned()).collect();
    let is_old = |pool: &TermPool, symbol: Term| match *pool.op(symbol) {
        Op::Symbol(symbol) => !new.contains(pool.symbol_name(symbol)),
        _ => true,
    };
    let known: BTreeSet<Term> =
        pool.free_variables(formula).into_iter().filter(|&symbol| is_old(pool, symbol)).collect();
    weaker_over(pool, formula, &known)
}

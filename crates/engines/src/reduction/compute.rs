//! `ComputeSummary`: summaries from what holds at the outermost entries and exits of recursive functions.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::{CellNames, FunctionId, LocationId, Program};
use rorqual_evidence::{CallString, Invariant, LocationInvariant};
use rorqual_inference::contracts::weaker_over;
use rorqual_logic::{Op, Term, TermPool};
use rorqual_solver::Limits;

use super::program::{End, Names, Pair, Recursion, Reduced, can_be_written};
use super::project::{Budget, conjuncts, project};
use super::summary::{Conjunct, Summaries};

/// Adds what an invariant of an unwound program says of the recursive functions.
pub(super) fn compute_summary(
    program: &Program,
    recursion: &Recursion,
    reduced: &Reduced,
    invariant: &Invariant,
    summaries: &mut Summaries,
    (budget, limits): (Budget, &Limits),
) {
    for pair in &reduced.pairs {
        let interface = Interface::of(program, recursion, reduced, pair);
        for (entry, exit) in pairs_of(invariant, pair) {
            let pool = &mut summaries.pool;
            let passed = interface.passed(pool, reduced, &entry.calls);
            let before = interface.at_entry(pool, invariant, entry);
            let before = pool.and2(before, passed);
            let after = interface.at_exit(pool, invariant, exit);
            for one in conjuncts(pool, after) {
                // What holds before may be how one path was refuted, and nothing that the rest needs.
                for premise in [passed, before] {
                    let pool = &mut summaries.pool;
                    for formula in interface.for_all(pool, premise, one, budget, limits) {
                        if can_be_written(&summaries.pool, formula) {
                            summaries.add(Conjunct::Ensures(pair.function, formula));
                        }
                    }
                }
            }
        }
    }
    compute_requirements(program, recursion, reduced, invariant, summaries);
}

/// Adds what an invariant of an unwound program says of the arguments of recursive functions.
pub(super) fn compute_requirements(
    program: &Program,
    recursion: &Recursion,
    reduced: &Reduced,
    invariant: &Invariant,
    summaries: &mut Summaries,
) {
    for pair in &reduced.pairs {
        let interface = Interface::of(program, recursion, reduced, pair);
        let requires = interface.requires(&mut summaries.pool, (reduced, invariant), pair);
        for one in conjuncts(&summaries.pool, requires) {
            if can_be_written(&summaries.pool, one) {
                summaries.add(Conjunct::Requires(pair.function, one));
            }
        }
    }
}

/// What holds at the entries and the exits of a pair, for each way in which it is called.
fn pairs_of<'i>(
    invariant: &'i Invariant,
    pair: &Pair,
) -> Vec<(&'i LocationInvariant, &'i LocationInvariant)> {
    let exits = at(invariant, pair.copy, pair.exit);
    let entry = |calls: &CallString| {
        at(invariant, pair.copy, pair.entry).into_iter().find(|entry| entry.calls == *calls)
    };
    exits.into_iter().filter_map(|exit| Some((entry(&exit.calls)?, exit))).collect()
}

fn at(invariant: &Invariant, function: FunctionId, location: LocationId) -> Vec<&LocationInvariant> {
    let is_there = |one: &&LocationInvariant| {
        let active = one.calls.0.last().map(|site| site.callee);
        one.location == location && active == Some(function) && one.bound.is_empty()
    };
    invariant.locations.iter().filter(is_there).collect()
}

/// The names of one function's contract.
struct Interface {
    entry: Names,
    exit: Names,
    /// What may change between entry and exit: the function's own variables, and what it writes.
    changing: BTreeSet<String>,
    result: String,
}

impl Interface {
    fn of(program: &Program, recursion: &Recursion, reduced: &Reduced, pair: &Pair) -> Interface {
        let names = CellNames::new(&reduced.program);
        let written = recursion.interface(pair.function).map_or(&[][..], |interface| &interface.written);
        let is_changing = |(id, variable): (rorqual_cfa::VariableId, &rorqual_cfa::Variable)| {
            let is_own = variable.function == Some(pair.copy) && !variable.kind.is_global();
            (is_own || written.contains(&id)).then(|| names.variable(id).to_owned())
        };
        Interface {
            entry: reduced.contract_names(program, recursion, pair, End::Entry),
            exit: reduced.contract_names(program, recursion, pair, End::Exit),
            changing: reduced.program.variables.iter().filter_map(is_changing).collect(),
            result: CellNames::result(program, pair.function),
        }
    }

    /// The values that calls pass: they are known at the entry, even if no proof needs them.
    fn passed(&self, pool: &mut TermPool, reduced: &Reduced, calls: &CallString) -> Term {
        let passed = reduced.passed(pool, calls);
        self.named_at_entry(pool, passed)
    }

    fn at_entry(&self, pool: &mut TermPool, invariant: &Invariant, at: &LocationInvariant) -> Term {
        let formula = pool.import(&invariant.pool, &[at.formula])[0];
        self.named_at_entry(pool, formula)
    }

    fn named_at_entry(&self, pool: &mut TermPool, formula: Term) -> Term {
        renamed(pool, formula, &|name| match self.entry.get(name) {
            Some(known) => known.clone(),
            None if self.is_changing(name) => format!("entry {name}"),
            None => format!("other {name}"),
        })
    }

    fn at_exit(&self, pool: &mut TermPool, invariant: &Invariant, at: &LocationInvariant) -> Term {
        let formula = pool.import(&invariant.pool, &[at.formula])[0];
        renamed(pool, formula, &|name| match self.exit.get(name) {
            Some(known) => known.clone(),
            None if self.is_changing(name) => format!("exit {name}"),
            None => format!("other {name}"),
        })
    }

    /// Whether a cell belongs to a variable that may change.
    fn is_changing(&self, cell: &str) -> bool {
        let variable = cell.find(['.', '[']).map_or(cell, |end| &cell[..end]);
        self.changing.contains(variable)
    }

    /// Whether a symbol is one of the contract.
    fn is_known(&self, pool: &TermPool, symbol: Term) -> bool {
        let Op::Symbol(symbol) = *pool.op(symbol) else { return false };
        let name = pool.symbol_name(symbol);
        self.exit.values().any(|known| known == name)
    }

    /// `forall X. before => after`, or `forall X. after` if what holds before is about a result.
    fn for_all(
        &self,
        pool: &mut TermPool,
        before: Term,
        after: Term,
        budget: Budget,
        limits: &Limits,
    ) -> Vec<Term> {
        let symbols = pool.free_symbols(before);
        let speaks_of_result = symbols.into_iter().any(|symbol| pool.symbol_name(symbol) == self.result);
        let not = pool.not(after);
        let refuting = if speaks_of_result { not } else { pool.and2(before, not) };
        let is_kept = |pool: &TermPool, symbol: Term| self.is_known(pool, symbol);
        let is_vector = |term: Term| matches!(pool.sort(term), rorqual_logic::Sort::BitVec(_));
        if !pool.free_variables(refuting).into_iter().all(is_vector) {
            // Departure: what is about memory is dropped.
            let claim = pool.not(refuting);
            let known =
                pool.free_variables(claim).into_iter().filter(|&one| self.is_known(pool, one)).collect();
            return vec![weaker_over(pool, claim, &known)];
        }
        let cubes = project(pool, refuting, &is_kept, budget, limits);
        cubes.into_iter().map(|cube| pool.not(cube)).collect()
    }

    /// What holds at all entries, over the names of the contract.
    fn requires(
        &self,
        pool: &mut TermPool,
        (reduced, invariant): (&Reduced, &Invariant),
        pair: &Pair,
    ) -> Term {
        let mut cases = Vec::new();
        for entry in at(invariant, pair.copy, pair.entry) {
            let formula = self.at_entry(pool, invariant, entry);
            let passed = self.passed(pool, reduced, &entry.calls);
            let formula = pool.and2(formula, passed);
            let known =
                pool.free_variables(formula).into_iter().filter(|&one| self.is_known(pool, one)).collect();
            cases.push(weaker_over(pool, formula, &known));
        }
        pool.or(&cases)
    }
}

/// A formula with other names for its symbols.
fn renamed(pool: &mut TermPool, formula: Term, name: &dyn Fn(&str) -> String) -> Term {
    let mut values = HashMap::new();
    for variable in pool.free_variables(formula) {
        if let Op::Symbol(symbol) = *pool.op(variable) {
            let (new, sort) = (name(pool.symbol_name(symbol)), pool.sort(variable));
            values.insert(variable, pool.symbol(&new, sort));
        }
    }
    pool.substitute(formula, &values)
}

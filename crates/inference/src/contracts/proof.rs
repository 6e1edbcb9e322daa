//! Contracts as evidence, with only those conjuncts that their own proofs need.

use std::collections::HashMap;

use rorqual_cfa::CellNames;
use rorqual_encoding::{Encoding, Procedure};
use rorqual_evidence::{Contract as Evidence, Invariant};
use rorqual_logic::{Term, TermPool};
use rorqual_solver::Limits;

use super::Contracts;
use super::bodies::Ignored;
use super::obligations::OfProcedures;
use super::spec::{Meaning, instance};
use crate::minimize;

/// The conjuncts that are needed. All are kept if the solver does not confirm a step within its limits.
pub fn needed(
    encoding: &mut Encoding<'_>,
    all: Contracts,
    procedures: &[Procedure],
    ignored: &Ignored,
    limits: &Limits,
) -> Contracts {
    let nothing = Contracts::none();
    let mut obligations = OfProcedures::new(procedures, &nothing, ignored);
    let budget = minimize::Budget::default();
    Contracts { parts: minimize::needed(encoding, &mut obligations, all.parts, budget, limits) }
}

/// The contracts for others.
pub fn evidence(encoding: &mut Encoding<'_>, contracts: &Contracts, procedures: &[Procedure]) -> Invariant {
    let mut found = Vec::new();
    let first = encoding.first_procedure();
    for &procedure in procedures.iter().filter(|&&procedure| procedure != first) {
        let spec = contracts.spec(encoding, procedure);
        let requires = encoding.with_address_symbols(spec.guard);
        let mut ensures = Vec::new();
        for exit in encoding.exits_of(procedure) {
            let summary = spec.summary(&mut encoding.pool, exit);
            let summary = renamed(encoding, summary);
            ensures.push((exit, encoding.with_address_symbols(summary)));
        }
        found.push(Evidence { function: procedure.function, head: procedure.head, requires, ensures });
    }
    // A checker does not know that no way leads to other loops before it has proved that.
    let bottom = encoding.pool.bottom();
    for Procedure { function, head } in encoding.all_loops() {
        let unreached = Procedure { function, head };
        if !procedures.contains(&unreached) {
            let ensures = encoding.exits_of(unreached).into_iter().map(|exit| (exit, bottom)).collect();
            found.push(Evidence { function, head, requires: bottom, ensures });
        }
    }
    found.sort_by_key(|contract| (contract.function, contract.head));
    let mut pool = TermPool::new();
    for contract in &mut found {
        contract.requires = pool.import(&encoding.pool, &[contract.requires])[0];
        for (_, ensured) in &mut contract.ensures {
            *ensured = pool.import(&encoding.pool, &[*ensured])[0];
        }
    }
    Invariant { pool, locations: Vec::new(), contracts: found }
}

/// A summary with the names that evidence has.
fn renamed(encoding: &mut Encoding<'_>, summary: Term) -> Term {
    // In two steps, as the names of one side are those of the other on the other side.
    let mut plain = HashMap::new();
    let marked = instance(encoding, summary, &mut |encoding, meaning| match meaning {
        Meaning::Before(cell) => {
            let details = encoding.cells().get(cell);
            let (name, sort) = (CellNames::old(&details.name), encoding.pool.sort(details.symbol));
            encoding.pool.symbol(&name, sort)
        }
        Meaning::After(cell) => {
            let symbol = encoding.cells().get(cell).symbol;
            let name = format!("exit {}", encoding.cells().get(cell).name);
            let mark = encoding.pool.symbol(&name, encoding.pool.sort(symbol));
            plain.insert(mark, symbol);
            mark
        }
    });
    encoding.pool.substitute(marked, &plain)
}

//! Proofs as text for other checkers: the original clauses as DIMACS, the derived ones as LRAT.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::proof::{ClauseId, Literal, Proof};

/// The original clauses in DIMACS form, in their order.
pub fn dimacs_text(proof: &Proof) -> String {
    let variables = proof.originals.iter().flat_map(|clause| &clause.literals).map(|literal| literal.abs());
    let mut text = format!("p cnf {} {}\n", variables.max().unwrap_or(0), proof.originals.len());
    for clause in &proof.originals {
        text.push_str(&clause_text(&clause.literals));
        text.push('\n');
    }
    text
}

/// The derived clauses in LRAT form. LRAT numbers the clauses of the DIMACS text by position, so
/// clauses are renumbered.
pub fn lrat_text(proof: &Proof) -> String {
    let originals = proof.originals.iter().map(|clause| clause.id);
    let ids = originals.chain(proof.derived.iter().map(|clause| clause.id));
    let numbers: HashMap<ClauseId, usize> = ids.zip(1..).collect();
    let mut text = String::new();
    for clause in &proof.derived {
        let _ = write!(text, "{} {} ", numbers[&clause.id], clause_text(&clause.literals));
        for antecedent in &clause.antecedents {
            let _ = write!(text, "{} ", numbers[antecedent]);
        }
        text.push_str("0\n");
    }
    text
}

fn clause_text(literals: &[Literal]) -> String {
    let mut text = String::new();
    for literal in literals {
        let _ = write!(text, "{literal} ");
    }
    text.push('0');
    text
}

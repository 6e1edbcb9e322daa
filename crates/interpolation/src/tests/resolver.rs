//! A prover of a few lines, so that the rules are tested without the solver's proofs: branches on
//! every variable and resolves the clauses that the branches end in.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_logic::Term;
use rorqual_solver::proof::{ClauseId, DerivedClause, Literal, Origin, OriginalClause, Part, Proof};

/// A refutation of the clauses, trimmed, if they have no model.
pub(crate) fn refute(clauses: &[(Part, Vec<Literal>)], atoms: BTreeMap<i32, Term>) -> Option<Proof> {
    let variables: BTreeSet<i32> =
        clauses.iter().flat_map(|(_, literals)| literals.iter().map(|literal| literal.abs())).collect();
    let mut search = Search {
        clauses: clauses.iter().map(|(_, literals)| literals.clone()).collect(),
        derived: Vec::new(),
        variables: variables.into_iter().collect(),
    };
    let empty = search.branch(&mut Vec::new())?;
    let original = |(index, (part, literals)): (usize, &(Part, Vec<Literal>))| OriginalClause {
        id: ClauseId(index as u64),
        literals: literals.clone(),
        origin: Origin::Part(*part),
    };
    let originals = clauses.iter().enumerate().map(original).collect();
    Some(trim(Proof { originals, derived: search.derived, atoms }, ClauseId(empty as u64)))
}

struct Search {
    clauses: Vec<Vec<Literal>>,
    derived: Vec<DerivedClause>,
    variables: Vec<i32>,
}

impl Search {
    /// A clause that is false under the assignment, unless there is a model that extends it.
    fn branch(&mut self, assignment: &mut Vec<Literal>) -> Option<usize> {
        let is_false = |clause: &Vec<Literal>| clause.iter().all(|literal| assignment.contains(&-literal));
        if let Some(found) = self.clauses.iter().position(is_false) {
            return Some(found);
        }
        let variable = *self.variables.get(assignment.len())?;
        let mut ends = Vec::new();
        for literal in [variable, -variable] {
            assignment.push(literal);
            let end = self.branch(assignment);
            assignment.pop();
            let end = end?;
            if !self.clauses[end].contains(&-literal) {
                return Some(end);
            }
            ends.push(end);
        }
        let mut literals = [self.clauses[ends[0]].clone(), self.clauses[ends[1]].clone()].concat();
        literals.retain(|literal| literal.abs() != variable);
        literals.sort_unstable();
        literals.dedup();
        let antecedents = ends.iter().map(|&end| ClauseId(end as u64)).collect();
        let id = ClauseId(self.clauses.len() as u64);
        self.derived.push(DerivedClause { id, literals: literals.clone(), antecedents });
        self.clauses.push(literals);
        Some(self.clauses.len() - 1)
    }
}

fn trim(mut proof: Proof, root: ClauseId) -> Proof {
    let mut needed = BTreeSet::from([root]);
    for clause in proof.derived.iter().rev() {
        if needed.contains(&clause.id) {
            needed.extend(&clause.antecedents);
        }
    }
    proof.originals.retain(|clause| needed.contains(&clause.id));
    proof.derived.retain(|clause| needed.contains(&clause.id));
    proof
}

//! Control dependence: which branches decide whether a location is reached.
//!
//! After J. Ferrante, K. J. Ottenstein, J. D. Warren, *The Program Dependence Graph and Its Use in Optimization*,
//! TOPLAS 1987: a location depends on a branch if it is on every way from one of the branch's successors to the
//! end, but not on every way from the branch itself.

use rorqual_cfa::{Automaton, Id, LocationId, Operation};

/// The tables are quadratic; larger functions go without.
const LARGEST: usize = 10_000;

/// For each location of an automaton, those on every way from it to the end.
#[derive(Debug)]
pub(super) struct Control {
    /// One row of bits for each location; none if the automaton is too large.
    rows: Vec<Vec<u64>>,
    successors: Vec<Vec<usize>>,
}

impl Control {
    pub(super) fn new(automaton: &Automaton) -> Control {
        let count = automaton.locations().len();
        let successors =
            automaton.locations().ids().map(|location| successors(automaton, location)).collect();
        if count > LARGEST {
            return Control { rows: Vec::new(), successors };
        }
        let blocked: Vec<bool> =
            automaton.locations().ids().map(|location| may_block(automaton, location)).collect();
        let mut control = Control { rows: vec![vec![u64::MAX; count.div_ceil(64)]; count], successors };
        while control.refine(&blocked) {}
        control
    }

    /// One round of the greatest fixed point: `{l}` and what is common to all successors.
    fn refine(&mut self, blocked: &[bool]) -> bool {
        let mut changed = false;
        for location in (0..self.rows.len()).rev() {
            let successors = &self.successors[location];
            let mut row = match successors.first() {
                Some(&first) if !blocked[location] => self.rows[first].clone(),
                _ => vec![0; self.rows[location].len()],
            };
            for &other in successors.iter().skip(1) {
                row.iter_mut().zip(&self.rows[other]).for_each(|(word, other)| *word &= other);
            }
            row[location / 64] |= 1 << (location % 64);
            changed |= row != self.rows[location];
            self.rows[location] = row;
        }
        changed
    }

    /// Whether the branch decides whether the location is reached.
    pub(super) fn decides(&self, branch: LocationId, location: LocationId) -> bool {
        let (branch, location) = (branch.index(), location.index());
        let follows = |from: usize| {
            self.rows.get(from).is_some_and(|row| row[location / 64] >> (location % 64) & 1 == 1)
        };
        let always = branch != location && follows(branch);
        !always && self.successors[branch].iter().any(|&next| follows(next))
    }
}

fn successors(automaton: &Automaton, location: LocationId) -> Vec<usize> {
    let mut targets: Vec<usize> =
        automaton.outgoing(location).map(|edge| automaton.edges()[edge].target.index()).collect();
    targets.dedup();
    targets
}

/// Whether an execution can end here because no assumption holds, as in `__VERIFIER_assume(c)`.
fn may_block(automaton: &Automaton, location: LocationId) -> bool {
    let mut outgoing = automaton.outgoing(location);
    match (outgoing.next(), outgoing.next()) {
        (Some(only), None) => matches!(automaton.edges()[only].operation, Operation::Assume { .. }),
        _ => false,
    }
}

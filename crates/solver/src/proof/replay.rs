//! Unit propagation along the antecedents of one clause.

use rustc_hash::FxHashMap;

use crate::proof::Literal;

/// Why the antecedents do not show a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The antecedent at this position leaves several literals open.
    NotUnit(usize),
    /// The antecedent at this position holds already, so that it says nothing.
    Satisfied(usize),
    /// No antecedent becomes empty.
    NoConflict,
    /// The clause has a literal and its negation.
    Tautology,
}

/// How strictly antecedents must follow the order of LRAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redundancy {
    /// Every antecedent says something.
    Refused,
    /// Antecedents that hold already are passed over.
    Skipped,
}

/// The steps that show a clause.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    /// For each antecedent that became a unit: its position and the literal.
    pub(crate) units: Vec<(usize, Literal)>,
    /// The position of the antecedent that became empty.
    pub(crate) conflict: usize,
}

/// Propagates under the negation of a clause until an antecedent becomes empty.
pub(crate) fn replay<'a>(
    clause: &[Literal],
    antecedents: impl Iterator<Item = &'a [Literal]>,
    redundancy: Redundancy,
) -> Result<Replay, Flaw> {
    let mut values: FxHashMap<Literal, bool> = FxHashMap::default();
    let assign = |values: &mut FxHashMap<Literal, bool>, literal: Literal| {
        values.insert(literal, true);
        values.insert(-literal, false);
    };
    for &literal in clause {
        if values.get(&literal) == Some(&true) {
            return Err(Flaw::Tautology);
        }
        assign(&mut values, -literal);
    }
    let mut units = Vec::new();
    for (at, antecedent) in antecedents.enumerate() {
        match state(antecedent, &values) {
            State::Empty => return Ok(Replay { units, conflict: at }),
            State::Unit(literal) => {
                assign(&mut values, literal);
                units.push((at, literal));
            }
            State::Satisfied if redundancy == Redundancy::Skipped => {}
            State::Satisfied => return Err(Flaw::Satisfied(at)),
            State::Open => return Err(Flaw::NotUnit(at)),
        }
    }
    Err(Flaw::NoConflict)
}

enum State {
    Empty,
    Unit(Literal),
    Satisfied,
    Open,
}

fn state(clause: &[Literal], values: &FxHashMap<Literal, bool>) -> State {
    let mut open = None;
    for &literal in clause {
        match values.get(&literal) {
            Some(true) => return State::Satisfied,
            Some(false) => {}
            None if open.is_some_and(|other| other != literal) => return State::Open,
            None => open = Some(literal),
        }
    }
    open.map_or(State::Empty, State::Unit)
}

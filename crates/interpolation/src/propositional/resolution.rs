//! The resolution steps of a proof, found once and used for every cut.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_solver::proof::{ClauseId, DerivedClause, Literal, Origin, Part, Proof};

use crate::error::InterpolationError;

/// Where a clause is in a [`Resolution`]: first the original ones, then the derived ones.
pub(super) type Position = usize;

/// How a derived clause comes about: from `start`, by resolution with each of `steps` in turn.
#[derive(Debug)]
pub(super) struct Derivation {
    pub(super) start: Position,
    pub(super) steps: Vec<Step>,
}

/// Resolution with a clause that contains the pivot, which the clause reached so far has negated.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) pivot: Literal,
    pub(super) with: Position,
}

/// A proof as a sequence of resolution steps, and the parts that each variable occurs in.
#[derive(Debug)]
pub(crate) struct Resolution {
    pub(super) derivations: Vec<Derivation>,
    pub(super) occurrences: BTreeMap<i32, BTreeSet<Part>>,
}

impl Resolution {
    /// Reads the antecedents of each derived clause backwards: the last one is empty under the
    /// negated clause, and each one before provides a unit that the ones behind it may use.
    pub(crate) fn of(proof: &Proof) -> Result<Resolution, InterpolationError> {
        let mut reader = Reader::new(proof);
        let mut derivations = Vec::with_capacity(proof.derived.len());
        for clause in &proof.derived {
            derivations.push(reader.derivation(clause)?);
            reader.add(clause.id, &clause.literals);
        }
        let ends_empty = match proof.derived.last() {
            Some(last) => last.literals.is_empty(),
            None => proof.originals.last().is_some_and(|clause| clause.literals.is_empty()),
        };
        if !ends_empty {
            return Err(InterpolationError::NotARefutation);
        }
        Ok(Resolution { derivations, occurrences: occurrences(proof) })
    }

    /// Says that an atom which only lemmas mention belongs to these parts too.
    pub(crate) fn add_occurrences(&mut self, variable: i32, parts: impl IntoIterator<Item = Part>) {
        self.occurrences.entry(variable).or_default().extend(parts);
    }
}

fn occurrences(proof: &Proof) -> BTreeMap<i32, BTreeSet<Part>> {
    let mut occurrences: BTreeMap<i32, BTreeSet<Part>> = BTreeMap::new();
    for clause in &proof.originals {
        let Origin::Part(part) = clause.origin else { continue };
        for literal in &clause.literals {
            occurrences.entry(literal.abs()).or_default().insert(part);
        }
    }
    occurrences
}

/// Follows chains of antecedents. The clause that a chain has reached is kept as marks on
/// variables, which are valid while their stamp is the current one.
struct Reader<'p> {
    positions: HashMap<ClauseId, Position>,
    clauses: Vec<&'p [Literal]>,
    marks: HashMap<i32, (u64, Literal)>,
    stamp: u64,
}

impl<'p> Reader<'p> {
    fn new(proof: &'p Proof) -> Reader<'p> {
        let mut reader =
            Reader { positions: HashMap::new(), clauses: Vec::new(), marks: HashMap::new(), stamp: 0 };
        for clause in &proof.originals {
            reader.add(clause.id, &clause.literals);
        }
        reader
    }

    fn add(&mut self, id: ClauseId, literals: &'p [Literal]) {
        self.positions.insert(id, self.clauses.len());
        self.clauses.push(literals);
    }

    fn position(&self, clause: &DerivedClause, id: ClauseId) -> Result<Position, InterpolationError> {
        let unknown = InterpolationError::MissingAntecedent { clause: clause.id, antecedent: id };
        self.positions.get(&id).copied().ok_or(unknown)
    }

    fn derivation(&mut self, clause: &DerivedClause) -> Result<Derivation, InterpolationError> {
        let wrong = InterpolationError::BrokenChain { clause: clause.id };
        let Some((&last, before)) = clause.antecedents.split_last() else { return Err(wrong) };
        let start = self.position(clause, last)?;
        self.stamp += 1;
        let mut reached: Vec<Literal> = Vec::new();
        for &literal in self.clauses[start] {
            self.mark(literal, &mut reached);
        }
        let mut steps = Vec::new();
        for &antecedent in before.iter().rev() {
            let with = self.position(clause, antecedent)?;
            let literals = self.clauses[with];
            let Some(&pivot) = literals.iter().find(|&&literal| self.is_marked(-literal)) else {
                // The unit that this antecedent provides is not needed.
                continue;
            };
            self.marks.remove(&pivot.abs());
            for &literal in literals.iter().filter(|&&literal| literal != pivot) {
                self.mark(literal, &mut reached);
            }
            steps.push(Step { pivot, with });
        }
        let allowed: BTreeSet<Literal> = clause.literals.iter().copied().collect();
        if reached.iter().any(|&literal| self.is_marked(literal) && !allowed.contains(&literal)) {
            return Err(wrong);
        }
        Ok(Derivation { start, steps })
    }

    fn mark(&mut self, literal: Literal, reached: &mut Vec<Literal>) {
        self.marks.insert(literal.abs(), (self.stamp, literal));
        reached.push(literal);
    }

    fn is_marked(&self, literal: Literal) -> bool {
        self.marks.get(&literal.abs()) == Some(&(self.stamp, literal))
    }
}

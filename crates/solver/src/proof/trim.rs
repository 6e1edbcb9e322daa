//! From the trace of a run to a proof: only needed clauses and antecedents, and each derived clause
//! exactly what resolution along its antecedents gives. Smaller proofs give smaller interpolants.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::proof::record::{Recorded, Recorder, Source};
use crate::proof::replay::{Redundancy, Replay, replay};
use crate::proof::{ClauseId, DerivedClause, Literal, Origin, OriginalClause, Proof};

impl Recorder {
    /// The trimmed proof, without atoms.
    pub(crate) fn proof(&self) -> Result<Proof, &'static str> {
        let (recorded, empty) = self.refutation()?;
        let needed = needed(recorded, empty)?;
        let mut steps = resolved(recorded, &needed)?;
        let last = steps.iter().position(|step| step.literals.is_empty());
        steps.truncate(last.ok_or("a trace that loses its empty clause")? + 1);
        Ok(numbered(recorded, &mut steps))
    }
}

/// A clause with what it follows from: nothing for originals.
#[derive(Debug)]
struct Step {
    position: usize,
    literals: Vec<Literal>,
    antecedents: Vec<usize>,
}

/// Positions of clauses that the empty one needs, sorted.
fn needed(recorded: &[Recorded], empty: usize) -> Result<Vec<usize>, &'static str> {
    let mut is_needed = vec![false; empty + 1];
    is_needed[empty] = true;
    for position in (0..=empty).rev() {
        let clause = &recorded[position];
        if let (true, Source::Derived(antecedents)) = (is_needed[position], &clause.source) {
            let literals = antecedents.iter().map(|&antecedent| recorded[antecedent].literals.as_slice());
            let (used, _) = resolve(&clause.literals, literals)?;
            for at in used {
                is_needed[antecedents[at]] = true;
            }
        }
    }
    Ok((0..=empty).filter(|&position| is_needed[position]).collect())
}

/// The needed clauses, each derived one made as strong as its antecedents allow.
fn resolved(recorded: &[Recorded], needed: &[usize]) -> Result<Vec<Step>, &'static str> {
    let mut steps: Vec<Step> = Vec::with_capacity(needed.len());
    let mut index_of: BTreeMap<usize, usize> = BTreeMap::new();
    for &position in needed {
        let clause = &recorded[position];
        let step = match &clause.source {
            Source::Original(_) => {
                let mut literals = clause.literals.clone();
                literals.sort_unstable();
                literals.dedup();
                Step { position, literals, antecedents: Vec::new() }
            }
            Source::Derived(antecedents) => {
                // Antecedents that the first pass found to be redundant are not among the steps.
                let known: Vec<usize> =
                    antecedents.iter().filter_map(|antecedent| index_of.get(antecedent).copied()).collect();
                let clauses = known.iter().map(|&index| steps[index].literals.as_slice());
                let (used, literals) = resolve(&clause.literals, clauses)?;
                Step { position, literals, antecedents: used.into_iter().map(|at| known[at]).collect() }
            }
        };
        index_of.insert(position, steps.len());
        steps.push(step);
    }
    Ok(steps)
}

/// The positions of the antecedents that matter, in order, and the literals that they leave.
fn resolve<'a>(
    clause: &[Literal],
    antecedents: impl Iterator<Item = &'a [Literal]> + Clone,
) -> Result<(Vec<usize>, Vec<Literal>), &'static str> {
    let all: Vec<&[Literal]> = antecedents.clone().collect();
    let Replay { units, conflict } = replay(clause, antecedents, Redundancy::Skipped)
        .map_err(|_| "a derived clause that its antecedents do not prove")?;
    // Backwards from the conflict, each literal that is false for a unit brings in that unit.
    let mut open: FxHashSet<Literal> = all[conflict].iter().copied().collect();
    let mut used = vec![conflict];
    for &(at, literal) in units.iter().rev() {
        if open.remove(&-literal) {
            open.extend(all[at].iter().filter(|&&other| other != literal));
            used.push(at);
        }
    }
    used.reverse();
    let mut literals: Vec<Literal> = open.into_iter().collect();
    literals.sort_unstable();
    Ok((used, literals))
}

/// Originals first, then the derived clauses; those that strengthening made superfluous are left
/// out.
fn numbered(recorded: &[Recorded], steps: &mut [Step]) -> Proof {
    let mut is_needed = vec![false; steps.len()];
    is_needed[steps.len() - 1] = true;
    for index in (0..steps.len()).rev() {
        if is_needed[index] {
            steps[index].antecedents.iter().for_each(|&antecedent| is_needed[antecedent] = true);
        }
    }
    let mut proof = Proof::default();
    let mut ids: Vec<Option<ClauseId>> = vec![None; steps.len()];
    let mut next = (1..).map(ClauseId);
    let mut fresh = || next.next().expect("numbers do not end");
    let origin = |step: &Step| match &recorded[step.position].source {
        Source::Original(origin) => Some(origin.clone()),
        Source::Derived(_) => None,
    };
    for (index, step) in steps.iter_mut().enumerate().filter(|(index, _)| is_needed[*index]) {
        if let Some(origin) = origin(step) {
            let id = fresh();
            ids[index] = Some(id);
            proof.originals.push(OriginalClause { id, literals: step.literals.clone(), origin });
        }
    }
    for (index, step) in steps.iter_mut().enumerate().filter(|(index, _)| is_needed[*index]) {
        if origin(step).is_none() {
            let id = fresh();
            ids[index] = Some(id);
            let antecedents = step.antecedents.iter().filter_map(|&antecedent| ids[antecedent]).collect();
            proof.derived.push(DerivedClause {
                id,
                literals: std::mem::take(&mut step.literals),
                antecedents,
            });
        }
    }
    proof
}

impl Proof {
    /// The refutation of parts one of which is false by itself.
    pub(crate) fn of_empty_clause(origin: Origin) -> Proof {
        let (original, derived) = (ClauseId(1), ClauseId(2));
        Proof {
            originals: vec![OriginalClause { id: original, literals: Vec::new(), origin }],
            derived: vec![DerivedClause { id: derived, literals: Vec::new(), antecedents: vec![original] }],
            atoms: BTreeMap::new(),
        }
    }
}

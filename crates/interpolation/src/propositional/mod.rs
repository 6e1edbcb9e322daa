//! Labelled interpolation systems over resolution proofs, after D'Silva, Kroening, Purandare and
//! Weissenbacher, *Interpolant Strength*, VMCAI 2010.
//!
//! A cut divides the parts into A and B. Each variable gets a label: `A` if only A has it, `B` if only
//! B has it, and what the system says if both do. A clause `C` then has a partial interpolant `I` with
//! `A ∧ ¬C_A ⊨ I` and `B ∧ ¬C_B ⊨ ¬I`, where `C_A` drops the literals labelled `B` and `C_B` those
//! labelled `A`. The partial interpolant of the empty clause is the interpolant.
//!
//! What is *not* here: finding proofs, checking them, and theories. The partial interpolants of
//! theory lemmas come from the caller.

mod graph;
mod resolution;

use std::collections::{BTreeSet, HashMap};

use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::{Literal, Origin, OriginalClause, Part, Proof};
use rorqual_solver::{GaveUp, Limits};

use crate::error::InterpolationError;
pub(crate) use graph::{Edge, Graph};
use resolution::Derivation;
pub(crate) use resolution::Resolution;

/// Which interpolant is taken from a proof, from the strongest to the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum System {
    /// Shared variables belong to B.
    McMillan,
    /// Pudlák's, the symmetric one: the interpolant of B and A is the negation of that of A and B.
    Pudlak,
    /// Shared variables belong to A. Single cuts and sequences only.
    DualMcMillan,
}

impl System {
    /// All of them, from the strongest to the weakest.
    pub const ALL: [System; 3] = [System::McMillan, System::Pudlak, System::DualMcMillan];
}

/// On which side of a cut a variable is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// With the clauses of A.
    A,
    /// With the clauses of B.
    B,
    /// With both.
    Both,
}

/// A theory lemma under a cut, to be interpolated: its literals, and the label of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledLemma {
    /// Which lemma of the proof.
    pub number: usize,
    /// The literals of the clause. Their negations contradict each other in the theory.
    pub literals: Vec<(Literal, Label)>,
}

/// Partial interpolants of theory lemmas.
pub trait LemmaInterpolator {
    /// A formula that the negations of the literals labelled `A` (or `Both`) imply, that contradicts
    /// the negations of those labelled `B` (or `Both`), and over symbols that both sides have;
    /// `None` if the theory cannot tell.
    fn partial_interpolant(&mut self, pool: &mut TermPool, lemma: &LabelledLemma) -> Option<Term>;
}

/// For proofs without theory lemmas.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLemmas;

impl LemmaInterpolator for NoLemmas {
    fn partial_interpolant(&mut self, _: &mut TermPool, _: &LabelledLemma) -> Option<Term> {
        None
    }
}

/// What building interpolants may take.
#[derive(Debug, Clone)]
pub struct Extent {
    /// When to stop; asked once for many clauses.
    pub limits: Limits,
    /// How many conjunctions the interpolants of one refutation may have, each counted once. What is larger takes longer to verify than
    /// a search for something else.
    pub conjunctions: usize,
}

impl Default for Extent {
    /// No limits.
    fn default() -> Extent {
        Extent { limits: Limits::none(), conjunctions: usize::MAX }
    }
}

impl Extent {
    /// After so many clauses it is asked whether to stop.
    const CLAUSES: usize = 256;

    fn check(&self, clauses: usize, graph: &Graph) -> Result<(), InterpolationError> {
        if graph.size() > self.conjunctions {
            return Err(InterpolationError::Spent(GaveUp::Memory));
        }
        let reason = if clauses.is_multiple_of(Extent::CLAUSES) { self.limits.spent() } else { None };
        reason.map_or(Ok(()), |reason| Err(InterpolationError::Spent(reason)))
    }
}

/// One cut of a proof: computes the partial interpolants clause by clause.
pub(crate) struct Cut<'c> {
    proof: &'c Proof,
    resolution: &'c Resolution,
    in_a: &'c dyn Fn(Part) -> bool,
    labels: HashMap<i32, Label>,
}

impl<'c> Cut<'c> {
    pub(crate) fn new(
        proof: &'c Proof,
        resolution: &'c Resolution,
        system: System,
        in_a: &'c dyn Fn(Part) -> bool,
    ) -> Cut<'c> {
        let label = |(&variable, parts): (&i32, &BTreeSet<Part>)| {
            let is_in_a = parts.iter().any(|&part| in_a(part));
            let is_in_b = parts.iter().any(|&part| !in_a(part));
            let label = match (is_in_a, is_in_b, system) {
                (true, false, _) | (true, true, System::DualMcMillan) => Label::A,
                (true, true, System::Pudlak) => Label::Both,
                (true, true, System::McMillan) | (false, _, _) => Label::B,
            };
            (variable, label)
        };
        let labels = resolution.occurrences.iter().map(label).collect();
        Cut { proof, resolution, in_a, labels }
    }

    /// The partial interpolant of the empty clause.
    pub(crate) fn interpolate(
        &self,
        pool: &mut TermPool,
        graph: &mut Graph,
        lemmas: &mut dyn LemmaInterpolator,
        extent: &Extent,
    ) -> Result<Edge, InterpolationError> {
        let mut partial = Vec::with_capacity(self.proof.originals.len() + self.proof.derived.len());
        for clause in &self.proof.originals {
            extent.check(partial.len(), graph)?;
            partial.push(self.original(clause, pool, graph, lemmas)?);
        }
        for derivation in &self.resolution.derivations {
            extent.check(partial.len(), graph)?;
            partial.push(self.derived(derivation, &partial, pool, graph)?);
        }
        Ok(*partial.last().expect("a refutation has a clause"))
    }

    fn label(&self, literal: Literal) -> Label {
        self.labels.get(&literal.abs()).copied().unwrap_or(Label::B)
    }

    fn leaf(&self, literal: Literal, pool: &TermPool, graph: &mut Graph) -> Result<Edge, InterpolationError> {
        let variable = literal.abs();
        let atom =
            self.proof.atoms.get(&variable).ok_or(InterpolationError::SharedWithoutAtom { variable })?;
        let edge = graph.leaf(pool, *atom);
        Ok(if literal < 0 { !edge } else { edge })
    }

    /// For a clause of A, its literals labelled `B`; for a clause of B, the negation of its literals
    /// labelled `A`. Only shared variables can have the other side's label.
    fn original(
        &self,
        clause: &OriginalClause,
        pool: &mut TermPool,
        graph: &mut Graph,
        lemmas: &mut dyn LemmaInterpolator,
    ) -> Result<Edge, InterpolationError> {
        let (foreign, is_a) = match clause.origin {
            Origin::Part(part) if (self.in_a)(part) => (Label::B, true),
            Origin::Part(_) => (Label::A, false),
            Origin::Lemma(number) => return self.lemma(number, &clause.literals, pool, graph, lemmas),
        };
        let mut literals = Edge::FALSE;
        for &literal in &clause.literals {
            if self.label(literal) == foreign {
                let leaf = self.leaf(literal, pool, graph)?;
                literals = graph.or(literals, leaf);
            }
        }
        Ok(if is_a { literals } else { !literals })
    }

    fn lemma(
        &self,
        number: usize,
        literals: &[Literal],
        pool: &mut TermPool,
        graph: &mut Graph,
        lemmas: &mut dyn LemmaInterpolator,
    ) -> Result<Edge, InterpolationError> {
        let labelled = literals.iter().map(|&literal| (literal, self.label(literal)));
        let lemma = LabelledLemma { number, literals: labelled.collect() };
        let term = lemmas.partial_interpolant(pool, &lemma);
        let term = term.ok_or(InterpolationError::LemmaNotInterpolated { number })?;
        Ok(graph.leaf(pool, term))
    }

    fn derived(
        &self,
        derivation: &Derivation,
        partial: &[Edge],
        pool: &TermPool,
        graph: &mut Graph,
    ) -> Result<Edge, InterpolationError> {
        let mut reached = partial[derivation.start];
        for step in &derivation.steps {
            let with = partial[step.with];
            reached = match self.label(step.pivot) {
                Label::A => graph.or(reached, with),
                Label::B => graph.and(reached, with),
                Label::Both if reached == with => reached,
                Label::Both => {
                    let pivot = self.leaf(step.pivot, pool, graph)?;
                    let (if_false, if_true) = (graph.or(pivot, with), graph.or(!pivot, reached));
                    graph.and(if_false, if_true)
                }
            };
        }
        Ok(reached)
    }
}

//! IC3 (property-directed reachability) after A. R. Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011, with
//! one set of clauses for each point, over predicates as in A. Cimatti, A. Griggio, S. Mover, S. Tonetta, *IC3 Modulo
//! Theories via Implicit Predicate Abstraction*, TACAS 2014.
//!
//! | Papers | Here |
//! |---|---|
//! | frames `F_0`, `F_1`, …; delta-encoded | [`frames::Frames`] |
//! | proof obligation, counterexample to induction | [`frames::Frames::block`] |
//! | inductive generalization | `Frames::generalize` |
//! | propagation, fixpoint | [`frames::Frames::advance`] |
//! | abstract transition relation over predicates | [`steps::Steps`], [`vocabulary::Vocabulary`] |
//! | abstract counterexample, refinement | [`Search::refine`] |
//!
//! Departures: cubes are generalised by the comparisons that decide in a model, not by ternary simulation; the first
//! predicates are the values of modes, variables that only ever get constants; and new ones are the comparisons that an
//! abstract counterexample depends on, before interpolants are asked for.

mod frames;
mod reason;
mod steps;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Obstacle, Path, Point, Setting, Target};
use rorqual_evidence::{Answer, Event, Observer, Origin, Reason, Stop, Technique, Trace, Verdict, Violation};
use rorqual_inference::{Facts, atoms_of, points, proof, size};
use rorqual_logic::Term;
use rorqual_solver::{GaveUp, Limits};

use crate::inference::Inference;
use crate::registry::Engine;
use crate::solver::{PathAnswer, PathSolver};
use crate::task::Task;
use frames::{Course, Frames};
use steps::{Steps, clause};
use vocabulary::{Cube, Vocabulary};

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ic3 {
    /// Programs with more points than this are refused: each has a solver of its own.
    pub points: usize,
    /// Programs with fewer modes are refused. Without modes, predicates tend to count the rounds of loops.
    pub fewest_modes: usize,
    /// At most so many abstract counterexamples.
    pub refinements: usize,
    /// At most so many conflicts in each query; without limit if absent.
    pub conflicts: Option<u32>,
    /// How many queries there are; without limit if absent.
    pub queries: Option<Queries>,
}

/// How many queries there are for a program of some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queries {
    /// Roughly how many terms all queries together go through.
    pub work: usize,
    /// Queries about smaller programs do not get cheaper.
    pub least_size: usize,
    /// Small programs need at most so many queries,
    pub few: usize,
    /// and so many more for each term.
    pub by_size: usize,
}

impl Queries {
    fn of(&self, size: usize) -> usize {
        (self.work / size.max(self.least_size)).min(self.few + self.by_size * size)
    }
}

impl Default for Ic3 {
    fn default() -> Ic3 {
        Ic3 { points: 1_000, fewest_modes: 0, refinements: usize::MAX, conflicts: None, queries: None }
    }
}

impl Engine for Ic3 {
    fn name(&self) -> &'static str {
        "ic3"
    }

    fn summary(&self) -> &'static str {
        "property-directed reachability over predicates: proofs from clauses that block violations"
    }

    fn run(
        &self,
        task: &Task<'_>,
        inference: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let encoding = task.encoding(Setting::default());
        let encoding = &mut *encoding.borrow_mut();
        let mut facts = inference.facts().clone();
        let with_facts = !facts.is_empty();
        let verdict = match self.search(encoding, &facts, limits, observer) {
            Ok(Found::Clauses(clauses)) => {
                facts.add(&mut encoding.pool, clauses);
                let invariant = proof::of_facts(encoding, &facts, self.points, limits);
                invariant
                    .map_or(Verdict::Unknown(Reason::OutOfIdeas), |invariant| Verdict::Safe(invariant.into()))
            }
            Ok(Found::Violation(trace)) => Verdict::Unsafe(Violation::Trace(trace)),
            Ok(Found::Obstacle(Obstacle { construct, span })) => {
                Verdict::Unknown(Reason::Unsupported { construct, span })
            }
            Ok(Found::Nothing) => Verdict::Unknown(Reason::OutOfIdeas),
            Err(stop) => stop.into(),
        };
        Answer::with_origin(verdict, Origin { with_facts, ..Technique::Ic3.into() })
    }
}

/// How a search ends.
#[derive(Debug)]
pub enum Found {
    /// Clauses that exclude all violations, and are inductive together with the facts that were known.
    Clauses(BTreeMap<Point, Vec<Term>>),
    /// A violation.
    Violation(Trace),
    /// Something that is not supported can be reached.
    Obstacle(Obstacle),
    /// No predicate is left to try.
    Nothing,
}

impl Ic3 {
    /// Searches for clauses that exclude all violations.
    pub fn search(
        &self,
        encoding: &mut Encoding<'_>,
        facts: &Facts,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Found, Stop> {
        let Some(points) = points(encoding, self.points) else { return Ok(Found::Nothing) };
        let mut vocabulary = Vocabulary::of_modes(encoding, &points);
        if vocabulary.modes() < self.fewest_modes {
            return Ok(Found::Nothing);
        }
        let queries = self.queries.map(|queries| queries.of(size(encoding, &points)));
        let limits = self.conflicts.map_or(limits.clone(), |most| limits.clone().with_conflicts(most));
        let steps = Steps::of(encoding, &points, facts, queries.unwrap_or(usize::MAX), limits.clone());
        let frames = Frames::new(encoding, &mut vocabulary, steps);
        Search { encoding, frames, refinements: self.refinements, limits, observer }.run()
    }
}

struct Search<'s, 'p, 'v> {
    encoding: &'s mut Encoding<'p>,
    frames: Frames<'v>,
    /// How many abstract counterexamples there may still be.
    refinements: usize,
    limits: Limits,
    observer: &'s mut dyn Observer,
}

impl Search<'_, '_, '_> {
    fn run(&mut self) -> Result<Found, Stop> {
        loop {
            while let Some(course) = self.frames.violation(self.encoding)? {
                self.refinements = self.refinements.checked_sub(1).ok_or(Stop::Solver(GaveUp::Conflicts))?;
                self.observer.on(Event::Refining { depth: course.len() });
                if let Some(found) = self.refine(&course)? {
                    return Ok(found);
                }
            }
            if let Some(never) = self.frames.advance(self.encoding)? {
                return Ok(Found::Clauses(self.clauses(never)));
            }
        }
    }

    fn clauses(&mut self, never: BTreeMap<Point, Vec<Cube>>) -> BTreeMap<Point, Vec<Term>> {
        let mut clauses = BTreeMap::new();
        for (point, cubes) in never {
            let list: Vec<Term> = cubes.iter().map(|cube| clause(self.encoding, cube)).collect();
            clauses.insert(point, list);
        }
        clauses
    }

    /// An abstract counterexample is a violation, or tells new predicates: the comparisons that it depends on, or else
    /// the atoms of interpolants along its path.
    fn refine(&mut self, course: &Course) -> Result<Option<Found>, Stop> {
        let unsaid: BTreeSet<Term> =
            course.iter().flat_map(|(cause, _)| cause.unsaid.iter().copied()).collect();
        if self.add(unsaid) {
            return Ok(None);
        }
        let mut path = Path::new();
        let mut last = Target::Error;
        for &(_, step) in course {
            let (from, exit) = self.frames.steps.exit(step);
            let block = self.encoding.block(from);
            last = block.exits[exit].target.clone();
            path.push(self.encoding, &block.exits[exit]);
        }
        match PathSolver::new(&self.limits).solve_path(self.encoding, path.parts())? {
            PathAnswer::Feasible(model) => match last {
                Target::Unsupported(obstacle) => Ok(Some(Found::Obstacle(obstacle))),
                Target::Error | Target::Point(_) => {
                    let trace = rorqual_encoding::trace(self.encoding, model.assignment());
                    trace.map(|trace| Some(Found::Violation(trace))).ok_or_else(Stop::without_trace)
                }
            },
            PathAnswer::Refuted(interpolants) => {
                let mut formulas = Vec::new();
                for (position, &interpolant) in interpolants.iter().enumerate() {
                    formulas.push(path.over_cells(self.encoding, interpolant, position));
                }
                let is_new = self.add(atoms_of(self.encoding, &formulas));
                Ok((!is_new).then_some(Found::Nothing))
            }
        }
    }

    /// Adds predicates; whether some are new.
    fn add(&mut self, atoms: impl IntoIterator<Item = Term>) -> bool {
        let mut is_new = false;
        for atom in atoms {
            is_new |= self.frames.vocabulary.add(&self.encoding.pool, atom);
        }
        is_new
    }
}

//! Which modes cannot be reached: clauses that exclude violations, found backwards from them, as in Bradley, *SAT-Based
//! Model Checking without Unrolling*, VMCAI 2011, with one set of clauses for each point. What modes do not tell
//! becomes a predicate once a violation depends on it; Cimatti, Griggio, Mover and Tonetta, *IC3 Modulo Theories via
//! Implicit Predicate Abstraction*, TACAS 2014, take predicates from interpolants.

mod frames;
mod reason;
mod steps;
mod vocabulary;

use std::collections::BTreeMap;

use rorqual_encoding::{Encoding, Point};
use rorqual_logic::Term;
use rorqual_solver::{GaveUp, Limits};

use super::Facts;
use frames::{Course, Frames};
use steps::{Steps, clause};
use vocabulary::{Cube, Vocabulary};

/// Programs with fewer modes are left to others: there, predicates would count the rounds of loops.
const FEWEST_MODES: usize = 4;
/// So often predicates are added.
const MOST_REFINEMENTS: usize = 200;
/// The conflicts of each query.
const CONFLICTS: u32 = 20_000;

/// Clauses that exclude all violations, if they are found.
pub(super) fn clauses(
    encoding: &mut Encoding<'_>,
    facts: &Facts,
    points: &[Point],
    queries: usize,
    limits: &Limits,
) -> Option<BTreeMap<Point, Vec<Term>>> {
    let mut vocabulary = Vocabulary::of_modes(encoding, points);
    if vocabulary.modes() < FEWEST_MODES {
        return None;
    }
    let limits = limits.clone().with_conflicts(CONFLICTS);
    let steps = Steps::of(encoding, points, facts, queries, limits);
    let mut frames = Frames::new(encoding, &mut vocabulary, steps);
    let cubes = search(encoding, &mut frames).ok()??;
    let mut clauses = BTreeMap::new();
    for (point, cubes) in cubes {
        let list: Vec<Term> = cubes.iter().map(|cube| clause(encoding, cube)).collect();
        clauses.insert(point, list);
    }
    Some(clauses)
}

/// Cubes that are never reached, and through which all violations lead. None if a violation is real, or nothing tells
/// why it is not.
fn search(
    encoding: &mut Encoding<'_>,
    frames: &mut Frames<'_>,
) -> Result<Option<BTreeMap<Point, Vec<Cube>>>, GaveUp> {
    let mut refinements = 0;
    loop {
        while let Some(course) = frames.violation(encoding)? {
            refinements += 1;
            if refinements > MOST_REFINEMENTS || !refine(encoding, frames, &course) {
                return Ok(None);
            }
        }
        if let Some(never) = frames.advance(encoding)? {
            return Ok(Some(never));
        }
    }
}

/// Whether the vocabulary has got words for what a course depends on.
fn refine(encoding: &Encoding<'_>, frames: &mut Frames<'_>, course: &Course) -> bool {
    let mut is_new = false;
    for &atom in course.iter().flat_map(|(cause, _)| &cause.unsaid) {
        is_new |= frames.vocabulary.add(&encoding.pool, atom);
    }
    is_new
}

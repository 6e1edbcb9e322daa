//! Frames: what is known to be unreachable within so many steps, level by level.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point};
use rorqual_solver::{GaveUp, Model};

use super::steps::{Reach, Steps};
use super::vocabulary::{Cause, Cube, Vocabulary};

/// The steps of a path from the start to a violation, in order, with what leads to them.
pub(super) type Course = Vec<(Cause, usize)>;

/// A cube that must not be reached within so many steps, because others come next.
#[derive(Debug)]
struct Obligation {
    point: Point,
    cause: Cause,
    /// The step that leads from there to the next one, or to the violation.
    step: usize,
    next: Option<usize>,
}

/// Cubes that are not reached: on each level those that are not reached within so many steps, and perhaps in one more.
pub(super) struct Frames<'v> {
    pub(super) vocabulary: &'v mut Vocabulary,
    pub(super) steps: Steps,
    start: Point,
    /// The steps to each point. Those that refuted something last come first.
    into: BTreeMap<Point, Vec<usize>>,
    levels: Vec<BTreeMap<Point, Vec<Cube>>>,
}

impl<'v> Frames<'v> {
    pub(super) fn new(encoding: &Encoding<'_>, vocabulary: &'v mut Vocabulary, steps: Steps) -> Frames<'v> {
        let mut into: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
        for (number, step) in steps.all.iter().enumerate() {
            if let Some(to) = step.to {
                into.entry(to).or_default().push(number);
            }
        }
        let levels = vec![BTreeMap::new(), BTreeMap::new()];
        Frames { vocabulary, steps, start: encoding.start(), into, levels }
    }

    /// The highest level.
    fn top(&self) -> usize {
        self.levels.len() - 1
    }

    /// A way to a violation, as far as the vocabulary tells, or nothing once there is none on the highest level.
    pub(super) fn violation(&mut self, encoding: &mut Encoding<'_>) -> Result<Option<Course>, GaveUp> {
        for number in 0..self.steps.all.len() {
            if self.steps.all[number].to.is_some() {
                continue;
            }
            let from = self.steps.all[number].from;
            while let Reach::Reached(model) =
                self.steps.reach(encoding, number, self.top()..=self.top(), &Cube::new())?
            {
                if from == self.start {
                    let cause = self.cause(encoding, number, &Cube::new(), &model);
                    return Ok(Some(vec![(cause, number)]));
                }
                let cause = self.cause(encoding, number, &Cube::new(), &model);
                if let Some(course) = self.block(encoding, from, cause, number)? {
                    return Ok(Some(course));
                }
            }
        }
        Ok(None)
    }

    /// The states from which a step leads to a cube as in a model.
    fn cause(&mut self, encoding: &mut Encoding<'_>, step: usize, cube: &Cube, model: &Model) -> Cause {
        let mut formulas = vec![self.steps.all[step].guard];
        formulas.extend(self.steps.before(encoding, step, cube).into_iter().map(|(_, before)| before));
        self.vocabulary.cause(encoding, self.steps.all[step].from, &formulas, model)
    }

    /// Blocks a cube on the highest level, or finds a way there.
    pub(super) fn block(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        cause: Cause,
        step: usize,
    ) -> Result<Option<Course>, GaveUp> {
        let mut all = vec![Obligation { point, cause, step, next: None }];
        let mut open = BTreeSet::from([(self.top(), 0)]);
        while let Some((level, number)) = open.pop_first() {
            let (point, cube) = (all[number].point, all[number].cause.cube.clone());
            if !self.is_blocked(point, level, &cube) {
                match self.step_to(encoding, point, &cube, level)? {
                    Ok(core) => {
                        let cube = self.generalize(encoding, point, core, level)?;
                        self.learn(encoding, point, cube, level)?;
                    }
                    Err((step, model)) => {
                        let cause = self.cause(encoding, step, &cube, &model);
                        let point = self.steps.all[step].from;
                        all.push(Obligation { point, cause, step, next: Some(number) });
                        if point == self.start {
                            return Ok(Some(course(&all)));
                        }
                        open.insert((level - 1, all.len() - 1));
                        open.insert((level, number));
                        continue;
                    }
                }
            }
            if level < self.top() {
                open.insert((level + 1, number));
            }
        }
        Ok(None)
    }

    fn is_blocked(&self, point: Point, level: usize, cube: &Cube) -> bool {
        let higher = self.levels[level..].iter().filter_map(|cubes| cubes.get(&point));
        higher.flatten().any(|blocked| blocked.is_subset(cube))
    }

    /// A step to a cube from what may be reached before a level, or the literals that exclude all steps.
    fn step_to(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        cube: &Cube,
        level: usize,
    ) -> Result<Result<Cube, (usize, Model)>, GaveUp> {
        let mut needed = Cube::new();
        let steps = self.into.get(&point).cloned().unwrap_or_default();
        for (position, &step) in steps.iter().enumerate() {
            if level == 1 && self.steps.all[step].from != self.start {
                continue;
            }
            match self.steps.reach(encoding, step, level - 1..=self.top(), cube)? {
                Reach::Never(core) => needed.extend(core),
                Reach::Reached(model) => {
                    let order = self.into.get_mut(&point).expect("it has steps");
                    order[..=position].rotate_right(1);
                    return Ok(Err((step, model)));
                }
            }
        }
        Ok(Ok(needed))
    }

    /// Leaves out literals as long as the rest is not reached either.
    fn generalize(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        mut cube: Cube,
        level: usize,
    ) -> Result<Cube, GaveUp> {
        for literal in cube.clone() {
            if !cube.contains(&literal) {
                continue;
            }
            let mut fewer = cube.clone();
            fewer.remove(&literal);
            if let Ok(core) = self.step_to(encoding, point, &fewer, level)? {
                cube = core;
            }
        }
        Ok(cube)
    }

    /// Blocks a cube that is not reached on a level, and on higher ones as far as it is not reached there.
    fn learn(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        cube: Cube,
        mut level: usize,
    ) -> Result<(), GaveUp> {
        while level < self.top() && self.step_to(encoding, point, &cube, level + 1)?.is_ok() {
            level += 1;
        }
        self.add(encoding, point, cube, level)
    }

    fn add(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        cube: Cube,
        level: usize,
    ) -> Result<(), GaveUp> {
        for lower in &mut self.levels[..=level] {
            lower.entry(point).or_default().retain(|other| !cube.is_subset(other));
        }
        self.steps.block(encoding, point, level, &cube)?;
        self.levels[level].entry(point).or_default().push(cube);
        debug_assert!(
            self.is_delta_encoded(point),
            "no cube is implied by one on the same or a higher level"
        );
        Ok(())
    }

    /// Whether each cube at a point is on one level only, the highest on which it is known to be blocked, and none is
    /// part of another that is blocked there too. For assertions.
    fn is_delta_encoded(&self, point: Point) -> bool {
        let level = |(level, cubes): (usize, &BTreeMap<Point, Vec<Cube>>)| -> Vec<(usize, Cube)> {
            cubes.get(&point).into_iter().flatten().map(|cube| (level, cube.clone())).collect()
        };
        let all: Vec<(usize, Cube)> = self.levels.iter().enumerate().flat_map(level).collect();
        all.iter().enumerate().all(|(number, (level, cube))| {
            let others =
                all.iter().enumerate().filter(|&(other, (higher, _))| other != number && higher >= level);
            !others.into_iter().any(|(_, (_, other))| other.is_subset(cube))
        })
    }

    /// Opens a new level, and moves to higher levels what is not reached there either. If everything on a level moves,
    /// what is blocked above can never be reached.
    pub(super) fn advance(
        &mut self,
        encoding: &mut Encoding<'_>,
    ) -> Result<Option<BTreeMap<Point, Vec<Cube>>>, GaveUp> {
        self.levels.push(BTreeMap::new());
        for level in 1..self.top() {
            let cubes: Vec<(Point, Cube)> = self.levels[level]
                .iter()
                .flat_map(|(&point, cubes)| cubes.iter().map(move |cube| (point, cube.clone())))
                .collect();
            for (point, cube) in cubes {
                // A part of it may have moved already.
                if self.is_blocked(point, level + 1, &cube) {
                    continue;
                }
                if self.step_to(encoding, point, &cube, level + 1)?.is_ok() {
                    self.add(encoding, point, cube, level + 1)?;
                }
            }
            if self.levels[level].values().all(Vec::is_empty) {
                let mut never: BTreeMap<Point, Vec<Cube>> = BTreeMap::new();
                for (&point, cubes) in self.levels[level..].iter().flatten() {
                    never.entry(point).or_default().extend_from_slice(cubes);
                }
                return Ok(Some(never));
            }
        }
        Ok(None)
    }
}

/// The steps to a violation from the last obligation.
fn course(all: &[Obligation]) -> Course {
    let mut course = Vec::new();
    let mut at = all.last();
    while let Some(obligation) = at {
        course.push((obligation.cause.clone(), obligation.step));
        at = obligation.next.map(|next| &all[next]);
    }
    course
}

//! Points from which no block leads to a violation, whatever the state is. Nothing has to be known about them.

use std::collections::{BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Point, Target};

/// The search from one point gives up after so many: where calls are inlined there may be more points than are
/// ever visited, and their blocks would have to be translated.
const MOST_POINTS: usize = 50;

/// What was found out about points.
#[derive(Debug, Default)]
pub(crate) struct Harmless {
    known: HashMap<Point, bool>,
}

impl Harmless {
    /// Whether no way leads from the point to a violation or to something that is not supported. A way counts even
    /// if no execution can take it.
    pub(crate) fn contains(&mut self, encoding: &mut Encoding<'_>, point: Point) -> bool {
        if let Some(&known) = self.known.get(&point) {
            return known;
        }
        match self.behind(encoding, point) {
            Some(points) => self.known.extend(points.into_iter().map(|point| (point, true))),
            None => {
                self.known.insert(point, false);
            }
        }
        self.known[&point]
    }

    /// The point and all points behind it, if they are harmless.
    fn behind(&self, encoding: &mut Encoding<'_>, point: Point) -> Option<BTreeSet<Point>> {
        let mut found = BTreeSet::from([point]);
        let mut open = vec![point];
        while let Some(point) = open.pop() {
            let block = encoding.block(point);
            let is_violation = |target: &Target| !matches!(target, Target::Point(_));
            if found.len() > MOST_POINTS || block.exits.iter().any(|exit| is_violation(&exit.target)) {
                return None;
            }
            for &end in &block.ends {
                match self.known.get(&end) {
                    Some(false) => return None,
                    None if found.insert(end) => open.push(end),
                    Some(true) | None => {}
                }
            }
        }
        Some(found)
    }
}

//! Which steps of an execution matter for its end: a dynamic backward slice.
//!
//! After H. Agrawal, J. R. Horgan, *Dynamic Program Slicing*, PLDI 1990: a step matters if it wrote a value that
//! a step which matters read, or if it decided that a step which matters was taken. What happens inside of
//! library functions is not followed.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::{FunctionId, LocationId, Operation, Program};
use rorqual_interpreter::{Access, RecordedStep, Recording, Spot};

use super::control::Control;

/// For each step whether it matters.
pub(super) fn slice(program: &Program, recording: &Recording) -> Vec<bool> {
    let mut slicer = Slicer {
        program,
        recording,
        needed: BTreeSet::new(),
        waiting: HashMap::new(),
        controls: HashMap::new(),
    };
    let count = recording.steps().len();
    let mut matters = vec![false; count];
    for at in (0..count).rev() {
        matters[at] = at + 1 == count || slicer.is_needed(at);
        if matters[at] {
            slicer.follow(at);
        }
    }
    matters
}

struct Slicer<'a> {
    program: &'a Program,
    recording: &'a Recording,
    /// What steps that matter read and nobody was found yet to have written.
    needed: BTreeSet<Spot>,
    /// For each activation of a function, the locations of steps that matter whose decisive branch is still
    /// to be found.
    waiting: HashMap<u64, Vec<LocationId>>,
    controls: HashMap<FunctionId, Control>,
}

impl Slicer<'_> {
    fn is_needed(&mut self, at: usize) -> bool {
        let writes = self.writes_needed(at);
        let decides = self.decides(at);
        let calls = self.enters(at);
        writes || decides || calls
    }

    /// Whether the step wrote something that is needed. What it wrote whole is not needed from before it.
    fn writes_needed(&mut self, at: usize) -> bool {
        let mut found = false;
        for touch in self.recording.touches(&self.recording.steps()[at]) {
            if touch.access == Access::Write {
                let met: Vec<Spot> = overlapping(&self.needed, touch.spot);
                found |= !met.is_empty();
                for spot in met.into_iter().filter(|&spot| covers(touch.spot, spot)) {
                    self.needed.remove(&spot);
                }
            }
        }
        found
    }

    /// Whether the step took a branch that decided about steps which matter.
    fn decides(&mut self, at: usize) -> bool {
        let step = &self.recording.steps()[at];
        let Some(waiting) = self.waiting.get_mut(&step.frame).filter(|waiting| !waiting.is_empty()) else {
            return false;
        };
        let Some(body) = &self.program.functions[step.function].body else { return false };
        let edge = &body.edges()[step.edge];
        if !matches!(edge.operation, Operation::Assume { .. }) {
            return false;
        }
        let control = self.controls.entry(step.function).or_insert_with(|| Control::new(body));
        let before = waiting.len();
        waiting.retain(|&location| !control.decides(edge.source, location));
        waiting.len() < before
    }

    /// Whether the step called a function with steps that matter and that no branch in it decided about.
    fn enters(&mut self, at: usize) -> bool {
        let steps = self.recording.steps();
        let Some(next) = steps.get(at + 1).filter(|next| next.depth > steps[at].depth) else { return false };
        self.waiting.remove(&next.frame).is_some_and(|waiting| !waiting.is_empty())
    }

    /// Asks for what the step read, and for what decided that it was taken.
    fn follow(&mut self, at: usize) {
        let step: &RecordedStep = &self.recording.steps()[at];
        for touch in self.recording.touches(step) {
            if touch.access == Access::Read {
                self.needed.insert(touch.spot);
            }
        }
        if let Some(body) = &self.program.functions[step.function].body {
            let waiting = self.waiting.entry(step.frame).or_default();
            let source = body.edges()[step.edge].source;
            if !waiting.contains(&source) {
                waiting.push(source);
            }
        }
    }
}

/// The needed spots that a write touches. Objects of more than this many bytes are rarely read whole, so
/// looking that far back finds nearly all.
fn overlapping(needed: &BTreeSet<Spot>, written: Spot) -> Vec<Spot> {
    const LONGEST: u64 = 4096;
    match written {
        Spot::Slot { .. } => needed.get(&written).copied().into_iter().collect(),
        Spot::Bytes { address, length } => {
            let first = Spot::Bytes { address: address.saturating_sub(LONGEST), length: 0 };
            let last = Spot::Bytes { address: address + length, length: 0 };
            needed.range(first..last).copied().filter(|spot| spot.overlaps(written)).collect()
        }
    }
}

fn covers(written: Spot, needed: Spot) -> bool {
    match (written, needed) {
        (Spot::Bytes { address, length }, Spot::Bytes { address: start, length: needed }) => {
            address <= start && start + needed <= address + length
        }
        _ => written == needed,
    }
}

//! Building one automaton: locations are drafted and merged freely, and the result holds only
//! what can be reached from the entry.

use rorqual_source::Span;

use crate::automaton::{Automaton, Edge, Location, Operation};
use crate::index::{Arena, Id, LocationId};

/// A location of an automaton that is still being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Draft(u32);

/// An automaton that is still being built.
#[derive(Debug, Default)]
pub struct AutomatonBuilder {
    /// The location that a draft was merged into; itself if it was not merged.
    merged_into: Vec<u32>,
    locations: Vec<Location>,
    edges: Vec<(Draft, Draft, Operation, Span)>,
}

impl AutomatonBuilder {
    /// A fresh location.
    pub fn location(&mut self) -> Draft {
        let draft = Draft(self.locations.len() as u32);
        self.merged_into.push(draft.0);
        self.locations.push(Location::default());
        draft
    }

    /// An edge by `operation` between two locations.
    pub fn edge(&mut self, source: Draft, target: Draft, operation: Operation, span: Span) {
        self.edges.push((source, target, operation, span));
    }

    /// Makes control go from `source` to `target` without an operation: both become one
    /// location. A location that jumps to itself gets an edge, so that the endless loop shows.
    pub fn jump(&mut self, source: Draft, target: Draft, span: Span) {
        let (from, to) = (self.root(source), self.root(target));
        if from == to {
            self.edge(source, target, Operation::Skip, span);
            return;
        }
        let moved = std::mem::take(&mut self.locations[from as usize]);
        let kept = &mut self.locations[to as usize];
        kept.loop_statements.extend(moved.loop_statements);
        kept.labels.extend(moved.labels);
        kept.is_marked |= moved.is_marked;
        self.merged_into[from as usize] = to;
    }

    /// Marks the head of a loop with the statement that wrote it.
    pub fn mark_loop(&mut self, head: Draft, statement: Span) {
        let root = self.root(head) as usize;
        self.locations[root].loop_statements.push(statement);
    }

    /// Gives a location a label of the program.
    pub fn mark_label(&mut self, draft: Draft, name: String) {
        let root = self.root(draft) as usize;
        self.locations[root].labels.push(name);
    }

    /// Marks a location as one at which blocks end.
    pub fn mark(&mut self, draft: Draft) {
        let root = self.root(draft) as usize;
        self.locations[root].is_marked = true;
    }

    fn root(&mut self, draft: Draft) -> u32 {
        let mut at = draft.0;
        while self.merged_into[at as usize] != at {
            let parent = self.merged_into[at as usize];
            self.merged_into[at as usize] = self.merged_into[parent as usize];
            at = parent;
        }
        at
    }

    /// The finished automaton, and where each of `tracked` ended up in it, if it can be reached
    /// from `entry`. Locations are numbered in depth-first order.
    pub fn finish(
        mut self,
        entry: Draft,
        exit: Draft,
        tracked: &[Draft],
    ) -> (Automaton, Vec<Option<LocationId>>) {
        let outgoing = self.outgoing();
        let numbers = self.number_reachable(entry, exit, &outgoing);
        let mut order: Vec<usize> = (0..self.locations.len()).filter(|&at| numbers[at].is_some()).collect();
        order.sort_by_key(|&at| numbers[at]);
        let mut edges = Arena::default();
        let mut old_edges: Vec<_> = std::mem::take(&mut self.edges).into_iter().map(Some).collect();
        for &at in &order {
            for &index in &outgoing[at] {
                let (source, target, operation, span) =
                    old_edges[index].take().expect("each edge leaves one location");
                let number = |builder: &mut Self, draft| {
                    numbers[builder.root(draft) as usize].expect("targets of reachable edges are reachable")
                };
                let (source, target) = (number(&mut self, source), number(&mut self, target));
                edges.push(Edge { source, target, operation, span });
            }
        }
        let locations = order.iter().map(|&at| std::mem::take(&mut self.locations[at])).collect();
        let mut find = |draft| numbers[self.root(draft) as usize];
        let tracked = tracked.iter().map(|&draft| find(draft)).collect();
        let entry = find(entry).expect("the entry is reachable");
        let exit = find(exit).expect("the exit is always kept");
        (Automaton::new(locations, edges, entry, exit), tracked)
    }

    fn outgoing(&mut self) -> Vec<Vec<usize>> {
        let mut outgoing = vec![Vec::new(); self.locations.len()];
        for index in 0..self.edges.len() {
            let source = self.edges[index].0;
            outgoing[self.root(source) as usize].push(index);
        }
        outgoing
    }

    /// Numbers the locations that the entry reaches, and last the exit if it does not.
    fn number_reachable(
        &mut self,
        entry: Draft,
        exit: Draft,
        outgoing: &[Vec<usize>],
    ) -> Vec<Option<LocationId>> {
        let mut numbers = vec![None; self.locations.len()];
        let mut count = 0;
        let mut stack = vec![self.root(entry)];
        while let Some(at) = stack.pop() {
            if numbers[at as usize].is_some() {
                continue;
            }
            numbers[at as usize] = Some(LocationId::new(count));
            count += 1;
            for &index in outgoing[at as usize].iter().rev() {
                let target = self.edges[index].1;
                stack.push(self.root(target));
            }
        }
        let exit = self.root(exit) as usize;
        numbers[exit].get_or_insert(LocationId::new(count));
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreachable_locations_are_dropped_and_merged_ones_are_one() {
        let mut builder = AutomatonBuilder::default();
        let [entry, middle, dead, exit] = std::array::from_fn(|_| builder.location());
        builder.edge(entry, middle, Operation::Skip, Span::NONE);
        builder.edge(dead, middle, Operation::Skip, Span::NONE);
        builder.jump(middle, exit, Span::NONE);
        let (automaton, tracked) = builder.finish(entry, exit, &[middle, dead]);
        assert_eq!(automaton.locations().len(), 2);
        assert_eq!(automaton.edges().len(), 1);
        assert_eq!(tracked, [Some(automaton.exit()), None]);
    }

    #[test]
    fn a_location_that_jumps_to_itself_keeps_an_edge() {
        let mut builder = AutomatonBuilder::default();
        let [entry, exit] = std::array::from_fn(|_| builder.location());
        builder.jump(entry, entry, Span::NONE);
        let (automaton, _) = builder.finish(entry, exit, &[]);
        assert_eq!(automaton.outgoing(automaton.entry()).count(), 1);
        assert_eq!(automaton.outgoing(automaton.exit()).count(), 0);
    }
}

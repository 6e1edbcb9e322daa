//! What engines report while they run. Counters, the progress line and statistics are observers.

use rorqual_source::Span;

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An engine begins.
    Started {
        /// Its name.
        engine: &'static str,
    },
    /// A node of an unwinding was expanded.
    Expanded {
        /// How many nodes the unwinding has.
        nodes: usize,
        /// The loop or call at the node.
        span: Span,
    },
    /// A path to an error is refuted.
    Refining {
        /// How many blocks the path has.
        depth: usize,
    },
    /// A node was covered.
    Covered,
    /// A node was covered after its path was strengthened for it.
    ForcedCover,
    /// A node is no longer covered.
    Uncovered,
    /// Formulas were proved to hold wherever they are stated.
    Learned {
        /// How many are known by now.
        facts: usize,
    },
    /// Predicates are tracked.
    Tracking {
        /// How many different ones.
        predicates: usize,
        /// How many at all locations together.
        tracked: usize,
        /// At how many locations.
        locations: usize,
        /// At most so many at one location.
        most: usize,
    },
    /// A test run ended.
    TestRun,
    /// A bounded search went one step further.
    Step {
        /// How many steps are done.
        steps: u64,
    },
    /// Calls of recursive functions are followed to a depth, and no error was found.
    Unwound {
        /// The depth.
        k: usize,
    },
    /// Summaries of recursive functions were computed, and what does not hold was dropped.
    Summarised {
        /// How many conjuncts there were.
        computed: usize,
        /// How many of them hold.
        kept: usize,
    },
    /// Summaries are not enough to prove something.
    CheckFailed {
        /// The function, or nothing if it is the program as a whole.
        span: Option<Span>,
    },
}

/// Learns what happens.
pub trait Observer {
    /// Called for each event.
    fn on(&mut self, event: Event);
}

/// Ignores everything.
impl Observer for () {
    fn on(&mut self, _: Event) {}
}

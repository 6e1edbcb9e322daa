//! What inference may cost: one documented struct per technique, all of them in [`Budgets`].
//!
//! Costs are counted in queries, conflicts, executed blocks and candidates, never in time, so that results are the same
//! on every machine. A caller that knows its time limit scales them.
//!
//! The defaults were chosen by hand: the reasons beside them say what grows with a number, and none of them rests on a
//! recorded measurement.

/// A struct of numbers, each with its default value beside the reason for it.
macro_rules! budget {
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$field_doc:meta])* pub $field:ident: $type:ty = $value:expr,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $value,)* }
            }
        }
    };
}

pub use crate::abstraction::Budget as Abstraction;
pub use crate::arrays::Budget as Arrays;
pub use crate::at_points::Walks;
pub use crate::candidates::Budget as Candidates;
pub use crate::contracts::Budget as Contracts;
pub use crate::contracts::budget::{Probe, Relations, Tables};
pub use crate::houdini::Budget as Houdini;
pub use crate::minimize::Budget as Minimize;
pub use crate::nodes::Budget as Nodes;
pub use crate::round::Budget as Round;
pub use crate::samples::Budget as Samples;

/// The budgets of all techniques.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budgets {
    /// One inference round about points.
    pub round: Round,
    /// Random executions.
    pub samples: Samples,
    /// Where candidates come from.
    pub candidates: Candidates,
    /// Houdini at points.
    pub houdini: Houdini,
    /// Random executions from the models of Houdini at points.
    pub walks: Walks,
    /// Predicate abstraction.
    pub abstraction: Abstraction,
    /// Quantified facts about arrays.
    pub arrays: Arrays,
    /// Quantified facts about the nodes of linked structures.
    pub nodes: Nodes,
    /// Contracts of procedures.
    pub contracts: Contracts,
}

impl Budgets {
    /// Budgets for a caller with `factor` times the time that it takes the defaults to be meant for. What counts work grows
    /// in proportion: queries, executions, combinations. What keeps single queries and formulas small stays as it is.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Budgets {
        // Saturates, and is never zero: a technique without any budget is not the same technique.
        let scale = |number: usize| ((number as f64 * factor) as usize).max(1);
        let mut all = *self;
        for number in [
            &mut all.round.work,
            &mut all.samples.blocks,
            &mut all.samples.runs,
            &mut all.samples.calls,
            &mut all.houdini.queries,
            &mut all.abstraction.cubes,
            &mut all.abstraction.cubes_with_modes,
            &mut all.contracts.queries,
            &mut all.contracts.work,
            &mut all.contracts.tables.extensions,
            &mut all.contracts.probe.runs,
        ] {
            *number = scale(*number);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_changes_work_and_not_sizes() {
        let one = Budgets::default();
        let two = one.scaled(2.0);
        assert_eq!(two.houdini.queries, 2 * one.houdini.queries);
        assert_eq!(two.round.work, 2 * one.round.work);
        assert_eq!(two.contracts.probe.runs, 2 * one.contracts.probe.runs);
        assert_eq!(two.houdini.conflicts, one.houdini.conflicts);
        assert_eq!(two.candidates, one.candidates);
        assert_eq!(one.scaled(1.0), one);
        assert_eq!(one.scaled(0.0).houdini.queries, 1);
        assert_eq!(one.scaled(f64::INFINITY).round.work, usize::MAX);
    }
}

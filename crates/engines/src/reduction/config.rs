//! What the reduction may be told.

use std::sync::Arc;

use super::analyzer::{Analyzer, analyzer};
use super::project::Budget;

/// The settings of one run.
#[derive(Clone)]
pub struct Reduction {
    /// The analyzer for programs without recursion.
    pub analyzer: Arc<dyn Analyzer>,
    /// At most so deep; without limit if absent.
    pub last: Option<usize>,
    /// What the elimination of quantifiers may cost, for each conjunct.
    pub projection: Budget,
    /// How often, for each `k`, arguments that refute a conjunct are looked for in `main` before the conjunct is dropped.
    /// Each time costs a proof that they are not reached, and checks of what follows from it.
    pub exclusions: usize,
}

impl Default for Reduction {
    fn default() -> Reduction {
        let analyzer = analyzer("impact").expect("it is in the list").into();
        Reduction { analyzer, last: None, projection: Budget::default(), exclusions: 8 }
    }
}

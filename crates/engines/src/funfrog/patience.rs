//! What a property may cost as long as others wait for their answers.

use std::collections::BTreeMap;

use rorqual_cfa::Instance;

/// The budget of a property that is not the only one. If it is spent, the property is left for [later](rorqual_evidence::Answer::later).
/// A property that is alone has no budget, so that this is never why it has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// How many error traces to the property may bring back bodies.
    pub refinements: u32,
    /// How many conflicts a query may take.
    pub conflicts: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { refinements: 15, conflicts: 20_000 }
    }
}

/// What properties have cost so far.
#[derive(Debug)]
pub(super) struct Costs {
    budget: Budget,
    refinements: BTreeMap<Instance, u32>,
}

impl Costs {
    pub(super) fn new(budget: Budget) -> Costs {
        Costs { budget, refinements: BTreeMap::new() }
    }

    /// Charges an error trace to properties. Returns those whose budget is spent.
    pub(super) fn charge(&mut self, instances: Vec<Instance>) -> Vec<Instance> {
        let mut spent = Vec::new();
        for instance in instances {
            let refinements = self.refinements.entry(instance.clone()).or_default();
            *refinements += 1;
            if *refinements > self.budget.refinements {
                spent.push(instance);
            }
        }
        spent
    }
}

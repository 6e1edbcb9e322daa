//! Plans: how the inputs of one run are chosen.

use super::values::{Kind, Vocabulary};

/// How the inputs of one run are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// All have this value.
    Same(i128),
    /// All are of one kind.
    Uniform(Kind),
    /// All that are taken at one place of the program are of one kind, which depends on the seed.
    BySite(u64),
    /// Each is of a kind of its own.
    ByDraw(u64),
}

/// So many small numbers are tried on their own.
const SMALL: i128 = 10;
/// So many constants of the program are tried on their own, with their neighbours and opposites.
const CONSTANTS: usize = 16;
/// So many runs mix all kinds of values, in each of two ways.
const MIXED: u64 = 24;

/// All plans. Those that come first are different from each other, because long runs leave time for no others.
pub(super) fn plans(vocabulary: &Vocabulary) -> Vec<Plan> {
    let mut plans = vec![
        Plan::Same(0),
        Plan::ByDraw(0),
        Plan::Same(1),
        Plan::BySite(0),
        Plan::Uniform(Kind::Any),
        Plan::Uniform(Kind::Successor),
        Plan::Same(-1),
    ];
    plans.extend((2..SMALL).map(Plan::Same));
    plans.extend(Kind::ALL.map(Plan::Uniform));
    for &constant in vocabulary.constants().iter().take(CONSTANTS) {
        let opposite = constant.saturating_neg();
        plans.extend(
            [constant, constant.saturating_add(1), constant.saturating_sub(1), opposite].map(Plan::Same),
        );
    }
    plans.extend((1..=MIXED).flat_map(|seed| [Plan::BySite(seed), Plan::ByDraw(seed)]));
    let mut distinct: Vec<Plan> = Vec::new();
    for plan in plans {
        if !distinct.contains(&plan) {
            distinct.push(plan);
        }
    }
    distinct
}

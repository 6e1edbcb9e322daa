//! The strategies that can be asked for by name.

use std::sync::Arc;

use rorqual_engines::engines;
use rorqual_engines::impact::{Impact, Interpolants};

use crate::auto::{auto, interpolation_parts, many_executions, part, protocols, summaries, testing};
use crate::condition::Condition;
use crate::race::Ration;
use crate::strategy::{Help, Strategy};

/// The names, each with what it stands for.
pub const NAMES: [(&str, &str); 7] = [
    ("auto", "test runs, shallow bugs and easy proofs first, then what suits the program"),
    (
        "interpolation",
        "impact with inferred facts and a bounded search ahead, after ic3 and the heap-free abstraction",
    ),
    ("interpolation-only", "impact as in its paper, with the restricted languages of UNWIND(L)"),
    ("summaries", "test runs, ic3 with a budget, then whale with inferred contracts"),
    ("contracts", "test runs, then whale with inferred contracts: proofs by contracts only"),
    ("bounded", "bounded search within a budget, then proofs as `interpolation` finds them"),
    ("all-engines-race", "every engine as in its paper, at the same time"),
];

/// The strategy with a name.
pub fn named(name: &str) -> Option<Strategy> {
    Some(match name {
        "auto" => auto(),
        "interpolation" => Strategy::Sequence(interpolation_parts()),
        "interpolation-only" => {
            let interpolants = Interpolants::Restricted { last_level: 3 };
            Strategy::engine(Impact { interpolants, ..Impact::default() })
        }
        "summaries" => Strategy::Sequence(vec![testing(), protocols(), summaries(Condition::Always)]),
        "contracts" => Strategy::Sequence(vec![testing(), summaries(Condition::Always)]),
        "bounded" => {
            let deeper = Strategy::engine(many_executions());
            let mut parts = vec![part("violations, deeper and deeper", Condition::Always, deeper)];
            parts.extend(interpolation_parts());
            Strategy::Sequence(parts)
        }
        "all-engines-race" => {
            let alone = |engine| {
                let strategy = Strategy::Engine(Arc::from(engine), Help::None);
                part("one of all engines", Condition::Always, strategy)
            };
            Strategy::Race(engines().into_iter().map(alone).collect(), Ration::Unlimited)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_strategy() {
        for (name, _) in NAMES {
            assert!(named(name).is_some(), "{name}");
        }
        assert!(named("no such thing").is_none());
    }
}

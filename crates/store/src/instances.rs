//! What properties are about, so that those of two versions of a function can be told apart when there are more or fewer of them.

use std::collections::BTreeMap;

use rorqual_cfa::{Automaton, Edge, Instance, LocationId, Operation, Printer, Program, Property};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::key::Key;

/// The digits of a hash that tell one property from another.
const DIGITS: usize = 12;
/// At most so many steps lie between what decides about a violation and the violation.
const STEPS: usize = 8;

/// For each property a hash of what goes wrong and of the conditions that decide about it.
pub fn instance_contents(program: &Program, properties: &[Property]) -> Vec<String> {
    let mut found: BTreeMap<Instance, String> = BTreeMap::new();
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        for edge in body.edges().values() {
            if let Operation::Error(error) = &edge.operation {
                let instance = Instance { error: error.clone(), span: edge.span };
                found.entry(instance).or_insert_with(|| deciding(program, body, edge.source));
            }
        }
    }
    let content = |property: &Property| {
        let conditions = found.get(&property.instance).map_or("", String::as_str);
        let key = Key::builder("instance").part("check", property.instance.check().name());
        let key = key.part("description", &property.description()).part("conditions", conditions).finish();
        key.as_str()[..DIGITS].to_owned()
    };
    properties.iter().map(content).collect()
}

/// The conditions by which control gets to a location.
fn deciding(program: &Program, body: &Automaton, mut location: LocationId) -> String {
    let printer = Printer::new(program);
    for _ in 0..STEPS {
        let incoming: Vec<&Edge> = body.edges().values().filter(|edge| edge.target == location).collect();
        let conditions = incoming.iter().filter_map(|edge| match edge.operation {
            Operation::Assume { condition, holds } => Some(format!("{holds} {}\n", printer.expr(condition))),
            _ => None,
        });
        let text: String = conditions.collect();
        match incoming[..] {
            [only] if text.is_empty() => location = only.source,
            _ => return text,
        }
    }
    String::new()
}

/// The places in the new list of what is in both: first what is equal, as far as its order allows, and then, between two equal
/// ones, what is at the same place and may have changed.
pub fn counterparts(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    let pairs = |step: DiffOp| {
        let (olds, news) = match step {
            DiffOp::Equal { old_index, new_index, len } => {
                (old_index..old_index + len, new_index..new_index + len)
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                (old_index..old_index + old_len, new_index..new_index + new_len)
            }
            DiffOp::Delete { .. } | DiffOp::Insert { .. } => (0..0, 0..0),
        };
        olds.zip(news)
    };
    capture_diff_slices(Algorithm::Myers, old, new).into_iter().flat_map(pairs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(text: &str) -> Vec<String> {
        let program = rorqual_testkit::program(text);
        let mut properties = rorqual_cfa::properties(&program);
        properties.sort_by_key(|property| property.instance.span.start());
        instance_contents(&program, &properties)
    }

    #[test]
    fn a_property_that_has_moved_is_found_again() {
        let program =
            "extern void reach_error(void); int main(void) { int x = 3; HERE if (x > 5) reach_error();
            if (x < 2) reach_error(); return 0; }";
        let old = contents(&program.replace("HERE", ""));
        let new = contents(&program.replace("HERE", "if (x == 7) reach_error();"));
        assert_eq!((old.len(), new.len()), (2, 3));
        assert_eq!(counterparts(&old, &new), [(0, 1), (1, 2)]);
        let changed = contents(&program.replace("HERE", "").replace("x > 5", "x > 6"));
        assert_ne!(old[0], changed[0]);
        assert_eq!(counterparts(&old, &changed), [(0, 0), (1, 1)]);
    }
}

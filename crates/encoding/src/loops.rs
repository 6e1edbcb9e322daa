//! Loops as parts of automata.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{Automaton, LocationId};

/// A loop: the locations from which control comes back to the head, and those behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    /// From which control comes back, the head among them.
    pub(crate) region: BTreeSet<LocationId>,
    /// The first locations behind it.
    pub(crate) exits: BTreeSet<LocationId>,
}

/// The loops of a function by their heads. Loops inside of others have heads of their own; without all heads there is
/// no cycle.
pub(crate) fn loops(body: &Automaton) -> BTreeMap<LocationId, Loop> {
    let mut found = BTreeMap::new();
    let order = depth_first(body);
    let mut open = vec![order.iter().copied().collect::<BTreeSet<LocationId>>()];
    while let Some(part) = open.pop() {
        for component in components(body, &part) {
            // The first one that is met: where control enters, unless it may enter elsewhere too.
            let head = order.iter().copied().find(|at| component.contains(at)).expect("it is not empty");
            let targets = |at: LocationId| body.outgoing(at).map(|edge| body.edges()[edge].target);
            let exits = component.iter().flat_map(|&at| targets(at)).filter(|at| !component.contains(at));
            let exits = exits.collect();
            let mut rest = component.clone();
            rest.remove(&head);
            open.push(rest);
            found.insert(head, Loop { region: component, exits });
        }
    }
    found
}

/// All locations in the order in which a depth-first search meets them.
fn depth_first(body: &Automaton) -> Vec<LocationId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![body.entry()];
    while let Some(location) = stack.pop() {
        if seen.insert(location) {
            order.push(location);
            let targets: Vec<LocationId> =
                body.outgoing(location).map(|edge| body.edges()[edge].target).collect();
            stack.extend(targets.into_iter().rev());
        }
    }
    order
}

/// The strongly connected parts with a cycle of some locations (Tarjan).
fn components(body: &Automaton, part: &BTreeSet<LocationId>) -> Vec<BTreeSet<LocationId>> {
    struct Visit {
        location: LocationId,
        targets: Vec<LocationId>,
    }
    let targets = |location: LocationId| -> Vec<LocationId> {
        let all = body.outgoing(location).map(|edge| body.edges()[edge].target);
        all.filter(|target| part.contains(target)).collect()
    };
    let mut found = Vec::new();
    let mut numbers: BTreeMap<LocationId, usize> = BTreeMap::new();
    let mut lowest: BTreeMap<LocationId, usize> = BTreeMap::new();
    let mut path: Vec<LocationId> = Vec::new();
    let mut on_path: BTreeSet<LocationId> = BTreeSet::new();
    for &root in part {
        if numbers.contains_key(&root) {
            continue;
        }
        let mut visits = vec![Visit { location: root, targets: targets(root) }];
        while let Some(visit) = visits.last_mut() {
            let location = visit.location;
            if !numbers.contains_key(&location) {
                let number = numbers.len();
                numbers.insert(location, number);
                lowest.insert(location, number);
                path.push(location);
                on_path.insert(location);
            }
            if let Some(target) = visit.targets.pop() {
                if !numbers.contains_key(&target) {
                    visits.push(Visit { location: target, targets: targets(target) });
                } else if on_path.contains(&target) {
                    let low = lowest[&location].min(numbers[&target]);
                    lowest.insert(location, low);
                }
                continue;
            }
            visits.pop();
            if let Some(parent) = visits.last() {
                let low = lowest[&parent.location].min(lowest[&location]);
                lowest.insert(parent.location, low);
            }
            if lowest[&location] == numbers[&location] {
                let at = path.iter().position(|&one| one == location).expect("it is on the path");
                let component: BTreeSet<LocationId> = path.drain(at..).collect();
                on_path.retain(|one| !component.contains(one));
                if component.len() > 1 || targets(location).contains(&location) {
                    found.push(component);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, usize)> {
        let program = rorqual_testkit::program(text);
        let main = program.function_named("main").expect("there is one");
        let body = program.functions[main].body.as_ref().expect("it has a body");
        loops(body).values().map(|one| (one.region.len(), one.exits.len())).collect()
    }

    #[test]
    fn loops_have_regions_and_exits() {
        assert!(found("int main(void) { return 3; }").is_empty());
        let exits = |text: &str| -> Vec<usize> { found(text).into_iter().map(|(_, exits)| exits).collect() };
        assert_eq!(exits("int main(void) { int i = 0; while (i < 3) i++; return i; }"), [1]);
        assert_eq!(
            exits("int main(void) { int i = 0; while (i < 9) { if (i == 5) return 1; i++; } return i; }"),
            [2]
        );
        assert_eq!(exits("int main(void) { for (;;) ; }"), [0]);
        let nested =
            found("int main(void) { int i, j; for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) ; return 0; }");
        let [(outer, _), (inner, _)] = nested[..] else { panic!("{nested:?}") };
        assert!(outer.max(inner) > outer.min(inner));
        assert_eq!(
            found(
                "int main(void) { int i = 0; if (i) goto in; out: i++; in: if (i < 5) goto out; return 0; }"
            )
            .len(),
            1
        );
    }
}

//! The order in which the locations of a function are executed: loops, loops in loops, and what is between them.
//!
//! A loop is a strongly connected part of the automaton. It has a head, which every way around it is cut at; without the head,
//! what is left of it is ordered in the same way.

use std::collections::BTreeSet;

use rorqual_cfa::{Automaton, Id, LocationId};

/// A location, or a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// Control is here at most once, each time that control comes from outside of all loops around it.
    Location(LocationId),
    /// Control may come back to the head.
    Loop(LocationId, Vec<Item>),
}

/// The locations of an automaton, each behind all from which an edge leads to it, but for edges back to the head of a loop.
/// Heads are among `named` where there is a choice.
pub(super) fn ordered(body: &Automaton, named: &BTreeSet<LocationId>) -> Vec<Item> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); body.locations().len()];
    for edge in body.edges().values() {
        next[edge.source.index()].push(edge.target.index());
    }
    let graph = Graph { next, entry: body.entry().index(), named };
    graph.items(&body.locations().ids().map(Id::index).collect())
}

struct Graph<'a> {
    next: Vec<Vec<usize>>,
    entry: usize,
    named: &'a BTreeSet<LocationId>,
}

impl Graph<'_> {
    /// Orders some of the locations, as if there were no others.
    fn items(&self, locations: &BTreeSet<usize>) -> Vec<Item> {
        let mut items = Vec::new();
        for component in self.components(locations).into_iter().rev() {
            let first = component[0];
            let is_loop = component.len() > 1 || self.next[first].contains(&first);
            items.push(if is_loop { self.cycle(&component) } else { Item::Location(LocationId::new(first)) });
        }
        items
    }

    fn cycle(&self, component: &[usize]) -> Item {
        let mut inside: BTreeSet<usize> = component.iter().copied().collect();
        let is_entered = |location: usize| {
            let comes_from =
                |&(from, next): &(usize, &Vec<usize>)| !inside.contains(&from) && next.contains(&location);
            location == self.entry || self.next.iter().enumerate().any(|pair| comes_from(&pair))
        };
        let entries: Vec<usize> = inside.iter().copied().filter(|&location| is_entered(location)).collect();
        let is_named = |location: &&usize| self.named.contains(&LocationId::new(**location));
        let head = entries.iter().find(is_named).or_else(|| inside.iter().find(is_named));
        let head = head.or(entries.first()).copied().unwrap_or(component[0]);
        inside.remove(&head);
        Item::Loop(LocationId::new(head), self.items(&inside))
    }

    /// Strongly connected components after Tarjan, each behind all that it leads to. Iterative, as functions may be long.
    fn components(&self, locations: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let mut number = vec![UNSEEN; self.next.len()];
        let mut low = vec![0; self.next.len()];
        let mut is_open = vec![false; self.next.len()];
        let (mut count, mut path, mut found) = (0, Vec::new(), Vec::new());
        // The entry first, so that the order is that of the program.
        for root in locations.get(&self.entry).into_iter().chain(locations).copied() {
            if number[root] != UNSEEN {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((location, at)) = stack.pop() {
                if at == 0 {
                    (number[location], low[location], is_open[location]) = (count, count, true);
                    count += 1;
                    path.push(location);
                }
                match self.next[location].get(at) {
                    Some(&next) => {
                        stack.push((location, at + 1));
                        if locations.contains(&next) && number[next] == UNSEEN {
                            stack.push((next, 0));
                        } else if locations.contains(&next) && is_open[next] {
                            low[location] = low[location].min(number[next]);
                        }
                    }
                    None => {
                        if let Some(&(parent, _)) = stack.last() {
                            low[parent] = low[parent].min(low[location]);
                        }
                        if low[location] == number[location] {
                            let start = path.iter().rposition(|&other| other == location).unwrap_or(0);
                            let component = path.split_off(start);
                            for &member in &component {
                                is_open[member] = false;
                            }
                            found.push(component);
                        }
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<Item> {
        let program = rorqual_testkit::program(text);
        let main = program.function_named("main").expect("there is a main function");
        ordered(program.functions[main].body.as_ref().expect("it has a body"), &BTreeSet::new())
    }

    /// How deeply loops are nested, for each outermost one.
    fn depths(items: &[Item]) -> Vec<usize> {
        let depth = |item: &Item| match item {
            Item::Location(_) => None,
            Item::Loop(_, inner) => Some(1 + depths(inner).into_iter().max().unwrap_or(0)),
        };
        items.iter().filter_map(depth).collect()
    }

    #[test]
    fn loops_are_found_in_loops() {
        assert!(depths(&items("int main(void) { return 0; }")).is_empty());
        assert_eq!(depths(&items("int main(void) { for (int i = 0; i < 3; i++) ; while (1) ; }")), [1, 1]);
        let nested = "int main(void) { int i = 0, j; while (i < 3) { for (j = 0; j < 3; j++) ; i++; } }";
        assert_eq!(depths(&items(nested)), [2]);
    }
}

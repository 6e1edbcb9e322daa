//! A weak topological order of an automaton (Bourdoncle, *Efficient chaotic iteration strategies with widenings*, 1993):
//! locations are numbered such that every edge leads forward, but for those back to the head of a loop around them.

use rorqual_cfa::{Automaton, Id, LocationId};

/// A loop: a head, and everything from its position up to the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Where it starts. Every cycle among its locations meets this one, or the head of a loop inside.
    pub head: LocationId,
    /// The position of the head.
    pub first: u32,
    /// The greatest position inside.
    pub last: u32,
}

/// The positions of the locations of an automaton, and its loops.
#[derive(Debug, Clone)]
pub struct Order {
    positions: Vec<u32>,
    loops: Vec<Loop>,
    /// The loops around each location, outermost first.
    around: Vec<Vec<usize>>,
}

impl Order {
    /// The order of an automaton.
    pub fn of(automaton: &Automaton) -> Order {
        let count = automaton.locations().len();
        let successors = automaton
            .locations()
            .ids()
            .map(|location| {
                automaton.outgoing(location).map(|edge| automaton.edges()[edge].target.index()).collect()
            })
            .collect();
        let mut builder = Builder {
            successors,
            order: Order {
                positions: vec![u32::MAX; count],
                loops: Vec::new(),
                around: vec![Vec::new(); count],
            },
            next: 0,
            is_removed: vec![false; count],
        };
        builder.arrange(
            vec![automaton.entry().index()],
            &(0..count).collect::<Vec<usize>>(),
            &mut Vec::new(),
        );
        builder.order
    }

    /// All loops, an outer one before those inside.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The position of a location.
    pub fn position(&self, location: LocationId) -> u32 {
        self.positions[location.index()]
    }

    /// The loops around a location, outermost first; its own, if it is a head, is the last.
    pub fn around(&self, location: LocationId) -> &[usize] {
        &self.around[location.index()]
    }

    /// The loop that an edge leads back to the head of, if it does.
    pub fn back(&self, source: LocationId, target: LocationId) -> Option<usize> {
        let inner = self.around(target).last().copied()?;
        let Loop { head, first, last } = self.loops[inner];
        let inside = (first..=last).contains(&self.position(source));
        (head == target && inside).then_some(inner)
    }
}

struct Builder {
    successors: Vec<Vec<usize>>,
    order: Order,
    next: u32,
    is_removed: Vec<bool>,
}

impl Builder {
    /// Numbers the nodes of a part of the graph, whose cycles become loops.
    fn arrange(&mut self, roots: Vec<usize>, nodes: &[usize], around: &mut Vec<usize>) {
        let components = self.components(roots, nodes);
        for component in components {
            let head = component[0];
            let is_cyclic = component.len() > 1 || self.successors[head].contains(&head);
            if !is_cyclic {
                self.number(head, around);
                continue;
            }
            let number = self.order.loops.len();
            self.order.loops.push(Loop { head: LocationId::new(head), first: self.next, last: 0 });
            around.push(number);
            self.number(head, around);
            self.is_removed[head] = true;
            let inside: Vec<usize> = component[1..].to_vec();
            let roots = self.successors[head].iter().copied().filter(|node| inside.contains(node)).collect();
            self.arrange(roots, &inside, around);
            self.order.loops[number].last = self.next - 1;
            around.pop();
        }
    }

    fn number(&mut self, node: usize, around: &[usize]) {
        self.order.positions[node] = self.next;
        self.order.around[node] = around.to_vec();
        self.next += 1;
    }

    /// The strongly connected components of a part of the graph in topological order, each with the node first that is
    /// met first (Tarjan).
    fn components(&self, roots: Vec<usize>, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut search = Tarjan::new(self, nodes);
        for root in roots.into_iter().chain(nodes.iter().copied()) {
            search.visit(root);
        }
        let mut found = search.found;
        found.reverse();
        found
    }
}

struct Tarjan<'b> {
    builder: &'b Builder,
    is_inside: Vec<bool>,
    index: Vec<Option<u32>>,
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    count: u32,
    found: Vec<Vec<usize>>,
}

impl<'b> Tarjan<'b> {
    fn new(builder: &'b Builder, nodes: &[usize]) -> Tarjan<'b> {
        let count = builder.successors.len();
        let mut is_inside = vec![false; count];
        for &node in nodes {
            is_inside[node] = true;
        }
        Tarjan {
            builder,
            is_inside,
            index: vec![None; count],
            low: vec![0; count],
            is_open: vec![false; count],
            open: Vec::new(),
            count: 0,
            found: Vec::new(),
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = Some(self.count);
        self.low[node] = self.count;
        self.count += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn visit(&mut self, root: usize) {
        if self.index[root].is_some() || !self.is_inside[root] {
            return;
        }
        self.enter(root);
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            if let Some(&successor) = self.builder.successors[node].get(*next) {
                *next += 1;
                if !self.is_inside[successor] || self.builder.is_removed[successor] {
                    continue;
                }
                match self.index[successor] {
                    None => {
                        self.enter(successor);
                        stack.push((successor, 0));
                    }
                    Some(index) if self.is_open[successor] => self.low[node] = self.low[node].min(index),
                    Some(_) => {}
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if Some(self.low[node]) == self.index[node] {
                self.close(node);
            }
        }
    }

    /// Everything that was entered since a node is one component.
    fn close(&mut self, node: usize) {
        let start = self.open.iter().rposition(|&open| open == node).expect("the node is open");
        let component = self.open.split_off(start);
        for &member in &component {
            self.is_open[member] = false;
        }
        self.found.push(component);
    }
}

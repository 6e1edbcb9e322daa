//! Branches after which control does not come together again before the function returns: what holds on one of them holds for
//! all that follows.

use std::collections::HashMap;

use crate::automaton::{Automaton, Edge};
use crate::index::{FunctionId, Id, LocationId};

/// The edges that were asked for, so that each is looked at once.
#[derive(Debug, Clone, Default)]
pub struct Partings {
    known: HashMap<(FunctionId, LocationId, LocationId), bool>,
}

impl Partings {
    /// Whether no location but the exit can be reached both along the edge and along another one from the same location.
    pub fn is_for_good(&mut self, function: FunctionId, body: &Automaton, edge: &Edge) -> bool {
        let key = (function, edge.source, edge.target);
        *self.known.entry(key).or_insert_with(|| parts(body, edge))
    }
}

fn parts(body: &Automaton, edge: &Edge) -> bool {
    let mut others = body.outgoing(edge.source).map(|id| body.edges()[id].target).collect::<Vec<_>>();
    let Some(own) = others.iter().position(|&target| target == edge.target) else { return false };
    others.swap_remove(own);
    let here = reachable(body, vec![edge.target]);
    let elsewhere = reachable(body, others);
    let exit = body.exit().index();
    !here.iter().zip(&elsewhere).enumerate().any(|(at, (here, elsewhere))| at != exit && *here && *elsewhere)
}

fn reachable(body: &Automaton, from: Vec<LocationId>) -> Vec<bool> {
    let mut reached = vec![false; body.locations().len()];
    let mut waiting = from;
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut reached[location.index()], true) {
            waiting.extend(body.outgoing(location).map(|edge| body.edges()[edge].target));
        }
    }
    reached
}

//! Where an execution can still come to a violation. What is behind the last such place does not matter to any property, and
//! need not be looked at.

use std::collections::BTreeSet;

use crate::automaton::{Callee, Edge, Operation};
use crate::expr::{Expr, ExprKind};
use crate::index::{FunctionId, Id, LocationId};
use crate::program::Program;

/// The locations from which control may come to a violation before the function returns. Conditions do not count. A call
/// through a pointer may be one of any function, and a function without body may call those whose address is taken.
#[derive(Debug, Clone)]
pub struct Peril {
    /// By function and location.
    perilous: Vec<Vec<bool>>,
    /// Whether a call of some function may come to one, and of one whose address is taken.
    any: bool,
    any_addressed: bool,
    addressed: BTreeSet<FunctionId>,
}

impl Peril {
    /// The locations of a program.
    pub fn of(program: &Program) -> Peril {
        let bodies = program.functions.values().map(|function| function.body.as_ref());
        let perilous =
            bodies.map(|body| vec![false; body.map_or(0, |body| body.locations().len())]).collect();
        let address = |expr: &Expr| match expr.kind {
            ExprKind::FunctionAddress(function) => Some(function),
            _ => None,
        };
        let addressed = program.exprs.values().filter_map(address).collect();
        let mut peril = Peril { perilous, any: false, any_addressed: false, addressed };
        while peril.grow(program) {}
        peril
    }

    /// Whether a violation may be ahead of a location, before its function returns.
    pub fn is_ahead(&self, function: FunctionId, location: LocationId) -> bool {
        self.perilous[function.index()][location.index()]
    }

    /// Whether a violation may be on an edge, in what it calls, or behind it; or something that may be anything.
    pub fn is_on_or_behind(&self, program: &Program, function: FunctionId, edge: &Edge) -> bool {
        let is_on = match edge.operation {
            Operation::Call { callee: Callee::Function(callee), .. } => {
                let body = program.functions[callee].body.as_ref();
                body.map_or(self.any_addressed, |body| self.is_ahead(callee, body.entry()))
            }
            Operation::Call { callee: Callee::Pointer(_), .. } => self.any,
            // What the function without body calls is decided here, not at its call.
            Operation::Clobber { .. } => self.any_addressed,
            _ => edge.operation.may_violate(),
        };
        is_on || self.is_ahead(function, edge.target)
    }

    /// Adds locations in front of those that are known.
    fn grow(&mut self, program: &Program) -> bool {
        let mut grows = false;
        for (function, details) in program.functions.iter() {
            let Some(body) = &details.body else { continue };
            // Edges are sorted by their source, and most lead forward: backwards, few rounds are needed.
            for edge in body.edges().values().rev() {
                if !self.is_ahead(function, edge.source) && self.is_on_or_behind(program, function, edge) {
                    self.perilous[function.index()][edge.source.index()] = true;
                    grows = true;
                }
            }
            if self.is_ahead(function, body.entry()) {
                let is_addressed = self.addressed.contains(&function);
                grows |= !self.any || is_addressed && !self.any_addressed;
                self.any = true;
                self.any_addressed |= is_addressed;
            }
        }
        grows
    }
}

//! Which variables are alive where control is.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::{Automaton, FunctionId, LocationId, Operation, VariableId};
use rorqual_memory::Object;

use crate::Encoding;
use crate::translate::Translation;

/// For each location of a function, the variables whose lives have ended or not begun on every way to it.
pub(crate) type Expired = HashMap<LocationId, BTreeSet<VariableId>>;

impl Translation<'_, '_> {
    /// Whether a declared object is alive before the edge.
    pub(crate) fn is_alive_here(&mut self, object: Object) -> bool {
        if !self.encoding.is_alive(self.context, object) {
            return false;
        }
        let Object::Variable(variable) = object else { return true };
        let details = &self.encoding.program.variables[variable];
        let Some(owner) = details.function.filter(|_| !details.kind.is_global()) else { return true };
        let (mut context, mut function, mut edge) = (self.context, self.function, self.edge);
        while function != owner {
            let Some((caller, site)) = self.encoding.caller(context) else { return true };
            (context, function, edge) = (caller, site.caller, site.edge);
        }
        let Some(body) = &self.encoding.program.functions[owner].body else { return true };
        let location = body.edges()[edge].source;
        !self.encoding.expired(owner).get(&location).is_some_and(|left| left.contains(&variable))
    }
}

impl Encoding<'_> {
    fn expired(&mut self, function: FunctionId) -> Rc<Expired> {
        if let Some(known) = self.expired.get(&function) {
            return known.clone();
        }
        let body = self.program.functions[function].body.as_ref();
        let found = Rc::new(body.map(expired).unwrap_or_default());
        self.expired.insert(function, found.clone());
        found
    }
}

fn expired(body: &Automaton) -> Expired {
    let born = |operation: &Operation| match *operation {
        Operation::Declare(variable) => Some(variable),
        _ => None,
    };
    let unborn = body.edges().values().filter_map(|edge| born(&edge.operation)).collect();
    let mut found = Expired::from([(body.entry(), unborn)]);
    let mut open = BTreeSet::from([body.entry()]);
    while let Some(location) = open.pop_first() {
        for edge in body.outgoing(location).map(|edge| &body.edges()[edge]) {
            let mut after = found[&location].clone();
            match edge.operation {
                Operation::Expire(variable) => {
                    after.insert(variable);
                }
                Operation::Declare(variable) => {
                    after.remove(&variable);
                }
                _ => {}
            }
            let known = found.get(&edge.target);
            let met =
                known.map_or_else(|| after.clone(), |known| known.intersection(&after).copied().collect());
            if known != Some(&met) {
                found.insert(edge.target, met);
                open.insert(edge.target);
            }
        }
    }
    found
}

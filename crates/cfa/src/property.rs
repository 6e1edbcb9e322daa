//! Properties: each place where a program can violate what it is checked for.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_source::{FileId, Span};

use crate::automaton::{ErrorKind, Operation};
use crate::check::Check;
use crate::index::{ExprId, FunctionId, Id, LocationId};
use crate::program::Program;

/// A violation that may happen at a place. What engines and runs find is one of these.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// How the program would be violated.
    pub error: ErrorKind,
    /// Where.
    pub span: Span,
}

impl Instance {
    /// The check that fails.
    pub fn check(&self) -> Check {
        self.error.check()
    }
}

/// A property: that some instance of a check never happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// `main.overflow.2`: function, check, and a number in the order of the source. It does not depend on which other
    /// checks there are.
    pub name: String,
    /// What must not happen.
    pub instance: Instance,
}

impl Property {
    /// What goes wrong if the property is violated, to be followed by the place.
    pub fn description(&self) -> String {
        match &self.instance.error {
            ErrorKind::Assertion => "the assertion can fail".to_owned(),
            ErrorKind::Call { function } => format!("`{function}` can be called"),
            ErrorKind::Check { what, .. } => what.clone(),
        }
    }
}

/// What stands for the start-up code in names.
const START: &str = "program";

/// All properties of a program with its checks, in the order of their names.
pub fn properties(program: &Program) -> Vec<Property> {
    let mut found: BTreeMap<(&str, Check), Vec<(FunctionId, Instance)>> = BTreeMap::new();
    for (function, details) in program.functions.iter() {
        for edge in details.body.iter().flat_map(|body| body.edges().values()) {
            let Operation::Error(error) = &edge.operation else { continue };
            let instance = Instance { error: error.clone(), span: edge.span };
            let name = if function == program.start { START } else { &details.name };
            let known = found.entry((name, error.check())).or_default();
            if !known.iter().any(|(_, other)| *other == instance) {
                known.push((function, instance));
            }
        }
    }
    let mut properties = Vec::new();
    for ((function, check), mut instances) in found {
        instances.sort_by_cached_key(|(id, one)| {
            (id.index(), one.span.file().map(FileId::index), one.span.start(), one.error.clone())
        });
        for (at, (_, instance)) in instances.into_iter().enumerate() {
            properties.push(Property { name: format!("{function}.{check}.{}", at + 1), instance });
        }
    }
    properties
}

/// What each automatic check tests: the instance, and the condition under which it is violated.
pub fn conditions(program: &Program) -> Vec<(Instance, ExprId)> {
    let mut found = Vec::new();
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        let tests = body.edges().values().filter_map(|edge| match edge.operation {
            Operation::Assume { condition, holds: true } => Some((edge.target, condition)),
            _ => None,
        });
        let tests: BTreeMap<LocationId, ExprId> = tests.collect();
        for edge in body.edges().values() {
            let (Operation::Error(error), Some(&test)) = (&edge.operation, tests.get(&edge.source)) else {
                continue;
            };
            found.push((Instance { error: error.clone(), span: edge.span }, test));
        }
    }
    found
}

/// The checks that some properties belong to, in their order.
pub fn checks_of<'p>(properties: impl IntoIterator<Item = &'p Property>) -> Vec<Check> {
    let checks: BTreeSet<Check> = properties.into_iter().map(|property| property.instance.check()).collect();
    checks.into_iter().collect()
}

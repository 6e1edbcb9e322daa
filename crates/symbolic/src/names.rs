//! The loops of a program, and how people name them.

use rorqual_cfa::{FunctionId, LocationId, Program};
use rorqual_source::Span;

use crate::order::Order;

/// A loop with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedLoop {
    /// The function and the number of the loop in it, from one: `main.2`.
    pub name: String,
    /// The function.
    pub function: FunctionId,
    /// Where the loop starts.
    pub head: LocationId,
    /// The statement.
    pub span: Span,
}

/// The loops of all functions, in the order of the program. Checks that are added to a program change no name.
pub fn loops(program: &Program) -> Vec<NamedLoop> {
    let mut named = Vec::new();
    for (function, details) in program.functions.iter() {
        let Some(body) = &details.body else { continue };
        let mut heads: Vec<(Span, LocationId)> = Order::of(body)
            .loops()
            .iter()
            .map(|one| (program.span_at(function, one.head), one.head))
            .collect();
        heads.sort_by_key(|&(span, head)| {
            let position = program.sources.position(span);
            (position.line, position.column, head)
        });
        for (number, (span, head)) in (1..).zip(heads) {
            let name = format!("{}.{number}", program.unique_name(function));
            named.push(NamedLoop { name, function, head, span });
        }
    }
    named
}

//! Automata as a Graphviz graph.

use std::fmt::{self, Write};

use super::text::Printer;
use crate::automaton::Operation;
use crate::index::{FunctionId, Id};
use crate::program::Program;

/// Writes the given functions as one directed graph with a cluster per function.
pub fn write_dot(out: &mut impl Write, program: &Program, functions: &[FunctionId]) -> fmt::Result {
    let printer = Printer::new(program);
    writeln!(out, "digraph cfa {{")?;
    writeln!(out, "  node [shape=circle, fontname=\"monospace\"]; edge [fontname=\"monospace\"];")?;
    for &id in functions {
        let function = &program.functions[id];
        let Some(automaton) = &function.body else { continue };
        let name = |location: usize| format!("f{}_{location}", id.index());
        writeln!(out, "  subgraph cluster_{} {{", id.index())?;
        writeln!(out, "    label={};", quoted(&printer.signature(function)))?;
        for (location, attributes) in automaton.locations().iter() {
            let shape = if attributes.loop_statements.is_empty() { "" } else { ", shape=doublecircle" };
            let label = if location == automaton.entry() {
                "entry".to_owned()
            } else if location == automaton.exit() {
                "exit".to_owned()
            } else {
                format!("L{}", location.index())
            };
            writeln!(out, "    {} [label={}{shape}];", name(location.index()), quoted(&label))?;
        }
        for edge in automaton.edges().values() {
            let color = match edge.operation {
                Operation::Error(_) => ", color=red",
                Operation::Unsupported { .. } => ", color=orange",
                _ => "",
            };
            let (source, target) = (name(edge.source.index()), name(edge.target.index()));
            let label = quoted(&printer.operation(&edge.operation));
            writeln!(out, "    {source} -> {target} [label={label}{color}];")?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

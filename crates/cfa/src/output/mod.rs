//! Automata for people and other tools: text, Graphviz, JSON.

pub(crate) mod dot;
pub(crate) mod json;
pub(crate) mod text;

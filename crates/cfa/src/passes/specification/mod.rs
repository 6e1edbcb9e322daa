//! Specification automata: temporal safety rules over calls, woven into the program. A rule file becomes ghost variables and
//! one function per event, which is called wherever the event happens; so whatever runs or checks automata knows the rule.
//! `docs/guide/specifications.md` describes the language.

mod lexer;
mod parser;
mod weave;

use rorqual_source::Span;

use crate::expr::BinaryOp;

pub use parser::parse_specification;
pub use weave::weave;

/// A specification automaton. Ghost variable 0 is its state, a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    /// Its name.
    pub name: String,
    /// The names of its states; the first is that at the start.
    pub states: Vec<String>,
    pub(crate) ghosts: Vec<Ghost>,
    pub(crate) events: Vec<Event>,
    pub(crate) span: Span,
}

impl Specification {
    /// The functions whose calls are events, each with its place.
    pub fn functions(&self) -> impl Iterator<Item = (&str, Span)> {
        let calls = self.events.iter().filter_map(|event| match &event.trigger {
            Trigger::Call(calls) | Trigger::Return(calls, _) => Some(&calls.functions),
            Trigger::Exit => None,
        });
        calls.flatten().map(|(name, span)| (name.as_str(), *span))
    }
}

/// What values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Pointer,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Kind::Int => "an integer",
            Kind::Pointer => "a pointer",
        }
    }
}

/// A variable of the automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ghost {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Its value at the start.
    pub(crate) first: i128,
    pub(crate) span: Span,
}

/// When rules apply, and what they say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) trigger: Trigger,
    /// What formulas may name: arguments that are bound, and the result.
    pub(crate) parameters: Vec<(String, Kind)>,
    /// The first one that applies is taken.
    pub(crate) rules: Vec<Rule>,
    pub(crate) span: Span,
}

/// When something happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// A function is called.
    Call(Calls),
    /// A call returns, with the parameter that is its result.
    Return(Calls, Option<usize>),
    /// The program ends.
    Exit,
}

/// Which calls are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Calls {
    /// Their names, and where these are.
    pub(crate) functions: Vec<(String, Span)>,
    pub(crate) arguments: Vec<Pattern>,
    /// Whether there may be more arguments.
    pub(crate) is_open: bool,
}

impl Calls {
    /// Whether calls of a function are meant.
    pub(crate) fn names(&self, function: &str) -> bool {
        self.functions.iter().any(|(name, _)| name == function)
    }
}

/// What an argument must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Anything.
    Any,
    /// Anything, known under the name of a parameter.
    Bound(usize),
    /// A number, which is the value of a parameter without name.
    Number(usize, i128),
}

/// A transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The states that it starts in; any if there are none.
    pub(crate) from: Vec<usize>,
    pub(crate) guard: Option<Formula>,
    pub(crate) actions: Vec<(usize, Formula)>,
    pub(crate) to: Option<Goal>,
    pub(crate) span: Span,
}

/// Where a transition leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Goal {
    State(usize),
    /// A violation, and what is wrong.
    Error(String),
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
    pub(crate) node: Node,
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Constant(i128),
    Ghost(usize),
    Parameter(usize),
    Not(Box<Formula>),
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
    /// Both hold.
    Both(Box<Formula>, Box<Formula>),
    /// One of them holds.
    Either(Box<Formula>, Box<Formula>),
}

#[cfg(test)]
mod tests;

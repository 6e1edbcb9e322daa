//! Operations that C leaves undefined for some operands: what a proof may rest on.

use std::str::FromStr;

use rorqual_source::Span;

use crate::automaton::{HaltKind, Operation};
use crate::expr::{BinaryOp, ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, Id, PlaceId};
use crate::output::text::Printer;
use crate::program::Program;

/// Longer source texts are cut in messages.
const SHOWN_TEXT: usize = 60;

/// An operation that may be undefined, wherever the program executes it. Passes that only add to a program leave the
/// identities as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hazard {
    /// An access to a place.
    Access(PlaceId),
    /// A `_Bool` that is read where something else may have been written: it must be 0 or 1.
    Truth(PlaceId),
    /// A division, a shift, or a count of zeros.
    Arithmetic(ExprId),
    /// The access of a function that copies or sets memory, behind one of its arguments.
    Block(ExprId),
    /// What is given to a function that frees memory.
    Free(ExprId),
    /// A call through a pointer.
    Callee(ExprId),
    /// The point of a function that must not be reached: `__builtin_unreachable`.
    Unreachable(FunctionId, Span),
}

impl Hazard {
    /// Where it is.
    pub fn span(self, program: &Program) -> Span {
        match self {
            Hazard::Access(place) | Hazard::Truth(place) => program.place_spans[place],
            Hazard::Arithmetic(expr) | Hazard::Block(expr) | Hazard::Free(expr) | Hazard::Callee(expr) => {
                program.expr_spans[expr]
            }
            Hazard::Unreachable(_, span) => span,
        }
    }

    /// What is assumed of it if it is taken to be defined, to follow "assuming that": `` `a[i]` at f.c:11 stays in bounds``.
    pub fn assumption(self, program: &Program) -> String {
        let position = program.sources.position(self.span(program));
        format!("`{}` at {}:{} {}", self.text(program), position.file, position.line, self.claim(program))
    }

    /// The operation as the program has it.
    fn text(self, program: &Program) -> String {
        let written = program.sources.text(self.span(program));
        let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
        let printer = Printer::new(program);
        let text = match self {
            _ if !written.is_empty() => written,
            Hazard::Access(place) | Hazard::Truth(place) => printer.place(place),
            Hazard::Arithmetic(expr) | Hazard::Block(expr) | Hazard::Free(expr) | Hazard::Callee(expr) => {
                printer.expr(expr)
            }
            Hazard::Unreachable(..) => "__builtin_unreachable()".to_owned(),
        };
        let cut: String = text.chars().take(SHOWN_TEXT).collect();
        if cut.len() < text.len() { cut + " …" } else { cut }
    }

    /// What makes it defined.
    fn claim(self, program: &Program) -> &'static str {
        match self {
            Hazard::Access(place) if program.has_dereference(place) && !has_index(program, place) => {
                "accesses a valid object"
            }
            Hazard::Access(place) if program.has_dereference(place) => "stays in bounds of a live object",
            Hazard::Block(_) => "stays in bounds of a live object",
            Hazard::Access(_) => "stays in bounds",
            Hazard::Arithmetic(expr) => match program.exprs[expr].kind {
                ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, .. } => {
                    "never divides by zero nor overflows"
                }
                ExprKind::Binary { .. } => "shifts by less than the width",
                _ => "is not given zero",
            },
            Hazard::Truth(_) => "is 0 or 1",
            Hazard::Free(_) => "can be freed",
            Hazard::Callee(_) => "points to a function",
            Hazard::Unreachable(..) => "is never reached",
        }
    }

    /// The text that stands for it in files.
    pub fn name(self, program: &Program) -> String {
        match self {
            Hazard::Access(place) => format!("access {}", place.index()),
            Hazard::Truth(place) => format!("truth {}", place.index()),
            Hazard::Arithmetic(expr) => format!("arithmetic {}", expr.index()),
            Hazard::Block(expr) => format!("block {}", expr.index()),
            Hazard::Free(expr) => format!("free {}", expr.index()),
            Hazard::Callee(expr) => format!("callee {}", expr.index()),
            Hazard::Unreachable(..) => {
                let number = unreachable_points(program).iter().position(|&point| point == self);
                format!("unreachable {}", number.unwrap_or(usize::MAX))
            }
        }
    }

    /// What a text in a file stands for, if the program has it.
    pub fn named(program: &Program, name: &str) -> Option<Hazard> {
        let (kind, number) = name.split_once(' ')?;
        let number = usize::from_str(number.trim()).ok()?;
        let expr = || (number < program.exprs.len()).then(|| ExprId::new(number));
        let place = || (number < program.places.len()).then(|| PlaceId::new(number));
        match kind {
            "access" => place().map(Hazard::Access),
            "truth" => place().map(Hazard::Truth),
            "arithmetic" => expr().map(Hazard::Arithmetic),
            "block" => expr().map(Hazard::Block),
            "free" => expr().map(Hazard::Free),
            "callee" => expr().map(Hazard::Callee),
            "unreachable" => unreachable_points(program).get(number).copied(),
            _ => None,
        }
    }
}

/// Whether an index or a moved pointer leads to a place.
fn has_index(program: &Program, place: PlaceId) -> bool {
    match program.places[place].kind {
        PlaceKind::Variable(_) | PlaceKind::Text(_) => false,
        PlaceKind::Element { .. } => true,
        PlaceKind::Member { base, .. } => has_index(program, base),
        PlaceKind::Deref(pointer) => matches!(program.exprs[pointer].kind, ExprKind::PointerOffset { .. }),
    }
}

/// All points that must not be reached, in the order of the program.
fn unreachable_points(program: &Program) -> Vec<Hazard> {
    let mut points = Vec::new();
    for (function, details) in program.functions.iter() {
        let edges = details.body.iter().flat_map(|body| body.edges().values());
        for edge in edges.filter(|edge| matches!(edge.operation, Operation::Halt(HaltKind::Unreachable))) {
            points.push(Hazard::Unreachable(function, edge.span));
        }
    }
    points
}

//! The evidence that a verdict carries.

use std::collections::BTreeMap;

use rorqual_cfa::{EdgeId, FunctionId, LocationId, Program, VariableId};
use rorqual_logic::{Bits, Term, TermPool};
use rorqual_source::Span;

use crate::kept::Kept;

/// A call that has not returned yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSite {
    /// The function that calls.
    pub caller: FunctionId,
    /// The edge of its automaton with the call.
    pub edge: EdgeId,
    /// The function that is called.
    pub callee: FunctionId,
}

/// The calls that lead from the start function to the active one, outermost first; empty in the start
/// function. Programs without recursion have finitely many.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CallString(pub Vec<CallSite>);

impl CallString {
    /// The active function.
    pub fn function(&self, program: &Program) -> FunctionId {
        self.0.last().map_or(program.start, |site| site.callee)
    }

    /// The calls as text, each with the function and location it leaves: `main:12 > f:3`. Locations have the
    /// numbers that `show cfa` prints.
    pub fn text(&self, program: &Program) -> String {
        let site = |site: &CallSite| {
            let caller = &program.functions[site.caller];
            let body = caller.body.as_ref().expect("a function that calls has a body");
            let source = rorqual_cfa::Id::index(body.edges()[site.edge].source);
            format!("{}:{source}", caller.name)
        };
        self.0.iter().map(site).collect::<Vec<String>>().join(" > ")
    }
}

/// What holds whenever control is at a location in the context of a call string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationInvariant {
    /// The calls that are active.
    pub calls: CallString,
    /// The location in the active function.
    pub location: LocationId,
    /// Symbols, other than cells, for all of whose values the formula holds: indices of arrays.
    pub bound: Vec<Term>,
    /// A formula over cells, whose names are those of [`rorqual_cfa::CellNames`], and the bound symbols.
    pub formula: Term,
}

/// What a function, or a loop, does to the program's state, for every call and every start of the loop that fulfils its
/// requirement. If it is fulfilled, no error happens inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    /// The function.
    pub function: FunctionId,
    /// The head of the loop that the contract is about; none if it is about the function as a whole.
    pub head: Option<LocationId>,
    /// What must hold at the start, over cells.
    pub requires: Term,
    /// What holds where it ends: at the exit of the function, or at each location behind the loop. Cells have their
    /// values there; [`rorqual_cfa::CellNames::old`] names those at the start, and
    /// [`rorqual_cfa::CellNames::result`] the result of the function.
    pub ensures: Vec<(LocationId, Term)>,
}

/// An inductive invariant that excludes every error: one formula for each location and call string of a
/// set that every cycle of the program meets. Locations that cannot be reached may be left out only if
/// the formulas that are there show so. Calls of functions with a contract, and loops with one, are not looked into:
/// each contract is shown on its own, from all of them.
#[derive(Debug)]
pub struct Invariant {
    /// The pool of the formulas.
    pub pool: TermPool,
    /// Sorted by call string and location, each at most once.
    pub locations: Vec<LocationInvariant>,
    /// Sorted by function and head, each at most once.
    pub contracts: Vec<Contract>,
}

impl Invariant {
    /// One that says nothing.
    pub fn empty() -> Invariant {
        Invariant { pool: TermPool::new(), locations: Vec::new(), contracts: Vec::new() }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty() && self.contracts.is_empty()
    }
}

/// Bounds within which every execution stays. With all loops and recursion unwound that far, no error is left.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unwinding {
    /// How often control comes back to the head of a loop before it leaves the loop. Heads that are not there are never
    /// come back to.
    pub loops: BTreeMap<(FunctionId, LocationId), u64>,
    /// How many calls of a function are active at once, for those of which that is more than one.
    pub depths: BTreeMap<FunctionId, u64>,
    /// Loops that need no bound: that no error is left follows by induction, from so many iterations to the next one.
    pub inductive: BTreeMap<(FunctionId, LocationId), u64>,
    /// What holds at the heads of these loops, and is proved with them.
    pub kept: BTreeMap<(FunctionId, LocationId), Vec<Kept>>,
}

/// Why a program is safe: something that a checker can prove again.
#[derive(Debug)]
pub enum Claim {
    /// An inductive invariant.
    Invariant(Invariant),
    /// All executions are bounded.
    Unwinding(Unwinding),
}

impl From<Invariant> for Claim {
    fn from(invariant: Invariant) -> Claim {
        Claim::Invariant(invariant)
    }
}

/// The value of a scalar in a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellValue {
    /// Where the scalar starts, in bits from the start of the variable.
    pub bit_offset: u64,
    /// Its value.
    pub value: Bits,
}

/// What an execution takes from outside, in the order of the execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceEvent {
    /// An input: of a havoc, or the result of a function without body; one value for each scalar of the
    /// place, in the order of their addresses.
    Input {
        /// The values.
        values: Vec<Bits>,
        /// Where.
        span: Span,
    },
    /// Memory that belongs to no variable is made: what it contains if that is read before it is written.
    Allocated {
        /// Its scalars.
        cells: Vec<CellValue>,
        /// Where.
        span: Span,
    },
    /// The lifetime of a variable starts with these indeterminate values. Scalars that are not named may
    /// have any value.
    Declared {
        /// The variable.
        variable: VariableId,
        /// The values.
        cells: Vec<CellValue>,
    },
}

/// An execution that violates the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// What it takes from outside.
    pub events: Vec<TraceEvent>,
    /// What memory from outside contains, by address.
    pub outside: Vec<(u64, CellValue)>,
    /// Where it ends.
    pub error: Span,
    /// Constructs on the way that are over-approximated, with their places. If the trace does not
    /// replay, they are why.
    pub approximations: Vec<(String, Span)>,
}

//! Control-flow automata: locations, and edges with one operation each.

use rorqual_source::Span;

use crate::check::Check;
use crate::index::{Arena, EdgeId, ExprId, FunctionId, Id, LocationId, PlaceId, TypeId, VariableId};

/// A location between two operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The `while`, `do` and `for` statements whose loop starts here; `while (1) while (x) …`
    /// has two of them in one place.
    pub loop_statements: Vec<Span>,
    /// The labels that the program gave this location.
    pub labels: Vec<String>,
    /// Whether somebody wants to know what holds here: blocks end at such locations, and invariants speak of them.
    pub is_marked: bool,
}

/// An edge: from one location to another by one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// What it does.
    pub operation: Operation,
    /// The source text that the operation comes from.
    pub span: Span,
}

/// What an edge does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Nothing: a jump that must stay visible, as in `for (;;);`.
    Skip,
    /// Stores a value in a place. Records and arrays are stored whole.
    Assign {
        /// The place.
        target: PlaceId,
        /// The value, of the type of the place.
        value: ExprId,
    },
    /// Goes on only if the scalar `condition` is non-zero (`holds`) or zero (not `holds`).
    Assume {
        /// A scalar.
        condition: ExprId,
        /// Whether it must be non-zero.
        holds: bool,
    },
    /// Stores any value of the place's type: an input of the program.
    Havoc {
        /// The place.
        target: PlaceId,
        /// Where the value comes from, such as `__VERIFIER_nondet_int`, for messages.
        origin: String,
    },
    /// Calls a function.
    Call {
        /// Where the result goes, unless it is dropped.
        target: Option<PlaceId>,
        /// The function.
        callee: Callee,
        /// The arguments, converted to the types of the parameters.
        arguments: Box<[ExprId]>,
    },
    /// Leaves the function; the edge ends in the automaton's exit.
    Return {
        /// The value, converted to the result type of the function.
        value: Option<ExprId>,
    },
    /// A violation of the program's own specification. Execution does not go on.
    Error(ErrorKind),
    /// The program ends here without a violation.
    Halt(HaltKind),
    /// The declaration of a variable of this function is reached: its value becomes indeterminate. Its life starts,
    /// unless it lives already because control has come back inside of its block.
    Declare(VariableId),
    /// The lifetime of a variable whose address is taken ends.
    Expire(VariableId),
    /// Stores the address of `size` fresh bytes that live until the function returns, or until
    /// the pointer is given to [`Operation::StackRelease`].
    StackAllocate {
        /// Where the address goes.
        target: PlaceId,
        /// How many bytes.
        size: ExprId,
    },
    /// Ends the lifetime of what [`Operation::StackAllocate`] made: a variable-length array
    /// whose block is left.
    StackRelease {
        /// The address.
        pointer: ExprId,
    },
    /// Stores the number of arguments the program was started with, and the address of a fresh
    /// array with that many strings and a null pointer: what `main` receives.
    ProgramArguments {
        /// Where the number goes; it is at least 0.
        count: PlaceId,
        /// Where the address of the array goes.
        vector: PlaceId,
    },
    /// Reads the arguments behind `...`.
    VarArgs(VarArgs),
    /// Inline assembly: opaque, writes its outputs and, with a clobber of `memory`, anything.
    Assembly {
        /// The text.
        template: String,
        /// The places it writes.
        outputs: Box<[PlaceId]>,
        /// The values it reads.
        inputs: Box<[ExprId]>,
        /// Whether it may write memory that is not among the outputs.
        clobbers_memory: bool,
    },
    /// A function without body has been called, which may have written memory and called functions that it was given.
    Clobber {
        /// All that can be reached from these values may have been written.
        written: Box<[ExprId]>,
        /// What these pointers point to was only read, but all that can be reached from there may have been written.
        read: Box<[ExprId]>,
        /// The name of the function.
        origin: String,
    },
    /// Something that cannot be represented. An execution that gets here is not decided.
    Unsupported {
        /// What it is, to be followed by "is not supported": `a computed jump into …`.
        construct: String,
    },
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// The function that a pointer points to.
    Pointer(ExprId),
}

impl Operation {
    /// Whether it is a violation, or may be one for all that is known: nobody knows where executions go from what is not
    /// supported, or from where none should come to.
    pub fn may_violate(&self) -> bool {
        matches!(
            self,
            Operation::Error(_) | Operation::Unsupported { .. } | Operation::Halt(HaltKind::Unreachable)
        )
    }
}

/// How a program can violate its specification.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A false `assert`.
    Assertion,
    /// A call of an error function such as `reach_error`.
    Call {
        /// The name of the function.
        function: String,
    },
    /// An automatic check fails.
    Check {
        /// Which one.
        check: Check,
        /// What goes wrong, to be followed by the place: "division by zero in `a / b`".
        what: String,
    },
}

impl ErrorKind {
    /// The check that fails.
    pub fn check(&self) -> Check {
        match self {
            ErrorKind::Check { check, .. } => *check,
            ErrorKind::Assertion | ErrorKind::Call { .. } => Check::Assertions,
        }
    }
}

/// How a program can end besides returning from `main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HaltKind {
    /// `abort`, or a trap.
    Abort,
    /// `exit` with a status.
    Exit(ExprId),
    /// A function that is declared not to return has done its work.
    NoReturn {
        /// The name of the function.
        function: String,
    },
    /// Undefined behaviour that the program asks for: `__builtin_unreachable`, or control that
    /// reaches a place it cannot reach in a program without undefined behaviour.
    Unreachable,
}

/// Operations on the list of arguments behind `...`. Each names the object of type `va_list`
/// by its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VarArgs {
    /// `va_start`
    Start {
        /// The list.
        list: ExprId,
    },
    /// `va_arg`: moves the next argument into `target`.
    Next {
        /// The list.
        list: ExprId,
        /// Where the argument goes.
        target: PlaceId,
        /// The type that the argument is fetched as.
        ty: TypeId,
    },
    /// `va_copy`
    Copy {
        /// The list that is written.
        target: ExprId,
        /// The list that is read.
        source: ExprId,
    },
    /// `va_end`
    End {
        /// The list.
        list: ExprId,
    },
}

/// The control flow of one function. Every location can be reached from the entry along edges.
#[derive(Debug, Clone)]
pub struct Automaton {
    locations: Arena<LocationId, Location>,
    /// Sorted by source.
    edges: Arena<EdgeId, Edge>,
    /// The first edge of each location, and one past the last edge at the end.
    first_edge: Vec<EdgeId>,
    entry: LocationId,
    exit: LocationId,
}

impl Automaton {
    /// An automaton from parts whose edges are sorted by source.
    pub(crate) fn new(
        locations: Arena<LocationId, Location>,
        edges: Arena<EdgeId, Edge>,
        entry: LocationId,
        exit: LocationId,
    ) -> Automaton {
        let mut first_edge = Vec::with_capacity(locations.len() + 1);
        for (id, edge) in edges.iter() {
            debug_assert!(first_edge.len() <= edge.source.index() + 1, "edges are sorted by source");
            while first_edge.len() <= edge.source.index() {
                first_edge.push(id);
            }
        }
        first_edge.resize(locations.len() + 1, EdgeId::new(edges.len()));
        Automaton { locations, edges, first_edge, entry, exit }
    }

    /// Where the function starts.
    pub fn entry(&self) -> LocationId {
        self.entry
    }

    /// Where every `return` leads. It has no edges out of it.
    pub fn exit(&self) -> LocationId {
        self.exit
    }

    /// All locations.
    pub fn locations(&self) -> &Arena<LocationId, Location> {
        &self.locations
    }

    /// All edges, sorted by their source.
    pub fn edges(&self) -> &Arena<EdgeId, Edge> {
        &self.edges
    }

    /// The edges that leave a location, in the order of the program.
    pub fn outgoing(&self, location: LocationId) -> impl Iterator<Item = EdgeId> + use<> {
        let first = self.first_edge[location.index()].index();
        let end = self.first_edge[location.index() + 1].index();
        (first..end).map(EdgeId::new)
    }
}

//! Witnesses of the SV-COMP exchange format, versions 2.0 and 2.1, as data.

use rorqual_cfa::DataModel;

/// Who says what about which task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// Names this witness and no other.
    pub uuid: String,
    /// When it was made, in ISO 8601.
    pub creation_time: String,
    /// The tool that made it.
    pub producer: Producer,
    /// What it speaks of.
    pub task: Task,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The command line it was started with.
    pub command_line: Option<String>,
    /// What it says about the witness.
    pub description: Option<String>,
}

/// A program with its specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The names of the files, and the SHA-256 of their content.
    pub input_files: Vec<(String, String)>,
    /// The text of the property.
    pub specification: String,
    /// The widths of the types; `None` if a witness that was read does not tell.
    pub data_model: Option<DataModel>,
}

/// A place in a file of the task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in the line, counted from 1.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
}

/// What a waypoint asks of executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaypointKind {
    /// The constraint holds before the statement at the location.
    Assumption,
    /// The condition of a statement has the value of the constraint.
    Branching,
    /// A function is entered by the call that ends at the location.
    FunctionEnter,
    /// The constraint holds for the `\result` of the call that ends at the location.
    FunctionReturn,
    /// The violation happens.
    Target,
}

impl WaypointKind {
    pub(crate) const ALL: [WaypointKind; 5] = [
        WaypointKind::Assumption,
        WaypointKind::Branching,
        WaypointKind::FunctionEnter,
        WaypointKind::FunctionReturn,
        WaypointKind::Target,
    ];

    /// How the format writes it.
    pub fn name(self) -> &'static str {
        match self {
            WaypointKind::Assumption => "assumption",
            WaypointKind::Branching => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

/// Whether an execution must pass a waypoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It must.
    Follow,
    /// It must not, until the segment's last waypoint is passed.
    Avoid,
}

/// A step of a violation sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waypoint {
    /// Whether it must be passed.
    pub action: Action,
    /// What it asks.
    pub kind: WaypointKind,
    /// Where.
    pub location: Location,
    /// The text of the constraint.
    pub constraint: Option<String>,
}

/// Waypoints of which the last one is followed and all others are avoided until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment(pub Vec<Waypoint>);

/// Where an invariant holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvariantKind {
    /// Whenever the condition of the loop statement at the location is about to be evaluated.
    Loop,
    /// Before the statement at the location.
    Location,
    /// A kind of a later version of the format, by its name.
    Other(String),
}

/// A claim about a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvariantEntry {
    /// Where it holds.
    pub kind: InvariantKind,
    /// The place; that of a loop is the first character of its statement.
    pub location: Location,
    /// The claim, a C expression without side effects.
    pub value: String,
}

/// A claim about a function: what holds when it is called, and what when it returns. Version 2.1 of the format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractEntry {
    /// Where the function is defined.
    pub location: Location,
    /// What holds at each call, over parameters and global variables.
    pub requires: String,
    /// What holds at each return. `\result` is the result, and `\at(x, Old)` what `x` was at the call.
    pub ensures: String,
}

/// What a witness claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The task is unsafe: executions along the segments violate the specification.
    Violation(Vec<Segment>),
    /// The task is safe, as these invariants and contracts show.
    Invariants(Vec<InvariantEntry>, Vec<ContractEntry>),
}

/// One entry of a witness file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who says so, about what.
    pub metadata: Metadata,
    /// What is said.
    pub content: Content,
}

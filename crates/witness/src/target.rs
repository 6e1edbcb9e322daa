//! Whether a violation is the one that a witness speaks of.

use rorqual_cfa::{Check, ErrorKind, Program};
use rorqual_source::{SourceFile, Span};

use crate::model::{Action, Location, Segment, WaypointKind};
use crate::replay::Replay;

/// Where a witness says that the violation happens. Without a target it may be anywhere.
pub fn target(segments: &[Segment]) -> Option<&Location> {
    let mut waypoints = segments.iter().rev().flat_map(|segment| segment.0.iter().rev());
    let found = waypoints.find(|one| one.kind == WaypointKind::Target && one.action == Action::Follow);
    found.map(|waypoint| &waypoint.location)
}

impl Replay {
    /// Whether the execution ends in a violation at a witness's target.
    ///
    /// The format puts a target at the first character of the statement or full expression that goes wrong. Columns
    /// are not compared, as tools disagree about them, and those that know nothing special of error functions point
    /// into their bodies. Where a leak shows is left open.
    pub fn reaches(&self, program: &Program, target: &Location) -> bool {
        match self.violation() {
            None => false,
            Some((ErrorKind::Check { check: Check::Leak, .. }, _)) => true,
            Some((ErrorKind::Call { function }, span)) => {
                is_in_statement(program, target, span) || is_in_function(program, target, function)
            }
            Some((_, span)) => is_in_statement(program, target, span),
        }
    }
}

/// Whether the operation at `span` is part of the statement that starts at the target, or the target part of it.
fn is_in_statement(program: &Program, target: &Location, span: Span) -> bool {
    let Some(file) = span.file().map(|file| program.sources.file(file)) else { return false };
    if base_name(file.name()) != base_name(&target.file_name) {
        return false;
    }
    let end = span.end().max(span.start() + 1) - 1;
    let lines = file.line(span.start())..=file.line(end);
    lines.contains(&target.line) || starts_statement(file, target, span.start())
}

/// Whether no statement ends or begins between the target and a later place.
fn starts_statement(file: &SourceFile, target: &Location, at: u32) -> bool {
    let before = target.line.saturating_sub(1) as usize;
    let line: usize = file.text().split_inclusive('\n').take(before).map(str::len).sum();
    let column = target.column.map_or(0, |column| column.saturating_sub(1) as usize);
    let between = file.text().get(line + column..at as usize);
    between.is_some_and(|text| !text.contains([';', '{', '}']))
}

/// Whether the target lies in the body of an error function that the program defines.
fn is_in_function(program: &Program, target: &Location, function: &str) -> bool {
    let body = program.function_named(function).and_then(|id| program.functions[id].body.as_ref());
    let is_there = |span: Span| {
        let position = program.sources.position(span);
        base_name(position.file) == base_name(&target.file_name) && position.line == target.line
    };
    body.is_some_and(|body| body.edges().values().any(|edge| is_there(edge.span)))
}

/// A witness may have been made in another directory.
fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

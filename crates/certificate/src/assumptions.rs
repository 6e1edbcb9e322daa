//! The lines of a certificate that name what its proof rests on.

use rorqual_cfa::{Hazard, Program};
use rorqual_evidence::{AssumedEffect, Assumption};

use crate::format::Problem;

/// Starts the line of an assumption; these lines stand last in the header.
pub(crate) const ASSUMING: &str = "assuming ";

const ALLOCATION_SUCCEEDS: &str = "allocation-succeeds";
const STACK_HAS_ROOM: &str = "stack-has-room";

/// Starts the line of an operation that a second proof shows to be defined; behind the assumptions.
pub(crate) const GUARDING: &str = "guarding ";

/// The line between the statements of the first proof and those of the second.
pub(crate) const GUARDED: &str = "guarded";

/// An assumption behind its keyword: `writes-nothing f`.
pub(crate) fn assumption_text(program: &Program, assumption: &Assumption) -> String {
    match assumption {
        Assumption::Function { name, effect } => format!("{} {name}", effect.word()),
        Assumption::AllocationSucceeds => ALLOCATION_SUCCEEDS.to_owned(),
        Assumption::StackHasRoom => STACK_HAS_ROOM.to_owned(),
        Assumption::Defined { hazard, .. } => hazard_text(program, *hazard),
    }
}

/// An operation behind its keyword, with a comment for people.
pub(crate) fn hazard_text(program: &Program, hazard: Hazard) -> String {
    format!("{}  ; {}", hazard.name(program), hazard.assumption(program))
}

/// Reads what [`assumption_text`] writes.
pub(crate) fn parse_assumption(program: &Program, text: &str) -> Result<Assumption, Problem> {
    match text {
        ALLOCATION_SUCCEEDS => return Ok(Assumption::AllocationSucceeds),
        STACK_HAS_ROOM => return Ok(Assumption::StackHasRoom),
        _ => {}
    }
    let unknown = || Problem::Assumption(text.to_owned());
    if let Some(hazard) = Hazard::named(program, text) {
        return Ok(Assumption::defined(program, hazard));
    }
    let (word, name) = text.split_once(' ').ok_or_else(unknown)?;
    let effect = AssumedEffect::ALL.into_iter().find(|effect| effect.word() == word).ok_or_else(unknown)?;
    Ok(Assumption::Function { name: name.to_owned(), effect })
}

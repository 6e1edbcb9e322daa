//! Who learns what happens during a check.

use rorqual_evidence::Observer;
use rorqual_source::{Diagnostic, SourceMap};

use crate::outcome::Round;

/// Learns what happens during a check.
pub trait Audience {
    /// Who learns what engines do.
    fn observer(&mut self) -> &mut (dyn Observer + Send);

    /// The program was read, with warnings.
    fn warned(&mut self, sources: &SourceMap, warnings: &[Diagnostic]);

    /// A violation was found and replayed. It is part of the outcome, whatever else is found.
    fn refuted(&mut self, round: &Round);
}

/// Ignores everything.
impl Audience for () {
    fn observer(&mut self) -> &mut (dyn Observer + Send) {
        self
    }

    fn warned(&mut self, _: &SourceMap, _: &[Diagnostic]) {}

    fn refuted(&mut self, _: &Round) {}
}

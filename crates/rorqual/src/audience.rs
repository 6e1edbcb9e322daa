//! Who learns what happens during a check.

use rorqual_cfa::{Program, Property};
use rorqual_evidence::Observer;
use rorqual_source::{Diagnostic, SourceMap};

use crate::outcome::Round;
use crate::stored::StoreNotice;

/// Learns what happens during a check.
pub trait Audience {
    /// Who learns what engines do.
    fn observer(&mut self) -> &mut (dyn Observer + Send);

    /// The program was read, with warnings.
    fn warned(&mut self, sources: &SourceMap, warnings: &[Diagnostic]);

    /// These properties of a program are checked.
    fn listed(&mut self, program: &Program, properties: &[Property]) {
        let _ = (program, properties);
    }

    /// Some of the properties have an answer. It is part of the outcome, whatever else is found.
    fn answered(&mut self, round: &Round, properties: &[Property]);

    /// There is something to say about the store. It changes no verdict.
    fn noticed(&mut self, notice: &StoreNotice) {
        let _ = notice;
    }
}

/// Ignores everything.
impl Audience for () {
    fn observer(&mut self) -> &mut (dyn Observer + Send) {
        self
    }

    fn warned(&mut self, _: &SourceMap, _: &[Diagnostic]) {}

    fn answered(&mut self, _: &Round, _: &[Property]) {}
}

//! The inter-procedural ARG: a tree of ARGs, one for each call that is looked into, and the covering relation.
//!
//! Departure: with large blocks an ARG is either empty or the whole body of its procedure, so that labels of inner nodes
//! are not kept. "Safe" says that the summary follows with the specifications of the callees.

use rorqual_encoding::Procedure;
use rorqual_logic::TermPool;

use super::spec::Spec;

/// An ARG, by the order in which they were made: ancestors come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ArgId(pub(super) usize);

/// The exploration of one procedure for one call of it.
#[derive(Debug)]
pub(super) struct Arg {
    pub(super) procedure: Procedure,
    /// The ARG with the call that this one justifies, and the call.
    pub(super) caller: Option<(ArgId, usize)>,
    /// The guard and the summary.
    pub(super) spec: Spec,
    /// What justifies its calls, once it is complete.
    pub(super) callees: Option<Vec<ArgId>>,
    /// Whether its specification follows from those of its callees.
    pub(super) is_safe: bool,
    /// What covers it directly.
    cover: Option<ArgId>,
}

/// All ARGs.
#[derive(Debug)]
pub(super) struct Iarg {
    args: Vec<Arg>,
}

impl Iarg {
    /// One empty ARG, of the first procedure.
    pub(super) fn new(procedure: Procedure, spec: Spec) -> Iarg {
        let first = Arg { procedure, caller: None, spec, callees: None, is_safe: false, cover: None };
        Iarg { args: vec![first] }
    }

    /// The ARG of the first procedure.
    pub(super) fn root() -> ArgId {
        ArgId(0)
    }

    pub(super) fn get(&self, id: ArgId) -> &Arg {
        &self.args[id.0]
    }

    pub(super) fn len(&self) -> usize {
        self.args.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ArgId> + use<> {
        (0..self.args.len()).map(ArgId)
    }

    /// Makes an ARG complete: all paths at once, with an empty ARG for each call.
    pub(super) fn expand(&mut self, pool: &mut TermPool, id: ArgId, calls: &[Procedure]) {
        let mut callees = Vec::new();
        for (number, &procedure) in calls.iter().enumerate() {
            let spec = Spec::top(pool);
            let caller = Some((id, number));
            callees.push(ArgId(self.args.len()));
            self.args.push(Arg { procedure, caller, spec, callees: None, is_safe: false, cover: None });
        }
        self.args[id.0].callees = Some(callees);
    }

    /// The ARGs that justify its calls.
    pub(super) fn callees(&self, id: ArgId) -> Vec<ArgId> {
        self.args[id.0].callees.clone().unwrap_or_default()
    }

    /// Whether an ARG or one above it is covered directly.
    pub(super) fn is_covered(&self, id: ArgId) -> bool {
        let mut at = Some(id);
        while let Some(one) = at {
            if self.args[one.0].cover.is_some() {
                return true;
            }
            at = self.args[one.0].caller.map(|(caller, _)| caller);
        }
        false
    }

    /// Whether the procedure of an ARG is also that of one above it.
    pub(super) fn is_active_above(&self, id: ArgId) -> bool {
        let procedure = self.args[id.0].procedure;
        let mut at = self.args[id.0].caller;
        while let Some((caller, _)) = at {
            if self.args[caller.0].procedure == procedure {
                return true;
            }
            at = self.args[caller.0].caller;
        }
        false
    }

    /// The oldest ARG whose specification may be tried for a callee: an uncovered one of the same procedure that is not
    /// below it, the caller itself among them.
    pub(super) fn known_for(&self, callee: ArgId, caller: ArgId) -> Option<ArgId> {
        let procedure = self.args[callee.0].procedure;
        let fits = |&one: &ArgId| {
            let arg = &self.args[one.0];
            arg.procedure == procedure
                && (arg.is_safe || one == caller)
                && !arg.spec.summaries.is_empty()
                && !self.is_covered(one)
        };
        (0..callee.0).map(ArgId).find(fits)
    }

    /// Whether the specification of an ARG is part of the proof.
    pub(super) fn is_proved(&self, id: ArgId) -> bool {
        self.args[id.0].is_safe && !self.is_covered(id)
    }

    /// The ARGs that may cover one: uncovered ones of the same procedure that are older.
    pub(super) fn candidates(&self, id: ArgId) -> Vec<ArgId> {
        let procedure = self.args[id.0].procedure;
        let fits = |&one: &ArgId| self.args[one.0].procedure == procedure && !self.is_covered(one);
        (0..id.0).map(ArgId).filter(fits).collect()
    }

    /// COVERARG. What the ARG covered is uncovered.
    pub(super) fn cover(&mut self, id: ArgId, by: ArgId) -> Vec<ArgId> {
        let uncovered = self.uncover_covered_by(id);
        self.args[id.0].cover = Some(by);
        uncovered
    }

    /// Removes everything that an ARG covers. What is uncovered is to be processed, with all below it: some of that may
    /// have been left alone because it was covered from above.
    pub(super) fn uncover_covered_by(&mut self, id: ArgId) -> Vec<ArgId> {
        let mut uncovered = Vec::new();
        for (number, arg) in self.args.iter_mut().enumerate() {
            if arg.cover == Some(id) {
                arg.cover = None;
                uncovered.push(ArgId(number));
            }
        }
        let mut at = 0;
        while at < uncovered.len() {
            uncovered.extend(self.callees(uncovered[at]));
            at += 1;
        }
        uncovered
    }

    /// RESET: nothing is known of an ARG any more, and its callees have no specifications. What they covered is
    /// uncovered.
    pub(super) fn reset(&mut self, pool: &mut TermPool, id: ArgId) -> Vec<ArgId> {
        let mut uncovered = Vec::new();
        let mut open = vec![id];
        while let Some(one) = open.pop() {
            self.args[one.0].is_safe = false;
            for callee in self.callees(one) {
                self.args[callee.0].spec = Spec::top(pool);
                self.args[callee.0].cover = None;
                uncovered.extend(self.uncover_covered_by(callee));
                open.push(callee);
            }
        }
        uncovered
    }

    /// UPDATE: gives an ARG another specification, of which nothing is proved yet.
    pub(super) fn update(&mut self, id: ArgId, spec: Spec) {
        let arg = &mut self.args[id.0];
        arg.spec = spec;
        arg.is_safe = false;
        arg.cover = None;
    }

    pub(super) fn set_safe(&mut self, id: ArgId) {
        self.args[id.0].is_safe = true;
    }
}

//! EXPANDARG: adds paths to an ARG.

use std::collections::BTreeSet;

use rorqual_encoding::Block;
use rorqual_evidence::{Event, Stop};
use rorqual_inference::contracts::speccond;
use rorqual_logic::{Evaluator, Value};
use rorqual_solver::Model;

use super::iarg::{ArgId, Paths};
use super::{Expand, Search};

/// Calls are followed up to so many ARGs; a program with recursion has no end of them.
const MOST_ARGS: usize = 400;
const MOST_RECURSIVE_ARGS: usize = 64;

impl Search<'_, '_> {
    /// EXPANDARG for an ARG that is not complete. False if it needs no more paths to be safe.
    pub(super) fn expand_arg(&mut self, id: ArgId) -> Result<bool, Stop> {
        match self.config.expand {
            Expand::One => {
                let Some(path) = self.violating_path(id)? else { return Ok(false) };
                self.add_paths(id, &path);
            }
            Expand::Some => self.add_paths(id, &Paths::All),
            Expand::All => self.add_callees(id),
        }
        Ok(true)
    }

    fn add_paths(&mut self, id: ArgId, paths: &Paths) {
        let procedure = self.iarg.get(id).procedure;
        let span = self.encoding.procedure_span(procedure);
        let body = self.encoding.body_of(procedure);
        if self.iarg.expand(&mut self.encoding.pool, id, &body, paths) {
            let reset = self.iarg.reset(&mut self.encoding.pool, id);
            self.queue.extend(reset);
        }
        self.observer.on(Event::Expanded { nodes: self.iarg.len(), span });
    }

    /// Departure: callees are expanded too, as a procedure of which no path is known has no summary worth guessing.
    fn add_callees(&mut self, id: ArgId) {
        let most = if self.encoding.is_recursive() { MOST_RECURSIVE_ARGS } else { MOST_ARGS };
        let mut open = vec![id];
        while let Some(one) = open.pop() {
            self.add_paths(one, &Paths::All);
            for &callee in self.iarg.get(one).callees.values() {
                let is_new = self.iarg.get(callee).paths.is_empty();
                if is_new && self.iarg.len() < most && !self.iarg.is_active_above(callee) {
                    open.push(callee);
                }
            }
        }
    }

    /// A path that violates what is demanded of an ARG, if calls do no more than what is demanded of them; calls of which
    /// nothing is demanded do anything.
    fn violating_path(&mut self, id: ArgId) -> Result<Option<Paths>, Stop> {
        let body = self.encoding.body_of(self.iarg.get(id).procedure);
        let mut query = self.violation_of(id);
        query.push(self.iarg.get(id).spec.guard);
        for (&call, &callee) in &self.iarg.get(id).callees {
            if self.iarg.is_demanded(callee) {
                let spec = self.iarg.get(callee).spec.clone();
                query.extend(speccond(self.encoding, &body.calls[call], &spec));
            }
        }
        let model = self.solver.model(self.encoding, &query)?;
        Ok(model.map(|model| self.path(&body, &model)))
    }

    fn path(&self, body: &Block, model: &Model) -> Paths {
        let mut evaluator = Evaluator::new(&self.encoding.pool, model.assignment());
        let mut steps = BTreeSet::new();
        for (number, step) in body.steps.iter().enumerate() {
            if *evaluator.value(step.guard) == Value::Bool(true) {
                steps.insert(number);
            }
        }
        Paths::Along(steps)
    }
}

//! COVERARG: what follows from the specification of another ARG need not be explored.

use rorqual_evidence::Event;
use rorqual_inference::contracts::Spec;

use super::Search;
use super::iarg::ArgId;

impl Search<'_, '_> {
    /// COVERARG, for all that may cover an ARG.
    pub(super) fn cover_arg(&mut self, id: ArgId) -> bool {
        for by in self.iarg.candidates(id) {
            let (strong, weak) = (self.iarg.get(by).spec.clone(), self.iarg.get(id).spec.clone());
            if self.iarg.is_demanded(by) && self.implies(id, &strong, &weak) {
                let uncovered = self.iarg.cover(id, by);
                self.observer.on(Event::Covered);
                self.queue.extend(uncovered);
                return true;
            }
        }
        false
    }

    /// Whether a procedure that behaves according to one specification does so according to another.
    fn implies(&mut self, id: ArgId, strong: &Spec, weak: &Spec) -> bool {
        if !self.solver.entails(self.encoding, weak.guard, strong.guard) {
            return false;
        }
        let procedure = self.iarg.get(id).procedure;
        for exit in self.encoding.exits_of(procedure) {
            let pool = &mut self.encoding.pool;
            let (known, wanted) = (strong.summary(pool, exit), weak.summary(pool, exit));
            let known = pool.and2(known, weak.guard);
            if !self.solver.entails(self.encoding, known, wanted) {
                return false;
            }
        }
        true
    }
}

//! What functions without body and inline assembly may write: all that can be reached from what they are given.

use std::collections::BTreeSet;

use rorqual_cfa::{ExprId, Hazard, PlaceId, written_by};
use rorqual_logic::Term;

use crate::executor::{Executor, Fresh, Obstacle};
use crate::object::{Content, Kind, ObjectId};
use crate::place::Where;
use crate::pointer::Aim;
use crate::state::{State, Value};

impl Executor<'_> {
    /// A function without body may have written all that can be reached from some values, and from the content of what
    /// others point to. What it may have called is not known.
    pub(crate) fn clobber(
        &mut self,
        state: &mut State,
        written: &[ExprId],
        read: &[ExprId],
        origin: &str,
    ) -> Result<(), Obstacle> {
        let read = self.mentioned_by(state, read)?;
        let mut start = self.mentioned_by(state, written)?;
        start.extend(self.behind(state, &read));
        let reached = self.reachable(state, start);
        for object in reached.union(&read) {
            if let Kind::Function(function) = self.details[object.0 as usize].kind
                && self.program.functions[function].body.is_some()
            {
                let called = &self.program.functions[function].name;
                let construct = format!("a call of `{called}` by the undefined function `{origin}`");
                return Err(self.obstacle(construct));
            }
        }
        self.forget_all(state, &reached, &written_by(origin));
        Ok(())
    }

    /// Inline assembly stores any value in its outputs, and in all that can be reached from some values.
    pub(crate) fn assembly(
        &mut self,
        state: &mut State,
        written: &[ExprId],
        outputs: &[PlaceId],
    ) -> Result<(), Obstacle> {
        let start = self.mentioned_by(state, written)?;
        let reached = self.reachable(state, start);
        self.forget_all(state, &reached, "inline assembly");
        for &output in outputs {
            self.approximate("inline assembly");
            let ty = self.program.places[output].ty;
            if self.program.types.is_scalar(ty) {
                let any = self.any_scalar(Fresh::Outside, ty);
                self.store(state, output, any)?;
                continue;
            }
            let Where::Memory(targets) = self.site(state, output)?.at else {
                return Err(self.obstacle("a structure in the place of a scalar"));
            };
            let size = self.program.types.size_of(ty).unwrap_or(0);
            self.load_block(state, &targets, size, Hazard::Access(output));
            for target in targets.iter() {
                let Aim::Object(object, _) = target.aim else { continue };
                self.forget(state, object, target.guard);
            }
        }
        Ok(())
    }

    fn forget_all(&mut self, state: &mut State, objects: &BTreeSet<ObjectId>, what: &str) {
        let always = self.pool.top();
        for &object in objects {
            let kind = self.details[object.0 as usize].kind;
            if matches!(kind, Kind::Variable(_) | Kind::Heap | Kind::Stack) {
                self.approximate(what);
                self.forget(state, object, always);
            }
        }
    }

    /// The objects whose addresses occur in the values of expressions.
    fn mentioned_by(&mut self, state: &mut State, exprs: &[ExprId]) -> Result<BTreeSet<ObjectId>, Obstacle> {
        let mut terms = Vec::new();
        for &expr in exprs {
            match self.value(state, expr)? {
                Value::Scalar(value) => terms.push(value),
                Value::Block(cells, _) => terms.extend(cells.map.values().map(|cell| cell.value)),
                Value::Nothing => {}
            }
        }
        Ok(self.mentioned(&terms))
    }

    fn mentioned(&self, terms: &[Term]) -> BTreeSet<ObjectId> {
        let subterms = self.pool.subterms(terms);
        subterms.iter().filter_map(|term| self.objects_by_base.get(term).copied()).collect()
    }

    /// The objects whose addresses occur in what objects contain.
    fn behind(&self, state: &State, objects: &BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
        let mut terms = Vec::new();
        for object in objects.iter().filter_map(|object| state.memory.get(object)) {
            match &object.0.content {
                Content::Cells(cells) => terms.extend(cells.map.values().map(|cell| cell.value)),
                Content::Array { term, .. } => terms.push(*term),
            }
        }
        self.mentioned(&terms)
    }

    /// All objects that can be reached from some by following pointers.
    fn reachable(&self, state: &State, start: BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
        let (mut found, mut open) = (start.clone(), start);
        while !open.is_empty() {
            open = self.behind(state, &open).difference(&found).copied().collect();
            found.extend(open.iter().copied());
        }
        found
    }
}

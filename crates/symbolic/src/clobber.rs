//! What functions without body and inline assembly may write: all that a pointer may point to. What they can reach from
//! what they are given is not told apart, as memory that something unknown was written to may contain any pointer.

use rorqual_cfa::{Hazard, PlaceId, written_by};

use crate::executor::{Executor, Fresh, Obstacle};
use crate::object::{Kind, ObjectId};
use crate::place::Where;
use crate::pointer::Aim;
use crate::state::State;

impl Executor<'_> {
    /// A function without body may have written memory, and called functions of which it is not known what they did.
    pub(crate) fn clobber(&mut self, state: &mut State, origin: &str) -> Result<(), Obstacle> {
        let program = self.program;
        let called = self.details.iter().find_map(|details| match details.kind {
            Kind::Function(function) => {
                Some(&program.functions[function]).filter(|found| found.body.is_some())
            }
            _ => None,
        });
        if let Some(called) = called {
            let construct = format!("a call of `{}` by the undefined function `{origin}`", called.name);
            return Err(self.obstacle(construct));
        }
        self.forget_exposed(state, &written_by(origin));
        Ok(())
    }

    /// Inline assembly stores any value in its outputs.
    pub(crate) fn assembly(&mut self, state: &mut State, outputs: &[PlaceId]) -> Result<(), Obstacle> {
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
            for target in &targets {
                let Aim::Object(object, _) = target.aim else { continue };
                self.forget(state, object, target.guard);
            }
        }
        Ok(())
    }

    /// Everything that a pointer may point to contains anything.
    pub(crate) fn forget_exposed(&mut self, state: &mut State, what: &str) {
        let always = self.pool.top();
        let is_exposed = |id: &ObjectId| match self.details[id.0 as usize].kind {
            Kind::Variable(variable) => self.program.variables[variable].address_taken,
            Kind::Heap | Kind::Stack => true,
            Kind::Text(_) | Kind::Function(_) | Kind::Label(..) => false,
        };
        let exposed: Vec<ObjectId> = state.memory.keys().copied().filter(is_exposed).collect();
        for object in exposed {
            self.approximate(what);
            self.forget(state, object, always);
        }
    }
}

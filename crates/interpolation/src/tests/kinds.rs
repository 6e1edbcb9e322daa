//! Every kind of interpolants from one proof, for each system, verified.

use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::{Part, Proof};
use rorqual_solver::{Limits, Vocabulary};

use super::{Random, random_tree};
use crate::propositional::NoLemmas;
use crate::{
    Arrangement, Interpolants, InterpolationError, Kind, System, verify_binary, verify_sequence,
    verify_state_transition, verify_tree,
};

/// Parts that contradict each other, with a proof.
pub(super) struct Partition {
    pub(super) pool: TermPool,
    pub(super) parts: Vec<Term>,
    pub(super) proof: Proof,
}

/// Verifies a random cut, arrangement, tree, and the states and transitions; or that the system refuses them.
pub(super) fn verify_all_kinds(partition: &mut Partition, random: &mut Random, seed: u64) {
    for system in System::ALL {
        let place = format!("{system:?}, seed {seed}");
        let Partition { pool, parts, proof } = &mut *partition;
        let mut interpolants = Interpolants::new(proof, system, NoLemmas).expect(&place);
        let mut check = Check { pool, parts, interpolants: &mut interpolants, place: &place };
        check.binary(random);
        check.sequence(random);
        if system == System::DualMcMillan {
            check.refused(random);
        } else {
            check.tree(random);
            check.state_transition();
        }
    }
}

struct Check<'c, 'p> {
    pool: &'c mut TermPool,
    parts: &'c [Term],
    interpolants: &'c mut Interpolants<'p>,
    place: &'c str,
}

impl Check<'_, '_> {
    fn binary(&mut self, random: &mut Random) {
        let sides: Vec<bool> = self.parts.iter().map(|_| random.flip()).collect();
        let in_a = |part: Part| sides[part.0 as usize];
        let interpolant = self.interpolants.binary(self.pool, &in_a).expect(self.place);
        let side = |wanted: bool| {
            let of_side = self.parts.iter().zip(&sides).filter(|&(_, &side)| side == wanted);
            of_side.map(|(&part, _)| part).collect::<Vec<Term>>()
        };
        let (a, b) = (side(true), side(false));
        verify_binary(self.pool, &a, &b, interpolant, &Limits::none()).expect(self.place);
    }

    fn sequence(&mut self, random: &mut Random) {
        let count = 2 + random.below(self.parts.len());
        let positions = self.parts.iter().map(|_| random.below(count)).collect();
        let arrangement = Arrangement::new(positions, count);
        let sequence = self.interpolants.sequence(self.pool, &arrangement).expect(self.place);
        let parts = arrangement.conjunctions(self.pool, self.parts);
        if keeps_names(self.pool, self.parts, &arrangement, &parts) {
            verify_sequence(self.pool, &parts, &sequence, &Limits::none()).expect(self.place);
        }
    }

    fn tree(&mut self, random: &mut Random) {
        let tree = random_tree(random, self.parts.len());
        let arrangement = Arrangement::identity(self.parts.len());
        let formulas = self.interpolants.tree(self.pool, &tree, &arrangement).expect(self.place);
        verify_tree(self.pool, &tree, self.parts, &formulas, &Limits::none()).expect(self.place);
    }

    fn state_transition(&mut self) {
        let arrangement = Arrangement::identity(self.parts.len());
        let both = self.interpolants.state_transition(self.pool, &arrangement).expect(self.place);
        verify_state_transition(self.pool, self.parts, &both, &Limits::none()).expect(self.place);
    }

    fn refused(&mut self, random: &mut Random) {
        let refused = |kind| InterpolationError::SystemRefused { system: System::DualMcMillan, kind };
        let arrangement = Arrangement::identity(self.parts.len());
        let tree = random_tree(random, self.parts.len());
        let result = self.interpolants.tree(self.pool, &tree, &arrangement);
        assert_eq!(result, Err(refused(Kind::Tree)), "{}", self.place);
        let result = self.interpolants.state_transition(self.pool, &arrangement);
        assert_eq!(result, Err(refused(Kind::StateTransition)), "{}", self.place);
    }
}

/// Whether the conjunctions of the positions have lost no name to simplification.
fn keeps_names(pool: &TermPool, parts: &[Term], arrangement: &Arrangement, conjunctions: &[Term]) -> bool {
    parts.iter().enumerate().all(|(number, &part)| {
        let position = arrangement.position(Part(number as u32));
        Vocabulary::of(pool, &[conjunctions[position]]).includes(&Vocabulary::of(pool, &[part]))
    })
}

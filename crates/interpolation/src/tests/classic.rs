//! Classic paths must give word-level interpolants of a few atoms.

use rorqual_logic::TermPool;

use crate::strategy::{Chooser, Configuration, Counts, Goal, Outcome};
use crate::{atoms, is_word_level};

#[path = "../../examples/classics/cases.rs"]
pub(super) mod cases;

#[test]
fn classic_paths_give_few_atoms_over_words() {
    let mut pool = TermPool::new();
    for case in cases::all(&mut pool) {
        let mut counts = Counts::default();
        let configuration = Configuration::default();
        let mut chooser = Chooser::new(&configuration, &mut counts);
        let outcome = chooser.interpolate(&mut pool, &case.parts, &Goal::Sequence);
        let Outcome::Interpolated(formulas) = outcome else { panic!("{}: {outcome:?}", case.name) };
        for &formula in &formulas {
            assert!(is_word_level(&pool, formula), "{}: {:?}", case.name, counts);
            assert!(atoms(&pool, formula).len() <= 10, "{}: {:?}", case.name, counts);
        }
    }
}

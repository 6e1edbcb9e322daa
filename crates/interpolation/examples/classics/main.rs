//! Prints the interpolants of classic paths: `cargo run -p rorqual-interpolation --example classics`.

mod cases;

use rorqual_interpolation::strategy::{Chooser, Configuration, Counts, Goal, Outcome};
use rorqual_interpolation::{atoms, is_word_level};
use rorqual_logic::TermPool;

fn main() {
    let mut pool = TermPool::new();
    for case in cases::all(&mut pool) {
        let mut counts = Counts::default();
        let configuration = Configuration::default();
        let mut chooser = Chooser::new(&configuration, &mut counts);
        println!("{}", case.name);
        match chooser.interpolate(&mut pool, &case.parts, &Goal::Sequence) {
            Outcome::Interpolated(formulas) => {
                for (index, &formula) in formulas.iter().enumerate() {
                    let level = if is_word_level(&pool, formula) { "words" } else { "bits" };
                    let count = atoms(&pool, formula).len();
                    println!("  I{index}: {}   ({count} atoms, {level})", pool.display(formula));
                }
            }
            other => println!("  {other:?}"),
        }
        for (served, _) in counts.served {
            println!("  served by {served:?}");
        }
    }
}

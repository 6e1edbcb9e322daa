//! Programs over all operators, types, storage classes and declarators, well defined by
//! construction. gcc says which values they compute; `run` must compute the same, `check` must
//! prove them and refute their negations.
//!
//! Equal recipes make equal programs.

#![allow(clippy::format_push_string, reason = "programs are put together from short texts")]
#![allow(clippy::many_single_char_names, reason = "the names are those of the C program that is written")]

mod aggregates;
mod comparison;
mod expressions;
mod floats;
mod functions;
mod integer;
mod objects;
mod operators;
mod program;
mod shapes;
mod statements;
mod writer;

use std::fmt;

use rorqual_cfa::DataModel;

pub use comparison::{Comparison, Difference, Subject, compare, native_values};
pub use program::{Input, Kind, Program, printing_all, values_of_all};

use crate::random::Random;
use writer::Writer;

/// A part of the language and what writes programs about it.
struct Family {
    name: &'static str,
    write: fn(&mut Writer),
    /// How many programs of each turn are about it.
    share: usize,
}

const fn family(name: &'static str, share: usize, write: fn(&mut Writer)) -> Family {
    Family { name, write, share }
}

const FAMILIES: &[Family] = &[
    family("binary operators", 5, operators::binary_operators),
    family("assignments", 4, operators::assignments),
    family("steps", 1, operators::steps),
    family("unary operators and casts", 2, operators::unary_and_casts),
    family("conditionals", 1, operators::conditionals),
    family("expressions", 4, expressions::expressions),
    family("initialisers", 2, aggregates::initialisers),
    family("aggregates by value", 2, aggregates::by_value),
    family("unions", 1, aggregates::unions),
    family("layout", 2, aggregates::layout),
    family("arrays and pointers", 2, objects::arrays_and_pointers),
    family("self-modifying places", 1, objects::self_modifying_places),
    family("strings", 1, objects::strings),
    family("library functions", 1, objects::library),
    family("storage classes", 1, objects::storage_classes),
    family("declarators", 1, functions::declarators),
    family("calls", 2, functions::calls),
    family("variable arguments", 1, functions::variable_arguments),
    family("recursion", 1, functions::recursion),
    family("types of expressions", 1, functions::type_queries),
    family("control flow", 3, statements::control_flow),
    family("blocks", 1, statements::blocks),
    family("floating point", 2, floats::floats),
];

/// How many programs it takes until every family had its turn.
pub const FAMILY_TURN: u64 = {
    let (mut turn, mut number) = (0, 0);
    while number < FAMILIES.len() {
        turn += FAMILIES[number].share;
        number += 1;
    }
    turn as u64
};

/// What `check` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Proved.
    Safe,
    /// Refuted.
    Unsafe,
    /// Neither.
    Unknown,
    /// No answer: the program was rejected, or the tool broke.
    Broken,
}

impl Verdict {
    fn of_exit_code(code: i32) -> Verdict {
        match code {
            0 => Verdict::Safe,
            10 => Verdict::Unsafe,
            20 => Verdict::Unknown,
            _ => Verdict::Broken,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
            Verdict::Broken => "no verdict",
        })
    }
}

/// How a program is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// The seed of the campaign.
    pub seed: u64,
    /// The number of the program in the campaign; it also chooses what the program is about.
    pub index: u64,
    /// The data model it is compiled for.
    pub model: DataModel,
}

impl Recipe {
    /// Makes the program.
    pub fn program(&self) -> Program {
        let shares = FAMILIES.iter().flat_map(|family| (0..family.share).map(move |place| (family, place)));
        let (family, place) =
            shares.cycle().nth((self.index % FAMILY_TURN) as usize).expect("shares go round for ever");
        let round = (self.index / FAMILY_TURN) as usize * family.share + place;
        let mut writer = Writer::new(Random::for_input(self.seed, self.index), self.model, round);
        (family.write)(&mut writer);
        writer.finish(family.name)
    }
}

//! What a verdict rests on beside the program: a `safe` names every one of these.

use std::collections::BTreeMap;

use rorqual_cfa::{Hazard, Program};

/// Something that is taken for granted and not proved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// What a function does that is called and has no body.
    Function {
        /// The function.
        name: String,
        /// What it does to memory.
        effect: AssumedEffect,
    },
    /// Memory that is asked for and that can be there is there, however much was asked for before.
    AllocationSucceeds,
    /// The stack has room for all arrays of variable length and all that `alloca` is asked for.
    StackHasRoom,
    /// An operation that C leaves undefined for some operands is defined whenever it is executed.
    Defined {
        /// The operation.
        hazard: Hazard,
        /// Its text and place, and what makes it defined: `` `a[i]` at f.c:11 stays in bounds``.
        claim: String,
    },
}

impl Assumption {
    /// That an operation of a program is defined whenever it is executed.
    pub fn defined(program: &Program, hazard: Hazard) -> Assumption {
        Assumption::Defined { hazard, claim: hazard.assumption(program) }
    }
}

/// What is assumed that a function does that the program does not define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssumedEffect {
    /// It writes nothing.
    WritesNothing,
    /// It calls no functions of the program, even if it is given pointers to them.
    CallsNothing,
    /// It writes only the objects that a call gives it pointers to and what can be reached from there, of a structure whose
    /// member it is given only the member, and calls only functions that it is given.
    WritesGiven,
    /// It calls only functions of the program that it can reach through pointers.
    CallsGiven,
    /// The pointers that it returns do not point to memory of the program.
    ReturnsOwn,
    /// It sorts, and leaves equal elements in their order, as its model does.
    KeepsOrder,
}

impl AssumedEffect {
    /// All of them.
    pub const ALL: [AssumedEffect; 6] = [
        AssumedEffect::WritesNothing,
        AssumedEffect::CallsNothing,
        AssumedEffect::WritesGiven,
        AssumedEffect::CallsGiven,
        AssumedEffect::ReturnsOwn,
        AssumedEffect::KeepsOrder,
    ];

    /// The word for it in certificates and JSON.
    pub fn word(self) -> &'static str {
        match self {
            AssumedEffect::WritesNothing => "writes-nothing",
            AssumedEffect::CallsNothing => "calls-nothing",
            AssumedEffect::WritesGiven => "writes-given",
            AssumedEffect::CallsGiven => "calls-given",
            AssumedEffect::ReturnsOwn => "returns-own",
            AssumedEffect::KeepsOrder => "keeps-order",
        }
    }

    /// What one function does, or what several do.
    fn verb(self, is_one: bool) -> &'static str {
        match (self, is_one) {
            (AssumedEffect::WritesNothing, true) => "writes nothing",
            (AssumedEffect::WritesNothing, false) => "write nothing",
            (AssumedEffect::CallsNothing, true) => "calls no function of the program",
            (AssumedEffect::CallsNothing, false) => "call no function of the program",
            (AssumedEffect::WritesGiven, true) => {
                "writes only the objects and members that it gets pointers to"
            }
            (AssumedEffect::WritesGiven, false) => {
                "write only the objects and members that they get pointers to"
            }
            (AssumedEffect::CallsGiven, true) => "calls only functions that it gets pointers to",
            (AssumedEffect::CallsGiven, false) => "call only functions that they get pointers to",
            (AssumedEffect::ReturnsOwn, true) => "returns no pointer to memory of the program",
            (AssumedEffect::ReturnsOwn, false) => "return no pointer to memory of the program",
            (AssumedEffect::KeepsOrder, true) => "keeps the order of equal elements",
            (AssumedEffect::KeepsOrder, false) => "keep the order of equal elements",
        }
    }
}

/// The assumptions as the end of a sentence that begins with "assuming": `that f and g write nothing`. What is assumed
/// of several functions alike is said once.
pub fn assumptions_text(assumptions: &[Assumption]) -> String {
    let mut functions: BTreeMap<AssumedEffect, Vec<String>> = BTreeMap::new();
    let mut others: Vec<String> = Vec::new();
    for assumption in assumptions {
        match assumption {
            Assumption::Function { name, effect } => {
                functions.entry(*effect).or_default().push(format!("`{name}`"));
            }
            Assumption::AllocationSucceeds => others.push("that allocation succeeds".to_owned()),
            Assumption::StackHasRoom => {
                others.push("that the stack has room for arrays of variable length".to_owned());
            }
            Assumption::Defined { claim, .. } => others.push(format!("that {claim}")),
        }
    }
    let claim = |(effect, names): (AssumedEffect, Vec<String>)| {
        format!("that {} {}", listed(&names), effect.verb(names.len() == 1))
    };
    listed(&functions.into_iter().map(claim).chain(others).collect::<Vec<String>>())
}

/// `a`, `a and b`, `a, b and c`
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_assumed_of_several_functions_is_said_once() {
        let nothing =
            |name: &str| Assumption::Function { name: name.to_owned(), effect: AssumedEffect::WritesNothing };
        assert_eq!(assumptions_text(&[nothing("f")]), "that `f` writes nothing");
        let three = [nothing("f"), nothing("g"), nothing("h")];
        assert_eq!(assumptions_text(&three), "that `f`, `g` and `h` write nothing");
        let mixed = [nothing("f"), Assumption::AllocationSucceeds];
        assert_eq!(assumptions_text(&mixed), "that `f` writes nothing and that allocation succeeds");
    }
}

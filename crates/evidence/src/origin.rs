//! What found a verdict.

use std::fmt;

/// A way to find proofs or violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// A look at the program, which has no instance of what it is checked for.
    NothingToCheck,
    /// Runs of the program with made-up inputs (`testing`).
    TestRun,
    /// Bounded model checking (`bmc`).
    BoundedSearch,
    /// Lazy abstraction with interpolants (`impact`).
    Interpolation,
    /// Guards and summaries from interpolants (`whale`).
    Summaries,
    /// Recursion by reduction (`reduction`).
    Reduction,
    /// Property-directed reachability (`ic3`).
    Ic3,
    /// k-induction (`kinduction`).
    KInduction,
    /// The largest inductive subset of candidates for invariants (Houdini).
    Houdini,
    /// The strongest invariant that is a Boolean combination of candidates.
    PredicateAbstraction,
    /// Quantified invariants about elements of arrays.
    ArrayInvariants,
    /// Quantified invariants about nodes on the heap.
    NodeInvariants,
    /// Contracts of functions and loops, by Houdini.
    Contracts,
}

impl Technique {
    /// All of them.
    pub const ALL: [Technique; 13] = [
        Technique::NothingToCheck,
        Technique::TestRun,
        Technique::BoundedSearch,
        Technique::Interpolation,
        Technique::Summaries,
        Technique::Reduction,
        Technique::Ic3,
        Technique::KInduction,
        Technique::Houdini,
        Technique::PredicateAbstraction,
        Technique::ArrayInvariants,
        Technique::NodeInvariants,
        Technique::Contracts,
    ];

    /// The technique with a name.
    pub fn named(name: &str) -> Option<Technique> {
        Technique::ALL.into_iter().find(|technique| technique.name() == name)
    }

    /// How it is called in verdicts and result files.
    pub fn name(self) -> &'static str {
        match self {
            Technique::NothingToCheck => "nothing to check",
            Technique::TestRun => "test run",
            Technique::BoundedSearch => "bounded search",
            Technique::Interpolation => "interpolation",
            Technique::Summaries => "summaries",
            Technique::Reduction => "reduction",
            Technique::Ic3 => "ic3",
            Technique::KInduction => "k-induction",
            Technique::Houdini => "houdini",
            Technique::PredicateAbstraction => "predicate abstraction",
            Technique::ArrayInvariants => "array invariants",
            Technique::NodeInvariants => "node invariants",
            Technique::Contracts => "contracts",
        }
    }
}

/// The technique behind a verdict, and what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The technique that ended the search.
    pub technique: Technique,
    /// Whether it used proved facts that other techniques had inferred.
    pub with_facts: bool,
    /// Whether the content of the heap was left out.
    pub heap_free: bool,
    /// If it was found in an earlier run, what that was about: its evidence comes from a store, and was checked again.
    pub stored: Option<Stored>,
}

/// What an earlier run was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stored {
    /// The program as it is.
    ThisVersion,
    /// An earlier version of the program.
    EarlierVersion,
}

impl From<Technique> for Origin {
    fn from(technique: Technique) -> Origin {
        Origin { technique, with_facts: false, heap_free: false, stored: None }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.technique.name())?;
        if self.with_facts {
            f.write_str(" with inferred facts")?;
        }
        if self.heap_free {
            f.write_str(" on the heap-free abstraction")?;
        }
        match self.stored {
            Some(Stored::EarlierVersion) => f.write_str(" for an earlier version (stored)")?,
            Some(Stored::ThisVersion) => f.write_str(" in an earlier run (stored)")?,
            None => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_says_what_the_technique_was_given() {
        let mut origin = Origin::from(Technique::Interpolation);
        assert_eq!(origin.to_string(), "interpolation");
        origin.with_facts = true;
        origin.heap_free = true;
        assert_eq!(origin.to_string(), "interpolation with inferred facts on the heap-free abstraction");
        let stored = Origin { stored: Some(Stored::ThisVersion), ..Origin::from(Technique::TestRun) };
        assert_eq!(stored.to_string(), "test run in an earlier run (stored)");
        let earlier = Origin { stored: Some(Stored::EarlierVersion), ..stored };
        assert_eq!(earlier.to_string(), "test run for an earlier version (stored)");
    }
}

//! The symbols and functions that formulas have: what an interpolant, or an instance of an axiom in a
//! part, may be over.

use std::collections::BTreeSet;

use rorqual_logic::{FunctionSymbol, Op, SymbolId, Term, TermPool};

/// Something with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// A variable.
    Symbol(SymbolId),
    /// An uninterpreted function.
    Function(FunctionSymbol),
}

impl Name {
    /// How it is written.
    pub fn text(self, pool: &TermPool) -> String {
        match self {
            Name::Symbol(symbol) => pool.symbol_name(symbol).to_owned(),
            Name::Function(function) => pool.signature(function).0.to_owned(),
        }
    }

    fn of(pool: &TermPool, term: Term) -> Option<Name> {
        match pool.op(term) {
            Op::Symbol(symbol) => Some(Name::Symbol(*symbol)),
            Op::Apply(function) => Some(Name::Function(*function)),
            _ => None,
        }
    }
}

/// The names that occur in formulas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    names: BTreeSet<Name>,
}

impl Vocabulary {
    /// The names of some formulas.
    pub fn of(pool: &TermPool, formulas: &[Term]) -> Vocabulary {
        let names = pool.subterms(formulas).into_iter().filter_map(|term| Name::of(pool, term));
        Vocabulary { names: names.collect() }
    }

    /// What both have.
    #[must_use]
    pub fn shared(&self, other: &Vocabulary) -> Vocabulary {
        Vocabulary { names: self.names.intersection(&other.names).copied().collect() }
    }

    /// Whether all of the other's names are here.
    pub fn includes(&self, other: &Vocabulary) -> bool {
        other.names.is_subset(&self.names)
    }

    /// Whether a name is here.
    pub fn has(&self, name: Name) -> bool {
        self.names.contains(&name)
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.names.iter().copied()
    }

    /// Adds a name.
    pub fn insert(&mut self, name: Name) {
        self.names.insert(name);
    }

    /// Drops the names for which the condition does not hold.
    pub fn retain(&mut self, keep: impl FnMut(&Name) -> bool) {
        self.names.retain(keep);
    }

    /// A name of the formula that is not here.
    pub fn foreign(&self, pool: &TermPool, formula: Term) -> Option<Name> {
        let names = Vocabulary::of(pool, &[formula]).names;
        names.difference(&self.names).next().copied()
    }
}

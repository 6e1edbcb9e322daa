//! The symbols and functions that formulas have: what interpolants may be over.

use std::collections::BTreeSet;

use rorqual_logic::{FunctionSymbol, Op, SymbolId, Term, TermPool};

/// Something with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Name {
    Symbol(SymbolId),
    Function(FunctionSymbol),
}

impl Name {
    pub(crate) fn text(self, pool: &TermPool) -> String {
        match self {
            Name::Symbol(symbol) => pool.symbol_name(symbol).to_owned(),
            Name::Function(function) => pool.signature(function).0.to_owned(),
        }
    }
}

/// The names that occur in formulas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Vocabulary {
    names: BTreeSet<Name>,
}

impl Vocabulary {
    pub(crate) fn of(pool: &TermPool, formulas: &[Term]) -> Vocabulary {
        let name = |term: Term| match pool.op(term) {
            Op::Symbol(symbol) => Some(Name::Symbol(*symbol)),
            Op::Apply(function) => Some(Name::Function(*function)),
            _ => None,
        };
        Vocabulary { names: pool.subterms(formulas).into_iter().filter_map(name).collect() }
    }

    /// All names, in their order.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.names.iter().copied()
    }

    /// What both have.
    pub(crate) fn shared(&self, other: &Vocabulary) -> Vocabulary {
        Vocabulary { names: self.names.intersection(&other.names).copied().collect() }
    }

    pub(crate) fn has_symbol(&self, symbol: SymbolId) -> bool {
        self.names.contains(&Name::Symbol(symbol))
    }

    /// A name of the formula that is not here.
    pub(crate) fn foreign(&self, pool: &TermPool, formula: Term) -> Option<Name> {
        let names = Vocabulary::of(pool, &[formula]).names;
        names.difference(&self.names).next().copied()
    }
}

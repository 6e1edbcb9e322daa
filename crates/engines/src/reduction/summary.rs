//! Summaries of functions, as conjuncts that can be dropped one by one.
//!
//! Formulas are over the names of contracts: `old f::n` is what the caller passed, `old g` and `g` are a variable before
//! and after the call, `f::return` is the result.

use std::collections::BTreeMap;

use rorqual_cfa::FunctionId;
use rorqual_logic::{Term, TermPool};

/// What is said of one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// What calls must fulfil, over old values.
    pub requires: Vec<Term>,
    /// What calls ensure then.
    pub ensures: Vec<Term>,
}

/// Formulas that calls of functions must fulfil.
pub type Demands = BTreeMap<FunctionId, Vec<Term>>;

/// The summaries of all recursive functions.
#[derive(Debug, Default)]
pub struct Summaries {
    /// The pool of all formulas.
    pub pool: TermPool,
    functions: BTreeMap<FunctionId, Summary>,
}

/// A conjunct of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conjunct {
    Requires(FunctionId, Term),
    Ensures(FunctionId, Term),
}

impl Summaries {
    /// The summary of a function.
    pub fn of(&self, function: FunctionId) -> Summary {
        self.functions.get(&function).cloned().unwrap_or_default()
    }

    /// The requirements of all functions.
    pub(super) fn demands(&self) -> Demands {
        self.functions.iter().map(|(&function, summary)| (function, summary.requires.clone())).collect()
    }

    /// How many conjuncts there are.
    pub(super) fn len(&self) -> usize {
        self.functions.values().map(|summary| summary.requires.len() + summary.ensures.len()).sum()
    }

    pub(super) fn add(&mut self, conjunct: Conjunct) {
        let (function, term) = conjunct.parts();
        let is_true = self.pool.as_bool(term) == Some(true);
        let list = self.list(conjunct, function);
        if !is_true && !list.contains(&term) {
            list.push(term);
        }
    }

    pub(super) fn drop(&mut self, conjunct: Conjunct) {
        let (function, term) = conjunct.parts();
        self.list(conjunct, function).retain(|&one| one != term);
    }

    /// Drops all requirements.
    pub(super) fn require_nothing(&mut self) {
        self.functions.values_mut().for_each(|summary| summary.requires.clear());
    }

    fn list(&mut self, conjunct: Conjunct, function: FunctionId) -> &mut Vec<Term> {
        let summary = self.functions.entry(function).or_default();
        match conjunct {
            Conjunct::Requires(..) => &mut summary.requires,
            Conjunct::Ensures(..) => &mut summary.ensures,
        }
    }
}

impl Conjunct {
    fn parts(self) -> (FunctionId, Term) {
        match self {
            Conjunct::Requires(function, term) | Conjunct::Ensures(function, term) => (function, term),
        }
    }
}

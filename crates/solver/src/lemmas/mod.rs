//! The meaning of reads, applications and equalities of arrays, added on demand: a candidate, which
//! gives them any values, either is a model or violates instances of the axioms. Only violated
//! instances become clauses. In the spirit of Brummayer and Biere, *Lemmas on Demand for the
//! Extensional Theory of Arrays*, JSAT 2009. Departure: true equalities of arrays are compared at
//! the indices of the query, and their symbols share a default element, instead of propagating
//! reads upwards.

mod arrays;
mod candidate;
mod cone;

use std::collections::{BTreeMap, HashMap, HashSet};

use rorqual_logic::{Assignment, FunctionSymbol, FunctionTable, Op, Term, TermPool, Value};

pub(crate) use candidate::Candidate;
pub(crate) use cone::Cone;

use crate::model::Model;

/// What a candidate is.
pub(crate) enum Verdict {
    /// It extends to a model of the query.
    Consistent(Model),
    /// These formulas are valid (but for new symbols, which they define), and it violates them.
    Violates(Vec<Term>),
}

/// The instances so far that give meaning to equalities of arrays. They belong to a query whenever
/// the equality does.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    of_equality: HashMap<Term, Vec<Term>>,
    witnesses: HashSet<Term>,
    told_apart: HashSet<Term>,
}

impl Instances {
    /// The instances of an equality.
    pub(crate) fn of(&self, equality: Term) -> &[Term] {
        self.of_equality.get(&equality).map_or(&[], Vec::as_slice)
    }

    /// Whether a symbol is an index that was made to tell arrays apart.
    pub(crate) fn is_witness(&self, symbol: Term) -> bool {
        self.witnesses.contains(&symbol)
    }

    /// Looks for violated instances among the terms of a query.
    pub(crate) fn check(&mut self, pool: &mut TermPool, cone: &Cone, candidate: &mut Candidate) -> Verdict {
        let mut violated = Vec::new();
        let functions = function_tables(pool, cone, candidate, &mut violated);
        let arrays = self.check_arrays(pool, cone, candidate, &mut violated);
        if !violated.is_empty() {
            return Verdict::Violates(violated);
        }
        let mut assignment = Assignment::new();
        for &symbol in cone.symbols() {
            let Op::Symbol(id) = *pool.op(symbol) else { unreachable!("symbols are symbols") };
            let value = match arrays.get(&symbol) {
                Some(array) => Value::Array(array.clone()),
                None => candidate.value(pool, symbol),
            };
            assignment.set(id, value);
        }
        for (function, table) in functions {
            assignment.set_function(function, table);
        }
        Verdict::Consistent(Model::new(assignment))
    }
}

/// The tables of the functions, and the violated instances of congruence.
fn function_tables(
    pool: &mut TermPool,
    cone: &Cone,
    candidate: &mut Candidate,
    violated: &mut Vec<Term>,
) -> BTreeMap<FunctionSymbol, FunctionTable> {
    let mut seen: HashMap<(FunctionSymbol, Vec<String>), Term> = HashMap::new();
    let mut tables = BTreeMap::new();
    for &application in cone.applications() {
        let Op::Apply(function) = *pool.op(application) else { unreachable!("applications apply") };
        let arguments = pool.arguments(application).to_vec();
        let values: Vec<Value> = arguments.iter().map(|&argument| candidate.value(pool, argument)).collect();
        let result = candidate.value(pool, application);
        let key = (function, values.iter().map(ToString::to_string).collect());
        if let Some(&other) = seen.get(&key) {
            if candidate.value(pool, other) != result {
                violated.push(congruence(pool, application, other));
            }
            continue;
        }
        seen.insert(key, application);
        let default = Value::default_of(pool.signature(function).2);
        let table = tables.entry(function).or_insert_with(|| FunctionTable::constant(default));
        table.entries.push((values, result));
    }
    tables
}

/// Equal arguments have equal results.
fn congruence(pool: &mut TermPool, lhs: Term, rhs: Term) -> Term {
    let pairs: Vec<(Term, Term)> =
        pool.arguments(lhs).iter().copied().zip(pool.arguments(rhs).iter().copied()).collect();
    let premises: Vec<Term> = pairs.into_iter().map(|(lhs, rhs)| pool.eq(lhs, rhs)).collect();
    let conclusion = pool.eq(lhs, rhs);
    implication(pool, &premises, conclusion)
}

fn implication(pool: &mut TermPool, premises: &[Term], conclusion: Term) -> Term {
    let premise = pool.and(premises);
    pool.implies(premise, conclusion)
}

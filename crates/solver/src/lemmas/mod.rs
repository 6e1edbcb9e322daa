//! The meaning of reads, applications and equalities of arrays, added on demand: a candidate, which
//! gives them any values, either is a model or violates instances of the axioms. Only violated
//! instances become clauses. In the spirit of Brummayer and Biere, *Lemmas on Demand for the
//! Extensional Theory of Arrays*, JSAT 2009. Departure: true equalities of arrays are compared at
//! the indices of the query, and their symbols share a default element, instead of propagating
//! reads upwards.

mod arrays;
mod candidate;
mod cone;
mod placement;

use std::collections::{BTreeMap, HashMap, HashSet};

use rorqual_logic::{Assignment, FunctionSymbol, FunctionTable, Op, Term, TermPool, Value};

pub(crate) use candidate::Candidate;
pub(crate) use cone::Cone;
use placement::fitting;
pub(crate) use placement::{Anywhere, Placement};

use crate::model::Model;
use crate::vocabulary::Name;

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
    new_witnesses: HashSet<Name>,
    told_apart: HashSet<Term>,
}

impl Instances {
    /// The instances of an equality.
    pub(crate) fn of(&self, equality: Term) -> &[Term] {
        self.of_equality.get(&equality).map_or(&[], Vec::as_slice)
    }

    /// Whether a name is that of an index that was made to tell arrays apart and belongs to no part yet.
    pub(crate) fn is_new_witness(&self, name: Name) -> bool {
        self.new_witnesses.contains(&name)
    }

    /// Says that the witness belongs to a part.
    pub(crate) fn place_witness(&mut self, name: Name) {
        self.new_witnesses.remove(&name);
    }

    /// Looks for violated instances among the terms of a query.
    pub(crate) fn check(
        &mut self,
        pool: &mut TermPool,
        cone: &Cone,
        candidate: &mut Candidate,
        placement: &mut dyn Placement,
    ) -> Verdict {
        let mut violated = Vec::new();
        let functions = function_tables(pool, cone, candidate, placement, &mut violated);
        let arrays = self.check_arrays(pool, cone, candidate, placement, &mut violated);
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
    placement: &mut dyn Placement,
    violated: &mut Vec<Term>,
) -> BTreeMap<FunctionSymbol, FunctionTable> {
    let mut seen: HashMap<(FunctionSymbol, Vec<String>), Vec<Term>> = HashMap::new();
    let mut tables = BTreeMap::new();
    for &application in cone.applications() {
        let Op::Apply(function) = *pool.op(application) else { unreachable!("applications apply") };
        let arguments = pool.arguments(application).to_vec();
        let values: Vec<Value> = arguments.iter().map(|&argument| candidate.value(pool, argument)).collect();
        let result = candidate.value(pool, application);
        let key = (function, values.iter().map(ToString::to_string).collect());
        let others = seen.entry(key).or_default();
        let mut differing = others.clone();
        differing.retain(|&other| candidate.value(pool, other) != result);
        if !differing.is_empty() {
            violated.extend(congruences(pool, placement, application, &differing));
        } else if others.is_empty() {
            let default = Value::default_of(pool.signature(function).2);
            let table = tables.entry(function).or_insert_with(|| FunctionTable::constant(default));
            table.entries.push((values, result));
        }
        others.push(application);
    }
    tables
}

/// What says that an application equals one of the others, in one instance that fits into a part or in two
/// that meet at an application to landmarks.
fn congruences(
    pool: &mut TermPool,
    placement: &mut dyn Placement,
    application: Term,
    others: &[Term],
) -> Vec<Term> {
    let direct = |pool: &mut TermPool, other: &Term| congruence(pool, application, *other);
    if let Some(instance) = fitting(pool, placement, others, direct) {
        return vec![instance];
    }
    match application_between(pool, placement, application, others[0]) {
        Some(middle) => [application, others[0]].map(|end| congruence(pool, end, middle)).to_vec(),
        None => vec![congruence(pool, application, others[0])],
    }
}

/// The function of two applications on landmarks of their arguments.
fn application_between(
    pool: &mut TermPool,
    placement: &mut dyn Placement,
    lhs: Term,
    rhs: Term,
) -> Option<Term> {
    let Op::Apply(function) = *pool.op(lhs) else { unreachable!("applications apply") };
    let (lhs, rhs) = (pool.arguments(lhs).to_vec(), pool.arguments(rhs).to_vec());
    let landmarks: Option<Vec<Term>> =
        lhs.into_iter().zip(rhs).map(|(lhs, rhs)| placement.landmark(pool, [lhs, rhs])).collect();
    Some(pool.apply(function, &landmarks?))
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

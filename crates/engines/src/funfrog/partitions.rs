//! The formula of the program: a partition for each call whose body it has, nested as the calls are. What is not looked
//! into is described by summaries.

use std::collections::{BTreeMap, HashMap};

use rorqual_cfa::Instance;
use rorqual_encoding::{Encoding, Procedure};
use rorqual_inference::contracts::{Contracts, at_call};
use rorqual_interpolation::Tree;
use rorqual_logic::{Assignment, Evaluator, Term};
use rorqual_source::Span;

use super::goal::{Goal, Known};
use crate::copies::{CallEnd, Copies, ends};

/// A call: the partition that has it, and its number there.
pub(super) type Site = (usize, usize);

/// Numbers for calls by their callers, the same in all formulas of a search: equal parts are equal terms, which the
/// solver knows already.
pub(super) type Names = HashMap<(usize, usize), usize>;

/// What formulas are made from.
pub(super) struct Material<'a> {
    pub(super) goal: &'a Goal,
    pub(super) known: &'a Known,
    /// What holds for all calls.
    pub(super) summaries: &'a [&'a Contracts],
}

/// The formula.
pub(super) struct Partitions {
    pub(super) copies: Copies,
    procedures: Vec<Procedure>,
    /// What each partition says, beside what its callees are given.
    formulas: Vec<Vec<Term>>,
    /// The calls that are looked into.
    entered: BTreeMap<Site, usize>,
    /// The same in the order in which they were looked into.
    order: Vec<Site>,
    /// The name of each partition.
    names: Vec<usize>,
    /// How often each partition's procedure is on the way to it.
    iterations: Vec<u64>,
    is_bounded: bool,
}

impl Partitions {
    /// The body of the first procedure violates the goal, and calls do what summaries say.
    pub(super) fn new(encoding: &mut Encoding<'_>, material: &Material<'_>) -> Partitions {
        let first = encoding.first_procedure();
        let mut partitions = Partitions {
            copies: Copies::new(encoding.body_of(first)),
            procedures: vec![first],
            formulas: vec![Vec::new()],
            entered: BTreeMap::new(),
            order: Vec::new(),
            names: vec![0],
            iterations: vec![1],
            is_bounded: false,
        };
        let failure = material.goal.failure(encoding, first, material.known);
        partitions.formulas[0].push(failure);
        partitions.summarise_calls(encoding, 0, material);
        partitions
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.procedures.len()
    }

    pub(super) fn procedure(&self, number: usize) -> Procedure {
        self.procedures[number]
    }

    /// All calls that are not looked into.
    pub(super) fn open_calls(&self) -> Vec<Site> {
        let calls =
            |number: usize| (0..self.copies.get(number).body.calls.len()).map(move |call| (number, call));
        (0..self.len()).flat_map(calls).filter(|site| !self.entered.contains_key(site)).collect()
    }

    /// The partition of a call, if it is looked into.
    pub(super) fn entered(&self, site: Site) -> Option<usize> {
        self.entered.get(&site).copied()
    }

    /// How often the procedure of a call is active there, with the call.
    pub(super) fn iteration(&self, (caller, call): Site) -> u64 {
        let procedure = self.copies.get(caller).body.calls[call].procedure;
        let mut around = Some(caller);
        while let Some(number) = around {
            if self.procedures[number] == procedure {
                return self.iterations[number] + 1;
            }
            around = self.copies.get(number).caller.map(|(caller, _)| caller);
        }
        1
    }

    /// Where a call is in the source.
    pub(super) fn span(&self, (caller, call): Site) -> Span {
        self.copies.get(caller).body.calls[call].span
    }

    /// Looks into a call: if it ends in some way, its body does.
    pub(super) fn enter(
        &mut self,
        encoding: &mut Encoding<'_>,
        site: Site,
        names: &mut Names,
        material: &Material<'_>,
    ) {
        let (caller, number) = site;
        let call = self.copies.get(caller).body.calls[number].clone();
        let next = names.len() + 1;
        let name = *names.entry((self.names[caller], number)).or_insert(next);
        let iteration = self.iteration(site);
        let copy = self.copies.enter(encoding.body_of(call.procedure), format!("@{name}"), site, true);
        self.entered.insert(site, copy);
        self.order.push(site);
        self.procedures.push(call.procedure);
        self.names.push(name);
        self.iterations.push(iteration);
        let mut formulas = Vec::new();
        for (end, flag) in ends(&call) {
            let flag = self.copies.term(encoding, caller, flag);
            let conclusions = match end {
                CallEnd::Fails => {
                    let failure = material.goal.failure(encoding, call.procedure, material.known);
                    vec![self.copies.term(encoding, copy, failure)]
                }
                CallEnd::At(location) => self.copies.at_exit(encoding, copy, location),
            };
            self.copies.stands_for(copy, end);
            formulas.extend(conclusions.into_iter().map(|one| encoding.pool.implies(flag, one)));
        }
        self.formulas.push(formulas);
        self.summarise_calls(encoding, copy, material);
    }

    /// What is known of the calls of a partition: only some can violate the goal, and summaries hold where they end.
    fn summarise_calls(&mut self, encoding: &mut Encoding<'_>, number: usize, material: &Material<'_>) {
        let body = self.copies.get(number).body.clone();
        let mut known = Vec::new();
        for call in &body.calls {
            if !material.goal.may_fail_in(call.procedure) {
                known.push(encoding.pool.not(call.fails));
            }
            for &(_, ends) in &call.ends {
                // Only what is called ends. That keeps calls that are not made out of error traces.
                known.push(encoding.pool.implies(ends, call.guard));
            }
            for summaries in material.summaries {
                let spec = summaries.spec(encoding, call.procedure);
                for &(exit, ends) in &call.ends {
                    let summary = spec.summary(&mut encoding.pool, exit);
                    let summary = at_call(encoding, call, summary);
                    known.push(encoding.pool.implies(ends, summary));
                }
            }
        }
        let top = encoding.pool.top();
        for formula in known.into_iter().filter(|&formula| formula != top) {
            let formula = self.copies.term(encoding, number, formula);
            self.formulas[number].push(formula);
        }
    }

    /// The calls that are looked into. If they are looked into in this order, partitions have the same numbers.
    pub(super) fn order(&self) -> &[Site] {
        &self.order
    }

    /// Whether calls are left out that are made in the program.
    pub(super) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// From now on a call is not made.
    pub(super) fn exclude(&mut self, encoding: &mut Encoding<'_>, (caller, call): Site) {
        self.is_bounded = true;
        let guard = self.copies.get(caller).body.calls[call].guard;
        let not = encoding.pool.not(guard);
        let formula = self.copies.term(encoding, caller, not);
        self.formulas[caller].push(formula);
    }

    /// From now on nothing goes wrong that is known to. An execution ends where something does, so this loses no other violation.
    pub(super) fn exclude_failures(&mut self, encoding: &mut Encoding<'_>, goal: &Goal, known: &Known) {
        for guard in goal.known_failures(encoding, known) {
            let not = encoding.pool.not(guard);
            for number in 0..self.len() {
                if goal.is_in(self.procedures[number]) {
                    let formula = self.copies.term(encoding, number, not);
                    self.formulas[number].push(formula);
                }
            }
        }
    }

    /// Which of some properties of a goal are violated in a model, given their guards in its body.
    pub(super) fn violated(
        &mut self,
        encoding: &mut Encoding<'_>,
        goal: &Goal,
        properties: &[(Instance, Term)],
        model: &Assignment,
    ) -> Vec<Instance> {
        let mut violated = Vec::new();
        for number in (0..self.len()).filter(|&number| goal.is_in(self.procedures[number])) {
            for (instance, guard) in properties {
                let guard = self.copies.term(encoding, number, *guard);
                if Evaluator::new(&encoding.pool, model).holds(guard) && !violated.contains(instance) {
                    violated.push(instance.clone());
                }
            }
        }
        violated
    }

    /// What a partition says.
    fn partition(&self, number: usize) -> Vec<Term> {
        [self.formulas[number].as_slice(), &self.copies.get(number).equations].concat()
    }

    /// All of it.
    pub(super) fn formula(&self) -> Vec<Term> {
        (0..self.len()).flat_map(|number| self.partition(number)).collect()
    }

    /// The partitions as parts of a refutation, with the tree of calls: callees come before callers.
    pub(super) fn arranged(&self) -> (Vec<Vec<Term>>, Tree) {
        let parts = (0..self.len()).rev().map(|number| self.partition(number)).collect();
        let called = (1..self.len()).rev().map(|number| self.copies.get(number).caller);
        let parents = called.map(|caller| self.position(caller.expect("all but the first are calls").0));
        (parts, Tree::new(parents.collect()).expect("callees come before callers"))
    }

    /// The place of a partition among the parts of a refutation.
    pub(super) fn position(&self, number: usize) -> usize {
        self.len() - 1 - number
    }
}

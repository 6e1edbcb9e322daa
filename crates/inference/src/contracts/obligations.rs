//! The obligations of contracts. Guards are assumed where a procedure starts and must hold wherever it is called;
//! summaries are assumed behind calls and must hold wherever a procedure ends.

use std::collections::{BTreeSet, HashMap};

use rorqual_cfa::LocationId;
use rorqual_encoding::{Call, Encoding, Procedure, Target};
use rorqual_logic::Term;

use super::bodies::{Ignored, exit_to};
use super::spec::{at_call, at_exit};
use super::{Contracts, Part, failure_inside};
use crate::obligations::{Lists, Obligations, Premise, Site};

/// What the body of a procedure must lead to. All calls of one procedure are one goal: that takes one query, however
/// many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Goal {
    /// The guard of a procedure that it calls.
    Guard(Procedure),
    /// Its own summary for an exit.
    Summary(LocationId),
    /// No violation.
    Safety,
}

/// The obligations of procedures. A step is a body with one of its goals.
pub(crate) struct OfProcedures<'k> {
    procedures: &'k [Procedure],
    known: &'k Contracts,
    ignored: &'k Ignored,
    /// What conjuncts of summaries say where calls of a body end, by the condition for that.
    at_ends: HashMap<(Term, Term), Term>,
    /// What is known in bodies.
    in_bodies: HashMap<Procedure, Vec<Term>>,
}

impl<'k> OfProcedures<'k> {
    pub(crate) fn new(
        procedures: &'k [Procedure],
        known: &'k Contracts,
        ignored: &'k Ignored,
    ) -> OfProcedures<'k> {
        OfProcedures { procedures, known, ignored, at_ends: HashMap::new(), in_bodies: HashMap::new() }
    }

    /// What a conjunct of a summary says if a call ends as `ends` says.
    fn at_end(&mut self, encoding: &mut Encoding<'_>, call: &Call, ends: Term, conjunct: Term) -> Term {
        *self.at_ends.entry((ends, conjunct)).or_insert_with(|| {
            let summary = at_call(encoding, call, conjunct);
            encoding.pool.implies(ends, summary)
        })
    }
}

impl Obligations for OfProcedures<'_> {
    type List = Part;
    type Step = (Procedure, Goal);

    fn steps(&self, encoding: &mut Encoding<'_>) -> Vec<(Procedure, Goal)> {
        let mut steps = Vec::new();
        for &procedure in self.procedures {
            let body = encoding.body_of(procedure);
            let callees: BTreeSet<Procedure> = body.calls.iter().map(|call| call.procedure).collect();
            let exits = body.exits.iter().filter_map(|exit| match exit.target {
                Target::Point(point) => Some(Goal::Summary(point.location)),
                Target::Error | Target::Unsupported(_) => None,
            });
            let goals = callees.into_iter().map(Goal::Guard).chain(exits).chain([Goal::Safety]);
            steps.extend(goals.map(|goal| (procedure, goal)));
        }
        steps
    }

    fn conclusion(&self, _encoding: &mut Encoding<'_>, (body, goal): (Procedure, Goal)) -> Option<Part> {
        match goal {
            Goal::Guard(callee) => Some(Part::Guard(callee)),
            Goal::Summary(exit) => Some(Part::Summary(body, exit)),
            Goal::Safety => None,
        }
    }

    fn assumed(&self, encoding: &mut Encoding<'_>, (body, _): (Procedure, Goal)) -> Vec<Part> {
        let mut parts = vec![Part::Guard(body)];
        for call in &encoding.body_of(body).calls {
            parts.extend(call.ends.iter().map(|&(exit, _)| Part::Summary(call.procedure, exit)));
        }
        parts
    }

    fn premises(
        &mut self,
        encoding: &mut Encoding<'_>,
        (body, _): (Procedure, Goal),
        lists: &Lists<Part>,
        _goals: &[Term],
    ) -> Vec<Premise<Part>> {
        let known = self.in_bodies.entry(body).or_insert_with(|| self.known.known_in(encoding, body));
        let mut premises: Vec<Premise<Part>> = known.iter().map(|&formula| (formula, None)).collect();
        let conjuncts = |part: Part| lists.get(&part).into_iter().flatten().copied();
        let guard = Part::Guard(body);
        premises.extend(conjuncts(guard).map(|conjunct| (conjunct, Some((guard, conjunct)))));
        for call in &encoding.body_of(body).calls {
            for &(exit, ends) in &call.ends {
                let part = Part::Summary(call.procedure, exit);
                for conjunct in conjuncts(part) {
                    let formula = self.at_end(encoding, call, ends, conjunct);
                    premises.push((formula, Some((part, conjunct))));
                }
            }
        }
        premises
    }

    fn sites(
        &self,
        encoding: &mut Encoding<'_>,
        (procedure, goal): (Procedure, Goal),
        conjuncts: &[Term],
    ) -> Vec<Site> {
        let body = encoding.body_of(procedure);
        match goal {
            Goal::Guard(callee) => {
                let mut sites = Vec::new();
                for call in body.calls.iter().filter(|call| call.procedure == callee) {
                    let here = conjuncts.iter().map(|&one| at_call(encoding, call, one)).collect();
                    sites.push((call.guard, here));
                }
                sites
            }
            Goal::Summary(location) => {
                let exit = exit_to(&body, location).expect("the body ends there");
                let here = conjuncts.iter().map(|&one| at_exit(encoding, exit, one)).collect();
                vec![(exit.guard, here)]
            }
            Goal::Safety => {
                vec![(failure_inside(encoding, procedure, self.ignored), conjuncts.to_vec())]
            }
        }
    }
}

//! What is checked at a time: that nothing goes wrong in one body.

use std::collections::BTreeSet;

use rorqual_cfa::Instance;
use rorqual_encoding::{Block, Encoding, Exit, Procedure, Target};
use rorqual_inference::contracts::Ignored;
use rorqual_logic::Term;

/// Which properties are asked for. Those that no bound stands in the way of come first, so that they are proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Asked {
    /// Those whose error traces stay within the bound.
    #[default]
    Within,
    /// Those for which executions behind the bound are left out.
    Bounded,
}

/// What went wrong already, so that it is not asked for again.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// Properties that are violated.
    pub(super) violated: BTreeSet<Instance>,
    /// Properties that are left for later, so that the others have an answer.
    pub(super) later: BTreeSet<Instance>,
    /// Properties whose error traces go on behind the bound.
    pub(super) bounded: BTreeSet<Instance>,
    /// Whether these are asked for, or all others.
    pub(super) asked: Asked,
    /// Exits to what is not supported.
    pub(super) obstacles: Ignored,
}

impl Known {
    /// Whether nothing is known of a property yet.
    fn is_news(&self, instance: &Instance) -> bool {
        let is_asked = self.bounded.contains(instance) == (self.asked == Asked::Bounded);
        is_asked && !self.violated.contains(instance) && !self.later.contains(instance)
    }
}

/// The properties of one body. Departure: they are checked together, as they need the same calls.
#[derive(Debug)]
pub(super) struct Goal {
    /// The procedure with the body.
    procedure: Procedure,
    /// The procedures that call it, and those that call them.
    callers: BTreeSet<Procedure>,
}

impl Goal {
    /// The goals of a program, those of callers before those of what they call: summaries that a caller needs are about the
    /// calls that it makes before others, and these are on the way to what is called later too.
    pub(super) fn all(encoding: &mut Encoding<'_>) -> Vec<Goal> {
        let mut goals = Vec::new();
        for procedure in in_order_of_calls(encoding) {
            let body = encoding.body_of(procedure);
            if body.steps.iter().any(|step| step.error.is_some()) || body.exits.iter().any(is_obstacle) {
                goals.push(Goal { procedure, callers: callers(encoding, procedure) });
            }
        }
        goals
    }

    /// Whether a call of a procedure may violate the goal.
    pub(super) fn may_fail_in(&self, procedure: Procedure) -> bool {
        procedure == self.procedure || self.callers.contains(&procedure)
    }

    /// When a body violates the goal, itself or in a call.
    pub(super) fn failure(&self, encoding: &mut Encoding<'_>, procedure: Procedure, known: &Known) -> Term {
        let body = encoding.body_of(procedure);
        let mut failing = Vec::new();
        if procedure == self.procedure {
            failing.extend(own_failures(&body, procedure, known));
        }
        for call in body.calls.iter().filter(|call| self.may_fail_in(call.procedure)) {
            failing.push(encoding.pool.and2(call.guard, call.fails));
        }
        encoding.pool.or(&failing)
    }

    /// When the body of the goal does what is known to go wrong.
    pub(super) fn known_failures(&self, encoding: &mut Encoding<'_>, known: &Known) -> Vec<Term> {
        let body = encoding.body_of(self.procedure);
        let nothing = Known::default();
        let open: BTreeSet<Term> = own_failures(&body, self.procedure, known).collect();
        own_failures(&body, self.procedure, &nothing).filter(|guard| !open.contains(guard)).collect()
    }

    /// Its properties that are open, with their guards in the body.
    pub(super) fn open(&self, encoding: &mut Encoding<'_>, known: &Known) -> Vec<(Instance, Term)> {
        let body = encoding.body_of(self.procedure);
        let errors = body.steps.iter().filter_map(|step| {
            let instance = Instance { error: step.error.clone()?, span: step.span };
            known.is_news(&instance).then_some((instance, step.guard))
        });
        errors.collect()
    }

    /// Whether a procedure has the body of the goal.
    pub(super) fn is_in(&self, procedure: Procedure) -> bool {
        procedure == self.procedure
    }

    /// Whether there is something left that can go wrong.
    pub(super) fn is_open(&self, encoding: &mut Encoding<'_>, known: &Known) -> bool {
        let body = encoding.body_of(self.procedure);
        own_failures(&body, self.procedure, known).next().is_some()
    }
}

fn own_failures<'b>(
    body: &'b Block,
    procedure: Procedure,
    known: &'b Known,
) -> impl Iterator<Item = Term> + 'b {
    let is_new = |error, span| known.is_news(&Instance { error, span });
    let errors = body
        .steps
        .iter()
        .filter(move |step| step.error.clone().is_some_and(|error| is_new(error, step.span)));
    let is_met = move |number: usize| known.obstacles.contains(&(procedure, number));
    let exits = body.exits.iter().enumerate();
    let obstacles = exits.filter(move |&(number, exit)| is_obstacle(exit) && !is_met(number));
    errors.map(|step| step.guard).chain(obstacles.map(|(_, exit)| exit.guard))
}

fn is_obstacle(exit: &Exit) -> bool {
    matches!(exit.target, Target::Unsupported(_))
}

/// The procedures of a program in the order in which they are found from its start.
fn in_order_of_calls(encoding: &mut Encoding<'_>) -> Vec<Procedure> {
    let mut found = vec![encoding.first_procedure()];
    let mut next = 0;
    while let Some(&procedure) = found.get(next) {
        next += 1;
        for call in &encoding.body_of(procedure).calls {
            if !found.contains(&call.procedure) {
                found.push(call.procedure);
            }
        }
    }
    found
}

/// The procedures that call a procedure, directly or not.
fn callers(encoding: &mut Encoding<'_>, procedure: Procedure) -> BTreeSet<Procedure> {
    let all = encoding.all_procedures();
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for &caller in &all {
            let body = encoding.body_of(caller);
            let mut called = body.calls.iter().map(|call| call.procedure);
            if called.any(|callee| callee == procedure || found.contains(&callee)) {
                found.insert(caller);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

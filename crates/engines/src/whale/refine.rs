//! REFINEARG: refutes violations along the traces that are known, and guesses specifications of callees from the
//! refutation.

use std::collections::BTreeMap;

use rorqual_encoding::{Ending, trace_of_calls};
use rorqual_evidence::{Event, Stop};
use rorqual_inference::contracts::{Spec, at_call, at_exit, exit_to, failure, speccond};
use rorqual_interpolation::Tree;
use rorqual_interpolation::strategy::Goal;
use rorqual_logic::Term;
use rorqual_solver::Model;

use super::iarg::{ArgId, CallSite, Iarg, Paths};
use super::unfold::{Unfolder, Unfolding};
use super::{Outcome, Search};
use crate::copies::CallEnd;
use crate::solver::PathAnswer;

/// State and transition interpolants.
struct Refutation {
    /// What the refutation needs of the ARG's guard.
    root: Term,
    /// For each part what it does.
    transitions: Vec<Term>,
    /// What is known before calls, if that was asked for.
    states: BTreeMap<usize, Term>,
}

/// STITP, or an execution.
enum Answer {
    Feasible(Model),
    Refuted(Refutation),
}

impl Search<'_, '_> {
    pub(super) fn refine_arg(&mut self, id: ArgId) -> Result<Outcome, Stop> {
        self.observer.on(Event::Refining { depth: self.iarg.len() });
        self.refinements += 1;
        let violation = self.violation_of(id);
        if self.refine_by_known(id, &violation)? {
            return Ok(Outcome::Open);
        }
        let mut unfolder = Unfolder { encoding: self.encoding, iarg: &self.iarg, ignored: &self.ignored };
        let unfolding = unfolder.unfold(id);
        match self.stitp(id, &unfolding, violation)? {
            Answer::Feasible(model) => self.refuted(id, &unfolding, &model),
            Answer::Refuted(refutation) => {
                self.update_callees(id, &unfolding, &refutation);
                if self.iarg.get(id).paths == Paths::All {
                    self.iarg.set_safe(id);
                    self.iarg.update_guard(id, refutation.root);
                } else {
                    self.queue.push_back(id);
                }
                Ok(Outcome::Open)
            }
        }
    }

    /// What an ARG must not do if it starts with its guard: go wrong, or end without its summary.
    pub(super) fn violation_of(&mut self, id: ArgId) -> Vec<Term> {
        let procedure = self.iarg.get(id).procedure;
        let spec = self.iarg.get(id).spec.clone();
        let body = self.encoding.body_of(procedure);
        let mut formulas = self.inference.contracts().known_in(self.encoding, procedure);
        for call in &body.calls {
            // What holds for all calls holds for this one.
            let guard = self.inference.contracts().spec(self.encoding, call.procedure).guard;
            let guard = at_call(self.encoding, call, guard);
            formulas.push(self.encoding.pool.implies(call.guard, guard));
        }
        let mut bad = vec![failure(self.encoding, procedure, &self.ignored)];
        for (&location, &summary) in &spec.summaries {
            if let Some(exit) = exit_to(&body, location) {
                let after = at_exit(self.encoding, exit, summary);
                let not = self.encoding.pool.not(after);
                bad.push(self.encoding.pool.and2(exit.guard, not));
            }
        }
        formulas.push(self.encoding.pool.or(&bad));
        formulas
    }

    /// Departure: before traces are looked at, the specifications of other ARGs of the same procedures are tried for all
    /// calls. If they do, the callees are covered at once.
    fn refine_by_known(&mut self, id: ArgId, violation: &[Term]) -> Result<bool, Stop> {
        let body = self.encoding.body_of(self.iarg.get(id).procedure);
        let mut choices = Vec::new();
        let mut query = violation.to_vec();
        query.push(self.iarg.get(id).spec.guard);
        for (&call, &callee) in &self.iarg.get(id).callees {
            let Some(known) = self.iarg.known_for(callee, id) else { return Ok(false) };
            let spec = self.iarg.get(known).spec.clone();
            query.extend(speccond(self.encoding, &body.calls[call], &spec));
            choices.push(((id, call), spec));
        }
        Stop::check(&self.limits)?;
        if self.solver.is_possible(self.encoding, &query) {
            return Ok(false);
        }
        for (site, spec) in choices {
            self.update(site, &spec);
        }
        self.iarg.set_safe(id);
        Ok(true)
    }

    /// STITP: all interpolants come from one refutation. Departure: they are those of a tree. What the calls do are its
    /// leaves; states are only asked for where a guard is needed, as the nodes of the path to which the leaves are joined
    /// one after the other. A way of ending that is impossible whatever the callee is given needs no refutation.
    fn stitp(&mut self, id: ArgId, unfolding: &Unfolding, violation: Vec<Term>) -> Result<Answer, Stop> {
        let own = [violation, unfolding.own.clone()].concat();
        // For each call what it never does, and then what it may do.
        let mut leaves = Leaves::new();
        for &(call, formula) in &unfolding.without_traces {
            leaves.entry((call, None)).or_default().push(formula);
        }
        let mut transitions = Vec::new();
        for (number, part) in unfolding.parts.iter().enumerate() {
            Stop::check(&self.limits)?;
            let mut alone = part.formulas.clone();
            alone.push(part.flag);
            let never = self.encoding.pool.not(part.flag);
            transitions.push(never);
            if self.solver.is_possible(self.encoding, &alone) {
                leaves.insert((part.call, Some(number)), part.formulas.clone());
            } else {
                leaves.entry((part.call, None)).or_default().push(never);
            }
        }
        let mut callees = self.iarg.get(id).callees.values();
        let needs_states = callees.any(|&callee| self.iarg.get(callee).needs_guard);
        let guard = vec![self.iarg.get(id).spec.guard];
        let arranged = if needs_states { joined(guard, own, leaves) } else { star(guard, own, leaves) };
        let found = match self.solver.solve(self.encoding, &arranged.parts, &Goal::Tree(arranged.tree))? {
            PathAnswer::Feasible(model) => return Ok(Answer::Feasible(model)),
            PathAnswer::Refuted(found) => found,
        };
        for (number, node) in arranged.transitions {
            transitions[number] = found[node];
        }
        let states = arranged.states.into_iter().map(|(call, node)| (call, found[node])).collect();
        Ok(Answer::Refuted(Refutation { root: found[0], transitions, states }))
    }

    /// UPDATE of all callees with what the interpolants say.
    fn update_callees(&mut self, id: ArgId, unfolding: &Unfolding, refutation: &Refutation) {
        let body = self.encoding.body_of(self.iarg.get(id).procedure);
        for (call, callee) in self.iarg.get(id).callees.clone() {
            let procedure = body.calls[call].procedure;
            // Where no trace ends, the guess is that none does.
            let bottom = self.encoding.pool.bottom();
            let summaries = body.calls[call].ends.iter().map(|&(exit, _)| (exit, bottom)).collect();
            let mut spec = Spec { guard: self.encoding.pool.top(), summaries };
            let parts = unfolding.parts.iter().enumerate();
            let mut guards = Vec::new();
            for (number, part) in parts.filter(|(_, part)| part.call == call) {
                let formula = unfolding.sum(self.encoding, part, refutation.transitions[number]);
                self.interpolants.entry(procedure).or_default().push(formula);
                match part.end {
                    CallEnd::Fails => guards.push(self.encoding.pool.not(formula)),
                    CallEnd::At(exit) => {
                        spec.summaries.insert(exit, formula);
                    }
                }
            }
            if let Some(&state) = refutation.states.get(&call).filter(|_| self.iarg.get(callee).needs_guard) {
                guards.push(unfolding.guard(self.encoding, call, state));
            }
            spec.guard = self.encoding.pool.and(&guards);
            self.update((id, call), &spec);
        }
    }

    fn update(&mut self, site: CallSite, spec: &Spec) {
        let callee = self.iarg.get(site.0).callees[&site.1];
        if self.iarg.update(&mut self.encoding.pool, site, spec) {
            let uncovered = self.iarg.uncover_covered_by(callee);
            let reset = self.iarg.reset(&mut self.encoding.pool, callee);
            self.queue.extend(uncovered);
            self.queue.extend(reset);
        }
        self.queue.push_back(callee);
    }

    /// A trace violates the specification of an ARG: for the first one that is a violation, for others the specification
    /// was a wrong guess, and what rests on it is taken back.
    fn refuted(&mut self, id: ArgId, unfolding: &Unfolding, model: &Model) -> Result<Outcome, Stop> {
        if id == Iarg::root() {
            let executed = unfolding.executed(self.encoding, model);
            return match trace_of_calls(self.encoding, &executed, model.assignment()) {
                Some(Ending::Violation(trace, _)) => Ok(Outcome::Violation(trace)),
                Some(Ending::Obstacle(obstacle)) => {
                    self.ignore(obstacle);
                    self.queue.push_back(id);
                    Ok(Outcome::Open)
                }
                None => Err(Stop::without_trace()),
            };
        }
        self.iarg.set_needs_guard(id);
        let uncovered = self.iarg.uncover_covered_by(id);
        self.queue.extend(uncovered);
        for caller in self.iarg.callers(id) {
            let reset = self.iarg.reset(&mut self.encoding.pool, caller);
            self.queue.extend(reset);
            self.queue.push_back(caller);
        }
        Ok(Outcome::Open)
    }
}

/// What calls do: for each call what it never does, and then what it may do, by the number of the part.
type Leaves = BTreeMap<(usize, Option<usize>), Vec<Term>>;

/// The parts of a refutation as nodes of a tree; the first is the guard.
struct Arranged {
    parts: Vec<Vec<Term>>,
    tree: Tree,
    /// The nodes of parts of the unfolding.
    transitions: Vec<(usize, usize)>,
    /// The nodes of the states before calls.
    states: BTreeMap<usize, usize>,
}

/// The guard and what calls do, all below what the ARG does and what calls never do.
fn star(guard: Vec<Term>, mut own: Vec<Term>, leaves: Leaves) -> Arranged {
    let mut parts = vec![guard];
    let mut transitions = Vec::new();
    for ((_, part), formulas) in leaves {
        match part {
            Some(number) => {
                transitions.push((number, parts.len()));
                parts.push(formulas);
            }
            None => own.extend(formulas),
        }
    }
    parts.push(own);
    let tree = Tree::star(parts.len() - 1);
    Arranged { parts, tree, transitions, states: BTreeMap::new() }
}

/// The guard, above it what the ARG does, and then what one call after the other does: the node before that is the state
/// there.
fn joined(guard: Vec<Term>, own: Vec<Term>, leaves: Leaves) -> Arranged {
    let mut parts = vec![guard, own];
    let mut parents = vec![1];
    let (mut transitions, mut states) = (Vec::new(), BTreeMap::new());
    for ((call, part), formulas) in leaves {
        let (before, leaf, join) = (parts.len() - 1, parts.len(), parts.len() + 1);
        parents.extend([join, join]);
        parts.extend([formulas, Vec::new()]);
        states.entry(call).or_insert(before);
        transitions.extend(part.map(|number| (number, leaf)));
    }
    let tree = Tree::new(parents).expect("children come before their parents");
    Arranged { parts, tree, transitions, states }
}

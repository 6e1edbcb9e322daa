//! Conflict-driven clause learning with the simplex beside it.

use std::collections::{BTreeMap, BTreeSet};

use dashu::integer::IBig;

use super::log::{Entry, Log};
use super::{Budget, ClausalAnswer, ClausalModel, ClausalProblem};
use crate::proof::Literal;
use crate::theory::linear::{Constraint, Variable};
use crate::theory::simplex::{ConstraintId, Simplex};

use theory::IntegerStep;

mod theory;

/// Conflicts before the first restart; later intervals follow Luby's sequence.
const RESTART_INTERVAL: u64 = 64;

#[derive(Clone, Copy, Default)]
struct VariableState {
    /// Zero while unassigned, otherwise the sign of the true literal.
    value: i8,
    level: usize,
    position: usize,
    reason: Option<Entry>,
    /// The unit clause, once the value holds without decisions.
    unit: Option<Entry>,
    /// The conflict that involved it last.
    stamp: u64,
    seen: bool,
}

/// What stops the search.
enum Stop {
    Refuted(Entry),
    Satisfied,
    Spent,
}

pub(super) struct Search<'a> {
    problem: &'a ClausalProblem,
    budget: Budget,
    atoms: BTreeMap<i32, Constraint>,
    first_split: i32,
    log: Log,
    /// The clauses by their place in the log, with the watched literals first.
    clauses: Vec<Vec<Literal>>,
    watches: Vec<Vec<Entry>>,
    variables: Vec<VariableState>,
    trail: Vec<Literal>,
    levels: Vec<usize>,
    propagated: usize,
    asserted: usize,
    simplex: Simplex,
    constraint_ids: BTreeMap<Literal, ConstraintId>,
    /// The literal of each constraint of the simplex.
    constraint_literals: Vec<Literal>,
    conflicts: u64,
    splits: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a ClausalProblem, budget: Budget) -> Search<'a> {
        let in_clauses =
            problem.clauses.iter().flat_map(|(literals, _)| literals).map(|literal| literal.abs());
        let greatest = in_clauses.chain(problem.atoms.keys().copied()).max().unwrap_or(0);
        let size = greatest as usize + 1;
        Search {
            problem,
            budget,
            atoms: problem.atoms.clone(),
            first_split: greatest + 1,
            log: Log::default(),
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * size],
            variables: vec![VariableState::default(); size],
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            asserted: 0,
            simplex: Simplex::new(),
            constraint_ids: BTreeMap::new(),
            constraint_literals: Vec::new(),
            conflicts: 0,
            splits: 0,
        }
    }

    pub(super) fn run(mut self) -> ClausalAnswer {
        let stop = match self.add_problem() {
            Ok(()) => self.search(),
            Err(stop) => stop,
        };
        match stop {
            Stop::Satisfied => ClausalAnswer::Sat(self.model()),
            Stop::Spent => ClausalAnswer::GaveUp,
            Stop::Refuted(last) => {
                ClausalAnswer::Unsat(self.log.refutation(last, &self.atoms, self.first_split))
            }
        }
    }

    fn add_problem(&mut self) -> Result<(), Stop> {
        for (literals, part) in &self.problem.clauses {
            let mut clause: Vec<Literal> = literals.clone();
            clause.sort_unstable();
            clause.dedup();
            if clause.iter().any(|literal| clause.binary_search(&-literal).is_ok()) {
                continue;
            }
            let entry = self.log.given(clause.clone(), *part);
            self.clauses.push(clause);
            match self.clauses[entry].as_slice() {
                [] => return Err(Stop::Refuted(self.log.derived(Vec::new(), vec![entry]))),
                &[unit] => match self.value(unit) {
                    0 => self.enqueue(unit, Some(entry)),
                    1 => {}
                    _ => return Err(self.refute(entry)),
                },
                _ => self.watch(entry),
            }
        }
        Ok(())
    }

    fn search(&mut self) -> Stop {
        let (mut restarts, mut next_restart) = (1, RESTART_INTERVAL);
        loop {
            if let Some(conflict) = self.propagate().or_else(|| self.check_theory()) {
                if let Err(stop) = self.learn(conflict) {
                    return stop;
                }
                continue;
            }
            if self.simplex.pivots() > self.budget.pivots {
                return Stop::Spent;
            }
            if self.conflicts >= next_restart {
                restarts += 1;
                next_restart = self.conflicts + RESTART_INTERVAL * luby(restarts);
                self.backtrack(0);
            }
            let decision = match self.decision() {
                Some(literal) => literal,
                None => match self.integer_step() {
                    IntegerStep::Integral => return Stop::Satisfied,
                    IntegerStep::Split(literal) => literal,
                    IntegerStep::Conflict(conflict) => {
                        if let Err(stop) = self.learn(conflict) {
                            return stop;
                        }
                        continue;
                    }
                    IntegerStep::Spent => return Stop::Spent,
                },
            };
            self.levels.push(self.trail.len());
            self.simplex.push();
            self.enqueue(decision, None);
        }
    }

    /// One, minus one, or zero while unassigned.
    fn value(&self, literal: Literal) -> i8 {
        let value = self.variables[literal.unsigned_abs() as usize].value;
        if literal > 0 { value } else { -value }
    }

    fn state(&self, literal: Literal) -> &VariableState {
        &self.variables[literal.unsigned_abs() as usize]
    }

    fn watch(&mut self, entry: Entry) {
        for position in 0..2 {
            let literal = self.clauses[entry][position];
            self.watches[watch_index(literal)].push(entry);
        }
    }

    /// Makes a literal true. At level zero its unit clause is derived at once, so that learned clauses
    /// can leave out its negation.
    fn enqueue(&mut self, literal: Literal, reason: Option<Entry>) {
        let level = self.levels.len();
        let unit = match reason {
            Some(reason) if level == 0 => Some(self.derive_unit(literal, reason)),
            _ => None,
        };
        let position = self.trail.len();
        let state = &mut self.variables[literal.unsigned_abs() as usize];
        let value = if literal > 0 { 1 } else { -1 };
        *state = VariableState { value, level, position, reason, unit, ..*state };
        self.trail.push(literal);
    }

    fn derive_unit(&mut self, literal: Literal, reason: Entry) -> Entry {
        let others = self.clauses[reason].iter().filter(|&&other| other != literal);
        let mut antecedents: Vec<Entry> = others.map(|&other| self.unit(other)).collect();
        if antecedents.is_empty() {
            return reason;
        }
        antecedents.push(reason);
        self.derive(vec![literal], antecedents)
    }

    fn derive(&mut self, clause: Vec<Literal>, antecedents: Vec<Entry>) -> Entry {
        self.clauses.push(clause.clone());
        self.log.derived(clause, antecedents)
    }

    fn unit(&self, literal: Literal) -> Entry {
        self.state(literal).unit.expect("literals of level zero have unit clauses")
    }

    /// Unit propagation with two watched literals; returns a clause whose literals are all false.
    fn propagate(&mut self) -> Option<Entry> {
        while self.propagated < self.trail.len() {
            let falsified = -self.trail[self.propagated];
            self.propagated += 1;
            let mut list = std::mem::take(&mut self.watches[watch_index(falsified)]);
            let mut kept = 0;
            let mut conflict = None;
            for index in 0..list.len() {
                let entry = list[index];
                if conflict.is_some() || !self.move_watch(entry, falsified) {
                    list[kept] = entry;
                    kept += 1;
                    if conflict.is_none() {
                        let first = self.clauses[entry][0];
                        match self.value(first) {
                            0 => self.enqueue(first, Some(entry)),
                            -1 => conflict = Some(entry),
                            _ => {}
                        }
                    }
                }
            }
            list.truncate(kept);
            self.watches[watch_index(falsified)] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Finds another literal to watch instead of a false one. If there is none, the first literal of the
    /// clause is the only one that may still be true.
    fn move_watch(&mut self, entry: Entry, falsified: Literal) -> bool {
        if self.clauses[entry][0] == falsified {
            self.clauses[entry].swap(0, 1);
        }
        if self.value(self.clauses[entry][0]) == 1 {
            return false;
        }
        let clause = &self.clauses[entry];
        let Some(position) = (2..clause.len()).find(|&position| self.value(clause[position]) >= 0) else {
            return false;
        };
        self.clauses[entry].swap(1, position);
        let literal = self.clauses[entry][1];
        self.watches[watch_index(literal)].push(entry);
        true
    }

    /// Learns from a clause whose literals are all false, and backtracks to where it propagates.
    fn learn(&mut self, conflict: Entry) -> Result<(), Stop> {
        let level =
            self.clauses[conflict].iter().map(|&literal| self.state(literal).level).max().unwrap_or(0);
        if level == 0 {
            return Err(self.refute(conflict));
        }
        if self.conflicts >= self.budget.conflicts {
            return Err(Stop::Spent);
        }
        self.conflicts += 1;
        self.backtrack(level);
        let (mut clause, antecedents) = self.analyze(conflict);
        let second = (1..clause.len()).max_by_key(|&position| self.state(clause[position]).level);
        let target = second.map_or(0, |position| self.state(clause[position]).level);
        if let Some(position) = second {
            clause.swap(1, position);
        }
        let entry = if antecedents.len() == 1 {
            self.clauses[conflict].clone_from(&clause);
            conflict
        } else {
            self.derive(clause.clone(), antecedents)
        };
        self.backtrack(target);
        if clause.len() > 1 {
            self.watch(entry);
        }
        self.enqueue(clause[0], Some(entry));
        Ok(())
    }

    /// Derives the empty clause from a clause that is false without decisions.
    fn refute(&mut self, conflict: Entry) -> Stop {
        let mut antecedents: Vec<Entry> =
            self.clauses[conflict].iter().map(|&literal| self.unit(literal)).collect();
        antecedents.push(conflict);
        Stop::Refuted(self.log.derived(Vec::new(), antecedents))
    }

    /// Resolves the conflict up to the first unique implication point, which comes first in the answer.
    /// The antecedents are in LRAT order: unit clauses, reasons along the trail, the conflict.
    fn analyze(&mut self, conflict: Entry) -> (Vec<Literal>, Vec<Entry>) {
        let mut units = BTreeSet::new();
        let mut reasons: BTreeMap<usize, Entry> = BTreeMap::new();
        let mut lower = Vec::new();
        let mut open = 0;
        let mut position = self.trail.len();
        let mut entry = conflict;
        let first = loop {
            for index in 0..self.clauses[entry].len() {
                let literal = self.clauses[entry][index];
                if self.value(literal) == 1 {
                    continue;
                }
                if let Some(unit) = self.state(literal).unit {
                    units.insert(unit);
                } else if !self.state(literal).seen {
                    let state = &mut self.variables[literal.unsigned_abs() as usize];
                    state.seen = true;
                    state.stamp = self.conflicts;
                    if state.level == self.levels.len() {
                        open += 1;
                    } else {
                        lower.push(literal);
                    }
                }
            }
            position =
                (0..position).rev().find(|&at| self.state(self.trail[at]).seen).expect("a literal is open");
            let literal = self.trail[position];
            open -= 1;
            if open == 0 {
                break -literal;
            }
            self.variables[literal.unsigned_abs() as usize].seen = false;
            entry = self.state(literal).reason.expect("all but the last open literal are implied");
            reasons.insert(position, entry);
        };
        let mut clause = vec![first];
        for &literal in &lower {
            match self.redundant(literal) {
                Some((reason, more)) => {
                    reasons.insert(self.state(literal).position, reason);
                    units.extend(more);
                }
                None => clause.push(literal),
            }
        }
        for literal in lower.into_iter().chain([first]) {
            self.variables[literal.unsigned_abs() as usize].seen = false;
        }
        (clause, units.into_iter().chain(reasons.into_values()).chain([conflict]).collect())
    }

    /// The reason of a false literal whose other literals are in the learned clause already, and their
    /// unit clauses.
    fn redundant(&self, literal: Literal) -> Option<(Entry, Vec<Entry>)> {
        let reason = self.state(literal).reason?;
        let mut units = Vec::new();
        for &other in self.clauses[reason].iter().filter(|&&other| other != -literal) {
            match self.state(other).unit {
                Some(unit) => units.push(unit),
                None if self.state(other).seen => {}
                None => return None,
            }
        }
        Some((reason, units))
    }

    fn backtrack(&mut self, level: usize) {
        while self.levels.len() > level {
            let length = self.levels.pop().expect("the level exists");
            self.simplex.pop();
            for literal in self.trail.drain(length..) {
                let state = &mut self.variables[literal.unsigned_abs() as usize];
                (state.value, state.reason) = (0, None);
            }
        }
        self.propagated = self.propagated.min(self.trail.len());
        self.asserted = self.asserted.min(self.trail.len());
    }

    /// A literal of the first given clause that is not satisfied, preferring recent conflicts. Atoms that
    /// no clause needs are never decided: they would only add constraints to lemmas.
    fn decision(&self) -> Option<Literal> {
        let given = self.problem.clauses.iter().map(|(literals, _)| literals);
        let mut open = given.filter(|clause| !clause.iter().any(|&literal| self.value(literal) == 1));
        let candidates = |clause: &'a Vec<Literal>| {
            clause.iter().copied().filter(|&literal| self.value(literal) == 0 && !clause.contains(&-literal))
        };
        open.find_map(|clause| candidates(clause).max_by_key(|&literal| self.state(literal).stamp))
    }

    fn model(&self) -> ClausalModel {
        let mut integers: BTreeMap<Variable, IBig> = BTreeMap::new();
        for constraint in self.problem.atoms.values() {
            integers.extend(constraint.expr().variables().map(|variable| (variable, IBig::ZERO)));
        }
        for (variable, value) in self.simplex.assignment() {
            integers.insert(variable, value.floor());
        }
        let value = |variable: i32| match self.problem.atoms.get(&variable) {
            Some(constraint) => constraint.holds(|variable| integers[&variable].clone()),
            None => self.value(variable) == 1,
        };
        let booleans = (1..self.first_split).map(|variable| (variable, value(variable))).collect();
        ClausalModel { booleans, integers }
    }
}

fn watch_index(literal: Literal) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

/// The `n`-th element, from one on, of 1 1 2 1 1 2 4 1 1 2 …
fn luby(mut n: u64) -> u64 {
    loop {
        let power = (n + 1).next_power_of_two();
        if power == n + 1 {
            return power / 2;
        }
        n -= power / 2 - 1;
    }
}

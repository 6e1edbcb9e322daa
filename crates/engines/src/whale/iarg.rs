//! The inter-procedural ARG: ARGs for the calls that are looked into, what calls demand of them, and the covering
//! relation.
//!
//! Departure: bodies are formulas, so that the unwinding of an ARG is a set of edges of its body, and labels of inner
//! nodes are not kept. "Safe" says that the specification follows from those of the callees.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rorqual_encoding::{Block, Procedure};
use rorqual_inference::contracts::Spec;
use rorqual_logic::{Term, TermPool};

/// An ARG, by the order in which they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ArgId(pub(super) usize);

/// A call of an ARG, by its number in the body.
pub(super) type CallSite = (ArgId, usize);

/// The paths of a body that an ARG has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Paths {
    /// Those along some of its steps.
    Along(BTreeSet<usize>),
    /// All: the ARG is complete.
    All,
}

impl Paths {
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Paths::Along(steps) if steps.is_empty())
    }

    fn has(&self, step: usize) -> bool {
        match self {
            Paths::Along(steps) => steps.contains(&step),
            Paths::All => true,
        }
    }

    /// Excludes all other paths.
    pub(super) fn only(&self, pool: &mut TermPool, body: &Block) -> Vec<Term> {
        let steps = body.steps.iter().enumerate();
        let others: BTreeSet<Term> =
            steps.filter(|&(step, _)| !self.has(step)).map(|(_, step)| step.guard).collect();
        others.into_iter().map(|guard| pool.not(guard)).collect()
    }

    /// The calls along the paths.
    fn calls(&self, body: &Block) -> Vec<usize> {
        let steps = body.steps.iter().enumerate();
        steps.filter(|&(step, _)| self.has(step)).filter_map(|(_, step)| step.call).collect()
    }
}

/// The exploration of one procedure, for one call of it or, if ARGs are merged, for several.
#[derive(Debug)]
pub(super) struct Arg {
    pub(super) procedure: Procedure,
    /// What each call demands that it justifies; nothing before REFINEARG says so.
    demands: BTreeMap<CallSite, Option<Spec>>,
    /// The guard and the summary: all demands together.
    pub(super) spec: Spec,
    /// Its unwinding.
    pub(super) paths: Paths,
    /// What justifies its calls.
    pub(super) callees: BTreeMap<usize, ArgId>,
    /// Whether its specification follows from those of its callees.
    pub(super) is_safe: bool,
    /// Whether a guess that it does something for all arguments was wrong.
    pub(super) needs_guard: bool,
    /// What covers it directly.
    cover: Option<ArgId>,
}

/// All ARGs.
#[derive(Debug)]
pub(super) struct Iarg {
    args: Vec<Arg>,
    /// Whether calls of one procedure share an ARG where the justification stays acyclic.
    merges: bool,
}

impl Iarg {
    /// One empty ARG, of the first procedure.
    pub(super) fn new(pool: &mut TermPool, procedure: Procedure, merges: bool) -> Iarg {
        let mut iarg = Iarg { args: Vec::new(), merges };
        iarg.add(pool, procedure);
        iarg
    }

    fn add(&mut self, pool: &mut TermPool, procedure: Procedure) -> ArgId {
        self.args.push(Arg {
            procedure,
            demands: BTreeMap::new(),
            spec: Spec::top(pool),
            paths: Paths::Along(BTreeSet::new()),
            callees: BTreeMap::new(),
            is_safe: false,
            needs_guard: false,
            cover: None,
        });
        ArgId(self.args.len() - 1)
    }

    /// The ARG of the first procedure.
    pub(super) fn root() -> ArgId {
        ArgId(0)
    }

    pub(super) fn get(&self, id: ArgId) -> &Arg {
        &self.args[id.0]
    }

    pub(super) fn len(&self) -> usize {
        self.args.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ArgId> + use<> {
        (0..self.args.len()).map(ArgId)
    }

    /// EXPANDARG: adds paths, with empty ARGs for calls that are new. Whether anything was added.
    pub(super) fn expand(&mut self, pool: &mut TermPool, id: ArgId, body: &Block, more: &Paths) -> bool {
        let before = self.args[id.0].paths.clone();
        let after = match (&before, more) {
            (Paths::Along(old), Paths::Along(new)) if (old | new).len() < body.steps.len() => {
                Paths::Along(old | new)
            }
            _ => Paths::All,
        };
        for call in after.calls(body) {
            if !self.args[id.0].callees.contains_key(&call) {
                let callee = self.justify(pool, id, body.calls[call].procedure);
                self.args[callee.0].demands.insert((id, call), None);
                self.args[id.0].callees.insert(call, callee);
            }
        }
        let changed = before != after;
        self.args[id.0].paths = after;
        debug_assert!(self.is_justified(), "calls are justified by ARGs that do not need the caller");
        changed
    }

    /// The ARG for a call: a new one, or one of the same procedure that does not need the caller itself.
    fn justify(&mut self, pool: &mut TermPool, caller: ArgId, procedure: Procedure) -> ArgId {
        let above = if self.merges { self.above(caller) } else { BTreeSet::new() };
        let fits = |one: &ArgId| self.get(*one).procedure == procedure && !above.contains(one);
        let known = self.ids().filter(|_| self.merges).find(fits);
        known.unwrap_or_else(|| self.add(pool, procedure))
    }

    /// An ARG and all whose justification needs it.
    fn above(&self, id: ArgId) -> BTreeSet<ArgId> {
        let mut found = BTreeSet::from([id]);
        let mut open = vec![id];
        while let Some(one) = open.pop() {
            open.extend(self.callers(one).into_iter().filter(|&caller| found.insert(caller)));
        }
        found
    }

    /// The ARGs with calls that an ARG justifies.
    pub(super) fn callers(&self, id: ArgId) -> BTreeSet<ArgId> {
        self.get(id).demands.keys().map(|&(caller, _)| caller).collect()
    }

    /// Whether the procedure of an ARG is also that of one above it.
    pub(super) fn is_active_above(&self, id: ArgId) -> bool {
        let procedure = self.get(id).procedure;
        self.above(id).into_iter().any(|one| one != id && self.get(one).procedure == procedure)
    }

    /// Whether an ARG is the first one, or something is demanded of it.
    pub(super) fn is_demanded(&self, id: ArgId) -> bool {
        id == Iarg::root() || self.get(id).demands.values().any(Option::is_some)
    }

    /// The ARGs that are not covered: those that the first one needs, directly or through others that are not covered
    /// directly.
    pub(super) fn uncovered(&self) -> BTreeSet<ArgId> {
        let mut found = BTreeSet::new();
        let mut open = VecDeque::from([Iarg::root()]);
        while let Some(id) = open.pop_front() {
            if self.get(id).cover.is_none() && found.insert(id) {
                open.extend(self.get(id).callees.values());
            }
        }
        found
    }

    /// The oldest ARG whose specification may be tried for a callee: an uncovered one of the same procedure that is
    /// older, the caller itself among them.
    pub(super) fn known_for(&self, callee: ArgId, caller: ArgId) -> Option<ArgId> {
        let has_summary = |one: &ArgId| {
            let arg = self.get(*one);
            (arg.is_safe || *one == caller) && !arg.spec.summaries.is_empty()
        };
        self.candidates(callee).into_iter().find(has_summary)
    }

    /// The ARGs that may cover one: uncovered ones of the same procedure that are older, and do not depend on it.
    pub(super) fn candidates(&self, id: ArgId) -> Vec<ArgId> {
        let procedure = self.get(id).procedure;
        let uncovered = self.uncovered();
        let is_older = |one: &ArgId| *one < id && self.get(*one).procedure == procedure;
        let older: Vec<ArgId> = uncovered.into_iter().filter(is_older).collect();
        if older.is_empty() {
            return older;
        }
        // Without merging, what is older is never below.
        older.into_iter().filter(|one| !self.merges || !self.above(*one).contains(&id)).collect()
    }

    /// COVERARG. What is not uncovered any more covers nothing.
    pub(super) fn cover(&mut self, id: ArgId, by: ArgId) -> Vec<ArgId> {
        self.args[id.0].cover = Some(by);
        let mut changed = Vec::new();
        loop {
            let uncovered = self.uncovered();
            let is_lost = |one: &ArgId| self.get(*one).cover.is_some_and(|by| !uncovered.contains(&by));
            let Some(lost) = self.ids().find(is_lost) else {
                debug_assert!(self.is_well_covered(), "covers are by uncovered ARGs of the same procedure");
                return changed;
            };
            self.uncover(lost, &mut changed);
        }
    }

    /// Whether the covering relation is sound, but for what specifications say. For assertions.
    fn is_well_covered(&self) -> bool {
        let uncovered = self.uncovered();
        let mut pairs = self.ids().filter_map(|id| self.get(id).cover.map(|by| (id, by)));
        pairs.all(|(id, by)| {
            let is_same = self.get(id).procedure == self.get(by).procedure;
            // With merged ARGs, what is below something covered may be needed from elsewhere.
            let is_below = !self.merges && self.above(by).contains(&id);
            by < id && is_same && uncovered.contains(&by) && !is_below
        })
    }

    /// Whether justification is acyclic, and callers and callees agree on it. For assertions.
    fn is_justified(&self) -> bool {
        let agree = self.ids().all(|id| {
            let calls = self.get(id).callees.iter();
            calls.into_iter().all(|(&call, &callee)| self.get(callee).demands.contains_key(&(id, call)))
                && self
                    .get(id)
                    .demands
                    .keys()
                    .all(|(caller, call)| self.get(*caller).callees.get(call) == Some(&id))
        });
        let above_itself = |id: ArgId| self.callers(id).into_iter().any(|caller| self.is_above(id, caller));
        agree && !self.ids().any(above_itself)
    }

    /// Whether the justification of an ARG needs another one.
    fn is_above(&self, id: ArgId, below: ArgId) -> bool {
        self.above(below).contains(&id)
    }

    /// Removes everything that an ARG covers.
    pub(super) fn uncover_covered_by(&mut self, id: ArgId) -> Vec<ArgId> {
        let mut changed = Vec::new();
        let covered: Vec<ArgId> = self.ids().filter(|one| self.get(*one).cover == Some(id)).collect();
        for one in covered {
            self.uncover(one, &mut changed);
        }
        changed
    }

    /// What is uncovered is to be processed, with all below it: some of that may have been left alone because it was
    /// covered from above.
    fn uncover(&mut self, id: ArgId, changed: &mut Vec<ArgId>) {
        self.args[id.0].cover = None;
        let mut at = changed.len();
        changed.push(id);
        while at < changed.len() {
            let below: Vec<ArgId> = self.get(changed[at]).callees.values().copied().collect();
            let new: Vec<ArgId> = below.into_iter().filter(|one| !changed.contains(one)).collect();
            changed.extend(new);
            at += 1;
        }
    }

    /// RESET: nothing is known of an ARG any more, and it demands nothing of its callees. What they covered is uncovered.
    pub(super) fn reset(&mut self, pool: &mut TermPool, id: ArgId) -> Vec<ArgId> {
        let mut uncovered = Vec::new();
        let mut open = vec![id];
        while let Some(one) = open.pop() {
            self.args[one.0].is_safe = false;
            for (call, callee) in self.get(one).callees.clone() {
                self.args[callee.0].demands.insert((one, call), None);
                uncovered.extend(self.uncover_covered_by(callee));
                self.args[callee.0].spec = self.demanded(pool, callee);
                // What others demand holds as before.
                if !self.is_demanded(callee) {
                    debug_assert_eq!(self.get(callee).spec, Spec::top(pool), "nobody demands anything");
                    self.args[callee.0].cover = None;
                    open.push(callee);
                }
            }
        }
        uncovered
    }

    /// All that calls demand of an ARG.
    fn demanded(&self, pool: &mut TermPool, id: ArgId) -> Spec {
        let demands: Vec<&Spec> = self.get(id).demands.values().flatten().collect();
        Spec::all(pool, &demands)
    }

    /// UPDATE: a call demands something more of the ARG that justifies it. Whether its specification changed.
    pub(super) fn update(&mut self, pool: &mut TermPool, site: CallSite, spec: &Spec) -> bool {
        let callee = self.get(site.0).callees[&site.1];
        let before = self.get(callee).demands.get(&site).cloned().flatten();
        let demand = before.map_or_else(|| spec.clone(), |before| before.and(pool, spec));
        self.args[callee.0].demands.insert(site, Some(demand));
        let all = self.demanded(pool, callee);
        if self.get(callee).spec == all && self.get(callee).is_safe {
            return false;
        }
        let arg = &mut self.args[callee.0];
        arg.spec = all;
        arg.is_safe = false;
        arg.cover = None;
        true
    }

    /// UPDATEGUARD: a weaker guard does for what was shown of an ARG.
    pub(super) fn update_guard(&mut self, id: ArgId, guard: Term) {
        debug_assert!(self.get(id).is_safe && self.get(id).paths == Paths::All, "it is safe and complete");
        self.args[id.0].spec.guard = guard;
    }

    pub(super) fn set_safe(&mut self, id: ArgId) {
        debug_assert!(self.is_demanded(id), "nothing is shown that nobody demands");
        self.args[id.0].is_safe = true;
    }

    pub(super) fn set_needs_guard(&mut self, id: ArgId) {
        self.args[id.0].needs_guard = true;
    }
}

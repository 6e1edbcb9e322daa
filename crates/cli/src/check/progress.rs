//! What engines report: counters for `--stats`, and a line on a terminal that shows that something happens.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rorqual::{Conclusion, Property, Round};
use rorqual_evidence::{Event, Observer};
use rorqual_source::Span;

use crate::exit::complain;

/// How much work was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) test_runs: u64,
    pub(crate) nodes: u64,
    pub(crate) refinements: u64,
    pub(crate) longest_path: u64,
    pub(crate) covers: u64,
    pub(crate) forced_covers: u64,
    pub(crate) uncovered: u64,
    pub(crate) facts: u64,
    pub(crate) steps: u64,
    pub(crate) predicates: u64,
    pub(crate) tracked_predicates: u64,
    pub(crate) locations_with_predicates: u64,
    pub(crate) most_predicates: u64,
    /// How deep recursion was followed.
    pub(crate) depth: u64,
    /// Conjuncts of summaries: how many were computed, and how many hold.
    pub(crate) conjuncts: (u64, u64),
    /// How often summaries were not enough.
    pub(crate) failed_checks: u64,
    /// How often nodes at a place were expanded.
    pub(crate) expansions: BTreeMap<(u32, u32), (Span, u64)>,
}

impl Counters {
    /// The counters by name, those that tell something.
    pub(crate) fn named(&self) -> Vec<(&'static str, u64)> {
        let all = [
            ("test runs", self.test_runs),
            ("bounded steps", self.steps),
            ("depth of recursion", self.depth),
            ("conjuncts of summaries", self.conjuncts.0),
            ("conjuncts that hold", self.conjuncts.1),
            ("failed checks of summaries", self.failed_checks),
            ("nodes", self.nodes),
            ("refinements", self.refinements),
            ("longest refuted path", self.longest_path),
            ("covers", self.covers),
            ("forced covers", self.forced_covers),
            ("uncovered again", self.uncovered),
            ("facts", self.facts),
            ("predicates", self.predicates),
            ("predicates at all locations", self.tracked_predicates),
            ("locations with predicates", self.locations_with_predicates),
            ("most predicates at a location", self.most_predicates),
        ];
        all.into_iter().filter(|&(_, count)| count > 0).collect()
    }

    /// The place that was unrolled most, and how often.
    pub(crate) fn most_unrolled(&self) -> Option<(Span, u64)> {
        self.expansions.values().copied().max_by_key(|&(_, count)| count)
    }
}

/// Counters that a search increases, and whoever ends it reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted(Arc<Mutex<Counters>>);

impl Counted {
    fn lock(&self) -> MutexGuard<'_, Counters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was counted so far.
    pub(crate) fn so_far(&self) -> Counters {
        self.lock().clone()
    }
}

/// Counts, and shows a line on standard error if that is a terminal.
pub(crate) struct Progress {
    counters: Counted,
    engine: &'static str,
    /// What summaries were not enough for.
    failed_check: &'static str,
    line: ProgressBar,
    start: Instant,
    last: Instant,
    /// How many properties there are, and how many have an answer.
    properties: usize,
    answered: usize,
    /// Answers that nobody was told of yet.
    untold: Vec<String>,
}

/// Answers are told before the end if that is not near: from this time on.
const PATIENCE: Duration = Duration::from_secs(1);
/// The line moves so often, whatever engines do.
const TICK: Duration = Duration::from_millis(200);

impl Progress {
    pub(crate) fn new(counters: Counted) -> Progress {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            line.set_style(style);
        }
        if !line.is_hidden() {
            line.enable_steady_tick(TICK);
        }
        let now = Instant::now();
        Progress {
            counters,
            engine: "",
            failed_check: "yet",
            line,
            start: now,
            last: now,
            properties: 0,
            answered: 0,
            untold: Vec::new(),
        }
    }

    /// What was counted so far.
    pub(crate) fn so_far(&self) -> Counters {
        self.counters.so_far()
    }

    /// So many properties are to be answered.
    pub(crate) fn expect(&mut self, properties: usize) {
        self.properties = properties;
    }

    /// Tells of an answer, if others take longer.
    pub(crate) fn announce(&mut self, round: &Round, properties: &[Property]) {
        self.answered += round.properties.len();
        if properties.len() > 1 {
            let names = round.properties.iter().map(|&at| properties[at].name.as_str());
            let told = match &round.conclusion {
                Conclusion::Safe(_) => "safe",
                Conclusion::Unsafe(_) => "unsafe",
                Conclusion::Unknown(_) => "unknown",
            };
            self.untold.extend(names.map(|name| format!("{name}: {told}")));
        }
        self.tell();
    }

    /// The answers so far, on standard error. The last ones come with the verdict.
    fn tell(&mut self) {
        if self.start.elapsed() < PATIENCE || self.answered == self.properties {
            return;
        }
        for line in std::mem::take(&mut self.untold) {
            self.say(&line);
        }
    }

    /// Says something at once.
    pub(crate) fn say(&self, text: &str) {
        if self.line.is_hidden() {
            complain(&format!("{text}\n"));
        } else {
            self.line.println(text);
        }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.line.finish_and_clear();
    }

    fn show(&mut self) {
        if !self.untold.is_empty() {
            self.tell();
        }
        if self.line.is_hidden() || self.last.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.last = Instant::now();
        let mut message = self.message();
        if self.properties > 1 {
            let _ = write!(message, "; {} of {} properties answered", self.answered, self.properties);
        }
        self.line.set_message(message);
    }

    fn message(&self) -> String {
        let Counters { test_runs, nodes, refinements, steps, depth, conjuncts: (computed, kept), .. } =
            &*self.counters.lock();
        let failed_check = self.failed_check;
        match self.engine {
            "testing" => format!("{test_runs} test runs"),
            "bmc" => format!("bmc: executions with up to {steps} iterations of each loop"),
            "reduction" => format!(
                "reduction: k = {depth}, {kept} of {computed} conjuncts hold, not enough {failed_check}"
            ),
            engine => format!("{engine}: {nodes} nodes, {refinements} refinements"),
        }
    }
}

impl Observer for Progress {
    fn on(&mut self, event: Event) {
        let mut counters = self.counters.lock();
        match event {
            Event::Started { engine } => self.engine = engine,
            Event::Expanded { nodes, span } => {
                // The largest of several searches tells most.
                counters.nodes = counters.nodes.max(nodes as u64);
                let place = (span.file().map_or(0, |file| file.index() as u32), span.start());
                counters.expansions.entry(place).or_insert((span, 0)).1 += 1;
            }
            Event::Refining { depth } => {
                counters.refinements += 1;
                counters.longest_path = counters.longest_path.max(depth as u64);
            }
            Event::Covered => counters.covers += 1,
            Event::ForcedCover => counters.forced_covers += 1,
            Event::Uncovered => counters.uncovered += 1,
            Event::Learned { facts } => counters.facts = facts as u64,
            Event::Tracking { predicates, tracked, locations, most } => {
                counters.predicates = predicates as u64;
                counters.tracked_predicates = tracked as u64;
                counters.locations_with_predicates = locations as u64;
                counters.most_predicates = most as u64;
            }
            Event::TestRun => counters.test_runs += 1,
            Event::Step { steps } => counters.steps = steps,
            Event::Unwound { k } => counters.depth = k as u64,
            Event::Summarised { computed, kept } => counters.conjuncts = (computed as u64, kept as u64),
            Event::CheckFailed { span } => {
                counters.failed_checks += 1;
                self.failed_check = if span.is_some() { "for a function" } else { "for the program" };
            }
        }
        drop(counters);
        self.show();
    }
}

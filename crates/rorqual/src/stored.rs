//! What a check takes from a store and leaves there. Stored evidence is an answer like that of an engine: the same judge looks
//! at it before it counts.

mod hints;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rorqual_certificate::{Certificate, Header};
use rorqual_cfa::Program;
use rorqual_engines::predicate::Exchange;
use rorqual_evidence::{Answer, Origin, Reason, Stored as Version, Technique, Verdict, Violation};
use rorqual_interpreter::{Config, parse_inputs};
use rorqual_solver::proof::Transcript;
use rorqual_store::{
    Adapted, Content, Entry, Evidence, FunctionContent, Key, Kind, NewEntry, Problem, Record, Store,
    Vocabulary,
};
use rorqual_witness::replay_inputs;

use crate::clock::cpu_time;
use crate::confirm::{Earlier, Second};
use crate::outcome::{Proof, Refutation, Unknown};
use crate::project::Project;

/// Evidence is checked for at most so many times as long as it took to find,
const CHECKING: u32 = 4;
/// but at least this long, because most of it was found in no time.
const CHECKING_LEAST: Duration = Duration::from_secs(10);
/// However many entries there are, this part of the time is kept for the search.
const KEPT: f64 = 0.5;
/// Proofs of earlier versions are checked for this part of the time that finding them took, all together: if none of them
/// holds, the check is hardly slower than without,
const EARLIER: f64 = 0.3;
/// each at most so many times as long as the checker took for its own version,
const CHECKING_EARLIER: u32 = 2;
/// but at least this long, which is less than most front ends take.
const EARLIER_LEAST: Duration = Duration::from_millis(30);
/// Evidence about so many earlier versions is tried, those that share most functions with the program first.
const VERSIONS: usize = 2;
/// A store that holds this many versions of some files, none of which was ever found again, does its user no good.
const FUTILE: u64 = 5;

/// A store, and what a check may do with it.
#[derive(Debug, Clone)]
pub struct Shelf {
    /// The store.
    pub store: Arc<dyn Store>,
    /// What is done with it.
    pub mode: StoreMode,
    /// Where the search takes predicates of earlier runs from, and leaves its own.
    pub predicates: Option<Arc<Exchange>>,
}

impl Shelf {
    /// Whether anything is added to the store.
    pub(crate) fn writes(&self) -> bool {
        self.mode != StoreMode::ReadOnly
    }
}

/// What a check does with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreMode {
    /// Takes answers from it, and changes nothing.
    ReadOnly,
    /// Takes answers from it, and adds new ones.
    ReadWrite,
    /// As `ReadWrite`, but checks all that there is about the properties, also where that answers nothing new.
    Verify,
}

/// Something about the store that the user should know. It changes no verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreNotice {
    /// The evidence of an entry does not hold for the program.
    Refused {
        /// The entry.
        key: Key,
        /// Why.
        reason: String,
        /// Whether later runs will not find it; a store that is only read keeps it.
        is_set_aside: bool,
    },
    /// The store fails. It is not used any more in this check.
    Failed(Problem),
    /// Entries about earlier versions of the files were never of use.
    Futile {
        /// The files.
        files: String,
        /// How many versions there are.
        programs: u64,
    },
}

impl StoreNotice {
    /// What the user can do.
    pub fn help(&self) -> Option<String> {
        match self {
            StoreNotice::Refused { key, .. } => Some(format!("`rorqual store show DIR {}` shows it", key.short())),
            StoreNotice::Failed(problem) => problem.help(),
            StoreNotice::Futile { .. } => Some(
                "keys change with the content of functions and with options; generated code that differs from run to run \
                 (dates, counters, random names) is never found again"
                    .to_owned(),
            ),
        }
    }
}

impl fmt::Display for StoreNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreNotice::Refused { key, reason, is_set_aside } => {
                let aside = if *is_set_aside { ", and set aside" } else { "" };
                write!(f, "the stored entry {} is not used{aside}: {reason}", key.short())
            }
            StoreNotice::Failed(problem) => write!(f, "the check goes on without the store: {problem}"),
            StoreNotice::Futile { files, programs } => {
                write!(
                    f,
                    "the store has {programs} versions of {files}, and none of them was ever found again"
                )
            }
        }
    }
}

/// What a store was good for in a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreReport {
    /// How many properties it has answered.
    pub hits: usize,
    /// How many of these by evidence about an earlier version.
    pub adapted: usize,
    /// How many it has not.
    pub misses: usize,
    /// How many entries were added.
    pub written: usize,
    /// How many entries were not used because their evidence does not hold.
    pub refused: usize,
    /// How much longer it took to find what was taken from the store than to check it.
    pub saved: Duration,
    /// The functions whose contracts of an earlier version do not hold any more, while the rest of its proof does.
    pub given_up: BTreeSet<String>,
    /// The functions of the program with hashes of their content.
    pub functions: Vec<FunctionContent>,
    /// Hashes of what the properties are about, in their order.
    pub contents: Vec<String>,
    /// What the user should know.
    pub notices: Vec<StoreNotice>,
}

/// An entry that can be read.
pub(crate) struct Stored {
    pub(crate) key: Key,
    pub(crate) record: Record,
    pub(crate) cost: Duration,
    /// The program that it is about.
    program: Key,
    /// Whether it is about an earlier version of the program.
    pub(crate) is_earlier: bool,
}

impl Stored {
    /// The CPU time in which its evidence has to be checked, if the search has to begin at some time.
    pub(crate) fn time(&self, latest: Option<Duration>) -> Duration {
        let wanted = match self.record.evidence {
            Evidence::Proof { checked_in, .. } if self.is_earlier => {
                Duration::from_millis(checked_in).saturating_mul(CHECKING_EARLIER).max(EARLIER_LEAST)
            }
            _ => self.cost.saturating_mul(CHECKING).max(CHECKING_LEAST),
        };
        latest.map_or(wanted, |latest| latest.saturating_sub(cpu_time()).min(wanted))
    }

    /// The technique that found it, and what that was given.
    fn origin(&self) -> Option<Origin> {
        let Record { technique, with_facts, heap_free, .. } = &self.record;
        let technique = Technique::named(technique)?;
        let (with_facts, heap_free) = (*with_facts, *heap_free);
        let version = if self.is_earlier { Version::EarlierVersion } else { Version::ThisVersion };
        Some(Origin { technique, with_facts, heap_free, stored: Some(version) })
    }

    /// The answer for a program, with what the check of it has left; an error says why there is none. Nothing of it has been checked.
    pub(crate) fn answer(&self, searched: &Program) -> Result<(Answer, Earlier), String> {
        let origin =
            self.origin().ok_or_else(|| format!("there is no technique `{}`", self.record.technique))?;
        match &self.record.evidence {
            Evidence::Proof { certificate, outlines, refutations, .. } => {
                let words = Vocabulary::of(searched);
                let adapted = self.is_earlier.then(|| words.adapted(outlines, certificate));
                let text = adapted.as_ref().map_or_else(|| words.own(certificate), Adapted::text);
                let certificate = rorqual_certificate::parse(searched, &text);
                let Certificate { claim, guard, .. } = certificate.map_err(|error| error.to_string())?;
                // Those that cannot be read are searched again, and so are those of another version.
                let refutations = if self.is_earlier { &[] } else { refutations.as_slice() };
                let refutations = refutations.iter().map_while(|text| Transcript::parse(text)).collect();
                let adapted = adapted.filter(Adapted::has_second).map(Second::Earlier);
                let earlier = Earlier {
                    second: guard.map(|guard| Second::Proof(Box::new(guard))).or(adapted),
                    refutations,
                };
                Ok((Answer::with_origin(Verdict::Safe(claim), origin), earlier))
            }
            Evidence::Violations(lists) => {
                let parsed = lists.iter().map(|list| parse_inputs(list).map(Violation::Inputs));
                let violations: Result<Vec<Violation>, _> = parsed.collect();
                let mut violations = violations.map_err(|error| error.to_string())?.into_iter();
                let first = violations.next().ok_or("it has no inputs")?;
                let further = violations.collect();
                let answer = Answer { further, ..Answer::with_origin(Verdict::Unsafe(first), origin) };
                Ok((answer, Earlier::default()))
            }
        }
    }
}

/// How long evidence about earlier versions is checked.
pub(crate) fn time_for_earlier(entries: &[Stored]) -> Duration {
    let mut costs: BTreeMap<&Key, Duration> = BTreeMap::new();
    for entry in entries {
        let cost = costs.entry(&entry.program).or_default();
        *cost = cost.saturating_add(entry.cost);
    }
    costs.into_values().max().unwrap_or_default().mul_f64(EARLIER).max(EARLIER_LEAST)
}

/// The CPU time at which the search has to begin, given the limit for the whole check.
pub(crate) fn latest_start(limit: Duration) -> Duration {
    let spent = cpu_time();
    spent + limit.saturating_sub(spent).mul_f64(1.0 - KEPT)
}

/// Why evidence does not hold; nothing if that was not found out.
pub(crate) fn refusal(unknown: &Unknown) -> Option<String> {
    match unknown {
        Unknown::Undecided(Reason::Limit(_) | Reason::Solver(_)) => None,
        Unknown::Unconfirmed { obligation, reason } => {
            Some(format!("it is not proved that {obligation}: {reason}"))
        }
        Unknown::RestsOnUndefined { .. } => {
            Some("its proof rests on undefined behaviour that happens".to_owned())
        }
        Unknown::UndefinedBefore { .. } => Some("its inputs lead to undefined behaviour".to_owned()),
        Unknown::Undecided(_) | Unknown::Approximated { .. } | Unknown::NotReplayed { .. } => {
            Some("its inputs lead to no violation".to_owned())
        }
    }
}

/// The store in one check. Several threads may use it.
pub(crate) struct Session<'a> {
    shelf: &'a Shelf,
    project: &'a Project,
    program: Key,
    content: Content,
    files: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    report: StoreReport,
    /// Notices that nobody was told of yet.
    untold: Vec<StoreNotice>,
    /// Whether the store has failed.
    is_over: bool,
    /// Whether entries of the files were never of use before this check.
    was_futile: Option<u64>,
}

impl<'a> Session<'a> {
    /// The store in a check of a program, which has no checks yet.
    pub(crate) fn new(shelf: &'a Shelf, project: &'a Project, base: &Program) -> Session<'a> {
        let content = Content::of(base);
        let files: Vec<String> = project.units.iter().map(|unit| unit.path.display().to_string()).collect();
        let files = files.join(", ");
        let program = program_key(project, &content);
        let session = Session { shelf, project, program, content, files, state: Mutex::default() };
        if let Some(experience) = session.attempt(shelf.store.experience(&session.files)) {
            let is_futile = experience.uses == 0 && experience.programs >= FUTILE;
            session.state().was_futile = is_futile.then_some(experience.programs);
        }
        session
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all that there is about the program is to be checked.
    pub(crate) fn checks_all(&self) -> bool {
        self.shelf.mode == StoreMode::Verify
    }

    pub(crate) fn writes(&self) -> bool {
        self.shelf.writes() && !self.state().is_over
    }

    /// What became of something that was asked of the store. The first failure ends its use: others would only say the same.
    fn attempt<T>(&self, result: Result<T, Problem>) -> Option<T> {
        let problem = match result {
            Ok(value) => return Some(value),
            Err(problem) => problem,
        };
        let mut state = self.state();
        // An entry that is too large says nothing about others.
        state.is_over |= !matches!(problem, Problem::TooLarge { .. });
        let notice = StoreNotice::Failed(problem);
        if !state.report.notices.contains(&notice) {
            state.note(notice);
        }
        None
    }

    /// All answers about the program that can be read, oldest first.
    pub(crate) fn load(&self) -> Vec<Stored> {
        let found =
            if self.state().is_over { None } else { self.attempt(self.shelf.store.find(&self.program)) };
        let answers = found.into_iter().flatten().filter(|entry| entry.content.kind != Kind::Predicates);
        answers.filter_map(|entry| self.read(&entry, false)).collect()
    }

    /// Entries about earlier versions of the program, or what looks like some, best first.
    pub(crate) fn load_earlier(&self) -> Vec<Stored> {
        if self.state().is_over {
            return Vec::new();
        }
        let functions = &self.content.functions;
        // Inputs are replayed at once, so they come first.
        let found = [Kind::Violation, Kind::Proof].into_iter().flat_map(|kind| {
            let found = self.shelf.store.find_relatives(&self.program, functions, kind, VERSIONS);
            self.attempt(found).unwrap_or_default()
        });
        found.filter_map(|entry| self.read(&entry, true)).collect()
    }

    fn read(&self, entry: &Entry, is_earlier: bool) -> Option<Stored> {
        let key = entry.content.key.clone();
        if !entry.is_intact {
            self.refuse(&key, "it is damaged: its checksum is wrong".to_owned());
            return None;
        }
        match Record::parse(&entry.content.payload) {
            Ok(record) => {
                let (program, cost) = (entry.content.program.clone(), entry.content.cost);
                Some(Stored { key, record, cost, program, is_earlier })
            }
            Err(error) => {
                self.refuse(&key, error.to_string());
                None
            }
        }
    }

    /// The evidence of an entry was accepted, and it answers some properties that had no answer.
    pub(crate) fn hit(&self, stored: &Stored, answered: usize, time: Duration) {
        {
            let mut state = self.state();
            state.report.hits += answered;
            state.report.adapted += if stored.is_earlier { answered } else { 0 };
            state.report.saved += stored.cost.saturating_sub(time);
        }
        if self.writes() {
            self.attempt(self.shelf.store.mark_used(&stored.key));
        }
    }

    /// Contracts of functions were given up.
    pub(crate) fn give_up(&self, functions: impl Iterator<Item = String>) {
        self.state().report.given_up.extend(functions);
    }

    /// The evidence of an entry does not hold.
    pub(crate) fn refuse(&self, key: &Key, reason: String) {
        let is_set_aside = self.writes() && self.attempt(self.shelf.store.quarantine(key, &reason)).is_some();
        let mut state = self.state();
        state.report.refused += 1;
        state.note(StoreNotice::Refused { key: key.clone(), reason, is_set_aside });
    }

    /// Keeps a proof of some properties.
    pub(crate) fn keep_proof(
        &self,
        question: &Question<'_>,
        program: &Program,
        proof: &Proof,
        cost: Duration,
    ) {
        let is_trivial = question.origin.technique == Technique::NothingToCheck;
        if is_trivial || question.properties.is_empty() || !self.writes() {
            return;
        }
        let header = Header {
            entry: self.project.options.entry.clone(),
            error_functions: self.project.options.error_functions.clone(),
            checks: rorqual_cfa::checks_of(question.properties.iter().copied()),
            // What the proof rests on is found out again when it is loaded.
            ..Header::default()
        };
        let text = rorqual_certificate::write(program, &proof.claim, &header, proof.guard.as_ref());
        let words = Vocabulary::of(program);
        let certificate = words.stored(&text);
        let without_models = question.is_without_models;
        let checked_in = proof.checked_in.as_millis() as u64;
        let outlines = words.outlines().named_in(&certificate);
        let refutations = proof.refutations.iter().map(Transcript::to_text).collect();
        let evidence = Evidence::Proof { certificate, without_models, checked_in, outlines, refutations };
        self.keep(question, evidence, cost);
    }

    /// Keeps violations of some properties, as far as a list of inputs leads to them.
    pub(crate) fn keep_violations(
        &self,
        question: &Question<'_>,
        program: &Program,
        refutations: &[&Refutation],
        cost: Duration,
    ) {
        if !self.writes() {
            return;
        }
        let lists: Vec<String> = refutations.iter().filter_map(|one| inputs(program, one)).collect();
        if !lists.is_empty() {
            self.keep(question, Evidence::Violations(lists), cost);
        }
    }

    fn keep(&self, question: &Question<'_>, evidence: Evidence, cost: Duration) {
        let Origin { technique, with_facts, heap_free, .. } = question.origin;
        let properties = question.properties.iter().map(|property| property.name.clone()).collect();
        let technique = technique.name().to_owned();
        let record = Record { properties, technique, with_facts, heap_free, evidence };
        let mut key = Key::builder("answer").part("program", self.program.as_str());
        for property in &record.properties {
            key = key.part("property", property);
        }
        let entry = NewEntry {
            key: key.finish(),
            kind: record.kind(),
            program: self.program.clone(),
            functions: self.content.functions.clone(),
            files: self.files.clone(),
            payload: record.to_text(),
            cost,
        };
        if self.attempt(self.shelf.store.put(&entry)).is_some() {
            self.state().report.written += 1;
        }
    }

    /// What the user was not told yet.
    pub(crate) fn news(&self) -> Vec<StoreNotice> {
        std::mem::take(&mut self.state().untold)
    }

    /// What the store was good for, given what the properties of the program are about.
    pub(crate) fn finish(&self, contents: Vec<String>) -> StoreReport {
        let mut state = self.state();
        let properties = contents.len();
        state.report.contents = contents;
        state.report.functions.clone_from(&self.content.functions);
        state.report.misses = properties.saturating_sub(state.report.hits);
        if let Some(programs) = state.was_futile.filter(|_| state.report.hits == 0) {
            state.note(StoreNotice::Futile { files: self.files.clone(), programs });
        }
        state.report.clone()
    }
}

impl State {
    fn note(&mut self, notice: StoreNotice) {
        self.untold.push(notice.clone());
        self.report.notices.push(notice);
    }
}

/// What was asked, and what found the answer.
pub(crate) struct Question<'a> {
    pub(crate) properties: Vec<&'a rorqual_cfa::Property>,
    pub(crate) origin: Origin,
    pub(crate) is_without_models: bool,
}

/// The key of a program: what its functions do, and all options that say what that means.
fn program_key(project: &Project, content: &Content) -> Key {
    let Project { options, undefined, allocation, behaviour, .. } = project;
    let mut error_functions = options.error_functions.clone();
    error_functions.sort();
    Key::builder("program")
        .part("content", &content.text())
        .part("entry", &options.entry)
        .part("error functions", &error_functions.join(" "))
        .part("unused evaluations", &options.keep_unused.to_string())
        .part("undefined functions", &format!("{undefined:?}"))
        .part("allocation", &format!("{allocation:?}"))
        .part("undefined behaviour", &format!("{behaviour:?}"))
        .finish()
}

/// The inputs of a violation as a list, if that list alone leads to it.
fn inputs(program: &Program, refutation: &Refutation) -> Option<String> {
    let records = &refutation.replay().execution.inputs;
    let mut list = String::new();
    for record in records {
        let _ = writeln!(list, "{}", record.value);
    }
    let replay = replay_inputs(program, parse_inputs(&list).ok()?, &Config::default());
    let (error, span) = replay.violation()?;
    (error == refutation.error() && span == refutation.span()).then_some(list)
}

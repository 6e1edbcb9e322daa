//! `check`: asks the library for an outcome, tells it, and watches limits.

mod advice;
pub(crate) mod arguments;
mod choice;
mod evidence;
mod human;
mod json;
mod names;
mod progress;
mod report;
mod watch;

use std::sync::Arc;

use rorqual::{
    Audience, Checker, Conclusion, Limits, Outcome, Project, Property, Round, Shelf, StoreMode, StoreNotice,
    System,
};
use rorqual_cfa::Program;
use rorqual_evidence::Observer;
use rorqual_source::{Diagnostic, SourceMap};
use rorqual_store::{Access, SqliteStore};

use crate::arguments::{ShowProperties, ShowStrategy};
use crate::exit::{Problem, Status, complain};
use crate::programs::{is_yaml, project, show_warnings};
use arguments::{CheckArguments, ResultFormat, StoreModeChoice};
use choice::Choice;
use progress::{Counted, Counters, Progress};
use report::{Report, interruption, violation};
use watch::{Bounds, Cause, LastWords, Watch};

pub(crate) use choice::strategy_names;
pub(crate) use human::obligations;

/// By default, races of strategies use at most so many threads: more racers than these are not worth their CPU time.
const MOST_THREADS: usize = 2;

/// Checks a program.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Status, Problem> {
    let searched = search(arguments)?;
    let status = tell(arguments, &searched);
    // The process ends now. Taking large programs and proofs apart would only cost time.
    std::mem::forget(searched);
    status
}

/// Proves a program, and prints what its functions and loops require and ensure.
pub(crate) fn show_summaries(arguments: &CheckArguments) -> Result<Status, Problem> {
    let searched = search(arguments)?;
    let round = searched.outcome.decisive();
    if let Conclusion::Safe(proof) = &round.conclusion {
        let text =
            proof.invariant().map_or(String::new(), |invariant| human::all_summaries(round, invariant));
        searched.audience.watch.tell(&text, Status::Success)?;
        return Ok(Status::Success);
    }
    let (line, status) = searched.report(arguments).decisive();
    let line = line.verdict();
    complain(&format!("{line}\n  = note: only programs that are proved have summaries\n"));
    Ok(status)
}

/// Prints what a strategy does for a program, and why.
pub(crate) fn show_strategy(arguments: &ShowStrategy) -> Result<Status, Problem> {
    let name = arguments.strategy.as_deref().unwrap_or(choice::AUTO);
    let strategy = rorqual::strategy(name).expect("the arguments were checked");
    let host = System::default();
    let project = project(&arguments.sources, &host)?.with_models();
    let lines = Checker { strategy, ..Checker::default() }.plan(&project, &host, &mut Reader)?;
    crate::console::print((lines.join("\n") + "\n").as_bytes())
}

/// Lists the properties of a program.
pub(crate) fn show_properties(arguments: &ShowProperties) -> Result<Status, Problem> {
    let host = System::default();
    let project = project(&arguments.sources, &host)?.with_models();
    let (program, properties) = Checker::default().properties(&project, &host, &mut Reader)?;
    let text = match arguments.format {
        ResultFormat::Human => human::property_list(&program, &properties),
        ResultFormat::Json => json::property_list(&program, &properties),
    };
    crate::console::print(text.as_bytes())
}

/// Sees warnings only.
struct Reader;

impl Audience for Reader {
    fn observer(&mut self) -> &mut (dyn Observer + Send) {
        // Nothing is searched, so nothing is observed. A value without size needs no memory.
        Box::leak(Box::new(()))
    }

    fn warned(&mut self, sources: &SourceMap, warnings: &[Diagnostic]) {
        show_warnings(sources, warnings);
    }

    fn answered(&mut self, _: &Round, _: &[Property]) {}
}

/// What a search has found.
struct Searched {
    project: Project,
    choice: Choice,
    outcome: Outcome,
    counters: Counters,
    audience: User,
}

impl Searched {
    fn report<'a>(&'a self, arguments: &'a CheckArguments) -> Report<'a> {
        Report {
            outcome: &self.outcome,
            arguments,
            choice: &self.choice,
            checks: &self.project.checks,
            counters: &self.counters,
            cause: self.audience.watch.cause(),
        }
    }
}

/// A bound for a loop that the program does not have is a mistake. What else is wrong with a program is told by who checks it.
fn refuse_unknown_loops(arguments: &CheckArguments, project: &Project, host: &System) -> Result<(), Problem> {
    if arguments.unwindset.is_empty() {
        return Ok(());
    }
    let Ok(program) = project.lower(host, &mut |_, _| {}) else { return Ok(()) };
    let loops = rorqual_symbolic::loops(&program);
    let is_unknown = |(name, _): &&(String, u64)| !loops.iter().any(|one| one.name == *name);
    let Some((name, _)) = arguments.unwindset.iter().find(is_unknown) else { return Ok(()) };
    let names: Vec<String> = loops.iter().map(|one| format!("`{}`", one.name)).collect();
    let help = if names.is_empty() {
        "it has no loops".to_owned()
    } else {
        format!("its loops are {}; `rorqual show loops` tells where they are", names.join(", "))
    };
    Err(Problem::Usage(format!("the program has no loop `{name}`\n  = help: {help}")))
}

fn search(arguments: &CheckArguments) -> Result<Searched, Problem> {
    let choice = Choice::of(arguments)?;
    let store = shelf(arguments, &choice)?;
    let bounds = Bounds { cpu_time: arguments.time_limit.0, memory: arguments.memory_limit };
    let counted = Counted::default();
    let interrupted = Interrupted {
        format: arguments.format,
        stats: arguments.stats,
        name: choice.name.clone(),
        label: choice.label.clone(),
        bounds,
        counted: counted.clone(),
    };
    let watch = Watch::start(bounds, move |cause| interrupted.last_words(cause));
    let host = System::default();
    let project = project(&arguments.sources, &host)?.with_models();
    refuse_unknown_loops(arguments, &project, &host)?;
    let checker = Checker {
        strategy: choice.strategy.clone(),
        limits: Limits::none().with_cancellation(watch.raised.clone()),
        time_limit: arguments.time_limit.0,
        threads: threads(arguments),
        // A task definition asks for one verdict.
        stops_at_violation: arguments.stop_on_violation
            || arguments.sources.files.iter().any(|file| is_yaml(file)),
        store,
    };
    let is_verified = arguments.store_mode == StoreModeChoice::Verify;
    let mut audience = User {
        progress: Progress::new(counted.clone()),
        watch,
        format: arguments.format,
        name: choice.name.clone(),
        is_verified,
    };
    let outcome = checker.check(&project, &host, &mut audience)?;
    audience.progress.finish();
    Ok(Searched { project, choice, outcome, counters: counted.so_far(), audience })
}

/// The store that the user names.
fn shelf(arguments: &CheckArguments, choice: &Choice) -> Result<Option<Shelf>, Problem> {
    let Some(directory) = &arguments.store else { return Ok(None) };
    let (mode, access) = match arguments.store_mode {
        StoreModeChoice::Off => return Ok(None),
        StoreModeChoice::ReadOnly => (StoreMode::ReadOnly, Access::ReadOnly),
        StoreModeChoice::ReadWrite => (StoreMode::ReadWrite, Access::ReadWrite),
        StoreModeChoice::Verify => (StoreMode::Verify, Access::ReadWrite),
    };
    let problem = |error| crate::store::problem(&error);
    let store = SqliteStore::open(directory, access).map_err(problem)?;
    if let Some(limit) = arguments.store_limit {
        if mode == StoreMode::ReadOnly {
            let message =
                "`--store-limit` changes the store, so it cannot be used with `--store-mode read-only`";
            return Err(Problem::Usage(message.to_owned()));
        }
        store.set_limit(limit).map_err(problem)?;
    }
    Ok(Some(Shelf { store: Arc::new(store), mode, predicates: choice.exchange.clone() }))
}

/// What is said about the store, on standard error.
fn store_notice(notice: &StoreNotice, is_verified: bool) -> String {
    let word = match notice {
        StoreNotice::Refused { .. } if is_verified => "error",
        _ => "warning",
    };
    let help = notice.help().map_or(String::new(), |help| format!("\n  = help: {help}"));
    format!("{word}: {notice}{help}")
}

fn threads(arguments: &CheckArguments) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    arguments.threads.map_or_else(cores, usize::from)
}

/// A search that a limit ends before it has noticed.
struct Interrupted {
    format: ResultFormat,
    stats: bool,
    name: String,
    label: String,
    bounds: Bounds,
    counted: Counted,
}

impl Interrupted {
    fn last_words(&self, cause: Cause) -> LastWords {
        let counters = self.counted.so_far();
        let (kind, text) = interruption(self.bounds, Some(cause));
        let text = format!("{text} ({})", self.label);
        let output = match self.format {
            ResultFormat::Human => format!("unknown: {text}\n"),
            ResultFormat::Json => json::brief(&self.name, "unknown", (kind, &text), &counters),
        };
        let notes = if self.stats { human::statistics(&counters, "") } else { String::new() };
        LastWords { output, notes }
    }
}

/// The user, who sees progress, and learns of violations even if a limit ends the rest.
struct User {
    progress: Progress,
    watch: Watch,
    format: ResultFormat,
    name: String,
    /// Whether stored evidence that does not hold is an error.
    is_verified: bool,
}

impl Audience for User {
    fn observer(&mut self) -> &mut (dyn Observer + Send) {
        &mut self.progress
    }

    fn warned(&mut self, sources: &SourceMap, warnings: &[Diagnostic]) {
        show_warnings(sources, warnings);
    }

    fn listed(&mut self, _: &Program, properties: &[Property]) {
        self.progress.expect(properties.len());
    }

    fn noticed(&mut self, notice: &StoreNotice) {
        self.progress.say(&store_notice(notice, self.is_verified));
    }

    fn answered(&mut self, round: &Round, properties: &[Property]) {
        self.progress.announce(round, properties);
        let Conclusion::Unsafe(refutation) = &round.conclusion else { return };
        let text = violation(&round.program, refutation);
        self.watch.know_violation(match self.format {
            ResultFormat::Human => format!("unsafe: {text}\n"),
            ResultFormat::Json => json::brief(&self.name, "unsafe", ("", &text), &self.progress.so_far()),
        });
    }
}

fn tell(arguments: &CheckArguments, searched: &Searched) -> Result<Status, Problem> {
    let report = searched.report(arguments);
    let watch = &searched.audience.watch;
    let (line, status) = report.decisive();
    // Long traces and proofs take time to be told and written.
    watch.know(
        match arguments.format {
            ResultFormat::Human => format!("{}\n", line.verdict()),
            ResultFormat::Json => {
                json::brief(&searched.choice.name, line.word, ("", &line.message), &searched.counters)
            }
        },
        status,
    );
    evidence::write(arguments, &searched.project, &searched.outcome)?;
    if let Some(exchange) = &searched.choice.exchange {
        evidence::write_predicates(arguments, exchange)?;
    }
    let output = match arguments.format {
        ResultFormat::Human => report.human(),
        ResultFormat::Json => report.json(),
    };
    watch.tell(&output, status)?;
    if arguments.stats {
        complain(&report.statistics());
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rorqual_evidence::Event;

    use super::*;

    fn interrupted(format: ResultFormat, stats: bool) -> LastWords {
        let counted = Counted::default();
        let mut progress = Progress::new(counted.clone());
        progress.on(Event::Refining { depth: 7 });
        progress.on(Event::Tracking { predicates: 3, tracked: 9, locations: 4, most: 5 });
        let bounds = Bounds { cpu_time: Some(Duration::from_secs(9)), memory: None };
        let (name, label) = ("impact".to_owned(), "engine: impact".to_owned());
        Interrupted { format, stats, name, label, bounds, counted }.last_words(Cause::Time)
    }

    #[test]
    fn what_was_counted_is_told_even_if_the_search_does_not_end_by_itself() {
        let words = interrupted(ResultFormat::Human, true);
        assert_eq!(words.output, "unknown: time limit of 9s reached (engine: impact)\n");
        assert!(
            words.notes.contains("refinements: 1\n") && words.notes.contains("predicates: 3\n"),
            "{words:?}"
        );
        assert_eq!(interrupted(ResultFormat::Human, false).notes, "");
        let words = interrupted(ResultFormat::Json, false);
        assert!(words.output.contains("\"longest_refuted_path\": 7"), "{words:?}");
        assert_eq!(words.notes, "");
    }
}

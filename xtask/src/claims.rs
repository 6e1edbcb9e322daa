//! `cargo xtask csmith --check`: what gcc computes as claims for `rorqual check`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rorqual_cfa::DataModel;
use rorqual_testkit::claims::{Checker, Outcome, Said};
use rorqual_testkit::csmith::{Recipe, Size};
use rorqual_testkit::model_name;

use crate::csmith::Arguments;
use crate::{Report, Trouble};

/// Runs the campaign until as many programs were compared as asked for.
pub(crate) fn run(arguments: &Arguments, model: DataModel, checker: Checker) -> Result<Report, Trouble> {
    let started = Instant::now();
    let campaign =
        Campaign { arguments, model, checker, next: AtomicU64::new(0), tally: Mutex::new(Tally::default()) };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.jobs.max(1)).map(|_| scope.spawn(|| campaign.work())).collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
        results.collect::<Result<Vec<()>, Trouble>>()
    })?;
    let tally = campaign.tally.into_inner().expect("no worker panicked");
    println!("{}, {} s: {}", model_name(model), started.elapsed().as_secs(), tally.line());
    Ok(if tally.wrong + tally.refused == 0 { Report::Clean } else { Report::Faults })
}

struct Campaign<'a> {
    arguments: &'a Arguments,
    model: DataModel,
    checker: Checker,
    /// How many seeds were handed out.
    next: AtomicU64,
    tally: Mutex<Tally>,
}

/// How many programs came out how.
#[derive(Debug, Default)]
struct Tally {
    fine: BTreeMap<(Said, Said), u64>,
    skipped: u64,
    wrong: u64,
    refused: u64,
}

impl Tally {
    fn compared(&self) -> u64 {
        self.fine.values().sum::<u64>() + self.wrong + self.refused
    }

    fn line(&self) -> String {
        let said = |wanted: fn(&(Said, Said)) -> bool| -> u64 {
            self.fine.iter().filter(|(said, _)| wanted(said)).map(|(_, count)| count).sum()
        };
        let proved = said(|(truth, _)| *truth == Said::Safe);
        let found = said(|(_, lie)| *lie == Said::Unsafe);
        format!(
            "{} programs compared, {} wrong, {} refused; {proved} proved, {found} lies found, {} skipped",
            self.compared(),
            self.wrong,
            self.refused,
            self.skipped
        )
    }
}

impl Campaign<'_> {
    fn work(&self) -> Result<(), Trouble> {
        let directory = tempfile::tempdir()?;
        let file = directory.path().join("random.c");
        while self.tally.lock().expect("no worker panicked").compared() < self.arguments.count {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let size = if self.arguments.small { Size::Small } else { Size::Usual };
            let recipe = Recipe { seed: self.arguments.seed_start + index, size, model: self.model };
            let outcome = recipe.claim(&self.checker, &file);
            self.record(&recipe, &outcome)?;
            // The next program must not be mistaken for this one if csmith writes none.
            let _ = std::fs::remove_file(&file);
        }
        Ok(())
    }

    fn record(&self, recipe: &Recipe, outcome: &Outcome) -> Result<(), Trouble> {
        let mut tally = self.tally.lock().expect("no worker panicked");
        match outcome {
            Outcome::Fine { truth, lie } => *tally.fine.entry((*truth, *lie)).or_default() += 1,
            Outcome::Skipped(_) => tally.skipped += 1,
            Outcome::Wrong { text, .. } => {
                tally.wrong += 1;
                self.keep(recipe, outcome, text)?;
            }
            Outcome::Refused { text, .. } => {
                tally.refused += 1;
                self.keep(recipe, outcome, text)?;
            }
        }
        Ok(())
    }

    fn keep(&self, recipe: &Recipe, outcome: &Outcome, text: &str) -> Result<(), Trouble> {
        let (model, directory) = (model_name(recipe.model), Path::new(&self.arguments.keep));
        std::fs::create_dir_all(directory)?;
        let file = directory.join(format!("claims-{model}-{}.c", recipe.seed));
        std::fs::write(&file, text)?;
        println!("seed {}: {outcome}", recipe.seed);
        let headers = self.checker.headers.display();
        println!("  rorqual check --data-model {model} -I {headers} {}", file.display());
        Ok(())
    }
}

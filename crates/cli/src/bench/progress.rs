//! What a run shows while it goes on: a bar on a terminal, and a line per task elsewhere.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use rorqual_benchmark::{Evidence, Row, Status, Verdict};

use crate::exit::complain;

/// The progress of a run.
pub(super) struct Progress {
    /// `None` where nobody watches.
    bar: Option<ProgressBar>,
    tasks: usize,
    done: usize,
    correct: usize,
    failed: usize,
}

impl Progress {
    /// Starts with the results that are there already.
    pub(super) fn new(tasks: usize, rows: &[Row]) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(tasks as u64).with_position(rows.len() as u64);
            let template = "{bar:30} {pos}/{len}  {elapsed}, {eta} left  {msg}";
            // The clock goes on while a task takes long.
            bar.enable_steady_tick(Duration::from_secs(1));
            bar.with_style(ProgressStyle::with_template(template).expect("the template is well-formed"))
        });
        let mut progress = Progress { bar, tasks, done: 0, correct: 0, failed: 0 };
        if !rows.is_empty() {
            progress.say(&format!("{} of {tasks} tasks have a result already", rows.len()));
        }
        for row in rows {
            progress.count(row);
        }
        progress
    }

    /// A task has ended.
    pub(super) fn show(&mut self, row: &Row) {
        self.count(row);
        let is_failure = matches!(row.status(), Status::Wrong | Status::Rejected);
        match &self.bar {
            None => self.say(&line(row, self.done, self.tasks)),
            Some(bar) => {
                // What must not happen is told at once, not only at the end.
                if is_failure {
                    self.say(&line(row, self.done, self.tasks));
                }
                let unknown = self.done - self.correct - self.failed;
                bar.set_message(format!(
                    "{} correct, {unknown} unknown, {} wrong",
                    self.correct, self.failed
                ));
                bar.inc(1);
            }
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn count(&mut self, row: &Row) {
        self.done += 1;
        match row.status() {
            Status::Correct => self.correct += 1,
            Status::Wrong | Status::Rejected => self.failed += 1,
            Status::Unknown => {}
        }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => complain(&format!("{line}\n")),
        }
    }
}

fn line(row: &Row, done: usize, tasks: usize) -> String {
    let width = tasks.to_string().len();
    let cpu = row.usage.cpu.as_secs_f64();
    let memory = row.usage.memory / 1_000_000;
    let detail = match (&row.verdict, &row.evidence) {
        (Verdict::Unknown(reason), _) => reason.text.clone(),
        (verdict, Evidence::None) => verdict.to_string(),
        (verdict, evidence) => format!("{verdict}, {evidence}"),
    };
    let status = row.status();
    format!("[{done:width$}/{tasks}] {status:<8} {cpu:>7.2} s {memory:>5} MB  {}: {detail}", row.task)
}

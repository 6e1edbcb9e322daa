//! Runs tasks, several at a time if asked to, and hands on each result as soon as it is there.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use crate::judge::{self, USAGE};
use crate::process::{self, Bounds, Ending, Finished};
use crate::settings::duration_argument;
use crate::{BenchTask, Evidence, Row, Settings, Usage, Verdict};

/// A checker has this much CPU time beyond its limit to tell that it reached it.
const TIME_GRACE: Duration = Duration::from_millis(300);

/// Processes that wait, or share cores with others, take longer than their CPU time.
const WALL_GRACE: Duration = Duration::from_secs(30);

/// What to run.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The checker's executable.
    pub tool: &'a Path,
    /// How to run it.
    pub settings: &'a Settings,
    /// How many tasks run at a time.
    pub jobs: usize,
    /// Where certificates and witnesses are written.
    pub evidence_directory: &'a Path,
    /// The tasks, in the order in which they are started.
    pub tasks: &'a [BenchTask],
}

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError<E> {
    /// The checker cannot be started.
    Start(io::Error),
    /// The checker does not understand how it is called; this is what it says.
    Usage(String),
    /// The result could not be handed on.
    Sink(E),
}

/// The name and version that a checker prints.
pub fn tool_version(tool: &Path) -> io::Result<String> {
    let mut command = Command::new(tool);
    command.arg("--version");
    let minute = Duration::from_mins(1);
    let bounds = Bounds { cpu: minute, wall: minute, memory: u64::MAX };
    let finished = process::run(command, &bounds, &AtomicBool::new(false))?;
    let line = finished.output.lines().next().unwrap_or("").trim();
    if finished.ending == Ending::Code(0) && !line.is_empty() {
        Ok(line.to_owned())
    } else {
        Err(io::Error::other("it does not tell its version"))
    }
}

impl Plan<'_> {
    /// Runs all tasks, until `cancelled` is set or `sink` fails. Then running tasks are killed,
    /// and they have no result. Results come in the order in which the tasks end.
    pub fn run<E>(
        &self,
        cancelled: &AtomicBool,
        mut sink: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, self.tasks.len().max(1)) {
                let sender = sender.clone();
                scope.spawn(|| self.work(&next, cancelled, sender));
            }
            // The receiver ends when the last worker has dropped its sender.
            drop(sender);
            let result = collect(&receiver, &mut sink);
            if result.is_err() {
                cancelled.store(true, Ordering::SeqCst);
            }
            result
        })
    }

    /// Takes tasks until none is left.
    #[allow(clippy::needless_pass_by_value)] // The sender must be dropped at the end.
    fn work(&self, next: &AtomicUsize, cancelled: &AtomicBool, sender: Sender<io::Result<Checked>>) {
        while !cancelled.load(Ordering::SeqCst) {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(task) = self.tasks.get(index) else { return };
            let Some(result) = self.check(task, cancelled).transpose() else { return };
            // A collector that failed does not listen any more.
            if sender.send(result).is_err() {
                return;
            }
        }
    }

    /// Checks one task; `None` if it was cancelled.
    fn check(&self, task: &BenchTask, cancelled: &AtomicBool) -> io::Result<Option<Checked>> {
        let files = EvidenceFiles::new(self.evidence_directory, task);
        let finished = process::run(self.check_command(task, &files)?, &self.bounds(), cancelled)?;
        if finished.ending == Ending::Cancelled {
            return Ok(None);
        }
        let settings = self.settings;
        let (verdict, origin) = judge::verdict(&finished, settings.time_limit, settings.memory_limit);
        let Some((evidence, evidence_usage)) = self.check_evidence(task, &verdict, &files, cancelled)? else {
            return Ok(None);
        };
        let misunderstood = (finished.ending == Ending::Code(USAGE)).then(|| finished.messages.clone());
        let usage = usage(&finished);
        let (task, expected) = (task.name(), task.expected);
        let row = Row { task, expected, verdict, origin, usage, evidence, evidence_usage };
        Ok(Some(Checked { row, misunderstood }))
    }

    fn command(&self, name: &str, task: &BenchTask) -> Command {
        let mut command = Command::new(self.tool);
        // The path may be a link that says nothing to a user; messages show this name.
        command.arg0("rorqual").arg(name).arg(&task.path);
        command
    }

    fn check_command(&self, task: &BenchTask, files: &EvidenceFiles) -> io::Result<Command> {
        let mut command = self.command("check", task);
        command.args(self.settings.search.arguments()).args(["--format", "json"]);
        command.args(["--threads", &self.settings.threads.to_string()]);
        command.args(["--time-limit", &duration_argument(self.settings.time_limit)]);
        command.args(["--memory-limit", &format!("{}B", self.settings.memory_limit)]);
        if self.settings.certify {
            files.remove()?;
            command.arg("--certificate").arg(&files.certificate).arg("--witness").arg(&files.witness);
        }
        Ok(command)
    }

    /// Has the evidence for an answer checked; `None` if that was cancelled.
    fn check_evidence(
        &self,
        task: &BenchTask,
        verdict: &Verdict,
        files: &EvidenceFiles,
        cancelled: &AtomicBool,
    ) -> io::Result<Option<(Evidence, Option<Usage>)>> {
        let (name, flag, file, code, accepted) = match verdict {
            _ if !self.settings.certify => return Ok(Some((Evidence::None, None))),
            Verdict::Unknown(_) => return Ok(Some((Evidence::None, None))),
            Verdict::Safe => ("certify", "--certificate", &files.certificate, 0, Evidence::Certified),
            Verdict::Unsafe => ("replay", "--witness", &files.witness, 10, Evidence::Replayed),
        };
        if !file.exists() {
            return Ok(Some((Evidence::Rejected(format!("`{flag}` wrote no file")), None)));
        }
        let mut command = self.command(name, task);
        command.arg(flag).arg(file);
        let finished = process::run(command, &self.bounds(), cancelled)?;
        let evidence = judge::evidence(&finished, code, accepted);
        let is_cancelled = finished.ending == Ending::Cancelled;
        Ok((!is_cancelled).then(|| (evidence, Some(usage(&finished)))))
    }

    /// The limits with some room, so that the checker can tell itself which one it reached.
    fn bounds(&self) -> Bounds {
        let Settings { time_limit, memory_limit, .. } = *self.settings;
        Bounds {
            cpu: time_limit + TIME_GRACE,
            wall: time_limit * 2 + WALL_GRACE,
            memory: memory_limit.saturating_add(memory_limit / 10),
        }
    }
}

/// A task that was checked.
struct Checked {
    row: Row,
    /// What the checker said if it did not understand its arguments.
    misunderstood: Option<String>,
}

fn collect<E>(
    receiver: &Receiver<io::Result<Checked>>,
    sink: &mut impl FnMut(Row) -> Result<(), E>,
) -> Result<(), RunError<E>> {
    let mut is_first = true;
    for result in receiver {
        let Checked { row, misunderstood } = result.map_err(RunError::Start)?;
        // If it is the first task already, then it is the settings and not the task.
        if let Some(complaint) = misunderstood.filter(|_| is_first) {
            return Err(RunError::Usage(complaint));
        }
        is_first = false;
        sink(row).map_err(RunError::Sink)?;
    }
    Ok(())
}

fn usage(finished: &Finished) -> Usage {
    let process::Finished { resources, wall, .. } = finished;
    Usage { cpu: resources.cpu, wall: *wall, memory: resources.memory }
}

/// Where the evidence for one task is written.
struct EvidenceFiles {
    certificate: PathBuf,
    witness: PathBuf,
}

impl EvidenceFiles {
    /// Tasks in different folders may have one name; the number tells them apart.
    fn new(directory: &Path, task: &BenchTask) -> EvidenceFiles {
        let stem = task.path.file_stem().unwrap_or_default().to_string_lossy();
        let path = |extension| directory.join(format!("{:04}-{stem}.{extension}", task.number));
        EvidenceFiles { certificate: path("certificate"), witness: path("witness.yml") }
    }

    /// Evidence from an earlier run must not be taken for that of this one.
    fn remove(&self) -> io::Result<()> {
        for file in [&self.certificate, &self.witness] {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

//! A mutational fuzzer for the front end.
//!
//! Input number `n` of a campaign is a function of the seed, `n` and the corpus. Inputs run in
//! child processes with bounded memory, so that stack overflows, aborts, hangs and memory
//! blow-ups are seen and blamed on the right input.

pub(crate) mod child;
mod corpus;
mod mutate;
mod tokens;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rorqual_testkit::workspace_directory;

use self::child::Message;
use self::corpus::Corpus;
use crate::{Report, Trouble};

/// An input that takes longer hangs. The slowest known file of 31,000 lines takes below 1 s.
const HANG_LIMIT: Duration = Duration::from_secs(10);

/// In KiB, for `ulimit -v`. The front end reserves 512 MiB for its stack.
const MEMORY_LIMIT: u64 = 4 << 20;

/// How many inputs are kept for one fault. A panic is known by its place, but different hangs
/// and crashes look the same.
const KEPT: u64 = 5;

/// How many inputs one child tries, so that starting it costs nothing.
const BATCH: u64 = 1000;

/// Throwing mutated programs at the front end.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// For how long
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Decides every input
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Further programs to start from
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// How many inputs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only read these files, each in a process of its own
    #[arg(long, num_args = 1..)]
    replay: Vec<PathBuf>,
}

/// Runs the campaign, or replays files.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    if !arguments.replay.is_empty() {
        return replay(&arguments.replay);
    }
    let campaign = Campaign {
        arguments,
        corpus: Corpus::load(arguments.corpus.as_ref())?,
        deadline: Instant::now() + Duration::try_from_secs_f64(arguments.minutes * 60.0)?,
        next: AtomicU64::new(0),
        tally: Mutex::new(Tally::default()),
    };
    println!("seed {}", arguments.seed);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.jobs.max(1)).map(|_| scope.spawn(|| campaign.work())).collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
        results.collect::<Result<Vec<()>, Trouble>>()
    })?;
    let tally = campaign.tally.into_inner().expect("no worker panicked");
    println!("{}", tally.line());
    Ok(if tally.faults.is_empty() { Report::Clean } else { Report::Faults })
}

#[derive(Default)]
struct Tally {
    accepted: u64,
    refused: u64,
    /// How often each fault was met.
    faults: BTreeMap<String, u64>,
}

impl Tally {
    fn line(&self) -> String {
        let total = self.accepted + self.refused + self.faults.values().sum::<u64>();
        let mut line = format!("{total} inputs: {} accepted, {} refused", self.accepted, self.refused);
        for (fault, count) in &self.faults {
            let _ = write!(line, "\n  {count} x {fault}");
        }
        line
    }
}

struct Campaign<'a> {
    arguments: &'a Arguments,
    corpus: Corpus,
    deadline: Instant,
    /// The first input that was not handed out yet.
    next: AtomicU64,
    tally: Mutex<Tally>,
}

impl Campaign<'_> {
    fn work(&self) -> Result<(), Trouble> {
        while Instant::now() < self.deadline {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            let mut at = first;
            while at < first + BATCH && Instant::now() < self.deadline {
                at = self.run_child(at, first + BATCH - at)?;
            }
        }
        Ok(())
    }

    /// Lets a child try inputs; returns the first input that it did not try.
    fn run_child(&self, first: u64, count: u64) -> Result<u64, Trouble> {
        let mut arguments = vec![
            format!("--seed={}", self.arguments.seed),
            format!("--first={first}"),
            format!("--count={count}"),
        ];
        if let Some(corpus) = &self.arguments.corpus {
            arguments.push(format!("--corpus={}", corpus.display()));
        }
        let mut watched = Watched::start(&arguments)?;
        let mut current = first;
        let fault = loop {
            match watched.next_message() {
                Heard::Message(Message::Begin(index)) => current = index,
                Heard::Message(Message::End { index, accepted }) => {
                    self.count(accepted);
                    if Instant::now() >= self.deadline {
                        watched.stop();
                        return Ok(index + 1);
                    }
                }
                Heard::Message(Message::Panicked(index, place)) => {
                    self.record(index, &format!("panic at {place}"))?;
                }
                Heard::Silence => {
                    watched.stop();
                    break format!("no answer within {} s", HANG_LIMIT.as_secs());
                }
                Heard::End => match watched.fault_at_end() {
                    None => return Ok(first + count),
                    Some(fault) => break fault,
                },
            }
        };
        self.record(current, &fault)?;
        Ok(current + 1)
    }

    fn count(&self, accepted: bool) {
        let mut tally = self.tally.lock().expect("no worker panicked");
        if accepted {
            tally.accepted += 1;
        } else {
            tally.refused += 1;
        }
        let total = tally.accepted + tally.refused;
        if total.is_multiple_of(200) && std::io::stderr().is_terminal() {
            let left = self.deadline.saturating_duration_since(Instant::now()).as_secs();
            eprint!("\r\x1b[K{total} inputs, {} faults, {left} s left", tally.faults.len());
        }
    }

    /// Keeps the first inputs that show a fault.
    fn record(&self, index: u64, fault: &str) -> Result<(), Trouble> {
        let mut tally = self.tally.lock().expect("no worker panicked");
        let times = tally.faults.entry(fault.to_owned()).or_default();
        *times += 1;
        if *times > KEPT {
            return Ok(());
        }
        let directory = workspace_directory().join("target/fuzz");
        fs::create_dir_all(&directory)?;
        let file = directory.join(format!("seed-{}-input-{index}.c", self.arguments.seed));
        fs::write(&file, self.corpus.input(self.arguments.seed, index))?;
        println!("\n{fault}\n  cargo xtask fuzz --replay {}", file.display());
        Ok(())
    }
}

/// What the parent hears of a child.
enum Heard {
    Message(Message),
    /// Nothing for too long.
    Silence,
    /// The child ended, perhaps by a fault.
    End,
}

/// A child and its messages.
struct Watched {
    child: Child,
    messages: Receiver<Message>,
    /// What it writes to standard error: how it crashed.
    complaints: JoinHandle<String>,
}

impl Watched {
    fn start(arguments: &[String]) -> Result<Watched, Trouble> {
        let script = format!("ulimit -v {MEMORY_LIMIT}; ulimit -c 0; exec \"$0\" fuzz-child \"$@\"");
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(std::env::current_exe()?).args(arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().ok_or("the child has no standard output")?;
        let mut stderr = child.stderr.take().ok_or("the child has no standard error")?;
        let complaints = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What can be read tells enough.
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ok(Watched { child, messages: listen(stdout), complaints })
    }

    fn next_message(&mut self) -> Heard {
        match self.messages.recv_timeout(HANG_LIMIT) {
            Ok(message) => Heard::Message(message),
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Why the child ended before its time, if it did. It ends with 0 or 1 by itself; panics
    /// were told before.
    fn fault_at_end(mut self) -> Option<String> {
        let status = match self.child.wait() {
            Ok(status) if matches!(status.code(), Some(0 | 1)) => return None,
            Ok(status) => status,
            Err(error) => return Some(format!("the child is lost: {error}")),
        };
        let complaints = self.complaints.join().unwrap_or_default();
        let kind = match complaints {
            text if text.contains("overflowed its stack") => "stack overflow",
            text if text.contains("memory allocation") => "memory beyond the limit",
            _ => "crash",
        };
        Some(format!("{kind} ({status})"))
    }

    fn stop(&mut self) {
        // It may have ended meanwhile, which is just as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(stdout: ChildStdout) -> Receiver<Message> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        for message in lines.filter_map(|line| Message::parse(&line)) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}

fn replay(files: &[PathBuf]) -> Result<Report, Trouble> {
    let mut report = Report::Clean;
    for file in files {
        let answer = replay_one(file)?;
        println!("{}: {answer}", file.display());
        if !matches!(answer.as_str(), "accepted" | "refused") {
            report = Report::Faults;
        }
    }
    Ok(report)
}

fn replay_one(file: &Path) -> Result<String, Trouble> {
    let path = file.to_str().ok_or("the path is not text")?.to_owned();
    let mut watched = Watched::start(&[path])?;
    let mut answer = "no answer".to_owned();
    loop {
        match watched.next_message() {
            // The child ends right after its answer; it is waited for lest it crash on the way.
            Heard::Message(Message::Begin(_)) => {}
            Heard::Message(Message::End { accepted, .. }) => {
                answer = String::from(if accepted { "accepted" } else { "refused" });
            }
            Heard::Message(Message::Panicked(_, place)) => answer = format!("panic at {place}"),
            Heard::Silence => {
                watched.stop();
                return Ok(format!("no answer within {} s", HANG_LIMIT.as_secs()));
            }
            Heard::End => return Ok(watched.fault_at_end().unwrap_or(answer)),
        }
    }
}

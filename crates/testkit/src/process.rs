//! Running another program with a time limit.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself.
    Ended(ExitStatus),
    /// It was killed when its time was over.
    TimedOut,
}

impl ProcessEnd {
    /// Whether it ended with status 0.
    pub fn is_success(self) -> bool {
        matches!(self, ProcessEnd::Ended(status) if status.success())
    }
}

/// What a process did.
#[derive(Debug, Clone)]
pub struct ProcessResult {
    /// How it ended.
    pub end: ProcessEnd,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// How long it ran.
    pub duration: Duration,
}

/// Runs a command without standard input and kills it when `limit` is over. The output is cut
/// at 16 MiB, which no test program needs.
pub fn run_with_limit(command: &mut Command, limit: Duration) -> io::Result<ProcessResult> {
    let started = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let stdout = read_in_background(child.stdout.take().expect("standard output is piped"));
    let stderr = read_in_background(child.stderr.take().expect("standard error is piped"));
    let mut pause = Duration::from_micros(500);
    let end = loop {
        if let Some(status) = child.try_wait()? {
            break ProcessEnd::Ended(status);
        }
        if started.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            break ProcessEnd::TimedOut;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let duration = started.elapsed();
    let collect = |reader: thread::JoinHandle<Vec<u8>>| reader.join().expect("reading does not panic");
    Ok(ProcessResult { end, stdout: collect(stdout), stderr: collect(stderr), duration })
}

const OUTPUT_LIMIT: u64 = 16 << 20;

fn read_in_background(source: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A process that is killed may break the pipe; what it wrote before still counts.
        let _ = source.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        bytes
    })
}

//! One child process under limits: started, watched, measured, and cleaned up.
//!
//! The process leads a group of its own, so that all of it can be killed, and none of it survives
//! this process. What it prints is kept up to a bound. What the output means is not known here.

use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::process_tree::load;
use crate::sys::{self, Exit, Resources};

/// How often limits are looked at. In 15 runs, a program that only touches new memory got at most
/// 20 MB beyond a bound of 1.1 GB.
const INTERVAL: Duration = Duration::from_millis(20);

/// How much of each output stream is kept; the rest is read and dropped. Documents of executions with hundreds of thousands of
/// inputs have tens of megabytes.
const KEPT_OUTPUT: usize = 1 << 26;

/// When a process is killed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// CPU time of the process and its descendants.
    pub(crate) cpu: Duration,
    /// Wall time: a process that only waits uses no CPU time.
    pub(crate) wall: Duration,
    /// Physical memory, in bytes.
    pub(crate) memory: u64,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It was killed because it ran out of time.
    Time,
    /// It was killed because it used too much memory.
    Memory,
    /// It was killed because the user asked for it.
    Cancelled,
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// How.
    pub(crate) ending: Ending,
    /// CPU time and memory as the kernel accounts for them.
    pub(crate) resources: Resources,
    /// Wall time.
    pub(crate) wall: Duration,
    /// The beginning of its standard output.
    pub(crate) output: String,
    /// The beginning of its standard error.
    pub(crate) messages: String,
}

/// Runs a command to its end.
pub(crate) fn run(mut command: Command, bounds: &Bounds, cancelled: &AtomicBool) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    sys::confine(&mut command, bounds.cpu);
    let started = Instant::now();
    let mut process = Process::new(command.spawn()?, started);
    process.watch(bounds, cancelled)?;
    process.finish()
}

struct Process {
    id: u32,
    started: Instant,
    streams: [Stream; 2],
    killed: Option<Ending>,
    /// Whether the process was waited for. Until then its number is its own.
    reaped: bool,
}

impl Process {
    fn new(mut child: Child, started: Instant) -> Process {
        let output = child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Pipe>);
        let messages = child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Pipe>);
        let streams = [output, messages].map(|pipe| Stream { pipe, kept: vec![] });
        Process { id: child.id(), started, streams, killed: None, reaped: false }
    }

    /// Returns when the process has ended, by itself or because it broke a bound.
    fn watch(&mut self, bounds: &Bounds, cancelled: &AtomicBool) -> io::Result<()> {
        for pipe in self.streams.iter().filter_map(|stream| stream.pipe.as_ref()) {
            sys::set_nonblocking(&pipe.as_raw_fd())?;
        }
        let mut last_look = self.started;
        loop {
            self.wait_for_output();
            if sys::has_ended(self.id)? {
                return Ok(());
            }
            // Output may come at any rate; looking at the limits each time would cost too much.
            if last_look.elapsed() >= INTERVAL {
                last_look = Instant::now();
                self.enforce(bounds, cancelled);
            }
        }
    }

    fn wait_for_output(&mut self) {
        let open: Vec<RawFd> = self.streams.iter().filter_map(Stream::descriptor).collect();
        if open.is_empty() {
            // Processes close their streams when they end: that is likely to come very soon.
            std::thread::sleep(Duration::from_millis(1));
        } else {
            sys::wait_readable(&open, INTERVAL);
        }
        self.streams.iter_mut().for_each(Stream::drain);
    }

    fn enforce(&mut self, bounds: &Bounds, cancelled: &AtomicBool) {
        let load = load(self.id);
        let reason = if cancelled.load(Ordering::SeqCst) {
            Ending::Cancelled
        } else if load.memory > bounds.memory {
            Ending::Memory
        } else if load.cpu > bounds.cpu || self.started.elapsed() > bounds.wall {
            Ending::Time
        } else {
            return;
        };
        self.killed.get_or_insert(reason);
        sys::kill_group(self.id);
    }

    fn finish(mut self) -> io::Result<Finished> {
        let wall = self.started.elapsed();
        // Descendants that outlive the process must not disturb the next one.
        sys::kill_group(self.id);
        let (exit, resources) = sys::reap(self.id)?;
        self.reaped = true;
        self.streams.iter_mut().for_each(Stream::drain);
        let ending = self.killed.unwrap_or(match exit {
            Exit::Code(code) => Ending::Code(code),
            Exit::Signal(libc::SIGXCPU) => Ending::Time,
            Exit::Signal(signal) => Ending::Signal(signal),
        });
        let [output, messages] = &self.streams;
        Ok(Finished { ending, resources, wall, output: output.text(), messages: messages.text() })
    }
}

impl Drop for Process {
    /// After an error nobody watches the process any more.
    fn drop(&mut self) {
        if !self.reaped {
            sys::kill_group(self.id);
            // The error that led here is the one to tell.
            let _ = sys::reap(self.id);
        }
    }
}

trait Pipe: Read + AsRawFd {}

impl<T: Read + AsRawFd> Pipe for T {}

/// An output stream of the process.
struct Stream {
    /// `None` once it was closed.
    pipe: Option<Box<dyn Pipe>>,
    kept: Vec<u8>,
}

impl Stream {
    fn descriptor(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(|pipe| pipe.as_raw_fd())
    }

    /// Takes what is there, without waiting for more.
    fn drain(&mut self) {
        let mut buffer = [0; 1 << 14];
        // A process that prints without end must not keep us from looking at its limits.
        for _ in 0..64 {
            let Some(pipe) = &mut self.pipe else { return };
            match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => self.pipe = None,
                Ok(length) => {
                    let room = KEPT_OUTPUT.saturating_sub(self.kept.len());
                    self.kept.extend_from_slice(&buffer[..length.min(room)]);
                }
            }
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENEROUS: Bounds =
        Bounds { cpu: Duration::from_mins(1), wall: Duration::from_mins(1), memory: 1 << 30 };

    fn shell(script: &str, bounds: &Bounds) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, bounds, &AtomicBool::new(false)).expect("the shell starts")
    }

    #[test]
    fn a_process_that_ends_by_itself_is_told_with_its_output() {
        let finished = shell("echo safe; echo note >&2; exit 3", &GENEROUS);
        assert_eq!(finished.ending, Ending::Code(3));
        assert_eq!((finished.output.as_str(), finished.messages.as_str()), ("safe\n", "note\n"));
        assert!(finished.resources.memory > 0);
    }

    #[test]
    fn signals_are_told() {
        assert_eq!(shell("kill -SEGV $$", &GENEROUS).ending, Ending::Signal(libc::SIGSEGV));
    }

    #[test]
    fn cpu_time_is_bounded() {
        let bounds = Bounds { cpu: Duration::from_millis(200), ..GENEROUS };
        assert_eq!(shell("while :; do :; done", &bounds).ending, Ending::Time);
    }

    #[test]
    fn cpu_time_of_descendants_counts() {
        let bounds = Bounds { cpu: Duration::from_millis(200), ..GENEROUS };
        assert_eq!(shell("sh -c 'while :; do :; done'; exit 0", &bounds).ending, Ending::Time);
    }

    #[test]
    fn waiting_is_bounded_too() {
        let bounds = Bounds { wall: Duration::from_millis(100), ..GENEROUS };
        assert_eq!(shell("sleep 1000; exit 0", &bounds).ending, Ending::Time);
    }

    #[test]
    fn memory_is_bounded() {
        // `x` doubles until it is stopped.
        let bounds = Bounds { memory: 64 << 20, ..GENEROUS };
        assert_eq!(shell("x=0123456789; while :; do x=$x$x; done", &bounds).ending, Ending::Memory);
    }

    #[test]
    fn a_process_can_be_cancelled() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000"]);
        let finished = run(command, &GENEROUS, &AtomicBool::new(true)).expect("the shell starts");
        assert_eq!(finished.ending, Ending::Cancelled);
    }

    #[test]
    fn much_output_neither_blocks_nor_piles_up() {
        let finished = shell("head -c 100000000 /dev/zero; echo end >&2", &GENEROUS);
        assert_eq!((finished.ending, finished.output.len()), (Ending::Code(0), KEPT_OUTPUT));
        assert_eq!(finished.messages, "end\n");
    }

    #[test]
    fn descendants_that_hold_the_streams_open_do_not_matter() {
        let finished = shell("sleep 1000 & echo safe", &GENEROUS);
        assert_eq!((finished.ending, finished.output.as_str()), (Ending::Code(0), "safe\n"));
    }

    #[test]
    fn a_command_that_does_not_exist_is_an_error() {
        let missing = Command::new("/nonexistent/tool");
        assert!(run(missing, &GENEROUS, &AtomicBool::new(false)).is_err());
    }
}

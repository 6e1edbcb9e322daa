//! z3 as an incremental process, for comparison.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rorqual_interpolation::recorded::{RecordedPath, Recording};

/// A running z3.
pub(crate) struct Z3 {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    /// Starts z3 for the paths of a recording and waits until it is ready; `None` if it is not installed.
    pub(crate) fn start(recording: &Recording) -> Option<Z3> {
        let mut command = Command::new("z3");
        let mut process = command.arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let input = process.stdin.take().expect("a pipe was asked for");
        let output = BufReader::new(process.stdout.take().expect("a pipe was asked for"));
        let mut z3 = Z3 { process, input, output };
        let timeout = crate::measure::TIMEOUT.as_millis();
        let logic = logic(recording);
        let preamble = format!("(set-option :timeout {timeout})\n{logic}{}", recording.declarations);
        z3.ask(&format!("{preamble}(push 1)\n(check-sat)\n(pop 1)\n"));
        Some(z3)
    }

    /// Decides a path: the answer, and how long it took from the first byte of the text to the answer.
    pub(crate) fn check(&mut self, path: &RecordedPath) -> (String, Duration) {
        let mut query = "(push 1)\n".to_owned();
        for part in &path.parts {
            query.extend(["(assert ", part, ")\n"]);
        }
        query.push_str("(check-sat)\n(pop 1)\n");
        let start = Instant::now();
        let answer = self.ask(&query);
        (answer, start.elapsed())
    }

    /// How long the answer to a question without content takes: the cost of the pipes.
    pub(crate) fn round_trip(&mut self) -> Duration {
        let nothing = RecordedPath::default();
        (0..9).map(|_| self.check(&nothing).1).min().unwrap_or_default()
    }

    fn ask(&mut self, text: &str) -> String {
        self.input.write_all(text.as_bytes()).expect("z3 reads");
        self.input.flush().expect("z3 reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("z3 answers");
        line.trim().to_owned()
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// `QF_BV` gives z3 its incremental solver for bit-vectors, which is its fastest here.
fn logic(recording: &Recording) -> &'static str {
    if recording.declarations.contains("(Array") { "(set-logic QF_ABV)\n" } else { "(set-logic QF_BV)\n" }
}

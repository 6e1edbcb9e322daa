//! Standard output, and the terminal of a program that is run.

use std::io::{self, BufWriter, Read, StdinLock, Stdout, Write};

use rorqual_interpreter::{Console, Stream};

use crate::exit::{Problem, Status};

/// Prints a complete result. A reader that went away is not an error.
pub(crate) fn print(text: &[u8]) -> Result<Status, Problem> {
    let mut output = io::stdout().lock();
    match output.write_all(text).and_then(|()| output.flush()) {
        Ok(()) => Ok(Status::Success),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Status::Success),
        Err(error) => Err(Problem::Output(format!("cannot write to standard output: {error}"))),
    }
}

/// Standard input, output and error, given to the program.
#[derive(Debug)]
pub(crate) struct Terminal {
    output: BufWriter<Stdout>,
    input: io::Bytes<StdinLock<'static>>,
}

impl Terminal {
    /// The process's own streams.
    pub(crate) fn new() -> Terminal {
        Terminal { output: BufWriter::new(io::stdout()), input: io::stdin().lock().bytes() }
    }

    /// Makes everything written so far visible.
    pub(crate) fn flush(&mut self) {
        // A program whose reader went away is still run to its end: its verdict counts.
        let _ = self.output.flush();
    }
}

impl Console for Terminal {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Output => {
                let _ = self.output.write_all(bytes);
            }
            Stream::Error => {
                self.flush();
                let _ = io::stderr().write_all(bytes);
            }
        }
    }

    fn read(&mut self) -> Option<u8> {
        // What the program asked must be visible before it waits for the answer.
        self.flush();
        self.input.next()?.ok()
    }
}

//! A directory of its own for each test, and the binary run in it.

// Each test file uses a part of this.
#![allow(dead_code)]

pub(crate) mod random;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A text without the times that it tells, which differ from run to run.
pub(crate) fn without_times(text: &str) -> String {
    let line = |line: &str| match (line.strip_prefix("  tried "), line.find(" s: ")) {
        (Some(_), Some(end)) => {
            let start = line[..end].rfind(' ').map_or(end, |space| space + 1);
            format!("{}…{}\n", &line[..start], &line[end..])
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Says that a test is skipped, and why, past the test harness, which keeps the output of passing tests to itself.
pub(crate) fn skip(test: &str, reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
}

/// Sends a signal such as `INT`. Every shell can, whereas the program `kill` is not installed everywhere.
#[track_caller]
pub(crate) fn send(signal: &str, process: u32) {
    let status = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status();
    assert!(status.expect("the shell starts").success());
}

/// A temporary directory.
pub(crate) struct Workspace {
    directory: TempDir,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) messages: String,
}

impl Workspace {
    /// A directory with the given files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Workspace {
        let workspace = Workspace { directory: TempDir::new().expect("a temporary directory can be made") };
        for (name, text) in files {
            workspace.write(name, text.as_bytes());
        }
        workspace
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("files are in the directory"))
            .expect("directories can be made");
        std::fs::write(path, content).expect("the file can be written");
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("the file can be read")
    }

    /// Runs `rorqual` with arguments that are separated by spaces.
    pub(crate) fn rorqual(&self, arguments: &str) -> Answer {
        let output = self.command(arguments).stdin(Stdio::null()).output().expect("the binary starts");
        self.answer(output)
    }

    /// The command before it is started.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments.split_whitespace()).current_dir(self.path()).env_remove("NO_COLOR");
        command
    }

    /// The output as text, with the directory's own name replaced by `[DIR]`.
    pub(crate) fn answer(&self, output: Output) -> Answer {
        let text = |bytes| {
            let text = String::from_utf8(bytes).expect("the output is text");
            text.replace(&*self.path().to_string_lossy(), "[DIR]")
        };
        Answer {
            code: output.status.code().expect("the process is not killed"),
            output: text(output.stdout),
            messages: text(output.stderr),
        }
    }
}

/// The binary under test.
pub(crate) fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_rorqual"))
}

impl Answer {
    /// The first line of the output, with its end.
    pub(crate) fn line(&self) -> String {
        self.output.split_inclusive('\n').next().unwrap_or_default().to_owned()
    }

    /// Asserts that a file was refused: code 65, nothing printed, and `part` among the messages.
    #[track_caller]
    pub(crate) fn assert_refused(&self, part: &str) -> &Answer {
        assert_eq!((self.code, self.output.as_str()), (65, ""), "{self:#?}");
        assert!(self.messages.starts_with("error: "), "{}", self.messages);
        assert!(self.messages.contains(part), "`{part}` is not in:\n{}", self.messages);
        self
    }

    /// Asserts that the message points at a place.
    #[track_caller]
    pub(crate) fn assert_caret(&self, place: &str) {
        assert!(self.messages.contains(&format!("--> {place}")), "no `{place}` in:\n{}", self.messages);
        assert!(self.messages.contains('^'), "{}", self.messages);
    }
}

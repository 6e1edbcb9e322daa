//! gcc as the oracle: what a C program means on this machine.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use rorqual_cfa::DataModel;

use crate::ending::Ending;
use crate::process::{ProcessEnd, run_with_limit};

/// Compilation of the largest csmith programs takes below 3 s on one core of the build machine.
const COMPILATION_LIMIT: Duration = Duration::from_mins(1);

/// `ilp32` or `lp64`, as `--data-model` spells it.
pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

/// gcc without optimisation and with signed overflow that wraps, for one data model.
#[derive(Debug, Clone, Copy)]
pub struct Gcc {
    model: DataModel,
}

/// Why gcc gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GccProblem {
    /// It did not compile the program.
    Rejected(String),
    /// The compiled program ran for too long.
    TimedOut,
}

impl fmt::Display for GccProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GccProblem::Rejected(message) => write!(f, "gcc rejects the program: {message}"),
            GccProblem::TimedOut => f.write_str("the program compiled by gcc does not end in time"),
        }
    }
}

/// What a compiled program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeRun {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
}

impl Gcc {
    /// gcc for a data model, or why it cannot be used on this machine.
    pub fn find(model: DataModel) -> Result<Gcc, String> {
        static LP64: OnceLock<Result<(), String>> = OnceLock::new();
        static ILP32: OnceLock<Result<(), String>> = OnceLock::new();
        let known = match model {
            DataModel::Lp64 => &LP64,
            DataModel::Ilp32 => &ILP32,
        };
        let gcc = Gcc { model };
        known.get_or_init(|| gcc.try_out()).clone().map(|()| gcc)
    }

    fn try_out(self) -> Result<(), String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let source = directory.path().join("try.c");
        let text = "#include <stdio.h>\nint main(void) { return printf(\"\"); }\n";
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let compiler = match self.model {
            DataModel::Lp64 => "gcc is not installed",
            DataModel::Ilp32 => "gcc -m32 (package gcc-multilib) is not installed",
        };
        match self.compile_and_run(&[&source], &[], Duration::from_secs(10)) {
            Ok(_) => Ok(()),
            Err(problem) => Err(format!("{compiler} ({problem})")),
        }
    }

    /// Flags for a machine with the data model on which every floating-point operation rounds to its type.
    fn machine_flags(self) -> &'static [&'static str] {
        match self.model {
            DataModel::Lp64 => &["-m64"],
            DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        }
    }

    /// Compiles the files into one program and runs it.
    pub fn compile_and_run(
        self,
        files: &[&Path],
        flags: &[&str],
        limit: Duration,
    ) -> Result<NativeRun, GccProblem> {
        let rejected = |error: std::io::Error| GccProblem::Rejected(error.to_string());
        let directory = tempfile::tempdir().map_err(rejected)?;
        let binary = directory.path().join("program");
        self.compile(files, flags, &binary)?;
        let result = run_with_limit(&mut Command::new(&binary), limit).map_err(rejected)?;
        match result.end {
            ProcessEnd::TimedOut => Err(GccProblem::TimedOut),
            ProcessEnd::Ended(status) => {
                Ok(NativeRun { ending: Ending::of_process(status), stdout: result.stdout })
            }
        }
    }

    fn compile(self, files: &[&Path], flags: &[&str], binary: &Path) -> Result<(), GccProblem> {
        let mut command = Command::new("gcc");
        command.args(["-O0", "-w", "-fwrapv"]).args(self.machine_flags()).args(flags);
        command.args(files).arg("-o").arg(binary).arg("-lm");
        let result = run_with_limit(&mut command, COMPILATION_LIMIT);
        let result = result.map_err(|error| GccProblem::Rejected(error.to_string()))?;
        if result.end.is_success() {
            return Ok(());
        }
        let messages = String::from_utf8_lossy(&result.stderr);
        let first_error = messages.lines().find(|line| line.contains("error"));
        Err(GccProblem::Rejected(first_error.unwrap_or("no message").to_owned()))
    }
}

/// The directories in which gcc looks for `#include <…>`; none if there is no gcc.
pub fn gcc_include_directories(model: DataModel) -> Vec<PathBuf> {
    static LP64: OnceLock<Vec<PathBuf>> = OnceLock::new();
    static ILP32: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let known = match model {
        DataModel::Lp64 => &LP64,
        DataModel::Ilp32 => &ILP32,
    };
    known.get_or_init(|| ask_for_include_directories(Gcc { model })).clone()
}

fn ask_for_include_directories(gcc: Gcc) -> Vec<PathBuf> {
    let mut command = Command::new("gcc");
    command.args(gcc.machine_flags()).args(["-E", "-v", "-xc", "/dev/null"]).env("LC_ALL", "C");
    let Ok(result) = run_with_limit(&mut command, Duration::from_secs(10)) else { return vec![] };
    let text = String::from_utf8_lossy(&result.stderr).into_owned();
    let listed = text.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1);
    let listed = listed.take_while(|line| line.starts_with(' '));
    listed.map(|line| PathBuf::from(line.trim())).collect()
}

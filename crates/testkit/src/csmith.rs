//! Random C programs from csmith, run natively through gcc and by a subject under test.
//!
//! csmith's programs have no undefined behaviour and print one checksum of all their global
//! variables, so the two outputs must be equal.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;

use crate::ending::Ending;
use crate::frontend::{read, render_failure};
use crate::gcc::{Gcc, GccProblem};
use crate::host::SystemHost;
use crate::process::{ProcessEnd, run_with_limit};
use crate::run::{RunSettings, interpret};

/// csmith itself sometimes searches for ever; usual programs take it well below a second.
const GENERATION_LIMIT: Duration = Duration::from_secs(20);

/// One in eight programs of csmith never ends. Those that do mostly take milliseconds; the
/// interpreter takes about a hundred times as long.
pub(crate) const NATIVE_LIMIT: Duration = Duration::from_secs(1);

/// Where Debian's and upstream's packages put `csmith.h`.
const HEADER_DIRECTORIES: [&str; 3] =
    ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0"];

/// Names the directory of a `csmith.h` that is installed elsewhere.
const HEADER_VARIABLE: &str = "CSMITH_INCLUDE";

/// What programs are made of; chosen in turn by the seed, so that a campaign meets them all.
/// csmith's defaults include bit-fields, packed structures, unions, volatile objects and jumps.
/// `--float` is left out: it makes programs that convert numbers to integers they do not fit into.
const OPTION_SETS: [&[&str]; 7] = [
    &[],
    &["--fixed-struct-fields", "--max-struct-fields", "8", "--max-union-fields", "7"],
    &["--no-argc", "--fresh-array-ctrl-var-names", "--max-array-dim", "4", "--max-array-len-per-dim", "5"],
    &["--no-pointers", "--no-unions", "--max-expr-complexity", "20"],
    &["--max-pointer-depth", "5", "--inline-function", "--const-as-condition"],
    &["--no-packed-struct", "--no-volatiles", "--no-consts", "--max-struct-nested-level", "5"],
    &["--no-math64", "--no-longlong", "--max-funcs", "20"],
];

/// How large the programs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// As csmith makes them: 100 to 5,000 lines.
    Usual,
    /// Small enough for a test suite.
    Small,
}

/// How a random program is made. Equal recipes make equal programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// The seed of csmith, which also chooses the set of options.
    pub seed: u64,
    /// How large it is.
    pub size: Size,
    /// The data model it is compiled for.
    pub model: DataModel,
}

/// What the subject under test did with a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectRun {
    /// It ran the program.
    Ran {
        /// How the program ended.
        ending: Ending,
        /// What it wrote.
        stdout: Vec<u8>,
    },
    /// It refused to read the program, or broke.
    Refused(String),
}

/// What came out of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// Both printed the same.
    Agrees,
    /// There is nothing to compare with.
    Skipped(String),
    /// The subject ran out of time.
    SubjectTimedOut,
    /// They did not print the same, or not end the same.
    Disagrees {
        /// The last line and the ending of the native program.
        native: String,
        /// The same of the subject.
        subject: String,
    },
    /// The subject ended the program in a way that a native program cannot: undefined
    /// behaviour, or something unsupported.
    Stopped(String),
    /// The subject refused the program or broke.
    Refused(String),
}

impl Comparison {
    /// Whether this is a mistake of the subject.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Comparison::Agrees | Comparison::Skipped(_) | Comparison::SubjectTimedOut)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Comparison::Agrees => f.write_str("agrees"),
            Comparison::Skipped(reason) => write!(f, "skipped: {reason}"),
            Comparison::SubjectTimedOut => f.write_str("rorqual does not end in time"),
            Comparison::Disagrees { native, subject } => write!(f, "gcc: {native}; rorqual: {subject}"),
            Comparison::Stopped(ending) => write!(f, "rorqual stops: {ending}"),
            Comparison::Refused(message) => write!(f, "rorqual refuses: {message}"),
        }
    }
}

/// The directory with `csmith.h`, or why csmith cannot be used on this machine.
pub fn find() -> Result<PathBuf, String> {
    let result = run_with_limit(Command::new("csmith").arg("--version"), GENERATION_LIMIT);
    if !result.is_ok_and(|result| result.end.is_success()) {
        return Err("csmith is not installed".to_owned());
    }
    let chosen = std::env::var_os(HEADER_VARIABLE).map(PathBuf::from);
    let mut directories = chosen.into_iter().chain(HEADER_DIRECTORIES.iter().map(PathBuf::from));
    let found = directories.find(|directory| directory.join("csmith.h").exists());
    found.ok_or_else(|| "the package libcsmith-dev is not installed".to_owned())
}

impl Recipe {
    /// The options for csmith.
    pub fn options(&self) -> Vec<&'static str> {
        let mut options = OPTION_SETS[(self.seed % OPTION_SETS.len() as u64) as usize].to_vec();
        if self.size == Size::Small {
            options.extend(["--max-funcs", "5", "--max-block-depth", "3", "--max-block-size", "3"]);
        }
        options
    }

    /// Writes the program to `file`.
    pub fn generate(&self, file: &Path) -> Result<(), String> {
        self.generate_with(file, &[])
    }

    /// Writes a program to `file` that is made with further options.
    pub(crate) fn generate_with(&self, file: &Path, further: &[&str]) -> Result<(), String> {
        let mut command = Command::new("csmith");
        command.arg("--seed").arg(self.seed.to_string()).arg("--output").arg(file);
        command.args(self.options()).args(further);
        // csmith writes `platform.info` to its working directory.
        if let Some(directory) = file.parent() {
            command.current_dir(directory);
        }
        match run_with_limit(&mut command, GENERATION_LIMIT) {
            Err(error) => Err(format!("csmith cannot be started: {error}")),
            Ok(result) if result.end == ProcessEnd::TimedOut => Err("csmith does not end in time".to_owned()),
            Ok(result) if !result.end.is_success() => Err("csmith fails".to_owned()),
            Ok(_) if !file.exists() => Err("csmith writes no program".to_owned()),
            Ok(_) => Ok(()),
        }
    }

    /// Makes the program in `file`, runs it natively and by `subject`, and compares.
    pub fn compare(&self, headers: &Path, file: &Path, subject: &dyn Fn(&Path) -> SubjectRun) -> Comparison {
        if let Err(reason) = self.generate(file) {
            return Comparison::Skipped(reason);
        }
        let gcc = match Gcc::find(self.model) {
            Ok(gcc) => gcc,
            Err(reason) => return Comparison::Skipped(reason),
        };
        let include = format!("-I{}", headers.display());
        let native = match gcc.compile_and_run(&[file], &[&include], NATIVE_LIMIT) {
            Ok(run) => run,
            Err(problem @ (GccProblem::Rejected(_) | GccProblem::TimedOut)) => {
                return Comparison::Skipped(problem.to_string());
            }
        };
        match subject(file) {
            SubjectRun::Refused(message) => Comparison::Refused(message),
            SubjectRun::Ran { ending: Ending::TimedOut, .. } => Comparison::SubjectTimedOut,
            SubjectRun::Ran { ending: ending @ (Ending::Undefined { .. } | Ending::Other(_)), .. } => {
                Comparison::Stopped(ending.to_string())
            }
            SubjectRun::Ran { ending, stdout } => {
                let ending = ending.as_seen_by_parent();
                if ending == native.ending && stdout == native.stdout {
                    return Comparison::Agrees;
                }
                let native = summary(&native.ending, &native.stdout);
                Comparison::Disagrees { native, subject: summary(&ending, &stdout) }
            }
        }
    }
}

fn summary(ending: &Ending, stdout: &[u8]) -> String {
    let text = String::from_utf8_lossy(stdout);
    format!("{}, {ending}", text.lines().last().unwrap_or("no output"))
}

/// The interpreter in this process as the subject under test.
pub fn interpret_file(file: &Path, headers: &Path, model: DataModel, limit: Duration) -> SubjectRun {
    let unit =
        TranslationUnit { include_directories: vec![headers.to_owned()], ..TranslationUnit::new(file) };
    match read(&[unit], model, &SystemHost) {
        Err(failure) => SubjectRun::Refused(render_failure(&failure)),
        Ok(program) => {
            let settings = RunSettings { time_limit: limit, ..RunSettings::default() };
            let run = interpret(&program, &settings);
            SubjectRun::Ran { ending: run.ending, stdout: run.stdout }
        }
    }
}

/// Copies a program to `directory` under a name that tells its recipe.
pub fn keep(recipe: &Recipe, file: &Path, directory: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir_all(directory)?;
    let name = format!("csmith-{}-{}.c", crate::gcc::model_name(recipe.model), recipe.seed);
    let kept = directory.join(name);
    fs::copy(file, &kept)?;
    Ok(kept)
}

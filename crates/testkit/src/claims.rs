//! Random programs of csmith as tasks for `rorqual check`: the values that gcc's program gives to all global variables
//! are claimed in the program, once as they are and once with the last of them denied.
//!
//! Whatever csmith hashes into its checksum (every scalar in every global variable, in unions, bit-fields and
//! arrays) passes through `transparent_crc`, which becomes a claim here. With `--check-global`, the option of every second
//! program, `printf` does.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::csmith::{NATIVE_LIMIT, Recipe};
use crate::gcc::{Gcc, model_name};
use crate::process::{ProcessEnd, run_with_limit};

/// The line after which `transparent_crc` gets its other meaning.
const INCLUDE: &str = "#include \"csmith.h\"";

/// Programs with more values are skipped: each is a step for every engine.
const MOST_VALUES: usize = 2_000;

/// What `check` says about a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// The program is proved.
    Safe,
    /// A violation was found.
    Unsafe,
    /// Neither.
    Unknown,
}

/// What came out of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// What was said about the true claims and about those of which the last is false. Neither is wrong.
    Fine {
        /// `Safe` or `Unknown`.
        truth: Said,
        /// `Unsafe` or `Unknown`.
        lie: Said,
    },
    /// There is nothing to compare with.
    Skipped(String),
    /// A wrong verdict, and the program that it is about.
    Wrong {
        /// What was said.
        message: String,
        /// The text of the program.
        text: String,
    },
    /// `check` refused the program or broke.
    Refused {
        /// What it said.
        message: String,
        /// The text of the program.
        text: String,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Fine { truth, lie } => write!(f, "{truth:?} for the truth, {lie:?} for the lie"),
            Outcome::Skipped(reason) => write!(f, "skipped: {reason}"),
            Outcome::Wrong { message, .. } => write!(f, "wrong verdict: {message}"),
            Outcome::Refused { message, .. } => write!(f, "refused: {message}"),
        }
    }
}

/// The binary under test.
#[derive(Debug, Clone)]
pub struct Checker {
    /// The executable.
    pub binary: PathBuf,
    /// Where `csmith.h` is.
    pub headers: PathBuf,
    /// CPU time of one check.
    pub time_limit: Duration,
}

impl Recipe {
    /// Makes the program in `file` and compares what `check` says about its claims with the truth.
    pub fn claim(&self, checker: &Checker, file: &Path) -> Outcome {
        // The arguments of `main` are inputs for `check`.
        let further =
            if self.seed.is_multiple_of(2) { &["--no-argc", "--check-global"][..] } else { &["--no-argc"] };
        let prepared = self.generate_with(file, further).and_then(|()| self.values(checker, file));
        let (text, values) = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => return Outcome::Skipped(reason),
        };
        let mut said = Vec::new();
        for (claims, wrong) in [(Claims::True, Said::Unsafe), (Claims::LastIsFalse, Said::Safe)] {
            let text = with_prologue(&text, &claims.prologue(&values));
            match checker.check(self, file, &text) {
                Err(message) => return Outcome::Refused { message, text },
                Ok((verdict, line)) if verdict == wrong => {
                    return Outcome::Wrong { message: format!("{line} ({claims:?})"), text };
                }
                Ok((verdict, _)) => said.push(verdict),
            }
        }
        Outcome::Fine { truth: said[0], lie: said[1] }
    }

    /// The text of the program, and the values that gcc's program gives to what is hashed.
    fn values(&self, checker: &Checker, file: &Path) -> Result<(String, Vec<u64>), String> {
        let gcc = Gcc::find(self.model)?;
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let print = "static void rorqual_claim(unsigned long long value) { printf(\"%llx\\n\", value); }\n";
        std::fs::write(file, with_prologue(&text, print)).map_err(|error| error.to_string())?;
        let include = format!("-I{}", checker.headers.display());
        let run = gcc.compile_and_run(&[file], &[&include], NATIVE_LIMIT);
        let output = run.map_err(|problem| problem.to_string())?.stdout;
        let lines = String::from_utf8_lossy(&output).into_owned();
        let values: Result<Vec<u64>, _> = lines.lines().map(|line| u64::from_str_radix(line, 16)).collect();
        match values {
            Ok(values) if values.is_empty() => Err("the program has no global variables".to_owned()),
            Ok(values) if values.len() > MOST_VALUES => Err(format!("it has {} values", values.len())),
            Ok(values) => Ok((text, values)),
            Err(_) => Err("gcc's program prints something else than numbers".to_owned()),
        }
    }
}

/// What is claimed of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claims {
    True,
    LastIsFalse,
}

impl Claims {
    fn prologue(self, values: &[u64]) -> String {
        let mut list = String::new();
        for value in values {
            let _ = write!(list, "0x{value:x}ULL, ");
        }
        let last = values.len() - 1;
        let violated = match self {
            Claims::True => "value != expected".to_owned(),
            Claims::LastIsFalse => format!("rorqual_at == {last} && value == expected"),
        };
        format!(
            "extern void reach_error(void);\n\
             static const unsigned long long rorqual_expected[] = {{ {list}}};\n\
             static int rorqual_at;\n\
             static void rorqual_claim(unsigned long long value) {{\n    \
             unsigned long long expected = rorqual_expected[rorqual_at];\n    \
             if ({violated}) reach_error();\n    rorqual_at++;\n}}\n"
        )
    }
}

/// The program with the checksum left out and claims made instead.
fn with_prologue(text: &str, prologue: &str) -> String {
    let meaning = "#define crc32_gentab()\n#define platform_main_end(checksum, flag)\n\
                   #define transparent_crc(value, name, flag) rorqual_claim(value)\n";
    let printed = "#define printf(format, value) rorqual_claim(value)\n";
    // Programs with a checksum print where they are on demand.
    let printed = if text.contains("transparent_crc") { "" } else { printed };
    text.replacen(INCLUDE, &format!("{INCLUDE}\n{prologue}{meaning}{printed}"), 1)
}

impl Checker {
    /// The verdict and the line that tells it.
    fn check(&self, recipe: &Recipe, file: &Path, text: &str) -> Result<(Said, String), String> {
        std::fs::write(file, text).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.binary);
        command.arg("check").arg(file).arg("-I").arg(&self.headers);
        command.args(["--data-model", model_name(recipe.model)]);
        command.args(["--time-limit", &format!("{}ms", self.time_limit.as_millis().max(1))]);
        command.args(["--memory-limit", "4GB"]);
        // The tool keeps its own time; this is for a machine with many other things to do.
        let result = run_with_limit(&mut command, self.time_limit * 10 + Duration::from_mins(1));
        let result = result.map_err(|error| error.to_string())?;
        let line = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().next().unwrap_or("").to_owned();
        let ProcessEnd::Ended(status) = result.end else { return Err("it does not end".to_owned()) };
        let said = match status.code() {
            Some(0) => Said::Safe,
            Some(10) => Said::Unsafe,
            Some(20) => Said::Unknown,
            _ => return Err(format!("{status}: {}{}", line(&result.stdout), line(&result.stderr))),
        };
        Ok((said, line(&result.stdout)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_stand_behind_the_header() {
        let text = "#include \"csmith.h\"\nint main(void) { transparent_crc(1, \"g\", 0); return 0; }\n";
        let truth = with_prologue(text, &Claims::True.prologue(&[1, 0xff]));
        assert!(truth.starts_with("#include \"csmith.h\"\nextern void reach_error(void);\n"));
        assert!(truth.contains("{ 0x1ULL, 0xffULL, }") && truth.contains("if (value != expected)"));
        let lie = with_prologue(text, &Claims::LastIsFalse.prologue(&[1, 0xff]));
        assert!(lie.contains("if (rorqual_at == 1 && value == expected)"));
    }
}

//! Comparing generated programs: gcc against the binary under test.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rorqual_cfa::DataModel;

use super::program::{Input, Program, printing_all, values_of_all};
use super::{Recipe, Verdict};
use crate::gcc::{Gcc, model_name};
use crate::process::{ProcessEnd, run_with_limit};

/// Programs run for microseconds; one that does not end is a mistake of the generator.
const NATIVE_LIMIT: Duration = Duration::from_secs(20);

/// The binary's own limit is CPU time; it is killed after this many times the limit, however busy
/// the machine is.
const PATIENCE: u32 = 20;

/// The binary under test.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Where it is.
    pub binary: PathBuf,
    /// How long one check may take.
    pub time_limit: Duration,
}

/// Something that is wrong with a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The command that shows it.
    pub command: &'static str,
    /// What was expected, and what came.
    pub message: String,
    /// The program that shows it.
    pub text: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.command, self.message)
    }
}

/// What came out of one program.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// How it was made.
    pub recipe: Recipe,
    /// What it is about.
    pub family: &'static str,
    /// How many values were compared.
    pub values: usize,
    /// All that is wrong.
    pub differences: Vec<Difference>,
    /// Why checks gave no verdict.
    pub unknown: Vec<Difference>,
}

/// Compares programs that one translation unit for gcc is made of. Fails if gcc has no values for
/// them, which is a mistake of the generator.
pub fn compare(recipes: &[Recipe], subject: &Subject) -> Result<Vec<Comparison>, String> {
    let Some(model) = recipes.first().map(|recipe| recipe.model) else { return Ok(vec![]) };
    let programs: Vec<Program> = recipes.iter().map(Recipe::program).collect();
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let values = native_values(&programs, model, directory.path())?;
    let file = directory.path().join("program.c");
    let compared = recipes.iter().zip(&programs).zip(&values);
    Ok(compared.map(|((recipe, program), values)| subject.compare(recipe, program, values, &file)).collect())
}

/// What gcc says that the programs print.
pub fn native_values(
    programs: &[Program],
    model: DataModel,
    directory: &Path,
) -> Result<Vec<Vec<String>>, String> {
    let file = directory.join("all.c");
    let text = printing_all(programs);
    fs::write(&file, &text).map_err(|error| error.to_string())?;
    let run = Gcc::find(model)?.compile_and_run(&[&file], &["-std=gnu11"], NATIVE_LIMIT);
    let run = run.map_err(|problem| {
        let kept = std::env::temp_dir().join("conformance-rejected.c");
        let _ = fs::write(&kept, &text);
        format!("{problem} (the file is {})", kept.display())
    })?;
    values_of_all(programs, &String::from_utf8_lossy(&run.stdout))
        .map_err(|error| format!("{error}; it ended with: {}", run.ending))
}

impl Subject {
    fn compare(&self, recipe: &Recipe, program: &Program, values: &[String], file: &Path) -> Comparison {
        let mut comparison = Comparison {
            recipe: *recipe,
            family: program.family,
            values: values.len(),
            differences: Vec::new(),
            unknown: Vec::new(),
        };
        self.compare_run(&mut comparison, program, values, file);
        // Conversions of symbolic integers to floating point have no exact model.
        let is_known = recipe.index.is_multiple_of(2) || program.is_floating();
        let input = if is_known { Input::Known } else { Input::Unknown };
        let text = program.asserting(values, input);
        self.compare_check(&mut comparison, text, Verdict::Safe, file);
        // Each program has one negation; over a campaign all places of values have their turn.
        if !values.is_empty() {
            let number = recipe.index as usize / 2 % values.len();
            let text = program.denying(values, number, input);
            self.compare_check(&mut comparison, text, Verdict::Unsafe, file);
        }
        comparison
    }

    fn compare_run(&self, comparison: &mut Comparison, program: &Program, values: &[String], file: &Path) {
        let text = program.printing();
        let problem = match self.execute("run", &text, comparison.recipe.model, file) {
            Err(problem) => Some(problem),
            Ok((0, output, _)) => {
                let lines: Vec<&str> = output.lines().collect();
                let at = (0..values.len()).find(|&at| lines.get(at) != Some(&values[at].as_str()));
                at.map(|at| {
                    let got = lines.get(at).unwrap_or(&"nothing");
                    format!("value {at} is {got}, in gcc it is {}", values[at])
                })
            }
            Ok((code, _, messages)) => Some(format!("exit code {code}: {messages}")),
        };
        comparison.differences.extend(problem.map(|message| Difference { command: "run", message, text }));
    }

    fn compare_check(&self, comparison: &mut Comparison, text: String, expected: Verdict, file: &Path) {
        let (verdict, message) = match self.execute("check", &text, comparison.recipe.model, file) {
            Err(problem) => (Verdict::Broken, problem),
            Ok((code, output, messages)) => {
                let first = output.lines().next().unwrap_or("no verdict").to_owned();
                (Verdict::of_exit_code(code), format!("{first} {messages}"))
            }
        };
        if verdict == expected {
            return;
        }
        let message = format!("{message} (expected: {expected})");
        let difference = Difference { command: "check", message, text };
        if verdict == Verdict::Unknown {
            comparison.unknown.push(difference);
        } else {
            comparison.differences.push(difference);
        }
    }

    /// The exit code, standard output, and a line of standard error with the place.
    fn execute(
        &self,
        command: &str,
        text: &str,
        model: DataModel,
        file: &Path,
    ) -> Result<(i32, String, String), String> {
        fs::write(file, text).map_err(|error| error.to_string())?;
        let mut process = Command::new(&self.binary);
        process.arg(command).arg(file).args(["--data-model", model_name(model)]);
        process.args(["--time-limit", &format!("{}s", self.time_limit.as_secs().max(1))]);
        let result =
            run_with_limit(&mut process, self.time_limit * PATIENCE).map_err(|error| error.to_string())?;
        let ProcessEnd::Ended(status) = result.end else {
            return Err("it does not end by itself".to_owned());
        };
        let code = status.code().ok_or_else(|| status.to_string())?;
        let output = String::from_utf8_lossy(&result.stdout).into_owned();
        let messages = String::from_utf8_lossy(&result.stderr);
        let shown = messages.lines().take(6).map(str::trim).collect::<Vec<_>>().join(" / ");
        Ok((code, output, shown))
    }
}

//! From the FILEs and flags of a command to a program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rorqual_cfa::{
    Check, Program, UndefinedFunctions, add_checks, lists_as_variables, treat_undefined, undefined_functions,
};
use rorqual_frontend::input::{Database, Property, Task, define, undefine};
use rorqual_frontend::{Failure, Host, Models, Options, TranslationUnit};
use rorqual_interpreter::is_library_function;
use rorqual_source::{Diagnostic, SourceMap};

use crate::arguments::{Macro, Sources};
use crate::exit::{Problem, complain};
use crate::render;

/// One program to read.
#[derive(Debug)]
pub(crate) struct Job {
    /// Its files.
    pub(crate) units: Vec<TranslationUnit>,
    /// How to read them.
    pub(crate) options: Options,
    /// What to check it for, in the order of [`Check::ALL`].
    pub(crate) checks: Vec<Check>,
    /// What calls of functions without body mean.
    undefined: UndefinedFunctions,
}

impl Job {
    /// The program that a command line names.
    pub(crate) fn from_arguments(sources: &Sources, host: &dyn Host) -> Result<Job, Problem> {
        if let Some(directory) = &sources.compile_commands {
            return Job::from_database(sources, directory, host);
        }
        match sources.files.iter().find(|file| is_yaml(file)) {
            None => Ok(Job::from_files(sources, &sources.files, host)?),
            Some(task) if sources.files.len() == 1 => {
                Ok(Job::from_task(sources, &Task::read(host, task)?, host)?)
            }
            Some(task) => Err(Problem::Usage(format!(
                "the task definition `{}` names its own files, so no other FILE can be given",
                task.display()
            ))),
        }
    }

    /// C files.
    pub(crate) fn from_files(sources: &Sources, files: &[PathBuf], host: &dyn Host) -> Result<Job, Failure> {
        let units = files.iter().map(TranslationUnit::new).collect();
        Job::new(sources, units, Options::default(), None, host)
    }

    /// A task definition, whose settings hold unless a flag says otherwise.
    pub(crate) fn from_task(sources: &Sources, task: &Task, host: &dyn Host) -> Result<Job, Failure> {
        let mut options = Options::default();
        if let Some(model) = task.data_model {
            options.data_model = model;
        }
        let mut checks = None;
        if sources.property.is_none()
            && sources.error_functions.is_empty()
            && let Some(property) = task.property(host)?
        {
            checks = Some(apply(&mut options, property));
        }
        Job::new(sources, task.units.clone(), options, checks, host)
    }

    fn from_database(sources: &Sources, directory: &Path, host: &dyn Host) -> Result<Job, Problem> {
        if let Some(task) = sources.files.iter().find(|file| is_yaml(file)) {
            let message = "cannot be used together with `--compile-commands`";
            return Err(Problem::Usage(format!("the task definition `{}` {message}", task.display())));
        }
        let absolute = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let files: Vec<_> = sources.files.iter().map(|file| (file.clone(), absolute(file))).collect();
        let database = Database::read(host, directory, &files)?;
        show_warnings(&database.warnings.sources, &database.warnings.diagnostics);
        let mut options = Options::default();
        if let Some(model) = database.data_model {
            options.data_model = model;
        }
        Ok(Job::new(sources, database.units, options, None, host)?)
    }

    /// Applies the flags, which have the last word.
    fn new(
        sources: &Sources,
        mut units: Vec<TranslationUnit>,
        mut options: Options,
        mut checks: Option<Vec<Check>>,
        host: &dyn Host,
    ) -> Result<Job, Failure> {
        if let Some(property) = &sources.property {
            checks = Some(apply(&mut options, Property::read(host, property)?));
        }
        let checks = sources.checks().or(checks).unwrap_or_else(|| vec![Check::Assertions]);
        if let Some(model) = sources.data_model() {
            options.data_model = model;
        }
        if let Some(entry) = &sources.entry {
            options.entry.clone_from(entry);
        }
        if !sources.error_functions.is_empty() {
            options.error_functions.clone_from(&sources.error_functions);
        }
        units.extend(sources.models.iter().map(TranslationUnit::new));
        for unit in &mut units {
            add_settings(unit, sources);
        }
        let undefined = sources.undefined.into();
        Ok(Job { units, options, checks: Vec::new(), undefined }.checking(checks))
    }

    /// The same program, with functions of the C library linked to it: for everything that does not run it.
    pub(crate) fn with_models(mut self) -> Job {
        self.options.models = Models::All;
        self
    }

    /// The same program without them: what they give may be anything. Functions of kernels stay, as nothing else says
    /// that they allocate and free memory.
    pub(crate) fn without_models(&self) -> Job {
        let options = Options { models: Models::OnlyUnknown, ..self.options.clone() };
        Job { units: self.units.clone(), options, checks: self.checks.clone(), undefined: self.undefined }
    }

    /// What is assumed of functions without body, for messages.
    pub(crate) fn assumptions(&self, program: &Program) -> Vec<String> {
        if self.undefined != UndefinedFunctions::Any {
            return Vec::new();
        }
        let names = undefined_functions(program, &is_library_function).into_keys();
        names.map(|name| format!("`{name}` returns any value and writes nothing")).collect()
    }

    /// The same program, checked for something else.
    pub(crate) fn checking(mut self, mut checks: Vec<Check>) -> Job {
        // Whether assertions are reached is asked beside whether they hold.
        if checks == [Check::UnreachableCode] {
            checks.insert(0, Check::Assertions);
        }
        let is_automatic = |check: &Check| !matches!(check, Check::Assertions | Check::UnreachableCode);
        self.options.keep_unused = checks.iter().any(is_automatic);
        self.checks = checks;
        self
    }

    /// Reads the program as far as its typed form.
    pub(crate) fn parse(&self, host: &dyn Host) -> Result<rorqual_frontend::typed::Program, Failure> {
        rorqual_frontend::parse(&self.units, &self.options, host)
    }

    /// Reads the program, shows warnings, lowers it, and adds the checks.
    pub(crate) fn lower(&self, host: &dyn Host) -> Result<Program, Failure> {
        Ok(with_checks(self.lower_unchecked(host)?, &self.checks))
    }

    /// As [`Job::lower`], without the checks.
    pub(crate) fn lower_unchecked(&self, host: &dyn Host) -> Result<Program, Failure> {
        let program = self.parse(host)?;
        show_warnings(&program.sources, &program.warnings);
        let program = rorqual_frontend::lower(program, &self.options)?;
        Ok(treat_undefined(program, self.undefined, &is_library_function))
    }
}

/// A program with checks.
pub(crate) fn with_checks(program: Program, checks: &[Check]) -> Program {
    add_checks(program, checks, &is_library_function)
}

/// The program as engines search it and as proofs are about it; runs are of the program itself. Variables keep their ids.
pub(crate) fn searched(program: &Program) -> Cow<'_, Program> {
    lists_as_variables(program).map_or(Cow::Borrowed(program), Cow::Owned)
}

/// Takes what a property says; gives its checks.
fn apply(options: &mut Options, property: Property) -> Vec<Check> {
    options.entry = property.entry;
    options.error_functions = property.error_functions;
    property.checks
}

fn add_settings(unit: &mut TranslationUnit, sources: &Sources) {
    unit.include_directories.extend_from_slice(&sources.include_directories);
    unit.quote_directories.extend_from_slice(&sources.quote_directories);
    unit.system_directories.extend_from_slice(&sources.system_directories);
    unit.preincludes.extend_from_slice(&sources.preincludes);
    for setting in &sources.macros {
        match setting {
            Macro::Define(definition) => define(unit, definition),
            Macro::Undefine(name) => undefine(unit, name),
        }
    }
}

/// Whether the file is a task definition and not C.
pub(crate) fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Tells the user about warnings.
pub(crate) fn show_warnings(sources: &SourceMap, warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        complain(&render::diagnostics(sources, warnings));
    }
}

//! From the FILEs and flags of a command to a program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rorqual_cfa::{
    Allocation, Check, Function, FunctionId, HighestResult, Operation, Program, ResultRange, Type,
    UndefinedFunctions, add_checks, lists_as_variables, treat_undefined, undefined_functions,
    with_failing_allocations, with_result_ranges,
};
use rorqual_engine::{AssumedEffect, Assumption};
use rorqual_frontend::input::{Database, Property, Task, define, undefine};
use rorqual_frontend::{Failure, Host, Models, Options, TranslationUnit};
use rorqual_interpreter::{is_library_function, library_entry};
use rorqual_memory::{bare_name, is_allocator};
use rorqual_models::library::{Highest, Origin};
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
    /// Whether memory that is asked for is there.
    allocation: Allocation,
}

/// What holds unless a flag says otherwise.
#[derive(Debug, Default)]
struct Defaults {
    options: Options,
    checks: Option<Vec<Check>>,
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
        Job::new(sources, units, Defaults::default(), host)
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
        // The rule of the competition that task definitions are written for.
        let undefined = UndefinedFunctions::Any;
        Job::new(sources, task.units.clone(), Defaults { options, checks, undefined }, host)
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
        Ok(Job::new(sources, database.units, Defaults { options, ..Defaults::default() }, host)?)
    }

    /// Applies the flags, which have the last word.
    fn new(
        sources: &Sources,
        mut units: Vec<TranslationUnit>,
        defaults: Defaults,
        host: &dyn Host,
    ) -> Result<Job, Failure> {
        let Defaults { mut options, mut checks, undefined } = defaults;
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
        let undefined = sources.undefined.map_or(undefined, UndefinedFunctions::from);
        let allocation = sources.allocation.into();
        Ok(Job { units, options, checks: Vec::new(), undefined, allocation }.checking(checks))
    }

    /// The same program, with functions of the C library linked to it: for everything that does not run it.
    pub(crate) fn with_models(mut self) -> Job {
        self.options.models = Models::All;
        self
    }

    /// The same program without them: what they give may be anything. Functions of kernels stay, as nothing else says
    /// that they allocate and free memory.
    pub(crate) fn without_models(&self) -> Job {
        let options = Options { models: Models::OnlyWithoutEntry, ..self.options.clone() };
        Job { units: self.units.clone(), options, checks: self.checks.clone(), ..*self }
    }

    /// What every verdict about the program rests on.
    pub(crate) fn assumptions(&self, program: &Program) -> Vec<Assumption> {
        let mut assumptions = self.assumed_functions(program);
        let is_called = |is_meant: &dyn Fn(&Function) -> bool| {
            !undefined_functions(program, &|function| !is_meant(function)).is_empty()
        };
        if self.allocation == Allocation::Succeeds && is_called(&is_heap_allocator) {
            assumptions.push(Assumption::AllocationSucceeds);
        }
        if has_variable_arrays(program) || is_called(&|function| bare_name(function) == "alloca") {
            assumptions.push(Assumption::StackHasRoom);
        }
        assumptions
    }

    /// What is assumed of functions without body.
    fn assumed_functions(&self, program: &Program) -> Vec<Assumption> {
        let effect = match self.undefined {
            UndefinedFunctions::Any => AssumedEffect::WritesNothing,
            UndefinedFunctions::Havoc => AssumedEffect::WritesGiven,
            UndefinedFunctions::HavocAll => AssumedEffect::CallsGiven,
            UndefinedFunctions::Refuse => return Vec::new(),
        };
        let mut assumptions = Vec::new();
        for (name, (function, _)) in undefined_functions(program, &is_library_function) {
            if returns_pointer(program, function) {
                let effect = AssumedEffect::ReturnsOwn;
                assumptions.push(Assumption::Function { name: name.clone(), effect });
            }
            assumptions.push(Assumption::Function { name, effect });
        }
        assumptions.sort();
        assumptions
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
        self.lowered(program)
    }

    /// As [`Job::lower_unchecked`] of [`Job::without_models`]; there is nothing new to warn of.
    pub(crate) fn lower_without_models(&self, host: &dyn Host) -> Result<Program, Failure> {
        let job = self.without_models();
        job.lowered(job.parse(host)?)
    }

    fn lowered(&self, program: rorqual_frontend::typed::Program) -> Result<Program, Failure> {
        let mut program = rorqual_frontend::lower(program, &self.options)?;
        if self.undefined == UndefinedFunctions::Any {
            forget_library_variables(&mut program);
        }
        let program = treat_undefined(program, self.undefined, &is_library_function);
        let program = with_result_ranges(program, &result_range);
        Ok(match self.allocation {
            Allocation::Succeeds => program,
            Allocation::MayFail => with_failing_allocations(program, &is_heap_allocator),
        })
    }
}

/// Functions that store in variables of the library become ones that nothing is known of.
fn forget_library_variables(program: &mut Program) {
    let functions: Vec<FunctionId> = program.functions.ids().collect();
    for function in functions {
        let function = &mut program.functions[function];
        function.is_foreign |= library_entry(function).is_some_and(|entry| entry.origin == Origin::Variables);
    }
}

/// Whether a function is declared to return a pointer to an object.
fn returns_pointer(program: &Program, function: FunctionId) -> bool {
    let Type::Function { result, .. } = program.types.get(program.functions[function].ty) else {
        return false;
    };
    let pointee = program.types.pointee(*result);
    pointee.is_some_and(|pointee| !matches!(program.types.get(pointee), Type::Function { .. }))
}

/// Whether a function of the library returns new memory that does not lie on the stack.
fn is_heap_allocator(function: &Function) -> bool {
    is_allocator(function) && bare_name(function) != "alloca"
}

/// What the result of a function of the library is between.
fn result_range(function: &Function) -> Option<ResultRange> {
    let range = library_entry(function)?.range?;
    let highest = range.highest.map(|highest| match highest {
        Highest::Number(number) => HighestResult::Number(number.into()),
        Highest::Argument(position) => HighestResult::Argument(position),
    });
    Some(ResultRange { lowest: range.lowest.into(), highest })
}

fn has_variable_arrays(program: &Program) -> bool {
    let mut edges =
        program.functions.values().flat_map(|function| &function.body).flat_map(|body| body.edges().values());
    edges.any(|edge| matches!(edge.operation, Operation::StackAllocate { .. }))
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

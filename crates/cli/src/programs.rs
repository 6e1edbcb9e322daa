//! From the FILEs and flags of a command to a program.

use std::path::{Path, PathBuf};

use rorqual::Project;
use rorqual_cfa::{Check, Program, UndefinedFunctions};
use rorqual_frontend::input::{Database, Property, Task, define, undefine};
use rorqual_frontend::{Failure, Host, TranslationUnit};
use rorqual_source::{Diagnostic, SourceMap};

use crate::arguments::{Macro, Sources};
use crate::exit::{Problem, complain};
use crate::render;

/// The program that a command line names.
pub(crate) fn project(sources: &Sources, host: &dyn Host) -> Result<Project, Problem> {
    if let Some(directory) = &sources.compile_commands {
        return from_database(sources, directory, host);
    }
    match sources.files.iter().find(|file| is_yaml(file)) {
        None => Ok(from_files(sources, &sources.files, host)?),
        Some(task) if sources.files.len() == 1 => Ok(from_task(sources, &Task::read(host, task)?, host)?),
        Some(task) => Err(Problem::Usage(format!(
            "the task definition `{}` names its own files, so no other FILE can be given",
            task.display()
        ))),
    }
}

/// C files.
pub(crate) fn from_files(sources: &Sources, files: &[PathBuf], host: &dyn Host) -> Result<Project, Failure> {
    with_flags(sources, Project::from_files(files.iter().cloned()), host)
}

/// A task definition, whose settings hold unless a flag says otherwise.
pub(crate) fn from_task(sources: &Sources, task: &Task, host: &dyn Host) -> Result<Project, Failure> {
    let has_property = sources.property.is_some() || !sources.error_functions.is_empty();
    let task = if has_property { task.without_property() } else { task.clone() };
    with_flags(sources, Project::from_task(&task, host)?, host)
}

fn from_database(sources: &Sources, directory: &Path, host: &dyn Host) -> Result<Project, Problem> {
    if let Some(task) = sources.files.iter().find(|file| is_yaml(file)) {
        let message = "cannot be used together with `--compile-commands`";
        return Err(Problem::Usage(format!("the task definition `{}` {message}", task.display())));
    }
    let absolute = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
    let files: Vec<_> = sources.files.iter().map(|file| (file.clone(), absolute(file))).collect();
    let database = Database::read(host, directory, &files)?;
    show_warnings(&database.warnings.sources, &database.warnings.diagnostics);
    let mut project = Project::from_files([]);
    project.units = database.units;
    if let Some(model) = database.data_model {
        project.options.data_model = model;
    }
    Ok(with_flags(sources, project, host)?)
}

/// Applies the flags, which have the last word.
fn with_flags(sources: &Sources, mut project: Project, host: &dyn Host) -> Result<Project, Failure> {
    let mut checks = None;
    if let Some(property) = &sources.property {
        let property = Property::read(host, property)?;
        project.options.entry = property.entry;
        project.options.error_functions = property.error_functions;
        checks = Some(property.checks);
    }
    if let Some(model) = sources.data_model() {
        project.options.data_model = model;
    }
    if let Some(entry) = &sources.entry {
        project.options.entry.clone_from(entry);
    }
    if !sources.error_functions.is_empty() {
        project.options.error_functions.clone_from(&sources.error_functions);
        checks = checks.or(Some(vec![Check::Assertions]));
    }
    project.units.extend(sources.models.iter().map(TranslationUnit::new));
    for unit in &mut project.units {
        add_settings(unit, sources);
    }
    if let Some(undefined) = sources.undefined {
        project.undefined = UndefinedFunctions::from(undefined);
    }
    project.allocation = sources.allocation.into();
    let are_checks_set = sources.checks().is_some() || checks.is_some();
    let mut checks = sources.checks().or(checks).unwrap_or_else(|| project.checks.clone());
    project.specifications.clone_from(&sources.specifications);
    if !sources.specifications.is_empty() && !checks.contains(&Check::Assertions) {
        checks.insert(0, Check::Assertions);
    }
    Ok(project.checking(checks).selecting(sources.property_ids.clone(), are_checks_set))
}

/// Reads a project, shows warnings, lowers it, and adds its checks.
pub(crate) fn lower(project: &Project, host: &dyn Host) -> Result<Program, Failure> {
    project.lower(host, &mut show_warnings)
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

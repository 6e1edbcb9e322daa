//! JSON compilation databases: `compile_commands.json` as CMake, Bear and others write it.
//!
//! Of each command only what the preprocessor needs is kept, and whether types are those of
//! `-m32`. Response files (`@file`) are not followed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rorqual_cfa::DataModel;
use rorqual_source::{Diagnostic, Severity, Span};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Document, join};
use super::text::reason;
use crate::{Failure, Host, TranslationUnit};

/// The C files of a compilation database.
#[derive(Debug, Clone)]
pub struct Database {
    /// The files with their settings, in the order of the database.
    pub units: Vec<TranslationUnit>,
    /// The widths of the types, if a command states them with `-m32` or `-m64`.
    pub data_model: Option<DataModel>,
    /// Entries that were left out.
    pub warnings: Failure,
}

/// The parts of an entry as they stand in the text, so that messages can point at them.
#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    directory: Option<&'a RawValue>,
    #[serde(borrow)]
    file: Option<&'a RawValue>,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

/// An entry whose paths are resolved.
struct Command {
    path: PathBuf,
    directory: PathBuf,
    arguments: Vec<String>,
    /// Where the file is named.
    place: Span,
}

impl Database {
    /// Reads `compile_commands.json` in `directory`: all C files in it, or those given in
    /// `files`. Files are pairs of the name to show and the absolute path to look for.
    pub fn read(
        host: &dyn Host,
        directory: &Path,
        files: &[(PathBuf, PathBuf)],
    ) -> Result<Database, Failure> {
        let path = directory.join("compile_commands.json");
        let document = Document::read(host, &path).map_err(|failure| no_database(failure, directory))?;
        let commands = commands(&document, directory)?;
        if files.is_empty() {
            return Selection::all(&document, &commands)?.finish(host, &document);
        }
        let mut selection = Selection::default();
        for (name, absolute) in files {
            let absolute = join(Path::new(""), absolute);
            let Some(command) = commands.iter().find(|command| command.path == absolute) else {
                let message = format!("`{}` is not in the compilation database", name.display());
                let diagnostic = Diagnostic::error(message, Span::NONE)
                    .with_note(format!("the database is `{}`", document.path().display()), Span::NONE)
                    .with_help("leave the file out to read every file of the database");
                return Err(document.refuse(diagnostic));
            };
            selection.add(&document, command, name)?;
        }
        selection.finish(host, &document)
    }
}

fn no_database(mut failure: Failure, directory: &Path) -> Failure {
    for diagnostic in &mut failure.diagnostics {
        diagnostic.help = vec![format!(
            "`{}` must hold a `compile_commands.json`; CMake writes one with \
             `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`",
            directory.display()
        )];
    }
    failure
}

fn commands(document: &Document, directory: &Path) -> Result<Vec<Command>, Failure> {
    let entries: Vec<&RawValue> =
        serde_json::from_str(document.text()).map_err(|error| malformed(document, &error))?;
    entries.into_iter().map(|raw| command(document, directory, raw)).collect()
}

fn malformed(document: &Document, error: &serde_json::Error) -> Failure {
    // The place is rendered from the span, so it is cut from the message.
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    let message = format!("the compilation database is malformed: {message}");
    document.error(message, document.span_at(error.line(), error.column()))
}

fn command(document: &Document, database: &Path, raw: &RawValue) -> Result<Command, Failure> {
    let place = first_line(document, raw.get());
    let refuse = |message: &str| document.error(message, place);
    let entry: Entry = serde_json::from_str(raw.get())
        .map_err(|_| refuse("an entry of the compilation database is not an object"))?;
    let file_value = entry.file.ok_or_else(|| refuse("the entry names no `file`"))?;
    let file: String = value(document, file_value, "`file` is not a text")?;
    let directory = match entry.directory {
        Some(raw) => join(database, Path::new(&value::<String>(document, raw, "`directory` is not a text")?)),
        None => return Err(refuse("the entry names no `directory`")),
    };
    let arguments = match (entry.arguments, entry.command) {
        (Some(raw), _) => value(document, raw, "`arguments` is not a list of texts")?,
        (None, Some(raw)) => {
            let command: String = value(document, raw, "`command` is not a text")?;
            let unbalanced =
                || document.error("the quotes of the command do not match", first_line(document, raw.get()));
            shlex::split(&command).ok_or_else(unbalanced)?
        }
        (None, None) => return Err(refuse("the entry has neither `command` nor `arguments`")),
    };
    let path = join(&directory, Path::new(&file));
    Ok(Command { path, directory, arguments, place: document.span_of(file_value.get()) })
}

fn value<'a, T: Deserialize<'a>>(
    document: &Document,
    raw: &'a RawValue,
    message: &str,
) -> Result<T, Failure> {
    serde_json::from_str(raw.get()).map_err(|_| document.error(message, first_line(document, raw.get())))
}

fn first_line(document: &Document, text: &str) -> Span {
    document.span_of(text.lines().next().unwrap_or(""))
}

/// The units taken from a database so far.
#[derive(Default)]
struct Selection {
    units: Vec<(TranslationUnit, Span)>,
    /// What the commands said, and the place of the first that said it.
    data_model: Option<(Option<DataModel>, Span)>,
    warnings: Vec<Diagnostic>,
}

impl Selection {
    /// Every C file, with the first of its commands.
    fn all(document: &Document, commands: &[Command]) -> Result<Selection, Failure> {
        let mut selection = Selection::default();
        let mut seen = HashSet::new();
        for command in commands {
            if !seen.insert(&command.path) {
                continue;
            }
            if is_c(&command.path) {
                selection.add(document, command, &command.path)?;
            } else {
                let message = format!("`{}` is left out, because it is not a C file", command.path.display());
                let mut warning = Diagnostic::error(message, command.place);
                warning.severity = Severity::Warning;
                selection.warnings.push(warning);
            }
        }
        if selection.units.is_empty() {
            return Err(document.error("the compilation database has no C file", document.span(0, 0)));
        }
        Ok(selection)
    }

    fn add(&mut self, document: &Document, command: &Command, name: &Path) -> Result<(), Failure> {
        let mut unit = TranslationUnit::new(name);
        let data_model = read_arguments(&mut unit, command);
        match self.data_model {
            None => self.data_model = Some((data_model, command.place)),
            Some((other, place)) if other != data_model => {
                let diagnostic =
                    Diagnostic::error("the files are compiled for different data models", command.place)
                        .with_note("the other one is here", place)
                        .with_help("name files of one data model");
                return Err(document.refuse(diagnostic));
            }
            Some(_) => {}
        }
        self.units.push((unit, command.place));
        Ok(())
    }

    fn finish(self, host: &dyn Host, document: &Document) -> Result<Database, Failure> {
        for (unit, place) in &self.units {
            if let Err(error) = host.read(&unit.path) {
                let name = unit.path.display();
                let message = format!("cannot read `{name}` of the compilation database: {}", reason(&error));
                return Err(document.error(message, *place));
            }
        }
        let mut warnings = document.refuse(Diagnostic::error("", Span::NONE));
        warnings.diagnostics = self.warnings;
        Ok(Database {
            units: self.units.into_iter().map(|(unit, _)| unit).collect(),
            data_model: self.data_model.and_then(|(model, _)| model),
            warnings,
        })
    }
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// The options of gcc that take a value and matter here, longest first where one is a prefix of
/// another.
const OPTIONS: &[&str] =
    &["-include", "-isystem", "-idirafter", "-iquote", "--include-directory=", "-I", "-D", "-U"];

/// Fills the settings of `unit` and returns the data model that the command asks for.
fn read_arguments(unit: &mut TranslationUnit, command: &Command) -> Option<DataModel> {
    let mut data_model = None;
    let mut arguments = command.arguments.iter().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-m32" => data_model = Some(DataModel::Ilp32),
            "-m64" => data_model = Some(DataModel::Lp64),
            _ => {}
        }
        let Some(option) = OPTIONS.iter().find(|option| argument.starts_with(**option)) else {
            continue;
        };
        let joined = &argument[option.len()..];
        let value = if joined.is_empty() { arguments.next().map(String::as_str) } else { Some(joined) };
        let Some(value) = value else { break };
        let path = || join(&command.directory, Path::new(value));
        match *option {
            "-include" => unit.preincludes.push(path()),
            "-isystem" | "-idirafter" => unit.system_directories.push(path()),
            "-iquote" => unit.quote_directories.push(path()),
            "-D" => define(unit, value),
            "-U" => undefine(unit, value),
            _ => unit.include_directories.push(path()),
        }
    }
    data_model
}

/// Adds a `-D` after all settings made so far: the later one of `-D` and `-U` counts.
pub fn define(unit: &mut TranslationUnit, definition: &str) {
    let name = macro_name(definition).to_owned();
    unit.undefines.retain(|undefined| *undefined != name);
    unit.defines.push(definition.to_owned());
}

/// Adds a `-U` after all settings made so far.
pub fn undefine(unit: &mut TranslationUnit, name: &str) {
    unit.defines.retain(|definition| macro_name(definition) != name);
    unit.undefines.push(name.to_owned());
}

fn macro_name(definition: &str) -> &str {
    definition.split(['=', '(']).next().unwrap_or(definition)
}

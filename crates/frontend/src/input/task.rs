//! BenchExec task definitions (`format_version: '2.0'`), and sequences of versions of one
//! program (`sequence.yml`).

use std::path::{Path, PathBuf};

use rorqual_cfa::{Check, DataModel};
use rorqual_source::{Diagnostic, Span};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use super::document::Document;
use super::property::Property;
use super::text::reason;
use super::yaml::{self, OneOrMany};
use crate::{Failure, Host, TranslationUnit};

/// A program and what is to be shown about it.
#[derive(Debug, Clone)]
pub struct Task {
    /// The C files, as seen from where the task definition was named.
    pub units: Vec<TranslationUnit>,
    /// The widths of the types, if the task states them.
    pub data_model: Option<DataModel>,
    /// What is to be shown.
    specification: Specification,
    /// The file that the task was read from.
    document: Document,
}

/// What a task says about its properties. Property files are read when they are asked for.
#[derive(Debug, Clone)]
enum Specification {
    Files(Vec<PropertyFile>),
    /// The property itself and where it stands.
    Inline(String, Span),
    /// The program's assertions, which every command looks at anyway.
    Assertions,
}

/// A property file that a task names.
#[derive(Debug, Clone)]
struct PropertyFile {
    path: PathBuf,
    /// Where the task names it.
    span: Span,
    /// Whether the property holds, if the task says so.
    expected_verdict: Option<bool>,
}

/// Whether the text of a `.yml` file seems to be meant as a task definition or a sequence.
pub fn looks_like_task(text: &str) -> bool {
    let keys = ["format_version:", "input_files:", "versions:"];
    text.lines().any(|line| keys.iter().any(|key| line.starts_with(key)))
}

#[derive(Deserialize)]
struct TaskDefinition {
    format_version: Option<Spanned<String>>,
    input_files: Option<Spanned<OneOrMany>>,
    #[serde(default)]
    properties: Vec<PropertyReference>,
    options: Option<TaskOptions>,
    /// Only sequences have this.
    versions: Option<Spanned<IgnoredAny>>,
}

#[derive(Deserialize)]
struct PropertyReference {
    property_file: Option<Spanned<String>>,
    expected_verdict: Option<bool>,
}

impl PropertyReference {
    fn resolve(&self, document: &Document) -> Option<PropertyFile> {
        let file = self.property_file.as_ref()?;
        let (path, span) = (document.resolve(&file.value), yaml::place(document, file));
        Some(PropertyFile { path, span, expected_verdict: self.expected_verdict })
    }
}

#[derive(Deserialize)]
struct TaskOptions {
    language: Option<Spanned<String>>,
    data_model: Option<Spanned<String>>,
}

#[derive(Deserialize)]
struct Sequence {
    data_model: Option<Spanned<String>>,
    property: Option<Spanned<String>>,
    versions: Spanned<Vec<Version>>,
}

#[derive(Deserialize)]
struct Version {
    file: Spanned<String>,
}

impl Task {
    /// Reads a task definition. Its input files must exist; they are not parsed.
    pub fn read(host: &dyn Host, path: &Path) -> Result<Task, Failure> {
        let document = Document::read(host, path)?;
        let definition: TaskDefinition = yaml::parse(&document)?;
        if let Some(versions) = &definition.versions {
            let message = "this is a sequence of programs, not a task definition";
            let diagnostic = Diagnostic::error(message, yaml::place(&document, versions))
                .with_help("name the file of one version");
            return Err(document.refuse(diagnostic));
        }
        check_version(&document, definition.format_version.as_ref())?;
        let data_model = check_options(&document, definition.options.as_ref())?;
        let names = input_files(&document, definition.input_files)?;
        let units = names.into_iter().map(|(name, span)| unit(host, &document, &name, span));
        let units = units.collect::<Result<_, _>>()?;
        let files = definition.properties.iter().filter_map(|property| property.resolve(&document));
        let specification = Specification::Files(files.collect());
        Ok(Task { units, data_model, specification, document })
    }

    /// Reads a sequence of versions: each is a task of its own, with its name.
    pub fn read_sequence(host: &dyn Host, path: &Path) -> Result<Vec<(PathBuf, Task)>, Failure> {
        let document = Document::read(host, path)?;
        let sequence: Sequence = yaml::parse(&document)?;
        let data_model = check_data_model(&document, sequence.data_model.as_ref())?;
        if sequence.versions.value.is_empty() {
            return Err(
                document.error("the list of versions is empty", yaml::place(&document, &sequence.versions))
            );
        }
        let specification = match sequence.property {
            None => Specification::Files(vec![]),
            Some(property) if property.value == "assertions" => Specification::Assertions,
            Some(property) => {
                let span = yaml::place(&document, &property);
                Specification::Inline(property.value, span)
            }
        };
        let task = |version: &Version| {
            let unit = unit(host, &document, &version.file.value, yaml::place(&document, &version.file))?;
            let (specification, document) = (specification.clone(), document.clone());
            Ok((unit.path.clone(), Task { units: vec![unit], data_model, specification, document }))
        };
        sequence.versions.value.iter().map(task).collect()
    }

    /// The property that the task asks about, if it names any: the first one that is supported.
    /// Fails if there are properties but none is supported.
    pub fn property(&self, host: &dyn Host) -> Result<Option<Property>, Failure> {
        match &self.specification {
            Specification::Assertions => Ok(None),
            Specification::Inline(text, span) => self.inline_property(text, *span).map(Some),
            Specification::Files(files) => {
                Ok(self.supported_file(host, files)?.map(|(_, property)| property))
            }
        }
    }

    /// The same task, for somebody who says otherwise what is to be shown.
    #[must_use]
    pub fn without_property(&self) -> Task {
        Task { specification: Specification::Assertions, ..self.clone() }
    }

    /// Whether the property that [`Task::property`] gives is said to hold.
    pub fn expected_verdict(&self, host: &dyn Host) -> Result<Option<bool>, Failure> {
        let Specification::Files(files) = &self.specification else { return Ok(None) };
        Ok(self.supported_file(host, files)?.and_then(|(file, _)| file.expected_verdict))
    }

    fn supported_file<'a>(
        &self,
        host: &dyn Host,
        files: &'a [PropertyFile],
    ) -> Result<Option<(&'a PropertyFile, Property)>, Failure> {
        let (mut first, mut refusal) = (None, None);
        for file in files {
            self.check_exists(host, &file.path, file.span)?;
            match Property::read(host, &file.path) {
                // The program's own specification comes first, whatever else the task asks about.
                Ok(property) if property.checks.contains(&Check::Assertions) => {
                    return Ok(Some((file, property)));
                }
                Ok(property) => first = first.or(Some((file, property))),
                Err(failure) => refusal = refusal.or(Some(failure)),
            }
        }
        match (first, refusal) {
            (None, Some(failure)) => Err(failure),
            (first, _) => Ok(first),
        }
    }

    fn check_exists(&self, host: &dyn Host, path: &Path, span: Span) -> Result<(), Failure> {
        host.read(path).map(|_| ()).map_err(|error| {
            let message = format!("cannot read the property file `{}`: {}", path.display(), reason(&error));
            self.document.error(message, span)
        })
    }

    fn inline_property(&self, text: &str, span: Span) -> Result<Property, Failure> {
        // Quotes and escapes of YAML move the text against the file; then the whole value is
        // the place.
        let quote = span.start() as usize + 1;
        let is_verbatim = self.document.text().get(quote..).is_some_and(|rest| rest.starts_with(text));
        let parsed = Property::parse(text, quote, &self.document);
        parsed.map_err(|mut diagnostic| {
            if !is_verbatim {
                diagnostic.span = span;
            }
            self.document.refuse(diagnostic)
        })
    }
}

fn check_version(document: &Document, version: Option<&Spanned<String>>) -> Result<(), Failure> {
    let Some(version) = version else {
        let diagnostic =
            Diagnostic::error("the task definition has no `format_version`", document.span(0, 0))
                .with_help("add `format_version: '2.0'`");
        return Err(document.refuse(diagnostic));
    };
    if matches!(version.value.split('.').next(), Some("1" | "2")) {
        return Ok(());
    }
    let message = format!("format version `{}` of task definitions is not supported", version.value);
    let diagnostic = Diagnostic::error(message, yaml::place(document, version))
        .with_note("supported are versions 1.0 and 2.0", Span::NONE);
    Err(document.refuse(diagnostic))
}

fn check_options(document: &Document, options: Option<&TaskOptions>) -> Result<Option<DataModel>, Failure> {
    let Some(options) = options else { return Ok(None) };
    if let Some(language) = &options.language
        && language.value != "C"
    {
        let message = format!("the language of the task is `{}`, not C", language.value);
        return Err(document.error(message, yaml::place(document, language)));
    }
    check_data_model(document, options.data_model.as_ref())
}

fn check_data_model(
    document: &Document,
    name: Option<&Spanned<String>>,
) -> Result<Option<DataModel>, Failure> {
    let Some(name) = name else { return Ok(None) };
    match name.value.as_str() {
        "ILP32" => Ok(Some(DataModel::Ilp32)),
        "LP64" => Ok(Some(DataModel::Lp64)),
        other => {
            let message = format!("unknown data model `{other}`");
            let diagnostic = Diagnostic::error(message, yaml::place(document, name))
                .with_note("the data models are `ILP32` and `LP64`", Span::NONE);
            Err(document.refuse(diagnostic))
        }
    }
}

fn input_files(
    document: &Document,
    files: Option<Spanned<OneOrMany>>,
) -> Result<Vec<(String, Span)>, Failure> {
    let Some(files) = files else {
        let diagnostic = Diagnostic::error("the task definition has no `input_files`", document.span(0, 0))
            .with_help("add `input_files: 'program.c'`");
        return Err(document.refuse(diagnostic));
    };
    let place = yaml::place(document, &files);
    let names: Vec<_> = match files.value {
        OneOrMany::One(name) => vec![(name, place)],
        OneOrMany::Many(names) => names
            .into_iter()
            .map(|name| {
                let place = yaml::place(document, &name);
                (name.value, place)
            })
            .collect(),
    };
    if names.is_empty() || names.iter().any(|(name, _)| name.is_empty()) {
        return Err(document.error("`input_files` of the task definition names no file", place));
    }
    Ok(names)
}

fn unit(host: &dyn Host, document: &Document, name: &str, span: Span) -> Result<TranslationUnit, Failure> {
    let path = document.resolve(name);
    match host.read(&path) {
        Ok(_) => Ok(TranslationUnit::new(path)),
        Err(error) => {
            let message = format!("cannot read the input file `{}`: {}", path.display(), reason(&error));
            Err(document.error(message, span))
        }
    }
}

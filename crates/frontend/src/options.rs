//! What the front end is asked for, and how it refuses.

use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::DataModel;
use rorqual_source::{Diagnostic, SourceMap};

/// One C file and the preprocessor's settings for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranslationUnit {
    /// The file, as the user wrote it.
    pub path: PathBuf,
    /// `-iquote`: searched for `#include "…"` only.
    pub quote_directories: Vec<PathBuf>,
    /// `-I`: searched for both forms of `#include`.
    pub include_directories: Vec<PathBuf>,
    /// `-isystem`: searched after `-I` and before the system's own directories.
    pub system_directories: Vec<PathBuf>,
    /// `-D`, each `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-U`
    pub undefines: Vec<String>,
    /// `-include`: files read before the file itself.
    pub preincludes: Vec<PathBuf>,
}

impl TranslationUnit {
    /// A file without special settings.
    pub fn new(path: impl Into<PathBuf>) -> TranslationUnit {
        TranslationUnit { path: path.into(), ..TranslationUnit::default() }
    }
}

/// How a program is read and what its calls mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The widths of the types.
    pub data_model: DataModel,
    /// The function that the program starts with.
    pub entry: String,
    /// The functions whose call is a violation.
    pub error_functions: Vec<String>,
    /// Whether evaluations stay visible whose values nobody uses: checks look at them too. Without checks they
    /// are left out, as compilers do.
    pub keep_unused: bool,
    /// Which functions that the program calls and does not define are linked to it from `rorqual_models`.
    pub models: Models,
    /// Which functions that are only declared are kept.
    pub declarations: Declarations,
}

/// Which functions that are only declared are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Declarations {
    /// Those that something names, so that the many declarations of headers leave no trace.
    #[default]
    Used,
    /// All, for those who ask what headers declare.
    All,
}

/// Which functions are linked to a program that calls them and does not define them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Models {
    /// Those of which the table of the library says nothing either.
    OnlyWithoutEntry,
    /// Those that nobody would know otherwise, the interpreter included.
    #[default]
    OnlyUnknown,
    /// All that there are.
    All,
}

impl Default for Options {
    /// LP64 because that is what most machines run; both error functions of SV-COMP.
    fn default() -> Options {
        Options {
            data_model: DataModel::Lp64,
            entry: "main".to_owned(),
            error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
            keep_unused: false,
            models: Models::OnlyUnknown,
            declarations: Declarations::Used,
        }
    }
}

/// The machine around the front end, which itself neither reads files nor runs commands.
pub trait Host: Sync {
    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The directories in which the system's compiler looks for `#include <…>`. Asked for
    /// only when a program includes something.
    fn system_include_directories(&self, model: DataModel) -> Vec<PathBuf>;
}

/// Why a program could not be read: at least one error, and the files that it speaks of.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The files that the diagnostics point into.
    pub sources: SourceMap,
    /// What is wrong, in the order of the program.
    pub diagnostics: Vec<Diagnostic>,
}

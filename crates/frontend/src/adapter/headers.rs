//! Where headers are looked for, and those that are brought along for machines that lack them.
//!
//! The headers of the GNU C library for x86 serve both data models, but where only the 64-bit package is installed
//! compilers do not look into its folder for `-m32`, and the few files that only the 32-bit package has are missing.
//! Headers that belong to the compiler (`stddef.h`, `limits.h`) come last in the order, for machines without one.

use std::path::{Path, PathBuf};

use rorqual_cfa::DataModel;
use rucc_diag::SourceBytes;
use rucc_session::{SearchPath, runtime};

use crate::options::{Host, TranslationUnit};

/// The directory that our own headers appear to be in. No directory that exists is called so.
const OWN_DIRECTORY: &str = "<rorqual>";

/// What the 64-bit package of the GNU C library lacks for ILP32.
const OWN: &[(&str, &str)] = &[
    ("gnu/lib-names-32.h", include_str!("../../headers/gnu/lib-names-32.h")),
    ("gnu/stubs-32.h", include_str!("../../headers/gnu/stubs-32.h")),
];

/// The code of rucc's message that a file to include is not there.
pub(super) const NOT_FOUND: &str = "E0341";

/// What to do about a file to include that is not there.
pub(super) const NOT_FOUND_HELP: &str =
    "name its directory with `-I`, or give the preprocessed program (`cc -E -P`) instead";

const NO_SYSTEM_HEADERS: &str =
    "this machine has no headers of a C library: a package such as `libc6-dev` brings them";

/// A header that is brought along, if `path` is one.
pub(super) fn brought_along(path: &Path) -> Option<SourceBytes> {
    let own = |name: &Path| OWN.iter().find(|(own, _)| Path::new(own) == name);
    let own = path.strip_prefix(OWN_DIRECTORY).ok().and_then(own);
    own.map(|(_, text)| SourceBytes::new(*text)).or_else(|| runtime::read(path))
}

/// The order in which directories are searched.
pub(super) fn search_path(unit: &TranslationUnit, system: &[PathBuf]) -> SearchPath {
    let mut search = SearchPath::new();
    for directory in &unit.quote_directories {
        search.push_quote(directory);
    }
    for directory in &unit.include_directories {
        search.push_bracket(directory);
    }
    for directory in unit.system_directories.iter().chain(system) {
        search.push_system(directory);
    }
    for directory in [OWN_DIRECTORY, runtime::DIR] {
        search.push_after(directory);
    }
    if system.is_empty() {
        search.explain_missing_system(NO_SYSTEM_HEADERS);
    }
    search
}

/// The directories of the system's headers. Those for LP64 serve ILP32 where it has none of its own.
pub(super) fn system_directories(host: &dyn Host, model: DataModel) -> Vec<PathBuf> {
    let mut directories = host.system_include_directories(model);
    if model == DataModel::Ilp32 {
        for directory in host.system_include_directories(DataModel::Lp64) {
            if !directories.contains(&directory) {
                directories.push(directory);
            }
        }
    }
    directories
}

/// A list of directories without those that only appear to exist.
pub(super) fn without_own(message: &str) -> &str {
    let own = format!("{OWN_DIRECTORY}, {}", runtime::DIR);
    match message.strip_suffix(&own) {
        Some("searched: ") => "there is no directory to search",
        Some(others) => others.trim_end_matches(", "),
        None => message,
    }
}

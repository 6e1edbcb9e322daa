//! Files that must be text before anything else is said about them.

use std::io;
use std::path::Path;

use rorqual_source::{Diagnostic, Span};

use crate::Host;

/// Reads a file that the user named.
///
/// A missing file, a directory, an empty file and a file with zero bytes are refused here, so
/// that the message speaks of the file and not of its first token.
pub fn read_text(host: &dyn Host, path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let bytes = host.read(path).map_err(|error| unreadable(path, &error))?;
    check_text(path, &bytes)?;
    Ok(bytes)
}

/// Refuses content that is empty or not text.
pub fn check_text(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    if bytes.contains(&0) {
        let refusal = refuse(path, "it is not a text file (it contains zero bytes)");
        return Err(refusal.with_help("give a C source file (`.c` or preprocessed `.i`)"));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(refuse(path, "the file is empty"));
    }
    Ok(())
}

/// The refusal of a file that could not be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    refuse(path, &reason(error))
}

fn refuse(path: &Path, reason: &str) -> Diagnostic {
    Diagnostic::error(format!("cannot read `{}`: {reason}", path.display()), Span::NONE)
}

/// Why a file could not be read, in words that do not depend on the system.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is not a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

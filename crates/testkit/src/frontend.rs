//! From C text to programs.

use std::fmt::Write;

use rorqual_cfa::{DataModel, Program};
use rorqual_frontend::{Failure, Host, Options, TranslationUnit};

use crate::host::MemoryHost;

/// The program of a C text for LP64, which may include headers of the system.
///
/// # Panics
/// With the diagnostics if the text is refused.
pub fn program(text: &str) -> Program {
    program_for(DataModel::Lp64, text)
}

/// The program of a C text for a data model.
///
/// # Panics
/// With the diagnostics if the text is refused.
pub fn program_for(model: DataModel, text: &str) -> Program {
    let host = MemoryHost::new().with_file("test.c", text).with_system_headers();
    let read = read(&[TranslationUnit::new("test.c")], model, &host);
    read.unwrap_or_else(|failure| panic!("the program is refused\n{}", render_failure(&failure)))
}

/// Parses, links and lowers.
pub fn read(units: &[TranslationUnit], model: DataModel, host: &dyn Host) -> Result<Program, Failure> {
    let options = Options { data_model: model, ..Options::default() };
    let typed = rorqual_frontend::parse(units, &options, host)?;
    rorqual_frontend::lower(typed, &options)
}

/// The diagnostics of a failure, one per line.
pub fn render_failure(failure: &Failure) -> String {
    let mut text = String::new();
    for diagnostic in &failure.diagnostics {
        let position = failure.sources.position(diagnostic.span);
        let _ = writeln!(text, "{position}: {}", diagnostic.message);
        for note in &diagnostic.notes {
            let _ = writeln!(text, "  note: {}: {}", failure.sources.position(note.span), note.message);
        }
    }
    text
}

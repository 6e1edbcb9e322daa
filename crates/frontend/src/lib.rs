//! From C text to control-flow automata.
//!
//! ```text
//! files ──adapter (rucc)──▶ typed units ──link──▶ typed program ──lower──▶ cfa::Program
//! ```
//!
//! [`parse`] does everything up to the typed program, [`lower`] the rest. Only the module
//! `adapter` names the `rucc-*` crates that preprocess, parse and type-check.

mod adapter;
mod aliases;
mod assembly;
pub mod input;
mod link;
mod lower;
mod models;
mod options;
pub mod typed;

use rorqual_cfa::{Program, TypeTable};

pub use options::{Declarations, Failure, Host, Models, Options, TranslationUnit};

/// Source files may nest deeply, and the parser recurses; this is reserved, not used.
const STACK_SIZE: usize = 1 << 29;

/// Reads, checks and links the given files.
pub fn parse(
    units: &[TranslationUnit],
    options: &Options,
    host: &dyn Host,
) -> Result<typed::Program, Failure> {
    on_large_stack(|| {
        let mut program = typed::Program::new(TypeTable::new(options.data_model));
        let mut linker = link::Linker::default();
        linker.declarations = options.declarations;
        let mut diagnostics = Vec::new();
        for unit in units {
            if let Err(errors) = adapter::read_unit(unit, options.data_model, host, &mut program, &mut linker)
            {
                diagnostics.extend(errors);
            }
        }
        link::resolve_aliases(&mut program, &options.error_functions);
        link::refuse_assembly(&mut program);
        link::refuse_weak_variables(&mut program);
        aliases::tell_foreign(&mut program);
        aliases::resolve(&mut program);
        if diagnostics.is_empty() && linker.errors.is_empty() {
            models::link(&mut program, options.models, options.data_model);
        }
        diagnostics.append(&mut linker.errors);
        link::complete_tentative_arrays(&mut program);
        if diagnostics.is_empty() {
            Ok(program)
        } else {
            Err(Failure { sources: program.sources, diagnostics })
        }
    })
}

/// Whether calls of a function become something else than calls (inputs, errors, the end of the program), unless the program
/// defines it.
pub fn is_special(name: &str) -> bool {
    lower::is_special(name)
}

/// Turns a typed program into control-flow automata.
pub fn lower(program: typed::Program, options: &Options) -> Result<Program, Failure> {
    on_large_stack(|| lower::lower(program, options))
}

fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work);
        let thread = thread.expect("the system can start a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

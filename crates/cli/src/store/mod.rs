//! `store`: what users do with a store beside checking programs.

pub(crate) mod arguments;
mod render;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use rorqual_store::{Access, Entry, Problem as StoreProblem, SqliteStore, Store};

use crate::check::arguments::ResultFormat;
use crate::console::print;
use crate::exit::{Problem, Status, complain};
use arguments::{Export, Gc, Import, List, Show, StoreCommand};

/// Does what a command says.
pub(crate) fn store(command: &StoreCommand) -> Result<Status, Problem> {
    match command {
        StoreCommand::List(arguments) => list(arguments),
        StoreCommand::Show(arguments) => show(arguments),
        StoreCommand::Verify(arguments) => verify(&arguments.directory),
        StoreCommand::Gc(arguments) => collect(arguments),
        StoreCommand::Export(arguments) => export(arguments),
        StoreCommand::Import(arguments) => import(arguments),
    }
}

/// A store that cannot be used, with what to do about it.
pub(crate) fn problem(problem: &StoreProblem) -> Problem {
    let help = problem.help().map_or(String::new(), |help| format!("\n  = help: {help}"));
    Problem::Store(format!("{problem}{help}"))
}

fn open(directory: &Path, access: Access) -> Result<SqliteStore, Problem> {
    // Only `check` and `import` make stores.
    let must_be_there = SqliteStore::open(directory, Access::ReadOnly).map_err(|error| problem(&error))?;
    if access == Access::ReadOnly {
        return Ok(must_be_there);
    }
    SqliteStore::open(directory, access).map_err(|error| problem(&error))
}

fn list(arguments: &List) -> Result<Status, Problem> {
    let store = open(&arguments.store.directory, Access::ReadOnly)?;
    let entries = store.entries().map_err(|error| problem(&error))?;
    let summary = store.summary().map_err(|error| problem(&error))?;
    let text = match arguments.format {
        ResultFormat::Human => render::list(&entries, summary),
        ResultFormat::Json => render::list_json(&entries, summary),
    };
    print(text.as_bytes())
}

fn show(arguments: &Show) -> Result<Status, Problem> {
    let store = open(&arguments.store.directory, Access::ReadOnly)?;
    let found = store.entries_named(&arguments.key).map_err(|error| problem(&error))?;
    let entry: &Entry = match found.as_slice() {
        [entry] => entry,
        [] => {
            let message = format!("no entry of the store has a key that starts with `{}`", arguments.key);
            return Err(Problem::Store(format!(
                "{message}\n  = help: `rorqual store list DIR` lists all keys"
            )));
        }
        several => {
            let message =
                format!("{} entries have a key that starts with `{}`", several.len(), arguments.key);
            return Err(Problem::Store(format!("{message}\n  = help: give more digits")));
        }
    };
    let text = match arguments.format {
        ResultFormat::Human => render::entry(entry),
        ResultFormat::Json => render::entry_json(entry),
    };
    print(text.as_bytes())
}

fn verify(directory: &Path) -> Result<Status, Problem> {
    let store = open(directory, Access::ReadWrite)?;
    let damage = store.damage().map_err(|error| problem(&error))?;
    if !damage.is_empty() {
        return Err(problem(&StoreProblem::Damaged(damage.join("; "))));
    }
    let damaged = store.damaged_entries().map_err(|error| problem(&error))?;
    for (key, reason) in &damaged {
        store.quarantine(key, reason).map_err(|error| problem(&error))?;
        complain(&format!("warning: the entry {} is set aside: {reason}\n", key.short()));
    }
    let summary = store.summary().map_err(|error| problem(&error))?;
    print(render::verified(summary, damaged.len()).as_bytes())?;
    Ok(if damaged.is_empty() { Status::Success } else { Status::Unknown })
}

fn collect(arguments: &Gc) -> Result<Status, Problem> {
    let store = open(&arguments.store.directory, Access::ReadWrite)?;
    let collected =
        arguments.limit.map_or(Ok(()), |limit| store.set_limit(limit)).and_then(|()| store.collect());
    let collected = collected.map_err(|error| problem(&error))?;
    let summary = store.summary().map_err(|error| problem(&error))?;
    print(render::collected(collected, summary).as_bytes())
}

fn export(arguments: &Export) -> Result<Status, Problem> {
    let store = SqliteStore::open_any(&arguments.store.directory).map_err(|error| problem(&error))?;
    let name = arguments.output.display();
    let failed = |error: &dyn std::fmt::Display| Problem::File(format!("cannot write `{name}`: {error}"));
    let mut output = BufWriter::new(File::create(&arguments.output).map_err(|error| failed(&error))?);
    let (exported, skipped) = store.export(&mut output).map_err(|error| problem(&error))?;
    output.flush().map_err(|error| failed(&error))?;
    print(render::exported(exported, skipped, &arguments.output).as_bytes())
}

fn import(arguments: &Import) -> Result<Status, Problem> {
    let name = arguments.file.display();
    let unreadable = |error| Problem::File(format!("cannot read `{name}`: {error}"));
    let mut input = BufReader::new(File::open(&arguments.file).map_err(unreadable)?);
    let directory = &arguments.store.directory;
    let store = SqliteStore::open(directory, Access::ReadWrite).map_err(|error| problem(&error))?;
    let imported = store.import(&mut input).map_err(|error| match &error {
        StoreProblem::BadExport { .. } => {
            let help = error.help().map_or(String::new(), |help| format!("\n  = help: {help}"));
            Problem::File(format!("`{name}`: {error}; nothing was imported{help}"))
        }
        _ => problem(&error),
    })?;
    print(render::imported(&imported).as_bytes())
}

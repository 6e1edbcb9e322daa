//! Shell completions and manual pages, both made from the definition of the arguments.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Invocation;
use crate::console;
use crate::exit::{Problem, Status};

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> Result<Status, Problem> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut Invocation::command(), "rorqual", &mut script);
    console::print(&script)
}

/// Prints the manual page of the whole tool, or writes a page per command into a directory.
pub(crate) fn man(directory: Option<&Path>) -> Result<Status, Problem> {
    let command = Invocation::command();
    let Some(directory) = directory else {
        let mut page = vec![];
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| Problem::Output(error.to_string()))?;
        return console::print(&page);
    };
    let written =
        std::fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command, directory));
    written.map_err(|error| Problem::File(format!("cannot write to `{}`: {error}", directory.display())))?;
    Ok(Status::Success)
}

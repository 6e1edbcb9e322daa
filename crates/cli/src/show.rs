//! `show ast`, `show cfa`, `show loops` and `show models`.

use std::fmt::Write;

use rorqual::System;
use rorqual_cfa::{FunctionId, Program, to_json, write_dot, write_text};

use rorqual_engines::reduction::program::{Deepest, Recursion, unwound};
use rorqual_witness::Unwritable;

use crate::arguments::{Format, ShowAst, ShowCfa, ShowReduction};
use crate::console;
use crate::exit::{Problem, Status};
use crate::programs::{lower, project, show_warnings};

/// Prints the typed program.
pub(crate) fn ast(arguments: &ShowAst) -> Result<Status, Problem> {
    let host = System::default();
    let program = project(&arguments.sources, &host)?.parse(&host)?;
    show_warnings(&program.sources, &program.warnings);
    console::print(rorqual_frontend::typed::print(&program).as_bytes())
}

/// Prints the automata.
pub(crate) fn cfa(arguments: &ShowCfa) -> Result<Status, Problem> {
    let host = System::default();
    let program = lower(&project(&arguments.sources, &host)?, &host)?;
    let functions = chosen_functions(&program, &arguments.functions)?;
    let mut text = String::new();
    let written = match arguments.format {
        Format::Text => write_text(&mut text, &program, &functions),
        Format::Dot => write_dot(&mut text, &program, &functions),
        Format::Json => {
            text = to_json(&program, &functions) + "\n";
            Ok(())
        }
    };
    written.expect("writing to a string does not fail");
    console::print(text.as_bytes())
}

/// Lists the loops of functions that the user wrote.
pub(crate) fn loops(arguments: &ShowAst) -> Result<Status, Problem> {
    let host = System::default();
    let program = lower(&project(&arguments.sources, &host)?, &host)?;
    let mut text = String::new();
    for one in rorqual_symbolic::loops(&program) {
        let position = program.sources.position(one.span);
        let _ = writeln!(text, "{:<20} {}:{}:{}", one.name, position.file, position.line, position.column);
    }
    console::print(text.as_bytes())
}

/// Prints the program in which recursion is followed to a depth.
pub(crate) fn reduction(arguments: &ShowReduction) -> Result<Status, Problem> {
    let host = System::default();
    let program = lower(&project(&arguments.sources, &host)?, &host)?;
    let recursion = Recursion::of(&program);
    let reduced = unwound(&program, &recursion, arguments.k, Deepest::Blocked);
    match rorqual_witness::c_program(&reduced.program) {
        Ok(written) => console::print(written.text.as_bytes()),
        Err(Unwritable { construct, span }) => {
            let place = program.sources.position(span);
            Err(Problem::Usage(format!("{construct} cannot be written as C ({place})")))
        }
    }
}

/// The functions with the given names, or all functions with a body.
fn chosen_functions(program: &Program, names: &[String]) -> Result<Vec<FunctionId>, Problem> {
    let defined = program.functions.iter().filter(|(_, function)| function.body.is_some());
    if names.is_empty() {
        return Ok(defined.map(|(id, _)| id).collect());
    }
    let defined: Vec<_> = defined.collect();
    let mut chosen = vec![];
    for name in names {
        // Functions with internal linkage in different files may share a name: all are meant.
        let before = chosen.len();
        chosen.extend(defined.iter().filter(|(_, function)| function.name == *name).map(|(id, _)| *id));
        if chosen.len() == before {
            return Err(Problem::Usage(format!("the program defines no function `{name}`")));
        }
    }
    Ok(chosen)
}

/// Lists the functions that are linked to programs, or prints some of them.
pub(crate) fn models(names: &[String]) -> Result<Status, Problem> {
    let mut text = String::new();
    for name in names {
        let model = rorqual_models::find(name).ok_or_else(|| {
            Problem::Usage(format!("there is no model of `{name}`; `rorqual show models` lists them"))
        })?;
        text += model.text;
    }
    if names.is_empty() {
        for model in rorqual_models::MODELS {
            let header = model.header.unwrap_or("built into compilers");
            let _ = writeln!(text, "{:<12} {header}", model.name);
        }
    }
    console::print(text.as_bytes())?;
    Ok(Status::Success)
}

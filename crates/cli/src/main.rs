//! The command line of Rorqual: arguments, printing, signals, exit codes.
//!
//! Everything that a user sees is made here and nowhere else. What is computed comes from the
//! other crates; this one decides which of it to ask for and how to show it.

mod arguments;
mod argv;
mod bench;
mod certify;
mod check;
mod console;
mod exit;
mod manual;
mod native;
mod programs;
mod quantities;
mod render;
mod replay;
mod run;
mod show;
mod store;
mod summary;
mod upgrade;

use std::process::ExitCode;

use arguments::{Command, Invocation, Show};
use exit::{Problem, Status};

/// Printing follows the nesting of expressions, so its depth is the program's. Memory is only
/// taken as it is touched.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    exit::silence_panics();
    let worker = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES);
    let status = match worker.spawn(|| exit::catch_panics(start)) {
        Ok(worker) => worker.join().unwrap_or(Status::InternalError),
        // Without memory for a second stack, the first one has to do.
        Err(_) => exit::catch_panics(start),
    };
    status.into()
}

fn start() -> Status {
    let arguments = argv::spell_as_gcc_does(std::env::args_os());
    match Invocation::parse(arguments) {
        Ok(invocation) => dispatch(invocation.command).unwrap_or_else(|problem| problem.report()),
        Err(error) => {
            // Nothing is left to do if even the message cannot be written.
            let _ = error.print();
            if error.exit_code() == 0 { Status::Success } else { Status::Usage }
        }
    }
}

fn dispatch(command: Command) -> Result<Status, Problem> {
    match command {
        Command::Show(Show::Ast(ast)) => show::ast(&ast),
        Command::Show(Show::Cfa(cfa)) if cfa.summary => summary::print(&cfa),
        Command::Show(Show::Cfa(cfa)) => show::cfa(&cfa),
        Command::Show(Show::Summaries(summaries)) => check::show_summaries(&summaries.into()),
        Command::Show(Show::Loops(loops)) => show::loops(&loops),
        Command::Show(Show::Reduction(reduction)) => show::reduction(&reduction),
        Command::Show(Show::Properties(properties)) => check::show_properties(&properties),
        Command::Show(Show::Strategy(strategy)) => check::show_strategy(&strategy),
        Command::Show(Show::Models { names }) => show::models(&names),
        Command::Check(check) => check::check(&check),
        Command::Upgrade(upgrade) => upgrade::upgrade(&upgrade),
        Command::Run(run) => run::run(&run),
        Command::Bench(bench) => bench::bench(&bench),
        Command::Replay(replay) => replay::replay(&replay),
        Command::Certify(certify) => certify::certify(&certify),
        Command::Store(command) => store::store(&command),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { output } => manual::man(output.as_deref()),
    }
}

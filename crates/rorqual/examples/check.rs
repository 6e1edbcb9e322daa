//! Checks C files for all kinds of undefined behaviour: `cargo run --release -p rorqual --example check -- FILE.c…`

use std::path::PathBuf;
use std::process::ExitCode;

use rorqual::{Check, Checker, Conclusion, Project, System};

fn main() -> ExitCode {
    let files = std::env::args_os().skip(1).map(PathBuf::from);
    let checks = Check::ALL.iter().copied().filter(|&check| check != Check::UnreachableCode).collect();
    let project = Project::from_files(files).checking(checks).with_models();
    let outcome = match Checker::default().check(&project, &System::default(), &mut ()) {
        Ok(outcome) => outcome,
        Err(failure) => {
            for problem in &failure.diagnostics {
                eprintln!("{}: {}", failure.sources.position(problem.span), problem.message);
            }
            return ExitCode::FAILURE;
        }
    };
    for round in &outcome.rounds {
        let names: Vec<&str> = round.checks.iter().map(|check| check.name()).collect();
        let names = names.join(", ");
        match &round.conclusion {
            Conclusion::Safe(proof) => {
                println!("{names}: proved by {}, {} obligations", round.origin, proof.obligations());
            }
            Conclusion::Unsafe(refutation) => {
                let place = round.program.sources.position(refutation.span());
                println!("{names}: violated at {place}, found by {}", round.origin);
            }
            Conclusion::Unknown(_) => println!("{names}: not known"),
        }
    }
    ExitCode::SUCCESS
}

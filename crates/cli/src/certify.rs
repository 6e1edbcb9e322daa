//! `certify`: re-proves a certificate of safety.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use rorqual::{System, searched};
use rorqual_certificate::{
    Certificate, Guard, Header, Obligation, Outcome, Premises, Visitor, check_with, fingerprint,
    obligation_text, parse,
};
use rorqual_cfa::{Check, Hazard, Program};
use rorqual_evidence::{Assumption, assumptions_text};
use rorqual_frontend::{Failure, Options};
use rorqual_logic::TermPool;
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::{Diagnostic, SourceMap, Span};

use crate::arguments::Sources;
use crate::console::print;
use crate::exit::{Problem, Status, complain};
use crate::programs::{lower, project};
use crate::quantities;

/// `certify`
#[derive(Debug, Args)]
#[command(after_help = "The first line of standard output is `accepted: …` or `rejected: …`.\n\
                        Exit codes: 0 accepted, 20 rejected or not decided, 64 wrong usage, 65 unreadable program\n\
                        or certificate.\n\n\
                        Examples:\n  \
                        rorqual certify program.c --certificate program.cert\n  \
                        rorqual certify task.yml --certificate task.cert --time-limit 60s\n  \
                        rorqual certify program.c --certificate program.cert --smtlib out && z3 out/0001.smt2")]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The certificate
    #[arg(long, value_name = "FILE")]
    certificate: PathBuf,
    /// Write every obligation into this directory, as SMT-LIB files whose answer must be `unsat`
    #[arg(long, value_name = "DIR")]
    smtlib: Option<PathBuf>,
    /// Give up after this time, such as `60s`
    #[arg(long, value_name = "DURATION", value_parser = quantities::duration)]
    time_limit: Option<Duration>,
}

/// Checks the certificate and tells what came out.
pub(crate) fn certify(arguments: &Certify) -> Result<Status, Problem> {
    let limits = match arguments.time_limit {
        Some(limit) => Limits::none().with_duration(limit),
        None => Limits::none(),
    };
    let host = System::default();
    let mut job = project(&arguments.sources, &host)?.with_models();
    let (name, text) = read_text(arguments)?;
    let recorded = Header::checks_in(&text)
        .map_err(|error| malformed(&name, &text, error.line, &error.problem.to_string()))?;
    if !arguments.sources.checks.is_empty() && job.checks != recorded {
        return Err(Problem::File(format!(
            "the certificate `{name}` is for `--check {}`",
            names(&recorded, ",")
        )));
    }
    job = job.checking(recorded);
    let mut program = searched(&lower(&job, &host)?).into_owned();
    // `check` does without the library functions where their loops stand in the way.
    if !text.contains(&fingerprint(&program)) {
        let plain = searched(&lower(&job.without_models(), &host)?).into_owned();
        if text.contains(&fingerprint(&plain)) {
            program = plain;
        }
    }
    let certificate = read(&name, &text, &program, &job.options)?;
    let missing = unnamed(&job.assumptions(&program), &certificate.header.assumptions);
    if !missing.is_empty() {
        let missing = assumptions_text(&missing);
        let text = format!("rejected: the proof rests on what the certificate does not name: {missing}\n");
        print(text.as_bytes())?;
        return Ok(Status::Unknown);
    }
    let mut writer = Writer::new(arguments)?;
    let outcome = outcome(&program, &certificate, &limits, &mut writer);
    if let Some(problem) = writer.problem {
        return Err(Problem::Output(problem));
    }
    report(&outcome, arguments, &certificate.header)
}

/// What the checker says of a certificate: the proof must rest on nothing but what is assumed, and on operations of which a
/// second proof shows that they are defined.
fn outcome(program: &Program, certificate: &Certificate, limits: &Limits, writer: &mut Writer) -> Outcome {
    let operation = |assumption: &Assumption| match assumption {
        Assumption::Defined { hazard, .. } => Some(*hazard),
        _ => None,
    };
    let mut defined: Vec<Hazard> = certificate.header.assumptions.iter().filter_map(operation).collect();
    let mut proved = 0;
    if let Some(Guard { hazards, claim }) = &certificate.guard {
        defined.extend(hazards);
        let guarded = Guard::program(program, hazards);
        match check_with(&guarded, claim, Premises::Exactly(&defined), limits, writer) {
            Outcome::Accepted { obligations, .. } => proved = obligations,
            other => return other,
        }
    }
    match check_with(program, &certificate.claim, Premises::Exactly(&defined), limits, writer) {
        Outcome::Accepted { obligations, rests_on } => {
            Outcome::Accepted { obligations: obligations + proved, rests_on }
        }
        other => other,
    }
}

/// What has to be assumed and is not named.
fn unnamed(needed: &[Assumption], named: &[Assumption]) -> Vec<Assumption> {
    needed.iter().filter(|assumption| !named.contains(assumption)).cloned().collect()
}

fn names(checks: &[Check], separator: &str) -> String {
    checks.iter().map(|check| check.name()).collect::<Vec<_>>().join(separator)
}

fn report(outcome: &Outcome, arguments: &Certify, header: &Header) -> Result<Status, Problem> {
    match outcome {
        Outcome::Accepted { obligations, .. } => {
            let of = if header.checks == [Check::Assertions] {
                String::new()
            } else {
                format!(" (checks: {})", names(&header.checks, ", "))
            };
            let assuming = match header.assumptions.as_slice() {
                [] => String::new(),
                some => format!(", assuming {}", assumptions_text(some)),
            };
            print(format!("accepted: {obligations} obligations proved{of}{assuming}\n").as_bytes())?;
            Ok(Status::Success)
        }
        Outcome::Rejected(rejection) => {
            print(format!("rejected: it is not proved that {}\n", rejection.obligation).as_bytes())?;
            complain(&format!("  = note: {}\n", rejection.reason));
            Ok(Status::Unknown)
        }
        Outcome::Unknown { obligation, reason } => {
            print(format!("rejected: not decided whether {obligation}\n").as_bytes())?;
            complain(&format!("  = note: {reason}\n"));
            if *reason == GaveUp::Time && arguments.time_limit.is_some() {
                complain("  = help: raise `--time-limit`\n");
            }
            Ok(Status::Unknown)
        }
    }
}

/// The name and the content of the certificate.
fn read_text(arguments: &Certify) -> Result<(String, String), Problem> {
    let name = arguments.certificate.display().to_string();
    let text = std::fs::read_to_string(&arguments.certificate)
        .map_err(|error| Problem::File(format!("cannot read the certificate `{name}`: {error}")))?;
    Ok((name, text))
}

fn read(name: &str, text: &str, program: &Program, options: &Options) -> Result<Certificate, Problem> {
    let certificate = parse(program, text)
        .map_err(|error| malformed(name, text, error.line, &error.problem.to_string()))?;
    let mut functions = (certificate.header.error_functions.clone(), options.error_functions.clone());
    functions.0.sort();
    functions.1.sort();
    if certificate.header.entry != options.entry || functions.0 != functions.1 {
        return Err(Problem::File(format!(
            "the certificate `{name}` is for the entry `{}` and the error functions `{}`; say so with `--entry` \
             and `--error-function`",
            certificate.header.entry,
            certificate.header.error_functions.join(", ")
        )));
    }
    Ok(certificate)
}

/// A message that shows the line of the certificate.
fn malformed(name: &str, text: &str, line: u32, message: &str) -> Problem {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text.as_bytes());
    let before: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let length = text[before..].lines().next().map_or(0, str::len);
    let span = Span::new(file, before as u32, (before + length) as u32);
    Failure { sources, diagnostics: vec![Diagnostic::error(message, span)] }.into()
}

/// Writes obligations to a directory, numbered in the order in which they are proved.
struct Writer {
    directory: Option<PathBuf>,
    count: usize,
    /// Why the last file could not be written.
    problem: Option<String>,
}

impl Writer {
    fn new(arguments: &Certify) -> Result<Writer, Problem> {
        if let Some(directory) = &arguments.smtlib {
            std::fs::create_dir_all(directory).map_err(|error| {
                Problem::Output(format!("cannot make the directory `{}`: {error}", directory.display()))
            })?;
        }
        Ok(Writer { directory: arguments.smtlib.clone(), count: 0, problem: None })
    }
}

impl Visitor for Writer {
    fn obligation(&mut self, pool: &TermPool, obligation: &Obligation) -> Result<(), String> {
        let Some(directory) = &self.directory else { return Ok(()) };
        self.count += 1;
        let path = directory.join(format!("{:04}.smt2", self.count));
        std::fs::write(&path, obligation_text(pool, obligation)).map_err(|error| {
            let problem = format!("cannot write `{}`: {error}", path.display());
            self.problem = Some(problem.clone());
            problem
        })
    }
}

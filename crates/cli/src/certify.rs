//! `certify`: re-proves a certificate of safety.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use rorqual::{Project, System, searched};
use rorqual_certificate::{
    Certificate, Guard, Header, Obligation, Outcome, ParseError, Premises, Visitor, certificates_in,
    check_with, fingerprint, obligation_text, parse,
};
use rorqual_cfa::{Check, Hazard, Program};
use rorqual_evidence::{Assumption, assumptions_text};
use rorqual_frontend::{Failure, Options};
use rorqual_logic::TermPool;
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::{Diagnostic, SourceMap, Span};

use crate::arguments::Sources;
use crate::check::obligations;
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

/// Checks the certificates of a file and tells what came out.
pub(crate) fn certify(arguments: &Certify) -> Result<Status, Problem> {
    let limits = match arguments.time_limit {
        Some(limit) => Limits::none().with_duration(limit),
        None => Limits::none(),
    };
    let (name, text) = read_text(arguments)?;
    let mut writer = Writer::new(arguments)?;
    let mut accepted = Accepted::default();
    for (line, text) in certificates_in(&text) {
        let document = Document { name: &name, line, text: &text };
        match document.certify(arguments, &limits, &mut writer)? {
            Ok((obligations, header)) => accepted.add(obligations, header),
            Err(rejected) => return rejected.tell(arguments),
        }
    }
    if accepted.headers.is_empty() {
        return Err(Problem::File(format!("the certificate `{name}` is empty")));
    }
    print(accepted.text().as_bytes())?;
    Ok(Status::Success)
}

/// One certificate of a file.
struct Document<'a> {
    name: &'a str,
    /// The number of its first line, from zero.
    line: usize,
    text: &'a str,
}

impl Document<'_> {
    /// Checks it: how many obligations were proved, and what it is about.
    fn certify(
        &self,
        arguments: &Certify,
        limits: &Limits,
        writer: &mut Writer,
    ) -> Result<Result<(usize, Header), Rejected>, Problem> {
        let host = System::default();
        let mut job = project(&arguments.sources, &host)?.with_models();
        let recorded = Header::checks_in(self.text).map_err(|error| self.malformed(&error))?;
        if !arguments.sources.checks.is_empty() && !recorded.iter().all(|check| job.checks.contains(check)) {
            return Err(Problem::File(format!(
                "the certificate `{}` is for `--check {}`",
                self.name,
                names(&recorded, ",")
            )));
        }
        job = job.checking(recorded).selecting(Header::properties_in(self.text), true);
        let program = self.program(&job, &host)?;
        let certificate = self.read(&program, &job.options)?;
        let missing = unnamed(&job.assumptions(&program), &certificate.header.assumptions);
        if !missing.is_empty() {
            return Ok(Err(Rejected::Unnamed(missing)));
        }
        let outcome = outcome(&program, &certificate, limits, writer);
        if let Some(problem) = writer.problem.take() {
            return Err(Problem::Output(problem));
        }
        Ok(match outcome {
            Outcome::Accepted { obligations, .. } => Ok((obligations, certificate.header)),
            other => Err(Rejected::ByChecker(other)),
        })
    }

    /// The program that it is about. `check` does without the library functions where their loops stand in the way.
    fn program(&self, job: &Project, host: &System) -> Result<Program, Problem> {
        let program = searched(&lower(job, host)?).into_owned();
        if self.text.contains(&fingerprint(&program)) {
            return Ok(program);
        }
        let Ok(plain) = lower(&job.without_models(), host) else { return Ok(program) };
        let plain = searched(&plain).into_owned();
        Ok(if self.text.contains(&fingerprint(&plain)) { plain } else { program })
    }

    fn read(&self, program: &Program, options: &Options) -> Result<Certificate, Problem> {
        let certificate = parse(program, self.text).map_err(|error| self.malformed(&error))?;
        let mut functions = (certificate.header.error_functions.clone(), options.error_functions.clone());
        functions.0.sort();
        functions.1.sort();
        if certificate.header.entry != options.entry || functions.0 != functions.1 {
            return Err(Problem::File(format!(
                "the certificate `{}` is for the entry `{}` and the error functions `{}`; say so with `--entry` \
                 and `--error-function`",
                self.name,
                certificate.header.entry,
                certificate.header.error_functions.join(", ")
            )));
        }
        Ok(certificate)
    }

    /// A message that shows the line of the certificate.
    fn malformed(&self, error: &ParseError) -> Problem {
        let mut sources = SourceMap::default();
        let blank = "\n".repeat(self.line);
        let text = blank + self.text;
        let file = sources.add(self.name, text.as_bytes());
        let line = self.line + error.line as usize;
        let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let length = text[before..].lines().next().map_or(0, str::len);
        let span = Span::new(file, before as u32, (before + length) as u32);
        let diagnostic = Diagnostic::error(error.problem.to_string(), span);
        Failure { sources, diagnostics: vec![diagnostic] }.into()
    }
}

/// What was accepted so far.
#[derive(Default)]
struct Accepted {
    obligations: usize,
    headers: Vec<Header>,
}

impl Accepted {
    fn add(&mut self, obligations: usize, header: Header) {
        self.obligations += obligations;
        self.headers.push(header);
    }

    fn text(&self) -> String {
        let whole = self.headers.iter().filter(|header| header.properties.is_empty());
        let whole: BTreeSet<Check> = whole.flat_map(|header| header.checks.iter().copied()).collect();
        let whole: Vec<Check> = whole.into_iter().collect();
        let some: Vec<&str> =
            self.headers.iter().flat_map(|header| &header.properties).map(String::as_str).collect();
        let of = match (whole.as_slice(), some.as_slice()) {
            ([Check::Assertions], []) => String::new(),
            (checks, []) => format!(" (checks: {})", names(checks, ", ")),
            ([], some) => format!(" (properties: {})", some.join(", ")),
            (checks, some) => {
                format!(" (checks: {}; properties: {})", names(checks, ", "), some.join(", "))
            }
        };
        let assumptions: BTreeSet<Assumption> =
            self.headers.iter().flat_map(|header| header.assumptions.clone()).collect();
        let assuming = match assumptions.into_iter().collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            some => format!(", assuming {}", assumptions_text(some)),
        };
        format!("accepted: {} proved{of}{assuming}\n", obligations(self.obligations))
    }
}

/// Why a certificate is not accepted.
enum Rejected {
    /// It does not name what the proof rests on.
    Unnamed(Vec<Assumption>),
    /// The checker does not follow it.
    ByChecker(Outcome),
}

impl Rejected {
    fn tell(&self, arguments: &Certify) -> Result<Status, Problem> {
        match self {
            Rejected::Unnamed(missing) => {
                let missing = assumptions_text(missing);
                let text =
                    format!("rejected: the proof rests on what the certificate does not name: {missing}\n");
                print(text.as_bytes())?;
            }
            Rejected::ByChecker(Outcome::Rejected(rejection)) => {
                print(format!("rejected: it is not proved that {}\n", rejection.obligation).as_bytes())?;
                complain(&format!("  = note: {}\n", rejection.reason));
            }
            Rejected::ByChecker(Outcome::Unknown { obligation, reason }) => {
                print(format!("rejected: not decided whether {obligation}\n").as_bytes())?;
                complain(&format!("  = note: {reason}\n"));
                if *reason == GaveUp::Time && arguments.time_limit.is_some() {
                    complain("  = help: raise `--time-limit`\n");
                }
            }
            Rejected::ByChecker(Outcome::Accepted { .. }) => {}
        }
        Ok(Status::Unknown)
    }
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

/// The name and the content of the certificate.
fn read_text(arguments: &Certify) -> Result<(String, String), Problem> {
    let name = arguments.certificate.display().to_string();
    let text = std::fs::read_to_string(&arguments.certificate)
        .map_err(|error| Problem::File(format!("cannot read the certificate `{name}`: {error}")))?;
    Ok((name, text))
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

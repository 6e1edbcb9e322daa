//! Files with evidence: certificates, witnesses, harnesses.

use std::path::Path;

use rorqual_certificate::{Guard, Header};
use rorqual_cfa::{Check, Program};
use rorqual_engine::{Assumption, Invariant, assumptions_text};
use rorqual_witness::{
    Content, Entry, Metadata, Producer, Replay, Task, function_contracts, harness, loop_invariants, sha256,
    timestamp, uuid_from, violation_sequence, write_witness,
};

use super::arguments::CheckArguments;
use super::rounds::Round;
use crate::exit::{Problem, complain};
use crate::programs::Job;

/// A proof, and what it rests on.
pub(crate) struct Proof<'a> {
    pub(crate) round: &'a Round,
    pub(crate) invariant: &'a Invariant,
    pub(crate) guard: Option<&'a Guard>,
    pub(crate) assumptions: &'a [Assumption],
}

/// Writes what the user wants of a proof.
pub(crate) fn of_proof(arguments: &CheckArguments, job: &Job, proof: &Proof<'_>) -> Result<(), Problem> {
    let Proof { round: Round { program, checks, .. }, invariant, guard, assumptions } = *proof;
    if let Some(path) = &arguments.certificate {
        let header = Header {
            entry: job.options.entry.clone(),
            error_functions: job.options.error_functions.clone(),
            checks: checks.clone(),
            assumptions: assumptions.to_vec(),
        };
        write(path, "the certificate", &rorqual_certificate::write(program, invariant, &header, guard))?;
    }
    if let Some(path) = &arguments.witness {
        let content =
            Content::Invariants(loop_invariants(program, invariant), function_contracts(program, invariant));
        let verdict =
            (!assumptions.is_empty()).then(|| format!("safe, assuming {}", assumptions_text(assumptions)));
        write(path, "the witness", &witness(job, program, checks, content, verdict))?;
    }
    if arguments.harness.is_some() {
        complain("  = note: the program is safe, so there is no harness\n");
    }
    Ok(())
}

/// Writes what the user wants of a violation.
pub(crate) fn of_violation(
    arguments: &CheckArguments,
    job: &Job,
    program: &Program,
    check: Check,
    replay: &Replay,
) -> Result<(), Problem> {
    if let Some(path) = &arguments.witness {
        let content = Content::Violation(violation_sequence(program, replay));
        write(path, "the witness", &witness(job, program, &[check], content, None))?;
    }
    if let Some(path) = &arguments.harness {
        let harness = harness(program, replay);
        write(path, "the harness", &harness.text)?;
        for missing in &harness.missing {
            complain(&format!("  = note: a compiled program cannot be given {missing}\n"));
        }
    }
    if arguments.certificate.is_some() {
        complain("  = note: the program is not safe, so there is no certificate\n");
    }
    Ok(())
}

fn write(path: &Path, what: &str, text: &str) -> Result<(), Problem> {
    let failed = |error| Problem::Output(format!("cannot write {what} to `{}`: {error}", path.display()));
    std::fs::write(path, text).map_err(failed)
}

/// A witness with what it speaks of. Its name is made from its content, and its time from the clock unless
/// `SOURCE_DATE_EPOCH` says otherwise, so that results can be reproduced to the byte.
fn witness(
    job: &Job,
    program: &Program,
    checks: &[Check],
    content: Content,
    description: Option<String>,
) -> String {
    let mut input_files = Vec::new();
    for unit in &job.units {
        let bytes = std::fs::read(&unit.path).unwrap_or_default();
        input_files.push((unit.path.display().to_string(), sha256(&bytes)));
    }
    let specification = specification(job, checks);
    let seed = format!("{input_files:?}{specification}{content:?}");
    let metadata = Metadata {
        uuid: uuid_from(seed.as_bytes()),
        creation_time: timestamp(now()),
        producer: Producer {
            name: "rorqual".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command_line: None,
            description,
        },
        task: Task { input_files, specification, data_model: Some(program.types.model()) },
    };
    write_witness(&Entry { metadata, content })
}

/// What a witness speaks of, in the language of property files.
fn specification(job: &Job, checks: &[Check]) -> String {
    let call = |function: &String| format!("call({function}())");
    let mut excluded: Vec<String> = Vec::new();
    for &check in checks {
        match check {
            Check::Assertions => excluded.extend(job.options.error_functions.iter().map(call)),
            other => excluded.push(other.name().to_owned()),
        }
    }
    let claim = |what: String| format!("CHECK( init({}()), LTL(G ! {what}) )", job.options.entry);
    excluded.into_iter().map(claim).collect::<Vec<String>>().join("\n")
}

fn now() -> u64 {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    set.unwrap_or_else(|| clock().map_or(0, |since| since.as_secs()))
}

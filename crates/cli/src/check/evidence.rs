//! Files with evidence: certificates, witnesses, harnesses.

use std::path::Path;

use rorqual::{Conclusion, Outcome, Project, Refutation, Round};
use rorqual_certificate::Header;
use rorqual_cfa::{Check, Program};
use rorqual_engines::predicate::Exchange;
use rorqual_evidence::assumptions_text;
use rorqual_witness::{
    Content, Entry, Metadata, Producer, Task, function_contracts, harness, loop_invariants, sha256,
    timestamp, uuid_from, violation_sequence, write_witness,
};

use super::arguments::CheckArguments;
use crate::exit::{Problem, complain};

/// Writes what the user wants of the answer that decides.
pub(crate) fn write(arguments: &CheckArguments, project: &Project, outcome: &Outcome) -> Result<(), Problem> {
    let round = outcome.decisive();
    match &round.conclusion {
        Conclusion::Safe(_) => of_proofs(arguments, project, outcome, round),
        Conclusion::Unsafe(refutation) => of_violation(arguments, project, round, refutation),
        Conclusion::Unknown(_) => Ok(()),
    }
}

/// Writes the predicates of a run, and tells of those that the run was given in vain.
pub(crate) fn write_predicates(arguments: &CheckArguments, exchange: &Exchange) -> Result<(), Problem> {
    if let Some(given) = &arguments.predicates_in {
        for line in exchange.misfits() {
            let name = given.display();
            complain(&format!(
                "warning: {name}:{line}: the program has no such place or variable; ignored\n"
            ));
        }
    }
    match &arguments.predicates_out {
        Some(path) => write_file(path, "the predicates", &exchange.found().to_string()),
        None => Ok(()),
    }
}

fn of_proofs(
    arguments: &CheckArguments,
    project: &Project,
    outcome: &Outcome,
    round: &Round,
) -> Result<(), Problem> {
    let Round { program, checks, .. } = round;
    let assumptions = outcome.assumptions_of(round);
    if let Some(path) = &arguments.certificate {
        let texts = outcome.rounds.iter().filter_map(|round| certificate(project, outcome, round));
        write_file(path, "the certificate", &texts.collect::<String>())?;
    }
    if let Some(path) = &arguments.witness {
        let (mut loops, mut contracts) = (Vec::new(), Vec::new());
        for round in &outcome.rounds {
            let Conclusion::Safe(proof) = &round.conclusion else { continue };
            if let Some(invariant) = proof.invariant() {
                loops.extend(loop_invariants(&round.program, invariant));
                contracts.extend(function_contracts(&round.program, invariant));
            }
        }
        let content = Content::Invariants(loops, contracts);
        let verdict =
            (!assumptions.is_empty()).then(|| format!("safe, assuming {}", assumptions_text(&assumptions)));
        write_file(path, "the witness", &witness(project, program, checks, content, verdict))?;
    }
    if arguments.harness.is_some() {
        complain("  = note: the program is safe, so there is no harness\n");
    }
    Ok(())
}

/// The certificate of a round that is safe.
fn certificate(project: &Project, outcome: &Outcome, round: &Round) -> Option<String> {
    let Conclusion::Safe(proof) = &round.conclusion else { return None };
    let names = round.properties.iter().map(|&at| outcome.properties[at].name.clone());
    let header = Header {
        entry: project.options.entry.clone(),
        error_functions: project.options.error_functions.clone(),
        checks: round.checks.clone(),
        properties: if round.is_partial { names.collect() } else { Vec::new() },
        assumptions: outcome.assumptions_of(round),
    };
    Some(rorqual_certificate::write(&round.program, proof.claim(), &header, proof.guard()))
}

fn of_violation(
    arguments: &CheckArguments,
    project: &Project,
    round: &Round,
    refutation: &Refutation,
) -> Result<(), Problem> {
    let (program, replay) = (&round.program, refutation.replay());
    if let Some(path) = &arguments.witness {
        let content = Content::Violation(violation_sequence(program, replay));
        let text = witness(project, program, &[refutation.check()], content, None);
        write_file(path, "the witness", &text)?;
    }
    if let Some(path) = &arguments.harness {
        let harness = harness(program, replay);
        write_file(path, "the harness", &harness.text)?;
        for missing in &harness.missing {
            complain(&format!("  = note: a compiled program cannot be given {missing}\n"));
        }
    }
    if arguments.certificate.is_some() {
        complain("  = note: the program is not safe, so there is no certificate\n");
    }
    Ok(())
}

fn write_file(path: &Path, what: &str, text: &str) -> Result<(), Problem> {
    let failed = |error| Problem::Output(format!("cannot write {what} to `{}`: {error}", path.display()));
    std::fs::write(path, text).map_err(failed)
}

/// A witness with what it speaks of. Its name is made from its content, and its time from the clock unless
/// `SOURCE_DATE_EPOCH` says otherwise, so that results can be reproduced to the byte.
fn witness(
    project: &Project,
    program: &Program,
    checks: &[Check],
    content: Content,
    description: Option<String>,
) -> String {
    let mut input_files = Vec::new();
    for unit in &project.units {
        let bytes = std::fs::read(&unit.path).unwrap_or_default();
        input_files.push((unit.path.display().to_string(), sha256(&bytes)));
    }
    let specification = specification(project, checks);
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
fn specification(project: &Project, checks: &[Check]) -> String {
    let call = |function: &String| format!("call({function}())");
    let mut excluded: Vec<String> = Vec::new();
    for &check in checks {
        match check {
            Check::Assertions => excluded.extend(project.options.error_functions.iter().map(call)),
            other => excluded.push(other.name().to_owned()),
        }
    }
    let claim = |what: String| format!("CHECK( init({}()), LTL(G ! {what}) )", project.options.entry);
    excluded.into_iter().map(claim).collect::<Vec<String>>().join("\n")
}

fn now() -> u64 {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    set.unwrap_or_else(|| clock().map_or(0, |since| since.as_secs()))
}

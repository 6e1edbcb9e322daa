//! Certificates for C texts, written by the locations of loops rather than by numbers.

// Each test file uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;
use std::sync::Mutex;

use rorqual_certificate::{
    Header, Obligation, Outcome, Premises, Visitor, check_with, obligation_text, parse, write,
};
use rorqual_cfa::{Callee, DataModel, Id, LocationId, Operation, Program};
use rorqual_evidence::{CallSite, CallString, Claim, Invariant};
use rorqual_logic::TermPool;
use rorqual_solver::Limits;

/// A C program with the declarations that every test needs.
pub(crate) fn program(model: DataModel, text: &str) -> Program {
    let declarations = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";
    rorqual_testkit::program_for(model, &format!("{declarations}{text}"))
}

/// The invariant of a claim.
pub(crate) fn invariant(claim: &Claim) -> &Invariant {
    match claim {
        Claim::Invariant(invariant) => invariant,
        Claim::Unwinding(_) => panic!("an invariant is expected"),
    }
}

/// The first lines of a certificate of a program.
pub(crate) fn head(program: &Program) -> String {
    let invariant = Invariant { pool: TermPool::new(), locations: vec![], contracts: vec![] };
    let header = Header {
        entry: "main".to_owned(),
        error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
        checks: vec![rorqual_cfa::Check::Assertions],
        properties: vec![],
        assumptions: vec![],
    };
    let text = write(program, &Claim::Invariant(invariant), &header, None);
    text.strip_suffix("end\n").expect("certificates have an end").to_owned()
}

/// The places of all loop heads in `main` and what it calls, in the order of the program, as a
/// certificate writes them.
pub(crate) fn loops(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    visit(program, &CallString::default(), &mut found);
    found
}

fn visit(program: &Program, calls: &CallString, found: &mut Vec<String>) {
    let function = &program.functions[calls.function(program)];
    let Some(body) = &function.body else { return };
    for (location, details) in body.locations().iter() {
        if !details.loop_statements.is_empty() {
            let text = calls.text(program);
            let number = LocationId::index(location);
            found.push(format!("{text} at {}:{number}", function.name).trim().to_owned());
        }
    }
    for (edge, details) in body.edges().iter() {
        if let Operation::Call { callee: Callee::Function(callee), .. } = details.operation
            && calls.0.iter().all(|site| site.callee != callee)
        {
            let mut inner = calls.clone();
            inner.0.push(CallSite { caller: calls.function(program), edge, callee });
            visit(program, &inner, found);
        }
    }
}

/// The name of the first class of allocated objects.
pub(crate) fn allocated(program: &Program) -> String {
    let memory = rorqual_memory::Memory::analyse(program);
    let (first, _) = memory.classes().next().expect("memory is allocated");
    memory.class_name(program, first)
}

/// A certificate with a formula for each loop head; of the version with quantifiers if there are any.
pub(crate) fn certificate(program: &Program, formulas: &[&str]) -> String {
    let places = loops(program);
    assert_eq!(places.len(), formulas.len(), "one formula for each of {places:?}");
    let mut text = head(program);
    if formulas.iter().any(|formula| formula.starts_with("(forall")) {
        text = text.replacen("certificate 1", "certificate 2", 1);
    }
    for (place, formula) in places.iter().zip(formulas) {
        let _ = writeln!(text, "invariant {place}\n  {formula}");
    }
    text + "end\n"
}

/// Keeps the scripts of all obligations.
#[derive(Default)]
pub(crate) struct Scripts(pub(crate) Vec<String>);

impl Visitor for Scripts {
    fn obligation(&mut self, pool: &TermPool, obligation: &Obligation) -> Result<(), String> {
        self.0.push(obligation_text(pool, obligation));
        Ok(())
    }
}

/// Checks a certificate text.
pub(crate) fn outcome(program: &Program, text: &str) -> (Outcome, Scripts) {
    let certificate = parse(program, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut scripts = Scripts::default();
    let premises = Premises::AtLeast(&[]);
    let outcome = check_with(program, &certificate.claim, premises, &Limits::none(), &mut scripts);
    (outcome, scripts)
}

/// The certificate must be accepted, by other solvers too.
#[track_caller]
pub(crate) fn accepts(text: &str, formulas: &[&str]) {
    let program = program(DataModel::Lp64, text);
    let (outcome, scripts) = outcome(&program, &certificate(&program, formulas));
    assert!(matches!(outcome, Outcome::Accepted { .. }), "{outcome:?}\n{text}");
    for solver in ["z3", "cvc5"] {
        agrees(solver, &scripts);
    }
}

/// The certificate must be rejected; what is said must contain `part`. Another solver must not prove the
/// last obligation, which is the one that fails.
#[track_caller]
pub(crate) fn rejects(text: &str, formulas: &[&str], part: &str) {
    let program = program(DataModel::Lp64, text);
    let (outcome, scripts) = outcome(&program, &certificate(&program, formulas));
    let Outcome::Rejected(rejection) = outcome else { panic!("{outcome:?}\n{text}") };
    let said = format!("{}: {}", rejection.obligation, rejection.reason);
    assert!(said.contains(part), "{said}");
    if !said.contains("cycle") {
        let last = scripts.0.last().expect("an obligation was tried");
        if let Some(answer) = ask("z3", last) {
            assert_eq!(answer, "sat", "{last}");
        }
    }
}

fn agrees(solver: &str, scripts: &Scripts) {
    for script in &scripts.0 {
        match ask(solver, script) {
            Some(answer) => assert_eq!(answer, "unsat", "{solver}\n{script}"),
            None => return skip_once(solver),
        }
    }
}

/// Dozens of certificates are accepted in each file of tests; one line for all of them will do.
fn skip_once(solver: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let is_new = TOLD.lock().is_ok_and(|mut told| told.insert(solver.to_owned()));
    if is_new {
        rorqual_testkit::skip("second opinions on certificates", format!("{solver} is not installed"));
    }
}

/// The answer of a solver to a script, if the solver is there.
fn ask(solver: &str, script: &str) -> Option<String> {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let file = directory.path().join("obligation.smt2");
    std::fs::write(&file, script).expect("the file can be written");
    let output = Command::new(solver).arg(&file).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.lines().next().unwrap_or("").to_owned())
}

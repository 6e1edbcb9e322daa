//! Another verifier as the analyzer: a process that reads a C program, and writes a witness (SV-COMP, version 2.x).
//!
//! The verdict is that of the witness: invariants say that the program is safe, a violation sequence that it is not. What is
//! believed of it is nothing: summaries are checked, and violations are replayed.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rorqual_cfa::{Callee, CellNames, DataModel, FunctionId, Operation, Program, VariableId};
use rorqual_encoding::{Encoding, Object, Procedure, Setting, Target};
use rorqual_evidence::{CallSite, CallString, Invariant, LocationInvariant, Observer, Reason, Violation};
use rorqual_frontend::{Host, Options, TranslationUnit};
use rorqual_interpreter::{Config, GivenInput, parse_inputs, render_inputs};
use rorqual_logic::{Op, Term, TermPool};
use rorqual_solver::Limits;
use rorqual_source::Span;
use rorqual_witness::{
    CProgram, Content, InvariantEntry, Segment, c_program, read_witness, replay_violation,
};

use super::analyzer::{Analyzer, Finding};
use super::program::Reduced;

/// How often a process is looked at.
const PAUSE: Duration = Duration::from_millis(5);

/// A verifier as a process.
#[derive(Debug, Clone)]
pub struct External {
    /// The command, separated by spaces. `{program}`, `{task}`, `{property}` and `{witness}` stand for files: the C program,
    /// the BenchExec task, its property, and the witness that is to be written.
    pub command: String,
    /// Where these files go. It is made for each run, and removed after it.
    pub directory: PathBuf,
    /// The time that one run may take. Limits count the CPU time of this process only.
    pub patience: Duration,
}

/// Why a process gave no answer.
struct NoAnswer(String);

impl Analyzer for External {
    fn name(&self) -> &'static str {
        "external"
    }

    fn analyze(&self, reduced: &Reduced, limits: &Limits, _: &mut dyn Observer) -> Finding {
        if let Some(reason) = limits.spent() {
            return Finding::Unknown(Reason::Limit(reason));
        }
        let answer = self.ask(reduced, limits);
        // Whatever could not be removed is overwritten the next time.
        let _ = std::fs::remove_dir_all(&self.directory);
        answer.unwrap_or_else(|NoAnswer(why)| {
            let construct = format!("what the external analyzer answers ({why})");
            Finding::Unknown(Reason::Unsupported { construct, span: Span::NONE })
        })
    }
}

impl External {
    fn ask(&self, reduced: &Reduced, limits: &Limits) -> Result<Finding, NoAnswer> {
        let written = c_program(&reduced.program)
            .map_err(|what| NoAnswer(format!("{} cannot be written as C", what.construct)))?;
        let witness = self.directory.join("witness.yml");
        self.write(&written, reduced.program.types.model()).map_err(|error| no_file(&error))?;
        self.run(&witness, limits)?;
        let text = std::fs::read_to_string(&witness).map_err(|_| NoAnswer("no witness".to_owned()))?;
        let entries = read_witness(&text).map_err(|error| NoAnswer(error.to_string()))?;
        let mut invariants = Vec::new();
        for entry in entries {
            match entry.content {
                Content::Violation(segments) => return violation(reduced, &written, &segments),
                Content::Invariants(found, _) => invariants.extend(found),
            }
        }
        Ok(Finding::Pass(invariant(reduced, &written, &invariants)))
    }

    fn write(&self, written: &CProgram, model: DataModel) -> io::Result<()> {
        let width = match model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        };
        let task = format!(
            "format_version: '2.0'\ninput_files: 'reduced.c'\nproperties:\n  - property_file: unreach-call.prp\n\
             options:\n  language: C\n  data_model: {width}\n"
        );
        std::fs::create_dir_all(&self.directory)?;
        std::fs::write(self.directory.join("reduced.c"), &written.text)?;
        std::fs::write(self.directory.join("reduced.yml"), task)?;
        let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        std::fs::write(self.directory.join("unreach-call.prp"), property)
    }

    /// Runs the command to its end.
    fn run(&self, witness: &Path, limits: &Limits) -> Result<(), NoAnswer> {
        let file = |name: &str| self.directory.join(name).display().to_string();
        let word = |word: &str| {
            word.replace("{program}", &file("reduced.c"))
                .replace("{task}", &file("reduced.yml"))
                .replace("{property}", &file("unreach-call.prp"))
                .replace("{witness}", &witness.display().to_string())
        };
        let mut words = self.command.split_whitespace().map(word);
        let program = words.next().ok_or_else(|| NoAnswer("no command".to_owned()))?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| no_file(&error))?;
        let start = Instant::now();
        while child.try_wait().map_err(|error| no_file(&error))?.is_none() {
            if limits.spent().is_some() || start.elapsed() > self.patience {
                child.kill().and_then(|()| child.wait()).map_err(|error| no_file(&error))?;
                return Err(NoAnswer("it takes too long".to_owned()));
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }
}

fn no_file(error: &io::Error) -> NoAnswer {
    NoAnswer(error.to_string())
}

/// One text as the only file.
struct Text<'t>(&'t str);

impl Host for Text<'_> {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }

    fn system_include_directories(&self, _: DataModel) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// The automata of a text.
fn read(text: &str, model: DataModel) -> Option<Program> {
    let options = Options { data_model: model, ..Options::default() };
    let typed = rorqual_frontend::parse(&[TranslationUnit::new("reduced.c")], &options, &Text(text)).ok()?;
    rorqual_frontend::lower(typed, &options).ok()
}

/// The inputs of a violation, from an execution of the text along the witness.
fn violation(reduced: &Reduced, written: &CProgram, segments: &[Segment]) -> Result<Finding, NoAnswer> {
    let program = read(&written.text, reduced.program.types.model());
    let program = program.ok_or_else(|| NoAnswer("the program is not read again".to_owned()))?;
    let replay = replay_violation(&program, segments, &Config::default());
    if replay.violation().is_none() {
        return Err(NoAnswer("a violation that does not replay".to_owned()));
    }
    let text = render_inputs(&replay.execution.inputs);
    let inputs: Vec<GivenInput> = parse_inputs(&text).map_err(|_| NoAnswer("its inputs".to_owned()))?;
    Ok(Finding::Error(Violation::Inputs(inputs)))
}

/// What a witness says of marked locations. Scopes of C hide variables of callers, so it is about the function itself.
fn invariant(reduced: &Reduced, written: &CProgram, entries: &[InvariantEntry]) -> Invariant {
    let mut found = Invariant::empty();
    for (&(function, location), &line) in &written.marks {
        let Some(calls) = calls_of(&reduced.program, function) else { continue };
        let said = entries.iter().filter(|entry| entry.location.line as usize == line);
        let mut formulas = Vec::new();
        for entry in said {
            formulas.extend(formula(reduced, written, function, &entry.value, &mut found.pool));
        }
        let formula = found.pool.and(&formulas);
        found.locations.push(LocationInvariant { calls, location, bound: Vec::new(), formula });
    }
    found
}

/// The first calls that lead to a function.
fn calls_of(program: &Program, wanted: FunctionId) -> Option<CallString> {
    let mut open = VecDeque::from([(program.start, CallString::default())]);
    let mut seen = std::collections::BTreeSet::from([program.start]);
    while let Some((caller, calls)) = open.pop_front() {
        if caller == wanted {
            return Some(calls);
        }
        for (edge, details) in program.functions[caller].body.iter().flat_map(|body| body.edges().iter()) {
            if let Operation::Call { callee: Callee::Function(callee), .. } = details.operation
                && seen.insert(callee)
            {
                let mut inner = calls.clone();
                inner.0.push(CallSite { caller, edge, callee });
                open.push_back((callee, inner));
            }
        }
    }
    None
}

/// An expression as a formula over cells. The front end reads it as what a function returns, whose parameters have the names
/// of the variables in scope.
fn formula(
    reduced: &Reduced,
    written: &CProgram,
    function: FunctionId,
    value: &str,
    pool: &mut TermPool,
) -> Option<Term> {
    const NAME: &str = "rorqual_invariant";
    let types = &reduced.program.types;
    let mut parameters = Vec::new();
    for (name, &id) in &written.variables {
        let variable = &reduced.program.variables[id];
        let is_own = variable.function == Some(function) && !variable.kind.is_global();
        if let (true, Some(kind)) = (is_own, types.as_int(variable.ty)) {
            parameters.push(format!("{} {name}", kind.name()));
        }
    }
    let text = format!(
        "{}\nint {NAME}(int once, {}) {{ return ({value}) != 0; }}\n",
        written.text,
        parameters.join(", ")
    );
    let program = read(&text.replace(", )", ")"), types.model())?;
    let claim = program.function_named(NAME)?;
    let mut encoding = Encoding::of(&program, Setting::default());
    let body = encoding.body_of(Procedure { function: claim, head: None });
    let returned =
        |cell: rorqual_encoding::CellId| encoding.cells().get(cell).object == Some(Object::Result(claim));
    let exit = body.exits.iter().find(|exit| matches!(exit.target, Target::Point(_)))?;
    let (_, term) = exit.updates.iter().copied().find(|&(cell, _)| returned(cell))?;
    let zero = encoding.pool.bv(0u8, encoding.pool.width(term));
    let holds = encoding.pool.ne(term, zero);
    let names = CellNames::new(&reduced.program);
    let holds = pool.import(&encoding.pool, &[holds])[0];
    let mut values = HashMap::new();
    for variable in pool.free_variables(holds) {
        let Op::Symbol(symbol) = *pool.op(variable) else { return None };
        let name = pool.symbol_name(symbol);
        let plain = name.strip_prefix(NAME).and_then(|rest| rest.strip_prefix("::")).unwrap_or(name);
        let id: VariableId = *written.variables.get(plain)?;
        let (renamed, sort) = (names.variable(id).to_owned(), pool.sort(variable));
        values.insert(variable, pool.symbol(&renamed, sort));
    }
    Some(pool.substitute(holds, &values))
}

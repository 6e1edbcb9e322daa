//! The text format of certificates, versions 1 to 7 (`docs/formats/certificate.md`).

use std::fmt::{self, Write as _};

use rorqual_cfa::{
    Callee, CellNames, Check, DataModel, FunctionId, Hazard, Id, LocationId, Operation, Printer, Program,
    UnknownCheck, VariableId, guard,
};
use rorqual_evidence::{Assumption, CallSite, CallString, Claim, Contract, Invariant, LocationInvariant};
use rorqual_logic::{Op, Sort, Term, TermPool, smtlib};

use crate::assumptions::{ASSUMING, GUARDED, GUARDING, assumption_text, hazard_text, parse_assumption};
use crate::bounds::{UNWINDING, write_unwinding};
use crate::cells::Cells;
use crate::contracts::{CONTRACT, write_contract};

/// Every certificate starts with this, and its version.
const START: &str = "rorqual certificate ";

/// What a version of the format adds to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    Invariants = 1,
    /// Quantifiers and contracts.
    Extended,
    Assumptions,
    Bounds,
    Properties,
    /// Loops without bounds.
    Induction,
    /// What such loops keep, and induction without an iteration before.
    Kept,
}

impl Version {
    const ALL: [Version; 7] = [
        Version::Invariants,
        Version::Extended,
        Version::Assumptions,
        Version::Bounds,
        Version::Properties,
        Version::Induction,
        Version::Kept,
    ];

    fn first_line(self) -> String {
        format!("{START}{}", self as u32)
    }
}

/// What a certificate says about how the program was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// The function that the program starts with.
    pub entry: String,
    /// The functions whose call is a violation.
    pub error_functions: Vec<String>,
    /// What the program is checked for; assertions if the certificate does not say.
    pub checks: Vec<Check>,
    /// The properties of these checks that the proof is about; all if there are none.
    pub properties: Vec<String>,
    /// What the proof rests on.
    pub assumptions: Vec<Assumption>,
}

impl Header {
    /// What a certificate says that the program is checked for. The program has to be given these checks before the
    /// certificate can be read.
    pub fn checks_in(text: &str) -> Result<Vec<Check>, ParseError> {
        match field_in(text, CHECKS) {
            Some((at, names)) => {
                parse_checks(names).map_err(|problem| ParseError { line: at as u32 + 1, problem })
            }
            None => Ok(vec![Check::Assertions]),
        }
    }

    /// The properties of these checks that a certificate is about; all if there are none.
    pub fn properties_in(text: &str) -> Vec<String> {
        field_in(text, PROPERTIES).map_or(Vec::new(), |(_, names)| words(names))
    }
}

/// Starts the line with the checks, which stands behind the error functions.
const CHECKS: &str = "checks ";
/// Starts the line with the properties, which stands behind the checks.
const PROPERTIES: &str = "properties ";

/// What follows a word in the header, and the number of the line, from zero.
fn field_in<'t>(text: &'t str, word: &str) -> Option<(usize, &'t str)> {
    let is_header =
        |line: &str| !["invariant", "contract", UNWINDING, "end"].iter().any(|word| line.starts_with(word));
    let mut header = text.lines().enumerate().take_while(|(_, line)| is_header(line));
    header.find_map(|(at, line)| Some((at, without_comment(line.strip_prefix(word)?))))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The certificates of a file, which may have several, each with the number of its first line, from zero.
pub fn certificates_in(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if line.starts_with(START) || found.is_empty() {
            found.push((at, String::new()));
        }
        if let Some((_, certificate)) = found.last_mut() {
            certificate.push_str(line);
        }
    }
    found
}

fn parse_checks(names: &str) -> Result<Vec<Check>, Problem> {
    let named = |name: &str| name.parse().map_err(|error: UnknownCheck| Problem::Check(error.to_string()));
    names.split_whitespace().map(named).collect()
}

/// A certificate that fits a program.
#[derive(Debug)]
pub struct Certificate {
    /// How the program was read.
    pub header: Header,
    /// Why it is safe.
    pub claim: Claim,
    /// Why operations are defined that this rests on.
    pub guard: Option<Guard>,
}

/// A second proof: that operations that C leaves undefined for some operands are defined whenever they are executed.
#[derive(Debug)]
pub struct Guard {
    /// The operations, sorted.
    pub hazards: Vec<Hazard>,
    /// Why the program is safe whose only violations are that one of them is undefined ([`rorqual_cfa::guard`]).
    pub claim: Claim,
}

impl Guard {
    /// Whether the tests of the second proof say that the operations are defined. That of a call through a pointer does
    /// not: a pointer that was made from no function may have the address of one.
    pub fn is_enough(&self) -> bool {
        !self.hazards.iter().any(|hazard| matches!(hazard, Hazard::Callee(_)))
    }

    /// The program that the second proof is about.
    pub fn program(program: &Program, hazards: &[Hazard]) -> Program {
        guard(program.clone(), &hazards.iter().copied().collect())
    }
}

/// Why a text is not a certificate of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from one.
    pub line: u32,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The first line is not that of a certificate of a known version.
    Version(String),
    /// A line of the header is missing or malformed; this one is expected.
    Header(&'static str),
    /// It is the certificate of another program, with this fingerprint.
    OtherProgram {
        /// The fingerprint in the certificate.
        found: String,
        /// That of the program.
        expected: String,
    },
    /// It is for the other data model.
    OtherModel(String),
    /// A check that does not exist.
    Check(String),
    /// Operations are to be guarded and no second proof does so, or the other way round.
    Guard,
    /// An assumption that does not exist.
    Assumption(String),
    /// The line is neither an invariant nor the end.
    UnknownLine(String),
    /// There is no such function, call or location.
    Location(String),
    /// The formula cannot be read; also names that the program does not have, and wrong sorts.
    Formula(String),
    /// The formula is not Boolean, but of this sort.
    NotBoolean(String),
    /// A cell of a function that is not active.
    OutOfScope(String),
    /// A quantifier in a version that has none, or over something other than bit-vectors.
    Quantifier,
    /// A location that has an invariant already.
    Duplicate(String),
    /// A line with a bound that is not a number.
    Bound(String),
    /// A line with a bound for what has one already.
    Bounded(String),
    /// A line about what a loop keeps that says nothing.
    Kept(String),
    /// The last line is missing.
    Truncated,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Version(found) => write!(f, "`{START}1` is expected, but found `{found}`"),
            Problem::Header(expected) => write!(f, "`{expected} …` is expected"),
            Problem::OtherProgram { found, expected } => {
                write!(f, "this is the certificate of another program ({found}, but this one is {expected})")
            }
            Problem::OtherModel(found) => write!(f, "the certificate is for the data model `{found}`"),
            Problem::UnknownLine(found) => {
                write!(f, "`invariant …`, `contract …`, a bound or `end` is expected, but found `{found}`")
            }
            Problem::Location(found) => write!(f, "the program has no {found}"),
            Problem::Guard => f.write_str("a second proof goes with the operations that it is about"),
            Problem::Assumption(found) => write!(f, "`{found}` is no assumption that a proof can rest on"),
            Problem::Formula(message) | Problem::Check(message) => f.write_str(message),
            Problem::NotBoolean(sort) => write!(f, "an invariant is Boolean, but this has the sort {sort}"),
            Problem::OutOfScope(name) => write!(f, "`{name}` belongs to a function that is not active here"),
            Problem::Quantifier => {
                f.write_str("version 1 has no quantifiers, and later ones have them over bit-vectors only")
            }
            Problem::Duplicate(place) => write!(f, "{place} has an invariant already"),
            Problem::Bound(line) => write!(f, "`{line}` does not end with a number"),
            Problem::Bounded(line) => write!(f, "`{line}` is about something that has a bound already"),
            Problem::Kept(line) => write!(f, "`{line}` does not say what a loop by induction keeps"),
            Problem::Truncated => f.write_str("the last line, `end`, is missing"),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ParseError {}

/// A number for a program that does not depend on where its files are. It is no protection against a
/// forged certificate, which the checker refuses anyway: it tells early that files were mixed up.
pub fn fingerprint(program: &Program) -> String {
    let printer = Printer::new(program);
    let mut hash = Fnv::default();
    for function in program.functions.values() {
        let Some(body) = &function.body else { continue };
        hash.line(&printer.signature(function));
        for edge in body.edges().values() {
            let operation = printer.operation(&edge.operation);
            hash.line(&format!("{} {} {operation}", edge.source.index(), edge.target.index()));
        }
    }
    for variable in program.variables.values() {
        hash.line(&program.types.declaration(variable.ty, &variable.name));
    }
    format!("{:032x}", hash.0)
}

/// The hash function FNV-1a with 128 bits.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    pub(crate) fn line(&mut self, text: &str) {
        const PRIME: u128 = (1 << 88) + 0x13b;
        for byte in text.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }
}

fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

/// The text of a certificate.
pub fn write(program: &Program, claim: &Claim, header: &Header, second: Option<&Guard>) -> String {
    let first = version(claim, header, second).first_line();
    let mut text = format!("{first}\nprogram {}\n", fingerprint(program));
    let _ = writeln!(text, "data-model {}", model_name(program.types.model()));
    let _ = writeln!(text, "entry {}", header.entry);
    text.push_str("error-functions");
    for name in &header.error_functions {
        let _ = write!(text, " {name}");
    }
    text.push('\n');
    if header.checks != [Check::Assertions] {
        let names: Vec<&str> = header.checks.iter().map(|check| check.name()).collect();
        let _ = writeln!(text, "{CHECKS}{}", names.join(" "));
    }
    if !header.properties.is_empty() {
        let _ = writeln!(text, "{PROPERTIES}{}", header.properties.join(" "));
    }
    for assumption in &header.assumptions {
        let _ = writeln!(text, "{ASSUMING}{}", assumption_text(program, assumption));
    }
    for &hazard in second.iter().flat_map(|second| &second.hazards) {
        let _ = writeln!(text, "{GUARDING}{}", hazard_text(program, hazard));
    }
    write_claim(program, claim, &mut text);
    if let Some(Guard { hazards, claim }) = second {
        let _ = writeln!(text, "{GUARDED}");
        write_claim(&Guard::program(program, hazards), claim, &mut text);
    }
    text.push_str("end\n");
    text
}

/// The lowest version that has what is needed, for whoever reads no later one.
fn version(claim: &Claim, header: &Header, second: Option<&Guard>) -> Version {
    let has_properties = (!header.properties.is_empty()).then_some(Version::Properties);
    let has_assumptions =
        (!header.assumptions.is_empty() || second.is_some()).then_some(Version::Assumptions);
    let claims = [Some(claim), second.map(|second| &second.claim)];
    let needed = claims.into_iter().flatten().map(version_of);
    needed.chain(has_properties).chain(has_assumptions).max().unwrap_or(Version::Invariants)
}

fn version_of(claim: &Claim) -> Version {
    match claim {
        Claim::Unwinding(unwinding) if unwinding.inductive.is_empty() => Version::Bounds,
        Claim::Unwinding(unwinding) => {
            let is_simple = unwinding.kept.is_empty() && unwinding.inductive.values().all(|&k| k > 0);
            if is_simple { Version::Induction } else { Version::Kept }
        }
        Claim::Invariant(invariant) => {
            let has_bound = invariant.locations.iter().any(|statement| !statement.bound.is_empty());
            let is_extended = has_bound || !invariant.contracts.is_empty();
            if is_extended { Version::Extended } else { Version::Invariants }
        }
    }
}

fn write_claim(program: &Program, claim: &Claim, text: &mut String) {
    match claim {
        Claim::Invariant(invariant) => write_statements(program, invariant, text),
        Claim::Unwinding(unwinding) => write_unwinding(program, unwinding, text),
    }
}

fn write_statements(program: &Program, invariant: &Invariant, text: &mut String) {
    for statement in &invariant.locations {
        let calls = statement.calls.text(program);
        let separator = if calls.is_empty() { "" } else { " " };
        let function = statement.calls.function(program);
        let name = &program.functions[function].name;
        let location = statement.location.index();
        let place = source_place(program, function, statement.location);
        let _ = writeln!(text, "invariant {calls}{separator}at {name}:{location}{place}");
        let formula = smtlib::closed_text(&invariant.pool, &statement.bound, statement.formula);
        let _ = writeln!(text, "  {formula}");
    }
    for contract in &invariant.contracts {
        write_contract(program, &invariant.pool, contract, text);
    }
}

/// A comment with the place of a location in the source.
pub(crate) fn source_place(program: &Program, function: FunctionId, location: LocationId) -> String {
    let Some(body) = &program.functions[function].body else { return String::new() };
    let place = body.locations()[location].loop_statements.first();
    let edge = body.outgoing(location).next().map(|edge| body.edges()[edge].span);
    match (place, edge) {
        (Some(&span), _) => format!("  ; loop at {}", program.sources.position(span)),
        (None, Some(span)) => format!("  ; {}", program.sources.position(span)),
        (None, None) => String::new(),
    }
}

/// Reads a certificate of a program.
pub fn parse(program: &Program, text: &str) -> Result<Certificate, ParseError> {
    let lines = text.lines().collect();
    let mut parser = Parser { program, lines, next: 0, version: Version::Invariants };
    let header = parser.header()?;
    let hazards = parser.guarding()?;
    let (claim, last) = parser.claim()?;
    let guard = match (last, hazards.is_empty()) {
        (Last::End, true) => None,
        (Last::Guarded, false) => {
            let guarded = Guard::program(program, &hazards);
            let (claim, last) = Parser { program: &guarded, ..parser }.claim()?;
            let is_over = matches!(last, Last::End);
            is_over.then_some(Some(Guard { hazards, claim })).ok_or_else(|| unexpected(text, GUARDED))?
        }
        (Last::Guarded, true) => return Err(unexpected(text, GUARDED)),
        (Last::End, false) => return Err(unexpected(text, "end")),
    };
    Ok(Certificate { header, claim, guard })
}

/// An error at the last line that is just this word.
fn unexpected(text: &str, word: &str) -> ParseError {
    let line = text.lines().collect::<Vec<_>>().iter().rposition(|line| without_comment(line) == word);
    ParseError { line: line.unwrap_or(0) as u32 + 1, problem: Problem::Guard }
}

/// How the statements of a proof end.
enum Last {
    /// The certificate ends.
    End,
    /// A second proof begins.
    Guarded,
}

/// A statement of a certificate.
enum Statement {
    Invariant(LocationInvariant),
    Contract(Contract),
    Last(Last),
}

pub(crate) struct Parser<'a> {
    pub(crate) program: &'a Program,
    lines: Vec<&'a str>,
    /// The position of the next line.
    next: usize,
    version: Version,
}

fn without_comment(line: &str) -> &str {
    line.split(';').next().unwrap_or("").trim_end()
}

impl<'a> Parser<'a> {
    /// Whether the version has what another one added.
    pub(crate) fn has(&self, version: Version) -> bool {
        self.version >= version
    }

    /// An error in the line that was taken last.
    pub(crate) fn error_before(&self, problem: Problem) -> ParseError {
        ParseError { line: self.next.max(1) as u32, problem }
    }

    /// The next line that is not empty, without its comment.
    pub(crate) fn line(&mut self) -> Option<&'a str> {
        while let Some(line) = self.lines.get(self.next) {
            self.next += 1;
            let line = without_comment(line);
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// The next line that is not empty, which is not taken.
    pub(crate) fn peek(&mut self) -> Option<&'a str> {
        let before = self.next;
        let line = self.line();
        self.next = before;
        line
    }

    /// What follows a keyword in the next line.
    fn field(&mut self, keyword: &'static str) -> Result<&'a str, ParseError> {
        let line = self.line().ok_or_else(|| self.error_before(Problem::Truncated))?;
        let rest = line.strip_prefix(keyword).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.map(str::trim).ok_or_else(|| self.error_before(Problem::Header(keyword)))
    }

    fn header(&mut self) -> Result<Header, ParseError> {
        let first = self.line().unwrap_or("");
        let known = Version::ALL.into_iter().find(|version| version.first_line() == first);
        self.version = known.ok_or_else(|| self.error_before(Problem::Version(first.to_owned())))?;
        let found = self.field("program")?.to_owned();
        let expected = fingerprint(self.program);
        if found != expected {
            return Err(self.error_before(Problem::OtherProgram { found, expected }));
        }
        let model = self.field("data-model")?;
        if model != model_name(self.program.types.model()) {
            return Err(self.error_before(Problem::OtherModel(model.to_owned())));
        }
        let entry = self.field("entry")?.to_owned();
        let error_functions = self.field("error-functions")?.split_whitespace().map(str::to_owned).collect();
        let checks = match self.lines[self.next..].iter().position(|line| !without_comment(line).is_empty()) {
            Some(skipped) if self.lines[self.next + skipped].starts_with(CHECKS) => {
                let names = self.field(CHECKS.trim_end())?;
                parse_checks(names).map_err(|problem| self.error_before(problem))?
            }
            _ => vec![Check::Assertions],
        };
        let has_properties =
            self.has(Version::Properties) && self.peek().is_some_and(|line| line.starts_with(PROPERTIES));
        let properties = if has_properties { words(self.field(PROPERTIES.trim_end())?) } else { Vec::new() };
        let mut assumptions = Vec::new();
        while self.has(Version::Assumptions) && self.peek().is_some_and(|line| line.starts_with(ASSUMING)) {
            let text = self.field(ASSUMING.trim_end())?;
            assumptions
                .push(parse_assumption(self.program, text).map_err(|problem| self.error_before(problem))?);
        }
        Ok(Header { entry, error_functions, checks, properties, assumptions })
    }

    /// The operations that a second proof is about.
    fn guarding(&mut self) -> Result<Vec<Hazard>, ParseError> {
        let mut hazards = Vec::new();
        while self.has(Version::Assumptions) && self.peek().is_some_and(|line| line.starts_with(GUARDING)) {
            let text = self.field(GUARDING.trim_end())?;
            let unknown = || self.error_before(Problem::Assumption(text.to_owned()));
            let hazard = Hazard::named(self.program, text);
            let hazard = hazard.filter(|hazard| !matches!(hazard, Hazard::Callee(_)));
            hazards.push(hazard.ok_or_else(unknown)?);
        }
        Ok(hazards)
    }

    /// A proof: bounds, or statements.
    fn claim(&mut self) -> Result<(Claim, Last), ParseError> {
        if !self.has(Version::Bounds) || self.peek() != Some(UNWINDING) {
            return self.invariant().map(|(invariant, last)| (Claim::Invariant(invariant), last));
        }
        self.line();
        let unwinding = self.bounds()?;
        let line = self.line().ok_or_else(|| self.error_before(Problem::Truncated))?;
        match self.last(line)? {
            Some(last) => Ok((Claim::Unwinding(unwinding), last)),
            None => Err(self.error_before(Problem::UnknownLine(line.to_owned()))),
        }
    }

    /// How a proof ends, if it ends with a line.
    fn last(&mut self, line: &str) -> Result<Option<Last>, ParseError> {
        if line == "end" {
            return match self.line() {
                None => Ok(Some(Last::End)),
                Some(more) => Err(self.error_before(Problem::UnknownLine(more.to_owned()))),
            };
        }
        Ok((line == GUARDED && self.has(Version::Assumptions)).then_some(Last::Guarded))
    }

    /// The statements of a proof.
    fn invariant(&mut self) -> Result<(Invariant, Last), ParseError> {
        let cells = Cells::new(self.program);
        let mut pool = TermPool::new();
        let mut locations: Vec<LocationInvariant> = Vec::new();
        let mut contracts: Vec<Contract> = Vec::new();
        let last = loop {
            match self.statement(&cells, &mut pool)? {
                Statement::Invariant(statement) => {
                    let same = |known: &LocationInvariant| {
                        known.calls == statement.calls && known.location == statement.location
                    };
                    if locations.iter().any(same) {
                        return Err(self.error_before(Problem::Duplicate(self.place_text(&statement))));
                    }
                    locations.push(statement);
                }
                Statement::Contract(contract) => contracts.push(contract),
                Statement::Last(last) => break last,
            }
        };
        locations.sort_by(|a, b| (&a.calls, a.location).cmp(&(&b.calls, b.location)));
        contracts.sort_by_key(|contract| (contract.function, contract.head));
        Ok((Invariant { pool, locations, contracts }, last))
    }

    /// The next statement.
    fn statement(&mut self, cells: &Cells, pool: &mut TermPool) -> Result<Statement, ParseError> {
        let line = self.line().ok_or_else(|| self.error_before(Problem::Truncated))?;
        if let Some(last) = self.last(line)? {
            return Ok(Statement::Last(last));
        }
        if let Some(place) = line.strip_prefix(CONTRACT).filter(|_| self.has(Version::Extended)) {
            return self.contract(cells, pool, place.trim()).map(Statement::Contract);
        }
        let Some(place) = line.strip_prefix("invariant ") else {
            return Err(self.error_before(Problem::UnknownLine(line.to_owned())));
        };
        let (calls, location) = self.place(place.trim()).map_err(|problem| self.error_before(problem))?;
        let first = self.next;
        let formula = self.formula();
        let imported = import(self.program, cells, pool, &calls, &formula);
        let is_known = |bound: &[Term]| bound.is_empty() || self.has(Version::Extended);
        let imported = imported.and_then(|(bound, formula)| {
            if is_known(&bound) { Ok((bound, formula)) } else { Err(ImportError::Quantifier) }
        });
        let (bound, formula) = imported.map_err(|problem| {
            let at = if let ImportError::Syntax(error) = &problem { error.line } else { 1 };
            ParseError { line: first as u32 + at, problem: problem.into_problem() }
        })?;
        Ok(Statement::Invariant(LocationInvariant { calls, location, bound, formula }))
    }

    /// The lines of a formula: those that are indented or empty.
    pub(crate) fn formula(&mut self) -> String {
        let start = self.next;
        let belongs = |line: &&&str| line.starts_with([' ', '\t']) || line.is_empty();
        self.next += self.lines[start..].iter().take_while(belongs).count();
        self.lines[start..self.next].join("\n")
    }

    /// `main:12 > f:3 at g:7`
    fn place(&self, text: &str) -> Result<(CallString, LocationId), Problem> {
        let bad = || Problem::Location(format!("place `{text}`"));
        let (calls, last) = match text.strip_prefix("at ") {
            Some(last) => ("", last),
            None => text.split_once(" at ").ok_or_else(bad)?,
        };
        let mut names: Vec<&str> = calls.split(" > ").filter(|call| !call.is_empty()).collect();
        names.push(last);
        let mut string = CallString::default();
        for pair in names.windows(2) {
            let (_, location) = self.location(&string, pair[0].trim())?;
            let callee = pair[1].trim().rsplit_once(':').ok_or_else(bad)?.0;
            let site = self.call(&string, location, callee);
            string
                .0
                .push(site.ok_or_else(|| Problem::Location(format!("call of `{callee}` at `{}`", pair[0])))?);
        }
        let (_, location) = self.location(&string, last.trim())?;
        Ok((string, location))
    }

    /// `f:7`, where `f` must be the active function.
    fn location(&self, calls: &CallString, text: &str) -> Result<(FunctionId, LocationId), Problem> {
        let bad = || Problem::Location(format!("location `{text}`"));
        let (name, number) = text.rsplit_once(':').ok_or_else(bad)?;
        let active = calls.function(self.program);
        let function = &self.program.functions[active];
        let number: usize = number.parse().map_err(|_| bad())?;
        let locations = function.body.as_ref().map_or(0, |body| body.locations().len());
        if function.name != name || number >= locations {
            return Err(bad());
        }
        Ok((active, LocationId::new(number)))
    }

    /// The call that leaves a location of the active function to a function with a name.
    fn call(&self, calls: &CallString, location: LocationId, callee: &str) -> Option<CallSite> {
        let caller = calls.function(self.program);
        let body = self.program.functions[caller].body.as_ref()?;
        let mut found = body.outgoing(location).filter_map(|edge| {
            let Operation::Call { callee: called, .. } = &body.edges()[edge].operation else { return None };
            let callee = match called {
                Callee::Function(function) => *function,
                Callee::Pointer(_) => self.program.function_named(callee)?,
            };
            Some(CallSite { caller, edge, callee })
        });
        found.find(|site| self.program.functions[site.callee].name == callee)
    }

    fn place_text(&self, statement: &LocationInvariant) -> String {
        let name = &self.program.functions[statement.calls.function(self.program)].name;
        format!("{name}:{}", statement.location.index())
    }
}

/// Why a formula is not one over the cells in scope.
pub(crate) enum ImportError {
    Syntax(smtlib::ParseError),
    NotBoolean(Sort),
    OutOfScope(String),
    /// Quantifiers are for bit-vectors, and not for every version of the format.
    Quantifier,
}

impl ImportError {
    fn into_problem(self) -> Problem {
        match self {
            ImportError::Syntax(error) => {
                Problem::Formula(format!("column {}: {}", error.column, error.message))
            }
            ImportError::NotBoolean(sort) => Problem::NotBoolean(sort.to_string()),
            ImportError::OutOfScope(name) => Problem::OutOfScope(name),
            ImportError::Quantifier => Problem::Quantifier,
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Syntax(error) => write!(f, "a formula cannot be read: {error}"),
            ImportError::NotBoolean(sort) => write!(f, "a formula has the sort {sort}"),
            ImportError::OutOfScope(name) => write!(f, "`{name}` is not in scope"),
            ImportError::Quantifier => Problem::Quantifier.fmt(f),
        }
    }
}

/// Makes the names of all cells known to a pool, and those of their old values.
pub(crate) fn declare(cells: &Cells, pool: &mut TermPool) {
    let last = &cells.get(cells.heap_top()).name;
    if pool.has_symbol(&CellNames::old(last)) {
        return;
    }
    for (_, cell) in cells.iter() {
        pool.symbol(&cell.name, cell.sort);
        pool.symbol(&CellNames::old(&cell.name), cell.sort);
    }
}

/// Reads a formula over the cells that are in scope of a call string, and the variables that it is for all values of. The
/// pool knows no other symbols.
pub(crate) fn import(
    program: &Program,
    cells: &Cells,
    pool: &mut TermPool,
    calls: &CallString,
    text: &str,
) -> Result<(Vec<Term>, Term), ImportError> {
    declare(cells, pool);
    let (bound, term) = smtlib::parse_closed(pool, text).map_err(ImportError::Syntax)?;
    if pool.sort(term) != Sort::Bool {
        return Err(ImportError::NotBoolean(pool.sort(term)));
    }
    if bound.iter().any(|&variable| pool.sort(variable).width().is_none()) {
        return Err(ImportError::Quantifier);
    }
    for subterm in pool.subterms(&[term]) {
        let Op::Symbol(symbol) = pool.op(subterm) else { continue };
        if bound.contains(&subterm) {
            continue;
        }
        let name = pool.symbol_name(*symbol);
        let active = |function: FunctionId| {
            function == program.start || calls.0.iter().any(|site| site.callee == function)
        };
        let visible = |variable: VariableId| {
            let variable = &program.variables[variable];
            variable.kind.is_global() || variable.function.is_none_or(active)
        };
        if !cells.find(name).is_some_and(|cell| cells.get(cell).variable.is_none_or(visible)) {
            return Err(ImportError::OutOfScope(name.to_owned()));
        }
    }
    Ok((bound, term))
}

//! The only module that names the `rucc-*` crates: preprocesses, parses and type-checks one
//! file with them, and translates the result into our typed program.
//!
//! `rucc` is young. A panic inside of it becomes an error message about the file, and its
//! known deviations from gcc are mended here, each at its place.

mod alignment;
mod atomics;
mod builtins;
mod decls;
mod exprs;
mod headers;
mod library;
mod limits;
mod measures;
mod operators;
mod overrides;
mod repairs;
mod sources;
mod stmts;
mod symbols;
mod syntax;
mod types;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rorqual_cfa::{DataModel, FunctionId};
use rorqual_source::{Diagnostic, FileId, Span};
use rucc_diag::SourceBytes;
use rucc_lex::{Convert, Keywords, PpToken};
use rucc_pp::{Predef, Preprocessor};
use rucc_sema::{Checked, Checker};
use rucc_session::{FileSystem, Preinclude, Session, Std};

use self::alignment::prefer_alignments;
use self::repairs::{Rejection, Repairs};
use crate::input;
use crate::link::Linker;
use crate::options::{Host, TranslationUnit};
use crate::typed::Program;

/// All errors of a file are needed to decide whether it can be repaired; headers for vector instructions have some
/// thousand.
const MAX_ERRORS: usize = 10_000;

/// How many errors of a file are told.
const TOLD_ERRORS: usize = 20;

/// Built-ins that tell where they stand, which the preprocessor knows.
const PLACES: [&str; 3] = [
    "__builtin_LINE()=__LINE__",
    "__builtin_FILE()=((const char *)__FILE__)",
    "__builtin_FUNCTION()=((const char *)__func__)",
];

/// Reads one file into `program`. The errors are the reason why it cannot be read.
pub(crate) fn read_unit(
    unit: &TranslationUnit,
    model: DataModel,
    host: &dyn Host,
    program: &mut Program,
    linker: &mut Linker,
) -> Result<(), Vec<Diagnostic>> {
    let bytes = input::read_text(host, &unit.path).map_err(|error| vec![error])?;
    let bytes = limits::with_final_newline(bytes);
    if limits::explodes(&bytes) {
        let message = format!("the macros of `{}` expand to too many tokens", unit.path.display());
        return Err(vec![Diagnostic::error(message, Span::NONE)]);
    }
    let mut session = Session::new(session_options(unit, model, host, &bytes));
    let keywords = Keywords::new(&mut session.interner, Std::C11, true).x86(true);
    let included = Files { host, budget: limits::Budget::default() };
    let outcome = catch_unwind(AssertUnwindSafe(|| check(unit, bytes, &included, &mut session, &keywords)));
    if let Some(refusal) = included.budget.refusal() {
        return Err(vec![refusal]);
    }
    let mut files = vec![None; session.sources.files().len()];
    match outcome {
        Ok(Ok(unit)) => {
            let rejected = Adapter::new(&unit, &session, &mut files, program, linker).translate();
            let translate = |error| sources::diagnostic(&session.sources, &mut files, program, error);
            let rejected: Vec<Diagnostic> = rejected.iter().map(translate).collect();
            if rejected.is_empty() { Ok(()) } else { Err(rejected) }
        }
        Ok(Err(diagnostics)) => {
            let errors = relevant_errors(diagnostics);
            let translate = |error| sources::diagnostic(&session.sources, &mut files, program, error);
            Err(errors.iter().map(translate).collect())
        }
        Err(panic) => Err(vec![parser_panic(&unit.path, panic.as_ref())]),
    }
}

fn parser_panic(path: &Path, panic: &(dyn std::any::Any + Send)) -> Diagnostic {
    let reason = panic.downcast_ref::<String>().map(String::as_str);
    let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason is known");
    Diagnostic::error(format!("`{}` cannot be parsed: the C parser failed", path.display()), Span::NONE)
        .with_note(format!("its last words were: {reason}"), Span::NONE)
        .with_help("if a C compiler accepts the file, please report it")
}

/// The errors, without those that are only consequences of too deep nesting.
fn relevant_errors(diagnostics: Vec<rucc_diag::Diagnostic>) -> Vec<rucc_diag::Diagnostic> {
    let mut errors: Vec<_> = diagnostics.into_iter().filter(|error| error.severity.is_fatal()).collect();
    if let Some(at) = errors.iter().position(|error| error.message.starts_with("brackets nested more deeply"))
    {
        errors = vec![errors.swap_remove(at)];
    }
    errors.truncate(TOLD_ERRORS);
    errors
}

/// The file system as the preprocessor wants it.
struct Files<'a> {
    host: &'a dyn Host,
    budget: limits::Budget,
}

impl fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}

impl FileSystem for Files<'_> {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some(header) = headers::brought_along(path) {
            return Ok(header);
        }
        let bytes = self.host.read(path)?;
        if !self.budget.admits(bytes.len()) {
            return Err(io::Error::other("too much is included"));
        }
        Ok(SourceBytes::new(limits::with_final_newline(bytes)))
    }
}

fn session_options(
    unit: &TranslationUnit,
    model: DataModel,
    host: &dyn Host,
    bytes: &[u8],
) -> rucc_session::Options {
    let triple = match model {
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
    };
    let mut options = rucc_session::Options::new(triple.parse().expect("the triple is one that rucc knows"));
    options.std = Std::C11;
    options.gnu_extensions = true;
    options.permissive = true;
    options.defines.clone_from(&unit.defines);
    options.defines.extend(PLACES.map(str::to_owned));
    options.undefines.clone_from(&unit.undefines);
    // Asking the system for its directories starts a process, so programs that include nothing
    // (every preprocessed one) are spared it.
    let includes = !unit.preincludes.is_empty()
        || bytes.windows(8).any(|window| window == b"#include")
        || bytes.windows(13).any(|window| window == b"__has_include")
        || mentions_include_after_space(bytes);
    let system = if includes { headers::system_directories(host, model) } else { Vec::new() };
    options.search = headers::search_path(unit, &system);
    options
}

/// Whether a directive with space after the `#`, `# include`, may be in the text.
fn mentions_include_after_space(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        line.strip_prefix(b"#").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"include"))
    })
}

/// Preprocesses, parses and checks, with repairs where rucc rejects what gcc accepts.
fn check(
    unit: &TranslationUnit,
    bytes: Vec<u8>,
    included: &Files<'_>,
    session: &mut Session,
    keywords: &Keywords,
) -> Result<Unit, Vec<rucc_diag::Diagnostic>> {
    let mut tokens = preprocess(unit, bytes, included, session)?;
    prefer_alignments(&mut tokens, session);
    let mut repairs = Repairs::default();
    let unit = loop {
        match parse_and_check(&tokens, session, keywords) {
            Ok(unit) => break unit,
            Err(rejection) if repairs.apply(&mut tokens, &rejection, session) => {}
            Err(rejection) if repairs.declare(&mut tokens, &rejection.diagnostics, session) => {}
            Err(rejection) => return Err(rejection.diagnostics),
        }
    };
    let unit = declare_called(unit, tokens, &mut repairs, session, keywords);
    Ok(Unit { repairs, ..unit })
}

/// Declares what is called and not declared, where its type is known. Where the program declares it after its use, that
/// declaration counts.
fn declare_called(
    unit: Unit,
    mut tokens: Vec<PpToken>,
    repairs: &mut Repairs,
    session: &mut Session,
    keywords: &Keywords,
) -> Unit {
    let before = tokens.clone();
    if !repairs.declare(&mut tokens, &unit.checked.diagnostics, session) {
        return unit;
    }
    if let Ok(declared) = parse_and_check(&tokens, session, keywords) {
        return declared;
    }
    let (mut unit, mut tokens) = (unit, before);
    for diagnostic in unit.checked.diagnostics.clone() {
        let before = tokens.clone();
        let mut one = Repairs::default();
        if !one.declare(&mut tokens, &[diagnostic], session) {
            continue;
        }
        match parse_and_check(&tokens, session, keywords) {
            Ok(declared) => unit = declared,
            Err(_) => tokens = before,
        }
    }
    unit
}

fn preprocess(
    unit: &TranslationUnit,
    bytes: Vec<u8>,
    included: &Files<'_>,
    session: &mut Session,
) -> Result<Vec<PpToken>, Vec<rucc_diag::Diagnostic>> {
    let full = |_| {
        vec![rucc_diag::Diagnostic::error(
            "the program is larger than four gigabytes",
            rucc_diag::Span::DUMMY,
        )]
    };
    let name = unit.path.display().to_string();
    let file = session.sources.add_shared(name, SourceBytes::new(bytes), None).map_err(full)?;
    let mut preprocessor = Preprocessor::with_prefix_map(session.opts.prefix_map.macros.clone());
    let predefined = Predef::for_options(&session.opts);
    let mut context =
        rucc_pp::Context::new(&mut session.interner, &mut session.sources, included, &session.opts.search);
    context.lex = rucc_lex::Options::for_dialect(Std::C11, true, false);
    preprocessor.predefine(&session.target, &predefined, &mut context).map_err(full)?;
    let preincludes = unit.preincludes.iter().map(|path| preinclude(path));
    let preincludes: Vec<Preinclude> = preincludes.collect();
    let mut tokens = Vec::new();
    preprocessor.preinclude(&preincludes, &mut tokens, &mut context).map_err(full)?;
    tokens.extend(preprocessor.run(file, &mut context));
    let diagnostics = preprocessor.take_diagnostics();
    if diagnostics.iter().any(|diagnostic| diagnostic.severity.is_fatal()) {
        return Err(diagnostics);
    }
    let tokens: Vec<PpToken> = tokens.iter().map(|token| token.to_pp()).collect();
    let mut all = declared_builtins(&tokens, included, session).map_err(full)?;
    all.extend(tokens);
    Ok(all)
}

/// Declarations of the built-ins among the tokens that rucc does not know, and that have a model or are functions of the
/// library.
fn declared_builtins(
    tokens: &[PpToken],
    included: &Files<'_>,
    session: &mut Session,
) -> Result<Vec<PpToken>, rucc_diag::SourceMapFull> {
    let is_named = |name: &str| {
        let symbol = session.interner.find(name);
        symbol.is_some() && tokens.iter().any(|token| token.value == symbol)
    };
    let models: Vec<&rorqual_models::Model> =
        rorqual_models::builtins().filter(|model| is_named(model.name)).collect();
    let is_modelled = |name: &str| models.iter().any(|model| model.name == name);
    let others = library::builtins().filter(|name| is_named(name) && !is_modelled(name));
    let others = others.filter_map(|name| library::declaration(&name, session.target.pointer_width));
    let text: String =
        models.iter().map(|model| model.declaration()).chain(others).map(|line| line + "\n").collect();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let bytes = SourceBytes::new(text.into_bytes());
    let file = session.sources.add_shared("<builtins>".to_owned(), bytes, None)?;
    let mut preprocessor = Preprocessor::with_prefix_map(session.opts.prefix_map.macros.clone());
    let mut context =
        rucc_pp::Context::new(&mut session.interner, &mut session.sources, included, &session.opts.search);
    let tokens = preprocessor.run(file, &mut context);
    Ok(tokens.iter().map(|token| token.to_pp()).filter(|token| !token.is_eof()).collect())
}

fn preinclude(path: &Path) -> Preinclude {
    Preinclude { name: path.display().to_string(), macros_only: false }
}

fn parse_and_check(tokens: &[PpToken], session: &Session, keywords: &Keywords) -> Result<Unit, Rejection> {
    let settings = Convert {
        keywords,
        interner: &session.interner,
        target: &session.target,
        std: Std::C11,
        gnu: true,
        pedantic: false,
    };
    let is_fatal = |diagnostic: &rucc_diag::Diagnostic| diagnostic.severity.is_fatal();
    let (tokens, mut diagnostics) = rucc_lex::convert(tokens, &settings);
    let type_names = session.target.type_names();
    let type_names: Vec<_> = type_names.iter().filter_map(|&(name, _)| session.interner.find(name)).collect();
    let parsed = rucc_parse::parse(
        &tokens,
        rucc_parse::Context {
            interner: &session.interner,
            std: Std::C11,
            gnu: true,
            pedantic: false,
            error_limit: 20,
            type_names: &type_names,
        },
    );
    diagnostics.extend(parsed.diagnostics);
    if diagnostics.iter().any(is_fatal) {
        return Err(Rejection::final_one(diagnostics));
    }
    let findings = overrides::inspect(&parsed.ast, &session.sources);
    if !findings.long_ranges.is_empty() {
        let too_long = |&span| rucc_diag::Diagnostic::error("the range of this designator is too long", span);
        return Err(Rejection::final_one(findings.long_ranges.iter().map(too_long).collect()));
    }
    let mut context = rucc_sema::Context::new(&session.interner, &session.target, Std::C11);
    context.permissive = true;
    context.gnu = true;
    context.error_limit = MAX_ERRORS;
    let mut checker = Checker::new(&parsed.ast, context);
    checker.check_unit();
    for weak in &parsed.weak_pragmas {
        checker.pragma_weak(weak.name, weak.target, weak.span);
    }
    for renamed in &parsed.extname_pragmas {
        checker.pragma_extname(renamed.old, renamed.new, renamed.span);
    }
    let checked = checker.finish();
    if checked.diagnostics.iter().any(is_fatal) {
        return Err(Rejection::new(checked.diagnostics, &parsed.ast));
    }
    let mut refused = syntax::qualified_selectors(&parsed.ast, &checked);
    refused.extend(syntax::aligned_operands(&parsed.ast, &checked, &session.target));
    refused.extend(syntax::aligned_expressions(&parsed.ast, &checked, session));
    if !refused.is_empty() {
        return Err(Rejection::final_one(refused));
    }
    let measured = measures::of_expressions(&parsed.ast);
    let effectful_sizes = syntax::measured_effects(&parsed.ast);
    let repairs = Repairs::default();
    Ok(Unit { checked, findings, measured, effectful_sizes, repairs })
}

/// A unit without errors.
struct Unit {
    checked: Checked,
    /// Initialisers whose flat form is wrong.
    findings: overrides::Findings,
    /// The expressions with `sizeof`, by the place of the whole.
    measured: HashMap<rucc_diag::Span, measures::Measured>,
    /// The expressions with `sizeof` whose operand has side effects.
    effectful_sizes: Vec<rucc_diag::Span>,
    repairs: Repairs,
}

/// Translates one checked unit.
struct Adapter<'a> {
    checked: &'a Checked,
    unit: &'a Unit,
    /// Casts that were repaired although they are not about vectors.
    rejected: Vec<rucc_diag::Diagnostic>,
    session: &'a Session,
    files: &'a mut Vec<Option<FileId>>,
    program: &'a mut Program,
    linker: &'a mut Linker,
    types: HashMap<rucc_types::TypeId, rorqual_cfa::TypeId>,
    records: HashMap<rucc_types::RecordId, rorqual_cfa::RecordId>,
    decls: HashMap<rucc_sema::DeclId, decls::Entity>,
    /// What is declared at file scope; a block may declare it once more.
    top_level: HashSet<rucc_sema::DeclId>,
    /// What the file defines for itself only, by the names that the assembler sees.
    internal_symbols: HashMap<String, rucc_sema::DeclId>,
    strings: HashMap<rucc_sema::StrId, rorqual_cfa::StringId>,
    /// The function whose body is being translated.
    function: Option<FunctionId>,
    /// The block whose declarations are being translated.
    scope: Span,
    /// The labels of that function.
    labels: HashMap<rucc_sema::LabelId, crate::typed::Label>,
    /// The hidden variables that hold the lengths of variable-length arrays, by the expression
    /// that computes the length.
    lengths: HashMap<rucc_sema::ExprId, rorqual_cfa::VariableId>,
    /// The lengths of variable-length arrays that are members of structures.
    member_lengths: HashSet<rucc_sema::ExprId>,
    /// The variable-length arrays: each is a hidden pointer to its bytes.
    dynamic_arrays: HashMap<rucc_sema::DeclId, rorqual_cfa::VariableId>,
    /// The numbers of the cases of the enclosing `switch` statements.
    cases: Vec<HashMap<rucc_sema::StmtId, u32>>,
}

impl<'a> Adapter<'a> {
    fn new(
        unit: &'a Unit,
        session: &'a Session,
        files: &'a mut Vec<Option<FileId>>,
        program: &'a mut Program,
        linker: &'a mut Linker,
    ) -> Adapter<'a> {
        let checked = &unit.checked;
        Adapter {
            checked,
            unit,
            rejected: Vec::new(),
            session,
            files,
            program,
            linker,
            types: HashMap::new(),
            records: HashMap::new(),
            decls: HashMap::new(),
            top_level: checked.tast.top_level().iter().copied().collect(),
            internal_symbols: HashMap::new(),
            strings: HashMap::new(),
            function: None,
            scope: Span::NONE,
            labels: HashMap::new(),
            lengths: HashMap::new(),
            member_lengths: HashSet::new(),
            dynamic_arrays: HashMap::new(),
            cases: Vec::new(),
        }
    }

    /// Translates all, and answers what has to be rejected after all.
    fn translate(mut self) -> Vec<rucc_diag::Diagnostic> {
        for warning in &self.unit.repairs.warnings {
            let warning = sources::diagnostic(&self.session.sources, self.files, self.program, warning);
            self.program.warnings.push(warning);
        }
        self.internal_symbols = self.internal_symbols();
        self.member_lengths = self.member_lengths();
        for &decl in self.checked.tast.top_level() {
            self.top_level(decl);
        }
        for &decl in self.checked.tast.top_level() {
            self.resolve_alias(decl);
        }
        self.refuse_symbols_of_assembly();
        self.rejected
    }

    fn internal_symbols(&self) -> HashMap<String, rucc_sema::DeclId> {
        let tast = &self.checked.tast;
        let is_internal = |&id: &rucc_sema::DeclId| {
            tast[id].linkage == rucc_sema::Linkage::Internal
                && tast[id].state != rucc_sema::Definition::Declared
        };
        tast.top_level().iter().copied().filter(is_internal).map(|id| (self.symbol_name(id), id)).collect()
    }

    fn span(&mut self, span: rucc_diag::Span) -> Span {
        sources::span(&self.session.sources, self.files, self.program, span)
    }

    fn name(&self, symbol: rucc_base::Symbol) -> String {
        self.session.interner.resolve(symbol).to_owned()
    }
}

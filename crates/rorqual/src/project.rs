//! A program to check: which files, how they are read, and what they are checked for.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

use rorqual_cfa::{
    Allocation, Check, ErrorNumber, ExprKind, Function, FunctionId, HighestResult, Instance, Operation,
    Program, Property, ResultRange, Specification, Type, UndefinedFunctions, add_checks, add_checks_except,
    lists_as_variables, parse_specification, properties, references_as_values, treat_undefined,
    undefined_functions, weave, with_error_number, with_failing_allocations, with_result_ranges,
};
use rorqual_evidence::{AssumedEffect, Assumption};
use rorqual_frontend::input::Task;
use rorqual_frontend::{Failure, Host, Models, Options, TranslationUnit};
use rorqual_interpreter::{is_library_function, library_entry};
use rorqual_memory::{bare_name, is_allocator};
use rorqual_models::library::{self, Highest, Origin};
use rorqual_source::{Diagnostic, SourceMap, Span};

/// Who is told of warnings.
pub type Warn<'w> = dyn FnMut(&SourceMap, &[Diagnostic]) + 'w;

/// What it means for a proof that an operation is undefined which it rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UndefinedBehaviour {
    /// It proves nothing.
    #[default]
    Matters,
    /// The rule of the competition that task definitions are written for: executions with undefined behaviour do not
    /// count, so the verdict only has to name what it rests on.
    DoesNotCount,
}

/// One program to check.
#[derive(Debug)]
pub struct Project {
    /// Its files.
    pub units: Vec<TranslationUnit>,
    /// How to read them.
    pub options: Options,
    /// What to check it for, in the order of [`Check::ALL`]. [`Project::checking`] sets it.
    pub checks: Vec<Check>,
    /// The names of the properties that count, if not all do.
    pub property_ids: Vec<String>,
    /// What calls of functions without body mean.
    pub undefined: UndefinedFunctions,
    /// Whether memory that is asked for is there.
    pub allocation: Allocation,
    /// What undefined behaviour means for proofs.
    pub behaviour: UndefinedBehaviour,
    /// Specification automata that are woven into the program.
    pub specifications: Vec<PathBuf>,
}

impl Project {
    /// C files that make up one program, checked for failing assertions.
    pub fn from_files(files: impl IntoIterator<Item = PathBuf>) -> Project {
        Project {
            units: files.into_iter().map(TranslationUnit::new).collect(),
            options: Options::default(),
            checks: vec![Check::Assertions],
            property_ids: Vec::new(),
            undefined: UndefinedFunctions::default(),
            allocation: Allocation::Succeeds,
            behaviour: UndefinedBehaviour::Matters,
            specifications: Vec::new(),
        }
    }

    /// A task definition of `BenchExec`, under the rules of the competition that such tasks are written for.
    pub fn from_task(task: &Task, host: &dyn Host) -> Result<Project, Failure> {
        let mut project = Project::from_files([]);
        project.units.clone_from(&task.units);
        project.undefined = UndefinedFunctions::Any;
        project.behaviour = UndefinedBehaviour::DoesNotCount;
        if let Some(model) = task.data_model {
            project.options.data_model = model;
        }
        match task.property(host)? {
            None => Ok(project),
            Some(property) => {
                project.options.entry = property.entry;
                project.options.error_functions = property.error_functions;
                Ok(project.checking(property.checks))
            }
        }
    }

    /// The same program, with functions of the C library linked to it: for everything that does not run it.
    #[must_use]
    pub fn with_models(mut self) -> Project {
        self.options.models = Models::All;
        self
    }

    /// The same program without them: what they give may be anything. Functions of kernels stay, as nothing else says
    /// that they allocate and free memory.
    #[must_use]
    pub fn without_models(&self) -> Project {
        let options = Options { models: Models::OnlyWithoutEntry, ..self.options.clone() };
        let (checks, property_ids) = (self.checks.clone(), self.property_ids.clone());
        let specifications = self.specifications.clone();
        Project { units: self.units.clone(), options, checks, property_ids, specifications, ..*self }
    }

    /// What every verdict about the program rests on.
    pub fn assumptions(&self, program: &Program) -> Vec<Assumption> {
        let mut assumptions = self.assumed_functions(program);
        if program.functions.values().any(|function| is_model(program, function, "qsort")) {
            let (name, effect) = ("qsort".to_owned(), AssumedEffect::KeepsOrder);
            assumptions.push(Assumption::Function { name, effect });
        }
        let is_called = |is_meant: &dyn Fn(&Function) -> bool| {
            !undefined_functions(program, &|function| !is_meant(function)).is_empty()
        };
        if self.allocation == Allocation::Succeeds && is_called(&is_heap_allocator) {
            assumptions.push(Assumption::AllocationSucceeds);
        }
        if has_variable_arrays(program) || is_called(&|function| bare_name(function) == "alloca") {
            assumptions.push(Assumption::StackHasRoom);
        }
        assumptions
    }

    /// What is assumed of functions without body.
    fn assumed_functions(&self, program: &Program) -> Vec<Assumption> {
        let effect = match self.undefined {
            UndefinedFunctions::Any => AssumedEffect::WritesNothing,
            UndefinedFunctions::Havoc => AssumedEffect::WritesGiven,
            UndefinedFunctions::HavocAll => AssumedEffect::CallsGiven,
            UndefinedFunctions::Refuse => return Vec::new(),
        };
        let mut assumptions = Vec::new();
        let may_call = self.undefined == UndefinedFunctions::Any && has_addressed_body(program);
        for (name, (function, _)) in undefined_functions(program, &is_library_function) {
            if returns_pointer(program, function) {
                let effect = AssumedEffect::ReturnsOwn;
                assumptions.push(Assumption::Function { name: name.clone(), effect });
            }
            if may_call {
                let effect = AssumedEffect::CallsNothing;
                assumptions.push(Assumption::Function { name: name.clone(), effect });
            }
            assumptions.push(Assumption::Function { name, effect });
        }
        assumptions.sort();
        assumptions
    }

    /// The same program, checked for something else.
    #[must_use]
    pub fn checking(mut self, mut checks: Vec<Check>) -> Project {
        // Whether assertions are reached is asked beside whether they hold.
        if checks == [Check::UnreachableCode] {
            checks.insert(0, Check::Assertions);
        }
        let is_automatic = |check: &Check| !matches!(check, Check::Assertions | Check::UnreachableCode);
        self.options.keep_unused = checks.iter().any(is_automatic);
        self.checks = checks;
        self
    }

    /// The same program, with only these properties. If `checks` is not set, those of the properties are meant.
    #[must_use]
    pub fn selecting(mut self, names: Vec<String>, are_checks_set: bool) -> Project {
        if !are_checks_set && !names.is_empty() {
            let check = |name: &String| name.rsplit('.').nth(1)?.parse().ok();
            let checks: BTreeSet<Check> = names.iter().filter_map(check).collect();
            self = self.checking(checks.into_iter().collect());
        }
        self.property_ids = names;
        self
    }

    /// Reads the program as far as its typed form.
    pub fn parse(&self, host: &dyn Host) -> Result<rorqual_frontend::typed::Program, Failure> {
        rorqual_frontend::parse(&self.units, &self.options, host)
    }

    /// Reads the program, tells of warnings, lowers it, and adds the checks.
    pub fn lower(&self, host: &dyn Host, warn: &mut Warn<'_>) -> Result<Program, Failure> {
        let base = self.lower_unchecked(host, warn)?;
        self.checked(base)
    }

    /// A program with the checks and properties of this project.
    fn checked(&self, base: Program) -> Result<Program, Failure> {
        if self.property_ids.is_empty() {
            return Ok(with_checks(base, &self.checks));
        }
        let all = properties(&with_checks(base.clone(), &self.checks));
        let (_, others) = self.selected(&base, all)?;
        let except = others.into_iter().map(|property| property.instance).collect();
        Ok(with_checks_except(base, &self.own_checks(), except))
    }

    /// The checks that have instances.
    pub(crate) fn own_checks(&self) -> Vec<Check> {
        self.checks.iter().copied().filter(|&check| check != Check::UnreachableCode).collect()
    }

    /// The properties of a program that count, and the others.
    pub(crate) fn selected(
        &self,
        base: &Program,
        all: Vec<Property>,
    ) -> Result<(Vec<Property>, Vec<Property>), Failure> {
        if self.property_ids.is_empty() {
            return Ok((all, Vec::new()));
        }
        let is_missing = |name: &&String| !all.iter().any(|property| property.name == **name);
        if let Some(name) = self.property_ids.iter().find(is_missing) {
            let message = format!("the program has no property `{name}`");
            let help = match nearest(name, &all) {
                Some(near) => format!("did you mean `{near}`? `rorqual show properties` lists all of them"),
                None => "`rorqual show properties` lists the properties".to_owned(),
            };
            let diagnostic = Diagnostic::error(message, Span::NONE).with_help(help);
            return Err(Failure { sources: base.sources.clone(), diagnostics: vec![diagnostic] });
        }
        Ok(all.into_iter().partition(|property| self.property_ids.contains(&property.name)))
    }

    /// As [`Project::lower`], without the checks.
    pub fn lower_unchecked(&self, host: &dyn Host, warn: &mut Warn<'_>) -> Result<Program, Failure> {
        let program = self.parse(host)?;
        if !program.warnings.is_empty() {
            warn(&program.sources, &program.warnings);
        }
        self.lowered(program, host, warn)
    }

    fn lowered(
        &self,
        program: rorqual_frontend::typed::Program,
        host: &dyn Host,
        warn: &mut Warn<'_>,
    ) -> Result<Program, Failure> {
        let mut program = rorqual_frontend::lower(program, &self.options)?;
        if self.undefined == UndefinedFunctions::Any {
            forget_library_variables(&mut program);
        }
        let program = treat_undefined(program, self.undefined, &is_library_function);
        let program = self.specified(program, host, warn)?;
        let program = with_error_number(program, ERROR_NUMBER);
        let program = with_result_ranges(program, &result_range);
        Ok(match self.allocation {
            Allocation::Succeeds => program,
            Allocation::MayFail => with_failing_allocations(program, &is_heap_allocator),
        })
    }
}

impl Project {
    /// The program with its specification automata. They come after what functions without body may write, as that is
    /// never a ghost variable.
    fn specified(
        &self,
        mut program: Program,
        host: &dyn Host,
        warn: &mut Warn<'_>,
    ) -> Result<Program, Failure> {
        let mut specifications = Vec::new();
        for path in &self.specifications {
            let bytes = host.read(path).map_err(|error| {
                let message = format!("cannot read the specification `{}`: {error}", path.display());
                failure(&program, vec![Diagnostic::error(message, Span::NONE)])
            })?;
            let file = program.sources.add(path.display().to_string(), &bytes);
            let text = program.sources.file(file).text().to_owned();
            let parsed = parse_specification(file, &text);
            specifications.push(parsed.map_err(|error| failure(&program, vec![error]))?);
        }
        if specifications.is_empty() {
            return Ok(program);
        }
        let lost = self.lost_events(&specifications);
        if !lost.is_empty() {
            return Err(failure(&program, lost));
        }
        let (program, told) = weave(program, &specifications);
        let warnings = told.map_err(|errors| failure(&program, errors))?;
        if !warnings.is_empty() {
            warn(&program.sources, &warnings);
        }
        Ok(program)
    }

    /// Errors about events that would never be seen, because no automaton has a call there.
    fn lost_events(&self, specifications: &[Specification]) -> Vec<Diagnostic> {
        let is_lost = |name: &str| {
            rorqual_frontend::is_special(name)
                || self.options.error_functions.iter().any(|error| error == name)
        };
        let functions = specifications.iter().flat_map(Specification::functions);
        let lost = functions.filter(|&(name, _)| is_lost(name)).map(|(name, span)| {
            let message = format!(
                "calls of `{name}` are no events: it is an input, an assumption, an error, or an end"
            );
            Diagnostic::error(message, span).with_help("`on exit { … }` is for the end of the program")
        });
        lost.collect()
    }
}

fn failure(program: &Program, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure { sources: program.sources.clone(), diagnostics }
}

/// What is known of `errno`.
const ERROR_NUMBER: ErrorNumber<'_> = ErrorNumber {
    location: library::ERRNO_LOCATION,
    forget: library::ERRNO_FORGOTTEN,
    is_set_by: &|function| is_library_function(function) && library::may_set_errno(&function.name),
};

/// Functions that store in variables of the library become ones that nothing is known of.
fn forget_library_variables(program: &mut Program) {
    let functions: Vec<FunctionId> = program.functions.ids().collect();
    for function in functions {
        let function = &mut program.functions[function];
        function.is_foreign |= library_entry(function).is_some_and(|entry| entry.origin == Origin::Variables);
    }
}

/// Whether a function is the model of one of the library.
fn is_model(program: &Program, function: &Function, name: &str) -> bool {
    function.name == name && function.body.is_some() && program.sources.is_in_library(function.span)
}

/// Whether somebody who is given pointers may call a function that has a body.
fn has_addressed_body(program: &Program) -> bool {
    program.exprs.values().any(|expr| match expr.kind {
        ExprKind::FunctionAddress(function) => program.functions[function].body.is_some(),
        _ => false,
    })
}

/// Whether a function is declared to return a pointer to an object.
fn returns_pointer(program: &Program, function: FunctionId) -> bool {
    let Type::Function { result, .. } = program.types.get(program.functions[function].ty) else {
        return false;
    };
    let pointee = program.types.pointee(*result);
    pointee.is_some_and(|pointee| !matches!(program.types.get(pointee), Type::Function { .. }))
}

/// Whether a function of the library returns new memory that does not lie on the stack.
fn is_heap_allocator(function: &Function) -> bool {
    is_allocator(function) && bare_name(function) != "alloca"
}

/// What the result of a function of the library is between.
fn result_range(function: &Function) -> Option<ResultRange> {
    let range = library_entry(function)?.range?;
    let highest = range.highest.map(|highest| match highest {
        Highest::Number(number) => HighestResult::Number(number.into()),
        Highest::Argument(position) => HighestResult::Argument(position),
    });
    Some(ResultRange { lowest: range.lowest.into(), highest })
}

fn has_variable_arrays(program: &Program) -> bool {
    let mut edges =
        program.functions.values().flat_map(|function| &function.body).flat_map(|body| body.edges().values());
    edges.any(|edge| matches!(edge.operation, Operation::StackAllocate { .. }))
}

/// The property whose name has the longest beginning in common with a name.
fn nearest<'p>(name: &str, all: &'p [Property]) -> Option<&'p str> {
    let common = |other: &str| name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let names = all.iter().map(|property| property.name.as_str());
    names.filter(|other| common(other) > 0).max_by_key(|other| common(other))
}

/// Whether a function of the library may access memory that the program gives it.
fn reads_memory(function: &Function) -> bool {
    is_library_function(function) && function.name != library::ERRNO_FORGOTTEN
}

/// A program with checks, but for some instances of them.
pub(crate) fn with_checks_except(program: Program, checks: &[Check], except: BTreeSet<Instance>) -> Program {
    add_checks_except(program, checks, except, &reads_memory)
}

/// A program with checks.
pub fn with_checks(program: Program, checks: &[Check]) -> Program {
    add_checks(program, checks, &reads_memory)
}

/// The program as engines search it and as proofs are about it; runs are of the program itself. Variables keep their ids.
pub fn searched(program: &Program) -> Cow<'_, Program> {
    let listed = lists_as_variables(program).map_or(Cow::Borrowed(program), Cow::Owned);
    references_as_values(&listed).map_or(listed, Cow::Owned)
}

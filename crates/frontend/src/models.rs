//! Linking functions of the C library that the program calls and does not define.
//!
//! A model is read under a name of its own. If its type fits the program's declaration, everything that names the
//! declared function names the model instead; otherwise the program keeps its function without body.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::{DataModel, FunctionId, IntKind, Type, TypeId};
use rorqual_models::printing::{Given, Printer};
use rorqual_models::{KnownTo, Model, library};

use crate::adapter;
use crate::link::{Linker, compatible};
use crate::options::{Host, Models, TranslationUnit};
use crate::typed::{ExprId, ExprKind, Program};

/// Where models seem to be, for people.
const DIRECTORY: &str = "<library>";

/// Models have no files: their text is in the binary, or made for one format.
struct Text<'a> {
    path: PathBuf,
    text: &'a str,
}

impl Host for Text<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let is_own = path == self.path;
        is_own.then(|| self.text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn system_include_directories(&self, _: DataModel) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Links the models of functions that the program names and does not define.
pub(crate) fn link(program: &mut Program, models: Models, model: DataModel) {
    if models == Models::All {
        link_printers(program, model);
    }
    let mut linked: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
    let mut read: BTreeMap<&'static str, Option<FunctionId>> = BTreeMap::new();
    let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
    // Models may name functions that have models.
    loop {
        let named = named_functions(program);
        let new: Vec<FunctionId> = named.into_iter().filter(|&function| seen.insert(function)).collect();
        if new.is_empty() {
            break;
        }
        for function in new {
            let definition = &program.functions[function];
            let Some(found) = rorqual_models::find(&definition.function.name) else { continue };
            if definition.function.is_foreign || definition.body.is_some() || !is_linked(found, models) {
                continue;
            }
            let file = || format!("{}.c", found.name);
            let known = *read
                .entry(found.name)
                .or_insert_with(|| read_model(program, found.name, &file(), found.text, model));
            match known.filter(|&body| fits(program, function, body)) {
                Some(body) => {
                    linked.insert(function, body);
                }
                // There is one `errno`, and this is not how to ask for it.
                None if found.name == library::ERRNO_LOCATION => {
                    program.functions[function].function.is_foreign = true;
                }
                None => {}
            }
        }
    }
    for id in program.exprs.ids() {
        if let ExprKind::FunctionAddress(function) = &mut program.exprs[id].kind
            && let Some(&model) = linked.get(function)
        {
            *function = model;
        }
    }
}

fn is_linked(model: &Model, models: Models) -> bool {
    match models {
        Models::All => true,
        Models::OnlyUnknown => model.known_to == KnownTo::Nobody,
        Models::OnlyWithoutEntry => {
            library::entry(model.name).is_none() || model.name == library::ERRNO_LOCATION
        }
    }
}

fn named_functions(program: &Program) -> BTreeSet<FunctionId> {
    let named = |kind: &ExprKind| match kind {
        ExprKind::FunctionAddress(function) => Some(*function),
        _ => None,
    };
    program.exprs.values().filter_map(|expr| named(&expr.kind)).collect()
}

/// The function that a text in a file of a name defines.
fn read_model(
    program: &mut Program,
    name: &str,
    file: &str,
    text: &str,
    data_model: DataModel,
) -> Option<FunctionId> {
    let parsed_name = format!("__rorqual_model_{name}");
    let path = Path::new(DIRECTORY).join(file);
    let mut unit = TranslationUnit::new(path.clone());
    unit.defines.push(format!("{name}={parsed_name}"));
    adapter::read_unit(&unit, data_model, &Text { path, text }, program, &mut Linker::default()).ok()?;
    let is_model = |id: &FunctionId| program.functions[*id].function.name == parsed_name;
    let id = program.functions.ids().rev().find(is_model)?;
    debug_assert!(program.functions[id].body.is_some(), "a model defines its function");
    name.clone_into(&mut program.functions[id].function.name);
    if let Some(file) = program.functions[id].function.span.file() {
        program.sources.mark_library(file);
    }
    Some(id)
}

/// Calls of functions that print to memory with a constant format become calls of functions made for the format.
fn link_printers(program: &mut Program, model: DataModel) {
    let mut made: BTreeMap<(Printer, Vec<u8>, Vec<Given>), Option<FunctionId>> = BTreeMap::new();
    for id in program.exprs.ids() {
        let ExprKind::Call { callee, arguments } = &program.exprs[id].kind else { continue };
        let (callee, arguments) = (*callee, arguments.clone());
        let Some((printer, format, given)) = printed(program, callee, &arguments) else { continue };
        let number = made.len();
        let known = *made.entry((printer, format, given)).or_insert_with_key(|(printer, format, given)| {
            let bits = [IntKind::Int, IntKind::Long, IntKind::LongLong].map(|kind| kind.width(model));
            let text = printer.text(format, given, bits)?;
            let name = printer.name();
            read_model(program, name, &format!("{name}-{number}.c"), &text, model)
        });
        let Some(function) = known else { continue };
        let ty = program.functions[function].function.ty;
        if takes(program, ty, &arguments) {
            let pointer = program.types.pointer_to(ty);
            program.exprs[callee].kind = ExprKind::FunctionAddress(function);
            program.exprs[callee].ty = pointer;
        }
    }
}

/// What a call prints to memory: the format, and what is given for it.
fn printed(
    program: &Program,
    callee: ExprId,
    arguments: &[ExprId],
) -> Option<(Printer, Vec<u8>, Vec<Given>)> {
    let ExprKind::FunctionAddress(function) = program.exprs[callee].kind else { return None };
    let definition = &program.functions[function];
    let printer = Printer::named(&definition.function.name)?;
    if definition.body.is_some() || definition.function.is_foreign {
        return None;
    }
    let format = literal(program, *arguments.get(printer.format())?)?;
    let given = arguments[printer.format() + 1..].iter().map(|&argument| given(program, argument));
    Some((printer, format, given.collect::<Option<_>>()?))
}

/// The bytes of the string literal that an expression points to.
fn literal(program: &Program, expr: ExprId) -> Option<Vec<u8>> {
    match program.exprs[expr].kind {
        ExprKind::Convert(inner) => literal(program, inner),
        ExprKind::AddressOf(place) => match program.exprs[place].kind {
            ExprKind::Text(text) => Some(program.strings[text].bytes.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn given(program: &Program, argument: ExprId) -> Option<Given> {
    let (types, ty) = (&program.types, program.exprs[argument].ty);
    if let Some(pointee) = types.pointee(ty) {
        return (types.as_int(pointee) == Some(IntKind::Char)).then_some(Given::Text);
    }
    let kind = types.as_int(ty)?;
    let Cow::Borrowed(name) = kind.name() else { return None };
    Some(Given::Integer { name, bits: kind.width(types.model()) })
}

/// Whether a function takes just these arguments.
fn takes(program: &Program, function: TypeId, arguments: &[ExprId]) -> bool {
    let Type::Function { parameters, variadic: false, .. } = program.types.get(function) else {
        return false;
    };
    parameters.iter().copied().eq(arguments.iter().map(|&argument| program.exprs[argument].ty))
}

/// Whether a model can stand for a function as the program declares it.
fn fits(program: &Program, declared: FunctionId, model: FunctionId) -> bool {
    let ty = |function: FunctionId| program.functions[function].function.ty;
    compatible(&program.types, ty(declared), ty(model))
}

//! Linking functions of the C library that the program calls and does not define.
//!
//! A model is read under a name of its own. If its type fits the program's declaration, everything that names the
//! declared function names the model instead; otherwise the program keeps its function without body.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::{DataModel, FunctionId};
use rorqual_models::{KnownTo, Model, library};

use crate::adapter;
use crate::link::{Linker, compatible};
use crate::options::{Host, Models, TranslationUnit};
use crate::typed::{ExprKind, Program};

/// Where models seem to be, for people.
const DIRECTORY: &str = "<library>";

/// Models have no files: their text is in the binary.
struct Texts;

impl Host for Texts {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let name = path.file_stem().and_then(|name| name.to_str());
        let model = name.and_then(rorqual_models::find);
        model.map(|model| model.text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn system_include_directories(&self, _: DataModel) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Links the models of functions that the program names and does not define.
pub(crate) fn link(program: &mut Program, models: Models, model: DataModel) {
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
            let known = *read.entry(found.name).or_insert_with(|| read_model(program, found, model));
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

/// The function that a model defines.
fn read_model(program: &mut Program, model: &Model, data_model: DataModel) -> Option<FunctionId> {
    let parsed_name = format!("__rorqual_model_{}", model.name);
    let mut unit = TranslationUnit::new(Path::new(DIRECTORY).join(model.name).with_extension("c"));
    unit.defines.push(format!("{}={parsed_name}", model.name));
    adapter::read_unit(&unit, data_model, &Texts, program, &mut Linker::default()).ok()?;
    let is_model = |id: &FunctionId| program.functions[*id].function.name == parsed_name;
    let id = program.functions.ids().rev().find(is_model)?;
    debug_assert!(program.functions[id].body.is_some(), "a model defines its function");
    model.name.clone_into(&mut program.functions[id].function.name);
    if let Some(file) = program.functions[id].function.span.file() {
        program.sources.mark_library(file);
    }
    Some(id)
}

/// Whether a model can stand for a function as the program declares it.
fn fits(program: &Program, declared: FunctionId, model: FunctionId) -> bool {
    let ty = |function: FunctionId| program.functions[function].function.ty;
    compatible(&program.types, ty(declared), ty(model))
}

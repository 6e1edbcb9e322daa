//! Names that tell the variables of a function apart.

use std::collections::HashMap;

use rorqual_cfa::{FunctionId, Program};

/// Adds `#2`, `#3`, … to names that several variables of one function (or several files) use.
pub(super) fn make_unique(program: &mut Program) {
    let mut uses: HashMap<(Option<FunctionId>, String), u32> = HashMap::new();
    for id in program.variables.ids().collect::<Vec<_>>() {
        let variable = &mut program.variables[id];
        let count = uses.entry((variable.function, variable.name.clone())).or_default();
        *count += 1;
        if *count > 1 {
            variable.name = format!("{}#{count}", variable.name);
        }
    }
}

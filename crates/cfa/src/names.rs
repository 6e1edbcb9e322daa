//! Names for the cells of a program's state: what formulas about a program are over.
//!
//! A *cell* is a scalar of a variable, or all the scalars that one path of members and elements leads to.
//!
//! | Name | What it is |
//! |---|---|
//! | `x` | the global scalar `x` |
//! | `f::x` | the scalar `x` of function `f` |
//! | `f::x.a.b` | a member |
//! | `f::x[]`, `f::x[].a` | all elements of an array, or one member of all of them: an array from positions to values |
//! | `&f::x` | the address of `x` |
//! | `f::return`, `f::return.a` | the result of `f`, in its contract |
//! | `old x` | what `x` was when the function was called, or the loop started |
//!
//! Elements of arrays in arrays are counted through: `m[i][j]` of `int m[2][3]` is at position `3i + j` of `m[]`.
//! Members without name are written as their number, `x.0.a`. Names that several variables would share have
//! `#2`, `#3` and so on behind the variable's name.

use std::collections::HashMap;

use crate::index::{Arena, FunctionId, Id, VariableId};
use crate::program::Program;

/// The name of every variable, unique in the program.
#[derive(Debug, Clone)]
pub struct CellNames {
    names: Arena<VariableId, String>,
}

impl CellNames {
    /// The names of a program's variables.
    pub fn new(program: &Program) -> CellNames {
        let mut names: Arena<VariableId, String> = Arena::default();
        let mut uses: HashMap<String, u32> = HashMap::new();
        for variable in program.variables.values() {
            let function = variable.function.filter(|_| !variable.kind.is_global());
            let name = match function {
                Some(function) => format!("{}::{}", program.functions[function].name, variable.name),
                None => variable.name.clone(),
            };
            let count = uses.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
            names.push(if *count == 1 { name } else { format!("{name}#{count}") });
        }
        CellNames { names }
    }

    /// The name of a variable.
    pub fn variable(&self, variable: VariableId) -> &str {
        &self.names[variable]
    }

    /// The name of the value that a cell had when a function was called, or a loop started.
    pub fn old(cell: &str) -> String {
        format!("old {cell}")
    }

    /// The name of the result of a function; its members have their paths behind it.
    pub fn result(program: &Program, function: FunctionId) -> String {
        format!("{}::return", program.unique_name(function))
    }

    /// The variable with a name.
    pub fn find(&self, name: &str) -> Option<VariableId> {
        self.names.iter().find(|(_, known)| *known == name).map(|(id, _)| VariableId::new(id.index()))
    }
}

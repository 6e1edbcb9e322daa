//! Transformations of whole programs, one folder or file each.

mod checks;
mod lists;
mod undefined;

pub use checks::{ReachTest, add_checks, add_reach_test, reach_tests};
pub use lists::lists_as_variables;
pub use undefined::{UndefinedFunctions, treat_undefined, undefined_functions};

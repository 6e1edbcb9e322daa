//! Transformations of whole programs, one folder or file each.

mod allocation;
mod checks;
mod error_number;
mod lists;
mod ranges;
mod references;
mod specification;
mod undefined;

pub use allocation::{Allocation, with_failing_allocations};
pub use checks::{ReachTest, add_checks, add_checks_except, add_reach_test, guard, reach_tests};
pub use error_number::{ErrorNumber, with_error_number};
pub use lists::lists_as_variables;
pub use ranges::{HighestResult, ResultRange, with_result_ranges};
pub use references::references_as_values;
pub use specification::{Specification, parse_specification, weave};
pub use undefined::{UndefinedFunctions, treat_undefined, undefined_functions, written_by};

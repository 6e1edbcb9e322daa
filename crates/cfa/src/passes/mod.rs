//! Transformations of whole programs, one folder or file each.

mod checks;

pub use checks::{ReachTest, add_checks, add_reach_test, reach_tests};

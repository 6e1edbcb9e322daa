//! Runs collections of tasks, each in a process of its own with limits; stores, sums up and
//! compares the results.

mod process;
mod process_tree;
mod sys;

//! Rorqual as a library: from C sources to outcomes whose evidence was checked.
//!
//! A [`Project`] says which program is meant and what it is checked for, a [`Checker`] how it is searched. The [`Outcome`]
//! has an answer for each check: a [`Proof`] that an independent checker has proved again, a [`Refutation`] that was
//! replayed in the interpreter, or the reason why nothing is [`Unknown`]. Nobody else can make the first two.
//!
//! ```
//! use std::path::PathBuf;
//!
//! use rorqual::{Checker, Conclusion, Project, System};
//!
//! # let directory = std::env::temp_dir().join(format!("rorqual-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory)?;
//! # let file: PathBuf = directory.join("count.c");
//! std::fs::write(&file, "int main(void) { int i = 0; while (i < 10) i++; return 10 / i; }")?;
//! let project = Project::from_files([file]).checking(vec![rorqual::Check::DivZero]).with_models();
//! let outcome = Checker::default().check(&project, &System::default(), &mut ()).expect("it is a C program");
//! let Conclusion::Safe(proof) = &outcome.decisive().conclusion else { panic!("it never divides by zero") };
//! assert!(proof.obligations() > 0);
//! # std::fs::remove_dir_all(directory)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod audience;
mod clock;
mod confirm;
mod outcome;
mod project;
mod rounds;
mod settle;
mod stored;
mod strengthen;
mod system;

pub use audience::Audience;
pub use clock::cpu_time;
pub use outcome::{Attempt, Conclusion, Outcome, Proof, Reached, Refutation, Round, Unknown};
pub use project::{Project, UndefinedBehaviour, Warn, searched, with_checks};
pub use rorqual_cfa::{Check, Property};
pub use rorqual_frontend::{Failure, Host};
pub use rorqual_solver::Limits;
pub use rorqual_strategy::{NAMES as STRATEGIES, Strategy, auto, named as strategy};
pub use rounds::Checker;
pub use stored::{Shelf, StoreMode, StoreNotice, StoreReport};
pub use system::System;

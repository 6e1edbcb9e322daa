//! One list of all engines. Adding an engine is a folder, and a line here.

use rorqual_evidence::{Answer, Observer};
use rorqual_solver::Limits;

use crate::inference::Inference;
use crate::task::Task;
use crate::{bmc, funfrog, ic3, impact, induction, kinduction, predicate, reduction, testing, whale};

/// A way to search a program for a violation or a proof.
pub trait Engine: Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn summary(&self) -> &'static str;

    /// Searches a program. Proved facts come from `inference`, if from anywhere.
    fn run(
        &self,
        task: &Task<'_>,
        inference: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer;
}

/// All engines, with the settings of their papers.
pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(impact::Impact::default()),
        Box::new(predicate::Predicate::default()),
        Box::new(whale::Whale::default()),
        Box::new(reduction::Reduction::default()),
        Box::new(bmc::Bmc::default()),
        Box::new(funfrog::FunFrog::default()),
        Box::new(ic3::Ic3::default()),
        Box::new(kinduction::KInduction),
        Box::new(induction::Induction::default()),
        Box::new(testing::Testing::default()),
    ]
}

/// The engine with a name.
pub fn engine(name: &str) -> Option<Box<dyn Engine>> {
    engines().into_iter().find(|engine| engine.name() == name)
}

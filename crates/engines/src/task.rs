//! What an engine is given: a program, and its formulas.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rorqual_cfa::{Instance, Program, conditions};
use rorqual_encoding::{Analysis, Encoding, Setting};
use rorqual_evidence::{Answer, Reason, Technique, Verdict};

use crate::testing::Untried;

/// A program with its encodings. Each is made once for its setting, and then shared by all who ask for it: blocks are
/// translated once, and what one engine proves can be told to the next.
pub struct Task<'p> {
    /// The program as it runs.
    pub program: &'p Program,
    /// The program as it is searched, and as proofs are about it.
    pub searched: &'p Program,
    /// The same without the models of library functions, if it has any: they may do anything there, so a proof counts
    /// and a violation does not.
    pub without_models: Option<Box<Task<'p>>>,
    /// Whether a violation is worth more with those of other properties that are found on the way.
    pub wants_all: bool,
    /// What short test runs have left.
    untried: RefCell<Option<Untried>>,
    analysis: OnceCell<Arc<Analysis>>,
    encodings: RefCell<BTreeMap<Setting, Rc<RefCell<Encoding<'p>>>>>,
}

impl<'p> Task<'p> {
    /// A task for a program that runs as it is searched, which is so unless it takes arguments behind `...`.
    pub fn new(program: &'p Program) -> Task<'p> {
        Task::searching(program, program)
    }

    /// A task for a program, and the form in which it is searched.
    pub fn searching(program: &'p Program, searched: &'p Program) -> Task<'p> {
        Task {
            program,
            searched,
            without_models: None,
            wants_all: false,
            untried: RefCell::default(),
            analysis: OnceCell::new(),
            encodings: RefCell::default(),
        }
    }

    /// The same task for another thread: the analysis is shared, encodings are not.
    pub fn seed(&self) -> Seed<'p> {
        Seed {
            program: self.program,
            searched: self.searched,
            wants_all: self.wants_all,
            analysis: self.analysis(),
            untried: self.untried.borrow().clone(),
            without_models: self.without_models.as_ref().map(|task| Box::new(task.seed())),
        }
    }

    /// The encoding for a setting.
    pub fn encoding(&self, setting: Setting) -> Rc<RefCell<Encoding<'p>>> {
        let mut encodings = self.encodings.borrow_mut();
        let new = || Rc::new(RefCell::new(Encoding::new(self.searched, self.analysis(), setting)));
        encodings.entry(setting).or_insert_with(new).clone()
    }

    fn analysis(&self) -> Arc<Analysis> {
        self.analysis.get_or_init(|| Arc::new(Analysis::of(self.searched))).clone()
    }

    /// Whether longer test runs may find more than those that were made.
    pub fn has_untried_runs(&self) -> bool {
        self.untried.borrow().is_some()
    }

    pub(crate) fn set_untried_runs(&self, untried: Option<Untried>) {
        *self.untried.borrow_mut() = untried;
    }

    pub(crate) fn take_untried_runs(&self) -> Option<Untried> {
        self.untried.borrow_mut().take()
    }

    /// Whether functions may be called again before they have returned.
    pub fn is_recursive(&self) -> bool {
        self.encoding(Setting::default()).borrow_mut().is_recursive()
    }
}

/// A task that has no encodings yet, so that it can be sent to another thread.
pub struct Seed<'p> {
    program: &'p Program,
    searched: &'p Program,
    wants_all: bool,
    analysis: Arc<Analysis>,
    untried: Option<Untried>,
    without_models: Option<Box<Seed<'p>>>,
}

impl<'p> Seed<'p> {
    /// The task.
    pub fn task(self) -> Task<'p> {
        let without_models = self.without_models.map(|seed| Box::new(seed.task()));
        let (analysis, untried) = (OnceCell::from(self.analysis), RefCell::new(self.untried));
        let wants_all = self.wants_all;
        Task { without_models, wants_all, untried, analysis, ..Task::searching(self.program, self.searched) }
    }
}

/// Why contracts are no proof for a program, if they are none, and for which properties they are none.
pub(crate) fn beyond_contracts(encoding: &Encoding<'_>) -> Option<Answer> {
    if !encoding.has_memory_checks() {
        return None;
    }
    let conditions = conditions(encoding.program).into_iter();
    let beyond = conditions.filter(|&(_, condition)| encoding.asks_of_memory(condition));
    let beyond: Vec<Instance> = beyond.map(|(instance, _)| instance).collect();
    let construct = "a check of memory by contracts".to_owned();
    let span = beyond.first().map_or_else(|| encoding.span(encoding.start()), |instance| instance.span);
    let verdict = Verdict::Unknown(Reason::Unsupported { construct, span });
    Some(Answer { beyond, ..Answer::new(verdict, Technique::Summaries) })
}

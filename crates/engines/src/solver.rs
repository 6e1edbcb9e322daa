//! What engines ask the solver: whether paths are feasible, and interpolants if they are not.

use rorqual_encoding::Encoding;
use rorqual_evidence::Stop;
use rorqual_interpolation::strategy::{Chooser, Configuration, Counts, Goal, Outcome};
use rorqual_interpolation::{Language, System};
use rorqual_logic::Term;
use rorqual_solver::{Answer, BitVecSolver, Entailment, GaveUp, Limits, Model};

use crate::impact::Interpolants;

/// Beyond this many variables the solver is replaced by an empty one: most of them belong to paths that were
/// refuted long ago.
const RENEW_AT: usize = 2_000_000;

/// The conflicts of questions that may stay open: whether a cover holds, whether an exit can be taken.
const CONFLICTS: u32 = 10_000;

/// The answer for a path.
pub(crate) enum PathAnswer {
    Feasible(Model),
    /// Interpolants. For a sequence, one formula per position, from the start of the first part on: the first is `true`,
    /// the last `false`.
    Refuted(Vec<Term>),
}

pub(crate) struct PathSolver {
    solver: BitVecSolver,
    entailment: Entailment,
    chooser: Configuration,
    counts: Counts,
    limits: Limits,
    /// The level of the language of interpolants, and the last one; none once any are accepted.
    levels: Option<(u32, u32)>,
}

impl PathSolver {
    pub(crate) fn new(limits: &Limits) -> PathSolver {
        PathSolver {
            solver: BitVecSolver::new(),
            entailment: Entailment::new(()),
            chooser: Configuration { limits: limits.clone(), ..Configuration::default() },
            counts: Counts::default(),
            limits: limits.clone(),
            levels: None,
        }
    }

    /// Takes interpolants from proofs about bits with a system.
    pub(crate) fn with_system(mut self, system: System) -> PathSolver {
        self.chooser.system = system;
        self
    }

    /// Accepts interpolants of some kind only.
    pub(crate) fn accepting(mut self, interpolants: Interpolants) -> PathSolver {
        self.levels = match interpolants {
            Interpolants::Any => None,
            Interpolants::Restricted { last_level } => Some((0, last_level)),
        };
        self
    }

    /// Whether the premise entails the conclusion. `false` when the solver gives up, which may cost a cover but
    /// never soundness.
    pub(crate) fn entails(&mut self, encoding: &mut Encoding<'_>, premise: Term, conclusion: Term) -> bool {
        let limits = self.limits.clone().with_conflicts(CONFLICTS);
        self.entailment.entails(&mut encoding.pool, premise, conclusion, &limits) == Some(true)
    }

    /// Whether the formulas can hold together; yes if the solver gives up.
    pub(crate) fn is_possible(&mut self, encoding: &mut Encoding<'_>, formulas: &[Term]) -> bool {
        let limits = self.limits.clone().with_conflicts(CONFLICTS);
        !self.check(encoding, formulas, &limits).is_unsat()
    }

    /// A model of the formulas, if there is one.
    pub(crate) fn model(
        &mut self,
        encoding: &mut Encoding<'_>,
        formulas: &[Term],
    ) -> Result<Option<Model>, Stop> {
        let limits = self.limits.clone();
        match self.check(encoding, formulas, &limits) {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    fn check(
        &mut self,
        encoding: &mut Encoding<'_>,
        formulas: &[Term],
        limits: &Limits,
    ) -> Answer<Model, rorqual_solver::Core> {
        if self.solver.variables() > RENEW_AT {
            self.solver = BitVecSolver::new();
        }
        self.solver.check(&mut encoding.pool, formulas, limits)
    }

    /// Refutes parts, each given by its conjuncts, or finds a model. Conjuncts that the contradiction does not need
    /// are left out before interpolants are asked for: that is the slice of the path.
    pub(crate) fn solve_path(
        &mut self,
        encoding: &mut Encoding<'_>,
        parts: &[Vec<Term>],
    ) -> Result<PathAnswer, Stop> {
        self.solve(encoding, parts, &Goal::Sequence)
    }

    /// The same for parts that are arranged in any way.
    pub(crate) fn solve(
        &mut self,
        encoding: &mut Encoding<'_>,
        parts: &[Vec<Term>],
        goal: &Goal,
    ) -> Result<PathAnswer, Stop> {
        let all = parts.concat();
        let limits = self.limits.clone();
        let core = match self.check(encoding, &all, &limits) {
            Answer::Sat(model) => return Ok(PathAnswer::Feasible(model)),
            Answer::Unknown(reason) => return Err(reason.into()),
            Answer::Unsat(core) => core,
        };
        let needed = |term: &&Term| core.assumptions().contains(term);
        let mut sliced = Vec::with_capacity(parts.len());
        for part in parts {
            let conjuncts: Vec<Term> = part.iter().filter(needed).copied().collect();
            sliced.push(encoding.pool.and(&conjuncts));
        }
        match self.interpolate(encoding, &sliced, goal) {
            Outcome::Interpolated(interpolants) => Ok(PathAnswer::Refuted(interpolants)),
            Outcome::Satisfiable(model) => Ok(PathAnswer::Feasible(model)),
            Outcome::Unknown(reason) => Err(reason.into()),
            Outcome::NotInLanguage(_) => {
                Err(Stop::Solver(GaveUp::Unsupported("interpolants in a language".into())))
            }
            Outcome::NotExpressible => {
                Err(Stop::Solver(GaveUp::Unsupported("an interpolant with quantifiers over indices".into())))
            }
            Outcome::Failed(failure) => {
                // Verifying runs into the limits like everything else.
                Stop::check(&self.limits)?;
                Err(Stop::Solver(GaveUp::Unsupported(format!("the interpolants of this path ({failure:?})"))))
            }
        }
    }

    /// Interpolants in the current language. Where it has none, the next one is the current one from now on.
    fn interpolate(&mut self, encoding: &mut Encoding<'_>, parts: &[Term], goal: &Goal) -> Outcome {
        loop {
            let language = self.levels.map(|(level, _)| Language::of(&encoding.pool, parts, level));
            let configuration = Configuration { language, ..self.chooser.clone() };
            let mut chooser = Chooser::new(&configuration, &mut self.counts);
            match (chooser.interpolate(&mut encoding.pool, parts, goal), self.levels) {
                (Outcome::NotInLanguage(_), Some((level, last))) => {
                    self.levels = (level < last).then_some((level + 1, last));
                }
                (outcome, _) => return outcome,
            }
        }
    }
}

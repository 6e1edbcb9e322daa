//! The chooser: tries the strategies in the order of how well their interpolants generalise, takes the
//! first whose interpolants verify, and tells an observer which one served.

use std::collections::BTreeMap;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::Part;
use rorqual_solver::theory::clausal::Budget;
use rorqual_solver::{Answer, GaveUp, Limits, Model, Refutation, Scopes, refute_within};

use crate::arithmetic::{Choice, Equalities, LinearRefutation, Wrapping};
use crate::comparisons::{Comparisons, comparisons};
use crate::error::InterpolationError;
use crate::interpolants::{Arrangement, Interpolants, StateTransition, Tree};
use crate::language::{Language, Shapes};
use crate::propositional::{NoLemmas, System};
use crate::reduction::Reduction;
use crate::repair::repaired;
use crate::scopes::scopes;
use crate::simplify::Simplifier;
use crate::verify::{Rejection, verify_sequence, verify_state_transition, verify_tree};
use crate::wp::weakest_preconditions;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// `I_0 … I_n` along the parts. With two parts, `I_1` is the binary interpolant.
    Sequence,
    /// One formula per node.
    Tree(Tree),
    /// States, then transitions: `2n + 1` formulas.
    StateTransition,
}

/// Where interpolants come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Served {
    /// A refutation in linear arithmetic.
    Arithmetic {
        /// How wrapping was modelled.
        wrapping: Wrapping,
        /// Which interpolants of lemmas were taken.
        choice: Choice,
    },
    /// Substitution along the core.
    WeakestPreconditions,
    /// Search among the comparisons of a language.
    Comparisons,
    /// The refutation of the bit-blasted parts.
    BitLevel(System),
}

/// Learns which strategy served.
pub trait Observer {
    /// Called once per problem that was served, or once per cut where cuts were served one by one.
    fn on(&mut self, served: Served);
}

/// Ignores everything.
impl Observer for () {
    fn on(&mut self, _: Served) {}
}

/// Counts how often each strategy served.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// By strategy.
    pub served: BTreeMap<Served, u64>,
}

impl Observer for Counts {
    fn on(&mut self, served: Served) {
        *self.served.entry(served).or_default() += 1;
    }
}

/// What the chooser may do.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// The system for proofs. The dual one serves sequences only.
    pub system: System,
    /// Only formulas of this language are accepted; `None` accepts all.
    pub language: Option<Language>,
    /// The queries that simplification may ask per problem; zero leaves interpolants as they come.
    pub simplification: usize,
    /// The work that the search for a refutation in linear arithmetic may do.
    pub arithmetic: Budget,
    /// The limits of each query to the bit-precise solver.
    pub limits: Limits,
}

impl Default for Configuration {
    /// The strongest system, because it serves all kinds; no language, because not every refinement has an
    /// interpolant in one; and 200 queries, more than sequences of ten formulas of ten atoms need.
    fn default() -> Configuration {
        Configuration {
            system: System::McMillan,
            language: None,
            simplification: 200,
            arithmetic: Budget { conflicts: 2_000, splits: 200, pivots: 20_000 },
            limits: Limits::none(),
        }
    }
}

/// What the chooser answers.
#[derive(Debug)]
pub enum Outcome {
    /// Verified interpolants, in the order that the goal says.
    Interpolated(Vec<Term>),
    /// The parts do not contradict each other.
    Satisfiable(Model),
    /// There are interpolants, but none that is known in the language.
    NotInLanguage(Absence),
    /// The parts contradict each other by an index or an argument that only one side of a cut knows, and no
    /// common terms for it were found: without quantifiers, interpolants are too large, if there are any.
    NotExpressible,
    /// The solver gave up.
    Unknown(GaveUp),
    /// The bit-level interpolants, which always fit, do not: an error of ours or a wrong request.
    Failed(Failure),
}

/// How sure it is that a language has no interpolants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// There are none.
    Proved,
    /// The strategies found none; there may be one that they miss.
    NotFound,
}

/// Why even the bit-level strategy failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The proof gave no interpolants.
    Interpolation(InterpolationError),
    /// The verifier did not accept them.
    Rejected(Rejection),
}

/// Interpolates problems over one pool.
pub struct Chooser<'c, O: Observer> {
    pub(crate) configuration: &'c Configuration,
    observer: &'c mut O,
}

impl<'c, O: Observer> Chooser<'c, O> {
    /// A chooser with a configuration that reports to an observer.
    pub fn new(configuration: &'c Configuration, observer: &'c mut O) -> Chooser<'c, O> {
        Chooser { configuration, observer }
    }

    /// Interpolants of parts that contradict each other.
    pub fn interpolate(&mut self, pool: &mut TermPool, parts: &[Term], goal: &Goal) -> Outcome {
        let scopes = scopes(pool, parts, goal);
        match refute_within(pool, parts, Scopes::Given(&scopes), &self.configuration.limits) {
            Answer::Unsat(refutation) => self.serve(pool, parts, &refutation, goal),
            Answer::Sat(model) => Outcome::Satisfiable(model),
            Answer::Unknown(GaveUp::MixedParts) => self.by_cuts(pool, parts, goal),
            Answer::Unknown(reason) => Outcome::Unknown(reason),
        }
    }

    /// Interpolants of refuted parts.
    pub(crate) fn serve(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        refutation: &Refutation,
        goal: &Goal,
    ) -> Outcome {
        // Parts outside of the core say nothing that the contradiction needs.
        let core = refutation.core();
        let top = pool.top();
        let is_needed = |number: usize| core.contains(&Part(number as u32));
        let needed: Vec<Term> =
            (0..parts.len()).map(|number| if is_needed(number) { parts[number] } else { top }).collect();
        let limits = &self.configuration.limits;
        let reduction = Reduction::of(pool, &needed, refutation, limits);
        let word_level = self.arithmetic(pool, parts, &reduction, goal);
        let word_level = word_level.or_else(|| self.preconditions(pool, parts, &needed, goal));
        if let Some((formulas, served)) = word_level {
            self.observer.on(served);
            return Outcome::Interpolated(formulas);
        }
        let formulas = Interpolants::new(refutation.proof(), self.configuration.system, NoLemmas)
            .and_then(|mut interpolants| ask(&mut interpolants, pool, parts.len(), goal));
        let formulas = match formulas {
            Ok(formulas) => reduction.restored(pool, &formulas, limits),
            Err(error) => return Outcome::Failed(Failure::Interpolation(error)),
        };
        let Some(formulas) = formulas else { return Outcome::NotExpressible };
        let formulas = self.simplified(pool, parts, &formulas, goal);
        if let Err(rejection) = self.verify(pool, parts, &formulas, goal) {
            return Outcome::Failed(Failure::Rejected(rejection));
        }
        if !self.is_in_language(pool, &formulas) {
            return self.by_comparisons(pool, parts, goal);
        }
        self.observer.on(Served::BitLevel(self.configuration.system));
        Outcome::Interpolated(formulas)
    }

    /// Without wrapping first: its proofs relate symbols where exact ones argue about ranges.
    fn arithmetic(
        &self,
        pool: &mut TermPool,
        parts: &[Term],
        reduction: &Reduction,
        goal: &Goal,
    ) -> Option<(Vec<Term>, Served)> {
        let limits = &self.configuration.limits;
        let system = self.configuration.system;
        for wrapping in [Wrapping::Ignored, Wrapping::Explicit] {
            let found =
                LinearRefutation::find(pool, reduction.parts(), wrapping, self.configuration.arithmetic);
            let Some(mut refutation) = found else { continue };
            for choice in Choice::ALL {
                let asked = refutation.interpolate(pool, system, choice, |interpolants, pool| {
                    ask(interpolants, pool, parts.len(), goal)
                });
                let Ok(integers) = asked else { continue };
                for equalities in [Equalities::Modular, Equalities::Exact] {
                    let rendered = refutation.render(pool, &integers, equalities);
                    let restored = rendered.and_then(|formulas| reduction.restored(pool, &formulas, limits));
                    let Some(formulas) = restored else { continue };
                    if let Some(accepted) = self.accepted(pool, parts, &formulas, goal) {
                        return Some((accepted, Served::Arithmetic { wrapping, choice }));
                    }
                }
            }
        }
        None
    }

    /// For sequences only: a tree has no order to go backwards along.
    fn preconditions(
        &self,
        pool: &mut TermPool,
        parts: &[Term],
        needed: &[Term],
        goal: &Goal,
    ) -> Option<(Vec<Term>, Served)> {
        if *goal != Goal::Sequence {
            return None;
        }
        let formulas = weakest_preconditions(pool, needed, &self.configuration.limits)?;
        let accepted = self.accepted(pool, parts, &formulas, goal)?;
        Some((accepted, Served::WeakestPreconditions))
    }

    /// For parts whose interpolants by other strategies are not in the language.
    fn by_comparisons(&mut self, pool: &mut TermPool, parts: &[Term], goal: &Goal) -> Outcome {
        let Configuration { language: Some(language), limits, .. } = self.configuration else {
            return Outcome::NotInLanguage(Absence::NotFound);
        };
        match comparisons(pool, parts, goal, language, limits) {
            Comparisons::Found(formulas) => match self.accepted(pool, parts, &formulas, goal) {
                Some(formulas) => {
                    self.observer.on(Served::Comparisons);
                    Outcome::Interpolated(formulas)
                }
                None => Outcome::NotInLanguage(Absence::NotFound),
            },
            Comparisons::NoneExist if language.shapes == Shapes::Comparisons => {
                Outcome::NotInLanguage(Absence::Proved)
            }
            Comparisons::NoneExist | Comparisons::Undecided => Outcome::NotInLanguage(Absence::NotFound),
        }
    }

    /// The formulas, simplified, if they verify and are in the language.
    fn accepted(
        &self,
        pool: &mut TermPool,
        parts: &[Term],
        formulas: &[Term],
        goal: &Goal,
    ) -> Option<Vec<Term>> {
        let formulas = match self.verify(pool, parts, formulas, goal) {
            Ok(()) => formulas.to_vec(),
            Err(_) if *goal == Goal::Sequence => {
                let repaired = repaired(pool, parts, formulas, &self.configuration.limits)?;
                self.verify(pool, parts, &repaired, goal).ok()?;
                repaired
            }
            Err(_) => return None,
        };
        let simpler = self.simplified(pool, parts, &formulas, goal);
        debug_assert_eq!(self.verify(pool, parts, &simpler, goal), Ok(()), "simplification keeps conditions");
        self.is_in_language(pool, &simpler).then_some(simpler)
    }

    fn is_in_language(&self, pool: &TermPool, formulas: &[Term]) -> bool {
        let language = self.configuration.language.as_ref();
        language.is_none_or(|language| formulas.iter().all(|&formula| language.admits(pool, formula)))
    }

    fn simplified(&self, pool: &mut TermPool, parts: &[Term], formulas: &[Term], goal: &Goal) -> Vec<Term> {
        let mut simplifier = Simplifier::new(self.configuration.simplification, &self.configuration.limits);
        match goal {
            Goal::Sequence => simplifier.sequence(pool, parts, formulas),
            Goal::Tree(_) | Goal::StateTransition => {
                formulas.iter().map(|&formula| simplifier.equivalent(pool, formula)).collect()
            }
        }
    }

    pub(crate) fn verify(
        &self,
        pool: &mut TermPool,
        parts: &[Term],
        formulas: &[Term],
        goal: &Goal,
    ) -> Result<(), Rejection> {
        let limits = &self.configuration.limits;
        match goal {
            Goal::Sequence => verify_sequence(pool, parts, formulas, limits),
            Goal::Tree(tree) => verify_tree(pool, tree, parts, formulas, limits),
            Goal::StateTransition => {
                let (states, transitions) = formulas.split_at(parts.len() + 1);
                let both = StateTransition { states: states.to_vec(), transitions: transitions.to_vec() };
                verify_state_transition(pool, parts, &both, limits)
            }
        }
    }
}

fn ask(
    interpolants: &mut Interpolants<'_>,
    pool: &mut TermPool,
    parts: usize,
    goal: &Goal,
) -> Result<Vec<Term>, InterpolationError> {
    let arrangement = Arrangement::identity(parts);
    match goal {
        Goal::Sequence => interpolants.sequence(pool, &arrangement),
        Goal::Tree(tree) => interpolants.tree(pool, tree, &arrangement),
        Goal::StateTransition => {
            let both = interpolants.state_transition(pool, &arrangement)?;
            Ok([both.states, both.transitions].concat())
        }
    }
}

//! The chooser: tries the strategies in the order of how well their interpolants generalise, takes the
//! first whose interpolants verify, and tells an observer which one served.

use std::collections::{BTreeMap, HashSet};

use rorqual_logic::{Term, TermPool};
use rorqual_solver::theory::clausal::Budget;
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, Model, Refutation, Scopes, refute_within};

use crate::arithmetic::{Choice, Equalities, LinearRefutation, Wrapping};
use crate::comparisons::{Comparisons, comparisons};
use crate::error::InterpolationError;
use crate::interpolants::{Arrangement, Interpolants, StateTransition, Tree};
use crate::language::{Language, Shapes};
use crate::propositional::{Extent, NoLemmas, System};
use crate::reduction::Reduction;
use crate::repair::repaired;
use crate::scopes::scopes;
use crate::simplify::{Simplifier, conjuncts};
use crate::verify::{Judge, Rejection};
use crate::wp::{preconditions_of, with_constants};

/// The conflicts after which a path is hard enough to try arithmetic before the path is decided. A guess: small enough to
/// be spent for nothing, and more than most short paths need.
const FIRST_CONFLICTS: u32 = 1_000;

/// The conflicts of a query that only makes interpolants smaller: what is harder to see stays.
const SIMPLIFICATION_CONFLICTS: u32 = 200;

/// The conflicts of a query that verifies a candidate while there are other ways to interpolate.
const CANDIDATE_CONFLICTS: u32 = 5_000;

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
    /// The same after known values were propagated forwards; they are part of the interpolants.
    KnownValues,
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
    /// The limits of each query to the bit-precise solver, and of interpolants from its proofs while they are built.
    pub limits: Limits,
    /// How many conjunctions the interpolants of one such proof may have.
    pub conjunctions: usize,
}

impl Default for Configuration {
    /// The strongest system, because it serves all kinds; no language, because not every refinement has an
    /// interpolant in one; 200 queries, more than sequences of ten formulas of ten atoms need; and 200,000 conjunctions,
    /// a guess: more than summaries have that are of use.
    fn default() -> Configuration {
        Configuration {
            system: System::McMillan,
            language: None,
            simplification: 200,
            arithmetic: Budget { conflicts: 2_000, splits: 200, pivots: 20_000 },
            limits: Limits::none(),
            conjunctions: 200_000,
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

/// Where instances of axioms go that no part has all names of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axioms {
    /// To parts between those that have the names. Where that is not enough, cuts are interpolated one by one.
    Live,
    /// To one of two parts, which are given landmarks.
    Landmarks,
}

/// Interpolates problems over one pool. One solver serves all queries: it keeps the clauses of terms,
/// never assertions, so that what it proved for one problem is no premise of the next.
pub struct Chooser<'c, O: Observer> {
    pub(crate) configuration: &'c Configuration,
    observer: &'c mut O,
    solver: BitVecSolver,
}

impl<'c, O: Observer> Chooser<'c, O> {
    /// A chooser with a configuration that reports to an observer.
    pub fn new(configuration: &'c Configuration, observer: &'c mut O) -> Chooser<'c, O> {
        Chooser { configuration, observer, solver: BitVecSolver::new() }
    }

    /// Interpolants of parts that contradict each other.
    pub fn interpolate(&mut self, pool: &mut TermPool, parts: &[Term], goal: &Goal) -> Outcome {
        self.interpolate_with(pool, parts, goal, Axioms::Live)
    }

    pub(crate) fn interpolate_with(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        goal: &Goal,
        axioms: Axioms,
    ) -> Outcome {
        let limits = &self.configuration.limits;
        let conflicts = limits.conflicts().map_or(FIRST_CONFLICTS, |most| most.min(FIRST_CONFLICTS));
        let first = limits.clone().with_conflicts(conflicts);
        match self.needed(pool, parts, &first) {
            Answer::Sat(model) => Outcome::Satisfiable(model),
            Answer::Unsat(needed) => match self.word_level(pool, parts, &needed, goal) {
                Some(formulas) => Outcome::Interpolated(formulas),
                None => self.refuted(pool, parts, &needed, goal, axioms),
            },
            Answer::Unknown(GaveUp::Conflicts) => self.interpolate_hard(pool, parts, goal, axioms),
            Answer::Unknown(reason) => Outcome::Unknown(reason),
        }
    }

    /// Where the whole path is hard for the bit-precise solver, arithmetic may find interpolants all the
    /// same; their conditions are about one part each, and prove that the path is infeasible.
    fn interpolate_hard(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        goal: &Goal,
        axioms: Axioms,
    ) -> Outcome {
        if let Some(formulas) = self.word_level(pool, parts, parts, goal) {
            return Outcome::Interpolated(formulas);
        }
        match self.needed(pool, parts, &self.configuration.limits) {
            Answer::Unsat(needed) => self.refuted(pool, parts, &needed, goal, axioms),
            Answer::Sat(model) => Outcome::Satisfiable(model),
            Answer::Unknown(reason) => Outcome::Unknown(reason),
        }
    }

    fn word_level(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        needed: &[Term],
        goal: &Goal,
    ) -> Option<Vec<Term>> {
        let plain = Reduction::none(needed);
        let found = self.arithmetic(pool, parts, &plain, goal);
        let (formulas, served) = found.or_else(|| self.preconditions(pool, parts, needed, goal))?;
        self.observer.on(served);
        Some(formulas)
    }

    /// The parts with only those conjuncts that a contradiction needs. The others say nothing that an
    /// interpolant needs to know.
    fn needed(&mut self, pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Answer<Model, Vec<Term>> {
        let all: Vec<Vec<Term>> = parts.iter().map(|&part| conjuncts(pool, part)).collect();
        let core = match self.solver.check(pool, &all.concat(), limits) {
            Answer::Unsat(core) => core,
            Answer::Sat(model) => return Answer::Sat(model),
            Answer::Unknown(reason) => return Answer::Unknown(reason),
        };
        let core: HashSet<Term> = core.assumptions().iter().copied().collect();
        let mut needed = Vec::with_capacity(parts.len());
        for mut part in all {
            part.retain(|conjunct| core.contains(conjunct));
            needed.push(pool.and(&part));
        }
        Answer::Unsat(needed)
    }

    /// What comes from a proof about bits. It is made last, because it takes longest.
    fn refuted(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        needed: &[Term],
        goal: &Goal,
        axioms: Axioms,
    ) -> Outcome {
        let limits = &self.configuration.limits;
        let (premises, answer) = match axioms {
            Axioms::Live => {
                let scopes = scopes(pool, parts, goal);
                (needed, refute_within(pool, needed, Scopes::Given(&scopes), limits))
            }
            // What the contradiction does not need may still have common terms for landmarks.
            Axioms::Landmarks => (parts, refute_within(pool, parts, Scopes::Landmarks, limits)),
        };
        match answer {
            Answer::Unsat(refutation) => self.serve(pool, parts, premises, &refutation, goal),
            Answer::Sat(model) => Outcome::Satisfiable(model),
            Answer::Unknown(GaveUp::MixedParts) if axioms == Axioms::Live => self.by_cuts(pool, parts, goal),
            Answer::Unknown(reason) => Outcome::Unknown(reason),
        }
    }

    /// The instances of axioms of a refutation make reads and applications integers that parts share; without
    /// such, arithmetic has been tried. The proof itself always has interpolants.
    fn serve(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        needed: &[Term],
        refutation: &Refutation,
        goal: &Goal,
    ) -> Outcome {
        let limits = &self.configuration.limits;
        let reduction = Reduction::of(pool, needed, refutation, limits);
        if !reduction.is_none()
            && let Some((formulas, served)) = self.arithmetic(pool, parts, &reduction, goal)
        {
            self.observer.on(served);
            return Outcome::Interpolated(formulas);
        }
        let extent = Extent { limits: limits.clone(), conjunctions: self.configuration.conjunctions };
        let formulas = Interpolants::new(refutation.proof(), self.configuration.system, NoLemmas)
            .and_then(|interpolants| ask(&mut interpolants.within(extent), pool, parts.len(), goal));
        let formulas = match formulas {
            Ok(formulas) => reduction.restored(pool, &formulas, limits),
            Err(InterpolationError::Spent(reason)) => return Outcome::Unknown(reason),
            Err(error) => return Outcome::Failed(Failure::Interpolation(error)),
        };
        let Some(formulas) = formulas else { return Outcome::NotExpressible };
        let formulas = self.simplified(pool, parts, &formulas, goal);
        if let Err(rejection) = self.verify(pool, parts, &formulas, goal, &self.configuration.limits) {
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
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        reduction: &Reduction,
        goal: &Goal,
    ) -> Option<(Vec<Term>, Served)> {
        let Configuration { system, limits, arithmetic, .. } = self.configuration;
        for wrapping in [Wrapping::Ignored, Wrapping::Explicit] {
            let found = LinearRefutation::find(pool, reduction.parts(), wrapping, *arithmetic);
            let Some(mut refutation) = found else { continue };
            for choice in Choice::ALL {
                let asked = refutation.interpolate(pool, *system, choice, |interpolants, pool| {
                    ask(interpolants, pool, parts.len(), goal)
                });
                let Ok(integers) = asked else { continue };
                for equalities in [Equalities::Modular, Equalities::Exact] {
                    let rendered = refutation.render(pool, &integers, equalities);
                    let restored = rendered.and_then(|formulas| reduction.restored(pool, &formulas, limits));
                    let Some(formulas) = restored else { continue };
                    let mut accepted = self.accepted(pool, parts, &formulas, goal);
                    if accepted.is_none() && !reduction.is_none() {
                        accepted = self.accepted_in_part(pool, parts, &formulas, goal);
                    }
                    if let Some(accepted) = accepted {
                        return Some((accepted, Served::Arithmetic { wrapping, choice }));
                    }
                }
            }
        }
        None
    }

    /// For sequences only: a tree has no order to go backwards along.
    fn preconditions(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        needed: &[Term],
        goal: &Goal,
    ) -> Option<(Vec<Term>, Served)> {
        if *goal != Goal::Sequence {
            return None;
        }
        let limits = &self.configuration.limits;
        if let Some(formulas) = preconditions_of(pool, &mut self.solver, needed, limits)
            && let Some(accepted) = self.accepted(pool, parts, &formulas, goal)
        {
            return Some((accepted, Served::WeakestPreconditions));
        }
        let (replaced, known) = with_constants(pool, needed);
        let formulas = preconditions_of(pool, &mut self.solver, &replaced, limits)?;
        let formulas: Vec<Term> =
            known.iter().zip(&formulas).map(|(&known, &formula)| pool.and2(known, formula)).collect();
        let accepted = self.accepted(pool, parts, &formulas, goal)?;
        Some((accepted, Served::KnownValues))
    }

    /// For parts whose interpolants by other strategies are not in the language.
    pub(crate) fn by_comparisons(&mut self, pool: &mut TermPool, parts: &[Term], goal: &Goal) -> Outcome {
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

    /// What is left of a sequence that does not verify. It takes a query per conjunct, which is little beside the
    /// refutation that a reduction comes from, and much beside arithmetic over parts as they are.
    fn accepted_in_part(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        formulas: &[Term],
        goal: &Goal,
    ) -> Option<Vec<Term>> {
        if *goal != Goal::Sequence {
            return None;
        }
        let repaired = repaired(pool, &mut self.solver, parts, formulas, &self.configuration.limits)?;
        self.accepted(pool, parts, &repaired, goal)
    }

    /// The formulas, simplified, if they verify and are in the language.
    fn accepted(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        formulas: &[Term],
        goal: &Goal,
    ) -> Option<Vec<Term>> {
        let limits = at_most(&self.configuration.limits, CANDIDATE_CONFLICTS);
        self.verify(pool, parts, formulas, goal, &limits).ok()?;
        let simpler = self.simplified(pool, parts, formulas, goal);
        if simpler != formulas {
            // Simplification keeps the conditions; that it did is proved and not believed.
            self.verify(pool, parts, &simpler, goal, &limits).ok()?;
        }
        self.is_in_language(pool, &simpler).then_some(simpler)
    }

    fn is_in_language(&self, pool: &TermPool, formulas: &[Term]) -> bool {
        let language = self.configuration.language.as_ref();
        language.is_none_or(|language| formulas.iter().all(|&formula| language.admits(pool, formula)))
    }

    fn simplified(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        formulas: &[Term],
        goal: &Goal,
    ) -> Vec<Term> {
        let Configuration { simplification, limits, .. } = self.configuration;
        let limits = at_most(limits, SIMPLIFICATION_CONFLICTS);
        let mut simplifier = Simplifier::with_solver(*simplification, &limits, &mut self.solver);
        match goal {
            Goal::Sequence => simplifier.sequence(pool, parts, formulas),
            Goal::Tree(_) | Goal::StateTransition => {
                formulas.iter().map(|&formula| simplifier.equivalent(pool, formula)).collect()
            }
        }
    }

    pub(crate) fn verify(
        &mut self,
        pool: &mut TermPool,
        parts: &[Term],
        formulas: &[Term],
        goal: &Goal,
        limits: &Limits,
    ) -> Result<(), Rejection> {
        let mut judge = Judge::new(pool, limits, &mut self.solver);
        match goal {
            Goal::Sequence => judge.sequence(parts, formulas),
            Goal::Tree(tree) => judge.tree(tree, parts, formulas),
            Goal::StateTransition => {
                let (states, transitions) = formulas.split_at(parts.len() + 1);
                let both = StateTransition { states: states.to_vec(), transitions: transitions.to_vec() };
                judge.state_transition(parts, &both)
            }
        }
    }
}

/// Limits with no more conflicts than these.
fn at_most(limits: &Limits, conflicts: u32) -> Limits {
    limits.clone().with_conflicts(limits.conflicts().map_or(conflicts, |most| most.min(conflicts)))
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

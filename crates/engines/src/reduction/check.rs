//! `CheckSummary`: whether summaries hold, and whether they are enough.
//!
//! Departures: what calls require is a part of summaries, as violations may be inside of functions. Conjuncts that a check
//! refutes are dropped until the rest holds (the first improvement of the paper's last section). A requirement says
//! which arguments are reached: one that a call from `main` or from another function does not fulfil is dropped, and
//! what the function ensures is only checked for arguments that fulfil those that are left (the second improvement).
//! Each function is checked with its own calls summarised, and not `k` calls deeper: certificates want that.

use rorqual_cfa::{FunctionId, Program};
use rorqual_evidence::{Event, Invariant, Observer, Reason, Stop, Violation};
use rorqual_logic::Term;
use rorqual_solver::{GaveUp, Limits};

use super::analyzer::{Analyzer, Finding};
use super::compute::compute_requirements;
use super::program::{
    Arguments, Asserted, Deepest, Instances, Recursion, Reduced, asserted, reaching, unwound,
};
use super::summary::{Conjunct, Demands, Summaries};

/// Checks the summaries of a program.
pub(super) struct Checker<'a> {
    pub(super) program: &'a Program,
    pub(super) recursion: &'a Recursion,
    pub(super) analyzer: &'a dyn Analyzer,
    pub(super) limits: Limits,
    pub(super) observer: &'a mut dyn Observer,
    /// How deep calls are followed to see which arguments are reached.
    pub(super) k: usize,
    /// How often arguments may still be looked for in `main`.
    pub(super) exclusions: usize,
    /// Why a check had no answer.
    pub(super) obstacle: Option<Reason>,
}

/// Why summaries are enough.
pub(super) struct Checked {
    /// The program with all calls of recursive functions summarised, and its invariant.
    pub(super) main: (Reduced, Invariant),
    /// The same for each recursive function.
    pub(super) functions: Vec<(FunctionId, Reduced, Invariant)>,
}

/// What is checked: the program as a whole, or one function.
#[derive(Clone, Copy)]
enum Subject {
    Main,
    Function(FunctionId),
}

/// What an analyzer says of a subject.
enum Outcome {
    Passed(Box<(Reduced, Invariant)>),
    /// It has an error, for these arguments if it is a function and they are known.
    Failed(Arguments),
}

/// How an attempt to prove everything ends.
enum Attempt {
    Checked(Box<Checked>),
    /// The function that has an error, and its arguments; none for the program as a whole.
    Failed(Option<(FunctionId, Arguments)>),
}

impl Checker<'_> {
    /// Drops conjuncts that do not hold. The rest does.
    fn weaken(&mut self, summaries: &mut Summaries) -> Result<(), Stop> {
        let functions: Vec<FunctionId> = self.recursion.functions().collect();
        let subjects = functions.iter().map(|&function| Subject::Function(function)).chain([Subject::Main]);
        let subjects: Vec<Subject> = subjects.collect();
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for &subject in &subjects {
                is_stable &= self.weaken_requires(subject, summaries)?;
            }
            for &function in &functions {
                is_stable &= self.weaken_ensures(function, summaries)?;
            }
        }
        Ok(())
    }

    /// Drops requirements that calls in a subject do not fulfil. Whether there was none.
    fn weaken_requires(&mut self, subject: Subject, summaries: &mut Summaries) -> Result<bool, Stop> {
        let demands = summaries.demands();
        if demands.values().all(Vec::is_empty) || self.refuted(subject, summaries, &demands, &[])?.is_none() {
            return Ok(true);
        }
        for (function, demanded) in demands {
            for one in demanded {
                let alone = Demands::from([(function, vec![one])]);
                while let Some(arguments) = self.refuted(subject, summaries, &alone, &[])? {
                    if !self.exclude(subject, &arguments, summaries) {
                        summaries.drop(Conjunct::Requires(function, one));
                        break;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Drops what a function does not ensure for arguments that may be reached. Whether there was nothing.
    fn weaken_ensures(&mut self, function: FunctionId, summaries: &mut Summaries) -> Result<bool, Stop> {
        let (subject, nothing) = (Subject::Function(function), Demands::new());
        let claims = summaries.of(function).ensures;
        if claims.is_empty() || self.refuted(subject, summaries, &nothing, &claims)?.is_none() {
            return Ok(true);
        }
        for claim in claims {
            while let Some(arguments) = self.refuted(subject, summaries, &nothing, &[claim])? {
                if !self.exclude(subject, &arguments, summaries) {
                    summaries.drop(Conjunct::Ensures(function, claim));
                    break;
                }
            }
        }
        Ok(false)
    }

    /// Arguments for which calls do not fulfil demands, or a function does not ensure claims, if there are such.
    fn refuted(
        &mut self,
        subject: Subject,
        summaries: &Summaries,
        demands: &Demands,
        claims: &[Term],
    ) -> Result<Option<Arguments>, Stop> {
        let instances = Instances { summaries, demands, own_errors: false };
        Ok(match self.pass(subject, instances, claims)? {
            Outcome::Passed(..) => None,
            Outcome::Failed(arguments) => Some(arguments),
        })
    }

    /// The second improvement: arguments that are not reached from `main` refute nothing. Why they are not is what the
    /// function may require. Whether there is something new to require.
    fn exclude(&mut self, subject: Subject, arguments: &Arguments, summaries: &mut Summaries) -> bool {
        let Subject::Function(function) = subject else { return false };
        if self.exclusions == 0 || arguments.iter().all(Option::is_none) {
            return false;
        }
        self.exclusions -= 1;
        let reduced = reaching(self.program, self.recursion, self.k, (function, arguments));
        let Ok(Finding::Pass(invariant)) = self.analyze(&reduced) else { return false };
        let before = summaries.len();
        compute_requirements(self.program, self.recursion, &reduced, &invariant, summaries);
        summaries.len() > before
    }

    /// Whether summaries that hold exclude all errors.
    pub(super) fn check_summary(&mut self, summaries: &mut Summaries) -> Result<Option<Checked>, Stop> {
        loop {
            self.weaken(summaries)?;
            let failed = match self.attempt(summaries)? {
                Attempt::Checked(checked) => return Ok(Some(*checked)),
                Attempt::Failed(failed) => failed,
            };
            if let Some((function, arguments)) = &failed
                && self.exclude(Subject::Function(*function), arguments, summaries)
            {
                continue;
            }
            let span = failed.map(|(function, _)| self.program.functions[function].span);
            self.observer.on(Event::CheckFailed { span });
            return Ok(None);
        }
    }

    fn attempt(&mut self, summaries: &Summaries) -> Result<Attempt, Stop> {
        let demands = summaries.demands();
        let instances = Instances { summaries, demands: &demands, own_errors: true };
        let main = match self.pass(Subject::Main, instances, &[])? {
            Outcome::Passed(passed) => *passed,
            Outcome::Failed(_) => return Ok(Attempt::Failed(None)),
        };
        let mut functions = Vec::new();
        for function in self.recursion.functions() {
            let claims = summaries.of(function).ensures;
            match self.pass(Subject::Function(function), instances, &claims)? {
                Outcome::Passed(passed) => functions.push((function, passed.0, passed.1)),
                Outcome::Failed(arguments) => return Ok(Attempt::Failed(Some((function, arguments)))),
            }
        }
        Ok(Attempt::Checked(Box::new(Checked { main, functions })))
    }

    /// Asks the analyzer whether a program with summaries has no error.
    fn pass(&mut self, subject: Subject, instances: Instances<'_>, claims: &[Term]) -> Result<Outcome, Stop> {
        let reduced = match subject {
            Subject::Main => unwound(self.program, self.recursion, 0, Deepest::Summarised(instances)),
            Subject::Function(function) => {
                asserted(self.program, self.recursion, Asserted { function, instances, claims })
            }
        };
        Ok(match (self.analyze(&reduced)?, subject) {
            (Finding::Pass(invariant), _) => Outcome::Passed(Box::new((reduced, invariant))),
            (Finding::Error(Violation::Trace(trace)), Subject::Function(function)) => {
                Outcome::Failed(reduced.arguments(self.program, function, &trace))
            }
            (Finding::Error(_) | Finding::Unknown(_), _) => Outcome::Failed(Arguments::new()),
        })
    }

    fn analyze(&mut self, reduced: &Reduced) -> Result<Finding, Stop> {
        Stop::check(&self.limits)?;
        let finding = self.analyzer.analyze(reduced, &self.limits, self.observer);
        match &finding {
            Finding::Unknown(Reason::Limit(reason @ (GaveUp::Time | GaveUp::Cancelled))) => {
                return Err(Stop::Limit(reason.clone()));
            }
            Finding::Unknown(reason) => {
                self.obstacle.get_or_insert_with(|| reason.clone());
            }
            Finding::Pass(_) | Finding::Error(_) => {}
        }
        Ok(finding)
    }
}

//! Several checks of one program: all of them at once as long as that gives an answer, then each on its own.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use rorqual_cfa::{Check, Program, ReachTest, add_reach_test, lists_as_variables, reach_tests};
use rorqual_engines::Task;
use rorqual_evidence::{Assumption, Origin, Reason, Technique};
use rorqual_frontend::{Failure, Host};
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;
use rorqual_strategy::{Judged, Run, Strategy};

use crate::audience::Audience;
use crate::clock::{Share, Timer};
use crate::confirm::{Confirmation, Confirmed, Settling};
use crate::outcome::{Conclusion, Outcome, Reached, Round, Unknown};
use crate::project::{Project, with_checks};

/// To find out which assertions are reached, after all is proved.
const NOTES: Share = Share { of_spent: 0.1, least: Duration::from_millis(100) };

/// How a project is checked.
#[derive(Debug, Clone)]
pub struct Checker {
    /// How violations and proofs are searched.
    pub strategy: Strategy,
    /// When to stop.
    pub limits: Limits,
    /// The CPU time that there is for everything, if it is limited: what is done beside the search is cut to fit in. It is
    /// the caller who ends the check, through [`Checker::limits`].
    pub time_limit: Option<Duration>,
    /// How many threads races of the strategy may use.
    pub threads: usize,
}

impl Default for Checker {
    /// The strategy `auto` on one thread, without limits.
    fn default() -> Checker {
        Checker { strategy: rorqual_strategy::auto(), limits: Limits::none(), time_limit: None, threads: 1 }
    }
}

impl Checker {
    /// Checks a project. Files are read through the host; the audience learns what happens.
    pub fn check(
        &self,
        project: &Project,
        host: &dyn Host,
        audience: &mut dyn Audience,
    ) -> Result<Outcome, Failure> {
        let bases = Bases::of(project, host, audience)?;
        let open: Vec<Check> =
            project.checks.iter().copied().filter(|&check| check != Check::UnreachableCode).collect();
        let rounds = self.rounds(project, &bases, open, audience);
        let wants_reached = project.checks.contains(&Check::UnreachableCode);
        let reached = if wants_reached { self.reached(&bases.full, audience) } else { Vec::new() };
        let is_safe = rounds.iter().all(|one| matches!(one.round.conclusion, Conclusion::Safe(_)));
        let wants_notes = is_safe && !wants_reached && project.checks.contains(&Check::Assertions);
        let unreached = if wants_notes { self.unreached(project, &bases.full, audience) } else { Vec::new() };
        let assumptions = assumptions(project, &bases, &rounds);
        let rounds = rounds.into_iter().map(|answered| answered.round).collect();
        Ok(Outcome { rounds, reached, unreached, assumptions })
    }

    /// What the strategy tries for a project, and why, as lines for people.
    pub fn plan(
        &self,
        project: &Project,
        host: &dyn Host,
        audience: &mut dyn Audience,
    ) -> Result<Vec<String>, Failure> {
        let bases = Bases::of(project, host, audience)?;
        let subject = Subject::new(&bases.full, &project.checks);
        let plain = bases.plain.as_ref().map(|plain| Subject::new(plain, &project.checks));
        let mut task = subject.task();
        task.without_models = plain.as_ref().map(|plain| Box::new(plain.task()));
        let mut lines = Vec::new();
        self.strategy.describe(&task, 0, &mut lines);
        Ok(lines)
    }

    /// Answers for all open checks. With all of them in one program, a proof holds for each, and a violation answers for
    /// one, which is then left out.
    fn rounds(
        &self,
        project: &Project,
        bases: &Bases,
        mut open: Vec<Check>,
        audience: &mut dyn Audience,
    ) -> Vec<Answered> {
        let mut rounds = Vec::new();
        let mut reported: Vec<Span> = Vec::new();
        let mut is_tested = false;
        while !open.is_empty() {
            let mut answered = self.round(project, bases, (&open, &reported), is_tested, audience);
            match &answered.round.conclusion {
                Conclusion::Unsafe(refutation) => {
                    let failed = refutation.check();
                    reported.push(refutation.span());
                    // Test runs that found nothing find nothing with fewer checks either.
                    is_tested |= answered.round.origin.technique != Technique::TestRun;
                    open.retain(|&check| check != failed);
                    answered.round.checks = vec![failed];
                    audience.refuted(&answered.round);
                    rounds.push(answered);
                }
                Conclusion::Unknown(unknown) if open.len() > 1 && !is_limit(unknown) => {
                    for check in open {
                        let answered = self.round(project, bases, (&[check], &reported), true, audience);
                        if let Conclusion::Unsafe(refutation) = &answered.round.conclusion {
                            reported.push(refutation.span());
                            audience.refuted(&answered.round);
                        }
                        rounds.push(answered);
                    }
                    break;
                }
                Conclusion::Safe(_) | Conclusion::Unknown(_) => {
                    rounds.push(answered);
                    break;
                }
            }
        }
        rounds
    }

    fn round(
        &self,
        project: &Project,
        bases: &Bases,
        (checks, reported): (&[Check], &[Span]),
        is_tested: bool,
        audience: &mut dyn Audience,
    ) -> Answered {
        let subject = Subject::new(&bases.full, checks);
        let plain = bases.plain.as_ref().map(|plain| Subject::new(plain, checks));
        let settling = Settling {
            strategy: &self.strategy,
            behaviour: project.behaviour,
            reported,
            time_limit: self.time_limit,
        };
        let confirmed = self.confirmed(&subject, plain.as_ref(), Some(settling), is_tested, audience);
        let Confirmed { conclusion, origin, is_without_models } = confirmed;
        let about = if is_without_models { plain.unwrap_or(subject) } else { subject };
        let program = match &conclusion {
            Conclusion::Safe(_) => about.searched.unwrap_or(about.program),
            Conclusion::Unsafe(_) | Conclusion::Unknown(_) => about.program,
        };
        let round = Round { program, checks: checks.to_vec(), conclusion, origin };
        Answered { round, is_without_models }
    }

    /// Runs the strategy, and checks the evidence of what it finds.
    fn confirmed(
        &self,
        subject: &Subject,
        plain: Option<&Subject>,
        settling: Option<Settling<'_>>,
        is_tested: bool,
        audience: &mut dyn Audience,
    ) -> Confirmed {
        let mut task = subject.task();
        task.without_models = plain.map(|plain| Box::new(plain.task()));
        let judge = Confirmation { settling, searched: subject.searched() };
        let observer = audience.observer();
        let (limits, threads) = (&self.limits, self.threads);
        let mut run = Run { judge: &judge, limits, observer, threads, is_tested, only_proofs: false };
        match self.strategy.run(&mut run, &task) {
            Some(Judged::Accepted(confirmed) | Judged::Open(confirmed)) => confirmed,
            None => Confirmed {
                conclusion: Conclusion::Unknown(Unknown::Undecided(Reason::OutOfIdeas)),
                origin: Origin::from(Technique::TestRun),
                is_without_models: false,
            },
        }
    }

    /// Whether each assertion is reached.
    fn reached(&self, base: &Program, audience: &mut dyn Audience) -> Vec<Reached> {
        reach_tests(base).iter().map(|test| self.is_reached(base, test, audience)).collect()
    }

    /// The assertions that no execution reaches, as far as that is found out in little time. Bodies of error functions are
    /// left out: that no execution comes there is what the proof says.
    fn unreached(&self, project: &Project, base: &Program, audience: &mut dyn Audience) -> Vec<Span> {
        let Some(time) = NOTES.time(self.time_limit) else { return Vec::new() };
        let timer = Timer::start(time, &self.limits);
        let timed = Checker { limits: timer.limits(), ..self.clone() };
        let error_functions = &project.options.error_functions;
        let bodies = base.functions.values().filter(|function| error_functions.contains(&function.name));
        let edges = bodies.flat_map(|function| function.body.iter()).flat_map(|body| body.edges().values());
        let inside: HashSet<Span> = edges.map(|edge| edge.span).collect();
        let mut unreached = Vec::new();
        for test in reach_tests(base).iter().filter(|test| !inside.contains(&test.span)) {
            if timed.limits.spent().is_some() {
                break;
            }
            if timed.is_reached(base, test, audience).answer == Some(false) {
                unreached.push(test.span);
            }
        }
        unreached
    }

    fn is_reached(&self, base: &Program, test: &ReachTest, audience: &mut dyn Audience) -> Reached {
        let subject = Subject::of(add_reach_test(base.clone(), test));
        // A proof that it is not reached is no verdict about the program, but it must be right all the same.
        let answer = match self.confirmed(&subject, None, None, false, audience).conclusion {
            Conclusion::Safe(proof) if proof.assumptions.is_empty() => Some(false),
            Conclusion::Unsafe(_) => Some(true),
            Conclusion::Safe(_) | Conclusion::Unknown(_) => None,
        };
        Reached { span: test.span, answer }
    }
}

/// A program before checks are added, with the models of library functions and without.
struct Bases {
    full: Program,
    plain: Option<Program>,
}

impl Bases {
    fn of(project: &Project, host: &dyn Host, audience: &mut dyn Audience) -> Result<Bases, Failure> {
        let full =
            project.lower_unchecked(host, &mut |sources, warnings| audience.warned(sources, warnings))?;
        let plain = has_models(&full).then(|| project.without_models().lower_unchecked(host, &mut |_, _| {}));
        Ok(Bases { full, plain: plain.transpose()? })
    }
}

/// A program with checks, as it runs and as it is searched.
struct Subject {
    program: Program,
    /// If it differs.
    searched: Option<Program>,
}

impl Subject {
    fn new(base: &Program, checks: &[Check]) -> Subject {
        Subject::of(with_checks(base.clone(), checks))
    }

    fn of(program: Program) -> Subject {
        let searched = lists_as_variables(&program);
        Subject { program, searched }
    }

    fn searched(&self) -> &Program {
        self.searched.as_ref().unwrap_or(&self.program)
    }

    fn task(&self) -> Task<'_> {
        Task::searching(&self.program, self.searched())
    }
}

/// A round, and which program it is about.
struct Answered {
    round: Round,
    is_without_models: bool,
}

/// What every verdict rests on: what is assumed of each program that an answer is about.
fn assumptions(project: &Project, bases: &Bases, rounds: &[Answered]) -> Vec<Assumption> {
    let mut all = BTreeSet::new();
    for round in rounds {
        let plain = bases.plain.as_ref().filter(|_| round.is_without_models);
        all.extend(project.assumptions(plain.unwrap_or(&bases.full)));
    }
    all.into_iter().collect()
}

/// Whether library functions are linked to a program.
fn has_models(base: &Program) -> bool {
    let mut functions = base.functions.values();
    functions.any(|function| function.body.is_some() && base.sources.is_in_library(function.span))
}

fn is_limit(unknown: &Unknown) -> bool {
    matches!(unknown, Unknown::Undecided(Reason::Limit(GaveUp::Time | GaveUp::Cancelled)))
}

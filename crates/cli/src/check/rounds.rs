//! Several checks of one program: all of them at once as long as that gives an answer, then each on its own.

use std::collections::HashSet;
use std::time::Duration;

use rorqual_cfa::{Check, ErrorKind, Hazard, Program, ReachTest, add_reach_test, reach_tests};
use rorqual_engine::{Assumption, Reason, Trace, Verdict};
use rorqual_engines::{testing, whale};
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;
use rorqual_witness::{Replay, replay_inputs};

use super::arguments::Engine;
use super::progress::Progress;
use super::settle::Settled;
use super::timer::Timer;
use super::verdict::{Answer, violation};
use super::watch::{Watch, cpu_time};
use super::{confirm, engines, replay};
use crate::programs::{searched, with_checks};

/// The files of linked library functions start with this.
const MODELS: &str = "<library>";

/// To find out which assertions are reached may take so much of the time that the answer took, and at least so long.
const NOTE_SHARE: f64 = 0.1;
const NOTE_LEAST: Duration = Duration::from_millis(100);
/// The same for the search behind undefined behaviour.
const BEYOND_SHARE: f64 = 0.2;
const BEYOND_LEAST: Duration = Duration::from_millis(500);
/// Of what is left until the time limit, so much is kept for the answer.
const KEPT: f64 = 0.5;

/// An answer, and what it is about.
pub(crate) struct Round {
    /// The program with its checks.
    pub(crate) program: Program,
    /// The checks that are answered.
    pub(crate) checks: Vec<Check>,
    pub(crate) answer: Answer,
    pub(crate) found_by: FoundBy,
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// An engine's search.
    Search,
    /// A run with made-up inputs.
    TestRun,
}

/// Whether an assertion is ever reached.
pub(crate) struct Reached {
    /// The assertion.
    pub(crate) span: Span,
    /// None if that is not known.
    pub(crate) answer: Option<bool>,
}

/// When proofs that leave out what is in memory are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outlines {
    /// At the start of each search.
    EachSearch,
    /// They were, without library functions: with them there is more to say about memory.
    Before,
}

/// What it means for a proof that an operation is undefined which it rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undefined {
    /// It proves nothing.
    Matters,
    /// The rule of the competition that task definitions come from: executions with undefined behaviour do not count, so
    /// the verdict only has to name what it rests on.
    DoesNotCount,
}

/// What is needed to search.
pub(crate) struct Search<'a> {
    pub(crate) engine: Engine,
    pub(crate) summaries: whale::Config,
    pub(crate) limits: &'a Limits,
    /// The CPU time that there is for everything.
    pub(crate) time_limit: Option<Duration>,
    pub(crate) undefined: Undefined,
    pub(crate) outlines: Outlines,
    pub(crate) watch: &'a Watch,
}

impl Search<'_> {
    /// The violations that test runs find. Each answers for one of the open checks, which is then open no longer.
    pub(crate) fn test_runs(
        &self,
        base: &Program,
        open: &mut Vec<Check>,
        progress: &mut Progress,
    ) -> Vec<Round> {
        let mut rounds = Vec::new();
        while self.engine.starts_with_test_runs() && !open.is_empty() {
            let program = with_checks(base.clone(), open);
            let Some(inputs) = testing::search(&program, self.limits, progress) else { break };
            let replay = replay_inputs(&program, inputs, &self.watch.interpreter());
            // Time may be over before the violation is reached again.
            if replay.violation().is_none() {
                break;
            }
            let failed = violated(&replay);
            open.retain(|&check| check != failed);
            self.watch.know_violation(&violation(&program, &replay));
            let answer = Answer::Unsafe(Box::new(replay));
            rounds.push(Round { program, checks: vec![failed], answer, found_by: FoundBy::TestRun });
        }
        rounds
    }

    /// Answers for all open checks. With all of them in one program, a proof holds for each, and a violation answers for
    /// one, which is then left out.
    pub(crate) fn rounds(&self, base: &Program, mut open: Vec<Check>, progress: &mut Progress) -> Vec<Round> {
        let mut rounds = Vec::new();
        while !open.is_empty() {
            let round = self.round(base, open.clone(), progress);
            match &round.answer {
                Answer::Unsafe(replay) => {
                    let failed = violated(replay);
                    open.retain(|&check| check != failed);
                    rounds.push(Round { checks: vec![failed], ..round });
                }
                Answer::Safe { .. } => {
                    rounds.push(round);
                    break;
                }
                answer if open.len() == 1 || is_limit(answer) => {
                    rounds.push(round);
                    break;
                }
                _ => {
                    rounds.extend(open.iter().map(|&check| self.round(base, vec![check], progress)));
                    break;
                }
            }
        }
        rounds
    }

    /// The time that something beside the answer may take: a share of what was spent so far, but at least `least`, unless
    /// the time limit is too near. None if there is no time.
    pub(crate) fn time_for(&self, share: f64, least: Duration) -> Option<Duration> {
        let spent = cpu_time();
        let wanted = spent.mul_f64(share).max(least);
        let Some(limit) = self.time_limit else { return Some(wanted) };
        let left = limit.checked_sub(spent)?.mul_f64(1.0 - KEPT);
        Some(wanted.min(left))
    }

    /// Whether library functions are linked to a program.
    pub(crate) fn has_models(base: &Program) -> bool {
        base.functions.values().any(|function| {
            let file = function.span.file().map(|file| base.sources.file(file).name());
            function.body.is_some() && file.is_some_and(|name| name.starts_with(MODELS))
        })
    }

    /// Whether some check is not decided although there is time left.
    pub(crate) fn is_worth_a_second_try(rounds: &[Round]) -> bool {
        let is_open = |round: &Round| !matches!(round.answer, Answer::Safe { .. } | Answer::Unsafe(_));
        let is_limited = |round: &Round| is_limit(&round.answer);
        rounds.iter().any(is_open) && !rounds.iter().any(is_limited)
    }

    /// A proof for all open checks that leaves out what is in memory.
    pub(crate) fn outline(&self, base: &Program, open: &[Check], progress: &mut Progress) -> Option<Round> {
        if open.is_empty() {
            return None;
        }
        let program = with_checks(base.clone(), open);
        let searched = searched(&program);
        let proof = engines::outline(&searched, self.engine, self.limits, progress)?;
        let answer = self.answer(&program, &searched, proof, progress);
        let is_proof = matches!(answer, Answer::Safe { .. });
        let program = searched.into_owned();
        is_proof.then(|| Round { program, checks: open.to_vec(), answer, found_by: FoundBy::Search })
    }

    fn round(&self, base: &Program, checks: Vec<Check>, progress: &mut Progress) -> Round {
        let round = self.searched_round(base, checks, progress);
        if let Answer::Unsafe(replay) = &round.answer {
            self.watch.know_violation(&violation(&round.program, replay));
        }
        round
    }

    fn searched_round(&self, base: &Program, checks: Vec<Check>, progress: &mut Progress) -> Round {
        let program = with_checks(base.clone(), &checks);
        let searched = searched(&program);
        let outline = (self.outlines == Outlines::EachSearch)
            .then(|| engines::outline(&searched, self.engine, self.limits, progress))
            .flatten();
        let verdict = outline
            .unwrap_or_else(|| engines::run(&searched, self.engine, self.summaries, self.limits, progress));
        let answer = self.answer(&program, &searched, verdict, progress);
        let program = searched.into_owned();
        Round { program, checks, answer, found_by: FoundBy::Search }
    }

    /// What a verdict is worth: it is confirmed, and so are the operations that a proof rests on.
    fn answer(
        &self,
        program: &Program,
        searched: &Program,
        verdict: Verdict,
        progress: &mut Progress,
    ) -> Answer {
        let mut answer = confirm(program, searched, verdict, self.limits, self.watch);
        if let Answer::Safe { assumptions, guard, .. } = &mut answer
            && let rests_on = operations(assumptions)
            && !rests_on.is_empty()
        {
            match self.settle(program, searched, &rests_on, progress) {
                Settled::Proved(proof) => (*assumptions, *guard) = (Vec::new(), Some(proof)),
                Settled::Undefined(undefined) if self.undefined == Undefined::Matters => answer = *undefined,
                Settled::Undefined(_) | Settled::Open => {
                    if let Some(trace) = self.beyond_undefined(searched, progress)
                        && let undefined @ Answer::UndefinedBefore { .. } = replay(program, trace, self.watch)
                    {
                        answer = undefined;
                    }
                }
            }
        }
        answer
    }

    /// A violation among executions that go on behind undefined behaviour, as far as one is found in little time.
    fn beyond_undefined(&self, searched: &Program, progress: &mut Progress) -> Option<Trace> {
        let time = self.time_for(BEYOND_SHARE, BEYOND_LEAST)?;
        let timer = Timer::start(time, self.watch);
        engines::search_beyond_undefined(searched, &timer.limits(), progress)
    }

    /// Whether each assertion is reached.
    pub(crate) fn reached(&self, base: &Program, progress: &mut Progress) -> Vec<Reached> {
        let tests = reach_tests(base);
        tests.iter().map(|test| self.is_reached(base, test, progress)).collect()
    }

    /// The assertions that no execution reaches, as far as that is found out in little time. Bodies of error functions are
    /// left out: that no execution comes there is what the proof says.
    pub(crate) fn unreached(
        &self,
        base: &Program,
        error_functions: &[String],
        progress: &mut Progress,
    ) -> Vec<Span> {
        let Some(time) = self.time_for(NOTE_SHARE, NOTE_LEAST) else { return Vec::new() };
        let timer = Timer::start(time, self.watch);
        let timed = Search { limits: &timer.limits(), ..*self };
        let bodies = base.functions.values().filter(|function| error_functions.contains(&function.name));
        let edges = bodies.flat_map(|function| function.body.iter()).flat_map(|body| body.edges().values());
        let inside: HashSet<Span> = edges.map(|edge| edge.span).collect();
        let mut unreached = Vec::new();
        for test in reach_tests(base).iter().filter(|test| !inside.contains(&test.span)) {
            if timed.limits.spent().is_some() {
                break;
            }
            if timed.is_reached(base, test, progress).answer == Some(false) {
                unreached.push(test.span);
            }
        }
        unreached
    }

    fn is_reached(&self, base: &Program, test: &ReachTest, progress: &mut Progress) -> Reached {
        let program = add_reach_test(base.clone(), test);
        if self.engine.starts_with_test_runs()
            && let Some(inputs) = testing::search(&program, self.limits, progress)
            && replay_inputs(&program, inputs, &self.watch.interpreter()).violation().is_some()
        {
            return Reached { span: test.span, answer: Some(true) };
        }
        let searched = searched(&program);
        let verdict = match engines::run(&searched, self.engine, self.summaries, self.limits, progress) {
            // A proof that it is not reached is no verdict about the program, but it must be right all the same.
            verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_)) => verdict,
            Verdict::Unknown(_) => return Reached { span: test.span, answer: None },
        };
        let answer = match confirm(&program, &searched, verdict, self.limits, self.watch) {
            Answer::Safe { assumptions, .. } if assumptions.is_empty() => Some(false),
            Answer::Unsafe(_) => Some(true),
            _ => None,
        };
        Reached { span: test.span, answer }
    }
}

/// The check that a replayed violation answers.
pub(crate) fn violated(replay: &Replay) -> Check {
    match replay.violation() {
        Some((ErrorKind::Check { check, .. }, _)) => *check,
        _ => Check::Assertions,
    }
}

/// The operations that a proof assumes to be defined.
fn operations(assumptions: &[Assumption]) -> Vec<Hazard> {
    let operation = |assumption: &Assumption| match assumption {
        Assumption::Defined { hazard, .. } => Some(*hazard),
        _ => None,
    };
    assumptions.iter().filter_map(operation).collect()
}

fn is_limit(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Limit(GaveUp::Time | GaveUp::Cancelled)))
}

//! Several checks of one program: all of them at once as long as that gives an answer, then each on its own.

use rorqual_cfa::{Check, ErrorKind, Program, ReachTest, add_reach_test, reach_tests};
use rorqual_engine::{Reason, Verdict};
use rorqual_engines::{testing, whale};
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;
use rorqual_witness::{Replay, replay_inputs};

use super::arguments::Engine;
use super::progress::Progress;
use super::verdict::Answer;
use super::watch::Watch;
use super::{confirm, engines, replay};
use crate::programs::{searched, with_checks};

/// The files of linked library functions start with this.
const MODELS: &str = "<library>";

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

/// What is needed to search.
pub(crate) struct Search<'a> {
    pub(crate) engine: Engine,
    pub(crate) summaries: whale::Config,
    pub(crate) limits: &'a Limits,
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

    /// Whether some check is not decided although there is time left, in a program with linked library functions.
    pub(crate) fn is_worth_a_second_try(base: &Program, rounds: &[Round]) -> bool {
        let has_models = base.functions.values().any(|function| {
            let file = function.span.file().map(|file| base.sources.file(file).name());
            function.body.is_some() && file.is_some_and(|name| name.starts_with(MODELS))
        });
        let is_open = |round: &Round| !matches!(round.answer, Answer::Safe { .. } | Answer::Unsafe(_));
        let is_limited = |round: &Round| is_limit(&round.answer);
        has_models && rounds.iter().any(is_open) && !rounds.iter().any(is_limited)
    }

    fn round(&self, base: &Program, checks: Vec<Check>, progress: &mut Progress) -> Round {
        let program = with_checks(base.clone(), &checks);
        let searched = searched(&program);
        let verdict = engines::run(&searched, self.engine, self.summaries, self.limits, progress);
        let mut answer = confirm(&program, &searched, verdict, self.limits, self.watch);
        if let Answer::Safe { .. } = answer
            && let Some(trace) = engines::search_beyond_undefined(&searched, self.limits, progress)
            && let undefined @ Answer::UndefinedBefore { .. } = replay(&program, trace, self.watch)
        {
            // The proof holds for executions without undefined behaviour only, and there are others with a violation.
            answer = undefined;
        }
        let program = searched.into_owned();
        Round { program, checks, answer, found_by: FoundBy::Search }
    }

    /// Whether each assertion is reached.
    pub(crate) fn reached(&self, base: &Program, progress: &mut Progress) -> Vec<Reached> {
        let tests = reach_tests(base);
        tests.iter().map(|test| self.is_reached(base, test, progress)).collect()
    }

    fn is_reached(&self, base: &Program, test: &ReachTest, progress: &mut Progress) -> Reached {
        let program = add_reach_test(base.clone(), test);
        if self.engine == Engine::Auto
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
            Answer::Safe { .. } => Some(false),
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

fn is_limit(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Limit(GaveUp::Time | GaveUp::Cancelled)))
}

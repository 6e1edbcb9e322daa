//! A SAT solver whose refutations are checked step by step. What it answers can be kept, and whoever asks the same questions again
//! takes the answers from there: a refutation counts once its steps are checked for the clauses at hand, and a model is a
//! candidate like any other. The solver starts when the first answer is missing or wrong.

use std::cell::RefCell;
use std::rc::Rc;

use crate::answer::GaveUp;
use crate::proof::{Kept, Literal, Number, OnlineChecker, Transcript};
use crate::sat::cadical::{Budget, Cadical};

/// A SAT solver with a checker, and the transcript that it reads or writes.
pub(crate) struct Checked {
    mode: Mode,
    /// Checks the steps of the transcript or of the solver.
    checker: Rc<RefCell<OnlineChecker>>,
}

enum Mode {
    Reading(Reading),
    Live(Box<Cadical>),
}

/// Where a transcript is read.
struct Reading {
    answers: std::vec::IntoIter<Kept>,
    /// The clauses so far, each ended by a zero.
    clauses: Vec<Literal>,
    /// Where the last clause starts that is not finished yet.
    start: usize,
    given: usize,
    steps: usize,
    /// The last model.
    bits: std::vec::IntoIter<bool>,
}

impl Checked {
    /// Reads a transcript as far as it goes, or else keeps what is answered if that is wanted.
    pub(crate) fn new(transcript: Option<Transcript>, keeps: bool) -> Checked {
        let Some(Transcript { answers }) = transcript else { return Checked::live(keeps) };
        let reading = Reading {
            answers: answers.into_iter(),
            clauses: Vec::new(),
            start: 0,
            given: 0,
            steps: 0,
            bits: Vec::new().into_iter(),
        };
        Checked { mode: Mode::Reading(reading), checker: Rc::default() }
    }

    fn live(keeps: bool) -> Checked {
        let checker = if keeps { OnlineChecker::keeping() } else { OnlineChecker::default() };
        let checker = Rc::new(RefCell::new(checker));
        let sat = Cadical::with_tracer(checker.clone());
        Checked { mode: Mode::Live(Box::new(sat)), checker }
    }

    /// The answers so far, if they are kept. Those that were read are kept already.
    pub(crate) fn transcript(&self) -> Option<Transcript> {
        self.checker.borrow_mut().writer()?.finish()
    }

    /// The last model is of no use to anyone.
    pub(crate) fn forget_model(&mut self) {
        if let Some(writer) = self.checker.borrow_mut().writer() {
            writer.forget_model();
        }
    }

    /// Adds clauses, each ended by a zero.
    pub(crate) fn add(&mut self, clauses: &[Literal]) {
        match &mut self.mode {
            Mode::Live(sat) => sat.add(clauses),
            Mode::Reading(reading) => reading.add(clauses, &mut self.checker.borrow_mut()),
        }
    }

    /// Whether the clauses are satisfiable under assumptions.
    pub(crate) fn solve(&mut self, assumptions: &[Literal], budget: &mut Budget<'_>) -> Result<bool, GaveUp> {
        if let Mode::Reading(reading) = &mut self.mode {
            if let Some(answer) = reading.answer(assumptions, &mut self.checker.borrow_mut()) {
                return answer;
            }
            // The clauses are the same, but nothing else of what was read counts any more.
            let mut live = Checked::live(false);
            live.add(&reading.clauses);
            *self = live;
        }
        let Mode::Live(sat) = &mut self.mode else { unreachable!("nothing is read any more") };
        let answer = sat.solve(assumptions, budget);
        if answer == Ok(false) {
            sat.conclude();
        }
        let mut checker = self.checker.borrow_mut();
        let concluded = checker.concluded().to_vec();
        if let Some(writer) = checker.writer() {
            match &answer {
                Ok(false) => writer.refuted(&concluded),
                Ok(true) => writer.answered(Kept::Model(Vec::new())),
                Err(GaveUp::Conflicts) => writer.answered(Kept::Open),
                // How far one comes in some time differs from run to run.
                Err(_) => writer.spoil(),
            }
        }
        if answer == Ok(false) {
            checker.refutes(assumptions).map_err(|flaw| GaveUp::Unsupported(flaw.to_owned()))?;
        }
        answer
    }

    /// Whether a literal holds in the last model.
    pub(crate) fn holds(&mut self, literal: Literal) -> bool {
        match &mut self.mode {
            Mode::Reading(reading) => reading.bits.next().unwrap_or(false),
            Mode::Live(sat) => {
                let holds = sat.holds(literal);
                if let Some(writer) = self.checker.borrow_mut().writer() {
                    writer.asked(holds);
                }
                holds
            }
        }
    }

    /// Whether the last refutation uses an assumption.
    pub(crate) fn is_failed(&mut self, assumption: Literal) -> bool {
        match &mut self.mode {
            Mode::Live(sat) => sat.is_failed(assumption),
            Mode::Reading(_) => {
                let checker = self.checker.borrow();
                let mut clauses = checker.concluded().iter().filter_map(|&id| checker.clause(id));
                clauses.any(|clause| clause.contains(&-assumption))
            }
        }
    }
}

impl Reading {
    fn add(&mut self, clauses: &[Literal], checker: &mut OnlineChecker) {
        for &literal in clauses {
            self.clauses.push(literal);
            if literal == 0 {
                let clause = &self.clauses[self.start..self.clauses.len() - 1];
                checker.give(i64::from(Number::given(self.given).0), clause);
                self.given += 1;
                self.start = self.clauses.len();
            }
        }
    }

    /// The next answer; none if there is none, or if it is wrong.
    fn answer(
        &mut self,
        assumptions: &[Literal],
        checker: &mut OnlineChecker,
    ) -> Option<Result<bool, GaveUp>> {
        match self.answers.next()? {
            Kept::Open => Some(Err(GaveUp::Conflicts)),
            Kept::Model(bits) => {
                self.bits = bits.into_iter();
                Some(Ok(true))
            }
            Kept::Refuted { steps, concluded } => {
                for step in steps {
                    let antecedents: Vec<i64> =
                        step.antecedents.iter().map(|number| i64::from(number.0)).collect();
                    checker.derive(i64::from(Number::step(self.steps).0), &step.literals, &antecedents);
                    self.steps += 1;
                }
                checker.conclude(concluded.into_iter().map(|number| i64::from(number.0)).collect());
                checker.refutes(assumptions).is_ok().then_some(Ok(false))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::proof::transcript::Step;

    /// Clauses that contradict each other only if both assumptions hold; where that is not seen by propagation.
    const CLAUSES: [i32; 24] =
        [1, 2, 3, 0, 1, -2, 3, 0, -1, 2, 3, 0, -1, -2, 3, 0, 1, 2, -4, 0, -3, -5, 6, 0];

    /// Three answers: there is a model, there is none, there is one with fewer assumptions.
    fn answers(sat: &mut Checked) -> Vec<Result<bool, GaveUp>> {
        sat.add(&CLAUSES);
        let limits = Limits::none();
        let mut solve = |assumptions: &[i32]| sat.solve(assumptions, &mut Budget::new(&limits));
        vec![solve(&[5]), solve(&[5, -6]), solve(&[-3]), solve(&[-6])]
    }

    fn expected() -> Vec<Result<bool, GaveUp>> {
        vec![Ok(true), Ok(false), Ok(false), Ok(true)]
    }

    fn transcript() -> Transcript {
        let mut sat = Checked::new(None, true);
        assert_eq!(answers(&mut sat), expected());
        sat.transcript().expect("there is not much")
    }

    fn is_reading(sat: &Checked) -> bool {
        matches!(sat.mode, Mode::Reading(_))
    }

    #[test]
    fn kept_answers_need_no_search() {
        let mut sat = Checked::new(Some(transcript()), false);
        assert_eq!(answers(&mut sat), expected());
        assert!(is_reading(&sat));
        assert_eq!(
            sat.solve(&[5, -6], &mut Budget::new(&Limits::none())),
            Ok(false),
            "there is no answer left"
        );
        assert!(!is_reading(&sat));
    }

    /// Whatever is changed, the answers stay right.
    #[test]
    fn wrong_steps_are_not_believed() {
        let spoil = |change: &dyn Fn(&mut Vec<Step>, &mut Vec<Number>)| {
            let mut spoiled = transcript();
            for answer in &mut spoiled.answers {
                if let Kept::Refuted { steps, concluded } = answer {
                    change(steps, concluded);
                }
            }
            let mut sat = Checked::new(Some(spoiled), false);
            assert_eq!(answers(&mut sat), expected());
            assert!(!is_reading(&sat));
        };
        spoil(&|steps, _| steps.iter_mut().for_each(|step| step.antecedents.truncate(1)));
        spoil(&|steps, _| steps.iter_mut().for_each(|step| step.antecedents.insert(0, Number(40))));
        spoil(&|steps, _| steps.iter_mut().for_each(|step| step.literals.clear()));
        spoil(&|steps, _| steps.clear());
        spoil(&|_, concluded| concluded.clear());
        spoil(&|_, concluded| *concluded = vec![Number(0)]);
    }

    /// The answers of another question are no answers.
    #[test]
    fn other_clauses_are_searched() {
        let mut sat = Checked::new(Some(transcript()), false);
        let limits = Limits::none();
        sat.add(&[1, 2, 0, -1, -2, 0, 3, 4, 0, 3, -4, 0, 5, 6, 0, 5, -6, 0]);
        assert_eq!(sat.solve(&[], &mut Budget::new(&limits)), Ok(true), "a model is only claimed");
        assert_eq!(sat.solve(&[1], &mut Budget::new(&limits)), Ok(true));
        assert!(!is_reading(&sat));
    }
}

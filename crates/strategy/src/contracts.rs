//! Inferred contracts for engines that ask, in several rounds.

use rorqual_encoding::{Encoding, Ending, Executed, trace_of_calls};
use rorqual_engines::{Advice, Inference, Mattering};
use rorqual_evidence::{Answer, Event, Observer, Stop, Technique, Trace, Verdict, Violation};
use rorqual_inference::contracts::{
    ContractRounds, Contracts, Formulas, Ignored, Source, evidence, needed, probe,
};
use rorqual_inference::{Budgets, Facts};
use rorqual_logic::Assignment;
use rorqual_solver::Limits;

use crate::facts::Rounds;

/// Infers contracts of functions and loops.
#[derive(Default)]
pub(crate) struct ContractInference {
    budgets: Budgets,
    rounds: Option<ContractRounds>,
    contracts: Contracts,
    /// For the facts about loops that contracts are made from.
    fact_rounds: Rounds,
    /// After so many refinements there is a round.
    next: usize,
}

impl Inference for ContractInference {
    fn facts(&self) -> &Facts {
        const { &Facts::none() }
    }

    fn contracts(&self) -> &Contracts {
        &self.contracts
    }

    fn is_due(&self, refinements: usize) -> bool {
        refinements >= self.next
    }

    fn consult(
        &mut self,
        encoding: &mut Encoding<'_>,
        mattering: Mattering<'_>,
        refinements: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Advice {
        let Mattering::OfProcedures(interest) = mattering else { return Advice::Nothing };
        let rounds = self.rounds.get_or_insert_with(|| ContractRounds::new(encoding, &self.budgets));
        if refinements < rounds.first_round() {
            self.next = rounds.first_round();
            return Advice::Nothing;
        }
        self.next = rounds.next_round(refinements);
        let before = self.contracts.len();
        match self.round(encoding, interest, refinements, limits, observer) {
            Ok(Some(answer)) => Advice::Answer(Box::new(answer)),
            Ok(None) if self.contracts.len() > before => Advice::Facts,
            Ok(None) | Err(_) => Advice::Nothing,
        }
    }
}

impl ContractInference {
    /// Infers contracts from one source of candidates after the other, and tries the inputs that contracts suggest.
    fn round(
        &mut self,
        encoding: &mut Encoding<'_>,
        interest: &Formulas,
        refinements: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Option<Answer>, Stop> {
        let ContractInference { budgets, rounds: Some(rounds), contracts, fact_rounds, .. } = self else {
            return Ok(None);
        };
        for &source in rounds.next_sources() {
            let mut infer =
                |encoding: &mut Encoding<'_>, facts: &mut Facts, interest: &_, limits: &Limits| {
                    fact_rounds.next(encoding, facts, interest, limits);
                };
            let inferred = rounds.infer(encoding, source, contracts, interest, &mut infer, limits)?;
            if let Some(executed) = rounds.take_violation()
                && let Some(trace) = exact_trace(encoding, &executed)
            {
                return Ok(Some(violation(trace)));
            }
            let before = contracts.clone();
            contracts.add(inferred);
            observer.on(Event::Learned { facts: contracts.len() });
            let conflicts = budgets.contracts.suffice_conflicts;
            let procedures = rounds.procedures();
            if contracts.suffice(encoding, &procedures, &Ignored::new(), conflicts, limits) {
                let needed = needed(encoding, contracts.clone(), &procedures, &Ignored::new(), limits);
                let proof = Verdict::Safe(evidence(encoding, &needed, &procedures).into());
                return Ok(Some(Answer::new(proof, Technique::Contracts)));
            }
            if source == Source::SamplesOfViolations {
                // Formulas stay small.
                *contracts = before;
            }
        }
        let found = if refinements > 0 { probe(encoding, contracts, budgets, limits)? } else { Vec::new() };
        Ok(found.iter().find_map(|executed| exact_trace(encoding, executed)).map(violation))
    }
}

fn violation(trace: Trace) -> Answer {
    Answer::new(Verdict::Unsafe(Violation::Trace(trace)), Technique::Contracts)
}

/// The trace of an execution that goes wrong, unless it rests on what is not modelled exactly.
fn exact_trace(encoding: &Encoding<'_>, executed: &Executed) -> Option<Trace> {
    match trace_of_calls(encoding, executed, &Assignment::new())? {
        Ending::Violation(trace, _) => Some(trace).filter(|trace| trace.approximations.is_empty()),
        Ending::Obstacle(_) => None,
    }
}

//! The store in a check: stored answers are taken before the search, new ones are left there after it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::{Duration, Instant};

use rorqual_certificate::{Outcome as Certified, Rejection};
use rorqual_cfa::{FunctionId, Program};
use rorqual_engines::Detail;
use rorqual_evidence::{Answer, Claim, Contract, Stored as Version, Verdict};
use rorqual_solver::Limits;
use rorqual_store::Evidence;

use super::{Answered, Catalogue, Goal, Listener, Search, lock};
use crate::clock::{Timer, cpu_time};
use crate::confirm::{Confirmation, Earlier};
use crate::outcome::{Conclusion, Unknown};
use crate::stored::{Question, Session, Stored, latest_start, refusal, time_for_earlier};

/// What becomes of stored evidence.
enum Checked {
    /// It holds.
    Accepted(Vec<Answered>),
    /// It does not, for this reason.
    Refused(String),
    /// That was not found out in time.
    Undecided,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recalled {
    /// Its evidence holds.
    Answered,
    /// It does not.
    Refused,
    /// It was not needed, or there was no time.
    Nothing,
}

impl Search<'_, '_> {
    /// Takes answers from the store: what is about this program, and then what is about earlier versions of it.
    pub(super) fn recall(&mut self, open: &mut Goal) {
        let Some(session) = self.session else { return };
        let named =
            self.catalogue.properties.iter().enumerate().map(|(at, property)| (property.name.as_str(), at));
        let places: HashMap<&str, usize> = named.collect();
        for stored in session.load() {
            let Some(goal) = goal_of(&stored, &places) else { continue };
            let latest = self.checker.time_limit.map(latest_start);
            self.recall_one(session, &stored, &goal, open, latest);
        }
        if !open.is_empty() {
            self.recall_earlier(session, open);
        }
        tell_news(self.session, self.audience);
    }

    /// Takes what holds of earlier versions. All that is tried takes no longer than a part of what searching has taken: if none of
    /// it holds any more, the check is hardly slower than without.
    fn recall_earlier(&mut self, session: &Session<'_>, open: &mut Goal) {
        let earlier = session.load_earlier();
        let latest = cpu_time() + time_for_earlier(&earlier);
        let latest = self.checker.time_limit.map_or(latest, |limit| latest_start(limit).min(latest));
        let mut refused = None;
        for stored in &earlier {
            let goal = goal_of_earlier(stored, self.catalogue, open);
            if self.recall_one(session, stored, &goal, open, Some(latest)) == Recalled::Refused {
                refused = refused.or(Some((stored, goal)));
            }
        }
        if let Some((stored, mut goal)) = refused {
            goal.retain(|property| open.contains(property));
            let answers = if goal.is_empty() { None } else { self.repaired(session, &goal, stored, latest) };
            if let Some(answers) = answers {
                open.retain(|property| !answers.iter().any(|one| one.round.properties.contains(property)));
                self.keep(answers);
            }
        }
    }

    /// Takes the answer of an entry for a goal, if its evidence holds, and if that is known in time.
    fn recall_one(
        &mut self,
        session: &Session<'_>,
        stored: &Stored,
        goal: &Goal,
        open: &mut Goal,
        latest: Option<Duration>,
    ) -> Recalled {
        let is_news = goal.iter().any(|property| open.contains(property));
        if self.is_over() || latest.is_some_and(|latest| cpu_time() >= latest) {
            return Recalled::Nothing;
        }
        if !is_news && (stored.is_earlier || !session.checks_all()) || !self.is_enough(stored, goal) {
            return Recalled::Nothing;
        }
        let begin = Instant::now();
        match self.checked(session, goal, stored, latest) {
            Checked::Accepted(mut answers) => {
                answers.retain(|one| one.round.properties.iter().any(|property| open.contains(property)));
                let before = open.len();
                open.retain(|property| !answers.iter().any(|one| one.round.properties.contains(property)));
                if open.len() < before {
                    session.hit(stored, before - open.len(), begin.elapsed());
                }
                self.keep(answers);
                return Recalled::Answered;
            }
            // Nobody has claimed that it holds for this version.
            Checked::Refused(_) if stored.is_earlier => return Recalled::Refused,
            Checked::Refused(reason) => session.refuse(&stored.key, reason),
            Checked::Undecided => {}
        }
        Recalled::Nothing
    }

    /// A proof that begins with what an earlier version's invariant says.
    fn repaired(
        &self,
        session: &Session<'_>,
        goal: &Goal,
        stored: &Stored,
        latest: Duration,
    ) -> Option<Vec<Answered>> {
        let Evidence::Proof { without_models, .. } = stored.record.evidence else { return None };
        let framed = self.framed(goal, if without_models { self.bases.plain() } else { None });
        let subject = if without_models { framed.plain.as_ref()? } else { &framed.full };
        let (Answer { verdict: Verdict::Safe(Claim::Invariant(earlier)), .. }, _) =
            stored.answer(subject.searched()).ok()?
        else {
            return None;
        };
        let timer = Timer::start(latest.saturating_sub(cpu_time()), &self.checker.limits);
        let detail = if stored.record.heap_free { Detail::HeapFree } else { Detail::Full };
        let task = subject.task();
        let answer = rorqual_strategy::repair(&task, &earlier, detail, &timer.limits());
        if !matches!(answer.verdict, Verdict::Safe(_)) {
            return None;
        }
        let whole = Timer::start(Duration::MAX, &self.checker.limits);
        let judge = Confirmation::new(Some(self.settling(self.checker, &whole)), framed.full.searched())
            .keeping(session.writes());
        let confirmed = judge.confirm(&task, answer, Earlier::default(), &whole.limits());
        drop(task);
        let is_safe = matches!(confirmed.conclusion, Conclusion::Safe(_));
        is_safe.then(|| self.answered(goal, framed, confirmed, stored.cost))
    }

    /// Whether an answer says enough. If checks have something that they cannot look at, only a proof about all properties
    /// says that this is never executed.
    fn is_enough(&self, stored: &Stored, goal: &Goal) -> bool {
        let is_whole = goal.len() == self.catalogue.properties.len();
        match stored.record.evidence {
            Evidence::Proof { .. } => is_whole || self.catalogue.unclear.is_empty(),
            Evidence::Violations(_) => true,
        }
    }

    /// Checks the evidence of an entry, like that of any other answer.
    fn checked(
        &self,
        session: &Session<'_>,
        goal: &Goal,
        stored: &Stored,
        latest: Option<Duration>,
    ) -> Checked {
        let without_models = matches!(stored.record.evidence, Evidence::Proof { without_models: true, .. });
        let framed = self.framed(goal, if without_models { self.bases.plain() } else { None });
        let subject = match &framed.plain {
            _ if !without_models => &framed.full,
            Some(plain) => plain,
            None => {
                return Checked::Refused(
                    "it is about the program without models, and there are none".to_owned(),
                );
            }
        };
        let (answer, earlier) = match stored.answer(subject.searched()) {
            Ok(answer) => answer,
            Err(reason) => return Checked::Refused(reason),
        };
        let timer = Timer::start(stored.time(latest), &self.checker.limits);
        // What a proof rests on is searched for as long as after any other proof.
        let whole = Timer::start(Duration::MAX, &self.checker.limits);
        // What this very program's proof rests on was searched for when it was found, without a decision if there is no second proof.
        let is_settled = !stored.is_earlier && earlier.second.is_none();
        let settling = (!is_settled).then(|| self.settling(self.checker, &whole));
        // What holds for a later version is kept for that.
        let judge = Confirmation::new(settling, framed.full.searched())
            .keeping(stored.is_earlier && session.writes());
        let mut confirmed = judge.confirm(&subject.task(), answer, earlier, &timer.limits());
        if let Conclusion::Unknown(Unknown::Unconfirmed { .. }) = &confirmed.conclusion
            && let Some(weaker) = without_contracts(stored, subject.searched(), &timer.limits())
        {
            confirmed = judge.confirm(&subject.task(), weaker.answer, weaker.earlier, &timer.limits());
            if matches!(confirmed.conclusion, Conclusion::Safe(_)) {
                let name = |function| subject.searched().unique_name(function);
                session.give_up(weaker.given_up.into_iter().map(name));
            }
        }
        if let Conclusion::Unknown(unknown) = &confirmed.conclusion {
            return refusal(unknown).map_or(Checked::Undecided, Checked::Refused);
        }
        Checked::Accepted(self.answered(goal, framed, confirmed, stored.cost))
    }

    /// Leaves new answers of one search in the store.
    pub(super) fn store(&self, answers: &[Answered]) {
        let (Some(session), Some(first)) = (self.session, answers.first()) else { return };
        if first.round.origin.stored == Some(Version::ThisVersion) {
            return;
        }
        let question = Question {
            properties: first.goal.iter().map(|&at| &self.catalogue.properties[at]).collect(),
            origin: first.round.origin,
            is_without_models: first.is_without_models,
        };
        let program = &first.round.program;
        match &first.round.conclusion {
            Conclusion::Safe(proof) => session.keep_proof(&question, program, proof, first.time),
            Conclusion::Unsafe(_) => {
                let refutations = answers.iter().filter_map(|one| one.round.conclusion.refutation());
                session.keep_violations(&question, program, &refutations.collect::<Vec<_>>(), first.time);
            }
            Conclusion::Unknown(_) => {}
        }
        tell_news(self.session, self.audience);
    }
}

/// The proof of an earlier version without some contracts.
struct Weaker {
    answer: Answer,
    earlier: Earlier,
    /// The functions whose contracts they were.
    given_up: BTreeSet<FunctionId>,
}

/// The proof of an earlier version without the contracts of functions that do not hold any more: calls of these are looked into,
/// and the contracts of callers are proved from the bodies. Where those fail, they go too, up to the root of the program. Nothing
/// if what is left does not hold either.
fn without_contracts(stored: &Stored, program: &Program, limits: &Limits) -> Option<Weaker> {
    let (mut answer, earlier) = stored.is_earlier.then(|| stored.answer(program).ok())??;
    let is_of_function = |contract: &Contract| contract.head.is_none();
    let mut given_up = BTreeSet::new();
    loop {
        let Verdict::Safe(claim) = &mut answer.verdict else { return None };
        let Claim::Invariant(invariant) = &*claim else { return None };
        if given_up.is_empty() && !invariant.contracts.iter().any(is_of_function) {
            return None;
        }
        match rorqual_certificate::check(program, claim, limits) {
            Certified::Accepted { .. } => return Some(Weaker { answer, earlier, given_up }),
            Certified::Rejected(Rejection { contracts, .. }) if !contracts.is_empty() => {
                let Claim::Invariant(invariant) = claim else { return None };
                let fails = |one: &Contract| is_of_function(one) && contracts.contains(&one.function);
                invariant.contracts.retain(|contract| !fails(contract));
                given_up.extend(contracts);
            }
            Certified::Rejected(_) | Certified::Unknown { .. } => return None,
        }
    }
}

/// The properties that an entry is about, unless it is also about others than those that are meant.
fn goal_of(stored: &Stored, places: &HashMap<&str, usize>) -> Option<Goal> {
    let names = stored.record.properties.iter();
    let goal: Option<Goal> = names.map(|name| places.get(name.as_str()).copied()).collect();
    goal.filter(|goal| !goal.is_empty())
}

/// The properties of a later version that an entry may answer: those that are open, of the same checks in the same functions. How
/// many there are in a function may have changed.
fn goal_of_earlier(stored: &Stored, catalogue: &Catalogue, open: &Goal) -> Goal {
    let family = |name: &str| name.rsplit_once('.').map_or(name, |(family, _)| family).to_owned();
    let known: HashSet<String> = stored.record.properties.iter().map(|name| family(name)).collect();
    let is_known = |&at: &usize| known.contains(&family(&catalogue.properties[at].name));
    open.iter().copied().filter(is_known).collect()
}

/// Tells the audience what is new about the store.
pub(super) fn tell_news(session: Option<&Session<'_>>, audience: &Listener<'_>) {
    for notice in session.map_or(Vec::new(), Session::news) {
        lock(audience).noticed(&notice);
    }
}

//! The store in a check: stored answers are taken before the search, new ones are left there after it.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use rorqual_evidence::Stored as Version;
use rorqual_store::Evidence;

use super::{Answered, Catalogue, Goal, Listener, Search, lock};
use crate::clock::{Timer, cpu_time};
use crate::confirm::Confirmation;
use crate::outcome::Conclusion;
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
        for stored in earlier {
            let goal = goal_of_earlier(&stored, self.catalogue, open);
            self.recall_one(session, &stored, &goal, open, Some(latest));
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
    ) {
        let is_news = goal.iter().any(|property| open.contains(property));
        if self.is_over() || latest.is_some_and(|latest| cpu_time() >= latest) {
            return;
        }
        if !is_news && (stored.is_earlier || !session.checks_all()) || !self.is_enough(stored, goal) {
            return;
        }
        let begin = Instant::now();
        match self.checked(goal, stored, latest) {
            Checked::Accepted(mut answers) => {
                answers.retain(|one| one.round.properties.iter().any(|property| open.contains(property)));
                let before = open.len();
                open.retain(|property| !answers.iter().any(|one| one.round.properties.contains(property)));
                if open.len() < before {
                    session.hit(stored, before - open.len(), begin.elapsed());
                }
                self.keep(answers);
            }
            // Nobody has claimed that it holds for this version.
            Checked::Refused(_) if stored.is_earlier => {}
            Checked::Refused(reason) => session.refuse(&stored.key, reason),
            Checked::Undecided => {}
        }
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
    fn checked(&self, goal: &Goal, stored: &Stored, latest: Option<Duration>) -> Checked {
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
        let (answer, second) = match stored.answer(subject.searched()) {
            Ok(answer) => answer,
            Err(reason) => return Checked::Refused(reason),
        };
        let timer = Timer::start(stored.time(latest), &self.checker.limits);
        // What a proof rests on is searched for as long as after any other proof.
        let whole = Timer::start(Duration::MAX, &self.checker.limits);
        // What this very program's proof rests on was searched for when it was found, without a decision if there is no second proof.
        let is_settled = !stored.is_earlier && second.is_none();
        let settling = (!is_settled).then(|| self.settling(self.checker, &whole));
        let judge = Confirmation::new(settling, framed.full.searched());
        let confirmed = judge.confirm(&subject.task(), answer, second, &timer.limits());
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

//! All properties of a program: all of them at once as long as that gives an answer, then by check, then each on its own.

mod recall;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rorqual_cfa::{
    Check, Instance, Operation, Program, Property, ReachTest, add_reach_test, checks_of, properties,
    reach_tests,
};
use rorqual_engines::Task;
use rorqual_evidence::{
    Answer, Assumption, Claim, Event, Invariant, Observer, Origin, Reason, Technique, Verdict,
};
use rorqual_frontend::{Failure, Host};
use rorqual_solver::Limits;
use rorqual_source::Span;
use rorqual_store::instance_contents;
use rorqual_strategy::{Judge, Judged, Run, Strategy};

use crate::audience::Audience;
use crate::clock::{Share, Timer, cpu_time};
use crate::confirm::{Confirmation, Confirmed, Earlier, Settling};
use crate::outcome::{Conclusion, Outcome, Reached, Round};
use crate::project::{Project, searched, with_checks, with_checks_except};
use crate::stored::{Session, Shelf};
use recall::tell_news;

/// To find out which assertions are reached, after all is proved.
const NOTES: Share = Share { of_spent: 0.1, least: Duration::from_millis(100) };
/// The same if all is proved by what was stored, when it was found out already: checking that again is to remain cheap.
const NOTES_AGAIN: Share = Share { of_spent: 0.1, least: Duration::ZERO };

/// The part of the time in which all properties are searched at once, if there are several.
const ALL_AT_ONCE: f64 = 0.6;

/// The part of what is left of the time for those that others have kept from an answer, once these are left for later.
const WITHOUT_LATE: f64 = 0.9;

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
    /// How many threads there may be: for races of the strategy, and for properties that are searched on their own.
    pub threads: usize,
    /// Whether the first violation ends the check, as it does in competitions.
    pub stops_at_violation: bool,
    /// Where answers of earlier checks are, if they are kept.
    pub store: Option<Shelf>,
}

impl Default for Checker {
    /// The strategy `auto` on one thread, without limits.
    fn default() -> Checker {
        Checker {
            strategy: rorqual_strategy::auto(),
            limits: Limits::none(),
            time_limit: None,
            threads: 1,
            stops_at_violation: false,
            store: None,
        }
    }
}

impl Checker {
    /// Checks a project. Files are read through the host; the audience learns what happens.
    pub fn check(
        &self,
        project: &Project,
        host: &dyn Host,
        audience: &mut (dyn Audience + Send),
    ) -> Result<Outcome, Failure> {
        let bases = Bases::of(project, host, audience)?;
        let catalogue = Catalogue::of(project, &bases.full)?;
        audience.listed(&bases.full, &catalogue.properties);
        let session = self.store.as_ref().map(|shelf| Session::new(shelf, project, &bases.full));
        if let Some(session) = &session {
            session.load_predicates();
        }
        let audience = Mutex::new(audience);
        let mut search = Search {
            checker: self,
            project,
            bases: &bases,
            catalogue: &catalogue,
            session: session.as_ref(),
            audience: &audience,
            answers: Vec::new(),
            reported: Vec::new(),
            is_tested: false,
        };
        search.run();
        let answered: HashSet<usize> =
            search.answers.iter().flat_map(|one| one.round.properties.iter().copied()).collect();
        // A property without an answer would be one of which the verdict says that it holds.
        assert!(
            search.is_over() || (0..catalogue.properties.len()).all(|property| answered.contains(&property)),
            "each property has an answer"
        );
        let answers = search.answers;
        if let Some(session) = &session {
            session.keep_predicates();
        }
        let store = session.as_ref().map(|session| session.finish(catalogue.contents.clone()));
        tell_news(session.as_ref(), &audience);
        let audience = audience.into_inner().unwrap_or_else(PoisonError::into_inner);
        let wants_reached = project.checks.contains(&Check::UnreachableCode);
        let reached = if wants_reached { self.reached(&bases.full, audience) } else { Vec::new() };
        let is_safe = answers.iter().all(|one| matches!(one.round.conclusion, Conclusion::Safe(_)));
        let wants_notes = is_safe && !wants_reached && project.checks.contains(&Check::Assertions);
        let is_stored = !answers.is_empty() && answers.iter().all(|one| one.round.origin.stored.is_some());
        let notes = if is_stored { NOTES_AGAIN } else { NOTES };
        let notes = notes.time(self.time_limit).filter(|_| wants_notes);
        let unreached = notes.map_or(Vec::new(), |time| self.unreached(project, &bases.full, time, audience));
        let assumptions = assumptions(project, &bases, &answers);
        let rounds = answers.into_iter().map(|answered| answered.round).collect();
        let (properties, silent) = (catalogue.properties, catalogue.silent);
        Ok(Outcome { properties, silent, rounds, reached, unreached, assumptions, store })
    }

    /// The properties of a project, in the order of their names, and the program that they belong to.
    pub fn properties(
        &self,
        project: &Project,
        host: &dyn Host,
        audience: &mut dyn Audience,
    ) -> Result<(Program, Vec<Property>), Failure> {
        let bases = Bases::of(project, host, audience)?;
        let catalogue = Catalogue::of(project, &bases.full)?;
        Ok((bases.full, catalogue.properties))
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
        let plain = bases.plain().map(|plain| Subject::new(plain, &project.checks));
        let mut task = subject.task();
        task.without_models = plain.as_ref().map(|plain| Box::new(plain.task()));
        let mut lines = Vec::new();
        self.strategy.describe(&task, 0, &mut lines);
        Ok(lines)
    }

    /// Runs the strategy, and checks the evidence of what it finds.
    fn confirmed(
        &self,
        subject: &Subject,
        plain: Option<&Subject>,
        settling: Option<Settling<'_>>,
        is_tested: bool,
        observer: &mut (dyn Observer + Send),
    ) -> Confirmed {
        let mut task = subject.task();
        task.without_models = plain.map(|plain| Box::new(plain.task()));
        // Whether something is reached is one question.
        task.wants_all = settling.is_some() && !self.stops_at_violation;
        let keeps = settling.is_some() && self.store.as_ref().is_some_and(Shelf::writes);
        let judge = Confirmation::new(settling, subject.searched()).keeping(keeps);
        let (limits, threads) = (&self.limits, self.threads);
        let whole = self.time_limit.map(|limit| limit.saturating_sub(cpu_time()));
        let own = settling.and_then(|settling| settling.timer.left());
        let time = own.into_iter().chain(whole).min();
        if !subject.searched().has_violations() {
            let claim = Verdict::Safe(Claim::Invariant(Invariant::empty()));
            let answer = Answer::new(claim, Technique::NothingToCheck);
            if let Judged::Accepted(confirmed) = judge.judge(&task, answer, limits) {
                return confirmed;
            }
        }
        if let Some(reason) = limits.spent() {
            let verdict = Verdict::Unknown(Reason::Limit(reason));
            return judge.confirm(
                &task,
                Answer::new(verdict, Technique::TestRun),
                Earlier::default(),
                limits,
            );
        }
        let mut run =
            Run { judge: &judge, limits, observer, threads, is_tested, only_proofs: false, time, end: None };
        match self.strategy.run(&mut run, &task) {
            Some(Judged::Accepted(confirmed)) => confirmed,
            Some(Judged::Open(confirmed)) => Confirmed { attempts: judge.attempts(), ..confirmed },
            None => {
                let answer = Answer::new(Verdict::Unknown(Reason::OutOfIdeas), Technique::TestRun);
                judge.confirm(&task, answer, Earlier::default(), limits)
            }
        }
    }

    /// Whether each assertion is reached.
    fn reached(&self, base: &Program, audience: &mut dyn Audience) -> Vec<Reached> {
        reach_tests(base).iter().map(|test| self.is_reached(base, test, audience)).collect()
    }

    /// The assertions that no execution reaches, as far as that is found out in little time. Bodies of error functions are
    /// left out: that no execution comes there is what the proof says.
    fn unreached(
        &self,
        project: &Project,
        base: &Program,
        time: Duration,
        audience: &mut dyn Audience,
    ) -> Vec<Span> {
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
        let answer = match self.confirmed(&subject, None, None, false, audience.observer()).conclusion {
            Conclusion::Safe(proof) if proof.assumptions.is_empty() => Some(false),
            Conclusion::Unsafe(_) => Some(true),
            Conclusion::Safe(_) | Conclusion::Unknown(_) => None,
        };
        Reached { span: test.span, answer }
    }
}

/// A program before checks are added, with the models of library functions and without.
struct Bases<'a> {
    project: &'a Project,
    host: &'a dyn Host,
    full: Program,
    /// Read when it is needed: what is stored mostly holds with models.
    plain: OnceLock<Option<Program>>,
}

impl<'a> Bases<'a> {
    fn of(
        project: &'a Project,
        host: &'a dyn Host,
        audience: &mut dyn Audience,
    ) -> Result<Bases<'a>, Failure> {
        let full =
            project.lower_unchecked(host, &mut |sources, warnings| audience.warned(sources, warnings))?;
        Ok(Bases { project, host, full, plain: OnceLock::new() })
    }

    /// The program without models, if it has any. Where it cannot be read any more, there is only the other one.
    fn plain(&self) -> Option<&Program> {
        let lower = || self.project.without_models().lower_unchecked(self.host, &mut |_, _| {}).ok();
        self.plain.get_or_init(|| has_models(&self.full).then(lower).flatten()).as_ref()
    }
}

/// The properties of a program.
struct Catalogue {
    /// Those that are meant, in the order of their names.
    properties: Vec<Property>,
    /// Hashes of what they are about.
    contents: Vec<String>,
    /// Those that are not.
    others: Vec<Instance>,
    /// Checks that have no instance in the program, and nothing that they cannot look at either.
    silent: Vec<Check>,
    /// Checks that have no instance, but something that they cannot look at.
    unclear: Vec<Check>,
}

impl Catalogue {
    fn of(project: &Project, base: &Program) -> Result<Catalogue, Failure> {
        let checks = project.own_checks();
        let checked = with_checks(base.clone(), &checks);
        let all = properties(&checked);
        let (properties, others) = project.selected(base, all)?;
        let others = others.into_iter().map(|property| property.instance).collect();
        let known = checks_of(&properties);
        let mut missing: Vec<Check> = checks.into_iter().filter(|check| !known.contains(check)).collect();
        if !project.property_ids.is_empty() {
            // Nothing is said of checks whose properties are not selected.
            missing.clear();
        }
        let has_gaps = refusals(&checked) > refusals(base);
        let is_unclear = |check: &Check| has_gaps && check.is_about_memory();
        let (unclear, silent) = missing.into_iter().partition(is_unclear);
        let contents = instance_contents(&checked, &properties);
        Ok(Catalogue { properties, contents, others, silent, unclear })
    }
}

/// How many operations a program has that are not supported.
fn refusals(program: &Program) -> usize {
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    let edges = bodies.flat_map(|body| body.edges().values());
    edges.filter(|edge| matches!(edge.operation, Operation::Unsupported { .. })).count()
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
        let searched = match searched(&program) {
            Cow::Owned(searched) => Some(searched),
            Cow::Borrowed(_) => None,
        };
        Subject { program, searched }
    }

    fn searched(&self) -> &Program {
        self.searched.as_ref().unwrap_or(&self.program)
    }

    fn task(&self) -> Task<'_> {
        Task::searching(&self.program, self.searched())
    }
}

/// A program in which some properties are tested, with models of library functions and without.
struct Framed {
    full: Subject,
    plain: Option<Subject>,
    checks: Vec<Check>,
    /// Whether other instances of the checks are not tested.
    is_partial: bool,
}

/// A round, and which program it is about.
struct Answered {
    round: Round,
    is_without_models: bool,
    /// The properties that were searched together.
    goal: Arc<Goal>,
    /// How long that took.
    time: Duration,
}

/// What one search has found.
struct Found {
    answers: Vec<Answered>,
    /// Properties that are searched on their own when the others have their answers.
    later: Goal,
    /// The properties that an unknown answer is for, if the others may have another one.
    beyond: Goal,
}

/// The search for answers for all properties.
struct Search<'a, 'l> {
    checker: &'a Checker,
    project: &'a Project,
    bases: &'a Bases<'a>,
    catalogue: &'a Catalogue,
    session: Option<&'a Session<'a>>,
    audience: &'a Listener<'l>,
    answers: Vec<Answered>,
    /// Where violations were found.
    reported: Vec<Span>,
    /// Whether test runs have found all that they can.
    is_tested: bool,
}

/// An audience that several threads share.
type Listener<'l> = Mutex<&'l mut (dyn Audience + Send)>;

/// Properties that are searched together, by their places in the catalogue.
type Goal = Vec<usize>;

impl Search<'_, '_> {
    /// All at once first: a proof holds for each, and a violation answers for one, which is then left out.
    fn run(&mut self) {
        let mut open: Goal = (0..self.catalogue.properties.len()).collect();
        self.recall(&mut open);
        if !self.answers.is_empty() && (open.is_empty() || self.is_over()) {
            return;
        }
        let share = if open.len() > 1 { ALL_AT_ONCE } else { 1.0 };
        let mut late = Goal::new();
        loop {
            // Without those that are late, the others are decided by what has decided them before.
            let Found { answers, later, beyond } =
                self.timed(&open, if late.is_empty() { share } else { WITHOUT_LATE });
            let is_open = matches!(answers[0].round.conclusion, Conclusion::Unknown(_));
            if is_open && !beyond.is_empty() {
                self.keep_for(answers, &beyond, &mut open);
                open.retain(|property| !later.contains(property));
                late.extend(later);
                if open.is_empty() {
                    break;
                }
                continue;
            }
            if is_open && open.len() > 1 && self.checker.limits.spent().is_none() {
                self.keep_unclear(answers);
                if later.is_empty() || later.len() == open.len() {
                    self.split(&open);
                    break;
                }
                open.retain(|property| !later.contains(property));
                late.extend(later);
                continue;
            }
            let is_decided = !matches!(answers[0].round.conclusion, Conclusion::Unsafe(_));
            late.extend(later);
            open.retain(|property| !late.contains(property));
            for goal in [&mut open, &mut late] {
                goal.retain(|property| !answers.iter().any(|one| one.round.properties.contains(property)));
            }
            self.keep(answers);
            if is_decided || open.is_empty() || self.checker.stops_at_violation {
                break;
            }
        }
        if !self.is_over() {
            self.side_by_side(late.into_iter().map(|property| vec![property]).collect());
        }
    }

    /// Keeps an answer for some of the properties that were searched; the others are still open.
    fn keep_for(&mut self, mut answers: Vec<Answered>, properties: &Goal, open: &mut Goal) {
        answers.truncate(1);
        answers[0].round.properties.clone_from(properties);
        open.retain(|property| !properties.contains(property));
        self.keep(answers);
    }

    /// What is said of checks that have no instance, but something that they cannot look at.
    fn keep_unclear(&mut self, answers: Vec<Answered>) {
        if !self.catalogue.unclear.is_empty() {
            self.answers.extend(answers.into_iter().take(1).map(|mut answered| {
                answered.round.properties.clear();
                answered
            }));
        }
    }

    /// By check, and then each property on its own.
    fn split(&mut self, open: &[usize]) {
        let check = |property: &usize| self.catalogue.properties[*property].instance.check();
        let checks: BTreeSet<Check> = open.iter().map(check).collect();
        let of_check = |one: &Check| open.iter().copied().filter(|at| check(at) == *one).collect::<Goal>();
        let groups: Vec<Goal> = checks.iter().map(of_check).collect();
        let is_single = |group: &Goal| group.len() == 1 || groups.len() == 1;
        let (single, several): (Vec<Goal>, Vec<Goal>) = groups.iter().cloned().partition(is_single);
        let left = self.side_by_side(several);
        let each = single.into_iter().chain(left).flatten().map(|property| vec![property]).collect();
        self.side_by_side(each);
    }

    /// Searches goals on all threads. Returns what is left open of those that can be divided.
    fn side_by_side(&mut self, goals: Vec<Goal>) -> Vec<Goal> {
        let threads = self.checker.threads.clamp(1, goals.len().max(1));
        let alone = Checker { threads: (self.checker.threads / threads).max(1), ..self.checker.clone() };
        let all = goals.len();
        let queue = Mutex::new(goals.into_iter().enumerate());
        let done = Mutex::new(Vec::new());
        let reported = self.reported.clone();
        let work = || loop {
            let next = lock(&queue).next();
            let Some((at, mut goal)) = next else { return };
            let is_over = self.checker.limits.spent().is_some();
            if is_over {
                // All that is left has one answer, which takes no time.
                goal.extend(lock(&queue).by_ref().flat_map(|(_, goal)| goal));
                goal.sort_unstable();
            }
            let share = threads as f64 / (all - at).max(1) as f64;
            let mut search = Search {
                checker: &alone,
                answers: Vec::new(),
                reported: reported.clone(),
                is_tested: true,
                ..*self
            };
            while !goal.is_empty() {
                let Found { answers, beyond, .. } = search.timed(&goal, share.min(1.0));
                let is_refuted = matches!(answers[0].round.conclusion, Conclusion::Unsafe(_));
                let is_open = matches!(answers[0].round.conclusion, Conclusion::Unknown(_));
                if is_open && !beyond.is_empty() {
                    search.keep_for(answers, &beyond, &mut goal);
                    continue;
                }
                if is_open && goal.len() > 1 && !is_over {
                    break;
                }
                goal.retain(|property| !answers.iter().any(|one| one.round.properties.contains(property)));
                search.keep(answers);
                if is_refuted && self.checker.stops_at_violation {
                    lock(&queue).by_ref().for_each(drop);
                    break;
                }
                if !is_refuted {
                    break;
                }
            }
            lock(&done).push((at, search.answers, goal));
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(at, ..)| *at);
        let mut left = Vec::new();
        for (_, answers, goal) in done {
            self.answers.extend(answers);
            left.extend((!goal.is_empty()).then_some(goal));
        }
        left
    }

    /// Remembers the answers of one search, and tells the audience. They are stored last: whatever happens to the store, they are known.
    fn keep(&mut self, answers: Vec<Answered>) {
        for answered in &answers {
            if let Conclusion::Unsafe(refutation) = &answered.round.conclusion {
                self.reported.push(refutation.span());
                // Test runs that found nothing find nothing with fewer properties either. Nobody knows whether an earlier check had any.
                let Origin { technique, stored, .. } = answered.round.origin;
                self.is_tested |= technique != Technique::TestRun && stored.is_none();
            }
            lock(self.audience).answered(&answered.round, &self.catalogue.properties);
        }
        self.store(&answers);
        self.answers.extend(answers);
    }

    /// Answers for a goal in a share of the time that is left.
    fn timed(&self, goal: &Goal, share: f64) -> Found {
        let left = self.checker.time_limit.map(|limit| limit.saturating_sub(cpu_time()).mul_f64(share));
        let time = left.filter(|_| share < 1.0).unwrap_or(Duration::MAX);
        let timer = Timer::start(time, &self.checker.limits);
        self.answers_for(goal, &Checker { limits: timer.limits(), ..self.checker.clone() }, &timer)
    }

    /// Whether a violation was found that ends the check.
    fn is_over(&self) -> bool {
        let is_refuted = |one: &Answered| one.round.conclusion.refutation().is_some();
        self.checker.stops_at_violation && self.answers.iter().any(is_refuted)
    }

    /// One answer for all properties of a goal, or one for each that is violated; there is at least one.
    fn answers_for(&self, goal: &Goal, checker: &Checker, timer: &Timer) -> Found {
        let (begin, spent) = (Instant::now(), cpu_time());
        let framed = self.framed(goal, self.bases.plain());
        let settling = Some(self.settling(checker, timer));
        let observer = &mut Shared(self.audience);
        let plain = framed.plain.as_ref();
        let confirmed = checker.confirmed(&framed.full, plain, settling, self.is_tested, observer);
        // Other searches run on other threads, and other programs on this machine.
        let time = begin.elapsed().min(cpu_time().saturating_sub(spent));
        // Of an engine that is alone: another one may have an answer for what the first one has none for.
        let is_alone = matches!(checker.strategy, Strategy::Engine(..));
        let places =
            |instances: &[Instance]| if is_alone { self.places(goal, instances) } else { Goal::new() };
        let (later, beyond) = (places(&confirmed.later), places(&confirmed.beyond));
        Found { answers: self.answered(goal, framed, confirmed, time), later, beyond }
    }

    /// The properties of a goal that are some instances.
    fn places(&self, goal: &Goal, instances: &[Instance]) -> Goal {
        let instances: BTreeSet<&Instance> = instances.iter().collect();
        let is_meant = |at: &usize| instances.contains(&self.catalogue.properties[*at].instance);
        goal.iter().copied().filter(is_meant).collect()
    }

    fn settling<'s>(&'s self, checker: &'s Checker, timer: &'s Timer) -> Settling<'s> {
        Settling {
            strategy: &checker.strategy,
            behaviour: self.project.behaviour,
            reported: &self.reported,
            time_limit: checker.time_limit,
            timer,
        }
    }

    /// The program in which just the properties of a goal are tested, and the same without models if that is wanted.
    fn framed(&self, goal: &Goal, plain: Option<&Program>) -> Framed {
        let is_whole = goal.len() == self.catalogue.properties.len();
        let meant: HashSet<usize> = goal.iter().copied().collect();
        let members = goal.iter().map(|&at| &self.catalogue.properties[at]);
        let mut checks = checks_of(members);
        if is_whole {
            checks.extend(self.catalogue.unclear.iter().chain(&self.catalogue.silent));
            checks.sort_unstable();
        }
        let known = self.catalogue.properties.iter().enumerate();
        let excluded = known.filter(|(at, _)| !meant.contains(at)).map(|(_, property)| &property.instance);
        let except: BTreeSet<Instance> = excluded
            .chain(&self.catalogue.others)
            .filter(|one| checks.contains(&one.check()))
            .cloned()
            .collect();
        let is_partial = !except.is_empty();
        let subject = |base: &Program| Subject::of(with_checks_except(base.clone(), &checks, except.clone()));
        let (full, plain) = (subject(&self.bases.full), plain.map(subject));
        Framed { full, plain, checks, is_partial }
    }

    /// The answers that were confirmed, and how long it took to find them.
    fn answered(&self, goal: &Goal, framed: Framed, confirmed: Confirmed, time: Duration) -> Vec<Answered> {
        let Framed { full, plain, checks, is_partial } = framed;
        let Confirmed { conclusion, further, attempts, origin, is_without_models, .. } = confirmed;
        let about = if is_without_models { plain.unwrap_or(full) } else { full };
        let program = Arc::new(match &conclusion {
            Conclusion::Safe(_) => about.searched.unwrap_or(about.program),
            Conclusion::Unsafe(_) | Conclusion::Unknown(_) => about.program,
        });
        let further = further.into_iter().map(Conclusion::Unsafe);
        let all = Arc::new(goal.clone());
        let answer = |conclusion: Conclusion| {
            let properties = match &conclusion {
                Conclusion::Unsafe(refutation) => self.violated(goal, &refutation.instance()),
                Conclusion::Safe(_) | Conclusion::Unknown(_) => goal.clone(),
            };
            let (program, checks, attempts) = (program.clone(), checks.clone(), attempts.clone());
            let round = Round { program, properties, checks, is_partial, conclusion, attempts, origin };
            Answered { round, is_without_models, goal: all.clone(), time }
        };
        [conclusion].into_iter().chain(further).map(answer).collect()
    }

    /// The property of a violation.
    fn violated(&self, goal: &Goal, instance: &Instance) -> Vec<usize> {
        let is_it = |at: &&usize| self.catalogue.properties[**at].instance == *instance;
        let found = goal.iter().find(is_it).expect("only what is tested is violated");
        vec![*found]
    }
}

/// An audience that several threads tell what engines do.
struct Shared<'a, 'l>(&'a Listener<'l>);

impl Observer for Shared<'_, '_> {
    fn on(&mut self, event: Event) {
        lock(self.0).observer().on(event);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What every verdict rests on: what is assumed of each program that an answer is about.
fn assumptions(project: &Project, bases: &Bases<'_>, answers: &[Answered]) -> Vec<Assumption> {
    let mut all = BTreeSet::new();
    for answered in answers {
        let plain = if answered.is_without_models { bases.plain() } else { None };
        all.extend(project.assumptions(plain.unwrap_or(&bases.full)));
    }
    all.into_iter().collect()
}

/// Whether library functions are linked to a program.
fn has_models(base: &Program) -> bool {
    let mut functions = base.functions.values();
    functions.any(|function| function.body.is_some() && base.sources.is_in_library(function.span))
}

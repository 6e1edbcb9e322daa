//! What is measured. Each session has a solver of its own, as a run of an engine has, and decides the
//! paths of a recording one after the other; times are the fastest of several sessions. Both solvers start with
//! the text of a path, so that reading it counts for both.

use std::time::{Duration, Instant};

use rorqual_interpolation::recorded::Recording;
use rorqual_interpolation::strategy::{Chooser, Configuration, Goal, Observer, Outcome, Served};
use rorqual_interpolation::{atoms, is_word_level, is_word_level_for};
use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits};

use crate::z3::Z3;

/// The fastest of so many sessions counts: what else the machine does only adds time, and adds more to a
/// process at the end of a pipe than to ours, so that medians would favour us.
const SESSIONS: usize = 5;

/// A query may take so long; one that would take longer counts with this time.
pub(crate) const TIMEOUT: Duration = Duration::from_millis(100);

/// All queries for the interpolants of a path together may take so long.
const CHOOSER_TIMEOUT: Duration = Duration::from_secs(3);

/// An interpolant with more atoms does not count as readable.
const ATOMS: usize = 10;

/// What was found out about the paths of a recording.
pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) paths: Vec<Measured>,
}

impl Family {
    /// How long a session of ours takes.
    pub(crate) fn satisfiability_time(&self) -> Duration {
        self.paths.iter().map(|path| path.ours).sum()
    }

    /// How long the interpolants of all paths take.
    pub(crate) fn interpolation_time(&self) -> Duration {
        self.paths.iter().filter_map(|path| path.interpolants.as_ref()).map(|found| found.time).sum()
    }
}

/// What was found out about a path.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) parts: usize,
    /// Nothing if no solver found out.
    pub(crate) is_sat: Option<bool>,
    pub(crate) ours: Duration,
    /// Without the round trip through the pipes; nothing if z3 is not installed.
    pub(crate) theirs: Option<Duration>,
    /// Nothing for feasible paths.
    pub(crate) interpolants: Option<Interpolated>,
}

/// What became of an infeasible path.
pub(crate) struct Interpolated {
    pub(crate) served: Option<Served>,
    pub(crate) is_word_level: bool,
    /// The same without exception for single bits that the path itself takes out.
    pub(crate) is_without_bits: bool,
    /// Of the interpolant that has most.
    pub(crate) atoms: usize,
    pub(crate) time: Duration,
}

/// Measures the paths of a recording.
pub(crate) fn family(name: &str, recording: &Recording) -> Family {
    let ours: Vec<Session> = (0..SESSIONS).map(|_| satisfiability(recording)).collect();
    let theirs: Vec<(Session, Duration)> = (0..SESSIONS).filter_map(|_| with_z3(recording)).collect();
    // Of all sessions, so that one with a slow round trip does not make its queries look fast.
    let round_trip = theirs.iter().map(|&(_, round_trip)| round_trip).min().unwrap_or_default();
    let theirs: Vec<Session> = theirs.into_iter().map(|(session, _)| session).collect();
    let mut interpolants = interpolants(recording).into_iter();
    let mut paths = Vec::new();
    for (at, path) in recording.paths.iter().enumerate() {
        let mut answers = ours.iter().chain(&theirs).filter_map(|session| session[at].0);
        let is_sat = answers.next();
        assert!(answers.all(|answer| Some(answer) == is_sat), "{}: solvers disagree", path.name);
        paths.push(Measured {
            name: path.name.clone(),
            parts: path.parts.len(),
            is_sat,
            ours: fastest(&ours, at),
            // A microsecond, because a time of zero has no ratio.
            theirs: (!theirs.is_empty())
                .then(|| fastest(&theirs, at).saturating_sub(round_trip).max(Duration::from_micros(1))),
            interpolants: interpolants.next().flatten(),
        });
    }
    Family { name: name.to_owned(), paths }
}

/// For each path of a recording, whether it is feasible, if that was decided, and the time it took.
pub(crate) type Session = Vec<(Option<bool>, Duration)>;

fn fastest(sessions: &[Session], at: usize) -> Duration {
    sessions.iter().map(|session| session[at].1).min().unwrap_or_default()
}

/// A session of ours.
pub(crate) fn satisfiability(recording: &Recording) -> Session {
    let mut pool = TermPool::new();
    recording.declare(&mut pool).expect("declarations are well-formed");
    let mut solver = BitVecSolver::new();
    let mut answers = Vec::new();
    for path in &recording.paths {
        let start = Instant::now();
        let parts = path.terms(&mut pool).expect("parts are well-formed");
        let limits = Limits::none().with_duration(TIMEOUT);
        let answer = match solver.check(&mut pool, &parts, &limits) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        };
        answers.push((answer, start.elapsed()));
    }
    answers
}

/// The same session with z3, if it is installed, and the time of a round trip through its pipes.
fn with_z3(recording: &Recording) -> Option<(Session, Duration)> {
    let mut z3 = Z3::start(recording)?;
    let round_trip = z3.round_trip();
    let mut answers = Vec::new();
    for path in &recording.paths {
        let (answer, time) = z3.check(path);
        let is_sat = match answer.as_str() {
            "sat" => Some(true),
            "unsat" => Some(false),
            "unknown" | "timeout" => None,
            other => panic!("{}: z3 says {other}", path.name),
        };
        answers.push((is_sat, time));
    }
    Some((answers, round_trip))
}

/// Interpolates the infeasible paths of a recording.
pub(crate) fn interpolants(recording: &Recording) -> Vec<Option<Interpolated>> {
    let mut pool = TermPool::new();
    recording.declare(&mut pool).expect("declarations are well-formed");
    let interpolate = |path: &rorqual_interpolation::recorded::RecordedPath| {
        let parts = path.terms(&mut pool).expect("parts are well-formed");
        interpolated(&mut pool, &parts)
    };
    recording.paths.iter().map(interpolate).collect()
}

/// Remembers which strategy served last.
#[derive(Default)]
struct Last(Option<Served>);

impl Observer for Last {
    fn on(&mut self, served: Served) {
        self.0 = Some(served);
    }
}

fn interpolated(pool: &mut TermPool, parts: &[Term]) -> Option<Interpolated> {
    let limits = Limits::none().with_duration(CHOOSER_TIMEOUT);
    let configuration = Configuration { limits, ..Configuration::default() };
    let mut last = Last::default();
    let start = Instant::now();
    let outcome = Chooser::new(&configuration, &mut last).interpolate(pool, parts, &Goal::Sequence);
    let time = start.elapsed();
    let formulas = match outcome {
        Outcome::Interpolated(formulas) => formulas,
        Outcome::Satisfiable(_) => return None,
        _ => {
            let (is_word_level, is_without_bits) = (false, false);
            return Some(Interpolated { served: None, is_word_level, is_without_bits, atoms: 0, time });
        }
    };
    let most = formulas.iter().map(|&formula| atoms(pool, formula).len()).max().unwrap_or(0);
    let few = most <= ATOMS;
    let is_without_bits = few && formulas.iter().all(|&formula| is_word_level(pool, formula));
    let is_word_level = few && formulas.iter().all(|&formula| is_word_level_for(pool, formula, parts));
    Some(Interpolated { served: last.0, is_word_level, is_without_bits, atoms: most, time })
}

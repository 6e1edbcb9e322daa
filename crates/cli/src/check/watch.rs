//! What ends a check from outside: the clock, the memory, the user. Engines look at a flag; should they not do so
//! in time, the process ends all the same, with the verdict that is known by then.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rorqual::cpu_time;

use crate::exit::{Problem, Status, complain};

/// Engines have this much CPU time to look at the flag. Limits are to be obeyed within 0.3 s.
const GRACE: Duration = Duration::from_millis(150);
/// A process that waits, or shares its core with many others, uses no CPU time.
const WALL_GRACE: Duration = Duration::from_secs(2);
const PERIOD: Duration = Duration::from_millis(25);
/// Close to a limit, and once the flag is raised.
const SHORT_PERIOD: Duration = Duration::from_millis(5);
/// When this part of a limit is used up, it is close.
const CLOSE: f64 = 0.8;
/// Engines are told when this part of the memory is used up: it grows faster than they react.
const MEMORY_FOR_ENGINES: f64 = 0.95;
/// The CPU time in which a process that ends gives a gigabyte back.
const RELEASE_OF_GIGABYTE: Duration = Duration::from_millis(100);

/// Why a check was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    Time = 1,
    Memory = 2,
    User = 3,
}

/// The flag that engines look at, and who raised it.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub(crate) raised: Arc<AtomicBool>,
    cause: Arc<AtomicU8>,
    /// Held by whoever tells the verdict, so that there is only one.
    known: Arc<Mutex<Known>>,
}

/// What is said if the process has to end before anything is known.
#[derive(Debug)]
pub(crate) struct LastWords {
    /// The verdict.
    pub(crate) output: String,
    /// What else the user wants to know, for standard error.
    pub(crate) notes: String,
}

/// What can be said when the process has to end.
#[derive(Debug)]
enum Known {
    Nothing,
    /// What to print, and the exit code.
    Verdict(String, Status),
    /// The output is there already.
    Told(Status),
}

/// The limits of a check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) cpu_time: Option<Duration>,
    pub(crate) memory: Option<u64>,
}

impl Watch {
    /// Starts to watch. `last_words` is the verdict if none is known and engines do not react.
    pub(crate) fn start(
        bounds: Bounds,
        last_words: impl Fn(Cause) -> LastWords + Send + Sync + 'static,
    ) -> Watch {
        let watch = Watch::new();
        let last_words = Arc::new(last_words);
        let (for_user, words) = (watch.clone(), last_words.clone());
        let handler = move || {
            if for_user.raised.load(Ordering::SeqCst) {
                for_user.end_process(Cause::User, words.as_ref());
            }
            for_user.raise(Cause::User);
        };
        // Without a handler Ctrl-C ends the process at once, which is no worse than usual.
        let _ = ctrlc::set_handler(handler);
        let guard = watch.clone();
        std::thread::spawn(move || {
            let cause = guard.patrol(bounds, &Reading::now, &std::thread::sleep);
            guard.end_process(cause, last_words.as_ref());
        });
        watch
    }

    fn new() -> Watch {
        Watch {
            raised: Arc::new(AtomicBool::new(false)),
            cause: Arc::new(AtomicU8::new(0)),
            known: Arc::new(Mutex::new(Known::Nothing)),
        }
    }

    fn raise(&self, cause: Cause) {
        let _ = self.cause.compare_exchange(0, cause as u8, Ordering::SeqCst, Ordering::SeqCst);
        self.raised.store(true, Ordering::SeqCst);
    }

    /// Why the flag was raised, if it was.
    pub(crate) fn cause(&self) -> Option<Cause> {
        match self.cause.load(Ordering::SeqCst) {
            1 => Some(Cause::Time),
            2 => Some(Cause::Memory),
            3 => Some(Cause::User),
            _ => None,
        }
    }

    /// Whatever happens from now on, the verdict is this one, unless a later call says otherwise. `output` is what to
    /// print of it if there is no time for more.
    pub(crate) fn know(&self, output: String, status: Status) {
        *self.known() = Known::Verdict(output, status);
    }

    /// A violation was found and replayed. It is the verdict even if the search for others is not finished in time.
    pub(crate) fn know_violation(&self, output: String) {
        let mut known = self.known();
        if let Known::Nothing = *known {
            *known = Known::Verdict(output, Status::Violation);
        }
    }

    /// Prints the output, after which there is nothing left to tell.
    pub(crate) fn tell(&self, output: &str, status: Status) -> Result<(), Problem> {
        let mut known = self.known();
        crate::console::print(output.as_bytes())?;
        *known = Known::Told(status);
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Raises the flag when a limit is reached. Returns when the process has to end.
    fn patrol(&self, bounds: Bounds, now: &dyn Fn() -> Reading, pause: &dyn Fn(Duration)) -> Cause {
        let mut raised_at = None;
        loop {
            let reading = now();
            if let Some(cause) = bounds.reached(reading) {
                self.raise(cause);
            }
            if bounds.used_memory(reading) >= 1.0 {
                return Cause::Memory;
            }
            let Some(cause) = self.cause() else {
                pause(if bounds.is_close(reading) { SHORT_PERIOD } else { PERIOD });
                continue;
            };
            let since: Reading = *raised_at.get_or_insert(reading);
            if reading.cpu.saturating_sub(since.cpu) >= GRACE
                || reading.wall.saturating_sub(since.wall) >= WALL_GRACE
            {
                return cause;
            }
            pause(SHORT_PERIOD);
        }
    }

    fn end_process(&self, cause: Cause, last_words: &dyn Fn(Cause) -> LastWords) -> ! {
        // Never given back: nobody else tells anything from now on.
        let known = self.known();
        let status = match &*known {
            Known::Nothing => {
                let LastWords { output, notes } = last_words(cause);
                let _ = crate::console::print(output.as_bytes());
                complain(&notes);
                Status::Unknown
            }
            Known::Verdict(line, status) => {
                let _ = crate::console::print(line.as_bytes());
                complain("  = note: a limit was reached before all of it was told and written\n");
                *status
            }
            Known::Told(status) => *status,
        };
        std::process::exit(status as i32);
    }
}

impl Bounds {
    fn reached(&self, reading: Reading) -> Option<Cause> {
        if self.used_memory(reading) >= MEMORY_FOR_ENGINES {
            return Some(Cause::Memory);
        }
        let time = reading.cpu + reading.release();
        self.cpu_time.is_some_and(|limit| time >= limit).then_some(Cause::Time)
    }

    /// Which part of the memory is used up.
    fn used_memory(&self, reading: Reading) -> f64 {
        self.memory.map_or(0.0, |limit| reading.memory as f64 / limit.max(1) as f64)
    }

    fn is_close(&self, reading: Reading) -> bool {
        let time = self.cpu_time.is_some_and(|limit| reading.cpu + reading.release() + PERIOD >= limit);
        time || self.used_memory(reading) >= CLOSE
    }
}

/// What the process has used so far.
#[derive(Debug, Clone, Copy)]
struct Reading {
    cpu: Duration,
    wall: Duration,
    memory: u64,
}

impl Reading {
    fn now() -> Reading {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let wall = START.get_or_init(Instant::now).elapsed();
        Reading { cpu: cpu_time(), wall, memory: resident_memory() }
    }

    /// The CPU time that ending the process takes.
    fn release(self) -> Duration {
        RELEASE_OF_GIGABYTE.mul_f64(self.memory as f64 / 1e9)
    }
}

/// The memory that the process occupies.
fn resident_memory() -> u64 {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// A process that uses CPU time and memory at fixed rates and never looks at the flag.
    struct Stuck {
        cpu_per_second: f64,
        memory_per_second: f64,
        wall: Cell<Duration>,
    }

    impl Stuck {
        fn new(cpu_per_second: f64, memory_per_second: f64) -> Stuck {
            Stuck { cpu_per_second, memory_per_second, wall: Cell::new(Duration::ZERO) }
        }

        fn reading(&self) -> Reading {
            let wall = self.wall.get();
            let memory = (wall.as_secs_f64() * self.memory_per_second) as u64;
            Reading { cpu: wall.mul_f64(self.cpu_per_second), wall, memory }
        }

        /// Why it is ended, and what it has used by then.
        fn end(&self, watch: &Watch, bounds: Bounds) -> (Cause, Reading) {
            let pause = |time| self.wall.set(self.wall.get() + time);
            let cause = watch.patrol(bounds, &|| self.reading(), &pause);
            (cause, self.reading())
        }
    }

    #[test]
    fn a_process_that_does_not_look_at_the_flag_is_ended_soon_after_its_limit() {
        let bounds = Bounds { cpu_time: Some(20 * SECOND), memory: None };
        for cpu_per_second in [1.0, 0.25, 2.0] {
            let watch = Watch::new();
            let (cause, reading) = Stuck::new(cpu_per_second, 0.0).end(&watch, bounds);
            assert_eq!((cause, watch.raised.load(Ordering::SeqCst)), (Cause::Time, true));
            let late = reading.cpu.checked_sub(20 * SECOND).expect("it has all the time that it may use");
            assert!(late >= GRACE && late < Duration::from_millis(250), "{late:?}");
        }
    }

    #[test]
    fn the_time_to_give_memory_back_belongs_to_the_limit() {
        let bounds = Bounds { cpu_time: Some(20 * SECOND), memory: None };
        let (_, reading) = Stuck::new(1.0, 2e8).end(&Watch::new(), bounds);
        let end = reading.cpu + reading.release();
        assert!(end < 20 * SECOND + Duration::from_millis(300), "{end:?}");
    }

    #[test]
    fn memory_stays_below_its_limit() {
        let bounds = Bounds { cpu_time: None, memory: Some(4_000_000_000) };
        let watch = Watch::new();
        let (cause, reading) = Stuck::new(1.0, 1e9).end(&watch, bounds);
        assert_eq!((cause, watch.cause()), (Cause::Memory, Some(Cause::Memory)));
        assert!(reading.memory < 4_020_000_000, "{}", reading.memory);
    }

    #[test]
    fn a_process_that_only_waits_is_ended_too() {
        let watch = Watch::new();
        watch.raise(Cause::User);
        let bounds = Bounds { cpu_time: Some(SECOND), memory: None };
        let (cause, reading) = Stuck::new(0.0, 0.0).end(&watch, bounds);
        assert_eq!(cause, Cause::User);
        assert!(reading.wall < WALL_GRACE + PERIOD, "{:?}", reading.wall);
    }
}

//! What ends a check from outside: the clock, the memory, the user. Engines look at a flag; should they not do so
//! in time, the process ends all the same, with a verdict.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rorqual_interpreter::Config;

use crate::exit::Status;

/// Engines have this long to look at the flag. Limits are to be obeyed within two seconds.
const GRACE: Duration = Duration::from_millis(1500);
const PERIOD: Duration = Duration::from_millis(25);

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
    telling: Arc<Mutex<()>>,
}

/// The limits of a check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) cpu_time: Option<Duration>,
    pub(crate) memory: Option<u64>,
}

impl Watch {
    /// Starts to watch. `last_words` is the verdict if engines do not react.
    pub(crate) fn start(
        bounds: Bounds,
        last_words: impl Fn(Cause) -> String + Send + Sync + 'static,
    ) -> Watch {
        let watch = Watch {
            raised: Arc::new(AtomicBool::new(false)),
            cause: Arc::new(AtomicU8::new(0)),
            telling: Arc::new(Mutex::new(())),
        };
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
        std::thread::spawn(move || guard.patrol(bounds, last_words.as_ref()));
        watch
    }

    fn raise(&self, cause: Cause) {
        let _ = self.cause.compare_exchange(0, cause as u8, Ordering::SeqCst, Ordering::SeqCst);
        self.raised.store(true, Ordering::SeqCst);
    }

    /// The settings of executions that end with the check.
    pub(crate) fn interpreter(&self) -> Config {
        Config { cancelled: Some(self.raised.clone()), ..Config::default() }
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

    /// From now on the verdict is told by the caller, and by nobody else.
    pub(crate) fn tell(&self) {
        // Whoever holds it ends the process, so a second teller waits for ever.
        if let Ok(guard) = self.telling.lock() {
            std::mem::forget(guard);
        }
    }

    fn patrol(&self, bounds: Bounds, last_words: &dyn Fn(Cause) -> String) {
        loop {
            std::thread::sleep(PERIOD);
            if bounds.cpu_time.is_some_and(|limit| cpu_time() >= limit) {
                self.raise(Cause::Time);
            }
            if let Some(limit) = bounds.memory {
                let used = resident_memory();
                if used >= limit {
                    self.raise(Cause::Memory);
                }
                // Memory grows faster than engines react.
                if used >= limit + limit / 20 {
                    self.end_process(Cause::Memory, last_words);
                }
            }
            if let Some(cause) = self.cause() {
                std::thread::sleep(GRACE);
                self.end_process(cause, last_words);
            }
        }
    }

    fn end_process(&self, cause: Cause, last_words: &dyn Fn(Cause) -> String) -> ! {
        self.tell();
        let _ = crate::console::print(last_words(cause).as_bytes());
        std::process::exit(Status::Unknown as i32);
    }
}

/// The CPU time of the process so far.
pub(crate) fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the result, and the clock exists on every Linux.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) } != 0;
    if failed { Duration::ZERO } else { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) }
}

/// The memory that the process occupies.
fn resident_memory() -> u64 {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}

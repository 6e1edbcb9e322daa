//! CPU time: how much was used, and limits of it for parts of a check.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rorqual_solver::Limits;

const PERIOD: Duration = Duration::from_millis(10);
/// Of what is left until the time limit, so much is kept for the answer.
const KEPT: f64 = 0.5;

/// How long something beside the answer may take: a share of what was spent so far, but at least `least`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share {
    pub(crate) of_spent: f64,
    pub(crate) least: Duration,
}

impl Share {
    /// The time, unless the limit is so near that there is none.
    pub(crate) fn time(self, limit: Option<Duration>) -> Option<Duration> {
        let spent = cpu_time();
        let wanted = spent.mul_f64(self.of_spent).max(self.least);
        let Some(limit) = limit else { return Some(wanted) };
        let left = limit.checked_sub(spent)?.mul_f64(1.0 - KEPT);
        Some(wanted.min(left))
    }
}

/// Ends something after some CPU time, or when the whole check ends.
pub(crate) struct Timer {
    raised: Arc<AtomicBool>,
    /// Nobody needs it any more.
    is_over: Arc<AtomicBool>,
}

impl Timer {
    /// Counts from now on.
    pub(crate) fn start(time: Duration, whole: &Limits) -> Timer {
        let timer = Timer { raised: Arc::default(), is_over: Arc::default() };
        let (raised, is_over, whole) = (timer.raised.clone(), timer.is_over.clone(), whole.clone());
        let end = cpu_time().saturating_add(time);
        std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) {
                if whole.spent().is_some() || cpu_time() >= end {
                    raised.store(true, Ordering::SeqCst);
                    return;
                }
                std::thread::sleep(PERIOD);
            }
        });
        timer
    }

    /// Limits that end queries when time is over.
    pub(crate) fn limits(&self) -> Limits {
        Limits::none().with_cancellation(self.raised.clone())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}

/// The CPU time of the process and of those that it has waited for, so far.
pub fn cpu_time() -> Duration {
    own_cpu_time() + cpu_time_of_children()
}

fn cpu_time_of_children() -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: `usage` is a valid place for the result, which is read only if it was written.
    let usage = unsafe {
        if libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) != 0 {
            return Duration::ZERO;
        }
        usage.assume_init()
    };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}

fn own_cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the result, and the clock exists on every Linux.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) } != 0;
    if failed { Duration::ZERO } else { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) }
}

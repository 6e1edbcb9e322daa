//! CPU time: how much was used, and limits of it for parts of a check.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    /// When it ends, in microseconds of CPU time.
    end: Arc<AtomicU64>,
    raised: Arc<AtomicBool>,
    /// Nobody needs it any more.
    is_over: Arc<AtomicBool>,
}

impl Timer {
    /// Counts from now on.
    pub(crate) fn start(time: Duration, whole: &Limits) -> Timer {
        let timer = Timer {
            end: Arc::new(AtomicU64::new(microseconds(cpu_time().saturating_add(time)))),
            raised: Arc::new(AtomicBool::new(whole.spent().is_some())),
            is_over: Arc::default(),
        };
        let (end, raised) = (timer.end.clone(), timer.raised.clone());
        let (is_over, whole) = (timer.is_over.clone(), whole.clone());
        std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) {
                if whole.spent().is_some() || microseconds(cpu_time()) >= end.load(Ordering::SeqCst) {
                    raised.store(true, Ordering::SeqCst);
                    return;
                }
                std::thread::sleep(PERIOD);
            }
        });
        timer
    }

    /// Leaves no more than some time from now on.
    pub(crate) fn shorten(&self, time: Duration) {
        self.end.fetch_min(microseconds(cpu_time().saturating_add(time)), Ordering::SeqCst);
    }

    /// The time that is left, unless there is no end.
    pub(crate) fn left(&self) -> Option<Duration> {
        let end = self.end.load(Ordering::SeqCst);
        (end < u64::MAX).then(|| Duration::from_micros(end).saturating_sub(cpu_time()))
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

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The CPU time of the process and of those that it has waited for, so far.
pub fn cpu_time() -> Duration {
    rorqual_solver::cpu_time() + cpu_time_of_children()
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

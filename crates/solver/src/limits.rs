//! How much a query may cost. Nothing else in this crate reads the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::answer::GaveUp;

/// The end of a duration: when so much time has passed, and the process has used as much CPU time. On a machine that is shared
/// with others the end comes later, but not sooner than on one that is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline {
    at: Instant,
    cpu_time: Duration,
}

impl Deadline {
    /// The end of a duration that starts now; none if it is too far away to be told.
    pub fn after(duration: Duration) -> Option<Deadline> {
        let at = Instant::now().checked_add(duration)?;
        Some(Deadline { at, cpu_time: cpu_time().checked_add(duration)? })
    }

    /// Whether it is over.
    pub fn is_over(self) -> bool {
        Instant::now() >= self.at && cpu_time() >= self.cpu_time
    }
}

/// The CPU time that the process has used so far.
pub fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the result, and the clock exists on every Linux.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) } != 0;
    if failed { Duration::MAX } else { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) }
}

/// The limits of one query. Without any, a query runs until it is decided.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    deadline: Option<Deadline>,
    conflicts: Option<u32>,
    memory: Option<u64>,
    cancelled: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// No limits.
    pub fn none() -> Limits {
        Limits::default()
    }

    /// Ends queries at a point in time, or when they would end anyway, whatever comes first.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Deadline) -> Limits {
        self.deadline = Some(self.deadline.map_or(deadline, |known| known.min(deadline)));
        self
    }

    /// Ends queries once the duration, counted from now, is over.
    #[must_use]
    pub fn with_duration(self, duration: Duration) -> Limits {
        match Deadline::after(duration) {
            Some(deadline) => self.with_deadline(deadline),
            None => self,
        }
    }

    /// Ends each query after so many conflicts. Unlike time, this is deterministic.
    #[must_use]
    pub fn with_conflicts(mut self, conflicts: u32) -> Limits {
        self.conflicts = Some(conflicts);
        self
    }

    /// Ends queries whose clauses would take more bytes. Clauses that the search learns are not
    /// counted: their number is bounded by the conflicts.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Limits {
        self.memory = Some(bytes);
        self
    }

    /// Ends queries when another thread raises the flag.
    #[must_use]
    pub fn with_cancellation(mut self, flag: Arc<AtomicBool>) -> Limits {
        self.cancelled = Some(flag);
        self
    }

    /// How many conflicts a query may take.
    pub fn conflicts(&self) -> Option<u32> {
        self.conflicts
    }

    /// The flag that ends queries.
    pub fn cancellation(&self) -> Option<&Arc<AtomicBool>> {
        self.cancelled.as_ref()
    }

    /// Why to stop now, if there is a reason.
    pub fn spent(&self) -> Option<GaveUp> {
        if self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(GaveUp::Cancelled);
        }
        if self.deadline.is_some_and(Deadline::is_over) {
            return Some(GaveUp::Time);
        }
        None
    }

    /// Fails once there is a reason to stop, or if clauses with so many literals are too many.
    pub fn check(&self, literals: u64) -> Result<(), GaveUp> {
        /// A literal is stored in its clause, in a watch list (two words per clause) and on the way
        /// to the solver.
        const BYTES_PER_LITERAL: u64 = 16;
        if self.memory.is_some_and(|bytes| literals.saturating_mul(BYTES_PER_LITERAL) > bytes) {
            return Err(GaveUp::Memory);
        }
        self.spent().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_reported_by_its_name() {
        assert_eq!(Limits::none().check(u64::MAX), Ok(()));
        assert_eq!(Limits::none().with_duration(Duration::ZERO).check(0), Err(GaveUp::Time));
        assert_eq!(Limits::none().with_memory(1000).check(1000), Err(GaveUp::Memory));
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().with_cancellation(flag.clone());
        assert_eq!(limits.check(0), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(limits.check(0), Err(GaveUp::Cancelled));
    }
}

//! Limits of CPU time for parts of a check.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rorqual_solver::Limits;

use super::watch::{Watch, cpu_time};

const PERIOD: Duration = Duration::from_millis(10);

/// Ends something after some CPU time, or when the whole check ends.
pub(crate) struct Timer {
    raised: Arc<AtomicBool>,
    /// Nobody needs it any more.
    is_over: Arc<AtomicBool>,
}

impl Timer {
    /// Counts from now on.
    pub(crate) fn start(time: Duration, watch: &Watch) -> Timer {
        let timer = Timer { raised: Arc::default(), is_over: Arc::default() };
        let (raised, is_over, whole) = (timer.raised.clone(), timer.is_over.clone(), watch.raised.clone());
        let end = cpu_time().saturating_add(time);
        std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) {
                if whole.load(Ordering::SeqCst) || cpu_time() >= end {
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

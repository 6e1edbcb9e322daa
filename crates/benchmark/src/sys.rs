//! What the operating system is asked for beyond the standard library: limits and signals for
//! child processes, and what a child has used when it ends.
//!
//! Every `unsafe` block of the crate is here. Nothing here knows about tasks or verdicts.

use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// How a process ended, as the system tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It exited with this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

/// What a process and the descendants it waited for have used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Resources {
    /// User and system time.
    pub(crate) cpu: Duration,
    /// The most physical memory that one process held at a time, in bytes.
    pub(crate) memory: u64,
}

/// Prepares a command: its process leads a group of its own, dies with this process, leaves no
/// core files, and is stopped by the kernel at `cpu_backstop` should nobody watch it any more.
pub(crate) fn confine(command: &mut Command, cpu_backstop: Duration) {
    command.process_group(0);
    let seconds = cpu_backstop.as_secs() + 1;
    // SAFETY: `getpid` cannot fail and touches no memory of ours.
    let parent = unsafe { libc::getpid() };
    let prepare = move || {
        // The soft limit gives a signal of its own, which tells a timeout from other ends.
        limit(libc::RLIMIT_CPU, seconds, seconds + 1)?;
        limit(libc::RLIMIT_CORE, 0, 0)?;
        die_with(parent)
    };
    // SAFETY: between `fork` and `exec` only `setrlimit`, `prctl` and `getppid` are called; they
    // are safe there, and nothing allocates or takes a lock.
    unsafe { command.pre_exec(prepare) };
}

fn limit(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
    // SAFETY: `limit` is valid for the call, which only reads it.
    checked(unsafe { libc::setrlimit(resource, &raw const limit) }).map(|_| ())
}

/// Asks for a `SIGKILL` when the parent ends.
fn die_with(parent: libc::pid_t) -> io::Result<()> {
    // SAFETY: these calls touch no memory.
    let now = unsafe {
        checked(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        libc::getppid()
    };
    // The parent may have ended before it could be watched.
    if now == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
}

/// Kills the group that `leader` leads. A group that is gone is what was wanted.
///
/// The leader must not have been reaped: only then can its number not belong to others.
pub(crate) fn kill_group(leader: u32) {
    // SAFETY: the call touches no memory.
    unsafe { libc::kill(-(leader as libc::pid_t), libc::SIGKILL) };
}

/// Whether the child has ended. It stays a zombie until [`reap`] is called.
pub(crate) fn has_ended(child: u32) -> io::Result<bool> {
    // SAFETY: all zeros is a valid `siginfo_t`.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `info` is valid for the call, which fills it.
    retried(|| unsafe { libc::waitid(libc::P_PID, child, &raw mut info, options) })?;
    // SAFETY: `waitid` succeeded, so the field is that of a child or still zero.
    Ok(unsafe { info.si_pid() } != 0)
}

/// Waits for the child, takes its number back, and tells what it used.
pub(crate) fn reap(child: u32) -> io::Result<(Exit, Resources)> {
    let mut status = 0;
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `status` and `usage` are valid for the call, which fills them.
    retried(|| unsafe { libc::wait4(child as libc::pid_t, &raw mut status, 0, &raw mut usage) })?;
    let exit = if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    };
    let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
    Ok((exit, Resources { cpu, memory: usage.ru_maxrss as u64 * 1024 }))
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
}

/// Makes reads from a pipe return at once if there is nothing to read.
pub(crate) fn set_nonblocking(file: &impl AsRawFd) -> io::Result<()> {
    let descriptor = file.as_raw_fd();
    // SAFETY: the calls touch no memory; the descriptor is open as long as `file` lives.
    unsafe {
        let flags = checked(libc::fcntl(descriptor, libc::F_GETFL))?;
        checked(libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK))?;
    }
    Ok(())
}

/// Waits until one of the descriptors can be read or was closed at its other end, at most for
/// `timeout`.
pub(crate) fn wait_readable(descriptors: &[RawFd], timeout: Duration) {
    let entry = |&fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let mut entries: Vec<_> = descriptors.iter().map(entry).collect();
    let milliseconds = timeout.as_millis() as libc::c_int;
    // SAFETY: the pointer and the length are those of `entries`. A failure (a signal) only ends
    // the waiting early.
    unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, milliseconds) };
}

/// The size of a page and the number of clock ticks per second, the units of `/proc`.
pub(crate) fn units() -> (u64, u64) {
    // SAFETY: the calls touch no memory; both values always exist on Linux.
    unsafe { (libc::sysconf(libc::_SC_PAGESIZE) as u64, libc::sysconf(libc::_SC_CLK_TCK) as u64) }
}

/// The name of a signal that ends processes.
pub(crate) fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        _ => return None,
    })
}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Repeats a call that a signal interrupted.
fn retried(mut call: impl FnMut() -> libc::c_int) -> io::Result<libc::c_int> {
    loop {
        match checked(call()) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

//! Lets code wait for signals while the terminal's modes are changed, so that they are restored before a signal acts.

use crate::failure::{Failure, exit};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

/// The signals that end or stop a process.
pub const ENDS_AND_STOPS: &[i32] = &[libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGTSTP];
/// The same, and SIGCHLD, and SIGCONT after a stop.
pub const ALL_OF_A_RUN: &[i32] =
    &[libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGTSTP, libc::SIGCHLD, libc::SIGCONT];
const NONE: i32 = -1;

/// The descriptor that the handler writes to. A signal handler takes no other arguments.
static NOTE_TO: AtomicI32 = AtomicI32::new(NONE);

extern "C" fn note(signal: libc::c_int) {
    let byte = u8::try_from(signal).unwrap_or(0);
    // SAFETY: write is allowed in a handler, and the byte lives through the call. A closed descriptor or a full pipe
    // makes it fail, which changes nothing.
    unsafe { libc::write(NOTE_TO.load(Ordering::Relaxed), ptr::from_ref(&byte).cast(), 1) };
}

/// Catches signals until it is dropped. Only one may exist at a time.
pub struct Signals {
    reader: UnixStream,
    _writer: UnixStream,
    before: Vec<(i32, libc::sigaction)>,
}

impl Signals {
    pub fn watch(watched: &[i32]) -> io::Result<Self> {
        let (reader, writer) = UnixStream::pair()?;
        reader.set_nonblocking(true)?;
        writer.set_nonblocking(true)?;
        NOTE_TO.store(writer.as_raw_fd(), Ordering::Relaxed);
        let mut signals = Signals { reader, _writer: writer, before: Vec::with_capacity(watched.len()) };
        for &signal in watched {
            let before = set_handler(signal, note as *const () as usize)?;
            if before.sa_sigaction == libc::SIG_IGN && !matches!(signal, libc::SIGCHLD | libc::SIGCONT) {
                restore(signal, &before); // nohup's wish stays
            } else {
                signals.before.push((signal, before));
            }
        }
        Ok(signals)
    }

    /// The next signal that arrived, if any.
    pub fn take(&self) -> Option<i32> {
        let mut byte = [0];
        let count = io::Read::read(&mut &self.reader, &mut byte).ok()?;
        (count == 1).then_some(i32::from(byte[0]))
    }

    /// Stops this process group, as the terminal does for Ctrl-Z. Returns when it continues. `take` then returns the
    /// signals that arrived meanwhile. SIGCONT is among them unless nothing was stopped, as in a group without a shell.
    pub fn stop_group(&self, signal: i32) -> io::Result<()> {
        let before = set_handler(signal, libc::SIG_DFL)?;
        // SAFETY: plain numbers.
        unsafe { libc::kill(0, signal) };
        restore(signal, &before);
        Ok(())
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            restore(*signal, before);
        }
        NOTE_TO.store(NONE, Ordering::Relaxed);
    }
}

fn set_handler(signal: i32, handler: usize) -> io::Result<libc::sigaction> {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: all zeros is a valid sigaction; both live through the call; the handler only writes to a descriptor.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = handler;
        match libc::sigaction(signal, &action, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

fn restore(signal: i32, before: &libc::sigaction) {
    // SAFETY: `before` is what the system itself gave for this signal.
    unsafe { libc::sigaction(signal, before, ptr::null_mut()) };
}

/// Lets the signal act as it would have without the helper. For a signal that only stops, returns when the process
/// continues.
pub fn raise(signal: i32) {
    // SAFETY: a plain number.
    unsafe { libc::raise(signal) };
}

/// Blocks SIGTTOU, which would stop a background process that changes or writes to the terminal.
pub fn let_write_from_behind(allowed: bool) {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    let how = if allowed { libc::SIG_BLOCK } else { libc::SIG_UNBLOCK };
    // SAFETY: the set is made by the call that makes sets, and lives through the others; between fork and exec all
    // of them are allowed.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGTTOU);
        libc::sigprocmask(how, set.as_ptr(), ptr::null_mut());
    }
}

/// Ends the process group as a key at the terminal would have if the helper's program had not been in the foreground.
pub fn end_group_by_signal(signal: i32) -> Failure {
    // SAFETY: plain numbers.
    unsafe { libc::kill(0, signal) };
    end_by_signal(signal)
}

/// Ends this process by the signal, so that a shell sees why.
pub fn end_by_signal(signal: i32) -> Failure {
    raise(signal);
    // The caller had the signal ignored.
    Failure::new(u8::try_from(128 + signal).unwrap_or(exit::INTERNAL), "interrupted")
}

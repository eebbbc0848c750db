//! Signals as something to wait for while the terminal's echo is off, so that it is on again before they act.

use crate::failure::{Failure, exit};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

const WATCHED: [i32; 5] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGTSTP];
const NONE: i32 = -1;

/// Where the handler writes: a handler can be told in no other way.
static NOTE_TO: AtomicI32 = AtomicI32::new(NONE);

extern "C" fn note(signal: libc::c_int) {
    let byte = u8::try_from(signal).unwrap_or(0);
    // SAFETY: write is allowed in a handler, and the byte lives through the call. A descriptor that is gone, or a
    // full pipe, makes it fail, which changes nothing.
    unsafe { libc::write(NOTE_TO.load(Ordering::Relaxed), ptr::from_ref(&byte).cast(), 1) };
}

/// Catches signals until it is dropped. One at a time.
pub struct Signals {
    reader: UnixStream,
    _writer: UnixStream,
    before: Vec<(i32, libc::sigaction)>,
}

impl Signals {
    pub fn watch() -> io::Result<Self> {
        let (reader, writer) = UnixStream::pair()?;
        reader.set_nonblocking(true)?;
        writer.set_nonblocking(true)?;
        NOTE_TO.store(writer.as_raw_fd(), Ordering::Relaxed);
        let mut signals = Signals { reader, _writer: writer, before: Vec::with_capacity(WATCHED.len()) };
        for signal in WATCHED {
            let before = set_handler(signal, note as *const () as usize)?;
            if before.sa_sigaction == libc::SIG_IGN {
                restore(signal, &before); // nohup's wish stays
            } else {
                signals.before.push((signal, before));
            }
        }
        Ok(signals)
    }

    /// The signal that came, if one did.
    pub fn take(&self) -> Option<i32> {
        let mut byte = [0];
        let count = io::Read::read(&mut &self.reader, &mut byte).ok()?;
        (count == 1).then_some(i32::from(byte[0]))
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

/// Lets the signal act as it would have without us; comes back for one that only stops, when it goes on.
pub fn raise(signal: i32) {
    // SAFETY: a plain number.
    unsafe { libc::raise(signal) };
}

/// Ends the way the signal ends a process, so that a shell sees what happened.
pub fn end_by_signal(signal: i32) -> Failure {
    raise(signal);
    // The caller had it ignored.
    Failure::new(u8::try_from(128 + signal).unwrap_or(exit::INTERNAL), "interrupted")
}

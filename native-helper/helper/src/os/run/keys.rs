//! Ctrl-C and Ctrl-\ at the user's terminal signal only the foreground group, which is the program's. A program that
//! catches them tells no one, so kubectl, which the keys should have ended, would go on. So a process of the helper
//! joins that group and reports the signals of the keys.

use super::super::system;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, setpgid, waitpid};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::ptr;
use std::time::Duration;

/// SIGWINCH is no key: it says that the size of the terminal changed.
const HEARD: [i32; 3] = [libc::SIGINT, libc::SIGQUIT, libc::SIGWINCH];
/// The listener ignores these. They stop or hang up the program's group, but the listener must always answer.
const NOT_MINE: [i32; 4] = [libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU, libc::SIGHUP];
/// The listener's answer. No signal has this number.
const DONE: u8 = 0;
/// The listener's only descriptor. A signal handler takes no arguments, so the number is fixed.
const LINE: RawFd = 0;
const MOST: Duration = Duration::from_millis(500);

/// The process that listens, and the socket to it. It answers a message only after it has reported all signals before.
pub struct Keys {
    line: UnixStream,
    listener: Pid,
}

impl Keys {
    /// None if the process can't be started. Then only the program gets the keys.
    pub fn start() -> Option<Self> {
        let (line, theirs) = UnixStream::pair().ok()?;
        let parent = getpid();
        // SAFETY: this process has one thread, and the child makes system calls only.
        match unsafe { libc::fork() } {
            0 => listen(theirs.as_raw_fd(), parent),
            pid => Pid::from_raw(pid).filter(|_| pid > 0).map(|listener| Keys { line, listener }),
        }
    }

    /// Runs in the child that becomes the program, once it has its group. Returns when the listener has joined that
    /// group.
    pub fn let_join(line: RawFd) {
        let mut byte = DONE;
        // SAFETY: the descriptor is open until the program begins, and the bytes live through the calls.
        unsafe {
            let group = getpgrp().as_raw_nonzero().get().to_ne_bytes();
            if libc::write(line, group.as_ptr().cast(), group.len()) == 4 {
                libc::read(line, ptr::from_mut(&mut byte).cast(), 1);
            }
        }
    }

    /// Makes all reads return without waiting.
    pub fn begin(&self) -> io::Result<()> {
        self.line.set_nonblocking(true)
    }

    pub fn line(&self) -> &UnixStream {
        &self.line
    }

    /// The signals that arrived.
    pub fn take(&self) -> Vec<i32> {
        std::iter::from_fn(|| self.read().filter(|byte| *byte != DONE)).map(i32::from).collect()
    }

    /// The signals up to the program's end, which one of them may have caused. The listener has that signal by then,
    /// too.
    pub fn take_last(&self) -> Vec<i32> {
        let _ = kill_process(self.listener, Signal::CONT);
        let mut heard = Vec::new();
        if (&self.line).write_all(&[0; 4]).is_ok() {
            let mut ready = [PollFd::new(&self.line, PollFlags::IN)];
            while let Ok(1) | Err(Errno::INTR) = poll(&mut ready, Timespec::try_from(MOST).ok().as_ref()) {
                match self.read() {
                    Some(DONE) | None => break,
                    Some(signal) => heard.push(i32::from(signal)),
                }
            }
        }
        heard
    }

    fn read(&self) -> Option<u8> {
        let mut byte = [DONE];
        (&self.line).read(&mut byte).is_ok_and(|count| count == 1).then_some(byte[0])
    }
}

impl AsRawFd for Keys {
    fn as_raw_fd(&self) -> RawFd {
        self.line.as_raw_fd()
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = kill_process(self.listener, Signal::KILL);
        while let Err(Errno::INTR) = waitpid(Some(self.listener), WaitOptions::empty()) {}
    }
}

extern "C" fn pass_on(signal: libc::c_int) {
    tell(u8::try_from(signal).unwrap_or(DONE));
}

fn tell(byte: u8) {
    // SAFETY: write is allowed in a handler, and the byte lives through the call.
    unsafe { libc::write(LINE, ptr::from_ref(&byte).cast(), 1) };
}

/// Runs in the child. Ends when the socket closes, at the latest.
fn listen(line: RawFd, parent: Pid) -> ! {
    // SAFETY: only system calls, on plain numbers and on bytes that live through them. The types of the handlers are
    // the system's. Closes the parent's descriptors: one left open here would keep the other end from seeing the close.
    unsafe {
        libc::dup2(line, LINE);
        system::close_from(LINE + 1);
        for signal in NOT_MINE {
            libc::signal(signal, libc::SIG_IGN);
        }
        for signal in HEARD {
            libc::signal(signal, pass_on as *const () as libc::sighandler_t);
        }
        let mut group = [0; 4];
        while system::end_with(parent).is_ok() {
            match libc::read(LINE, group.as_mut_ptr().cast(), group.len()) {
                4 => {
                    let group = Pid::from_raw(i32::from_ne_bytes(group));
                    let _ = group.map(|group| setpgid(None, Some(group)));
                    tell(DONE);
                }
                -1 if io::Error::last_os_error().raw_os_error() == Some(libc::EINTR) => {}
                _ => break,
            }
        }
        libc::_exit(0)
    }
}

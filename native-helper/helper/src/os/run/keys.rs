//! Ctrl-C and Ctrl-\ at the user's terminal go to the foreground group, which is only the program's. One that catches
//! them reports them to no one, and kubectl, which they would have ended, would go on. So a process of our own joins
//! that group and passes on what the keys say.

use super::super::system;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, setpgid, waitpid};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::ptr;
use std::time::Duration;

/// The last is no key: the terminal has another size.
const HEARD: [i32; 3] = [libc::SIGINT, libc::SIGQUIT, libc::SIGWINCH];
/// What stops the group is for the program; this process must always be there to answer.
const NOT_MINE: [i32; 4] = [libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU, libc::SIGHUP];
/// What the listener answers; no signal has this number.
const DONE: u8 = 0;
/// Where the listener has its only descriptor: a handler can be told in no other way.
const LINE: RawFd = 0;
const MOST: Duration = Duration::from_millis(500);

/// The process that listens, and the line to it: to what is said there it answers after all that it heard before.
pub struct Keys {
    line: UnixStream,
    listener: Pid,
}

impl Keys {
    /// None where there can't be such a process: then the keys are the program's alone.
    pub fn start() -> Option<Self> {
        let (line, theirs) = UnixStream::pair().ok()?;
        let parent = getpid();
        // SAFETY: this process has one thread, and the child makes system calls only.
        match unsafe { libc::fork() } {
            0 => listen(theirs.as_raw_fd(), parent),
            pid => Pid::from_raw(pid).filter(|_| pid > 0).map(|listener| Keys { line, listener }),
        }
    }

    /// In the child that becomes the program, once it has a group: returns when the listener is in it.
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

    /// From now on nothing here waits.
    pub fn begin(&self) -> io::Result<()> {
        self.line.set_nonblocking(true)
    }

    pub fn line(&self) -> &UnixStream {
        &self.line
    }

    /// The signals that came.
    pub fn take(&self) -> Vec<i32> {
        std::iter::from_fn(|| self.read().filter(|byte| *byte != DONE)).map(i32::from).collect()
    }

    /// The same once the program has ended, perhaps of one of them: the listener has got it, too, by then.
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

/// In the child, to its end: that of the line, at the latest.
fn listen(line: RawFd, parent: Pid) -> ! {
    // SAFETY: system calls alone, on plain numbers and on bytes that live through them. The handlers' types are the
    // system's. Nothing of the parent's may stay open here: its ends would be no ends.
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

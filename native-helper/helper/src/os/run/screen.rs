//! A program at the user's terminal gets a terminal as stderr, too, as with kubectl. Menus and colours depend on it. It
//! is a pseudo-terminal of this process, which passes what is written on to other clients that wait. They get it
//! stripped.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize};
use std::io::{self, IsTerminal, stderr};
use std::os::fd::{AsFd, OwnedFd};

/// The two ends: this process's, and the program's.
pub struct Screen {
    pub ours: OwnedFd,
    pub theirs: OwnedFd,
}

impl Screen {
    /// None if this process's stderr is not a terminal, or if the system has no pseudo-terminal left.
    pub fn open() -> Option<Self> {
        if !stderr().is_terminal() {
            return None;
        }
        Self::made().ok()
    }

    fn made() -> io::Result<Self> {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&ours)?;
        unlockpt(&ours)?;
        let name = ptsname(&ours, Vec::new())?;
        let theirs = open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        // Passes output through unchanged. The user's own terminal processes it.
        let mut modes = tcgetattr(&theirs)?;
        modes.make_raw();
        tcsetattr(&theirs, OptionalActions::Now, &modes)?;
        fit(&ours);
        Ok(Screen { ours, theirs })
    }
}

/// Gives it the size of the user's terminal.
pub fn fit(screen: impl AsFd) {
    if let Ok(size) = tcgetwinsize(stderr()) {
        let _ = tcsetwinsize(screen, size);
    }
}

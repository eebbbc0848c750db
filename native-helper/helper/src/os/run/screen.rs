//! A program at the person's terminal finds a terminal at its stderr, too, as with kubectl: menus and colours depend on
//! it. It is one of our own, so that what is said there can be shown to others who wait, who get it stripped.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize};
use std::io::{self, IsTerminal, stderr};
use std::os::fd::{AsFd, OwnedFd};

/// The two ends: the one that is read here, and the program's.
pub struct Screen {
    pub ours: OwnedFd,
    pub theirs: OwnedFd,
}

impl Screen {
    /// None where no one reads this process's stderr on a terminal, or the system has none to give.
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
        // What is written comes out unchanged: the user's own terminal does the rest.
        let mut modes = tcgetattr(&theirs)?;
        modes.make_raw();
        tcsetattr(&theirs, OptionalActions::Now, &modes)?;
        fit(&ours);
        Ok(Screen { ours, theirs })
    }
}

/// Makes it as large as the user's.
pub fn fit(screen: impl AsFd) {
    if let Ok(size) = tcgetwinsize(stderr()) {
        let _ = tcsetwinsize(screen, size);
    }
}

use super::super::signals::let_write_from_behind;
use rustix::process::{Pid, getpgid, getpgrp, test_kill_process_group};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr, tcsetpgrp,
};
use std::io::stdin;

/// The user's terminal, which is standard input, lent to a program. When dropped, it is this process group's again,
/// with echo and all settings restored, unless a shell has given it to another group meanwhile.
pub struct Lent {
    before: Termios,
    /// The program's modes, while it is stopped.
    program: Option<Termios>,
    /// The group that is in front by our doing.
    to: Option<Pid>,
}

impl Lent {
    /// None where standard input is not the controlling terminal, or another group is in front: a job in the
    /// background.
    pub fn begin() -> Option<Self> {
        // Of a terminal that isn't the controlling one the system tells no group.
        if tcgetpgrp(stdin()).ok()? != getpgrp() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let_write_from_behind(true);
        Some(Lent { before, program: None, to: None })
    }

    /// The program has put itself in front when it started.
    pub fn is_with(&mut self, program: Pid) {
        self.to = Some(program);
    }

    /// No program has started, but on its way there it may have put itself in front.
    pub fn after_no_start(mut self) {
        let front = tcgetpgrp(stdin()).ok();
        self.to = front.filter(|front| *front != getpgrp() && test_kill_process_group(*front).is_err());
    }

    /// Puts the program's group in front, where this process's is; else false.
    pub fn give(&mut self, program: Pid) -> bool {
        let group = getpgid(Some(program)).unwrap_or(program);
        if tcgetpgrp(stdin()) != Ok(getpgrp()) || group == getpgrp() {
            return false;
        }
        // The user at the shell may have changed them.
        if let Ok(now) = tcgetattr(stdin()) {
            self.before = now;
        }
        if let Some(modes) = self.program.take() {
            let _ = tcsetattr(stdin(), OptionalActions::Now, &modes);
        }
        let is_given = tcsetpgrp(stdin(), group).is_ok();
        self.to = is_given.then_some(group);
        is_given
    }

    /// Puts this process's group in front again, and the terminal's modes as they were.
    pub fn take_back(&mut self) {
        let Some(to) = self.to.take() else { return };
        let Ok(front) = tcgetpgrp(stdin()) else { return };
        // A group of the program's own making may be in front; one that is gone can't mind.
        if front != to && test_kill_process_group(front).is_ok() {
            return;
        }
        if let Ok(now) = tcgetattr(stdin()) {
            // Half a password, of a program that was ended: it is not for the shell.
            let hid = |modes: &Termios| !modes.local_modes.contains(LocalModes::ECHO);
            if hid(&now) && !hid(&self.before) {
                let _ = tcflush(stdin(), QueueSelector::IFlush);
            }
            self.program = Some(now);
        }
        let _ = tcsetpgrp(stdin(), getpgrp());
        // Immediately: a stopped terminal (Ctrl-S) would never be drained.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.take_back();
        let_write_from_behind(false);
    }
}

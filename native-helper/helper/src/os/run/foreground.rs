use super::super::signals::let_write_from_behind;
use rustix::process::{Pid, getpgid, getpgrp, test_kill_process_group};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr, tcsetpgrp,
};
use std::io::stdin;

/// The user's terminal, which is standard input, lent to a program. Dropping it gives the terminal back to this process
/// group, and restores echo and all settings, unless a shell has given it to another group.
pub struct Lent {
    before: Termios,
    /// The program's terminal modes, while the program is stopped.
    program: Option<Termios>,
    /// The group that this process put in the foreground.
    to: Option<Pid>,
}

impl Lent {
    /// None if standard input is not the controlling terminal, or if this process is a background job.
    pub fn begin() -> Option<Self> {
        // The system reports a foreground group only for the controlling terminal.
        if tcgetpgrp(stdin()).ok()? != getpgrp() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let_write_from_behind(true);
        Some(Lent { before, program: None, to: None })
    }

    /// Notes that the program put itself in the foreground as it started.
    pub fn is_with(&mut self, program: Pid) {
        self.to = Some(program);
    }

    /// Call this when the program failed to start: it may have put itself in the foreground before that.
    pub fn after_no_start(mut self) {
        let front = tcgetpgrp(stdin()).ok();
        self.to = front.filter(|front| *front != getpgrp() && test_kill_process_group(*front).is_err());
    }

    /// Puts the program's group in the foreground. Does nothing and returns false unless this process's group is there.
    pub fn give(&mut self, program: Pid) -> bool {
        let group = getpgid(Some(program)).unwrap_or(program);
        if tcgetpgrp(stdin()) != Ok(getpgrp()) || group == getpgrp() {
            return false;
        }
        // The user may have changed the modes at the shell.
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

    /// Puts this process's group in the foreground again, and restores the terminal's modes.
    pub fn take_back(&mut self) {
        let Some(to) = self.to.take() else { return };
        let Ok(front) = tcgetpgrp(stdin()) else { return };
        // The program may have put its own new group in the foreground. A group that has ended doesn't count.
        if front != to && test_kill_process_group(front).is_ok() {
            return;
        }
        if let Ok(now) = tcgetattr(stdin()) {
            // Drops half a password that was typed for a program that has ended. The shell must not read it.
            let hid = |modes: &Termios| !modes.local_modes.contains(LocalModes::ECHO);
            if hid(&now) && !hid(&self.before) {
                let _ = tcflush(stdin(), QueueSelector::IFlush);
            }
            self.program = Some(now);
        }
        let _ = tcsetpgrp(stdin(), getpgrp());
        // Now, not after draining: a stopped terminal (Ctrl-S) would never drain.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.take_back();
        let_write_from_behind(false);
    }
}

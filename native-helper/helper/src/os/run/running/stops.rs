//! Keys and signals: what ends the program, and what stops it until a shell continues it.

use super::{Running, SHORT_GRACE};
use crate::failure::Failure;
use crate::frames::Outcome;
use crate::os::run::keys::Keys;
use crate::os::run::{End, broken};
use rustix::process::Signal;
use std::time::Instant;

/// How often a program that wants the foreground gets it.
const MOST_GIFTS: u32 = 100;

impl Running<'_> {
    pub(super) fn on_signal(&mut self, signal: i32) -> Result<(), Failure> {
        match signal {
            libc::SIGCHLD => {}
            // A background job may be in the foreground now.
            libc::SIGCONT => self.put_in_front(),
            libc::SIGTSTP => {
                self.family.signal(Signal::STOP);
                self.stop(libc::SIGTSTP)?;
            }
            _ => {
                let end = End::Interrupted { signal, whole_group: false };
                let passed = Signal::from_named_raw(signal).unwrap_or(Signal::TERM);
                self.begin_end(end, passed, SHORT_GRACE);
            }
        }
        Ok(())
    }

    pub(super) fn on_keys(&mut self, heard: impl FnOnce(&Keys) -> Vec<i32>) {
        for signal in self.keys.as_ref().map(heard).unwrap_or_default() {
            match signal {
                libc::SIGWINCH => self.stderr.fit(),
                _ => self.on_key(signal),
            }
        }
    }

    /// The key also ends this process and the rest of its group, as it would have without the helper. The program has
    /// its signal already, and gets a moment to handle it.
    fn on_key(&mut self, signal: i32) {
        let end = End::Interrupted { signal, whole_group: true };
        self.ending.get_or_insert_with(|| (end, Instant::now() + SHORT_GRACE));
    }

    fn put_in_front(&mut self) {
        if let Some(lent) = &mut self.around.lent {
            lent.give(self.family.head);
        }
    }

    /// The program is stopped. Stops this process's group, too, as the key would have, until a shell continues it.
    pub(super) fn stop(&mut self, signal: i32) -> Result<(), Failure> {
        let wants_terminal = matches!(signal, libc::SIGTTIN | libc::SIGTTOU);
        if wants_terminal {
            self.gifts += 1;
            if self.gifts < MOST_GIFTS
                && self.around.lent.as_mut().is_some_and(|lent| lent.give(self.family.head))
            {
                self.family.signal(Signal::CONT);
                return Ok(());
            }
        }
        if let Some(lent) = &mut self.around.lent {
            lent.take_back();
        }
        let began = Instant::now();
        let own = if wants_terminal { libc::SIGTTIN } else { libc::SIGTSTP };
        self.around.signals.stop_group(own).map_err(|error| broken(&error))?;
        self.until = self.until.map(|until| until + began.elapsed());
        let came: Vec<i32> = std::iter::from_fn(|| self.around.signals.take()).collect();
        let was_stopped = came.contains(&libc::SIGCONT);
        for signal in came {
            if !matches!(signal, libc::SIGCONT | libc::SIGTSTP) {
                self.on_signal(signal)?;
            }
        }
        // The request may have been withdrawn meanwhile. Then the program must not go on.
        if self.ending.is_none() && !self.client.is_wanted()? {
            self.begin_end(End::Withdrawn, Signal::TERM, SHORT_GRACE);
        }
        if self.ending.is_none() && wants_terminal && (!was_stopped || self.gifts >= MOST_GIFTS) {
            self.begin_end(End::Ran(Outcome::NoTerminal), Signal::TERM, SHORT_GRACE);
        }
        if self.ending.is_none() {
            self.put_in_front();
            self.family.signal(Signal::CONT);
        }
        Ok(())
    }
}

use super::{Running, SHORT_GRACE};
use crate::failure::Failure;
use crate::os::run::{End, broken};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::Signal;
use std::io;
use std::os::fd::AsFd;
use std::time::Instant;

impl Running<'_> {
    /// Waits until a descriptor is ready, or until the next deadline.
    pub(super) fn wait(&mut self) -> Result<(), Failure> {
        let due = [
            Some(self.next_alive),
            self.until.filter(|_| self.ending.is_none() && self.ended.is_none()),
            self.ending.as_ref().map(|(_, kill)| *kill),
            self.ended.map(|(_, drained)| drained),
        ];
        let due = due.into_iter().flatten().min().unwrap_or(self.next_alive);
        let left = Timespec::try_from(due.saturating_duration_since(Instant::now())).ok();
        let (stdin, screen) = (io::stdin(), io::stderr());
        let mut all = vec![PollFd::new(&self.around.signals, PollFlags::IN)];
        all.extend(self.stdout.pipe.descriptor().map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
        if self.ending.is_none() {
            all.push(PollFd::from_borrowed_fd(self.client.descriptor(), PollFlags::IN));
            all.extend(self.parent.1.as_ref().map(|end| PollFd::new(end, PollFlags::IN)));
        }
        if self.stderr.is_waiting() {
            all.push(PollFd::new(&screen, PollFlags::OUT));
        } else {
            let pipe = self.stderr.pipe.descriptor();
            all.extend(pipe.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
        }
        all.extend(self.keys.as_ref().map(|keys| PollFd::new(keys.line(), PollFlags::IN)));
        let has_terminal = self.around.lent.is_some() && self.ending.is_none() && self.tells_hang_up;
        if has_terminal {
            // Not for input, which is the program's. Linux reports a hang-up unasked, macOS only where it is asked for
            // (poll_nocancel of XNU's bsd/kern/sys_generic.c).
            all.push(PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::HUP));
        }
        match poll(&mut all, left.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(broken(&error.into())),
        }
        let told = all.last().filter(|_| has_terminal).map_or(PollFlags::empty(), PollFd::revents);
        // macOS can't watch /dev/tty (os/by_select.rs), and would say so without a wait each time.
        self.tells_hang_up &= !told.contains(PollFlags::NVAL);
        if told.intersects(PollFlags::HUP | PollFlags::ERR) {
            let end = End::Interrupted { signal: libc::SIGHUP, whole_group: true };
            self.begin_end(end, Signal::HUP, SHORT_GRACE);
        }
        Ok(())
    }
}

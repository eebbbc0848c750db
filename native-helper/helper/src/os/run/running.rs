mod proxy;
mod stops;
mod wait;

use super::super::system;
use super::keys::Keys;
use super::output::{EMPTY, Pipe};
use super::{Around, Client, Collected, End, Family, Shown, broken};
use crate::failure::{Failure, exit};
use crate::frames::{HelperFrame, Outcome, RunOrder, base64};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getppid, waitid};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

const ALIVE: Duration = Duration::from_secs(1);
/// Between the signal and the kill. The short one is for a program whose result no one wants any more.
const GRACE: Duration = Duration::from_secs(2);
const SHORT_GRACE: Duration = Duration::from_millis(500);
/// How long to read the pipes after the program has ended. Processes that it left running may keep them open for ever.
const HELD_OPEN: Duration = Duration::from_secs(1);
/// The most of stderr that the broker gets: of a run, or of each second of a program that is kept running. All of it is
/// shown.
const SAID_BYTES: usize = 64 * 1024;
/// The exit code that shells, and many programs that catch an interrupt, end with.
const INTERRUPTED_CODE: i32 = 128 + libc::SIGINT;

/// A running program. Dropping it before its end ends the program and all that it started.
pub struct Running<'a> {
    order: &'a RunOrder,
    client: &'a mut dyn Client,
    child: Child,
    family: Family,
    around: Around,
    parent: (Option<Pid>, Option<OwnedFd>),
    stdout: Collected,
    stderr: Shown,
    said: usize,
    gifts: u32,
    /// Only with the user's terminal.
    keys: Option<Keys>,
    /// False: the system can't watch this terminal.
    tells_hang_up: bool,
    /// None: without a limit.
    until: Option<Instant>,
    next_alive: Instant,
    ending: Option<(End, Instant)>,
    ended: Option<(Status, Instant)>,
    is_over: bool,
}

#[derive(Clone, Copy)]
enum Status {
    Exited(i32),
    Signalled(i32),
}

impl<'a> Running<'a> {
    pub fn new(
        order: &'a RunOrder,
        client: &'a mut dyn Client,
        mut child: Child,
        mut around: Around,
        shows: bool,
    ) -> Result<Self, Failure> {
        let head = Pid::from_child(&child);
        if let Some(lent) = &mut around.lent {
            lent.is_with(head);
        }
        let family = Family { head, adopts: around.adopts };
        let screen = around.screen.take();
        let is_screen = screen.is_some();
        let err = screen.or_else(|| child.stderr.take().map(OwnedFd::from));
        let out = around.out.take().or_else(|| child.stdout.take().map(OwnedFd::from));
        let pipes = pipe(out).and_then(|out| Ok((out, pipe(err)?)));
        let (out, err) = pipes.map_err(|error| {
            family.end();
            broken(&error)
        })?;
        let keys = around.keys.take();
        let now = Instant::now();
        Ok(Running {
            order,
            client,
            family,
            child,
            around,
            parent: (getppid(), system::end_of_parent()),
            stdout: Collected::new(out, order.max_bytes),
            stderr: Shown::new(err, shows, is_screen),
            said: 0,
            gifts: 0,
            keys,
            tells_hang_up: true,
            until: (!order.kept).then(|| now + Duration::from_secs(order.seconds.into())),
            next_alive: now,
            ending: None,
            ended: None,
            is_over: false,
        })
    }

    pub fn until_its_end(mut self) -> Result<End, Failure> {
        loop {
            self.say_alive()?;
            self.wait()?;
            while let Some(signal) = self.around.signals.take() {
                self.on_signal(signal)?;
            }
            self.on_keys(Keys::take);
            if getppid() != self.parent.0 {
                return Err(Failure::new(exit::INTERNAL, "whoever asked is gone"));
            }
            if self.ending.is_none() && !self.client.is_wanted()? {
                self.begin_end(End::Withdrawn, Signal::TERM, SHORT_GRACE);
            }
            let fits = self.stdout.take();
            self.pass_stderr()?;
            self.look_at_child()?;
            if let Some(answer) = self.answer() {
                return self.serve(&answer);
            }
            if !fits {
                self.stdout.pipe.close();
                self.begin_end(End::Ran(Outcome::TooLarge), Signal::TERM, SHORT_GRACE);
            }
            if let Some(end) = self.end_if_over()? {
                return Ok(end);
            }
        }
    }

    fn say_alive(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        if now >= self.next_alive {
            self.tell(&HelperFrame::Alive { id: self.order.id })?;
            self.next_alive = now + ALIVE;
            if self.order.kept {
                self.said = 0;
            }
        }
        Ok(())
    }

    /// Passes on a limited part: a program that writes without end must not block the rest.
    fn pass_stderr(&mut self) -> Result<(), Failure> {
        let mut buffer = EMPTY;
        for _ in 0..16 {
            self.stderr.show(Duration::ZERO);
            if self.stderr.is_waiting() {
                break;
            }
            let Some(piece) = self.stderr.take(&mut buffer) else { break };
            let piece = piece.get(..piece.len().min(SAID_BYTES - self.said)).unwrap_or_default();
            if !piece.is_empty() {
                self.said += piece.len();
                let data = base64(piece);
                self.tell(&HelperFrame::Said { id: self.order.id, data: &data })?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure> {
        match self.ending {
            Some((End::Withdrawn, _)) => Ok(()),
            _ => self.client.tell(frame),
        }
    }

    /// Leaves the process unreaped, so that no other process gets its pid.
    fn status(&self) -> Option<Status> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.family.head), look).ok()??;
        Some(match status.exit_status() {
            // macOS gives all 32 bits that the program said (waitid_nocancel of XNU's bsd/kern/kern_exit.c).
            Some(code) => Status::Exited(code & 0xff),
            None => Status::Signalled(status.terminating_signal().unwrap_or(libc::SIGKILL)),
        })
    }

    fn look_at_child(&mut self) -> Result<(), Failure> {
        if self.ended.is_some() {
            return Ok(());
        }
        if let Some(status) = self.status() {
            self.on_keys(Keys::take_last);
            self.ended = Some((status, Instant::now() + HELD_OPEN));
        } else if self.around.lent.is_some() && self.ending.is_none() {
            let look = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
            if let Ok(Some(status)) = waitid(WaitId::Pid(self.family.head), look) {
                return self.stop(status.stopping_signal().unwrap_or(libc::SIGTSTP));
            }
        }
        Ok(())
    }

    /// Asks the program to end. It is killed if it hasn't ended after `grace`.
    fn begin_end(&mut self, end: End, signal: Signal, grace: Duration) {
        if self.ending.is_none() {
            self.family.signal(signal);
            self.family.signal(Signal::CONT);
            self.ending = Some((end, Instant::now() + grace));
        }
    }

    fn end_if_over(&mut self) -> Result<Option<End>, Failure> {
        let now = Instant::now();
        if self.ending.is_none() && self.ended.is_none() && self.until.is_some_and(|until| now >= until) {
            self.begin_end(End::Ran(Outcome::TimedOut), Signal::TERM, GRACE);
        }
        if self.ending.as_ref().is_some_and(|(_, kill)| now >= *kill || self.ended.is_some()) {
            self.end_family();
            return self.finish();
        }
        match self.ended {
            Some((Status::Signalled(_), _)) => {
                self.end_family();
                self.finish()
            }
            Some((Status::Exited(_), drained)) if self.stdout.pipe.is_at_end() || now >= drained => {
                if self.order.ends_all {
                    self.end_family();
                }
                self.finish()
            }
            _ => Ok(None),
        }
    }

    /// Ends the listener first, which is in the program's group: it must be reaped by its pid before another process
    /// can get that.
    fn end_family(&mut self) {
        self.keys = None;
        self.family.end();
    }

    fn finish(&mut self) -> Result<Option<End>, Failure> {
        self.is_over = true;
        self.keys = None;
        let _ = self.child.try_wait();
        if let Some(lent) = &mut self.around.lent {
            lent.take_back();
        }
        let end = match (self.ending.take(), self.ended) {
            (Some((end, _)), _) => end,
            (None, Some((status, _))) => self.end_of(status),
            (None, None) => End::Withdrawn,
        };
        if end != End::Withdrawn {
            self.pass_stderr()?;
            self.stderr.finish(HELD_OPEN);
        }
        Ok(Some(end))
    }

    fn end_of(&mut self, status: Status) -> End {
        let at_terminal = self.around.lent.is_some();
        match status {
            Status::Signalled(signal @ (libc::SIGINT | libc::SIGQUIT | libc::SIGHUP)) if at_terminal => {
                End::Interrupted { signal, whole_group: true }
            }
            Status::Exited(INTERRUPTED_CODE) if at_terminal => {
                End::Interrupted { signal: libc::SIGINT, whole_group: true }
            }
            Status::Signalled(signal) => End::Ran(Outcome::Signalled { signal }),
            Status::Exited(code) => {
                End::Ran(Outcome::exited(u8::try_from(code).unwrap_or(u8::MAX), &self.stdout.kept.bytes))
            }
        }
    }
}

fn pipe(end: Option<impl Into<OwnedFd>>) -> io::Result<Pipe> {
    Pipe::new(end.ok_or(ErrorKind::BrokenPipe)?)
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.family.signal(Signal::TERM);
            self.family.signal(Signal::CONT);
            let until = Instant::now() + SHORT_GRACE;
            while self.status().is_none() && Instant::now() < until {
                sleep(Duration::from_millis(3));
            }
            self.end_family();
            let _ = self.child.try_wait();
        }
    }
}

use super::Session;
use crate::failure::{Failure, exit};
use crate::frames::{BrokerFrame, HelperFrame, Outcome, RunOrder, encode};
use crate::limits::Deadline;
use crate::os::end_by_signal;
#[cfg(unix)]
use crate::os::end_group_by_signal;
#[cfg(unix)]
use crate::os::run::is_readable;
use crate::os::run::{Client, End, run};
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

impl Session<'_> {
    /// Runs a program for the broker. The limit of the order applies meanwhile, and the helper's deadline is paused.
    /// Returns an exit code if the whole request has been answered meanwhile.
    pub(super) fn run(&mut self, order: &RunOrder) -> Result<Option<u8>, Failure> {
        let left = self.deadline.left(Instant::now()).unwrap_or_default();
        let mut ordered = Ordered { session: self, id: order.id, left };
        let end = run(order, &mut ordered)?;
        let left = ordered.left;
        self.deadline = Deadline::after(Instant::now(), left);
        let id = order.id;
        match end {
            End::Ran(outcome) => self.tell(&HelperFrame::Ran { id, outcome: &outcome })?,
            #[cfg(unix)]
            End::PassedOn(code) => return Ok(Some(code)),
            #[cfg(unix)]
            End::Interrupted { signal, whole_group: true } => {
                self.tell_interrupted(id, signal)?;
                return Err(end_group_by_signal(signal));
            }
            End::Interrupted { signal, .. } => {
                self.tell_interrupted(id, signal)?;
                return Err(end_by_signal(signal));
            }
            End::Withdrawn => {}
        }
        Ok(None)
    }

    fn tell_interrupted(&mut self, id: u64, signal: i32) -> Result<(), Failure> {
        self.tell(&HelperFrame::Ran { id, outcome: &Outcome::Interrupted { signal } })
    }

    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure> {
        let bytes = encode(frame).map_err(|error| {
            Failure::new(exit::INTERNAL, format!("can't tell the agent of a program: {error}"))
        })?;
        self.send(&bytes)
    }
}

/// Obeys some of the broker's frames while a program runs. Questions wait until it has ended.
struct Ordered<'s, 'a> {
    session: &'s mut Session<'a>,
    id: u64,
    /// The time left until the helper's deadline.
    left: Duration,
}

impl Client for Ordered<'_, '_> {
    #[cfg(unix)]
    fn descriptor(&self) -> BorrowedFd<'_> {
        self.session.wire.connection.as_fd()
    }

    fn is_wanted(&mut self) -> Result<bool, Failure> {
        let own = self.id;
        let counts = |frame: &BrokerFrame| match frame {
            BrokerFrame::Stderr { .. } | BrokerFrame::Progress { .. } => true,
            BrokerFrame::Cancel { id } => *id == own,
            _ => false,
        };
        loop {
            while let Some(frame) = self.session.wire.take_where(counts) {
                match frame {
                    BrokerFrame::Stderr { text } => self.session.say(&text),
                    BrokerFrame::Progress { seconds } => self.left = Duration::from_secs(seconds.into()),
                    _ => return Ok(false),
                }
            }
            if self.session.wire.has_ended() {
                return Ok(false);
            }
            #[cfg(unix)]
            if !is_readable(self.descriptor()) {
                return Ok(true);
            }
            let has_arrived = self.session.wire.fill(Duration::from_millis(1))?;
            if cfg!(windows) && !has_arrived {
                return Ok(true);
            }
        }
    }

    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure> {
        self.session.tell(frame)
    }

    fn shows_stderr(&self) -> bool {
        true
    }

    #[cfg(unix)]
    fn pass_on(&mut self, answer: &Outcome) -> Result<u8, Failure> {
        let session = &mut *self.session;
        session.deadline = Deadline::after(Instant::now(), self.left);
        session.tell(&HelperFrame::Ran { id: self.id, outcome: answer })?;
        let code = session.obey()?;
        // The broker has no more to say, and this process may live as long as its client.
        session.wire.connection.close();
        Ok(code)
    }
}

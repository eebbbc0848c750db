//! Runs a program for the broker: a wrapped exec plugin, with the user's terminal or without one. However the run ends,
//! it restores the terminal, and leaves no process of a program that it ended (rule: no-stray-program).

mod family;
mod foreground;
mod keys;
mod output;
mod running;
mod screen;
mod start;

pub use family::Process;

use super::signals::{ALL_OF_A_RUN, Signals};
use crate::failure::{Failure, exit};
use crate::frames::{HelperFrame, Outcome, RunOrder};
use family::{Adopts, Family};
use foreground::Lent;
use keys::Keys;
use output::{Collected, Shown};
use running::Running;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use screen::Screen;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{BorrowedFd, OwnedFd};

/// The broker that ordered the program.
pub trait Client {
    /// Readable when frames have arrived, or at the end of the connection.
    fn descriptor(&self) -> BorrowedFd<'_>;
    /// Handles the frames that have arrived, without waiting. Returns whether the program is still wanted.
    fn is_wanted(&mut self) -> Result<bool, Failure>;
    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure>;
    /// Whether to show the program's stderr on this process's stderr.
    fn shows_stderr(&self) -> bool;
    /// The program has answered, and runs on: what would follow its end follows now. Returns this process's exit code.
    fn pass_on(&mut self, answer: &Outcome) -> Result<u8, Failure>;
    /// How a program that is kept running talks with the broker. None: it can't.
    fn talk(&mut self) -> Option<Talk> {
        None
    }
}

/// What the broker writes for a program that is kept running, and where it reads what that writes.
pub struct Talk {
    pub to_program: File,
    pub from_program: File,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Ran(Outcome),
    /// Interrupted by the user: this process ends, too. `whole_group`: the key's signal reached only the program's
    /// group, so the rest of this process's group gets it as well.
    Interrupted {
        signal: i32,
        whole_group: bool,
    },
    /// The broker no longer wants the result.
    Withdrawn,
    /// It was its client's proxy: all is said, and this is the exit code.
    PassedOn(u8),
}

/// Runs the program to its end. Fails if the client is gone; the program has been ended by then, too.
pub fn run(order: &RunOrder, client: &mut dyn Client) -> Result<End, Failure> {
    if !client.is_wanted()? {
        return Ok(End::Withdrawn);
    }
    let lent = if order.terminal {
        let Some(lent) = Lent::begin() else { return Ok(End::Ran(Outcome::NoTerminal)) };
        Some(lent)
    } else {
        None
    };
    let signals = Signals::watch(ALL_OF_A_RUN).map_err(|error| broken(&error))?;
    let adopts = Adopts::begin();
    let keys = lent.as_ref().and_then(|_| Keys::start());
    let (ours, theirs) =
        lent.as_ref().and_then(|_| Screen::open()).map(|screen| (screen.ours, screen.theirs)).unzip();
    let talk = order
        .kept
        .then(|| client.talk().ok_or_else(|| broken(&ErrorKind::NotConnected.into())))
        .transpose()?;
    match start::start(order, keys.as_ref(), theirs, talk) {
        Ok((child, out)) => {
            let keys = keys.filter(|keys| keys.begin().is_ok());
            let shows = client.shows_stderr();
            let around = Around { signals, lent, adopts, keys, screen: ours, out };
            Running::new(order, client, child, around, shows)?.until_its_end()
        }
        Err(outcome) => {
            // The listener may be the only process left in the foreground group.
            drop(keys);
            if let Some(lent) = lent {
                lent.after_no_start();
            }
            Ok(End::Ran(outcome))
        }
    }
}

/// What was prepared before the program started.
struct Around {
    signals: Signals,
    lent: Option<Lent>,
    adopts: Adopts,
    keys: Option<Keys>,
    /// The end that the program's stderr is read from, where its stderr is a terminal.
    screen: Option<OwnedFd>,
    /// Ends when what a program that is kept running wrote has been passed on. None: its stdout is collected.
    out: Option<OwnedFd>,
}

/// Whether bytes or the end of the stream can be read.
pub fn is_readable(descriptor: BorrowedFd<'_>) -> bool {
    let mut all = [PollFd::from_borrowed_fd(descriptor, PollFlags::IN)];
    poll(&mut all, Some(&Timespec::default())).is_ok_and(|count| count > 0)
}

fn broken(error: &io::Error) -> Failure {
    Failure::new(exit::INTERNAL, format!("can't run a program: {error}"))
}

//! Runs a program for the broker, as os/run does on Unix. The program and all that it starts are in a Job Object, which
//! ends them when its handle is closed: also when this process is killed (rule: no-stray-program).
//!
//! Windows has no signal that asks a program to end: one that must end is terminated at once. A plugin at the user's
//! console shares the console with this process. Its stderr is a pipe, not the console: it is shown and passed on.

mod checks;
mod console;
mod environment;
mod job;
mod own_handles;
mod parent;
mod readers;
mod running;
mod start;
#[cfg(test)]
mod tests;

use crate::failure::{Failure, exit};
use crate::frames::{HelperFrame, Outcome, RunOrder};
use console::{Console, Keys};
use job::Job;
pub use own_handles::keep_from_programs;
use running::Running;
use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle};
use std::ptr::null_mut;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

/// The broker that ordered the program.
pub trait Client {
    /// Handles the frames that have arrived, and waits for none. Returns whether the program is still wanted.
    fn is_wanted(&mut self) -> Result<bool, Failure>;
    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure>;
    /// Whether to show the program's stderr on this process's stderr.
    fn shows_stderr(&self) -> bool;
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Ran(Outcome),
    /// Interrupted by the user: this process ends, too. The console sends the key to all of its processes, so nothing
    /// is left to be told.
    Interrupted {
        signal: i32,
    },
    /// The broker no longer wants the result.
    Withdrawn,
}

/// Runs the program to its end. Fails if the client is gone; the program has been ended by then, too.
pub fn run(order: &RunOrder, client: &mut dyn Client) -> Result<End, Failure> {
    if !client.is_wanted()? {
        return Ok(End::Withdrawn);
    }
    if let Some(refusal) = refusal(order) {
        return Ok(End::Ran(Outcome::not_started(refusal)));
    }
    let console = if order.terminal {
        let Some(console) = Console::begin() else { return Ok(End::Ran(Outcome::NoTerminal)) };
        Some(console)
    } else {
        None
    };
    let keys = Keys::watch().map_err(|error| broken(&error))?;
    let job = Job::new().map_err(|error| broken(&error))?;
    match start::start(order, &job) {
        Ok(child) => Running::new(order, client, child, job, (console, keys))?.until_its_end(),
        Err(outcome) => Ok(End::Ran(outcome)),
    }
}

fn refusal(order: &RunOrder) -> Option<&'static str> {
    if order.kept {
        return Some("Lanyard keeps no program running on Windows yet");
    }
    order.runs_on.then_some("Lanyard runs no plugin that is its client's proxy (KEP-2718) on Windows yet")
}

/// Whether bytes or the end of the stream can be read from this pipe.
pub fn is_readable(pipe: BorrowedHandle<'_>) -> bool {
    let (mut there, none) = (0, null_mut::<u32>());
    // SAFETY: the handle is open, the one place that is given lives through the call, the others may be null.
    let looked = unsafe { PeekNamedPipe(pipe.as_raw_handle(), null_mut(), 0, none, &mut there, none) };
    looked == 0 || there > 0
}

fn broken(error: &io::Error) -> Failure {
    Failure::new(exit::INTERNAL, format!("can't run a program: {error}"))
}

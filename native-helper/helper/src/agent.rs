//! `lanyard agent`: becomes the broker, in the foreground, under the same pid.

use crate::failure::{Failure, exit};
use crate::home::{START, find_home};
use crate::os::{self, FileOwner};
use crate::start_file;
use std::env;

/// Comes back only where it fails.
pub fn run(args: &[String]) -> Result<u8, Failure> {
    let mut command = find_command()?;
    command.extend_from_slice(args);
    let program = command.first().cloned().unwrap_or_default();
    let error = os::become_process(&command);
    Err(Failure::new(exit::UNREACHABLE, format!("can't start {program}: {error}")))
}

/// The start file beside this executable belongs to this version; the home's is for a helper that was copied there.
fn find_command() -> Result<Vec<String>, Failure> {
    let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join(START)));
    if let Some(path) = beside
        && let Some(command) = start_file::read(&path, FileOwner::MeOrRoot)?
    {
        return Ok(command);
    }
    let path = find_home(|name| env::var_os(name))?.folder.join(START);
    start_file::read(&path, FileOwner::Me)?.ok_or_else(|| {
        Failure::new(exit::UNREACHABLE, "there is no start.json that says how to start the broker")
            .hint(format!("it should be beside this program, or at {}", path.display()))
    })
}

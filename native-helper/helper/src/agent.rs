//! `lanyard agent` becomes the broker, in the foreground, with the same pid. `lanyard doctor` becomes the broker's
//! program, too, where no broker answers. Neither opens windows, even where the desktop app is installed.

use crate::failure::{Failure, exit};
use crate::home::{START, find_home};
use crate::os::{self, FileOwner};
use crate::start_file::{self, Start};
use std::env;
use std::path::Path;

/// Returns only when it fails.
pub fn run(args: &[String]) -> Result<u8, Failure> {
    let Some(start) = found()? else {
        let failure =
            Failure::new(exit::UNREACHABLE, "there is no start.json that says how to start the agent");
        let path = find_home(|name| env::var_os(name))?.folder.join(START);
        return Err(failure.hint(format!("it should be beside this program, or at {}", path.display())));
    };
    start.check_place()?;
    let Start { mut command, .. } = start;
    command.extend_from_slice(args);
    let program = command.first().cloned().unwrap_or_default();
    let error = os::become_process(&command, &[]);
    Err(Failure::new(exit::UNREACHABLE, format!("can't start {program}: {error}")))
}

/// Fails where `lanyard agent` would, since the app isn't where it was.
pub fn check_place() -> Result<(), Failure> {
    found().ok().flatten().map_or(Ok(()), |start| start.check_place())
}

/// What the doctor checks in addition to what a broker gets (main/doctor/user/user-environment.ts).
pub const OF_DOCTOR: &[&str] = &["DOCKER_CONFIG", "KUBECONFIG", "KUBERC", "SHELL"];

/// Becomes the broker's program, which checks without a running broker. `failure` says why no broker answered. Returns
/// it if there is no program to start.
pub fn offline_doctor(options: &[String], failure: Failure) -> Failure {
    let found = beside().ok().flatten().or_else(|| of_own_home().ok().flatten());
    if let Some(Start { mut command, .. }) = found {
        command.extend(["doctor".to_owned(), "--unreachable".to_owned(), failure.line()]);
        command.extend_from_slice(options);
        os::become_process(&command, OF_DOCTOR);
    }
    failure
}

/// Prefers the start file beside this executable: it belongs to this version. The home's file is for a helper that was
/// copied into the home.
fn found() -> Result<Option<Start>, Failure> {
    match beside()? {
        None => of_home(),
        found => Ok(found),
    }
}

/// The start file of the installation that this program belongs to.
pub fn beside() -> Result<Option<Start>, Failure> {
    // A package links to this program from /usr/bin. The start file is beside the program, not beside the link.
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok();
    program.as_deref().and_then(Path::parent).map_or(Ok(None), start_file::read_beside)
}

fn of_home() -> Result<Option<Start>, Failure> {
    start_file::read(&find_home(|name| env::var_os(name))?.folder.join(START), FileOwner::Me)
}

/// Accepts a home that others can read, which `check_home` refuses, but not one that others can write to.
fn of_own_home() -> Result<Option<Start>, Failure> {
    let folder = find_home(|name| env::var_os(name))?.folder;
    if os::is_written_by_me_alone(&folder) {
        return start_file::read(&folder.join(START), FileOwner::Me);
    }
    Ok(None)
}

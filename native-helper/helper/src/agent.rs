//! `lanyard agent` becomes the broker, in the foreground, under the same pid; `lanyard doctor` becomes the broker's
//! program, too, where no broker can be asked. Both are without windows, also where the desktop app is installed.

use crate::failure::{Failure, exit};
use crate::home::{START, find_home};
use crate::os::{self, FileOwner};
use crate::start_file::{self, Start};
use std::env;
use std::path::Path;

/// Comes back only where it fails.
pub fn run(args: &[String]) -> Result<u8, Failure> {
    let Start { mut command, .. } =
        beside().transpose().or_else(|| of_home().transpose()).unwrap_or_else(|| {
            let failure =
                Failure::new(exit::UNREACHABLE, "there is no start.json that says how to start the broker");
            let path = find_home(|name| env::var_os(name))?.folder.join(START);
            Err(failure.hint(format!("it should be beside this program, or at {}", path.display())))
        })?;
    command.extend_from_slice(args);
    let program = command.first().cloned().unwrap_or_default();
    let error = os::become_process(&command, &[]);
    Err(Failure::new(exit::UNREACHABLE, format!("can't start {program}: {error}")))
}

/// What the doctor checks in addition to what a broker gets (main/doctor/user/user-environment.ts).
pub const OF_DOCTOR: &[&str] = &["KUBECONFIG", "KUBERC", "SHELL"];

/// Looks without the broker, which `failure` says can't be asked. Comes back with that failure where there is nothing
/// to look with.
pub fn offline_doctor(options: &[String], failure: Failure) -> Failure {
    let found = beside().ok().flatten().or_else(|| of_own_home().ok().flatten());
    if let Some(Start { mut command, .. }) = found {
        command.extend(["doctor".to_owned(), "--unreachable".to_owned(), failure.line()]);
        command.extend_from_slice(options);
        os::become_process(&command, OF_DOCTOR);
    }
    failure
}

/// The start file beside this executable belongs to this version; the home's is for a helper that was copied there.
fn beside() -> Result<Option<Start>, Failure> {
    // Called through a link, as by a package's in /usr/bin: the program itself is what it lies beside.
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok();
    program.as_deref().and_then(Path::parent).map_or(Ok(None), start_file::read_beside)
}

fn of_home() -> Result<Option<Start>, Failure> {
    start_file::read(&find_home(|name| env::var_os(name))?.folder.join(START), FileOwner::Me)
}

/// Also of a home that is refused because others can look into it, but not where they can put something there.
fn of_own_home() -> Result<Option<Start>, Failure> {
    let folder = find_home(|name| env::var_os(name))?.folder;
    if os::is_written_by_me_alone(&folder) {
        return start_file::read(&folder.join(START), FileOwner::Me);
    }
    Ok(None)
}

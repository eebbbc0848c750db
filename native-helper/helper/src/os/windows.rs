//! Windows: a named pipe instead of a socket, the console instead of /dev/tty.

mod connection;
mod console;
mod process;
pub mod run;
mod trusted;

use super::Asked;
use crate::failure::{Failure, exit};
use crate::wire::Wire;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::Duration;
use windows_sys::Win32::Foundation::STATUS_CONTROL_C_EXIT;
use zeroize::Zeroizing;

pub use connection::Connection;
pub use console::{ask, has_controlling_terminal};
pub use process::{become_process, start_detached};
pub use trusted::{check_home, is_written_by_me_alone, read_trusted};

pub fn bytes_of(value: &OsStr) -> Result<Vec<u8>, Failure> {
    value
        .to_str()
        .map(|text| text.as_bytes().to_vec())
        .ok_or_else(|| Failure::new(exit::USAGE, "KUBERNETES_EXEC_INFO is not Unicode"))
}

/// A pipe's name has no such limit.
pub fn check_socket_path(_socket: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Not checked here.
pub fn is_screen_taken() -> bool {
    false
}

/// Reads all of standard input, unless it is a terminal.
pub fn read_stdin(_wire: &mut Wire, _id: u64, max_bytes: u32, _limit: Duration) -> Result<Asked, Failure> {
    if io::stdin().is_terminal() {
        return Ok(Asked::Nobody);
    }
    let mut all = Zeroizing::new(Vec::new());
    io::stdin()
        .take(u64::from(max_bytes) + 1)
        .read_to_end(&mut all)
        .map_err(|error| Failure::new(exit::USAGE, format!("can't read standard input: {error}")))?;
    if all.len() > usize::try_from(max_bytes).unwrap_or(usize::MAX) {
        return Err(Failure::new(
            exit::USAGE,
            format!("standard input is larger than {max_bytes} bytes, which is the most for this"),
        ));
    }
    Ok(Asked::Line(all))
}

/// Ends this process as Ctrl-C would have. `_signal` is SIGINT: Windows has no other.
pub fn end_by_signal(_signal: i32) -> Failure {
    std::process::exit(STATUS_CONTROL_C_EXIT)
}

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
use std::sync::mpsc::sync_channel;
use std::thread::spawn;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::STATUS_CONTROL_C_EXIT;
use zeroize::Zeroizing;

pub use connection::Connection;
pub use console::{ask, columns, has_controlling_terminal};
pub use process::{BrokerEnvironment, become_process};
pub use trusted::{check_home, is_written_by_me_alone, read_trusted};

/// How often this process looks at what it can't wait for together with anything else: the broker, the keys, the parent,
/// and a program's end.
const LOOK: Duration = Duration::from_millis(25);

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

/// Reads all of standard input, unless it is a terminal, and listens to the broker meanwhile. Windows can't wait for
/// both, so a thread reads.
pub fn read_stdin(wire: &mut Wire, id: u64, max_bytes: u32, limit: Duration) -> Result<Asked, Failure> {
    if io::stdin().is_terminal() {
        return Ok(Asked::Nobody);
    }
    let until = Instant::now() + limit;
    let (to, told) = sync_channel(1);
    spawn(move || to.send(all_of_stdin(max_bytes)));
    loop {
        // It may have arrived together with the question.
        if wire.has_dropped(id) {
            return Ok(Asked::Overtaken);
        }
        match told.recv_timeout(LOOK) {
            Ok(read) => return read.map(Asked::Line),
            Err(_) if Instant::now() >= until => {
                return Err(Failure::new(exit::TIMED_OUT, "timed out waiting for input"));
            }
            Err(_) => wire.fill(Duration::ZERO)?,
        };
    }
}

fn all_of_stdin(max_bytes: u32) -> Result<Zeroizing<Vec<u8>>, Failure> {
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
    Ok(all)
}

/// Ends this process as Ctrl-C would have. `_signal` is SIGINT: Windows has no other.
pub fn end_by_signal(_signal: i32) -> Failure {
    std::process::exit(STATUS_CONTROL_C_EXIT)
}

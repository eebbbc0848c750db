//! The differences between operating systems: one file for each, with the same function names.

use std::io;
use zeroize::Zeroizing;

#[cfg(any(target_os = "macos", all(unix, test)))]
mod by_select;
#[cfg(any(target_os = "macos", all(unix, test)))]
mod darwin;
#[cfg(unix)]
mod process;
#[cfg(unix)]
pub mod run;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use process::{BrokerEnvironment, become_process};
#[cfg(unix)]
pub use signals::{end_by_signal, end_group_by_signal};
#[cfg(unix)]
pub use terminal::{ask, columns, has_controlling_terminal, is_screen_taken, read_stdin};
#[cfg(unix)]
pub use unix::{
    Connection, bytes_of, check_home, check_socket_path, is_written_by_me_alone, prepare_process,
    read_trusted,
};

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
mod system;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

/// Where the app could open windows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Desktop {
    Here,
    /// A display is there, but the user is root: Chromium's sandbox doesn't work as root, and the app doesn't run
    /// without it.
    OfRoot,
}

pub enum ConnectError {
    /// No process listens there.
    NoBroker,
    TimedOut,
    Other(io::Error),
}

/// Whose file the helper trusts.
#[derive(Clone, Copy)]
pub enum FileOwner {
    Me,
    /// Also root's, for files that an installer put beside the program.
    MeOrRoot,
}

/// The result of asking the user, or of reading standard input.
pub enum Asked {
    Line(Zeroizing<Vec<u8>>),
    /// No terminal, end of input, or a terminal where a file was expected.
    Nobody,
    /// Interrupted by this signal. The terminal is restored.
    Interrupted(i32),
    /// The broker ended the request or withdrew the question.
    Overtaken,
}

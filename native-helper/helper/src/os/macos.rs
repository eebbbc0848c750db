//! Has not been run yet.

use super::run::Process;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{AddressFamily, SocketType, socket};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

/// Size of `sun_path` in `sockaddr_un`, with its closing NUL.
pub const SOCKET_PATH_BYTES: usize = 104;

pub fn stream_socket() -> io::Result<OwnedFd> {
    let socket = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    Ok(socket)
}

/// The user of the listening process, from the kernel.
pub fn peer_uid(socket: impl AsFd) -> io::Result<u32> {
    let (mut uid, mut gid) = (0, 0);
    // SAFETY: the descriptor is open while it is borrowed, and both places live through the call.
    let result = unsafe { libc::getpeereid(socket.as_fd().as_raw_fd(), &mut uid, &mut gid) };
    if result == 0 { Ok(uid) } else { Err(io::Error::last_os_error()) }
}

pub fn close_inherited_on_exec() {}

/// Closes this descriptor and all above it that this process can have, in this process.
pub fn close_from(first: std::os::fd::RawFd) {
    for descriptor in first..256 {
        // SAFETY: a plain number; the child that calls it owns no descriptor that it still uses.
        unsafe { libc::close(descriptor) };
    }
}

/// Not implemented (KERN_PROCARGS2 would tell). A broker that a client starts gets no proxy variables.
pub fn parent_environment() -> Option<Vec<(OsString, OsString)>> {
    None
}

/// Not implemented (kqueue would tell). The run checks the parent each second instead.
pub fn end_of_parent() -> Option<OwnedFd> {
    None
}

pub fn end_with(_parent: rustix::process::Pid) -> io::Result<()> {
    Ok(())
}

pub fn adopt_orphans() -> bool {
    false
}

/// Not implemented: a process that left the program's group is not found.
pub fn processes() -> Vec<Process> {
    Vec::new()
}

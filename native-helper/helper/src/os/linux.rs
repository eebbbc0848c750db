use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::{fs, io};

/// Bytes in sockaddr_un's path, the closing NUL included.
pub const SOCKET_PATH_BYTES: usize = 108;

pub fn stream_socket() -> io::Result<OwnedFd> {
    Ok(socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

/// The user who listens at the other end, as the kernel noted it.
pub fn peer_uid(socket: impl AsFd) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(socket)?.uid.as_raw())
}

/// Descriptors that this process inherited must not keep a caller's pipe open in the broker.
pub fn close_inherited_on_exec() {
    // SAFETY: plain numbers; it marks descriptors and touches no memory. An old kernel refuses, which is no harm.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// What the process that runs this one was started with; None where the system doesn't tell. Of another user's
/// process it never does.
pub fn parent_environment() -> Option<Vec<(OsString, OsString)>> {
    let parent = rustix::process::getppid()?.as_raw_nonzero();
    let block = fs::read(format!("/proc/{parent}/environ")).ok()?;
    let variables = block.split(|byte| *byte == 0).filter_map(|entry| {
        let middle = entry.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (entry.get(..middle)?, entry.get(middle + 1..)?);
        Some((OsStr::from_bytes(name).to_owned(), OsStr::from_bytes(value).to_owned()))
    });
    Some(variables.collect())
}

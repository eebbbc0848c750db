use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

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

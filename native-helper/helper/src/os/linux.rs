use super::run::Process;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use rustix::process::{Pid, PidfdFlags, Signal, getppid, pidfd_open};
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd, RawFd};
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

/// Closes this descriptor and all above it, in its own process.
pub fn close_from(first: RawFd) {
    // SAFETY: plain numbers; the child that calls it owns no descriptor that it still uses. An old kernel refuses.
    unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
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

/// What tells, by being readable, that the process which started this one is gone.
pub fn end_of_parent() -> Option<OwnedFd> {
    let parent = getppid()?;
    let end = pidfd_open(parent, PidfdFlags::empty()).ok()?;
    (getppid() == Some(parent)).then_some(end)
}

/// Between fork and exec: this process is killed when the one that started it is. An error where it is already.
pub fn end_with(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// From now on what loses its parent, among all that this process starts, becomes its child.
pub fn adopt_orphans() -> bool {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
}

/// The processes of this machine, as far as they are shown.
pub fn processes() -> Vec<Process> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    folder
        .filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            process(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
        })
        .collect()
}

/// One line of /proc: `pid (name) state parent group session …`; the name may hold anything.
fn process(pid: i32, stat: &[u8]) -> Option<Process> {
    let name_ends = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(name_ends + 1..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X" | "x");
    let mut number = || fields.next()?.parse().ok();
    Some(Process { pid, has_ended, parent: number()?, group: number()?, session: number()? })
}

#[cfg(test)]
mod tests {
    use super::process;

    #[test]
    fn a_process_may_have_any_name() {
        let found = process(7, b"7 (a) R 1 (b) S 3 5 6 0 -1\n").unwrap();
        assert_eq!((found.pid, found.parent, found.group, found.session), (7, 3, 5, 6));
        assert!(!found.has_ended);
        assert!(process(8, b"8 (x) Z 3 5 6 0").unwrap().has_ended);
        assert!(process(9, b"").is_none());
    }
}

use super::run::Process;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use rustix::process::{Pid, PidfdFlags, Signal, getppid, pidfd_open};
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;
use std::{fs, io};

/// Size of `sun_path` in `sockaddr_un`, with its closing NUL.
pub const SOCKET_PATH_BYTES: usize = 108;

pub fn stream_socket() -> io::Result<OwnedFd> {
    Ok(socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

/// The user of the listening process, from the kernel.
pub fn peer_uid(socket: impl AsFd) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(socket)?.uid.as_raw())
}

/// Waits until one can be read or has ended, at most for `limit`. Returns which, in their order: none if a signal came.
pub fn wait_for_any(all: &[BorrowedFd<'_>], limit: Duration) -> io::Result<Vec<bool>> {
    let mut all: Vec<_> = all.iter().map(|each| PollFd::from_borrowed_fd(*each, PollFlags::IN)).collect();
    match poll(&mut all, Timespec::try_from(limit).ok().as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(all.iter().map(|each| !each.revents().is_empty()).collect()),
        Err(error) => Err(error.into()),
    }
}

/// Closes inherited descriptors on exec: they would keep a caller's pipe open in the broker.
pub fn close_inherited_on_exec() {
    // SAFETY: plain numbers; it marks descriptors and touches no memory. An old kernel refuses, which does no harm.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// Closes this descriptor and all above it, in this process.
pub fn close_from(first: RawFd) {
    // SAFETY: plain numbers; the child that calls it owns no descriptor that it still uses. An old kernel refuses.
    unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
}

/// The environment that the parent process was started with. None where the system refuses, as it does for another
/// user's process.
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

/// A descriptor that becomes readable when the parent process ends.
pub fn end_of_parent() -> Option<OwnedFd> {
    let parent = getppid()?;
    let end = pidfd_open(parent, PidfdFlags::empty()).ok()?;
    (getppid() == Some(parent)).then_some(end)
}

/// Called between fork and exec. Has the kernel kill this process when its parent ends. Fails if the parent has already
/// ended.
pub fn end_with(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Makes this process the new parent of all its orphaned descendants.
pub fn adopt_orphans() -> bool {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
}

/// The processes of this machine that this user may see.
pub fn processes() -> Vec<Process> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    folder
        .filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            process(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
        })
        .collect()
}

/// Parses /proc/PID/stat: `pid (name) state parent group session …`. The name may contain any character.
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

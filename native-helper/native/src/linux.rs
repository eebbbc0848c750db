#[path = "looked_at.rs"]
mod looked_at;

use crate::{PeerCredentials, ProcessBrief, ProcessInfo};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;

pub fn peer_credentials(fd: i32) -> io::Result<PeerCredentials> {
    if fd < 0 {
        return Err(Errno::BADF.into());
    }
    // SAFETY: it is used for this one call, on Node's own thread, while Node keeps the socket open. A number that is
    // no socket makes the call fail.
    let socket = unsafe { BorrowedFd::borrow_raw(fd) };
    let peer = rustix::net::sockopt::socket_peercred(socket)?;
    Ok(PeerCredentials { uid: peer.uid.as_raw(), pid: peer.pid.as_raw_nonzero().get() })
}

pub fn process_info(pid: i32) -> io::Result<ProcessInfo> {
    let brief = process_brief(pid)?;
    let folder = format!("/proc/{pid}");
    let (executable, executable_id) = executable(&folder);
    let pid_namespace = fs::read_link(format!("{folder}/ns/pid"))
        .ok()
        .and_then(|link| link.into_os_string().into_string().ok());
    Ok(brief.with(executable, executable_id, pid_namespace))
}

pub fn process_brief(pid: i32) -> io::Result<ProcessBrief> {
    let stat = looked_at::stat(pid)?;
    Ok(ProcessBrief {
        pid,
        parent_pid: stat.parent_pid,
        start_time: stat.start_time,
        name: stat.name,
        session_leader_pid: stat.session,
        has_terminal: stat.terminal != 0,
    })
}

/// Path and identity of the executable. Keeps the identity of a file that was replaced since, and removes the kernel's
/// " (deleted)" from its path.
fn executable(folder: &str) -> (Option<String>, Option<String>) {
    let link = format!("{folder}/exe");
    let id = fs::metadata(&link).ok();
    let deleted = id.as_ref().is_some_and(|facts| facts.nlink() == 0);
    let path = fs::read_link(&link).ok().and_then(|path| path.into_os_string().into_string().ok());
    let path = path.map(|path| match path.strip_suffix(" (deleted)") {
        Some(before) if deleted => before.to_owned(),
        _ => path,
    });
    (path, id.map(|facts| format!("{}:{}", facts.dev(), facts.ino())))
}

struct Stat {
    name: String,
    parent_pid: i32,
    session: i32,
    terminal: i32,
    start_time: String,
}

impl Stat {
    /// Reads once: the kernel writes the complete line for each read. The line fits, even with 20 digits in each field.
    fn read(file: impl AsFd) -> io::Result<Self> {
        let mut line = [0; 2048];
        let length = rustix::io::pread(file, &mut line, 0)?;
        Stat::parse(&String::from_utf8_lossy(line.get(..length).unwrap_or_default()))
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "an unexpected /proc/PID/stat"))
    }

    /// Parses proc_pid_stat(5). The name may contain spaces and brackets, so the other fields begin after the last
    /// bracket.
    fn parse(line: &str) -> Option<Self> {
        let (front, rest) = line.rsplit_once(')')?;
        let name = front.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        // The first of these fields is number 3 in the manual page.
        let field = |number: usize| fields.get(number - 3).copied();
        Some(Stat {
            name,
            parent_pid: field(4)?.parse().ok()?,
            session: field(6)?.parse().ok()?,
            terminal: field(7)?.parse().ok()?,
            start_time: field(22)?.to_owned(),
        })
    }
}

/// Whether the error says that the process ended before or during the read.
pub fn is_gone(error: &io::Error) -> bool {
    error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(Errno::SRCH.raw_os_error())
}

pub fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

pub fn boottime_milliseconds() -> f64 {
    let now = clock_gettime(ClockId::Boottime);
    now.tv_sec as f64 * 1000.0 + now.tv_nsec as f64 / 1_000_000.0
}

pub fn harden_process() -> io::Result<()> {
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// glibc keeps an arena for each thread, and memory freed in the middle of one stays with the process.
pub fn release_free_memory() {
    #[cfg(target_env = "gnu")]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: it takes a number, and may be called at any time from any thread (malloc_trim(3)).
        unsafe { malloc_trim(0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_spaces_and_brackets() {
        let line = "77 (a) S (b) R 5 77 66 34816 77 4194304 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 10\n";
        let stat = Stat::parse(line).unwrap();
        assert_eq!(stat.name, "a) S (b");
        assert_eq!((stat.parent_pid, stat.session, stat.terminal), (5, 66, 34816));
        assert_eq!(stat.start_time, "123456");
        assert!(Stat::parse("77 (a) S 1").is_none());
        assert!(Stat::parse("").is_none());
    }

    #[test]
    fn this_process_is_known_and_one_that_ended_is_gone() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let info = process_info(pid).unwrap();
        assert_eq!(
            info.executable,
            std::env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok())
        );
        assert_eq!(process_brief(pid).unwrap().start_time, info.start_time);
        let mut child = std::process::Command::new("/bin/true").spawn().unwrap();
        let gone = i32::try_from(child.id()).unwrap();
        assert_eq!(process_brief(gone).unwrap().parent_pid, pid);
        child.wait().unwrap();
        assert!(process_info(gone).is_err_and(|error| is_gone(&error)));
        assert!(process_brief(gone).is_err_and(|error| is_gone(&error)));
    }

    #[test]
    fn a_number_that_is_no_socket_is_an_error() {
        let (file, _other) = std::os::unix::net::UnixStream::pair().unwrap();
        assert_eq!(peer_credentials(std::os::fd::AsRawFd::as_raw_fd(&file)).unwrap().uid, own_uid());
        assert!(peer_credentials(-1).is_err());
        assert!(peer_credentials(1_000_000).is_err());
    }
}

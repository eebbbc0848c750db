//! Has not been run yet.

use crate::kinfo::{KINFO_BYTES, Kinfo, parse_kinfo};
use crate::{PeerCredentials, ProcessBrief, ProcessInfo};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::mem::size_of;
use std::os::unix::fs::MetadataExt;
use std::ptr;

const SOL_LOCAL: libc::c_int = 0;

pub fn peer_credentials(fd: i32) -> io::Result<PeerCredentials> {
    let (mut uid, mut gid, mut pid) = (0, 0, 0_i32);
    let mut size = size_of::<i32>() as libc::socklen_t;
    // SAFETY: all places live through the calls and are as large as said; a number that is no socket makes them fail.
    let results = unsafe {
        [
            libc::getpeereid(fd, &mut uid, &mut gid),
            libc::getsockopt(fd, SOL_LOCAL, libc::LOCAL_PEERPID, (&raw mut pid).cast(), &mut size),
        ]
    };
    if results == [0, 0] { Ok(PeerCredentials { uid, pid }) } else { Err(io::Error::last_os_error()) }
}

pub fn process_info(pid: i32) -> io::Result<ProcessInfo> {
    let brief = process_brief(pid)?;
    let executable = executable(pid);
    let facts = executable.as_ref().and_then(|path| fs::metadata(path).ok());
    let executable_id = facts.map(|facts| format!("{}:{}", facts.dev(), facts.ino()));
    Ok(brief.with(executable, executable_id, None))
}

pub fn process_brief(pid: i32) -> io::Result<ProcessBrief> {
    let info = kinfo(pid)?;
    Ok(ProcessBrief {
        pid,
        parent_pid: info.parent_pid,
        start_time: info.start_time,
        name: info.name,
        session_leader_pid: session_leader(pid),
        has_terminal: info.has_terminal,
    })
}

/// proc_pidinfo's PROC_PIDTBSDINFO tells the same, but only of this user's processes.
fn kinfo(pid: i32) -> io::Result<Kinfo> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROC, libc::KERN_PROC_PID, pid];
    let mut bytes = [0_u8; KINFO_BYTES];
    let mut size = bytes.len();
    // SAFETY: all places live through the call and are as large as said; nothing is set.
    let result = unsafe {
        libc::sysctl(name.as_mut_ptr(), 4, bytes.as_mut_ptr().cast(), &mut size, ptr::null_mut(), 0)
    };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    parse_kinfo(bytes.get(..size).unwrap_or_default())?
        .ok_or_else(|| io::Error::from_raw_os_error(libc::ESRCH))
}

/// The pid of the session's leader, or -1, which is no process, where the system doesn't tell.
fn session_leader(pid: i32) -> i32 {
    // SAFETY: a plain number.
    unsafe { libc::getsid(pid) }
}

fn executable(pid: i32) -> Option<String> {
    let mut path = vec![0_u8; libc::PROC_PIDPATHINFO_MAXSIZE as usize];
    // SAFETY: the place is as large as said and lives through the call.
    let used = unsafe { libc::proc_pidpath(pid, path.as_mut_ptr().cast(), path.len() as u32) };
    path.truncate(usize::try_from(used).ok()?);
    String::from_utf8(path).ok().filter(|path| !path.is_empty())
}

pub fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ESRCH)
}

pub fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// On macOS this clock counts sleep.
pub fn boottime_milliseconds() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 * 1000.0 + now.tv_nsec as f64 / 1_000_000.0
}

/// The system's allocator does this automatically.
pub fn release_free_memory() {}

pub fn harden_process() -> io::Result<()> {
    Ok(setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?)
}

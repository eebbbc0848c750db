//! Has not been run yet. Each call names where its facts are from: XNU (apple-oss-distributions/xnu, read at 11417), or
//! Libc of the same place.

use crate::kinfo::{KINFO_BYTES, Kinfo, parse_kinfo};
use crate::{PeerCredentials, ProcessBrief, ProcessInfo};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::mem::size_of;
use std::os::unix::fs::MetadataExt;
use std::ptr;

/// The effective user that connected, as it was then (getpeereid(3) asks for LOCAL_PEERCRED), and the process that used
/// the other end last: its own, since it starts no other with it. LOCAL_PEEREPID would be the process on whose behalf that
/// says it acts. The pid is ENOTCONN once the other end is closed (uipc_ctloutput of bsd/kern/uipc_usrreq.c).
pub fn peer_credentials(fd: i32) -> io::Result<PeerCredentials> {
    let (mut uid, mut gid, mut pid) = (0, 0, 0_i32);
    // SAFETY: both places live through the call; a number that is no socket makes it fail.
    if unsafe { libc::getpeereid(fd, &mut uid, &mut gid) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut size = size_of::<i32>() as libc::socklen_t;
    let place = (&raw mut pid).cast();
    // SAFETY: both places live through the call and are as large as said.
    if unsafe { libc::getsockopt(fd, libc::SOL_LOCAL, libc::LOCAL_PEERPID, place, &mut size) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(PeerCredentials { uid, pid })
}

/// The identity is that of the file at the executable's path: one that was replaced there since is taken for it.
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

/// Of any user's process; nothing is written where there is none with this pid (sysctl_prochandle of
/// bsd/kern/kern_sysctl.c). proc_pidinfo's PROC_PIDTBSDINFO tells the same, but only of this user's (proc_pidinfo of
/// bsd/kern/proc_info.c).
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

/// The pid of the session's leader, or -1, which is no process, where this one has ended (getsid of bsd/kern/kern_prot.c).
fn session_leader(pid: i32) -> i32 {
    // SAFETY: a plain number.
    unsafe { libc::getsid(pid) }
}

/// Of any user's process. proc_pidpath gives the length, without a zero, and 0 where it fails
/// (libsyscall/wrappers/libproc/libproc.c), as for a file that was removed (proc_pidpathinfo_internal of
/// bsd/kern/proc_info.c).
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

/// The wall clock's time less that of the start, which both change when the clock is set: it counts sleep
/// (gen/clock_gettime.c and clock_gettime.3 of Libc).
pub fn boottime_milliseconds() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 * 1000.0 + now.tv_nsec as f64 / 1_000_000.0
}

/// The system's allocator does this automatically.
pub fn release_free_memory() {}

/// No core files. Other processes of this user can't read its memory in a release, which is signed with the hardened
/// runtime and without get-task-allow: task_for_pid is refused. PT_DENY_ATTACH would add nothing to that, for it stops
/// ptrace and dtrace alone, and it ends a process that is being debugged (ptrace of bsd/kern/mach_process.c).
pub fn harden_process() -> io::Result<()> {
    Ok(setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?)
}

//! Not yet run.

use crate::{PeerCredentials, ProcessBrief, ProcessInfo};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::mem::{MaybeUninit, size_of};
use std::os::unix::fs::MetadataExt;

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
    let mut info = MaybeUninit::<libc::proc_bsdinfo>::zeroed();
    let size = size_of::<libc::proc_bsdinfo>() as libc::c_int;
    // SAFETY: the place is as large as said; all zeros is a valid value of it.
    let (used, info) = unsafe {
        (
            libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 0, info.as_mut_ptr().cast(), size),
            info.assume_init(),
        )
    };
    if used != size {
        return Err(io::Error::last_os_error());
    }
    let executable = executable(pid);
    let facts = executable.as_ref().and_then(|path| fs::metadata(path).ok());
    // SAFETY: a plain number.
    let session = unsafe { libc::getsid(pid) };
    Ok(ProcessInfo {
        pid,
        parent_pid: info.pbi_ppid.cast_signed(),
        uid: info.pbi_uid,
        start_time: format!("{}.{:06}", info.pbi_start_tvsec, info.pbi_start_tvusec),
        name: info
            .pbi_comm
            .iter()
            .take_while(|&&byte| byte != 0)
            .map(|&byte| char::from(byte.cast_unsigned()))
            .collect(),
        executable,
        executable_id: facts.map(|facts| format!("{}:{}", facts.dev(), facts.ino())),
        session_leader_pid: session,
        has_terminal: info.e_tdev != u32::MAX,
        pid_namespace: None,
    })
}

fn executable(pid: i32) -> Option<String> {
    let mut path = vec![0_u8; libc::PROC_PIDPATHINFO_MAXSIZE as usize];
    // SAFETY: the place is as large as said and lives through the call.
    let used = unsafe { libc::proc_pidpath(pid, path.as_mut_ptr().cast(), path.len() as u32) };
    path.truncate(usize::try_from(used).ok()?);
    String::from_utf8(path).ok().filter(|path| !path.is_empty())
}

pub fn process_brief(pid: i32) -> io::Result<ProcessBrief> {
    let info = process_info(pid)?;
    Ok(ProcessBrief {
        pid,
        parent_pid: info.parent_pid,
        start_time: info.start_time,
        name: info.name,
        session_leader_pid: info.session_leader_pid,
        has_terminal: info.has_terminal,
    })
}

pub fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ESRCH)
}

pub fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// On macOS this clock runs on in sleep.
pub fn boottime_milliseconds() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 * 1000.0 + now.tv_nsec as f64 / 1_000_000.0
}

/// The system's allocator does it by itself.
pub fn release_free_memory() {}

pub fn harden_process() -> io::Result<()> {
    Ok(setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?)
}

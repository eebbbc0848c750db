//! Has not been run yet. Each call names where its facts are from: XNU (apple-oss-distributions/xnu, read at 11417), or
//! Libc of the same place.

use super::darwin::{KINFO_BYTES, parse_environment, parse_processes};
use super::run::Process;
use rustix::event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent, kqueue};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::process::{Pid, getpid, getppid};
use std::ffi::OsString;
use std::io;
use std::mem::{size_of, size_of_val};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::Duration;

pub use super::by_select::wait_for_any;

/// Size of `sun_path` in `sockaddr_un`, with its closing NUL (bsd/sys/un.h).
pub const SOCKET_PATH_BYTES: usize = 104;

/// The most that KERN_PROCARGS2 accepts as room, ARG_MAX of bsd/sys/syslimits.h.
const ARGUMENT_BYTES: usize = 1024 * 1024;

/// What a process can have open unless it raised its own limit, OPEN_MAX of bsd/sys/syslimits.h.
const MOST_DESCRIPTORS: usize = 10_240;

/// There is no SOCK_CLOEXEC (bsd/sys/socket.h). This process has one thread, so nothing is started between the calls.
pub fn stream_socket() -> io::Result<OwnedFd> {
    let socket = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    Ok(socket)
}

/// The effective user of the process that listens, as it was at listen(2), from the kernel: getpeereid(3) asks for
/// LOCAL_PEERCRED (gen/FreeBSD/getpeereid.c of Libc; uipc_ctloutput and unp_connect of bsd/kern/uipc_usrreq.c).
pub fn peer_uid(socket: impl AsFd) -> io::Result<u32> {
    let (mut uid, mut gid) = (0, 0);
    // SAFETY: the descriptor is open while it is borrowed, and both places live through the call.
    let result = unsafe { libc::getpeereid(socket.as_fd().as_raw_fd(), &mut uid, &mut gid) };
    if result == 0 { Ok(uid) } else { Err(io::Error::last_os_error()) }
}

/// Closes inherited descriptors on exec: they would keep a caller's pipe open in the broker.
pub fn close_inherited_on_exec() {
    each_from(3, |descriptor| {
        // SAFETY: plain numbers; it marks a descriptor and touches no memory.
        unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
    });
}

/// Closes this descriptor and all above it, in this process.
pub fn close_from(first: RawFd) {
    each_from(first, |descriptor| {
        // SAFETY: a plain number; the child that calls it owns no descriptor that it still uses.
        unsafe { libc::close(descriptor) };
    });
}

/// The open descriptors from this one on. Only system calls, on the stack: it runs between fork and exec. proc_pidinfo
/// gives the bytes that it filled, 0 where it fails (libsyscall/wrappers/libproc/libproc.c), and PROC_PIDLISTFDS lists
/// as many as there is room for (proc_pidfdlist of bsd/kern/proc_info.c).
fn each_from(first: RawFd, mut what: impl FnMut(RawFd)) {
    let mut open = [libc::proc_fdinfo { proc_fd: 0, proc_fdtype: 0 }; MOST_DESCRIPTORS];
    let own = getpid().as_raw_nonzero().get();
    let room = i32::try_from(size_of_val(&open)).unwrap_or(0);
    // SAFETY: the place is as large as said and lives through the call.
    let filled = unsafe { libc::proc_pidinfo(own, libc::PROC_PIDLISTFDS, 0, open.as_mut_ptr().cast(), room) };
    let count = usize::try_from(filled).unwrap_or(0) / size_of::<libc::proc_fdinfo>();
    for each in open.iter().take(count).filter(|each| each.proc_fd >= first) {
        what(each.proc_fd);
    }
}

/// The environment that the parent process was started with. None where the system refuses: for another user's process,
/// and for a program that Apple restricts (sysctl_procargsx of bsd/kern/kern_sysctl.c).
pub fn parent_environment() -> Option<Vec<(OsString, OsString)>> {
    let parent = getppid()?;
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, parent.as_raw_nonzero().get()];
    let mut bytes = vec![0; ARGUMENT_BYTES];
    let size = sysctl(&mut name, &mut bytes).ok()?;
    // Another process may have that pid by now.
    (getppid() == Some(parent)).then(|| parse_environment(bytes.get(..size)?)).flatten()
}

/// A descriptor that becomes readable when the parent process ends. NOTE_EXIT without more may be asked for any process
/// (filt_procattach of bsd/kern/kern_event.c), and poll takes a kqueue (kqueue_kqfilter of the same file).
pub fn end_of_parent() -> Option<OwnedFd> {
    let parent = getppid()?;
    let end = kqueue().ok()?;
    fcntl_setfd(&end, FdFlags::CLOEXEC).ok()?;
    let filter = EventFilter::Proc { pid: parent, flags: ProcessEvents::EXIT };
    let wanted = [Event::new(filter, EventFlags::ADD, ptr::null_mut())];
    let mut none: [Event; 0] = [];
    // SAFETY: the event names a process, no descriptor that could be closed while it is watched.
    unsafe { kevent(&end, &wanted, &mut none, Some(Duration::ZERO)) }.ok()?;
    (getppid() == Some(parent)).then_some(end)
}

/// There is no such wish here. The run looks whether its parent has ended, and the listener's socket tells it.
pub fn end_with(_parent: Pid) -> io::Result<()> {
    Ok(())
}

/// Only launchd adopts.
pub fn adopt_orphans() -> bool {
    false
}

/// The processes of this machine, of other users, too (sysctl_prochandle of bsd/kern/kern_sysctl.c). A process that left
/// the program's group and its session, and whose parent has ended, has nothing that leads back to the program.
pub fn processes() -> Vec<Process> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROC, libc::KERN_PROC_ALL];
    let mut room = 1024 * KINFO_BYTES;
    for _ in 0..6 {
        let mut bytes = vec![0; room];
        match sysctl(&mut name, &mut bytes) {
            Ok(size) => {
                // getsid(2) tells of any process, and fails for one that has ended (getsid of bsd/kern/kern_prot.c).
                // SAFETY: a plain number.
                let session = |pid| unsafe { libc::getsid(pid) };
                return parse_processes(bytes.get(..size).unwrap_or_default(), session);
            }
            Err(error) if error.raw_os_error() == Some(libc::ENOMEM) => room *= 2,
            Err(_) => break,
        }
    }
    Vec::new()
}

/// Reads; gives how many bytes it filled. ENOMEM: there is more than room for it.
fn sysctl(name: &mut [libc::c_int], bytes: &mut [u8]) -> io::Result<usize> {
    let mut size = bytes.len();
    let parts = libc::c_uint::try_from(name.len()).unwrap_or(0);
    // SAFETY: all places live through the call and are as large as said; nothing is set.
    let result = unsafe {
        libc::sysctl(name.as_mut_ptr(), parts, bytes.as_mut_ptr().cast(), &mut size, ptr::null_mut(), 0)
    };
    if result == 0 { Ok(size) } else { Err(io::Error::last_os_error()) }
}

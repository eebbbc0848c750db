//! What Node lacks, for main/platform/native: who is at the other end of a socket, what a process is, a lock held for the
//! process's life, a clock that runs through suspend, a log that holds nothing up, no core dumps. Everything is synchronous and takes microseconds.

#[cfg(any(target_os = "macos", test))]
mod kinfo;
#[cfg(unix)]
mod lock;
mod log_writer;
#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
#[cfg(target_os = "linux")]
mod tcp_table;

#[cfg(unix)]
pub use lock::*;
pub use log_writer::*;
use napi_derive::napi;
#[cfg(target_os = "linux")]
pub use tcp_table::*;

/// The process at the other end of a local socket, as it was when it connected.
#[napi(object)]
pub struct PeerCredentials {
    pub uid: u32,
    pub pid: i32,
}

/// What the system knows of a process; the fields are main/ports/peer-identity.ts's.
#[napi(object, use_nullable = true)]
pub struct ProcessInfo {
    pub pid: i32,
    pub parent_pid: i32,
    pub start_time: String,
    pub name: String,
    pub executable: Option<String>,
    pub executable_id: Option<String>,
    pub session_leader_pid: i32,
    pub has_terminal: bool,
    pub pid_namespace: Option<String>,
}

/// What one look tells of a process.
#[derive(Clone)]
#[napi(object)]
pub struct ProcessBrief {
    pub pid: i32,
    pub parent_pid: i32,
    pub start_time: String,
    pub name: String,
    pub session_leader_pid: i32,
    pub has_terminal: bool,
}

impl ProcessBrief {
    /// With what more reads tell; None where the system doesn't.
    fn with(
        self,
        executable: Option<String>,
        executable_id: Option<String>,
        pid_namespace: Option<String>,
    ) -> ProcessInfo {
        let ProcessBrief { pid, parent_pid, start_time, name, session_leader_pid, has_terminal } = self;
        ProcessInfo {
            pid,
            parent_pid,
            start_time,
            name,
            executable,
            executable_id,
            session_leader_pid,
            has_terminal,
            pid_namespace,
        }
    }
}

impl ProcessInfo {
    fn brief(&self) -> ProcessBrief {
        ProcessBrief {
            pid: self.pid,
            parent_pid: self.parent_pid,
            start_time: self.start_time.clone(),
            name: self.name.clone(),
            session_leader_pid: self.session_leader_pid,
            has_terminal: self.has_terminal,
        }
    }
}

/// A helper and the processes that it comes from, as main/ports/peer-identity.ts has them.
#[napi(object, use_nullable = true)]
pub struct CallerChain {
    pub helper: ProcessBrief,
    pub parent: Option<ProcessInfo>,
    pub above: Option<ProcessBrief>,
    pub session_leader: Option<ProcessBrief>,
    pub sure: bool,
}

/// Throws where the system can't tell: such a peer has to be refused.
#[napi]
pub fn peer_credentials(fd: i32) -> napi::Result<PeerCredentials> {
    system::peer_credentials(fd).map_err(|error| failed("peer credentials", &error))
}

/// Null where there is no such process any more, or the system shows it to others alone.
#[napi]
pub fn process_info(pid: i32) -> napi::Result<Option<ProcessInfo>> {
    visible(system::process_info(pid)).map_err(|error| failed("process info", &error))
}

/// As `process_info`, for callers that need no more: one file is read instead of five.
#[napi]
pub fn process_brief(pid: i32) -> napi::Result<Option<ProcessBrief>> {
    visible(system::process_brief(pid)).map_err(|error| failed("process brief", &error))
}

/// Null where the helper has ended. What is another user's, and not to be seen, is left out: that is no reason to refuse
/// anybody.
#[napi]
pub fn caller_chain(helper_pid: i32) -> napi::Result<Option<CallerChain>> {
    chain(helper_pid).map_err(|error| failed("caller", &error))
}

fn chain(helper_pid: i32) -> std::io::Result<Option<CallerChain>> {
    let Some(helper) = visible(system::process_brief(helper_pid))? else { return Ok(None) };
    let parent = visible(system::process_info(helper.parent_pid))?;
    let (above, session_leader) = match &parent {
        None => (None, None),
        Some(parent) => {
            let above = visible(system::process_brief(parent.parent_pid))?;
            // Mostly the shell that the caller was typed into: looked at once.
            let leader = match (parent.session_leader_pid, &above) {
                (leader, _) if leader == parent.pid => Some(parent.brief()),
                (leader, Some(above)) if leader == above.pid => Some(above.clone()),
                (leader, _) => visible(system::process_brief(leader))?,
            };
            (above, leader)
        }
    };
    let again = visible(system::process_brief(helper_pid))?;
    let sure = again
        .is_some_and(|again| again.start_time == helper.start_time && again.parent_pid == helper.parent_pid);
    Ok(Some(CallerChain { helper, parent, above, session_leader, sure }))
}

/// None for a process that has ended, and for one that the system shows to others alone.
fn visible<T>(looked: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match looked {
        Ok(found) => Ok(Some(found)),
        Err(error) if system::is_gone(&error) || error.kind() == std::io::ErrorKind::PermissionDenied => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[napi]
pub fn own_uid() -> u32 {
    system::own_uid()
}

/// Milliseconds since the system started, suspend included.
#[napi]
pub fn boottime_milliseconds() -> f64 {
    system::boottime_milliseconds()
}

/// This process's memory doesn't go into a core file, and no process of the same user reads it where the system can
/// forbid that.
#[napi]
pub fn harden_process() -> napi::Result<()> {
    system::harden_process().map_err(|error| failed("harden process", &error))
}

/// Returns free memory that the C library's allocator still has to the system. Takes a millisecond or so.
#[napi]
pub fn release_free_memory() {
    system::release_free_memory();
}

fn failed(what: &str, error: &std::io::Error) -> napi::Error {
    napi::Error::from_reason(format!("{what}: {error}"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[test]
    fn a_process_that_is_not_shown_is_left_out_and_any_other_error_is_one() {
        const EPERM: i32 = 1;
        const ESRCH: i32 = 3;
        const EMFILE: i32 = 24;
        assert_eq!(visible(Ok(1)).unwrap(), Some(1));
        for code in [EPERM, ESRCH] {
            assert_eq!(visible::<u8>(Err(Error::from_raw_os_error(code))).unwrap(), None);
        }
        assert!(visible::<u8>(Err(Error::from_raw_os_error(EMFILE))).is_err());
        assert!(visible::<u8>(Err(ErrorKind::InvalidData.into())).is_err());
    }

    #[test]
    fn a_chain_leads_from_a_process_to_what_started_it() {
        let own = i32::try_from(std::process::id()).unwrap();
        let mut child = std::process::Command::new("/bin/sleep").arg("60").spawn().unwrap();
        let found = chain(i32::try_from(child.id()).unwrap()).unwrap().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let parent = found.parent.unwrap();
        assert_eq!((parent.pid, found.helper.parent_pid, found.sure), (own, own, true));
        assert_eq!(found.above.unwrap().pid, parent.parent_pid);
        assert!(found.session_leader.is_none_or(|leader| leader.pid == parent.session_leader_pid));
        assert!(chain(i32::try_from(child.id()).unwrap()).unwrap().is_none());
    }
}

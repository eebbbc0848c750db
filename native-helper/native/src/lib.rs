//! What Node lacks, for main/platform/native: the process at the other end of a socket, facts about processes, a lock
//! for the life of the process, a clock that counts suspend, a log writer that blocks no one, no core dumps. Calls are
//! synchronous and take microseconds, unless their comment says otherwise.

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
#[path = "windows/mod.rs"]
mod system;
#[cfg(target_os = "linux")]
mod tcp_table;

#[cfg(unix)]
pub use lock::*;
pub use log_writer::*;
use napi_derive::napi;
#[cfg(target_os = "linux")]
pub use tcp_table::*;

/// The process at the other end of a local socket, at the time it connected.
#[napi(object)]
pub struct PeerCredentials {
    pub uid: u32,
    pub pid: i32,
}

/// The system's facts about a process. The fields are those in main/ports/peer-identity.ts.
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

/// The facts that one read gives.
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
    /// Adds the facts that need more reads. None where the system doesn't tell.
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

/// A helper and the processes it comes from. The fields are those in main/ports/peer-identity.ts.
#[napi(object, use_nullable = true)]
pub struct CallerChain {
    pub helper: ProcessBrief,
    pub parent: Option<ProcessInfo>,
    pub above: Option<ProcessBrief>,
    pub session_leader: Option<ProcessBrief>,
    pub sure: bool,
}

/// Throws where the system can't tell: such a peer must be denied.
#[napi]
pub fn peer_credentials(fd: i32) -> napi::Result<PeerCredentials> {
    system::peer_credentials(fd).map_err(|error| failed("peer credentials", &error))
}

/// Null if the process has ended, or if the system doesn't let this user see it.
#[napi]
pub fn process_info(pid: i32) -> napi::Result<Option<ProcessInfo>> {
    visible(system::process_info(pid)).map_err(|error| failed("process info", &error))
}

/// Like `process_info`, for callers that need less: reads one file instead of five.
#[napi]
pub fn process_brief(pid: i32) -> napi::Result<Option<ProcessBrief>> {
    visible(system::process_brief(pid)).map_err(|error| failed("process brief", &error))
}

/// Null if the helper has ended. Leaves out processes of other users that this one may not see: they are no reason to
/// deny a request.
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
            // Mostly the shell that the command was typed into, so it is read only once.
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

/// None for a process that has ended, or that the system doesn't let this user see.
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

/// Keeps this process's memory out of core files, and from other processes of the same user where the system can.
#[napi]
pub fn harden_process() -> napi::Result<()> {
    system::harden_process().map_err(|error| failed("harden process", &error))
}

/// Returns memory that was freed, but that the C library's allocator keeps, to the system. Takes about a millisecond.
#[napi]
pub fn release_free_memory() {
    system::release_free_memory();
}

fn failed(what: &str, error: &std::io::Error) -> napi::Error {
    napi::Error::from_reason(format!("{what}: {error}"))
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_is_not_shown_is_left_out_and_any_other_error_is_one() {
        use std::io::{Error, ErrorKind};
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
        // Runs until its standard input ends.
        let (program, args) =
            if cfg!(windows) { ("cmd.exe", &["/c", "pause"][..]) } else { ("/bin/cat", &[][..]) };
        let mut command = Command::new(program);
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let found = chain(pid).unwrap().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let parent = found.parent.unwrap();
        assert_eq!((parent.pid, found.helper.parent_pid, found.sure), (own, own, true));
        // Whoever started this one may have ended on Windows, or is another system's.
        assert!(cfg!(windows) || found.above.is_some());
        assert!(found.above.is_none_or(|above| above.pid == parent.parent_pid));
        assert!(found.session_leader.is_none_or(|leader| leader.pid == parent.session_leader_pid));
        assert!(chain(pid).unwrap().is_none());
    }
}

//! What Node lacks, for main/native: who is at the other end of a socket, what a process is, a lock held for the
//! process's life, a clock that runs through suspend, a log that holds nothing up, no core dumps. Everything is synchronous and takes microseconds.

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
    pub uid: u32,
    pub start_time: String,
    pub name: String,
    pub executable: Option<String>,
    pub executable_id: Option<String>,
    pub session_leader_pid: i32,
    pub has_terminal: bool,
    pub pid_namespace: Option<String>,
}

/// What one look tells of a process.
#[napi(object)]
pub struct ProcessBrief {
    pub pid: i32,
    pub parent_pid: i32,
    pub start_time: String,
    pub name: String,
    pub session_leader_pid: i32,
    pub has_terminal: bool,
}

/// Throws where the system can't tell: such a peer has to be refused.
#[napi]
pub fn peer_credentials(fd: i32) -> napi::Result<PeerCredentials> {
    system::peer_credentials(fd).map_err(|error| failed("peer credentials", &error))
}

/// Null where there is no such process any more.
#[napi]
pub fn process_info(pid: i32) -> napi::Result<Option<ProcessInfo>> {
    match system::process_info(pid) {
        Ok(info) => Ok(Some(info)),
        Err(error) if system::is_gone(&error) => Ok(None),
        Err(error) => Err(failed("process info", &error)),
    }
}

/// As `process_info`, for callers that need no more: one file is read instead of five.
#[napi]
pub fn process_brief(pid: i32) -> napi::Result<Option<ProcessBrief>> {
    match system::process_brief(pid) {
        Ok(brief) => Ok(Some(brief)),
        Err(error) if system::is_gone(&error) => Ok(None),
        Err(error) => Err(failed("process brief", &error)),
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

/// Gives memory that is free, but still held by the C library's allocator, back to the system. Takes a millisecond or so.
#[napi]
pub fn release_free_memory() {
    system::release_free_memory();
}

fn failed(what: &str, error: &std::io::Error) -> napi::Error {
    napi::Error::from_reason(format!("{what}: {error}"))
}

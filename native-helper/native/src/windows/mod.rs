//! Windows has no uids: 0 stands for this process's user, 1 for any other. The pipe lets in no other user anyway.
// In tests, napi’s macro makes no use of what it exports.
#![cfg_attr(test, allow(dead_code))]

mod console_host;
mod descriptor;
mod lock;
mod pipe;

use crate::{PeerCredentials, ProcessBrief, ProcessInfo, failed};
use lanyard_windows::{Sid, check, my_user, open_process, parent_of, started, user_of_thread};
use napi_derive::napi;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use windows_sys::Win32::Foundation::{ERROR_INVALID_PARAMETER, HANDLE};
use windows_sys::Win32::Security::RevertToSelf;
use windows_sys::Win32::System::Pipes::{GetNamedPipeClientProcessId, ImpersonateNamedPipeClient};
use windows_sys::Win32::System::SystemInformation::GetTickCount64;
use windows_sys::Win32::System::Threading::QueryFullProcessImageNameW;

/// The descriptor is one that `PipeListener::accept` gave.
pub fn peer_credentials(fd: i32) -> io::Result<PeerCredentials> {
    let pipe = descriptor::handle_of(fd)?;
    let mut pid = 0;
    // SAFETY: the descriptor's owner keeps the handle open; the place lives through the call.
    check(unsafe { GetNamedPipeClientProcessId(pipe, &mut pid) })?;
    let uid = match client_user(pipe) {
        Ok(user) => u32::from(user != my_user()?),
        // An elevated client's user isn't shown to a broker that isn't. The pipe's list has let in this user alone.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => 0,
        Err(error) => return Err(error),
    };
    Ok(PeerCredentials { uid, pid: pid.cast_signed() })
}

/// Who opened the other end: the pipe has kept that.
fn client_user(pipe: HANDLE) -> io::Result<Sid> {
    // SAFETY: the handle is open. This thread acts as the client only until it has looked who that is; the helper lets
    // itself be identified, and no more.
    unsafe {
        check(ImpersonateNamedPipeClient(pipe))?;
        let found = user_of_thread();
        if RevertToSelf() == 0 {
            // All that this thread did from here on would be done as somebody else.
            std::process::abort();
        }
        found
    }
}

pub fn process_info(pid: i32) -> io::Result<ProcessInfo> {
    let brief = process_brief(pid)?;
    let path = executable(open_process(pid.cast_unsigned())?.as_raw_handle())?;
    Ok(brief.with(Some(path), None, None))
}

pub fn process_brief(pid: i32) -> io::Result<ProcessBrief> {
    let process = open_process(pid.cast_unsigned())?;
    let handle = process.as_raw_handle();
    let parent_pid = parent_of(handle)?.map_or(0, u32::cast_signed);
    let host = console_host::of(handle);
    Ok(ProcessBrief {
        pid,
        parent_pid,
        start_time: started(handle)?.to_string(),
        name: executable(handle)?.rsplit('\\').next().unwrap_or_default().to_owned(),
        // The program that draws the console is the same for all in it. Where the system doesn't tell it, what started
        // the process is mostly the shell.
        session_leader_pid: host.map_or(parent_pid, u32::cast_signed),
        has_terminal: host != Some(0),
    })
}

/// Its absolute path.
fn executable(process: HANDLE) -> io::Result<String> {
    let mut path = [0_u16; 4096];
    let mut length = 4096;
    // SAFETY: the handle is open, and the place lives through the call and is as large as said.
    check(unsafe { QueryFullProcessImageNameW(process, 0, path.as_mut_ptr(), &mut length) })?;
    Ok(String::from_utf16_lossy(path.get(..length as usize).unwrap_or_default()))
}

pub fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_INVALID_PARAMETER.cast_signed())
}

pub fn own_uid() -> u32 {
    0
}

pub fn boottime_milliseconds() -> f64 {
    // SAFETY: it takes nothing.
    unsafe { GetTickCount64() as f64 }
}

/// The system's allocator does this automatically.
pub fn release_free_memory() {}

pub fn harden_process() -> io::Result<()> {
    Ok(())
}

/// The pipe's name for this home. The helper computes the same.
#[napi]
pub fn pipe_name(home: String) -> napi::Result<String> {
    let user = my_user().and_then(|user| user.text()).map_err(|error| failed("pipe name", &error))?;
    Ok(lanyard_windows::pipe_name(&user, &home))
}

/// Gives a folder or file a separate access list: this user, the system and administrators. What is in the folder
/// inherits it.
#[napi]
pub fn close_to_others(path: String) -> napi::Result<()> {
    lanyard_windows::close_to_others(Path::new(&path)).map_err(|error| failed("access list", &error))
}

/// Whether a user who is no administrator could read or change the file or folder.
#[napi]
pub fn is_open_to_others(path: String) -> napi::Result<bool> {
    lanyard_windows::is_open_to_others(Path::new(&path)).map_err(|error| failed("access list", &error))
}

/// Whether a user who is no administrator could have changed the file or folder.
#[napi]
pub fn is_written_by_others(path: String) -> napi::Result<bool> {
    lanyard_windows::is_written_by_others(Path::new(&path)).map_err(|error| failed("access list", &error))
}

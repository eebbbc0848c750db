//! Has not been run yet. Windows has no uids: 0 stands for this process's user, 1 for any other. The pipe lets in no
//! other user anyway.

use crate::{PeerCredentials, ProcessBrief, ProcessInfo, failed};
use napi_derive::napi;
use std::ffi::c_void;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, IntoRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};
use windows_sys::Win32::Foundation::{
    ERROR_INVALID_PARAMETER, ERROR_PIPE_CONNECTED, ERROR_SHARING_VIOLATION, FILETIME, HANDLE,
    INVALID_HANDLE_VALUE, LocalFree, WAIT_OBJECT_0,
};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows_sys::Win32::Security::{
    GetTokenInformation, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_DUPLEX,
};
use windows_sys::Win32::System::IO::{CancelIo, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Pipes::{
    ConnectNamedPipe, CreateNamedPipeW, GetNamedPipeClientProcessId, PIPE_REJECT_REMOTE_CLIENTS,
    PIPE_UNLIMITED_INSTANCES,
};
use windows_sys::Win32::System::SystemInformation::GetTickCount64;
use windows_sys::Win32::System::Threading::{
    CreateEventW, GetCurrentProcess, GetProcessTimes, OpenProcess, OpenProcessToken,
    PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW, WaitForSingleObject,
};

const BUFFER_BYTES: u32 = 64 * 1024;

unsafe extern "C" {
    fn _get_osfhandle(fd: i32) -> isize;
    fn _open_osfhandle(handle: isize, flags: i32) -> i32;
}

fn check(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system gave it only to the caller, which hands it over here.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

pub fn peer_credentials(fd: i32) -> io::Result<PeerCredentials> {
    let mut pid = 0;
    // SAFETY: the descriptor is one that `accept` gave to Node; the place lives through the call.
    check(unsafe { GetNamedPipeClientProcessId(_get_osfhandle(fd) as HANDLE, &mut pid) })?;
    let user = user_of(open_process(pid)?.as_raw_handle())?;
    Ok(PeerCredentials { uid: u32::from(user != my_user()?), pid: pid.cast_signed() })
}

fn open_process(pid: u32) -> io::Result<OwnedHandle> {
    // SAFETY: plain numbers.
    owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid) })
}

pub fn process_info(pid: i32) -> io::Result<ProcessInfo> {
    let process = open_process(pid.cast_unsigned())?;
    let handle = process.as_raw_handle();
    let none = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let (mut start, mut end, mut kernel, mut user) = (none, none, none, none);
    let mut path = [0_u16; 4096];
    let mut length = 4096;
    // SAFETY: the handle is open, and all places live through the calls and are as large as said.
    unsafe {
        check(GetProcessTimes(handle, &mut start, &mut end, &mut kernel, &mut user))?;
        check(QueryFullProcessImageNameW(handle, 0, path.as_mut_ptr(), &mut length))?;
    }
    let path = String::from_utf16_lossy(path.get(..length as usize).unwrap_or_default());
    Ok(ProcessInfo {
        pid,
        // Windows keeps no living link to the parent, and has no terminal sessions.
        parent_pid: 0,
        start_time: ((u64::from(start.dwHighDateTime) << 32) | u64::from(start.dwLowDateTime)).to_string(),
        name: path.rsplit('\\').next().unwrap_or_default().to_owned(),
        executable: Some(path),
        executable_id: None,
        session_leader_pid: pid,
        has_terminal: false,
        pid_namespace: None,
    })
}

pub fn process_brief(pid: i32) -> io::Result<ProcessBrief> {
    process_info(pid).map(|info| info.brief())
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

fn my_user() -> io::Result<String> {
    // SAFETY: it takes nothing and gives a handle that needs no closing.
    user_of(unsafe { GetCurrentProcess() })
}

/// The security identifier, as text, of the user that the process runs as.
fn user_of(process: HANDLE) -> io::Result<String> {
    let mut token = null_mut();
    // SAFETY: the process's handle is open and the place lives through the call.
    check(unsafe { OpenProcessToken(process, TOKEN_QUERY, &mut token) })?;
    let token = owned(token)?;
    // A SID has at most 68 bytes; u64s keep the structure aligned.
    let mut buffer = [0_u64; 32];
    let mut used = 0;
    let place = buffer.as_mut_ptr().cast::<c_void>();
    let size = size_of_val(&buffer) as u32;
    // SAFETY: the place is as large as said and lives through the call.
    check(unsafe { GetTokenInformation(token.as_raw_handle(), TokenUser, place, size, &mut used) })?;
    let mut text = null_mut();
    // SAFETY: the call above wrote a TOKEN_USER there, whose SID lies in the same buffer.
    check(unsafe { ConvertSidToStringSidW((*place.cast::<TOKEN_USER>()).User.Sid, &mut text) })?;
    // SAFETY: the text ends with a zero, as the call promises; it is freed once, after it was copied.
    unsafe {
        let length = (0..).take_while(|&index| *text.add(index) != 0).count();
        let copy = String::from_utf16_lossy(std::slice::from_raw_parts(text, length));
        LocalFree(text.cast());
        Ok(copy)
    }
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

/// The pipe's name for this home. The helper computes the same.
#[napi]
pub fn pipe_name(home: String) -> napi::Result<String> {
    let hash = home
        .to_lowercase()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let user = my_user().map_err(|error| failed("pipe name", &error))?;
    Ok(format!(r"\\.\pipe\lanyard-{user}-{hash:016x}"))
}

/// A pipe that only its owner can open, from this machine alone. libuv's own pipes let everyone read.
#[napi]
pub struct PipeListener {
    name: Vec<u16>,
    waiting: OwnedHandle,
}

#[napi]
impl PipeListener {
    /// Throws if another program has made a pipe of this name.
    #[napi(constructor)]
    pub fn new(name: String) -> napi::Result<Self> {
        let name = wide(&name);
        let waiting =
            instance(&name, FILE_FLAG_FIRST_PIPE_INSTANCE).map_err(|error| failed("pipe", &error))?;
        Ok(PipeListener { name, waiting })
    }

    /// A descriptor for `new net.Socket({ fd })`, or null if no connection came. Blocks: call it from a worker.
    #[napi]
    pub fn accept(&mut self, milliseconds: u32) -> napi::Result<Option<i32>> {
        let came = wait_for_client(&self.waiting, milliseconds).map_err(|error| failed("pipe", &error))?;
        if !came {
            return Ok(None);
        }
        let next = instance(&self.name, 0).map_err(|error| failed("pipe", &error))?;
        let client = std::mem::replace(&mut self.waiting, next);
        // SAFETY: the handle is open and given away: from here on the descriptor owns it.
        Ok(Some(unsafe { _open_osfhandle(client.into_raw_handle() as isize, 0) }))
    }
}

fn instance(name: &[u16], first: u32) -> io::Result<OwnedHandle> {
    // A protected list with one entry: all access for this user.
    let rule = wide(&format!("D:P(A;;GA;;;{})", my_user()?));
    let mut descriptor = null_mut();
    // SAFETY: the text ends with a zero; the descriptor is freed below, after its last use.
    unsafe {
        check(ConvertStringSecurityDescriptorToSecurityDescriptorW(
            rule.as_ptr(),
            SDDL_REVISION_1,
            &mut descriptor,
            null_mut(),
        ))?;
        let attributes = SECURITY_ATTRIBUTES {
            nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
            lpSecurityDescriptor: descriptor,
            bInheritHandle: 0,
        };
        let pipe = CreateNamedPipeW(
            name.as_ptr(),
            PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | first,
            PIPE_REJECT_REMOTE_CLIENTS,
            PIPE_UNLIMITED_INSTANCES,
            BUFFER_BYTES,
            BUFFER_BYTES,
            0,
            &attributes,
        );
        let pipe = owned(pipe);
        LocalFree(descriptor);
        pipe
    }
}

fn wait_for_client(pipe: &OwnedHandle, milliseconds: u32) -> io::Result<bool> {
    let handle = pipe.as_raw_handle();
    // SAFETY: `state` and its event live until the call has ended or was cancelled and waited for.
    unsafe {
        let event = owned(CreateEventW(null(), 1, 0, null()))?;
        let mut state: OVERLAPPED = std::mem::zeroed();
        state.hEvent = event.as_raw_handle();
        ConnectNamedPipe(handle, &mut state);
        if io::Error::last_os_error().raw_os_error() == Some(ERROR_PIPE_CONNECTED.cast_signed()) {
            return Ok(true);
        }
        let came = WaitForSingleObject(event.as_raw_handle(), milliseconds) == WAIT_OBJECT_0;
        if !came {
            CancelIo(handle);
        }
        let mut bytes = 0;
        let ended = GetOverlappedResult(handle, &state, &mut bytes, 1) != 0;
        Ok(came && ended)
    }
}

/// A file that only this process has open.
#[napi]
pub struct Lock {
    held: Option<File>,
}

#[napi]
impl Lock {
    #[napi]
    pub fn release(&mut self) {
        self.held = None;
    }
}

/// Null if another process has the lock. Throws if the file can't be opened.
#[napi]
pub fn acquire_lock(path: String) -> napi::Result<Option<Lock>> {
    match OpenOptions::new().write(true).create(true).truncate(false).share_mode(0).open(path) {
        Ok(file) => Ok(Some(Lock { held: Some(file) })),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION.cast_signed()) => Ok(None),
        Err(error) => Err(failed("lock", &error)),
    }
}

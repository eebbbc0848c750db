use crate::os::ConnectError;
use lanyard_windows::{check, is_owned_by_me, my_user, owned, pipe_name};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::thread::sleep;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{
    ERROR_IO_PENDING, ERROR_OPERATION_ABORTED, ERROR_PIPE_BUSY, WAIT_OBJECT_0,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_OVERLAPPED, ReadFile, SECURITY_IDENTIFICATION, WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Threading::{CreateEventW, WaitForSingleObject};

const POLL_INTERVAL: Duration = Duration::from_millis(2);

pub struct Connection(File);

impl Connection {
    /// Opens the pipe for this socket path. The addon computes the same name.
    pub fn open(path: &Path, limit: Duration) -> Result<Self, ConnectError> {
        let user = my_user().and_then(|user| user.text()).map_err(ConnectError::Other)?;
        let name = pipe_name(&user, &path.parent().unwrap_or(path).to_string_lossy());
        let began = Instant::now();
        loop {
            // Lets the server identify this user, but not impersonate them.
            let opened = OpenOptions::new()
                .read(true)
                .write(true)
                .security_qos_flags(SECURITY_IDENTIFICATION)
                .custom_flags(FILE_FLAG_OVERLAPPED)
                .open(&name);
            match opened {
                Ok(file) => return Ok(Connection(file)),
                Err(error) if error.kind() == ErrorKind::NotFound => return Err(ConnectError::NoBroker),
                Err(error) if error.raw_os_error() != Some(ERROR_PIPE_BUSY.cast_signed()) => {
                    return Err(ConnectError::Other(error));
                }
                Err(_) if began.elapsed() > limit => return Err(ConnectError::TimedOut),
                Err(_) => sleep(POLL_INTERVAL),
            }
        }
    }

    /// Whether the pipe is this user's. Looks at the pipe's owner, which the broker sets: the process's own token would
    /// not be shown where one of the two is elevated.
    pub fn peer_is_me(&self) -> io::Result<bool> {
        is_owned_by_me(self.0.as_raw_handle())
    }

    pub fn send(&mut self, bytes: &[u8], limit: Duration) -> io::Result<()> {
        let until = Instant::now() + limit;
        let mut left = bytes;
        while !left.is_empty() {
            let size = u32::try_from(left.len()).unwrap_or(u32::MAX);
            let count = self.transfer(until.saturating_duration_since(Instant::now()), |handle, state| {
                // SAFETY: the bytes are there until `transfer` has seen the end of this, and are as many as said.
                unsafe { WriteFile(handle, left.as_ptr(), size, null_mut(), state) }
            })?;
            left = left.get(count..).unwrap_or_default();
        }
        Ok(())
    }

    pub fn receive(&mut self, bytes: &mut [u8], limit: Duration) -> io::Result<usize> {
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.transfer(limit, |handle, state| {
            // SAFETY: the place is there until `transfer` has seen the end of this, and is as large as said.
            unsafe { ReadFile(handle, bytes.as_mut_ptr(), size, null_mut(), state) }
        })
    }

    /// Waits for what `start` begins; at the limit it is cancelled, and has ended when this returns.
    fn transfer(
        &self,
        limit: Duration,
        start: impl FnOnce(*mut std::ffi::c_void, *mut OVERLAPPED) -> i32,
    ) -> io::Result<usize> {
        let handle = self.0.as_raw_handle();
        // SAFETY: plain values; the handle is given to this caller alone.
        let event = unsafe { owned(CreateEventW(null(), 1, 0, null())) }?;
        // SAFETY: a structure of numbers and handles may be zero.
        let mut state: OVERLAPPED = unsafe { std::mem::zeroed() };
        state.hEvent = event.as_raw_handle();
        if start(handle, &mut state) == 0 {
            let error = io::Error::last_os_error();
            if error.raw_os_error() != Some(ERROR_IO_PENDING.cast_signed()) {
                return Err(error);
            }
        }
        let milliseconds = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX - 1);
        let mut count = 0;
        // SAFETY: event and state live until the last of these calls, which waits for the end.
        let result = unsafe {
            if WaitForSingleObject(event.as_raw_handle(), milliseconds) != WAIT_OBJECT_0 {
                CancelIoEx(handle, &state);
            }
            check(GetOverlappedResult(handle, &state, &mut count, 1))
        };
        match result {
            Err(error) if error.raw_os_error() == Some(ERROR_OPERATION_ABORTED.cast_signed()) => {
                Err(ErrorKind::TimedOut.into())
            }
            other => other.map(|()| usize::try_from(count).unwrap_or(0)),
        }
    }
}

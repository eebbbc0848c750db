use crate::system::{check, owned};
use std::io::{self, ErrorKind};
use std::os::windows::io::AsRawHandle;
use std::ptr::null;
use std::time::Duration;
use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_OPERATION_ABORTED, HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Threading::{CreateEventW, WaitForSingleObject};

/// Waits for what `start` begins on a handle that was opened for it; at the limit it is cancelled. It has ended when
/// this returns, so what it was given need live no longer. How many bytes it moved.
pub fn transfer(
    handle: HANDLE,
    limit: Duration,
    start: impl FnOnce(*mut OVERLAPPED) -> i32,
) -> io::Result<usize> {
    // SAFETY: plain values; the handle is given to this caller alone.
    let event = unsafe { owned(CreateEventW(null(), 1, 0, null())) }?;
    let mut state = OVERLAPPED { hEvent: event.as_raw_handle(), ..Default::default() };
    if start(&mut state) == 0 {
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
        // It may have ended just before it was cancelled.
        check(GetOverlappedResult(handle, &state, &mut count, 1))
    };
    match result {
        Err(error) if error.raw_os_error() == Some(ERROR_OPERATION_ABORTED.cast_signed()) => {
            Err(ErrorKind::TimedOut.into())
        }
        other => other.map(|()| count as usize),
    }
}

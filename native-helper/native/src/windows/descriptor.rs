use std::ffi::CStr;
use std::io;
use std::os::windows::io::{AsRawHandle, IntoRawHandle, OwnedHandle};
use std::ptr::null;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};

// Node's C runtime is built into node.exe, and has a table of descriptors that only its own functions know: libuv
// exports two of them for addons (nodejs/node#15433). The addon's own `_open_osfhandle` leads to another table.

pub fn handle_of(fd: i32) -> io::Result<HANDLE> {
    // SAFETY: uv.h declares it so (uv_get_osfhandle).
    let get = unsafe { of_host::<unsafe extern "C" fn(i32) -> HANDLE>(c"uv_get_osfhandle") }?;
    // SAFETY: for what is no descriptor it gives INVALID_HANDLE_VALUE.
    match unsafe { get(fd) } {
        INVALID_HANDLE_VALUE => Err(io::Error::other("no such descriptor")),
        handle => Ok(handle),
    }
}

/// From here on the descriptor owns the handle.
pub fn descriptor_for(handle: OwnedHandle) -> io::Result<i32> {
    // SAFETY: uv.h declares it so (uv_open_osfhandle).
    let open = unsafe { of_host::<unsafe extern "C" fn(HANDLE) -> i32>(c"uv_open_osfhandle") }?;
    // SAFETY: the handle is open.
    match unsafe { open(handle.as_raw_handle()) } {
        -1 => Err(io::Error::other("no descriptor is left")),
        fd => {
            let _ = handle.into_raw_handle();
            Ok(fd)
        }
    }
}

/// A function that the program which loaded this addon exports.
///
/// # Safety
/// `F` is that function's type.
unsafe fn of_host<F: Copy>(name: &CStr) -> io::Result<F> {
    // SAFETY: null is the program itself, which stays loaded; the name ends with a zero. A pointer to a function is as
    // large as any other.
    unsafe {
        let found = GetProcAddress(GetModuleHandleW(null()), name.as_ptr().cast());
        let found = found.ok_or_else(io::Error::last_os_error)?;
        Ok(std::mem::transmute_copy(&found))
    }
}

use std::ffi::OsStr;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
#[cfg(test)]
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};

/// The system's error where a call returned zero.
pub fn check(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Closes the handle when it is dropped. The system's error where a call returned none.
///
/// # Safety
/// The caller was given the handle by the system just now, and hands it over.
pub unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// As system calls take it: UTF-16 that ends with a zero.
pub fn wide(text: impl AsRef<OsStr>) -> Vec<u16> {
    text.as_ref().encode_wide().chain([0]).collect()
}

/// Tests alone ask, where wine lacks what Windows has.
#[cfg(test)]
pub fn is_wine() -> bool {
    // SAFETY: the library is always there, and both names end with a zero.
    unsafe {
        let library = GetModuleHandleW(wide("ntdll.dll").as_ptr());
        GetProcAddress(library, c"wine_get_version".as_ptr().cast()).is_some()
    }
}

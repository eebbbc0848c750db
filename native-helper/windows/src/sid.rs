use crate::system::{check, owned};
use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::ptr::null_mut;
use windows_sys::Win32::Foundation::{HANDLE, LocalFree};
use windows_sys::Win32::Security::Authorization::ConvertSidToStringSidW;
use windows_sys::Win32::Security::{
    CopySid, EqualSid, GetTokenInformation, PSID, TOKEN_DUPLICATE, TOKEN_IMPERSONATE, TOKEN_QUERY,
    TOKEN_USER, TokenUser,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, OpenProcessToken, OpenThreadToken,
};

/// SECURITY_MAX_SID_SIZE, in winnt.h.
const MAX_BYTES: usize = 68;

/// A user or group. u64s keep it aligned.
#[derive(Clone)]
pub struct Sid([u64; MAX_BYTES.div_ceil(8)]);

impl Sid {
    /// # Safety
    /// It points to a valid SID.
    pub unsafe fn copy(sid: PSID) -> io::Result<Self> {
        let mut copy = Sid([0; _]);
        // SAFETY: the source is valid, as the caller promises, and the place is as large as said.
        check(unsafe { CopySid(MAX_BYTES as u32, copy.0.as_mut_ptr().cast(), sid) })?;
        Ok(copy)
    }

    pub fn as_psid(&self) -> PSID {
        self.0.as_ptr().cast::<c_void>().cast_mut()
    }

    /// `S-1-…`.
    pub fn text(&self) -> io::Result<String> {
        let mut text = null_mut();
        // SAFETY: the SID is valid, and the place lives through the call.
        check(unsafe { ConvertSidToStringSidW(self.as_psid(), &mut text) })?;
        // SAFETY: the text ends with a zero, as the call promises; it is freed once, after it was copied.
        unsafe {
            let length = (0..).take_while(|&index| *text.add(index) != 0).count();
            let copy = String::from_utf16_lossy(std::slice::from_raw_parts(text, length));
            LocalFree(text.cast());
            Ok(copy)
        }
    }
}

impl PartialEq for Sid {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: both are valid.
        unsafe { EqualSid(self.as_psid(), other.as_psid()) != 0 }
    }
}

impl Eq for Sid {}

/// The user that this process runs as.
pub fn my_user() -> io::Result<Sid> {
    // SAFETY: it takes nothing and gives a handle that needs no closing.
    user_of_process(unsafe { GetCurrentProcess() })
}

/// The user that the process runs as. Windows doesn't tell it of an elevated process to one that isn't.
pub fn user_of_process(process: HANDLE) -> io::Result<Sid> {
    let mut token = null_mut();
    // SAFETY: the process's handle is open and the place lives through the call.
    check(unsafe { OpenProcessToken(process, TOKEN_QUERY, &mut token) })?;
    // SAFETY: the call above gave it to us alone.
    user_of(&unsafe { owned(token) }?)
}

/// This process's token, to ask about it and to use it.
pub(crate) fn my_token() -> io::Result<OwnedHandle> {
    let mut token = null_mut();
    // SAFETY: the process's own handle needs no closing, the place lives through the call, and what it gives is this
    // caller's alone.
    unsafe {
        let access = TOKEN_QUERY | TOKEN_DUPLICATE | TOKEN_IMPERSONATE;
        check(OpenProcessToken(GetCurrentProcess(), access, &mut token))?;
        owned(token)
    }
}

/// The user that this thread acts as.
pub fn user_of_thread() -> io::Result<Sid> {
    let mut token = null_mut();
    // SAFETY: it takes no handle that needs closing, and the place lives through the call. The process's own identity
    // opens the token: the one that is acted as may not.
    check(unsafe { OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, 1, &mut token) })?;
    // SAFETY: the call above gave it to us alone.
    user_of(&unsafe { owned(token) }?)
}

fn user_of(token: &OwnedHandle) -> io::Result<Sid> {
    let mut buffer = [0_u64; 32];
    let mut used = 0;
    let place = buffer.as_mut_ptr().cast::<c_void>();
    let size = size_of_val(&buffer) as u32;
    // SAFETY: the place is as large as said and lives through the call.
    check(unsafe { GetTokenInformation(token.as_raw_handle(), TokenUser, place, size, &mut used) })?;
    // SAFETY: the call above wrote a TOKEN_USER there, whose SID lies in the same buffer.
    unsafe { Sid::copy((*place.cast::<TOKEN_USER>()).User.Sid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_of_this_user() {
        let me = my_user().unwrap();
        assert!(me.text().unwrap().starts_with("S-1-5-"));
        assert!(me == me.clone());
    }
}

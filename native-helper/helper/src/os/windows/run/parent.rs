use lanyard_windows::{owned, parent_of};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject,
};

/// The process that started this one.
pub struct Parent(OwnedHandle);

impl Parent {
    /// None if it has ended already, or can't be told.
    pub fn find() -> Option<Self> {
        // SAFETY: it takes nothing, and the handle that it gives needs no closing.
        let pid = parent_of(unsafe { GetCurrentProcess() }).ok()??;
        // SAFETY: plain numbers; the handle is given to this caller alone.
        unsafe { owned(OpenProcess(PROCESS_SYNCHRONIZE, 0, pid)) }.ok().map(Parent)
    }

    pub fn is_gone(&self) -> bool {
        // SAFETY: the handle is open; it waits for nothing.
        unsafe { WaitForSingleObject(self.0.as_raw_handle(), 0) == WAIT_OBJECT_0 }
    }
}

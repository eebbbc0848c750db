use windows_sys::Win32::Foundation::{
    GetHandleInformation, HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessHandleCount};

/// Handles are numbered in steps of four, from the lowest free one.
const STEP: usize = 4;
const HIGHEST: usize = 64 * 1024;

/// Makes sure that a program gets the handles that are made for it, and no others: whoever started this process passed
/// the broker's pipes on as inheritable, and perhaps more. The standard library passes all that are inheritable.
pub fn keep_from_programs() {
    let mut left = how_many().unwrap_or(u32::MAX);
    for number in (STEP..=HIGHEST).step_by(STEP) {
        if left == 0 {
            return;
        }
        let (handle, mut flags) = (number as HANDLE, 0);
        // SAFETY: the system checks the number itself, and the place lives through the calls. The flag only keeps a
        // handle from programs that are started later.
        unsafe {
            if GetHandleInformation(handle, &mut flags) != 0 {
                left -= 1;
                if flags & HANDLE_FLAG_INHERIT != 0 {
                    SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
                }
            }
        }
    }
}

/// None: the system doesn't tell, and all numbers are tried. Wine says zero.
fn how_many() -> Option<u32> {
    let mut count = 0;
    // SAFETY: the place lives through the call, and the process's handle needs no closing.
    let is_told = unsafe { GetProcessHandleCount(GetCurrentProcess(), &mut count) } != 0;
    (is_told && count > 0).then_some(count)
}

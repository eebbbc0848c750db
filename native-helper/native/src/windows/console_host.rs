use windows_sys::Wdk::System::Threading::NtQueryInformationProcess;
use windows_sys::Win32::Foundation::HANDLE;

/// ProcessConsoleHostProcess, in phnt's ntpsapi.h (System Informer).
const CONSOLE_HOST_PROCESS: i32 = 49;

/// The pid of the program that draws the process's console; 0 where it has no console. None where the system doesn't
/// tell.
pub fn of(process: HANDLE) -> Option<u32> {
    let mut host = 0_usize;
    let place = (&raw mut host).cast();
    let size = size_of_val(&host) as u32;
    // SAFETY: the handle is open; the place lives through the call and is as large as said.
    let status = unsafe {
        NtQueryInformationProcess(process, CONSOLE_HOST_PROCESS, place, size, std::ptr::null_mut())
    };
    // Pids are multiples of four; the lowest bits are flags.
    (status == 0).then(|| u32::try_from(host & !3).unwrap_or(0))
}

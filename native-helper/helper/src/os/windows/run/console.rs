use lanyard_windows::check;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal};
use std::os::windows::io::AsRawHandle;
use std::sync::atomic::{AtomicBool, Ordering};
use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, CTRL_C_EVENT, ENABLE_ECHO_INPUT, FlushConsoleInputBuffer, GetConsoleMode,
    SetConsoleCtrlHandler, SetConsoleMode,
};

/// The user's console, which is standard input, lent to a program. Dropping it restores echo and all modes.
pub struct Console {
    _both: Vec<Kept>,
}

/// One of the console's two buffers, with its modes before.
struct Kept {
    buffer: File,
    before: u32,
    is_input: bool,
}

impl Console {
    /// None if standard input is no console. A terminal of Cygwin or MSYS has a pipe instead, and no modes.
    pub fn begin() -> Option<Self> {
        if !io::stdin().is_terminal() {
            return None;
        }
        let both = [("CONIN$", true), ("CONOUT$", false)];
        let both = both.into_iter().filter_map(|(name, is_input)| Kept::of(name, is_input)).collect();
        Some(Console { _both: both })
    }
}

impl Kept {
    fn of(name: &str, is_input: bool) -> Option<Self> {
        let buffer = OpenOptions::new().read(true).write(true).open(name).ok()?;
        let before = mode_of(&buffer)?;
        Some(Kept { buffer, before, is_input })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let hides = |mode: u32| mode & ENABLE_ECHO_INPUT == 0;
        let is_hidden = self.is_input && mode_of(&self.buffer).is_some_and(hides) && !hides(self.before);
        // SAFETY: plain numbers on a handle that is still open.
        unsafe {
            if is_hidden {
                // Drops half a password that was typed for a program that has ended. The shell must not read it.
                FlushConsoleInputBuffer(self.buffer.as_raw_handle());
            }
            SetConsoleMode(self.buffer.as_raw_handle(), self.before);
        }
    }
}

fn mode_of(buffer: &File) -> Option<u32> {
    let mut mode = 0;
    // SAFETY: the handle is open and the place lives through the call.
    check(unsafe { GetConsoleMode(buffer.as_raw_handle(), &mut mode) }).ok()?;
    Some(mode)
}

/// Whether Ctrl-C or Ctrl-Break was pressed. The system runs the handler in a thread of its own.
static PRESSED: AtomicBool = AtomicBool::new(false);

extern "system" fn note(event: u32) -> i32 {
    let is_key = matches!(event, CTRL_C_EVENT | CTRL_BREAK_EVENT);
    if is_key {
        PRESSED.store(true, Ordering::Relaxed);
    }
    // The others end this process, and with it the program: the window was closed, or the user logs off.
    i32::from(is_key)
}

/// Catches Ctrl-C and Ctrl-Break until it is dropped, so that this process lives to report. A program at the same
/// console gets them, too. Only one may exist at a time.
pub struct Keys;

impl Keys {
    pub fn watch() -> io::Result<Self> {
        PRESSED.store(false, Ordering::Relaxed);
        // SAFETY: the handler only writes to a static.
        check(unsafe { SetConsoleCtrlHandler(Some(note), 1) })?;
        Ok(Keys)
    }

    /// Whether one was pressed since this was asked.
    pub fn take(&self) -> bool {
        PRESSED.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // SAFETY: it was added by `watch`.
        unsafe { SetConsoleCtrlHandler(Some(note), 0) };
    }
}

use crate::failure::{Failure, exit};
use crate::os::Asked;
use crate::style;
use crate::wire::Wire;
use lanyard_windows::check;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal};
use std::os::windows::io::AsRawHandle;
use std::ptr::null;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use windows_sys::Win32::Foundation::{ERROR_OPERATION_ABORTED, ERROR_SUCCESS, GetLastError, SetLastError};
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, CTRL_C_EVENT, ENABLE_ECHO_INPUT, ENABLE_LINE_INPUT, ENABLE_PROCESSED_INPUT,
    GetConsoleMode, GetConsoleScreenBufferInfo, GetConsoleWindow, ReadConsoleW, SetConsoleCtrlHandler,
    SetConsoleMode, WriteConsoleW,
};
use zeroize::Zeroizing;

const LINE_CHARACTERS: usize = 32 * 1024;
const SIGINT: i32 = 2;

/// A program without a window, such as an editor's language server, has a console that nobody sees: it can be opened, and
/// is no terminal. A pseudo console has a window of its own, which isn't shown.
pub fn has_controlling_terminal() -> bool {
    // SAFETY: it takes nothing.
    let is_seen = || unsafe { !GetConsoleWindow().is_null() };
    let is_used = io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal();
    (is_used || is_seen()) && console("CONIN$").is_ok()
}

/// How many columns the console has that is standard output; None: it is none.
pub fn columns() -> Option<u16> {
    // SAFETY: plain numbers, for which zero is a value.
    let mut info: CONSOLE_SCREEN_BUFFER_INFO = unsafe { std::mem::zeroed() };
    // SAFETY: the handle is the process's own and the place lives through the call.
    check(unsafe { GetConsoleScreenBufferInfo(io::stdout().as_raw_handle(), &mut info) }).ok()?;
    let columns = i32::from(info.srWindow.Right) - i32::from(info.srWindow.Left) + 1;
    u16::try_from(columns).ok().filter(|columns| *columns > 0)
}

fn console(name: &str) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(name)
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends the reading, not the process: the echo has to come back.
unsafe extern "system" fn note_interrupt(event: u32) -> i32 {
    if event == CTRL_C_EVENT {
        INTERRUPTED.store(true, Ordering::SeqCst);
    }
    i32::from(event == CTRL_C_EVENT)
}

/// Restores the console's modes when it is dropped.
struct Modes {
    input: File,
    before: u32,
}

impl Modes {
    fn begin(input: File, echo: bool) -> io::Result<Self> {
        let mut before = 0;
        // SAFETY: the handle is open and the place lives through the call.
        check(unsafe { GetConsoleMode(input.as_raw_handle(), &mut before) })?;
        let shown = if echo { ENABLE_ECHO_INPUT } else { 0 };
        let mode = (before & !ENABLE_ECHO_INPUT) | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT | shown;
        INTERRUPTED.store(false, Ordering::SeqCst);
        // SAFETY: plain numbers on a handle that is open; the handler is there as long as the process.
        unsafe {
            check(SetConsoleCtrlHandler(Some(note_interrupt), 1))?;
            check(SetConsoleMode(input.as_raw_handle(), mode))?;
        }
        Ok(Modes { input, before })
    }

    /// The line with its end. Empty at Ctrl-C.
    fn read_line(&self) -> io::Result<Zeroizing<String>> {
        let mut line = Zeroizing::new(vec![0_u16; LINE_CHARACTERS]);
        let (mut count, room) = (0, u32::try_from(LINE_CHARACTERS).unwrap_or(0));
        let place = line.as_mut_ptr().cast();
        // SAFETY: the place is as large as said and lives through the call; no control structure is given.
        check(unsafe {
            SetLastError(ERROR_SUCCESS);
            ReadConsoleW(self.input.as_raw_handle(), place, room, &mut count, null())
        })?;
        // The handler runs in another thread, and perhaps later.
        // SAFETY: it takes nothing.
        if count == 0 && unsafe { GetLastError() } == ERROR_OPERATION_ABORTED {
            INTERRUPTED.store(true, Ordering::SeqCst);
        }
        let typed = line.get(..usize::try_from(count).unwrap_or(0)).unwrap_or_default();
        Ok(Zeroizing::new(String::from_utf16_lossy(typed)))
    }
}

impl Drop for Modes {
    fn drop(&mut self) {
        // SAFETY: plain numbers on a handle that is still open.
        unsafe {
            SetConsoleMode(self.input.as_raw_handle(), self.before);
            SetConsoleCtrlHandler(Some(note_interrupt), 0);
        }
    }
}

/// As UTF-16: bytes would be read by the console's code page.
fn write(output: &File, text: &[u8]) -> io::Result<()> {
    let units: Vec<u16> = String::from_utf8_lossy(text).encode_utf16().collect();
    for piece in units.chunks(LINE_CHARACTERS / 4) {
        let (mut count, length) = (0, u32::try_from(piece.len()).unwrap_or(0));
        let place = piece.as_ptr().cast();
        // SAFETY: the handle is open, and the piece is as long as said and lives through the call.
        check(unsafe { WriteConsoleW(output.as_raw_handle(), place, length, &mut count, null()) })?;
    }
    Ok(())
}

/// Doesn't listen to the broker meanwhile, and leaves the limit to the broker: a console can't be polled.
pub fn ask(
    _wire: &mut Wire,
    _id: u64,
    (text, echo): (&str, bool),
    _limit: Duration,
) -> Result<Asked, Failure> {
    let (Ok(input), Ok(output)) = (console("CONIN$"), console("CONOUT$")) else {
        return Ok(Asked::Nobody);
    };
    let broken =
        |error: io::Error| Failure::new(exit::INTERNAL, format!("can't ask on the terminal: {error}"));
    let modes = Modes::begin(input, echo).map_err(broken)?;
    write(&output, &style::paint_text(text, style::wanted(true))).map_err(broken)?;
    let read = modes.read_line();
    drop(modes);
    if !echo {
        write(&output, b"\r\n").map_err(broken)?;
    }
    if INTERRUPTED.load(Ordering::SeqCst) {
        return Ok(Asked::Interrupted(SIGINT));
    }
    match read.map_err(broken)?.strip_suffix("\r\n") {
        Some(answer) => Ok(Asked::Line(Zeroizing::new(answer.as_bytes().to_vec()))),
        None => Ok(Asked::Nobody),
    }
}

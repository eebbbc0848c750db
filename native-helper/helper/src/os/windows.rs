//! Windows: a named pipe instead of a socket, the console instead of /dev/tty. Has not been run yet. Starts no broker
//! automatically.

use super::{Asked, ConnectError, FileOwner};
use crate::failure::{Failure, exit};
use crate::start_file::Start;
use crate::style;
use crate::wire::Wire;
use std::ffi::{OsStr, c_void};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{ERROR_PIPE_BUSY, HANDLE, LocalFree};
use windows_sys::Win32::Security::Authorization::ConvertSidToStringSidW;
use windows_sys::Win32::Security::{GetTokenInformation, TOKEN_QUERY, TOKEN_USER, TokenUser};
use windows_sys::Win32::Storage::FileSystem::SECURITY_IDENTIFICATION;
use windows_sys::Win32::System::Console::{
    ENABLE_ECHO_INPUT, GetConsoleMode, ReadConsoleW, SetConsoleCtrlHandler, SetConsoleMode,
};
use windows_sys::Win32::System::Pipes::{GetNamedPipeServerProcessId, PeekNamedPipe};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, OpenProcess, OpenProcessToken, PROCESS_QUERY_LIMITED_INFORMATION,
};
use zeroize::Zeroizing;

const POLL_INTERVAL: Duration = Duration::from_millis(2);
const LINE_CHARACTERS: usize = 32 * 1024;
const TRUSTED_FILE_BYTES: u64 = 64 * 1024;

pub struct Connection(File);

impl Connection {
    /// Opens the pipe for this socket path. The addon computes the same name.
    pub fn open(path: &Path, limit: Duration) -> Result<Self, ConnectError> {
        let name = pipe_name(path.parent().unwrap_or(path)).map_err(ConnectError::Other)?;
        let began = Instant::now();
        loop {
            // Lets the server identify this user, but not impersonate them.
            let opened = OpenOptions::new()
                .read(true)
                .write(true)
                .security_qos_flags(SECURITY_IDENTIFICATION)
                .open(&name);
            match opened {
                Ok(file) => return Ok(Connection(file)),
                Err(error) if error.kind() == ErrorKind::NotFound => return Err(ConnectError::NoBroker),
                Err(error) if error.raw_os_error() != i32::try_from(ERROR_PIPE_BUSY).ok() => {
                    return Err(ConnectError::Other(error));
                }
                Err(_) if began.elapsed() > limit => return Err(ConnectError::TimedOut),
                Err(_) => sleep(POLL_INTERVAL),
            }
        }
    }

    /// Whether the listening process runs as this user.
    pub fn peer_is_me(&self) -> io::Result<bool> {
        let mut pid = 0;
        // SAFETY: the handle is open and the place lives through the call.
        check(unsafe { GetNamedPipeServerProcessId(self.0.as_raw_handle(), &mut pid) })?;
        // SAFETY: plain numbers; the handle is owned from here on.
        let process = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid) };
        if process.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was opened above and nothing else closes it.
        let process = unsafe { OwnedHandle::from_raw_handle(process) };
        Ok(user_of(process.as_raw_handle())? == my_user()?)
    }

    pub fn send(&mut self, bytes: &[u8], _limit: Duration) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// A blocking read has no limit, so this polls the pipe until it has bytes.
    pub fn receive(&mut self, bytes: &mut [u8], limit: Duration) -> io::Result<usize> {
        let began = Instant::now();
        loop {
            let mut there = 0;
            let none = std::ptr::null_mut();
            // SAFETY: the handle is open, the one place that is given lives through the call, the others may be null.
            check(unsafe {
                PeekNamedPipe(self.0.as_raw_handle(), none, 0, none.cast(), &mut there, none.cast())
            })?;
            if there > 0 {
                return self.0.read(bytes);
            }
            if began.elapsed() > limit {
                return Err(ErrorKind::TimedOut.into());
            }
            sleep(POLL_INTERVAL);
        }
    }
}

fn check(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn my_user() -> io::Result<String> {
    // SAFETY: it takes nothing and gives a handle that needs no closing.
    user_of(unsafe { GetCurrentProcess() })
}

/// The security identifier, as text, of the user that the process runs as.
fn user_of(process: HANDLE) -> io::Result<String> {
    let mut token = std::ptr::null_mut();
    // SAFETY: the process's handle is open and the place lives through the call.
    check(unsafe { OpenProcessToken(process, TOKEN_QUERY, &mut token) })?;
    // SAFETY: the call above gave it to us alone.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    // A SID has at most 68 bytes; u64s keep the structure aligned.
    let mut buffer = [0_u64; 32];
    let mut used = 0;
    let size = u32::try_from(size_of_val(&buffer)).unwrap_or(0);
    let place = buffer.as_mut_ptr().cast::<c_void>();
    // SAFETY: the place is as large as said and lives through the call.
    check(unsafe { GetTokenInformation(token.as_raw_handle(), TokenUser, place, size, &mut used) })?;
    let mut text = std::ptr::null_mut();
    // SAFETY: the call above wrote a TOKEN_USER there, whose SID lies in the same buffer.
    check(unsafe { ConvertSidToStringSidW((*place.cast::<TOKEN_USER>()).User.Sid, &mut text) })?;
    // SAFETY: the text ends with a zero, as the call promises; it is freed once, after it was copied.
    unsafe {
        let length = (0..).take_while(|&index| *text.add(index) != 0).count();
        let copy = String::from_utf16_lossy(std::slice::from_raw_parts(text, length));
        LocalFree(text.cast());
        Ok(copy)
    }
}

/// `\\.\pipe\lanyard-<user>-<hash of the home>`: FNV-1a, 64 bits, over the home's UTF-16 in lower case.
fn pipe_name(home: &Path) -> io::Result<String> {
    let lower = home.as_os_str().to_string_lossy().to_lowercase();
    let hash = lower
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    Ok(format!(r"\\.\pipe\lanyard-{}-{hash:016x}", my_user()?))
}

pub fn bytes_of(value: &OsStr) -> Result<Vec<u8>, Failure> {
    value
        .to_str()
        .map(|text| text.as_bytes().to_vec())
        .ok_or_else(|| Failure::new(exit::USAGE, "KUBERNETES_EXEC_INFO is not Unicode"))
}

/// A pipe's name has no such limit.
pub fn check_socket_path(_socket: &Path) -> Result<(), Failure> {
    Ok(())
}

/// The folder is in the user's profile, which Windows closes to other users. The listening process is checked after
/// connecting.
pub fn check_home(home: &Path) -> Result<bool, Failure> {
    match fs::symlink_metadata(home) {
        Ok(facts) if facts.is_dir() => Ok(true),
        Ok(_) => Err(Failure::new(exit::NOT_PERMITTED, format!("{} is not a folder", home.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::new(exit::NOT_PERMITTED, format!("{}: {error}", home.display()))),
    }
}

/// Owners aren't checked on Windows, so no folder is trusted.
pub fn is_written_by_me_alone(_folder: &Path) -> bool {
    false
}

/// Trusts what an installer put beside the program as much as the program. Trusts nothing else, because owners aren't
/// checked on Windows.
pub fn read_trusted(path: &Path, owner: FileOwner) -> Result<Option<Vec<u8>>, Failure> {
    if matches!(owner, FileOwner::Me) {
        return Ok(None);
    }
    let Ok(file) = OpenOptions::new().read(true).share_mode(1).open(path) else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(TRUSTED_FILE_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::new(exit::INTERNAL, format!("{}: {error}", path.display())))?;
    Ok(Some(bytes))
}

pub fn start_detached(_start: &Start, _home: &Path, _log: &Path) -> io::Result<Child> {
    Err(ErrorKind::Unsupported.into())
}

/// Windows has no exec: waits for the command and exits with its code.
pub fn become_process(command: &[String], more: &[&str]) -> io::Error {
    const KEPT: &[&str] = &[
        "APPDATA",
        "LANYARD_HOME",
        "LOCALAPPDATA",
        "PATH",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "NO_PROXY",
        "NODE_EXTRA_CA_CERTS",
        "SSL_CERT_FILE",
    ];
    let Some((program, args)) = command.split_first() else { return ErrorKind::InvalidInput.into() };
    let kept = KEPT.iter().chain(more).filter_map(|name| std::env::var_os(name).map(|value| (name, value)));
    match Command::new(program).args(args).env_clear().envs(kept).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Not checked here.
pub fn is_screen_taken() -> bool {
    false
}

pub fn has_controlling_terminal() -> bool {
    console("CONIN$").is_ok()
}

fn console(name: &str) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(name)
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
        let mode = if echo { before } else { before & !ENABLE_ECHO_INPUT };
        // SAFETY: plain numbers. Ctrl-C ends the reading instead of the process, so that the echo comes back.
        unsafe {
            check(SetConsoleMode(input.as_raw_handle(), mode))?;
            SetConsoleCtrlHandler(None, 1);
        }
        Ok(Modes { input, before })
    }
}

impl Drop for Modes {
    fn drop(&mut self) {
        // SAFETY: plain numbers on a handle that is still open.
        unsafe {
            SetConsoleMode(self.input.as_raw_handle(), self.before);
            SetConsoleCtrlHandler(None, 0);
        }
    }
}

/// Doesn't listen to the broker meanwhile, and leaves the limit to the broker: a console can't be polled.
pub fn ask(
    _wire: &mut Wire,
    _id: u64,
    (text, echo): (&str, bool),
    _limit: Duration,
) -> Result<Asked, Failure> {
    let (Ok(input), Ok(mut output)) = (console("CONIN$"), console("CONOUT$")) else {
        return Ok(Asked::Nobody);
    };
    let broken =
        |error: io::Error| Failure::new(exit::INTERNAL, format!("can't ask on the terminal: {error}"));
    let modes = Modes::begin(input, echo).map_err(broken)?;
    output.write_all(&style::paint_text(text, style::wanted(true))).map_err(broken)?;
    let mut line = Zeroizing::new(vec![0_u16; LINE_CHARACTERS]);
    let (mut count, room) = (0, u32::try_from(LINE_CHARACTERS).unwrap_or(0));
    let place = line.as_mut_ptr().cast();
    // SAFETY: the place is as large as said and lives through the call; no control structure is given.
    check(unsafe { ReadConsoleW(modes.input.as_raw_handle(), place, room, &mut count, std::ptr::null()) })
        .map_err(broken)?;
    drop(modes);
    if !echo {
        let _ = output.write_all(b"\r\n");
    }
    let typed = line.get(..usize::try_from(count).unwrap_or(0)).unwrap_or_default();
    let text = Zeroizing::new(String::from_utf16_lossy(typed));
    match text.strip_suffix("\r\n") {
        Some(answer) => Ok(Asked::Line(Zeroizing::new(answer.as_bytes().to_vec()))),
        None => Ok(Asked::Nobody),
    }
}

/// Reads all of standard input, unless it is a terminal.
pub fn read_stdin(_wire: &mut Wire, _id: u64, max_bytes: u32, _limit: Duration) -> Result<Asked, Failure> {
    if io::stdin().is_terminal() {
        return Ok(Asked::Nobody);
    }
    let mut all = Zeroizing::new(Vec::new());
    io::stdin()
        .take(u64::from(max_bytes) + 1)
        .read_to_end(&mut all)
        .map_err(|error| Failure::new(exit::USAGE, format!("can't read standard input: {error}")))?;
    if all.len() > usize::try_from(max_bytes).unwrap_or(usize::MAX) {
        return Err(Failure::new(
            exit::USAGE,
            format!("standard input is larger than {max_bytes} bytes, which is the most for this"),
        ));
    }
    Ok(Asked::Line(all))
}

/// Only Unix has signals, so this is never called.
pub fn end_by_signal(_signal: i32) -> Failure {
    Failure::new(exit::INTERNAL, "interrupted")
}

use super::Asked;
use super::signals::{ENDS_AND_STOPS, Signals, raise};
use super::system::wait_for_any;
use crate::failure::{Failure, exit};
use crate::output::stderr;
use crate::style;
use crate::wire::Wire;
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp,
    tcgetwinsize, tcsetattr,
};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// Reserved for the typed line: a buffer that grows leaves copies behind.
const LINE_BYTES: usize = 64 * 1024;

fn controlling_terminal() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_NOCTTY).open("/dev/tty")
}

/// Opens the terminal for reading without waiting. Ctrl-C discards input that was ready, so a read just after it would
/// wait, and delay the signal.
fn typed_at_terminal() -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NOCTTY | libc::O_NONBLOCK).open("/dev/tty")
}

pub fn has_controlling_terminal() -> bool {
    controlling_terminal().is_ok()
}

/// How many columns the terminal has that is standard output; None: it is none, or doesn't say.
pub fn columns() -> Option<u16> {
    let stdout = io::stdout();
    let size = stdout.is_terminal().then(|| tcgetwinsize(&stdout).ok()).flatten();
    size.map(|size| size.ws_col).filter(|columns| *columns > 0)
}

/// Whether another program, such as k9s, draws on the terminal that is this process's stderr. It reads keys one by one,
/// and doesn't echo them.
pub fn is_screen_taken() -> bool {
    let cooked = LocalModes::ICANON | LocalModes::ECHO;
    tcgetattr(io::stderr()).is_ok_and(|modes| !modes.local_modes.intersects(cooked))
}

/// Whether this is a background job. Then what is typed at the terminal is for another process.
fn in_background(tty: &File) -> bool {
    tcgetpgrp(tty).is_ok_and(|front| front != getpgrp())
}

/// Asks on the controlling terminal and reads one line. Doesn't ask in the background: the system would stop this
/// process, and others with a question for the same user would wait behind it.
pub fn ask(wire: &mut Wire, id: u64, question: (&str, bool), limit: Duration) -> Result<Asked, Failure> {
    let (text, echo) = question;
    let Ok(mut tty) = controlling_terminal() else { return Ok(Asked::Nobody) };
    if in_background(&tty) {
        stderr(
            "lanyard: there is a question to answer, and Lanyard asks no one in the background: run it in the foreground\n",
        );
        return Ok(Asked::Nobody);
    }
    let until = Instant::now() + limit;
    loop {
        // `ask_once` restores the terminal before it returns, in each case.
        match ask_once(wire, id, &mut tty, (&style::paint_text(text, style::wanted(true)), echo), until)? {
            Asked::Interrupted(libc::SIGTSTP) => raise(libc::SIGTSTP),
            asked => return Ok(asked),
        }
    }
}

fn ask_once(
    wire: &mut Wire,
    id: u64,
    tty: &mut File,
    (text, echo): (&[u8], bool),
    until: Instant,
) -> Result<Asked, Failure> {
    let signals = Signals::watch(ENDS_AND_STOPS).map_err(|error| broken(&error))?;
    let mut keys = typed_at_terminal().map_err(|error| broken(&error))?;
    // What was typed before the question isn't its answer. A pasted line must not approve anything.
    tcflush(&*tty, QueueSelector::IFlush).map_err(|error| broken(&error.into()))?;
    let quiet = if echo { None } else { Some(Quiet::begin(tty).map_err(|error| broken(&error))?) };
    tty.write_all(text).map_err(|error| broken(&error))?;
    let mut line = Zeroizing::new(Vec::with_capacity(LINE_BYTES));
    let asked = loop {
        match wait(keys.as_fd(), (wire, id), Some(&signals), until)? {
            Ready::Signal(signal) => break Asked::Interrupted(signal),
            Ready::Overtaken => break Asked::Overtaken,
            Ready::Input => {}
        }
        let mut bytes = Zeroizing::new([0; 4096]);
        let count = match keys.read(&mut *bytes) {
            Ok(count) => count,
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                continue;
            }
            // The terminal was closed.
            Err(_) => 0,
        };
        if count == 0 {
            break Asked::Nobody;
        }
        match edit(&mut line, bytes.get(..count).unwrap_or_default(), echo) {
            Edit::More => {}
            Edit::Done => break Asked::Line(line),
            Edit::End => break Asked::Nobody,
        }
    };
    drop(quiet);
    if !echo || !matches!(asked, Asked::Line(_)) {
        let _ = tty.write_all(b"\n");
    }
    Ok(asked)
}

#[derive(Debug, PartialEq, Eq)]
enum Edit {
    More,
    Done,
    End,
}

/// With echo, the terminal edits the line. Without echo it can't: it would cut lines at 4,095 bytes, and tokens are
/// longer. Then this function handles erase, kill and end of file.
fn edit(line: &mut Vec<u8>, typed: &[u8], cooked: bool) -> Edit {
    for &byte in typed {
        match byte {
            b'\n' | b'\r' => return Edit::Done,
            0x04 if !cooked && line.is_empty() => return Edit::End,
            0x04 if !cooked => {}
            0x08 | 0x7f if !cooked => while line.pop().is_some_and(|last| last & 0xc0 == 0x80) {},
            0x15 if !cooked => line.clear(),
            _ if line.len() < LINE_BYTES => line.push(byte),
            _ => return Edit::End,
        }
    }
    Edit::More
}

/// The terminal without echo and line editing, until it is dropped.
struct Quiet {
    tty: File,
    before: Termios,
}

impl Quiet {
    fn begin(tty: &File) -> io::Result<Self> {
        let tty = tty.try_clone()?;
        let before = tcgetattr(&tty)?;
        let mut quiet = before.clone();
        quiet.local_modes -= LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON;
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&tty, OptionalActions::Flush, &quiet)?;
        Ok(Quiet { tty, before })
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        let _ = tcsetattr(&self.tty, OptionalActions::Drain, &self.before);
    }
}

/// Reads all of standard input, unless it is a terminal.
pub fn read_stdin(wire: &mut Wire, id: u64, max_bytes: u32, limit: Duration) -> Result<Asked, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(Asked::Nobody);
    }
    let mut file = File::from(stdin.as_fd().try_clone_to_owned().map_err(|error| broken(&error))?);
    let until = Instant::now() + limit;
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let mut all = Zeroizing::new(Vec::with_capacity(max_bytes.min(LINE_BYTES)));
    loop {
        match wait(file.as_fd(), (wire, id), None, until)? {
            Ready::Overtaken | Ready::Signal(_) => return Ok(Asked::Overtaken),
            Ready::Input => {}
        }
        let mut bytes = Zeroizing::new([0; 4096]);
        match file.read(&mut *bytes) {
            Ok(0) => return Ok(Asked::Line(all)),
            Ok(count) => all.extend_from_slice(bytes.get(..count).unwrap_or_default()),
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
            Err(error) => {
                return Err(Failure::new(exit::USAGE, format!("can't read standard input: {error}")));
            }
        }
        if all.len() > max_bytes {
            return Err(Failure::new(
                exit::USAGE,
                format!("standard input is larger than {max_bytes} bytes, which is the most for this"),
            ));
        }
    }
}

enum Ready {
    Input,
    Signal(i32),
    Overtaken,
}

/// Waits for input, and listens to the broker meanwhile. Stops asking when the broker closes the connection, ends the
/// request, or withdraws the question because an answer came from elsewhere.
fn wait(
    input: BorrowedFd<'_>,
    (wire, id): (&mut Wire, u64),
    signals: Option<&Signals>,
    until: Instant,
) -> Result<Ready, Failure> {
    loop {
        // It may have arrived together with the question.
        if wire.has_dropped(id) {
            return Ok(Ready::Overtaken);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Failure::new(exit::TIMED_OUT, "timed out waiting for input"));
        }
        let mut all = vec![wire.connection.as_fd(), input];
        all.extend(signals.map(AsFd::as_fd));
        let ready = wait_for_any(&all, left).map_err(|error| broken(&error))?;
        if let Some(signal) = signals.and_then(Signals::take) {
            return Ok(Ready::Signal(signal));
        }
        if ready.first() == Some(&true) {
            wire.fill(Duration::from_millis(1))?;
        } else if ready.get(1) == Some(&true) {
            return Ok(Ready::Input);
        }
    }
}

fn broken(error: &io::Error) -> Failure {
    Failure::new(exit::INTERNAL, format!("can't ask on the terminal: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[u8]) -> (Edit, Vec<u8>) {
        let mut line = Vec::new();
        let edit = edit(&mut line, keys, false);
        (edit, line)
    }

    #[test]
    fn a_hidden_line_can_be_edited() {
        assert_eq!(typed(b"abc\x7fd\n"), (Edit::Done, b"abd".to_vec()));
        assert_eq!(typed("é\x7f\u{7f}x\r".as_bytes()), (Edit::Done, b"x".to_vec()));
        assert_eq!(typed(b"wrong\x15right\n"), (Edit::Done, b"right".to_vec()));
        assert_eq!(typed(b"\x04"), (Edit::End, Vec::new()));
        assert_eq!(typed(b"a"), (Edit::More, b"a".to_vec()));
    }

    #[test]
    fn a_line_may_be_longer_than_a_terminals() {
        let mut keys = vec![b'x'; 20_000];
        keys.push(b'\n');
        assert_eq!(typed(&keys).1.len(), 20_000);
    }
}

//! The only module that writes to standard output (rule: whole-answer).

use crate::failure::{Failure, exit};
use crate::style;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Whether standard output still has a reader.
#[derive(PartialEq, Eq)]
pub enum Reader {
    There,
    Gone,
}

/// Writes a complete answer, or a piece of a longer one. A reader that has closed its end is no error.
pub fn stdout(bytes: &[u8]) -> Result<Reader, Failure> {
    let mut stdout = io::stdout();
    // The standard library's stdout writes line by line. The reader should get one write.
    match os_write(&mut stdout, bytes) {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::new(exit::INTERNAL, format!("can't write to standard output: {error}"))),
    }
}

/// Prints text for the user, without terminal sequences.
pub fn stderr(text: &str) {
    let _ = io::stderr().write_all(&style::paint_text(text, style::wanted(io::stderr().is_terminal())));
}

/// Prints text of the helper itself to stdout. Returns exit code 0.
pub fn text(text: &str) -> Result<u8, Failure> {
    stdout(text.as_bytes())?;
    Ok(0)
}

/// Prints a help page to stderr, because the command line was wrong.
pub fn usage(page: &str) -> Result<u8, Failure> {
    stderr(page);
    Ok(exit::USAGE)
}

/// Writes a frame's stdout. In text for the user, marks become styles or are dropped. On a terminal, text is also
/// stripped.
pub fn door_stdout(bytes: &[u8], is_text: bool) -> Result<Reader, Failure> {
    if !is_text {
        return stdout(bytes);
    }
    let is_terminal = io::stdout().is_terminal();
    let colours = style::wanted(is_terminal);
    if is_terminal {
        return stdout(&style::paint_text(&String::from_utf8_lossy(bytes), colours));
    }
    stdout(&style::paint(bytes, colours))
}

#[cfg(unix)]
fn os_write(stdout: &mut io::Stdout, bytes: &[u8]) -> io::Result<()> {
    use std::os::fd::AsFd;
    let mut file = std::fs::File::from(stdout.as_fd().try_clone_to_owned()?);
    file.write_all(bytes)
}

#[cfg(windows)]
fn os_write(stdout: &mut io::Stdout, bytes: &[u8]) -> io::Result<()> {
    stdout.write_all(bytes)?;
    stdout.flush()
}

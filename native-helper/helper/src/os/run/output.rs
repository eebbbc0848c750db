use super::screen::fit;
use crate::bounded::Bounded;
use crate::strip_stream::StripStream;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};
use zeroize::{Zeroize as _, Zeroizing};

const PIECE_BYTES: usize = 16 * 1024;
/// The most that a terminal or a pipe is sure to take without a wait, once it reports room.
const SHOWN_AT_ONCE: usize = 256;

/// This process's end of a pipe from a program. Reads don't wait.
pub struct Pipe(Option<File>);

impl Pipe {
    pub fn new(end: impl Into<OwnedFd>) -> io::Result<Self> {
        let end = end.into();
        rustix::io::ioctl_fionbio(&end, true)?;
        Ok(Pipe(Some(File::from(end))))
    }

    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.0.as_ref().map(AsFd::as_fd)
    }

    pub fn is_at_end(&self) -> bool {
        self.0.is_none()
    }

    /// The program gets an error for what it still writes.
    pub fn close(&mut self) {
        self.0 = None;
    }

    /// Reads into the buffer. None if there is nothing to read now.
    fn read<'a>(&mut self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        match self.0.as_mut()?.read(buffer) {
            Ok(count @ 1..) => return buffer.get(..count),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            _ => self.0 = None,
        }
        None
    }
}

/// The program's stdout.
pub struct Collected {
    pub pipe: Pipe,
    pub kept: Bounded,
}

impl Collected {
    pub fn new(pipe: Pipe, most: u32) -> Self {
        Collected { pipe, kept: Bounded::new(most) }
    }

    /// Reads what has arrived, up to the limit. Returns false if that is passed.
    pub fn take(&mut self) -> bool {
        let mut buffer = Zeroizing::new([0; PIECE_BYTES]);
        while let Some(read) = self.pipe.read(&mut *buffer) {
            if !self.kept.add(read) {
                return false;
            }
        }
        true
    }
}

impl Collected {
    /// The answer is passed on: it is wiped, and what follows is read, so that the program never waits, and dropped.
    pub fn drop_written(&mut self) {
        self.kept.bytes.zeroize();
        let mut buffer = EMPTY;
        while self.pipe.read(&mut buffer).is_some() {}
    }
}

/// The program's stderr: shown on this process's stderr as it arrives, unfinished lines included.
pub struct Shown {
    pub pipe: Pipe,
    strip: StripStream,
    /// Not shown yet: a stopped terminal (Ctrl-S) must not block this process.
    waiting: Vec<u8>,
    shows: bool,
    /// Whether the user's own plugin writes to a terminal for the user. Then nothing is stripped.
    is_screen: bool,
}

impl Shown {
    pub fn new(pipe: Pipe, shows: bool, is_screen: bool) -> Self {
        Shown { pipe, strip: StripStream::default(), waiting: Vec::new(), shows, is_screen }
    }

    /// Adopts a new size of the user's terminal.
    pub fn fit(&self) {
        if let Some(screen) = self.pipe.descriptor().filter(|_| self.is_screen) {
            fit(screen);
        }
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Reads a piece, and returns it as the program wrote it.
    pub fn take<'a>(&mut self, buffer: &'a mut Buffer) -> Option<&'a [u8]> {
        let piece = self.pipe.read(buffer)?;
        if self.shows && self.is_screen {
            self.waiting.extend_from_slice(piece);
        } else if self.shows {
            self.waiting.extend_from_slice(self.strip.push(piece).as_bytes());
        }
        Some(piece)
    }

    /// Shows what is waiting, as far as the other end takes it within the limit.
    pub fn show(&mut self, limit: Duration) {
        let until = Instant::now() + limit;
        while self.is_waiting() {
            let left = until.saturating_duration_since(Instant::now());
            let stderr = io::stderr();
            let mut screen = [PollFd::new(&stderr, PollFlags::OUT)];
            if !poll(&mut screen, Timespec::try_from(left).ok().as_ref()).is_ok_and(|count| count > 0) {
                return;
            }
            self.show_some();
        }
    }

    /// Writes without waiting. Call it after a poll has reported room.
    fn show_some(&mut self) {
        let count = self.waiting.len().min(SHOWN_AT_ONCE);
        match io::stderr().write(self.waiting.get(..count).unwrap_or_default()) {
            Ok(count) => drop(self.waiting.drain(..count)),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(_) => {
                self.shows = false;
                self.waiting.clear();
            }
        }
    }

    /// Shows the rest. Call it at the end of the stream.
    pub fn finish(&mut self, limit: Duration) {
        if self.shows {
            self.waiting.extend_from_slice(self.strip.finish().as_bytes());
        }
        self.show(limit);
    }
}

pub type Buffer = [u8; PIECE_BYTES];
pub const EMPTY: Buffer = [0; PIECE_BYTES];

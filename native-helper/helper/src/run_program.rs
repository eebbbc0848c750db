//! `lanyard run-program`, which only the broker runs: an order on standard input, its outcome on standard output, in
//! the frames of a connection. Uses no terminal. The end of standard input, or `cancel`, ends the program with all that
//! it started. The order `keep` is for a program that is kept running: the broker writes to it by descriptor 3, and
//! reads from it by descriptor 4.

use crate::failure::{Failure, exit};
use crate::frames::{BrokerFrame, Decoder, HelperFrame, Outcome, RunOrder, encode};
use crate::os::end_by_signal;
#[cfg(unix)]
use crate::os::run::Talk;
use crate::os::run::{Client, End, is_readable, run};
use crate::output::{self, Reader};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
#[cfg(windows)]
use std::os::windows::io::AsHandle;
use zeroize::Zeroizing;

pub const RUN_PROGRAM: &str = "run-program";

pub fn answer(args: &[String]) -> Result<u8, Failure> {
    if !args.is_empty() {
        return Err(Failure::new(exit::USAGE, "'run-program' takes no arguments"));
    }
    #[cfg(unix)]
    let talk = given();
    let input = standard_input().map_err(|error| unheard(&error))?;
    let mut pipe = Pipe {
        input,
        decoder: Decoder::default(),
        frames: VecDeque::new(),
        #[cfg(unix)]
        talk,
    };
    let Some(order) = pipe.order()? else { return Ok(0) };
    let id = order.id;
    // Standard input is the broker's, so there is no terminal to give.
    let end = if order.terminal { End::Ran(Outcome::NoTerminal) } else { run(&order, &mut pipe)? };
    match end {
        End::Ran(outcome) => pipe.tell(&HelperFrame::Ran { id, outcome: &outcome }).map(|()| 0),
        End::Interrupted { signal, .. } => {
            pipe.tell(&HelperFrame::Ran { id, outcome: &Outcome::Interrupted { signal } })?;
            Err(end_by_signal(signal))
        }
        End::Withdrawn => Ok(0),
        #[cfg(unix)]
        End::PassedOn(code) => Ok(code),
    }
}

struct Pipe {
    input: File,
    decoder: Decoder,
    frames: VecDeque<BrokerFrame>,
    #[cfg(unix)]
    talk: Option<Talk>,
}

/// Without the buffer of the standard library: what it holds could not be asked for.
fn standard_input() -> io::Result<File> {
    let stdin = io::stdin();
    #[cfg(unix)]
    let own = stdin.as_fd().try_clone_to_owned()?;
    #[cfg(windows)]
    let own = stdin.as_handle().try_clone_to_owned()?;
    Ok(File::from(own))
}

impl Pipe {
    /// None if the input ends without an order.
    fn order(&mut self) -> Result<Option<RunOrder>, Failure> {
        loop {
            match self.frames.pop_front() {
                Some(BrokerFrame::Run(order) | BrokerFrame::Keep(order)) => return Ok(Some(order)),
                Some(frame) => return Err(unexpected(&frame)),
                None if !self.fill()? => return Ok(None),
                None => {}
            }
        }
    }

    /// Reads once. Returns false at the end.
    fn fill(&mut self) -> Result<bool, Failure> {
        let mut bytes = Zeroizing::new([0; 16 * 1024]);
        let count = match self.input.read(&mut *bytes) {
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {
                return Ok(true);
            }
            // On Windows the end of a pipe is an error, too.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => 0,
            Err(error) => return Err(unheard(&error)),
        };
        self.decoder.push(bytes.get(..count).unwrap_or_default());
        let bad = |error| Failure::new(exit::INTERNAL, format!("standard input holds {error}"));
        while let Some(frame) = self.decoder.next_frame().map_err(bad)? {
            self.frames.push_back(frame);
        }
        if count == 0 {
            self.decoder.finish().map_err(bad)?;
        }
        Ok(count > 0)
    }
}

impl Client for Pipe {
    #[cfg(unix)]
    fn descriptor(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    fn is_wanted(&mut self) -> Result<bool, Failure> {
        loop {
            match self.frames.pop_front() {
                // Only one order arrives, so the frame means this one.
                Some(BrokerFrame::Cancel { .. }) => return Ok(false),
                Some(frame) => return Err(unexpected(&frame)),
                #[cfg(unix)]
                None if !is_readable(self.descriptor()) => return Ok(true),
                #[cfg(windows)]
                None if !is_readable(self.input.as_handle()) => return Ok(true),
                None if !self.fill()? => return Ok(false),
                None => {}
            }
        }
    }

    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure> {
        let bytes = encode(frame)
            .map_err(|error| Failure::new(exit::INTERNAL, format!("can't tell of the program: {error}")))?;
        match output::stdout(&bytes)? {
            Reader::There => Ok(()),
            Reader::Gone => Err(Failure::new(exit::INTERNAL, "whoever asked is gone")),
        }
    }

    fn shows_stderr(&self) -> bool {
        false
    }

    /// A proxy is a client's, and its helper runs it.
    #[cfg(unix)]
    fn pass_on(&mut self, _answer: &Outcome) -> Result<u8, Failure> {
        Err(Failure::new(exit::INTERNAL, "no program runs on here"))
    }

    #[cfg(unix)]
    fn talk(&mut self) -> Option<Talk> {
        self.talk.take()
    }
}

/// What the broker opened for a program that is kept running: descriptors 3 and 4. Call it before anything else opens a
/// descriptor. None: it opened none.
#[cfg(unix)]
fn given() -> Option<Talk> {
    Some(Talk { to_program: take(3)?, from_program: take(4)? })
}

#[cfg(unix)]
fn take(number: RawFd) -> Option<File> {
    // SAFETY: it is only asked whether that descriptor is open.
    let is_open = unsafe { libc::fcntl(number, libc::F_GETFD) } >= 0;
    // SAFETY: it is open, and nothing here has opened it: whoever started this process did.
    is_open.then(|| File::from(unsafe { OwnedFd::from_raw_fd(number) }))
}

fn unheard(error: &io::Error) -> Failure {
    Failure::new(exit::INTERNAL, format!("can't read standard input: {error}"))
}

fn unexpected(frame: &BrokerFrame) -> Failure {
    Failure::new(
        exit::INTERNAL,
        format!("standard input holds '{}', which is not expected here", frame.kind()),
    )
}

//! Windows can't wait for pipes together with anything else. So each pipe of the program has a thread that reads it,
//! and waits where this process takes nothing from it.

use crate::strip_stream::StripStream;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{ChildStderr, ChildStdout};
use std::sync::mpsc::SyncSender;
use std::thread::spawn;
use zeroize::Zeroizing;

const PIECE_BYTES: usize = 16 * 1024;
/// The most pieces that wait to be taken.
pub const PIECES: usize = 4;

/// What a program wrote, in pieces, and the end of each pipe.
pub enum Heard {
    /// Most likely a credential.
    Out(Zeroizing<Vec<u8>>),
    OutEnd,
    Err(Vec<u8>),
    ErrEnd,
}

pub fn read_out(mut pipe: ChildStdout, to: SyncSender<Heard>) {
    spawn(move || {
        let mut buffer = Zeroizing::new([0; PIECE_BYTES]);
        while let Some(piece) = next(&mut pipe, &mut *buffer) {
            if to.send(Heard::Out(Zeroizing::new(piece.to_vec()))).is_err() {
                return;
            }
        }
        let _ = to.send(Heard::OutEnd);
    });
}

/// Also shows it on this process's stderr, stripped: a console that stands still must not block the run.
pub fn read_err(mut pipe: ChildStderr, to: SyncSender<Heard>, mut shows: bool) {
    spawn(move || {
        let (mut buffer, mut strip) = ([0; PIECE_BYTES], StripStream::default());
        while let Some(piece) = next(&mut pipe, &mut buffer) {
            shows = shows && io::stderr().write_all(strip.push(piece).as_bytes()).is_ok();
            if to.send(Heard::Err(piece.to_vec())).is_err() {
                return;
            }
        }
        if shows {
            let _ = io::stderr().write_all(strip.finish().as_bytes());
        }
        let _ = to.send(Heard::ErrEnd);
    });
}

/// None at the end.
fn next<'a>(pipe: &mut impl Read, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    loop {
        match pipe.read(buffer) {
            Ok(count @ 1..) => return buffer.get(..count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return None,
        }
    }
}

//! The process’s frame: its first thread reads orders and calls the module, another one only waits for stdin’s end. So that
//! ends the process, whatever the module does.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use zeroize::Zeroize;

use crate::hardening;
use crate::host::Host;
use crate::order::{Order, Tell};

/// A line, in bytes: an `open` with certificates.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;
/// Whether the token is still there.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };
/// For C_Finalize.
const END_PATIENCE: Duration = Duration::from_secs(1);

pub fn run() -> ExitCode {
    // Before it knows anything.
    if hardening::harden().is_err() {
        return ExitCode::FAILURE;
    }
    let Ok((orders, answers)) = take_pipe() else {
        return ExitCode::FAILURE;
    };
    let Ok(watched) = orders.try_clone() else {
        return ExitCode::FAILURE;
    };
    let watching = thread::Builder::new().spawn(move || {
        until_end(&watched);
        thread::sleep(END_PATIENCE);
        end_now(0)
    });
    if watching.is_err() {
        return ExitCode::FAILURE;
    }
    // An order without an answer would be waited for.
    let _ends_with_a_panic = EndsWithPanic;
    serve(orders, answers);
    end_now(0)
}

/// Modules print, and some read. The pipe to the broker goes elsewhere, and they get nothing and nowhere.
fn take_pipe() -> io::Result<(File, File)> {
    let orders = fcntl_dupfd_cloexec(io::stdin(), 3)?;
    let answers = fcntl_dupfd_cloexec(io::stdout(), 3)?;
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok((orders.into(), answers.into()))
}

/// Until the broker has closed the pipe, whether what it wrote was read or not.
fn until_end(orders: &File) {
    // Of a pipe its end is told unasked, of a socket it has to be asked for.
    while matches!(poll(&mut [PollFd::new(orders, PollFlags::RDHUP)], None), Ok(0) | Err(Errno::INTR)) {}
}

/// The next order; none where none came for a while. It breaks at the pipe’s end, and where what came is no order.
fn next(lines: &mut BufReader<File>) -> ControlFlow<(), Option<Order>> {
    if lines.buffer().is_empty() {
        match poll(&mut [PollFd::new(lines.get_ref(), PollFlags::IN)], Some(&LOOK_EVERY)) {
            Ok(0) | Err(Errno::INTR) => return ControlFlow::Continue(None),
            Ok(_) => (),
            Err(_) => return ControlFlow::Break(()),
        }
    }
    let mut line = Vec::new();
    let is_read = lines.take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok();
    let order = is_read.then(|| serde_json::from_slice(&line).ok()).flatten();
    line.zeroize();
    order.map_or(ControlFlow::Break(()), |order| ControlFlow::Continue(Some(order)))
}

/// All calls of the module are this thread’s.
fn serve(orders: File, mut answers: File) {
    let mut lines = BufReader::new(orders);
    let mut host = Host::default();
    while let ControlFlow::Continue(order) = next(&mut lines) {
        let told = order.map(|order| host.obey(order));
        // A key that just signed is still there.
        let may_be_gone = matches!(told, None | Some(Tell::Failed { .. }));
        let removed = (may_be_gone && host.look()).then_some(Tell::Removed);
        for tell in told.into_iter().chain(removed) {
            let Ok(mut line) = serde_json::to_vec(&tell) else {
                continue;
            };
            line.push(b'\n');
            if answers.write_all(&line).is_err() {
                return;
            }
        }
    }
    host.finish();
}

struct EndsWithPanic;

impl Drop for EndsWithPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            end_now(1);
        }
    }
}

/// Without the module’s handlers at exit: it may hang, or be in a call.
fn end_now(code: i32) -> ! {
    // SAFETY: it ends the process, and touches no memory.
    unsafe { libc::_exit(code) }
}

//! The process’s frame: one thread reads orders, another one calls the module. So stdin’s end ends the process, whatever the
//! module does.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use zeroize::Zeroize;

use crate::hardening;
use crate::host::Host;
use crate::order::{Order, Tell};

/// A line, in bytes: an `open` with certificates.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;
/// Whether the token is still there.
const LOOK_EVERY: Duration = Duration::from_secs(2);
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
    let (send, received) = mpsc::channel();
    let (end, ended) = mpsc::channel();
    let worker = thread::Builder::new().spawn(move || {
        // An order without an answer would be waited for.
        let _ends_with_a_panic = EndsWithPanic;
        serve(&received, answers);
        let _ = end.send(());
    });
    if worker.is_err() {
        return ExitCode::FAILURE;
    }
    let mut lines = BufReader::new(orders);
    while let Some(order) = read(&mut lines) {
        if send.send(order).is_err() {
            break;
        }
    }
    drop(send);
    let _ = ended.recv_timeout(END_PATIENCE);
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

/// None: stdin has ended, or what it says is no order.
fn read(lines: &mut BufReader<File>) -> Option<Order> {
    let mut line = Vec::new();
    lines.take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    let order = serde_json::from_slice(&line).ok();
    line.zeroize();
    order
}

/// All calls of the module are this thread’s.
fn serve(orders: &Receiver<Order>, mut answers: File) {
    let mut host = Host::default();
    loop {
        let told = match orders.recv_timeout(LOOK_EVERY) {
            Ok(order) => Some(host.obey(order)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
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

//! Writes the broker's log in its own thread. A stopped terminal, a pipe without a reader, or a slow disk blocks only
//! that thread. Drops the oldest lines when the queue is full, and logs how many.

mod notice;
#[cfg(unix)]
#[path = "log_writer/unix.rs"]
mod output;
#[cfg(windows)]
#[path = "log_writer/windows.rs"]
mod output;

use napi_derive::napi;
use notice::notice;
use output::Output;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant, SystemTime};

/// The most that waits to be written. The newest line is kept whatever its size.
const QUEUE_BYTES: usize = 256 * 1024;

/// How long `write` waits, so that the line is mostly written when it returns, even if the process is killed next. Once
/// that was not enough, `write` doesn't wait until the queue is empty again.
const PATIENCE: Duration = Duration::from_millis(5);

/// The thread's stack. It needs little.
const STACK_BYTES: usize = 64 * 1024;

#[derive(Default)]
struct Queue {
    lines: VecDeque<String>,
    bytes: usize,
    /// Dropped lines that the log doesn't mention yet.
    dropped: u64,
    is_writing: bool,
    is_late: bool,
    keep: Option<Kept>,
}

/// The log's file, and the name of its earlier part. Each has about `bytes` bytes at most.
struct Kept {
    path: String,
    earlier: String,
    bytes: u64,
}

impl Queue {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && !self.is_writing
    }

    fn add(&mut self, line: String) {
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.bytes > QUEUE_BYTES && self.lines.len() > 1 {
            self.bytes -= self.lines.pop_front().map_or(0, |line| line.len());
            self.dropped += 1;
        }
    }

    /// Takes all that waits, after a notice about the lines dropped before it. Also returns how many lines are lost if
    /// writing fails.
    fn take(&mut self, now: SystemTime) -> (String, u64) {
        let at_stake = self.dropped + self.lines.len() as u64;
        let mut text = notice(self.dropped, now);
        self.lines.drain(..).for_each(|line| text.push_str(&line));
        (self.bytes, self.dropped) = (0, 0);
        (text, at_stake)
    }
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_more<'a>(&self, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all is written. Returns false if that takes longer than `limit`.
    fn wait_until_empty<'a>(
        &self,
        mut queue: MutexGuard<'a, Queue>,
        limit: Duration,
    ) -> (MutexGuard<'a, Queue>, bool) {
        let until = Instant::now() + limit;
        while !queue.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return (queue, false);
            }
            queue = self.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        (queue, true)
    }
}

/// Writes lines to one descriptor, in order.
#[napi]
pub struct LogWriter {
    shared: Arc<Shared>,
}

/// Throws if the thread can't be started.
#[napi]
pub fn open_log_writer(descriptor: i32) -> napi::Result<LogWriter> {
    let shared = Arc::new(Shared::default());
    let of_thread = Arc::clone(&shared);
    Builder::new()
        .name("log".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || write_all(&of_thread, &mut Output::new(descriptor)))
        .map_err(|error| crate::failed("log writer", &error))?;
    Ok(LogWriter { shared })
}

#[napi]
impl LogWriter {
    /// Takes complete lines. Returns within milliseconds, even without a reader.
    #[napi]
    pub fn write(&self, lines: String) {
        let mut queue = self.shared.lock();
        queue.add(lines);
        self.shared.changed.notify_all();
        if !queue.is_late {
            let (mut queue, written) = self.shared.wait_until_empty(queue, PATIENCE);
            queue.is_late = !written;
        }
    }

    /// Waits until all is written, at most for this many milliseconds. Returns whether it is.
    #[napi]
    pub fn flush(&self, milliseconds: u32) -> bool {
        self.shared.wait_until_empty(self.shared.lock(), Duration::from_millis(milliseconds.into())).1
    }

    /// Limits the log's size, if the descriptor is the file at `path`. Once the file has this many bytes, it is renamed
    /// to `earlier`, which it replaces, and a new file is begun. Any other file, which someone else opened, may grow.
    #[napi]
    pub fn keep_small(&self, path: String, earlier: String, bytes: u32) {
        self.shared.lock().keep = Some(Kept { path, earlier, bytes: bytes.into() });
    }
}

/// Runs in the thread, until the process ends.
fn write_all(shared: &Shared, output: &mut Output) {
    loop {
        let mut queue = shared.lock();
        while queue.lines.is_empty() {
            queue.is_late = false;
            queue = shared.wait_for_more(queue);
        }
        if let Some(Kept { path, earlier, bytes }) = queue.keep.take() {
            output.keep_small(path, earlier, bytes);
        }
        let (text, at_stake) = queue.take(SystemTime::now());
        queue.is_writing = true;
        drop(queue);
        let written = output.write(text.as_bytes());
        let mut queue = shared.lock();
        queue.is_writing = false;
        if written.is_err() {
            // The notice before the next line that can be written counts them, for example once a full disk has room.
            queue.dropped += at_stake;
        }
        shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept_and_the_others_counted() {
        let mut queue = Queue::default();
        let line = "x".repeat(1024);
        for _ in 0..QUEUE_BYTES / 1024 + 10 {
            queue.add(line.clone());
        }
        queue.add("last words".to_owned());
        assert_eq!(queue.dropped, 11);
        let (text, at_stake) = queue.take(SystemTime::UNIX_EPOCH);
        assert!(text.starts_with("{\"level\":40,\"time\":\"1970-01-01T00:00:00.000Z\",\"lines\":11,"));
        assert!(text.ends_with("last words"));
        assert_eq!(at_stake, QUEUE_BYTES as u64 / 1024 + 11);
        assert_eq!((queue.bytes, queue.dropped, queue.lines.len()), (0, 0, 0));
    }

    #[test]
    fn a_line_larger_than_all_room_is_kept() {
        let mut queue = Queue::default();
        queue.add("before".to_owned());
        queue.add("x".repeat(QUEUE_BYTES + 1));
        assert_eq!((queue.dropped, queue.lines.len()), (1, 1));
        queue.add("after".to_owned());
        assert_eq!((queue.dropped, queue.lines.len(), queue.bytes), (2, 1, 5));
    }
}

use super::console::{Console, Keys};
use super::job::Job;
use super::parent::Parent;
use super::readers::{Heard, PIECES, read_err, read_out};
use super::{Client, End, broken};
use crate::bounded::Bounded;
use crate::failure::{Failure, exit};
use crate::frames::{HelperFrame, Outcome, RunOrder, base64};
use crate::os::windows::LOOK;
use std::io::ErrorKind;
use std::os::windows::io::AsRawHandle;
use std::process::Child;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::sleep;
use std::time::{Duration, Instant};
use windows_sys::Win32::System::Threading::WaitForSingleObject;

const ALIVE: Duration = Duration::from_secs(1);
/// For a program that got the key, too.
const GRACE: Duration = Duration::from_millis(500);
/// How long to read the pipes after the program has ended. Processes that it left running may keep them open for ever.
const HELD_OPEN: Duration = Duration::from_secs(1);
/// The most of stderr that the broker gets. All of it is shown.
const SAID_BYTES: usize = 64 * 1024;
/// SIGINT, the name that the broker has for an interrupt on every system.
const INTERRUPT: i32 = 2;
/// The exit code that shells, and many programs that catch an interrupt, end with.
const INTERRUPTED_CODE: u32 = 130;
/// STATUS_CONTROL_C_EXIT: the system ended it by the key.
const KEY_ENDED_IT: u32 = 0xc000_013a;
/// From here on the system ended it: a fault, or a library that is missing. The number says which.
const FAULTS: u32 = 0xc000_0000;

/// A running program. Dropping it before its end ends the program and all that it started.
pub struct Running<'a> {
    order: &'a RunOrder,
    client: &'a mut dyn Client,
    child: Child,
    job: Job,
    console: Option<Console>,
    keys: Keys,
    parent: Option<Parent>,
    heard: Receiver<Heard>,
    /// Keeps the channel open when both pipes have ended: a closed one can't be waited for.
    _open: SyncSender<Heard>,
    stdout: Bounded,
    /// Whether the pipes have ended.
    out_ended: bool,
    err_ended: bool,
    said: usize,
    until: Instant,
    next_alive: Instant,
    next_look: Instant,
    ending: Option<(End, Instant)>,
    ended: Option<(u32, Instant)>,
    is_over: bool,
}

impl<'a> Running<'a> {
    pub fn new(
        order: &'a RunOrder,
        client: &'a mut dyn Client,
        mut child: Child,
        job: Job,
        (console, keys): (Option<Console>, Keys),
    ) -> Result<Self, Failure> {
        let (to, heard) = sync_channel(PIECES);
        let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(broken(&ErrorKind::BrokenPipe.into()));
        };
        read_out(out, to.clone());
        read_err(err, to.clone(), client.shows_stderr());
        let now = Instant::now();
        Ok(Running {
            order,
            client,
            child,
            job,
            console,
            keys,
            parent: Parent::find(),
            heard,
            _open: to,
            stdout: Bounded::new(order.max_bytes),
            out_ended: false,
            err_ended: false,
            said: 0,
            until: now + Duration::from_secs(order.seconds.into()),
            next_alive: now,
            next_look: now,
            ending: None,
            ended: None,
            is_over: false,
        })
    }

    pub fn until_its_end(mut self) -> Result<End, Failure> {
        loop {
            let now = Instant::now();
            if now >= self.next_alive {
                self.tell(&HelperFrame::Alive { id: self.order.id })?;
                self.next_alive = now + ALIVE;
            }
            self.wait(self.next_look.saturating_duration_since(now))?;
            self.look()?;
            if let Some(end) = self.end_if_over()? {
                return Ok(end);
            }
        }
    }

    /// Waits for what the program writes, or for its end where it can write no more.
    fn wait(&mut self, limit: Duration) -> Result<(), Failure> {
        if self.out_ended && self.err_ended {
            let milliseconds = u32::try_from(limit.as_millis()).unwrap_or(0);
            // SAFETY: the handle is open.
            unsafe { WaitForSingleObject(self.child.as_raw_handle(), milliseconds) };
            return Ok(());
        }
        match self.heard.recv_timeout(limit) {
            Ok(heard) => self.take(heard),
            Err(_) => Ok(()),
        }
    }

    fn take(&mut self, heard: Heard) -> Result<(), Failure> {
        match heard {
            Heard::Out(piece) => {
                if !self.stdout.add(&piece) {
                    self.begin_end(End::Ran(Outcome::TooLarge), Duration::ZERO);
                }
            }
            Heard::Err(piece) => self.say(&piece)?,
            Heard::OutEnd => self.out_ended = true,
            Heard::ErrEnd => self.err_ended = true,
        }
        Ok(())
    }

    fn say(&mut self, piece: &[u8]) -> Result<(), Failure> {
        let piece = piece.get(..piece.len().min(SAID_BYTES - self.said)).unwrap_or_default();
        if piece.is_empty() {
            return Ok(());
        }
        self.said += piece.len();
        let data = base64(piece);
        self.tell(&HelperFrame::Said { id: self.order.id, data: &data })
    }

    fn tell(&mut self, frame: &HelperFrame<'_>) -> Result<(), Failure> {
        match self.ending {
            Some((End::Withdrawn, _)) => Ok(()),
            _ => self.client.tell(frame),
        }
    }

    fn look(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        if self.ended.is_none()
            && let Some(status) = self.child.try_wait().map_err(|error| broken(&error))?
        {
            let code = status.code().unwrap_or_default().cast_unsigned();
            self.ended = Some((code, now + HELD_OPEN));
            if self.order.terminal {
                // The key that ended it, perhaps with a code of its own, comes to each process in its own time.
                sleep(LOOK);
                self.hear_keys();
            }
        }
        if now < self.next_look {
            return Ok(());
        }
        if self.parent.as_ref().is_some_and(Parent::is_gone) {
            return Err(Failure::new(exit::INTERNAL, "whoever asked is gone"));
        }
        self.hear_keys();
        if self.ending.is_none() && !self.client.is_wanted()? {
            self.begin_end(End::Withdrawn, Duration::ZERO);
        }
        if self.ended.is_none() && now >= self.until {
            self.begin_end(End::Ran(Outcome::TimedOut), Duration::ZERO);
        }
        self.next_look = Instant::now() + LOOK;
        Ok(())
    }

    fn hear_keys(&mut self) {
        if self.keys.take() {
            let grace = if self.order.terminal { GRACE } else { Duration::ZERO };
            self.begin_end(End::Interrupted { signal: INTERRUPT }, grace);
        }
    }

    /// The program is ended after `grace`, if it hasn't ended by itself.
    fn begin_end(&mut self, end: End, grace: Duration) {
        self.ending.get_or_insert_with(|| (end, Instant::now() + grace));
    }

    fn end_if_over(&mut self) -> Result<Option<End>, Failure> {
        let now = Instant::now();
        if self.ending.as_ref().is_some_and(|(_, kill)| now >= *kill || self.ended.is_some()) {
            self.job.end();
            return self.finish().map(Some);
        }
        match self.ended {
            Some((_, drained)) if (self.out_ended && self.err_ended) || now >= drained => {
                if self.order.ends_all {
                    self.job.end();
                }
                self.finish().map(Some)
            }
            _ => Ok(None),
        }
    }

    fn finish(&mut self) -> Result<End, Failure> {
        self.is_over = true;
        self.job.let_go();
        // Restores the modes before anything is printed.
        self.console = None;
        // The pipes of a program that was ended end now, too, with its last words.
        let until = Instant::now() + if self.ending.is_some() { GRACE } else { Duration::ZERO };
        let end = match (self.ending.take(), self.ended) {
            (Some((end, _)), _) => end,
            (None, Some((code, _))) => self.end_of(code)?,
            (None, None) => End::Withdrawn,
        };
        while end != End::Withdrawn && !self.err_ended {
            let left = until.saturating_duration_since(Instant::now());
            match self.heard.recv_timeout(left) {
                Ok(Heard::Err(piece)) => self.say(&piece)?,
                Ok(Heard::ErrEnd) => self.err_ended = true,
                Ok(Heard::Out(_) | Heard::OutEnd) => {}
                Err(_) => break,
            }
        }
        Ok(end)
    }

    fn end_of(&mut self, code: u32) -> Result<End, Failure> {
        if self.order.terminal && matches!(code, INTERRUPTED_CODE | KEY_ENDED_IT) {
            return Ok(End::Interrupted { signal: INTERRUPT });
        }
        if code >= FAULTS {
            self.say(format!("exit status {code:#x}\n").as_bytes())?;
        }
        let short = u8::try_from(code).unwrap_or(u8::MAX);
        Ok(End::Ran(Outcome::exited(short, &self.stdout.bytes)))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.job.end();
        }
    }
}

//! One request: connect, send the hello, obey the broker, exit as it says.

mod run;

use crate::doors::{self, Door};
use crate::failure::{Failure, exit};
use crate::frames::{
    BrokerFrame, FrameError, HelperFrame, PROTOCOL_MAX, PROTOCOL_MIN, Protocol, Request, Terminal, base64,
    encode,
};
use crate::limits::Deadline;
use crate::os::{self, Asked};
use crate::output::Reader;
use crate::wire::Wire;
use crate::{Limits, environment, output, reach};
use std::io::{self, ErrorKind, IsTerminal};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// Sends the request to the broker, and obeys it. Returns the exit code.
pub fn converse(limits: &Limits, door: &'static Door, request: Request<'_>) -> Result<u8, Failure> {
    // Encodes before it connects, so that a request too large for a frame costs the broker nothing.
    let hello = hello(door, request)
        .map_err(|_| Failure::new(exit::USAGE, "the request is too large: a frame holds 8 MiB at most"))?;
    let connection = reach::broker(limits)?;
    let deadline = Deadline::after(Instant::now(), limits.welcome);
    let mut session = Session {
        limits,
        door,
        wire: Wire::new(connection, door),
        deadline,
        welcomed: false,
        quiet: is_quiet(door),
    };
    session.send(&hello)?;
    session.welcome()?;
    session.obey()
}

/// The broker's exit frame, if a broker runs and sends it within the limit. Reports no errors.
pub fn quick_answer(door: &'static Door, request: Request<'_>, limit: Duration) -> Option<BrokerFrame> {
    let deadline = Deadline::after(Instant::now(), limit);
    let hello = hello(door, request).ok()?;
    let connection = reach::running_broker(deadline.left(Instant::now())?)?;
    let mut wire = Wire::new(connection, door);
    wire.connection.send(&hello, deadline.left(Instant::now())?).ok()?;
    loop {
        match wire.next(deadline.left(Instant::now())?).ok()? {
            Some(frame @ BrokerFrame::Exit { .. }) => return Some(frame),
            Some(BrokerFrame::Environment { id, names }) => {
                let value = base64(&environment::tell(&names).ok()?);
                let answer = encode(&HelperFrame::Answer { id, value: Some(&value) }).ok()?;
                wire.connection.send(&answer, deadline.left(Instant::now())?).ok()?;
            }
            _ => {}
        }
    }
}

/// Whether the caller draws on the complete terminal, as k9s does. A line of the helper would disturb its screen.
pub fn is_quiet(door: &Door) -> bool {
    *door == doors::KUBE && os::is_screen_taken()
}

fn hello(door: &Door, request: Request<'_>) -> Result<Zeroizing<Vec<u8>>, FrameError> {
    let terminal = Terminal {
        stdin: io::stdin().is_terminal(),
        stdout: io::stdout().is_terminal(),
        stderr: io::stderr().is_terminal(),
        controlling: os::has_controlling_terminal(),
        columns: os::columns(),
    };
    encode(&HelperFrame::Hello {
        protocol: Protocol { min: PROTOCOL_MIN, max: PROTOCOL_MAX },
        helper: env!("CARGO_PKG_VERSION"),
        door: door.name,
        features: door.mask,
        terminal,
        request,
    })
}

struct Session<'a> {
    limits: &'a Limits,
    door: &'static Door,
    wire: Wire,
    deadline: Deadline,
    welcomed: bool,
    /// Prints nothing to stderr.
    quiet: bool,
}

impl Session<'_> {
    /// A broker that closed the connection early may have said why. The next read returns that.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.wire.connection.send(bytes, self.limits.connect) {
            Err(error) if !matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {
                match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => Err(silent("does not take the request")),
                    _ => Err(Failure::new(exit::INTERNAL, format!("can't talk to the agent: {error}"))),
                }
            }
            _ => Ok(()),
        }
    }

    fn next(&mut self, what: &str) -> Result<BrokerFrame, Failure> {
        loop {
            let left = self.deadline.left(Instant::now()).ok_or_else(|| silent(what))?;
            if let Some(frame) = self.wire.next(left)? {
                return Ok(frame);
            }
        }
    }

    /// Leaves an exit frame of a broker that denies the request to `obey`.
    fn welcome(&mut self) -> Result<(), Failure> {
        while !self.wire.has_arrived() {
            let left = self.deadline.left(Instant::now()).ok_or_else(|| silent("does not answer"))?;
            self.wire.fill(left)?;
        }
        if let Some(protocol) = self.wire.take_welcome() {
            check_version(protocol)?;
            self.welcomed = true;
            self.deadline = Deadline::after(Instant::now(), self.limits.idle);
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        if !self.quiet {
            self.written(|| output::stderr(text));
        }
    }

    /// A person's terminal may take its time (Ctrl-S, a pager): that is no silence of the broker.
    fn written<T>(&mut self, write: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = write();
        self.deadline.shift(began.elapsed());
        done
    }

    fn obey(&mut self) -> Result<u8, Failure> {
        loop {
            let frame = self.next("has fallen silent")?;
            self.deadline.extend(Instant::now(), self.limits.idle);
            match frame {
                BrokerFrame::Stderr { text } => self.say(&text),
                BrokerFrame::Progress { seconds } => self.deadline.set(Instant::now(), seconds),
                BrokerFrame::Prompt { id, text, echo } => {
                    let asked =
                        self.paused(|wire, limits| os::ask(wire, id, (&text, echo), limits.person))?;
                    self.answer(id, asked)?;
                }
                BrokerFrame::Stdin { id, max_bytes } => {
                    let asked =
                        self.paused(|wire, limits| os::read_stdin(wire, id, max_bytes, limits.person))?;
                    self.answer(id, asked)?;
                }
                BrokerFrame::Environment { id, names } => {
                    let told = environment::tell(&names).map_err(|error| cant_answer(&error))?;
                    self.answer(id, Asked::Line(told))?;
                }
                BrokerFrame::Run(order) => {
                    if let Some(code) = self.run(&order)? {
                        return Ok(code);
                    }
                }
                // The program has ended already, or the question was answered or withdrawn.
                BrokerFrame::Cancel { .. } => {}
                BrokerFrame::Stdout { data } => {
                    // `| head` has read enough: that is a success.
                    let is_text = self.door.stdout_is_text;
                    if self.written(|| output::door_stdout(&data, is_text))? == Reader::Gone {
                        return Ok(0);
                    }
                }
                BrokerFrame::Exit { code, stdout, stderr } => {
                    let is_told = self.door.fails_on_stdout && code != 0 && stdout.is_none();
                    if is_told || (!self.welcomed && code == exit::VERSION) {
                        return Err(Failure::told(code, &stderr.unwrap_or_default()));
                    }
                    if let Some(text) = stderr {
                        self.say(&text);
                    }
                    if let Some(bytes) = stdout {
                        output::door_stdout(&bytes, self.door.stdout_is_text)?;
                    }
                    return Ok(code);
                }
                // The wire accepts only one welcome, and `welcome` has taken it.
                BrokerFrame::Welcome { .. } => {
                    return Err(Failure::new(exit::INTERNAL, "the agent greeted twice"));
                }
                // No door's mask has it: only the broker's own helper keeps programs running.
                BrokerFrame::Keep(_) => {
                    return Err(Failure::new(exit::INTERNAL, "the agent keeps its own programs"));
                }
            }
        }
    }

    /// Runs `ask` without counting its time against the deadline.
    fn paused<T>(
        &mut self,
        ask: impl FnOnce(&mut Wire, &Limits) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let began = Instant::now();
        let asked = ask(&mut self.wire, self.limits)?;
        self.deadline.shift(began.elapsed());
        Ok(asked)
    }

    fn answer(&mut self, id: u64, asked: Asked) -> Result<(), Failure> {
        let value = match &asked {
            Asked::Line(bytes) => Some(Zeroizing::new(base64(bytes))),
            Asked::Nobody | Asked::Interrupted(_) => None,
            Asked::Overtaken => return Ok(()),
        };
        let frame = encode(&HelperFrame::Answer { id, value: value.as_ref().map(|text| text.as_str()) })
            .map_err(|error| cant_answer(&error))?;
        self.send(&frame)?;
        match asked {
            Asked::Interrupted(signal) => Err(os::end_by_signal(signal)),
            _ => Ok(()),
        }
    }
}

fn cant_answer(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(exit::INTERNAL, format!("can't send the answer: {error}"))
}

fn silent(what: &str) -> Failure {
    Failure::new(exit::TIMED_OUT, format!("timed out: the agent {what}"))
        .hint("see: lanyard status; if that hangs too, start the agent anew")
}

fn check_version(protocol: u16) -> Result<(), Failure> {
    if (PROTOCOL_MIN..=PROTOCOL_MAX).contains(&protocol) {
        return Ok(());
    }
    let side = if protocol > PROTOCOL_MAX { "helper" } else { "agent" };
    let range = if PROTOCOL_MIN == PROTOCOL_MAX {
        format!("{PROTOCOL_MAX}")
    } else {
        format!("{PROTOCOL_MIN} to {PROTOCOL_MAX}")
    };
    Err(Failure::new(
        exit::VERSION,
        format!("the agent speaks protocol {protocol}, this helper {range}: the {side} is too old"),
    )
    .hint(format!("update the {side}")))
}

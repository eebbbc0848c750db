use crate::doors::Door;
use crate::failure::{Failure, exit};
use crate::frames::{BrokerFrame, Decoder, FrameError};
use crate::os::Connection;
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::time::Duration;

/// The connection as a queue of frames. Rejects a frame outside the door's mask (rule: door-mask).
pub struct Wire {
    pub connection: Connection,
    door: &'static Door,
    decoder: Decoder,
    waiting: VecDeque<BrokerFrame>,
    greeted: bool,
}

impl Wire {
    pub fn new(connection: Connection, door: &'static Door) -> Self {
        Wire { connection, door, decoder: Decoder::default(), waiting: VecDeque::new(), greeted: false }
    }

    /// The next frame, or None if none was complete within the limit.
    pub fn next(&mut self, limit: Duration) -> Result<Option<BrokerFrame>, Failure> {
        if self.waiting.is_empty() && !self.fill(limit)? {
            return Ok(None);
        }
        Ok(self.waiting.pop_front())
    }

    /// Reads once, and waits at most for the limit. Returns false if nothing arrived.
    pub fn fill(&mut self, limit: Duration) -> Result<bool, Failure> {
        let mut bytes = [0; 16 * 1024];
        let count = match self.connection.receive(&mut bytes, limit) {
            Ok(count) => count,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(false),
                ErrorKind::Interrupted => return Ok(true),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => 0,
                _ => return Err(Failure::new(exit::INTERNAL, format!("can't hear the agent: {error}"))),
            },
        };
        if count == 0 {
            let when = if self.decoder.finish().is_ok() {
                "without an answer"
            } else {
                "in the middle of an answer"
            };
            return Err(Failure::new(exit::UNREACHABLE, format!("the agent ended the connection {when}"))
                .hint("see the agent's log, then try again"));
        }
        self.decoder.push(bytes.get(..count).unwrap_or_default());
        while let Some(frame) = self.decoder.next_frame().map_err(|error| bad_frame(&error))? {
            self.take(frame)?;
        }
        Ok(true)
    }

    pub fn has_arrived(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The version that the broker chose, if its first frame is a welcome.
    pub fn take_welcome(&mut self) -> Option<u16> {
        match self.waiting.front() {
            Some(&BrokerFrame::Welcome { protocol, .. }) => {
                self.waiting.pop_front();
                Some(protocol)
            }
            _ => None,
        }
    }

    /// The first frame in the queue that matches.
    pub fn take_where(&mut self, is_meant: impl Fn(&BrokerFrame) -> bool) -> Option<BrokerFrame> {
        let place = self.waiting.iter().position(is_meant)?;
        self.waiting.remove(place)
    }

    /// Whether the broker has ended the request.
    pub fn has_ended(&self) -> bool {
        self.waiting.iter().any(|frame| matches!(frame, BrokerFrame::Exit { .. }))
    }

    /// Whether the broker has ended the request, or withdrawn this question.
    pub fn has_dropped(&self, question: u64) -> bool {
        let is_dropped = |frame: &BrokerFrame| matches!(frame, BrokerFrame::Cancel { id } if *id == question);
        self.has_ended() || self.waiting.iter().any(is_dropped)
    }

    /// The first frame is `welcome`, or `exit` if the broker denies the request. After that the mask applies.
    fn take(&mut self, frame: BrokerFrame) -> Result<(), Failure> {
        let allowed = match &frame {
            BrokerFrame::Welcome { .. } => !self.greeted,
            BrokerFrame::Exit { .. } => true,
            other => self.greeted && self.door.allows(other),
        };
        if !allowed {
            return Err(Failure::new(
                exit::INTERNAL,
                format!("the agent sent '{}', which is not permitted here", frame.kind()),
            ));
        }
        self.greeted = true;
        self.waiting.push_back(frame);
        Ok(())
    }
}

fn bad_frame(error: &FrameError) -> Failure {
    Failure::new(exit::INTERNAL, format!("the agent sent {error}"))
        .hint("helper and agent may not be of one installation; see: lanyard version")
}

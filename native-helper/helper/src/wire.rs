use crate::doors::Door;
use crate::failure::{Failure, exit};
use crate::frames::{BrokerFrame, Decoder, FrameError};
use crate::os::Connection;
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::time::Duration;

/// The connection as a row of frames. A frame outside the door's mask never gets past it (rule: door-mask).
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

    /// The next frame, or None when none was complete within the limit.
    pub fn next(&mut self, limit: Duration) -> Result<Option<BrokerFrame>, Failure> {
        if self.waiting.is_empty() && !self.fill(limit)? {
            return Ok(None);
        }
        Ok(self.waiting.pop_front())
    }

    /// Reads once, for at most the limit; false when nothing came.
    pub fn fill(&mut self, limit: Duration) -> Result<bool, Failure> {
        let mut bytes = [0; 16 * 1024];
        let count = match self.connection.receive(&mut bytes, limit) {
            Ok(count) => count,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(false),
                ErrorKind::Interrupted => return Ok(true),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => 0,
                _ => return Err(Failure::new(exit::INTERNAL, format!("can't hear the broker: {error}"))),
            },
        };
        if count == 0 {
            self.decoder.finish().map_err(|error| bad_frame(&error))?;
            return Err(Failure::new(exit::UNREACHABLE, "the broker ended the connection without an answer")
                .hint("see the broker's log, then try again"));
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

    /// The version that the broker chose, where its first frame is a welcome.
    pub fn take_welcome(&mut self) -> Option<u16> {
        match self.waiting.front() {
            Some(&BrokerFrame::Welcome { protocol, .. }) => {
                self.waiting.pop_front();
                Some(protocol)
            }
            _ => None,
        }
    }

    /// The first waiting frame of this sort, wherever in the row it stands.
    #[cfg(unix)]
    pub fn take_where(&mut self, is_meant: impl Fn(&BrokerFrame) -> bool) -> Option<BrokerFrame> {
        let place = self.waiting.iter().position(is_meant)?;
        self.waiting.remove(place)
    }

    /// Has the broker ended the request already?
    #[cfg_attr(windows, allow(dead_code))] // it can't wait for both there
    pub fn has_ended(&self) -> bool {
        self.waiting.iter().any(|frame| matches!(frame, BrokerFrame::Exit { .. }))
    }

    /// Has it ended the request, or taken this question back?
    #[cfg_attr(windows, allow(dead_code))]
    pub fn has_dropped(&self, question: u64) -> bool {
        let is_dropped = |frame: &BrokerFrame| matches!(frame, BrokerFrame::Cancel { id } if *id == question);
        self.has_ended() || self.waiting.iter().any(is_dropped)
    }

    /// The first frame is `welcome`, or `exit` where the broker refuses; then the mask counts.
    fn take(&mut self, frame: BrokerFrame) -> Result<(), Failure> {
        let allowed = match &frame {
            BrokerFrame::Welcome { .. } => !self.greeted,
            BrokerFrame::Exit { .. } => true,
            other => self.greeted && self.door.allows(other),
        };
        if !allowed {
            return Err(Failure::new(
                exit::INTERNAL,
                format!("the broker sent '{}', which is not permitted here", frame.kind()),
            ));
        }
        self.greeted = true;
        self.waiting.push_back(frame);
        Ok(())
    }
}

fn bad_frame(error: &FrameError) -> Failure {
    Failure::new(exit::INTERNAL, format!("the broker sent {error}"))
        .hint("helper and broker may not be of one installation; see: lanyard version")
}

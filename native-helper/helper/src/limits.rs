use std::time::{Duration, Instant};

/// How long the helper waits. client-go has no limit, so these are the only ones.
pub struct Limits {
    /// Until the broker accepts the connection, and until it takes the request.
    pub connect: Duration,
    /// From the connection to the broker's first frame.
    pub welcome: Duration,
    /// Between two frames.
    pub idle: Duration,
    /// For the user at a prompt, or the writer of standard input.
    pub person: Duration,
    /// From starting a broker to its first accepted connection. Long, since a laptop that has just started is busy: a
    /// broker that can't run ends, and isn't waited for.
    pub start: Duration,
    /// For the names that complete a line: the user has just pressed Tab, and waits.
    pub names: Duration,
}

impl Limits {
    pub const SHIPPED: Limits = Limits {
        connect: Duration::from_secs(2),
        welcome: Duration::from_secs(5),
        idle: Duration::from_secs(30),
        person: Duration::from_secs(300),
        start: Duration::from_secs(20),
        names: Duration::from_millis(300),
    };
}

/// The moment at which the helper gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(now: Instant, limit: Duration) -> Self {
        Deadline(now + limit)
    }

    /// Extends the deadline to at least `idle` from now. Never shortens what a progress frame granted.
    pub fn extend(&mut self, now: Instant, idle: Duration) {
        self.0 = self.0.max(now + idle);
    }

    /// Sets the deadline to `seconds` from now, even if more was left.
    pub fn set(&mut self, now: Instant, seconds: u16) {
        self.0 = now + Duration::from_secs(seconds.into());
    }

    /// Leaves out time that doesn't count.
    pub fn shift(&mut self, by: Duration) {
        self.0 += by;
    }

    /// The time left. None if the deadline has passed.
    pub fn left(&self, now: Instant) -> Option<Duration> {
        self.0.checked_duration_since(now).filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Duration = Duration::from_secs(30);

    #[test]
    fn a_frame_extends_but_never_shortens() {
        let now = Instant::now();
        let mut deadline = Deadline::after(now, Duration::from_secs(5));
        deadline.extend(now, IDLE);
        assert_eq!(deadline.left(now), Some(IDLE));
        deadline.set(now, 300);
        deadline.extend(now, IDLE);
        assert_eq!(deadline.left(now), Some(Duration::from_secs(300)));
    }

    #[test]
    fn progress_counts_from_now() {
        let now = Instant::now();
        let mut deadline = Deadline::after(now, IDLE);
        let later = now + Duration::from_secs(29);
        deadline.set(later, 2);
        assert_eq!(deadline.left(later), Some(Duration::from_secs(2)));
        assert_eq!(deadline.left(later + Duration::from_secs(2)), None);
    }
}

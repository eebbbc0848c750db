use std::time::{Duration, Instant};

/// How long the helper waits, and for what: client-go has no limit of its own, so this is the only one.
pub struct Limits {
    /// Until the broker accepts the connection and takes the request.
    pub connect: Duration,
    /// From the connection to the broker's first frame.
    pub welcome: Duration,
    /// Between two frames.
    pub idle: Duration,
    /// For the user at a prompt, or whatever writes to standard input.
    pub person: Duration,
    /// From starting a broker to its first accepted connection.
    pub start: Duration,
}

impl Limits {
    pub const SHIPPED: Limits = Limits {
        connect: Duration::from_secs(2),
        welcome: Duration::from_secs(5),
        idle: Duration::from_secs(30),
        person: Duration::from_secs(300),
        start: Duration::from_secs(5),
    };
}

/// The moment at which the helper gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(now: Instant, limit: Duration) -> Self {
        Deadline(now + limit)
    }

    /// A frame came: at least `idle` more, and never less than a progress frame has promised.
    pub fn extend(&mut self, now: Instant, idle: Duration) {
        self.0 = self.0.max(now + idle);
    }

    /// What a progress frame says counts from now, also when it is less than what was left.
    pub fn set(&mut self, now: Instant, seconds: u16) {
        self.0 = now + Duration::from_secs(seconds.into());
    }

    /// Time that doesn't count.
    pub fn shift(&mut self, by: Duration) {
        self.0 += by;
    }

    /// None when it has passed.
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

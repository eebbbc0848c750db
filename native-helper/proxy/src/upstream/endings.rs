//! How soon a server ends connections of HTTP/1.1 that are idle.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::shared::held;

/// What was found counts for so many times as long as the connection was idle: a server that restarts ends all, once, and
/// those under load were idle for less than a millisecond.
const COUNTS: u32 = 1000;
const COUNTS_AT_MOST: Duration = Duration::from_secs(60);

/// The shortest time.
#[derive(Default)]
pub struct Endings(Mutex<Option<Ending>>);

struct Ending {
    after: Duration,
    noted: Instant,
}

impl Endings {
    /// One was found to have ended, or ended under a request. None: it was new, and says nothing.
    pub fn note(&self, idle: Option<Duration>) {
        let mut shortest = held(&self.0);
        if let Some(after) = idle
            && shortest.as_ref().is_none_or(|ending| after < ending.after || !ending.counts())
        {
            *shortest = Some(Ending { after, noted: Instant::now() });
        }
    }

    /// For one that was idle for so long.
    pub fn are_near(&self, idle: Duration) -> bool {
        held(&self.0).as_ref().is_some_and(|ending| idle >= ending.after / 2 && ending.counts())
    }
}

impl Ending {
    fn counts(&self) -> bool {
        self.noted.elapsed() < self.after.saturating_mul(COUNTS).min(COUNTS_AT_MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_time_counts_and_a_new_connection_says_nothing() {
        let (endings, second) = (Endings::default(), Duration::from_secs(1));
        endings.note(None);
        assert!(!endings.are_near(second * 59));
        for idle in [8, 4, 6] {
            endings.note(Some(second * idle));
        }
        assert!(endings.are_near(second * 2));
        assert!(!endings.are_near(second * 2 - Duration::from_millis(1)));
    }
}

//! Whether a request that its connection failed is sent again. What the cluster didn’t look at always may be; what it may
//! have done only where that is safe, and only where the connection was kept, which ends at any moment (RFC 9110, section
//! 9.2.2; RFC 9112, section 9.3.1).

use std::time::Duration;

use crate::upstream::SendFault;

/// A server that restarts may refuse it on one connection after the other.
const MOST_UNPROCESSED: u32 = 6;
/// Where a new connection ends without a word.
const MOST_UNSENT: u32 = 2;
/// So many are sent again at once; before each later one the pause is twice as long.
const AT_ONCE: u32 = 2;
const PAUSE: Duration = Duration::from_millis(50);

/// Of one request.
#[derive(Default)]
pub struct Repeats {
    unprocessed: u32,
    broken: bool,
}

impl Repeats {
    /// How long to wait before it is sent again; none: it isn’t. `is_safe`: it changes nothing.
    pub fn after(&mut self, fault: &SendFault, is_safe: bool) -> Option<Duration> {
        match fault {
            SendFault::Unprocessed { said, was_kept, .. } => {
                let most = if *said || *was_kept { MOST_UNPROCESSED } else { MOST_UNSENT };
                let before = self.unprocessed;
                self.unprocessed += 1;
                let pause = before.checked_sub(AT_ONCE).map_or(Duration::ZERO, |later| PAUSE * (1 << later));
                (before < most).then_some(pause)
            }
            SendFault::Broken { was_kept: true, .. } if is_safe && !self.broken => {
                self.broken = true;
                Some(Duration::ZERO)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unprocessed(said: bool, was_kept: bool) -> SendFault {
        SendFault::Unprocessed { error: "refused".into(), said, was_kept }
    }

    fn broken(was_kept: bool) -> SendFault {
        SendFault::Broken { error: "reset".into(), was_kept }
    }

    /// The pauses in milliseconds, until it isn’t sent again.
    fn pauses(fault: &SendFault, is_safe: bool) -> Vec<u128> {
        let mut repeats = Repeats::default();
        std::iter::from_fn(|| repeats.after(fault, is_safe).map(|pause| pause.as_millis())).collect()
    }

    #[test]
    fn what_was_not_looked_at_is_sent_again_and_what_may_have_been_done_only_where_that_is_safe() {
        for is_safe in [false, true] {
            assert_eq!(pauses(&unprocessed(true, false), is_safe), [0, 0, 50, 100, 200, 400]);
            assert_eq!(pauses(&unprocessed(false, true), is_safe), [0, 0, 50, 100, 200, 400]);
            assert_eq!(pauses(&unprocessed(false, false), is_safe), [0, 0]);
            assert!(pauses(&broken(false), is_safe).is_empty());
            assert!(pauses(&SendFault::AskedLate, is_safe).is_empty());
        }
        assert_eq!(pauses(&broken(true), true), [0]);
        assert!(pauses(&broken(true), false).is_empty());
    }
}

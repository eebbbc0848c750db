//! Whether a request that its connection failed is sent again. What the cluster didn’t look at always may be; what it may
//! have done only where that is safe (RFC 9110, section 9.2.2). A connection that was kept may end at any moment (RFC 9112,
//! section 9.3.1); a new one ends under its first request where a server stops, as those of Go do.

use std::time::Duration;

use crate::upstream::{Ended, SendFault};

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
    kept_ended: bool,
    new_ended: bool,
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
            SendFault::Broken { ended: Some(ended), .. } if is_safe => {
                let (is_done, pause) = match ended {
                    Ended::Kept => (&mut self.kept_ended, Duration::ZERO),
                    Ended::New => (&mut self.new_ended, PAUSE),
                };
                (!std::mem::replace(is_done, true)).then_some(pause)
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

    fn broken(ended: Option<Ended>) -> SendFault {
        SendFault::Broken { error: "reset".into(), ended }
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
            assert!(pauses(&broken(None), is_safe).is_empty());
            assert!(pauses(&SendFault::AskedLate, is_safe).is_empty());
        }
        for (ended, pause) in [(Ended::Kept, 0), (Ended::New, 50)] {
            let fault = broken(Some(ended));
            assert_eq!(pauses(&fault, true), [pause]);
            assert!(pauses(&fault, false).is_empty());
        }
    }
}

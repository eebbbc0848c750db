//! The time that a cluster’s requests are signed for. A service refuses a signature that is five minutes off, and says
//! its own time in `Date`: that counts from then on.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use http::header::DATE;
use http::{HeaderMap, StatusCode};

/// Less than the five minutes that AWS allows, in seconds: `Date` may be of before the answer.
const SMALLEST_SKEW: i64 = 4 * 60;
/// More is no clock that is off, and no key would do.
const LARGEST_SKEW: i64 = 24 * 60 * 60;

#[derive(Default)]
pub struct Clock {
    /// Seconds that the cluster’s clock is ahead of this system’s, as far as is known.
    offset: AtomicI64,
}

impl Clock {
    /// The cluster’s time, in seconds since 1970.
    pub fn now(&self) -> i64 {
        system_seconds().saturating_add(self.offset.load(Ordering::Relaxed))
    }

    /// Whether the answer says that the signature’s time was wrong. The right one is known from now on.
    pub fn learns(&self, signed_for: i64, status: StatusCode, headers: &HeaderMap) -> bool {
        self.learns_at(system_seconds(), signed_for, status, headers)
    }

    /// The bound is from the system’s own time: offsets don’t add up.
    fn learns_at(&self, system: i64, signed_for: i64, status: StatusCode, headers: &HeaderMap) -> bool {
        let now = rejected_at(status, headers).filter(|now| {
            let off = now.saturating_sub(system);
            now.saturating_sub(signed_for).saturating_abs() >= SMALLEST_SKEW
                && off.saturating_abs() <= LARGEST_SKEW
        });
        if let Some(now) = now {
            self.offset.store(now.saturating_sub(system), Ordering::Relaxed);
        }
        now.is_some()
    }
}

/// The cluster’s time when it refused; none: it didn’t, or doesn’t say.
fn rejected_at(status: StatusCode, headers: &HeaderMap) -> Option<i64> {
    if !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return None;
    }
    Some(seconds(httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?))
}

fn system_seconds() -> i64 {
    seconds(SystemTime::now())
}

fn seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const SIGNED_FOR: i64 = 1_440_938_160;

    #[test]
    fn a_refusal_that_says_another_time_is_learned_from() {
        for (status, date, expected) in [
            (403, "Sun, 30 Aug 2015 12:42:00 GMT", true),
            (401, "Sun, 30 Aug 2015 12:30:00 GMT", true),
            (403, "Sun, 30 Aug 2015 12:40:00 GMT", true),
            (403, "Sun, 30 Aug 2015 12:39:59 GMT", false),
            (403, "Sun, 30 Aug 2015 12:36:00 GMT", false),
            (403, "Mon, 31 Aug 2015 12:36:00 GMT", true),
            (403, "Mon, 31 Aug 2015 12:36:01 GMT", false),
            (403, "Sat, 29 Aug 2015 12:35:59 GMT", false),
            (403, "noon", false),
            (500, "Sun, 30 Aug 2015 12:42:00 GMT", false),
            (200, "Sun, 30 Aug 2015 12:42:00 GMT", false),
        ] {
            let headers = HeaderMap::from_iter([(DATE, HeaderValue::from_static(date))]);
            let status = StatusCode::from_u16(status).unwrap_or_default();
            let clock = Clock::default();
            assert_eq!(
                clock.learns_at(SIGNED_FOR, SIGNED_FOR, status, &headers),
                expected,
                "{status} {date}"
            );
            assert_eq!(clock.offset.load(Ordering::Relaxed) != 0, expected, "{status} {date}");
        }
        // A service can’t lead it further step by step.
        let clock = Clock::default();
        for (date, expected) in [
            ("Mon, 31 Aug 2015 11:36:00 GMT", true),
            ("Tue, 01 Sep 2015 10:36:00 GMT", false),
            ("Sun, 30 Aug 2015 12:36:00 GMT", true),
        ] {
            let headers = HeaderMap::from_iter([(DATE, HeaderValue::from_static(date))]);
            let signed_for = SIGNED_FOR + clock.offset.load(Ordering::Relaxed);
            let learned = clock.learns_at(SIGNED_FOR, signed_for, StatusCode::FORBIDDEN, &headers);
            assert_eq!(learned, expected, "{date}");
        }
        assert_eq!(clock.offset.load(Ordering::Relaxed), 0);
        assert!(!Clock::default().learns(SIGNED_FOR, StatusCode::FORBIDDEN, &HeaderMap::new()));
    }
}

use std::time::{SystemTime, UNIX_EPOCH};

/// The log's line about lines that were dropped, in the format of main/platform/logging. Empty if none were.
pub fn notice(lines: u64, now: SystemTime) -> String {
    if lines == 0 {
        return String::new();
    }
    format!("{{\"level\":40,\"time\":\"{}\",\"lines\":{lines},\"msg\":\"log.dropped\"}}\n", iso(now))
}

/// The format of JavaScript's toISOString.
fn iso(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (seconds, milliseconds) = (since.as_secs(), since.subsec_millis());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// Year, month and day from days since 1970. Counts years from March, so that the leap day is the last day of a year.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_time_is_written_as_javascript_writes_it() {
        for (milliseconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_796_083_199_001, "2026-11-30T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(iso(UNIX_EPOCH + Duration::from_millis(milliseconds)), expected);
        }
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(notice(0, UNIX_EPOCH), "");
    }
}

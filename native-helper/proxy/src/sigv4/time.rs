//! A time as `X-Amz-Date` has it.

/// ISO 8601 in its basic form, UTC: `20150830T123600Z`.
pub struct AmzTime(String);

impl AmzTime {
    /// Seconds since 1970. None: outside of the years 0 to 9999.
    pub fn new(unix_seconds: i64) -> Option<Self> {
        let at = time::OffsetDateTime::from_unix_timestamp(unix_seconds).ok()?;
        let (year, month, day) = at.to_calendar_date();
        let (hour, minute, second) = at.to_hms();
        let year = u32::try_from(year).ok()?;
        Some(Self(format!("{year:04}{:02}{day:02}T{hour:02}{minute:02}{second:02}Z", u8::from(month))))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// `20150830`
    pub fn date(&self) -> &str {
        self.0.get(..8).unwrap_or_default()
    }
}

//! Whether the process that a way in was minted for still lives. (rule: way-in)

/// `started`: as `/proc/PID/stat` has it, in ticks since the system's start (field 22).
#[cfg(target_os = "linux")]
pub fn is_alive(pid: u32, started: &str) -> bool {
    start(pid).as_deref() == Some(started)
}

/// When it started, as `is_alive` has it; none: it has ended.
#[cfg(target_os = "linux")]
pub fn start(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    start_of(&stat).map(str::to_owned)
}

/// The name may have spaces and parentheses, so fields are counted from its end.
#[cfg(target_os = "linux")]
fn start_of(stat: &str) -> Option<&str> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(19)
}

/// Identifies the system's boot; empty: it doesn't tell.
#[cfg(target_os = "linux")]
pub fn boot_id() -> &'static str {
    static BOOT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    BOOT.get_or_init(|| {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        id.map(|id| id.trim().to_owned()).unwrap_or_default()
    })
}

/// Since the system's start, with the time that it slept.
#[cfg(target_os = "linux")]
pub fn boottime_seconds() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    u64::try_from(now.tv_sec).unwrap_or(u64::MAX)
}

/// Not known here yet, so every way in has ended: one has no expiry, and would outlive the program that it was minted
/// for. On macOS the start is `pbi_start_tvsec` and `pbi_start_tvusec` of `proc_pidinfo`, on Windows the creation time of
/// `GetProcessTimes`.
#[cfg(not(target_os = "linux"))]
pub fn is_alive(_pid: u32, _started: &str) -> bool {
    false
}

/// See `is_alive`.
#[cfg(not(target_os = "linux"))]
pub fn start(_pid: u32) -> Option<String> {
    None
}

/// See `is_alive`.
#[cfg(not(target_os = "linux"))]
pub fn boot_id() -> &'static str {
    ""
}

/// See `is_alive`.
#[cfg(not(target_os = "linux"))]
pub fn boottime_seconds() -> u64 {
    u64::MAX
}

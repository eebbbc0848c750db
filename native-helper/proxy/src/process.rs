//! Whether the process that a way in was minted for still lives.

/// `started`: as `/proc/PID/stat` has it, in ticks since the system's start (field 22).
#[cfg(target_os = "linux")]
pub fn is_alive(pid: u32, started: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .ok()
        .and_then(|stat| start_of(&stat).map(|found| found == started))
        .unwrap_or(false)
}

/// The name may have spaces and parentheses, so fields are counted from its end.
#[cfg(target_os = "linux")]
fn start_of(stat: &str) -> Option<&str> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(19)
}

#[cfg(not(target_os = "linux"))]
pub fn is_alive(_pid: u32, _started: &str) -> bool {
    true
}

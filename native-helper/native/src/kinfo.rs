//! Parses the result of macOS's `sysctl(KERN_PROC_PID)` for a process: `struct kinfo_proc` of bsd/sys/sysctl.h, which the
//! kernel fills as `user64_kinfo_proc` (fill_user64_proc of bsd/kern/kern_sysctl.c), the same for arm64 and x86_64.
//! It works for other users' processes, too: the root of each terminal is root's `login`, of each SSH session root's
//! `sshd`.

use std::io::{Error, ErrorKind, Result};

pub const KINFO_BYTES: usize = 648;
const NO_DEVICE: i32 = -1;

#[derive(Debug, PartialEq, Eq)]
pub struct Kinfo {
    pub parent_pid: i32,
    pub start_time: String,
    pub name: String,
    pub has_terminal: bool,
}

/// An empty result means that there is no such process. A result of another size is an error.
pub fn parse_kinfo(bytes: &[u8]) -> Result<Option<Kinfo>> {
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() != KINFO_BYTES {
        return Err(unexpected());
    }
    let seconds = i64::from_ne_bytes(at(bytes, 0)?);
    let microseconds = i32::from_ne_bytes(at(bytes, 8)?);
    let name: [u8; 17] = at(bytes, 243)?;
    let name: Vec<u8> = name.into_iter().take_while(|&byte| byte != 0).collect();
    Ok(Some(Kinfo {
        parent_pid: i32::from_ne_bytes(at(bytes, 560)?),
        start_time: format!("{seconds}.{microseconds:06}"),
        name: String::from_utf8_lossy(&name).into_owned(),
        has_terminal: i32::from_ne_bytes(at(bytes, 572)?) != NO_DEVICE,
    }))
}

fn at<const COUNT: usize>(bytes: &[u8], from: usize) -> Result<[u8; COUNT]> {
    bytes.get(from..from + COUNT).and_then(|part| part.try_into().ok()).ok_or_else(unexpected)
}

fn unexpected() -> Error {
    Error::new(ErrorKind::InvalidData, "an unexpected kinfo_proc")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(bytes: &mut [u8], from: usize, part: &[u8]) {
        bytes[from..from + part.len()].copy_from_slice(part);
    }

    fn login() -> Vec<u8> {
        let mut bytes = vec![0; KINFO_BYTES];
        put(&mut bytes, 0, &1_795_000_000_i64.to_ne_bytes());
        put(&mut bytes, 8, &1_234_i32.to_ne_bytes());
        put(&mut bytes, 243, b"login\0rest");
        put(&mut bytes, 560, &501_i32.to_ne_bytes());
        put(&mut bytes, 572, &0x1000_0003_i32.to_ne_bytes());
        bytes
    }

    #[test]
    fn a_process_of_root_is_read() {
        let expected = Kinfo {
            parent_pid: 501,
            start_time: "1795000000.001234".to_owned(),
            name: "login".to_owned(),
            has_terminal: true,
        };
        assert_eq!(parse_kinfo(&login()).unwrap(), Some(expected));
    }

    #[test]
    fn one_without_a_terminal_has_no_device() {
        let mut bytes = login();
        put(&mut bytes, 572, &(-1_i32).to_ne_bytes());
        put(&mut bytes, 243, b"a-name-of-16-byt\0");
        let info = parse_kinfo(&bytes).unwrap().unwrap();
        assert!(!info.has_terminal);
        assert_eq!(info.name, "a-name-of-16-byt");
    }

    #[test]
    fn nothing_is_no_process_and_another_size_an_error() {
        assert_eq!(parse_kinfo(&[]).unwrap(), None);
        assert!(parse_kinfo(&login()[..647]).is_err());
    }
}

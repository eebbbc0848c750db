//! Keeps /proc/PID/stat of the last processes open. Each call from a terminal reads its shell's file, and reading the
//! open file takes half the time of opening it again. An open file is always of the same process: once that has ended,
//! reading fails, even if another process has its pid.
use super::Stat;
use rustix::fs::{Mode, OFlags};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, PoisonError};

/// Each call adds two, the helper and its client. The rest are shells of open terminals.
const AT_MOST: usize = 24;

/// The last entry was read last.
static FILES: Mutex<Vec<(i32, OwnedFd)>> = Mutex::new(Vec::new());

pub fn stat(pid: i32) -> io::Result<Stat> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = files.iter().rposition(|(known, _)| *known == pid) {
        let (_, file) = files.remove(place);
        if let Ok(stat) = Stat::read(&file) {
            files.push((pid, file));
            return Ok(stat);
        }
    }
    let path = format!("/proc/{pid}/stat");
    let file = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let stat = Stat::read(&file)?;
    if files.len() == AT_MOST {
        files.remove(0);
    }
    files.push((pid, file));
    Ok(stat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Child, Command, Stdio};

    /// A shell that becomes another program when it reads a line.
    fn changing() -> Child {
        Command::new("/bin/sh").args(["-c", "read line; exec cat"]).stdin(Stdio::piped()).spawn().unwrap()
    }

    fn pid_of(child: &Child) -> i32 {
        i32::try_from(child.id()).unwrap()
    }

    #[test]
    fn a_process_that_was_looked_at_before_is_shown_as_it_is_now() {
        let mut child = changing();
        let pid = pid_of(&child);
        let before = stat(pid).unwrap();
        child.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        while stat(pid).unwrap().name == before.name {
            std::thread::yield_now();
        }
        let now = stat(pid).unwrap();
        assert_eq!((now.name.as_str(), now.start_time), ("cat", before.start_time));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(stat(pid).is_err_and(|error| super::super::is_gone(&error)));
    }

    #[test]
    fn no_more_files_are_open_than_are_wanted() {
        let mut children: Vec<Child> = (0..=AT_MOST).map(|_| changing()).collect();
        for child in &children {
            stat(pid_of(child)).unwrap();
        }
        assert!(FILES.lock().unwrap().len() <= AT_MOST);
        for child in &mut children {
            assert_eq!(stat(pid_of(child)).unwrap().parent_pid, i32::try_from(std::process::id()).unwrap());
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

//! A pseudo-terminal: presses keys, and reads the screen.

use super::LIFE;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};

pub struct Terminal {
    pub master: File,
    pub name: PathBuf,
    pub shown: String,
    /// The beginning of a character whose end wasn’t read yet.
    cut: Vec<u8>,
}

impl Terminal {
    pub fn open() -> Self {
        let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = PathBuf::from(ptsname(&master, Vec::new()).unwrap().into_string().unwrap());
        Terminal { master: File::from(master), name, shown: String::new(), cut: Vec::new() }
    }

    pub fn side(&self) -> File {
        OpenOptions::new().read(true).write(true).open(&self.name).unwrap()
    }

    /// Starts the command with this as its controlling terminal, and as stdin, stdout and stderr.
    pub fn start(&self, command: &mut Command) -> Child {
        let side = self.side();
        let control = side.as_raw_fd();
        command
            .stdin(side.try_clone().unwrap())
            .stdout(side.try_clone().unwrap())
            .stderr(side.try_clone().unwrap());
        // SAFETY: two system calls between fork and exec, on a descriptor that is open there.
        unsafe {
            command.pre_exec(move || {
                rustix::process::setsid()?;
                match libc::ioctl(control, libc::TIOCSCTTY, 0) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        command.spawn().unwrap()
    }

    pub fn echoes(&self) -> bool {
        let modes = tcgetattr(&self.master).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON)
    }

    pub fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads until the screen shows this once more than before.
    pub fn wait_for(&mut self, text: &str) {
        self.wait_from(self.shown.len(), text);
    }

    /// Reads until the screen shows this, unless it does already.
    pub fn wait_to_show(&mut self, text: &str) {
        self.wait_from(0, text);
    }

    pub fn wait_from(&mut self, from: usize, text: &str) {
        while !self.shown[from..].contains(text) {
            let limit = Timespec::try_from(LIFE).ok();
            let mut ready = [PollFd::new(&self.master, PollFlags::IN)];
            let count = poll(&mut ready, limit.as_ref()).unwrap();
            assert_eq!(count, 1, "{text:?} doesn't come after {:?}", self.shown);
            self.read().unwrap();
        }
    }

    /// The complete screen, once no process has the terminal open.
    pub fn rest(mut self) -> String {
        while let Ok(1..) = self.read() {}
        assert!(self.cut.is_empty(), "half a character after {:?}", self.shown);
        self.shown
    }

    fn read(&mut self) -> std::io::Result<usize> {
        let mut bytes = [0; 1024];
        let count = self.master.read(&mut bytes)?;
        self.cut.extend_from_slice(&bytes[..count]);
        let whole = match std::str::from_utf8(&self.cut) {
            Ok(all) => all.len(),
            Err(error) => {
                assert!(error.error_len().is_none(), "no UTF-8 after {:?}", self.shown);
                error.valid_up_to()
            }
        };
        let rest = self.cut.split_off(whole);
        let text = std::mem::replace(&mut self.cut, rest);
        self.shown.push_str(std::str::from_utf8(&text).unwrap());
        Ok(count)
    }
}

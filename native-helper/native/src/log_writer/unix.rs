use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, Stat, fstat, lstat, open, rename};
use rustix::io::{Errno, dup2, write};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd, OwnedFd};

/// If a new file can't be opened, the old one grows by this much before the next try.
const AGAIN_BYTES: u64 = 64 * 1024;

/// A descriptor that belongs to the process, and the file that it may be.
pub struct Output {
    descriptor: ManuallyDrop<OwnedFd>,
    file: Option<Small>,
}

struct Small {
    path: String,
    earlier: String,
    bytes: u64,
    limit: u64,
    begin_at: u64,
}

impl Output {
    pub fn new(descriptor: i32) -> Self {
        // SAFETY: it is never closed here. Where the number is no descriptor, writing fails.
        let descriptor = unsafe { ManuallyDrop::new(OwnedFd::from_raw_fd(descriptor)) };
        Output { descriptor, file: None }
    }

    pub fn keep_small(&mut self, path: String, earlier: String, limit: u64) {
        let is_that_file = fstat(&*self.descriptor).is_ok_and(|ours| is_at(&ours, &path));
        let bytes = size(&self.descriptor);
        self.file = is_that_file.then_some(Small { path, earlier, bytes, limit, begin_at: limit });
    }

    /// Waits as long as no one reads.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Errno> {
        self.begin_anew_where_full();
        while !bytes.is_empty() {
            match write(&*self.descriptor, bytes) {
                Ok(0) => return Err(Errno::IO),
                Ok(count) => {
                    bytes = bytes.get(count..).unwrap_or_default();
                    if let Some(file) = &mut self.file {
                        file.bytes += count as u64;
                    }
                }
                Err(Errno::INTR) => {}
                // Another process that shares the descriptor may have set it to non-blocking.
                Err(Errno::AGAIN) => self.wait_for_room()?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn wait_for_room(&self) -> Result<(), Errno> {
        match poll(&mut [PollFd::new(&*self.descriptor, PollFlags::OUT)], None) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn begin_anew_where_full(&mut self) {
        let Some(file) = &mut self.file else { return };
        if file.bytes < file.begin_at {
            return;
        }
        if begin_anew(file, &mut self.descriptor).is_ok() {
            (file.begin_at, file.bytes) = (file.limit, size(&self.descriptor));
        } else {
            file.begin_at = file.bytes + AGAIN_BYTES;
        }
    }
}

fn size(descriptor: &OwnedFd) -> u64 {
    fstat(descriptor).map_or(0, |facts| u64::try_from(facts.st_size).unwrap_or(0))
}

/// Keeps the descriptor's number, so that the runtime's last words go to the new file, too. Does the same to stdout if
/// it is the same file.
fn begin_anew(file: &Small, descriptor: &mut OwnedFd) -> Result<(), Errno> {
    let before = fstat(&*descriptor)?;
    // Leaves the path alone if the log was removed from it meanwhile.
    if is_at(&before, &file.path) {
        rename(file.path.as_str(), file.earlier.as_str())?;
    }
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let next = open(file.path.as_str(), flags, Mode::RUSR | Mode::WUSR)?;
    // SAFETY: as above; it is never closed here.
    let mut stdout = unsafe { ManuallyDrop::new(OwnedFd::from_raw_fd(1)) };
    if fstat(&*stdout).is_ok_and(|out| is_same(&out, &before)) {
        dup2(&next, &mut stdout)?;
    }
    dup2(&next, descriptor)
}

fn is_at(facts: &Stat, path: &str) -> bool {
    lstat(path).is_ok_and(|there| is_same(&there, facts))
}

fn is_same(a: &Stat, b: &Stat) -> bool {
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
}

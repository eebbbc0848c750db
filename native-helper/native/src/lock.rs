use crate::failed;
use napi_derive::napi;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::Errno;
use std::os::fd::OwnedFd;

/// A lock until it is released, or the process ends, however it ends (rule: one-broker).
#[napi]
pub struct Lock {
    held: Option<OwnedFd>,
}

#[napi]
impl Lock {
    /// Releases the lock. Keeps the file, so that all locks are on the same file.
    #[napi]
    pub fn release(&mut self) {
        self.held = None;
    }
}

/// Null if another process has the lock. Throws if the file can't be opened.
#[napi]
pub fn acquire_lock(path: String) -> napi::Result<Option<Lock>> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file =
        open(path.as_str(), flags, Mode::RUSR | Mode::WUSR).map_err(|error| failed("lock", &error.into()))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(Lock { held: Some(file) })),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(failed("lock", &error.into())),
    }
}

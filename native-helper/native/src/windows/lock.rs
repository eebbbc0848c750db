use crate::failed;
use lanyard_windows::{is_held, until_free};
use napi_derive::napi;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::windows::fs::OpenOptionsExt;
use windows_sys::Win32::Storage::FileSystem::{FILE_SHARE_READ, FILE_SHARE_WRITE};

/// A lock until it is released, or the process ends, however it ends (rule: one-broker).
#[napi]
pub struct Lock {
    held: Option<File>,
}

#[napi]
impl Lock {
    /// Releases the lock. Keeps the file, so that all locks are on the same file.
    #[napi]
    pub fn release(&mut self) {
        self.held = None;
    }
}

/// Null if another process has the lock. Throws if the file can't be opened. Whoever has the lock shares the file, so
/// that a scanner which looks at it isn't taken for a broker; but nobody may remove it. Waits for a program that doesn't
/// share it, a second at most, and takes it for an older broker then: that one shared nothing.
#[napi]
pub fn acquire_lock(path: String) -> napi::Result<Option<Lock>> {
    let shared = FILE_SHARE_READ | FILE_SHARE_WRITE;
    let opened = until_free(|| {
        OpenOptions::new().write(true).create(true).truncate(false).share_mode(shared).open(&path)
    });
    let file = match opened {
        Err(error) if is_held(&error) => return Ok(None),
        opened => opened.map_err(|error| failed("lock", &error))?,
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock { held: Some(file) })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed("lock", &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;
    use std::thread;
    use std::time::Duration;
    use windows_sys::Win32::Storage::FileSystem::FILE_SHARE_DELETE;

    fn place(name: &str) -> (PathBuf, String) {
        let path = std::env::temp_dir().join(format!("lanyard-lock-{}-{name}", std::process::id()));
        let name = path.to_string_lossy().into_owned();
        (path, name)
    }

    #[test]
    fn one_at_a_time_has_the_lock_and_its_file_stays_meanwhile() {
        let (path, name) = place("one");
        let mut held = acquire_lock(name.clone()).unwrap().unwrap();
        assert!(acquire_lock(name.clone()).unwrap().is_none());
        held.release();
        let mut again = acquire_lock(name).unwrap().unwrap();
        assert!(fs::remove_file(&path).is_err());
        again.release();
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn one_who_only_looks_at_the_file_has_no_lock() {
        let (path, name) = place("seen");
        fs::write(&path, "").unwrap();
        let shares = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
        let seen = OpenOptions::new().read(true).share_mode(shares).open(&path).unwrap();
        let held = acquire_lock(name.clone()).unwrap();
        assert!(held.is_some());
        assert!(acquire_lock(name).unwrap().is_none());
        drop((held, seen));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_that_is_held_for_an_instant_is_locked_once_it_is_free() {
        let (path, name) = place("held");
        let held = OpenOptions::new().write(true).create(true).truncate(false).share_mode(0).open(&path);
        let held = held.unwrap();
        let lock = thread::spawn(move || acquire_lock(name).map(|lock| lock.is_some()));
        // Long enough for a first try. A later one passes in any case.
        thread::sleep(Duration::from_millis(100));
        drop(held);
        assert!(lock.join().unwrap().unwrap());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_that_stays_held_belongs_to_an_older_broker() {
        let (path, name) = place("older");
        let held = OpenOptions::new().write(true).create(true).truncate(false).share_mode(0).open(&path);
        assert!(acquire_lock(name).unwrap().is_none());
        drop(held);
        fs::remove_file(&path).unwrap();
    }
}

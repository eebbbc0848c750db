use crate::failed;
use napi_derive::napi;
use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;
use windows_sys::Win32::Foundation::ERROR_SHARING_VIOLATION;

/// A file that only this process has open.
#[napi]
pub struct Lock {
    held: Option<File>,
}

#[napi]
impl Lock {
    #[napi]
    pub fn release(&mut self) {
        self.held = None;
    }
}

/// Null if another process has the lock. Throws if the file can't be opened.
#[napi]
pub fn acquire_lock(path: String) -> napi::Result<Option<Lock>> {
    match OpenOptions::new().write(true).create(true).truncate(false).share_mode(0).open(path) {
        Ok(file) => Ok(Some(Lock { held: Some(file) })),
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION.cast_signed()) => Ok(None),
        Err(error) => Err(failed("lock", &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_the_lock_and_its_file_stays_meanwhile() {
        let path = std::env::temp_dir().join(format!("lanyard-lock-{}", std::process::id()));
        let name = path.to_string_lossy().into_owned();
        let mut held = acquire_lock(name.clone()).unwrap().unwrap();
        assert!(acquire_lock(name.clone()).unwrap().is_none());
        held.release();
        let mut again = acquire_lock(name).unwrap().unwrap();
        assert!(std::fs::remove_file(&path).is_err());
        again.release();
        std::fs::remove_file(&path).unwrap();
    }
}

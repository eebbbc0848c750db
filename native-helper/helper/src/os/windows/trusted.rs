use crate::failure::{Failure, exit};
use crate::os::FileOwner;
use crate::reach::EXEC_INFO;
use lanyard_windows::{is_file_written_by_others, is_open_to_others, is_written_by_others, until_free};
use std::env;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Seek};
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_SHARE_DELETE, FILE_SHARE_READ,
};

const TRUSTED_FILE_BYTES: u64 = 64 * 1024;

/// Whether the home is there. Fails for one that another user can read or write: the broker closes it at its start.
pub fn check_home(home: &Path) -> Result<bool, Failure> {
    let refused = |what: &str| Failure::new(exit::NOT_PERMITTED, format!("{} {what}", home.display()));
    // A kubeconfig may have named it, and to look at a share is to log in there.
    if env::var_os(EXEC_INFO).is_some() && home.to_string_lossy().starts_with(r"\\") {
        return Err(refused("is on another computer"));
    }
    match fs::symlink_metadata(home) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(refused(&format!("can't be looked at: {error}"))),
        Ok(facts) if !facts.is_dir() => return Err(refused("is not a folder")),
        Ok(_) => {}
    }
    match is_open_to_others(home) {
        Ok(false) => Ok(true),
        Ok(true) => {
            Err(refused("is open to other users").hint("start the agent, which closes it: lanyard agent"))
        }
        Err(error) => Err(refused(&format!("can't be looked at: {error}"))),
    }
}

pub fn is_written_by_me_alone(folder: &Path) -> bool {
    is_written_by_others(folder).is_ok_and(|written| !written)
}

/// None if the file doesn't exist. Fails for one that another user could have written. An administrator's counts as this
/// user's, whoever is asked for: what an elevated program makes belongs to the administrators. Waits a moment for a
/// program that has the file open for itself.
pub fn read_trusted(path: &Path, _owner: FileOwner) -> Result<Option<Vec<u8>>, Failure> {
    let refused = |what: &str| Failure::new(exit::NOT_PERMITTED, format!("{} {what}", path.display()));
    let opened = until_free(|| {
        OpenOptions::new()
            .read(true)
            .share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE)
            .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
            .open(path)
    });
    let mut file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(&format!("can't be read: {error}"))),
    };
    if !file.metadata().is_ok_and(|facts| facts.is_file()) {
        return Err(refused("is not a file of your own"));
    }
    match is_file_written_by_others(&file) {
        Ok(false) => {}
        Ok(true) => return Err(refused("can be written by other users")),
        Err(error) => return Err(refused(&format!("can't be looked at: {error}"))),
    }
    until_free(|| {
        let mut bytes = Vec::new();
        file.rewind()?;
        (&file).take(TRUSTED_FILE_BYTES).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    })
    .map_err(|error| refused(&format!("can't be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_file_that_another_program_has_for_itself_for_an_instant_is_read() {
        let path = env::temp_dir().join(format!("lanyard-trusted-{}", std::process::id()));
        fs::write(&path, "x").unwrap();
        let held = OpenOptions::new().read(true).share_mode(0).open(&path).unwrap();
        let read = thread::scope(|scope| {
            let reader = scope.spawn(|| read_trusted(&path, FileOwner::Me));
            // Long enough for a first try. A later one passes in any case.
            thread::sleep(Duration::from_millis(100));
            drop(held);
            reader.join().unwrap()
        });
        assert_eq!(read.unwrap(), Some(b"x".to_vec()));
        fs::remove_file(&path).unwrap();
    }
}

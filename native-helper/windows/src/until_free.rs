use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION};

const LIMIT: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(10);

/// Opens or reads a file by `step`. Windows refuses while another program has it open without sharing that, such as a
/// scanner that looks at what has just been written: mostly that is over in an instant. So it is tried again, for a
/// second at most. Blocks meanwhile.
pub fn until_free<T>(mut step: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let began = Instant::now();
    loop {
        match step() {
            Err(error) if is_held(&error) && began.elapsed() < LIMIT => sleep(PAUSE),
            done => return done,
        }
    }
}

/// Whether the system refused because another program has the file open.
pub fn is_held(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(i32::cast_unsigned);
    matches!(code, Some(ERROR_SHARING_VIOLATION | ERROR_LOCK_VIOLATION))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File, OpenOptions};
    use std::io::ErrorKind;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::PathBuf;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("lanyard-held-{}-{name}", std::process::id()));
        fs::write(&path, "x").unwrap();
        path
    }

    #[test]
    fn a_file_that_is_held_is_opened_once_it_is_free() {
        let path = file("open");
        let mut held = Some(OpenOptions::new().read(true).share_mode(0).open(&path).unwrap());
        let mut tries = 0;
        let opened = until_free(|| {
            tries += 1;
            if tries == 3 {
                held = None;
            }
            File::open(&path)
        });
        assert!(opened.is_ok());
        assert_eq!(tries, 3);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn both_refusals_of_a_held_file_are_tried_again() {
        for code in [ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION] {
            let mut refused = 2;
            let done = until_free(|| match refused {
                0 => Ok(()),
                _ => {
                    refused -= 1;
                    Err(io::Error::from_raw_os_error(code.cast_signed()))
                }
            });
            assert!(done.is_ok(), "{code}");
        }
    }

    #[test]
    fn another_error_comes_at_once_and_one_that_stays_comes_at_the_end() {
        let mut tries = 0;
        let missing = until_free(|| {
            tries += 1;
            File::open("none")
        });
        assert_eq!((missing.unwrap_err().kind(), tries), (ErrorKind::NotFound, 1));
        let path = file("stays");
        let _held = OpenOptions::new().read(true).share_mode(0).open(&path).unwrap();
        assert!(is_held(&until_free(|| File::open(&path)).unwrap_err()));
    }
}

use crate::sid::my_token;
use crate::system::check;
use std::ffi::{OsString, c_void};
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::io::AsRawHandle;
use std::ptr::null_mut;
use windows_sys::Win32::System::Environment::{CreateEnvironmentBlock, DestroyEnvironmentBlock};

/// The variables that the system gives this user at a login, from the registry, whatever this process has.
pub fn user_environment() -> io::Result<Vec<(OsString, OsString)>> {
    let token = my_token()?;
    let mut block: *mut c_void = null_mut();
    // SAFETY: the token is open, and the place lives through the call.
    check(unsafe { CreateEnvironmentBlock(&mut block, token.as_raw_handle(), 0) })?;
    let mut variables = Vec::new();
    // SAFETY: the block is entries that end with a zero, and ends with an empty one; it is freed once, after its last
    // use.
    unsafe {
        let mut entry = block.cast::<u16>().cast_const();
        loop {
            let length = (0..).take_while(|&index| *entry.add(index) != 0).count();
            if length == 0 {
                break;
            }
            variables.extend(split(std::slice::from_raw_parts(entry, length)));
            entry = entry.add(length + 1);
        }
        DestroyEnvironmentBlock(block);
    }
    Ok(variables)
}

/// A name may begin with `=`: the current folders of drives do.
fn split(entry: &[u16]) -> Option<(OsString, OsString)> {
    let at = 1 + entry.iter().skip(1).position(|&unit| unit == u16::from(b'='))?;
    let (name, value) = (entry.get(..at)?, entry.get(at + 1..)?);
    Some((OsString::from_wide(name), OsString::from_wide(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_has_a_system_root_and_nothing_of_this_process() {
        // SAFETY: no other thread of this test reads the environment.
        unsafe { std::env::set_var("LANYARD_TEST_OF_ENVIRONMENT", "1") };
        let names: Vec<String> = user_environment()
            .unwrap()
            .into_iter()
            .map(|(name, _)| name.to_string_lossy().to_uppercase())
            .collect();
        assert!(names.contains(&"SYSTEMROOT".to_owned()), "{names:?}");
        assert!(!names.contains(&"LANYARD_TEST_OF_ENVIRONMENT".to_owned()));
    }
}

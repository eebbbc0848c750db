use crate::system::{check, owned};
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use windows_sys::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows_sys::Win32::Foundation::{
    ERROR_INVALID_PARAMETER, FILETIME, HANDLE, RtlNtStatusToDosError, STILL_ACTIVE,
};
use windows_sys::Win32::System::Threading::{
    GetExitCodeProcess, GetProcessTimes, OpenProcess, PROCESS_BASIC_INFORMATION,
    PROCESS_QUERY_LIMITED_INFORMATION,
};

/// To ask about it. Also given for an elevated process of this user. One that has ended can be opened as long as anybody
/// has a handle of it: here the error is the same as later.
pub fn open_process(pid: u32) -> io::Result<OwnedHandle> {
    // SAFETY: plain numbers; the handle is given to this caller alone.
    let process = unsafe { owned(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid)) }?;
    if has_ended(process.as_raw_handle())? {
        return Err(io::Error::from_raw_os_error(ERROR_INVALID_PARAMETER.cast_signed()));
    }
    Ok(process)
}

/// By its exit code, since such a handle may not be waited for. A process that ends with the very code of one that runs
/// passes for running as long as anybody has a handle of it.
fn has_ended(process: HANDLE) -> io::Result<bool> {
    let mut code = 0;
    // SAFETY: the handle is open, and the place lives through the call.
    check(unsafe { GetExitCodeProcess(process, &mut code) })?;
    Ok(code != STILL_ACTIVE.cast_unsigned())
}

/// When the process started, in units of 100 ns since 1601.
pub fn started(process: HANDLE) -> io::Result<u64> {
    let none = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let (mut start, mut end, mut kernel, mut user) = (none, none, none, none);
    // SAFETY: the handle is open, and all places live through the call.
    check(unsafe { GetProcessTimes(process, &mut start, &mut end, &mut kernel, &mut user) })?;
    Ok((u64::from(start.dwHighDateTime) << 32) | u64::from(start.dwLowDateTime))
}

/// The process that started it, if that still runs. Windows keeps only the pid, which may belong to another process by
/// now: that one would have started later than its child.
pub fn parent_of(process: HANDLE) -> io::Result<Option<u32>> {
    let pid = parent_pid(process)?;
    if pid == 0 {
        return Ok(None);
    }
    let Ok(parent) = open_process(pid) else { return Ok(None) };
    let is_older = started(parent.as_raw_handle())? <= started(process)?;
    Ok(is_older.then_some(pid))
}

fn parent_pid(process: HANDLE) -> io::Result<u32> {
    let mut facts = PROCESS_BASIC_INFORMATION::default();
    let size = size_of_val(&facts) as u32;
    let place = (&raw mut facts).cast();
    // SAFETY: the handle is open; the place is as large as said and lives through the call.
    let status = unsafe {
        NtQueryInformationProcess(process, ProcessBasicInformation, place, size, std::ptr::null_mut())
    };
    if status != 0 {
        // SAFETY: it takes a number.
        let code = unsafe { RtlNtStatusToDosError(status) };
        return Err(io::Error::from_raw_os_error(code.cast_signed()));
    }
    Ok(u32::try_from(facts.InheritedFromUniqueProcessId).unwrap_or(0))
}

#[cfg(test)]
#[allow(clippy::print_stderr)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio, id};

    /// Set for a process that only starts another one, whose number it tells.
    const STARTS: &str = "LANYARD_TEST_STARTS";

    fn waiting(stdin: Stdio) -> std::process::Child {
        Command::new("cmd.exe").args(["/c", "pause"]).stdin(stdin).stdout(Stdio::null()).spawn().unwrap()
    }

    #[test]
    fn a_child_has_this_process_as_its_parent() {
        let mut child = waiting(Stdio::piped());
        assert_eq!(parent_of(child.as_raw_handle()).unwrap(), Some(id()));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_parent_that_has_ended_is_none_also_while_somebody_has_its_handle() {
        if std::env::var_os(STARTS).is_some() {
            eprintln!("{}", waiting(Stdio::inherit()).id());
            return;
        }
        let own = std::env::current_exe().unwrap();
        let mut between = Command::new(own)
            .args([
                "--nocapture",
                "--exact",
                "processes::tests::a_parent_that_has_ended_is_none_also_while_somebody_has_its_handle",
            ])
            .env(STARTS, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pid = String::new();
        BufReader::new(between.stderr.take().unwrap()).read_line(&mut pid).unwrap();
        let child = open_process(pid.trim().parse().unwrap()).unwrap();
        let _ends_the_child = between.stdin.take();
        assert!(between.wait().unwrap().success());
        assert!(has_ended(between.as_raw_handle()).unwrap() && !has_ended(child.as_raw_handle()).unwrap());
        assert_eq!(parent_of(child.as_raw_handle()).unwrap(), None);
    }
}

use crate::system::{check, owned};
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::Threading::{
    GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
};

/// To ask about it. Also given for an elevated process of this user.
pub fn open_process(pid: u32) -> io::Result<OwnedHandle> {
    // SAFETY: plain numbers; the handle is given to this caller alone.
    unsafe { owned(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid)) }
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
pub fn parent_of(pid: u32) -> io::Result<Option<u32>> {
    let Some(parent) = parent_in_snapshot(pid)? else { return Ok(None) };
    let (Ok(child), Ok(process)) = (open_process(pid), open_process(parent)) else { return Ok(None) };
    let is_older = started(process.as_raw_handle())? <= started(child.as_raw_handle())?;
    Ok(is_older.then_some(parent))
}

fn parent_in_snapshot(pid: u32) -> io::Result<Option<u32>> {
    // SAFETY: plain numbers; the handle is given to this caller alone. The entry is as large as it says.
    unsafe {
        let snapshot = owned(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0))?;
        let mut entry: PROCESSENTRY32W = std::mem::zeroed();
        entry.dwSize = size_of::<PROCESSENTRY32W>() as u32;
        let mut more = Process32FirstW(snapshot.as_raw_handle(), &mut entry) != 0;
        while more {
            if entry.th32ProcessID == pid {
                return Ok(Some(entry.th32ParentProcessID).filter(|&parent| parent != 0));
            }
            more = Process32NextW(snapshot.as_raw_handle(), &mut entry) != 0;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_child_has_this_process_as_its_parent_and_one_that_ended_has_none() {
        let mut child = Command::new("cmd.exe").args(["/c", "pause"]).stdin(Stdio::piped()).spawn().unwrap();
        assert_eq!(parent_of(child.id()).unwrap(), Some(std::process::id()));
        child.kill().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        drop(child);
        assert_eq!(parent_of(pid).unwrap(), None);
    }
}

use super::checks::{check, words};
use super::environment::passed_on;
use super::job::Job;
use super::own_handles;
use crate::frames::{Outcome, RunOrder};
use lanyard_windows::owned;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::mem::size_of;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::spawn;
use windows_sys::Win32::Foundation::ERROR_BAD_EXE_FORMAT;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, OpenThread, ResumeThread, THREAD_SUSPEND_RESUME,
};
use zeroize::Zeroizing;

/// Starts the program: at the user's console with its standard input, or without a console and with the order's input.
/// It does nothing before it is in the job.
///
/// The standard library writes the command line. A batch file it runs with the cmd.exe of the system's folder, with
/// arguments quoted so that none can be taken for more than one (CVE-2024-24576). Its copies of the variables are not
/// wiped; the program's own are there as long as it runs.
pub fn start(order: &RunOrder, job: &Job) -> Result<Child, Outcome> {
    check(order)?;
    own_handles::keep_from_programs();
    let mut command = Command::new(&order.command);
    command.args(&order.args).env_clear().envs(passed_on(order));
    for variable in &order.env {
        command.env(&variable.name, variable.value.as_str());
    }
    if let Some(cwd) = &order.cwd {
        command.current_dir(cwd);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(match &order.input {
        Some(_) => Stdio::piped(),
        None if order.terminal => Stdio::inherit(),
        None => Stdio::null(),
    });
    let window = if order.terminal { 0 } else { CREATE_NO_WINDOW };
    let mut child =
        command.creation_flags(CREATE_SUSPENDED | window).spawn().map_err(|error| why_not(order, &error))?;
    if let Err(error) = job.take(&child).and_then(|()| resume(child.id())) {
        let _ = child.kill();
        return Err(Outcome::not_started(&words(&error)));
    }
    if let Some(input) = &order.input {
        feed(input.clone(), child.stdin.take());
    }
    Ok(child)
}

/// Writes beside the run: a program may answer, or hang, before it has read all. It may also end without reading.
fn feed(input: Zeroizing<String>, line: Option<ChildStdin>) {
    spawn(move || line.map(|mut line| line.write_all(input.as_bytes())));
}

fn why_not(order: &RunOrder, error: &io::Error) -> Outcome {
    let is_missing = || {
        fs::metadata(&order.command)
            .is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
    };
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory if is_missing() => Outcome::NotFound,
        // The system's message has a place for the name, which it leaves open.
        _ if error.raw_os_error() == i32::try_from(ERROR_BAD_EXE_FORMAT).ok() => {
            Outcome::not_started("it is no program of this system")
        }
        _ => Outcome::not_started(&words(error)),
    }
}

/// Lets a program go that was started suspended. The standard library keeps its thread to itself.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: plain numbers; the handle is given to this caller alone.
    let all = unsafe { owned(CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0)) }?;
    let size = u32::try_from(size_of::<THREADENTRY32>()).unwrap_or(0);
    let mut entry = THREADENTRY32 { dwSize: size, ..Default::default() };
    let mut is_resumed = false;
    // SAFETY: the handle is open, and the place says its size and lives through the calls.
    let mut is_there = unsafe { Thread32First(all.as_raw_handle(), &mut entry) } != 0;
    while is_there {
        if entry.th32OwnerProcessID == process {
            resume_thread(entry.th32ThreadID)?;
            is_resumed = true;
        }
        // SAFETY: as above.
        is_there = unsafe { Thread32Next(all.as_raw_handle(), &mut entry) } != 0;
    }
    if is_resumed { Ok(()) } else { Err(ErrorKind::NotFound.into()) }
}

fn resume_thread(id: u32) -> io::Result<()> {
    // SAFETY: plain numbers; the handle is given to this caller alone.
    let thread = unsafe { owned(OpenThread(THREAD_SUSPEND_RESUME, 0, id)) }?;
    // SAFETY: the handle is open.
    match unsafe { ResumeThread(thread.as_raw_handle()) } {
        u32::MAX => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

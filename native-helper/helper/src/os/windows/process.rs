use super::run::keep_from_programs;
use crate::home::HOME_VARIABLE;
use crate::os::Desktop;
use crate::reach::EXEC_INFO;
use lanyard_windows::{check, user_environment};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use windows_sys::Win32::Foundation::ERROR_ACCESS_DENIED;
use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::Win32::System::Threading::{
    CREATE_BREAKAWAY_FROM_JOB, CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW,
};

type Variables = Vec<(OsString, OsString)>;

/// The variables that a broker gets, in any case. Others could control it, above all variables of the runtime.
const KEPT: &[&str] = &[
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "CommonProgramFiles(x86)",
    "COMMONPROGRAMW6432",
    "COMPUTERNAME",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LOCALAPPDATA",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "ProgramFiles(x86)",
    "PROGRAMW6432",
    "PUBLIC",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERDOMAIN",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

fn is_kept(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(name)))
}

fn kept(variables: Variables) -> Variables {
    variables.into_iter().filter(|(name, _)| is_kept(name)).collect()
}

/// The environment for a broker, read once.
pub struct BrokerEnvironment(Variables);

impl BrokerEnvironment {
    /// With exec info, a kubeconfig's `env` may have set any variable of this process. Then the broker gets what the
    /// system gives this user at a login.
    pub fn of(_home: &Path) -> io::Result<Self> {
        Ok(Self(kept(match env::var_os(EXEC_INFO) {
            None => env::vars_os().collect(),
            Some(_) => user_environment()?,
        })))
    }

    /// A user's session on Windows has one.
    pub fn desktop(&self) -> Option<Desktop> {
        Some(Desktop::Here)
    }

    /// Starts the broker by `command`, without a window. It outlives this process and the process that started this one
    /// (rule: cleared-environment).
    pub fn start(&self, command: &[String], home: &Path, log: &Path) -> io::Result<Child> {
        let output = OpenOptions::new().append(true).create(true).open(log)?;
        let (program, args) = command.split_first().ok_or(ErrorKind::InvalidInput)?;
        // Else it would keep the client's pipes open, and the client would wait for their end.
        keep_from_programs();
        let mut prepared = Command::new(program);
        prepared.args(args).env_clear().envs(self.0.iter().cloned()).current_dir(home);
        prepared.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        // A job, such as a terminal's, would end the broker with itself. Not each job lets a process out of it.
        let flags = CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP;
        match prepared.creation_flags(flags | CREATE_BREAKAWAY_FROM_JOB).spawn() {
            Err(error) if error.raw_os_error() == Some(ERROR_ACCESS_DENIED.cast_signed()) => {
                prepared.creation_flags(flags).spawn()
            }
            spawned => spawned,
        }
    }
}

/// Windows has no exec: waits for the command, and exits with its code. Returns only an error. Passes on the variables in
/// `more`, and LANYARD_HOME, because the user asked for this broker by name.
pub fn become_process(command: &[String], more: &[&str]) -> io::Error {
    let Some((program, args)) = command.split_first() else { return ErrorKind::InvalidInput.into() };
    let named = more.iter().chain([&HOME_VARIABLE]);
    let named = named.filter_map(|name| env::var_os(name).map(|value| (OsString::from(name), value)));
    let variables = kept(env::vars_os().collect()).into_iter().chain(named);
    // Ctrl-C goes to both: the command ends as it likes, and this process then.
    // SAFETY: the handler is there as long as the process.
    if let Err(error) = check(unsafe { SetConsoleCtrlHandler(Some(leave_to_command), 1) }) {
        return error;
    }
    match Command::new(program).args(args).env_clear().envs(variables).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

unsafe extern "system" fn leave_to_command(_event: u32) -> i32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_broker_does_not_pass_however_it_is_written() {
        for name in [
            "NODE_OPTIONS",
            "node_options",
            "ELECTRON_RUN_AS_NODE",
            "LANYARD_HOME",
            "KUBECONFIG",
            "Psmodulepath",
        ] {
            assert!(!is_kept(OsStr::new(name)), "{name}");
        }
        for name in ["Path", "PATH", "SystemRoot", "ProgramFiles(x86)", "https_proxy", "LOCALAPPDATA"] {
            assert!(is_kept(OsStr::new(name)), "{name}");
        }
    }
}

use super::system;
use crate::reach::EXEC_INFO;
use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, setrlimit, setsid, umask};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a broker gets of the environment. All else, loader and runtime variables above all, could steer it.
const KEPT: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "TZ",
    "PATH",
    "TMPDIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "SSH_AUTH_SOCK",
];
/// Whom a broker believes about its providers. Not from a kubeconfig, which chooses the environment beside exec info.
const KEPT_OF_PERSON: &[&str] = &["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];
const KEPT_PREFIXES: &[&str] = &["LC_", "XDG_"];
const KEPT_IN_BOTH_CASES: &[&str] = &["http_proxy", "https_proxy", "no_proxy", "all_proxy"];

fn is_kept(name: &OsStr, of_person: bool) -> bool {
    name.to_str().is_some_and(|name| {
        KEPT.contains(&name)
            || (of_person && KEPT_OF_PERSON.contains(&name))
            || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || KEPT_IN_BOTH_CASES.iter().any(|kept| name == *kept || name == kept.to_ascii_uppercase())
    })
}

fn kept() -> impl Iterator<Item = (OsString, OsString)> {
    let of_person = env::var_os(EXEC_INFO).is_none();
    env::vars_os().filter(move |(name, _)| is_kept(name, of_person))
}

fn prepare(command: &[String]) -> io::Result<Command> {
    let (program, args) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut prepared = Command::new(program);
    prepared.args(args).env_clear().envs(kept());
    Ok(prepared)
}

/// A broker's memory holds secrets, its files are nobody else's.
fn harden() -> io::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// Starts the command in a session of its own; it outlives this process and what started it.
pub fn start_detached(command: &[String], home: &Path, log: &Path) -> io::Result<()> {
    let output =
        OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW).open(log)?;
    let mut prepared = prepare(command)?;
    prepared.current_dir(home).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    // SAFETY: the child makes system calls only, which are safe between fork and exec; nothing is allocated.
    unsafe {
        prepared.pre_exec(|| {
            setsid()?;
            system::close_inherited_on_exec();
            harden()
        });
    }
    prepared.spawn().map(drop)
}

/// Replaces this process by the command; comes back only with an error. LANYARD_HOME goes along, because a person
/// asked for this broker by name.
pub fn become_process(command: &[String]) -> io::Error {
    let prepared = harden().and_then(|()| prepare(command));
    match prepared {
        Ok(mut prepared) => {
            let name = crate::home::HOME_VARIABLE;
            if let Some(home) = env::var_os(name) {
                prepared.env(name, home);
            }
            prepared.exec()
        }
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::is_kept;
    use std::ffi::OsStr;

    #[test]
    fn what_could_steer_a_broker_does_not_pass() {
        for name in [
            "LD_PRELOAD",
            "NODE_OPTIONS",
            "DYLD_INSERT_LIBRARIES",
            "KUBERNETES_EXEC_INFO",
            "LANYARD_HOME",
            "BASH_ENV",
            "home",
            "Http_Proxy",
        ] {
            assert!(!is_kept(OsStr::new(name), true), "{name}");
        }
        for name in ["HOME", "LC_ALL", "XDG_RUNTIME_DIR", "https_proxy", "HTTPS_PROXY", "SSL_CERT_FILE"] {
            assert!(is_kept(OsStr::new(name), true), "{name}");
        }
        for name in ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"] {
            assert!(!is_kept(OsStr::new(name), false), "{name}");
        }
    }
}

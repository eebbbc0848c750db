use super::{Desktop, system};
use crate::home::{HOME_VARIABLE, find_home};
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
use std::process::{Child, Command, Stdio};

type Variables = Vec<(OsString, OsString)>;

/// The variables that a broker gets. Others could control it, above all variables of the loader and the runtime.
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
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
];
const KEPT_PREFIXES: &[&str] = &["LC_", "XDG_"];
const KEPT_IN_BOTH_CASES: &[&str] = &["http_proxy", "https_proxy", "no_proxy", "all_proxy"];

/// The variables that are safe from any source: the home, which was checked already, the user, a language and a time
/// zone.
const KEPT_OF_ANYBODY: &[&str] = &["HOME", "XDG_DATA_HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ"];
const PLAIN_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

fn is_kept(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        KEPT.contains(&name)
            || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || KEPT_IN_BOTH_CASES.iter().any(|kept| name == *kept || name == kept.to_ascii_uppercase())
    })
}

fn kept_variables(variables: Variables) -> Variables {
    variables.into_iter().filter(|(name, _)| is_kept(name)).collect()
}

fn names(variables: &[(OsString, OsString)], wanted: &[&str]) -> bool {
    variables.iter().any(|(name, value)| wanted.iter().any(|each| name == each) && !value.is_empty())
}

fn leads_to(variables: &[(OsString, OsString)], home: &Path) -> bool {
    let value = |name: &str| variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    find_home(value).is_ok_and(|found| found.folder == home)
}

fn of_anybody() -> Variables {
    let runtime = format!("/run/user/{}", rustix::process::geteuid().as_raw());
    env::vars_os()
        .filter(|(name, value)| {
            KEPT_OF_ANYBODY.iter().any(|kept| name == kept)
                || (name == "XDG_RUNTIME_DIR" && value.to_str() == Some(&runtime))
        })
        .chain([("PATH".into(), PLAIN_PATH.into())])
        .collect()
}

fn prepare(command: &[String], variables: Variables) -> io::Result<Command> {
    let (program, args) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut prepared = Command::new(program);
    prepared.args(args).env_clear().envs(variables);
    Ok(prepared)
}

/// A broker's memory contains secrets: no core files. Its files are only for its user.
fn harden() -> io::Result<()> {
    umask(Mode::RWXG | Mode::RWXO);
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// The environment for a broker, read once.
pub struct BrokerEnvironment {
    variables: Variables,
    /// Whether the process that the variables are from was started over SSH.
    over_ssh: bool,
}

impl BrokerEnvironment {
    /// For the broker of `home`. With exec info, a kubeconfig's `env` may have set any variable of this process: a proxy
    /// that reads along, a PATH and folders that decide what opens a browser, a bus that poses as the keychain. The user
    /// started the client that ran the helper, so the client's environment is used instead, unless it leads to another
    /// home.
    pub fn of(home: &Path) -> io::Result<Self> {
        let own = if env::var_os(EXEC_INFO).is_none() {
            Some(env::vars_os().collect())
        } else {
            system::parent_environment().filter(|parents| leads_to(parents, home))
        };
        Ok(match own {
            Some(all) => Self { over_ssh: names(&all, &["SSH_CONNECTION"]), variables: kept_variables(all) },
            None => Self { over_ssh: false, variables: of_anybody() },
        })
    }

    /// The desktop that the app would open its windows on, if there is one.
    pub fn desktop(&self) -> Option<Desktop> {
        let is_root = cfg!(target_os = "linux") && rustix::process::geteuid().is_root();
        self.names_desktop().then_some(if is_root { Desktop::OfRoot } else { Desktop::Here })
    }

    /// Over SSH it would not be the user's desktop, and would end with the connection.
    fn names_desktop(&self) -> bool {
        let names_display = names(&self.variables, &["DISPLAY", "WAYLAND_DISPLAY"]);
        !self.over_ssh && (names_display || !cfg!(target_os = "linux"))
    }

    /// Starts the broker by `command`, in its own session. It outlives this process and the process that started this
    /// one (rule: cleared-environment).
    pub fn start(&self, command: &[String], home: &Path, log: &Path) -> io::Result<Child> {
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        let output = options.open(log)?;
        let mut prepared = prepare(command, self.variables.clone())?;
        prepared.current_dir(home).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        // SAFETY: the child makes system calls only, which are safe between fork and exec; nothing is allocated.
        unsafe {
            prepared.pre_exec(|| {
                setsid()?;
                system::close_inherited_on_exec();
                harden()
            });
        }
        prepared.spawn()
    }
}

/// Replaces this process with the command. Returns only an error. Passes on the variables in `more`, and LANYARD_HOME,
/// because the user asked for this broker by name.
pub fn become_process(command: &[String], more: &[&str]) -> io::Error {
    let prepared = harden().and_then(|()| prepare(command, kept_variables(env::vars_os().collect())));
    match prepared {
        Ok(mut prepared) => {
            for name in more.iter().chain([&HOME_VARIABLE]) {
                if let Some(value) = env::var_os(name) {
                    prepared.env(name, value);
                }
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
            "ELECTRON_RUN_AS_NODE",
            "ELECTRON_OVERRIDE_DIST_PATH",
            "ELECTRON_ENABLE_LOGGING",
            "GTK_MODULES",
            "CHROME_DEVEL_SANDBOX",
            "home",
            "Http_Proxy",
        ] {
            assert!(!is_kept(OsStr::new(name)), "{name}");
        }
        for name in ["HOME", "LC_ALL", "XDG_RUNTIME_DIR", "https_proxy", "HTTPS_PROXY", "SSL_CERT_FILE"] {
            assert!(is_kept(OsStr::new(name)), "{name}");
        }
        // The desktop app needs them for the screen, and for the session bus of its tray and notifications.
        for name in
            ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP"]
        {
            assert!(is_kept(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_desktop_is_where_a_display_is_named_and_nobody_comes_over_ssh() {
        use super::BrokerEnvironment;
        for (name, value, over_ssh, expected) in [
            ("DISPLAY", ":0", false, true),
            ("WAYLAND_DISPLAY", "wayland-0", false, true),
            ("DISPLAY", "", false, false),
            ("WAYLAND_DISPLAY", "", false, false),
            ("XDG_RUNTIME_DIR", "/run/user/1", false, false),
            ("DISPLAY", "localhost:10.0", true, false),
        ] {
            let variables = vec![(name.into(), value.into())];
            let environment = BrokerEnvironment { variables, over_ssh };
            assert_eq!(environment.names_desktop(), expected, "{name}={value} {over_ssh}");
        }
        assert!(!BrokerEnvironment { variables: Vec::new(), over_ssh: false }.names_desktop());
    }

    #[test]
    fn the_doctor_without_a_broker_gets_the_variables_that_it_looks_at() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let source = std::fs::read_to_string(root.join("main/doctor/user/user-environment.ts")).unwrap();
        let list =
            source.split_once("userVariables = [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
        let names: Vec<&str> =
            list.split('\'').filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase())).collect();
        assert!(names.contains(&"KUBECONFIG"));
        for name in names {
            let windows = name == "USERPROFILE";
            assert!(
                windows || is_kept(OsStr::new(name)) || crate::agent::OF_DOCTOR.contains(&name),
                "{name}"
            );
        }
    }
}

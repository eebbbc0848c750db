//! Finds the broker: checks the home, connects, checks who listens, and starts a broker if that is allowed.

use crate::failure::{Failure, exit};
use crate::home::{HOME_VARIABLE, Home, LOG, SOCKET, START, find_home};
use crate::os::{self, ConnectError, Connection, Desktop, FileOwner};
use crate::{Limits, agent, output, start_file};
use std::env;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub const EXEC_INFO: &str = "KUBERNETES_EXEC_INFO";
const NO_START: &str = "LANYARD_NO_START";
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A connection to this user's own broker, before anything is sent (rule: owner-only).
pub fn broker(limits: &Limits) -> Result<Connection, Failure> {
    let home = find_home(|name| env::var_os(name))?;
    let socket = home.folder.join(SOCKET);
    os::check_socket_path(&socket)?;
    if !os::check_home(&home.folder)? {
        return Err(nobody());
    }
    match connect(&socket, limits.connect)? {
        Some(connection) => Ok(connection),
        None => start(&home, &socket, limits),
    }
}

/// A connection to a broker that is running and accepts it within the limit. Starts nothing, and reports no errors.
pub fn running_broker(limit: Duration) -> Option<Connection> {
    let home = find_home(|name| env::var_os(name)).ok()?;
    let socket = home.folder.join(SOCKET);
    os::check_socket_path(&socket).ok()?;
    if !os::check_home(&home.folder).ok()? {
        return None;
    }
    connect(&socket, limit).ok()?
}

/// None if no process listens.
fn connect(socket: &Path, limit: Duration) -> Result<Option<Connection>, Failure> {
    let connection = match Connection::open(socket, limit) {
        Ok(connection) => connection,
        Err(ConnectError::NoBroker) => return Ok(None),
        Err(ConnectError::TimedOut) => {
            return Err(Failure::new(exit::TIMED_OUT, "timed out: the agent takes no connection"));
        }
        Err(ConnectError::Other(error)) => {
            return Err(Failure::new(
                exit::UNREACHABLE,
                format!("can't connect to the agent at {}: {error}", socket.display()),
            ));
        }
    };
    // Before anything is sent, because the request says which cluster this user works with.
    match connection.peer_is_me() {
        Ok(true) => Ok(Some(connection)),
        Ok(false) => Err(Failure::new(
            exit::NOT_PERMITTED,
            format!("a process of another user listens at {}", socket.display()),
        )),
        Err(error) => {
            Err(Failure::new(exit::NOT_PERMITTED, format!("can't tell whose process the agent is: {error}")))
        }
    }
}

/// Many helpers may start one at once. The brokers' lock leaves one of them, and all helpers connect to it.
fn start(home: &Home, socket: &Path, limits: &Limits) -> Result<Connection, Failure> {
    let unwanted = env::var_os(NO_START).is_some_and(|value| !value.is_empty());
    if home.named || unwanted || (env::var_os(EXEC_INFO).is_some() && !is_here(&home.folder)) {
        return Err(nobody());
    }
    let Some(start) = start_file::read(&home.folder.join(START), FileOwner::Me)? else {
        return Err(nobody());
    };
    start.check_place()?;
    if let (Some(other), Some(own)) =
        (start.broker(), agent::beside().ok().flatten().and_then(|own| own.broker()))
        && other != own
    {
        // A copied or moved checkout: the last broker of this home was another one's.
        let hint = "to start this one: lanyard agent";
        output::stderr(&format!(
            "lanyard: starting the agent {}, not {}\nhint: {hint}\n",
            other.display(),
            own.display()
        ));
    }
    let log = home.folder.join(LOG);
    let unreachable =
        |what: String| Failure::new(exit::UNREACHABLE, what).hint(format!("see {}", log.display()));
    let cant_start = |error| Failure::new(exit::UNREACHABLE, format!("can't start the agent: {error}"));
    let environment = os::BrokerEnvironment::of(&home.folder).map_err(cant_start)?;
    let desktop = environment.desktop();
    let mut commands = start.automatic(desktop).into_iter();
    // `before`: why what comes before it is no broker. Fails with that if no command is left.
    let mut start_next = |mut before: Option<Failure>| {
        for command in commands.by_ref() {
            match environment.start(&command, &home.folder, &log) {
                Ok(broker) => {
                    if let Some(why) = before {
                        output::stderr(&format!("lanyard: {}; started without a window\n", why.line()));
                    }
                    return Ok((broker, Instant::now()));
                }
                Err(error) => before = Some(cant_start(error)),
            }
        }
        Err(before.unwrap_or_else(nobody))
    };
    let of_root = desktop == Some(Desktop::OfRoot) && start.wants_desktop();
    let (mut broker, mut began) = start_next(
        of_root.then(|| Failure::new(exit::NOT_PERMITTED, "the desktop app doesn't run as root")),
    )?;
    while began.elapsed() < limits.start {
        if let Some(connection) = connect(socket, limits.connect)? {
            return Ok(connection);
        }
        // One that ends with success or USAGE found another broker, which may still be starting.
        if let Ok(Some(status)) = broker.try_wait()
            && !matches!(status.code().map(u8::try_from), Some(Ok(exit::GOOD | exit::USAGE)))
        {
            (broker, began) =
                start_next(Some(unreachable(format!("the agent was started but ended ({status})"))))?;
        }
        sleep(POLL_INTERVAL);
    }
    Err(unreachable("the agent was started but takes no connection".to_owned()))
}

/// Whether this program is `bin/lanyard` in that home. With exec info, a kubeconfig chose the environment, which could
/// lead to a home that its author made. So the helper starts only the broker of the home that it is in
/// (rule: no-deputy).
fn is_here(home: &Path) -> bool {
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok();
    let own = program.as_deref().and_then(Path::parent).and_then(Path::parent);
    own.is_some() && own == home.canonicalize().ok().as_deref()
}

fn nobody() -> Failure {
    if let Err(moved) = agent::check_place() {
        return moved;
    }
    let start = "start it with: lanyard agent";
    let failure = Failure::new(exit::UNREACHABLE, "no agent is running");
    match env::var_os(HOME_VARIABLE).filter(|value| !value.is_empty()) {
        Some(home) => failure.hint(format!("{start} ({HOME_VARIABLE} is {})", home.to_string_lossy())),
        None => failure.hint(start),
    }
}

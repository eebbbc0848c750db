use super::{ConnectError, FileOwner, system};
use crate::failure::{Failure, exit};
use crate::home::HOME_VARIABLE;
use rustix::io::Errno;
use rustix::net::SocketAddrUnix;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

const TRUSTED_FILE_BYTES: u64 = 64 * 1024;

/// Does what Rust's runtime would have done. Writing to a closed pipe is an error, not a signal. Descriptors 0, 1 and 2
/// are open, so that the broker's socket can't become stdout. A poll without events would ask for all three at once, but
/// macOS looks at no descriptor then (poll_nocancel of XNU's bsd/kern/sys_generic.c).
pub fn prepare_process() {
    // SAFETY: no other thread runs yet, and ignoring a signal needs no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    for descriptor in 0..3 {
        // SAFETY: plain numbers; it fails only for a descriptor that isn't open.
        let is_open = unsafe { libc::fcntl(descriptor, libc::F_GETFD) } != -1;
        // SAFETY: the path ends in a NUL. The lowest free descriptor is taken: this one, since those below are open.
        if !is_open && unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) } != descriptor {
            std::process::abort();
        }
    }
}

pub struct Connection(UnixStream);

impl Connection {
    pub fn open(path: &Path, limit: Duration) -> Result<Self, ConnectError> {
        let address = SocketAddrUnix::new(path).map_err(other)?;
        let socket = system::stream_socket().map_err(ConnectError::Other)?;
        // On Linux this also limits the wait for a place in the listener's queue. macOS refuses where that is full, as
        // if nobody listened (unp_connect of XNU's bsd/kern/uipc_usrreq.c): a broker that is started for that finds the
        // other, and ends.
        set_socket_timeout(&socket, Timeout::Send, Some(limit)).map_err(other)?;
        loop {
            match rustix::net::connect(&socket, &address) {
                Ok(()) => return Ok(Connection(UnixStream::from(socket))),
                Err(Errno::INTR) => {}
                Err(Errno::NOENT | Errno::CONNREFUSED) => return Err(ConnectError::NoBroker),
                Err(Errno::AGAIN | Errno::TIMEDOUT) => return Err(ConnectError::TimedOut),
                Err(error) => return Err(other(error)),
            }
        }
    }

    /// Whether the listening process runs as this user.
    pub fn peer_is_me(&self) -> io::Result<bool> {
        Ok(system::peer_uid(&self.0)? == my_uid())
    }

    /// Each write waits at most for the limit that `open` got, all together at most for `limit` and one such wait.
    pub fn send(&mut self, bytes: &[u8], limit: Duration) -> io::Result<()> {
        let began = Instant::now();
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.0.write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if !rest.is_empty() && began.elapsed() > limit {
                return Err(ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }

    /// The other end sees the end of the connection now, and not when this process ends.
    pub fn close(&self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }

    pub fn receive(&mut self, bytes: &mut [u8], limit: Duration) -> io::Result<usize> {
        // Less than a microsecond would mean no limit.
        self.0.set_read_timeout(Some(limit.max(Duration::from_millis(1))))?;
        self.0.read(bytes)
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn other(error: Errno) -> ConnectError {
    ConnectError::Other(error.into())
}

fn my_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

pub fn bytes_of(value: &OsStr) -> Result<Vec<u8>, Failure> {
    Ok(value.as_bytes().to_vec())
}

pub fn check_socket_path(socket: &Path) -> Result<(), Failure> {
    let (bytes, limit) = (socket.as_os_str().len(), system::SOCKET_PATH_BYTES - 1);
    if bytes <= limit {
        return Ok(());
    }
    Err(Failure::new(
        exit::USAGE,
        format!("the socket's path has {bytes} bytes, and the system allows {limit}: {}", socket.display()),
    )
    .hint(format!("set a shorter {HOME_VARIABLE}")))
}

/// How many links the broker follows (main/config/home.ts).
const LINKS: usize = 8;

/// Whether the home exists. Fails if other users can access it: a user who can write there can pose as the broker
/// (rule: owner-only).
pub fn check_home(home: &Path) -> Result<bool, Failure> {
    let refuse = |what: String| Failure::new(exit::NOT_PERMITTED, format!("{} {what}", home.display()));
    if fs::symlink_metadata(home).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Ok(false);
    }
    let facts = own_entry(home).map_err(|error| refuse(format!("can't be used: {error}")))?;
    if !facts.is_dir() {
        return Err(refuse("is not a folder".to_owned()));
    }
    if facts.uid() != my_uid() {
        return Err(refuse("belongs to another user".to_owned())
            .hint(format!("set {HOME_VARIABLE} to a folder of your own")));
    }
    let mode = facts.mode() & 0o7777;
    if mode & 0o077 != 0 {
        // An empty folder is as mkdir made it. The broker restricts it when it starts, and no broker listens in it yet.
        if fs::read_dir(home).is_ok_and(|mut entries| entries.next().is_none()) {
            return Ok(false);
        }
        return Err(refuse(format!("is open to other users (mode {mode:04o})"))
            .hint(format!("chmod 700 '{}'", home.display())));
    }
    Ok(true)
}

/// The entry that the path leads to, following only this user's links. Another user could change their link at any
/// time, even one that leads to this user's folder now.
fn own_entry(path: &Path) -> io::Result<fs::Metadata> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let facts = fs::symlink_metadata(&path)?;
        if !facts.is_symlink() {
            return Ok(facts);
        }
        if facts.uid() != my_uid() {
            return Err(io::Error::other("it is a link of another user's"));
        }
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("/")).canonicalize()?.join(target);
    }
    Err(io::Error::other("it is too many links"))
}

/// A folder of this user that no one else can write to.
pub fn is_written_by_me_alone(folder: &Path) -> bool {
    own_entry(folder)
        .is_ok_and(|facts| facts.is_dir() && facts.uid() == my_uid() && facts.mode() & 0o022 == 0)
}

/// The content of a small regular file that no one else can have written. None if the file doesn't exist.
pub fn read_trusted(path: &Path, owner: FileOwner) -> Result<Option<Vec<u8>>, Failure> {
    let refuse = |what: String| Failure::new(exit::NOT_PERMITTED, format!("{} {what}", path.display()));
    // A link could name anything, and a pipe could hang.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(refuse(format!("can't be read: {error}"))),
    };
    let facts = file.metadata().map_err(|error| refuse(format!("can't be looked at: {error}")))?;
    let owned = facts.uid() == my_uid() || (matches!(owner, FileOwner::MeOrRoot) && facts.uid() == 0);
    if !facts.is_file() || !owned {
        return Err(refuse("is not a file of your own".to_owned()));
    }
    if facts.mode() & 0o022 != 0 {
        return Err(refuse("can be written by other users".to_owned())
            .hint(format!("look at it, then: chmod go-w '{}'", path.display())));
    }
    let mut bytes = Vec::new();
    file.take(TRUSTED_FILE_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| refuse(format!("can't be read: {error}")))?;
    Ok(Some(bytes))
}

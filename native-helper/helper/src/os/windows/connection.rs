use crate::os::ConnectError;
use lanyard_windows::{PipeEnd, is_owned_by_me, my_user, pipe_name};
use std::io::{self, ErrorKind};
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::path::Path;
use std::time::Duration;

pub struct Connection(PipeEnd);

impl Connection {
    /// Opens the pipe for this socket path. The addon computes the same name.
    pub fn open(path: &Path, limit: Duration) -> Result<Self, ConnectError> {
        let user = my_user().and_then(|user| user.text()).map_err(ConnectError::Other)?;
        let name = pipe_name(&user, &path.parent().unwrap_or(path).to_string_lossy());
        PipeEnd::open(&name, limit).map(Connection).map_err(|error| match error.kind() {
            ErrorKind::NotFound => ConnectError::NoBroker,
            ErrorKind::TimedOut => ConnectError::TimedOut,
            _ => ConnectError::Other(error),
        })
    }

    /// Whether the pipe is this user's. Looks at the pipe's owner, which the broker sets: the process's own token would
    /// not be shown where one of the two is elevated.
    pub fn peer_is_me(&self) -> io::Result<bool> {
        is_owned_by_me(self.0.as_handle().as_raw_handle())
    }

    pub fn send(&mut self, bytes: &[u8], limit: Duration) -> io::Result<()> {
        self.0.send(bytes, limit)
    }

    pub fn receive(&mut self, bytes: &mut [u8], limit: Duration) -> io::Result<usize> {
        self.0.receive(bytes, limit)
    }
}

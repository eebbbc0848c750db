//! Where a test's broker listens: a Unix socket, or the pipe of that home.

#[cfg(unix)]
pub use on_unix::*;
#[cfg(windows)]
pub use on_windows::*;

/// Far more than any step takes: a helper that still runs after it hangs.
pub const LIFE: std::time::Duration = std::time::Duration::from_secs(30);

#[cfg(unix)]
mod on_unix {
    use super::LIFE;
    use std::io;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::Path;

    pub type Stream = UnixStream;

    pub struct Listener(UnixListener);

    impl Listener {
        pub fn bind(home: &Path) -> io::Result<Self> {
            UnixListener::bind(home.join("lanyard.sock")).map(Listener)
        }

        pub fn accept(&mut self) -> io::Result<Stream> {
            let (stream, _) = self.0.accept()?;
            stream.set_read_timeout(Some(LIFE))?;
            stream.set_write_timeout(Some(LIFE))?;
            Ok(stream)
        }
    }

    /// One that accepts nobody, with as many clients as wait there.
    pub struct Deaf {
        _listener: UnixListener,
        _client: UnixStream,
    }

    impl Deaf {
        pub fn bind(home: &Path) -> io::Result<Self> {
            let Listener(listener) = Listener::bind(home)?;
            rustix::net::listen(&listener, 0)?;
            let client = UnixStream::connect(home.join("lanyard.sock"))?;
            Ok(Deaf { _listener: listener, _client: client })
        }
    }
}

#[cfg(windows)]
mod on_windows {
    use super::LIFE;
    use lanyard_windows::{PipeEnd, PipeListener, my_user, pipe_name};
    use std::io::{self, ErrorKind, Read, Write};
    use std::path::Path;

    fn name(home: &Path) -> io::Result<String> {
        Ok(pipe_name(&my_user()?.text()?, &home.to_string_lossy()))
    }

    pub struct Listener(PipeListener);

    impl Listener {
        pub fn bind(home: &Path) -> io::Result<Self> {
            PipeListener::new(&name(home)?).map(Listener)
        }

        pub fn accept(&mut self) -> io::Result<Stream> {
            loop {
                if let Some(end) = self.0.accept(LIFE)? {
                    return Ok(Stream(end));
                }
            }
        }
    }

    pub struct Stream(PipeEnd);

    impl Read for Stream {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            match self.0.receive(bytes, LIFE) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(0),
                received => received,
            }
        }
    }

    impl Write for Stream {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes, LIFE).map(|()| bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// One that accepts nobody, with as many clients as wait there.
    pub struct Deaf {
        _listener: PipeListener,
        _client: PipeEnd,
    }

    impl Deaf {
        pub fn bind(home: &Path) -> io::Result<Self> {
            let Listener(listener) = Listener::bind(home)?;
            let client = PipeEnd::open(&name(home)?, LIFE)?;
            Ok(Deaf { _listener: listener, _client: client })
        }
    }
}

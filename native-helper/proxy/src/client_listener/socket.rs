//! The Unix socket of one client’s listener, for this user alone. (rule: client-listener)

#[cfg(unix)]
pub use unix::bind;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::path::{Path, PathBuf};

    use tokio::net::{UnixListener, UnixStream};

    use crate::listener::Bound;

    /// Its file goes with it.
    pub struct Socket {
        listener: UnixListener,
        path: PathBuf,
    }

    /// In a folder that is this user’s alone.
    pub fn bind(path: &Path) -> io::Result<Socket> {
        let listener = UnixListener::bind(path)?;
        let socket = Socket { listener, path: path.to_owned() };
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        Ok(socket)
    }

    impl Bound for Socket {
        type Stream = UnixStream;

        async fn accept(&self) -> io::Result<Option<UnixStream>> {
            let (stream, _) = self.listener.accept().await?;
            Ok(Some(stream).filter(is_own_user))
        }
    }

    impl Drop for Socket {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Whether this process’s user connected (SO_PEERCRED).
    #[cfg(target_os = "linux")]
    fn is_own_user(stream: &UnixStream) -> bool {
        stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
    }

    /// See peer.rs.
    #[cfg(not(target_os = "linux"))]
    fn is_own_user(_stream: &UnixStream) -> bool {
        false
    }
}

//! The lock that a client holds as long as it lives (KEP-2718, Proxy Shutdown): whoever gets it knows that the client has
//! ended, by SIGKILL, too. It is flock(2) on the client’s own regular file. (rule: client-listener)

use std::fs::{File, TryLockError};
use std::time::Duration;

use super::Refusal;

/// A file system that hangs holds up its own client alone.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file whose lock somebody held.
#[derive(Debug)]
pub struct LockFile(File);

/// Refused where it isn’t this user’s regular file, or no one holds its lock.
pub async fn open(path: &str) -> Result<LockFile, Refusal> {
    let (of, owned) = (path.to_owned(), path.to_owned());
    let opening = tokio::task::spawn_blocking(move || open_now(&owned));
    match tokio::time::timeout(PATIENCE, opening).await {
        Ok(Ok(opened)) => opened,
        Ok(Err(_)) | Err(_) => {
            Err(refusal("lockUnusable", format!("the lock file {of} can’t be opened: it takes too long")))
        }
    }
}

impl LockFile {
    /// None: the client holds it no more.
    pub async fn look(self) -> Option<Self> {
        // A file system may take its time.
        tokio::task::spawn_blocking(move || if self.0.try_lock().is_ok() { None } else { Some(self) })
            .await
            .unwrap_or_default()
    }
}

fn open_now(path: &str) -> Result<LockFile, Refusal> {
    // Before it is opened: to open a device may do something.
    check(path, &std::fs::symlink_metadata(path).map_err(|error| unopened(path, &error))?)?;
    let file = system::open(path).map_err(|error| unopened(path, &error))?;
    check(path, &file.metadata().map_err(|error| unopened(path, &error))?)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(LockFile(file)),
        Err(TryLockError::Error(error)) => {
            Err(refusal("lockUnusable", format!("the lock file {path} can’t be locked: {error}")))
        }
        Ok(()) => Err(Refusal {
            hint: Some("the client has to hold it, by flock, before it runs the exec plugin".to_owned()),
            ..refusal("lockFree", format!("no one holds the lock of the lock file {path}"))
        }),
    }
}

fn check(path: &str, found: &std::fs::Metadata) -> Result<(), Refusal> {
    let kind = system::kind(found.file_type());
    if kind != "file" {
        return Err(refusal("lockKind", format!("the lock file {path} is a {kind}, not a regular file")));
    }
    if let Some(owner) = system::other_owner(found) {
        return Err(refusal(
            "lockOwner",
            format!("the lock file {path} belongs to user {owner}, not to you"),
        ));
    }
    Ok(())
}

fn unopened(path: &str, error: &std::io::Error) -> Refusal {
    if error.kind() == std::io::ErrorKind::NotFound {
        return Refusal {
            hint: Some(
                "the client has to make it, and hold its lock, before it runs the exec plugin".to_owned(),
            ),
            ..refusal("lockMissing", format!("the lock file {path} doesn’t exist"))
        };
    }
    refusal("lockUnusable", format!("the lock file {path} can’t be opened: {error}"))
}

fn refusal(code: &'static str, text: String) -> Refusal {
    Refusal { code, text, hint: None }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::{File, FileType, Metadata, OpenOptions};
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};

    use rustix::fs::OFlags;

    /// Never waits for a FIFO’s other end, and follows no link to another file.
    pub fn open(path: &str) -> std::io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
    }

    /// The owner, where it is another user.
    pub fn other_owner(found: &Metadata) -> Option<u32> {
        let is_own = found.uid() == rustix::process::geteuid().as_raw();
        (!is_own).then_some(found.uid())
    }

    pub fn kind(of: FileType) -> &'static str {
        match of {
            of if of.is_file() => "file",
            of if of.is_dir() => "folder",
            of if of.is_symlink() => "symbolic link",
            of if of.is_fifo() => "FIFO",
            of if of.is_socket() => "socket",
            _ => "device",
        }
    }
}

/// No way in is given here yet (peer.rs, process.rs), so that nothing asks for a listener. What is to be added: a file is
/// opened without following a reparse point (`FILE_FLAG_OPEN_REPARSE_POINT`), and its owner’s SID compared.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::{File, FileType, Metadata};

    pub fn open(_path: &str) -> std::io::Result<File> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    pub fn other_owner(_found: &Metadata) -> Option<u32> {
        None
    }

    pub fn kind(of: FileType) -> &'static str {
        if of.is_file() { "file" } else { "folder or link" }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::bodies::BoxError;

    /// A folder that is removed with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> std::io::Result<Self> {
            let path = std::env::temp_dir().join(format!("lanyard-lock-{}-{name}", std::process::id()));
            std::fs::create_dir(&path)?;
            Ok(Self(path))
        }

        fn path(&self, name: &str) -> String {
            self.0.join(name).to_string_lossy().into_owned()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    // KEP-2718/lock
    #[tokio::test]
    async fn a_held_lock_is_watched_until_all_who_hold_it_let_go() -> Result<(), BoxError> {
        let folder = Folder::new("held")?;
        let path = folder.path("lock");
        let first = File::create(&path)?;
        let second = File::open(&path)?;
        first.lock_shared()?;
        second.lock_shared()?;
        let lock = open(&path).await.map_err(|refusal| refusal.text)?;
        drop(first);
        let lock = lock.look().await.ok_or("the second holds it")?;
        drop(second);
        assert!(lock.look().await.is_none());
        Ok(())
    }

    #[tokio::test]
    async fn what_is_no_held_lock_file_of_the_users_own_is_refused() -> Result<(), BoxError> {
        let folder = Folder::new("bad")?;
        let good = folder.path("good");
        let held = File::create(&good)?;
        held.lock()?;
        File::create(folder.path("free"))?;
        std::os::unix::fs::symlink(&good, folder.path("link"))?;
        let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket"))?;
        rustix::fs::mknodat(
            rustix::fs::CWD,
            folder.path("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )?;
        for (path, code, words) in [
            (folder.path("none"), "lockMissing", "doesn’t exist"),
            (folder.path("none/lock"), "lockMissing", "doesn’t exist"),
            (folder.path("good/lock"), "lockUnusable", "can’t be opened"),
            (folder.path(""), "lockKind", "is a folder"),
            (folder.path("link"), "lockKind", "is a symbolic link"),
            (folder.path("fifo"), "lockKind", "is a FIFO"),
            (folder.path("socket"), "lockKind", "is a socket"),
            ("/dev/null".to_owned(), "lockKind", "is a device"),
            (folder.path("free"), "lockFree", "no one holds"),
            (folder.path(&"a".repeat(300)), "lockUnusable", "can’t be opened"),
        ] {
            let refusal = open(&path).await.err().ok_or("it is refused")?;
            assert_eq!(refusal.code, code, "{path}");
            assert!(refusal.text.contains(words), "{}", refusal.text);
        }
        assert!(open(&good).await.is_ok());
        Ok(())
    }
}

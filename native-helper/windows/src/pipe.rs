use crate::access::Descriptor;
use crate::overlapped::transfer;
use crate::sid::my_user;
use crate::system::{check, owned, wide};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, OwnedHandle};
use std::ptr::null_mut;
use std::thread::sleep;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{ERROR_NO_DATA, ERROR_PIPE_BUSY, ERROR_PIPE_CONNECTED};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_DUPLEX, ReadFile,
    SECURITY_IDENTIFICATION, WriteFile,
};
use windows_sys::Win32::System::Pipes::{
    ConnectNamedPipe, CreateNamedPipeW, DisconnectNamedPipe, PIPE_REJECT_REMOTE_CLIENTS,
    PIPE_UNLIMITED_INSTANCES,
};

const BUFFER_BYTES: u32 = 64 * 1024;
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A pipe that only its owner can open, from this machine alone.
pub struct PipeListener {
    name: Vec<u16>,
    waiting: PipeEnd,
}

impl PipeListener {
    /// Fails if another program has made a pipe of this name.
    pub fn new(name: &str) -> io::Result<Self> {
        let name = wide(name);
        let waiting = instance(&name, FILE_FLAG_FIRST_PIPE_INSTANCE)?;
        Ok(PipeListener { name, waiting })
    }

    /// The end of the next client. None if no one came within the limit, or one that has gone already.
    pub fn accept(&mut self, limit: Duration) -> io::Result<Option<PipeEnd>> {
        if !self.waiting.wait_for_client(limit)? {
            return Ok(None);
        }
        let next = instance(&self.name, 0)?;
        Ok(Some(std::mem::replace(&mut self.waiting, next)))
    }
}

fn instance(name: &[u16], first: u32) -> io::Result<PipeEnd> {
    // Owned by this user, also where an elevated program makes it: by this the helper knows whose it is. A protected
    // list with one entry: all access for this user.
    let me = my_user()?.text()?;
    let descriptor = Descriptor::parse(&format!("O:{me}D:P(A;;GA;;;{me})"))?;
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.as_raw(),
        bInheritHandle: 0,
    };
    // SAFETY: the name ends with a zero, the attributes live through the call, and the handle is given to this caller
    // alone.
    unsafe {
        owned(CreateNamedPipeW(
            name.as_ptr(),
            PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | first,
            PIPE_REJECT_REMOTE_CLIENTS,
            PIPE_UNLIMITED_INSTANCES,
            BUFFER_BYTES,
            BUFFER_BYTES,
            0,
            &attributes,
        ))
    }
    .map(PipeEnd)
}

/// One end of a pipe. Each call has its limit.
pub struct PipeEnd(OwnedHandle);

impl PipeEnd {
    /// The client's end. Waits while the listener is between two clients: the error is then TimedOut.
    pub fn open(name: &str, limit: Duration) -> io::Result<Self> {
        let began = Instant::now();
        loop {
            // Lets the server identify this user, but not impersonate them.
            let opened = OpenOptions::new()
                .read(true)
                .write(true)
                .security_qos_flags(SECURITY_IDENTIFICATION)
                .custom_flags(FILE_FLAG_OVERLAPPED)
                .open(name);
            match opened {
                Err(error) if error.raw_os_error() == Some(ERROR_PIPE_BUSY.cast_signed()) => {
                    if began.elapsed() > limit {
                        return Err(ErrorKind::TimedOut.into());
                    }
                    sleep(POLL_INTERVAL);
                }
                opened => return opened.map(|file| PipeEnd(file.into())),
            }
        }
    }

    pub fn send(&mut self, bytes: &[u8], limit: Duration) -> io::Result<()> {
        let until = Instant::now() + limit;
        let handle = self.0.as_raw_handle();
        let mut left = bytes;
        while !left.is_empty() {
            let size = u32::try_from(left.len()).unwrap_or(u32::MAX);
            let count = transfer(handle, until.saturating_duration_since(Instant::now()), |state| {
                // SAFETY: the bytes are there until `transfer` has seen the end of this, and are as many as said.
                unsafe { WriteFile(handle, left.as_ptr(), size, null_mut(), state) }
            })?;
            left = left.get(count..).unwrap_or_default();
        }
        Ok(())
    }

    pub fn receive(&mut self, bytes: &mut [u8], limit: Duration) -> io::Result<usize> {
        let handle = self.0.as_raw_handle();
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        transfer(handle, limit, |state| {
            // SAFETY: the place is there until `transfer` has seen the end of this, and is as large as said.
            unsafe { ReadFile(handle, bytes.as_mut_ptr(), size, null_mut(), state) }
        })
    }

    fn wait_for_client(&self, limit: Duration) -> io::Result<bool> {
        let handle = self.0.as_raw_handle();
        // SAFETY: the handle is open, and the state there until `transfer` has seen the end of this.
        let came = transfer(handle, limit, |state| unsafe { ConnectNamedPipe(handle, state) });
        let Err(error) = came else { return Ok(true) };
        match error.raw_os_error().map(i32::cast_unsigned) {
            Some(ERROR_PIPE_CONNECTED) => Ok(true),
            // Somebody connected and closed before the call. The instance is good again after this.
            Some(ERROR_NO_DATA) => {
                // SAFETY: the handle is open.
                check(unsafe { DisconnectNamedPipe(handle) })?;
                Ok(false)
            }
            _ if error.kind() == ErrorKind::TimedOut => Ok(false),
            _ => Err(error),
        }
    }
}

impl AsHandle for PipeEnd {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }
}

impl From<PipeEnd> for OwnedHandle {
    fn from(end: PipeEnd) -> Self {
        end.0
    }
}

#[cfg(test)]
#[allow(clippy::print_stderr)]
mod tests {
    use super::*;
    use crate::access::is_owned_by_me;
    use crate::system::is_wine;
    use std::thread;

    const LIFE: Duration = Duration::from_secs(10);

    fn name(of: &str) -> String {
        format!(r"\\.\pipe\lanyard-test-{}-{of}", std::process::id())
    }

    fn open(name: &str) -> PipeEnd {
        PipeEnd::open(name, LIFE).unwrap()
    }

    /// The next one that is there.
    fn accepted(listener: &mut PipeListener) -> PipeEnd {
        loop {
            if let Some(end) = listener.accept(LIFE).unwrap() {
                return end;
            }
        }
    }

    #[test]
    fn one_that_comes_and_goes_before_it_is_waited_for_leaves_the_pipe_good() {
        let name = name("gone");
        let mut listener = PipeListener::new(&name).unwrap();
        drop(open(&name));
        assert!(listener.accept(LIFE).unwrap().is_none());
        let client = thread::spawn(move || open(&name).send(b"hello", LIFE).unwrap());
        let mut bytes = [0; 8];
        assert_eq!(accepted(&mut listener).receive(&mut bytes, LIFE).unwrap(), 5);
        client.join().unwrap();
    }

    #[test]
    fn each_wait_ends_at_its_limit_and_the_pipe_is_good_afterwards() {
        let (name, soon) = (name("late"), Duration::from_millis(1));
        let mut listener = PipeListener::new(&name).unwrap();
        assert!(listener.accept(soon).unwrap().is_none());
        let mut client = open(&name);
        // The one instance is taken, and nobody makes the next.
        assert_eq!(PipeEnd::open(&name, soon).err().unwrap().kind(), ErrorKind::TimedOut);
        let mut server = accepted(&mut listener);
        let mut bytes = [0; 8];
        assert_eq!(client.receive(&mut bytes, soon).unwrap_err().kind(), ErrorKind::TimedOut);
        let many = vec![b'x'; 4 * BUFFER_BYTES as usize];
        assert_eq!(client.send(&many, soon).unwrap_err().kind(), ErrorKind::TimedOut);
        server.send(b"hello", LIFE).unwrap();
        assert_eq!(client.receive(&mut bytes, LIFE).unwrap(), 5);
        drop(server);
        assert_eq!(client.receive(&mut bytes, LIFE).unwrap_err().kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_name_that_another_has_is_refused() {
        if is_wine() {
            eprintln!("skipped: wine 8 lets a second program make a pipe's first instance");
            return;
        }
        let name = name("taken");
        let _first = PipeListener::new(&name).unwrap();
        assert!(PipeListener::new(&name).is_err());
    }

    #[test]
    fn it_belongs_to_this_user() {
        let name = name("owner");
        let _listener = PipeListener::new(&name).unwrap();
        assert!(is_owned_by_me(open(&name).as_handle().as_raw_handle()).unwrap());
    }
}

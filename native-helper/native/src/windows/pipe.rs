use super::descriptor::descriptor_for;
use crate::failed;
use lanyard_windows::{Descriptor, check, my_user, owned, wide};
use napi_derive::napi;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::ptr::null;
use windows_sys::Win32::Foundation::{
    ERROR_IO_PENDING, ERROR_NO_DATA, ERROR_PIPE_CONNECTED, GetLastError, WAIT_OBJECT_0,
};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_DUPLEX,
};
use windows_sys::Win32::System::IO::{CancelIo, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Pipes::{
    ConnectNamedPipe, CreateNamedPipeW, DisconnectNamedPipe, PIPE_REJECT_REMOTE_CLIENTS,
    PIPE_UNLIMITED_INSTANCES,
};
use windows_sys::Win32::System::Threading::{CreateEventW, WaitForSingleObject};

const BUFFER_BYTES: u32 = 64 * 1024;

/// A pipe that only its owner can open, from this machine alone. libuv's own pipes let everyone read.
#[napi]
pub struct PipeListener {
    name: Vec<u16>,
    waiting: OwnedHandle,
}

#[napi]
impl PipeListener {
    /// Throws if another program has made a pipe of this name.
    #[napi(constructor)]
    pub fn new(name: String) -> napi::Result<Self> {
        let name = wide(&name);
        let waiting =
            instance(&name, FILE_FLAG_FIRST_PIPE_INSTANCE).map_err(|error| failed("pipe", &error))?;
        Ok(PipeListener { name, waiting })
    }

    /// A descriptor for `new net.Socket({ fd })`, or null if no connection came. Blocks: call it from a worker.
    #[napi]
    pub fn accept(&mut self, milliseconds: u32) -> napi::Result<Option<i32>> {
        let came = wait_for_client(&self.waiting, milliseconds).map_err(|error| failed("pipe", &error))?;
        if !came {
            return Ok(None);
        }
        let next = instance(&self.name, 0).map_err(|error| failed("pipe", &error))?;
        let client = std::mem::replace(&mut self.waiting, next);
        descriptor_for(client).map(Some).map_err(|error| failed("pipe", &error))
    }
}

fn instance(name: &[u16], first: u32) -> io::Result<OwnedHandle> {
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
}

fn wait_for_client(pipe: &OwnedHandle, milliseconds: u32) -> io::Result<bool> {
    let handle = pipe.as_raw_handle();
    // SAFETY: `state` and its event live until the call has ended or was cancelled and waited for.
    unsafe {
        let event = owned(CreateEventW(null(), 1, 0, null()))?;
        let mut state: OVERLAPPED = std::mem::zeroed();
        state.hEvent = event.as_raw_handle();
        if ConnectNamedPipe(handle, &mut state) == 0 {
            match GetLastError() {
                ERROR_IO_PENDING => {}
                ERROR_PIPE_CONNECTED => return Ok(true),
                // Somebody connected and closed before the call. The instance is good again after this.
                ERROR_NO_DATA => {
                    check(DisconnectNamedPipe(handle))?;
                    return Ok(false);
                }
                error => return Err(io::Error::from_raw_os_error(error.cast_signed())),
            }
        }
        let came = WaitForSingleObject(event.as_raw_handle(), milliseconds) == WAIT_OBJECT_0;
        if !came {
            CancelIo(handle);
        }
        let mut bytes = 0;
        // It may have come just before it was cancelled.
        Ok(GetOverlappedResult(handle, &state, &mut bytes, 1) != 0)
    }
}

#[cfg(test)]
#[allow(clippy::print_stderr)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::thread;
    use windows_sys::Win32::Foundation::ERROR_PIPE_BUSY;

    fn name(of: &str) -> String {
        format!(r"\\.\pipe\lanyard-test-{}-{of}", std::process::id())
    }

    /// As the helper does: a pipe that isn't waited for just now is busy.
    fn open(name: &str) -> std::fs::File {
        loop {
            match OpenOptions::new().read(true).write(true).open(name) {
                Err(error) if error.raw_os_error() == Some(ERROR_PIPE_BUSY.cast_signed()) => {
                    thread::yield_now()
                }
                opened => return opened.unwrap(),
            }
        }
    }

    #[test]
    fn one_that_comes_and_goes_before_it_is_waited_for_leaves_the_pipe_good() {
        let name = name("gone");
        let pipe = instance(&wide(&name), FILE_FLAG_FIRST_PIPE_INSTANCE).unwrap();
        drop(open(&name));
        let client = thread::spawn(move || open(&name).write_all(b"hello").unwrap());
        // The one that has gone is none.
        while !wait_for_client(&pipe, 10_000).unwrap() {}
        client.join().unwrap();
    }

    #[test]
    fn a_name_that_another_has_is_refused() {
        if lanyard_windows::is_wine() {
            eprintln!("skipped: wine 8 lets a second program make a pipe's first instance");
            return;
        }
        let name = name("taken");
        let _first = PipeListener::new(name.clone()).unwrap();
        assert!(PipeListener::new(name).is_err());
    }

    #[test]
    fn it_belongs_to_this_user() {
        let name = name("owner");
        let _pipe = PipeListener::new(name.clone()).unwrap();
        assert!(lanyard_windows::is_owned_by_me(open(&name).as_raw_handle()).unwrap());
    }
}

use super::descriptor::descriptor_for;
use crate::failed;
use napi_derive::napi;
use std::io;
use std::time::Duration;

/// A pipe that only its owner can open, from this machine alone. libuv's own pipes let everyone read.
#[napi]
pub struct PipeListener {
    listener: lanyard_windows::PipeListener,
}

#[napi]
impl PipeListener {
    /// Throws if another program has made a pipe of this name.
    #[napi(constructor)]
    pub fn new(name: String) -> napi::Result<Self> {
        let listener = lanyard_windows::PipeListener::new(&name).map_err(|error| failed("pipe", &error))?;
        Ok(PipeListener { listener })
    }

    /// A descriptor for `new net.Socket({ fd })`, or null if no connection came. Blocks: call it from a worker.
    #[napi]
    pub fn accept(&mut self, milliseconds: u32) -> napi::Result<Option<i32>> {
        self.next(Duration::from_millis(milliseconds.into())).map_err(|error| failed("pipe", &error))
    }

    fn next(&mut self, limit: Duration) -> io::Result<Option<i32>> {
        self.listener.accept(limit)?.map(|client| descriptor_for(client.into())).transpose()
    }
}

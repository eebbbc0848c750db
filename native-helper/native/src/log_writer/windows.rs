use std::io::{self, Write};

/// Standard error, whatever the number: a descriptor of the host's own C runtime means nothing here.
pub struct Output;

impl Output {
    pub fn new(_descriptor: i32) -> Self {
        Output
    }

    pub fn keep_small(&mut self, _path: String, _earlier: String, _limit: u64) {}

    /// Waits for as long as no one reads.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::stderr().lock().write_all(bytes)
    }
}

//! Standard input that may contain a secret.

use crate::failure::{Failure, exit};
use std::io::{self, ErrorKind, Read};
use zeroize::Zeroizing;

/// All of standard input, at most `most` bytes.
pub fn read(most: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
    // Room for all of it, made once: a buffer that grows leaves copies of a secret behind.
    let mut all = Zeroizing::new(vec![0; most + 1]);
    let mut length = 0;
    let mut from = io::stdin().lock();
    while let Some(room) = all.get_mut(length..).filter(|room| !room.is_empty()) {
        match from.read(room) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(Failure::new(exit::USAGE, format!("can't read standard input: {error}")));
            }
        }
    }
    if length > most {
        return Err(Failure::new(exit::USAGE, format!("standard input is larger than {most} bytes")));
    }
    all.truncate(length);
    Ok(all)
}

use crate::failure::{Failure, exit};
use crate::os::{self, FileOwner};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct StartFile {
    version: u32,
    command: Vec<String>,
}

/// The command that start.json names; None where there is no such file. A file that another user could have
/// written names nothing.
pub fn read(path: &Path, owner: FileOwner) -> Result<Option<Vec<String>>, Failure> {
    let Some(bytes) = os::read_trusted(path, owner)? else { return Ok(None) };
    let wrong = |what: &str| Failure::new(exit::INTERNAL, format!("{}: {what}", path.display()));
    let StartFile { version, command } =
        serde_json::from_slice(&bytes).map_err(|error| wrong(&format!("not a start file: {error}")))?;
    if version != 1 {
        return Err(wrong("made by a newer lanyard").hint("update the helper"));
    }
    if !command.first().is_some_and(|program| Path::new(program).is_absolute()) {
        return Err(wrong("the command must begin with an absolute path"));
    }
    Ok(Some(command))
}

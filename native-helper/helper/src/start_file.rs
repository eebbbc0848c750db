use crate::failure::{Failure, exit};
use crate::os::{self, FileOwner};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct StartFile {
    version: u32,
    command: Vec<String>,
    desktop: Option<Vec<String>>,
}

/// How a broker is started, by absolute paths. Other fields of the file are for later helpers.
#[derive(Debug, PartialEq, Eq)]
pub struct Start {
    /// The broker without windows, and without a display: takes the words of `lanyard agent`. Older helpers know
    /// this one alone, so it is good for all that a helper starts.
    pub command: Vec<String>,
    /// The desktop app with the broker in it, hidden.
    desktop: Option<Vec<String>>,
}

impl Start {
    // Nothing is started automatically on Windows.
    #[cfg_attr(windows, allow(dead_code))]
    /// What is started where a request finds no broker: the app, where the person has a desktop here.
    pub fn automatic(&self, has_desktop: bool) -> &[String] {
        match &self.desktop {
            Some(desktop) if has_desktop => desktop,
            _ => &self.command,
        }
    }
}

/// What start.json names; None where there is no such file. A file that another user could have written names nothing.
pub fn read(path: &Path, owner: FileOwner) -> Result<Option<Start>, Failure> {
    let Some(bytes) = os::read_trusted(path, owner)? else { return Ok(None) };
    parse(path, &bytes).map(Some)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Start, Failure> {
    let wrong = |what: &str| Failure::new(exit::INTERNAL, format!("{}: {what}", path.display()));
    let StartFile { version, command, desktop } =
        serde_json::from_slice(bytes).map_err(|error| wrong(&format!("not a start file: {error}")))?;
    if version != 1 {
        return Err(wrong("made by a newer lanyard").hint("update the helper"));
    }
    let is_named =
        |words: &Vec<String>| words.first().is_some_and(|program| Path::new(program).is_absolute());
    if !is_named(&command) || !desktop.as_ref().is_none_or(is_named) {
        return Err(wrong("the command must begin with an absolute path"));
    }
    Ok(Start { command, desktop })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Start, Failure> {
        parse(Path::new("/h/start.json"), text.as_bytes())
    }

    #[test]
    fn the_app_is_started_where_there_is_a_desktop_and_the_broker_alone_elsewhere() {
        let start =
            parsed(r#"{"version":1,"command":["/l","agent"],"desktop":["/l","--hidden"],"later":[]}"#)
                .unwrap();
        assert_eq!(start.automatic(true), ["/l", "--hidden"]);
        assert_eq!(start.automatic(false), ["/l", "agent"]);
    }

    #[test]
    fn a_file_of_an_older_lanyard_names_one_command_for_all() {
        let start = parsed(r#"{"version":1,"command":["/l"]}"#).unwrap();
        assert_eq!((start.automatic(true), start.automatic(false)), (&start.command[..], &start.command[..]));
    }

    #[test]
    fn each_command_begins_with_an_absolute_path() {
        for text in [
            r#"{"version":1,"command":["/l"],"desktop":["l"]}"#,
            r#"{"version":1,"command":["/l"],"desktop":[]}"#,
            r#"{"version":1,"command":["l"],"desktop":["/l"]}"#,
        ] {
            assert!(parsed(text).unwrap_err().message.contains("absolute path"), "{text}");
        }
        assert!(parsed(r#"{"version":1,"desktop":["/l"]}"#).is_err());
    }
}

use crate::failure::{Failure, exit};
use crate::home::START;
use crate::os::{self, Desktop, FileOwner};
use serde::Deserialize;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct StartFile {
    version: u32,
    command: Vec<String>,
    desktop: Option<Vec<String>>,
    #[serde(rename = "passphraseFile")]
    passphrase_file: Option<String>,
}

/// How to start a broker, by absolute paths. Ignores other fields of the file, which are for later helpers.
#[derive(Debug, PartialEq, Eq)]
pub struct Start {
    /// The broker without windows or a display. Takes the arguments of `lanyard agent`. Older helpers know only this
    /// command, so it must work for all that a helper starts.
    pub command: Vec<String>,
    /// The desktop app with the broker in it, hidden.
    desktop: Option<Vec<String>>,
    /// The path of the file that opened the vault of the last broker, which had no windows. It is no secret.
    passphrase_file: Option<String>,
}

impl Start {
    /// The commands to try, in this order, when a request finds no broker. If the last broker ran without windows and
    /// with a passphrase file: the same again. Else the app, if the user has a desktop here. Where it ends at once, as
    /// Chromium does without its sandbox: the broker alone.
    pub fn automatic(&self, on: Option<Desktop>) -> Vec<Vec<String>> {
        match (&self.passphrase_file, &self.desktop) {
            (Some(file), _) => {
                let words = ["--remembered-passphrase-file".to_owned(), file.clone()];
                vec![self.command.iter().cloned().chain(words).collect()]
            }
            (None, Some(desktop)) if on == Some(Desktop::Here) => vec![desktop.clone(), self.command.clone()],
            (None, _) => vec![self.command.clone()],
        }
    }

    /// Whether the app would be started, where it could open windows.
    pub fn wants_desktop(&self) -> bool {
        self.desktop.is_some() && self.passphrase_file.is_none()
    }

    /// The file that is the broker: after a script's interpreter and its options. None if it is not there.
    pub fn broker(&self) -> Option<PathBuf> {
        let named = self.command.iter().rev().map(Path::new).find(|word| word.is_absolute());
        named.and_then(|path| path.canonicalize().ok())
    }

    /// Fails where the broker's program is not there any more. The app writes its place anew when it starts.
    pub fn check_place(&self) -> Result<(), Failure> {
        let program = self.command.first().map(String::as_str).unwrap_or_default();
        match fs::symlink_metadata(program).map_err(|error| error.kind()) {
            Err(ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                let what = format!("can't start the agent: {program} is not there");
                Err(Failure::new(exit::UNREACHABLE, what).hint(match self.desktop {
                    Some(_) => "the app was moved or removed: open the Lanyard app again, where it is now",
                    None => "Lanyard was moved or removed: start it again, where it is now",
                }))
            }
            _ => Ok(()),
        }
    }
}

/// Reads start.json. None if the file doesn't exist. Fails for a file that another user could have written.
pub fn read(path: &Path, owner: FileOwner) -> Result<Option<Start>, Failure> {
    let Some(bytes) = os::read_trusted(path, owner)? else { return Ok(None) };
    parse(path, &bytes).map(Some)
}

/// Reads the start.json that an installer or a build put beside this program. None if there is no such file. A program
/// without an absolute path, and each word that begins with `../`, starts at this folder: the installation can be moved.
pub fn read_beside(folder: &Path) -> Result<Option<Start>, Failure> {
    let path = folder.join(START);
    let Some(bytes) = os::read_trusted(&path, FileOwner::MeOrRoot)? else { return Ok(None) };
    parse_under(&path, &bytes, Some(folder)).map(Some)
}

/// The folder has no links, so the text alone says what is above it.
fn under(folder: &Path, word: &str) -> PathBuf {
    match (word.strip_prefix("../"), folder.parent()) {
        (Some(rest), Some(above)) => under(above, rest),
        _ => folder.join(word),
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Start, Failure> {
    parse_under(path, bytes, None)
}

fn parse_under(path: &Path, bytes: &[u8], folder: Option<&Path>) -> Result<Start, Failure> {
    let wrong = |what: &str| Failure::new(exit::INTERNAL, format!("{}: {what}", path.display()));
    let StartFile { version, mut command, mut desktop, passphrase_file } =
        serde_json::from_slice(bytes).map_err(|error| wrong(&format!("not a start file: {error}")))?;
    if version != 1 {
        return Err(wrong("made by a newer lanyard").hint("update the helper"));
    }
    if let Some(folder) = folder {
        for words in [Some(&mut command), desktop.as_mut()].into_iter().flatten() {
            for (at, word) in words.iter_mut().enumerate() {
                if word.starts_with("../") || (at == 0 && !word.is_empty()) {
                    *word = under(folder, word).to_string_lossy().into_owned();
                }
            }
        }
    }
    let is_named =
        |words: &Vec<String>| words.first().is_some_and(|program| Path::new(program).is_absolute());
    if !is_named(&command) || !desktop.as_ref().is_none_or(is_named) {
        return Err(wrong("the command must begin with an absolute path"));
    }
    Ok(Start { command, desktop, passphrase_file })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Start, Failure> {
        parse(Path::new("/h/start.json"), text.as_bytes())
    }

    #[test]
    fn the_app_is_started_where_there_is_a_desktop_and_the_broker_alone_elsewhere_or_where_it_ends() {
        let start =
            parsed(r#"{"version":1,"command":["/l","agent"],"desktop":["/l","--hidden"],"later":[]}"#)
                .unwrap();
        assert_eq!(start.automatic(Some(Desktop::Here)), [["/l", "--hidden"], ["/l", "agent"]]);
        for desktop in [None, Some(Desktop::OfRoot)] {
            assert_eq!(start.automatic(desktop), [["/l", "agent"]]);
        }
    }

    #[test]
    fn a_file_of_an_older_lanyard_names_one_command_for_all() {
        let start = parsed(r#"{"version":1,"command":["/l"]}"#).unwrap();
        let only = vec![start.command.clone()];
        assert_eq!((start.automatic(Some(Desktop::Here)), start.automatic(None)), (only.clone(), only));
    }

    #[test]
    fn a_broker_that_a_passphrase_file_opened_is_started_with_it_again() {
        let start = parsed(
            r#"{"version":1,"command":["/l","agent"],"desktop":["/l","--hidden"],"passphraseFile":"/p"}"#,
        )
        .unwrap();
        for desktop in [Some(Desktop::Here), None] {
            let only = [["/l", "agent", "--remembered-passphrase-file", "/p"]];
            assert_eq!(start.automatic(desktop), only);
        }
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

    #[test]
    fn beside_the_program_a_path_may_be_relative_to_it() {
        let beside = |text: &str| {
            let folder = Path::new("/opt/L/resources/bin");
            parse_under(&folder.join(START), text.as_bytes(), Some(folder))
        };
        let start = beside(r#"{"version":1,"command":["../../l","agent"],"desktop":["/l"]}"#).unwrap();
        let alone = vec!["/opt/L/l".to_owned(), "agent".to_owned()];
        assert_eq!(start.automatic(Some(Desktop::Here)), [vec!["/l".to_owned()], alone.clone()]);
        assert_eq!(start.automatic(None), [alone]);
        let script = beside(r#"{"version":1,"command":["../../node","--flag=a/b","../main/l.js"]}"#).unwrap();
        assert_eq!(script.command, ["/opt/L/node", "--flag=a/b", "/opt/L/resources/main/l.js"]);
        assert!(beside(r#"{"version":1,"command":[""]}"#).is_err());
    }
}

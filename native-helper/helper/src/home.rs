//! The location of Lanyard's folder, from main/contract/paths.json. build.rs turns the file into constants.

use crate::failure::{Failure, exit};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

mod table {
    include!(concat!(env!("OUT_DIR"), "/paths.rs"));
}
pub use table::{HOME_VARIABLE, LOG, SOCKET, START};

/// The home, and whether LANYARD_HOME set it. If so, the helper starts no broker automatically.
#[derive(Debug, PartialEq, Eq)]
pub struct Home {
    pub folder: PathBuf,
    pub named: bool,
}

/// Reads the environment through `variable`.
pub fn find_home(variable: impl Fn(&str) -> Option<OsString>) -> Result<Home, Failure> {
    if let Some(value) = variable(HOME_VARIABLE).filter(|value| !value.is_empty()) {
        let folder = full(&PathBuf::from(value))
            .ok_or_else(|| Failure::new(exit::USAGE, format!("{HOME_VARIABLE} must be an absolute path")))?;
        return Ok(Home { folder, named: true });
    }
    table::HOME_ALTERNATIVES
        .iter()
        .find_map(|alternative| expand(alternative, &variable))
        .map(|folder| Home { folder, named: false })
        .ok_or_else(|| {
            Failure::new(exit::USAGE, "there is no home folder").hint(format!("set {HOME_VARIABLE}, or HOME"))
        })
}

/// `$VARIABLE/rest`; None where the variable is unset, empty or not absolute.
fn expand(alternative: &str, variable: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let (name, rest) = alternative.strip_prefix('$')?.split_once(['/', '\\'])?;
    full(&full(&PathBuf::from(variable(name)?))?.join(rest))
}

/// None where the path isn't absolute. Removes a slash at the end, which would make lstat follow a link.
#[cfg(not(windows))]
fn full(path: &Path) -> Option<PathBuf> {
    path.is_absolute().then(|| path.components().collect())
}

#[cfg(windows)]
fn full(path: &Path) -> Option<PathBuf> {
    one_spelling(path.to_str()?).map(PathBuf::from)
}

/// On Windows the pipe's name is made of the home's path, so one folder has one spelling, which the broker computes in
/// the same way (`folderOf` in main/domain/paths.ts). None for a path that isn't absolute, or has neither drive nor
/// share.
#[cfg(any(windows, test))]
fn one_spelling(path: &str) -> Option<String> {
    let is_separator = |character: char| matches!(character, '\\' | '/');
    let is_drive =
        |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.get(1..2) == Some(":");
    let long = path.strip_prefix(r"\\?\");
    let share = long.and_then(|rest| {
        rest.get(..4).filter(|start| start.eq_ignore_ascii_case(r"UNC\"))?;
        rest.get(4..)
    });
    let plain = match (long, share) {
        (_, Some(share)) => format!(r"\\{share}"),
        (Some(rest), None) if is_drive(rest) && rest.get(2..3) == Some(r"\") => rest.to_owned(),
        _ => path.to_owned(),
    };
    let (root, rest) = if is_drive(&plain) {
        let rest = plain.get(2..)?.strip_prefix(is_separator)?;
        (format!(r"{}\", plain.get(..2)?), rest)
    } else {
        let (server, rest) = plain.strip_prefix(r"\\")?.split_once(is_separator)?;
        let rest = rest.trim_start_matches(is_separator);
        let (share, rest) = rest.split_once(is_separator).unwrap_or((rest, ""));
        if server.is_empty() || server.starts_with(['?', '.']) || share.is_empty() {
            return None;
        }
        (format!(r"\\{server}\{share}\"), rest)
    };
    let mut parts = Vec::new();
    for part in rest.split(is_separator) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Some(root + &parts.join(r"\"))
}

#[cfg(test)]
mod tests {
    use super::one_spelling;

    /// The broker's test reads the same file.
    #[test]
    fn a_home_on_windows_has_one_spelling() {
        let rows: Vec<(String, Option<String>)> =
            serde_json::from_str(include_str!("../../../test/wire/tables/windows-homes.json")).unwrap();
        assert!(rows.len() > 20);
        for (given, home) in rows {
            assert_eq!(one_spelling(&given), home, "{given}");
        }
    }
}

/// By Linux' variables and paths.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests_on_linux {
    use super::*;

    fn home(variables: &[(&str, &str)]) -> Result<Home, Failure> {
        find_home(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into()))
    }

    fn folder(variables: &[(&str, &str)]) -> String {
        home(variables).unwrap().folder.to_str().unwrap().to_owned()
    }

    #[test]
    fn alternatives_count_in_order() {
        assert_eq!(folder(&[("XDG_DATA_HOME", "/data"), ("HOME", "/home/a")]), "/data/lanyard");
        assert_eq!(folder(&[("HOME", "/home/a")]), "/home/a/.local/share/lanyard");
    }

    #[test]
    fn what_is_empty_or_not_absolute_is_skipped() {
        for value in ["", "data", "./data"] {
            assert_eq!(
                folder(&[("XDG_DATA_HOME", value), ("HOME", "/home/a")]),
                "/home/a/.local/share/lanyard"
            );
        }
        assert_eq!(home(&[("HOME", "home")]).unwrap_err().code, exit::USAGE);
        assert_eq!(home(&[]).unwrap_err().code, exit::USAGE);
    }

    #[test]
    fn lanyard_home_wins_and_must_be_absolute() {
        let named = home(&[("LANYARD_HOME", "/l/"), ("XDG_DATA_HOME", "/data")]).unwrap();
        assert_eq!(named, Home { folder: "/l".into(), named: true });
        assert_eq!(home(&[("LANYARD_HOME", "l"), ("HOME", "/home/a")]).unwrap_err().code, exit::USAGE);
    }
}

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
        let folder = PathBuf::from(value);
        if !folder.is_absolute() {
            return Err(Failure::new(exit::USAGE, format!("{HOME_VARIABLE} must be an absolute path")));
        }
        return Ok(Home { folder: clean(&folder), named: true });
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
    let base = PathBuf::from(variable(name)?);
    base.is_absolute().then(|| clean(&base.join(rest)))
}

/// Removes a slash at the end, which would make lstat follow a link. On Windows the pipe's name is made of the path: one
/// folder has one form (`normalHome` in main/domain/paths.ts does the same).
fn clean(path: &Path) -> PathBuf {
    #[cfg(windows)]
    if let Ok(absolute) = std::path::absolute(path) {
        let text = absolute.to_string_lossy();
        return PathBuf::from(text.strip_prefix(r"\\?\").unwrap_or(&text)).components().collect();
    }
    path.components().collect()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
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

//! What of an order Windows could take for something else than it says.

use crate::frames::{Outcome, RunOrder};
use std::fs;
use std::io;

/// What CreateProcessW runs, and what cmd.exe runs. `find-program.ts` finds the same.
const PROGRAMS: [&str; 2] = [".exe", ".com"];
const BATCHES: [&str; 2] = [".bat", ".cmd"];

/// A command ends with its line for cmd.exe. A `%` names a variable, once more wherever the file passes the argument on
/// with `call`, and what that holds may end the quotes. The standard library quotes all else so that it stays one
/// argument.
const IN_NO_BATCH: [char; 3] = ['\r', '\n', '%'];

pub fn check(order: &RunOrder) -> Result<(), Outcome> {
    let refuse = |why: &str| Err(Outcome::not_started(why));
    let RunOrder { command, cwd, .. } = order;
    if !is_whole(command) || cwd.as_ref().is_some_and(|cwd| !is_whole(cwd)) {
        return refuse("its path is not absolute");
    }
    if !PROGRAMS.iter().chain(&BATCHES).any(|end| ends_with(command, end)) {
        return refuse("Windows runs only .exe, .com, .cmd and .bat directly");
    }
    // The standard library would run that one. It knows no other way to be told.
    if !ends_with(command, ".exe") && fs::symlink_metadata(format!("{command}.exe")).is_ok() {
        return refuse("a program of its name and .exe is beside it, which Windows would run");
    }
    let is_batch = BATCHES.iter().any(|end| ends_with(command, end));
    if is_batch && order.args.iter().any(|arg| arg.contains(IN_NO_BATCH)) {
        return refuse("a batch file can't be given an argument with a '%' or of more than one line");
    }
    if is_batch && command.contains(IN_NO_BATCH) {
        return refuse("a batch file whose path has a '%' can't be run");
    }
    if order.env.iter().any(|variable| variable.name.contains('=')) {
        return refuse("a variable's name holds '='");
    }
    // A missing folder would look like a missing program.
    if let Some((cwd, Err(error))) = cwd.as_ref().map(|cwd| (cwd, fs::metadata(cwd))) {
        return refuse(&format!("{cwd}: {}", words(&error)));
    }
    Ok(())
}

/// A drive and a path, or a share: no device, no stream of a file (`C:\a.txt:b.exe`), nothing that cmd.exe can't have
/// in quotes.
fn is_whole(path: &str) -> bool {
    let is_slash = |character: char| matches!(character, '\\' | '/');
    let mut start = path.chars();
    let rest = match (start.next(), start.next(), start.next()) {
        (Some(drive), Some(':'), Some(slash)) if drive.is_ascii_alphabetic() && is_slash(slash) => {
            start.as_str()
        }
        (Some('\\'), Some('\\'), Some(first)) if !is_slash(first) && !matches!(first, '?' | '.') => {
            start.as_str()
        }
        _ => return false,
    };
    !rest.contains([':', '"', '*', '?', '<', '>', '|']) && !rest.contains(char::is_control)
}

fn ends_with(path: &str, end: &str) -> bool {
    let from = path.len().saturating_sub(end.len());
    path.get(from..).is_some_and(|last| last.eq_ignore_ascii_case(end))
}

/// The system's message without its number.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{ends_with, is_whole};

    #[test]
    fn a_path_is_whole_with_its_drive_or_share_and_means_a_file_alone() {
        for good in
            [r"C:\a\b.exe", "c:/a/b.exe", r"\\host\share\b.cmd", r"C:\Program Files (x86)\a&b^%c%.cmd"]
        {
            assert!(is_whole(good), "{good}");
        }
        for bad in [
            "b.exe",
            r"\b.exe",
            r"C:b.exe",
            r".\b.exe",
            r"\\?\C:\b.exe",
            r"\\.\pipe\b.exe",
            r"\\",
            r"C:\a.txt:b.exe",
            "C:\\a\"b.cmd",
            "C:\\a\nb.cmd",
            "/bin/sh",
            "",
        ] {
            assert!(!is_whole(bad), "{bad}");
        }
    }

    #[test]
    fn a_kind_is_told_by_the_end_alone() {
        assert!(ends_with(r"C:\A.CMD", ".cmd"));
        for other in [r"C:\a.cmd.", r"C:\a.cmd ", r"C:\a.exe.ps1", "é", ""] {
            assert!(!ends_with(other, ".cmd"), "{other}");
        }
    }
}

//! docker's credential helper protocol, as docker, podman and others run it: an action as the one argument, the
//! request on standard input, the answer or the error on standard output, and no exit code but 0 and 1. Usage, version
//! and an unknown action are said here, in the words of docker-credential-helpers' `credentials.Serve`.

use crate::failure::{Failure, exit};
use crate::frames::{Request, base64};
use crate::reach::EXEC_INFO;
use crate::{Limits, dispatch, doors, input, invoked, output, session};
use std::env;
use zeroize::Zeroizing;

/// The name of the helper that docker's `credsStore: lanyard` runs.
pub const NAME: &str = "docker-credential-lanyard";

/// A server's URL, or one entry as JSON.
const STDIN_BYTES: usize = 64 * 1024;

/// Lanyard sets it for the credential helpers that it runs itself (main/accounts/credential-helper).
const MARKER: &str = "LANYARD_CREDENTIAL_HELPER";

const GOOD: u8 = 0;
const FAILED: u8 = 1;

/// Whether this is one of the names of the credential helper: `docker-credential-lanyard`, or one that begins so.
pub fn is_name(program: &str) -> bool {
    program.strip_prefix(NAME).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// All of it, from the command line to the exit code.
pub fn run(limits: &Limits) -> u8 {
    // The codes of the other commands are not this protocol's.
    match answer(limits) {
        Ok(GOOD) => GOOD,
        Ok(_) => FAILED,
        Err(failure) => say(&format!("lanyard: {}\n", failure.line()), FAILED),
    }
}

fn answer(limits: &Limits) -> Result<u8, Failure> {
    // A kubeconfig chose this command line (rule: no-deputy).
    if env::var_os(EXEC_INFO).is_some() {
        return Err(dispatch::only_credentials());
    }
    let program = invoked::program_name();
    let called_as = called_as(&program)?;
    let mut args = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    let (Some(action), None) = (args.next(), args.next()) else {
        return Ok(say(&usage(&program), FAILED));
    };
    match action.as_str() {
        "--version" | "-v" | "version" => Ok(say(&version(&program), GOOD)),
        "--help" | "-h" => Ok(say(&usage(&program), GOOD)),
        "get" | "store" | "erase" => {
            // Before the broker is reached, so that a large request costs it nothing (rule: bounded-input).
            let input = input::read(STDIN_BYTES)?;
            let input = Zeroizing::new(base64(&input));
            ask(limits, called_as, &action, &input)
        }
        // docker writes a word there that says nothing: it is left unread.
        "list" => ask(limits, called_as, &action, ""),
        _ => Ok(say(&format!("{program}: unknown action: {}\n", shown(&action)), FAILED)),
    }
}

fn ask(limits: &Limits, called_as: Option<&str>, action: &str, input: &str) -> Result<u8, Failure> {
    if env::var_os(MARKER).is_some() {
        let message = "asked by a credential helper that Lanyard runs: Lanyard would ask itself";
        return Err(Failure::new(exit::NOT_PERMITTED, message.to_owned()));
    }
    session::converse(limits, &doors::DOCKER, Request::Docker { called_as, action, input })
}

/// NAME of `docker-credential-lanyard-NAME`.
fn called_as(program: &str) -> Result<Option<&str>, Failure> {
    let Some(name) = program.strip_prefix(NAME).and_then(|rest| rest.strip_prefix('-')) else {
        return Ok(None);
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if (1..=128).contains(&name.len()) && name.bytes().all(is_name) {
        return Ok(Some(name));
    }
    let message = format!("behind {NAME}- stand letters, digits, '.', '_' and '-', 128 at most");
    Err(Failure::new(exit::USAGE, message))
}

fn usage(program: &str) -> String {
    format!("Usage: {program} <store|get|erase|list|version>\n")
}

fn version(program: &str) -> String {
    format!("{program} (lanyard) v{}\n", env!("CARGO_PKG_VERSION"))
}

fn shown(word: &str) -> String {
    crate::strip::strip(word).replace(['\n', '\t'], " ").chars().take(64).collect()
}

/// On standard output, errors too: the clients read nothing else. One that has gone away is told nothing.
fn say(text: &str, code: u8) -> u8 {
    match output::stdout(text.as_bytes()) {
        Ok(_) => code,
        Err(_) => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_names_are_told_from_others() {
        for name in
            ["docker-credential-lanyard", "docker-credential-lanyard-work", "docker-credential-lanyard-"]
        {
            assert!(is_name(name), "{name}");
        }
        for name in
            ["lanyard", "docker-credential-lanyards", "docker-credential-lanyard.exe", "kubectl-lanyard", ""]
        {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn what_stands_behind_the_name_is_bounded() {
        assert_eq!(called_as(NAME), Ok(None));
        assert_eq!(called_as("docker-credential-lanyard-A.b_c-1"), Ok(Some("A.b_c-1")));
        let long = "x".repeat(129);
        for name in ["", "a b", "a/b", "ä", "a\n", &long] {
            assert!(called_as(&format!("{NAME}-{name}")).is_err(), "{name:?}");
        }
    }
}

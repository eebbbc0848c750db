//! A plugin for the tests on Windows, which has no shell that is always there. What it does is in PLUGIN_DOES, so that
//! all of its arguments are the test's.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;
use std::{env, process};

const LIFE: Duration = Duration::from_secs(120);

fn main() {
    let does = env::var("PLUGIN_DOES").unwrap_or_default();
    let (what, more) = does.split_once(' ').unwrap_or((&does, ""));
    match what {
        "args" => print!("{}", serde_json::to_string(&env::args().skip(1).collect::<Vec<_>>()).unwrap()),
        "env" => print!("{}", serde_json::to_string(&env::vars().collect::<BTreeMap<_, _>>()).unwrap()),
        "folder" => print!("{}", env::current_dir().unwrap().display()),
        "exit" => exit(more.parse::<u32>().unwrap().cast_signed()),
        "say" => eprint!("{more}"),
        "input" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).unwrap();
            print!("<{text}>");
        }
        "flood" => while io::stdout().write_all(&[b'x'; 4096]).is_ok() {},
        "hang" => {
            eprintln!("{}", process::id());
            sleep(LIFE);
        }
        "tree" => {
            eprintln!("{}", process::id());
            itself("hang", Stdio::inherit()).wait().unwrap();
        }
        "leave" => print!("{}", itself("hang", Stdio::null()).id()),
        "pipes" => print!("{}", pipes()),
        "console" => {
            eprintln!("ready");
            let mut line = String::new();
            io::stdin().read_line(&mut line).unwrap();
            print!("{} {}", io::stdin().is_terminal(), line.trim_end());
        }
        other => panic!("{other}"),
    }
}

fn itself(does: &str, stderr: Stdio) -> process::Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.env("PLUGIN_DOES", does).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
    command.spawn().unwrap()
}

/// How many pipes this process has handles of.
#[cfg(windows)]
fn pipes() -> usize {
    use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_PIPE, GetFileType};
    // SAFETY: the system checks the number itself.
    (4..4096_usize).step_by(4).filter(|number| unsafe { GetFileType(*number as _) } == FILE_TYPE_PIPE).count()
}

#[cfg(not(windows))]
fn pipes() -> usize {
    0
}

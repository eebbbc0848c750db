use super::super::{signals, system};
use super::Talk;
use super::keys::Keys;
use crate::environment::is_meant;
use crate::frames::{Outcome, RunOrder};
use crate::loader_variables::may_reach_plugin;
use rustix::process::{Pid, getpid, setpgid, setsid};
use rustix::termios::tcsetpgrp;
use std::env;
use std::ffi::CString;
use std::fs;
use std::io::{self, ErrorKind, Read, Write, stdin};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::spawn;
use zeroize::Zeroizing;

/// Starts the program: in the terminal's foreground with its standard input, or in its own session with the order's
/// input. With `talk`, what it writes goes there: the descriptor that is returned ends when all is passed on.
pub fn start(
    order: &RunOrder,
    keys: Option<&Keys>,
    screen: Option<OwnedFd>,
    talk: Option<Talk>,
) -> Result<(Child, Option<OwnedFd>), Outcome> {
    check_paths(order)?;
    let image = Image::of(order).map_err(|what| Outcome::not_started(&what))?;
    let mut command = Command::new(&order.command);
    command.stdout(Stdio::piped()).stderr(screen.map_or_else(Stdio::piped, Stdio::from));
    command.stdin(match &order.input {
        Some(_) => Stdio::piped(),
        None if talk.is_some() => Stdio::piped(),
        None if order.terminal => Stdio::inherit(),
        None => Stdio::null(),
    });
    if let Some(cwd) = &order.cwd {
        command.current_dir(cwd);
    }
    let (parent, terminal, keys) = (getpid(), order.terminal, keys.map(AsRawFd::as_raw_fd));
    // SAFETY: the child makes system calls only, which are safe between fork and exec; nothing is allocated.
    unsafe { command.pre_exec(move || image.become_it(parent, terminal, keys)) };
    let mut child = command.spawn().map_err(|error| why_not(order, &error))?;
    if let Some(input) = &order.input {
        feed(input.clone(), child.stdin.take());
    }
    let out = talk.and_then(|talk| pass(talk, &mut child));
    Ok((child, out))
}

/// Passes on what is written, both ways, beside the run. The program has pipes of its own: some can't open the
/// broker's sockets by name, as `/dev/stdin`.
fn pass(talk: Talk, child: &mut Child) -> Option<OwnedFd> {
    let (stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    let (passed, held) = UnixStream::pair().ok()?;
    spawn(move || copy(talk.to_program, stdin));
    spawn(move || {
        copy(stdout, talk.from_program);
        drop(held);
    });
    Some(passed.into())
}

/// Up to the end of either. Both may be credentials, so no copy stays.
fn copy(mut from: impl Read, mut to: impl Write) {
    let mut buffer = Zeroizing::new([0; 16 * 1024]);
    loop {
        match from.read(&mut *buffer) {
            Ok(0) => return,
            Ok(count) if to.write_all(buffer.get(..count).unwrap_or_default()).is_err() => return,
            Err(error) if error.kind() != ErrorKind::Interrupted => return,
            _ => {}
        }
    }
}

/// Writes beside the run: a program may answer, or hang, before it has read all. It may also end without reading.
fn feed(input: Zeroizing<String>, line: Option<ChildStdin>) {
    spawn(move || line.map(|mut line| line.write_all(input.as_bytes())));
}

/// Checks the folder first: a missing one would look like a missing program.
fn check_paths(order: &RunOrder) -> Result<(), Outcome> {
    let absolute = |path: &str| path.starts_with('/');
    if !absolute(&order.command) || order.cwd.as_ref().is_some_and(|cwd| !absolute(cwd)) {
        return Err(Outcome::not_started("its path is not absolute"));
    }
    match order.cwd.as_ref().map(|cwd| (cwd, fs::metadata(cwd))) {
        Some((cwd, Err(error))) => Err(Outcome::not_started(&format!("{cwd}: {}", words(&error)))),
        _ => Ok(()),
    }
}

/// Tells a missing program from a script whose interpreter is missing: the error is the same.
fn why_not(order: &RunOrder, error: &io::Error) -> Outcome {
    let is_missing = |path: &Path| {
        fs::metadata(path)
            .is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
    };
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory if is_missing(Path::new(&order.command)) => {
            Outcome::NotFound
        }
        _ => Outcome::not_started(&words(error)),
    }
}

/// The system's message without its number.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.to_owned())
}

/// The arguments of execve, made before the fork. Wiped when dropped.
struct Image {
    path: CString,
    /// Addresses within `_texts`, then a zero. Stored as numbers, because a closure that is sent can't contain
    /// pointers.
    args: Vec<usize>,
    env: Vec<usize>,
    _texts: Vec<Zeroizing<Vec<u8>>>,
}

impl Image {
    fn of(order: &RunOrder) -> Result<Self, String> {
        let mut texts = Vec::new();
        let mut end = |text: Vec<u8>| {
            let mut text = Zeroizing::new(text);
            if text.contains(&0) {
                return Err("an argument or a variable holds a zero byte".to_owned());
            }
            text.reserve_exact(1);
            text.push(0);
            let address = text.as_ptr() as usize;
            texts.push(text);
            Ok(address)
        };
        let path = CString::new(order.command.as_str()).map_err(|_| "its path holds a zero byte")?;
        let mut args = vec![end(order.command.clone().into_bytes())?];
        for arg in &order.args {
            args.push(end(arg.clone().into_bytes())?);
        }
        args.push(0);
        let mut env = Vec::new();
        for variable in &order.env {
            if variable.name.contains('=') {
                return Err("a variable's name holds '='".to_owned());
            }
            env.push(end(assignment(variable.name.as_bytes(), variable.value.as_bytes()))?);
        }
        for (name, value) in env::vars_os().filter(|(name, _)| passes(order, name.as_bytes())) {
            env.push(end(assignment(name.as_bytes(), value.as_bytes()))?);
        }
        env.push(0);
        Ok(Image { path, args, env, _texts: texts })
    }

    /// Runs in the child. Becomes the program, or returns the error.
    fn become_it(&self, parent: Pid, terminal: bool, keys: Option<RawFd>) -> io::Result<()> {
        if terminal {
            setpgid(None, None)?;
            if let Some(line) = keys {
                Keys::let_join(line);
            }
            // Before exec, so that the program is in the foreground when it first asks.
            signals::let_write_from_behind(true);
            let given = tcsetpgrp(stdin(), getpid());
            signals::let_write_from_behind(false);
            given?;
        } else {
            setsid()?;
        }
        system::end_with(parent)?;
        system::close_inherited_on_exec();
        // SAFETY: both lists end with a zero, and their texts live as long as this. Doesn't use the standard library's
        // exec, which runs a file of unknown format with a shell.
        unsafe { libc::execve(self.path.as_ptr(), self.args.as_ptr().cast(), self.env.as_ptr().cast()) };
        Err(io::Error::last_os_error())
    }
}

/// Reserves room for the zero, too: a buffer that grows leaves a copy behind.
fn assignment(name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(name.len() + value.len() + 2);
    text.extend_from_slice(name);
    text.push(b'=');
    text.extend_from_slice(value);
    text
}

/// Whether to pass on this variable of this process. A variable of the order wins.
fn passes(order: &RunOrder, name: &[u8]) -> bool {
    let is_asked_for = |pattern: &String| {
        pattern == "*" || std::str::from_utf8(name).is_ok_and(|name| is_meant(pattern, name))
    };
    may_reach_plugin(name)
        && order.pass.iter().any(is_asked_for)
        && !order.env.iter().any(|variable| variable.name.as_bytes() == name)
}

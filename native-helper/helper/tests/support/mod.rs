//! A home for one test, a broker that sends what the test wants, and the helper with a time limit.
#![allow(dead_code)]

pub mod listener;
#[cfg(target_os = "linux")]
pub mod pty;

pub use listener::LIFE;
use listener::{Listener, Stream};
use serde_json::Value;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub fn helper() -> PathBuf {
    built().join(format!("lanyard{EXE_SUFFIX}"))
}

/// `cargo test` builds the examples beside the binary.
pub fn example(name: &str) -> PathBuf {
    let path = built().join("examples").join(format!("{name}{EXE_SUFFIX}"));
    assert!(path.exists(), "{} is missing: run cargo test without --test, or --examples", path.display());
    path
}

/// From this program's own place: Cargo's paths are those of the machine that it built on.
fn built() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().and_then(Path::parent).unwrap().to_owned()
}

/// The program by this name: a link to it, or on Windows a copy, as the broker makes them.
pub fn called(folder: &Path, name: &str, program: &Path) -> PathBuf {
    let path = folder.join(format!("{name}{EXE_SUFFIX}"));
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, &path).unwrap();
    #[cfg(windows)]
    fs::copy(program, &path).unwrap();
    path
}

/// With an empty environment. Windows' own libraries need one variable.
pub fn bare(program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).env_clear().stdin(Stdio::null());
    #[cfg(windows)]
    command.env("SystemRoot", std::env::var_os("SystemRoot").unwrap());
    command
}

pub struct Home {
    pub path: PathBuf,
}

impl Home {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("lanyard-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        close(&path);
        Home { path }
    }

    /// The program with only this home in its environment.
    pub fn command(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = bare(program, args);
        command.env("LANYARD_HOME", &self.path);
        #[cfg(unix)]
        with_default_signals(&mut command);
        command
    }

    pub fn kube(&self, program: &Path) -> Command {
        let mut command = self.command(program, &["kube-credential", "--account", "corp"]);
        command.env("KUBERNETES_EXEC_INFO", "{}");
        command
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(unix)]
fn with_default_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // SAFETY: four system calls between fork and exec. A background job inherits ignored signals and keeps them; tests
    // of signals would then wait for ever.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGHUP, libc::SIGTERM] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
}

/// In a separate session, or on Windows without the console of this process.
pub fn without_terminal(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    // SAFETY: one system call between fork and exec.
    unsafe {
        use std::os::unix::process::CommandExt;
        command.pre_exec(|| Ok(rustix::process::setsid().map(drop)?))
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        command.creation_flags(windows_sys::Win32::System::Threading::DETACHED_PROCESS)
    }
}

#[cfg(unix)]
pub fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Only this user can enter or read it.
pub fn close(path: &Path) {
    #[cfg(unix)]
    set_mode(path, if path.is_dir() { 0o700 } else { 0o600 });
    #[cfg(windows)]
    lanyard_windows::close_to_others(path).unwrap();
}

/// Everybody can read it, and no one else can write it.
pub fn open_for_reading(path: &Path) {
    #[cfg(unix)]
    set_mode(path, if path.is_dir() { 0o755 } else { 0o644 });
    #[cfg(windows)]
    lanyard_windows::set_access_list(path, &format!("D:P(A;OICI;FA;;;{})(A;OICI;0x1200a9;;;WD)", me()))
        .unwrap();
}

/// Everybody can read and write it.
pub fn open_for_writing(path: &Path) {
    #[cfg(unix)]
    set_mode(path, if path.is_dir() { 0o777 } else { 0o666 });
    #[cfg(windows)]
    lanyard_windows::set_access_list(path, "D:P(A;OICI;FA;;;WD)").unwrap();
}

#[cfg(windows)]
fn me() -> String {
    lanyard_windows::my_user().unwrap().text().unwrap()
}

pub struct Ended {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ended {
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or(-1)
    }

    /// Checks the exit code and the text on stderr, and that stdout is empty.
    pub fn failed(&self, code: i32, said: &str) {
        assert!(self.stderr.contains(said), "{said:?} is not in {:?}", self.stderr);
        assert_eq!(self.code(), code, "{}", self.stderr);
        assert_eq!(self.stdout, b"");
    }
}

/// A program that was just copied is busy as long as a child of another thread, not yet its own program, has it open.
pub fn spawn(command: &mut Command) -> Child {
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(5))
            }
            spawned => return spawned.unwrap(),
        }
    }
}

pub fn run(command: &mut Command) -> Ended {
    finish(spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped())))
}

pub fn finish(mut child: Child) -> Ended {
    let out = read_all(child.stdout.take());
    let err = read_all(child.stderr.take());
    let status = wait(&mut child);
    let all =
        |of: Receiver<Vec<u8>>| of.recv_timeout(LIFE).expect("another process holds the helper's output");
    Ended { status, stdout: all(out), stderr: String::from_utf8(all(err)).unwrap() }
}

fn read_all(from: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (tell, told) = channel();
    thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut from) = from {
            from.read_to_end(&mut all).unwrap();
        }
        tell.send(all)
    });
    told
}

pub fn wait(child: &mut Child) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > LIFE {
            child.kill().unwrap();
            panic!("the helper hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The broker's end of one connection.
pub struct Talk(pub Stream);

impl Talk {
    /// The next frame. None once the helper has closed the connection.
    pub fn hear(&mut self) -> Option<Value> {
        let mut header = [0; 4];
        self.0.read_exact(&mut header).ok()?;
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        self.0.read_exact(&mut body).ok()?;
        Some(serde_json::from_slice(&body).unwrap())
    }

    pub fn say(&mut self, frame: Value) {
        self.raw(&bytes(&frame));
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        // The helper may have closed the connection already. The test checks how it ended.
        let _ = self.0.write_all(bytes);
    }

    /// Reads the hello and sends the welcome.
    pub fn welcome(&mut self) -> Value {
        let hello = self.hear().unwrap();
        self.say(serde_json::json!({ "kind": "welcome", "protocol": 1, "broker": "test" }));
        hello
    }
}

pub fn bytes(frame: &Value) -> Vec<u8> {
    let body = serde_json::to_vec(frame).unwrap();
    let mut bytes = u32::try_from(body.len()).unwrap().to_be_bytes().to_vec();
    bytes.extend_from_slice(&body);
    bytes
}

/// Accepts one connection and runs `talk`. Closes the connection afterwards.
pub fn broker<T: Send + 'static>(
    home: &Home,
    talk: impl FnOnce(&mut Talk) -> T + Send + 'static,
) -> JoinHandle<T> {
    let mut listener = Listener::bind(&home.path).unwrap();
    thread::spawn(move || talk(&mut Talk(listener.accept().unwrap())))
}

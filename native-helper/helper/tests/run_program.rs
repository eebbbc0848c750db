//! `lanyard run-program`: an order on standard input, its outcome on standard output.
#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr
)]

mod support;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use support::{Home, LIFE, bytes, helper, run, wait};

struct Runner {
    home: Home,
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

/// What the test read: the program's stderr, and the outcome of the last frame, if any.
struct Went {
    said: String,
    outcome: Option<Value>,
    alive: usize,
}

fn order(script: &str) -> Value {
    json!({
        "kind": "run", "id": 3, "command": "/bin/sh", "args": ["-c", script], "env": [], "pass": ["PATH"],
        "cwd": null, "terminal": false, "maxBytes": 1024 * 1024, "seconds": 60,
    })
}

fn with(mut order: Value, key: &str, value: Value) -> Value {
    order[key] = value;
    order
}

impl Runner {
    fn prepared(home: Home, prepare: impl FnOnce(&mut Command)) -> Self {
        let mut command = home.command(&helper(), &["run-program"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("PATH", "/usr/bin:/bin");
        prepare(&mut command);
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Runner { home, child, input, output }
    }

    fn start(order: &Value) -> Self {
        let mut runner = Runner::prepared(Home::new(), |command| {
            command.current_dir("/");
        });
        runner.say(order);
        runner
    }

    fn say(&mut self, frame: &Value) {
        self.input.as_mut().unwrap().write_all(&bytes(frame)).unwrap();
    }

    fn hear(&mut self) -> Option<Value> {
        let mut header = [0; 4];
        self.output.read_exact(&mut header).ok()?;
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        self.output.read_exact(&mut body).unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    /// Reads frames until the program has written this to stderr.
    fn hear_said(&mut self, text: &str) -> String {
        let mut said = String::new();
        while !said.contains(text) {
            let frame = self.hear().unwrap();
            if frame["kind"] == "said" {
                said.push_str(&decoded(&frame["data"]));
            }
        }
        said
    }

    fn rest(&mut self) -> Went {
        let mut went = Went { said: String::new(), outcome: None, alive: 0 };
        while let Some(frame) = self.hear() {
            assert_eq!(frame["id"], 3);
            assert!(went.outcome.is_none(), "{frame}");
            match frame["kind"].as_str().unwrap() {
                "alive" => went.alive += 1,
                "said" => went.said.push_str(&decoded(&frame["data"])),
                "ran" => went.outcome = Some(frame["outcome"].clone()),
                other => panic!("{other}"),
            }
        }
        went
    }

    /// The outcome, and the helper's own exit status and stderr.
    fn end(mut self) -> (Went, ExitStatus, String) {
        let went = self.rest();
        let status = wait(&mut self.child);
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (went, status, stderr)
    }
}

fn decoded(value: &Value) -> String {
    String::from_utf8_lossy(&STANDARD.decode(value.as_str().unwrap()).unwrap()).into_owned()
}

fn outcome_of(order: &Value) -> Value {
    let (went, status, stderr) = Runner::start(order).end();
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
    went.outcome.unwrap()
}

fn exited(code: u8, stdout: &str) -> Value {
    json!({ "how": "exited", "code": code, "stdout": STANDARD.encode(stdout) })
}

fn pid_in(text: &str) -> Pid {
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

/// Waits until the process has ended.
fn assert_gone(pid: Pid) {
    let began = Instant::now();
    while test_kill_process(pid).is_ok() {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        if stat.contains(") Z ") || stat.is_empty() {
            return;
        }
        assert!(began.elapsed() < LIFE, "{stat} lives on");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_programs_end_and_what_it_wrote_come_back() {
    let (went, status, stderr) =
        Runner::start(&order("echo one >&2; printf out; echo two >&2; exit 7")).end();
    assert_eq!(went.outcome.unwrap(), exited(7, "out"));
    assert_eq!(went.said, "one\ntwo\n");
    assert!(went.alive >= 1);
    // The program's stderr must not go to the broker's own stderr.
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn all_of_a_large_stdout_comes_back_and_one_byte_more_is_too_much() {
    let script = |count: u32| order(&format!("head -c {count} /dev/zero"));
    let outcome = outcome_of(&with(script(4 * 1024 * 1024), "maxBytes", json!(4 * 1024 * 1024)));
    assert_eq!(STANDARD.decode(outcome["stdout"].as_str().unwrap()).unwrap(), vec![0; 4 * 1024 * 1024]);
    let outcome = outcome_of(&with(script(1001), "maxBytes", json!(1000)));
    assert_eq!(outcome, json!({ "how": "tooLarge" }));
}

#[test]
fn a_program_that_writes_without_end_is_ended() {
    let (went, ..) =
        Runner::start(&with(order("trap '' PIPE TERM; yes; sleep 100"), "maxBytes", json!(10))).end();
    assert_eq!(went.outcome.unwrap(), json!({ "how": "tooLarge" }));
}

#[test]
fn of_stderr_64_kib_are_told() {
    let (went, ..) = Runner::start(&order("head -c 300000 /dev/zero | tr '\\0' x >&2; echo ok")).end();
    assert_eq!(went.said, "x".repeat(64 * 1024));
    assert_eq!(went.outcome.unwrap(), exited(0, "ok\n"));
}

#[test]
fn its_environment_is_what_is_ordered_and_passed() {
    let mut runner = Runner::prepared(Home::new(), |command| {
        for (name, value) in [
            ("LC_ALL", "C"),
            ("LC_TIME", "x"),
            ("TERM", "xterm"),
            ("SECRET", "no"),
            ("LD_AUDIT", ""),
            ("NODE_OPTIONS", "--x"),
            ("LANYARD_NO_START", "1"),
        ] {
            command.env(name, value);
        }
    });
    let env = json!([
        { "name": "TERM", "value": "dumb" },
        { "name": "KUBERNETES_EXEC_INFO", "value": "{\"größe\":1}" },
        { "name": "EMPTY", "value": "" },
    ]);
    let direct = json!({
        "kind": "run", "id": 3, "command": "/usr/bin/env", "args": [], "env": env,
        "pass": ["LC_*", "TERM", "NODE_OPTIONS", "LD_*", "UNSET"],
        "cwd": null, "terminal": false, "maxBytes": 10000, "seconds": 60,
    });
    runner.say(&direct);
    let (went, ..) = runner.end();
    let mut told: Vec<String> =
        decoded(&went.outcome.unwrap()["stdout"]).lines().map(str::to_owned).collect();
    told.sort();
    assert_eq!(told, ["EMPTY=", "KUBERNETES_EXEC_INFO={\"größe\":1}", "LC_ALL=C", "LC_TIME=x", "TERM=dumb"]);
}

#[test]
fn all_may_be_passed_but_what_loads_code_and_what_is_lanyards() {
    let mut runner = Runner::prepared(Home::new(), |command| {
        command.env("A", "1").env("ld_preload", "").env("BASH_ENV", "x").env("LANYARD_X", "y");
    });
    let mut all = with(with(order(""), "pass", json!(["*"])), "command", json!("/usr/bin/env"));
    all["args"] = json!([]);
    runner.say(&all);
    let (went, ..) = runner.end();
    let mut told: Vec<String> =
        decoded(&went.outcome.unwrap()["stdout"]).lines().map(str::to_owned).collect();
    told.sort();
    assert_eq!(told, ["A=1", "PATH=/usr/bin:/bin"]);
}

#[test]
fn it_reads_what_the_order_has_for_it() {
    let large = "x".repeat(300 * 1024);
    let read = outcome_of(&with(order("wc -c"), "input", json!(large)));
    assert_eq!(read, exited(0, &format!("{}\n", large.len())));
    let deaf = outcome_of(&with(order("exit 3"), "input", json!(large)));
    assert_eq!(deaf, exited(3, ""));
    let mut hangs = with(order("sleep 100"), "input", json!(large));
    hangs["seconds"] = json!(1);
    assert_eq!(outcome_of(&hangs), json!({ "how": "timedOut" }));
}

#[test]
fn what_it_leaves_running_ends_with_it_where_that_is_ordered() {
    let script = "sleep 100 >/dev/null 2>&1 & setsid sleep 100 >/dev/null 2>&1 & echo $!";
    let left = with(order(script), "endsAll", json!(true));
    let ended = outcome_of(&left);
    assert_gone(pid_in(&decoded(&ended["stdout"])));
}

#[test]
fn it_has_no_terminal_no_standard_input_and_nothing_of_ours_open() {
    let outcome =
        outcome_of(&order("read x || echo end; ls /proc/self/fd; cut -d' ' -f1,5,6 /proc/$$/stat; echo $$"));
    let text = decoded(&outcome["stdout"]);
    let lines: Vec<&str> = text.lines().collect();
    // ls has the folder open as descriptor 3.
    assert_eq!(&lines[..5], ["end", "0", "1", "2", "3"], "{text}");
    let pid = lines[6];
    assert_eq!(lines[5], format!("{pid} {pid} {pid}"), "it is not in a session of its own");
}

#[test]
fn a_folder_that_is_open_here_is_not_open_there() {
    // Like a caller that leaks a descriptor: 9 stays open over exec.
    let (mine, theirs) = UnixStream::pair().unwrap();
    let mut runner = Runner::prepared(Home::new(), |command| {
        let fd = std::os::fd::AsRawFd::as_raw_fd(&theirs);
        // SAFETY: one system call between fork and exec, on descriptors that are open there.
        unsafe {
            command.pre_exec(move || {
                if libc::dup2(fd, 9) == 9 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
            });
        }
    });
    runner.say(&order("ls /proc/self/fd | tr '\\n' ' '"));
    let (went, ..) = runner.end();
    assert_eq!(went.outcome.unwrap(), exited(0, "0 1 2 3 "));
    drop((mine, theirs));
}

#[test]
fn it_runs_in_the_folder_that_is_ordered() {
    assert_eq!(outcome_of(&with(order("pwd"), "cwd", json!("/usr"))), exited(0, "/usr\n"));
    assert_eq!(outcome_of(&order("pwd")), exited(0, "/\n"));
    assert_eq!(
        outcome_of(&with(order("pwd"), "cwd", json!("/nowhere"))),
        json!({ "how": "notStarted", "message": "/nowhere: No such file or directory" })
    );
}

#[test]
fn why_a_program_does_not_start_is_told_apart() {
    let home = Home::new();
    let path = |name: &str| home.path.join(name).to_str().unwrap().to_owned();
    let script = |name: &str, text: &str, mode| {
        fs::write(home.path.join(name), text).unwrap();
        support::set_mode(&home.path.join(name), mode);
    };
    script("no-interpreter", "#!/nowhere/sh\n", 0o755);
    script("no-format", "echo x\n", 0o755);
    script("not-executable", "#!/bin/sh\n", 0o644);
    let command = |path: &str| outcome_of(&with(order(""), "command", json!(path)));
    let not_started = |message: &str| json!({ "how": "notStarted", "message": message });
    assert_eq!(command(&path("missing")), json!({ "how": "notFound" }));
    assert_eq!(command(&path("no-format/below")), json!({ "how": "notFound" }));
    assert_eq!(command(&path("no-interpreter")), not_started("No such file or directory"));
    // A shell would run it. client-go doesn't.
    assert_eq!(command(&path("no-format")), not_started("Exec format error"));
    assert_eq!(command(&path("not-executable")), not_started("Permission denied"));
    assert_eq!(command(home.path.to_str().unwrap()), not_started("Permission denied"));
    assert_eq!(command("sh"), not_started("its path is not absolute"));
    let zero = with(order(""), "args", json!(["a\0b"]));
    assert_eq!(outcome_of(&zero), not_started("an argument or a variable holds a zero byte"));
    let equals = with(order(""), "env", json!([{ "name": "LD=", "value": "" }]));
    assert_eq!(outcome_of(&equals), not_started("a variable's name holds '='"));
}

#[test]
fn a_signal_that_ends_it_is_told() {
    assert_eq!(outcome_of(&order("kill -9 $$")), json!({ "how": "signalled", "signal": 9 }));
    // No key sent the signal: there is no terminal.
    assert_eq!(outcome_of(&order("kill -INT $$")), json!({ "how": "signalled", "signal": 2 }));
    assert_eq!(outcome_of(&order("exit 130"))["code"], 130);
}

/// Starts processes that ignore SIGTERM, run in their own sessions, and have lost their parents. Each prints its pid.
const HIDING: &str = r#"
trap '' TERM HUP INT
sh -c 'trap "" TERM HUP; echo $$ >&2; exec sleep 1000' &
setsid sh -c 'trap "" TERM HUP; echo $$ >&2; sleep 1000 & echo $! >&2; wait' &
(setsid sh -c 'trap "" TERM; (setsid sleep 1000 & echo $! >&2); echo $$ >&2; exec sleep 1000' &)
wait
sleep 1000
"#;

fn hidden(said: &str) -> Vec<Pid> {
    said.split_whitespace().map(pid_in).collect()
}

/// Reads the five pids.
fn hear_hidden(runner: &mut Runner) -> Vec<Pid> {
    let mut said = String::new();
    while said.lines().count() < 5 {
        said.push_str(&runner.hear_said("\n"));
    }
    hidden(&said)
}

// (rule: no-stray-program)
#[test]
fn a_program_that_takes_too_long_is_ended_with_all_it_started() {
    let mut runner = Runner::start(&with(order(HIDING), "seconds", json!(1)));
    let pids = hear_hidden(&mut runner);
    let (went, ..) = runner.end();
    assert_eq!(went.outcome.unwrap(), json!({ "how": "timedOut" }));
    assert!(went.alive >= 1);
    for pid in pids {
        assert_gone(pid);
    }
}

#[test]
fn it_may_end_by_itself_when_told_to() {
    let script = "trap 'echo bye >&2; exit 3' TERM; echo up >&2; while :; do sleep 0.05; done";
    let (went, ..) = Runner::start(&with(order(script), "seconds", json!(1))).end();
    assert_eq!(went.outcome.unwrap(), json!({ "how": "timedOut" }));
    // The shell may report in between how its child ended.
    assert!(went.said.starts_with("up\n") && went.said.ends_with("bye\n"), "{:?}", went.said);
}

#[test]
fn cancel_ends_it_with_all_it_started_and_nothing_is_answered() {
    let mut runner = Runner::start(&order(HIDING));
    let pids = hear_hidden(&mut runner);
    runner.say(&json!({ "kind": "cancel", "id": 3 }));
    let (went, status, _) = runner.end();
    assert!(went.outcome.is_none());
    assert_eq!(status.code(), Some(0));
    for pid in pids {
        assert_gone(pid);
    }
}

#[test]
fn the_end_of_standard_input_ends_it_with_all_it_started() {
    let mut runner = Runner::start(&order(HIDING));
    let pids = hear_hidden(&mut runner);
    runner.input = None;
    let (went, ..) = runner.end();
    assert!(went.outcome.is_none());
    for pid in pids {
        assert_gone(pid);
    }
}

#[test]
fn a_broker_that_is_gone_leaves_no_program_behind() {
    let mut runner = Runner::start(&order(HIDING));
    let pids = hear_hidden(&mut runner);
    let Runner { child, input, output, home } = runner;
    drop((input, output));
    for pid in pids {
        assert_gone(pid);
    }
    drop((child, home));
}

#[test]
fn a_helper_that_is_killed_leaves_no_program_behind() {
    let mut runner = Runner::start(&order("echo $$ >&2; exec sleep 1000"));
    let pid = pid_in(&runner.hear_said("\n"));
    runner.child.kill().unwrap();
    wait(&mut runner.child);
    assert_gone(pid);
}

#[test]
fn a_signal_to_the_helper_ends_both() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::INT, 2), (Signal::HUP, 1)] {
        let mut runner = Runner::start(&order(HIDING));
        let pids = hear_hidden(&mut runner);
        kill_process(Pid::from_child(&runner.child), signal).unwrap();
        let (went, status, _) = runner.end();
        assert_eq!(went.outcome.unwrap(), json!({ "how": "interrupted", "signal": number }));
        assert_eq!(status.signal(), Some(number));
        for pid in pids {
            assert_gone(pid);
        }
    }
}

#[test]
fn the_end_of_whoever_started_the_helper_ends_both() {
    let home = Home::new();
    // The shell exits. Both ends of the helper's pipes stay open in this test.
    // It says its pid before it is the helper, which may say something at once.
    let script = r#"sh -c 'echo $$; exec "$0" run-program <&3' "$0" & wait"#;
    let (mut mine, theirs) = UnixStream::pair().unwrap();
    let mut command = home.command(Path::new("/bin/sh"), &["-c", script]);
    command.arg(helper()).stdout(Stdio::piped());
    let fd = std::os::fd::AsRawFd::as_raw_fd(&theirs);
    // SAFETY: one system call between fork and exec, on descriptors that are open there.
    unsafe {
        command.pre_exec(
            move || if libc::dup2(fd, 3) == 3 { Ok(()) } else { Err(std::io::Error::last_os_error()) },
        );
    }
    let mut shell = command.spawn().unwrap();
    mine.write_all(&bytes(&order("echo $$ >&2; exec sleep 1000"))).unwrap();
    let mut output = shell.stdout.take().unwrap();
    let mut line = Vec::new();
    let mut byte = [0];
    while output.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    let helper = pid_in(&String::from_utf8(line).unwrap());
    let program = loop {
        let mut header = [0; 4];
        output.read_exact(&mut header).unwrap();
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        output.read_exact(&mut body).unwrap();
        let frame: Value = serde_json::from_slice(&body).unwrap();
        if frame["kind"] == "said" {
            break pid_in(&decoded(&frame["data"]));
        }
    };
    shell.kill().unwrap();
    wait(&mut shell);
    assert_gone(helper);
    assert_gone(program);
}

/// A program that is kept running: `to` and `from` are what the broker writes to it and reads from it.
struct Kept {
    runner: Runner,
    to: Option<UnixStream>,
    from: BufReader<UnixStream>,
}

/// Runs between fork and exec. Puts them at 3 and 4, and what is open there elsewhere: the standard library has a pipe of
/// its own.
fn give(theirs: [RawFd; 2]) -> std::io::Result<()> {
    // SAFETY: plain numbers.
    let copies = theirs.map(|fd| unsafe { libc::fcntl(fd, libc::F_DUPFD, 100) });
    for (copy, number) in copies.into_iter().zip([3, 4]) {
        // SAFETY: plain numbers.
        if unsafe { libc::dup2(copy, number) } != number || unsafe { libc::close(copy) } != 0 {
            return Err(std::io::Error::last_os_error());
        }
    }
    Ok(())
}

impl Kept {
    fn start(script: &str) -> Self {
        let ((to, stdin), (from, stdout)) = (UnixStream::pair().unwrap(), UnixStream::pair().unwrap());
        let mut runner = Runner::prepared(Home::new(), |command| {
            let theirs = [stdin.as_raw_fd(), stdout.as_raw_fd()];
            // SAFETY: system calls between fork and exec, on descriptors that are open there.
            unsafe { command.pre_exec(move || give(theirs)) };
        });
        drop((stdin, stdout));
        runner.say(&json!({
            "kind": "keep", "id": 3, "command": "/bin/sh", "args": ["-c", script],
            "env": [{ "name": "PATH", "value": "/usr/bin:/bin" }], "cwd": "/",
        }));
        from.set_read_timeout(Some(LIFE)).unwrap();
        Kept { runner, to: Some(to), from: BufReader::new(from) }
    }

    fn write(&mut self, text: &str) {
        self.to.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line
    }
}

#[test]
fn a_program_that_is_kept_talks_with_the_broker_until_its_input_ends() {
    let mut kept = Kept::start("while read -r line; do echo \"got $line\"; done; echo bye; exit 4");
    for word in ["one", "two"] {
        kept.write(&format!("{word}\n"));
        assert_eq!(kept.line(), format!("got {word}\n"));
    }
    kept.to = None;
    assert_eq!([kept.line(), kept.line()], ["bye\n", ""]);
    let (went, status, _) = kept.runner.end();
    assert_eq!((went.outcome.unwrap(), status.code()), (exited(4, ""), Some(0)));
}

#[test]
fn what_a_kept_program_wrote_last_arrives() {
    let mut kept = Kept::start("head -c 3000000 /dev/zero");
    let mut all = Vec::new();
    kept.from.read_to_end(&mut all).unwrap();
    assert_eq!(all.len(), 3_000_000);
    assert_eq!(kept.runner.end().0.outcome.unwrap(), exited(0, ""));
}

#[test]
fn a_kept_program_has_pipes_and_nothing_of_ours_open() {
    let mut kept = Kept::start("ls /proc/self/fd | tr '\\n' ' '; echo; cat /dev/stdin");
    // ls has the folder open as descriptor 3.
    assert_eq!(kept.line(), "0 1 2 3 \n");
    kept.write("again\n");
    assert_eq!(kept.line(), "again\n");
}

#[test]
fn of_a_kept_programs_stderr_64_kib_are_told_each_second() {
    let script = "while read -r _; do head -c 70000 /dev/zero | tr '\\0' x >&2; echo done; done";
    let mut kept = Kept::start(script);
    let mut said = 0;
    for _ in 0..3 {
        kept.write("go\n");
        assert_eq!(kept.line(), "done\n");
        // `alive` comes each second, and more is told then.
        loop {
            let frame = kept.runner.hear().unwrap();
            match frame["kind"].as_str().unwrap() {
                "said" => said += decoded(&frame["data"]).len(),
                "alive" if said > 0 => break,
                _ => {}
            }
        }
    }
    assert!((2 * 64 * 1024..=3 * 70_000).contains(&said), "{said}");
}

#[test]
fn what_ends_a_kept_program_ends_all_it_started() {
    let ends: [fn(&mut Kept); 3] = [
        |kept| kept.runner.say(&json!({ "kind": "cancel", "id": 3 })),
        |kept| kept.runner.input = None,
        |kept| kept.runner.child.kill().unwrap(),
    ];
    for (at, end) in ends.into_iter().enumerate() {
        // A killed helper can't find those that left the session.
        let script = if at == 2 { "echo $$ >&2; sleep 1000" } else { HIDING };
        let mut kept = Kept::start(script);
        let pids = if at == 2 { hidden(&kept.runner.hear_said("\n")) } else { hear_hidden(&mut kept.runner) };
        end(&mut kept);
        for pid in pids {
            assert_gone(pid);
        }
    }
}

#[test]
fn a_program_is_not_kept_without_the_brokers_descriptors() {
    let (went, status, stderr) = Runner::start(
        &json!({ "kind": "keep", "id": 3, "command": "/bin/sh", "args": [], "env": [], "cwd": "/" }),
    )
    .end();
    assert!(went.outcome.is_none());
    assert_eq!(status.code(), Some(1));
    assert!(stderr.contains("can't run a program"), "{stderr}");
}

#[test]
fn what_it_leaves_running_at_a_good_end_stays_and_is_not_waited_for() {
    let script = "setsid sleep 1000 2>/dev/null & echo $! ; exit 0";
    let mut runner = Runner::start(&order(script));
    let outcome = runner.rest().outcome.unwrap();
    assert_eq!(outcome["code"], 0);
    let pid = pid_in(&decoded(&outcome["stdout"]));
    wait(&mut runner.child);
    test_kill_process(pid).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn children_that_the_helper_had_before_are_left_alone() {
    let home = Home::new();
    let script = r#"sleep 1000 >/dev/null 2>&1 & echo $! >"$0.pid"; exec "$0" run-program"#;
    let link = home.path.join("lanyard");
    fs::copy(helper(), &link).unwrap();
    let mut command = home.command(Path::new("/bin/sh"), &["-c", script]);
    command.arg(&link).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
    let mut runner = Runner { home, child, input, output };
    runner.say(&order("(setsid sleep 1000 & echo $! >&2); echo $$ >&2; sleep 1000"));
    let mut said = String::new();
    while said.lines().count() < 2 {
        said.push_str(&runner.hear_said("\n"));
    }
    runner.say(&json!({ "kind": "cancel", "id": 3 }));
    let before = pid_in(&fs::read_to_string(runner.home.path.join("lanyard.pid")).unwrap());
    runner.rest();
    wait(&mut runner.child);
    test_kill_process(before).unwrap();
    kill_process(before, Signal::KILL).unwrap();
    let pids = hidden(&said);
    assert_gone(pids[1]);
    let _ = kill_process(pids[0], Signal::KILL);
}

#[test]
fn a_terminal_is_not_lent_here() {
    assert_eq!(outcome_of(&with(order("true"), "terminal", json!(true))), json!({ "how": "noTerminal" }));
}

#[test]
fn what_is_no_order_is_refused() {
    for frame in [json!({ "kind": "exit", "code": 0 }), json!({ "kind": "cancel", "id": 3 })] {
        let (went, status, stderr) = Runner::start(&frame).end();
        assert!(went.outcome.is_none());
        assert_eq!(status.code(), Some(1));
        assert!(stderr.contains("which is not expected here"), "{stderr}");
    }
    let (_, status, stderr) = Runner::start(&with(order(""), "seconds", json!(0))).end();
    assert_eq!(status.code(), Some(1));
    assert!(stderr.contains("a frame with missing or wrong fields"), "{stderr}");
}

#[test]
fn a_kubeconfig_cannot_run_programs_by_it() {
    let home = Home::new();
    let ended = run(home.command(&helper(), &["run-program"]).env("KUBERNETES_EXEC_INFO", "{}"));
    ended.failed(13, "only 'kube-credential' and 'cluster-credential' are permitted");
    // The help doesn't mention it.
    let help = run(&mut home.command(&helper(), &["help"]));
    assert!(!String::from_utf8(help.stdout).unwrap().contains("run-program"));
}

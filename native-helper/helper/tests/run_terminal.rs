//! Programs that the broker orders at the user's terminal. They have the terminal while they run, and however they end,
//! it is restored.
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
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::tcgetpgrp;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use support::pty::Terminal;
use support::{Home, LIFE, Talk, broker, bytes, example, helper, wait};

fn order(script: &str) -> Value {
    json!({
        "kind": "run", "id": 3, "command": "/bin/sh", "args": ["-c", script], "env": [], "pass": ["PATH"],
        "cwd": null, "terminal": true, "maxBytes": 1000, "seconds": 60,
    })
}

/// What the broker received about a program.
#[derive(Debug, Default)]
struct Heard {
    said: Vec<u8>,
    alive: usize,
    outcome: Value,
}

/// Reads until the outcome, or until the helper closes the connection.
fn hear_all(talk: &mut Talk) -> Heard {
    let mut heard = Heard::default();
    while let Some(frame) = talk.hear() {
        assert_eq!(frame["id"], 3, "{frame}");
        match frame["kind"].as_str().unwrap() {
            "alive" => heard.alive += 1,
            "said" => heard.said.extend(STANDARD.decode(frame["data"].as_str().unwrap()).unwrap()),
            "ran" => {
                heard.outcome = frame["outcome"].clone();
                return heard;
            }
            other => panic!("{other}"),
        }
    }
    heard
}

fn decoded(value: &Value) -> String {
    String::from_utf8(STANDARD.decode(value.as_str().unwrap()).unwrap()).unwrap()
}

fn exited(code: u8, stdout: &str) -> Value {
    json!({ "how": "exited", "code": code, "stdout": STANDARD.encode(stdout) })
}

fn interrupted(signal: i32) -> Value {
    json!({ "how": "interrupted", "signal": signal })
}

struct Ran {
    terminal: Terminal,
    child: Child,
    /// Keeps the terminal open, so that the test can check it afterwards.
    keep: File,
    heard: JoinHandle<Heard>,
    home: Home,
}

impl Ran {
    /// `talk` runs after the helper was welcomed.
    fn by(
        command: impl FnOnce(&Home) -> Command,
        talk: impl FnOnce(&mut Talk) -> Heard + Send + 'static,
    ) -> Self {
        let home = Home::new();
        let heard = broker(&home, move |connection| {
            connection.welcome();
            talk(connection)
        });
        let terminal = Terminal::open();
        let keep = terminal.side();
        let mut command = command(&home);
        command.env("PATH", "/usr/bin:/bin");
        let child = terminal.start(&mut command);
        Ran { terminal, child, keep, heard, home }
    }

    /// Sends this order, reads its frames, and has the helper exit with 11.
    fn script(script: &str) -> Self {
        Ran::order(order(script))
    }

    fn order(order: Value) -> Self {
        Ran::by(|home| home.command(&helper(), &["status"]), move |talk| run_then_exit(talk, &order))
    }

    /// The same as a job of a shell. `then` is the rest of the shell's line.
    fn job(script: &str, then: &str) -> Self {
        let (order, line) = (order(script), format!("\"$0\" status; {then}"));
        Ran::by(|home| shell(home, &line), move |talk| run_then_exit(talk, &order))
    }

    /// Waits for the end, and checks that the terminal is restored. Returns the status, what the broker received, and
    /// the screen.
    fn end(mut self) -> (ExitStatus, Heard, String) {
        let status = wait(&mut self.child);
        assert!(self.terminal.echoes(), "the terminal is not as it was");
        drop(self.keep);
        (status, self.heard.join().unwrap(), self.terminal.rest())
    }
}

fn run_then_exit(talk: &mut Talk, order: &Value) -> Heard {
    talk.say(order.clone());
    let heard = hear_all(talk);
    talk.say(json!({ "kind": "exit", "code": 11, "stderr": "bye\n" }));
    heard
}

/// A shell with job control, such as a user's.
fn shell(home: &Home, line: &str) -> Command {
    line_of_shell(home, "-mc", line)
}

/// A shell without job control: the helper is in its group, as it is in kubectl's.
fn plain_shell(home: &Home, line: &str) -> Command {
    line_of_shell(home, "-c", line)
}

/// `$0` is the helper.
fn line_of_shell(home: &Home, option: &str, line: &str) -> Command {
    let mut command = home.command(Path::new("/bin/sh"), &[option, line]);
    command.arg(helper());
    command
}

/// Waits until the process has one of these states in /proc. No states: until it has ended.
fn wait_for_state(pid: Pid, states: &[&str]) {
    let began = Instant::now();
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        let state = stat.rsplit_once(") ").map_or("", |(_, rest)| &rest[..1]);
        if states.contains(&state) {
            return;
        }
        assert!(began.elapsed() < LIFE, "{states:?} is awaited of {stat}");
        sleep(Duration::from_millis(5));
    }
}

const GONE: &[&str] = &["", "Z"];

fn pid_in(text: &str) -> Pid {
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

/// The number that follows the word on the screen.
fn pid_after(terminal: &mut Terminal, word: &str) -> Pid {
    terminal.wait_to_show(word);
    let from = terminal.shown.rfind(word).unwrap() + word.len();
    terminal.wait_from(from, ".");
    let rest = &terminal.shown[from..];
    pid_in(&rest[..rest.find('.').unwrap()])
}

#[test]
fn a_program_asks_at_the_terminal_and_its_prompt_needs_no_end_of_line() {
    let mut ran = Ran::script(r#"printf 'Code: ' >&2; read code; echo "got $code""#);
    ran.terminal.wait_for("Code: ");
    ran.terminal.press("123456\n");
    let (status, heard, shown) = ran.end();
    assert_eq!(heard.outcome, exited(0, "got 123456\n"));
    assert_eq!(heard.said, b"Code: ");
    assert!(heard.alive >= 1);
    assert_eq!(status.code(), Some(11));
    assert_eq!(shown, "Code: 123456\r\nbye\r\n");
}

#[test]
fn what_is_typed_without_echo_is_not_shown() {
    let mut ran = Ran::script(r#"stty -echo; printf 'Password: ' >&2; read p; stty echo; echo "$p""#);
    ran.terminal.wait_for("Password: ");
    assert!(!ran.terminal.echoes());
    ran.terminal.press("secret\n");
    let (_, heard, shown) = ran.end();
    assert_eq!(heard.outcome, exited(0, "secret\n"));
    assert_eq!(shown, "Password: bye\r\n");
}

#[test]
fn it_is_in_front_while_it_runs_and_the_helper_is_afterwards() {
    let script = "ps -o pgid=,tpgid= -p $$; tty; cut -d' ' -f5,6 /proc/$$/stat; echo $$";
    let (_, heard, _) = Ran::script(script).end();
    let text = decoded(&heard.outcome["stdout"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][0], lines[0][1], "another group is in front: {text}");
    assert!(lines[1][0].starts_with("/dev/pts/"));
    assert_eq!(lines[2][0], lines[3][0], "it has no group of its own: {text}");
    assert_ne!(lines[2][1], lines[3][0], "it has lost its session: {text}");

    let mut ran = Ran::job("exit 4", "echo done; read line");
    ran.terminal.wait_for("done");
    assert_eq!(tcgetpgrp(&ran.terminal.master).unwrap(), Pid::from_child(&ran.child));
    ran.terminal.press("\n");
    assert_eq!(ran.end().1.outcome, exited(4, ""));
}

const COLOURS: &str = r#"if [ -t 2 ]; then echo terminal; else echo none; fi
    printf '\033[31mred\033' >&2; sleep 0.05; printf '[0m\303' >&2; sleep 0.05; printf '\251\033]0;t\007\r\n' >&2"#;

#[test]
fn its_stderr_is_a_terminal_at_the_persons_own_and_nothing_is_stripped() {
    let (_, heard, shown) = Ran::script(COLOURS).end();
    assert_eq!(heard.outcome, exited(0, "terminal\n"));
    assert_eq!(String::from_utf8(heard.said).unwrap(), "\u{1b}[31mred\u{1b}[0mé\u{1b}]0;t\u{7}\r\n");
    assert_eq!(shown, "\u{1b}[31mred\u{1b}[0mé\u{1b}]0;t\u{7}\r\r\nbye\r\n");
}

#[test]
fn its_stderr_is_none_and_is_stripped_where_the_helpers_is_none() {
    let order = order(COLOURS);
    let ran = Ran::by(
        |home| shell(home, "\"$0\" status 2>&1 >/dev/null | cat"),
        move |talk| run_then_exit(talk, &order),
    );
    let (_, heard, shown) = ran.end();
    assert_eq!(heard.outcome, exited(0, "none\n"));
    assert_eq!(shown, "redé\r\nbye\r\n");
}

#[test]
fn its_stderr_is_as_large_as_the_persons_terminal_and_follows_it() {
    let size = |rows| rustix::termios::Winsize { ws_row: rows, ws_col: 90, ws_xpixel: 0, ws_ypixel: 0 };
    let script =
        "stty size <&2; printf up >&2; until [ \"$(stty size <&2)\" = '40 90' ]; do sleep 0.05; done";
    let order = order(script);
    let mut ran = Ran::by(
        |home| plain_shell(home, "stty rows 30 cols 90; exec \"$0\" status"),
        move |talk| run_then_exit(talk, &order),
    );
    ran.terminal.wait_for("up");
    rustix::termios::tcsetwinsize(&ran.terminal.master, size(40)).unwrap();
    let (_, heard, _) = ran.end();
    assert_eq!(heard.outcome, exited(0, "30 90\n"));
}

#[test]
fn control_c_ends_the_program_the_helper_and_whoever_shares_its_group() {
    // A program that catches the signal often exits with 130.
    for script in ["exec sleep 1000", "trap 'exit 130' INT; while :; do sleep 0.05; done"] {
        ended_by_control_c(&format!("printf up >&2; {script}"));
    }
}

#[test]
fn control_c_ends_them_where_the_program_catches_it_and_says_something_else_or_nothing() {
    for script in [
        "trap 'echo sorry >&2; exit 1' INT; printf up >&2; while :; do sleep 0.05; done",
        "trap 'echo a-token; exit 0' INT; printf up >&2; while :; do sleep 0.05; done",
        "trap 'echo sorry >&2' INT; printf up >&2; while :; do sleep 0.05; done",
        "trap '' INT; printf up >&2; while :; do sleep 0.05; done",
    ] {
        let shown = ended_by_control_c(script);
        assert_eq!(shown.contains("sorry"), script.contains("sorry"), "{shown}");
    }
}

/// Presses Ctrl-C once the program runs. Returns the screen.
fn ended_by_control_c(script: &str) -> String {
    let order = order(script);
    let mut ran = Ran::by(
        |home| plain_shell(home, "\"$0\" status; echo survived"),
        move |talk| run_then_exit(talk, &order),
    );
    ran.terminal.wait_for("up");
    ran.terminal.press("\u{3}");
    let (status, heard, shown) = ran.end();
    assert_eq!(heard.outcome, interrupted(2), "{script}");
    assert_eq!(status.signal(), Some(2), "{script}: {shown}");
    assert!(!shown.contains("survived"), "{script}: {shown}");
    shown
}

#[test]
fn control_c_that_is_a_key_of_the_programs_own_ends_nothing() {
    let script = "stty -isig -icanon min 1; printf up >&2; key=$(dd bs=1 count=1 2>/dev/null | od -An -tx1); stty isig icanon; echo got $key";
    let mut ran = Ran::script(script);
    ran.terminal.wait_for("up");
    ran.terminal.press("\u{3}");
    let (status, heard, _) = ran.end();
    assert_eq!(heard.outcome, exited(0, "got 03\n"));
    assert_eq!(status.code(), Some(11));
}

#[test]
fn of_the_process_that_listens_for_keys_nothing_is_left() {
    let (_, heard, _) =
        Ran::script("ps -o pid= -o pgid= -ax | awk -v me=$$ '$2 == me && $1 != me { print $1 }'").end();
    for pid in decoded(&heard.outcome["stdout"]).lines() {
        wait_for_state(pid_in(pid), GONE);
    }
}

#[test]
fn control_c_in_the_middle_of_a_password_leaves_echo_and_no_rest_of_it() {
    let asking = order("stty -echo; printf 'Password: ' >&2; read p");
    let mut ran = Ran::by(
        |home| shell(home, "trap : INT; \"$0\" status; echo; echo next; read line; echo \"<$line>\""),
        move |talk| run_then_exit(talk, &asking),
    );
    ran.terminal.wait_for("Password: ");
    ran.terminal.press("half\u{3}");
    ran.terminal.wait_for("next");
    ran.terminal.press("word\n");
    let (_, heard, shown) = ran.end();
    assert_eq!(heard.outcome, interrupted(2));
    assert!(shown.contains("<word>"), "{shown}");
}

#[test]
fn a_quit_ends_both_too() {
    let mut ran = Ran::script("ulimit -c 0; printf up >&2; exec sleep 1000");
    ran.terminal.wait_for("up");
    ran.terminal.press("\u{1c}");
    let (status, heard, _) = ran.end();
    assert_eq!((heard.outcome, status.signal()), (interrupted(3), Some(3)));
}

#[test]
fn a_program_that_is_killed_with_echo_off_leaves_the_terminal_as_it_was() {
    let quiet = "stty -echo -icanon; printf 'Password: ' >&2; ";
    let mut late = order(&format!("{quiet} trap '' TERM; while :; do sleep 1; done"));
    late["seconds"] = json!(1);
    let mut ran = Ran::order(late);
    ran.terminal.wait_for("Password: ");
    ran.terminal.press("secr");
    assert_eq!(ran.end().1.outcome, json!({ "how": "timedOut" }));

    let ran = Ran::script(&format!("{quiet} kill -9 $$"));
    assert_eq!(ran.end().1.outcome, json!({ "how": "signalled", "signal": 9 }));

    let ran = Ran::script(&format!("{quiet} exit 3"));
    assert_eq!(ran.end().1.outcome, exited(3, ""));
}

#[test]
fn half_a_password_of_a_program_that_is_ended_does_not_reach_the_shell() {
    let (go, goes) = channel::<()>();
    let asking = order("stty -echo; printf 'Password: ' >&2; read p");
    let mut ran = Ran::by(
        |home| shell(home, "\"$0\" status; echo; echo next; read line; echo \"<$line>\""),
        move |talk| {
            talk.say(asking);
            goes.recv().unwrap();
            talk.say(json!({ "kind": "exit", "code": 0 }));
            hear_all(talk)
        },
    );
    ran.terminal.wait_for("Password: ");
    ran.terminal.press("half");
    go.send(()).unwrap();
    ran.terminal.wait_for("next");
    ran.terminal.press("word\n");
    let (_, _, shown) = ran.end();
    assert!(shown.contains("<word>"), "{shown}");
}

#[test]
fn control_z_stops_both_with_echo_and_fg_goes_on_without() {
    let script = "stty -echo; printf 'pid %s.' $$ >&2; read p; stty echo; echo $p";
    let mut ran = Ran::job(script, "echo stopped; read line; fg");
    let program = pid_after(&mut ran.terminal, "pid ");
    assert!(!ran.terminal.echoes());
    ran.terminal.press("\u{1a}");
    ran.terminal.wait_for("stopped");
    assert!(ran.terminal.echoes());
    wait_for_state(program, &["T"]);
    assert_eq!(tcgetpgrp(&ran.terminal.master).unwrap(), Pid::from_child(&ran.child));
    let stat = fs::read_to_string(format!("/proc/{}/stat", program.as_raw_nonzero())).unwrap();
    let helper = pid_in(stat.split(' ').nth(3).unwrap());
    // Stopped, the helper can't report that it is alive.
    wait_for_state(helper, &["T"]);
    ran.terminal.press("\n");
    wait_for_state(program, &["S"]);
    while ran.terminal.echoes() {
        sleep(Duration::from_millis(5));
    }
    ran.terminal.press("secret\n");
    let (status, heard, shown) = ran.end();
    assert_eq!((heard.outcome, status.code()), (exited(0, "secret\n"), Some(11)));
    assert!(!shown.contains("secret"), "{shown}");
}

/// Presses Ctrl-Z, has the broker send something, then runs `fg`. The program prints when it continues.
fn stopped_then(say: impl FnOnce(&mut Talk) + Send + 'static) -> (ExitStatus, Heard, String) {
    let (go, goes): (Sender<()>, _) = channel();
    let (done, is_done) = channel::<()>();
    let asking = order("trap 'echo went on >&2' CONT; printf 'pid %s.' $$ >&2; read x; echo went on >&2");
    let mut ran = Ran::by(
        |home| shell(home, "\"$0\" status; echo stopped; read line; fg"),
        move |talk| {
            talk.say(asking);
            goes.recv().unwrap();
            say(talk);
            done.send(()).unwrap();
            hear_all(talk)
        },
    );
    let program = pid_after(&mut ran.terminal, "pid ");
    ran.terminal.press("\u{1a}");
    ran.terminal.wait_for("stopped");
    go.send(()).unwrap();
    is_done.recv().unwrap();
    ran.terminal.press("\n");
    wait_for_state(program, GONE);
    ran.end()
}

#[test]
fn what_the_broker_said_meanwhile_counts_before_the_program_goes_on() {
    for cancel_first in [true, false] {
        let (status, heard, shown) = stopped_then(move |talk| {
            let mut both = Vec::new();
            if cancel_first {
                both.extend(bytes(&json!({ "kind": "cancel", "id": 3 })));
            }
            both.extend(bytes(&json!({ "kind": "exit", "code": 11, "stderr": "from elsewhere\n" })));
            talk.raw(&both);
        });
        assert_eq!(heard.outcome, Value::Null);
        assert_eq!(status.code(), Some(11));
        assert!(shown.contains("from elsewhere") && !shown.contains("went on"), "{shown}");
    }
}

#[test]
fn a_broker_that_goes_away_while_it_is_stopped_ends_the_program() {
    let (status, heard, shown) = stopped_then(|talk| talk.0.shutdown(std::net::Shutdown::Both).unwrap());
    assert_eq!(heard.outcome, Value::Null);
    assert_eq!(status.code(), Some(17), "{shown}");
}

#[test]
fn in_the_background_it_runs_without_the_terminal_until_it_needs_it() {
    let signs = Home::new();
    let sign = signs.path.join("go on");
    assert!(Command::new("mkfifo").arg(&sign).status().unwrap().success());
    // Starts no child: one that is stopped between vfork and exec blocks its shell, which then can't be stopped.
    let script = format!(
        "printf 'pid %s.helper %s.' $$ $PPID >&2; read x <'{}'; echo went on >&2; read x; echo $x",
        sign.display()
    );
    let mut ran = Ran::job(&script, "echo stopped; bg; read line; fg");
    let program = pid_after(&mut ran.terminal, "pid ");
    ran.terminal.press("\u{1a}");
    ran.terminal.wait_for("stopped");
    let helper = pid_after(&mut ran.terminal, "helper ");
    fs::write(sign, "now\n").unwrap();
    // It continues in the background, and stops when it reads.
    ran.terminal.wait_to_show("went on");
    wait_for_state(program, &["T"]);
    wait_for_state(helper, &["T"]);
    assert_eq!(tcgetpgrp(&ran.terminal.master).unwrap(), Pid::from_child(&ran.child));
    ran.terminal.press("\n");
    wait_for_state(program, &["S"]);
    while tcgetpgrp(&ran.terminal.master).unwrap() != program {
        sleep(Duration::from_millis(5));
    }
    ran.terminal.press("typed\n");
    assert_eq!(ran.end().1.outcome, exited(0, "typed\n"));
}

#[test]
fn a_group_that_no_shell_could_wake_does_not_stop() {
    // The helper leads its session, so no shell would continue it.
    let mut ran = Ran::script("printf up >&2; read x; echo $x");
    ran.terminal.wait_for("up");
    for _ in 0..3 {
        ran.terminal.press("\u{1a}");
        ran.terminal.wait_for("^Z");
    }
    ran.terminal.press("typed\n");
    let (_, heard, _) = ran.end();
    assert_eq!(heard.outcome, exited(0, "typed\n"));
}

/// Puts the helper's group in the foreground that many times, and reads from the background.
fn steps_back(times: &str) -> Ran {
    let script = format!(
        r#"exec perl -MPOSIX -e '
            $SIG{{TTOU}} = "IGNORE";
            for (1..{times}) {{ tcsetpgrp(0, getpgrp(getppid())); sysread(STDIN, $line, 100) if $_ == {times}; kill "TTIN", $$ if $_ < {times}; }}
            print $line'"#
    );
    Ran::script(&format!("printf up >&2; {script}"))
}

#[test]
fn a_program_that_reads_from_behind_is_put_in_front_again() {
    let mut ran = steps_back("3");
    ran.terminal.wait_for("up");
    ran.terminal.press("typed\n");
    assert_eq!(ran.end().1.outcome, exited(0, "typed\n"));
}

#[test]
fn one_that_does_so_for_ever_is_ended() {
    assert_eq!(steps_back("1000000").end().1.outcome, json!({ "how": "noTerminal" }));
}

#[test]
fn the_end_of_the_terminal_ends_both() {
    for ignores in ["", "trap '' HUP;"] {
        let mut ran =
            Ran::script(&format!("{ignores} printf 'pid %s.' $$ >&2; while :; do sleep 0.05; done"));
        let program = pid_after(&mut ran.terminal, "pid ");
        let Ran { terminal, mut child, keep, heard, home } = ran;
        drop(keep);
        drop(terminal);
        let status = wait(&mut child);
        assert_eq!(status.signal(), Some(1), "{ignores}");
        wait_for_state(program, GONE);
        // The signals of the shell and of the hang-up may come in any order.
        assert_eq!(heard.join().unwrap().outcome, interrupted(1));
        drop(home);
    }
}

#[test]
fn the_end_of_the_client_ends_both_and_leaves_the_terminal_to_the_shell() {
    // When the program is killed, the shell has the terminal again.
    let asking = order("trap '' TERM; printf 'pid %s.helper %s.' $$ $PPID >&2; while :; do read x; done");
    // `client` plays kubectl: a process between the shell and the helper.
    let mut ran = Ran::by(
        |home| {
            shell(home, "sh -c 'echo client $$.; \"$0\" status; exit 9' \"$0\"; echo; echo gone; read line")
        },
        move |talk| run_then_exit(talk, &asking),
    );
    let client = pid_after(&mut ran.terminal, "client ");
    let program = pid_after(&mut ran.terminal, "pid ");
    let helper = pid_after(&mut ran.terminal, "helper ");
    kill_process(client, Signal::KILL).unwrap();
    ran.terminal.wait_for("gone");
    wait_for_state(program, GONE);
    wait_for_state(helper, GONE);
    assert_eq!(tcgetpgrp(&ran.terminal.master).unwrap(), Pid::from_child(&ran.child));
    ran.terminal.press("\n");
    assert_eq!(ran.end().1.outcome, Value::Null);
}

#[test]
fn a_terminal_that_cannot_be_lent_is_said_so() {
    let lone = order("echo never >&2");
    let talk = |order: &Value| {
        let order = order.clone();
        move |talk: &mut Talk| run_then_exit(talk, &order)
    };
    // A background job.
    let ran = Ran::by(|home| shell(home, "\"$0\" status & wait"), talk(&lone));
    assert_eq!(ran.end().1.outcome, json!({ "how": "noTerminal" }));
    // Standard input is no terminal.
    let ran = Ran::by(|home| shell(home, "\"$0\" status </dev/null"), talk(&lone));
    assert_eq!(ran.end().1.outcome, json!({ "how": "noTerminal" }));
    // Standard input is a terminal, but not the controlling one: the session has none.
    let home = Home::new();
    let heard = broker(&home, move |talk| {
        talk.welcome();
        run_then_exit(talk, &lone)
    });
    let terminal = Terminal::open();
    let mut command = home.command(&helper(), &["status"]);
    command.stdin(terminal.side()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: one system call between fork and exec.
    unsafe { command.pre_exec(|| Ok(rustix::process::setsid().map(drop)?)) };
    wait(&mut command.spawn().unwrap());
    assert_eq!(heard.join().unwrap().outcome, json!({ "how": "noTerminal" }));
}

#[test]
fn after_a_program_a_person_can_be_asked_whether_it_ran_or_not() {
    let question = json!({ "kind": "prompt", "id": 5, "text": "next: ", "echo": true });
    for (command, outcome) in [
        ("/nowhere/plugin", json!({ "how": "notFound" })),
        ("/", json!({ "how": "notStarted", "message": "Permission denied" })),
        ("/bin/sh", exited(0, "")),
    ] {
        let (mut ordered, ask) = (order(""), question.clone());
        ordered["command"] = json!(command);
        let mut ran = Ran::by(
            |home| home.command(&helper(), &["status"]),
            move |talk| {
                talk.say(ordered);
                let heard = hear_all(talk);
                talk.say(ask);
                assert_eq!(decoded(&talk.hear().unwrap()["value"]), "typed");
                talk.say(json!({ "kind": "exit", "code": 0 }));
                heard
            },
        );
        ran.terminal.wait_for("next: ");
        ran.terminal.press("typed\n");
        assert_eq!(ran.end().1.outcome, outcome);
    }
}

#[test]
fn the_brokers_words_are_heard_while_it_runs_and_its_last_ends_it() {
    let (go, goes) = channel::<()>();
    let asking = order("printf 'pid %s.' $$ >&2; read x");
    let mut ran = Ran::by(
        |home| home.command(&helper(), &["status"]),
        move |talk| {
            talk.say(asking);
            goes.recv().unwrap();
            talk.say(json!({ "kind": "stderr", "text": "approved elsewhere\n" }));
            goes.recv().unwrap();
            talk.say(json!({ "kind": "exit", "code": 0 }));
            hear_all(talk)
        },
    );
    let program = pid_after(&mut ran.terminal, "pid ");
    go.send(()).unwrap();
    ran.terminal.wait_for("approved elsewhere");
    go.send(()).unwrap();
    let (status, heard, _) = ran.end();
    assert_eq!((status.code(), heard.outcome), (Some(0), Value::Null));
    wait_for_state(program, GONE);
}

#[test]
fn after_cancel_the_next_frame_is_obeyed() {
    let (go, goes) = channel::<()>();
    let asking = order("printf 'pid %s.' $$ >&2; read x");
    let mut ran = Ran::by(
        |home| home.command(&helper(), &["status"]),
        move |talk| {
            talk.say(asking);
            goes.recv().unwrap();
            // A question that came earlier waits. A `cancel` of an old order has no effect.
            talk.say(json!({ "kind": "environment", "id": 9, "names": ["PATH"] }));
            talk.say(json!({ "kind": "cancel", "id": 2 }));
            talk.say(json!({ "kind": "cancel", "id": 3 }));
            talk.say(json!({ "kind": "cancel", "id": 3 }));
            loop {
                let frame = talk.hear().unwrap();
                if frame["kind"] == "answer" {
                    assert_eq!(frame["id"], 9);
                    return run_then_exit(talk, &order("echo second"));
                }
                assert_ne!(frame["kind"], "ran");
            }
        },
    );
    let program = pid_after(&mut ran.terminal, "pid ");
    go.send(()).unwrap();
    let (status, heard, _) = ran.end();
    assert_eq!((status.code(), heard.outcome), (Some(11), exited(0, "second\n")));
    wait_for_state(program, GONE);
}

#[test]
fn a_broker_that_goes_away_ends_the_program() {
    let (go, goes) = channel::<()>();
    let asking = order("stty -echo; printf 'pid %s.' $$ >&2; read x");
    let mut ran = Ran::by(
        |home| home.command(&helper(), &["status"]),
        move |talk| {
            talk.say(asking);
            goes.recv().unwrap();
            Heard::default()
        },
    );
    let program = pid_after(&mut ran.terminal, "pid ");
    go.send(()).unwrap();
    let (status, _, shown) = ran.end();
    assert_eq!(status.code(), Some(17));
    assert!(shown.contains("lanyard: the agent ended the connection"), "{shown}");
    wait_for_state(program, GONE);
}

#[test]
fn the_helpers_own_limit_stands_still_while_a_program_runs() {
    let slow = order("sleep 1.5; echo late");
    let ran = Ran::by(
        |home| home.command(&example("impatient"), &["status"]),
        move |talk| run_then_exit(talk, &slow),
    );
    let (status, heard, _) = ran.end();
    assert_eq!((heard.outcome, status.code()), (exited(0, "late\n"), Some(11)));
}

#[test]
fn a_terminal_that_is_held_does_not_hold_the_helper() {
    let (go, goes) = channel::<()>();
    let asking = order("printf up >&2; sleep 0.2; head -c 300000 /dev/zero | tr '\\0' x >&2; sleep 1000");
    let mut ran = Ran::by(
        |home| home.command(&helper(), &["status"]),
        move |talk| {
            talk.say(asking);
            goes.recv().unwrap();
            // The helper still reads frames: one that waits for the screen would not read this.
            talk.say(json!({ "kind": "cancel", "id": 3 }));
            talk.say(json!({ "kind": "environment", "id": 9, "names": ["PATH"] }));
            while talk.hear().unwrap()["kind"] != "answer" {}
            talk.say(json!({ "kind": "exit", "code": 0 }));
            Heard::default()
        },
    );
    ran.terminal.wait_for("up");
    // Presses Ctrl-S, so that the terminal takes no more output.
    ran.terminal.press("\u{13}");
    go.send(()).unwrap();
    wait(&mut ran.child);
    ran.terminal.press("\u{11}");
    ran.end();
}

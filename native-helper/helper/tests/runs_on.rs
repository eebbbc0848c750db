//! A program that is its client's proxy itself (KEP-2718/passed-on): the helper passes its answer on, and lives as long
//! as it. (rule: no-stray-program)
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
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use support::pty::Terminal;
use support::{Home, LIFE, Talk, broker, helper, wait};

const ANSWER: &str = r#"{"status":{"proxyConfig":{"url":"unix:///s"}}}"#;

fn order(script: &str) -> Value {
    json!({
        "kind": "run", "id": 3, "command": "/bin/sh", "args": ["-c", script], "env": [], "pass": ["PATH"],
        "cwd": null, "terminal": false, "runsOn": true, "maxBytes": 1000, "seconds": 60,
    })
}

/// Prints the answer, runs `then`, and ends when the file `go` is there: then it makes the file `ended`.
fn proxy(home: &Home, then: &str) -> String {
    let go = home.path.join("go");
    format!(
        "echo $$ > '{}'; printf '%s\n' '{ANSWER}'; {then} while [ ! -e '{}' ]; do sleep 0.02; done; : > '{}'",
        home.path.join("pid").display(),
        go.display(),
        home.path.join("ended").display(),
    )
}

/// The outcome that the helper reports. Then it is told to exit with this code.
fn outcome_then_exit(home: &Home, order: Value, code: u8) -> JoinHandle<Value> {
    broker(home, move |talk| {
        talk.welcome();
        talk.say(order);
        let outcome = outcome(talk);
        talk.say(json!({ "kind": "exit", "code": code, "stdout": STANDARD.encode("passed on\n") }));
        // The broker's connection ends, also while the helper lives on.
        assert_eq!(talk.0.read(&mut [0]).unwrap(), 0);
        outcome
    })
}

fn outcome(talk: &mut Talk) -> Value {
    loop {
        let frame = talk.hear().unwrap();
        match frame["kind"].as_str().unwrap() {
            "alive" | "said" => {}
            "ran" => return frame["outcome"].clone(),
            other => panic!("{other}"),
        }
    }
}

fn exited(stdout: &str) -> Value {
    json!({ "how": "exited", "code": 0, "stdout": STANDARD.encode(stdout) })
}

/// The helper, and the first line of what it prints.
fn start(home: &Home) -> (Child, String) {
    let mut command = home.kube(&helper());
    let mut child =
        command.env("PATH", "/usr/bin:/bin").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line)
}

fn pid_of(home: &Home) -> Pid {
    let text = fs::read_to_string(home.path.join("pid")).unwrap();
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

fn is_alive(pid: Pid) -> bool {
    test_kill_process(pid).is_ok()
}

/// Whether its group is the terminal's foreground group.
fn is_in_front(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // After the name: state, parent, group, session, terminal, its foreground group.
    fields[2] == fields[5]
}

fn assert_gone(pid: Pid) {
    let began = Instant::now();
    while is_alive(pid) {
        assert!(began.elapsed() < LIFE, "{pid:?} is there still");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn its_answer_is_passed_on_while_it_runs_and_the_helper_ends_with_it() {
    let home = Home::new();
    // What follows the answer is no part of it, and never fills a pipe.
    let script =
        proxy(&home, "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; echo more; echo on >&2;");
    let heard = outcome_then_exit(&home, order(&script), 0);
    let mut command = home.kube(&helper());
    let mut child =
        command.env("PATH", "/usr/bin:/bin").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "passed on\n");
    assert_eq!(heard.join().unwrap(), exited(ANSWER));
    let pid = pid_of(&home);
    assert!(is_alive(pid) && child.try_wait().unwrap().is_none());
    fs::write(home.path.join("go"), "").unwrap();
    assert_eq!(wait(&mut child).code(), Some(0));
    assert_gone(pid);
    line.clear();
    assert_eq!(reader.read_line(&mut line).unwrap(), 0);
}

#[test]
fn what_it_writes_to_stderr_is_shown_as_before() {
    let home = Home::new();
    let script = proxy(&home, "echo served one >&2;");
    let heard = outcome_then_exit(&home, order(&script), 0);
    let (mut child, _) = start(&home);
    heard.join().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "served one\n");
    fs::write(home.path.join("go"), "").unwrap();
    assert_eq!(wait(&mut child).code(), Some(0));
}

#[test]
fn an_answer_that_the_broker_refuses_ends_it_with_all_it_started() {
    let home = Home::new();
    let child_pid = home.path.join("child");
    let hidden = format!("setsid sh -c 'echo $$ > \"{}\"; exec sleep 1000' &", child_pid.display());
    let script = format!(
        "{hidden} while [ ! -s '{}' ]; do sleep 0.02; done; {}",
        child_pid.display(),
        proxy(&home, "")
    );
    let heard = outcome_then_exit(&home, order(&script), 10);
    let (mut child, _) = start(&home);
    assert_eq!(wait(&mut child).code(), Some(10));
    heard.join().unwrap();
    assert_gone(pid_of(&home));
    let hidden = fs::read_to_string(child_pid).unwrap();
    assert_gone(Pid::from_raw(hidden.trim().parse().unwrap()).unwrap());
}

#[test]
fn a_broker_that_goes_away_before_its_word_ends_it() {
    let home = Home::new();
    let asked = order(&proxy(&home, ""));
    let heard = broker(&home, move |talk| {
        talk.welcome();
        talk.say(asked);
        outcome(talk)
    });
    let (mut child, line) = start(&home);
    assert_eq!((wait(&mut child).code(), line.as_str()), (Some(17), ""));
    assert_eq!(heard.join().unwrap(), exited(ANSWER));
    assert_gone(pid_of(&home));
}

#[test]
fn it_ends_with_its_client_however_that_ended() {
    let home = Home::new();
    let heard = outcome_then_exit(&home, order(&proxy(&home, "trap '' TERM HUP INT;")), 0);
    let mut client = home
        .command(Path::new("/bin/sh"), &["-c", "\"$0\" kube-credential --account corp & wait"])
        .arg(helper())
        .env("KUBERNETES_EXEC_INFO", "{}")
        .env("PATH", "/usr/bin:/bin")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(client.stdout.take().unwrap()).read_line(&mut line).unwrap();
    heard.join().unwrap();
    let pid = pid_of(&home);
    assert!(is_alive(pid));
    client.kill().unwrap();
    wait(&mut client);
    assert_gone(pid);
}

#[test]
fn a_signal_to_the_helper_ends_both_but_a_key_of_the_terminal_does_not() {
    for (signal, ends) in
        [(Signal::INT, false), (Signal::QUIT, false), (Signal::TERM, true), (Signal::HUP, true)]
    {
        let home = Home::new();
        let heard = outcome_then_exit(&home, order(&proxy(&home, "")), 0);
        let (mut child, _) = start(&home);
        heard.join().unwrap();
        let pid = pid_of(&home);
        kill_process(Pid::from_child(&child), signal).unwrap();
        if !ends {
            fs::write(home.path.join("go"), "").unwrap();
        }
        assert_eq!(wait(&mut child).code(), Some(0), "{signal:?}");
        assert_gone(pid);
        assert_eq!(home.path.join("ended").exists(), !ends, "{signal:?}");
    }
}

#[test]
fn one_that_is_killed_ends_the_helper() {
    let home = Home::new();
    let heard = outcome_then_exit(&home, order(&proxy(&home, "")), 0);
    let (mut child, _) = start(&home);
    heard.join().unwrap();
    kill_process(pid_of(&home), Signal::KILL).unwrap();
    assert_eq!(wait(&mut child).code(), Some(0));
}

#[test]
fn an_answer_without_a_proxy_is_that_of_a_program_that_ends() {
    let home = Home::new();
    let plain = r#"{"status":{"token":"t"}}"#;
    // It says more, and fails: both count.
    let heard = outcome_then_exit(&home, order(&format!("echo '{plain}'; echo more; exit 3")), 4);
    let (mut child, _) = start(&home);
    assert_eq!(wait(&mut child).code(), Some(4));
    let expected =
        json!({ "how": "exited", "code": 3, "stdout": STANDARD.encode(format!("{plain}\nmore\n")) });
    assert_eq!(heard.join().unwrap(), expected);
}

#[test]
fn without_the_order_its_end_is_waited_for_as_ever() {
    let home = Home::new();
    let mut asked = order(&proxy(&home, ""));
    asked["runsOn"] = json!(false);
    asked["seconds"] = json!(1);
    let heard = outcome_then_exit(&home, asked, 4);
    let (mut child, _) = start(&home);
    assert_eq!(wait(&mut child).code(), Some(4));
    assert_eq!(heard.join().unwrap(), json!({ "how": "timedOut" }));
    assert_gone(pid_of(&home));
}

#[test]
fn the_terminal_is_the_clients_again_once_it_has_answered() {
    let home = Home::new();
    // Before its answer: afterwards it is in the background, and stopped for this.
    let mut asked = order(&format!("stty -echo; {}", proxy(&home, "")));
    asked["terminal"] = json!(true);
    let heard = outcome_then_exit(&home, asked, 0);
    let mut terminal = Terminal::open();
    let keep = terminal.side();
    let mut command = home.kube(&helper());
    let mut child = terminal.start(command.env("PATH", "/usr/bin:/bin"));
    terminal.wait_for("passed on");
    heard.join().unwrap();
    let pid = pid_of(&home);
    assert!(is_alive(pid));
    assert!(is_in_front(Pid::from_child(&child)) && terminal.echoes());
    drop(keep);
    fs::write(home.path.join("go"), "").unwrap();
    assert_eq!(wait(&mut child).code(), Some(0));
    assert_gone(pid);
}

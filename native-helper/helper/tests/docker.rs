//! docker's credential helper protocol, as its clients see the helper: what it says without a broker, what it asks
//! one, and that all failures are one line on stdout with exit code 1.
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
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use support::{Ended, Home, broker, called, example, finish, helper, run, spawn};

const NAME: &str = "docker-credential-lanyard";

fn command(home: &Home, name: &str, args: &[&str]) -> Command {
    home.command(&called(&home.path, name, &helper()), args)
}

/// Runs it with this on its standard input.
fn with_input(command: &mut Command, input: &[u8]) -> Ended {
    let mut child = spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()));
    // A helper that has said its last word reads no more.
    let _ = child.stdin.take().unwrap().write_all(input);
    finish(child)
}

fn said(ended: &Ended) -> (i32, &str, &str) {
    (ended.code(), std::str::from_utf8(&ended.stdout).unwrap(), &ended.stderr)
}

/// One line of this program's on stdout, nothing on stderr, and 1.
fn failed(ended: &Ended, line: &str) {
    let (code, stdout, stderr) = said(ended);
    assert_eq!((code, stderr), (1, ""), "{stdout}");
    assert!(stdout.starts_with("lanyard: ") && stdout.contains(line), "{line:?} is not in {stdout:?}");
    assert_eq!((stdout.matches('\n').count(), stdout.ends_with('\n')), (1, true), "{stdout:?}");
}

#[test]
fn usage_version_and_unknown_actions_need_no_broker() {
    for name in [NAME, "docker-credential-lanyard-work"] {
        let usage = format!("Usage: {name} <store|get|erase|list|version>\n");
        let version = format!("{name} (lanyard) v0.1.0\n");
        for (args, code, stdout) in [
            (&[][..], 1, usage.clone()),
            (&["get", "x"], 1, usage.clone()),
            (&["--help"], 0, usage.clone()),
            (&["-h"], 0, usage.clone()),
            (&["version"], 0, version.clone()),
            (&["--version"], 0, version.clone()),
            (&["-v"], 0, version.clone()),
            (&["status"], 1, format!("{name}: unknown action: status\n")),
            (&["GET"], 1, format!("{name}: unknown action: GET\n")),
            (&[""], 1, format!("{name}: unknown action: \n")),
            (&["\u{1b}[2J"], 1, format!("{name}: unknown action: [2J\n")),
        ] {
            let home = Home::new();
            let ended = run(&mut command(&home, name, args));
            assert_eq!(said(&ended), (code, stdout.as_str(), ""), "{name} {args:?}");
        }
    }
}

#[test]
fn a_name_that_is_none_is_no_other_command() {
    for name in ["docker-credential-lanyard-", "docker-credential-lanyard-a b"] {
        let home = Home::new();
        broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
        failed(&run(&mut command(&home, name, &["list"])), "behind docker-credential-lanyard- stand");
    }
}

/// (rule: no-deputy)
#[test]
fn with_exec_info_nothing_is_answered() {
    for args in [&["get"][..], &["version"], &["kube-credential", "--account", "corp"], &["kube-credential"]]
    {
        let home = Home::new();
        broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
        let ended = run(command(&home, NAME, args).env("KUBERNETES_EXEC_INFO", "{}"));
        failed(
            &ended,
            "with KUBERNETES_EXEC_INFO set only 'kube-credential' and 'cluster-credential' are permitted",
        );
    }
}

#[test]
fn the_broker_gets_the_action_and_all_of_standard_input() {
    for (name, called_as, action, input, told) in [
        (
            NAME,
            Value::Null,
            "get",
            &b"https://index.docker.io/v1/\n"[..],
            &b"https://index.docker.io/v1/\n"[..],
        ),
        ("docker-credential-lanyard-work", json!("work"), "store", b"{}\xff\0", b"{}\xff\0"),
        (NAME, Value::Null, "erase", &[b'x'; 65_536], &[b'x'; 65_536]),
        (NAME, Value::Null, "list", b"unused", b""),
    ] {
        let home = Home::new();
        let heard = broker(&home, |talk| {
            let hello = talk.welcome();
            talk.say(json!({ "kind": "stderr", "text": "lanyard: by the way\n" }));
            talk.say(json!({ "kind": "progress", "seconds": 60 }));
            talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("{\"a\":\"b\"}\n") }));
            hello
        });
        let ended = with_input(&mut command(&home, name, &[action]), input);
        assert_eq!(said(&ended), (0, "{\"a\":\"b\"}\n", "lanyard: by the way\n"));
        let hello = heard.join().unwrap();
        assert_eq!(
            (&hello["door"], &hello["features"]),
            (&json!("docker"), &json!(["stderr", "progress", "exit"]))
        );
        let request = json!({ "calledAs": called_as, "action": action, "input": STANDARD.encode(told) });
        assert_eq!(hello["request"], request);
    }
}

/// (rule: bounded-input)
#[test]
fn a_larger_input_reaches_no_broker() {
    let home = Home::new();
    broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
    let ended = with_input(&mut command(&home, NAME, &["store"]), &vec![b'x'; 1_000_000]);
    failed(&ended, "standard input is larger than 65536 bytes");
}

/// (rule: door-mask)
#[test]
fn a_broker_may_neither_ask_nor_run_nor_speak_in_pieces() {
    for frame in [
        json!({ "kind": "prompt", "id": 1, "text": "Password: ", "echo": false }),
        json!({ "kind": "stdin", "id": 1, "maxBytes": 1 }),
        json!({ "kind": "environment", "id": 1, "names": ["HOME"] }),
        json!({ "kind": "stdout", "data": "eA==" }),
        json!({ "kind": "cancel", "id": 1 }),
    ] {
        let home = Home::new();
        let kind = frame["kind"].as_str().unwrap().to_owned();
        broker(&home, move |talk| {
            talk.welcome();
            talk.say(frame);
        });
        let ended = with_input(&mut command(&home, NAME, &["get"]), b"ghcr.io");
        failed(&ended, &format!("the agent sent '{kind}', which is not permitted here"));
    }
}

#[test]
fn every_failure_is_one_line_on_stdout_with_code_1() {
    let home = Home::new();
    let ended = with_input(&mut command(&home, NAME, &["get"]), b"ghcr.io");
    failed(&ended, "no agent is running (start it with: lanyard agent (LANYARD_HOME is ");

    for (frame, line) in [
        // A broker that doesn't know the door, or has a failure of its own, says so on stderr.
        (
            json!({ "kind": "exit", "code": 14, "stderr": "lanyard: this agent has no door \"docker\"\n" }),
            "this agent has no door \"docker\"",
        ),
        (
            json!({ "kind": "exit", "code": 11, "stderr": "lanyard: it is locked\nhint: lanyard unlock\n" }),
            "it is locked (lanyard unlock)",
        ),
        (json!({ "kind": "exit", "code": 18, "stderr": "lanyard: the helper is too old\n" }), "is too old"),
        (json!({ "kind": "nonsense" }), "the agent sent a frame of the unknown kind"),
    ] {
        let home = Home::new();
        broker(&home, move |talk| {
            let _ = talk.hear();
            talk.say(frame);
        });
        failed(&with_input(&mut command(&home, NAME, &["get"]), b"ghcr.io"), line);
    }

    let home = Home::new();
    broker(&home, |talk| talk.welcome());
    failed(&with_input(&mut command(&home, NAME, &["get"]), b"ghcr.io"), "ended the connection");

    let home = Home::new();
    let (_end, ends) = std::sync::mpsc::channel::<()>();
    broker(&home, move |talk| {
        talk.welcome();
        let _ = ends.recv();
    });
    let impatient = called(&home.path, NAME, &example("impatient"));
    let ended = with_input(&mut home.command(&impatient, &["get"]), b"ghcr.io");
    failed(&ended, "timed out: the agent has fallen silent");
}

#[test]
fn what_the_broker_prints_is_the_answer_whatever_its_code() {
    for (code, expected) in [(0, 0), (1, 1), (11, 1), (255, 1)] {
        let home = Home::new();
        broker(&home, move |talk| {
            talk.welcome();
            let stdout = STANDARD.encode("credentials not found in native keychain\n");
            talk.say(json!({ "kind": "exit", "code": code, "stdout": stdout }));
        });
        let ended = with_input(&mut command(&home, NAME, &["get"]), b"ghcr.io");
        assert_eq!(said(&ended), (expected, "credentials not found in native keychain\n", ""));
    }
}

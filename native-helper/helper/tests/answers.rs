//! A broker that works: what the helper sends it, and how the helper obeys it.
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
use serde_json::json;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;
use support::{Home, broker, example, finish, helper, run, spawn};

#[test]
fn the_kube_door_carries_the_arguments_and_the_exec_info() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("{}\n"), "later": 1 }));
        hello
    });
    let ended = run(&mut home.kube(&helper()));
    assert_eq!((ended.code(), ended.stdout.as_slice(), ended.stderr.as_str()), (0, b"{}\n".as_slice(), ""));
    let hello = heard.join().unwrap();
    assert_eq!(hello["door"], "kube");
    assert_eq!(hello["protocol"], json!({ "min": 1, "max": 1 }));
    assert_eq!(
        hello["features"],
        json!(["stderr", "prompt", "progress", "exit", "environment", "run", "cancel"])
    );
    assert_eq!(hello["request"], json!({ "args": ["--account", "corp"], "execInfo": STANDARD.encode("{}") }));
    assert_eq!(hello["terminal"]["stdout"], false);
}

#[test]
fn the_cli_door_carries_the_command_line_and_the_folder() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "exit", "code": 0 }));
        hello
    });
    run(home.command(&helper(), &["account", "add", "größe", "--", "--help"]).current_dir(&home.path));
    let hello = heard.join().unwrap();
    assert_eq!(hello["door"], "cli");
    assert_eq!(hello["request"]["args"], json!(["account", "add", "größe", "--", "--help"]));
    // Windows has another form of a canonical path.
    let folder = if cfg!(windows) { home.path.clone() } else { home.path.canonicalize().unwrap() };
    assert_eq!(hello["request"]["cwd"], folder.to_str().unwrap());
}

/// A value that is no Unicode.
#[cfg(unix)]
fn odd() -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(b"a\xe4".to_vec())
}

#[cfg(windows)]
fn odd() -> OsString {
    std::os::windows::ffi::OsStringExt::from_wide(&[u16::from(b'a'), 0xd800])
}

#[test]
fn the_cli_door_tells_the_variables_that_are_asked_for() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "environment", "id": 5, "names": ["KUBECONFIG", "UNSET", "ODD"] }));
        let answer = talk.hear().unwrap();
        talk.say(json!({ "kind": "exit", "code": 0 }));
        answer
    });
    let mut command = home.command(&helper(), &["status"]);
    command.env("KUBECONFIG", "/a:/größe").env("OTHER", "x").env("ODD", odd());
    assert_eq!(run(&mut command).code(), 0);
    let answer = heard.join().unwrap();
    assert_eq!((&answer["kind"], &answer["id"]), (&json!("answer"), &json!(5)));
    let told = STANDARD.decode(answer["value"].as_str().unwrap()).unwrap();
    assert_eq!(String::from_utf8(told).unwrap(), r#"{"KUBECONFIG":"/a:/größe"}"#);
}

#[test]
fn kube_credential_by_hand_has_no_exec_info_and_an_empty_one_stays_empty() {
    for (value, expected) in [(None, json!(null)), (Some(""), json!(""))] {
        let home = Home::new();
        let heard = broker(&home, |talk| {
            let hello = talk.welcome();
            talk.say(json!({ "kind": "exit", "code": 0 }));
            hello
        });
        let mut command = home.command(&helper(), &["kube-credential"]);
        if let Some(value) = value {
            command.env("KUBERNETES_EXEC_INFO", value);
        }
        run(&mut command);
        assert_eq!(heard.join().unwrap()["request"]["execInfo"], expected);
    }
}

/// (rule: door-mask)
#[test]
fn cluster_credential_asks_by_a_door_that_can_only_answer() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "exit", "code": 0 }));
        hello
    });
    let mut command = home.command(&helper(), &["cluster-credential", "--provider", "eks"]);
    let ended = run(command.env("KUBERNETES_EXEC_INFO", "{}"));
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    let hello = heard.join().unwrap();
    assert_eq!(hello["door"], "controller");
    assert_eq!(hello["features"], json!(["stderr", "progress", "exit"]));
    assert_eq!(hello["request"], json!({ "args": ["--provider", "eks"], "execInfo": STANDARD.encode("{}") }));
}

#[test]
fn an_exec_info_as_large_as_the_system_lets_through_arrives_whole() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "exit", "code": 0 }));
        hello
    });
    let info = "x".repeat(if cfg!(windows) { 32_766 } else { 127 * 1024 });
    let ended = run(home.kube(&helper()).env("KUBERNETES_EXEC_INFO", &info));
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    assert_eq!(heard.join().unwrap()["request"]["execInfo"], STANDARD.encode(&info));
}

/// (rule: whole-answer)
#[test]
fn stdout_of_megabytes_arrives_whole_after_stderr() {
    let home = Home::new();
    let all: Vec<u8> = (0..3_000_000_u32).map(|number| number.to_le_bytes()[0]).collect();
    let sent = STANDARD.encode(&all);
    broker(&home, move |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stderr", "text": "one\n" }));
        talk.say(json!({ "kind": "exit", "code": 3, "stdout": sent, "stderr": "two\n" }));
    });
    let ended = run(&mut home.kube(&helper()));
    assert_eq!(ended.code(), 3);
    assert_eq!(ended.stderr, "one\ntwo\n");
    assert!(ended.stdout == all);
}

#[test]
fn a_pipe_gets_the_bytes_without_styles() {
    for (force, out, err) in [
        ("", "red\u{1b}\u{202e}", "bold\n"),
        ("1", "\u{1b}[31mred\u{1b}[0m\u{1b}\u{202e}", "\u{1b}[1mbold\n\u{1b}[0m"),
    ] {
        let home = Home::new();
        broker(&home, |talk| {
            talk.welcome();
            let out = STANDARD.encode("\u{fdd3}red\u{fdd0}\u{1b}\u{202e}".as_bytes());
            talk.say(json!({ "kind": "stdout", "data": out }));
            talk.say(json!({ "kind": "exit", "code": 0, "stdout": out, "stderr": "\u{fdd1}bold\n" }));
        });
        let ended = run(home.command(&helper(), &["status"]).env("TERM", "xterm").env("FORCE_COLOR", force));
        assert_eq!(String::from_utf8(ended.stdout).unwrap(), [out, out].concat());
        assert_eq!(ended.stderr, err);
    }
}

/// Ctrl-S, a pager: more than a pipe holds, read only once the broker has been silent for longer than it may be.
#[test]
fn a_reader_that_takes_its_time_is_no_silence_of_the_broker() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        for _ in 0..4 {
            talk.say(json!({ "kind": "stdout", "data": STANDARD.encode("x".repeat(100_000)) }));
        }
        talk.say(json!({ "kind": "exit", "code": 0 }));
    });
    let mut command = home.command(&example("impatient"), &["status"]);
    let child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    sleep(Duration::from_millis(2500));
    let ended = finish(child);
    assert_eq!((ended.code(), ended.stdout.len(), ended.stderr.as_str()), (0, 400_000, ""));
}

#[test]
fn the_kube_doors_stdout_is_never_touched() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("\u{fdd3}x".as_bytes()) }));
    });
    let ended = run(home.kube(&helper()).env("FORCE_COLOR", "1"));
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "\u{fdd3}x");
}

#[test]
fn the_exit_code_is_the_brokers() {
    for code in [0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18, 255] {
        let home = Home::new();
        broker(&home, move |talk| {
            talk.welcome();
            talk.say(json!({ "kind": "exit", "code": code }));
        });
        assert_eq!(run(&mut home.kube(&helper())).code(), code);
    }
}

#[test]
fn a_refusal_may_come_without_a_welcome() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.say(json!({ "kind": "exit", "code": 18, "stderr": "lanyard: update the helper\n" }));
    });
    run(&mut home.kube(&helper())).failed(18, "update the helper");
}

/// (rule: stripped-text)
#[test]
fn text_for_stderr_loses_what_steers_a_terminal_and_stdout_keeps_its_bytes() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stderr", "text": "\u{1b}[31mred\r\u{202e}\n" }));
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("\u{1b}[31m"), "stderr": "\u{7}b\n" }));
    });
    let ended = run(&mut home.command(&helper(), &["status"]));
    assert_eq!(ended.stderr, "[31mred\nb\n");
    assert_eq!(ended.stdout, b"\x1b[31m");
}

#[test]
fn progress_makes_the_helper_wait_longer_than_a_silent_broker_may_take() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "progress", "seconds": 20 }));
        talk.say(json!({ "kind": "stderr", "text": "waiting\n" }));
        // The test shows this silence: it is longer than the limit between two frames.
        std::thread::sleep(Duration::from_millis(1500));
        talk.say(json!({ "kind": "exit", "code": 0 }));
    });
    assert_eq!(run(&mut home.kube(&example("impatient"))).code(), 0);
}

#[test]
fn standard_input_goes_to_the_broker_that_asks_for_it() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stdin", "id": 4, "maxBytes": 100_000 }));
        let answer = talk.hear();
        talk.say(json!({ "kind": "exit", "code": 0 }));
        answer
    });
    let mut child = home
        .command(&helper(), &["secret", "set", "bot"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let secret = "s".repeat(100_000);
    child.stdin.take().unwrap().write_all(secret.as_bytes()).unwrap();
    assert_eq!(finish(child).code(), 0);
    let answer = heard.join().unwrap().unwrap();
    assert_eq!(answer, json!({ "kind": "answer", "id": 4, "value": STANDARD.encode(&secret) }));
}

#[test]
fn standard_input_larger_than_asked_for_is_an_error_and_none_of_it_is_sent() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stdin", "id": 4, "maxBytes": 10 }));
        talk.hear()
    });
    let mut child = home
        .command(&helper(), &["secret", "set", "bot"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"01234567890").unwrap();
    finish(child).failed(2, "larger than 10 bytes");
    assert_eq!(heard.join().unwrap(), None);
}

#[test]
fn an_input_that_never_ends_is_given_up() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stdin", "id": 4, "maxBytes": 10 }));
        talk.hear()
    });
    let mut child = home
        .command(&example("impatient"), &["secret", "set", "bot"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let open = child.stdin.take();
    finish(child).failed(12, "timed out");
    drop(open);
}

#[test]
fn an_input_that_the_broker_no_longer_wants_is_not_waited_for() {
    for last in [json!({ "kind": "cancel", "id": 4 }), json!({ "kind": "exit", "code": 0 })] {
        let home = Home::new();
        broker(&home, move |talk| {
            talk.welcome();
            talk.say(json!({ "kind": "stdin", "id": 4, "maxBytes": 10 }));
            talk.say(last);
            talk.say(json!({ "kind": "exit", "code": 0 }));
            talk.hear()
        });
        let mut command = home.command(&helper(), &["secret", "set", "bot"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let open = child.stdin.take();
        let ended = finish(child);
        assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""));
        drop(open);
    }
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "prompt", "id": 5, "text": "password: ", "echo": false }));
        let answer = talk.hear().unwrap();
        talk.say(json!({ "kind": "exit", "code": 11, "stderr": "bye\n" }));
        (hello["terminal"]["controlling"].clone(), answer)
    });
    let mut command = home.command(&helper(), &["unlock"]);
    let ended = run(support::without_terminal(&mut command));
    let nobody = json!({ "kind": "answer", "id": 5, "value": null });
    assert_eq!(heard.join().unwrap(), (json!(false), nobody));
    assert_eq!((ended.code(), ended.stderr.as_str()), (11, "bye\n"));
}

#[test]
fn a_reader_that_went_away_is_no_error_of_ours() {
    let home = Home::new();
    let (tell, told) = std::sync::mpsc::channel::<()>();
    broker(&home, move |talk| {
        talk.welcome();
        told.recv().unwrap();
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("x".repeat(200_000)) }));
    });
    let mut child = home.kube(&helper()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    tell.send(()).unwrap();
    let ended = finish(child);
    assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""));
}

#[test]
fn standard_output_comes_in_pieces_as_they_arrive() {
    let home = Home::new();
    let (tell, told) = std::sync::mpsc::channel::<()>();
    broker(&home, move |talk| {
        let hello = talk.welcome();
        assert!(hello["features"].as_array().unwrap().contains(&json!("stdout")));
        talk.say(json!({ "kind": "stdout", "data": STANDARD.encode("one\n") }));
        told.recv().unwrap();
        talk.say(json!({ "kind": "stdout", "data": STANDARD.encode("two\n") }));
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("three\n") }));
    });
    let mut command = home.command(&helper(), &["audit", "--follow"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 4];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"one\n");
    tell.send(()).unwrap();
    let ended = finish(child);
    assert_eq!((ended.code(), ended.stdout.as_slice()), (0, b"two\nthree\n".as_slice()));
}

#[test]
fn pieces_that_nobody_reads_end_it_quietly() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        talk.welcome();
        // The broker would go on, but sees the connection close.
        let piece = json!({ "kind": "stdout", "data": STANDARD.encode("x".repeat(70_000)) });
        while talk.0.write_all(&support::bytes(&piece)).is_ok() {}
    });
    let mut command = home.command(&helper(), &["audit", "--follow"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = finish(child);
    assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""));
    heard.join().unwrap();
}

/// (rule: whole-answer)
#[test]
fn pieces_are_not_for_the_kube_door() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stdout", "data": STANDARD.encode("x") }));
    });
    run(&mut home.kube(&helper())).failed(1, "'stdout', which is not permitted here");
}

/// Windows has no signals; os/windows/run/tests.rs presses Ctrl-C.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_and_the_broker_sees_that() {
    use std::os::unix::process::ExitStatusExt;
    let home = Home::new();
    let (tell, told) = std::sync::mpsc::channel();
    let heard = broker(&home, move |talk| {
        talk.welcome();
        tell.send(()).unwrap();
        // The helper resets the connection if it didn't read the welcome. That counts as an end.
        talk.0.read(&mut [0]).unwrap_or(0)
    });
    let child = home.kube(&helper()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    told.recv().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(finish(child).status.signal(), Some(2));
    assert_eq!(heard.join().unwrap(), 0);
}

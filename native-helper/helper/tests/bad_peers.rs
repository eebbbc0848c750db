//! A broker that breaks the protocol: a clear error in time, and nothing on stdout.
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
use std::io::Read;
use std::thread;
use std::time::Duration;
use support::listener::Deaf;
use support::{Home, broker, bytes, example, helper, run};

#[test]
fn a_peer_that_never_answers() {
    let home = Home::new();
    let (_end, ends) = std::sync::mpsc::channel::<()>();
    broker(&home, move |talk| {
        let _ = talk.hear();
        let _ = ends.recv();
    });
    run(&mut home.kube(&example("impatient"))).failed(12, "timed out: the agent does not answer");
}

#[test]
fn a_peer_that_falls_silent_after_its_welcome() {
    let home = Home::new();
    let (_end, ends) = std::sync::mpsc::channel::<()>();
    broker(&home, move |talk| {
        talk.welcome();
        let _ = ends.recv();
    });
    run(&mut home.kube(&example("impatient"))).failed(12, "timed out: the agent has fallen silent");
}

#[test]
fn a_peer_that_sends_a_frame_byte_by_byte_gains_no_time() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        for byte in bytes(&json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("x".repeat(500)) })) {
            talk.raw(&[byte]);
            thread::sleep(Duration::from_millis(10));
        }
    });
    run(&mut home.kube(&example("impatient"))).failed(12, "timed out");
}

#[test]
fn a_peer_that_takes_no_request() {
    let home = Home::new();
    let (_end, ends) = std::sync::mpsc::channel::<()>();
    broker(&home, move |_| ends.recv());
    // Larger than the buffers. A command line of Windows has 32,767 characters at most, and a pipe 64 KiB.
    let (much, count) = if cfg!(windows) { ("鍵".repeat(30_000), 1) } else { ("x".repeat(100_000), 4) };
    let args: Vec<&str> = ["status"].into_iter().chain(vec![much.as_str(); count]).collect();
    run(&mut home.command(&example("impatient"), &args)).failed(12, "does not take the request");
}

#[test]
fn a_listener_that_accepts_nobody() {
    let home = Home::new();
    let _deaf = Deaf::bind(&home.path).unwrap();
    run(&mut home.kube(&example("impatient"))).failed(12, "takes no connection");
}

#[test]
fn a_peer_that_goes_away() {
    let ways: [fn(&mut support::Talk); 3] = [
        |_| {},
        |talk| {
            let _ = talk.hear();
        },
        |talk| {
            talk.welcome();
        },
    ];
    for way in ways {
        let home = Home::new();
        broker(&home, way);
        run(&mut home.kube(&helper())).failed(17, "the agent ended the connection without an answer");
    }
}

/// Sends the welcome and these bytes, then closes the connection.
fn after_welcome(sent: Vec<u8>, said: &str) {
    let home = Home::new();
    broker(&home, move |talk| {
        talk.welcome();
        talk.raw(&sent);
        // Waits for the helper to exit: it must not need the broker to close first.
        let _ = talk.0.read(&mut [0]);
    });
    run(&mut home.kube(&helper())).failed(1, said);
}

#[test]
fn frames_that_are_none() {
    after_welcome(vec![0, 0x80, 0, 1], "larger than 8 MiB");
    after_welcome(vec![0xff; 64], "larger than 8 MiB");
    after_welcome(vec![0, 0, 0, 0], "isn't JSON");
    after_welcome(b"\0\0\0\x02hi".to_vec(), "isn't JSON");
    after_welcome(b"\0\0\0\x03\"\xff\"".to_vec(), "isn't UTF-8");
    after_welcome(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), "larger than 8 MiB");
    after_welcome(bytes(&json!({ "kind": "exit" })), "missing or wrong fields");
}

#[test]
fn a_kind_that_nobody_knows_is_named_without_its_control_characters() {
    after_welcome(
        bytes(&json!({ "kind": "mount", "command": ["true"] })),
        "a frame of the unknown kind mount",
    );
    after_welcome(bytes(&json!({ "kind": "\u{1b}]0;x\u{7}" })), "a frame of the unknown kind ]0;x\n");
}

#[test]
fn a_frame_that_is_cut_off() {
    let whole = bytes(&json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("secret") }));
    for length in [1, 3, 4, 5, whole.len() - 1] {
        let home = Home::new();
        let part = whole[..length].to_vec();
        broker(&home, move |talk| {
            talk.welcome();
            talk.raw(&part);
        });
        run(&mut home.kube(&helper())).failed(17, "ended the connection in the middle of an answer");
    }
}

/// (rule: door-mask)
#[test]
fn frames_outside_the_mask() {
    after_welcome(
        bytes(&json!({ "kind": "stdin", "id": 1, "maxBytes": 10 })),
        "'stdin', which is not permitted here",
    );
    after_welcome(
        bytes(&json!({ "kind": "welcome", "protocol": 1, "broker": "x" })),
        "'welcome', which is not",
    );
}

#[test]
fn nothing_but_a_welcome_or_the_end_comes_first() {
    for first in [
        json!({ "kind": "stderr", "text": "phishing\n" }),
        json!({ "kind": "progress", "seconds": 3600 }),
        json!({ "kind": "prompt", "id": 1, "text": "password: ", "echo": false }),
    ] {
        let home = Home::new();
        let sent = first.clone();
        broker(&home, move |talk| {
            let _ = talk.hear();
            talk.say(sent);
            let _ = talk.0.read(&mut [0]);
        });
        let ended = run(&mut home.kube(&helper()));
        ended.failed(1, &format!("'{}', which is not permitted here", first["kind"].as_str().unwrap()));
        assert!(!ended.stderr.contains("phishing"));
    }
}

#[test]
fn a_version_that_the_helper_does_not_speak_says_which_side_to_update() {
    let home = Home::new();
    broker(&home, |talk| {
        let _ = talk.hear();
        talk.say(json!({ "kind": "welcome", "protocol": 2, "broker": "9.9.9" }));
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("x") }));
    });
    run(&mut home.kube(&helper())).failed(18, "hint: update the helper");
}

/// On Windows the pipe's owner is looked at, and only an administrator can make one that another user owns.
#[cfg(unix)]
#[test]
fn a_peer_of_another_user_is_told_nothing() {
    use std::os::unix::fs::chown;
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        eprintln!("not root: can't be two users");
        return;
    }
    let (home, place) = (Home::new(), Home::new());
    let nobody = 65_534;
    let binary = place.path.join("lanyard");
    std::fs::copy(helper(), &binary).unwrap();
    support::set_mode(&place.path, 0o755);
    let heard = broker(&home, |talk| talk.hear());
    chown(&home.path, Some(nobody), Some(nobody)).unwrap();
    chown(home.path.join("lanyard.sock"), Some(nobody), Some(nobody)).unwrap();
    let mut command = home.kube(&binary);
    run(command.current_dir("/").uid(nobody).gid(nobody)).failed(13, "a process of another user listens at");
    assert_eq!(heard.join().unwrap(), None);
}

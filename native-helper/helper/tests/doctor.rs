//! `lanyard doctor` where no broker answers: the broker's program checks in the helper's place.
#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr
)]

mod support;

use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use support::{Home, broker, example, finish, helper, run, set_mode};

/// A start.json whose program prints its arguments, one on each line, then its environment.
fn startable(folder: &Path) {
    let script = r#"for word; do echo "$word"; done; echo; env; exit 17"#;
    let command = json!({ "version": 1, "command": ["/bin/sh", "-c", script, "sh"] });
    fs::write(folder.join("start.json"), command.to_string()).unwrap();
    set_mode(&folder.join("start.json"), 0o600);
}

/// The failure that the program was given instead of a broker's answer.
fn told(out: &[u8]) -> String {
    let out = String::from_utf8(out.to_vec()).unwrap();
    let rest = out.strip_prefix("doctor\n--unreachable\n").unwrap_or_else(|| panic!("{out}"));
    rest.lines().next().unwrap().to_owned()
}

#[test]
fn without_a_broker_it_becomes_the_program_that_looks_without_one() {
    let home = Home::new();
    startable(&home.path);
    let mut command = home.command(&helper(), &["doctor", "--json"]);
    command.envs([
        ("KUBECONFIG", "/a:/b"),
        ("SHELL", "/bin/fish"),
        ("NODE_OPTIONS", "--inspect"),
        ("HOME", "/"),
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ended = finish(child);
    assert_eq!((ended.code(), ended.stderr.as_str()), (17, ""));
    let hint = format!("start it with: lanyard agent (LANYARD_HOME is {})", home.path.display());
    assert_eq!(told(&ended.stdout), format!("no broker is running ({hint})"));
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(out.lines().nth(3), Some("--json"));
    for variable in ["KUBECONFIG=/a:/b\n", "SHELL=/bin/fish\n", "HOME=/\n", "LANYARD_HOME=/"] {
        assert!(out.contains(variable), "{variable}");
    }
    assert!(!out.contains("NODE_OPTIONS"));
}

#[test]
fn a_silent_broker_and_one_of_another_version_are_as_good_as_none() {
    let home = Home::new();
    startable(&home.path);
    broker(&home, |talk| while talk.hear().is_some() {});
    let ended = run(&mut home.command(&example("impatient"), &["doctor"]));
    assert_eq!(told(&ended.stdout).split(" (").next(), Some("timed out: the broker does not answer"));

    let home = Home::new();
    startable(&home.path);
    broker(&home, |talk| {
        let refused = "lanyard: the helper (0.1.0) is too old\nhint: start the broker again\n";
        talk.say(json!({ "kind": "exit", "code": 18, "stderr": refused }));
    });
    let ended = run(&mut home.command(&helper(), &["doctor"]));
    assert_eq!(told(&ended.stdout), "the helper (0.1.0) is too old (start the broker again)");
    assert_eq!((ended.code(), ended.stderr.as_str()), (17, ""));
}

#[test]
fn what_a_broker_answers_stands() {
    for code in [0, 1, 17, 18, 19] {
        let home = Home::new();
        startable(&home.path);
        broker(&home, move |talk| {
            talk.welcome();
            talk.say(json!({ "kind": "exit", "code": code, "stdout": "eAo=", "stderr": "y\n" }));
        });
        let ended = run(&mut home.command(&helper(), &["doctor"]));
        assert_eq!(
            (ended.code(), ended.stdout.as_slice(), ended.stderr.as_str()),
            (code, b"x\n".as_slice(), "y\n")
        );
    }
}

#[test]
fn a_home_that_others_can_read_is_looked_at_one_that_they_can_write_starts_nothing() {
    for (mode, looks) in [(0o755, true), (0o711, true), (0o770, false), (0o707, false), (0o777, false)] {
        let home = Home::new();
        startable(&home.path);
        set_mode(&home.path, mode);
        let ended = run(&mut home.command(&helper(), &["doctor"]));
        if looks {
            let mode = format!("(mode {mode:04o})");
            assert!(told(&ended.stdout).contains(&mode), "{mode}");
        } else {
            ended.failed(13, "is open to other users");
        }
    }
}

#[test]
fn without_a_start_json_or_with_another_command_the_failure_is_told_as_always() {
    let home = Home::new();
    run(&mut home.command(&helper(), &["doctor"]))
        .failed(17, "lanyard: no broker is running\nhint: start it");
    startable(&home.path);
    run(&mut home.command(&helper(), &["status"]))
        .failed(17, "lanyard: no broker is running\nhint: start it");
}

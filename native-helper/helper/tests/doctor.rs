//! `lanyard doctor` where no broker answers: the broker's program checks in the helper's place.
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
use support::{Home, broker, close, example, finish, helper, open_for_reading, open_for_writing, run};

/// A start.json whose program prints its arguments, one on each line, then its environment.
fn startable(folder: &Path) {
    let start = json!({ "version": 1, "command": [example("witness")] });
    fs::write(folder.join("start.json"), start.to_string()).unwrap();
    close(&folder.join("start.json"));
}

fn text(out: &[u8]) -> String {
    String::from_utf8(out.to_vec()).unwrap()
}

/// The failure that the program was given instead of a broker's answer.
fn told(out: &[u8]) -> String {
    let out = text(out);
    let rest = out.strip_prefix("doctor\n--unreachable\n").unwrap_or_else(|| panic!("{out}"));
    rest.lines().next().unwrap().to_owned()
}

#[test]
fn without_a_broker_it_becomes_the_program_that_looks_without_one() {
    let home = Home::new();
    startable(&home.path);
    let mut command = home.command(&helper(), &["doctor", "--json"]);
    // As each system calls the user's own folder.
    let own = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    command.envs([
        ("KUBECONFIG", "/a:/b"),
        ("SHELL", "/bin/fish"),
        ("NODE_OPTIONS", "--inspect"),
        (own, "/"),
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ended = finish(child);
    assert_eq!((ended.code(), ended.stderr.as_str()), (17, ""));
    let hint = format!("start it with: lanyard agent (LANYARD_HOME is {})", home.path.display());
    assert_eq!(told(&ended.stdout), format!("no agent is running ({hint})"));
    let out = text(&ended.stdout);
    assert_eq!(out.lines().nth(3), Some("--json"));
    let named = format!("LANYARD_HOME={}\n", home.path.display());
    for variable in ["KUBECONFIG=/a:/b\n", "SHELL=/bin/fish\n", &format!("{own}=/\n"), &named] {
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
    assert_eq!(told(&ended.stdout).split(" (").next(), Some("timed out: the agent does not answer"));

    let home = Home::new();
    startable(&home.path);
    broker(&home, |talk| {
        let refused = "lanyard: the helper (0.1.0) is too old\nhint: start the agent again\n";
        talk.say(json!({ "kind": "exit", "code": 18, "stderr": refused }));
    });
    let ended = run(&mut home.command(&helper(), &["doctor"]));
    assert_eq!(told(&ended.stdout), "the helper (0.1.0) is too old (start the agent again)");
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
    let home = Home::new();
    startable(&home.path);
    open_for_reading(&home.path);
    let ended = run(&mut home.command(&helper(), &["doctor"]));
    assert!(told(&ended.stdout).contains("is open to other users"), "{}", ended.stderr);
    open_for_writing(&home.path);
    run(&mut home.command(&helper(), &["doctor"])).failed(13, "is open to other users");
}

/// Windows has no modes.
#[cfg(unix)]
#[test]
fn each_mode_of_a_home_counts_as_it_says() {
    use support::set_mode;
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
    run(&mut home.command(&helper(), &["doctor"])).failed(17, "lanyard: no agent is running\nhint: start it");
    startable(&home.path);
    run(&mut home.command(&helper(), &["status"])).failed(17, "lanyard: no agent is running\nhint: start it");
}

//! Prompts on a real (pseudo) terminal. What is typed arrives, no secret is echoed, and the terminal is restored
//! however the prompt ends. On Windows a console can't be made from outside: os/windows/run/tests.rs has one.
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
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use serde_json::{Value, json};
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use support::pty::Terminal;
use support::{Home, Talk, broker, example, helper, wait};

/// Keeps the home until the test ends.
struct Prompted {
    terminal: Terminal,
    child: Child,
    _keep: File,
    heard: JoinHandle<Value>,
    _home: Home,
}

impl Prompted {
    fn end(mut self) -> (ExitStatus, Value, String) {
        let status = wait(&mut self.child);
        assert!(self.terminal.echoes(), "the terminal is not as it was");
        drop(self._keep);
        (status, self.heard.join().unwrap(), self.terminal.rest())
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

fn prompted_by(
    program: &Path,
    echo: bool,
    then: impl FnOnce(&mut Talk) -> Value + Send + 'static,
) -> Prompted {
    let home = Home::new();
    let heard = broker(&home, move |talk| {
        let hello = talk.welcome();
        assert_eq!(hello["terminal"]["controlling"], true);
        talk.say(json!({ "kind": "prompt", "id": 5, "text": "pass\u{202e}\u{1b}word: ", "echo": echo }));
        then(talk)
    });
    let mut terminal = Terminal::open();
    let keep = terminal.side();
    let child = terminal.start(&mut home.command(program, &["unlock"]));
    terminal.wait_for("password: ");
    assert_eq!(terminal.echoes(), echo);
    Prompted { terminal, child, _keep: keep, heard, _home: home }
}

/// Reads the answer, then sends an exit.
fn answer_then_exit(talk: &mut Talk) -> Value {
    let answer = talk.hear().unwrap();
    talk.say(json!({ "kind": "exit", "code": 11, "stderr": "bye\n" }));
    answer
}

fn typed(text: &str) -> Value {
    json!({ "kind": "answer", "id": 5, "value": STANDARD.encode(text) })
}

fn nobody() -> Value {
    json!({ "kind": "answer", "id": 5, "value": null })
}

#[test]
fn what_is_typed_without_echo_arrives_and_is_not_shown() {
    let mut prompted = prompted_by(&helper(), false, answer_then_exit);
    let long = format!("sëcret-{}", "x".repeat(6000));
    prompted.terminal.press(&long);
    prompted.terminal.press("\r");
    let (status, answer, shown) = prompted.end();
    assert_eq!(answer, typed(&long));
    assert_eq!(status.code(), Some(11));
    assert_eq!(shown, "password: \r\nbye\r\n");
}

/// A client that uses the complete screen, as k9s does: it reads keys one by one, and echoes none.
#[test]
fn nothing_is_said_across_the_screen_of_a_client_that_draws_on_it() {
    for is_taken in [true, false] {
        let home = Home::new();
        let heard = broker(&home, move |talk| {
            talk.welcome();
            talk.say(json!({ "kind": "stderr", "text": "slow\n" }));
            talk.say(json!({ "kind": "exit", "code": 16, "stderr": "down\n" }));
        });
        let terminal = Terminal::open();
        let keep = terminal.side();
        if is_taken {
            let mut modes = tcgetattr(&keep).unwrap();
            modes.make_raw();
            tcsetattr(&keep, OptionalActions::Now, &modes).unwrap();
        }
        let mut child =
            terminal.start(&mut home.command(&helper(), &["kube-credential", "--account", "corp"]));
        assert_eq!(wait(&mut child).code(), Some(16));
        drop(keep);
        assert_eq!(terminal.rest(), if is_taken { "" } else { "slow\r\ndown\r\n" });
        heard.join().unwrap();
    }
}

#[test]
fn what_is_typed_with_echo_is_shown() {
    let mut prompted = prompted_by(&helper(), true, answer_then_exit);
    prompted.terminal.press("yes\n");
    let (_, answer, shown) = prompted.end();
    assert_eq!(answer, typed("yes"));
    assert_eq!(shown, "password: yes\r\nbye\r\n");
}

#[test]
fn the_end_of_file_is_no_answer_and_the_broker_goes_on() {
    for echo in [true, false] {
        let mut prompted = prompted_by(&helper(), echo, answer_then_exit);
        prompted.terminal.press("\u{4}");
        let (status, answer, _) = prompted.end();
        assert_eq!((answer, status.code()), (nobody(), Some(11)));
    }
}

#[test]
fn control_c_tells_the_broker_and_ends_as_an_interrupt_does() {
    for echo in [true, false] {
        let mut prompted = prompted_by(&helper(), echo, |talk| talk.hear().unwrap());
        prompted.terminal.press("half");
        if echo {
            prompted.terminal.wait_for("half");
        }
        prompted.terminal.press("\u{3}");
        let (status, answer, shown) = prompted.end();
        assert_eq!((answer, status.signal()), (nobody(), Some(2)));
        assert_eq!(shown.contains("half"), echo);
    }
}

#[test]
fn other_signals_leave_the_terminal_as_it_was() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::HUP, 1), (Signal::QUIT, 3)] {
        let prompted = prompted_by(&helper(), false, |talk| talk.hear().unwrap());
        prompted.signal(signal);
        assert_eq!(prompted.end().0.signal(), Some(number));
    }
}

#[test]
fn control_z_stops_with_echo_and_goes_on_without() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "prompt", "id": 5, "text": "password: ", "echo": false }));
        answer_then_exit(talk)
    });
    let mut terminal = Terminal::open();
    let keep = terminal.side();
    // Only a job of a shell can be stopped.
    let mut shell =
        home.command(Path::new("/bin/sh"), &["-mc", "\"$0\" unlock; echo stopped; read line; fg"]);
    let mut child = terminal.start(shell.arg(helper()));
    terminal.wait_for("password: ");
    assert!(!terminal.echoes());
    terminal.press("\u{1a}");
    terminal.wait_for("stopped");
    assert!(terminal.echoes());
    terminal.press("\n");
    terminal.wait_for("password: ");
    assert!(!terminal.echoes());
    terminal.press("x\n");
    assert_eq!(heard.join().unwrap(), typed("x"));
    assert_eq!(wait(&mut child).code(), Some(11));
    assert!(terminal.echoes());
    drop(keep);
}

#[test]
fn a_broker_that_ends_the_request_ends_the_prompt() {
    let (go, goes) = channel();
    let prompted = prompted_by(&helper(), false, move |talk| {
        goes.recv().unwrap();
        talk.say(json!({ "kind": "stderr", "text": "approved elsewhere\n" }));
        talk.say(json!({ "kind": "exit", "code": 0 }));
        talk.hear().unwrap_or_default()
    });
    go.send(()).unwrap();
    let (status, answer, shown) = prompted.end();
    assert_eq!((status.code(), answer), (Some(0), Value::Null));
    assert!(shown.contains("approved elsewhere"));
}

#[test]
fn a_request_that_ends_together_with_its_question_waits_for_nobody() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        let mut both = support::bytes(&json!({ "kind": "prompt", "id": 5, "text": "x: ", "echo": false }));
        both.extend(support::bytes(&json!({ "kind": "exit", "code": 11 })));
        talk.raw(&both);
        talk.hear()
    });
    let terminal = Terminal::open();
    let mut child = terminal.start(&mut home.command(&helper(), &["unlock"]));
    assert_eq!(wait(&mut child).code(), Some(11));
}

#[test]
fn a_broker_that_goes_away_ends_the_prompt() {
    let (go, goes) = channel();
    let prompted = prompted_by(&helper(), false, move |_| goes.recv().map(|()| Value::Null).unwrap());
    go.send(()).unwrap();
    let (status, _, shown) = prompted.end();
    assert_eq!(status.code(), Some(17));
    assert!(shown.contains("lanyard: the agent ended the connection"));
}

#[test]
fn a_prompt_that_nobody_answers_runs_out() {
    let prompted = prompted_by(&example("impatient"), false, |talk| talk.hear().unwrap_or_default());
    let (status, answer, shown) = prompted.end();
    assert_eq!((status.code(), answer), (Some(12), Value::Null));
    assert!(shown.contains("timed out waiting for input"));
}

#[test]
fn a_job_in_the_background_asks_nobody_and_is_not_stopped() {
    let home = Home::new();
    let told = broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "prompt", "id": 5, "text": "password: ", "echo": true }));
        answer_then_exit(talk)
    });
    let mut terminal = Terminal::open();
    // With job control each job has its own group, and the shell's stays in the foreground.
    let mut shell = home.command(Path::new("/bin/sh"), &["-c", r#"set -m; "$0" unlock & wait"#]);
    let mut child = terminal.start(shell.arg(helper()));
    terminal.wait_for("run it in the foreground");
    wait(&mut child);
    assert_eq!(told.join().unwrap(), nobody());
    assert!(!terminal.shown.contains("password"), "{}", terminal.shown);
}

#[test]
fn a_terminal_is_no_standard_input_and_text_on_it_is_stripped() {
    let home = Home::new();
    let heard = broker(&home, |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "stdin", "id": 5, "maxBytes": 100 }));
        let answer = talk.hear().unwrap();
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode("\u{1b}[31mname\u{202e}\n") }));
        (hello["terminal"].clone(), answer)
    });
    let terminal = Terminal::open();
    let mut child = terminal.start(home.command(&helper(), &["status"]).stdin(Stdio::null()));
    wait(&mut child);
    let all = json!({ "stdin": true, "stdout": true, "stderr": true, "controlling": true });
    assert_eq!(heard.join().unwrap(), (all, nobody()));
    assert_eq!(terminal.rest(), "[31mname\r\n");
}

/// What a terminal shows of a styled question, stderr, a piece of stdout and an exit, with these variables.
fn shown_styled(variables: &[(&str, &str)]) -> String {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "stderr", "text": "\u{fdd1}bold\n" }));
        talk.say(json!({ "kind": "stdout", "data": STANDARD.encode("\u{fdd4}green\u{fdd0}\u{1b}[2J\n") }));
        talk.say(json!({ "kind": "prompt", "id": 1, "text": "\u{fdd3}ask\u{fdd0}? ", "echo": true }));
        talk.hear();
        talk.say(json!({ "kind": "exit", "code": 0, "stderr": "\u{fdef}end\n" }));
    });
    let mut terminal = Terminal::open();
    let mut child = terminal.start(home.command(&helper(), &["status"]).envs(variables.iter().copied()));
    terminal.wait_for("? ");
    terminal.press("y\n");
    wait(&mut child);
    terminal.rest().replace('\r', "")
}

#[test]
fn styles_are_for_a_terminal_that_takes_them() {
    assert_eq!(
        shown_styled(&[("TERM", "xterm")]),
        "\u{1b}[1mbold\n\u{1b}[0m\u{1b}[32mgreen\u{1b}[0m[2J\n\u{1b}[31mask\u{1b}[0m? y\nend\n"
    );
    for variables in [&[("TERM", "dumb")][..], &[("TERM", "xterm"), ("NO_COLOR", "1")]] {
        assert_eq!(shown_styled(variables), "bold\ngreen[2J\nask? y\nend\n", "{variables:?}");
    }
}

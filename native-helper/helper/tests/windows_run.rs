//! `lanyard run-program` on Windows: an order on standard input, its outcome on standard output. The program is
//! examples/plugin.rs, alone and behind a batch file. (rule: no-stray-program)
#![cfg(windows)]
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
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs, process};
use windows_sys::Win32::Foundation::{CloseHandle, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

/// So long a test waits for what must come.
const LIFE: Duration = Duration::from_secs(60);

fn plugin() -> String {
    support::example("plugin").to_str().unwrap().to_owned()
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("lanyard plugins {} {name}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A batch file that passes its arguments on, as the command line of Azure, Google's SDK and those of npm do.
    fn batch(&self, name: &str) -> String {
        self.write(name, &format!("@echo off\r\n\"{}\" %*\r\n", plugin()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn order(command: &str, does: &str, args: &[&str]) -> Value {
    json!({
        "kind": "run", "id": 3, "command": command, "args": args,
        "env": [{ "name": "PLUGIN_DOES", "value": does }, { "name": "SystemRoot", "value": system() }],
        "pass": [], "cwd": null, "terminal": false, "maxBytes": 1024 * 1024, "seconds": 60,
    })
}

fn system() -> String {
    env::var("SystemRoot").unwrap()
}

fn with(mut order: Value, key: &str, value: Value) -> Value {
    order[key] = value;
    order
}

struct Runner {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Runner {
    fn start(order: &Value) -> Self {
        let mut command = Command::new(support::helper());
        command.arg("run-program").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_clear().env("SystemRoot", system()).env("Mine_A", "a").env("NODE_OPTIONS", "--inspect");
        let mut child = command.spawn().unwrap();
        let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        input.write_all(&support::bytes(order)).unwrap();
        Runner { child, input: Some(input), output }
    }

    fn hear(&mut self) -> Option<Value> {
        let mut header = [0; 4];
        self.output.read_exact(&mut header).ok()?;
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        self.output.read_exact(&mut body).unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    /// The numbers of so many processes, which they write to stderr.
    fn processes(&mut self, count: usize) -> Vec<u32> {
        let mut said = String::new();
        while said.lines().count() < count || !said.ends_with('\n') {
            let frame = self.hear().unwrap();
            if frame["kind"] == "said" {
                said.push_str(&decoded(&frame["data"]));
            }
        }
        said.lines().map(|line| line.trim().parse().unwrap()).collect()
    }

    /// What the program said, and the outcome.
    fn end(mut self) -> (String, Option<Value>) {
        let (mut said, mut outcome) = (String::new(), None);
        while let Some(frame) = self.hear() {
            assert_eq!(frame["id"], 3);
            match frame["kind"].as_str().unwrap() {
                "said" => said.push_str(&decoded(&frame["data"])),
                "ran" => outcome = Some(frame["outcome"].clone()),
                "alive" => {}
                other => panic!("{other}"),
            }
        }
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((self.child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
        (said, outcome)
    }
}

fn decoded(value: &Value) -> String {
    String::from_utf8_lossy(&STANDARD.decode(value.as_str().unwrap()).unwrap()).into_owned()
}

fn outcome_of(order: &Value) -> Value {
    Runner::start(order).end().1.unwrap()
}

/// What the program wrote to stdout. It must have ended well.
fn answer(order: &Value) -> String {
    let outcome = outcome_of(order);
    assert_eq!((&outcome["how"], &outcome["code"]), (&json!("exited"), &json!(0)), "{outcome}");
    decoded(&outcome["stdout"])
}

fn not_started(order: &Value) -> String {
    let outcome = outcome_of(order);
    assert_eq!(outcome["how"], "notStarted", "{outcome}");
    outcome["message"].as_str().unwrap().to_owned()
}

fn is_running(process: u32) -> bool {
    // SAFETY: plain numbers, and the handle that was opened is closed once.
    unsafe {
        let handle = OpenProcess(PROCESS_SYNCHRONIZE, 0, process);
        if handle.is_null() {
            return false;
        }
        let has_ended = WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
        CloseHandle(handle);
        !has_ended
    }
}

fn assert_gone(processes: &[u32]) {
    let began = Instant::now();
    while processes.iter().any(|each| is_running(*each)) {
        assert!(began.elapsed() < LIFE, "one of {processes:?} lives on");
        sleep(Duration::from_millis(5));
    }
}

/// What cmd.exe, or the program's own runtime, could take for something else.
const TRAPS: &[&str] = &[
    "plain",
    "",
    "two words",
    "tab\there",
    "\"&calc.exe",
    "\" & whoami",
    "^&whoami",
    "&whoami",
    "|whoami",
    "a>b",
    "a<b",
    "(a)",
    "a^b",
    "a^^b",
    "!PLUGIN_DOES!",
    "%PLUGIN_DOES%",
    "%%PLUGIN_DOES%%",
    "100%",
    "%cd:~,%",
    "%1",
    "%*",
    "%~dp0",
    "a\" b",
    "\"quoted\"",
    "\"\"",
    "a\\",
    "a b\\",
    "a b\\\\",
    "\\\"",
    "a\\\"b c",
    "'single' `back`",
    "a,b;c=d",
    "*.exe",
    "@x",
    "~ # $ + { } [ ]",
    "größe ключ 鍵",
];

#[test]
fn each_argument_arrives_as_it_is() {
    let arrived: Vec<String> = serde_json::from_str(&answer(&order(&plugin(), "args", TRAPS))).unwrap();
    assert_eq!(arrived, TRAPS);
}

#[test]
fn each_argument_of_a_batch_file_arrives_as_one_and_breaks_out_of_nothing() {
    let folder = Folder::new("batch & (1)");
    let batch = folder.batch("my plugin.cmd");
    let mut wrong = Vec::new();
    for trap in TRAPS.iter().filter(|trap| !trap.contains('%')) {
        let args = ["before", trap, "after"];
        let outcome = outcome_of(&order(&batch, "args", &args));
        let arrived = serde_json::from_str::<Vec<String>>(&decoded(&outcome["stdout"])).unwrap_or_default();
        if arrived != args {
            wrong.push(format!("{trap:?}: {outcome} {arrived:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_batch_file_gets_no_argument_that_no_quotes_keep_whole() {
    let folder = Folder::new("lines");
    let lines = ["a\nwhoami", "a\r", "\r\n"];
    let variables = TRAPS.iter().filter(|trap| trap.contains('%'));
    for (name, arg) in ["a.bat", "b.CMD"].into_iter().cycle().zip(lines.iter().chain(variables)) {
        let message = not_started(&order(&folder.batch(name), "args", &["plain", arg]));
        assert_eq!(message, "a batch file can't be given an argument with a '%' or of more than one line");
    }
    assert_eq!(answer(&order(&plugin(), "args", &["a\nb\r"])), "[\"a\\nb\\r\"]");
}

#[test]
fn what_windows_runs_not_by_itself_is_refused() {
    let folder = Folder::new("kinds");
    for name in ["a.ps1", "a.vbs", "a.js", "a", "a.exe.txt"] {
        let message = not_started(&order(&folder.write(name, "whoami"), "args", &[]));
        assert_eq!(message, "Windows runs only .exe, .com, .cmd and .bat directly", "{name}");
    }
    assert_eq!(not_started(&order("plugin.exe", "args", &[])), "its path is not absolute");
    assert_eq!(
        not_started(&order(&folder.write("text.exe", "MZ"), "args", &[])),
        "it is no program of this system"
    );
    assert_eq!(outcome_of(&order(r"C:\none\there.exe", "args", &[])), json!({ "how": "notFound" }));
    let plain = order(&plugin(), "args", &[]);
    let message = not_started(&with(plain.clone(), "cwd", json!(r"C:\none")));
    assert!(message.starts_with(r"C:\none: "), "{message}");
    assert!(not_started(&with(plain, "runsOn", json!(true))).contains("KEP-2718"));
}

#[test]
fn a_program_beside_a_batch_file_is_not_run_in_its_place() {
    let folder = Folder::new("beside");
    let batch = folder.batch("a.cmd");
    fs::copy(plugin(), folder.0.join("a.cmd.exe")).unwrap();
    assert!(not_started(&order(&batch, "args", &[])).contains("beside it"));
}

#[test]
fn the_variables_are_those_of_the_order_whatever_their_case() {
    let mut order = order(&plugin(), "env", &[]);
    let env = order["env"].as_array_mut().unwrap();
    env.push(json!({ "name": "Path", "value": "first" }));
    env.push(json!({ "name": "PATH", "value": "second" }));
    env.push(json!({ "name": "mine_b", "value": "order's" }));
    order["pass"] = json!(["MINE_*", "NODE_OPTIONS", "SYSTEMROOT"]);
    let told: Value = serde_json::from_str(&answer(&order)).unwrap();
    let names: Vec<&String> = told.as_object().unwrap().keys().collect();
    let get = |name: &str| {
        let mut found = told.as_object().unwrap().iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        let value = found.next().map(|(_, value)| value.clone());
        assert_eq!(found.next(), None, "{names:?}");
        value
    };
    assert_eq!(get("path"), Some(json!("second")));
    assert_eq!(get("mine_a"), Some(json!("a")));
    assert_eq!(get("mine_b"), Some(json!("order's")));
    assert_eq!(get("NODE_OPTIONS"), None);
    assert_eq!(get("SystemRoot"), Some(json!(system())));
}

#[test]
fn it_gets_its_folder_and_its_input_and_no_other_pipes() {
    let folder = Folder::new("place");
    let there = with(order(&plugin(), "folder", &[]), "cwd", json!(folder.0));
    assert_eq!(answer(&there), folder.0.to_str().unwrap());
    assert_eq!(answer(&with(order(&plugin(), "input", &[]), "input", json!("a\nö"))), "<a\nö>");
    assert_eq!(answer(&order(&plugin(), "input", &[])), "<>");
    // Its stdout and stderr: the helper's own two stay out of its reach.
    assert_eq!(answer(&order(&plugin(), "pipes", &[])), "2");
}

#[test]
fn its_end_is_told() {
    for (code, told) in [("0", 0), ("7", 7), ("255", 255), ("256", 255)] {
        let outcome = outcome_of(&order(&plugin(), &format!("exit {code}"), &[]));
        assert_eq!(outcome, json!({ "how": "exited", "code": told, "stdout": "" }));
    }
    let (said, outcome) = Runner::start(&order(&plugin(), "exit 3221225781", &[])).end();
    assert_eq!((said.as_str(), &outcome.unwrap()["code"]), ("exit status 0xc0000135\n", &json!(255)));
    let (said, _) = Runner::start(&order(&plugin(), "say log in first", &[])).end();
    assert_eq!(said, "log in first");
    let folder = Folder::new("codes");
    let batch = folder.write("code.cmd", "@exit /b 9\r\n");
    assert_eq!(outcome_of(&order(&batch, "", &[]))["code"], 9);
}

#[test]
fn too_much_output_ends_it() {
    let flood = order(&plugin(), "flood", &[]);
    assert_eq!(outcome_of(&with(flood, "maxBytes", json!(100_000))), json!({ "how": "tooLarge" }));
}

#[test]
fn its_time_ends_it_with_all_that_it_started() {
    let folder = Folder::new("time");
    for command in [plugin(), folder.batch("tree.cmd")] {
        let mut runner = Runner::start(&with(order(&command, "tree", &[]), "seconds", json!(3)));
        let processes = runner.processes(2);
        assert_eq!(runner.end().1, Some(json!({ "how": "timedOut" })));
        assert_gone(&processes);
    }
}

#[test]
fn a_withdrawn_one_is_ended() {
    let mut runner = Runner::start(&order(&plugin(), "tree", &[]));
    let processes = runner.processes(2);
    runner.input.as_mut().unwrap().write_all(&support::bytes(&json!({ "kind": "cancel", "id": 3 }))).unwrap();
    assert_eq!(runner.end().1, None);
    assert_gone(&processes);
}

#[test]
fn it_ends_with_whoever_asked() {
    let mut runner = Runner::start(&order(&plugin(), "tree", &[]));
    let processes = runner.processes(2);
    drop(runner.input.take());
    assert_eq!(runner.end().1, None);
    assert_gone(&processes);
}

#[test]
fn it_ends_with_a_helper_that_is_killed() {
    let mut runner = Runner::start(&order(&plugin(), "tree", &[]));
    let processes = runner.processes(2);
    assert!(processes.iter().all(|each| is_running(*each)));
    runner.child.kill().unwrap();
    assert_gone(&processes);
}

#[test]
fn what_it_leaves_running_when_it_ends_well_runs_on_unless_all_is_to_end() {
    for (ends_all, runs_on) in [(false, true), (true, false)] {
        let left = answer(&with(order(&plugin(), "leave", &[]), "endsAll", json!(ends_all)));
        let process: u32 = left.parse().unwrap();
        assert_eq!(is_running(process), runs_on);
        if runs_on {
            let _ = Command::new(Path::new(&system()).join("system32\\taskkill.exe"))
                .args(["/f", "/pid", &left])
                .output();
        }
    }
}

#[test]
fn a_terminal_is_never_given_in_the_brokers_place() {
    let order = with(order(&plugin(), "console", &[]), "terminal", json!(true));
    assert_eq!(outcome_of(&order), json!({ "how": "noTerminal" }));
}

/// The other tests order over standard input; a request does over the broker's pipe.
#[test]
fn a_broker_runs_it_for_a_request_and_withdraws_it() {
    let home = support::Home::new();
    let (say, tree) = (order(&plugin(), "say hello", &[]), order(&plugin(), "tree", &[]));
    let heard = support::broker(&home, move |talk| {
        talk.welcome();
        talk.say(say);
        let (mut said, mut processes) = (String::new(), String::new());
        let outcome = loop {
            let frame = talk.hear().unwrap();
            match frame["kind"].as_str().unwrap() {
                "said" => said.push_str(&decoded(&frame["data"])),
                "ran" => break frame["outcome"].clone(),
                _ => {}
            }
        };
        talk.say(with(tree, "id", json!(4)));
        while processes.lines().count() < 2 || !processes.ends_with('\n') {
            let frame = talk.hear().unwrap();
            if frame["kind"] == "said" {
                processes.push_str(&decoded(&frame["data"]));
            }
        }
        talk.say(json!({ "kind": "cancel", "id": 4 }));
        talk.say(json!({ "kind": "exit", "code": 0 }));
        (said, outcome, processes)
    });
    let ended = support::run(&mut home.kube(&support::helper()));
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    let (said, outcome, processes) = heard.join().unwrap();
    assert_eq!((said.as_str(), &outcome), ("hello", &json!({ "how": "exited", "code": 0, "stdout": "" })));
    assert_gone(&processes.lines().map(|line| line.trim().parse().unwrap()).collect::<Vec<u32>>());
}

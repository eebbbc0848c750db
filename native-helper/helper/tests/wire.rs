//! Checks the golden frames in test/wire: the helper decodes the broker's frames as they say, and encodes its own as
//! they say. Also compares the constants that both languages define.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr
)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lanyard_helper::{
    BrokerFrame, CLI, CONTROLLER, DOCKER, Decoder, Door, FrameError, HelperFrame, IMAGE, KUBE, Outcome,
    Protocol, Request, Terminal, encode,
};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

struct Golden {
    name: String,
    direction: String,
    bytes: Vec<u8>,
    expect: Value,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn goldens(direction: &str) -> Vec<Golden> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("test/wire")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        found.push(Golden {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            direction: value["direction"].as_str().unwrap().to_owned(),
            bytes: STANDARD.decode(value["bytesBase64"].as_str().unwrap()).unwrap(),
            expect: value["expect"].clone(),
        });
    }
    found.retain(|golden| golden.direction == direction);
    assert!(found.len() > 20, "{} golden files of the {direction}", found.len());
    found
}

/// Decodes these bytes in pieces of this size, then ends the connection.
fn decode(bytes: &[u8], piece: usize) -> Result<BrokerFrame, FrameError> {
    let mut decoder = Decoder::default();
    for piece in bytes.chunks(piece) {
        decoder.push(piece);
        if let Some(frame) = decoder.next_frame()? {
            decoder.finish()?;
            return Ok(frame);
        }
    }
    decoder.finish()?;
    Err(FrameError::Truncated)
}

fn as_json(frame: &BrokerFrame) -> Value {
    match frame {
        BrokerFrame::Welcome { protocol, broker } => {
            json!({ "kind": "welcome", "protocol": protocol, "broker": broker })
        }
        BrokerFrame::Stderr { text } => json!({ "kind": "stderr", "text": text }),
        BrokerFrame::Progress { seconds } => json!({ "kind": "progress", "seconds": seconds }),
        BrokerFrame::Prompt { id, text, echo } => {
            json!({ "kind": "prompt", "id": id, "text": text, "echo": echo })
        }
        BrokerFrame::Stdin { id, max_bytes } => json!({ "kind": "stdin", "id": id, "maxBytes": max_bytes }),
        BrokerFrame::Environment { id, names } => {
            json!({ "kind": "environment", "id": id, "names": names })
        }
        BrokerFrame::Run(order) => {
            let env: Vec<Value> = order
                .env
                .iter()
                .map(|each| json!({ "name": each.name, "value": each.value.as_str() }))
                .collect();
            let mut run = json!({
                "kind": "run", "id": order.id, "command": order.command, "args": order.args, "env": env,
                "pass": order.pass, "cwd": order.cwd, "terminal": order.terminal, "maxBytes": order.max_bytes,
                "seconds": order.seconds,
            });
            if let Some(input) = &order.input {
                run["input"] = json!(input.as_str());
            }
            if order.ends_all {
                run["endsAll"] = json!(true);
            }
            if order.runs_on {
                run["runsOn"] = json!(true);
            }
            run
        }
        BrokerFrame::Keep(order) => {
            let env: Vec<Value> = order
                .env
                .iter()
                .map(|each| json!({ "name": each.name, "value": each.value.as_str() }))
                .collect();
            json!({
                "kind": "keep", "id": order.id, "command": order.command, "args": order.args, "env": env,
                "cwd": order.cwd,
            })
        }
        BrokerFrame::Cancel { id } => json!({ "kind": "cancel", "id": id }),
        BrokerFrame::Stdout { data } => json!({ "kind": "stdout", "data": STANDARD.encode(data) }),
        BrokerFrame::Exit { code, stdout, stderr } => {
            let mut value = json!({ "kind": "exit", "code": code });
            if let Some(stdout) = stdout {
                value["stdout"] = STANDARD.encode(stdout).into();
            }
            if let Some(stderr) = stderr {
                value["stderr"] = stderr.as_str().into();
            }
            value
        }
    }
}

#[test]
fn the_brokers_frames_are_decoded_as_the_golden_files_say() {
    for golden in goldens("broker") {
        for piece in [1, 3, usize::MAX] {
            let decoded = match decode(&golden.bytes, piece) {
                Ok(frame) => as_json(&frame),
                Err(error) => json!({ "error": error.name() }),
            };
            assert_eq!(decoded, golden.expect, "{}, in pieces of {piece}", golden.name);
        }
    }
}

#[test]
fn the_golden_files_show_every_kind_of_frame_and_error() {
    let all = goldens("broker");
    for kind in [
        "welcome",
        "stderr",
        "progress",
        "prompt",
        "stdin",
        "environment",
        "run",
        "keep",
        "cancel",
        "stdout",
        "exit",
    ] {
        assert!(all.iter().any(|golden| golden.expect["kind"] == kind), "{kind}");
    }
    for error in ["truncated", "oversized", "utf8", "json", "kind", "shape"] {
        assert!(all.iter().any(|golden| golden.expect["error"] == error), "{error}");
    }
}

fn hello<'a>(door: &'a Door, request: Request<'a>) -> HelperFrame<'a> {
    HelperFrame::Hello {
        protocol: Protocol { min: 1, max: 1 },
        helper: "0.1.0",
        door: door.name,
        features: door.mask,
        terminal: Terminal { stdin: false, stdout: false, stderr: true, controlling: true, columns: None },
        request,
    }
}

/// The same at a terminal that says how wide it is.
fn wide<'a>(door: &'a Door, request: Request<'a>) -> HelperFrame<'a> {
    match hello(door, request) {
        HelperFrame::Hello { protocol, helper, door, features, terminal, request } => HelperFrame::Hello {
            terminal: Terminal { stdout: true, columns: Some(120), ..terminal },
            protocol,
            helper,
            door,
            features,
            request,
        },
        other => other,
    }
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn the_helpers_frames_are_the_golden_files_bytes() {
    let (asked, by_hand) =
        (words(&["--account", "corp", "--cluster", "prod"]), words(&["--account", "corp"]));
    let provider = words(&["--provider", "gke-fleet"]);
    let short = words(&["status"]);
    let cli = words(&["account", "add", "größe-鍵", "--file", "a b\n\"c\""]);
    let info = r#"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{"interactive":false}}"#;
    let kube = |args, info: Option<&[u8]>| {
        hello(&KUBE, Request::Kube { args, exec_info: info.map(lanyard_helper::base64) })
    };
    let typed = lanyard_helper::base64("päss word".as_bytes());
    let variables = lanyard_helper::base64(r#"{"KUBECONFIG":"/home/anna/größe:","NO_COLOR":""}"#.as_bytes());
    let said = lanyard_helper::base64(b"Code: \xff\x1b[31m");
    let image = lanyard_helper::base64(
        br#"{"kind":"CredentialProviderRequest","apiVersion":"credentialprovider.kubelet.k8s.io/v1","image":"ghcr.io/team/app"}"#,
    );
    let url = lanyard_helper::base64(b"https://index.docker.io/v1/");
    let entry = lanyard_helper::base64(
        b"{\"ServerURL\":\"ghcr.io\",\"Username\":\"<token>\",\"Secret\":\"\xff\x00\"}\n",
    );
    let docker = |called_as, action, input| hello(&DOCKER, Request::Docker { called_as, action, input });
    let outcomes = [
        ("ran-exited", Outcome::exited(0, b"{\"kind\":\"ExecCredential\"}\n")),
        ("ran-exited-empty", Outcome::exited(255, b"")),
        ("ran-signalled", Outcome::Signalled { signal: 9 }),
        ("ran-not-found", Outcome::NotFound),
        ("ran-not-started", Outcome::not_started("Permission denied")),
        ("ran-too-large", Outcome::TooLarge),
        ("ran-timed-out", Outcome::TimedOut),
        ("ran-interrupted", Outcome::Interrupted { signal: 2 }),
        ("ran-no-terminal", Outcome::NoTerminal),
    ];
    let own = [
        ("hello-kube", kube(&asked, Some(info.as_bytes()))),
        ("hello-kube-without-info", kube(&by_hand, None)),
        ("hello-kube-bytes", kube(&[], Some(b"\x00\xff\xfe{"))),
        (
            "hello-controller",
            hello(
                &CONTROLLER,
                Request::Kube { args: &provider, exec_info: Some(lanyard_helper::base64(info.as_bytes())) },
            ),
        ),
        ("hello-cli", hello(&CLI, Request::Cli { args: &cli, cwd: "/home/anna/repo".into() })),
        ("hello-columns", wide(&CLI, Request::Cli { args: &short, cwd: "/home/anna".into() })),
        ("hello-docker", docker(None, "get", &url)),
        ("hello-docker-named", docker(Some("work.eu-1"), "store", &entry)),
        ("hello-docker-list", docker(None, "list", "")),
        ("hello-image", hello(&IMAGE, Request::Image { input: &image })),
        ("answer", HelperFrame::Answer { id: 7, value: Some(&typed) }),
        ("answer-environment", HelperFrame::Answer { id: 4, value: Some(&variables) }),
        ("answer-empty", HelperFrame::Answer { id: 0, value: Some("") }),
        ("answer-nobody", HelperFrame::Answer { id: 7, value: None }),
        ("alive", HelperFrame::Alive { id: 3 }),
        ("said", HelperFrame::Said { id: 3, data: &said }),
    ];
    let ends = outcomes.iter().map(|(name, outcome)| (*name, HelperFrame::Ran { id: 3, outcome }));
    let goldens = goldens("helper");
    for (name, frame) in own.into_iter().chain(ends) {
        let golden = goldens.iter().find(|golden| golden.name == name).expect(name);
        let bytes = encode(&frame).unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&golden.bytes), "{name}");
        assert_eq!(serde_json::from_slice::<Value>(&bytes[4..]).unwrap(), golden.expect, "{name}");
    }
}

#[test]
fn a_request_larger_than_a_frame_is_not_sent() {
    let args = [String::from_utf8(vec![b'x'; 8 * 1024 * 1024]).unwrap()];
    let frame = hello(&CLI, Request::Cli { args: &args, cwd: "/".into() });
    assert_eq!(encode(&frame).unwrap_err(), FrameError::Oversized);
}

#[test]
fn a_systems_message_fits_its_field() {
    let outcome = Outcome::not_started(&"𝄞".repeat(5000));
    let Outcome::NotStarted { message } = outcome else { panic!("{outcome:?}") };
    assert_eq!(message.chars().count(), 1024);
}

#[test]
fn both_languages_write_down_the_same_numbers() {
    let read = |name: &str| fs::read_to_string(root().join("main/contract").join(name)).unwrap();
    let codes = read("exit-codes.ts");
    use lanyard_helper::exit;
    for (name, code) in [
        ("good", exit::GOOD),
        ("internal", exit::INTERNAL),
        ("usage", exit::USAGE),
        ("timedOut", exit::TIMED_OUT),
        ("notPermitted", exit::NOT_PERMITTED),
        ("unreachable", exit::UNREACHABLE),
        ("version", exit::VERSION),
    ] {
        assert!(codes.contains(&format!(" {name}: {code},")), "{name}");
    }
    let frames = read("frames.ts");
    let (min, max) = (lanyard_helper::PROTOCOL_MIN, lanyard_helper::PROTOCOL_MAX);
    assert!(frames.contains(&format!("protocolRange = {{ min: {min}, max: {max} }}")));
    assert!(frames.contains("frameLimitBytes = 8 * 1024 * 1024"));
    assert_eq!(lanyard_helper::FRAME_LIMIT_BYTES, 8 * 1024 * 1024);
}

//! What the helper decides without a broker: help, the rule no-deputy, the home's safety, starting a broker.
#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr
)]

mod support;

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, chown, lchown, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use support::{Ended, Home, broker, example, helper, run, set_mode};

fn bare(args: &[&str]) -> Ended {
    run(Command::new(helper()).args(args).env_clear().stdin(Stdio::null()))
}

fn text(ended: &Ended) -> &str {
    assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""));
    std::str::from_utf8(&ended.stdout).unwrap()
}

#[test]
fn help_needs_no_broker_and_no_home() {
    for args in [&[][..], &["--help"], &["-h"], &["help"]] {
        assert!(text(&bare(args)).contains("Usage: lanyard COMMAND"), "{args:?}");
    }
    for args in [&["help", "status"][..], &["status", "--help"], &["status", "--json", "-h"]] {
        assert!(text(&bare(args)).contains("Usage: lanyard status [--json"), "{args:?}");
    }
    for args in [&["account", "--help"][..], &["help", "account"]] {
        let ended = bare(args);
        for name in ["account add", "account list", "account remove"] {
            assert!(text(&ended).contains(name), "{args:?}");
        }
    }
    assert!(text(&bare(&["kube-credential", "--help"])).contains("--account ACCOUNT"));
    assert!(text(&bare(&["account", "add", "--help"])).contains("--oidc-issuer URL"));
}

#[test]
fn the_version_names_the_protocols() {
    assert_eq!(text(&bare(&["version"])), "lanyard 0.1.0 (protocol 1)\n");
    let json = bare(&["version", "--json"]);
    assert_eq!(text(&json), "{\"version\":\"0.1.0\",\"protocol\":{\"min\":1,\"max\":1}}\n");
    bare(&["version", "x"]).failed(2, "takes --json alone");
}

#[test]
fn a_standard_descriptor_that_is_closed_is_opened() {
    for closed in ["<&-", ">&-", "<&- >&- 2>&-"] {
        let words = format!("exec \"$0\" version {closed}");
        let ended = run(Command::new("/bin/sh").arg("-c").arg(words).arg(helper()).stdin(Stdio::null()));
        assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""), "{closed}");
    }
}

#[test]
fn an_unknown_command_names_the_nearest() {
    bare(&["stauts"]).failed(2, "did you mean: lanyard status");
    bare(&["account", "lits"]).failed(2, "did you mean: lanyard account list");
    bare(&["help", "logn"]).failed(2, "did you mean: lanyard login");
    bare(&["\u{1b}[2J"]).failed(2, "unknown command '[2J'");
    bare(&["account"]).failed(2, "account remove");
}

/// (rule: no-deputy)
#[test]
fn with_exec_info_only_kube_credential_exists() {
    let home = Home::new();
    broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
    for args in [
        &[][..],
        &["help"],
        &["--help"],
        &["version"],
        &["status"],
        &["agent"],
        &["unlock", "--passphrase-file", "/x"],
        &["secret", "set", "a"],
        &["nonsense"],
    ] {
        for info in ["{}", ""] {
            let ended = run(home.command(&helper(), args).env("KUBERNETES_EXEC_INFO", info));
            ended.failed(13, "only 'kube-credential' and 'cluster-credential' are permitted");
        }
    }
}

#[test]
fn no_broker_says_how_to_start_it() {
    let home = Home::new();
    run(&mut home.kube(&helper()))
        .failed(17, "lanyard: no broker is running\nhint: start it with: lanyard agent");
    // A socket that no process listens at any more.
    drop(UnixListener::bind(home.socket()).unwrap());
    run(&mut home.kube(&helper())).failed(17, "no broker is running");
    let gone = home.path.join("gone");
    run(home.kube(&helper()).env("LANYARD_HOME", gone)).failed(17, "no broker is running");
}

/// (rule: owner-only)
#[test]
fn a_home_that_others_can_enter_is_refused() {
    for mode in [0o755, 0o750, 0o701, 0o770, 0o777, 0o710] {
        let home = Home::new();
        broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
        set_mode(&home.path, mode);
        let ended = run(&mut home.kube(&helper()));
        ended.failed(13, &format!("is open to other users (mode {mode:04o})\nhint: chmod 700"));
    }
}

#[test]
fn a_home_is_what_the_broker_takes_for_one() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/wire/tables/homes.json");
    let table: serde_json::Value = serde_json::from_slice(&fs::read(table).unwrap()).unwrap();
    for row in table["homes"].as_array().unwrap() {
        let around = Home::new();
        let [at, folder, file, other] = ["at", "folder", "file", "other"].map(|name| around.path.join(name));
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "").unwrap();
        if row["holds"] == true {
            fs::write(folder.join("vault"), "").unwrap();
        }
        set_mode(&folder, u32::from_str_radix(row["mode"].as_str().unwrap(), 8).unwrap());
        if row["asRoot"] == true && !rustix::process::geteuid().is_root() {
            continue;
        }
        match row["at"].as_str().unwrap() {
            "folder" => fs::rename(&folder, &at).unwrap(),
            "file" => fs::rename(&file, &at).unwrap(),
            "link" => symlink("folder", &at).unwrap(),
            "linkToLink" => {
                symlink(&folder, &other).unwrap();
                symlink("other", &at).unwrap();
            }
            "linkToFile" => symlink("file", &at).unwrap(),
            "dangling" => symlink("nowhere", &at).unwrap(),
            "circle" => symlink("at", &at).unwrap(),
            "foreignLink" => {
                symlink("folder", &at).unwrap();
                lchown(&at, Some(65_534), None).unwrap();
            }
            "linkToForeignLink" => {
                symlink("folder", &other).unwrap();
                lchown(&other, Some(65_534), None).unwrap();
                symlink("other", &at).unwrap();
            }
            unknown => panic!("{unknown}"),
        }
        let (code, said) =
            if row["is"] == "refused" { (13, "lanyard: ") } else { (17, "no broker is running") };
        eprintln!("{}", row["name"]);
        run(around.kube(&helper()).env("LANYARD_HOME", &at)).failed(code, said);
    }
}

#[test]
fn another_users_home_is_refused() {
    let home = Home::new();
    if rustix::process::geteuid().is_root() {
        chown(&home.path, Some(65_534), None).unwrap();
        run(&mut home.kube(&helper())).failed(13, "belongs to another user");
    }
}

#[test]
fn a_home_without_place_for_a_socket_says_so() {
    let home = Home::new();
    let fits = 107 - "/lanyard.sock".len();
    for (length, code, said) in [(fits, 17, "no broker"), (fits + 1, 2, "hint: set a shorter LANYARD_HOME")] {
        let path = format!("/{}", "x".repeat(length - 1));
        run(home.kube(&helper()).env("LANYARD_HOME", path)).failed(code, said);
    }
    run(home.kube(&helper()).env("LANYARD_HOME", "x")).failed(2, "LANYARD_HOME must be an absolute path");
    run(home.kube(&helper()).env_remove("LANYARD_HOME")).failed(2, "set LANYARD_HOME, or HOME");
}

/// A home found by XDG_DATA_HOME, with a start.json for this number of requests.
fn startable(data: &Home, requests: u32) -> std::path::PathBuf {
    let home = data.path.join("lanyard");
    fs::create_dir(&home).unwrap();
    set_mode(&home, 0o700);
    let program = example("test_broker");
    let start = format!(r#"{{"version":1,"command":["{}","{requests}"],"later":1}}"#, program.display());
    fs::write(home.join("start.json"), start).unwrap();
    set_mode(&home.join("start.json"), 0o600);
    fs::create_dir(home.join("bin")).unwrap();
    // Copied by another process: threads of this one can't run a file that it has open for writing.
    assert!(Command::new("cp").arg(helper()).arg(own(data)).status().unwrap().success());
    home
}

/// The helper's installed path in a home that can start a broker.
fn own(data: &Home) -> std::path::PathBuf {
    data.path.join("lanyard/bin/lanyard")
}

fn unnamed(data: &Home, program: &Path) -> Command {
    let mut command = data.kube(program);
    command.env_remove("LANYARD_HOME").env("XDG_DATA_HOME", &data.path);
    command
}

// (rule: cleared-environment)
#[test]
fn the_broker_that_start_json_names_is_started_with_little_of_this_environment() {
    let data = Home::new();
    let home = startable(&data, 1);
    // A kubectl with the user's variables. Its kubeconfig's env adds to them.
    let mut command = Command::new("/bin/sh");
    command
        .args([
            "-c",
            r#"HTTPS_PROXY=http://evil PATH=/evil XDG_CONFIG_HOME=/evil "$0" kube-credential; exit $?"#,
        ])
        .arg(own(&data))
        .env_clear()
        .env("KUBERNETES_EXEC_INFO", "{}")
        .env("XDG_DATA_HOME", &data.path);
    command.envs([
        ("NODE_OPTIONS", "--require=/evil.js"),
        ("LD_LIBRARY_PATH", "/evil"),
        ("NODE_EXTRA_CA_CERTS", "/person.pem"),
        ("HTTPS_PROXY", "http://p"),
        ("LC_ALL", "C"),
        ("HOME", "/"),
    ]);
    let ended = run(&mut command);
    assert_eq!((ended.code(), ended.stdout.as_slice()), (0, b"hi\n".as_slice()), "{}", ended.stderr);

    let started = fs::read_to_string(home.join("started")).unwrap();
    for absent in
        ["NODE_OPTIONS", "/evil", "http://evil", "LD_LIBRARY_PATH", "KUBERNETES_EXEC_INFO", "LANYARD_HOME"]
    {
        assert!(!started.contains(absent), "{absent}");
    }
    for present in
        ["HTTPS_PROXY=http://p", "NODE_EXTRA_CA_CERTS=/person.pem", "LC_ALL=C", "HOME=/", "XDG_DATA_HOME="]
    {
        assert!(started.contains(present), "{present}");
    }
    let mut words = started.split(' ');
    let (pid, session) = (words.next().unwrap().to_owned(), words.nth(4).unwrap());
    assert_eq!(session, pid, "a session of its own");
    let core = started.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().nth(4), Some("0"));
    let log = home.join("agent.log");
    assert_eq!(fs::metadata(&log).unwrap().mode() & 0o777, 0o600);
    assert_eq!(fs::read_to_string(&log).unwrap(), "test broker started\n");
}

/// Whether the desktop app was started. The user's kubectl has the first variables, its kubeconfig's env adds the
/// others.
fn starts_desktop(of_person: &[(&str, &str)], of_kubeconfig: &str) -> bool {
    let data = Home::new();
    let home = startable(&data, 1);
    let broker = example("test_broker");
    let start = serde_json::json!({
        "version": 1,
        "command": [broker, "1", "alone"],
        "desktop": [broker, "1", "--hidden"],
    });
    fs::write(home.join("start.json"), start.to_string()).unwrap();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!(r#"{of_kubeconfig} "$0" kube-credential; exit $?"#)]).arg(own(&data));
    command.env_clear().env("KUBERNETES_EXEC_INFO", "{}").env("XDG_DATA_HOME", &data.path);
    let ended = run(command.envs(of_person.iter().copied()));
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    let words = fs::read_to_string(home.join("words")).unwrap();
    assert!(words == "--hidden" || words == "alone", "{words}");
    words == "--hidden"
}

#[test]
fn the_desktop_app_is_started_where_the_person_has_a_display() {
    assert!(starts_desktop(&[("DISPLAY", ":7")], ""));
    assert!(starts_desktop(&[("WAYLAND_DISPLAY", "wayland-0")], ""));
    assert!(!starts_desktop(&[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")], ""));
    // A window of a user over SSH would end with the connection.
    assert!(!starts_desktop(&[("DISPLAY", "localhost:10.0"), ("SSH_CONNECTION", "a 1 b 2")], ""));
    // A display that the kubeconfig chose doesn't count.
    assert!(!starts_desktop(&[], "DISPLAY=evil:0 WAYLAND_DISPLAY=/evil"));
}

#[test]
fn a_broker_gets_nothing_that_a_kubeconfig_could_have_chosen_where_the_clients_environment_leads_elsewhere() {
    let data = Home::new();
    let home = startable(&data, 1);
    // The test is the client here, and its variables lead to another home.
    let mut command = unnamed(&data, &own(&data));
    let chosen = ["HTTPS_PROXY", "all_proxy", "PATH", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE"];
    let more = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XAUTHORITY", "SSH_AUTH_SOCK", "TMPDIR", "LD_PRELOAD"];
    command.envs(chosen.iter().chain(&more).map(|name| (name, "/evil"))).env("LANG", "C");
    let ended = run(&mut command);
    assert_eq!((ended.code(), ended.stdout.as_slice()), (0, b"hi\n".as_slice()), "{}", ended.stderr);
    let started = fs::read_to_string(home.join("started")).unwrap();
    assert!(!started.contains("/evil"), "{started}");
    assert!(started.contains("PATH=/usr/local/bin:/usr/bin:/bin\n") && started.contains("LANG=C\n"));
}

#[test]
fn a_broker_that_was_started_holds_no_descriptor_of_the_caller() {
    let data = Home::new();
    let home = startable(&data, 1);
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", "exec 7>&1; exec \"$0\" kube-credential >/dev/null"])
        .arg(own(&data))
        .env_clear()
        .env("KUBERNETES_EXEC_INFO", "{}")
        .env("XDG_DATA_HOME", &data.path)
        .stdin(Stdio::null())
        .stdout(writer);
    assert!(shell.status().unwrap().success());
    drop(shell);
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    assert!(!fs::read_to_string(home.join("started")).unwrap().contains("pipe:"));
}

/// (rule: one-broker)
#[test]
fn many_helpers_at_once_find_one_broker() {
    let data = Home::new();
    startable(&data, 12);
    thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let ended = run(&mut unnamed(&data, &own(&data)));
                assert_eq!(
                    (ended.code(), ended.stdout.as_slice()),
                    (0, b"hi\n".as_slice()),
                    "{}",
                    ended.stderr
                );
            });
        }
    });
}

/// (rule: no-deputy)
#[test]
fn nothing_is_started_where_the_home_is_named_or_starting_is_unwanted() {
    let data = Home::new();
    let home = startable(&data, 1);
    run(data.kube(&helper()).env("LANYARD_HOME", &home)).failed(17, "no broker is running");
    run(unnamed(&data, &own(&data)).env("LANYARD_NO_START", "1")).failed(17, "no broker is running");
    // A kubeconfig's exec.env leads to a home that doesn't contain its command.
    run(&mut unnamed(&data, &helper())).failed(17, "no broker is running");
    assert!(!home.join("started").exists());
}

/// A shell runs it before each prompt. It must neither start a broker nor complain each time that none runs.
#[test]
fn a_prompt_starts_no_broker_and_says_nothing_where_there_is_none() {
    let data = Home::new();
    startable(&data, 1);
    for format in [&["status", "--format", "{context}"][..], &["status", "--format={context}"]] {
        let mut command = data.command(&own(&data), format);
        let ended = run(command.env_remove("LANYARD_HOME").env("XDG_DATA_HOME", &data.path));
        assert_eq!((ended.code(), ended.stdout.as_slice(), ended.stderr.as_str()), (17, b"".as_slice(), ""));
    }
    assert!(!data.path.join("lanyard/started").exists());
}

#[test]
fn a_start_json_that_another_user_could_have_written_names_nothing() {
    let data = Home::new();
    let home = startable(&data, 1);
    let start = home.join("start.json");
    for mode in [0o620, 0o602, 0o666] {
        set_mode(&start, mode);
        run(&mut unnamed(&data, &own(&data))).failed(13, "can be written by other users");
    }
    set_mode(&start, 0o600);
    if rustix::process::geteuid().is_root() {
        chown(&start, Some(65_534), None).unwrap();
        run(&mut unnamed(&data, &own(&data))).failed(13, "is not a file of your own");
        chown(&start, Some(0), None).unwrap();
    }
    fs::rename(&start, home.join("real")).unwrap();
    symlink(home.join("real"), &start).unwrap();
    run(&mut unnamed(&data, &own(&data))).failed(13, "start.json");
    assert!(!home.join("started").exists());
}

#[test]
fn a_start_json_that_says_nonsense_is_an_error() {
    let data = Home::new();
    let start = startable(&data, 1).join("start.json");
    for (content, said) in [
        ("{", "not a start file"),
        (r#"{"version":2,"command":["/bin/true"]}"#, "made by a newer lanyard"),
        (r#"{"version":1,"command":["true"]}"#, "must begin with an absolute path"),
        (r#"{"version":1,"command":[]}"#, "must begin with an absolute path"),
    ] {
        fs::write(&start, content).unwrap();
        run(&mut unnamed(&data, &own(&data))).failed(1, said);
    }
    fs::write(&start, r#"{"version":1,"command":["/nonexistent/node"]}"#).unwrap();
    run(&mut unnamed(&data, &own(&data))).failed(17, "can't start the broker");
    fs::write(&start, r#"{"version":1,"command":["/bin/false"]}"#).unwrap();
    run(&mut unnamed(&data, &own(&data))).failed(17, "was started but ended (exit status: 1)");
    fs::write(&start, r#"{"version":1,"command":["/bin/true"]}"#).unwrap();
    let mut late = unnamed(&data, &example("impatient"));
    run(late.env_remove("KUBERNETES_EXEC_INFO")).failed(17, "was started but takes no connection");
}

#[test]
fn the_agent_becomes_the_broker_beside_it() {
    let (home, place) = (Home::new(), Home::new());
    let binary = place.path.join("lanyard");
    fs::copy(helper(), &binary).unwrap();
    let script = "echo $$; umask; ulimit -c; echo \\\"$@\\\"; env";
    // The user asked for the broker in the foreground, with or without a display.
    let start = format!(
        r#"{{"version":1,"command":["/bin/sh","-c","{script}","sh"],"desktop":["/nonexistent/app"]}}"#
    );
    fs::write(place.path.join("start.json"), &start).unwrap();
    let mut command = home.command(&binary, &["agent", "--passphrase-file", "/p q"]);
    command.env("NODE_OPTIONS", "--inspect").env("ELECTRON_RUN_AS_NODE", "1").env("DISPLAY", ":0");
    command.env("TZ", "UTC").stdout(Stdio::piped());
    let child = support::spawn(&mut command);
    let pid = child.id();
    let ended = support::finish(child);
    let out = text(&ended);
    assert!(out.starts_with(&format!("{pid}\n0077\n0\n--passphrase-file /p q\n")), "{out}");
    assert!(out.contains(&format!("LANYARD_HOME={}\n", home.path.display())));
    assert!(out.contains("TZ=UTC\n"));
    assert!(!out.contains("NODE_OPTIONS") && !out.contains("ELECTRON_RUN_AS_NODE"));

    // A copy with no start.json beside it uses the one in the home.
    fs::rename(place.path.join("start.json"), home.path.join("start.json")).unwrap();
    assert!(text(&run(&mut home.command(&binary, &["agent"]))).contains("0077\n0\n"));
    fs::remove_file(home.path.join("start.json")).unwrap();
    run(&mut home.command(&binary, &["agent"])).failed(17, "there is no start.json");
}

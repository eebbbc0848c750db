//! What the helper decides without a broker: help, the rule no-deputy, the home's safety, starting a broker.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr
)]

mod support;

use serde_json::json;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use support::listener::Listener;
use support::{Ended, Home, broker, close, example, helper, open_for_reading, open_for_writing, run};

fn bare(args: &[&str]) -> Ended {
    run(&mut support::bare(&helper(), args))
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
        assert!(text(&bare(args)).contains("Usage: lanyard status [ACCOUNT|CLUSTER|REGISTRY]"), "{args:?}");
    }
    for args in [&["account", "--help"][..], &["help", "account"]] {
        let ended = bare(args);
        for name in ["account add", "account list", "account remove"] {
            assert!(text(&ended).contains(name), "{args:?}");
        }
    }
    assert!(text(&bare(&["kube-credential", "--help"])).contains("--account ACCOUNT"));
    assert!(text(&bare(&["account", "add", "oidc", "--help"])).contains("--oidc-issuer URL"));
}

#[test]
fn the_version_names_the_protocols() {
    assert_eq!(text(&bare(&["version"])), "lanyard 0.1.0 (protocol 1)\n");
    let json = bare(&["version", "--json"]);
    assert_eq!(text(&json), "{\"version\":\"0.1.0\",\"protocol\":{\"min\":1,\"max\":1}}\n");
    bare(&["version", "x"]).failed(2, "takes --json alone");
}

/// Windows has no numbers that another file could get.
#[cfg(unix)]
#[test]
fn a_standard_descriptor_that_is_closed_is_opened() {
    use std::process::Stdio;
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
        .failed(17, "lanyard: no agent is running\nhint: start it with: lanyard agent");
    // A socket that no process listens at any more. A pipe ends with its process.
    drop(Listener::bind(&home.path).unwrap());
    run(&mut home.kube(&helper())).failed(17, "no agent is running");
    let gone = home.path.join("gone");
    run(home.kube(&helper()).env("LANYARD_HOME", gone)).failed(17, "no agent is running");
}

/// (rule: owner-only)
#[test]
fn a_home_that_others_can_read_is_refused() {
    for open in [open_for_reading, open_for_writing] {
        let home = Home::new();
        broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
        open(&home.path);
        run(&mut home.kube(&helper())).failed(13, "is open to other users");
    }
}

/// Windows has no modes.
#[cfg(unix)]
#[test]
fn a_home_that_others_can_enter_is_refused() {
    use support::set_mode;
    for mode in [0o755, 0o750, 0o701, 0o770, 0o777, 0o710] {
        let home = Home::new();
        broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
        set_mode(&home.path, mode);
        let ended = run(&mut home.kube(&helper()));
        ended.failed(13, &format!("is open to other users (mode {mode:04o})\nhint: chmod 700"));
    }
}

/// By modes and owners. home.rs has the table of Windows' homes.
#[cfg(unix)]
#[test]
fn a_home_is_what_the_broker_takes_for_one() {
    use std::os::unix::fs::{lchown, symlink};
    use support::set_mode;
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
            if row["is"] == "refused" { (13, "lanyard: ") } else { (17, "no agent is running") };
        eprintln!("{}", row["name"]);
        run(around.kube(&helper()).env("LANYARD_HOME", &at)).failed(code, said);
    }
}

/// On Windows an administrator's counts as this user's, and only an administrator can give a folder away.
#[cfg(unix)]
#[test]
fn another_users_home_is_refused() {
    use std::os::unix::fs::chown;
    let home = Home::new();
    if rustix::process::geteuid().is_root() {
        chown(&home.path, Some(65_534), None).unwrap();
        run(&mut home.kube(&helper())).failed(13, "belongs to another user");
    }
}

#[test]
fn a_home_is_an_absolute_path() {
    let home = Home::new();
    run(home.kube(&helper()).env("LANYARD_HOME", "x")).failed(2, "LANYARD_HOME must be an absolute path");
    run(home.kube(&helper()).env_remove("LANYARD_HOME")).failed(2, "set LANYARD_HOME, or HOME");
}

/// A pipe's name has no such limit.
#[cfg(unix)]
#[test]
fn a_home_without_place_for_a_socket_says_so() {
    let home = Home::new();
    let fits = 107 - "/lanyard.sock".len();
    for (length, code, said) in [(fits, 17, "no agent"), (fits + 1, 2, "hint: set a shorter LANYARD_HOME")] {
        let path = format!("/{}", "x".repeat(length - 1));
        run(home.kube(&helper()).env("LANYARD_HOME", path)).failed(code, said);
    }
}

/// What leads to a user's data, and the home in it.
const DATA: (&str, &str) =
    if cfg!(windows) { ("LOCALAPPDATA", "Lanyard") } else { ("XDG_DATA_HOME", "lanyard") };

/// A home found by DATA, with a start.json for this number of requests.
fn startable(data: &Home, requests: u32) -> PathBuf {
    let home = data.path.join(DATA.1);
    fs::create_dir_all(home.join("bin")).unwrap();
    close(&home);
    write_start(&home, &json!([example("test_broker"), requests.to_string()]));
    // Copied by another process: threads of this one can't run a file that it has open for writing.
    #[cfg(unix)]
    assert!(Command::new("cp").arg(helper()).arg(own(data)).status().unwrap().success());
    #[cfg(windows)]
    fs::copy(helper(), own(data)).unwrap();
    home
}

fn write_start(folder: &Path, command: &serde_json::Value) {
    let start = json!({ "version": 1, "command": command, "later": 1 });
    fs::write(folder.join("start.json"), start.to_string()).unwrap();
    close(&folder.join("start.json"));
}

/// The helper's installed path in a home that can start a broker.
fn own(data: &Home) -> PathBuf {
    data.path.join(DATA.1).join("bin").join(format!("lanyard{EXE_SUFFIX}"))
}

fn unnamed(data: &Home, program: &Path) -> Command {
    let mut command = data.kube(program);
    command.env_remove("LANYARD_HOME").env(DATA.0, &data.path);
    command
}

/// (rule: cleared-environment)
/// By the client's own environment, which Windows doesn't tell: there it is that of a login.
#[cfg(unix)]
#[test]
fn the_broker_that_start_json_names_is_started_with_little_of_this_environment() {
    use std::os::unix::fs::MetadataExt;
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
    assert_eq!(fs::read_to_string(&log).unwrap(), "test agent started\n");
}

/// (rule: cleared-environment)
#[cfg(windows)]
#[test]
fn the_broker_that_start_json_names_is_started_with_the_environment_of_a_login() {
    // A kubeconfig's env adds to the client's variables, so with exec info none of them counts.
    for (with_exec_info, proxy) in [(true, false), (false, true)] {
        let data = Home::new();
        let home = startable(&data, 1);
        let mut command = unnamed(&data, &own(&data));
        if !with_exec_info {
            command.env_remove("KUBERNETES_EXEC_INFO");
        }
        command.envs([
            ("NODE_OPTIONS", "--require=/evil.js"),
            ("LANYARD_OTHER", "/evil"),
            ("HTTPS_PROXY", "http://proxy"),
            ("Path", "/client"),
        ]);
        let ended = run(&mut command);
        assert_eq!((ended.code(), ended.stdout.as_slice()), (0, b"hi\n".as_slice()), "{}", ended.stderr);
        let started = fs::read_to_string(home.join("started")).unwrap();
        for absent in ["NODE_OPTIONS", "/evil", "KUBERNETES_EXEC_INFO", "LANYARD_HOME"] {
            assert!(!started.contains(absent), "{absent}");
        }
        assert_eq!(started.contains("http://proxy"), proxy, "{started}");
        assert_eq!(started.contains("/client"), proxy, "{started}");
        assert!(started.to_uppercase().contains("SYSTEMROOT="), "{started}");
        let log = fs::read_to_string(home.join("agent.log")).unwrap();
        assert_eq!(log, "test agent started\n");
    }
}

/// A shell of an ordinary user: of root, as another user in a namespace. None where the system has no such.
#[cfg(unix)]
fn shell_of_a_person() -> Option<Command> {
    if !rustix::process::geteuid().is_root() {
        return Some(Command::new("/bin/sh"));
    }
    let with = ["--user", "--map-user=1000", "--map-group=1000"];
    let tried = Command::new("unshare").args(with).arg("true").status();
    let mut command = Command::new("unshare");
    command.args(with).arg("/bin/sh");
    if !tried.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this system gives root no namespace of another user");
        return None;
    }
    Some(command)
}

/// Whether the desktop app was started, by its program, and what the helper said. The user's kubectl has the first
/// variables, its kubeconfig's env adds the others.
#[cfg(unix)]
fn starts_desktop(
    mut shell: Command,
    app: &Path,
    of_person: &[(&str, &str)],
    of_kubeconfig: &str,
) -> (bool, String) {
    let data = Home::new();
    let home = startable(&data, 1);
    let start = serde_json::json!({
        "version": 1,
        "command": [example("test_broker"), "1", "alone"],
        "desktop": [app, "1", "--hidden"],
    });
    fs::write(home.join("start.json"), start.to_string()).unwrap();
    let command =
        shell.args(["-c", &format!(r#"{of_kubeconfig} "$0" kube-credential; exit $?"#)]).arg(own(&data));
    command.env_clear().env("KUBERNETES_EXEC_INFO", "{}").env("XDG_DATA_HOME", &data.path);
    let ended = run(command.envs(of_person.iter().copied()));
    assert_eq!(ended.code(), 0, "{}", ended.stderr);
    let words = fs::read_to_string(home.join("words")).unwrap();
    assert!(words == "--hidden" || words == "alone", "{words}");
    (words == "--hidden", ended.stderr)
}

/// Windows names no display in variables: os/windows/process.rs starts the app.
#[cfg(unix)]
#[test]
fn the_desktop_app_is_started_where_the_person_has_a_display() {
    let Some(_) = shell_of_a_person() else { return };
    let starts = |of_person: &[(&str, &str)], of_kubeconfig| {
        let shell = shell_of_a_person().unwrap();
        let (starts, said) = starts_desktop(shell, &example("test_broker"), of_person, of_kubeconfig);
        assert_eq!(said, "");
        starts
    };
    assert!(starts(&[("DISPLAY", ":7")], ""));
    assert!(starts(&[("WAYLAND_DISPLAY", "wayland-0")], ""));
    assert!(!starts(&[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")], ""));
    // A window of a user over SSH would end with the connection.
    assert!(!starts(&[("DISPLAY", "localhost:10.0"), ("SSH_CONNECTION", "a 1 b 2")], ""));
    // A display that the kubeconfig chose doesn't count.
    assert!(!starts(&[], "DISPLAY=evil:0 WAYLAND_DISPLAY=/evil"));
}

/// As Chromium ends without a sandbox: by a signal.
#[cfg(unix)]
#[test]
fn where_the_desktop_app_ends_at_once_the_broker_alone_is_started() {
    let Some(shell) = shell_of_a_person() else { return };
    let folder = Home::new();
    let app = folder.path.join("app");
    fs::write(&app, "#!/bin/sh\nkill -TRAP $$\n").unwrap();
    fs::set_permissions(&app, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (starts, said) = starts_desktop(shell, &app, &[("DISPLAY", ":7")], "");
    assert!(!starts);
    assert!(said.starts_with("lanyard: the agent was started but ended (signal: 5"), "{said}");
    assert!(said.ends_with("; started without a window\n"), "{said}");
}

/// Its code is not that of a second start.
#[cfg(unix)]
#[test]
fn where_the_desktop_app_refuses_to_run_or_is_no_program_the_broker_alone_is_started() {
    for (text, mode, expected) in
        [("#!/bin/sh\nexit 13\n", 0o755, "13"), ("", 0o644, "can't start the agent")]
    {
        let Some(shell) = shell_of_a_person() else { return };
        let folder = Home::new();
        let app = folder.path.join("app");
        fs::write(&app, text).unwrap();
        fs::set_permissions(&app, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        let (starts, said) = starts_desktop(shell, &app, &[("DISPLAY", ":7")], "");
        assert!(!starts);
        assert!(said.contains(expected), "{said}");
    }
}

/// Chromium has no sandbox as root, so the app doesn't start.
#[cfg(target_os = "linux")]
#[test]
fn root_has_no_desktop() {
    if rustix::process::geteuid().is_root() {
        let shell = Command::new("/bin/sh");
        let (starts, said) = starts_desktop(shell, &example("test_broker"), &[("DISPLAY", ":7")], "");
        assert!(!starts);
        assert_eq!(said, "lanyard: the desktop app doesn't run as root; started without a window\n");
    }
}

/// As above, for Unix.
#[cfg(unix)]
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

/// The first request ends the helper. The broker waits for a second one, and a client would wait for the end of what it
/// holds.
#[cfg(windows)]
#[test]
fn a_broker_that_was_started_holds_no_pipe_of_the_caller() {
    let data = Home::new();
    startable(&data, 2);
    for _ in 0..2 {
        let ended = run(&mut unnamed(&data, &own(&data)));
        assert_eq!((ended.code(), ended.stdout.as_slice()), (0, b"hi\n".as_slice()), "{}", ended.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_broker_that_was_started_holds_no_descriptor_of_the_caller() {
    use std::io::Read;
    use std::process::Stdio;
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
    run(data.kube(&helper()).env("LANYARD_HOME", &home)).failed(17, "no agent is running");
    run(unnamed(&data, &own(&data)).env("LANYARD_NO_START", "1")).failed(17, "no agent is running");
    // A kubeconfig's exec.env leads to a home that doesn't contain its command.
    run(&mut unnamed(&data, &helper())).failed(17, "no agent is running");
    assert!(!home.join("started").exists());
}

/// A shell runs it before each prompt. It must neither start a broker nor complain each time that none runs.
#[test]
fn a_prompt_starts_no_broker_and_says_nothing_where_there_is_none() {
    let data = Home::new();
    startable(&data, 1);
    for format in [&["status", "--format", "{context}"][..], &["status", "--format={context}"]] {
        let mut command = data.command(&own(&data), format);
        let ended = run(command.env_remove("LANYARD_HOME").env(DATA.0, &data.path));
        assert_eq!((ended.code(), ended.stdout.as_slice(), ended.stderr.as_str()), (17, b"".as_slice(), ""));
    }
    assert!(!data.path.join(DATA.1).join("started").exists());
}

/// A checkout that was copied: the last broker of this home is the other one's.
#[test]
fn a_helper_that_starts_the_broker_of_another_place_says_so() {
    for (beside, says) in [("test_broker", false), ("witness", true)] {
        let data = Home::new();
        let home = startable(&data, 1);
        write_start(&home.join("bin"), &json!([example(beside)]));
        let ended = run(&mut unnamed(&data, &own(&data)));
        assert_eq!((ended.code(), ended.stdout.as_slice()), (0, b"hi\n".as_slice()), "{}", ended.stderr);
        assert_eq!(ended.stderr.contains("hint: to start this one: lanyard agent"), says, "{}", ended.stderr);
    }
}

#[test]
fn a_start_json_that_others_can_write_names_nothing() {
    let data = Home::new();
    let home = startable(&data, 1);
    let start = home.join("start.json");
    open_for_writing(&start);
    run(&mut unnamed(&data, &own(&data))).failed(13, "can be written by other users");
    assert!(!home.join("started").exists());
    open_for_reading(&start);
    assert_eq!(run(&mut unnamed(&data, &own(&data))).code(), 0);
}

/// By modes and owners.
#[cfg(unix)]
#[test]
fn a_start_json_that_another_user_could_have_written_names_nothing() {
    use std::os::unix::fs::{chown, symlink};
    use support::set_mode;
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
    let home = startable(&data, 1);
    for (content, said) in [
        ("{", "not a start file"),
        (r#"{"version":2,"command":["/bin/true"]}"#, "made by a newer lanyard"),
        (r#"{"version":1,"command":["true"]}"#, "must begin with an absolute path"),
        (r#"{"version":1,"command":[]}"#, "must begin with an absolute path"),
    ] {
        fs::write(home.join("start.json"), content).unwrap();
        run(&mut unnamed(&data, &own(&data))).failed(1, said);
    }
    // A folder is no program.
    write_start(&home, &json!([data.path]));
    run(&mut unnamed(&data, &own(&data))).failed(17, "can't start the agent: ");
}

#[test]
fn a_broker_that_ends_or_does_not_listen_is_an_error() {
    let data = Home::new();
    let home = startable(&data, 1);
    write_start(&home, &json!([example("witness")]));
    let ended = run(&mut unnamed(&data, &own(&data)));
    ended.failed(17, "was started but ended (exit ");
    assert!(ended.stderr.contains(": 17)"), "{}", ended.stderr);
    // As if it had found another one.
    write_start(&home, &json!([helper(), "version"]));
    let mut late = unnamed(&data, &example("impatient"));
    run(late.env_remove("KUBERNETES_EXEC_INFO")).failed(17, "was started but takes no connection");
}

/// Whatever the helper was asked for, and whether it may start a broker or not.
#[test]
fn an_app_that_was_moved_is_to_be_opened_where_it_is() {
    let data = Home::new();
    let home = startable(&data, 1);
    let gone = data.path.join("gone").join("app");
    let headless = json!({ "version": 1, "command": [gone, "agent"] });
    let mut app = headless.clone();
    app["desktop"] = json!([gone, "--hidden"]);
    for (start, hint) in [
        (app, "hint: the app was moved or removed: open the Lanyard app again, where it is now"),
        (headless, "hint: Lanyard was moved or removed: start it again, where it is now"),
    ] {
        fs::write(home.join("start.json"), start.to_string()).unwrap();
        let named = |args: &[&str]| {
            let mut command = data.command(&helper(), args);
            command.env("LANYARD_HOME", &home);
            command
        };
        for mut command in
            [unnamed(&data, &own(&data)), named(&["status"]), named(&["agent"]), named(&["doctor"])]
        {
            let ended = run(&mut command);
            ended.failed(
                17,
                &format!("lanyard: can't start the agent: {} is not there\n{hint}\n", gone.display()),
            );
        }
    }
}

#[test]
fn the_agent_becomes_the_broker_beside_it() {
    let (home, place) = (Home::new(), Home::new());
    let binary = place.path.join(format!("lanyard{EXE_SUFFIX}"));
    fs::copy(helper(), &binary).unwrap();
    // The user asked for the broker in the foreground, with or without a display.
    let start = json!({
        "version": 1,
        "command": [example("witness"), "first"],
        "desktop": [place.path.join("none")],
    });
    fs::write(place.path.join("start.json"), start.to_string()).unwrap();
    close(&place.path.join("start.json"));
    let mut command = home.command(&binary, &["agent", "--passphrase-file", "/p q"]);
    command.env("NODE_OPTIONS", "--inspect").env("ELECTRON_RUN_AS_NODE", "1").env("DISPLAY", ":0");
    let ended = run(command.env("LANG", "C"));
    let out = std::str::from_utf8(&ended.stdout).unwrap();
    assert_eq!((ended.code(), ended.stderr.as_str()), (17, ""), "{out}");
    assert!(out.starts_with("first\n--passphrase-file\n/p q\n\n"), "{out}");
    assert!(out.contains(&format!("LANYARD_HOME={}\n", home.path.display())));
    assert!(out.contains("LANG=C\n"));
    assert!(!out.contains("NODE_OPTIONS") && !out.contains("ELECTRON_RUN_AS_NODE"));

    // A copy with no start.json beside it uses the one in the home.
    fs::rename(place.path.join("start.json"), home.path.join("start.json")).unwrap();
    let ended = run(&mut home.command(&binary, &["agent"]));
    assert!(ended.stdout.starts_with(b"first\n\n"), "{}", ended.stderr);
    fs::remove_file(home.path.join("start.json")).unwrap();
    run(&mut home.command(&binary, &["agent"])).failed(17, "there is no start.json");
}

/// Windows has no exec, and neither masks nor core files.
#[cfg(unix)]
#[test]
fn the_agent_keeps_its_pid_and_its_files_are_for_its_user() {
    let home = Home::new();
    write_start(&home.path, &json!(["/bin/sh", "-c", "echo $$; umask; ulimit -c", "sh"]));
    let child = support::spawn(home.command(&helper(), &["agent"]).stdout(std::process::Stdio::piped()));
    let pid = child.id();
    assert_eq!(text(&support::finish(child)), format!("{pid}\n0077\n0\n"));
}

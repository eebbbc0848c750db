//! What shells and kubectl get when they complete a line. With a slow, bad or missing broker they get fewer words, and
//! no errors.
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
use std::path::Path;
use std::process::Command;
use std::thread::JoinHandle;
use support::{Home, Talk, bare, broker, called, example, helper, open_for_reading, run};

/// The helper's stdout. It must succeed, and print nothing to stderr.
fn printed(command: &mut Command) -> String {
    let ended = run(command);
    assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""));
    String::from_utf8(ended.stdout).unwrap()
}

/// With the names of a broker that may be slow on a busy machine.
fn words(home: &Home, words: &[&str]) -> String {
    printed(&mut home.command(&example("patient"), &[&["complete-words", "--"], words].concat()))
}

/// Completes in bash after one Tab, with the cursor at the end of the line.
fn bash(home: &Home, kind: &str, line: &str) -> String {
    let breaks = " \t\n\"'@><=;|&(:";
    printed(
        &mut home.command(&example("patient"), &["complete-words", "--bash", kind, "40", breaks, "--", line]),
    )
}

/// A broker that answers one request with these names.
fn knowing(home: &Home, names: &'static str) -> JoinHandle<Value> {
    broker(home, move |talk| {
        let hello = talk.welcome();
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode(names) }));
        hello
    })
}

#[test]
fn names_are_asked_of_the_broker_which_may_do_nothing_else() {
    for (line, kinds) in [
        (&["login", ""][..], &["accounts", "clusters", "registries"][..]),
        (&["audit", "--json", "--account", "c"], &["accounts"]),
        (&["audit", "--account=c"], &["accounts"]),
        (&["history", ""], &["clusters"]),
    ] {
        let home = Home::new();
        let heard = knowing(&home, "corp\toidc\neu:prod\tstaticToken\n");
        let prefix = if line[1].ends_with("=c") { "--account=" } else { "" };
        let expected = format!("{prefix}corp\toidc\n{prefix}eu:prod\tstaticToken\n:4\n");
        assert_eq!(words(&home, line), expected, "{line:?}");
        let hello = heard.join().unwrap();
        assert_eq!(hello["request"]["args"], json!([&["complete-names"], kinds].concat()));
        assert_eq!((&hello["door"], &hello["features"]), (&json!("cli"), &json!(["exit", "environment"])));
    }
}

#[test]
fn the_broker_may_ask_for_variables_first() {
    let home = Home::new();
    broker(&home, |talk| {
        talk.welcome();
        talk.say(json!({ "kind": "environment", "id": 1, "names": ["KUBECONFIG"] }));
        let answer = talk.hear().unwrap();
        let told = STANDARD.decode(answer["value"].as_str().unwrap()).unwrap();
        talk.say(json!({ "kind": "exit", "code": 0, "stdout": STANDARD.encode(told) }));
    });
    let mut command = home.command(&example("patient"), &["complete-words", "--", "login", ""]);
    assert_eq!(printed(command.env("KUBECONFIG", "/k")), "{\"KUBECONFIG\":\"/k\"}\n:4\n");
}

#[test]
fn a_broker_that_is_slow_bad_or_gone_means_no_names_and_no_word() {
    let talks: [fn(&mut Talk); 7] = [
        |_| {},
        // The broker sends nothing more until the helper has exited.
        |talk| while talk.hear().is_some() {},
        |talk| {
            talk.welcome();
            while talk.hear().is_some() {}
        },
        |talk| talk.raw(b"\0\0\0\x02[]"),
        |talk| talk.say(json!({ "kind": "exit", "code": 18, "stderr": "lanyard: too old\n" })),
        |talk| {
            talk.welcome();
            talk.say(json!({ "kind": "prompt", "id": 1, "text": "? ", "echo": true }));
        },
        |talk| {
            talk.welcome();
            talk.say(json!({ "kind": "stderr", "text": "hello\n" }));
            talk.say(json!({ "kind": "exit", "code": 0, "stdout": "eAo=" }));
        },
    ];
    for talk in talks {
        let home = Home::new();
        broker(&home, talk);
        let line = ["complete-words", "--", "login", ""];
        assert_eq!(printed(&mut home.command(&helper(), &line)), ":4\n");
    }
}

#[test]
fn no_broker_is_started_and_no_unsafe_home_is_used() {
    let home = Home::new();
    assert_eq!(words(&home, &["login", ""]), ":4\n");
    open_for_reading(&home.path);
    broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
    assert_eq!(words(&home, &["login", ""]), ":4\n");
}

#[test]
fn what_steers_a_terminal_is_left_out_of_names() {
    let home = Home::new();
    knowing(&home, "a\u{1b}[2Jb\tc\u{202e}d\te\n\n\u{fdd3}x\n");
    assert_eq!(words(&home, &["login", ""]), "a[2Jb\tcd e\nx\n:4\n");
}

#[test]
fn the_commands_need_no_broker() {
    let home = Home::new();
    broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
    for (line, expected) in [
        (&["account", ""][..], "add\tAdd an account\n"),
        (&["help", ""], "status\t"),
        (&["help", "cluster", ""], "list\tList the clusters\n"),
        (&["sta"], "status\t"),
        (&["-"], "--version\t"),
        (&["help", ""], "exit-codes\t"),
        (&["help", "account", "add", ""], "oidc\n"),
        (&["unlock", ""], "--new\tMake the first vault"),
        (&["cluster", "add", "x", "--without-info", ""], "allow\nrefuse\n:4\n"),
        (&["vault", "export", ""], ":0\n"),
        (&["vault", "export", "/x", ""], "--passphrase-file\t"),
        (&["kubeconfig", "dismiss", "a", "b", ""], ":0\n"),
        (&["account", "add", "--", "-"], ":4\n"),
        (&["nonsense", ""], ":4\n"),
        (&["account", "nonsense", ""], ":4\n"),
    ] {
        let page = words(&home, line);
        assert!(page.contains(expected), "{line:?}: {page}");
        assert!([":4\n", ":0\n"].iter().any(|directive| page.ends_with(directive)), "{line:?}: {page}");
    }
    assert!(!words(&home, &[""]).contains("complete-words"));
    let new = &["complete-words", "--new-word", "--", "completion"];
    assert_eq!(printed(&mut home.command(&helper(), new)), "bash\nzsh\nfish\npowershell\n:4\n");
}

#[test]
fn bash_gets_what_it_puts_behind_its_own_idea_of_a_word() {
    for (line, expected) in [
        ("lanyard login ", "corp\neu:prod\neu:test\nmy\\ ctx\n:4\n"),
        ("lanyard login eu:", "prod\ntest\n:4\n"),
        ("lanyard login 'eu:", "eu:prod\neu:test\n:4\n"),
        ("lanyard login m", "my\\ ctx\n:4\n"),
        ("lanyard audit --account=c", "corp\n:4\n"),
        ("lanyard login x", ":4\n"),
    ] {
        let home = Home::new();
        knowing(&home, "corp\toidc\neu:prod\toidc\neu:test\toidc\nmy ctx\toidc\n");
        assert_eq!(bash(&home, "9", line), expected, "{line}");
    }
}

#[test]
fn bash_shows_what_words_are_where_it_only_lists() {
    let home = Home::new();
    let page = bash(&home, "63", "lanyard lo");
    assert!(page.contains("login   (Log in to an account, also by\nlogout  (Log out"), "{page}");
    assert!(page.lines().all(|line| line.chars().count() < 40), "{page}");
    assert_eq!(bash(&home, "63", "lanyard logi"), "login\n:4\n");
}

#[test]
fn a_script_for_each_shell() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = printed(&mut home.command(&helper(), &["completion", shell]));
        assert!(script.contains("complete-words") && script.ends_with('\n'), "{shell}");
    }
    for args in [&["completion"][..], &["completion", "tcsh"], &["completion", "bash", "zsh"]] {
        run(&mut home.command(&helper(), args)).failed(2, "takes one of: bash, zsh, fish, powershell");
    }
}

fn shown(program: &Path, args: &[&str]) -> String {
    printed(&mut bare(program, args))
}

#[test]
fn kubectls_plugin_is_lanyard_and_its_pages_say_how_it_is_typed() {
    let home = Home::new();
    let program = called(&home.path, "kubectl-lanyard", &helper());
    assert!(shown(&program, &["help"]).contains("Usage: kubectl lanyard COMMAND"));
    assert!(shown(&program, &["login", "--help"]).contains("Usage: kubectl lanyard login ACCOUNT"));
    assert!(shown(&program, &["help", "account"]).contains("Usage: kubectl lanyard account COMMAND"));
    let said = run(&mut bare(&program, &["stauts"]));
    said.failed(2, "hint: did you mean: kubectl lanyard status\n");
    assert_eq!(shown(&program, &["version"]), "lanyard 0.1.0 (protocol 1)\n");

    let heard = knowing(&home, "fine\n");
    assert_eq!(printed(&mut home.command(&program, &["status", "--json"])), "fine\n");
    assert_eq!(heard.join().unwrap()["request"]["args"], json!(["status", "--json"]));
}

#[test]
fn kubectls_completion_gets_cobras_answer() {
    let home = Home::new();
    let program = called(&home.path, "kubectl_complete-lanyard", &example("patient"));
    assert_eq!(shown(&program, &["completion", ""]), "bash\nzsh\nfish\npowershell\n:4\n");
    assert_eq!(shown(&program, &["vault", "export", ""]), ":0\n");
    assert!(shown(&program, &["--"]).contains("--help\t"));
    assert!(shown(&program, &[]).contains("status\t"));
    knowing(&home, "corp\toidc\n");
    assert_eq!(printed(&mut home.command(&program, &["login", "c"])), "corp\toidc\n:4\n");
}

#[test]
fn with_exec_info_no_name_widens_what_is_permitted() {
    let home = Home::new();
    broker(&home, |talk| panic!("it connected: {:?}", talk.hear()));
    for name in ["kubectl-lanyard", "kubectl_complete-lanyard"] {
        let program = called(&home.path, name, &helper());
        for args in [&["login", ""][..], &["status"], &[]] {
            let ended = run(home.command(&program, args).env("KUBERNETES_EXEC_INFO", "{}"));
            ended.failed(13, "only 'kube-credential' and 'cluster-credential' are permitted");
        }
    }
    let ended = run(home.command(&helper(), &["complete-words", "--", ""]).env("KUBERNETES_EXEC_INFO", "{}"));
    ended.failed(13, "only 'kube-credential' and 'cluster-credential' are permitted");
}

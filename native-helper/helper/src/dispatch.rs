//! Decides what the command line asks for: help, the version, the agent, or a request to the broker.

use crate::commands::{self, Found};
use crate::doors;
use crate::failure::{Failure, exit};
use crate::frames::{BrokerFrame, PROTOCOL_MAX, PROTOCOL_MIN, Request, base64};
use crate::invoked::Invoked;
use crate::reach::EXEC_INFO;
use crate::{Limits, agent, completion, layout, os, output, run_program, session};
use std::env;
use std::time::Duration;

const KUBE_CREDENTIAL: &str = "kube-credential";
const CLUSTER_CREDENTIAL: &str = "cluster-credential";

/// A page of help that is about no command.
const EXIT_CODES: &str = "exit-codes";

/// The user waits for the prompt, but a broker that reads a large file can be busy for a moment.
const PROMPT_LIMIT: Duration = Duration::from_secs(1);

pub fn dispatch(limits: &Limits, invoked: Invoked) -> Result<u8, Failure> {
    let exec_info = env::var_os(EXEC_INFO);
    let args = arguments()?;
    let first = args.first().map(String::as_str).unwrap_or_default();

    // A kubeconfig chose this command line if KUBERNETES_EXEC_INFO is set. It gets its credential and nothing else
    // (rule: no-deputy).
    if let Some(exec_info) = exec_info {
        let exec_info = || os::bytes_of(&exec_info).map(|bytes| Some(base64(&bytes)));
        return match first {
            KUBE_CREDENTIAL => credential(limits, &doors::KUBE, &args, exec_info()?),
            CLUSTER_CREDENTIAL => credential(limits, &doors::CONTROLLER, &args, exec_info()?),
            _ => Err(only_credentials().hint(format!(
                "a kubeconfig's exec command must begin with {KUBE_CREDENTIAL}; else unset {EXEC_INFO}"
            ))),
        };
    }

    if invoked == Invoked::KubectlCompletion {
        return completion::kubectl(&args, limits);
    }
    if first == completion::COMPLETE_WORDS {
        return completion::answer(args.get(1..).unwrap_or_default(), limits);
    }
    if first == run_program::RUN_PROGRAM {
        return run_program::answer(args.get(1..).unwrap_or_default());
    }
    let columns = layout::columns_for(os::columns());
    if args.is_empty() || matches!(first, "--help" | "-h") {
        return output::text(&invoked.typed(&commands::overview(columns)));
    }
    if first == "help" {
        return help(args.get(1..).unwrap_or_default(), invoked, columns);
    }
    if first == "--version" {
        return version(&args);
    }
    let command = match commands::find(&args, columns) {
        Found::Command(command) => command,
        Found::Group(page) if args.len() > 1 => return output::text(&invoked.typed(&page)),
        Found::Group(page) => {
            return output::usage(&format!(
                "lanyard: '{first}' needs one of its commands\n{}",
                invoked.typed(&page)
            ));
        }
        Found::Unknown { nearest } => return Err(unknown(&args, nearest)),
    };
    if args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--help" || arg == "-h") {
        return output::text(&invoked.typed(&command.help(&args, columns)));
    }
    match command.name {
        "completion" => completion::script(args.get(1..).unwrap_or_default()),
        "agent" => agent::run(args.get(1..).unwrap_or_default()),
        "version" => version(&args),
        KUBE_CREDENTIAL => credential(limits, &doors::KUBE, &args, None),
        CLUSTER_CREDENTIAL => credential(limits, &doors::CONTROLLER, &args, None),
        "doctor" => doctor(limits, &args),
        "status" if is_prompt(&args) => prompt(&args),
        _ => cli(limits, &args),
    }
}

/// JSON carries only text.
fn arguments() -> Result<Vec<String>, Failure> {
    env::args_os()
        .skip(1)
        .map(|arg| arg.into_string().map_err(|_| Failure::new(exit::USAGE, "an argument is not UTF-8")))
        .collect()
}

/// The client-go program draws on the complete terminal. It shows the failure itself.
pub fn is_quiet() -> bool {
    env::var_os(EXEC_INFO).is_some() && session::is_quiet(&doors::KUBE)
}

/// A client's plugin may have been chosen by a kubeconfig, whoever it is called as (rule: no-deputy).
pub fn only_credentials() -> Failure {
    Failure::new(
        exit::NOT_PERMITTED,
        format!("with {EXEC_INFO} set only '{KUBE_CREDENTIAL}' and '{CLUSTER_CREDENTIAL}' are permitted"),
    )
}

/// Both doors of KEP-541 have one form of request.
fn credential(
    limits: &Limits,
    door: &'static doors::Door,
    args: &[String],
    exec_info: Option<String>,
) -> Result<u8, Failure> {
    let args = args.get(1..).unwrap_or_default();
    session::converse(limits, door, Request::Kube { args, exec_info })
}

fn cli(limits: &Limits, args: &[String]) -> Result<u8, Failure> {
    session::converse(limits, &doors::CLI, Request::Cli { args, cwd: current_folder()? })
}

fn current_folder() -> Result<String, Failure> {
    env::current_dir()
        .map_err(|error| Failure::new(exit::USAGE, format!("the current folder can't be read: {error}")))?
        .into_os_string()
        .into_string()
        .map_err(|_| Failure::new(exit::USAGE, "the current folder's path is not UTF-8"))
}

/// `status --format`: a shell runs it before each prompt.
fn is_prompt(args: &[String]) -> bool {
    args.iter().any(|arg| arg == "--format" || arg.starts_with("--format="))
}

/// Starts no broker, waits for none that is silent, and prints no errors.
fn prompt(args: &[String]) -> Result<u8, Failure> {
    let request = Request::Cli { args, cwd: current_folder()? };
    match session::quick_answer(&doors::CLI, request, PROMPT_LIMIT) {
        Some(BrokerFrame::Exit { code, stdout, stderr }) => {
            if let Some(text) = stderr {
                output::stderr(&text);
            }
            if let Some(bytes) = stdout {
                output::door_stdout(&bytes, doors::CLI.stdout_is_text)?;
            }
            Ok(code)
        }
        _ => Ok(exit::UNREACHABLE),
    }
}

/// Runs the broker's program instead, where no broker answers.
fn doctor(limits: &Limits, args: &[String]) -> Result<u8, Failure> {
    cli(limits, args).map_err(|failure| match failure.code {
        exit::UNREACHABLE | exit::TIMED_OUT | exit::VERSION | exit::NOT_PERMITTED => {
            agent::offline_doctor(args.get(1..).unwrap_or_default(), failure)
        }
        _ => failure,
    })
}

fn help(words: &[String], invoked: Invoked, columns: usize) -> Result<u8, Failure> {
    match words {
        [] => return output::text(&invoked.typed(&commands::overview(columns))),
        [topic] if topic == EXIT_CODES => return output::text(&commands::exit_codes(columns)),
        _ => {}
    }
    match commands::find(words, columns) {
        Found::Command(command) => output::text(&invoked.typed(&command.help(words, columns))),
        Found::Group(page) => output::text(&invoked.typed(&page)),
        Found::Unknown { nearest } => Err(unknown(words, nearest)),
    }
}

fn unknown(words: &[String], nearest: Option<&str>) -> Failure {
    let shown: Vec<&str> =
        words.iter().map(String::as_str).take_while(|word| !word.starts_with('-')).collect();
    let shown: String = shown.join(" ").chars().take(64).collect();
    let failure = Failure::new(exit::USAGE, format!("unknown command '{shown}'"));
    match nearest {
        Some(name) => failure.hint(format!("did you mean: lanyard {name}")),
        None => failure.hint("see: lanyard help"),
    }
}

fn version(args: &[String]) -> Result<u8, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    match args.get(1..).unwrap_or_default() {
        [] if PROTOCOL_MIN == PROTOCOL_MAX => {
            output::text(&format!("lanyard {version} (protocol {PROTOCOL_MAX})\n"))
        }
        [] => output::text(&format!("lanyard {version} (protocol {PROTOCOL_MIN} to {PROTOCOL_MAX})\n")),
        [json] if json == "--json" => output::text(&format!(
            "{{\"version\":\"{version}\",\"protocol\":{{\"min\":{PROTOCOL_MIN},\"max\":{PROTOCOL_MAX}}}}}\n"
        )),
        _ => Err(Failure::new(exit::USAGE, "'version' takes --json alone").hint("see: lanyard help version")),
    }
}

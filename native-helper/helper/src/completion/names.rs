use super::candidates::{Candidate, Names};
use crate::doors::COMPLETION;
use crate::frames::{BrokerFrame, Request};
use crate::session::quick_answer;
use crate::strip::strip;
use std::env;
use std::time::Duration;

/// The broker's name for this command (main/doors/cli/tools/complete-command.ts).
pub const COMPLETE_NAMES: &str = "complete-names";

/// The names of these kinds that a running broker knows, each once. None without a broker, or if it takes longer than
/// `limit`.
pub fn ask_names(what: &[Names], limit: Duration) -> Vec<Candidate> {
    let kinds = what.iter().map(|kind| match kind {
        Names::Accounts => "accounts",
        Names::Clusters => "clusters",
        Names::Registries => "registries",
        Names::Inventories => "inventories",
        Names::Profiles => "profiles",
        Names::Contexts => "contexts",
    });
    // KUBECONFIG may contain relative paths.
    let cwd = env::current_dir().ok().and_then(|path| path.into_os_string().into_string().ok());
    let args: Vec<String> = [COMPLETE_NAMES].into_iter().chain(kinds).map(str::to_owned).collect();
    let request = Request::Cli { args: &args, cwd: cwd.unwrap_or_else(|| "/".to_owned()) };
    match quick_answer(&COMPLETION, request, limit) {
        Some(BrokerFrame::Exit { code: 0, stdout: Some(bytes), .. }) => {
            parse(&String::from_utf8_lossy(&bytes))
        }
        _ => Vec::new(),
    }
}

/// On each line a name, a tab and its description.
fn parse(text: &str) -> Vec<Candidate> {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let (word, about) = line.split_once('\t').unwrap_or((line, ""));
            Candidate { word: strip(word), about: strip(&about.replace('\t', " ")) }
        })
        .collect()
}

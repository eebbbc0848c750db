//! Completion: `lanyard completion SHELL` prints a script. The script runs `lanyard complete-words` for the words that
//! fit at the cursor. They come from the table of commands. Names of the config come from the running broker.

mod candidates;
mod names;
mod shell_line;

use crate::failure::{Failure, exit};
use crate::{Limits, output};
use candidates::{Answer, Candidate, complete};
use names::ask_names;
use shell_line::ShellLine;

/// The command that the scripts run. It is in no table, because it isn't meant for users.
pub const COMPLETE_WORDS: &str = "complete-words";

/// Comes before bash's arguments: the type of completion (`COMP_TYPE`), the columns of the terminal, `COMP_WORDBREAKS`.
const BASH: &str = "--bash";
/// The word at the cursor is empty. PowerShell before 7.3 passes no empty arguments.
const NEW_WORD: &str = "--new-word";

/// `lanyard completion bash|zsh|fish|powershell`
pub fn script(args: &[String]) -> Result<u8, Failure> {
    let script = match args {
        [shell] => match shell.as_str() {
            "bash" => include_str!("lanyard.bash"),
            "zsh" => include_str!("lanyard.zsh"),
            "fish" => include_str!("lanyard.fish"),
            "powershell" => include_str!("lanyard.ps1"),
            _ => return Err(unknown_shell()),
        },
        _ => return Err(unknown_shell()),
    };
    output::text(script)
}

fn unknown_shell() -> Failure {
    Failure::new(exit::USAGE, "'completion' takes one of: bash, zsh, fish, powershell")
        .hint("see: lanyard help completion")
}

/// `complete-words [--new-word] -- WORD…`: the last word is the one at the cursor. `complete-words --bash TYPE COLUMNS
/// BREAKS -- LINE`: the line ends at the cursor. Reports no errors: the user is in the middle of a line.
pub fn answer(args: &[String], limits: &Limits) -> Result<u8, Failure> {
    match args {
        [flag, kind, columns, breaks, dashes, line] if flag == BASH && dashes == "--" => {
            output::text(&for_bash(kind, columns, breaks, line, limits))
        }
        [flag, dashes, words @ ..] if flag == NEW_WORD && dashes == "--" => words_page(words, "", limits),
        [dashes, words @ ..] if dashes == "--" => kubectl(words, limits),
        _ => Ok(exit::USAGE),
    }
}

/// The output of `kubectl_complete-lanyard` for kubectl, and of `complete-words` for all shells but bash. On each line
/// a word, a tab and its description. The last line is cobra's directive.
pub fn kubectl(words: &[String], limits: &Limits) -> Result<u8, Failure> {
    let (current, before) = words.split_last().map_or(("", words), |(last, all)| (last.as_str(), all));
    words_page(before, current, limits)
}

fn words_page(before: &[String], current: &str, limits: &Limits) -> Result<u8, Failure> {
    let Answer { candidates, files } = complete(before, current, |what| ask_names(what, limits.names));
    let mut page = String::new();
    for Candidate { word, about } in &candidates {
        page.push_str(word);
        if !about.is_empty() {
            page.push('\t');
            page.push_str(about);
        }
        page.push('\n');
    }
    page.push_str(files.directive());
    output::text(&page)
}

/// The text that replaces what bash takes for the word at the cursor. bash shows no descriptions, so they follow the
/// words where bash only lists them.
fn for_bash(kind: &str, columns: &str, breaks: &str, line: &str, limits: &Limits) -> String {
    let line = ShellLine::parse(line);
    let Answer { mut candidates, files } =
        complete(line.arguments(), &line.current, |what| ask_names(what, limits.names));
    candidates.retain(|candidate| candidate.word.starts_with(&line.current));
    let lists = matches!(kind, "63" | "33") && candidates.len() > 1;
    let written: Vec<String> = candidates.iter().map(|each| line.replacement(&each.word, breaks)).collect();
    let width = written.iter().map(|word| word.chars().count()).max().unwrap_or(0) + 2;
    let columns = columns.parse().unwrap_or(80_usize);
    let mut page = String::new();
    for (word, candidate) in written.iter().zip(&candidates) {
        if lists && !candidate.about.is_empty() {
            let row = format!("{word:<width$}({})", candidate.about);
            let fits: String = row.chars().take(columns.saturating_sub(1).max(width)).collect();
            page.push_str(fits.trim_end());
        } else {
            page.push_str(word);
        }
        page.push('\n');
    }
    page.push_str(files.directive());
    page
}

//! The words that can complete the one at the cursor, from the table of commands.

use crate::commands::{COMMANDS, Command, CommandOption};

/// A complete word that could replace the one at the cursor.
#[derive(Debug, PartialEq, Eq)]
pub struct Candidate {
    pub word: String,
    /// A short description, or empty.
    pub about: String,
}

impl Candidate {
    fn new(word: impl Into<String>, about: impl Into<String>) -> Self {
        Candidate { word: word.into(), about: about.into() }
    }
}

/// Whether the shell offers files as well.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Files {
    None,
    All,
    Folders,
}

impl Files {
    /// The number that cobra gives it (ShellCompDirective): the shell's own completion, none, folders.
    pub fn directive(self) -> &'static str {
        match self {
            Files::All => ":0\n",
            Files::None => ":4\n",
            Files::Folders => ":16\n",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub candidates: Vec<Candidate>,
    pub files: Files,
}

/// Names that only the broker knows.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Names {
    Accounts,
    Clusters,
    Registries,
    Inventories,
    Profiles,
    Contexts,
}

/// The words that can complete `current`, after the words before it. Calls `names` only where a name fits. Doesn't
/// filter by `current`, which shells do their own way.
pub fn complete(before: &[String], current: &str, names: impl Fn(&[Names]) -> Vec<Candidate>) -> Answer {
    let none = Answer { candidates: Vec::new(), files: Files::None };
    let Some((first, rest)) = before.split_first() else {
        return Answer { candidates: first_words(current), files: Files::None };
    };
    let named = |name: &str| COMMANDS.iter().find(|command| command.name == name);
    if first == "help" {
        let candidates = match rest {
            [] => {
                let words = first_words("").into_iter().filter(|each| each.word != "help");
                words.chain([Candidate::new("exit-codes", "What exit codes mean")]).collect()
            }
            [group] => second_words(group),
            [first, second] => named(&format!("{first} {second}"))
                .map(|command| command.kinds().map(|kind| Candidate::new(kind, "")).collect())
                .unwrap_or_default(),
            _ => Vec::new(),
        };
        return Answer { candidates, files: Files::None };
    }
    let of_two =
        rest.split_first().and_then(|(second, args)| Some((named(&format!("{first} {second}"))?, args)));
    if let Some((command, args)) = of_two {
        return arguments(command, args, current, &names);
    }
    let mut answer = named(first).map_or(none, |command| arguments(command, rest, current, &names));
    if rest.is_empty() && !current.starts_with('-') {
        answer.candidates.splice(0..0, second_words(first));
    }
    answer
}

fn first_words(current: &str) -> Vec<Candidate> {
    if current.starts_with('-') {
        return vec![
            Candidate::new("--help", "What there is"),
            Candidate::new("--version", "Which lanyard this is"),
        ];
    }
    let mut found: Vec<Candidate> = Vec::new();
    for command in COMMANDS {
        let Some((group, second)) = command.name.split_once(' ') else {
            found.push(Candidate::new(command.name, command.summary));
            continue;
        };
        match found.iter_mut().find(|each| each.word == group) {
            Some(row) if row.about.ends_with('…') || COMMANDS.iter().any(|each| each.name == group) => {}
            Some(row) if row.about.len() > 60 => row.about.push('…'),
            Some(row) => row.about.push_str(&format!(", {second}")),
            None => found.push(Candidate::new(group, second)),
        }
    }
    found.push(Candidate::new("help", "More about one command"));
    found
}

fn second_words(group: &str) -> Vec<Candidate> {
    let row = |command: &&Command| {
        let (first, second) = command.name.split_once(' ')?;
        (first == group).then(|| Candidate::new(second, command.summary))
    };
    COMMANDS.iter().filter_map(|command| row(&command)).collect()
}

/// Completes a word after the command's name.
fn arguments(
    command: &Command,
    args: &[String],
    current: &str,
    names: &impl Fn(&[Names]) -> Vec<Candidate>,
) -> Answer {
    let mut at = 0;
    let mut used: Vec<&str> = Vec::new();
    let mut only_words = false;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if only_words || !arg.starts_with('-') || arg == "-" {
            at += 1;
        } else if arg == "--" {
            only_words = true;
        } else {
            let (name, value) =
                arg.split_once('=').map_or((arg.as_str(), None), |(name, value)| (name, Some(value)));
            used.push(name);
            if let (Some(kind), None) = (value_of(command, name), value)
                && args.next().is_none()
            {
                return values(kind, current, "", names);
            }
        }
    }
    if !only_words
        && let Some((name, value)) = current.split_once('=').filter(|(name, _)| name.starts_with("--"))
    {
        return match value_of(command, name) {
            Some(kind) => values(kind, value, &format!("{name}="), names),
            None => Answer { candidates: Vec::new(), files: Files::None },
        };
    }
    let word = word_at(command, at);
    match word {
        Some(kind) if only_words || !current.starts_with('-') => values(kind, current, "", names),
        _ if only_words => Answer { candidates: Vec::new(), files: Files::None },
        _ => Answer { candidates: options(command, &used), files: Files::None },
    }
}

/// The placeholder of an option's value; None where it takes none.
fn value_of<'a>(command: &'a Command, option: &str) -> Option<&'a str> {
    let with_value = |each: &'a CommandOption| each.spelling.split_once(' ');
    command.options.iter().filter_map(with_value).find(|(name, _)| *name == option).map(|(_, value)| value)
}

fn word_at(command: &Command, at: usize) -> Option<&'static str> {
    match command.words {
        [all @ .., last, "…"] => Some(all.get(at).copied().unwrap_or(last)),
        words => words.get(at).copied(),
    }
}

/// The options that weren't given yet, and those that can be repeated.
fn options(command: &Command, used: &[&str]) -> Vec<Candidate> {
    let row = |option: &CommandOption| {
        let is_offered = option.repeats || !used.contains(&option.name());
        is_offered.then(|| Candidate::new(option.name(), option.summary))
    };
    let own = command.options.iter().filter_map(row);
    own.chain([Candidate::new("--help", "What this command does")]).collect()
}

/// The values of a placeholder: names, files or alternatives. None for what only the user knows.
fn values(kind: &str, current: &str, prefix: &str, names: &impl Fn(&[Names]) -> Vec<Candidate>) -> Answer {
    let (kind, parts) =
        kind.split_once("[/").map_or((kind, ""), |(kind, parts)| (kind, parts.trim_end_matches(']')));
    let files = match kind {
        "FILE" => Files::All,
        "FOLDER" => Files::Folders,
        _ => Files::None,
    };
    // One question for all: the user waits.
    let wanted: Vec<Names> = kind.split('|').filter_map(names_of).collect();
    let mut found = if wanted.is_empty() { Vec::new() } else { names(&wanted) };
    if kind.contains('|') {
        // A word in capitals stands for names, or for any value.
        let plain = kind.split('|').filter(|word| word.chars().any(|letter| letter.is_ascii_lowercase()));
        found.extend(plain.map(|word| Candidate::new(word, "")));
    }
    let with_parts = |each: Candidate| {
        let begun = current.strip_prefix(&each.word).is_some_and(|rest| rest.starts_with('/'));
        if !begun || parts.is_empty() {
            return vec![each];
        }
        parts.split('|').map(|part| Candidate::new(format!("{}/{part}", each.word), "")).collect()
    };
    let candidates = found
        .into_iter()
        .flat_map(with_parts)
        .map(|each| Candidate { word: format!("{prefix}{}", each.word), ..each })
        .collect();
    Answer { candidates, files }
}

/// What a placeholder names; None where it is no name that the broker knows.
fn names_of(placeholder: &str) -> Option<Names> {
    match placeholder {
        "ACCOUNT" => Some(Names::Accounts),
        "CLUSTER" => Some(Names::Clusters),
        "REGISTRY" => Some(Names::Registries),
        "INVENTORY" => Some(Names::Inventories),
        "PROFILE" => Some(Names::Profiles),
        "CONTEXT" => Some(Names::Contexts),
        _ => None,
    }
}

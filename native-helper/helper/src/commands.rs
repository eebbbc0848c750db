//! The commands and their help, from main/contract/commands.json. build.rs turns the table into constants.

/// One row of the table.
pub struct Command {
    pub name: &'static str,
    pub summary: &'static str,
    usage: &'static str,
    /// Each option with its value, such as `--json` or `--token id|access`, and what it does.
    pub options: &'static [(&'static str, &'static str)],
    notes: &'static [&'static str],
    /// The words after the command's name. A last `…` means that the word before it may repeat.
    pub words: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// What the words at the front of a command line mean.
pub enum Found {
    Command(&'static Command),
    /// The help page of a word that several commands start with, such as `account`.
    Group(String),
    Unknown {
        nearest: Option<&'static str>,
    },
}

pub fn find(words: &[String]) -> Found {
    let two = words.get(..2).map(|pair| pair.join(" "));
    let first = words.first().map(String::as_str).unwrap_or_default();
    let named = |name: &str| COMMANDS.iter().find(|command| command.name == name);
    if let Some(command) = two.as_deref().and_then(named).or_else(|| named(first)) {
        return Found::Command(command);
    }
    if let Some(page) = group(first) {
        return match words.get(1).map(String::as_str) {
            None | Some("--help" | "-h") => Found::Group(page),
            Some(_) => Found::Unknown { nearest: nearest(&two.unwrap_or_default()) },
        };
    }
    Found::Unknown { nearest: nearest(first).or_else(|| nearest(&two.unwrap_or_default())) }
}

fn group(word: &str) -> Option<String> {
    let rows: Vec<&Command> = COMMANDS
        .iter()
        .filter(|command| command.name.split_once(' ').is_some_and(|(group, _)| group == word))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut page = format!("Usage: lanyard {word} COMMAND\n\nCommands:\n");
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0) + 2;
    for row in rows {
        page.push_str(&format!("  {:<width$}{}\n", row.name, row.summary));
    }
    Some(page)
}

impl Command {
    /// Its page of help.
    pub fn help(&self) -> String {
        let mut page = format!("{}\n\nUsage: {}\n", self.summary, self.usage);
        if !self.options.is_empty() {
            page.push_str("\nOptions:\n");
            let width =
                self.options.iter().map(|(spelling, _)| spelling.chars().count()).max().unwrap_or(0) + 2;
            for (spelling, summary) in self.options {
                page.push_str(&format!("  {spelling:<width$}{summary}\n"));
            }
        }
        for note in self.notes {
            page.push_str(&format!("\n{note}\n"));
        }
        page
    }
}

/// What `lanyard help` shows.
pub fn overview() -> String {
    let mut page = format!("{SUMMARY}\n\nUsage: lanyard COMMAND [OPTIONS]\n\nCommands:\n");
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0) + 2;
    for command in COMMANDS {
        page.push_str(&format!("  {:<width$}{}\n", command.name, command.summary));
    }
    page.push_str("\nExit codes:\n");
    for (code, meaning) in EXIT_CODES {
        page.push_str(&format!("  {code:<4}{meaning}\n"));
    }
    page.push_str("\nMore about one: lanyard help COMMAND\n");
    page
}

/// The command that the user may have meant: at most a third of the letters differ.
fn nearest(name: &str) -> Option<&'static str> {
    COMMANDS
        .iter()
        .map(|command| (distance(name, command.name), command.name))
        .filter(|(distance, candidate)| distance * 3 <= candidate.len().max(name.len()))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance. Cuts `one` after 64 characters: the first words of a command line are short.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (index, left) in one.chars().take(64).enumerate() {
        let mut next = vec![index + 1];
        for (right, pair) in other.chars().zip(row.windows(2)) {
            let (above_left, above) = (pair.first().copied(), pair.last().copied());
            let replace = above_left.unwrap_or(0) + usize::from(left != right);
            let shorter = above.unwrap_or(0).min(next.last().copied().unwrap_or(0)) + 1;
            next.push(replace.min(shorter));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn nearest_of(line: &str) -> Option<&'static str> {
        match find(&words(line)) {
            Found::Unknown { nearest } => nearest,
            _ => panic!("{line} was found"),
        }
    }

    #[test]
    fn finds_commands_of_one_and_two_words() {
        for (line, name) in [
            ("status --json", "status"),
            ("account add corp", "account add"),
            ("kube-credential", "kube-credential"),
        ] {
            assert!(matches!(find(&words(line)), Found::Command(command) if command.name == name), "{line}");
        }
        assert!(matches!(find(&words("account")), Found::Group(_)));
        assert!(matches!(find(&words("account --help")), Found::Group(_)));
    }

    #[test]
    fn names_the_nearest_command() {
        assert_eq!(nearest_of("stauts"), Some("status"));
        assert_eq!(nearest_of("logn corp"), Some("login"));
        assert_eq!(nearest_of("account lst"), Some("account list"));
        assert_eq!(nearest_of("frobnicate"), None);
    }

    #[test]
    fn every_command_has_help() {
        for command in COMMANDS {
            assert!(command.help().contains("Usage: lanyard "), "{}", command.name);
            assert!(overview().contains(command.name));
        }
    }

    #[test]
    fn the_words_of_a_command_are_those_of_its_usage() {
        let words = |name: &str| COMMANDS.iter().find(|command| command.name == name).unwrap().words;
        for (name, expected) in [
            ("status", &[][..]),
            ("login", &["ACCOUNT"]),
            ("account add", &["NAME"]),
            ("account remove", &["ACCOUNT"]),
            ("cluster add", &["NAME"]),
            ("history", &["CLUSTER"]),
            ("secret set", &["ACCOUNT[/token|certificate|key|clientSecret|clientKey]"]),
            ("vault export", &["FILE"]),
            ("vault restore", &[]),
            ("completion", &["bash|zsh|fish|powershell"]),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }
}

//! The commands and their help, from main/contract/commands.json. build.rs turns the table into constants.

use crate::layout;

/// One row of the table.
pub struct Command {
    pub name: &'static str,
    pub summary: &'static str,
    usages: &'static [&'static str],
    /// What can be had by it, one for each usage: a word for help, and what it is. Empty: one thing.
    kinds: &'static [(&'static str, &'static str)],
    pub options: &'static [CommandOption],
    notes: &'static [&'static str],
    examples: &'static [(&'static str, &'static str)],
    /// The words after the command's name. A last `…` means that the word before it may repeat.
    pub words: &'static [&'static str],
}

/// An option of a command.
pub struct CommandOption {
    /// With its value: `--json`, `--token id|access`.
    pub spelling: &'static str,
    pub summary: &'static str,
    /// It may be given more than once.
    pub repeats: bool,
}

impl CommandOption {
    /// Without its value.
    pub fn name(&self) -> &'static str {
        self.spelling.split(' ').next().unwrap_or(self.spelling)
    }

    /// What it does, as help says it.
    fn text(&self) -> String {
        format!("{}{}", self.summary, if self.repeats { "; can be repeated" } else { "" })
    }
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

pub fn find(words: &[String], columns: usize) -> Found {
    let two = words.get(..2).map(|pair| pair.join(" "));
    let first = words.first().map(String::as_str).unwrap_or_default();
    let named = |name: &str| COMMANDS.iter().find(|command| command.name == name);
    if let Some(command) = two.as_deref().and_then(named).or_else(|| named(first)) {
        return Found::Command(command);
    }
    if let Some(page) = group(first, columns) {
        return match words.get(1).map(String::as_str) {
            None | Some("--help" | "-h") => Found::Group(page),
            Some(_) => Found::Unknown { nearest: nearest(&two.unwrap_or_default()) },
        };
    }
    Found::Unknown { nearest: nearest(first).or_else(|| nearest(&two.unwrap_or_default())) }
}

fn group(word: &str, columns: usize) -> Option<String> {
    let rows: Vec<&Command> = COMMANDS
        .iter()
        .filter(|command| command.name.split_once(' ').is_some_and(|(group, _)| group == word))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let rows: Vec<(String, String)> = rows.iter().map(|row| pair(row.name, row.summary)).collect();
    let rows = layout::rows(&rows, columns);
    Some(format!(
        "Usage: lanyard {word} COMMAND\n\nCommands:\n{rows}\nMore about one: lanyard help {word} COMMAND\n"
    ))
}

impl Command {
    /// Its page of help. `words` are those after its name: where one names a kind, only that kind's usage and options.
    pub fn help(&self, words: &[String], columns: usize) -> String {
        let kind = self.kind_of(words);
        let usages = match kind {
            Some(at) => self.usages.get(at..=at).unwrap_or_default(),
            None if self.kinds.is_empty() => self.usages,
            None => &[],
        };
        let summary = kind.and_then(|at| self.kinds.get(at)).map_or(self.summary, |(_, about)| about);
        let mut page = format!("{}\n", layout::paragraph(summary, columns));
        for (at, line) in usages.iter().enumerate() {
            page.push_str(&layout::usage(if at == 0 { "Usage: " } else { "       " }, line, columns));
        }
        if usages.is_empty() {
            page.push_str(&self.kinds_page(columns));
        }
        let is_meant = |option: &&CommandOption| {
            self.kinds.is_empty() || usages.iter().any(|usage| has_option(usage, option.name()))
        };
        let options: Vec<(String, String)> = self
            .options
            .iter()
            .filter(is_meant)
            .map(|option| pair(option.spelling, &option.text()))
            .collect();
        if !options.is_empty() {
            page.push_str(&format!("\nOptions:\n{}", layout::rows(&options, columns)));
        }
        // Notes and examples of a command with kinds are about several of them.
        let (notes, examples) = if kind.is_some() { (&[][..], &[][..]) } else { (self.notes, self.examples) };
        if !examples.is_empty() {
            page.push_str(&format!("\nExamples:\n{}", example_rows(examples, columns)));
        }
        for note in notes {
            page.push_str(&format!("\n{}", layout::paragraph(note, columns)));
        }
        page
    }

    /// The words that its help can be narrowed by.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.kinds.iter().map(|(name, _)| *name)
    }

    fn kind_of(&self, words: &[String]) -> Option<usize> {
        let by_name = |word: &String| self.kinds.iter().position(|(name, _)| name == word);
        let by_option = |word: &String| self.usages.iter().position(|usage| chooser(usage) == Some(word));
        let has_kinds = !self.kinds.is_empty();
        words.iter().filter(|_| has_kinds).find_map(|word| by_name(word).or_else(|| by_option(word)))
    }

    fn kinds_page(&self, columns: usize) -> String {
        let name = self.name;
        let rows: Vec<(String, String)> = self.kinds.iter().map(|(kind, about)| pair(kind, about)).collect();
        let rows = layout::rows(&rows, columns);
        let first = self.kinds().next().unwrap_or_default();
        let more =
            format!("The options of one kind: lanyard help {name} KIND, such as lanyard help {name} {first}");
        let more = layout::paragraph(&more, columns);
        format!("Usage: lanyard {name} NAME [OPTIONS]\n\nKinds:\n{rows}\n{more}")
    }
}

/// The option that chooses the kind: the first one that a usage needs.
fn chooser(usage: &str) -> Option<&str> {
    usage.split_whitespace().find(|word| word.starts_with("--"))
}

fn has_option(usage: &str, name: &str) -> bool {
    usage
        .split(|character: char| character.is_whitespace() || "[]|".contains(character))
        .any(|word| word == name)
}

fn pair(word: &str, text: &str) -> (String, String) {
    (word.to_owned(), text.to_owned())
}

/// What `lanyard help` shows.
pub fn overview(columns: usize) -> String {
    let mut page = layout::paragraph(SUMMARY, columns);
    page.push_str("\nUsage: lanyard COMMAND [OPTIONS]\n");
    for (title, words) in GROUPS {
        let rows: Vec<(String, String)> = words.iter().map(|word| overview_row(word)).collect();
        page.push_str(&format!("\n{title}:\n{}", layout::rows(&rows, columns)));
    }
    page.push_str(&format!("\nExamples:\n{}", example_rows(EXAMPLES, columns)));
    page.push_str(
        "\nMore about a command: lanyard help COMMAND\nWhat exit codes mean: lanyard help exit-codes\n",
    );
    page
}

/// A command, or the commands that begin with this word.
fn overview_row(word: &str) -> (String, String) {
    match COMMANDS.iter().find(|command| command.name == word) {
        Some(command) => pair(word, command.summary),
        None => {
            let seconds: Vec<&str> = second_words(word).collect();
            pair(&format!("{word} …"), &seconds.join(", "))
        }
    }
}

fn second_words(group: &str) -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter_map(move |command| {
        command.name.split_once(' ').filter(|(first, _)| *first == group).map(|(_, second)| second)
    })
}

fn example_rows(examples: &[(&str, &str)], columns: usize) -> String {
    let rows: Vec<(String, String)> = examples.iter().map(|(line, about)| pair(line, about)).collect();
    layout::rows(&rows, columns)
}

/// What `lanyard help exit-codes` shows.
pub fn exit_codes(columns: usize) -> String {
    let rows: Vec<(String, String)> =
        EXIT_CODES.iter().map(|(code, meaning)| pair(&code.to_string(), meaning)).collect();
    format!("Exit codes:\n{}", layout::rows(&rows, columns))
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
        match find(&words(line), 80) {
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
            assert!(
                matches!(find(&words(line), 80), Found::Command(command) if command.name == name),
                "{line}"
            );
        }
        assert!(matches!(find(&words("account"), 80), Found::Group(_)));
        assert!(matches!(find(&words("account --help"), 80), Found::Group(_)));
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
            assert!(command.help(&[], 80).contains("Usage: lanyard "), "{}", command.name);
        }
    }

    #[test]
    fn the_overview_has_every_command_in_its_group_and_no_exit_codes() {
        for command in COMMANDS {
            let first = command.name.split(' ').next().unwrap();
            let is_in = |(_, rows): &(&str, &[&str])| rows.contains(&command.name) || rows.contains(&first);
            assert!(GROUPS.iter().any(is_in), "{}", command.name);
        }
        for row in GROUPS.iter().flat_map(|(_, rows)| *rows) {
            assert!(!overview_row(row).1.is_empty(), "{row}");
        }
        let page = overview(80);
        assert!(page.contains("\nEvery day:\n  status"), "{page}");
        assert!(page.contains("add, list, remove\n") && page.contains("\nExamples:\n"), "{page}");
        assert!(!page.contains("pending approval") && exit_codes(80).contains("  20  saved"), "{page}");
    }

    #[test]
    fn help_fits_the_terminal() {
        let pages = COMMANDS.iter().map(|command| command.help(&[], 80));
        for page in pages.chain([overview(80), exit_codes(80)]) {
            for line in page.lines().filter(|line| line.chars().count() > 80) {
                // An example is copied, so it stays whole.
                assert!(line.starts_with("  lanyard ") || !line.trim().contains(' '), "{line}");
            }
        }
    }

    #[test]
    fn an_account_of_one_kind_has_a_page_with_its_options_alone() {
        let add = COMMANDS.iter().find(|command| command.name == "account add").unwrap();
        let all = add.help(&words("account add"), 80);
        assert!(all.contains("\n  oidc ") && !all.contains("--client-id ID  "), "{all}");
        for line in ["account add oidc", "account add corp --oidc-issuer https://id.example.com --help"] {
            let page = add.help(&words(line), 80);
            assert!(page.contains("  --client-id ID ") && !page.contains("--exec-plugin"), "{page}");
        }
        let eks = add.help(&words("account add aws-eks"), 80);
        assert!(eks.contains("--region REGION") && !eks.contains("--client-id"), "{eks}");
        // The whole of a name counts: --arg is none of `--additional-arg`.
        assert!(!add.help(&words("account add token"), 80).contains("--arg "), "{eks}");
    }

    #[test]
    fn the_words_of_a_command_are_those_of_its_usage() {
        let words = |name: &str| COMMANDS.iter().find(|command| command.name == name).unwrap().words;
        for (name, expected) in [
            ("agent", &[][..]),
            ("status", &["ACCOUNT|CLUSTER|REGISTRY"]),
            ("login", &["ACCOUNT|CLUSTER|REGISTRY"]),
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

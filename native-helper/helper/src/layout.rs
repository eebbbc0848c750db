//! Puts the help's texts into the columns of a terminal.

/// For a stream that is no terminal.
pub const USUAL_COLUMNS: usize = 80;
/// Longer lines are hard to read.
const MOST_COLUMNS: usize = 100;
const LEAST_COLUMNS: usize = 40;

/// The widest word that has its text beside it. A longer one has it below.
const WORD_COLUMNS: usize = 30;

/// As wide as the terminal, within reason.
pub fn columns_for(terminal: Option<u16>) -> usize {
    terminal.map_or(USUAL_COLUMNS, |columns| usize::from(columns).clamp(LEAST_COLUMNS, MOST_COLUMNS))
}

/// Rows of a word and its text, which begins in one column for all.
pub fn rows(rows: &[(String, String)], columns: usize) -> String {
    let width = |word: &str| word.chars().count();
    let most = rows.iter().map(|(word, _)| width(word)).filter(|wide| *wide <= WORD_COLUMNS).max();
    let indent = most.unwrap_or(2) + 4;
    let mut page = String::new();
    for (word, text) in rows {
        let below = width(word) + 4 > indent;
        let first = format!("  {word}");
        let lines = wrapped(text.split_whitespace(), columns.saturating_sub(indent));
        if below || lines.is_empty() {
            page.push_str(&format!("{first}\n"));
        }
        for (at, line) in lines.iter().enumerate() {
            let begin = if at == 0 && !below { first.as_str() } else { "" };
            page.push_str(&format!("{begin:<indent$}{line}\n"));
        }
    }
    page
}

/// A paragraph. Each of its lines keeps its indentation.
pub fn paragraph(text: &str, columns: usize) -> String {
    let mut page = String::new();
    for line in text.lines() {
        let indent = " ".repeat(line.chars().take_while(|character| *character == ' ').count());
        for part in wrapped(line.split_whitespace(), columns.saturating_sub(indent.len())) {
            page.push_str(&format!("{indent}{part}\n"));
        }
    }
    page
}

/// A usage line, after `first`. What is in brackets stays on one line where it fits; further lines are indented.
pub fn usage(first: &str, line: &str, columns: usize) -> String {
    let indent = first.len() + 4;
    let parts = bracketed(line);
    let lines = wrapped(parts.iter().map(String::as_str), columns.saturating_sub(indent));
    let mut page = String::new();
    for (at, part) in lines.iter().enumerate() {
        let begin = if at == 0 { first.to_owned() } else { " ".repeat(indent) };
        page.push_str(&format!("{begin}{part}\n"));
    }
    page
}

fn bracketed(line: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for word in line.split_whitespace() {
        match parts.last_mut() {
            Some(part) if depth > 0 => part.push_str(&format!(" {word}")),
            _ => parts.push(word.to_owned()),
        }
        depth = (depth + word.matches('[').count()).saturating_sub(word.matches(']').count());
    }
    parts
}

fn wrapped<'a>(words: impl Iterator<Item = &'a str>, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(word: &str, text: &str) -> (String, String) {
        (word.to_owned(), text.to_owned())
    }

    #[test]
    fn a_text_is_beside_its_word_and_goes_on_below_itself() {
        let page = rows(&[row("--json", "As JSON"), row("--account A", "Only this account, of all")], 33);
        assert_eq!(
            page,
            "  --json       As JSON\n  --account A  Only this account,\n               of all\n"
        );
    }

    #[test]
    fn a_word_that_is_too_wide_has_its_text_below() {
        let wide = "--service-account-token-file FILE";
        let page = rows(&[row("--json", "As JSON"), row(wide, "A token")], 80);
        assert_eq!(page, format!("  --json  As JSON\n  {wide}\n          A token\n"));
    }

    #[test]
    fn a_usage_breaks_between_its_brackets() {
        let page = usage("Usage: ", "lanyard x NAME [--one A [--two B]] [--three]", 36);
        let lines = ["Usage: lanyard x NAME", "           [--one A [--two B]]", "           [--three]", ""];
        assert_eq!(page, lines.join("\n"));
    }

    #[test]
    fn a_paragraph_keeps_what_is_indented() {
        assert_eq!(paragraph("one two three:\n  four five", 9), "one two\nthree:\n  four\n  five\n");
    }

    #[test]
    fn help_is_as_wide_as_the_terminal_within_reason() {
        for (terminal, columns) in [(None, 80), (Some(72), 72), (Some(300), 100), (Some(3), 40)] {
            assert_eq!(columns_for(terminal), columns);
        }
    }
}
